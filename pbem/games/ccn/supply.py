"""10.3.13: SHORT SUPPLY: where a unit may be put on its owner's baseline."""

from __future__ import annotations

from pbem.games.ccn import board, terrain
from pbem.games.ccn.state import State, Unit


def hexes(state: State, unit: Unit) -> list[str]:
    """Free hexes of the baseline in the unit's section, nearest first; else of the next row up (R55)."""
    place = state.place(unit.side)
    sections = board.sections(unit.hex, place)
    rows = range(len(board.ROWS)) if place == board.BOTTOM else range(len(board.ROWS) - 1, -1, -1)
    for row in rows:
        free = [
            hex
            for hex in board.HEXES
            if board.ROW[hex] == row
            and any(section in sections for section in board.sections(hex, place))
            and terrain.passable(state, hex, unit.arm)
            and state.unit_at(hex) is None
            and state.leader_at(hex) is None
        ]
        if free:
            return sorted(free, key=lambda hex: (abs(board.X[hex] - board.X[unit.hex]), board.COLUMN[hex]))
    return [unit.hex]
