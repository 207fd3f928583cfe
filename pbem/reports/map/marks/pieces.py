"""What lies on the map: counters, markers, flags, arrows, battles. Each is drawn about a given place."""

from __future__ import annotations

import math

from pbem.kernel.drawing import Arrow, Counter, Marker, Objective
from pbem.reports.map.marks import signs
from pbem.reports.map.paint.geometry import Box, Point
from pbem.reports.map.paint.ink import circle, fitted, group, num, path, rect, text, width
from pbem.reports.map.paint.style import (
    BLACK,
    BLOOD,
    BOLD,
    CLOTH,
    COUNTER,
    EDGE,
    GOLD,
    HALO,
    INK,
    MARKER,
    PILL,
)

FADED = 0.5
_PILL_TEXT = 15.5
_FLAG_SIDE, _FLAG_HIGH = 23.0, 25.0


def pill_width(words: str, k: float) -> float:
    shown, size = fitted(words, _PILL_TEXT * k, 120 * k, BOLD)
    return max(40 * k, width(shown, size, BOLD) + 16 * k)


def counter_size(counter: Counter, k: float, pill: float = 1.0) -> Point:
    """Width and height of a counter with its pill, whose letters may be larger than the counter asks."""
    side = COUNTER * k
    if not counter.pill:
        return side, side
    return max(side, pill_width(counter.pill, k * pill)), side + PILL * k * pill * 0.86


def _tile(x: float, y: float, counter: Counter, k: float) -> str:
    cloth, side, unit = CLOTH[counter.tint], COUNTER * k, COUNTER * k / 27
    left, top = x - side / 2, y - side / 2
    edge = f'stroke="{EDGE}" stroke-width="{num(1.1 * unit)}"'
    parts = [
        rect(left + i * 2.6 * unit, top - i * 2.6 * unit, side, side, cloth.fill, edge, 2.6 * unit)
        for i in range(min(counter.depth, 4) - 1, 0, -1)
    ]
    parts += [
        rect(left + 1.3 * unit, top + 1.6 * unit, side, side, "#000", 'fill-opacity=".28"', 2.6 * unit),
        rect(left, top, side, side, cloth.fill, edge, 2.6 * unit),
        rect(
            left + 1.6 * unit,
            top + 1.6 * unit,
            side - 3.2 * unit,
            side - 3.2 * unit,
            "none",
            f'stroke="{cloth.ink}" stroke-opacity=".5" stroke-width="{num(0.75 * unit)}"',
            1.6 * unit,
        ),
    ]
    if counter.worn:
        reach = 8.6 * unit
        tip = f"M{num(left + side - 1.2 * unit)} {num(top + 1.2 * unit)}"
        parts.append(path(f"{tip}v{num(reach)}l{num(-reach)} {num(-reach)}z", BLOOD, HALO, 0.7 * unit))
    return "".join(parts) + _print(x, y, counter, unit)


def _print(x: float, y: float, counter: Counter, unit: float) -> str:
    """What is printed on a tile: an arm or small letters above, the value below them."""
    ink = CLOTH[counter.tint].ink
    value, size = fitted(counter.value, 17.5 * unit, 22 * unit, BLACK, least=0.6)
    parts = []
    if counter.arm:
        parts.append(signs.arm(counter.arm, x, y - 6.9 * unit, 0.58 * unit, ink))
    elif counter.title:
        words, small = fitted(counter.title, 7.8 * unit, 23 * unit, BOLD)
        parts.append(text(x, y - 5.2 * unit, words, small, BOLD, ink))
    else:
        size *= 1.15
    low = y + (9.6 * unit if parts else size * 0.34)
    return "".join(parts) + text(x, low, value, size, BLACK, ink)


def pill(x: float, y: float, words: str, fill: str, ink: str, k: float, edge: str = GOLD) -> str:
    """A name in a rounded box, centred on a place."""
    wide, high = pill_width(words, k), PILL * k
    shown, size = fitted(words, _PILL_TEXT * k, 120 * k, BOLD)
    box = rect(
        x - wide / 2, y - high / 2, wide, high, fill, f'stroke="{edge}" stroke-width="{num(2 * k)}"', high / 2
    )
    return box + text(x, y + size * 0.34, shown, size, BOLD, ink)


def counter(x: float, y: float, mark: Counter, k: float, larger: float = 1.0) -> str:
    """A counter whose whole box, pill included, is centred on a place; the pill may be larger."""
    _, high = counter_size(mark, k, larger)
    cloth, top = CLOTH[mark.tint], y - high / 2
    parts = [_tile(x, top + COUNTER * k / 2, mark, k)]
    if mark.pill:
        edge = GOLD if mark.tint not in ("austria", "sweden") else EDGE
        foot = top + high - PILL * k * larger / 2
        parts.append(pill(x, foot, mark.pill, cloth.fill, cloth.ink, k * larger, edge))
    return group(f'opacity="{FADED}"', parts) if mark.faded else "".join(parts)


def marker(x: float, y: float, mark: Marker, k: float) -> str:
    """A disc or a square with two or three letters."""
    cloth, side = CLOTH[mark.tint], MARKER * k * 0.94
    half = side / 2
    edge = f'stroke="{EDGE}" stroke-width="{num(1.8 * k)}"'
    rim = f'stroke="{cloth.ink}" stroke-opacity=".55" stroke-width="{num(1.1 * k)}"'
    if mark.shape == "disc":
        parts = [
            circle(x + 1.6 * k, y + 2 * k, half, "#000", 'fill-opacity=".28"'),
            circle(x, y, half, cloth.fill, edge),
            circle(x, y, half - 2.4 * k, "none", rim),
        ]
    else:
        soft = 3 * k
        parts = [
            rect(x - half + 1.6 * k, y - half + 2 * k, side, side, "#000", 'fill-opacity=".28"', soft),
            rect(x - half, y - half, side, side, cloth.fill, edge, soft),
            rect(
                x - half + 2.4 * k, y - half + 2.4 * k, side - 4.8 * k, side - 4.8 * k, "none", rim, soft / 2
            ),
        ]
    words, size = fitted(mark.label, 17 * k, side - 7 * k, BOLD, least=0.5)
    parts.append(text(x, y + size * 0.35, words, size, BOLD, cloth.ink))
    return group(f'opacity="{FADED}"', parts) if mark.faded else "".join(parts)


def flag_size(mark: Objective, k: float) -> Point:
    return max(1.35, len(mark.stakes)) * _FLAG_SIDE * k, _FLAG_HIGH * k


def flag(box: Box, foot: Point, mark: Objective, k: float) -> str:
    """A flag in its box, on a pole planted at `foot`; each stake is a field of the cloth."""
    left = abs(box[0] - foot[0]) < abs(box[2] - foot[0])
    pole = box[0] if left else box[2]
    high = box[3] - box[1]
    staff = f"M{num(pole)} {num(box[1] - 4 * k)}V{num(box[3])}L{num(foot[0])} {num(foot[1])}"
    parts = [
        path(staff, stroke=HALO, width=5.5 * k, cap="round"),
        path(staff, stroke=EDGE, width=2.8 * k, cap="round"),
    ]
    fields = [(stake.tint, stake.value) for stake in mark.stakes] or [(mark.tint, "")]
    wide = (box[2] - box[0]) / len(fields)
    for i, (tint, value) in enumerate(fields):
        x, cloth = box[0] + i * wide, CLOTH[tint]
        parts.append(rect(x, box[1], wide, high, cloth.fill))
        shown, size = fitted(value, 20 * k, wide - 3 * k, BLACK, least=0.5)
        parts.append(text(x + wide / 2, box[1] + high / 2 + size * 0.34, shown, size, BLACK, cloth.ink))
    border = f'stroke="{GOLD}" stroke-width="{num(2.4 * k)}"'
    dark = f'stroke="{EDGE}" stroke-width="{num(4.6 * k)}"'
    cloth_box = (box[0], box[1], box[2] - box[0], high)
    parts.insert(2, rect(*cloth_box, "none", dark, 1.5 * k))
    parts.append(rect(*cloth_box, "none", border, 1.5 * k))
    parts.append(circle(pole, box[1] - 5 * k, 3.2 * k, GOLD, f'stroke="{EDGE}" stroke-width="{num(k)}"'))
    return "".join(parts)


def _bend(start: Point, end: Point, k: float) -> Point:
    """The point that pulls an arrow out of the straight."""
    span = math.dist(start, end)
    reach = min(26 * k, span * 0.16) / span
    x, y = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
    return (x + (end[1] - start[1]) * reach, y - (end[0] - start[0]) * reach)


def arrow_way(start: Point, end: Point, k: float) -> list[Point]:
    """Points along an arrow."""
    if start == end:
        return [start]
    over = _bend(start, end, k)
    way = []
    for i in range(17):
        t = i / 16
        a, b, c = (1 - t) ** 2, 2 * t * (1 - t), t * t
        way.append((a * start[0] + b * over[0] + c * end[0], a * start[1] + b * over[1] + c * end[1]))
    return way


def arrow(start: Point, end: Point, mark: Arrow, k: float) -> str:
    """A bent arrow with a light edge, thicker towards its head."""
    span = math.dist(start, end)
    if span < 12 * k:
        return ""
    ux, uy = (end[0] - start[0]) / span, (end[1] - start[1]) / span
    over = _bend(start, end, k)
    hx, hy = end[0] - over[0], end[1] - over[1]
    tail = math.hypot(hx, hy)
    hx, hy = hx / tail, hy / tail
    head, half = min(20 * k, span * 0.45), 11 * k
    neck = (end[0] - hx * head, end[1] - hy * head)

    def beside(point: Point, dx: float, dy: float, off: float) -> str:
        return f"{num(point[0] - dy * off)} {num(point[1] + dx * off)}"

    d = (
        f"M{beside(start, ux, uy, 2.2 * k)}Q{beside(over, ux, uy, 3.4 * k)} {beside(neck, hx, hy, 4.6 * k)}"
        f"L{beside(neck, hx, hy, half)}L{num(end[0])} {num(end[1])}L{beside(neck, hx, hy, -half)}"
        f"L{beside(neck, hx, hy, -4.6 * k)}Q{beside(over, ux, uy, -3.4 * k)}"
        f" {beside(start, ux, uy, -2.2 * k)}z"
    )
    cloth = CLOTH[mark.tint]
    edge = EDGE if cloth.ink != "#ffffff" else HALO
    return path(d, cloth.fill, edge, 2.2 * k, 0.94)


def note(x: float, y: float, words: str, edge: str, k: float) -> str:
    """A small label for an arrow or a battle."""
    return pill(x, y, words, HALO, INK, 0.82 * k, edge)


def battle(x: float, y: float, label: str, k: float) -> str:
    parts = [signs.swords(x, y, 19 * k)]
    if label:
        parts.append(note(x, y + 25 * k, label, BLOOD, k))
    return "".join(parts)
