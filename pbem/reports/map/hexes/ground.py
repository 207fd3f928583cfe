"""The ground of a hex board: tints, relief, woods, houses, works.

Signs stand where a counter leaves them free.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from random import Random

from pbem.kernel.drawing import Ground, HexBoard, HexTerrain
from pbem.reports.map.hexes import water
from pbem.reports.map.hexes.grid import RADIUS, WIDE, Grid, corner, outline, side_middle
from pbem.reports.map.marks import signs
from pbem.reports.map.paint.geometry import Point
from pbem.reports.map.paint.ink import circle, group, num, path, rect, text
from pbem.reports.map.paint.style import (
    BLOOD,
    EDGE,
    FIELD,
    HALO,
    RELIEF,
    ROOF,
    ROOF_EDGE,
    SEMIBOLD,
    SEPIA,
    TERRAIN,
    TREE,
    TUFT,
)

PLAIN, BEYOND = TERRAIN["plain"], "#e4d9bd"
TINTS: dict[Ground, str] = {
    "forest": "#c3cf9c",
    "hill": "#dec393",
    "rugged_hill": "#a98d66",
    "town": "#ecd0b0",
    "windmill": "#ecd0b0",
    "church": "#ecd0b0",
    "marsh": "#cfdccb",
    "sand_quarry": "#ead9a0",
    "river": "#d6e0cf",
    "ford": "#e3e6cd",
    "bridge": "#d6e0cf",
}
HEIGHTS: frozenset[Ground] = frozenset(("hill", "rugged_hill"))
_HEX_LINE, _CRAG, _WORKS, _WALL, _PIT = "#a3906a", "#5f4729", "#6b4a2a", "#f3e6cd", "#8a6a34"
_ROOFS = (
    (-42, -15),
    (42, -13),
    (-42, 10),
    (43, 13),
    (-27, 37),
    (26, 38),
    (0, 47),
    (-6, -12),
    (13, 8),
    (-14, 12),
)
"""Places for houses: the first seven stay in sight when a unit stands in the hex."""


def kinds(grid: Grid) -> dict[str, set[Ground]]:
    """The ground of every hex that is not plain."""
    found: dict[str, set[Ground]] = {}
    for entry in grid.board.terrain:
        found.setdefault(entry.hex, set()).add(entry.kind)
    return found


def tint(entry: set[Ground]) -> str:
    """The colour of a hex with these kinds of ground."""
    return next((TINTS[kind] for kind in TINTS if kind in entry), PLAIN)


def _to(at: Point, dx: float, dy: float) -> str:
    """A point of a path, from a hex's middle."""
    return f"{num(at[0] + dx)} {num(at[1] + dy)}"


def _chance(hex: str) -> Random:
    return Random(f"ground of {hex}")


def _tints(grid: Grid, ground: dict[str, set[Ground]]) -> str:
    """One path for each colour, so that no seam shows between hexes of the same."""
    by_colour: dict[str, list[str]] = {}
    for hex, at in grid.centres.items():
        by_colour.setdefault(tint(ground.get(hex, set())), []).append(outline(at))
    return "".join(path("".join(found), colour, colour, 0.8) for colour, found in by_colour.items())


def _furrows(at: Point, chance: Random) -> str:
    x, y = at[0] + chance.uniform(-12, 12), at[1] + chance.uniform(-6, 14)
    return signs.at(
        x, y, '<path d="M-17-9h34M-17-3h34M-17 3h34M-17 9h34"/>', turn=chance.choice((0, 25, -30, 60))
    )


def _fields(grid: Grid, ground: dict[str, set[Ground]]) -> str:
    """Furrows and tufts of grass on some of the plain."""
    furrows, tufts = [], []
    for hex, at in grid.centres.items():
        chance = _chance(hex)
        if hex in ground:
            continue
        if chance.random() < 0.4:
            furrows.append(_furrows(at, chance))
        else:
            tufts += [
                signs.tuft(at[0] + chance.uniform(-30, 30), at[1] + chance.uniform(-22, 34)) for _ in "123"
            ]
    lines = group(f'fill="none" stroke="{FIELD}" stroke-dasharray="9 3" opacity=".6"', furrows)
    return lines + path("".join(tufts), stroke=TUFT, width=1.2, opacity=0.55, cap="round")


def _slope(at: Point, direction: int, chance: Random, crag: bool) -> str:
    """Hachures down one side of a height."""
    (ax, ay), (bx, by) = corner(direction), corner(direction + 1)
    nx, ny = side_middle(direction, 1.0)
    count, strokes = 15, []
    for i in range(count):
        t = (i + 0.5 + chance.uniform(-0.25, 0.25)) / count
        x, y = at[0] + ax + (bx - ax) * t, at[1] + ay + (by - ay) * t
        reach, foot = chance.uniform(9, 14) * (1.35 if crag else 1.0), chance.uniform(1.5, 4)
        strokes.append(
            f"M{num(x - nx * reach)} {num(y - ny * reach)}L{num(x - nx * foot)} {num(y - ny * foot)}"
        )
    return "".join(strokes)


def _relief(grid: Grid, ground: dict[str, set[Ground]]) -> str:
    """Hachures where a height falls to lower ground, so that joined hills read as one plateau."""
    slopes, crags, peaks, mounds = [], [], [], []
    for hex, found in ground.items():
        if not found & HEIGHTS:
            continue
        chance, at, crag = _chance(hex), grid.centres[hex], "rugged_hill" in found
        x, y = at
        for direction, near in enumerate(grid.around(hex)):
            there = ground.get(near, set()) if near else found
            if crag and "rugged_hill" not in there:
                crags.append(_slope(at, direction, chance, True))
            elif not crag and not there & HEIGHTS:
                slopes.append(_slope(at, direction, chance, False))
        if crag:
            peaks += [_peak((x - 20, y + 2), 3.1), _peak((x + 20, y + 6), 3.4), _peak((x, y + 26), 2.6)]
        else:
            mounds += [(x - 14, y + 4, 2.0), (x + 17, y + 12, 1.7), (x + 2, y + 42, 1.3)]
    low = path(
        "".join(signs.hill(*mound) for mound in mounds), stroke=RELIEF, width=1.5, opacity=0.7, cap="round"
    )
    return (
        low
        + path("".join(slopes), stroke=RELIEF, width=1.7, opacity=0.9, cap="round")
        + path("".join(crags), stroke=_CRAG, width=2.4, cap="round")
        + path("".join(peaks), "#d9c29a", _CRAG, 1.6)
    )


def _peak(at: Point, k: float) -> str:
    """Path data: a rock with its shadow."""
    ridge = "L".join(_to(at, x * k, y * k) for x, y in ((-6, 4), (-1, -5), (1.5, -1.6), (3, -3.4), (7, 4)))
    folds = (((-1, -5), (0.6, 3.4)), ((3, -3.4), (4.6, 3.2)))
    lines = "".join(f"M{_to(at, a * k, b * k)}L{_to(at, c * k, d * k)}" for (a, b), (c, d) in folds)
    return f"M{ridge}{lines}"


def _wood(at: Point, chance: Random) -> list[tuple[float, float, float]]:
    """Trees on a shaken grid, clear of the hex's name at its upper corner."""
    found = []
    for row in range(-2, 4):
        for column in range(-2, 3):
            x = column * 19 + (row % 2) * 9.5 + chance.uniform(-4, 4)
            y = row * 16 + chance.uniform(-3.5, 3.5)
            inside = abs(x) < WIDE / 2 - 8 and abs(y) + abs(x) / math.sqrt(3) < RADIUS - 9
            if inside and not (y < -28 and abs(x) < 20):
                found.append((at[0] + x, at[1] + y, chance.uniform(1.75, 2.25)))
    return found


def _woods(grid: Grid, ground: dict[str, set[Ground]]) -> str:
    places = []
    for hex, found in ground.items():
        if "forest" in found:
            places += _wood(grid.centres[hex], _chance(hex))
    places.sort(key=lambda place: place[1])
    trunks = "".join(signs.tree_trunk(*place) for place in places)
    tops = "".join(path(signs.tree_crown(*place), "#96a566") for place in places)
    return path(trunks, stroke=_CRAG, width=2) + group(
        f'stroke="{TREE}" stroke-width="1.5" stroke-linejoin="round"', [tops]
    )


def _house(x: float, y: float, turn: float, k: float = 1.0) -> str:
    """A house from above: a roof with its ridge and a sunny side."""
    roof = rect(-7.5, -5.5, 15, 11, ROOF, f'stroke="{ROOF_EDGE}" stroke-width="1.3"')
    sunny = rect(-6.9, -4.9, 13.8, 4.9, "#cc7458")
    return signs.at(x, y, roof, sunny, path("M-7.5 0h15", stroke=ROOF_EDGE, width=1), scale=k, turn=turn)


def _town(at: Point, chance: Random) -> str:
    return "".join(_house(at[0] + x, at[1] + y, chance.choice((-18, 0, 12, 90, 75))) for x, y in _ROOFS)


def _mill(x: float, y: float, k: float = 1.0) -> str:
    """A windmill: tower, cap and sails."""
    tower = path("M-6 14L-4-3h8L6 14z", _WALL, EDGE, 1.5) + path("M-5-3Q0-10 5-3z", ROOF, EDGE, 1.3)
    arms = path("M-13-16L13 8M-13 8L13-16", stroke=EDGE, width=1.6)
    sails = path(
        "M-13-16l5-2 6 8-4 4zM13 8l-5 2-6-8 4-4zM-13 8l-2-5 8-6 4 4zM13-16l2 5-8 6-4-4z", HALO, EDGE, 1
    )
    return signs.at(x, y, tower, arms, sails, scale=k)


def _windmill(at: Point, chance: Random) -> str:
    x, y = at
    houses = [
        _house(x + dx, y + dy, chance.choice((0, 15, 90))) for dx, dy in ((-42, 12), (-26, 36), (0, 47))
    ]
    return "".join(houses) + _mill(x + 38, y + 22, 1.1) + _mill(x, y - 2, 1.6)


def _church(at: Point, chance: Random) -> str:
    """A nave with its tower and cross, and a few houses; a small one stays in sight beside a unit."""
    x, y = at
    houses = [
        _house(x + dx, y + dy, chance.choice((0, 15, 90))) for dx, dy in ((42, -13), (43, 13), (26, 38))
    ]
    nave = path("M-4 10V0L6-7 16 0V10z", _WALL, EDGE, 1.4) + path("M-4 0L6-7 16 0", stroke=ROOF, width=2.6)
    tower = path("M-14 10V-8L-9-18-4-8V10z", _WALL, EDGE, 1.4)
    church = nave + tower + path("M-9-18v-8M-12-23h6", stroke=EDGE, width=1.6)
    return (
        "".join(houses) + signs.at(x - 34, y + 30, church, scale=1.1) + signs.at(x, y + 2, church, scale=1.7)
    )


def _marsh(at: Point, chance: Random) -> str:
    reeds = []
    for dx, dy in (
        (-40, -10),
        (40, -6),
        (-38, 16),
        (38, 20),
        (-14, 40),
        (14, 46),
        (-12, -6),
        (14, 8),
        (-6, 18),
    ):
        x, y = at[0] + dx + chance.uniform(-2, 2), at[1] + dy
        reeds.append(
            f"M{num(x - 11)} {num(y + 3)}h22M{num(x - 6)} {num(y + 7)}h12M{num(x)} {num(y + 1)}v-9"
            f"M{num(x - 3)} {num(y + 1)}l-3-7M{num(x + 3)} {num(y + 1)}l3-7"
        )
    return path("".join(reeds), stroke="#5c7f80", width=1.5, cap="round")


def _quarry(at: Point, chance: Random) -> str:
    """A pit: hachures inward from its rim, and sand in it."""
    strokes, reach = [], 46.0
    for i in range(48):
        angle = math.tau * i / 48 + chance.uniform(-0.03, 0.03)
        inner = reach - chance.uniform(7, 12)
        c, s = math.cos(angle), math.sin(angle) * 0.92
        strokes.append(f"M{_to(at, reach * c, reach * s)}L{_to(at, inner * c, inner * s)}")
    rim = f'<ellipse cx="{num(at[0])}" cy="{num(at[1])}" rx="46" ry="42.3" fill="#dcc27c" stroke="{_PIT}"/>'
    grains = "".join(
        circle(at[0] + chance.uniform(-26, 26), at[1] + chance.uniform(-20, 22), 1.4, _PIT) for _ in range(22)
    )
    return rim + path("".join(strokes), stroke=_PIT, width=1.5, cap="round") + grains


_SIGNS: dict[Ground, Callable[[Point, Random], str]] = {
    "town": _town,
    "windmill": _windmill,
    "church": _church,
    "marsh": _marsh,
    "sand_quarry": _quarry,
}


def _signs(grid: Grid, ground: dict[str, set[Ground]]) -> str:
    found = []
    for hex, entry in ground.items():
        found += [draw(grid.centres[hex], _chance(hex)) for kind, draw in _SIGNS.items() if kind in entry]
    return "".join(found)


def works(at: Point, directions: Iterable[int]) -> str:
    """Earthworks along sides of a hex: a rampart with its teeth outward."""
    parts, teeth = [], 6
    for direction in directions:
        (ax, ay), (bx, by) = corner(direction, RADIUS - 7), corner(direction + 1, RADIUS - 7)
        nx, ny = side_middle(direction, 1.0)
        points = [_to(at, bx - nx * 5, by - ny * 5), _to(at, ax - nx * 5, ay - ny * 5)]
        for i in range(2 * teeth + 1):
            t, out = i / (2 * teeth), 6.5 if i % 2 else 0.0
            points.append(_to(at, ax + (bx - ax) * t + nx * out, ay + (by - ay) * t + ny * out))
        parts.append(path("M" + "L".join(points) + "z", _WORKS, HALO, 1.6))
    return "".join(parts)


def _works(grid: Grid, terrain: tuple[HexTerrain, ...]) -> str:
    parts = []
    for entry in terrain:
        if entry.kind == "fieldwork":
            sides = [grid.direction(entry.hex, near) for near in entry.facing]
            parts.append(works(grid.centres[entry.hex], [side for side in sides if side is not None]))
    return "".join(parts)


def _lines(grid: Grid) -> str:
    """The net of hexes, and what lies beyond it."""
    net = "".join(outline(at) for at in grid.centres.values())
    return path(net, stroke=_HEX_LINE, width=1.7)


def _beyond(grid: Grid) -> str:
    left, top, wide, high = grid.field
    hatch = "".join(
        f"M{num(left + x)} {num(top)}l{num(-high)} {num(high)}" for x in range(0, int(wide + high), 11)
    )
    halves = "".join(outline(at) for at in grid.halves)
    return (
        rect(left, top, wide, high, BEYOND)
        + path(hatch, stroke="#cdbd97", width=1.3)
        + path(halves, stroke=_HEX_LINE, width=1.2)
    )


def _sections(grid: Grid) -> str:
    """The dotted lines between the sections, straight through the short rows' hexes."""
    _, top, wide, high = grid.field
    places = [after * WIDE for after in grid.board.sections]
    if grid.board.near == "top":
        places = [wide - x for x in places]
    d = "".join(f"M{num(x)} {num(top + 4)}V{num(top + high - 4)}" for x in places)
    return path(d, stroke=HALO, width=5.4, opacity=0.85, cap="round", dash="1 11") + path(
        d, stroke=BLOOD, width=3.4, opacity=0.95, cap="round", dash="1 11"
    )


def names(grid: Grid) -> str:
    """The name of every hex in its upper corner."""
    return "".join(
        text(x, y - 37, hex, 14.5, SEMIBOLD, SEPIA, halo=HALO, halo_width=2.6)
        for hex, (x, y) in grid.centres.items()
    )


def land(grid: Grid) -> str:
    """All of the board that has no letters."""
    ground = kinds(grid)
    return "".join(
        (
            _beyond(grid),
            _tints(grid, ground),
            _fields(grid, ground),
            _relief(grid, ground),
            _lines(grid),
            water.waters(grid, ground),
            _woods(grid, ground),
            _signs(grid, ground),
            _works(grid, grid.board.terrain),
            _sections(grid),
        )
    )


def swatch(kind: Ground, x: float, y: float, k: float) -> str:
    """A small hex of one kind of ground about a place, for the key."""
    if kind == "fieldwork":
        return signs.at(x, y, works((0, 36), (1, 2)), scale=k * 1.15)
    grid = Grid(HexBoard((HexTerrain("A1", kind),), columns=1, rows=1, sections=()))
    ground, (left, top) = kinds(grid), grid.centres["A1"]
    parts = [
        _tints(grid, ground),
        _relief(grid, ground),
        water.waters(grid, ground),
        _woods(grid, ground),
        _signs(grid, ground),
        path(outline((left, top)), stroke=SEPIA, width=3),
    ]
    return signs.at(x, y, signs.at(-left, -top, *parts), scale=k)
