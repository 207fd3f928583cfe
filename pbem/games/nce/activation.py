"""8.3: the beginning of an activation."""

from __future__ import annotations

from pbem.games.nce import command
from pbem.games.nce.desk import Desk, Refused
from pbem.games.nce.events import (
    Activated,
    SupplyFound,
    SupplyLost,
)
from pbem.games.nce.march import March
from pbem.games.nce.orders import (
    Activate,
)
from pbem.games.nce.state import Force, State
from pbem.games.nce.tempo import Grant, cost, now


def begin(desk: Desk, side: str, order: Activate, grant: Grant | None) -> tuple[March, int]:
    """8.3.1, 4.5.4, 10.2.1, 13.2.7: the force named, taken out of a stack where need be, and what
    its activation costs.
    """
    state = desk.state
    force = state.force_with(order.force)
    if force is None or order.force in force.special or order.force == force.army:
        raise Refused("no_such_force", "8.3.1", force=order.force)
    if force.side != side:
        raise Refused("not_your_force", "8.3.1", force=order.force)
    if force.inside and force.zone in state.siege:
        raise Refused("besieged", "13.2.7", force=order.force)
    if force.acted == now(state):
        raise Refused("already_acted", "4.5.4", force=order.force)
    if order.march and force.demoralised:
        raise Refused("demoralised", "10.2.1", force=order.force)
    if order.march > (grant.march if grant else 3):
        raise Refused("march_too_long", "10.2.1", most=grant.march if grant else 3)
    points = cost(force, order)
    force = _apart(state, force, order)
    march = March(desk, force, order.march, grant or Grant())
    if not grant and not force.general:
        march.points_short = 2 - points
    desk.tell(
        Activated(
            side=side,
            force=order.force,
            zone=force.zone,
            cost=0 if grant else points,
            movement=march.left,
            march=order.march,
            steps=force.steps,
            rule="8.3.1",
        )
    )
    desk.tell(
        (SupplyLost if force.unsupplied else SupplyFound)(force=order.force, zone=force.zone, rule="11.1")
    )
    return march, 0 if grant else points


def _apart(state: State, force: Force, order: Activate) -> Force:
    """8.3.1, 8.3.3: a subordinate with units, or a unit, leaves its stack to act on its own."""
    if order.force in force.subs:
        units = [unit for unit in order.units if unit in force.units]
        if not units or len(units) != len(order.units) or len(units) == len(force.units):
            raise Refused("name_his_units", "8.3.3", force=order.force)
        part = command.detach(state, force, units, [order.force])
    elif order.force in force.units and (force.general or len(force.units) > 1):
        if len(force.units) == 1:
            raise Refused("general_alone", "2.4.3", force=force.name)
        part = command.detach(state, force, [order.force])
    else:
        return force
    for piece in (part, force):
        code, rule = command.command_problem(piece)
        if code:
            raise Refused(code, rule, force=order.force)
    return part
