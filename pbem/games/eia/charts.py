"""7.5: the printed charts of combat on land, from `scenarios/eia/combat.toml`; validated on load.

Morale is counted in tenths of a point, so that sums are exact.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from typing import Any, Literal, NamedTuple

import msgspec

from pbem import paths
from pbem.kernel.event import Modifier

ATTACKER, DEFENDER = "attacker", "defender"
Role = Literal["attacker", "defender"]
ROUNDS = 3
"""7.5.2: rounds of a day."""
TERRAINS = ("clear", "forest", "mountain", "desert", "marsh")
FIELD_CHART = "field"
SIEGE_RESULTS = ("sortie", "nothing", "breach")
LOWEST, HIGHEST = 1, 5
"""7.5.2.7.3: the levels of a table."""
_DICE = 8
"""Columns of a combat table: a die of 0 to 7, modified."""


class BadChart(ValueError):
    """A chart is wrong: the message names file and key."""


class Cell(NamedTuple):
    """What a modified die gives: a percentage of the firing factors, and morale in tenths."""

    percent: int
    morale: int


class Tables(NamedTuple):
    """The tables of both sides in one round; none where the cell is empty."""

    attacker: str
    defender: str


class Combination(msgspec.Struct, frozen=True):
    """7.5.2.4: what a pair of chits gives: the tables of three rounds, and what else the chart prints there."""

    a: tuple[str, ...]
    d: tuple[str, ...]
    a_out: tuple[str, ...] = ()
    d_out: tuple[str, ...] = ()
    a_river: tuple[str, ...] = ()
    d_river: tuple[str, ...] = ()
    withdraw_rating_mod: int = 0
    withdraw_auto: bool = False
    outflank_rating_mod: int = 0
    use_commander_chart: bool = True
    turkish_commander_morale: float = 0.0
    russian_defender_morale: float = 0.0
    austrian_commander_die: int = 0
    note: str = ""

    def tables(self, round: int, *, arrived: bool = False, river: bool = False) -> Tables:
        """7.5.2.7.1, 7.5.2.7.2: the tables of a round, before terrain."""
        if arrived and self.a_out:
            rows = (self.a_out, self.d_out)
        elif river and self.a_river:
            rows = (self.a_river, self.d_river)
        else:
            rows = (self.a, self.d)
        return Tables(rows[0][round - 1], rows[1][round - 1])


class Guard(msgspec.Struct, frozen=True):
    """12.3.4: who may commit the guard by so much, and what the die costs."""

    powers: tuple[str, ...]
    min_guard_factors: int
    losses_by_die: tuple[int, ...]


class Charts(msgspec.Struct, frozen=True):
    """All charts of combat on land."""

    chits: Mapping[str, tuple[str, ...]]
    crc: Mapping[str, tuple[Cell, ...]]
    opc: Mapping[str, Mapping[str, Combination]]
    casualties: Mapping[int, tuple[int, ...]]
    commanders: tuple[tuple[tuple[int, int], ...], ...]
    pursuit_bands: tuple[int, ...]
    pursuit_classes: Mapping[int, tuple[int, ...]]
    pursuit: Mapping[int, tuple[int, ...]]
    pursuit_terrain: Mapping[str, int]
    guard: Mapping[int, Guard]
    terrain: Mapping[str, Mapping[str, int]]
    base_morale: Mapping[str, int]
    status: Mapping[str, str]
    """Whose figures a chart holds: the rulebook's (text), those of the published game (public), or ours
    (reconstructed)."""


@cache
def charts() -> Charts:
    """The charts. Raises `BadChart` with file and key."""
    file = "scenarios/eia/combat.toml"
    try:
        data = tomllib.loads((paths.scenarios() / "eia" / "combat.toml").read_text("utf-8"))
        return read(data)
    except (OSError, tomllib.TOMLDecodeError, msgspec.ValidationError, KeyError, ValueError) as error:
        raise BadChart(f"{file}: {error}") from None


def read(data: Mapping[str, Any]) -> Charts:
    """The charts of a file's data. Raises KeyError or ValueError where something is missing or wrong."""
    crc = {id: _table(id, table) for id, table in data["crc"].items() if id != "status"}
    opc = {
        attack: {defence: msgspec.convert(cell, Combination) for defence, cell in row.items()}
        for attack, row in data["opc"].items()
    }
    chits = {role: tuple(data["chits"][role]) for role in (ATTACKER, DEFENDER)}
    for attack in chits[ATTACKER]:
        for defence in chits[DEFENDER]:
            _check_tables(f"[opc.{attack}.{defence}]", opc[attack][defence], crc)
    percents = {
        int(percent): tuple(row)
        for percent, row in data["casualty_percentage"].items()
        if percent != "status"
    }
    for percent, row in percents.items():
        if len(row) != 20 or list(row) != sorted(row):
            raise ValueError(f"[casualty_percentage] {percent}: 20 losses that never fall")
    commit = data["guard_commitment"]
    classes = data["pursuit_class"]
    return Charts(
        chits=chits,
        crc=crc,
        opc=opc,
        casualties=percents,
        commanders=tuple(
            tuple((cell[0], cell[1]) for cell in row) for row in data["commander_chart"]["rows"]
        ),
        pursuit_bands=tuple(tenths(value) for value in classes["band_upper"]),
        pursuit_classes={round: tuple(classes[f"round_{round}"]) for round in range(1, ROUNDS + 1)},
        pursuit={n: tuple(data["pursuit_table"][f"class_{n}"]) for n in range(1, 7)},
        pursuit_terrain={name: data["pursuit"].get(name, 0) for name in TERRAINS},
        guard={shift: msgspec.convert(commit[f"shift_{shift}"], Guard) for shift in (1, 2)},
        terrain={name: dict(data["terrain"][name]) for name in TERRAINS},
        base_morale={power: tenths(value) for power, value in data["morale_method_2"]["base"].items()},
        status={
            "crc": data["crc"]["status"],
            "opc": data["opc_meta"]["status"],
            "casualties": data["casualty_percentage"]["status"],
            "commanders": data["commander_chart"]["status"],
            "pursuit_class": classes["status"],
            "pursuit": data["pursuit_table"]["status"],
            "siege": data["siege_table"]["status"],
            "guard": "public",
        },
    )


def _table(id: str, table: Mapping[str, Any]) -> tuple[Cell, ...]:
    cells = tuple(
        Cell(percent, tenths(morale)) for percent, morale in zip(table["pct"], table["morale"], strict=True)
    )
    if len(cells) != _DICE:
        raise ValueError(f"[crc] {id}: {_DICE} columns")
    return cells


def _check_tables(where: str, cell: Combination, crc: Mapping[str, Any]) -> None:
    for name in ("a", "d", "a_out", "d_out", "a_river", "d_river"):
        rows: tuple[str, ...] = getattr(cell, name)
        if (rows and len(rows) != ROUNDS) or (name in "ad" and not rows):
            raise ValueError(f"{where} {name}: {ROUNDS} rounds")
        for table in rows:
            if table and table not in crc:
                raise ValueError(f"{where} {name}: there is no table {table}")


def tenths(value: float) -> int:
    """A morale value in tenths."""
    return round(value * 10)


def combination(attack: str, defence: str) -> Combination:
    """7.5.2.4: the cell of the tactical chart for two chits."""
    return charts().opc[attack][defence]


def disputed(attack: str, defence: str) -> bool:
    """Whether the copies of the published chart differ in a cell of this pair."""
    return (attack, defence) in _disputed()


@cache
def _disputed() -> frozenset[tuple[str, str]]:
    data = raw()
    return frozenset((cell["attacker"], cell["defender"]) for cell in data["opc_disputed"])


@cache
def raw() -> dict[str, Any]:
    """The file as it is written, for what is not a chart."""
    return tomllib.loads((paths.scenarios() / "eia" / "combat.toml").read_text("utf-8"))


def shifted(table: str, *, casualties: int = 0, morale: int = 0) -> str:
    """7.5.2.7.3: a table with its levels moved, never out of 1 to 5."""
    first, second = (int(level) for level in table.split("-"))
    return f"{_level(first + casualties)}-{_level(second + morale)}"


def _level(level: int) -> int:
    return max(LOWEST, min(HIGHEST, level))


def on_ground(tables: Tables, terrain: str) -> Tables:
    """7.5.2.7.3, 7.5.2.7.3.1, 7.5.2.7.3.2, 7.5.2.7.3.3, 7.5.2.7.3.4: the tables of a round in that terrain."""
    effect = charts().terrain[terrain]
    casualty, morale = effect.get("casualty_both", 0), effect.get("morale_both", 0)
    attacker, defender = tables
    if attacker:
        attacker = shifted(attacker, casualties=casualty + effect.get("casualty_attacker", 0), morale=morale)
    if defender:
        defender = shifted(defender, casualties=casualty, morale=morale)
    return Tables(attacker, defender)


def result(table: str, die: int) -> Cell:
    """7.5.2.9: what a die, modified, gives on a combat table."""
    return charts().crc[table][max(0, min(_DICE - 1, die))]


def losses(percent: int, factors: int) -> int:
    """7.5.2.9, 6.3.3.4: that percentage of so many factors: blocks of twenty and the rest, each by the table."""
    row = charts().casualties[percent]
    blocks, rest = divmod(factors, len(row))
    return blocks * row[-1] + (row[rest - 1] if rest else 0)


def commander_dice(attacker: int, defender: int) -> tuple[int, int]:
    """7.5.2.9.1, 10.6.1.2.2: what two tactical ratings add to the dice of attacker and defender."""
    return charts().commanders[defender][attacker]


def pursuit_class(morale_lost: int, round: int) -> int:
    """7.5.2.10.2.1: by the morale that the winner has lost, in tenths, and the round in which the loser broke."""
    found = charts()
    band = next(n for n, upper in enumerate(found.pursuit_bands) if morale_lost <= upper)
    return found.pursuit_classes[min(round, ROUNDS)][band]


def pursuit_shift(terrain: str) -> int:
    """7.5.2.10.2.2.2, 7.5.2.10.2.2.3: what terrain adds to the class of a pursuit."""
    return charts().pursuit_terrain.get(terrain, 0)


def pursuit_percent(grade: int, die: int) -> int:
    """7.5.2.10.2.3, 7.5.2.10.2.2.4: the percentage of the winner's cavalry; nothing below class 1."""
    if grade < 1:
        return 0
    table = charts().pursuit
    return table[min(grade, max(table))][die - 1]


def guard_shift(power: str, guards: int) -> int:
    """12.3.4.3: by how much that power may commit its guard; 0: not at all."""
    for shift in (2, 1):
        rule = charts().guard[shift]
        if power in rule.powers and guards >= rule.min_guard_factors:
            return shift
    return 0


def guard_losses(shift: int, die: int) -> int:
    """12.3.4.4: guard factors lost at once."""
    return charts().guard[shift].losses_by_die[die - 1]


def siege_modified(die: int, fortress: int, *, small: bool) -> int:
    """7.5.4.1.1: the die less the fortress, one more against a small garrison."""
    return die - fortress + small


def siege_reasons(fortress: int, *, small: bool) -> tuple[Modifier, ...]:
    """7.5.4.1.1b, 7.5.4.1.1.1, 7.5.4.1.1.2: what is added to the die of an attempt."""
    found = (
        Modifier("fortress", -fortress, "7.5.4.1.1.1"),
        Modifier("small_garrison", int(small), "7.5.4.1.1.2"),
    )
    return tuple(modifier for modifier in found if modifier.value)


def siege_result(die: int, fortress: int, *, small: bool) -> str:
    """7.5.4.2a, 7.5.4.1.2.2, 7.5.4.1.2.3: what an attempt gives; a natural 6 opens any wall."""
    table = raw()["siege_table"]
    modified = siege_modified(die, fortress, small=small)
    if modified >= table["breach_min"] or (die == 6 and table["natural_six_breaches"]):
        return "breach"
    return "sortie" if modified <= table["sortie_max"] else "nothing"


def small_garrison(factors: int, capacity: int) -> bool:
    """7.5.4.1.1.2: more than five factors below what the city holds."""
    return capacity - factors > int(raw()["siege_table"]["small_garrison_margin"])
