"""Names printed on the map: of areas, of seas, and along the rivers; and the room that they take."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

from pbem.reports.map.board import Board, River
from pbem.reports.map.paint.geometry import Box, Point, around, length, walk
from pbem.reports.map.paint.ink import escape, line, num, text, width
from pbem.reports.map.paint.style import (
    AREA_NAME,
    BOLD,
    CITY_SIZE,
    HALO,
    INK,
    NAME_HALO,
    NAME_SIZE,
    POOR_NAME,
    RANK_SIZE,
    REGULAR,
    RIVER_NAME,
    SEA,
    SEA_INK,
    SEMIBOLD,
)


class Face(NamedTuple):
    """How an area's name is set, on a sheet whose letters have their usual size."""

    size: float
    weight: int = SEMIBOLD
    fill: str = INK
    italic: bool = False
    spacing: float = 0.0
    halo: str = HALO
    halo_width: float = NAME_HALO


def face(board: Board, name: str) -> Face:
    if board.is_sea(name):
        return Face(board.areas[name].size / board.k, REGULAR, SEA_INK, True, 1.0, SEA, 3.9)
    if board.atlas is None:
        return Face(CITY_SIZE, BOLD, spacing=1.5) if name == board.walled else Face(NAME_SIZE)
    site = board.atlas.sites[name]
    size, plain = RANK_SIZE[site.rank], site.rank == "none"
    ink = POOR_NAME if site.poor else AREA_NAME if plain else INK
    weight = BOLD if site.rank == "capital" else REGULAR if plain else SEMIBOLD
    return Face(size, weight, ink, italic=plain, halo_width=4.2)


def label_at(board: Board, name: str, k: float) -> Point:
    """The middle of a name: smaller letters draw nearer to their town."""
    area = board.areas[name]
    if area.city is None or board.atlas is None:
        return area.label
    (x, y), near = area.city, k / board.k
    return (x + (area.label[0] - x) * near, y + (area.label[1] - y) * near)


def label_box(board: Board, name: str, k: float = 1.0) -> Box:
    """The box that an area's printed name fills."""
    area, own = board.areas[name], face(board, name)
    size = own.size * k
    wide = max(width(words, size, own.weight, own.italic, own.spacing * k) for words in area.lines)
    return around(*label_at(board, name, k), wide + 4 * k, size * 0.98 * len(area.lines))


def city_box(board: Board, name: str, k: float = 1.0) -> Box | None:
    """The box that an area's houses fill."""
    city = board.areas[name].city
    if city is None:
        return None
    if board.atlas is not None:
        site = board.atlas.sites.get(name)
        return around(*city, 29 * k, 29 * k) if site is not None else None
    side = 76 if name == board.walled else 27
    return around(*city, side, side)


def obstacles(board: Board) -> list[Box]:
    """Names and towns, which signs of the terrain keep clear of."""
    k = board.k
    boxes = [label_box(board, name, k) for name in board.areas]
    return boxes + [box for name in board.areas if (box := city_box(board, name, k)) is not None]


def clear(boxes: Iterable[Box], x: float, y: float, room: float) -> bool:
    """Whether a point is farther than `room` from all boxes."""
    return not any(b[0] - room < x < b[2] + room and b[1] - room < y < b[3] + room for b in boxes)


def area_name(board: Board, name: str, k: float, at: Point | None = None) -> str:
    """The printed name of an area, in its place or elsewhere."""
    area, own = board.areas[name], face(board, name)
    size = own.size * k
    x, middle = at or label_at(board, name, k)
    top = middle - size * 1.02 * (len(area.lines) - 1) / 2 + size * 0.34
    return "".join(
        text(
            x,
            top + i * size * 1.02,
            words,
            size,
            own.weight,
            own.fill,
            italic=own.italic,
            spacing=own.spacing * k,
            halo=own.halo,
            halo_width=own.halo_width * k,
        )
        for i, words in enumerate(area.lines)
    )


def _stretch(points: tuple[Point, ...], need: float, boxes: list[Box], bank: float) -> list[Point] | None:
    """The straightest stretch, clear of names, on which a river's name has room."""
    total = length(points)
    best: tuple[float, list[Point]] | None = None
    for percent in range(10, 90, 2):
        start = total * percent / 100 - need / 2
        if start < 0 or start + need > total:
            continue
        stretch = [place for place, _ in walk(points, 4, start)][: max(2, int(need / 4) + 1)]
        bend = length(stretch) / max(1.0, math.dist(stretch[0], stretch[-1]))
        free = sum(clear(boxes, x, y - 2, bank) for x, y in stretch) / len(stretch)
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
        aside = bank / max(1.0, math.hypot(ux, uy))
        smooth.append((sum(x for x, _ in near) / 7 + uy * aside, sum(y for _, y in near) / 7 - ux * aside))
    return smooth


def river_names(
    rivers: Iterable[River], boxes: list[Box], size: float, k: float, bank: float = 8.0
) -> tuple[str, str]:
    """Names that run along the rivers, `bank` from their middle, as (defs, parts)."""
    defs, parts = [], []
    for i, river in enumerate(rivers):
        need = width(river.name, size * k, REGULAR, italic=True, spacing=1.2) + 8
        stretch = _stretch(river.points, need, boxes, bank)
        if stretch is None:
            continue
        defs.append(f'<path id="river-{i}" d="{line(stretch)}"/>')
        letters = f'<textPath href="#river-{i}" startOffset="50%">{escape(river.name)}</textPath></text>'
        own = f'font-size="{num(size * k)}" font-style="italic" letter-spacing="1.2" text-anchor="middle"'
        halo = f'fill="none" stroke="{HALO}" stroke-opacity=".8" stroke-width="{num(2.6 * k)}"'
        # Along a path each letter would lay its halo over the one before: first all halos, then letters.
        parts.append(f'<text {own} {halo}>{letters}<text {own} fill="{RIVER_NAME}">{letters}')
    return "".join(defs), "".join(parts)
