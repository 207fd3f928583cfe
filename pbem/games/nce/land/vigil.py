"""19, 18: as an option the Prussian army keeps to the frontier until an enemy has entered Prusse."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.nce import board
from pbem.games.nce.state import EMPIRE, Force, State
from pbem.kernel.plan import Refused

ARMY = "armee_elbe"
OVER = "prusse"


def note(state: State, side: str, entered: Sequence[str] = ()) -> None:
    """19: a force of the Empire in Prusse, or across it, ends the vigil for good."""
    if not state.on("prussian_border"):
        return
    zones = [force.zone for force in state.of(EMPIRE)] + (list(entered) if side == EMPIRE else [])
    if OVER not in state.spoiled and any(state.owner_of(zone) == "prusse" for zone in zones):
        state.spoiled.append(OVER)


def check(state: State, force: Force | None, zone: str) -> None:
    """19: it ends its moves beside land of the Empire's side, in Prusse or a minor that is allied to it, or in it."""
    if not state.on("prussian_border") or state.scenario != "1805" or OVER in state.spoiled:
        return
    if force is None or force.army != ARMY:
        return
    if not any(state.home_side(near) == EMPIRE for near in (zone, *board.neighbours(zone))):
        raise Refused("prussian_border", "19", force=force.name)
