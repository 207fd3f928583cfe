"""18: what each side may vary of its set-up."""

from __future__ import annotations

import pytest

from pbem.games.nce import charts, command, hundred_days, plan
from pbem.games.nce.deployment import SetUp, places, rows
from pbem.games.nce.desk import Desk
from pbem.games.nce.land import supply
from pbem.games.nce.replies import BuyDepot, Done, Instead, Station
from pbem.games.nce.setup import setup
from pbem.games.nce.state import State, invariants
from pbem.games.nce.view import view
from pbem.kernel.chance import Recorded
from pbem.kernel.game import LETTER, Game, Given
from pbem.kernel.order import Answer
from pbem.kernel.table import Table
from tests.games.nce.field import Field
from tests.games.nce.play import Pseudo, new, position, the


def codes(state: State, seat: str, *orders: object) -> list[str]:
    question = SetUp(key="s", seat=seat, rule="18")
    answer: Answer = tuple(orders)  # type: ignore[arg-type]
    return [problem.code for problem in question.check(state, answer)]


def answered(scenario: str, **answers: Answer) -> Game[State]:
    game = new(3, scenario, {"deploy": "yes"})
    while game.state.phase == "setup":
        (question,) = game.questions.values()
        given = answers.get(question.seat, (Done(),))
        assert not question.check(game.view(question.seat), given)
        game.give(Given(question.key, question.seat, given, LETTER))
    return game


def test_the_printed_set_up_asks_nothing() -> None:  # rule 18
    assert new(3, "1805").state.phase == "rounds"
    assert new(3, "1805", {"deploy": "yes"}).state.phase == "setup"


@pytest.mark.parametrize(
    ("scenario", "order"), [("1805", ["coalition", "empire"]), ("1809", ["empire", "coalition"])]
)
def test_sides_place_in_the_order_of_the_scenario(scenario: str, order: list[str]) -> None:  # rule 18
    game = new(3, scenario, {"deploy": "yes"})
    asked = []
    while game.state.phase == "setup":
        (question,) = game.questions.values()
        asked.append(question.seat)
        game.give(Given(question.key, question.seat, (Done(),), LETTER))
    assert asked == order


def test_forces_stand_where_the_scenario_lets_them() -> None:  # rule 18
    game = answered("1805", empire=(Station("baviere", "munich"), Station("marmont", "groningue")))
    state = game.state
    assert the(state, "baviere").zone == "munich"
    assert the(state, "marmont").zone == "groningue"
    assert the(state, "hollande").zone == "amsterdam"
    assert not invariants(state)


def test_what_the_scenario_does_not_leave_open() -> None:  # rule 18
    state = setup("1805", {"deploy": "yes"})
    assert codes(state, "empire", Station("baviere", "vienne")) == ["not_in_set_up"]
    assert codes(state, "empire", Station("napoleon", "paris")) == ["no_choice"]
    assert codes(state, "coalition", Station("baviere", "munich")) == ["no_choice"]
    assert codes(state, "coalition", Instead("davout", "moore")) == ["not_in_set_up"]
    assert codes(state, "empire", Station("mortier", "vienne")) == ["no_units_there"]


def test_generals_of_the_reserve() -> None:  # rule 18
    game = answered(
        "1805",
        coalition=(Instead("cathcart", "moore"),),
        empire=(Station("mortier", "brest"), Instead("ali_pacha", "bairaktar")),
    )
    state = game.state
    assert the(state, "cathcart").zone == "londres"
    assert state.generals["moore"] == "pool"
    assert the(state, "mortier").zone == "brest"
    assert state.generals["lannes"] == "pool"
    assert the(state, "ali_pacha").zone == "adrianople"
    assert not invariants(state)


def test_the_extra_depot() -> None:  # rule 18
    state = answered("1805", empire=(BuyDepot("massena"),)).state
    assert len(the(state, "massena").depots) == 2
    assert len(the(state, "napoleon").depots) == 1


def test_fleets_of_1815() -> None:  # rule 18
    game = answered(
        "1815",
        coalition=(Station("ball", "toulon"), Station("cochrane", "mer_du_nord"), Station("hanikov", "riga")),
        empire=(Station("napoleon", "reims"), Station("emeriau", "marseille")),
    )
    state = game.state
    assert state.fleets["ball"] == "box:toulon"
    assert state.fleets["cochrane"] == "sea:mer_du_nord"
    assert state.fleets["hanikov"] == "port:riga"
    assert state.fleets["emeriau"] == "port:marseille"
    assert the(state, "napoleon").zone == "reims"
    assert not invariants(state)


@pytest.mark.parametrize("scenario", ["1805", "1809", "1815"])
def test_every_choice_of_the_files_can_be_made(scenario: str) -> None:  # rule 18
    state = setup(scenario, {"deploy": "yes"})
    for seat in ("empire", "coalition"):
        for row in rows(state, seat):
            if "zones" in row["choice"]:
                assert places(state, row), row
        question = SetUp(key="s", seat=seat, rule="18")
        for answer in question.legal(state):
            assert not question.check(state, answer), answer


def test_in_1815_lost_corps_come_back_and_others_never() -> None:  # rule 18
    state = new(3, "1815").state
    assert state.units["fr_xvi_corps"] == "aside"
    army = the(state, "napoleon")
    unit = next(u for u in army.units if charts.UNITS[u].type == "corps" and charts.UNITS[u].stars)
    for _ in range(2):
        command.lose_step(state, army, unit)
    assert state.units[unit] == "pool"
    desk = Desk(state, Table(state, Recorded(beyond=Pseudo(1))), "test")
    hundred_days.replacements(desk, army)
    assert army.units[unit] == 2
    state.round = 6
    command.lose_step(state, army, unit)
    hundred_days.replacements(desk, army)
    assert army.units[unit] == 1


def test_fog_hides_stacks_but_not_those_one_manages() -> None:  # rule 1.9
    state = position(set_up=True)
    state.options["fog"] = "yes"
    seen = view(state, "coalition")
    assert the(seen, "napoleon").strength == 1
    assert the(seen, "napoleon").units == the(seen, "massena").units
    assert not the(seen, "napoleon").subs
    assert the(seen, "brunswick").strength == the(state, "brunswick").strength
    assert the(view(state, "empire"), "brunswick").strength == 1


def test_crossing_austria_frees_the_coalition_of_its_duty() -> None:  # rule 18
    state = position(set_up=True, duty=True)
    plan.note_duty(state, "empire", ("nuremberg",))
    assert plan.austrian_duty(state, "coalition")
    plan.note_duty(state, "empire", ("pilsen", "nuremberg"))
    assert not plan.austrian_duty(state, "coalition")


def test_only_charles_does_the_duty_at_mantoue() -> None:  # rule 18
    siege, mack = {"mantoue": 0, "ulm": 0}, "coalition ulm mack: au_iv_corps"
    jean = position(duty=True, siege=siege, forces=["coalition mantoue jean: au_i_corps, au_ii_corps", mack])
    plan.note_duty(jean, "coalition")
    assert plan.austrian_duty(jean, "coalition")
    charles = position(
        duty=True, siege=siege, forces=["coalition mantoue charles: au_i_corps, au_ii_corps", mack]
    )
    plan.note_duty(charles, "coalition")
    assert not plan.austrian_duty(charles, "coalition")


def test_royalists_abroad_live_on_a_port_with_a_british_depot() -> None:  # rule 18
    forces = ["coalition bordeaux: royaliste"]
    ports = {"poitiers": "coalition", "rochefort": "coalition", "bordeaux": "coalition"}
    hungry = position("1815", control=ports, forces=forces)
    assert not supply.supplied(hungry, the(hungry, "royaliste"))
    fed = position("1815", control=ports, forces=forces, fixed={"rochefort": ["angleterre"]})
    assert supply.supplied(fed, the(fed, "royaliste"))
    home = position("1815", control=ports, forces=["coalition nantes: royaliste"])
    assert supply.supplied(home, the(home, "royaliste"))


def test_both_armies_of_a_common_march_get_their_replacements() -> None:  # rule 18, 8.3.2
    field = Field(
        scenario="1815",
        hands={"empire": ["3F"], "coalition": []},
        forces=[
            "empire reims napoleon grande_armee: fr_i_corps 1",
            "empire reims suchet armee_italie: fr_ii_corps 1",
        ],
    )
    field.order("empire", "play 3F\nactivate Napoléon with Suchet\ngo to Paris")
    assert (field.steps("napoleon"), field.steps("suchet")) == (3, 3)
