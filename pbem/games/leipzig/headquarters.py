"""How far the headquarters of the two sides are from each other."""

from __future__ import annotations

from pbem.games.leipzig.board import BOARD
from pbem.games.leipzig.judgement import DISTANCE
from pbem.games.leipzig.state import State

CHIEFS = {"french": "napoleon", "allied": "schwarzenberg"}


def headquarters(view: State, seat: str) -> str:
    """Where a side's chief is: his tile, a marker of his, or the first of his villages."""
    chief = CHIEFS[view.roles[seat]]
    army = view.armies[chief]
    return army.zone or min(army.markers, default="") or BOARD.armies[chief].start[0]


def distance(view: State, sender: str, to: str) -> int:
    """Zones from one headquarters to the other."""
    return DISTANCE[headquarters(view, sender)][headquarters(view, to)]
