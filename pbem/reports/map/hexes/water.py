"""Rivers, streams and bridges: water finds its way from hex to hex by itself."""

from __future__ import annotations

import math

from pbem.kernel.drawing import Ground
from pbem.reports.map.hexes.grid import DIRECTIONS, WIDE, Grid, side_middle
from pbem.reports.map.marks import signs
from pbem.reports.map.paint.geometry import Point
from pbem.reports.map.paint.ink import circle, num, path, rect
from pbem.reports.map.paint.style import EDGE, HALO, RIVER_BANK, RIVER_WATER, ROAD

WATER: frozenset[Ground] = frozenset(("river", "ford", "bridge"))
_STONES = ((-15, -2), (-7.5, 2), (0, -1.5), (7.5, 2), (15, -1))


def _exits(grid: Grid, hex: str, wet: set[str]) -> list[int]:
    """Over which sides water flows: to wet neighbours, and from the end of a stream off the board."""
    near = grid.around(hex)
    ways = [i for i, name in enumerate(near) if name in wet]
    beyond = [i for i, name in enumerate(near) if name is None]
    if len(ways) == 1 and beyond:
        opposite = (ways[0] + 3) % DIRECTIONS
        ways.append(min(beyond, key=lambda i: min((i - opposite) % 6, (opposite - i) % 6)))
    return ways or [3, 0]


def _bed(grid: Grid, hex: str, ways: list[int]) -> str:
    """Path data of water through a hex: from side to side, or to a spring or a meeting in its middle."""
    x, y = grid.centres[hex]
    beyond = [grid.neighbour(hex, way) is None for way in ways]
    ends = []
    for way, leaves in zip(ways, beyond, strict=True):
        dx, dy = side_middle(way, WIDE * (1.6 if leaves and not all(beyond) else 0.505))
        ends.append(f"{num(x + dx)} {num(y + dy)}")
    middle = f"{num(x)} {num(y)}"
    if len(ends) == 2:
        return f"M{ends[0]}Q{middle} {ends[1]}"
    return "".join(f"M{end}L{middle}" for end in ends)


def _across(ways: list[int]) -> float:
    """The direction, in degrees, in which one crosses the water of a hex."""
    ax, ay = side_middle(ways[0])
    bx, by = side_middle(ways[1]) if len(ways) > 1 else (-ax, -ay)
    return math.degrees(math.atan2(by - ay, bx - ax)) + 90


def _middle(at: Point, ways: list[int]) -> Point:
    """The middle of the water in a hex."""
    if len(ways) != 2:
        return at
    (ax, ay), (bx, by) = side_middle(ways[0]), side_middle(ways[1])
    return (at[0] + (ax + bx) / 4, at[1] + (ay + by) / 4)


def _bridge(at: Point, ways: list[int]) -> str:
    deck = rect(-37, -11, 74, 22, ROAD, f'stroke="{EDGE}" stroke-width="1.2"')
    planks = path("".join(f"M{x}-11v22" for x in range(-30, 34, 7)), stroke="#b99a66", width=1.1)
    rails = path("M-43-17l7 6h72l7-6M-43 17l7-6h72l7 6", stroke=EDGE, width=3, cap="round")
    return signs.at(*_middle(at, ways), deck, planks, rails, turn=_across(ways))


def _ford(at: Point, ways: list[int]) -> str:
    stones = "".join(circle(x, y, 2.7, HALO, f'stroke="{RIVER_BANK}" stroke-width="1"') for x, y in _STONES)
    return signs.at(*_middle(at, ways), stones, turn=_across(ways))


def waters(grid: Grid, ground: dict[str, set[Ground]]) -> str:
    """Broad water where nobody wades, a narrow stream where one may; bridges over either."""
    wet = {hex for hex, found in ground.items() if found & WATER}
    deep, shallow, over = [], [], []
    for hex in sorted(wet):
        ways, at = _exits(grid, hex, wet), grid.centres[hex]
        if "ford" in ground[hex]:
            shallow.append(_bed(grid, hex, ways))
            over.append(_ford(at, ways))
        else:
            deep.append(_bed(grid, hex, ways))
        if "bridge" in ground[hex]:
            over.append(_bridge(at, ways))
    river, stream = "".join(deep), "".join(shallow)
    return "".join(
        (
            path(stream, stroke=RIVER_BANK, width=17, cap="round"),
            path(river, stroke=RIVER_BANK, width=36, cap="round"),
            path(stream, stroke="#a9c8d2", width=13, cap="round"),
            path(river, stroke=RIVER_WATER, width=31, cap="round"),
            path(river, stroke="#a5c4d2", width=15, cap="round"),
            *over,
        )
    )
