"""Where pieces go: near their area's stack point, clear of names, houses and each other as far as can be.

Each piece is a box. A box's cost at a place is what it would hide there; the cheapest place wins. What the
board alone decides of it is remembered.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from pbem.kernel.drawing import Counter, Depot, Drawing, Fleet, Marker, Objective, Siege, Tint
from pbem.reports.map.board import Board
from pbem.reports.map.countries.tokens import AFLOAT, DEPOT, SIEGE, ships
from pbem.reports.map.marks.lettering import city_box, label_box
from pbem.reports.map.marks.pieces import counter_size, flag_size
from pbem.reports.map.paint.geometry import Box, Point, around, centre, grown, overlap, union
from pbem.reports.map.paint.style import COUNTER, MARKER

_GRID = 9.0
_HIDES_OWN_NAME, _HIDES_NAME, _HIDES_HOUSES, _HIDES_PIECE = 0.22, 0.15, 0.05, 0.3
"""Cost of each square unit hidden."""
_OUTSIDE, _AFLOAT, _FAR, _RIM, _OFF_MAP = 15.0, 5.0, 0.06, 0.86, 1000.0
"""Cost of each ninth of a body outside its area, less if that is the sea, and of each unit away from the
stack point. The body counts as a little smaller than it is, and a pill may reach over a border."""

Cell = tuple[Point, Marker]


class Places:
    """The boxes of all pieces of a drawing."""

    def __init__(self) -> None:
        self.counters: list[tuple[Box, Counter]] = []
        self.markers: list[Cell] = []
        self.flags: list[tuple[Box, Point, Objective]] = []
        self.fleets: list[tuple[Box, Point | None, Fleet]] = []
        """With the port to which a cable runs."""
        self.depots: list[tuple[Box, Depot]] = []
        self.groups: dict[str, list[Box]] = {}
        self.taken: list[Box] = []

    def take(self, area: str, box: Box) -> None:
        self.groups.setdefault(area, []).append(box)
        self.taken.append(box)

    def own(self, area: str, tint: Tint) -> Box | None:
        """The box of a power's force or fleet in an area."""
        forces = [box for box, mark in self.counters if mark.area == area and mark.tint == tint]
        fleets = [box for box, _, mark in self.fleets if mark.area == area and mark.tint == tint]
        return next(iter(forces + fleets), None)

    def anchor(self, board: Board, area: str) -> Box:
        """The box from which, and to which, arrows of an area are drawn."""
        if area in self.groups:
            return self.groups[area][-1]
        return around(*board.area(area).stack, 16, 16)


@lru_cache(64)
def name_boxes(board: Board, k: float) -> dict[str, Box]:
    return {name: label_box(board, name, k) for name in board.areas}


@lru_cache(1024)
def _spots(board: Board, name: str) -> list[tuple[float, float, float]]:
    """Points of an area as (distance from its stack point, x, y), the nearest first."""
    area, owned = board.areas[name], board.owns(name)
    x0, y0, x1, y1 = area.bbox
    grid = [
        (x0 + i * _GRID, y0 + j * _GRID)
        for i in range(1, int((x1 - x0) / _GRID) + 1)
        for j in range(1, int((y1 - y0) / _GRID) + 1)
    ]
    return sorted((math.dist(p, area.stack), *p) for p in [area.stack, *grid] if p == area.stack or owned(*p))


@lru_cache(1024)
def _printed(board: Board, name: str, k: float) -> list[tuple[float, Box]]:
    """What is printed in and around an area, each with the cost of hiding a square unit of it."""
    reach = grown(board.areas[name].bbox, 150 * k)
    names = name_boxes(board, k).items()
    found = [(_HIDES_OWN_NAME if n == name else _HIDES_NAME, b) for n, b in names if overlap(b, reach)]
    houses = (city_box(board, n) for n in board.areas)
    return found + [(_HIDES_HOUSES, b) for b in houses if b is not None and overlap(b, reach)]


class Form(NamedTuple):
    """The outline of a piece: a body, and perhaps a broader pill at its foot."""

    wide: float
    high: float
    pill: Point = (0.0, 0.0)

    def size(self) -> Point:
        return max(self.wide, self.pill[0]), self.high + self.pill[1]

    def parts(self, x: float, y: float) -> list[Box]:
        """Body and pill, when the middle of the whole is at a place."""
        top = y - (self.high + self.pill[1]) / 2
        body = (x - self.wide / 2, top, x + self.wide / 2, top + self.high)
        if not self.pill[1]:
            return [body]
        half = self.pill[0] / 2
        return [body, (x - half, top + self.high, x + half, top + self.high + self.pill[1])]


def counter_form(mark: Counter, k: float, pill: float = 1.0) -> Form:
    wide, high = counter_size(mark, k, pill)
    side = COUNTER * k
    return Form(
        round(side, 1), round(side, 1), (round(wide, 1), round(high - side, 1)) if mark.pill else (0.0, 0.0)
    )


def _raised(box: Box, mark: Counter, k: float) -> Box:
    """The box of a stack, with the counters that look out above the first."""
    lift = 2.6 * COUNTER * k / 27 * (min(mark.depth, 4) - 1)
    return (box[0], box[1] - lift, box[2] + lift, box[3])


@lru_cache(1 << 16)
def _hidden(board: Board, name: str, x: float, y: float, form: Form, k: float) -> float:
    """What a piece costs at a place, as far as the board alone decides it."""
    parts = form.parts(x, y)
    left, top, across, down = board.shapes.frame
    for box in parts:
        if box[0] < left + 4 or box[1] < top + 4 or box[2] > left + across - 4 or box[3] > top + down - 4:
            return _OFF_MAP
    owned = board.owns(name)
    mx, my = centre(parts[0])
    rim = around(mx, my, form.wide * _RIM, form.high * _RIM)
    edge = [(ex, ey) for ex in (rim[0], mx, rim[2]) for ey in (rim[1], my, rim[3])]
    outside = [point for point in edge if not owned(*point)]
    cost = sum(_AFLOAT if board.at_sea(*point) else _OUTSIDE for point in outside)
    low_x, low_y, high_x, high_y = union(parts)
    for weight, printed in _printed(board, name, k):
        if printed[0] < high_x and low_x < printed[2] and printed[1] < high_y and low_y < printed[3]:
            cost += weight * sum(overlap(box, printed) for box in parts)
    return cost


def _cheapest(board: Board, name: str, form: Form, k: float, taken: Iterable[Box]) -> tuple[float, Box]:
    """From the stack point outwards, until the way there alone costs more than the best place."""
    size = form.size()
    near = [box for box in taken if overlap(box, grown(board.areas[name].bbox, max(size)))]
    best, found = math.inf, around(*board.areas[name].stack, *size)
    for away, x, y in _spots(board, name):
        cost = _FAR * away
        if cost >= best:
            break
        cost += _hidden(board, name, x, y, form, k)
        if cost >= best:
            continue
        box = around(x, y, *size)
        cost += _HIDES_PIECE * sum(overlap(box, other) for other in near)
        if cost < best:
            best, found = cost, box
    return best, found


def _plant(board: Board, mark: Objective, k: float, places: Places) -> None:
    """A flag stands beside its village, where it hides least."""
    area = board.area(mark.area)
    foot = area.city if area.city is not None else area.stack
    wide, high = flag_size(mark, k)
    owned = board.owns(mark.area)
    off_x, off_y = wide / 2 + 9 * k, high / 2 + 13 * k
    names = name_boxes(board, k).values()
    houses = [box for n in board.areas if (box := city_box(board, n)) is not None]
    best: tuple[float, Box] | None = None
    for i, (dx, dy) in enumerate(
        (
            (off_x, -off_y),
            (-off_x, -off_y),
            (off_x, off_y),
            (-off_x, off_y),
            (off_x * 1.3, -2),
            (-off_x * 1.3, -2),
        )
    ):
        box = around(foot[0] + dx, foot[1] + dy, wide, high)
        cost = 2.0 * i + 0.1 * sum(overlap(grown(box, 3 * k), name) for name in names)
        cost += 0.05 * sum(overlap(box, house) for house in houses)
        cost += _HIDES_PIECE * sum(overlap(box, other) for other in places.taken)
        cost += 0 if owned(*centre(box)) else 8
        left, top, across, down = board.shapes.frame
        if box[0] < left or box[1] < top + 8 or box[2] > left + across or box[3] > top + down:
            cost += 500
        if best is None or cost < best[0]:
            best = (cost, box)
    if best is not None:
        places.flags.append((best[1], foot, mark))
        places.take(mark.area, grown(best[1], 3 * k))


@lru_cache(256)
def _moorings(board: Board, port: Point, form: Form, room: float, k: float) -> list[tuple[float, Box]]:
    """Places for a fleet about a port with what each costs, as far as the board decides it; best first."""
    size = form.size()
    near = around(*port, 260 * k + 2 * size[0], 260 * k + 2 * size[1])
    names = [box for box in name_boxes(board, k).values() if overlap(box, near)]
    left, top, across, down = board.shapes.frame
    found = []
    for away in (36, 46, 58, 72, 90, 112):
        for turn in range(20):
            angle = math.pi * turn / 10
            x, y = port[0] + away * k * math.cos(angle), port[1] + away * k * math.sin(angle)
            box = grown(around(x, y, *size), room)
            cost = 0.6 * away + 0.2 * sum(overlap(box, name) for name in names)
            rim = [(px, py) for px in (box[0], x, box[2]) for py in (box[1], y, box[3])]
            cost += 7 * sum(not board.at_sea(*point) for point in rim)
            if box[0] < left or box[1] < top or box[2] > left + across or box[3] > top + down:
                cost += _OFF_MAP
            found.append((cost, box))
    return sorted(found)


def _moor(board: Board, mark: Fleet, k: float, places: Places) -> None:
    """A fleet at sea lies in its sea; one in or before a port, on the nearest free water."""
    form = counter_form(ships(mark), k * AFLOAT, board.pill / AFLOAT)
    area = board.area(mark.area)
    if board.is_sea(mark.area):
        _, box = _cheapest(board, mark.area, form, k, places.taken)
        places.fleets.append((box, None, mark))
        places.take(mark.area, box)
        return
    port = area.port or area.city or area.stack
    room = 8 * k if mark.blockade else 2 * k
    best, found = math.inf, around(*port, *form.size())
    for cost, box in _moorings(board, port, form, room, k):
        if cost >= best:
            break
        cost += _HIDES_PIECE * sum(overlap(box, other) for other in places.taken)
        if cost < best:
            best, found = cost, box
    places.fleets.append((grown(found, -room), port, mark))
    places.taken.append(found)


def _rank(board: Board, name: str, marks: list[Marker], k: float, places: Places) -> None:
    """Markers of one area stand in ranks, of whatever breadth hides least."""
    side = MARKER * k
    best: tuple[float, Box, int] | None = None
    for columns in range(1, min(len(marks), 5) + 1):
        rows = math.ceil(len(marks) / columns)
        if rows > 4 or (rows - 1) * columns >= len(marks):
            continue
        cost, box = _cheapest(board, name, Form(columns * side, rows * side), k, places.taken)
        cost += 1.5 * abs(columns - rows)
        if best is None or cost < best[0]:
            best = (cost, box, columns)
    if best is None:
        columns = math.ceil(math.sqrt(len(marks)))
        rows = math.ceil(len(marks) / columns)
        best = (0.0, around(*board.areas[name].stack, columns * side, rows * side), columns)
    _, box, columns = best
    rows = math.ceil(len(marks) / columns)
    for i, mark in enumerate(marks):
        row, column = divmod(i, columns)
        in_row = min(columns, len(marks) - row * columns)
        x = (box[0] + box[2]) / 2 + (column - (in_row - 1) / 2) * side
        y = box[1] + (row + 0.5) * side
        places.markers.append(((x, y), mark))
    places.take(name, box)


def place(board: Board, drawing: Drawing, k: float) -> Places:
    """Places for all pieces; raises ValueError when a mark names an area that the board does not have."""
    places = Places()
    markers: dict[str, list[Marker]] = {}
    counters: dict[str, list[Counter]] = {}
    fleets: list[Fleet] = []
    depots: list[Depot] = []
    for mark in drawing.marks:
        if isinstance(mark, Objective):
            _plant(board, mark, k, places)
        elif isinstance(mark, Counter):
            board.area(mark.area)
            counters.setdefault(mark.area, []).append(mark)
        elif isinstance(mark, Marker):
            board.area(mark.area)
            markers.setdefault(mark.area, []).append(mark)
        elif isinstance(mark, Siege):
            area = board.area(mark.area)
            x, y = area.city or area.stack
            places.taken.append(around(x, y, 2 * SIEGE * k, 2 * SIEGE * k))
            if mark.label:
                places.taken.append(around(x, y + SIEGE * k * 1.25, 2.2 * SIEGE * k, SIEGE * k))
        elif isinstance(mark, Fleet):
            board.area(mark.area)
            fleets.append(mark)
        elif isinstance(mark, Depot):
            board.area(mark.area)
            depots.append(mark)
    for name in board.areas:
        for mark in counters.get(name, ()):
            _, box = _cheapest(board, name, counter_form(mark, k, board.pill), k, places.taken)
            places.counters.append((box, mark))
            places.take(name, box if board.atlas is None else _raised(box, mark, k))
    for name in board.areas:
        if name in markers:
            _rank(board, name, sorted(markers[name], key=lambda m: m.shape), k, places)
    for depot in depots:
        _, box = _cheapest(board, depot.area, Form(DEPOT * k, DEPOT * 0.8 * k), k, places.taken)
        places.depots.append((box, depot))
        places.taken.append(box)
    for fleet in sorted(fleets, key=lambda fleet: fleet.blockade):
        _moor(board, fleet, k, places)
    return places


def between(board: Board, a: str, b: str, k: float, places: Places) -> Point:
    """Where two areas fight: on their border, between their pieces, clear of names and pieces."""
    boxes = [places.anchor(board, name) for name in dict.fromkeys((a, b))]
    x, y = centre(union(boxes))
    if a == b:
        return (boxes[0][2], boxes[0][1]) if board.atlas is None else _beside(board, boxes[0], k, places)
    names = name_boxes(board, k).values()
    best, at = math.inf, (x, y)
    for point in board.border_points.get(frozenset((a, b)), [(x, y)]):
        box = around(*point, 38 * k, 38 * k)
        cost = 0.25 * math.dist(point, (x, y)) + 0.3 * sum(overlap(box, other) for other in places.taken)
        cost += 0.08 * sum(overlap(box, name) for name in names)
        if cost < best:
            best, at = cost, point
    places.taken.append(around(*at, 38 * k, 38 * k))
    return at


def _beside(board: Board, box: Box, k: float, places: Places) -> Point:
    """Where the sign of a battle hides least, near to the pieces that fought it."""
    side, (x, y) = 40 * k, centre(box)
    near = around(x, y, 300 * k, 300 * k)
    names = [name for name in name_boxes(board, k).values() if overlap(name, near)]
    pieces = [other for other in places.taken if overlap(other, near)]
    best, at = math.inf, (x, y)
    for away in (44, 56, 70, 88):
        for turn in range(16):
            angle = math.pi * turn / 8
            point = (x + away * k * math.cos(angle), y + away * k * math.sin(angle))
            sign = around(*point, side, side)
            cost = 0.4 * away + 0.3 * sum(overlap(sign, other) for other in pieces)
            cost += 0.2 * sum(overlap(sign, name) for name in names)
            if cost < best:
                best, at = cost, point
    places.taken.append(around(*at, side, side))
    return at


def renamed(board: Board, k: float, places: Places) -> list[tuple[str, Point]]:
    """Areas whose names lie under their pieces, and where there is room to say them again."""
    found = []
    for name, own in places.groups.items():
        label = name_boxes(board, k)[name]
        wide, high = label[2] - label[0], label[3] - label[1]
        covered = sum(overlap(label, box) for box in places.taken)
        if covered < 0.3 * wide * high:
            continue
        whole = union(own)
        x, _ = centre(whole)
        others = [box for other, box in name_boxes(board, k).items() if other != name] + places.taken
        for y in (whole[3] + high / 2, whole[1] - high / 2 - 2 * k):
            box = around(x, y, wide, high)
            if sum(overlap(box, other) for other in others) < 0.12 * wide * high:
                found.append((name, (x, y)))
                places.taken.append(box)
                break
    return found


def along(board: Board, way: list[Point], wide: float, high: float, k: float, places: Places) -> Point:
    """Where on an arrow its label hides least; the middle if it may be."""
    hull = union([around(*point, wide, high) for point in way])
    near = [box for box in [*name_boxes(board, k).values(), *places.taken] if overlap(box, hull)]
    half = len(way) // 2
    best, at = math.inf, way[half]
    for i, point in enumerate(way):
        box = around(*point, wide, high)
        cost = 1.2 * abs(i - half) + 0.1 * sum(overlap(box, other) for other in near)
        if cost < best:
            best, at = cost, point
    return at
