"""How far the headquarters of the two sides are from each other."""

from __future__ import annotations

from pbem.games.ccn import board
from pbem.games.ccn.state import State

HEXES_A_STAGE = 3


def headquarters(view: State, seat: str) -> str:
    """Where a side's first leader on the board is; without one, its first unit."""
    found = [leader.hex for leader in view.staff(seat)] or [unit.hex for unit in view.army(seat)]
    return found[0] if found else ""


def distance(view: State, sender: str, to: str) -> int:
    """Stages of three hexes from one headquarters to the other."""
    here, there = headquarters(view, sender), headquarters(view, to)
    return -(-board.DISTANCE[here][there] // HEXES_A_STAGE) if here and there else 1
