"""CHECK: the reckoned chances are those of the game, die for die."""

from __future__ import annotations

import copy
from itertools import product

import pytest

from pbem.games.eia import RULES, charts
from pbem.games.eia.battle_events import ForecastBattle, ForecastSiege
from pbem.games.eia.battle_orders import AttackBy, DefendBy, OutflankWith
from pbem.games.eia.land import odds, rounds
from pbem.games.eia.land.odds import Force, mean, reckon, worst
from pbem.games.eia.land.rounds import Clash, Ground
from pbem.games.eia.orders import March
from pbem.games.eia.view import view
from pbem.reports.catalogue import catalogue
from tests.games.eia.fields import besiege, corps, empty
from tests.games.eia.hosts import Rolled, body, clash, side


def fresh(chits: tuple[str, str]) -> Clash:
    found = clash(
        side("attacker", body("a", "france", "20 I, 4 C"), level=30),
        side("defender", body("b", "austria", "18 I, 1 C", tactical=1), level=25),
        ground=Ground(guard=False, artillery=False),
    )
    found.cell = charts.combination(*chits)
    return found


@pytest.mark.parametrize("chits", [("assault", "counterattack"), ("echelon", "cordon"), ("probe", "defend")])
def test_two_rounds_are_reckoned_as_they_are_played(chits: tuple[str, str]) -> None:
    ends = {"win": 0.0, "lose": 0.0, "both": 0.0}
    breaks = [0.0, 0.0]
    for first in product(range(1, 7), repeat=2):
        one = fresh(chits)
        rounds.play(one, Rolled({"fire attacker": [first[0]], "fire defender": [first[1]]}))
        for second in product(range(1, 7), repeat=2):
            two = copy.deepcopy(one)
            if not rounds.over(two):
                rounds.play(two, Rolled({"fire attacker": [second[0]], "fire defender": [second[1]]}))
            if two.defence.broken:
                breaks[two.round - 1] += 1 / 1296
            if rounds.over(two):
                winner = rounds.winner(two)
                end = "both" if winner is None else "win" if winner is two.attack else "lose"
                ends[end] += 1 / 1296
    mods = charts.commander_dice(2, 1) if charts.combination(*chits).use_commander_chart else (0, 0)
    days = reckon(Force(20, 4, 30, mods[0]), Force(18, 1, 25, mods[1]), *chits, "clear", False, True)
    assert days.defender_breaks[:2] == pytest.approx(breaks)
    assert days.win >= ends["win"] - 1e-9
    assert days.win + days.lose + days.both + days.open == pytest.approx(1)
    assert sum(days.attacker_lost) == pytest.approx(1)
    assert sum(days.defender_lost) == pytest.approx(1)


def test_the_last_round_is_reckoned_as_it_is_played() -> None:
    chits = ("assault", "defend")
    forces = Force(6, 0, 8, 0), Force(5, 0, 7, 0)
    days = reckon(*forces, *chits, "clear", False, False)
    ends = {"win": 0.0, "lose": 0.0, "both": 0.0, "open": 0.0}
    lost = 0.0

    def on(one: Clash, depth: int, chance: float) -> None:
        nonlocal lost
        if depth == 3 or rounds.over(one):
            winner = rounds.winner(one)
            end = (
                "open"
                if not rounds.over(one)
                else "both"
                if winner is None
                else "win"
                if winner is one.attack
                else "lose"
            )
            ends[end] += chance
            lost += chance * (6 - one.attack.factors)
            return
        seen: dict[tuple[object, ...], list[object]] = {}
        for dice in product(range(1, 7), repeat=2):
            two = copy.deepcopy(one)
            rounds.play(two, Rolled({"fire attacker": [dice[0]], "fire defender": [dice[1]]}))
            key = (
                two.attack.factors,
                two.defence.factors,
                two.attack.morale_lost,
                two.defence.morale_lost,
                two.attack.broken,
                two.defence.broken,
            )
            seen.setdefault(key, [two, 0])[1] += 1  # type: ignore[operator]
        for two, number in seen.values():
            on(two, depth + 1, chance * number / 36)  # type: ignore[arg-type, operator]

    begun = clash(
        side("attacker", body("a", "france", "6 I"), level=8),
        side("defender", body("b", "austria", "5 I"), level=7),
        ground=Ground(superiority=False, guard=False, artillery=False),
    )
    begun.cell = charts.combination(*chits)
    on(begun, 0, 1.0)
    assert (days.win, days.lose, days.both, days.open) == pytest.approx(tuple(ends.values()))
    assert mean(days.attacker_lost) == pytest.approx(lost)


def test_who_goes_round_the_flank_counts_when_he_has_come() -> None:
    sure = reckon(
        Force(10, 0, 40, 0, 20, 6), Force(20, 0, 30, 0), "outflank", "defend", "clear", False, False
    )
    never = reckon(
        Force(10, 0, 40, 0, 20, -9), Force(20, 0, 30, 0), "outflank", "defend", "clear", False, False
    )
    assert sure.win > never.win
    assert mean(sure.defender_lost) > mean(never.defender_lost)


def test_the_worst_of_twenty() -> None:
    assert worst((0.5, 0.3, 0.16, 0.04)) == 2
    assert worst((1.0,)) == 0


def test_check_tells_the_odds_of_a_letter() -> None:
    state = empty()
    corps(state, "fr_3", "stuttgart", "20 I", "davout")
    corps(state, "fr_4", "stuttgart", "10 I")
    corps(state, "au_1", "ulm", "16 I, 2 C", "mack")
    state.phase = "orders"
    letter = (
        March(("fr_3", "fr_4"), ("ulm",)),
        AttackBy("outflank", place="ulm"),
        OutflankWith(("fr_4",)),
    )
    seen = view(state, "france")
    assert RULES.forecast is not None
    told = [event for event in RULES.forecast(seen, "france", letter) if isinstance(event, ForecastBattle)]
    assert [(one.area, one.my_chit, one.mine, one.his, one.supposed) for one in told] == [
        ("ulm", "outflank", 30, 10, True)
    ]
    chits = [line.chit for line in told[0].against]
    # He has one corps: he cannot outflank.
    assert chits == ["counterattack", "escalated_counterattack", "cordon", "withdraw", "defend"]
    for line in told[0].against:
        assert 98 <= line.win + line.lose + line.both + line.open + line.away <= 102
    for lang in ("en", "fr"):
        assert "Ulm" in catalogue(lang, RULES).event(told[0])


def test_nothing_of_the_enemys_corps_is_betrayed() -> None:
    told = []
    for factors in ("16 I", "3 I", "1 I"):
        state = empty()
        corps(state, "fr_3", "ulm", "20 I", "davout", came="stuttgart")
        corps(state, "au_1", "ulm", factors, "mack")
        told.append(odds.battle(view(state, "france"), "ulm", "attacker", ["france"], ()))
    assert told[0] == told[1] == told[2]


def test_the_chances_of_a_siege() -> None:
    state = empty()
    corps(state, "fr_3", "ulm", "20 I", "davout")
    state.garrison("ulm", "austria", "austria", {"I": 6})
    besiege(state, "ulm", "france")
    found = odds.siege(view(state, "france"), "ulm", ["france"])
    assert isinstance(found, ForecastSiege)
    # -1 for the walls, +1 for few men: 5 and 6 of six.
    assert found.breach == (33, 56, 70)
    assert 0 < found.storm <= 100
    assert "33" in catalogue("fr", RULES).event(found)


def test_check_tells_a_defender_his_odds() -> None:
    state = empty()
    corps(state, "fr_3", "ulm", "20 I", "davout")
    corps(state, "fr_4", "chur", "10 I")
    corps(state, "fr_5", "stuttgart", "9 I")
    corps(state, "au_1", "augsburg", "15 I", "mack")
    state.phase = "orders"
    assert RULES.forecast is not None
    told = RULES.forecast(view(state, "austria"), "austria", (DefendBy("cordon", place="augsburg"),))
    battles = [event for event in told if isinstance(event, ForecastBattle)]
    # Two corps stand beside Augsburg, of ten factors as far as is known; the one at Stuttgart does not.
    assert [(one.area, one.role, one.my_chit, one.mine, one.his) for one in battles] == [
        ("augsburg", "defender", "cordon", 15, 20)
    ]
    assert battles[0].against[0].chit == "outflank"
    assert "Augsburg" in catalogue("en", RULES).event(battles[0])
