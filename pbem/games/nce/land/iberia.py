"""10.1.7: the closed peninsula."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.nce import board
from pbem.games.nce.charts import GENERALS, UNITS
from pbem.games.nce.state import EMPIRE, Force, State

REGION = "peninsule_iberique"
NATIVE = ("espagne", "portugal")


def open_to_all(state: State) -> bool:
    """19C or the Châtiments lift all limits."""
    return state.flag("war_of_liberation") or state.period == "chatiments"


def limits(state: State) -> tuple[int, int]:
    """Steps and generals that the Empire may have there."""
    steps = 4 * ("25F" in state.events) + 8 * ("24F" in state.events)
    generals = ("25F" in state.events) + 2 * ("24F" in state.events)
    return steps, generals


def native(force: Force) -> bool:
    """Whether a force is of the peninsula."""
    return all(UNITS[unit].power in NATIVE for unit in force.units)


def problem(state: State, force: Force, zone: str, also: Sequence[Force] = ()) -> str:
    """10.1.7: why a force, and those who go along, may not enter a zone of Espagne or Portugal."""
    if not board.in_region(zone, REGION) or open_to_all(state):
        return ""
    either = "25F" in state.events or "24F" in state.events
    if native(force):
        foreign = state.owner_of(zone) not in {UNITS[unit].power for unit in force.units}
        return "peninsula_closed" if foreign and not either else ""
    if not either:
        return "peninsula_closed"
    if force.side != EMPIRE:
        return ""
    steps, generals = limits(state)
    going = {one.id: one for one in (force, *also) if not native(one)}
    there = [
        other
        for other in state.of(EMPIRE)
        if other.id not in going and board.in_region(other.zone, REGION) and not native(other)
    ]
    if sum(_foreign_steps(one) for one in (*there, *going.values())) > steps:
        return "peninsula_full"
    if sum(_foreign_generals(one) for one in (*there, *going.values())) > generals:
        return "peninsula_full"
    return ""


def _foreign_steps(force: Force) -> int:
    return sum(steps for unit, steps in force.units.items() if UNITS[unit].power not in NATIVE)


def _foreign_generals(force: Force) -> int:
    return sum(GENERALS[general].power not in NATIVE for general in force.generals)
