"""Board, armies, missions and cards, from scenarios/leipzig; validated on load."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from pbem import paths

TERRAINS = ("river", "hill", "forest", "plain")
ARMS = ("infantry", "cavalry", "artillery")
SIDES = ("french", "allied")
NATIONS = ("france", "austria", "prussia", "russia", "sweden")
DISTRICTS = ("north", "south", "east", "west", "centre")
DATES = ("14.10", "15.10", "16.10", "17.10", "18.10", "19.10")
REVEALS = DATES[1:]
BATTLES = ("16.10", "18.10")
UNKNOWN = "?"
_ARM_CODES = {"inf": "infantry", "cav": "cavalry", "art": "artillery"}


class BadScenario(ValueError):
    """A file of the board is wrong: the message names file and key."""


class Zone(msgspec.Struct, frozen=True):
    """1.1: a zone of the board."""

    id: str
    name: str
    terrain: str
    district: str
    neighbours: tuple[str, ...]
    board_edge: bool = False


class ArmyCard(msgspec.Struct, frozen=True):
    """1.2: what an army card says."""

    id: str
    name: str
    side: str
    nation: str
    arms: tuple[str, ...]
    strength: int
    markers: int
    start: tuple[str, ...]
    not_before: str = ""


class Mission(msgspec.Struct, frozen=True):
    """1.4: a mission card."""

    id: str
    district: str
    zone: str
    french_points: int
    allied_points: int


class _Cards(msgspec.Struct, frozen=True):
    terrain: dict[str, int]
    movement: dict[str, int]
    time: int
    scout: int


@dataclass(frozen=True)
class Board:
    """Everything that is printed."""

    zones: Mapping[str, Zone]
    armies: Mapping[str, ArmyCard]
    missions: Mapping[str, Mission]
    terrain_cards: Mapping[str, int]
    movement_cards: Mapping[str, int]
    time_cards: int
    scouts: int
    dates: Mapping[str, int]
    terrain_values: Mapping[str, Mapping[str, int]]
    steps: Mapping[int, str] = field(default_factory=dict)
    """Dates by their step on the time track."""
    cards: tuple[str, ...] = ()
    """The 40 action cards."""
    movers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The kinds of movement card that move an army, the least versatile first."""
    sides: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The armies of each side, as listed."""

    def of(self, side: str) -> tuple[str, ...]:
        """The armies of a side, as listed on the board."""
        return self.sides[side]

    def adjacent(self, zone: str, other: str) -> bool:
        """Whether two zones touch."""
        return other in self.zones[zone].neighbours

    def last(self) -> int:
        """The step of the last date."""
        return self.dates[DATES[-1]]


def kind_of(card: str) -> str:
    """The kind of a physical card: `hill-2` is a hill card."""
    return card.rpartition("-")[0] or card


def arms_of(kind: str) -> tuple[str, ...]:
    """The arms that a kind of movement card names; none where it names an army."""
    return tuple(arm for arm in kind.split("_or_") if arm in ARMS)


T = TypeVar("T")


def _toml(folder: Path, name: str) -> dict[str, Any]:
    try:
        return tomllib.loads((folder / name).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadScenario(f"{name}: {error}") from error


def _records(folder: Path, name: str, key: str, kind: type[T]) -> dict[str, T]:
    found: dict[str, T] = {}
    for n, entry in enumerate(_toml(folder, name).get(key, []), 1):
        where = f"{name}: {key} {entry.get('id', n)}" if isinstance(entry, dict) else f"{name}: {key} {n}"
        try:
            record = msgspec.convert(entry, kind)
        except msgspec.ValidationError as error:
            raise BadScenario(f"{where}: {error}") from error
        id: str = record.id  # type: ignore[attr-defined]
        if id in found:
            raise BadScenario(f"{where}: id appears twice")
        found[id] = record
    return found


def _need(condition: bool, where: str, what: str) -> None:
    if not condition:
        raise BadScenario(f"{where}: {what}")


def _zones(folder: Path) -> dict[str, Zone]:
    zones = _records(folder, "zones.toml", "zone", Zone)
    _need(len(zones) == 47, "zones.toml: zone", f"47 zones needed, {len(zones)} found")
    for zone in zones.values():
        where = f"zones.toml: zone {zone.id}"
        _need(zone.terrain in TERRAINS, f"{where}.terrain", f"no such terrain: {zone.terrain}")
        _need(zone.district in DISTRICTS, f"{where}.district", f"no such district: {zone.district}")
        for other in zone.neighbours:
            _need(other in zones, f"{where}.neighbours", f"no such zone: {other}")
            _need(zone.id in zones[other].neighbours, f"{where}.neighbours", f"{other} has no border back")
            _need(other != zone.id, f"{where}.neighbours", "a zone has no border with itself")
    return zones


def _armies(folder: Path, zones: Mapping[str, Zone]) -> dict[str, ArmyCard]:
    armies = {}
    for army in _records(folder, "armies.toml", "army", ArmyCard).values():
        where = f"armies.toml: army {army.id}"
        date = army.not_before.rstrip(".")
        _need(army.side in SIDES, f"{where}.side", f"no such side: {army.side}")
        _need(army.nation in NATIONS, f"{where}.nation", f"no such nation: {army.nation}")
        _need(bool(army.arms), f"{where}.arms", "no arm")
        for arm in army.arms:
            _need(arm in _ARM_CODES, f"{where}.arms", f"no such arm: {arm}")
        _need(1 <= army.strength <= 9, f"{where}.strength", "a strength is 1 to 9")
        _need(army.markers in (2, 3), f"{where}.markers", "an army has 2 or 3 markers")
        _need(len(army.start) in (3, 4), f"{where}.start", "a card names 3 or 4 villages")
        _need(len(set(army.start)) == len(army.start), f"{where}.start", "a village appears twice")
        for village in army.start:
            _need(village in zones, f"{where}.start", f"no such zone: {village}")
        _need(date == "" or date in DATES, f"{where}.not_before", f"no such date: {army.not_before}")
        arms = tuple(_ARM_CODES[arm] for arm in army.arms)
        armies[army.id] = msgspec.structs.replace(army, arms=arms, not_before=date)
    for side, number in (("french", 8), ("allied", 11)):
        have = sum(army.side == side for army in armies.values())
        _need(have == number, "armies.toml: army", f"{number} {side} armies needed, {have} found")
    _errata(armies)
    return armies


def _errata(armies: Mapping[str, ArmyCard]) -> None:
    """8.1: Friedrich's army is infantry, and Marmont has three markers."""
    for id in ("friedrich", "marmont"):
        _need(id in armies, "armies.toml: army", f"{id} is missing")
    _need(armies["friedrich"].arms == ("infantry",), "armies.toml: army friedrich.arms", "must be infantry")
    _need(armies["marmont"].markers == 3, "armies.toml: army marmont.markers", "must be 3")


def _missions(folder: Path, zones: Mapping[str, Zone]) -> dict[str, Mission]:
    missions = _records(folder, "missions.toml", "mission", Mission)
    for mission in missions.values():
        where = f"missions.toml: mission {mission.id}"
        _need(mission.zone in zones, f"{where}.zone", f"no such zone: {mission.zone}")
        _need(3 <= mission.french_points <= 7, f"{where}.french_points", "3 to 7 points")
        _need(mission.allied_points >= 0, f"{where}.allied_points", "no negative points")
    for district in DISTRICTS:
        have = sum(mission.district == district for mission in missions.values())
        _need(have == 5, f"missions.toml: mission.district {district}", f"5 missions needed, {have} found")
    _need(
        len({m.zone for m in missions.values()}) == 25, "missions.toml: mission.zone", "a zone appears twice"
    )
    return missions


def _cards(folder: Path, armies: Mapping[str, ArmyCard]) -> _Cards:
    name = "action_cards.toml"
    try:
        cards = msgspec.convert(_toml(folder, name), _Cards)
    except msgspec.ValidationError as error:
        raise BadScenario(f"{name}: {error}") from error
    for terrain in cards.terrain:
        _need(terrain in TERRAINS, f"{name}: terrain.{terrain}", "no such terrain")
    for kind in cards.movement:
        _need(bool(arms_of(kind)) or kind in armies, f"{name}: movement.{kind}", "neither arms nor an army")
    total = sum(cards.terrain.values()) + sum(cards.movement.values()) + cards.time
    _need(total == 40, name, f"40 cards needed, {total} found")
    return cards


def _track(folder: Path) -> dict[str, int]:
    dates = _toml(folder, "track.toml").get("dates", {})
    for date in DATES:
        _need(isinstance(dates.get(date), int), f"track.toml: dates.{date}", "a step number is needed")
    steps = [int(dates[date]) for date in DATES]
    _need(steps[0] >= 1 and steps == sorted(set(steps)), "track.toml: dates", "steps must rise from 1")
    return dict(zip(DATES, steps, strict=True))


def _terrain_values(folder: Path) -> dict[str, dict[str, int]]:
    data = _toml(folder, "terrain_values.toml")
    values: dict[str, dict[str, int]] = {}
    for arm in ARMS:
        values[arm] = {}
        for terrain in TERRAINS:
            value = data.get(arm, {}).get(terrain)
            where = f"terrain_values.toml: {arm}.{terrain}"
            _need(isinstance(value, int) and -1 <= value <= 2, where, "a value from -1 to 2 is needed")
            values[arm][terrain] = value
    return values


def read(folder: Path) -> Board:
    """The board in that folder. Raises BadScenario, which names file and key."""
    zones = _zones(folder)
    armies = _armies(folder, zones)
    missions = _missions(folder, zones)
    cards = _cards(folder, armies)
    dates = _track(folder)
    counts = {**cards.terrain, **cards.movement, "time": cards.time}
    movers = {
        army.id: tuple(
            sorted(
                (k for k in cards.movement if k == army.id or set(arms_of(k)) & set(army.arms)),
                key=lambda kind: (len(arms_of(kind)), kind),
            )
        )
        for army in armies.values()
    }
    return Board(
        zones,
        armies,
        missions,
        cards.terrain,
        cards.movement,
        cards.time,
        cards.scout,
        dates,
        _terrain_values(folder),
        steps={step: date for date, step in dates.items()},
        cards=tuple(f"{kind}-{n}" for kind, count in counts.items() for n in range(1, count + 1)),
        movers=movers,
        sides={side: tuple(id for id, army in armies.items() if army.side == side) for side in SIDES},
    )


BOARD = read(paths.scenarios() / "leipzig")
