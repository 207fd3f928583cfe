"""Signs of the terrain, scattered over areas and along crests."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random

from pbem.reports.map.board import Line
from pbem.reports.map.marks.lettering import clear
from pbem.reports.map.paint.geometry import Box, length, walk
from pbem.reports.map.paint.ink import num, path
from pbem.reports.map.paint.style import RELIEF

Fits = Callable[[float, float, float], bool]
"""Whether a sign with some room about it lies in its area."""


def scatter(
    box: Box, fits: Fits, boxes: list[Box], chance: Random, gap: float, size: float
) -> list[tuple[float, float, float]]:
    """Places for signs on a shaken grid, as (x, y, size), clear of the given boxes."""
    x0, y0, x1, y1 = box
    room = 7 * size
    found = []
    for row in range(int((y1 - y0) / (gap * 0.82)) + 1):
        y = y0 + gap / 2 + row * gap * 0.82
        for column in range(int((x1 - x0) / gap) + 1):
            x = x0 + gap / 2 + (row % 2) * gap / 2 + column * gap
            px, py = x + chance.uniform(-0.28, 0.28) * gap, y + chance.uniform(-0.28, 0.28) * gap
            if clear(boxes, px, py, room * 0.9) and fits(px, py, room):
                found.append((px, py, size * chance.uniform(0.85, 1.15)))
    return found


def crests(
    ranges: Iterable[Line], chance: Random, reach: float, step: float, opacity: float, pen: float = 1.0
) -> str:
    """Hachures on both sides of each crest, shorter towards its ends."""
    strokes = []
    for crest in ranges:
        count = max(1, int(length(crest.points) / step))
        for i, ((x, y), (ux, uy)) in enumerate(walk(crest.points, step)):
            out = reach * min(1, 0.35 + 5 * min(i, count - i) / count) * chance.uniform(0.65, 1.1)
            for side in (-1, 1):
                dx, dy = -side * uy * out + ux * 0.35 * out, side * ux * out + uy * 0.35 * out
                strokes.append(f"M{num(x - side * uy * 1.1)} {num(y + side * ux * 1.1)}l{num(dx)} {num(dy)}")
    return path("".join(strokes), stroke=RELIEF, width=1.05 * pen, opacity=opacity, cap="round")
