"""CHECK: the way and its cost, supply, interception, evasion, the exact odds of battles, sieges over tries."""

from __future__ import annotations

from itertools import product

import pytest

from pbem.bench import figures
from pbem.bench.chosen import chosen
from pbem.games.nce import RULES
from pbem.games.nce.charts import FLEETS, GENERALS, naval_losses
from pbem.games.nce.events_views import (
    ForecastBattle,
    ForecastDefence,
    ForecastEvasion,
    ForecastGuns,
    ForecastInterception,
    ForecastMarch,
    ForecastNavalBattle,
    ForecastNavalEvasion,
    ForecastNavalInterception,
    ForecastSiege,
    ForecastUnseen,
)
from pbem.games.nce.land import battle, siege
from pbem.games.nce.land.foresight import percent
from pbem.games.nce.orders import (
    Activate,
    Attack,
    Besiege,
    Blockade,
    Carry,
    Go,
    Land,
    Lead,
    NoCard,
    Sail,
    Second,
)
from pbem.games.nce.replies import Evade, IntoFortress, Stand
from pbem.games.nce.rounds import forecast
from pbem.games.nce.sea.foresight_sea import duel
from pbem.games.nce.state import State
from pbem.games.nce.view import view
from pbem.kernel.event import Event
from pbem.kernel.order import Order
from pbem.reports.catalogue import catalogue
from tests.games.nce.field import Field
from tests.games.nce.play import position, the

FORCES = [
    "empire ulm napoleon grande_armee: fr_garde, fr_i_corps, fr_ii_corps; subs davout",
    "coalition munich charles: au_i_corps, au_ii_corps",
    "coalition salzbourg jean: au_iii_corps",
]


def checked(state: State, *steps: Order) -> list[Event]:
    return list(forecast(view(state, "empire"), "empire", (NoCard(), Activate("napoleon"), *steps)))


def at_war() -> State:
    return position(
        hands={"empire": ["4F"], "coalition": ["7C"]}, control={"munich": "coalition"}, forces=FORCES
    )


def test_the_way_its_cost_and_supply() -> None:  # rule 10.1.2, 11.1
    state = position(hands={"empire": ["4F"], "coalition": []}, forces=FORCES[:1])
    (end,) = checked(state, Go(("munich",)))
    assert isinstance(end, ForecastMarch)
    assert (end.path, end.cost, end.left, end.supplied) == (("munich",), 1, 3, True)
    (far,) = checked(state, Go(("munich", "nuremberg", "pilsen")))
    assert isinstance(far, ForecastMarch)
    assert far.path == ("munich", "nuremberg", "pilsen")
    assert far.cost == 4 - far.left
    assert not far.supplied


def test_who_may_intercept_and_who_may_evade() -> None:  # rule 10.3.3, 10.4.3
    first, second, *_ = checked(at_war(), Go(("munich",)))
    assert isinstance(first, ForecastInterception)
    assert (first.force, first.start, first.zone, first.steps) == ("jean", "salzbourg", "munich", 2)
    assert isinstance(second, ForecastEvasion)
    assert second.force == "charles"
    # Neither is quicker than Napoléon, nor has he more horse.
    assert (first.chance, second.chance) == (percent(0), percent(0)) == (33, 33)


def test_two_armies_evade_together() -> None:  # rule 10.4.3
    def evasions(*demoralised: str) -> list[tuple[str, int]]:
        armies = [
            "coalition munich charles armee_allemagne: au_i_corps, au_ii_corps",
            "coalition munich koutouzov iere_armee: ru_i_corps",
        ]
        state = position(hands={"empire": ["4F"], "coalition": []}, forces=[FORCES[0], *armies])
        for general in demoralised:
            the(state, general).demoralised = True
        found = checked(state, Go(("munich",)))
        return [(event.force, event.chance) for event in found if isinstance(event, ForecastEvasion)]

    assert evasions() == evasions("charles") == [("charles", percent(0))]
    assert evasions("charles", "koutouzov") == [("charles", 100)]


def test_no_card_no_interception() -> None:  # rule 10.3.2
    state = at_war()
    state.hands["coalition"] = []
    assert not any(isinstance(event, ForecastInterception) for event in checked(state, Go(("munich",))))


@pytest.mark.parametrize(("bonus", "chance"), [(-2, 0), (-1, 17), (0, 33), (1, 50), (2, 67), (4, 100)])
def test_chances_of_five_or_more(bonus: int, chance: int) -> None:
    assert percent(bonus) == chance


def test_the_odds_are_those_of_the_tables_with_the_plan_of_the_letter() -> None:  # rule 12.7
    def win(*plan: Order) -> int:
        found = [e for e in checked(at_war(), Go(("munich",)), *plan) if isinstance(e, ForecastBattle)]
        assert len(found) == 1
        return found[0].win

    def exact(attack: int) -> int:
        return round(100 * battle.chances(6, 4, attack, 2)["win"])

    state = at_war()
    assert the(state, "napoleon").strength == 6
    assert the(state, "charles").strength == 4
    stars = 2
    assert win(Second("nobody")) == exact(3)
    assert win() == exact(3 + 2)
    assert win(Second("davout")) == exact(3 + 2)
    assert win(Lead("fr_garde"), Second("davout")) == exact(3 + 2 + stars)


def test_a_siege_over_several_tries() -> None:  # rule 13.2.3
    state = position(hands={"empire": ["4F"], "coalition": []}, forces=[FORCES[0].replace("ulm", "munich")])
    found = [e for e in checked(state, Go(("salzbourg",)), Besiege(3)) if isinstance(e, ForecastSiege)]
    there = the(state, "napoleon")
    there.zone = "salzbourg"
    assert found[0].chances == tuple(
        round(100 * chance) for chance in siege.odds(state, there, "salzbourg", 3)
    )
    assert found[0].chances[0] < found[0].chances[1] <= found[0].chances[2]


def at_sea(seat: str, *orders: Order, fog: bool = False, **fleets: str) -> list[Event]:
    """What CHECK tells of a letter about fleets; the others are out of the way."""
    state = position(
        active=seat,
        hands={"empire": [], "coalition": []},
        forces=["coalition londres moore: uk_i_corps", "empire brest: fr_vii_corps"],
    )
    state.spoiled.append("free")
    state.reserve[seat] = 5
    state.options["fog"] = "yes" if fog else "no"
    state.fleets.update(dict.fromkeys(FLEETS, "pool"))
    state.fleets.update(fleets)
    return list(forecast(view(state, seat), seat, (NoCard(), *orders)))


def naively(mine: list[int], theirs: list[int], guns: int = 0) -> dict[str, float]:
    """15.10: every roll of all dice, one by one."""
    found = {"win": 0, "lose": 0, "sunk": 0, "lost": 0}
    value = sum(mine) - sum(theirs)
    for dice in product(range(1, 7), repeat=len(mine) + len(theirs) + guns):
        difference = sum(dice[: len(mine)]) - sum(dice[len(mine) :]) + value
        if difference > 0:
            found["win"] += 1
            found["sunk"] += naval_losses(difference, len(theirs), 1 if guns else 0)
        elif difference < 0:
            found["lose"] += 1
            found["lost"] += naval_losses(-difference, len(mine))
    decided = found["win"] + found["lose"]
    return {name: count / decided for name, count in found.items()}


@pytest.mark.parametrize(("mine", "theirs"), [([3], [1]), ([1, 2], [3]), ([0, 1], [2, 2])])
def test_a_battle_of_fleets_is_every_roll_of_its_dice(
    mine: list[int], theirs: list[int]
) -> None:  # rule 15.10
    exact, counted = duel(len(mine), len(theirs), sum(mine) - sum(theirs)), naively(mine, theirs)
    assert {name: getattr(exact, name) for name in counted} == pytest.approx(counted)


def test_the_guns_of_a_port_save_the_first_fleet() -> None:  # rule 15.10.6, 15.10.8
    once = duel(2, 1, 1, 1, one_round=True)
    assert once.win + once.lose < 1
    counted = naively([1, 0], [0], 1)
    decided = once.win + once.lose
    assert (once.win / decided, once.sunk / decided) == pytest.approx((counted["win"], counted["sunk"]))
    assert once.clear < duel(2, 1, 1, 0, one_round=True).clear


def test_out_of_a_blockaded_port_into_a_watched_sea() -> None:  # rule 15.6, 15.4.2
    out, meets = at_sea(
        "empire",
        Sail(("ganteaume",), ("golfe_de_gascogne",)),
        ganteaume="port:brest",
        calder="box:brest",
        stirling="sea:golfe_de_gascogne",
    )
    assert isinstance(out, ForecastNavalBattle)
    assert (out.how, out.place, out.foes) == ("out", "brest", ("calder",))
    value = FLEETS["ganteaume"].tactical - FLEETS["calder"].tactical
    assert out.low == out.high == round(100 * duel(1, 1, value).win)
    # Who was beaten before the port does not meet the squadron again.
    assert isinstance(meets, ForecastNavalInterception)
    assert (meets.foes, meets.sea) == (("stirling",), "golfe_de_gascogne")
    assert meets.chance == round(100 * min(6, 1 + FLEETS["stirling"].initiative) / 6)


def test_an_attack_at_sea_and_a_squadron_that_may_evade() -> None:  # rule 15.4.3, 15.5
    told = at_sea(
        "coalition",
        Sail(("nelson",), ("mer_tyrrhenienne", "golfe_du_lion")),
        Attack(),
        nelson="sea:mediterranee_centrale",
        emeriau="sea:golfe_du_lion",
    )
    meets, evades, fights = told
    assert isinstance(meets, ForecastNavalInterception)
    assert isinstance(evades, ForecastNavalEvasion)
    assert isinstance(fights, ForecastNavalBattle)
    assert (fights.how, meets.low) == ("sea", fights.low)
    assert fights.low + fights.lose == 100


def test_a_blockade_and_the_sortie_against_it() -> None:  # rule 15.6.1
    (sortie,) = at_sea(
        "coalition",
        Sail(("calder",), ("golfe_de_gascogne",)),
        Blockade("brest"),
        calder="sea:atlantique_sud",
        ganteaume="port:brest",
    )
    assert isinstance(sortie, ForecastNavalBattle)
    assert (sortie.how, sortie.foes) == ("sortie", ("ganteaume",))
    assert not at_sea(
        "coalition", Sail(("calder",), ("golfe_de_gascogne",)), Blockade("brest"), calder="sea:atlantique_sud"
    )


def test_a_landing_under_the_guns_its_battle_and_its_siege() -> None:  # rule 15.8
    told = at_sea(
        "coalition",
        Sail(("keith",), ("londres",)),
        Carry(("moore",)),
        Sail(("keith",), ("manche", "golfe_de_gascogne")),
        Land("brest"),
        keith="port:londres",
    )
    guns, ashore, siege_ = told
    assert isinstance(guns, ForecastGuns)
    assert guns.chance == round(100 * duel(1, 0, FLEETS["keith"].tactical, 1).win)
    assert isinstance(ashore, ForecastBattle)
    # 15.8.3: three less than over land; the defender stands in a source of his own (12.6.6).
    assert ashore.win == round(100 * battle.chances(2, 2, GENERALS["moore"].attack - 3, 0)["win"])
    assert isinstance(siege_, ForecastSiege)
    assert len(siege_.chances) == 2


def test_in_the_fog_a_battle_at_sea_has_a_lowest_and_a_highest_chance() -> None:  # rule 1.9
    def against(fleet: str) -> list[Event]:
        return at_sea(
            "empire",
            Sail(("villeneuve",), ("golfe_de_cadix",)),
            Attack(),
            fog=True,
            villeneuve="sea:atlantique_sud",
            **{fleet: "sea:golfe_de_cadix"},
        )

    assert FLEETS["keith"].tactical != FLEETS["ball"].tactical
    assert against("keith") == against("ball")
    fights = [event for event in against("keith") if isinstance(event, ForecastNavalBattle)]
    assert fights[0].low < fights[0].high
    for lang, said in (("en", "a fleet of England 2-5"), ("fr", "une flotte 2-5 (Angleterre)")):
        text = catalogue(lang, RULES).event(fights[0], "empire")
        assert said in text
        assert "Keith" not in text


def asked(fog: str = "no") -> Field:
    """Davout has come to Munich, and Charles is asked what he does."""
    field = Field(
        forces=[
            "empire ulm davout: fr_i_corps, fr_ii_corps",
            "coalition munich charles: au_i_corps, au_ii_corps, au_iii_corps",
        ]
    )
    field.state.options["fog"] = fog
    return field.order("empire", "no card\nactivate Davout\ngo to Munich")


def test_who_is_attacked_may_ask_what_staying_and_evading_promise() -> None:  # rule 10.4.3, 12.7
    seen = asked().game.view("coalition")
    (stays,) = forecast(seen, "coalition", (Stand(),))
    assert isinstance(stays, ForecastDefence)
    exact = battle.chances(4, 6, GENERALS["davout"].attack, GENERALS["charles"].defence)
    assert (stays.force, stays.win) == ("davout", round(100 * exact["win"]))
    assert (stays.lost, stays.inflicted) == (round(10 * exact["inflicted"]), round(10 * exact["suffered"]))
    evades, same = forecast(seen, "coalition", (Evade(("salzbourg",)),))
    assert isinstance(evades, ForecastEvasion)
    assert (evades.force, evades.chance, evades.most) == ("charles", percent(0), percent(0))
    assert same == stays
    assert forecast(seen, "coalition", (IntoFortress(),)) == []


def test_in_the_fog_who_is_attacked_knows_his_own_chance_alone() -> None:  # rule 1.9
    (evades,) = forecast(asked("yes").game.view("coalition"), "coalition", (Evade(("salzbourg",)),))
    assert isinstance(evades, ForecastEvasion)
    assert (evades.chance, evades.most) == (percent(0), percent(1))


def test_in_the_fog_a_battle_is_foreseen_against_any_strength() -> None:  # rule 1.9
    def told(units: str) -> list[Event]:
        state = position(
            hands={"empire": ["4F"], "coalition": ["7C"]},
            forces=[FORCES[0], f"coalition munich charles: {units}"],
        )
        state.options["fog"] = "yes"
        return checked(state, Go(("munich",)))

    weak, strong = told("au_i_corps"), told("au_i_corps, au_ii_corps, au_res_cav")
    assert weak == strong
    (unseen,) = [event for event in weak if isinstance(event, ForecastUnseen)]
    wins = [each.win for each in unseen.chances]
    assert wins == sorted(wins, reverse=True)
    assert wins[0] > wins[-1]
    assert not any(isinstance(event, ForecastBattle) for event in weak)


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", ("marches by Munich (1 point)", "might intercept at Munich", "might evade from Munich")),
        (
            "fr",
            ("passe par Munich (1 point)", "pourrait intercepter à Munich", "pourrait esquiver de Munich"),
        ),
    ],
)
def test_a_check_is_said_in_both_languages(lang: str, said: tuple[str, ...]) -> None:
    words = catalogue(lang, RULES)
    text = " ".join(str(words.event(event, "empire")) for event in checked(at_war(), Go(("munich",))))
    for phrase in said:
        assert phrase in text.replace("\u00a0", " ")


def test_the_bench_checks_a_letter_with_ten_forces() -> None:
    first, median, longest = figures.checks(3)
    wanted = chosen()["nce"].check
    assert wanted is not None
    assert wanted.letter.count("activate") == 10
    assert 0 < median.value <= longest.value
    assert first.unit == "ms"
