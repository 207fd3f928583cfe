"""1: the board. Hexes, sections, distances, and the exact lines along which units see each other."""

from __future__ import annotations

from functools import cache

ROWS = "ABCDEFGHI"
WIDE, NARROW = 13, 12
BOTTOM, TOP = "bottom", "top"
LEFT, CENTER, RIGHT = "left", "center", "right"
SECTIONS = (LEFT, CENTER, RIGHT)
OFF = "off"
MIRROR = {LEFT: RIGHT, CENTER: CENTER, RIGHT: LEFT}


def width(row: int) -> int:
    """1.2: rows A, C, E, G, I have 13 hexes, the others 12."""
    return NARROW if row % 2 else WIDE


HEXES: tuple[str, ...] = tuple(
    f"{ROWS[row]}{column}" for row in range(len(ROWS)) for column in range(1, width(row) + 1)
)
ROW: dict[str, int] = {hex: ROWS.index(hex[0]) for hex in HEXES}
COLUMN: dict[str, int] = {hex: int(hex[1:]) for hex in HEXES}
X: dict[str, int] = {hex: 2 * COLUMN[hex] + ROW[hex] % 2 for hex in HEXES}
"""Half hexes from the left: with a point up, a hex is two wide."""


def at(row: int, column: int) -> str | None:
    """The hex of that row and column, where there is one; a half hex at the side is none."""
    return f"{ROWS[row]}{column}" if 0 <= row < len(ROWS) and 1 <= column <= width(row) else None


BEYOND: tuple[str, ...] = tuple(
    name
    for row in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    for column in range(20)
    if (name := f"{row}{column}") not in ROW
)
"""What people write by mistake: half hexes, columns and rows that the board does not have."""


def onto(name: str) -> str:
    """The hex of the board that is nearest to a name beyond it."""
    row = min(ord(name[0]) - ord("A"), len(ROWS) - 1)
    return f"{ROWS[row]}{min(max(int(name[1:]), 1), width(row))}"


def _around(hex: str) -> tuple[str | None, ...]:
    """1.4: the six places around a hex, from the right and counter-clockwise; None where the board ends."""
    row, column = ROW[hex], COLUMN[hex]
    left = column if row % 2 else column - 1
    return (
        at(row, column + 1),
        at(row + 1, left + 1),
        at(row + 1, left),
        at(row, column - 1),
        at(row - 1, left),
        at(row - 1, left + 1),
    )


AROUND: dict[str, tuple[str | None, ...]] = {hex: _around(hex) for hex in HEXES}
NEIGHBOURS: dict[str, tuple[str, ...]] = {
    hex: tuple(place for place in AROUND[hex] if place) for hex in HEXES
}
REAR: dict[str, dict[str, tuple[str, ...]]] = {
    BOTTOM: {hex: tuple(n for n in NEIGHBOURS[hex] if ROW[n] == ROW[hex] - 1) for hex in HEXES},
    TOP: {hex: tuple(n for n in NEIGHBOURS[hex] if ROW[n] == ROW[hex] + 1) for hex in HEXES},
}
"""7.5.2: the one or two hexes toward one's own edge."""
BASELINE = {BOTTOM: "A", TOP: "I"}


def _distance(a: str, b: str) -> int:
    rows = abs(ROW[a] - ROW[b])
    return rows + max(0, (abs(X[a] - X[b]) - rows) // 2)


DISTANCE: dict[str, dict[str, int]] = {a: {b: _distance(a, b) for b in HEXES} for a in HEXES}


def distance(a: str, b: str) -> int:
    """1.4: hex steps from one hex to another."""
    return DISTANCE[a][b]


def adjacent(a: str, b: str) -> bool:
    """Whether two hexes touch."""
    return DISTANCE[a][b] == 1


def _sections(hex: str) -> tuple[str, ...]:
    column, narrow = COLUMN[hex], ROW[hex] % 2
    found = []
    if column <= 4:
        found.append(LEFT)
    if (4 if narrow else 5) <= column <= 9:
        found.append(CENTER)
    if column >= (9 if narrow else 10):
        found.append(RIGHT)
    return tuple(found)


PHYSICAL: dict[str, tuple[str, ...]] = {hex: _sections(hex) for hex in HEXES}


def sections(hex: str, place: str) -> tuple[str, ...]:
    """1.1, 1.3: the section or sections of a hex, named from the seat at that edge of the board."""
    if place == BOTTOM:
        return PHYSICAL[hex]
    return tuple(MIRROR[section] for section in reversed(PHYSICAL[hex]))


_CORNERS = ((0, 2), (1, 1), (1, -1), (0, -2), (-1, -1), (-1, 1))


def _corners(x: int, y: int) -> list[tuple[int, int]]:
    return [(x + dx, y + dy) for dx, dy in _CORNERS]


def _sides(a: str, b: str, corners: list[tuple[int, int]]) -> list[int]:
    """On which side of the line from a to b each corner lies, as a signed number; 0 on the line."""
    dx, dy = X[b] - X[a], 3 * (ROW[b] - ROW[a])
    return [dx * (y - 3 * ROW[a]) - dy * (x - X[a]) for x, y in corners]


class Line:
    """6.3.1, 6.3.2: what lies between two hexes: hexes crossed, pairs where it runs along a side."""

    __slots__ = ("between", "pairs")

    def __init__(self, between: tuple[str, ...], pairs: tuple[tuple[str | None, str | None], ...]) -> None:
        self.between = between
        self.pairs = pairs


@cache
def line(a: str, b: str) -> Line:
    """The line of sight from centre to centre, exactly: whole numbers only."""
    dx, dy = X[b] - X[a], 3 * (ROW[b] - ROW[a])
    low, high = sorted((ROW[a], ROW[b]))
    between: list[tuple[int, str]] = []
    pairs: dict[tuple[tuple[int, int], ...], list[str | None]] = {}
    for row in range(low, high + 1):
        for column in range(width(row) + 2):
            x, y = 2 * column + row % 2, 3 * row
            along = dx * (x - X[a]) + dy * (y - 3 * ROW[a])
            hex = at(row, column)
            if hex in (a, b) or not 0 < along < dx * dx + dy * dy:
                continue
            corners = _corners(x, y)
            signs = _sides(a, b, corners)
            if min(signs) < 0 < max(signs):
                if hex:
                    between.append((along, hex))
            elif signs.count(0) == 2:
                side = tuple(sorted(corner for corner, sign in zip(corners, signs, strict=True) if sign == 0))
                pairs.setdefault(side, []).append(hex)
    flanks = tuple((pair[0], pair[1] if len(pair) > 1 else None) for pair in pairs.values())
    return Line(tuple(hex for _, hex in sorted(between)), flanks)


@cache
def entry(a: str, b: str) -> tuple[str, ...]:
    """11.2: the neighbour of b over whose side the line from a enters it; two where it enters at a corner."""
    corners = _corners(X[b], 3 * ROW[b])
    signs = _sides(a, b, corners)
    found = []
    for place, (one, two) in zip(AROUND[b], ((1, 2), (0, 1), (5, 0), (4, 5), (3, 4), (2, 3)), strict=True):
        if place is None or DISTANCE[a][place] > DISTANCE[a][b]:
            continue
        toward = (X[place] - X[b]) * (X[a] - X[b]) + 9 * (ROW[place] - ROW[b]) * (ROW[a] - ROW[b])
        if toward > 0 and signs[one] * signs[two] <= 0:
            found.append(place)
    return tuple(found)
