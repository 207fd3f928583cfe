"""What lies on a map of countries beside the counters: sieges, depots, pennants, badges, moorings."""

from __future__ import annotations

import math

from pbem.kernel.drawing import Counter, Depot, Fleet, Tint
from pbem.reports.map.marks import signs
from pbem.reports.map.paint.geometry import Box, Point, leave
from pbem.reports.map.paint.ink import circle, group, line, num, path, rect, text
from pbem.reports.map.paint.style import BLACK, BLOOD, BOLD, CLOTH, EDGE, FORT, GOLD, HALO, INK, PORT

SIEGE, DEPOT = 23.0, 29.0
"""The radius of the trenches round a fortress, and the breadth of a depot."""
AFLOAT = 0.84
"""How large the counter of a fleet is beside that of an army."""


def ships(mark: Fleet) -> Counter:
    """A fleet as a counter with a hull on it."""
    return Counter(mark.area, mark.tint, mark.value, mark.name, "fleet", depth=mark.depth, faded=mark.faded)


def trenches(tint: Tint, k: float) -> str:
    """A ring of saps that look at the town, about the origin."""
    cloth, radius = CLOTH[tint], SIEGE * k
    light = cloth.ink != "#ffffff"
    ring = "".join(
        f"M{num(x1)} {num(y1)}L{num(x2)} {num(y2)}"
        for x1, y1, x2, y2 in _rays(radius * 0.7, radius * 0.98, 14)
    )
    under, over = (EDGE, cloth.fill) if light else (HALO, cloth.fill)
    parts = []
    for colour, more in ((under, 3.0), (over, 0.0)):
        edge = f'stroke="{colour}" stroke-width="{num((3.4 + more) * k)}"'
        parts.append(circle(0, 0, radius, "none", edge))
        parts.append(path(ring, stroke=colour, width=(2.6 + more * 0.8) * k))
    return "".join(parts)


def _rays(inner: float, outer: float, count: int) -> list[tuple[float, float, float, float]]:
    turns = [(math.cos(2 * math.pi * i / count), math.sin(2 * math.pi * i / count)) for i in range(count)]
    return [(c * inner, s * inner, c * outer, s * outer) for c, s in turns]


def depot(mark: Depot, k: float) -> str:
    """Barrels under a roof, or on a wagon when it can move; about the origin."""
    cloth = CLOTH[mark.tint]
    edge = f'stroke="{EDGE}" stroke-width="1.5"'
    if mark.mobile:
        body = path("M-12-7q12-7 24 0v10h-24z", cloth.fill, EDGE, 1.5)
        wheels = "".join(circle(x, 5.6, 3.6, HALO, edge) for x in (-7, 7))
        parts = body + wheels
    else:
        parts = path("M-13-3L0-10.5 13-3V8.5H-13z", cloth.fill, EDGE, 1.5)
        parts += rect(-3, 1.5, 6, 7, EDGE) if mark.count == 1 else ""
    if mark.count > 1:
        parts += text(0, 3.4 if mark.mobile else 6.4, str(mark.count), 12, BLACK, cloth.ink)
    halo = path("M-13-4Q0-16 13-4V10H-13z", HALO, HALO, 3, 0.85)
    return group(f'transform="scale({k:.3g})"', [halo, parts])


def pennant(tint: Tint, k: float) -> str:
    """A small flag on a staff that stands on the origin."""
    cloth = CLOTH[tint]
    staff = path("M0 0V-25", stroke=HALO, width=4.4, cap="round") + path("M0 0V-25", stroke=EDGE, width=2)
    flag = path("M0.6-25H18L13.4-19.4 18-13.8H.6z", cloth.fill, EDGE, 1.3)
    return group(f'transform="scale({k:.3g})"', [staff, flag])


def badge(level: int, k: float) -> str:
    """The level of a fortress on a small shield, about the origin."""
    shield = path("M-7-8H7V1Q7 7 0 10-7 7-7 1z", FORT if level else HALO, HALO if level else FORT, 1.8)
    ink = HALO if level else BLOOD
    return group(f'transform="scale({k:.3g})"', [shield, text(0, 4.6, str(level), 13, BOLD, ink)])


def hatching(tint: Tint, outline: str, k: float) -> str:
    """An area under strokes of a power's colour."""
    colour, side = CLOTH[tint].wash, num(14 * k)
    lines = f'<path d="M0 0V{side}" stroke="{colour}" stroke-width="{num(11 * k)}" stroke-opacity=".85"/>'
    pattern = (
        f'<pattern id="held-{tint}" width="{side}" height="{side}" patternUnits="userSpaceOnUse"'
        f' patternTransform="rotate(40)">{lines}</pattern>'
    )
    return f"<defs>{pattern}</defs>" + path(
        outline, f"url(#held-{tint})", colour, 3 * k, extra='fill-rule="evenodd"'
    )


def mooring(box: Box, port: Point, blockade: bool, k: float) -> str:
    """The cable of a fleet to its port; before a blockaded one a chain, and a box round the fleet."""
    away = leave(box, port)
    way = line([away, port])
    parts = [path(way, stroke=HALO, width=5 * k, cap="round")]
    if blockade:
        parts.append(path(way, stroke=BLOOD, width=2.6 * k, dash=f"{num(5 * k)} {num(3 * k)}"))
        x, y, wide, high = box[0] - 4 * k, box[1] - 4 * k, box[2] - box[0] + 8 * k, box[3] - box[1] + 8 * k
        dash = f'stroke-dasharray="{num(7 * k)} {num(3.4 * k)}"'
        parts.append(rect(x, y, wide, high, HALO, 'fill-opacity=".55"', 5 * k))
        edge = f'stroke="{BLOOD}" stroke-width="{num(2.8 * k)}" {dash}'
        parts.append(rect(x, y, wide, high, "none", edge, 5 * k))
    else:
        parts.append(path(way, stroke=PORT, width=2.2 * k))
    parts.append(circle(*port, 3.4 * k, GOLD if not blockade else BLOOD, f'stroke="{INK}"'))
    return "".join(parts)


def cross(x: float, y: float, k: float) -> str:
    """Where a line is cut."""
    bars = "M-8-8L8 8M-8 8L8-8"
    parts = path(bars, stroke=HALO, width=7, cap="round") + path(bars, stroke=BLOOD, width=4, cap="round")
    return signs.at(x, y, parts, scale=k)
