"""A field of battle: everything on its map that no turn changes, in the order in which it is painted."""

from __future__ import annotations

from functools import lru_cache, partial
from random import Random

from pbem.reports.map.area.scatter import crests, scatter
from pbem.reports.map.board import Board
from pbem.reports.map.marks import signs
from pbem.reports.map.marks.lettering import area_name, clear, obstacles, river_names
from pbem.reports.map.paint.geometry import Box, Point, around, crossings, inside, walk
from pbem.reports.map.paint.ink import group, line, path, rect, text
from pbem.reports.map.paint.style import (
    AREA_LINE,
    DISTRICT,
    DISTRICT_LINE,
    HALO,
    INK,
    MEADOWS,
    REGULAR,
    RIVER,
    ROOF,
    ROOF_EDGE,
    TERRAIN,
    TUFT,
)

_GREAT_RIVER = 1


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
            if clear(boxes, px, py, 5):
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
            if clear(boxes, x, y, 16) and _fits(board.outlines[name], x, y, 15):
                found.append(signs.field(x, y, turn))
                boxes.append(around(x, y, 24, 24))
    return group('stroke-opacity=".62"', [signs.fields(found)])


def _relief(board: Board, boxes: list[Box], chance: Random) -> str:
    forests: list[tuple[float, float, float]] = []
    heights: list[tuple[float, float, float]] = []
    for name, area in board.areas.items():
        into = {"forest": forests, "hill": heights}.get(area.terrain)
        if into is not None:
            into += scatter(area.bbox, partial(_fits, board.outlines[name]), boxes, chance, 25.0, 1.55)
    return group('stroke-opacity=".72"', [signs.hills(heights), signs.trees(forests)])


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
        crests(board.shapes.ranges, chance, 13, 4.2, 0.8),
        _waters(board),
        _roads(board),
        _borders(board),
        "".join(houses_of(board, name) for name in board.areas),
    ]
    return defs, "".join(parts)


@lru_cache(16)
def names(board: Board, k: float) -> tuple[str, str]:
    """All letters on the map, `k` times their usual size, as (defs, parts)."""
    great = (river for river in board.shapes.rivers if river.grade == _GREAT_RIVER)
    defs, rivers = river_names(great, obstacles(board), 15.5, k)
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
