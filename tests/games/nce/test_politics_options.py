"""19: the optional rules: off unless asked for, and each makes its difference."""

from __future__ import annotations

import pytest

from pbem.games.nce import score
from pbem.games.nce.cards import effects_politics
from pbem.games.nce.land import aftermath
from pbem.games.nce.land.battle import Side
from pbem.games.nce.setup import OPTIONS
from tests.games.nce.field import Field
from tests.games.nce.play import new, position, the
from tests.games.nce.test_politics_peace import live

CHOICES = [("no", False), ("yes", True)]


def test_every_optional_rule_is_off_unless_asked_for() -> None:  # rule 19
    assert {option.name for option in OPTIONS} == {
        "deploy", "fog", "grenadiers", "lone_corps", "screen", "prussian_border", "on_points",
    }  # fmt: skip
    state = new(1, "1805").state
    assert not any(state.on(option.name) for option in OPTIONS)
    assert all(option.values[0] == "no" for option in OPTIONS)


@pytest.mark.parametrize(("chosen", "refused"), CHOICES)
def test_a_lone_corps_on_foreign_ground(chosen: str, refused: bool) -> None:  # rule 8.3.1, 19
    field = Field(forces=["empire ulm: fr_i_corps"], control={"munich": "coalition"})
    field.state.options["lone_corps"] = chosen
    problems = field.problems("empire", "no card\nactivate fr_i_corps\ngo to Munich")
    assert [problem.code for problem in problems] == (["second_point"] if refused else [])


@pytest.mark.parametrize(("chosen", "left"), [("no", 4), ("yes", 6)])
def test_the_cavalry_of_the_beaten_screens_them(chosen: str, left: int) -> None:  # rule 12.10.2, 19
    """Davout pursues: die 6, attack 2: two losses; two cavalry steps of the beaten take both away."""
    state = position(
        forces=[
            "coalition munich charles armee_allemagne: au_i_corps, au_ii_corps, au_res_cav",
            "empire munich davout: fr_i_corps",
        ]
    )
    state.options["screen"] = chosen
    desk = live(state, {"test/pursuit/davout": [6]})
    winner = Side(desk, "attacker", state.at("munich", "empire"), came="ulm")
    loser = Side(desk, "defender", state.at("munich", "coalition"))
    winner.other, loser.other = loser, winner
    aftermath._pursue(desk, winner, loser)
    assert the(state, "charles").strength == left


@pytest.mark.parametrize(("chosen", "there"), CHOICES)
def test_the_grenadiers_at_once(chosen: str, there: bool) -> None:  # rule 19
    state = position(set_up=True)
    state.options["grenadiers"] = chosen
    effects_politics.grenadiers(live(state))
    assert (state.force_with("au_grenadiers") is not None) == there


@pytest.mark.parametrize(
    ("vp", "chosen", "winner"), [(9, "no", ""), (9, "yes", "empire"), (7, "yes", "coalition")]
)
def test_a_last_year_that_nobody_wins(vp: int, chosen: str, winner: str) -> None:  # rule 17.2
    state = position(set_up=True, year=1814, vp=vp)
    state.options["on_points"] = chosen
    score.victory_phase(live(state))
    assert (state.over, state.winner) == (True, winner)
