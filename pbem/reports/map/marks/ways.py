"""Lines over several areas: marches, voyages, retreats, lines of supply."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from pbem.kernel.drawing import March, Supply
from pbem.reports.map.board import Board
from pbem.reports.map.countries import tokens
from pbem.reports.map.marks.placing import Places
from pbem.reports.map.paint.geometry import Point, leave, length, walk
from pbem.reports.map.paint.ink import circle, line, num, path
from pbem.reports.map.paint.style import CLOTH, EDGE, HALO

_STEP = 5.0
_HEAD, _BROAD, _TAIL, _NECK = 21.0, 11.0, 2.2, 4.8
"""Length and half breadth of an arrow's head, and half of its breadth at the tail and behind the head."""


def _through(board: Board, name: str) -> Point:
    """Where a way passes through an area."""
    area = board.area(name)
    return area.city if area.city is not None else area.stack


def route(board: Board, mark: March | Supply, places: Places) -> list[Point]:
    """The corners of a way, from the town where it begins to the force at its end."""
    corners = [_through(board, name) for name in mark.path[:-1]]
    last = places.own(mark.path[-1], mark.tint)
    return [*corners, leave(last, corners[-1]) if last else _through(board, mark.path[-1])]


def smooth(corners: Sequence[Point]) -> list[Point]:
    """A soft line through all corners, in short steps. Two corners make a slight bow."""
    if len(corners) == 2:
        (x0, y0), (x1, y1) = corners
        bow = min(26.0, math.dist(*corners) * 0.13) / (math.dist(*corners) or 1.0)
        middle = ((x0 + x1) / 2 + (y1 - y0) * bow, (y0 + y1) / 2 - (x1 - x0) * bow)
        corners = [corners[0], middle, corners[1]]
    held = [corners[0], *corners, corners[-1]]
    found: list[Point] = [corners[0]]
    for a, b, c, d in zip(held, held[1:], held[2:], held[3:], strict=False):
        count = max(2, int(math.dist(b, c) / _STEP))
        for i in range(1, count + 1):
            t = i / count
            found.append((_spline(a[0], b[0], c[0], d[0], t), _spline(a[1], b[1], c[1], d[1], t)))
    return found


def _spline(a: float, b: float, c: float, d: float, t: float) -> float:
    """Between b and c, with the directions that their neighbours give."""
    return 0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3)


def _beside(way: Sequence[Point], broad: Sequence[float]) -> tuple[list[Point], list[Point]]:
    """The two edges of a ribbon of changing breadth."""
    left, right = [], []
    for i, (x, y) in enumerate(way):
        (ax, ay), (bx, by) = way[max(0, i - 1)], way[min(len(way) - 1, i + 1)]
        span = math.hypot(bx - ax, by - ay) or 1.0
        nx, ny = -(by - ay) / span * broad[i], (bx - ax) / span * broad[i]
        left.append((x + nx, y + ny))
        right.append((x - nx, y - ny))
    return left, right


def march(way: Sequence[Point], mark: March, k: float) -> str:
    """An arrow that grows broader along its way, or a broken one for a retreat."""
    total = length(way)
    if total < 14 * k:
        return ""
    head = min(_HEAD * k, total * 0.4)
    body = [place for place, _ in walk(way, _STEP * k)]
    body = [p for i, p in enumerate(body) if i * _STEP * k <= total - head] or [way[0]]
    (tx, ty), (nx, ny) = way[-1], body[-1]
    span = math.hypot(tx - nx, ty - ny) or 1.0
    ux, uy = (tx - nx) / span, (ty - ny) / span
    cloth = CLOTH[mark.tint]
    edge = HALO if cloth.ink == "#ffffff" else EDGE
    barbs = [(nx - uy * _BROAD * k, ny + ux * _BROAD * k), (nx + uy * _BROAD * k, ny - ux * _BROAD * k)]
    if mark.retreat:
        tip = line([barbs[0], (tx, ty), barbs[1]]) + "z"
        d, dash = line(body), f"{num(11 * k)} {num(6 * k)}"
        return (
            path(d, stroke=edge, width=9.4 * k, dash=dash)
            + path(d, stroke=cloth.fill, width=5.6 * k, dash=dash)
            + path(tip, cloth.fill, edge, 2.2 * k)
        )
    count = max(1, len(body) - 1)
    breadth = [(_TAIL + (_NECK - _TAIL) * i / count) * k for i in range(len(body))]
    left, right = _beside(body, breadth)
    outline = [*left, barbs[0], (tx, ty), barbs[1], *reversed(right)]
    return path(line(outline) + "z", cloth.fill, edge, 2.2 * k, 0.94)


def supply(way: Sequence[Point], mark: Supply, k: float) -> str:
    """Beads on a string, from a ring at the source; a cross where it is cut."""
    fill, d = CLOTH[mark.tint].fill, line(way)
    parts = [
        path(d, stroke=HALO, width=8 * k, opacity=0.75, cap="round"),
        path(d, stroke=EDGE, width=6.6 * k, dash=f"0.1 {num(9 * k)}", cap="round"),
        path(d, stroke=fill, width=4.4 * k, dash=f"0.1 {num(9 * k)}", cap="round"),
        circle(*way[0], 6 * k, HALO, f'stroke="{EDGE}" stroke-width="{num(5 * k)}"'),
        circle(*way[0], 6 * k, "none", f'stroke="{fill}" stroke-width="{num(3.2 * k)}"'),
    ]
    if mark.cut:
        parts.append(tokens.cross(*way[int(len(way) * 0.6)], k))
    return "".join(parts)


def aside(way: Sequence[Point], off: float) -> list[Point]:
    """The points beside the middle of a way, on both hands, for what would hide it."""
    middle = len(way) // 2
    left, right = _beside(way, [off] * len(way))
    return [left[middle], right[middle]]


def thinned(way: Sequence[Point], gap: float = 12.0) -> list[Point]:
    """Some points of a way, near enough to say what it covers."""
    found = [way[0]]
    for _, point in pairwise(way):
        if math.dist(found[-1], point) >= gap:
            found.append(point)
    return [*found, way[-1]]
