"""What stands beside and under the map: title, scores, panels, and the time track."""

from __future__ import annotations

from pbem.kernel.drawing import Drawing, Lang, Marker, Panel, Row, Score, Track
from pbem.reports.map.marks import pieces, signs
from pbem.reports.map.paint.ink import circle, fitted, group, num, path, rect, text, width, wrapped
from pbem.reports.map.paint.style import (
    BLACK,
    BLOOD,
    BOLD,
    CLOTH,
    EDGE,
    GOLD,
    HALO,
    INK,
    MARKER,
    PAPER,
    REGULAR,
    SEMIBOLD,
    SEPIA,
)
from pbem.reports.map.phrases import phrase

_ROW, _LEAST_ROW, _HEAD = 26.0, 19.0, 34.0


def title(drawing: Drawing, x: float, y: float, wide: float) -> tuple[str, float]:
    """Title and subtitle; gives also where they end."""
    middle = x + wide / 2
    shown, size = fitted(drawing.title, 40, wide - 64, BOLD, least=0.5)
    parts = [text(middle, y + 52, shown, size, BOLD, spacing=size * 0.05)]
    y += 82
    for line in wrapped(drawing.subtitle, 19, wide - 30, 3, italic=True):
        parts.append(text(middle, y, line, 19, REGULAR, SEPIA, italic=True))
        y += 23
    parts.append(signs.ornament(middle, y, wide / 2 - 30))
    return "".join(parts), y + 16


def scores(found: tuple[Score, ...], x: float, y: float, wide: float) -> tuple[str, float]:
    """Each side's points on its own cloth, side by side."""
    if not found:
        return "", y
    shown = found[:4]
    cell = (wide - 28 - 10 * (len(shown) - 1)) / len(shown)
    parts = []
    for i, score in enumerate(shown):
        left, cloth = x + 14 + i * (cell + 10), CLOTH[score.tint]
        label, size = fitted(score.label, 16, cell - 10, SEMIBOLD)
        value, large = fitted(score.value, 38, cell - 12, BLACK, least=0.4)
        parts += [
            rect(left, y, cell, 74, cloth.fill, f'stroke="{EDGE}" stroke-width="1.6"', 4),
            rect(left + 3, y + 3, cell - 6, 68, "none", f'stroke="{GOLD}" stroke-width="1"', 2.5),
            text(left + cell / 2, y + 22, label, size, SEMIBOLD, cloth.ink),
            text(left + cell / 2, y + 61, value, large, BLACK, cloth.ink),
        ]
    return "".join(parts), y + 88


def _row(row: Row, x: float, middle: float, wide: float, high: float) -> str:
    size = min(17.0, high * 0.68)
    left, parts = x + 16, []
    if row.tint is not None:
        mark = Marker("", row.tint, row.label, row.shape)
        parts.append(pieces.marker(left + high * 0.45, middle, mark, high * 0.92 / MARKER))
        left += high + 4
    value = ""
    if row.value:
        value, value_size = fitted(row.value, size, wide * 0.5, BOLD)
        parts.append(text(x + wide - 16, middle + size * 0.34, value, value_size, BOLD, INK, "end"))
    room = x + wide - 16 - left - (width(value, size, BOLD) + 8 if value else 0)
    words, text_size = fitted(row.text, size, room, REGULAR)
    parts.append(text(left, middle + size * 0.34, words, text_size, REGULAR, INK, "start"))
    return group('opacity=".5"', parts) if row.faded else "".join(parts)


def panels(found: tuple[Panel, ...], lang: Lang, x: float, y: float, wide: float, bottom: float) -> str:
    """Panels one under the other; rows draw together, and the last are counted only, when room is short."""
    rows = sum(len(panel.rows) for panel in found)
    if not rows:
        return ""
    room = bottom - y - _HEAD * len(found)
    high = max(_LEAST_ROW, min(_ROW, room / rows))
    parts = []
    for panel in found:
        if y + _HEAD + high > bottom:
            break
        head, size = fitted(panel.title, 15, wide - 32, BOLD)
        parts.append(text(x + 16, y + 22, head.upper(), size, BOLD, SEPIA, "start", spacing=1.2))
        y += _HEAD
        fits = int((bottom - y) / high + 0.001)
        shown = panel.rows if len(panel.rows) <= fits else panel.rows[: max(0, fits - 1)]
        for row in shown:
            parts.append(_row(row, x, y + high / 2 - 3, wide, high))
            y += high
        if len(shown) < len(panel.rows):
            more = phrase(lang, "more").format(count=len(panel.rows) - len(shown))
            parts.append(_row(Row(more), x, y + high / 2 - 3, wide, high))
            y += high
    return "".join(parts)


def track(found: Track, x: float, y: float, wide: float, high: float) -> str:
    """Spaces on a line: small ones between, large ones with their date, swords where a battle is due."""
    head, size = fitted(found.title, 16, 120, BOLD)
    parts = [text(x + 16, y + high / 2 + size * 0.34, head, size, BOLD, SEPIA, "start", spacing=0.6)]
    left = x + 32 + width(head, size, BOLD, spacing=0.6)
    count = len(found.steps)
    if not count:
        return "".join(parts)
    weights = [2.2 if step.label else 1.0 for step in found.steps]
    unit = (x + wide - 14 - left) / sum(weights)
    centres, at = [], left
    for weight in weights:
        centres.append(at + weight * unit / 2)
        at += weight * unit
    current = min(max(found.current, 0), count - 1)
    middle = y + high * 0.57
    parts.append(path(f"M{num(centres[0])} {num(middle)}H{num(centres[-1])}", stroke=SEPIA, width=2))
    reached = f"M{num(centres[0])} {num(middle)}H{num(centres[current])}"
    parts.append(path(reached, stroke=BLOOD, width=5, opacity=0.75))
    small = min(9.0, unit * 0.36)
    for i, (step, cx) in enumerate(zip(found.steps, centres, strict=True)):
        past = i <= current
        if not step.label:
            fill = BLOOD if past else PAPER
            parts.append(circle(cx, middle, small, fill, f'stroke="{SEPIA}" stroke-width="1.4"'))
            continue
        radius = min(19.0, unit * 0.98)
        fill, ink = (BLOOD, HALO) if past else (HALO, INK)
        parts.append(circle(cx, middle, radius, fill, f'stroke="{EDGE}" stroke-width="2"'))
        label, label_size = fitted(step.label, 15, radius * 1.75, BOLD, least=0.5)
        parts.append(text(cx, middle + label_size * 0.35, label, label_size, BOLD, ink))
        above = y + high * 0.22
        if step.battle:
            parts.append(signs.swords(cx + (14 if step.reveal else 0), above, 11))
        if step.reveal:
            flag = cx - (12 if step.battle else 0)
            parts.append(path(f"M{num(flag - 6)} {num(above + 10)}v-19h14l-4 5.5 4 5.5h-14", GOLD, EDGE, 1.4))
    radius = min(19.0, unit * 0.98) if found.steps[current].label else small
    return "".join(parts) + _pointer(centres[current], middle, radius)


def _pointer(x: float, y: float, radius: float) -> str:
    """The time marker: a golden ring, and a hand that points at it from below."""
    ring = circle(x, y, radius + 2.5, "none", f'stroke="{EDGE}" stroke-width="6"')
    gold = circle(x, y, radius + 2.5, "none", f'stroke="{GOLD}" stroke-width="3.6"')
    tip = y + radius + 5
    hand = path(f"M{num(x)} {num(tip)}l-8 11h16z", GOLD, EDGE, 1.4)
    return ring + gold + hand
