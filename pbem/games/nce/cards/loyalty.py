"""35C, 50F, 53F: towns of France that change hands by themselves when the year's marches are over."""

from __future__ import annotations

from pbem.games.nce.charts import POWERS, ZONES
from pbem.games.nce.command import capture, general_home, trim
from pbem.games.nce.desk import Desk
from pbem.games.nce.events import EffectBegins
from pbem.games.nce.land import aftermath, siege
from pbem.games.nce.land.supply import held
from pbem.games.nce.state import COALITION, EMPIRE, State

HOLD = 6
"""Steps with which the Coalition holds a town of France against its people."""


def french_keys(state: State) -> list[str]:
    """16.4, 18: the key zones of France that are French by right; in 1815 Anvers is not."""
    return [zone for zone in POWERS["france"].key_zones if state.owner_of(zone) == "france"]


def has_the_senate(state: State) -> bool:
    """35C: whether the Coalition controls Paris, or holds another key zone of France in supply."""
    if state.controller("paris") == COALITION:
        return True
    return any(held(state, zone, COALITION) for zone in french_keys(state))


def waver(desk: Desk) -> None:
    """7.3: first the people rise, then the Senate gives up."""
    _rise(desk)
    _fall(desk)


def _rise(desk: Desk) -> None:
    """50F, 53F: as long as Paris stands, towns of France that few or hungry enemies hold are French again."""
    state = desk.state
    if not state.flag("corps_francs") or state.controller("paris") != EMPIRE:
        return
    for zone in ZONES:
        if state.control.get(zone) != COALITION or state.owner_of(zone) != "france":
            continue
        steps = sum(force.strength for force in state.at(zone, COALITION, inside=None))
        if steps < HOLD or not held(state, zone, COALITION):
            for force in state.at(zone, COALITION, inside=True):
                force.inside = False
            aftermath.settle(desk, zone, COALITION)
            siege.open_gates(desk, zone, EMPIRE)


def _fall(desk: Desk) -> None:
    """35C: with Paris taken, or another key zone in supply, all of them open their gates; troops there go home, the
    Emperor leaves the game, and key zones of France need no supply to be held (3.2.6).
    """
    state = desk.state
    if not state.flag("decheance") or not has_the_senate(state):
        return
    keys = french_keys(state)
    for zone in keys:
        if state.controller(zone) == EMPIRE:
            for force in state.at(zone, EMPIRE, inside=None):
                capture(state, force, honours=True)
            siege.open_gates(desk, zone, COALITION)
    general_home(state, "napoleon", gone=True)
    for force in list(state.forces.values()):
        trim(state, force)
    state.flags["deposed"] = state.year * 10 + 9
    desk.tell(EffectBegins(name="deposed", rule="7.3"))
