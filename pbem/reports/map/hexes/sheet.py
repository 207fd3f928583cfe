"""The sheet of a hex board: the base that no battle changes, and over it the position.

The far side's banners stand above the board, the reader's own below it, with the key.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from itertools import pairwise

from pbem import paths
from pbem.kernel.drawing import (
    Banners,
    Block,
    Drawing,
    Ground,
    HexBoard,
    HexFight,
    HexLeader,
    HexLoss,
    HexMove,
    HexSheet,
    Lang,
    Objective,
    Stake,
)
from pbem.reports.map.area import legend
from pbem.reports.map.area.sheet import View, neat_lines
from pbem.reports.map.hexes import ground, pieces
from pbem.reports.map.hexes.grid import FOOTER, GAP, HEADER, WIDE, Grid
from pbem.reports.map.marks import signs
from pbem.reports.map.paint.geometry import grown, union
from pbem.reports.map.paint.ink import Piece, fitted, group, rect, text, width, wrapped
from pbem.reports.map.paint.style import BOLD, CLOTH, INK, MARGIN, PAPER, REGULAR, SEMIBOLD, SEPIA

CLOSE = 1.6
"""Pixels to a map unit that are enough for a close-up."""
_TRACK = 560.0
"""The part of a strip that banners may take."""
_ROW, _TEXT = 33.0, 17.0

Draw = Callable[[float, float], str]


@cache
def raw() -> bytes:
    """The catalogue of words as it is stored."""
    return (paths.templates() / "map" / "hexes.toml").read_bytes()


@cache
def _words() -> dict[str, dict[str, str]]:
    return tomllib.loads(raw().decode())


@lru_cache(32)
def load(board: HexBoard) -> Grid:
    """The hexes of a board; raises ValueError when it names one that it does not have."""
    return Grid(board)


def whole(grid: Grid) -> View:
    left, top, wide, high = grid.sheet
    return View(left - MARGIN, top - MARGIN, wide + 2 * MARGIN, high + 2 * MARGIN)


def close_up(grid: Grid, hexes: Iterable[str]) -> View:
    """Some hexes and those around them, brought to a shape between 4:3 and 2:1."""
    boxes = [grid.box(hex) for hex in hexes]
    if not boxes:
        raise ValueError("a close-up needs at least one hex")
    box = grown(union(boxes), 0.85 * WIDE)
    left, top, wide, high = grid.field
    w, h = box[2] - box[0], box[3] - box[1]
    w, h = min(wide, max(w, h * 4 / 3)), min(high, max(h, w / 2))
    x = min(max((box[0] + box[2] - w) / 2, left), left + wide - w)
    y = min(max((box[1] + box[3] - h) / 2, top), top + high - h)
    return View(x, y, w, h, 1.0, False)


def _sections(grid: Grid, lang: Lang) -> str:
    """The names of the sections as each side calls them, at its own edge."""
    words, limits = _words()[lang], [0, *grid.board.sections, grid.board.columns]
    names = [words[key] for key in ("left", "centre", "right")]
    if len(limits) != len(names) + 1:
        return ""
    left, top, wide, high = grid.field
    parts = []
    for i, (start, end) in enumerate(pairwise(limits)):
        x = (start + end) / 2 * WIDE
        near, far = (names[i], names[-1 - i]) if grid.board.near == "bottom" else (names[-1 - i], names[i])
        x = x if grid.board.near == "bottom" else wide - x
        for name, y in ((near, top + high + GAP * 0.7), (far, top - GAP * 0.32)):
            parts.append(text(left + x, y, name.upper(), 14, SEMIBOLD, SEPIA, spacing=3))
    return "".join(parts)


def _ground_entry(kind: Ground) -> Draw:
    return lambda x, y: ground.swatch(kind, x, y, 0.29)


def _arrow(retreat: bool) -> Draw:
    mark = HexMove(("A1", "A2"), "france", retreat)
    art = pieces.move(mark, [(-36, 0), (80, 0)]).svg
    return lambda x, y: signs.at(x, y, art, scale=0.5)


def _fight(melee: bool) -> Draw:
    mark = HexFight("A1", "A2", "great_britain", melee)
    reach, scale = (26, 0.62) if melee else (80, 0.5)
    art = pieces.fight(mark, (-reach, 0), (reach, 0)).svg
    return lambda x, y: signs.at(x, y, art, scale=scale)


def _tile(block: Block) -> Draw:
    art = pieces.tile(block)
    return lambda x, y: signs.at(x, y + 1, art, scale=0.48)


def _hat(x: float, y: float) -> str:
    cloth = CLOTH["france"]
    return signs.at(x, y, pieces.hat(cloth.fill, cloth.ink), scale=0.52)


def _loss(x: float, y: float) -> str:
    return signs.at(x, y, pieces.loss(HexLoss("A1", "france", "LN"), (0, 0), 0, True).svg, scale=0.6)


def _goal(x: float, y: float) -> str:
    mark = Objective("A1", (Stake("great_britain", "1"),))
    ring, flag = pieces.goal_ring((0, 0)), pieces.goal_flag(mark, (0, 0))
    return signs.at(x, y, ring.svg, flag.svg, scale=0.27)


def _code(code: str) -> Draw:
    """The letters of a kind of troops, as they stand on its blocks."""
    return lambda x, y: text(x, y + _TEXT * 0.34, code, _TEXT, BOLD, INK)


Entry = tuple[Draw, float, str]


def _key(grid: Grid, lang: Lang) -> list[Entry]:
    """Entries of the key, each with its width: the ground that is there, then what may happen on it."""
    words = _words()[lang]
    used = {entry.kind for entry in grid.board.terrain}
    order: tuple[Ground, ...] = (*ground.TINTS, "fieldwork")
    found: list[Entry] = [(_ground_entry(kind), 32.0, words[kind]) for kind in order if kind in used]
    acts: tuple[tuple[str, Draw, float], ...] = (
        ("move", _arrow(False), 44.0),
        ("retreat", _arrow(True), 44.0),
        ("fire", _fight(False), 66.0),
        ("melee", _fight(True), 40.0),
        ("leader", _hat, 30.0),
        ("guard", _tile(Block("A1", "france", "infantry", "OG", 4, 4, guard=True)), 36.0),
        ("square", _tile(Block("A1", "france", "infantry", "LN", 3, 4, square=True)), 42.0),
        ("ordered", _tile(Block("A1", "france", "infantry", "LN", 3, 4, ordered=True)), 38.0),
        ("loss", _loss, 34.0),
        ("objective", _goal, 30.0),
    )
    codes = [
        (_code(code), width(code, _TEXT, BOLD), words[code]) for code in grid.board.codes if code in words
    ]
    return found + [(draw, room, words[key]) for key, draw, room in acts] + codes


def _legend(grid: Grid, lang: Lang, left: float, top: float, wide: float, high: float) -> str:
    """The key in rows, as many as it needs."""
    rows: list[list[tuple[float, Draw, float, str]]] = [[]]
    x = 0.0
    for draw, room, words in _key(grid, lang):
        need = room + 9 + width(words, _TEXT, REGULAR) + 22
        if x + need > wide and rows[-1]:
            rows.append([])
            x = 0.0
        rows[-1].append((x, draw, room, words))
        x += need
    step = min(_ROW, high / len(rows))
    y = top + (high - step * len(rows)) / 2 + step / 2
    parts = []
    for row in rows:
        for x, draw, room, words in row:
            parts.append(draw(left + x + room / 2, y))
            parts.append(text(left + x + room + 9, y + _TEXT * 0.34, words, _TEXT, REGULAR, INK, "start"))
        y += step
    return "".join(parts)


@lru_cache(8)
def base(grid: Grid, lang: Lang, view: View) -> tuple[str, str]:
    """Everything that no turn changes, as (defs, parts)."""
    left, top, wide, high = grid.field
    clip = f'<clipPath id="field">{rect(left, top, wide, high, fill="#000")}</clipPath>'
    parts = [
        rect(view.left, view.top, view.wide, view.high, PAPER),
        group('clip-path="url(#field)"', [ground.land(grid), ground.names(grid)]),
        rect(left, top, wide, high, "none", f'stroke="{INK}" stroke-width="2.4"'),
    ]
    if view.margins:
        foot = top + high + GAP
        parts += [
            legend.panel_box(left, 0, wide, HEADER),
            legend.panel_box(left, foot, wide, FOOTER),
            _legend(grid, lang, left + 20, foot + 6, wide - _TRACK - 20, FOOTER - 12),
            _sections(grid, lang),
            neat_lines(*grid.sheet),
        ]
    return clip, "".join(parts)


def _title(drawing: Drawing, room: float) -> Piece:
    shown, size = fitted(drawing.title, 38, room, BOLD, least=0.55)
    parts = [text(24, 50 if drawing.subtitle else 60, shown, size, BOLD, INK, "start", spacing=size * 0.03)]
    for line in wrapped(drawing.subtitle, 19, room, 1, italic=True):
        parts.append(text(24, 77, line, 19, REGULAR, SEPIA, "start", italic=True))
    return Piece("".join(parts), (8, 8, 24 + room * 1.12, HEADER - 5))


def _margins(grid: Grid, drawing: Drawing, sheet: HexSheet) -> list[Piece]:
    left, top, wide, high = grid.field
    near, far = (sheet.bottom, sheet.top) if grid.board.near == "bottom" else (sheet.top, sheet.bottom)

    def track(side: Banners | None, y: float, strip: float) -> list[Piece]:
        if side is None:
            return []
        svg, begin = pieces.banner_track(side, left + wide, y, strip)
        return [Piece(svg, (begin - 4, y + 5, left + wide - 6, y + strip - 5))]

    foot = top + high + GAP
    return [_title(drawing, wide - _TRACK - 60), *track(far, 0, HEADER), *track(near, foot, FOOTER)]


def position(grid: Grid, drawing: Drawing, view: View) -> list[Piece]:
    """Everything that a turn may change. Raises ValueError when a mark is off the board."""
    sheet = drawing.hexes
    if sheet is None:
        return []
    rings, ways, tiles, flags, fights, names, labels = [], [], [], [], [], [], []
    losses: list[HexLoss] = []
    taken: set[str] = set()
    led: set[str] = set()
    for mark in sheet.marks:
        match mark:
            case Block():
                tiles.append(pieces.block(mark, grid.centre(mark.hex)))
                taken.add(mark.hex)
                if mark.leader:
                    names.append(pieces.name(mark.leader, mark.tint, grid.centre(mark.hex)))
                    led.add(mark.hex)
            case HexLeader():
                tiles.append(pieces.leader(mark, grid.centre(mark.hex)))
                names.append(pieces.name(mark.name, mark.tint, grid.centre(mark.hex)))
                taken.add(mark.hex)
                led.add(mark.hex)
            case HexMove():
                way = [grid.centre(hex) for hex in mark.path]
                if len(way) > 1:
                    ways.append(pieces.move(mark, way))
            case HexFight():
                ends = grid.centre(mark.from_hex), grid.centre(mark.to_hex)
                fights.append(pieces.fight(mark, *ends))
                if mark.label:
                    labels.append(pieces.fight_label(mark, *ends))
            case HexLoss():
                losses.append(mark)
            case Objective():
                rings.append(pieces.goal_ring(grid.centre(mark.area)))
                flags.append(pieces.goal_flag(mark, grid.centre(mark.area)))
    struck: dict[str, int] = {}
    fallen = []
    for lost in losses:
        place = struck.get(lost.hex, 0)
        struck[lost.hex] = place + 1
        fallen.append(pieces.loss(lost, grid.centre(lost.hex), place, lost.hex not in taken))
    places = [
        pieces.place_name(place.name, grid.centre(place.hex), place.hex in led) for place in grid.board.places
    ]
    found = [*rings, *ways, *tiles, *places, *flags, *fallen, *fights, *names, *labels]
    return found + (_margins(grid, drawing, sheet) if view.margins else [])
