"""8.3: the beginning of an activation."""

from __future__ import annotations

from pbem.games.nce import command
from pbem.games.nce.charts import GENERALS, UNITS
from pbem.games.nce.desk import Desk
from pbem.games.nce.events_field import Activated, SupplyFound, SupplyLost
from pbem.games.nce.land import stacking
from pbem.games.nce.land.march import March
from pbem.games.nce.land.tempo import Grant, cost, now
from pbem.games.nce.orders import (
    Activate,
)
from pbem.games.nce.state import Force, State
from pbem.kernel.plan import Refused

ANY = 9
"""More points than any force costs."""


def begin(desk: Desk, side: str, order: Activate, grant: Grant | None) -> tuple[March, int]:
    """8.3.1, 8.3.2, 10.2.1: the force named, taken out of a stack or with the army beside it, and what it costs."""
    state = desk.state
    force = state.force_with(order.force)
    if force is None or order.force in force.special or order.force == force.army:
        raise Refused("no_such_force", "8.3.1", nearest=instead(state, side, order.force), force=order.force)
    if force.side != side:
        raise Refused("not_your_force", "8.3.1", nearest=instead(state, side, order.force), force=order.force)
    pair = _other_army(state, force, order)
    for one in (force, *([pair] if pair else ())):
        _able(state, one, order)
    most = grant.march if grant else 3
    if order.march > most:
        nearest = (Activate(order.force, most, order.units),)
        raise Refused("march_too_long", "10.2.1", nearest=nearest, most=most)
    if pair is not None:
        head = command.lead([force, pair])
        force, pair = head, (pair if head is force else force)
        points = cost(order, head.general)
    else:
        points = cost(order)
        force = _apart(state, force, order)
    march = March(desk, force, order.march, grant or Grant(), pair)
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
            steps=sum(one.strength for one in march.forces),
            rule="8.3.2" if pair else "8.3.1",
        )
    )
    for one in march.forces:
        kind = SupplyLost if one.unsupplied else SupplyFound
        desk.tell(kind(force=order.force if one is force else one.name, zone=one.zone, rule="11.1"))
    return march, 0 if grant else points


def _able(state: State, force: Force, order: Activate) -> None:
    """4.5.4, 13.2.7, 10.2.1: who may be activated, and march on."""
    if force.inside and force.zone in state.siege:
        raise Refused(
            "besieged", "13.2.7", nearest=instead(state, force.side, order.force), force=order.force
        )
    if force.acted == now(state):
        raise Refused(
            "already_acted", "4.5.4", nearest=instead(state, force.side, order.force), force=order.force
        )
    if order.march and force.demoralised:
        nearest = (Activate(order.force, 0, order.units),)
        raise Refused("demoralised", "10.2.1", nearest=nearest, force=order.force)


def instead(state: State, side: str, piece: str, points: int = ANY) -> tuple[Activate, ...]:
    """8.3.1: a force that may be activated for so many points: what to write instead; the cheapest, of the same
    power, the strongest.
    """
    power = (GENERALS.get(piece) or UNITS[piece]).power if piece in GENERALS or piece in UNITS else ""
    able = [
        force
        for force in state.of(side)
        if force.acted != now(state)
        and not (force.inside and force.zone in state.siege)
        and cost(Activate(force.name)) <= points
    ]
    able.sort(key=lambda force: (cost(Activate(force.name)), force.power != power, -force.strength))
    return tuple(Activate(force.name) for force in able[:1])


def _other_army(state: State, force: Force, order: Activate) -> Force | None:
    """8.3.2: the army beside an army, where the order names its general."""
    named = [state.force_with(piece) for piece in order.units if piece in GENERALS]
    others = [f for f in named if f is not None and f is not force and f.army and force.army]
    if not others or order.force != force.general:
        return None
    other = others[0]
    if other.side != force.side or other.zone != force.zone or other.general not in order.units:
        raise Refused("no_army_beside", "8.3.2", force=order.force)
    return other


def _apart(state: State, force: Force, order: Activate) -> Force:
    """8.3.1, 8.3.3: a subordinate with units, or a unit, leaves its stack to act on its own."""
    if order.force in force.subs:
        pieces = [order.force, *order.units]
        code, rule = command.split_problem(force, pieces)
        if code:
            nearest = stacking.led_by(force, order.force, order.march)
            code = code if order.units and command.part(force, pieces) else "name_his_units"
            raise Refused(code, "8.3.3" if code == "name_his_units" else rule, nearest, force=order.force)
        return command.detach(state, force, order.units, [order.force])
    if order.force in force.units and (force.general or len(force.units) > 1):
        if len(force.units) == 1:
            nearest = (Activate(force.name, order.march),)
            raise Refused("general_alone", "2.4.3", nearest, force=force.name)
        code, rule = command.split_problem(force, [order.force])
        if code:
            raise Refused(code, rule, (Activate(force.name, order.march),), force=order.force)
        return command.detach(state, force, [order.force])
    if order.units:
        raise Refused("name_his_units", "8.3.3", (Activate(order.force, order.march),), force=order.force)
    return force
