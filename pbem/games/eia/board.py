"""The board and its counters, from scenarios/eia; validated on load. Nothing here changes in play."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any, TypeVar

import msgspec

from pbem import paths

MAJORS = ("france", "russia", "turkey", "austria", "prussia", "great_britain", "spain")
FOOT, MOUNTED = ("I", "M", "Gd", "A", "FI"), ("C", "FC")
KINDS = (*FOOT, *MOUNTED)
"""Kinds of factors that corps and garrisons hold."""
FAR = 999

T = TypeVar("T")


class BadBoard(ValueError):
    """A file of the board is wrong: the message names file and key."""


class City(msgspec.Struct, frozen=True):
    """7.3.3.4, 7.5.4.1.1.1: a city: its supply value and its fortification."""

    spires: int
    fortress: int = 0
    capital: str = ""

    @property
    def room(self) -> int:
        """7.3.3.4: the factors that it holds."""
        return 5 * self.spires


class Port(msgspec.Struct, frozen=True):
    """A harbour."""

    name: str
    seas: tuple[str, ...]
    guns: int = 0
    trade_british: int = 0
    trade_owner: int = 0


class Area(msgspec.Struct, frozen=True):
    """An area that corps move through."""

    id: str
    name: str
    province: str
    terrain: str
    forage: int
    sheet: str
    lat: float
    lon: float
    neighbours: dict[str, str]
    status: str
    city: City | None = None
    port: Port | None = None
    coast: tuple[str, ...] = ()
    rivers: dict[str, str] = {}
    name_fr: str = ""
    aliases: tuple[str, ...] = ()

    @property
    def difficult(self) -> bool:
        """7.3.1.3: a mountain or a marsh, that costs 2."""
        return self.terrain in ("mountain", "marsh")


class Province(msgspec.Struct, frozen=True):
    """A province of a major's home nation, a minor, or a district of one."""

    id: str
    name: str
    name_fr: str
    kind: str
    owner: str
    capital: str
    tax: int
    manpower: int
    winter: bool
    areas: tuple[str, ...]
    marks: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    guerrilla: int = 0

    @property
    def home_of(self) -> str:
        """The major whose home nation it belongs to, or the minor."""
        return self.owner


class Minor(msgspec.Struct, frozen=True):
    """A minor country."""

    id: str
    name: str
    name_fr: str
    principal: str
    capital: str
    corps: tuple[str, ...]
    secondary: tuple[str, ...] = ()


class Intrinsic(msgspec.Struct, frozen=True):
    """10.6.1: what the counters say where there is no leader."""

    strategic: int
    tactical: int


class MajorPower(msgspec.Struct, frozen=True):
    """One of the seven."""

    id: str
    name: str
    name_fr: str
    adjective: str
    adjective_fr: str
    colour_hex: str
    capitals: tuple[str, ...]
    home_provinces: tuple[str, ...]
    depots: int
    intrinsic: Intrinsic
    infantry_morale: float
    cavalry_morale: float
    guard_commitment: int
    honours_of_war: bool


class Counter(msgspec.Struct, frozen=True):
    """2.4.2: a corps counter."""

    id: str
    nation: str
    name: str
    type: str
    move: int
    max: dict[str, int]
    move_4_under_france: bool = False
    full: dict[str, int] = {}

    @property
    def shown(self) -> str:
        """2.4.2: what opponents see: infantry or cavalry."""
        return "cavalry" if self.type in ("cavalry", "feudal_cavalry", "light") else "infantry"


class General(msgspec.Struct, frozen=True):
    """10.6: a leader's counter."""

    id: str
    name: str
    power: str
    strategic: int = 0
    tactical: int = 0
    tactical_max: int = 0
    seniority: str = ""
    cavalry: bool = False
    aliases: tuple[str, ...] = ()


@cache
def read(name: str) -> dict[str, Any]:
    """One file of the board."""
    path = paths.scenarios() / "eia" / f"{name}.toml"
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise BadBoard(f"{path}: {error}") from None


def _table(file: str, key: str, kind: type[T], more: Callable[[Any], dict[str, Any]] = dict) -> dict[str, T]:
    found: dict[str, T] = {}
    for number, row in enumerate(read(file)[key], 1):
        where = f"scenarios/eia/{file}.toml [[{key}]] {row.get('id', number)}"
        try:
            record = msgspec.convert(more(row), kind)
        except (msgspec.ValidationError, KeyError) as error:
            raise BadBoard(f"{where}: {error}") from None
        if row["id"] in found:
            raise BadBoard(f"{where}: twice")
        found[row["id"]] = record
    return found


AREAS: Mapping[str, Area] = _table("areas", "area", Area)
PROVINCES: Mapping[str, Province] = _table("provinces", "province", Province)
MINORS: Mapping[str, Minor] = _table("minors", "minor", Minor)
POWERS: Mapping[str, MajorPower] = _table(
    "powers", "power", MajorPower, lambda row: {**row, "depots": read("units")["depots"][row["id"]]}
)
COUNTERS: Mapping[str, Counter] = _table("units", "corps", Counter)
LEADERS: Mapping[str, General] = _table("leaders", "leader", General)
MARKED: Mapping[str, frozenset[str]] = {
    mark: frozenset(area for p in PROVINCES.values() if mark in p.marks for area in p.areas)
    for mark in ("polish", "cossack", "insurrection", "tyrol_corps")
}
"""Areas of the provinces that bear a mark."""
POLES = "poland"


def _check() -> None:
    """Borders are mutual and all names known: a map with a hole is refused at once."""

    def known(where: str, names: Iterable[str], table: Mapping[str, Any]) -> None:
        for name in names:
            if name not in table:
                raise BadBoard(f"scenarios/eia: {where} names {name}, which is not there")

    for area in AREAS.values():
        known(area.id, [area.province], PROVINCES)
        known(area.id, area.neighbours, AREAS)
        for other, kind in area.neighbours.items():
            if AREAS[other].neighbours.get(area.id) != kind:
                raise BadBoard(f"scenarios/eia/areas.toml: {area.id} and {other} differ on their border")
    for province in PROVINCES.values():
        known(province.id, [*province.areas, province.capital], AREAS)
        known(province.id, [province.owner], {**POWERS, **MINORS})
    for counter in COUNTERS.values():
        known(counter.id, [counter.nation], {**POWERS, **MINORS, POLES: None})
    for leader in LEADERS.values():
        known(leader.id, [leader.power], {**POWERS, **MINORS})


_check()


def province(area: str) -> Province:
    """The province of an area."""
    return PROVINCES[AREAS[area].province]


def city(area: str) -> City | None:
    """The city of an area."""
    return AREAS[area].city


@cache
def borders(area: str) -> tuple[tuple[str, str], ...]:
    """The areas that touch it, with what lies between, in alphabetical order; no arrow of an option."""
    some = AREAS[area].neighbours.items()
    return tuple(sorted((other, kind) for other, kind in some if kind != "strait_option"))


@cache
def touching(area: str) -> tuple[str, ...]:
    """The areas that touch it, straits included."""
    return tuple(other for other, _ in borders(area))


@cache
def by_land(area: str) -> tuple[str, ...]:
    """The areas that touch it, straits excluded."""
    return tuple(other for other, kind in borders(area) if kind != "strait")


@cache
def crossing(area: str, other: str) -> str:
    """What lies between two areas: land, river, crest or strait; nothing where they do not touch."""
    return dict(borders(area)).get(other, "")


@cache
def land_distances(area: str) -> dict[str, int]:
    """How many areas away each one is by land, straits excluded."""
    return _spread(area, by_land)


@cache
def distances(area: str) -> dict[str, int]:
    """How many areas away each one is, straits included."""
    return _spread(area, touching)


def _spread(start: str, near: Callable[[str], tuple[str, ...]]) -> dict[str, int]:
    best, todo = {start: 0}, [start]
    for here in todo:
        for there in near(here):
            if there not in best:
                best[there] = best[here] + 1
                todo.append(there)
    return best


def winter_zone(area: str) -> bool:
    """9.2: whether winter is felt there."""
    return province(area).winter
