"""Board, armies, missions and cards, from scenarios/leipzig; validated on load."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import msgspec

from pbem import paths
from pbem.kernel.data import Data, mutual, need

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


def _zones(data: Data) -> dict[str, Zone]:
    zones = data.records("zones", "zone", Zone)
    need(len(zones) == 47, "zones.toml zone", f"47 zones needed, {len(zones)} found")
    for zone in zones.values():
        where = f"zones.toml zone {zone.id}"
        need(zone.terrain in TERRAINS, f"{where}.terrain", f"no such terrain: {zone.terrain}")
        need(zone.district in DISTRICTS, f"{where}.district", f"no such district: {zone.district}")
    mutual(zones, lambda zone: zone.neighbours, "zones.toml zone")
    return zones


def _armies(data: Data, zones: Mapping[str, Zone]) -> dict[str, ArmyCard]:
    armies = {}
    for army in data.records("armies", "army", ArmyCard).values():
        where = f"armies.toml army {army.id}"
        date = army.not_before.rstrip(".")
        need(army.side in SIDES, f"{where}.side", f"no such side: {army.side}")
        need(army.nation in NATIONS, f"{where}.nation", f"no such nation: {army.nation}")
        need(bool(army.arms), f"{where}.arms", "no arm")
        for arm in army.arms:
            need(arm in _ARM_CODES, f"{where}.arms", f"no such arm: {arm}")
        need(1 <= army.strength <= 9, f"{where}.strength", "a strength is 1 to 9")
        need(army.markers in (2, 3), f"{where}.markers", "an army has 2 or 3 markers")
        need(len(army.start) in (3, 4), f"{where}.start", "a card names 3 or 4 villages")
        need(len(set(army.start)) == len(army.start), f"{where}.start", "a village appears twice")
        for village in army.start:
            need(village in zones, f"{where}.start", f"no such zone: {village}")
        need(date == "" or date in DATES, f"{where}.not_before", f"no such date: {army.not_before}")
        arms = tuple(_ARM_CODES[arm] for arm in army.arms)
        armies[army.id] = msgspec.structs.replace(army, arms=arms, not_before=date)
    for side, number in (("french", 8), ("allied", 11)):
        have = sum(army.side == side for army in armies.values())
        need(have == number, "armies.toml army", f"{number} {side} armies needed, {have} found")
    _errata(armies)
    return armies


def _errata(armies: Mapping[str, ArmyCard]) -> None:
    """8.1: Friedrich's army is infantry, and Marmont has three markers."""
    for id in ("friedrich", "marmont"):
        need(id in armies, "armies.toml army", f"{id} is missing")
    need(armies["friedrich"].arms == ("infantry",), "armies.toml army friedrich.arms", "must be infantry")
    need(armies["marmont"].markers == 3, "armies.toml army marmont.markers", "must be 3")


def _missions(data: Data, zones: Mapping[str, Zone]) -> dict[str, Mission]:
    missions = data.records("missions", "mission", Mission)
    for mission in missions.values():
        where = f"missions.toml mission {mission.id}"
        need(mission.zone in zones, f"{where}.zone", f"no such zone: {mission.zone}")
        need(3 <= mission.french_points <= 7, f"{where}.french_points", "3 to 7 points")
        need(mission.allied_points >= 0, f"{where}.allied_points", "no negative points")
    for district in DISTRICTS:
        have = sum(mission.district == district for mission in missions.values())
        need(have == 5, f"missions.toml mission.district {district}", f"5 missions needed, {have} found")
    need(len({m.zone for m in missions.values()}) == 25, "missions.toml mission.zone", "a zone appears twice")
    return missions


def _cards(data: Data, armies: Mapping[str, ArmyCard]) -> _Cards:
    name = "action_cards.toml"
    cards = data.file("action_cards", _Cards)
    for terrain in cards.terrain:
        need(terrain in TERRAINS, f"{name}: terrain.{terrain}", "no such terrain")
    for kind in cards.movement:
        need(bool(arms_of(kind)) or kind in armies, f"{name}: movement.{kind}", "neither arms nor an army")
    total = sum(cards.terrain.values()) + sum(cards.movement.values()) + cards.time
    need(total == 40, name, f"40 cards needed, {total} found")
    return cards


def _track(data: Data) -> dict[str, int]:
    dates = data.value("track", "dates", dict[str, int])
    for date in DATES:
        need(date in dates, f"track.toml dates.{date}", "a step number is needed")
    steps = [dates[date] for date in DATES]
    need(steps[0] >= 1 and steps == sorted(set(steps)), "track.toml dates", "steps must rise from 1")
    return dict(zip(DATES, steps, strict=True))


def _terrain_values(data: Data) -> dict[str, dict[str, int]]:
    values: dict[str, dict[str, int]] = {}
    for arm in ARMS:
        values[arm] = {}
        for terrain in TERRAINS:
            value = data.value("terrain_values", arm, dict[str, int]).get(terrain, 9)
            where = f"terrain_values.toml: {arm}.{terrain}"
            need(-1 <= value <= 2, where, "a value from -1 to 2 is needed")
            values[arm][terrain] = value
    return values


def read(data: Data) -> Board:
    """The board in those files. Raises BadData, which names file and key."""
    zones = _zones(data)
    armies = _armies(data, zones)
    missions = _missions(data, zones)
    cards = _cards(data, armies)
    dates = _track(data)
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
        _terrain_values(data),
        steps={step: date for date, step in dates.items()},
        cards=tuple(f"{kind}-{n}" for kind, count in counts.items() for n in range(1, count + 1)),
        movers=movers,
        sides={side: tuple(id for id, army in armies.items() if army.side == side) for side in SIDES},
    )


BOARD = read(Data(paths.game_data("leipzig")))
