"""The sheet of a map of countries: the map over the whole breadth, and under it track, panels and key.

The base has three layers, so that the realms in the middle can change: see `countries`.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

from pbem.kernel.drawing import Drawing, Lang, Panel, Wash
from pbem.reports.map.area.legend import panel_box
from pbem.reports.map.area.sheet import Layout, View, neat_lines
from pbem.reports.map.board import Board
from pbem.reports.map.countries import base, key
from pbem.reports.map.marks import margin, overlay, signs
from pbem.reports.map.paint.ink import Piece, fitted, num, path, rect, text, wrapped
from pbem.reports.map.paint.style import BOLD, INK, MARGIN, PAPER, REGULAR, SEPIA

Rect = tuple[float, float, float, float]
"""Left, top, width, height."""
Layer = tuple[str, str]
"""Defs and parts."""

_GAP, _TRACK = 12.0, 84.0
_HEAD, _ROW, _COLUMN, _BROADEST = 44.0, 26.0, 330.0, 640.0
_FINE = 0.62
"""The size of letters under which a drawing is a close-up, with its brooks."""


class Plate(NamedTuple):
    """Where things stand on the sheet."""

    sheet: Rect
    field: Rect
    cartouche: Rect
    track: Rect | None
    panels: Rect | None
    key: Rect


def layout(drawing: Drawing) -> Layout:
    """Room for the panels grows in steps, so that bases can be kept."""
    rows = sum(len(panel.rows) for panel in drawing.panels)
    if not rows:
        return Layout(drawing.track is not None)
    longest = max(len(panel.rows) for panel in drawing.panels)
    heads = len(drawing.panels)
    need = max(longest, -(-(rows + 2 * heads) // 6) - 1)
    return Layout(drawing.track is not None, min(24, -(-need // 2) * 2))


@lru_cache(16)
def plate(board: Board, place: Layout, lang: Lang) -> Plate:
    wide, high = board.shapes.size
    y = high + _GAP
    track = panels = None
    if place.track:
        track = (0.0, y, wide, _TRACK)
        y += _TRACK + _GAP
    if place.rows:
        panels = (0.0, y, wide, _HEAD + _ROW * place.rows)
        y += panels[3] + _GAP
    legend = (0.0, y, wide, key.height(board, lang, wide))
    x0, y0, w, h = max(board.shapes.free, key=lambda free: free[2])
    cartouche = (x0 + 6, y0 + 6, w - 12, h - 12)
    return Plate((0, 0, wide, y + legend[3]), board.shapes.frame, cartouche, track, panels, legend)


def whole(board: Board, place: Layout, lang: Lang) -> View:
    _, _, wide, high = plate(board, place, lang).sheet
    return View(-MARGIN, -MARGIN, wide + 2 * MARGIN, high + 2 * MARGIN, board.k)


def _pen(board: Board, view: View) -> float:
    """How thick lines are: thinner close up, but not as much as letters are smaller."""
    return round(math.pow(view.k / board.k, 0.6), 3)


def under(board: Board, view: View) -> Layer:
    """What lies under the realms."""
    return "", rect(view.left, view.top, view.wide, view.high, PAPER) + base.shore(
        board, view.box(), _pen(board, view)
    )


def realms(board: Board, view: View, washes: tuple[Wash, ...]) -> Layer:
    return base.realms(board, view.box(), _pen(board, view), washes)


def _margin(view: View, field: Rect) -> str:
    """Paper all round the map; a frame laid over it is cheaper to paint than a map cut to measure."""
    outer = f"M{num(view.left)} {num(view.top)}h{num(view.wide)}v{num(view.high)}h{num(-view.wide)}z"
    inner = f"M{num(field[0])} {num(field[1])}h{num(field[2])}v{num(field[3])}h{num(-field[2])}z"
    return path(outer + inner, PAPER, extra='fill-rule="evenodd"')


def over(board: Board, lang: Lang, place: Layout, view: View) -> Layer:
    """Everything above the realms that no turn changes."""
    defs, letters = base.letters(board, lang, view.k, view.box())
    field = base.land(board, view.k < _FINE, view.box(), _pen(board, view)) + letters
    if not view.margins:
        return defs, field
    found = plate(board, place, lang)
    parts = [
        field,
        _margin(view, found.field),
        rect(*found.field, "none", f'stroke="{INK}" stroke-width="2.4"'),
    ]
    parts += [panel_box(*box) for box in (found.cartouche, found.track, found.panels, found.key) if box]
    x, y, wide, high = found.cartouche
    km = base.atlas_of(board).chart.scale_km
    bar = km / board.shapes.projection.km_per_unit
    if wide > 800:
        parts.append(signs.rose(x + wide - 52, y + high / 2 + 7, high * 0.33))
        parts.append(
            signs.scale_bar(
                x + wide - 130 - bar, y + high - 26, 4, board.shapes.projection.km_per_unit, 15, km // 4
            )
        )
    x, y, wide, _ = found.key
    return defs, "".join([*parts, key.draw(board, lang, x, y, wide), neat_lines(*found.sheet)])


def _title(drawing: Drawing, box: Rect) -> tuple[Piece, Rect]:
    """Title and subtitle in the cartouche; gives also what they leave free."""
    x, y, wide, high = box
    own = wide if wide <= 800 else wide * 0.36
    shown, size = fitted(drawing.title, 32, own - 30, BOLD, least=0.5)
    lines = wrapped(drawing.subtitle, 19, own - 30, 2, italic=True)
    first = y + (high - size - 23 * len(lines)) / 2 + size * 0.8
    parts = [text(x + own / 2, first, shown, size, BOLD, spacing=size * 0.02)]
    for i, line in enumerate(lines):
        parts.append(text(x + own / 2, first + 26 + 23 * i, line, 19, REGULAR, SEPIA, italic=True))
    return Piece("".join(parts), (x, y, x + own, y + high)), (x + own, y, wide - own - 420, high)


def _columns(panels: tuple[Panel, ...], rows: int, most: int) -> list[list[Panel]]:
    """Panels shared out over columns, one under the other where there is room."""
    columns: list[list[Panel]] = []
    for panel in panels:
        used = sum(len(other.rows) + 2 for other in columns[-1]) if columns else rows
        if columns and (used + len(panel.rows) <= rows or len(columns) >= most):
            columns[-1].append(panel)
        else:
            columns.append([panel])
    return columns


def position(board: Board, drawing: Drawing, view: View) -> list[Piece]:
    """Everything that a turn may change but the realms. Raises ValueError when a mark is off the board."""
    found = overlay.marks(board, drawing, view.k)
    if not view.margins:
        return found
    place = layout(drawing)
    where = plate(board, place, drawing.lang)
    head, (x, y, wide, high) = _title(drawing, where.cartouche)
    found.append(head)
    if drawing.scores and wide > 150:
        points, _ = margin.scores(
            drawing.scores, x, y + (high - 74) / 2, min(wide, 190.0 * len(drawing.scores))
        )
        found.append(Piece(points, (x, y, x + wide, y + high)))
    if where.track is not None and drawing.track is not None:
        x, y, wide, high = where.track
        found.append(Piece(margin.track(drawing.track, x, y, wide, high), (x, y, x + wide, y + high)))
    if where.panels is not None:
        x, y, wide, high = where.panels
        columns = _columns(drawing.panels, place.rows, int(wide / _COLUMN))
        broad = min(wide / len(columns), _BROADEST)
        for i, column in enumerate(columns):
            left = x + i * broad
            shown = margin.panels(tuple(column), drawing.lang, left, y, broad, y + high)
            found.append(Piece(shown, (left, y, left + broad, y + high)))
    return [piece for piece in found if piece.svg]
