"""1.1: the map, from data/board.toml; checked on load."""

from __future__ import annotations

import msgspec

from pbem.kernel.data import Data, mutual, need
from pbem.kernel.graph import reach


class Town(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """1.1: a town: where it lies, what it is worth, and where its roads lead."""

    id: str
    hex: str
    points: int
    neighbours: tuple[str, ...]


_DATA = Data.of("NAME")
TOWNS = _DATA.records("board", "town", Town)
START: dict[str, str] = _DATA.value("board", "start", dict[str, str])
mutual(TOWNS, lambda town: town.neighbours, _DATA.at("board", "town"))
for seat, place in START.items():
    need(place in TOWNS, _DATA.at("board", f"start.{seat}"), f"there is no {place}")

DISTANCE = {town: reach([town], lambda here: TOWNS[here].neighbours).cost for town in TOWNS}
"""How many roads lie between two towns."""
