"""15.7: troops on board: what fleets carry, where it may land, and what goes down with them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pbem.games.nce import command
from pbem.games.nce.desk import Desk
from pbem.games.nce.events_field import ForceDestroyed, StepsLost
from pbem.games.nce.land import iberia
from pbem.games.nce.land.attrition import preference
from pbem.games.nce.orders import Carry
from pbem.games.nce.state import NEUTRAL, PEACE, WAIT, Force, State
from pbem.kernel.plan import Refused

if TYPE_CHECKING:
    from pbem.games.nce.sea.naval import Voyage

STEPS_A_FLEET = 2


def on_board(voyage: Voyage) -> list[Force]:
    """The forces that a squadron carries."""
    return [voyage.state.forces[id] for id in voyage.cargo if id in voyage.state.forces]


def ships_needed(forces: Sequence[Force]) -> int:
    """15.7.1: two steps, a depot, a general and an army marker a fleet."""
    steps = sum(force.steps for force in forces)
    return max(
        -(-steps // STEPS_A_FLEET),
        sum(len(force.depots) for force in forces),
        sum(len(force.generals) for force in forces),
        sum(bool(force.army) for force in forces),
    )


def drown(desk: Desk, force: Force) -> None:
    """15.7.2: troops that are not landed are lost."""
    desk.tell(ForceDestroyed(force=force.name, zone=force.zone, side=force.side, rule="15.7.2"))
    command.dissolve(desk.state, force)


def fit(voyage: Voyage) -> None:
    """15.7.3: loaded fleets go down with their cargo: what the others cannot carry is lost."""
    state, room = voyage.state, len(voyage.fleets)
    for force in reversed(on_board(voyage)):
        if not room:
            drown(voyage.desk, force)
            continue
        while force.depots and ships_needed(on_board(voyage)) > room:
            force.depots.pop()
        while force.subs and sum(len(one.generals) for one in on_board(voyage)) > room:
            state.generals[force.subs.pop()] = WAIT
        _lighten(voyage, force, room)
    voyage.cargo = [id for id in voyage.cargo if id in state.forces]


def _lighten(voyage: Voyage, force: Force, room: int) -> None:
    state, name, zone = voyage.state, force.name, force.zone
    lost: list[str] = []
    gone: list[str] = []
    while force.id in state.forces and ships_needed(on_board(voyage)) > room:
        unit = min((*force.units, *force.special), key=lambda one: preference(force, one, ()))
        lost.append(unit)
        if command.lose_step(state, force, unit):
            gone.append(unit)
    if lost:
        voyage.desk.tell(
            StepsLost(force=name, zone=zone, pieces=tuple(lost), gone=tuple(gone), rule="15.7.3")
        )
    if force.id not in state.forces:
        voyage.desk.tell(ForceDestroyed(force=name, zone=zone, side=force.side, rule="15.7.3"))


def landing_problem(state: State, force: Force, port: str) -> Refused | None:
    """10.1.5, 10.1.7, 2.1.6: why troops may not land in a country."""
    if state.home_side(port) in (NEUTRAL, PEACE):
        return Refused("neutral_ground", "10.1.5", zone=port, country=state.owner_of(port))
    stuck = command.stuck_at_home(state, force, port)
    if stuck:
        field = tuple(unit for unit in force.units if unit not in stuck)
        nearest = (Carry((force.general, *force.subs, *field)),) if force.general and field else ()
        return Refused("militia_at_home", "2.1.6", nearest=nearest, unit=stuck[0], zone=port)
    code = iberia.problem(state, force, port)
    return Refused(code, "10.1.7", zone=port) if code else None
