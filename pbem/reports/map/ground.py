"""The land: everything on the map that no turn changes, in the order in which it is painted."""

from __future__ import annotations

import math
from functools import lru_cache
from random import Random

from . import signs
from .board import Board
from .geometry import Box, Point, around, crossings, inside, length, walk
from .ink import escape, group, line, num, path, rect, text, width
from .style import (
    AREA_LINE,
    BOLD,
    CITY_SIZE,
    DISTRICT,
    DISTRICT_LINE,
    HALO,
    INK,
    MEADOWS,
    NAME_HALO,
    NAME_SIZE,
    REGULAR,
    RELIEF,
    RIVER,
    RIVER_NAME,
    ROOF,
    ROOF_EDGE,
    SEMIBOLD,
    TERRAIN,
    TUFT,
)

_GREAT_RIVER = 1
_BANK = 8.0
"""How far from the middle of a river its name runs."""


def name_size(board: Board, name: str) -> float:
    return CITY_SIZE if name == board.walled else NAME_SIZE


def label_box(board: Board, name: str, k: float = 1.0) -> Box:
    """The box that an area's printed name fills."""
    area, size = board.areas[name], name_size(board, name) * k
    weight = BOLD if name == board.walled else SEMIBOLD
    spacing = 1.5 * k if name == board.walled else 0.0
    wide = max(width(words, size, weight, spacing=spacing) for words in area.lines)
    return around(*area.label, wide + 4 * k, size * 0.98 * len(area.lines))


def city_box(board: Board, name: str) -> Box | None:
    """The box that an area's houses fill."""
    city = board.areas[name].city
    if city is None:
        return None
    side = 76 if name == board.walled else 27
    return around(*city, side, side)


def obstacles(board: Board) -> list[Box]:
    """Names and villages, which signs of the terrain keep clear of."""
    boxes = [label_box(board, name) for name in board.areas]
    return boxes + [box for name in board.areas if (box := city_box(board, name)) is not None]


def _clear(boxes: list[Box], x: float, y: float, room: float) -> bool:
    return not any(b[0] - room < x < b[2] + room and b[1] - room < y < b[3] + room for b in boxes)


def _tints(board: Board) -> str:
    """One path for each terrain, so that no seam shows between areas of the same."""
    by_terrain: dict[str, list[str]] = {}
    for area in board.areas.values():
        by_terrain.setdefault(area.terrain, []).append(area.path)
    return "".join(
        path("".join(outlines), TERRAIN[terrain], TERRAIN[terrain], 0.8, extra='fill-rule="evenodd"')
        for terrain, outlines in by_terrain.items()
    )


def _meadows(board: Board) -> str:
    d = "".join(line(river.points) for river in board.shapes.rivers if river.grade == _GREAT_RIVER)
    return "".join(path(d, stroke=colour, width=wide, opacity=o, cap="round") for wide, colour, o in MEADOWS)


def _district_wash(board: Board) -> tuple[str, str]:
    """Hand-coloured limits: a broad stroke on each side, clipped to its district. Gives defs and parts."""
    defs, parts = [], []
    for district, colour in DISTRICT.items():
        members = {name for name, area in board.areas.items() if area.district == district}
        limits = "".join(d for a, b, d in board.shapes.borders if (a in members) != (b in members))
        if not limits:
            continue
        outline = "".join(board.areas[name].path for name in sorted(members))
        defs.append(f'<clipPath id="in-{district}"><path d="{outline}" clip-rule="evenodd"/></clipPath>')
        wash = path(limits, stroke=colour, width=21, extra='stroke-opacity=".36"')
        parts.append(group(f'clip-path="url(#in-{district})"', [wash]))
    return "".join(defs), "".join(parts)


def _tufts(board: Board, boxes: list[Box], chance: Random) -> str:
    found = []
    for river in board.shapes.rivers:
        if river.grade != _GREAT_RIVER:
            continue
        for i, ((x, y), (ux, uy)) in enumerate(walk(river.points, 19)):
            off = chance.uniform(11, 27) * (1 if i % 2 else -1)
            px, py = x - uy * off, y + ux * off
            if _clear(boxes, px, py, 5):
                found.append(signs.tuft(px, py))
    return path("".join(found), stroke=TUFT, width=1.1, opacity=0.8, cap="round")


def _fits(outline: list[list[Point]], x: float, y: float, r: float) -> bool:
    return all(inside(outline, x + dx, y + dy) for dx, dy in ((-r, 0), (r, 0), (0, -r), (0, r)))


def _fields(board: Board, boxes: list[Box], chance: Random) -> str:
    found: list[str] = []
    boxes = list(boxes)
    for name, area in board.areas.items():
        if area.terrain != "plain":
            continue
        x0, y0, x1, y1 = area.bbox
        for _ in range(int((x1 - x0) * (y1 - y0) / 5200)):
            x, y, turn = chance.uniform(x0, x1), chance.uniform(y0, y1), chance.choice((0, 25, -30, 60))
            if _clear(boxes, x, y, 16) and _fits(board.outlines[name], x, y, 15):
                found.append(signs.field(x, y, turn))
                boxes.append(around(x, y, 24, 24))
    return group('stroke-opacity=".62"', [signs.fields(found)])


def _scatter(board: Board, boxes: list[Box], chance: Random, name: str) -> list[tuple[float, float, float]]:
    """Places for signs in an area, on a shaken grid, as (x, y, size)."""
    x0, y0, x1, y1 = board.areas[name].bbox
    gap, size, room = 25.0, 1.55, 10.85
    found = []
    for row in range(int((y1 - y0) / (gap * 0.82)) + 1):
        y = y0 + gap / 2 + row * gap * 0.82
        for column in range(int((x1 - x0) / gap) + 1):
            x = x0 + gap / 2 + (row % 2) * gap / 2 + column * gap
            px, py = x + chance.uniform(-0.28, 0.28) * gap, y + chance.uniform(-0.28, 0.28) * gap
            if _clear(boxes, px, py, room * 0.9) and _fits(board.outlines[name], px, py, room):
                found.append((px, py, size * chance.uniform(0.85, 1.15)))
    return found


def _relief(board: Board, boxes: list[Box], chance: Random) -> str:
    forests, heights = [], []
    for name, area in board.areas.items():
        if area.terrain == "forest":
            forests += _scatter(board, boxes, chance, name)
        elif area.terrain == "hill":
            heights += _scatter(board, boxes, chance, name)
    return group('stroke-opacity=".72"', [signs.hills(heights), signs.trees(forests)])


def _crests(board: Board, chance: Random) -> str:
    """Hachures on both sides of each crest, shorter towards its ends."""
    step, strokes = 4.2, []
    for crest in board.shapes.ranges:
        count = max(1, int(length(crest.points) / step))
        for i, ((x, y), (ux, uy)) in enumerate(walk(crest.points, step)):
            reach = 13 * min(1, 0.35 + 5 * min(i, count - i) / count) * chance.uniform(0.65, 1.1)
            for side in (-1, 1):
                dx, dy = -side * uy * reach + ux * 0.35 * reach, side * ux * reach + uy * 0.35 * reach
                strokes.append(f"M{num(x - side * uy * 1.1)} {num(y + side * ux * 1.1)}l{num(dx)} {num(dy)}")
    return path("".join(strokes), stroke=RELIEF, width=1.05, opacity=0.8, cap="round")


def _waters(board: Board) -> str:
    brooks = "".join(line(river.points) for river in board.shapes.rivers if river.grade != _GREAT_RIVER)
    rivers = "".join(line(river.points) for river in board.shapes.rivers if river.grade == _GREAT_RIVER)
    return path(brooks, stroke=RIVER, width=2, opacity=0.85, cap="round") + signs.water(rivers)


def _roads(board: Board) -> str:
    parts = [signs.road("".join(line(road.points) for road in board.shapes.roads))]
    for road in board.shapes.roads:
        for river in board.shapes.rivers:
            if river.grade == _GREAT_RIVER:
                parts += [signs.bridge(*place, turn) for place, turn in crossings(road.points, river.points)]
    return "".join(parts)


def _borders(board: Board) -> str:
    within: list[str] = []
    between: list[str] = []
    for a, b, d in board.shapes.borders:
        (within if board.areas[a].district == board.areas[b].district else between).append(d)
    return path("".join(within), stroke=AREA_LINE, width=2.3, dash="8 4") + path(
        "".join(between), stroke=DISTRICT_LINE, width=3.6, opacity=0.92, cap="round"
    )


def houses_of(board: Board, name: str) -> str:
    """The village of an area, or the walled town; nothing where there are no houses."""
    city, town = board.areas[name].city, board.shapes.town
    if name != board.walled or town is None:
        return signs.village(*city, seed=sum(map(ord, name))) if city is not None else ""
    parts = [
        path(town.wall, stroke="#a9bb86", width=17),
        path(town.wall, "#efe3c8", INK, 3.2),
        path(town.wall, stroke="#e6d2a6"),
        path(town.blocks, ROOF, ROOF_EDGE, 0.9),
    ]
    return "".join(parts + [rect(x - 3.6, y - 3.6, 7.2, 7.2, INK) for _, (x, y) in town.gates])


@lru_cache(4)
def land(board: Board) -> tuple[str, str]:
    """All of the map that has no letters, as (defs, parts)."""
    boxes, chance = obstacles(board), Random(1813)
    defs, wash = _district_wash(board)
    parts = [
        _tints(board),
        _meadows(board),
        wash,
        _tufts(board, boxes, chance),
        _fields(board, boxes, chance),
        _relief(board, boxes, chance),
        _crests(board, chance),
        _waters(board),
        _roads(board),
        _borders(board),
        "".join(houses_of(board, name) for name in board.areas),
    ]
    return defs, "".join(parts)


def _river_stretch(
    board: Board, points: tuple[Point, ...], need: float, boxes: list[Box]
) -> list[Point] | None:
    """The straightest stretch, clear of names, on which a river's name has room."""
    total = length(points)
    best: tuple[float, list[Point]] | None = None
    for percent in range(10, 90, 2):
        start = total * percent / 100 - need / 2
        if start < 0 or start + need > total:
            continue
        stretch = [place for place, _ in walk(points, 4, start)][: max(2, int(need / 4) + 1)]
        bend = length(stretch) / max(1.0, math.dist(stretch[0], stretch[-1]))
        free = sum(_clear(boxes, x, y - 2, 8) for x, y in stretch) / len(stretch)
        score = free - 1.5 * (bend - 1)
        if best is None or score > best[0]:
            best = (score, stretch)
    if best is None or best[0] < 0.72:
        return None
    found = best[1] if best[1][0][0] <= best[1][-1][0] else best[1][::-1]
    last = len(found) - 1
    smooth = []
    for i in range(len(found)):
        near = [found[min(last, max(0, i + d))] for d in range(-3, 4)]
        ux, uy = near[-1][0] - near[0][0], near[-1][1] - near[0][1]
        bank = _BANK / max(1.0, math.hypot(ux, uy))
        smooth.append((sum(x for x, _ in near) / 7 + uy * bank, sum(y for _, y in near) / 7 - ux * bank))
    return smooth


def _river_names(board: Board, k: float) -> tuple[str, str]:
    defs, parts = [], []
    boxes, size = obstacles(board), 15.5 * k
    for i, river in enumerate(board.shapes.rivers):
        if river.grade != _GREAT_RIVER:
            continue
        need = width(river.name, size, REGULAR, italic=True, spacing=1.2) + 8
        stretch = _river_stretch(board, river.points, need, boxes)
        if stretch is None:
            continue
        defs.append(f'<path id="river-{i}" d="{line(stretch)}"/>')
        letters = f'<textPath href="#river-{i}" startOffset="50%">{escape(river.name)}</textPath></text>'
        face = f'font-size="{num(size)}" font-style="italic" letter-spacing="1.2" text-anchor="middle"'
        halo = f'fill="none" stroke="{HALO}" stroke-opacity=".8" stroke-width="{num(2.6 * k)}"'
        # Along a path each letter would lay its halo over the one before: first all halos, then letters.
        parts.append(f'<text {face} {halo}>{letters}<text {face} fill="{RIVER_NAME}">{letters}')
    return "".join(defs), "".join(parts)


def area_name(board: Board, name: str, k: float) -> str:
    """The printed name of an area."""
    area = board.areas[name]
    walled = name == board.walled
    size = name_size(board, name) * k
    top = area.label[1] - size * 1.02 * (len(area.lines) - 1) / 2 + size * 0.34
    return "".join(
        text(
            area.label[0],
            top + i * size * 1.02,
            words,
            size,
            BOLD if walled else SEMIBOLD,
            spacing=1.5 * k if walled else 0.0,
            halo=HALO,
            halo_width=NAME_HALO * k,
        )
        for i, words in enumerate(area.lines)
    )


@lru_cache(16)
def names(board: Board, k: float) -> tuple[str, str]:
    """All letters on the map, `k` times their usual size, as (defs, parts)."""
    defs, rivers = _river_names(board, k)
    parts = [rivers]
    for crest in board.shapes.ranges:
        x, y = crest.points[len(crest.points) // 2]
        parts.append(
            text(
                x, y + 27, crest.name, 13 * k, REGULAR, "#6d5530", italic=True, halo=HALO, halo_width=2.4 * k
            )
        )
    parts += [area_name(board, name, k) for name in board.areas]
    return defs, "".join(parts)
