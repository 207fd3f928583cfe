"""The board: provinces, who borders on whom, capitals, and who plays which powers."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache

import msgspec

from pbem import paths


class Players(msgspec.Struct, frozen=True):
    """A scenario: its names, and the powers of each seat."""

    en: str
    fr: str
    seats: dict[str, tuple[str, ...]]


class Board(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the data file says."""

    rows: tuple[tuple[str, ...], ...]
    capitals: dict[str, str]
    minors: dict[str, int]
    scenarios: dict[str, Players]

    def places(self) -> dict[str, tuple[int, int]]:
        """Row and column of each province."""
        return {area: (r, c) for r, row in enumerate(self.rows) for c, area in enumerate(row)}


def _read() -> Board:
    return msgspec.convert(
        tomllib.loads((paths.game_data("crowns") / "board.toml").read_text("utf-8")), Board
    )


BOARD = _read()
AREAS = tuple(area for row in BOARD.rows for area in row)
POWERS = tuple(BOARD.capitals)


def _neighbours() -> Mapping[str, frozenset[str]]:
    places = BOARD.places()
    at = {place: area for area, place in places.items()}
    found = {}
    for area, (r, c) in places.items():
        # An odd row lies half a province to the right of an even one.
        left, right = (c - 1, c) if r % 2 == 0 else (c, c + 1)
        near = [
            (r, c - 1),
            (r, c + 1),
            *((row, column) for row in (r - 1, r + 1) for column in (left, right)),
        ]
        found[area] = frozenset(at[one] for one in near if one in at)
    return found


NEIGHBOURS = _neighbours()


@cache
def distance(start: str, to: str) -> int:
    """How many borders lie between two provinces."""
    reached, edge, steps = {start}, {start}, 0
    while to not in reached:
        edge = {near for area in edge for near in NEIGHBOURS[area]} - reached
        reached |= edge
        steps += 1
    return steps
