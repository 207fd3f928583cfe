"""7.5, 7.7, 8.1: the ways that are open to a unit or leader that has to go back, and which is the safest."""

from __future__ import annotations

from pbem.games.ccn import board, terrain
from pbem.games.ccn.battle import escape_dice
from pbem.games.ccn.board import OFF
from pbem.games.ccn.state import Leader, State, Unit

LEADER_STEPS = 3
Way = tuple[str, ...]


def _closed(state: State, unit: Unit, hex: str, led: bool) -> bool:
    """7.5.4: blocked by units, enemy leaders, impassable ground (R27: a leader, for a unit with one)."""
    if not terrain.passable(state, hex, unit.arm) or state.unit_at(hex) is not None:
        return True
    leader = state.leader_at(hex)
    return leader is not None and (leader.side != unit.side or led)


def retreats(state: State, unit: Unit, steps: int) -> list[Way]:
    """7.5.2, 7.5.3, 7.5.6: the ways of a retreat (R26); a shorter way is blocked, or ends with a leader."""
    if unit.square or steps == 0:
        return [()]
    found: dict[Way, None] = {}

    def go(hex: str, left: int, led: bool, way: Way) -> None:
        ahead = [place for place in state.rear(unit.side, hex) if not _closed(state, unit, place, led)]
        if left == 0 or not ahead:
            found.setdefault(way)
            return
        for place in ahead:
            meets = state.leader_at(place) is not None
            if meets:
                found.setdefault((*way, place))
            go(place, left - 1, led or meets, (*way, place))

    go(unit.hex, steps, state.leader_of(unit) is not None, ())
    return list(found)


def missing(state: State, unit: Unit, steps: int, way: Way) -> int:
    """7.5.4, 7.5.6, 7.5.7: hexes of a retreat not made, each a block; none after rallying on a leader."""
    if way and state.leader_of(unit) is None and state.leader_at(way[-1]) is not None:
        return 0
    return steps - len(way)


def retires(state: State, unit: Unit) -> list[Way]:
    """8.1.2: the ways of exactly two hexes to the rear (R35: a lone leader's hex only at the end)."""
    led = state.leader_of(unit) is not None
    ways: list[Way] = []
    for first in state.rear(unit.side, unit.hex):
        if _closed(state, unit, first, led) or state.leader_at(first) is not None:
            continue
        for second in state.rear(unit.side, first):
            if not _closed(state, unit, second, led):
                ways.append((first, second))
    return ways


def leader_ways(state: State, leader: Leader) -> list[Way]:
    """7.7, 7.8: ways of one to three hexes toward his own edge, or off it (R31 to R33)."""
    found: dict[Way, None] = {}

    def go(hex: str, way: Way) -> None:
        if len(way) == LEADER_STEPS:
            return
        if state.on_baseline(leader.side, hex):
            found.setdefault((*way, OFF))
            return
        for place in state.rear(leader.side, hex):
            if not terrain.passable(state, place):
                continue
            unit, other = state.unit_at(place), state.leader_at(place)
            if other is None and (unit is None or unit.side == leader.side):
                found.setdefault((*way, place))
            go(place, (*way, place))

    go(leader.hex, ())
    return list(found)


def danger(state: State, leader: Leader, way: Way) -> int:
    """7.8: dice that enemy units on the way will roll."""
    units = [state.unit_at(hex) for hex in way if hex != OFF]
    return sum(escape_dice(unit) for unit in units if unit is not None and unit.side != leader.side)


def exposure(state: State, seat: str, hex: str) -> int:
    """How near the enemy is to a hex: the smaller the safer."""
    near = [board.DISTANCE[unit.hex][hex] for unit in state.units.values() if unit.hex and unit.side != seat]
    return -min(near, default=9)


def off_centre(hex: str) -> int:
    """How far a hex is from the middle of the board, in half hexes."""
    return abs(board.X[hex] - 14)


def safest(state: State, unit: Unit, steps: int, ways: list[Way]) -> Way:
    """The way that costs least, then ends farthest from the enemy, then nearest to the centre.

    7.5.6: a unit that comes to a leader stops with him.
    """
    if state.leader_of(unit) is None:
        ways = [way for way in ways if not any(state.leader_at(hex) for hex in way[:-1])]

    def cost(way: Way) -> tuple[int, int, int]:
        end = way[-1] if way else unit.hex
        return missing(state, unit, steps, way), exposure(state, unit.side, end), off_centre(end)

    return min(ways, key=cost)


def safest_ride(state: State, leader: Leader, ways: list[Way]) -> Way:
    """Nearest friendly unit without a leader, else as far as possible; enemy hexes and the edge last."""

    def cost(way: Way) -> tuple[int, int, int, int]:
        end = way[-1]
        if end == OFF:
            return danger(state, leader, way), 2, 0, 0
        joins = state.unit_at(end) is not None
        far = len(way) if joins else -len(way)
        return danger(state, leader, way), 0 if joins else 1, far, exposure(state, leader.side, end)

    return min(ways, key=cost)
