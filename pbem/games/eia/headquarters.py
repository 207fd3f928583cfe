"""Where a seat has its headquarters, and how far couriers ride from one to another, as everyone may know."""

from __future__ import annotations

from pbem.games.eia.board import FAR, LEADERS, POWERS, distances
from pbem.games.eia.state import MAP, State

STAGE = 3
"""How many areas a courier rides in a stage."""


def headquarters(view: State, seat: str) -> str:
    """With the first in rank of its leaders on the map; in the capital, where there is none."""
    powers = view.of_seat(seat)
    leaders = [one for one in view.leaders.values() if one.power in powers and one.where == MAP]
    if leaders:
        first = min(leaders, key=lambda one: (LEADERS[one.id].seniority, powers.index(one.power), one.id))
        return first.area or view.corps[first.corps].area
    return POWERS[powers[0]].capitals[0]


def distance(view: State, sender: str, to: str) -> int:
    """The stages between two headquarters."""
    far = distances(headquarters(view, sender)).get(headquarters(view, to), FAR)
    return max(1, far // STAGE)
