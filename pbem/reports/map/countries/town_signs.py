"""Small drawings for a map of countries: towns, ports, borders in the mountains, poor and marshy ground."""

from __future__ import annotations

import math
from collections.abc import Sequence

from pbem.kernel.drawing import Rank, Site
from pbem.reports.map.marks import signs
from pbem.reports.map.paint.geometry import Point, length, walk
from pbem.reports.map.paint.ink import circle, num, path
from pbem.reports.map.paint.style import (
    CAPITAL,
    FORT,
    FORT_FILL,
    HALO,
    INK,
    KEY,
    MARSH,
    PAPER,
    PORT,
    RIDGE,
    RIDGE_EDGE,
    SAND,
)

_ANCHOR = "M0-3V5M-2.6-.8H2.6M-4.6 2C-4.2 4.6-2 5.4 0 5.6 2 5.4 4.2 4.6 4.6 2"
SIGN = 1.52
"""How much larger than drawn here the signs stand on a sheet."""


def _works(level: int, rank: Rank) -> str:
    """The bastions of a fortress, more of them round a citadel."""
    radius = 8.4 if rank in ("capital", "chief") else 7.4
    rays, inner = (6, 0.66) if level == 1 else (8, 0.72)
    outer = radius if level == 1 else radius * 1.12
    return path(signs.star(0, 0, outer, rays, inner), FORT_FILL[min(level, 2) - 1], FORT, 1.2)


def town(x: float, y: float, site: Site, k: float) -> str:
    """A town about its place: capital, chief town or town, with its works and the star of a key zone."""
    parts = [_works(site.fortress, site.rank)] if site.fortress else []
    edge = f'stroke="{INK}" stroke-width="1.2"'
    if site.rank == "capital":
        parts += [circle(0, 0, 6, PAPER, edge), path(signs.star(0, 0, 5), CAPITAL)]
    elif site.rank == "chief":
        parts += [circle(0, 0, 4.3, PAPER, edge), circle(0, 0, 1.9, INK)]
    else:
        parts.append(circle(0, 0, 3.4, PAPER, edge))
    if site.key:
        parts.append(path(signs.star(7.8, -7.8, 5.4), KEY, INK, 0.8))
    return signs.at(x, y, *parts, scale=SIGN * k)


def anchor(x: float, y: float, k: float) -> str:
    halo = path(_ANCHOR, stroke=HALO, width=3.4, cap="round")
    ring = circle(0, -4.3, 1.4, "none", f'stroke="{PORT}" stroke-width="1.3"')
    return signs.at(x, y, halo, ring, path(_ANCHOR, stroke=PORT, width=1.3, cap="round"), scale=SIGN * k)


def anchor_at(city: Point, port: Point, k: float) -> Point:
    """Where the anchor of a port is drawn: beside the town, towards its water."""
    dx, dy = port[0] - city[0], port[1] - city[1]
    away = math.hypot(dx, dy) or 1.0
    reach = min(max(away, 16 * k), 22 * k)
    return (city[0] + dx / away * reach, city[1] + dy / away * reach)


def _middle(line: Sequence[Point]) -> tuple[Point, float]:
    """The middle of a line, and its direction there in degrees."""
    half = length(line) / 2
    (place, (ux, uy)) = next(iter(walk(line, 1e9, half)))
    return place, math.degrees(math.atan2(uy, ux))


def span(line: Sequence[Point], pen: float = 1.0) -> str:
    """A bridge across the middle of a border."""
    (x, y), turn = _middle(line)
    return signs.at(x, y, signs.bridge(0, 0, 90), scale=0.86 * pen, turn=turn)


def ridge(line: Sequence[Point], pass_: bool = False, pen: float = 1.0) -> str:
    """A border in the mountains: a row of teeth, which a pass opens in the middle."""
    total, teeth = length(line), []
    step, half, high = 5.2 * pen, 2.6 * pen, 6.4 * pen
    for i, ((x, y), (ux, uy)) in enumerate(walk(line, step, 2 * pen)):
        if pass_ and abs(2 * pen + step * i - total / 2) < 9 * pen:
            continue
        teeth.append(
            f"M{num(x - ux * half)} {num(y - uy * half)}L{num(x + uy * high)} {num(y - ux * high)}"
            f"L{num(x + ux * half)} {num(y + uy * half)}z"
        )
    parts = path("".join(teeth), RIDGE, PAPER, 0.5 * pen)
    if pass_:
        (x, y), turn = _middle(line)
        gate = "M-6-6.4q5 6.4 0 12.8M6-6.4q-5 6.4 0 12.8"
        walls = path(gate, stroke=PAPER, width=4.4) + path(gate, stroke=RIDGE_EDGE, width=2.2)
        parts += signs.at(x, y, walls, scale=pen, turn=turn)
    return parts


def marsh(x: float, y: float, k: float) -> str:
    """Path data: reeds over water."""
    strokes = (
        (-6, 2, 5, 0),
        (1, 2, 5, 0),
        (-3, 4.4, 6, 0),
        (-2, 1, 0, -4),
        (-3.4, 1, -1, -3),
        (-0.6, 1, 1, -3),
    )
    return "".join(f"M{num(x + a * k)} {num(y + b * k)}l{num(c * k)} {num(d * k)}" for a, b, c, d in strokes)


def marshes(places: Sequence[tuple[float, float, float]]) -> str:
    return path(
        "".join(marsh(*place) for place in places), stroke=MARSH, width=1.2, opacity=0.85, cap="round"
    )


def sands(places: Sequence[tuple[float, float, float]], pen: float) -> str:
    """Poor ground: pairs of dots."""
    dots = "".join(f"M{num(x)} {num(y)}h.1m{num(4 * pen)} {num(1.6 * pen)}h.1" for x, y, _ in places)
    return path(dots, stroke=SAND, width=2.1 * pen, opacity=0.85, cap="round")
