"""7.5.4: sieges, die by die."""

from __future__ import annotations

import pytest

from pbem.games.eia.battle_events import (
    CityFalls,
    CityHolds,
    CombatEnds,
    CombatOpened,
    HonoursRefused,
    Retreated,
    SiegeResumes,
    SiegeTried,
    SortieMade,
)
from pbem.games.eia.battle_orders import Sally, SiegeHabit, Storm, Surrender
from pbem.games.eia.state import State
from tests.games.eia.fields import besiege, corps, empty, play


def ulm(garrison: str = "6 I", besiegers: str = "30 I") -> State:
    state = empty()
    corps(state, "fr_3", "ulm", besiegers, "davout")
    state.garrison(
        "ulm", "austria", "austria", {part.split()[1]: int(part.split()[0]) for part in garrison.split(",")}
    )
    besiege(state, "ulm", "france")
    return state


def test_no_attempt_at_poor_odds() -> None:
    state = ulm("11 I")
    assert play(state, {}).told(SiegeTried) == []
    assert play(state, {"siege/ulm": 3}, {"france": [Storm("200")]}).told(SiegeTried) != []


# rule 7.5.4.1.1a, 7.5.4.1.1b
def test_an_attempt_is_made_once_a_month() -> None:
    state = ulm()
    assert len(play(state, {"siege/ulm": 4}).told(SiegeTried)) == 1
    assert play(state, {}).told(SiegeTried) == []


@pytest.mark.parametrize(("die", "total", "result"), [(1, 1, "sortie"), (2, 2, "nothing"), (4, 4, "nothing")])
def test_walls_and_a_small_garrison(die: int, total: int, result: str) -> None:
    # Ulm holds 15 and has one triangle: six factors are more than five below, so -1 + 1.
    state = ulm()
    played = play(state, {"siege/ulm": die, "siege/ulm/sortie": 1})
    tried = played.told(SiegeTried)[0]
    assert (tried.total, tried.result) == (total, result)
    assert [m.name for m in tried.modifiers] == ["fortress", "small_garrison"]


@pytest.mark.parametrize(("die", "loser"), [(4, "france"), (5, "austria")])
def test_a_sortie(die: int, loser: str) -> None:
    state = ulm()
    played = play(state, {"siege/ulm": 1, "siege/ulm/sortie": die})
    made = played.told(SortieMade)[0]
    assert (made.power, made.loser, made.lost) == ("austria", loser, "1 I")
    assert state.losses[loser] == 1


def test_few_men_make_no_sortie() -> None:
    assert play(ulm("3 I"), {"siege/ulm": 1}).told(SortieMade) == []


def test_honours_of_war() -> None:
    state = ulm()
    state.in_play = []
    played = play(state, {"siege/ulm": 6})
    fallen = played.told(CityFalls)[0]
    assert (fallen.how, fallen.factors, fallen.points) == ("honours", 6, ())
    assert len(fallen.to) == 1
    assert state.sieges == {}
    assert sum(found.size for found in state.garrisons) == 6
    assert state.garrisons[0].area == fallen.to[0]
    assert state.losses == {}


def test_the_weak_surrender_where_honours_are_refused() -> None:
    state = ulm("2 I")
    played = play(state, {"siege/ulm": 6}, {"france": [SiegeHabit("refuse_honours")]})
    assert played.told(HonoursRefused) != []
    fallen = played.told(CityFalls)[0]
    assert (fallen.how, fallen.points) == ("surrender", ())
    assert state.garrisons == []
    assert state.losses["austria"] == 2


# rule 7.5.4.1.3.2, 7.5.4.1.3.5
def test_an_assault_takes_the_city() -> None:
    state = ulm("6 I")
    corps(state, "au_1", "ulm", "4 I", "mack", inside=True)
    dice = {
        f"ulm/assault/r{n}/{side}": 6 if side == "att" else 1 for n in (1, 2, 3) for side in ("att", "def")
    }
    played = play(state, {"siege/ulm": 6, **dice}, {"france": [SiegeHabit("refuse_honours"), Storm("100")]})
    opened = played.told(CombatOpened)[0]
    assert (opened.what, opened.defender_level) == ("assault", 3.0)
    assert played.rounds()[0].attacker.table == "5-1"
    fallen = played.told(CityFalls)[0]
    assert (fallen.how, fallen.points, fallen.captured) == ("storm", (("france", 1),), ("mack",))
    assert "au_1" not in state.corps
    assert state.powers["france"].pp == 1
    assert state.powers["austria"].pp == 0


def test_an_assault_fails() -> None:
    state = ulm("9 I")
    dice = {f"ulm/assault/r{n}/{side}": 1 for n in (1, 2, 3) for side in ("att", "def")}
    played = play(state, {"siege/ulm": 6, **dice}, {"france": [SiegeHabit("refuse_honours")]})
    holds = played.told(CityHolds)[0]
    # Ulm is a fortress: whoever holds out gains a point.
    assert (holds.power, holds.points) == ("austria", (("austria", 1),))
    assert "ulm" in state.sieges
    assert state.corps["fr_3"].area == "ulm"


def test_no_surrender_by_plan() -> None:
    state = ulm("2 I")
    dice = {f"ulm/assault/r{n}/{side}": 1 for n in (1, 2, 3) for side in ("att", "def")}
    plans = {"france": [SiegeHabit("refuse_honours")], "austria": [Surrender(0)], "allies": [Surrender(0)]}
    assert play(state, {"siege/ulm": 6, **dice}, plans).told(CombatOpened) != []


# rule 7.5.4.2.1.4
def test_a_sally_fails_and_the_siege_goes_on() -> None:
    state = ulm("9 I", "9 I")
    dice = {f"ulm/sally/r{n}/{side}": 1 for n in (1, 2, 3) for side in ("att", "def")}
    plans = {"austria": [Sally("50")]}
    played = play(state, dice, plans, powers=("austria", "russia"))
    assert played.told(CombatOpened)[0].what == "sally"
    assert played.rounds()[0].attacker.table == "5-1"
    assert played.rounds()[0].defender.table == "5-2"
    assert played.told(SiegeResumes) != []
    assert "ulm" in state.sieges


# rule 7.5.4.2.1.5, 7.5.4.2.2, 7.5.4.2.1.2, 7.5.4.2.1.3
def test_a_sally_breaks_the_besiegers() -> None:
    state = ulm("14 I, 1 M", "5 I")
    dice = {f"ulm/sally/r{n}/{side}": 6 if side == "att" else 1 for n in (1, 2, 3) for side in ("att", "def")}
    played = play(state, dice, {"austria": [Sally("50")]}, powers=("austria", "russia"))
    assert played.told(Retreated)[0].power == "france"
    assert state.sieges == {}
    assert played.told(CombatEnds) == []


def test_relief() -> None:
    state = ulm("6 I", "12 I")
    corps(state, "au_1", "ulm", "20 I, 2 C", "charles", came="augsburg")
    dice = {f"ulm/r{n}/{side}": 6 if side == "att" else 1 for n in (1, 2, 3) for side in ("att", "def")}
    played = play(state, {**dice, "ulm/pursuit/att": 1}, powers=("austria", "russia"))
    assert played.told(CombatOpened)[0].what == "limited"
    assert state.sieges == {}
    assert played.told(CombatEnds)[0].winner == "austria"
    assert state.corps["fr_3"].area != "ulm"
    assert state.corps["au_1"].area == "ulm"


def test_relief_fails() -> None:
    state = ulm("6 I", "30 I")
    corps(state, "au_1", "ulm", "20 I, 2 C", "charles", came="augsburg")
    dice = {f"ulm/r{n}/{side}": 1 for n in (1, 2, 3) for side in ("att", "def")}
    played = play(state, dice, {"austria": [Sally("50")]}, powers=("austria", "russia"))
    # The garrison helps, and is back behind its walls.
    assert played.told(CombatOpened)[0].attackers[-1].kind == "garrison"
    assert played.told(SiegeResumes) != []
    assert state.corps["au_1"].area == "augsburg"
    assert state.garrisons_at("ulm")[0].size == 6
    assert "ulm" in state.sieges


def test_relievers_that_break_are_pursued_alone() -> None:
    state = ulm("6 I", "30 I, 6 C")
    corps(state, "au_1", "ulm", "12 I", "charles", came="augsburg")
    dice = {f"ulm/r{n}/{side}": 6 if side == "def" else 1 for n in (1, 2, 3) for side in ("att", "def")}
    played = play(
        state, {**dice, "ulm/pursuit/def": 6}, {"austria": [Sally("50")]}, powers=("austria", "russia")
    )
    assert played.told(CombatEnds)[0].winner == "france"
    assert state.corps.get("au_1") is None or state.corps["au_1"].area == "augsburg"
    assert "ulm" in state.sieges
