"""The position: all marks of a drawing on the map, in layers."""

from __future__ import annotations

import math

from pbem.kernel.drawing import (
    Arrow,
    Battle,
    Control,
    Drawing,
    March,
    Objective,
    Siege,
    Supply,
    Wash,
    Works,
)
from pbem.reports.map.area.ground import houses_of
from pbem.reports.map.board import Board
from pbem.reports.map.countries import base, tokens
from pbem.reports.map.marks import pieces, ways
from pbem.reports.map.marks.lettering import area_name, city_box, label_box
from pbem.reports.map.marks.placing import Places, along, between, name_boxes, place, renamed
from pbem.reports.map.paint.geometry import Box, Point, around, centre, grown, leave, overlap, union
from pbem.reports.map.paint.ink import Piece, path
from pbem.reports.map.paint.style import BLOOD, CLOTH, EDGE, GOLD, MARKER, PILL


def _crossed(board: Board, way: list[Point], k: float) -> set[str]:
    """The areas over whose printed names an arrow runs; they are printed again over it."""
    hull = union([around(x, y, 1, 1) for x, y in way])
    boxes = {name: grown(box, 6 * k) for name, box in name_boxes(board, k).items()}
    boxes = {name: box for name, box in boxes.items() if overlap(box, hull)}
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
    houses = city_box(board, name, k)
    if houses is None:
        return parts
    town = houses_of(board, name) if board.atlas is None else base.town(board, name, k)
    return [Piece(town, grown(houses, 12)), *parts]


def _arrow(board: Board, mark: Arrow, k: float, places: Places) -> tuple[Piece, list[Point]]:
    start, end = places.anchor(board, mark.from_area), places.anchor(board, mark.to_area)
    tail, tip = leave(start, centre(end)), leave(end, centre(start))
    way = pieces.arrow_way(tail, tip, k)
    hull = union([around(x, y, 40 * k, 40 * k) for x, y in way])
    return Piece(pieces.arrow(tail, tip, mark, k), hull), way


def _arrow_label(board: Board, mark: Arrow | March, way: list[Point], k: float, places: Places) -> Piece:
    wide, high = pieces.pill_width(mark.label, 0.82 * k * board.pill), PILL * 0.82 * k * board.pill
    if isinstance(mark, March) and math.dist(way[0], way[-1]) < 2.6 * wide:
        way = ways.aside(way, 0.95 * high)
    at = along(board, way, wide, high, k, places)
    svg = pieces.note(0, 0, mark.label, CLOTH[mark.tint].fill, k * board.pill)
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


def _hatch(board: Board, mark: Control, k: float) -> Piece:
    area = board.area(mark.area)
    return Piece(tokens.hatching(mark.tint, area.path, k), grown(area.bbox, 3))


def _on_town(board: Board, name: str, svg: str, room: Box, off: Point = (0.0, 0.0)) -> Piece:
    """A piece on the town of an area, or where its counters stand if it has none."""
    area = board.area(name)
    x, y = area.city or area.stack
    return Piece(svg, room, (x + off[0], y + off[1]))


def _siege(board: Board, mark: Siege, k: float) -> list[Piece]:
    reach = (tokens.SIEGE + 5) * k
    ring = _on_town(board, mark.area, tokens.trenches(mark.tint, k), (-reach, -reach, reach, reach))
    if not mark.label:
        return [ring]
    wide, high = pieces.pill_width(mark.label, 0.82 * k * board.pill) / 2, PILL * 0.5 * k
    label = pieces.note(0, 0, mark.label, BLOOD, k * board.pill)
    room = grown((-wide, -high, wide, high), 4 * k)
    return [ring, _on_town(board, mark.area, label, room, (0, tokens.SIEGE * k * 1.25))]


def _fleets(places: Places, k: float, larger: float) -> list[Piece]:
    """All cables first, so that none crosses another fleet."""
    cables = [
        Piece(tokens.mooring(box, port, mark.blockade, k), grown(union([box, (*port, *port)]), 9 * k))
        for box, port, mark in places.fleets
        if port is not None
    ]
    size, pill = k * tokens.AFLOAT, larger / tokens.AFLOAT
    return cables + [
        _about(box, pieces.counter(0, 0, tokens.ships(mark), size, pill), 12 * k)
        for box, _, mark in places.fleets
    ]


def _way(board: Board, mark: March | Supply, k: float, places: Places) -> tuple[Piece, list[Point]]:
    if len(mark.path) < 2:
        raise ValueError("a way needs at least two areas")
    for name in mark.path:
        board.area(name)
    way = ways.smooth(ways.route(board, mark, places))
    broad = k * board.pill
    svg = ways.march(way, mark, broad) if isinstance(mark, March) else ways.supply(way, mark, broad)
    few = ways.thinned(way)
    return Piece(svg, union([around(x, y, 36 * broad, 36 * broad) for x, y in few])), few


def _pennant(board: Board, mark: Control, k: float) -> Piece:
    """A pennant on whichever side of its town hides no name."""
    area = board.area(mark.area)
    x, y = area.city or area.stack
    names = name_boxes(board, k).values()

    def hides(off: Point) -> float:
        left, foot = x + off[0] * k, y + off[1] * k
        return sum(overlap((left, foot - 25 * k, left + 18 * k, foot), name) for name in names)

    dx, dy = min(((5, -5), (-23, -5), (7, 27), (-25, 27), (11, 12), (-29, 12)), key=hides)
    room = (-3 * k, -28 * k, 20 * k, 3 * k)
    return Piece(tokens.pennant(mark.tint, k), room, (x + dx * k, y + dy * k))


def _tokens(board: Board, drawing: Drawing, places: Places, k: float) -> list[Piece]:
    """Sieges, badges, pennants, depots and fleets."""
    found = []
    for mark in drawing.marks:
        match mark:
            case Siege():
                found += _siege(board, mark, k)
            case Works():
                reach = 12 * k
                badge = tokens.badge(mark.level, k)
                found.append(
                    _on_town(board, mark.area, badge, (-reach, -reach, reach, reach), (-13 * k, 9 * k))
                )
            case Control():
                found.append(_pennant(board, mark, k))
            case _:
                pass
    found += [_about(box, tokens.depot(mark, k), 6 * k) for box, mark in places.depots]
    return found + _fleets(places, k, board.pill)


def marks(board: Board, drawing: Drawing, k: float) -> list[Piece]:
    """Washes, outlines of objectives, lines, flags, counters, markers, battles; from the ground upwards.

    On a map of countries the washes are part of the ground. Raises ValueError when a mark names an area that
    the board does not have.
    """
    places = place(board, drawing, k)
    washes, outlines, lines, arrows, labels, battles = [], [], [], [], [], []
    said: list[Piece] = []
    covered: set[str] = set()
    for mark in drawing.marks:
        match mark:
            case Wash() if board.atlas is None:
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
            case March():
                arrow, way = _way(board, mark, k, places)
                arrows.append(arrow)
                covered |= _crossed(board, way, k)
                if mark.label:
                    labels.append(_arrow_label(board, mark, way, k, places))
            case Supply():
                beads, way = _way(board, mark, k, places)
                lines.append(beads)
                covered |= _crossed(board, way, k)
            case Control():
                washes.append(_hatch(board, mark, k))
                covered.add(mark.area)
            case Battle():
                battles.append(_battle(board, mark, k, places))
            case _:
                pass
    names = [piece for name in board.areas if name in covered for piece in _reprint(board, name, k)]
    if board.atlas is not None:
        for name, at in renamed(board, k, places):
            label = label_box(board, name, k)
            room = grown(around(*at, label[2] - label[0], label[3] - label[1]), 5 * k)
            said.append(Piece(area_name(board, name, k, at), room))
    flags = [_flag(box, foot, mark, k) for box, foot, mark in places.flags]
    counters = [
        _about(box, pieces.counter(0, 0, mark, k, board.pill), 12 * k) for box, mark in places.counters
    ]
    side = MARKER * k
    markers = [
        _about(around(x, y, side, side), pieces.marker(0, 0, mark, k), 4 * k)
        for (x, y), mark in places.markers
    ]
    laid = _tokens(board, drawing, places, k)
    return (
        washes
        + outlines
        + lines
        + arrows
        + names
        + labels
        + laid
        + flags
        + counters
        + markers
        + said
        + battles
    )
