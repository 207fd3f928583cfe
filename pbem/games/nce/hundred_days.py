"""18: the rules of 1815 alone: no budget is played, so lost corps come back as replacements of the armies."""

from __future__ import annotations

from pbem.games.nce import command
from pbem.games.nce.charts import UNITS
from pbem.games.nce.desk import Desk
from pbem.games.nce.events_powers import PieceBuilt
from pbem.games.nce.setup import settle_places
from pbem.games.nce.state import ASIDE, POOL, Force, State

SCENARIO = "1815"
STEPS = 2
CAVALRY = "fr_res_cav"


def clear_pool(state: State) -> None:
    """18: counters that are not placed are out; only what is lost in play comes back."""
    if state.scenario != SCENARIO:
        return
    for places in (state.units, state.fleets):
        for piece, place in places.items():
            if place == POOL:
                places[piece] = ASIDE


def replacements(desk: Desk, force: Force | None) -> None:
    """18: two steps for each French army in a round in which it was activated, not in winter: reduced units first,
    the cavalry reserve among them (6.3.9), then lost corps.
    """
    state = desk.state
    if state.scenario != SCENARIO or force is None or not force.army or force.power != "france":
        return
    if state.weather() == "winter" or force.unsupplied or desk.dry:
        return
    for _ in range(STEPS):
        if force.steps >= command.limit(force):
            return
        unit = _weak(force) or _lost(state)
        if not unit:
            return
        force.units[unit] = force.units.get(unit, 0) + 1
        settle_places(state, force)
        steps = force.units[unit]
        desk.tell(PieceBuilt(power="france", piece=unit, zone=force.zone, steps=steps, rule="18"))


def _french_corps(unit: str) -> bool:
    record = UNITS[unit]
    return record.power == "france" and record.type == "corps" and not record.home_only


def _weak(force: Force) -> str:
    weak = [
        unit
        for unit, steps in force.units.items()
        if (_french_corps(unit) or unit == CAVALRY) and steps < UNITS[unit].steps
    ]
    return max(weak, key=lambda unit: (UNITS[unit].stars, unit != CAVALRY, unit), default="")


def _lost(state: State) -> str:
    lost = [unit for unit, place in state.units.items() if place == POOL and _french_corps(unit)]
    return max(lost, key=lambda unit: (UNITS[unit].stars, unit), default="")
