"""Where a seat's headquarters are, and how far from each other: the way of couriers."""

from __future__ import annotations

from pbem.games.eia.board import FAR, LEADERS, POWERS, distances
from pbem.games.eia.state import MAP, State

AREAS_A_STAGE = 2
_FARTHEST = 12


def headquarters(view: State, seat: str) -> str:
    """Where its first leader stands, who is seen by all; without one the capital."""
    powers = view.of_seat(seat)
    leaders = [one for one in view.leaders.values() if one.where == MAP and one.power in powers]
    chief = min(
        leaders, key=lambda one: (LEADERS[one.id].seniority, -LEADERS[one.id].strategic, one.id), default=None
    )
    if chief is None:
        return POWERS[powers[0]].capitals[0]
    return chief.area or view.corps[chief.corps].area


def distance(view: State, sender: str, to: str) -> int:
    """Stages of two areas from one headquarters to the other."""
    areas = distances(headquarters(view, sender)).get(headquarters(view, to), FAR)
    return min(_FARTHEST, -(-areas // AREAS_A_STAGE))
