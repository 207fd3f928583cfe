"""Small drawings: terrain, villages, bridges, the compass rose, swords, arms of service."""

from __future__ import annotations

import math
from random import Random

from pbem.reports.map.paint.ink import circle, group, num, path, rect, text
from pbem.reports.map.paint.style import (
    BLOOD,
    BOLD,
    DISTRICT_LINE,
    EDGE,
    FIELD,
    GOLD,
    HALO,
    INK,
    PAPER,
    REGULAR,
    RELIEF,
    RIVER_BANK,
    RIVER_WATER,
    ROAD,
    ROAD_EDGE,
    ROOF,
    ROOF_EDGE,
    SEPIA,
    TREE,
)

_HOUSES = ((-7, -4), (1, -6), (8, -1), (-4, 4), (5, 6), (-10, 3))


def at(x: float, y: float, *parts: str, scale: float = 1.0, turn: float = 0.0) -> str:
    """Parts drawn about the origin, moved to a place."""
    moved = f"translate({num(x)} {num(y)})"
    if turn:
        moved += f" rotate({num(turn)})"
    if scale != 1.0:
        moved += f" scale({scale:.3g})"
    return group(f'transform="{moved}"', parts)


def star(x: float, y: float, radius: float, rays: int = 5, inner: float = 0.42) -> str:
    """Path data of a star with one ray straight up."""
    corners = []
    for i in range(2 * rays):
        angle = math.radians(180 * i / rays - 90)
        reach = radius if i % 2 == 0 else radius * inner
        corners.append(f"{num(x + reach * math.cos(angle))} {num(y + reach * math.sin(angle))}")
    return "M" + "L".join(corners) + "z"


def hill(x: float, y: float, k: float = 1.0) -> str:
    """Path data: a mound with three hachures."""
    n = [num(v * k) for v in (6, -7, 12, 1, 3, 1.6, 2.6, 0.2)]
    return (
        f"M{num(x - 6 * k)} {num(y + 2 * k)}q{n[0]} {n[1]} {n[2]} 0"
        f"M{num(x - k)} {num(y - 0.6 * k)}l{n[3]} {n[4]}"
        f"M{num(x + 2 * k)} {num(y - 0.4 * k)}l{n[5]} {n[6]}"
        f"M{num(x - 3.4 * k)} {num(y + 0.2 * k)}l{n[7]} {n[6]}"
    )


def tree_trunk(x: float, y: float, k: float = 1.0) -> str:
    return f"M{num(x)} {num(y + 4 * k)}v{num(-2.6 * k)}"


def tree_crown(x: float, y: float, k: float = 1.0) -> str:
    curves = ((-1.6, -2.6, 0.8, -3.4), (0.6, -2.6, 2, -2.4), (1.8, 0, 2, 2.4), (2.4, 0.8, 0.8, 3.4))
    bends = "".join("q" + " ".join(num(v * k) for v in curve) for curve in curves)
    return f"M{num(x - 2.8 * k)} {num(y + 1.2 * k)}{bends}z"


def trees(places: list[tuple[float, float, float]]) -> str:
    """Trees at (x, y, size): tops over trunks, one path each."""
    trunks = "".join(tree_trunk(*place) for place in places)
    tops = "".join(tree_crown(*place) for place in places)
    return path(trunks, stroke=TREE, width=1.4, cap="round") + path(
        tops, TREE, TREE, 1.4, extra='fill-opacity=".38"'
    )


def hills(places: list[tuple[float, float, float]]) -> str:
    return path("".join(hill(*place) for place in places), stroke=RELIEF, width=1.4, cap="round")


def field(x: float, y: float, turn: float) -> str:
    """Four furrows."""
    return at(x, y, '<path d="M-13-7h26M-13-2.4h26M-13 2.4h26M-13 7h26"/>', turn=turn)


def fields(parts: list[str]) -> str:
    return group(f'fill="none" stroke="{FIELD}" stroke-dasharray="7 2.4"', parts)


def tuft(x: float, y: float) -> str:
    """Path data: three blades of meadow grass."""
    return f"M{num(x - 2.6)} {num(y)}l-1.2-4M{num(x)} {num(y)}v-5.4M{num(x + 2.6)} {num(y)}l1.2-4"


def village(x: float, y: float, seed: int) -> str:
    """A few roofs and a church; the seed makes each village its own."""
    chance = Random(seed)
    houses = []
    for dx, dy in _HOUSES[: 4 + seed % 3]:
        turn = chance.choice((-20, 10, 35, 0))
        roof = rect(-3.2, -2.4, 6.4, 4.8, ROOF, f'stroke="{ROOF_EDGE}" stroke-width=".9"')
        houses.append(at(dx, dy, roof, turn=turn))
    return at(x, y, *houses, path("M-1.8 2.4v-7l1.8-5 1.8 5v7z", DISTRICT_LINE))


def bridge(x: float, y: float, turn: float) -> str:
    rails = "M-10.5-6.6l2.6 2.6h15.8l2.6-2.6M-10.5 6.6l2.6-2.6h15.8l2.6 2.6"
    return at(x, y, rect(-8, -3.4, 16, 6.8, ROAD), path(rails, stroke=INK, width=1.7), turn=turn)


def water(d: str) -> str:
    """A great river: banks and water."""
    return path(d, stroke=RIVER_BANK, width=8.4, cap="round") + path(
        d, stroke=RIVER_WATER, width=5.6, cap="round"
    )


def road(d: str) -> str:
    return path(d, stroke=ROAD_EDGE, width=5) + path(d, stroke=ROAD, width=2.7)


def rose(x: float, y: float, radius: float) -> str:
    """The compass rose, each ray half dark and half light."""
    rays = []
    for i in range(8):
        angle = math.radians(45 * i)
        reach, waist = (radius, 0.256) if i % 2 == 0 else (radius * 0.6, 0.176)
        tip = (x + reach * math.sin(angle), y - reach * math.cos(angle))
        for turn, colour in ((-1, INK), (1, PAPER)):
            side = angle + turn * math.pi / 8
            hip = (x + radius * waist * math.sin(side), y - radius * waist * math.cos(side))
            d = f"M{num(x)} {num(y)}L{num(tip[0])} {num(tip[1])}L{num(hip[0])} {num(hip[1])}z"
            rays.append(path(d, colour, INK, 0.6))
    rings = [circle(x, y, radius * r, "none", f'stroke="{INK}" stroke-width=".6"') for r in (0.72, 0.66)]
    return "".join(rings + rays) + text(x, y - radius - 4, "N", radius * 0.38, BOLD)


def scale_bar(x: float, y: float, count: int, km_per_unit: float, size: float, km: int = 1) -> str:
    """A bar of alternating parts, each so many whole kilometres."""
    unit = km / km_per_unit
    parts = [
        rect(x + unit * i, y, unit, 5, INK if i % 2 == 0 else PAPER, f'stroke="{INK}" stroke-width=".8"')
        for i in range(count)
    ]
    for i in range(count + 1):
        label = f"{i * km} km" if i == count else str(i * km)
        parts.append(text(x + unit * i, y - 4, label, size, REGULAR))
    return "".join(parts)


def ornament(x: float, y: float, reach: float) -> str:
    """A rule broken by a small star."""
    rules = f"M{num(x - reach)} {num(y)}h{num(reach - 16)}M{num(x + 16)} {num(y)}h{num(reach - 16)}"
    return path(rules, stroke=SEPIA) + path(star(x, y, 6, 4, 0.4), SEPIA)


def swords(x: float, y: float, radius: float) -> str:
    """Crossed swords on a medallion."""
    sword = path("M-1.5 6V-9.2L0-12l1.5 2.8V6z", HALO, EDGE, 0.5)
    sword += path("M-4.4 5.4h8.8M0 6v5", stroke=GOLD, width=2.4, cap="round")
    pair = at(0, 0, sword, turn=43) + at(0, 0, sword, turn=-43)
    disc = circle(0, 0, 14, BLOOD, f'stroke="{HALO}" stroke-width="1.8"')
    rim = circle(0, 0, 15.2, "none", f'stroke="{EDGE}" stroke-width="1"')
    return at(x, y, disc, rim, pair, scale=radius / 15)


def arm(kind: str, x: float, y: float, k: float, ink: str) -> str:
    """The sign of an arm of service: crossed belts, sabre stroke, cannonball; a hull for a fleet."""
    if kind == "fleet":
        return at(x, y, path("M-8 4H8L6 7.2H-6zM-5 3V-4.2L-.6 3zM.4 3V-6L6 3z", ink), scale=k)
    inner = {
        "infantry": path("M-9-6L9 6M-9 6L9-6", stroke=ink, width=1.7),
        "cavalry": path("M-9 6L9-6", stroke=ink, width=1.7),
        "artillery": circle(0, 0, 3.1, ink),
    }[kind]
    return at(x, y, rect(-9, -6, 18, 12, "none", f'stroke="{ink}" stroke-width="1.7"'), inner, scale=k)
