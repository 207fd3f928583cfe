"""The key of a map of countries: signs with their words, in columns on a strip. Part of the base."""

from __future__ import annotations

from functools import lru_cache, partial

from pbem.kernel.drawing import Counter, Depot, Lang, March, Rank, Site, Supply, Tint
from pbem.reports.map.area.legend import Draw, Entry
from pbem.reports.map.board import Board
from pbem.reports.map.countries import base, tokens, town_signs
from pbem.reports.map.marks import pieces, signs, ways
from pbem.reports.map.paint.geometry import Point
from pbem.reports.map.paint.ink import fitted, num, path, rect, text, width
from pbem.reports.map.paint.style import (
    CAPITAL,
    CLOTH,
    COUNTER,
    INK,
    MINORS,
    POOR_NAME,
    REALM,
    REGULAR,
    RIVER_BORDER,
    SEMIBOLD,
)
from pbem.reports.map.phrases import phrase

_ROW, _SIGN, _TEXT, _GAP = 30.0, 52.0, 18.0, 18.0
_HALF = 20.0


def _swatch(fill: str, edge: str) -> Draw:
    frame = f'stroke="{edge}" stroke-width="3.4"'
    return lambda x, y: rect(x - 17, y - 9, 34, 18, fill, frame)


def _town(rank: Rank, fortress: int = 0, key: bool = False) -> Draw:
    site = Site(rank, "", "", fortress=fortress, key=key)
    return lambda x, y: town_signs.town(x, y, site, 0.95)


def _across(x: float, y: float) -> list[Point]:
    return [(x - _HALF, y), (x + _HALF, y)]


def _line(colour: str, wide: float, dash: str = "") -> Draw:
    return lambda x, y: path(
        f"M{num(x - _HALF)} {num(y)}h{num(2 * _HALF)}", stroke=colour, width=wide, dash=dash
    )


def _bridge(x: float, y: float) -> str:
    return _line(RIVER_BORDER, base.RIVER_CASE)(x, y) + town_signs.span(_across(x, y))


def _placed(svg: str) -> Draw:
    return lambda x, y: signs.at(x, y, svg)


def _counter(mark: Counter) -> Draw:
    return lambda x, y: pieces.counter(x, y, mark, 25 / COUNTER)


def _blockade(x: float, y: float) -> str:
    box = (x - 14, y - 10, x + 6, y + 10)
    return tokens.mooring(box, (x + 22, y), True, 0.6) + _counter(
        Counter("", "great_britain", "2", "", "fleet")
    )(x - 4, y)


def _control(x: float, y: float) -> str:
    outline = "M-17-9h34v18h-34z"
    ground = path(outline, REALM["austria"])
    return signs.at(x, y, ground, tokens.hatching("france", outline, 0.7))


def _march(retreat: bool, x: float, y: float) -> str:
    way = [(x - 22 + i * 4, y) for i in range(12)]
    return ways.march(way, March((), "france", retreat=retreat), 0.72)


def _supply(cut: bool, x: float, y: float) -> str:
    way = [(x - 18 + i * 4, y) for i in range(10)]
    return ways.supply(way, Supply((), "france", cut), 0.72)


def _on_board(board: Board) -> list[tuple[str, Draw]]:
    """Signs of what this board prints, by their key in the catalogue."""
    sites = base.atlas_of(board).sites.values()
    crossings = set(base.atlas_of(board).crossings.values())
    homes = {site.home for site in sites}
    grounds = {site.terrain for site in sites}
    province, minor, frontier = ((colour, wide, dash) for colour, wide, dash, _ in base.BORDERS[1:])
    found: list[tuple[str, Draw, bool]] = [
        (tint, _swatch(REALM[tint], CLOTH[tint].wash), tint in homes) for tint in REALM
    ]
    france: Tint = "france"
    found += [
        ("minor", _swatch(*MINORS[0]), True),
        ("pale", _swatch(base.ground(france, True), CLOTH[france].wash), True),
        ("capital", _town("capital"), True),
        ("chief", _town("chief"), True),
        ("town", _town("town"), True),
        ("fortress_1", _town("town", 1), any(site.fortress == 1 for site in sites)),
        ("fortress_2", _town("town", 2), any(site.fortress > 1 for site in sites)),
        ("key", _town("town", 0, True), any(site.key for site in sites)),
        ("port", lambda x, y: town_signs.anchor(x, y, 1), any(site.port for site in sites)),
        ("poor", lambda x, y: text(x, y + 6, "Abc", 19, SEMIBOLD, POOR_NAME), any(s.poor for s in sites)),
        ("marsh", _placed(town_signs.marshes([(-9, 0, 1.1), (9, 0, 1.1)])), True),
        ("forest", _placed(signs.trees([(-9, 0, 1.0), (9, 0, 1.0)])), "forest" in grounds),
        ("highland", _placed(signs.hills([(-9, 0, 1.0), (9, 0, 1.0)])), "mountain" in grounds),
        ("desert", _placed(town_signs.sands([(-9, 0, 1.0), (5, 0, 1.0)], 1)), "desert" in grounds),
        ("frontier", _line(*frontier), True),
        ("minor_frontier", _line(*minor), True),
        ("province", _line(*province), True),
        ("river", _line(RIVER_BORDER, base.RIVER_CASE), "river" in crossings),
        ("bridge", _bridge, "bridge" in crossings),
        ("mountain", lambda x, y: town_signs.ridge(_across(x, y)), "mountain" in crossings),
        ("pass", lambda x, y: town_signs.ridge(_across(x, y), True), "pass" in crossings),
        (
            "strait",
            lambda x, y: base.dashed(_across(x, y), CAPITAL, "4.4 2.8"),
            bool(board.shapes.links),
        ),
    ]
    return [(key, draw) for key, draw, shown in found if shown]


def _of_marks() -> list[tuple[str, Draw]]:
    return [
        ("force", _counter(Counter("", "france", "6"))),
        ("fleet", _counter(Counter("", "great_britain", "2", "", "fleet"))),
        ("blockade", _blockade),
        ("control", _control),
        ("siege", _placed(tokens.trenches("france", 0.54))),
        ("works", _placed(tokens.badge(1, 0.95))),
        ("depot", _placed(tokens.depot(Depot("", "france"), 0.9))),
        ("mobile", _placed(tokens.depot(Depot("", "france", mobile=True), 0.9))),
        ("supply", partial(_supply, False)),
        ("cut", partial(_supply, True)),
        ("march", partial(_march, False)),
        ("retreat", partial(_march, True)),
        ("battle", lambda x, y: signs.swords(x, y, 12)),
    ]


def _entries(board: Board, lang: Lang) -> list[Entry]:
    """The signs with their words: the board's own, or those of all maps of countries."""
    chart = base.atlas_of(board).chart
    own = chart.key.get(lang, {})
    return [
        (draw, own.get(key) or phrase(lang, key, "countries"))
        for key, draw in _on_board(board) + _of_marks()
        if key not in chart.unused
    ]


def _columns(entries: list[Entry], rows: int) -> list[list[Entry]]:
    return [entries[i : i + rows] for i in range(0, len(entries), rows)]


def _breadth(column: list[Entry]) -> float:
    return _SIGN + max(width(words, _TEXT, REGULAR) for _, words in column) + _GAP


@lru_cache(8)
def _rows(board: Board, lang: Lang, wide: float) -> int:
    """How many rows the key needs."""
    entries = _entries(board, lang)

    def fits(rows: int) -> bool:
        return sum(map(_breadth, _columns(entries, rows))) <= wide

    return next((rows for rows in range(1, len(entries)) if fits(rows)), len(entries))


def height(board: Board, lang: Lang, wide: float) -> float:
    return _rows(board, lang, wide - 20) * _ROW + 18


def draw(board: Board, lang: Lang, x: float, y: float, wide: float) -> str:
    """The key on its strip, spread over the whole breadth."""
    columns = _columns(_entries(board, lang), _rows(board, lang, wide - 20))
    spare = (wide - 20 - sum(map(_breadth, columns))) / len(columns)
    parts, left = [], x + 14
    for column in columns:
        for i, (sign, words) in enumerate(column):
            middle = y + 9 + (i + 0.5) * _ROW
            shown, size = fitted(words, _TEXT, _breadth(column) - _SIGN, REGULAR)
            parts.append(sign(left + _HALF + 2, middle))
            parts.append(text(left + _SIGN, middle + size * 0.34, shown, size, REGULAR, INK, "start"))
        left += _breadth(column) + spare
    return "".join(parts)
