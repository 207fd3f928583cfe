"""Where the hexes of a board lie on the sheet, and which of them touch. Lengths are map units."""

from __future__ import annotations

import hashlib
import math
import re
from functools import cached_property

import msgspec

from pbem.kernel.drawing import HexBoard
from pbem.reports.map.paint.geometry import Box, Point
from pbem.reports.map.paint.ink import num

RADIUS = 60.0
"""From a hex's middle to its corners."""
WIDE = RADIUS * math.sqrt(3)
HEADER, FOOTER, GAP = 92.0, 112.0, 26.0
"""Heights of the strips above and below the board, and the paper between."""

_NAME = re.compile(r"([A-Z])([1-9][0-9]?)")
DIRECTIONS = 6
"""Counted from the right, against the clock."""


def side_middle(direction: int, reach: float = WIDE / 2) -> Point:
    """The middle of a hex's side, from its own middle."""
    angle = math.radians(60 * direction)
    return (reach * math.cos(angle), -reach * math.sin(angle))


def corner(index: int, reach: float = RADIUS) -> Point:
    """A hex's corner, from its middle; side n runs from corner n to corner n + 1."""
    angle = math.radians(60 * index - 30)
    return (reach * math.cos(angle), -reach * math.sin(angle))


def outline(at: Point, reach: float = RADIUS) -> str:
    """Path data of a whole hex."""
    corners = [corner(i, reach) for i in range(DIRECTIONS)]
    return "M" + "L".join(f"{num(at[0] + x)} {num(at[1] + y)}" for x, y in corners) + "z"


class Grid:
    """A board's hexes on the sheet. Raises ValueError when the board names a hex that it does not have."""

    slug = "hexes"

    def __init__(self, board: HexBoard) -> None:
        if not (1 <= board.columns <= 40 and 1 <= board.rows <= 26):
            raise ValueError(f"a board of {board.columns} by {board.rows} hexes cannot be drawn")
        self.board = board
        self.wide = board.columns * WIDE
        self.high = (1.5 * board.rows + 0.5) * RADIUS
        self.top = HEADER + GAP
        named = [entry.hex for entry in board.terrain] + [place.hex for place in board.places]
        named += [hex for entry in board.terrain for hex in entry.facing]
        for hex in named:
            self.centre(hex)

    @cached_property
    def digest(self) -> str:
        """Names the board by its ground, for a cache."""
        ground = msgspec.structs.replace(self.board, places=())
        return hashlib.sha256(msgspec.json.encode(ground)).hexdigest()

    @property
    def field(self) -> tuple[float, float, float, float]:
        """Left, top, width and height of the board."""
        return (0.0, self.top, self.wide, self.high)

    @property
    def sheet(self) -> tuple[float, float, float, float]:
        """Left, top, width and height of board and strips."""
        return (0.0, 0.0, self.wide, self.top + self.high + GAP + FOOTER)

    def _length(self, row: int) -> int:
        return self.board.columns - row % 2

    def _spot(self, row: int, column: int) -> Point:
        x = (column - (0.0 if row % 2 else 0.5)) * WIDE
        y = self.high - RADIUS - 1.5 * RADIUS * row
        if self.board.near == "top":
            x, y = self.wide - x, self.high - y
        return (x, self.top + y)

    def _place(self, hex: str) -> tuple[int, int]:
        found = _NAME.fullmatch(hex)
        if found:
            row, column = ord(found[1]) - ord("A"), int(found[2])
            if row < self.board.rows and column <= self._length(row):
                return row, column
        raise ValueError(f"the board has no hex {hex!r}")

    @cached_property
    def centres(self) -> dict[str, Point]:
        """The middle of every hex."""
        return {
            f"{chr(ord('A') + row)}{column}": self._spot(row, column)
            for row in range(self.board.rows)
            for column in range(1, self._length(row) + 1)
        }

    @cached_property
    def halves(self) -> list[Point]:
        """The middles of the half hexes at the ends of short rows, which nobody may enter."""
        rows = range(1, self.board.rows, 2)
        return [self._spot(row, column) for row in rows for column in (0, self.board.columns)]

    def centre(self, hex: str) -> Point:
        """The middle of a hex; raises ValueError when there is none of that name."""
        row, column = self._place(hex)
        return self._spot(row, column)

    def neighbour(self, hex: str, direction: int) -> str | None:
        """The hex over a side as the sheet shows it; None beyond the edge of the board."""
        turned = direction if self.board.near == "bottom" else (direction + 3) % DIRECTIONS
        row, column = self._place(hex)
        left = column - 1 + row % 2
        row, column = (
            (row, column + 1),
            (row + 1, left + 1),
            (row + 1, left),
            (row, column - 1),
            (row - 1, left),
            (row - 1, left + 1),
        )[turned]
        if 0 <= row < self.board.rows and 1 <= column <= self._length(row):
            return f"{chr(ord('A') + row)}{column}"
        return None

    def around(self, hex: str) -> list[str | None]:
        """The neighbours over all six sides."""
        return [self.neighbour(hex, direction) for direction in range(DIRECTIONS)]

    def direction(self, a: str, b: str) -> int | None:
        """Over which side of the first hex the second lies, if they touch."""
        near = self.around(a)
        return near.index(b) if b in near else None

    def box(self, hex: str) -> Box:
        """The box that a hex fills."""
        x, y = self.centre(hex)
        return (x - WIDE / 2, y - RADIUS, x + WIDE / 2, y + RADIUS)
