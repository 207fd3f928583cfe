"""The key at the foot of the panel. Part of the base: the board and the language alone decide it."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from pbem.kernel.drawing import Counter, Lang, Marker, Objective, Stake, Tint
from pbem.reports.map.board import Board
from pbem.reports.map.marks import pieces, signs
from pbem.reports.map.paint.ink import fitted, num, path, rect, text, width, wrapped
from pbem.reports.map.paint.style import (
    AREA_LINE,
    BOLD,
    COUNTER,
    DISTRICT,
    DISTRICT_LINE,
    INK,
    MARKER,
    PAPER,
    REGULAR,
    SEPIA,
    TERRAIN,
)
from pbem.reports.map.phrases import phrase

Draw = Callable[[float, float], str]
Entry = tuple[Draw, str]

_ROW, _HEAD, _GAP, _TEXT = 28.5, 25.0, 7.0, 16.0
_SIGN, _SQUEEZE = 43.0, 0.84
"""Room for a sign before its words, and how far words may shrink to share a row."""
_ARMIES: tuple[Tint, ...] = ("france", "austria", "prussia", "russia", "sweden")


def _swatch(fill: str, inner: str = "") -> Draw:
    def draw(x: float, y: float) -> str:
        box = rect(-19, -10.5, 38, 21, fill, f'stroke="{SEPIA}" stroke-width=".8"')
        return signs.at(x, y, box, inner)

    return draw


def _terrain() -> dict[str, Draw]:
    curve = "M-19 4c10-11 24 8 38-6"
    furrows = '<path d="M-13-6h26M-13-2h26M-13 2h26M-13 6h26"/>'
    return {
        "plain": _swatch(TERRAIN["plain"], signs.fields([furrows])),
        "hill": _swatch(TERRAIN["hill"], signs.hills([(-8, 0, 1.3), (8, 1, 1.3)])),
        "forest": _swatch(TERRAIN["forest"], signs.trees([(-10, 0, 1.4), (1, 2, 1.4), (11, 0, 1.4)])),
        "river": _swatch(TERRAIN["river"], signs.water(curve)),
    }


def _district(colour: str) -> Draw:
    def draw(x: float, y: float) -> str:
        return rect(
            x - 17, y - 8.5, 34, 17, "#efe6c6", f'stroke="{colour}" stroke-opacity=".5" stroke-width="6"'
        )

    return draw


def _army(tint: Tint) -> Draw:
    def draw(x: float, y: float) -> str:
        mark = Counter(area="", tint=tint, value="5")
        return pieces.counter(x, y, mark, 25 / COUNTER)

    return draw


def _line(stroke: str, thick: float, dash: str = "") -> Draw:
    return lambda x, y: path(f"M{num(x - 19)} {num(y)}h38", stroke=stroke, width=thick, dash=dash)


def _markers(x: float, y: float) -> str:
    disc, square = Marker("", "france", "N"), Marker("", "austria", "S", "square")
    k = 20 / MARKER
    return pieces.marker(x - 11, y, disc, k) + pieces.marker(x + 11, y, square, k)


def _flag(x: float, y: float) -> str:
    mark = Objective("", (Stake("france", "6"), Stake("allied", "4")))
    return pieces.flag((x - 14, y - 9, x + 14, y + 6), (x - 14, y + 12), mark, 0.62)


def _worn(x: float, y: float) -> str:
    return pieces.counter(x, y, Counter(area="", tint="france", value="4", worn=True), 25 / COUNTER)


def _arm(kind: str) -> Draw:
    return lambda x, y: signs.arm(kind, x, y, 1.2, INK)


def _sections(board: Board, lang: Lang) -> list[tuple[str, list[Entry]]]:
    def word(key: str) -> str:
        return phrase(lang, key)

    terrains = {area.terrain for area in board.areas.values()}
    districts = {area.district for area in board.areas.values()}
    sections: list[tuple[str, list[Entry]]] = [
        (word("terrain"), [(draw, word(key)) for key, draw in _terrain().items() if key in terrains]),
        (word("districts"), [(_district(DISTRICT[key]), word(key)) for key in DISTRICT if key in districts]),
        (
            word("signs"),
            [
                (lambda x, y: signs.village(x, y, 5), word("village")),
                (lambda x, y: signs.road(f"M{num(x - 19)} {num(y)}h38"), word("road")),
                (_line(AREA_LINE, 2.3, "8 4"), word("zone_border")),
                (_line(DISTRICT_LINE, 3.6), word("district_border")),
                (_flag, word("objective")),
                (lambda x, y: signs.swords(x, y, 13), word("battle")),
            ],
        ),
        (
            word("armies"),
            [(_army(tint), word(tint)) for tint in _ARMIES]
            + [(_markers, word("marker")), (_worn, word("worn"))]
            + [(_arm(kind), word(kind)) for kind in ("infantry", "cavalry", "artillery")],
        ),
    ]
    return [(title, entries) for title, entries in sections if entries]


def _rows(entries: list[Entry], column: float) -> list[list[Entry]]:
    """Two entries to a row, unless one needs the whole width."""
    rows: list[list[Entry]] = []
    for entry in entries:
        if rows and len(rows[-1]) == 1 and not _broad(entry, column) and not _broad(rows[-1][0], column):
            rows[-1].append(entry)
        else:
            rows.append([entry])
    return rows


def _broad(entry: Entry, column: float) -> bool:
    return width(entry[1], _TEXT, REGULAR) * _SQUEEZE > column - _SIGN - 3


def _column(board: Board) -> float:
    return (board.shapes.free[0][2] - 26) / 2


@lru_cache(8)
def height(board: Board, lang: Lang) -> float:
    """How much of the panel the key takes."""
    column = _column(board)
    rows = (_HEAD + _GAP + _ROW * len(_rows(entries, column)) for _, entries in _sections(board, lang))
    return sum(rows) + 140


def draw(board: Board, lang: Lang, x: float, bottom: float, wide: float) -> str:
    """The key, standing on the panel's lower edge."""
    y = bottom - height(board, lang)
    parts = [path(f"M{num(x + 18)} {num(y - 6)}h{num(wide - 36)}", stroke=SEPIA, width=0.9)]
    column = _column(board)
    for title, entries in _sections(board, lang):
        y += _HEAD
        parts.append(text(x + 16, y - 6, title.upper(), 15, BOLD, SEPIA, "start", spacing=1.5))
        for row in _rows(entries, column):
            for i, (sign, words) in enumerate(row):
                left, middle = x + 14 + i * column, y + _ROW / 2
                parts.append(sign(left + 19, middle))
                room = column - _SIGN - 3 if len(row) > 1 else wide
                shown, size = fitted(words, _TEXT, room, REGULAR, least=_SQUEEZE)
                parts.append(text(left + _SIGN, middle + 5, shown, size, REGULAR, INK, "start"))
            y += _ROW
        y += _GAP
    for i, words in enumerate(wrapped(phrase(lang, "point_border"), 15, wide - 90, 4, italic=True)):
        parts.append(text(x + 16, y + 24 + i * 18, words, 15, REGULAR, SEPIA, "start", italic=True))
    parts.append(signs.rose(x + wide - 48, y + 62, 34))
    parts.append(signs.scale_bar(x + 22, bottom - 22, 3, board.shapes.projection.km_per_unit, 14))
    return "".join(parts)


def panel_box(x: float, y: float, wide: float, high: float) -> str:
    """Paper with a double rule round it."""
    return rect(x, y, wide, high, PAPER, f'stroke="{SEPIA}" stroke-width="2"') + rect(
        x + 4, y + 4, wide - 8, high - 8, "none", f'stroke="{SEPIA}" stroke-width=".8"'
    )
