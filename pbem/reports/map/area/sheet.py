"""The whole sheet as SVG: the base that no turn changes, and over it the position."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from pbem.kernel.drawing import Drawing, Lang
from pbem.reports.map.area import ground, legend
from pbem.reports.map.board import Board
from pbem.reports.map.marks import margin, overlay
from pbem.reports.map.paint.geometry import Box, around, grown, union
from pbem.reports.map.paint.ink import Piece, group, num, rect
from pbem.reports.map.paint.style import FONT_FAMILY, INK, MARGIN, PAPER

_STRIP, _GAP = 84.0, 12.0


class View(NamedTuple):
    """The part of the sheet that a picture shows, and how large letters and pieces are on it."""

    left: float
    top: float
    wide: float
    high: float
    k: float = 1.0
    margins: bool = True

    def box(self) -> Box:
        return (self.left, self.top, self.left + self.wide, self.top + self.high)


class Layout(NamedTuple):
    """What a drawing needs room for beside the map."""

    track: bool = False
    rows: int = 0
    """Rows of panels under a map that leaves no room at its side."""


class Frame(NamedTuple):
    """Where things stand on the sheet, each as left, top, width, height."""

    sheet: tuple[float, float, float, float]
    field: tuple[float, float, float, float]
    panel: tuple[float, float, float, float]
    strip: tuple[float, float, float, float] | None


def frame(board: Board, with_track: bool) -> Frame:
    """A time track takes a strip under the map, and the panel grows by as much."""
    wide, high = board.shapes.size
    field, panel = board.shapes.frame, board.shapes.free[0]
    if not with_track:
        return Frame((0, 0, wide, high), field, panel, None)
    extra = _STRIP + _GAP
    strip = (field[0], field[1] + field[3] + _GAP, field[2], _STRIP)
    return Frame((0, 0, wide, high + extra), field, (panel[0], panel[1], panel[2], panel[3] + extra), strip)


def whole(board: Board, with_track: bool) -> View:
    _, _, wide, high = frame(board, with_track).sheet
    return View(-MARGIN, -MARGIN, wide + 2 * MARGIN, high + 2 * MARGIN)


def close_up(board: Board, areas: Iterable[str], room: float = 40.0) -> View:
    """A view of some areas; letters and pieces shrink by the square root of the zoom."""
    boxes = [_shown(board, name) for name in areas]
    if not boxes:
        raise ValueError("a close-up needs at least one area")
    box = _widened(grown(union(boxes), room), board)
    wide, high = box[2] - box[0], box[3] - box[1]
    size = round(board.k * math.sqrt(wide / board.shapes.size[0]), 3)
    return View(box[0], box[1], wide, high, size, False)


def _shown(board: Board, name: str) -> Box:
    """An area, or of a sea as much as a fleet and its name need."""
    area = board.area(name)
    return (
        union([around(*area.stack, 120, 90), around(*area.label, 120, 60)])
        if board.is_sea(name)
        else area.bbox
    )


def _widened(box: Box, board: Board) -> Box:
    """The box brought to a shape between 4:3 and 2:1 and kept on the map as far as it goes."""
    left, top, wide, high = board.shapes.frame
    w, h = box[2] - box[0], box[3] - box[1]
    w, h = min(wide, max(w, h * 4 / 3)), min(high, max(h, w / 2))
    x = min(max((box[0] + box[2] - w) / 2, left), left + wide - w)
    y = min(max((box[1] + box[3] - h) / 2, top), top + high - h)
    return (x, y, x + w, y + h)


def document(view: View, defs: str, parts: str, width: int | None = None) -> str:
    size = f' width="{width}" height="{pixels_high(view, width)}"' if width else ""
    box = " ".join(num(v) for v in (view.left, view.top, view.wide, view.high))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}"{size} font-family="{FONT_FAMILY}">'
        f"<defs>{defs}</defs>{parts}</svg>"
    )


def fragment(box: tuple[float, float, float, float], parts: str, size: tuple[int, int]) -> str:
    """A document of one piece: left, top, width and height of what it shows, and its pixels."""
    shown = " ".join(f"{v:.4f}" for v in box)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{shown}" width="{size[0]}" height="{size[1]}"'
        f' preserveAspectRatio="none" font-family="{FONT_FAMILY}">{parts}</svg>'
    )


def pixels_high(view: View, width: int) -> int:
    return max(1, round(view.high * width / view.wide))


@lru_cache(8)
def base(board: Board, lang: Lang, with_track: bool, view: View) -> tuple[str, str]:
    """Everything that no turn changes, as (defs, parts)."""
    place = frame(board, with_track)
    land_defs, land = ground.land(board)
    name_defs, names = ground.names(board, view.k)
    clip = f'<clipPath id="map">{rect(*place.field, fill="#000")}</clipPath>'
    paper = rect(view.left, view.top, view.wide, view.high, PAPER)
    field = group('clip-path="url(#map)"', [land, names])
    rim = rect(*place.field, "none", f'stroke="{INK}" stroke-width="2.4"')
    parts = [paper, field, rim]
    if view.margins:
        left, top, wide, high = place.panel
        parts += [legend.panel_box(*place.panel), legend.draw(board, lang, left, top + high - 8, wide)]
        if place.strip is not None:
            parts.append(legend.panel_box(*place.strip))
        parts.append(neat_lines(*place.sheet))
    return land_defs + name_defs + clip, "".join(parts)


def neat_lines(left: float, top: float, wide: float, high: float) -> str:
    return "".join(
        rect(
            left - out,
            top - out,
            wide + 2 * out,
            high + 2 * out,
            "none",
            f'stroke="{INK}" stroke-width="{stroke}"',
        )
        for out, stroke in ((0.0, 1.6), (9.0, 4.0), (15.0, 1.0))
    )


def position(board: Board, drawing: Drawing, view: View) -> list[Piece]:
    """Everything that a turn may change. Raises ValueError when a mark is off the board."""
    found = overlay.marks(board, drawing, view.k)
    if not view.margins:
        return found
    place = frame(board, drawing.track is not None)
    left, top, wide, high = place.panel
    head, under = margin.title(drawing, left, top, wide)
    points, y = margin.scores(drawing.scores, left, under, wide)
    foot = top + high - legend.height(board, drawing.lang) - 20
    below = margin.panels(drawing.panels, drawing.lang, left, y, wide, foot)
    found += [
        Piece(head, (left, top, left + wide, under)),
        Piece(points, (left, under, left + wide, y)),
        Piece(below, (left, y, left + wide, foot)),
    ]
    if place.strip is not None and drawing.track is not None:
        x, y, wide, high = place.strip
        found.append(Piece(margin.track(drawing.track, x, y, wide, high), (x, y, x + wide, y + high)))
    return [piece for piece in found if piece.svg]
