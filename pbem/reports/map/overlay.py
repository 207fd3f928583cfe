"""The position: all marks of a drawing on the map, in layers."""

from __future__ import annotations

from pbem.kernel.drawing import Arrow, Battle, Drawing, Objective, Wash

from . import pieces
from .board import Board
from .geometry import Box, Point, around, centre, grown, leave, union
from .ground import area_name, city_box, houses_of, label_box
from .ink import Piece, path
from .placing import Places, along, between, place
from .style import CLOTH, EDGE, GOLD, MARKER, PILL


def _crossed(board: Board, way: list[Point], k: float) -> set[str]:
    """The areas over whose printed names an arrow runs; they are printed again over it."""
    boxes = {name: grown(label_box(board, name, k), 6 * k) for name in board.areas}
    return {name for name, b in boxes.items() if any(b[0] < x < b[2] and b[1] < y < b[3] for x, y in way)}


def _wash(board: Board, mark: Wash) -> Piece:
    area = board.area(mark.area)
    extra = 'fill-rule="evenodd" fill-opacity=".45"'
    return Piece(path(area.path, CLOTH[mark.tint].wash, extra=extra), area.bbox)


def _outline(board: Board, mark: Objective) -> Piece:
    area = board.area(mark.area)
    edge = path(area.path, GOLD, EDGE, 6.4, extra='fill-opacity=".22" stroke-opacity=".75"')
    return Piece(edge + path(area.path, stroke=GOLD, width=4), grown(area.bbox, 5))


def _reprint(board: Board, name: str, k: float) -> list[Piece]:
    """Name and houses of an area again, over a colour or an arrow that covers them."""
    name_box = grown(label_box(board, name, k), 5 * k)
    parts = [Piece(area_name(board, name, k), name_box)]
    houses = city_box(board, name)
    return [Piece(houses_of(board, name), grown(houses, 12)), *parts] if houses is not None else parts


def _arrow(board: Board, mark: Arrow, k: float, places: Places) -> tuple[Piece, list[Point]]:
    start, end = places.anchor(board, mark.from_area), places.anchor(board, mark.to_area)
    tail, tip = leave(start, centre(end)), leave(end, centre(start))
    way = pieces.arrow_way(tail, tip, k)
    hull = union([around(x, y, 40 * k, 40 * k) for x, y in way])
    return Piece(pieces.arrow(tail, tip, mark, k), hull), way


def _arrow_label(board: Board, mark: Arrow, way: list[Point], k: float, places: Places) -> Piece:
    wide, high = pieces.pill_width(mark.label, 0.82 * k), PILL * 0.82 * k
    at = along(board, way, wide, high, k, places)
    svg = pieces.note(0, 0, mark.label, CLOTH[mark.tint].fill, k)
    return Piece(svg, grown(around(0, 0, wide, high), 3 * k), at)


def _about(box: Box, svg: str, room: float) -> Piece:
    """A piece drawn about its own middle, lying in a box of the sheet."""
    wide, high = box[2] - box[0], box[3] - box[1]
    return Piece(svg, grown(around(0, 0, wide, high), room), centre(box))


def _flag(box: Box, foot: Point, mark: Objective, k: float) -> Piece:
    x, y = foot
    moved = (box[0] - x, box[1] - y, box[2] - x, box[3] - y)
    hull = grown(union([moved, (0, 0, 0, 0)]), 10 * k)
    return Piece(pieces.flag(moved, (0, 0), mark, k), hull, foot)


def _battle(board: Board, mark: Battle, k: float, places: Places) -> Piece:
    board.area(mark.area_a)
    board.area(mark.area_b)
    at = between(board, mark.area_a, mark.area_b, k, places)
    half = max(21 * k, pieces.pill_width(mark.label, k) / 2 if mark.label else 0.0)
    return Piece(pieces.battle(0, 0, mark.label, k), (-half - 1, -22 * k, half + 1, 38 * k), at)


def marks(board: Board, drawing: Drawing, k: float) -> list[Piece]:
    """Washes, outlines of objectives, arrows, flags, counters, markers, battles; from the ground upwards.

    Raises ValueError when a mark names an area that the board does not have.
    """
    places = place(board, drawing, k)
    washes, outlines, arrows, labels, battles = [], [], [], [], []
    covered: set[str] = set()
    for mark in drawing.marks:
        match mark:
            case Wash():
                washes.append(_wash(board, mark))
                covered.add(mark.area)
            case Objective():
                outlines.append(_outline(board, mark))
                covered.add(mark.area)
            case Arrow():
                arrow, way = _arrow(board, mark, k, places)
                arrows.append(arrow)
                covered |= _crossed(board, way, k)
                if mark.label:
                    labels.append(_arrow_label(board, mark, way, k, places))
            case Battle():
                battles.append(_battle(board, mark, k, places))
            case _:
                pass
    names = [piece for name in board.areas if name in covered for piece in _reprint(board, name, k)]
    flags = [_flag(box, foot, mark, k) for box, foot, mark in places.flags]
    counters = [_about(box, pieces.counter(0, 0, mark, k), 12 * k) for box, mark in places.counters]
    side = MARKER * k
    markers = [
        _about(around(x, y, side, side), pieces.marker(0, 0, mark, k), 4 * k)
        for (x, y), mark in places.markers
    ]
    return washes + outlines + arrows + names + labels + flags + counters + markers + battles
