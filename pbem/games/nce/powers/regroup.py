"""16.6.3: D18: after a peace the beaten power's manager may regroup its forces in its key zones and home ports."""

from __future__ import annotations

from collections.abc import Coroutine, Iterator, Mapping
from typing import Any

import msgspec

from pbem.games.nce import command
from pbem.games.nce.charts import FLEETS, GENERALS, POWERS, ZONES
from pbem.games.nce.choices import Small
from pbem.games.nce.desk import Desk, Rehearsed
from pbem.games.nce.events_powers import Regrouped
from pbem.games.nce.powers.places import home_ports
from pbem.games.nce.replies import Done, Instead, Station
from pbem.games.nce.setup import settle_places
from pbem.games.nce.state import NEUTRAL, POOL, WAIT, Force, State
from pbem.kernel.order import Answer, Fact, Order
from pbem.kernel.plan import Plan, Refused


class Regroup(Small, Rehearsed, frozen=True, kw_only=True):
    """16.6.3: where the forces of a beaten power stand, who leads them, and where its fleets lie."""

    power: str
    most_orders = 30
    orders = (Station, Instead, Done)

    def legal(self, view: State) -> Iterator[Answer]:
        yield (Done(),)
        for force in forces(view, self.power):
            for zone in havens(view, self.power):
                answer: Answer = (Station(force.name, zone),)
                if zone != force.zone and not self.check(view, answer):
                    yield answer

    def carry_out(self, desk: Desk, answer: Answer) -> Coroutine[Any, Any, None]:
        return carry_out(desk, self.power, answer)

    def facts(self, view: State) -> Mapping[str, Fact]:
        return {"power": self.power, "forces": len(forces(view, self.power))}


def forces(state: State, power: str) -> list[Force]:
    """The forces of a beaten power."""
    return [force for force in state.forces.values() if force.side == NEUTRAL and force.power == power]


def havens(state: State, power: str) -> list[str]:
    """The key zones that are still its own, or its fortresses where it has none."""
    keys = [zone for zone in POWERS[power].key_zones if state.owner_of(zone) == power]
    return keys or [z for z, record in ZONES.items() if record.fortress and state.owner_of(z) == power]


async def regroup(desk: Desk, power: str) -> None:
    """16.6.3: asked where the power has forces on the map; silence leaves them where the peace has put them."""
    state = desk.state
    if not forces(state, power):
        return
    key = desk.label("regroup", power)
    answer = await desk.ask(Regroup(key=key, seat=state.manager(power), rule="16.6.3", power=power))
    await carry_out(desk, power, answer)


async def carry_out(desk: Desk, power: str, answer: Answer) -> None:
    """16.6.3: each order in turn."""
    state = desk.state

    async def step(order: Order) -> None:
        if isinstance(order, Station):
            (_moor if order.piece in FLEETS else _march)(state, power, order)
            desk.tell(Regrouped(power=power, piece=order.piece, to=order.to, rule="16.6.3"))
        elif isinstance(order, Instead):
            force = _relieve(state, power, order)
            desk.tell(Regrouped(power=power, piece=order.new, to=force.zone, rule="16.6.3"))

    await desk.carry_out(state.manager(power), Plan(enumerate(answer)), step)


def _moor(state: State, power: str, order: Station) -> None:
    if FLEETS[order.piece].power != power or ":" not in state.fleets[order.piece]:
        raise Refused("not_your_fleet", "16.6.3")
    ports = home_ports(state, order.piece)
    if order.to not in ports:
        nearest = (Station(order.piece, ports[0]),) if ports else ()
        raise Refused("home_port", "16.6.3", nearest=nearest, fleet=order.piece)
    state.fleets[order.piece] = f"port:{order.to}"


def _march(state: State, power: str, order: Station) -> None:
    """A commander with his force, a subordinate or a corps on its own, to a key zone, with whom stands there."""
    force = state.force_with(order.piece)
    if force is None or force.power != power or order.piece == force.army or order.piece in force.special:
        raise Refused("no_such_force", "16.6.3", force=order.piece)
    open_to = havens(state, power)
    if order.to not in open_to:
        nearest = (Station(order.piece, open_to[0]),) if open_to else ()
        raise Refused("not_a_key_zone", "16.6.3", nearest=nearest, zone=order.to, zones=tuple(open_to))
    friends = [other for other in forces(state, power) if other.zone == order.to and other.id != force.id]
    if order.piece in force.subs:
        _serve(force, order, friends)
        return
    if order.piece in force.units and (force.general or len(force.units) > 1):
        code, rule = command.split_problem(force, [order.piece])
        if code:
            raise Refused(code, rule, force=force.name)
        force = command.detach(state, force, [order.piece])
    for friend in friends:
        code, rule = command.may_join(friend, force)
        if code and not (friend.army and force.army and len(friends) == 1):
            raise Refused("stacking", rule, zone=order.to, force=friend.name, why=code)
    force.zone = order.to
    if friends and not (friends[0].army and force.army):
        command.join(state, friends[0], force)


def _serve(force: Force, order: Station, friends: list[Force]) -> None:
    """A subordinate leads a corps, or serves in an army, that stands in the zone."""
    for friend in friends:
        if not friend.general:
            friend.general = order.piece
        elif command.may_serve(friend, order.piece):
            friend.subs.append(order.piece)
        else:
            continue
        force.subs.remove(order.piece)
        return
    raise Refused("no_units_there", "16.6.3", zone=order.to)


def _relieve(state: State, power: str, order: Instead) -> Force:
    """4.4.4: a general of the reserve, or a subordinate of the same army, takes another's place."""
    force = state.force_with(order.old)
    ours = force is not None and force.power == power and order.old in force.generals
    if force is None or not ours or GENERALS[order.new].power != GENERALS[order.old].power:
        raise Refused("no_such_force", "16.6.3", force=order.old)
    inside = order.new in force.subs
    if not inside and state.generals[order.new] != POOL:
        able = tuple(g for g, place in state.generals.items() if place == POOL and GENERALS[g].power == power)
        raise Refused("not_in_reserve", "16.6.3", general=order.new, generals=able)
    subs = [general for general in force.subs if general != order.new]
    changed = msgspec.structs.replace(
        force,
        general=order.new if force.general == order.old else force.general,
        subs=subs if force.general == order.old else [*(g for g in subs if g != order.old), order.new],
    )
    code, rule = command.command_problem(changed)
    rank = GENERALS[changed.general].rank
    if not code and any(GENERALS[g].power == power and GENERALS[g].rank < rank for g in changed.subs):
        code, rule = "lower_rank", "4.3.1"
    if code:
        raise Refused(code, rule, force=order.new)
    force.general, force.subs = changed.general, changed.subs
    state.generals[order.old] = WAIT
    settle_places(state, force)
    return force
