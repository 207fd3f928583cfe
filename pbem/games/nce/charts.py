"""2, 3, 12, 18: the printed tables, pieces and cards, from scenarios/nce; validated on load."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, TypeVar

import msgspec

from pbem.kernel.data import Data, known, need

MAJORS = ("turquie", "espagne", "prusse", "autriche", "russie", "angleterre", "france")
"""6.3.1: the order of budgets and redeployment."""
SCENARIOS = ("1805", "1809", "1815")

T = TypeVar("T")


class Zone(msgspec.Struct, frozen=True):
    """3.1.1, 3.1.5, 3.1.6: a land zone."""

    id: str
    name: str
    country: str
    province: str
    terrain: str
    fortress: int
    neighbours: dict[str, str]
    status: str
    poor: bool = False
    city: bool = False
    key: bool = False
    port: str = ""
    capital_of: str = ""
    marks: tuple[str, ...] = ()
    region: tuple[str, ...] = ()
    strait_sea: dict[str, str] = {}


class Province(msgspec.Struct, frozen=True):
    """3.1.3, 22.3, 22.4: zones that change hands together at a peace."""

    id: str
    name: str
    country: str
    zones: tuple[str, ...]
    marks: tuple[str, ...] = ()
    minor: bool = False
    annexable: bool = False


class Sea(msgspec.Struct, frozen=True):
    """3.1.2: a sea zone."""

    id: str
    name: str
    neighbours: tuple[str, ...]
    ports: tuple[str, ...]
    basin: str
    ice: bool = False


class Country(msgspec.Struct, frozen=True):
    """1.2, 9.3: a power, a minor, a state that may be created, or a revolt."""

    id: str
    name: str
    kind: str
    capital: str
    start: dict[str, str]
    bonus: dict[str, int]
    capitals: tuple[str, ...] = ()
    key_zones: tuple[str, ...] = ()
    zones: tuple[str, ...] = ()
    fortresses: tuple[str, ...] = ()
    ports: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    members: tuple[str, ...] = ()
    member_provinces: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    fleets: tuple[str, ...] = ()
    provinces: tuple[str, ...] = ()
    has_units: bool = False
    min_card: int = 3
    protectorate_possible: bool = False
    diplomacy: bool = True
    resources: int = 0

    @property
    def major(self) -> bool:
        """Whether it is one of the seven."""
        return self.kind == "major"


class Power(msgspec.Struct, frozen=True):
    """1.2: what belongs to a major power alone."""

    id: str
    manager_when_neutral: str
    resources: int
    armies: tuple[str, ...]
    capitals: tuple[str, ...]
    key_zones: tuple[str, ...]
    permanent_card: str
    command_precedence: int
    resources_raised: int = 0


class General(msgspec.Struct, frozen=True):
    """2.4.1: a general's counter."""

    id: str
    name: str
    power: str
    initiative: int
    attack: int
    defence: int
    command: int
    rank: int
    cavalry: bool
    entry: int
    mark: str = ""
    retires: int = 9999
    replaces: str = ""

    def value(self, role: str) -> int:
        """12.6.5: his tactical value as attacker or defender."""
        return self.attack if role == "attacker" else self.defence


class Unit(msgspec.Struct, frozen=True):
    """2.1.1, 2.1.4: a corps."""

    id: str
    name: str
    power: str
    type: str
    steps: int
    morale: int
    movement: int
    cost_per_step: float
    stars: int = 0
    cavalry: bool = False
    army_only: bool = False
    home_only: bool = False
    rebuildable: bool = True
    mark: str = ""
    province: str = ""


class Special(msgspec.Struct, frozen=True):
    """2.2.1, 2.2.4: a special unit."""

    id: str
    name: str
    power: str
    bonus: int
    cavalry: bool
    entry_card: str
    cost: float


class Army(msgspec.Struct, frozen=True):
    """2.5.1: an army marker."""

    id: str
    name: str
    power: str


class Fleet(msgspec.Struct, frozen=True):
    """2.6.1: a fleet."""

    id: str
    name: str
    power: str
    initiative: int
    tactical: int
    movement: int
    area: str = ""
    rebuildable: bool = True


class Card(msgspec.Struct, frozen=True):
    """7.2.1, 1.6: a card's face."""

    id: str
    side: str
    deck: str
    name: str
    value: int
    phases: tuple[str, ...]
    window: str
    after_event: str
    effect: tuple[dict[str, Any], ...]
    text: str
    status: str
    requires: tuple[dict[str, Any], ...] = ()
    cc: str = ""
    ge: bool = False
    permanent: str = ""
    esc: int = 0
    vp: int = 0
    undiscardable: bool = False

    @property
    def windows(self) -> tuple[str, ...]:
        """The moments at which the event may be played."""
        return tuple(self.window.split(" or "))

    @property
    def options(self) -> tuple[str, ...]:
        """The letters between which its player chooses."""
        return tuple(dict.fromkeys(str(e["option"]) for e in self.effect if "option" in e))


class HandSource(msgspec.Struct, frozen=True):
    """6.2.2: what gives a card."""

    id: str
    zones: tuple[str, ...]
    side: str
    permanent_card: str = ""
    needs_entity: str = ""
    control_suffices: bool = False


class Cell(msgspec.Struct, frozen=True):
    """12.7: one cell of the battle table."""

    losses: int
    plus: bool
    cav: bool


_DATA = Data.of("nce")


@cache
def read(name: str) -> dict[str, Any]:
    """One file of the board."""
    return _DATA.read(name)


def _table(file: str, key: str, kind: type[T]) -> dict[str, T]:
    for number, row in enumerate(read(file).get(key, ()), 1):
        known = row.get("status") in ("text", "public", "reconstructed")
        where = _DATA.at(file, key, str(row.get("id", number)))
        need(known, where, "status must be text, public or reconstructed")
    return _DATA.records(file, key, kind)


ZONES: Mapping[str, Zone] = _table("zones", "zone", Zone)
PROVINCES: Mapping[str, Province] = _table("provinces", "province", Province)
SEAS: Mapping[str, Sea] = _table("seas", "sea", Sea)
COUNTRIES: Mapping[str, Country] = _table("countries", "country", Country)
POWERS: Mapping[str, Power] = _table("powers", "power", Power)
GENERALS: Mapping[str, General] = _table("generals", "general", General)
UNITS: Mapping[str, Unit] = _table("units", "unit", Unit)
SPECIALS: Mapping[str, Special] = _table("units", "special_unit", Special)
ARMIES: Mapping[str, Army] = _table("armies", "army", Army)
FLEETS: Mapping[str, Fleet] = _table("fleets", "fleet", Fleet)
CARDS: Mapping[str, Card] = _table("cards", "card", Card)
HAND_SOURCES: Mapping[str, HandSource] = _table("economy", "hand_source", HandSource)
REGIONS: Mapping[str, tuple[str, ...]] = {
    row["id"]: tuple(row.get("zones", row.get("seas", ()))) for row in read("regions")["region"]
}
CROSSING: Mapping[str, dict[str, Any]] = {row["id"]: row for row in read("tables")["terrain"]}
SCORE: Mapping[str, tuple[int, int]] = {
    row["id"]: (int(row["esc"]), int(row["vp"])) for row in read("score")["score"]
}
COSTS: Mapping[str, float] = {row["type"]: float(row["cost"]) for row in read("economy")["production"]}


def _check_references() -> None:
    """Borders are mutual and all names known: a map with a hole is refused at once."""

    for zone in ZONES.values():
        known([zone.country], COUNTRIES, _DATA.at("zones", "zone", zone.id))
        known([zone.province], PROVINCES, _DATA.at("zones", "zone", zone.id))
        known([zone.port] if zone.port else [], SEAS, _DATA.at("zones", "zone", zone.id))
        known(zone.neighbours, ZONES, _DATA.at("zones", "zone", zone.id))
        known(
            [kind for kind in zone.neighbours.values() if kind != "clear"],
            CROSSING,
            _DATA.at("zones", "zone", zone.id),
        )
        for other, kind in zone.neighbours.items():
            alike = ZONES[other].neighbours.get(zone.id) == kind
            need(alike, _DATA.at("zones", "zone", zone.id), f"{other} differs on their border")
    for sea in SEAS.values():
        known(sea.neighbours, SEAS, _DATA.at("seas", "sea", sea.id))
        known(sea.ports, ZONES, _DATA.at("seas", "sea", sea.id))
    owners: list[tuple[str, str]] = [(unit.id, unit.power) for unit in UNITS.values()]
    owners += [(general.id, general.power) for general in GENERALS.values()]
    owners += [(fleet.id, fleet.power) for fleet in FLEETS.values()]
    owners += [(special.id, special.power) for special in SPECIALS.values()]
    for piece, power in owners:
        known([power], COUNTRIES, _DATA.at("units", "", piece))
    for name, places in REGIONS.items():
        known(places, {**ZONES, **SEAS}, _DATA.at("regions", "region", name))


_check_references()


@cache
def _battle_rows() -> tuple[dict[str, Cell], ...]:
    rows = sorted(read("tables")["battle"]["row"], key=lambda row: int(row["roll"]))
    return tuple(
        {column: msgspec.convert(row[column], Cell) for column in ("skirmish", "minor", "major")}
        for row in rows
    )


def battle_result(total: int, size: str) -> Cell:
    """12.7.1: the steps inflicted by a total, clamped to the table (20)."""
    return _battle_rows()[max(0, min(16, total))][size]


def battle_size(one: float, other: float) -> str:
    """12.4: skirmish, minor or major."""
    if one + other <= 7:
        return "skirmish"
    return "major" if one + other >= 22 and min(one, other) >= 10 else "minor"


def round_half_up(value: float) -> int:
    """1.7: to the nearest whole number, one half up."""
    return int(value + 0.5)


def odds(attacker: float, defender: float) -> tuple[int, int]:
    """12.3: the larger against the smaller, rounded; (2, 1) or (1, 3)."""
    if attacker >= defender:
        return (round_half_up(attacker / defender) if defender else 5, 1)
    return (1, round_half_up(defender / attacker) if attacker else 5)


def odds_modifier(ratio: tuple[int, int]) -> int:
    """12.6.1: what the attacker adds."""
    return ratio[0] - 1 if ratio[0] > 1 else 1 - ratio[1]


ATTRITION_COLUMNS = (1, 3, 5, 8, 11, 14)


def attrition_column(steps: int) -> int:
    """11.6.2: the column of that many steps."""
    return sum(steps > limit for limit in ATTRITION_COLUMNS)


def attrition_result(total: int, column: int) -> tuple[int, bool]:
    """11.6.2: steps lost, and whether a second die follows."""
    rows = read("tables")["attrition"]["row"]
    cell = str(rows[max(0, min(8, total))]["cells"][max(0, min(6, column))])
    return int(cell.rstrip("*") or 0), cell.endswith("*")


def siege_result(total: int) -> str:
    """13.2.3: repousse, stable, honneurs or breche."""
    return str(read("tables")["siege"]["results"][str(max(0, min(9, total)))])


def naval_losses(difference: int, fleets: int, shelter: int = 0) -> int:
    """15.10.2, 15.10.6: fleets lost by the side that is beaten by so much; the guns of a fortress cancel the first."""
    if difference >= 12:
        return fleets
    hits = 2 if difference >= 8 else 1 if difference >= 4 else 0
    return min(fleets, max(0, hits - shelter))
