"""7.2.3, 7.4.2: sources, chains of depots, and how far a force is from one that feeds it."""

from __future__ import annotations

from collections.abc import Collection

from pbem.games.eia.board import AREAS, PROVINCES, city, touching, winter_zone
from pbem.games.eia.state import State

STEP = 3
"""7.2.3.2: at most two areas between two depots of a chain."""
REACH = 3
"""7.4.2.1: how far a depot feeds."""


def closed(state: State, power: str, area: str) -> bool:
    """10.3.1, 13.1.6.1: whether a power's forces and its supply may not pass an area."""
    if not state.plays(area):
        return True
    held = state.holder(area)
    return not (held is None or state.allied(power, held.power) or state.at_war(power, held.power))


def closed_provinces(state: State, power: str) -> frozenset[str]:
    """10.3.1, 13.1.6.1: the provinces that a power's forces and its supply may not pass; those out of play too."""
    owners = {held.power for held in state.control.values()}
    good = {other for other in owners if state.allied(power, other) or state.at_war(power, other)}
    shut = {name for name, held in state.control.items() if held.power not in good}
    if state.in_play:
        shut |= PROVINCES.keys() - set(state.in_play)
    return frozenset(shut)


def blocked_areas(state: State, power: str) -> set[str]:
    """7.2.3.2.1, 10.1.2.2.1: where a line is cut: unbesieged enemies, light horse too, and no friend among them."""
    enemies, friends = (
        set(state.enemies(power)),
        {other for other in state.powers if state.allied(power, other)},
    )
    hostile: set[str] = set()
    friendly: set[str] = set()
    for corps in state.corps.values():
        if state.free(corps):
            if corps.power in enemies:
                hostile.add(corps.area)
            elif corps.power in friends:
                friendly.add(corps.area)
    for garrison in state.garrisons:
        if garrison.depot or garrison.area not in state.sieges:
            if garrison.power in enemies:
                hostile.add(garrison.area)
            elif garrison.power in friends:
                friendly.add(garrison.area)
    for horse in state.horse.values():
        if horse.power in enemies and not (horse.inside and horse.area in state.sieges):
            hostile.add(horse.area)
    return hostile - friendly


class Lines:
    """7.2.3.2, 7.2.3.2.3: the supply lines of a power as the position stands.

    Which of its depots are sources, or on an uncut chain.
    """

    def __init__(self, state: State, power: str, without: Collection[str] = ()) -> None:
        """`without` are areas of depots that do not count."""
        self.state, self.power = state, power
        self._shut = closed_provinces(state, power)
        self._blocked = blocked_areas(state, power)
        self._near: dict[str, dict[str, int]] = {}
        self.depots = [d.area for d in state.depots if d.power == power and d.area not in without]
        self.sources = [area for area in self.depots if self.is_source(area)]
        self.far: dict[str, int] = {}
        """By depot that is a source or on an uncut chain: how many depots its chain has, both ends counted (5.2.2)."""
        self.ways: dict[str, str] = {}
        """By depot, the depot through which it is fed."""
        self._follow()

    def is_source(self, area: str) -> bool:
        """7.2.3.1: an own depot beside a city, free of enemies, in the home nation or a minor that it holds."""
        state = self.state
        return (
            city(area) is not None
            and state.controls(self.power, area)
            and not state.field_enemies(area, self.power)
            and not state.enemy_city(area, self.power)
            and not any(state.at_war(self.power, horse.power) for horse in state.horse_at(area, inside=None))
        )

    def cut(self, area: str) -> bool:
        """7.2.3.2.1: whether a line may not pass."""
        return area in self._blocked or AREAS[area].province in self._shut

    def near(self, area: str) -> dict[str, int]:
        """The areas within three areas of a place by an uncut line, with their distance; the ends are tested too."""
        if area not in self._near:
            best = {area: 0}
            todo = [area] if not self.cut(area) else []
            for here in todo:
                if best[here] == STEP:
                    continue
                for there in touching(here):
                    if there not in best and not self.cut(there):
                        best[there] = best[here] + 1
                        todo.append(there)
            self._near[area] = best
        return self._near[area]

    def _follow(self) -> None:
        self.far = dict.fromkeys(self.sources, 1)
        for here in (todo := list(self.sources)):
            near = self.near(here)
            for there in self.depots:
                if there not in self.far and there in near:
                    self.far[there] = self.far[here] + 1
                    self.ways[there] = here
                    todo.append(there)

    def price(self, area: str) -> tuple[int, str] | None:
        """7.4.2.1, 7.4.2.1.3: what supply costs there, in half points, and from which depot; None out of reach."""
        near = self.near(area)
        fed = sorted((near[depot], depot) for depot in self.far if depot in near)
        if not fed:
            return None
        distance, depot = fed[0]
        winter = 2 if self.state.winter and winter_zone(area) else 1
        return (1 if distance == 0 else 2 * distance) * winter, depot

    def adjacent(self, area: str) -> list[str]:
        """5.2.2.2.3: the depots on a chain in an area or next to it."""
        beside = {area, *touching(area)}
        return [depot for depot in self.far if depot in beside]

    def chain(self, depot: str) -> tuple[str, ...]:
        """The depots from one back to its source."""
        found = [depot]
        while found[-1] in self.ways:
            found.append(self.ways[found[-1]])
        return tuple(found)
