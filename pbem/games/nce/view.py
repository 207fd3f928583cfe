"""1.8, 1.9: what a seat may know of a position. The only place that hides anything."""

from __future__ import annotations

from pbem.games.nce import fog
from pbem.games.nce.charts import UNITS
from pbem.games.nce.state import HIDDEN, NEUTRAL, SEATS, Force, State, copied


def view(state: State, seat: str | None) -> State:
    """1.8, 1.9: the position as a seat may know it."""
    seen = copied(state)
    for side in SEATS:
        if side != seat:
            seen.hands[side] = [HIDDEN] * len(seen.hands.get(side, ()))
        pile = seen.piles.get(side)
        if pile is not None:
            pile.cards = [HIDDEN] * len(pile.cards)
    if state.on("fog"):
        fog.cover(seen, seat)
        for force in seen.forces.values():
            managed = force.side == NEUTRAL and state.manager(state.patron(force.power)) == seat
            if force.side != seat and not managed:
                _fog(force)
    return seen


def _fog(force: Force) -> None:
    """1.9: of an enemy stack only its commander shows, or a unit that stands alone.

    The one corps that stands for the rest is the same whatever the stack holds.
    """
    if force.general:
        own = [u.id for u in UNITS.values() if u.power == force.power and u.type == "corps"]
        force.units = {min(own, default=next(iter(force.units))): 1}
        force.subs, force.special, force.depots = [], [], []
