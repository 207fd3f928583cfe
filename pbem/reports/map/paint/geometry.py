"""Points, boxes and the relative paths of shapes.json."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

Point = tuple[float, float]
Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""

_NUMBER = re.compile(r"-?(?:\d+\.?\d*|\.\d+)")


def rings(path: str) -> list[list[Point]]:
    """The sub-paths of a path made of one absolute move and relative lines each."""
    found = []
    for part in path.split("M")[1:]:
        values = [float(number) for number in _NUMBER.findall(part)]
        x, y = values[0], values[1]
        ring = [(x, y)]
        for dx, dy in zip(values[2::2], values[3::2], strict=True):
            x, y = x + dx, y + dy
            ring.append((x, y))
        found.append(ring)
    return found


def chained(edges: Iterable[tuple[Point, Point]]) -> list[list[Point]]:
    """Edges joined, head to tail, to lines as long as they go."""
    after: dict[Point, list[Point]] = {}
    before: dict[Point, int] = {}
    for a, b in edges:
        after.setdefault(a, []).append(b)
        before[b] = before.get(b, 0) + 1
    found = []
    # Open lines from where they begin, then what is left: rings, which may begin anywhere.
    for start in [*(a for a in after if len(after[a]) > before.get(a, 0)), *after]:
        while after[start]:
            chain = [start]
            while after.get(chain[-1]):
                chain.append(after[chain[-1]].pop())
            found.append(chain)
    return found


def relative(points: Sequence[Point]) -> str:
    """Path data with one absolute move and relative lines, on the 0.1 grid."""
    tens = [(round(x * 10), round(y * 10)) for x, y in points]
    steps = "".join(f"l{(x - px) / 10:g} {(y - py) / 10:g}" for (px, py), (x, y) in pairwise(tens))
    return f"M{tens[0][0] / 10:g} {tens[0][1] / 10:g}{steps}"


def inside(outline: Sequence[Sequence[Point]], x: float, y: float) -> bool:
    """Whether a point is inside, by the even-odd rule."""
    within = False
    for ring in outline:
        x0, y0 = ring[-1]
        for x1, y1 in ring:
            if (y0 > y) != (y1 > y) and x < x0 + (y - y0) * (x1 - x0) / (y1 - y0):
                within = not within
            x0, y0 = x1, y1
    return within


def length(line: Sequence[Point]) -> float:
    return sum(math.dist(a, b) for a, b in pairwise(line))


def walk(line: Sequence[Point], step: float, start: float = 0.0) -> Iterator[tuple[Point, Point]]:
    """Points every `step` along a line, each with the unit vector of its direction."""
    ahead = start
    for (x0, y0), (x1, y1) in pairwise(line):
        span = math.hypot(x1 - x0, y1 - y0)
        if span < 1e-9:
            continue
        ux, uy = (x1 - x0) / span, (y1 - y0) / span
        while ahead <= span:
            yield (x0 + ux * ahead, y0 + uy * ahead), (ux, uy)
            ahead += step
        ahead -= span


def crossings(line: Sequence[Point], other: Sequence[Point]) -> Iterator[tuple[Point, float]]:
    """Where `line` crosses `other`, with the direction of `line` there in degrees."""

    def side(a: Point, b: Point, p: Point) -> float:
        return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])

    for a, b in pairwise(line):
        for p, q in pairwise(other):
            before, after = side(p, q, a), side(p, q, b)
            if side(a, b, p) * side(a, b, q) < 0 and before * after < 0:
                t = before / (before - after)
                at = (a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t)
                yield at, math.degrees(math.atan2(b[1] - a[1], b[0] - a[0]))


def around(x: float, y: float, width: float, height: float) -> Box:
    """The box of a given size about a point."""
    return (x - width / 2, y - height / 2, x + width / 2, y + height / 2)


def centre(box: Box) -> Point:
    return ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)


def grown(box: Box, by: float) -> Box:
    return (box[0] - by, box[1] - by, box[2] + by, box[3] + by)


def overlap(a: Box, b: Box) -> float:
    """The area that two boxes share."""
    if a[0] >= b[2] or b[0] >= a[2] or a[1] >= b[3] or b[1] >= a[3]:
        return 0.0
    return (min(a[2], b[2]) - max(a[0], b[0])) * (min(a[3], b[3]) - max(a[1], b[1]))


def union(boxes: Sequence[Box]) -> Box:
    return (
        min(b[0] for b in boxes),
        min(b[1] for b in boxes),
        max(b[2] for b in boxes),
        max(b[3] for b in boxes),
    )


def hull(points: Sequence[Point]) -> Box:
    """The smallest box round some points."""
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return (min(xs), min(ys), max(xs), max(ys))


def touches(a: Box, b: Box) -> bool:
    """Whether two boxes meet, be it in a line or a point."""
    return a[0] <= b[2] and b[0] <= a[2] and a[1] <= b[3] and b[1] <= a[3]


def leave(box: Box, towards: Point) -> Point:
    """Where the straight way from a box's centre to a point leaves the box; the point itself if inside."""
    x, y = centre(box)
    dx, dy = towards[0] - x, towards[1] - y
    reach = [(box[2] - box[0]) / 2 / abs(dx)] if dx else []
    reach += [(box[3] - box[1]) / 2 / abs(dy)] if dy else []
    t = min([1.0, *reach])
    return (x + dx * t, y + dy * t)
