"""8.3, 14.1: activations: what gives them, what they cost, what the season takes."""

from __future__ import annotations

import msgspec

from pbem.games.nce.charts import GENERALS, ZONES
from pbem.games.nce.orders import (
    Activate,
)
from pbem.games.nce.state import Force, State


class Grant(msgspec.Struct, frozen=True):
    """An activation that an event gives without points (22.9)."""

    who: str = ""
    march: int = 3
    no_attrition: bool = False
    extra: int = 0
    attrition: int = 0
    bridged: bool = False


def now(state: State) -> int:
    """The moment, to note what has been done in it."""
    return state.year * 10 + state.round


DEAREST = 3


def cost(order: Activate, head: str = "") -> int:
    """8.3.1, 8.3.2: a general's initiative; one more, up to 3, for two armies under their head; a unit alone 1,
    and 2 with a forced march.
    """
    if head:
        return min(DEAREST, GENERALS[head].initiative + 1)
    if order.force in GENERALS:
        return GENERALS[order.force].initiative
    return 2 if order.march else 1


def weather_loss(state: State, force: Force) -> int:
    """14.1, 10.1.1: one point in rounds 5 to 7; mud where a card says so (23C)."""
    loss = 0 if state.weather() == "fair" else 1
    zone = ZONES[force.zone]
    if force.side == "empire" and state.flag("mud") and (zone.poor or zone.terrain == "marsh"):
        loss += 1
    return loss
