"""The charts of combat, cell by cell with the file they come from, and the figures that the rulebook prints."""

from __future__ import annotations

import tomllib

import pytest

from pbem import paths
from pbem.games.eia import charts
from pbem.games.eia.charts import Tables

DATA = tomllib.loads((paths.scenarios() / "eia" / "combat.toml").read_text("utf-8"))
LEVELS = [f"{casualty}-{morale}" for casualty in range(1, 6) for morale in range(1, 6)]


@pytest.mark.parametrize("table", LEVELS)
def test_combat_tables(table: str) -> None:
    printed = DATA["crc"][table]
    for die in range(8):
        cell = charts.result(table, die)
        assert (cell.percent, cell.morale / 10) == (printed["pct"][die], printed["morale"][die])


@pytest.mark.parametrize("table", LEVELS)
def test_a_better_die_never_does_less(table: str) -> None:
    cells = [charts.result(table, die) for die in range(8)]
    assert cells == sorted(cells, key=lambda cell: (cell.percent, cell.morale))


@pytest.mark.parametrize("attack", DATA["chits"]["attacker"])
@pytest.mark.parametrize("defence", DATA["chits"]["defender"])
def test_tactical_chart(attack: str, defence: str) -> None:
    printed = DATA["opc"][attack][defence]
    cell = charts.combination(attack, defence)
    for round in (1, 2, 3):
        assert cell.tables(round) == (printed["a"][round - 1], printed["d"][round - 1])
        out = (printed.get("a_out", printed["a"]), printed.get("d_out", printed["d"]))
        assert cell.tables(round, arrived=True) == (out[0][round - 1], out[1][round - 1])
        river = (printed.get("a_river", printed["a"]), printed.get("d_river", printed["d"]))
        assert cell.tables(round, river=True) == (river[0][round - 1], river[1][round - 1])


def test_every_pair_of_chits_has_its_cell() -> None:
    pairs = [(a, d) for a, row in DATA["opc"].items() for d in row]
    assert len(pairs) == 30
    assert {a for a, _ in pairs} == set(charts.charts().chits["attacker"])
    assert {d for _, d in pairs} == set(charts.charts().chits["defender"])


def test_disputed_cells_are_known() -> None:
    assert charts.disputed("probe", "counterattack")
    assert not charts.disputed("assault", "cordon")


@pytest.mark.parametrize("percent", [name for name in DATA["casualty_percentage"] if name != "status"])
def test_casualty_percentages(percent: str) -> None:
    for factors, loss in enumerate(DATA["casualty_percentage"][percent], 1):
        assert charts.losses(int(percent), factors) == loss


@pytest.mark.parametrize(
    ("percent", "factors", "lost"),
    [(10, 50, 5), (5, 37, 2), (20, 31, 6), (15, 54, 8), (5, 0, 0), (10, 20, 2)],
)
def test_losses_of_the_long_battle(percent: int, factors: int, lost: int) -> None:
    assert charts.losses(percent, factors) == lost


def test_commander_chart() -> None:
    for defender, row in enumerate(DATA["commander_chart"]["rows"]):
        for attacker, cell in enumerate(row):
            assert charts.commander_dice(attacker, defender) == tuple(cell)
    assert charts.commander_dice(4, 3)[0] == 1
    assert charts.commander_dice(2, 2) == (0, 0)


@pytest.mark.parametrize("grade", range(1, 7))
def test_pursuit_table(grade: int) -> None:
    for die in range(1, 7):
        assert charts.pursuit_percent(grade, die) == DATA["pursuit_table"][f"class_{grade}"][die - 1]


def test_pursuit_class() -> None:
    # E12: the winner has lost 2.6 when the loser breaks in round 2.
    assert charts.pursuit_class(26, 2) == 3
    for round in (1, 2, 3):
        lower = 0
        for band, upper in enumerate(DATA["pursuit_class"]["band_upper"]):
            expected = DATA["pursuit_class"][f"round_{round}"][band]
            assert charts.pursuit_class(lower, round) == expected
            assert charts.pursuit_class(round_up(upper), round) == expected
            lower = round_up(upper) + 1
    assert charts.pursuit_class(5, 6) == charts.pursuit_class(5, 3)
    assert charts.pursuit_percent(0, 6) == 0


def round_up(value: float) -> int:
    return round(value * 10)


@pytest.mark.parametrize(
    ("terrain", "before", "after"),
    [
        ("forest", Tables("2-2", "2-2"), Tables("1-2", "1-2")),
        ("forest", Tables("1-4", "5-1"), Tables("1-4", "4-1")),
        ("mountain", Tables("3-2", "3-2"), Tables("2-2", "3-2")),
        ("desert", Tables("2-2", "2-5"), Tables("2-3", "2-5")),
        ("marsh", Tables("2-2", "1-1"), Tables("1-3", "1-2")),
        ("clear", Tables("4-1", "2-1"), Tables("4-1", "2-1")),
        ("forest", Tables("", ""), Tables("", "")),
    ],
)
def test_terrain(terrain: str, before: Tables, after: Tables) -> None:
    assert charts.on_ground(before, terrain) == after


@pytest.mark.parametrize(
    ("power", "guards", "shift"),
    [("france", 2, 2), ("france", 1, 1), ("russia", 0, 0), ("austria", 4, 1), ("great_britain", 4, 0)],
)
def test_guard(power: str, guards: int, shift: int) -> None:
    assert charts.guard_shift(power, guards) == shift


def test_guard_losses() -> None:
    assert [charts.guard_losses(2, die) for die in range(1, 7)] == [1, 1, 2, 2, 3, 4]
    assert [charts.guard_losses(1, die) for die in range(1, 7)] == [0, 0, 1, 1, 2, 2]
    assert charts.shifted("3-2", morale=1) == "3-3"
    assert charts.shifted("3-2", morale=2) == "3-4"
    assert charts.shifted("3-4", morale=2) == "3-5"


@pytest.mark.parametrize(
    ("die", "fortress", "small", "result"),
    [
        (1, 0, False, "sortie"),
        (2, 0, False, "nothing"),
        (5, 0, False, "breach"),
        (5, 1, False, "nothing"),
        (5, 1, True, "breach"),
        (6, 3, False, "breach"),
        (2, 1, False, "sortie"),
        (4, 3, True, "nothing"),
    ],
)
def test_siege_table(die: int, fortress: int, small: bool, result: str) -> None:
    assert charts.siege_result(die, fortress, small=small) == result


def test_small_garrison() -> None:
    # E16: a city that holds 15.
    assert charts.small_garrison(9, 15)
    assert not charts.small_garrison(10, 15)


def test_a_bad_chart_names_its_key() -> None:
    data = tomllib.loads((paths.scenarios() / "eia" / "combat.toml").read_text("utf-8"))
    data["opc"]["assault"]["cordon"]["a"] = ["4-1", "9-9", "4-1"]
    with pytest.raises(ValueError, match=r"opc.assault.cordon.*9-9"):
        charts.read(data)
