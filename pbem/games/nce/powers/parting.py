"""9.1.4: D19: a beaten power leaves its victor: who stands alone keeps the zone, who shares one shelters, leaves or
fights.
"""

from __future__ import annotations

from pbem.games.nce import command
from pbem.games.nce.charts import GENERALS, UNITS, ZONES
from pbem.games.nce.choices import FIGHT, FORTRESS, Parting, walls
from pbem.games.nce.desk import Desk
from pbem.games.nce.events import EffectBegins
from pbem.games.nce.events_field import EnteredFortress
from pbem.games.nce.land import battle, siege
from pbem.games.nce.powers import diplomacy, withdrawal
from pbem.games.nce.reactions import may_stand
from pbem.games.nce.replies import AtOdds
from pbem.games.nce.sea import exodus
from pbem.games.nce.state import COALITION, EMPIRE, NEUTRAL, PEACE, SEATS, Force, State, enemy
from pbem.kernel.order import Order

SPAIN = "espagne"


async def break_up(desk: Desk, power: str, side: str) -> None:
    """9.1.4: a forced alliance, or a forced peace that talks have broken, ends: the power joins that side, and
    corps that it had lent (40F) leave who led them.
    """
    state = desk.state
    if state.side_of(power) != PEACE:
        return
    for unit in UNITS.values():
        if unit.power == power:
            state.flags.pop(f"lent_{unit.id}", None)
    for force in list(state.forces.values()):
        if force.side in SEATS:
            _split(state, force, power)
    await _part(desk, power, side)


async def rise(desk: Desk) -> None:
    """17.6, 19C: Espagne goes over to the Coalition; Empire troops among its own part from them as in 9.1.4, for
    which it counts as a forced ally that leaves.
    """
    state = desk.state
    state.status[SPAIN] = "forced_alliance"
    state.flags["war_of_liberation"] = 99999
    desk.tell(EffectBegins(name="war_of_liberation", rule="17.6"))
    for force in list(state.forces.values()):
        if force.side == EMPIRE:
            _split(state, force, SPAIN)
        if force.power == SPAIN:
            force.side = NEUTRAL
    await _part(desk, SPAIN, COALITION, cards=False)


def _split(state: State, force: Force, power: str) -> None:
    """A power's units leave a force of their former allies, or these leave theirs; a subordinate of theirs leads."""
    own = force.power == power
    units = [unit for unit in force.units if (UNITS[unit].power == power) != own]
    if not units:
        return
    generals = [general for general in force.subs if (GENERALS[general].power == power) != own]
    part = command.detach(state, force, units, generals[:1])
    part.side = EMPIRE if own else NEUTRAL
    for one in (part, force):
        command.shrink(state, one)


async def _part(desk: Desk, power: str, side: str, *, cards: bool = True) -> None:
    state, guest = desk.state, enemy(side)
    shared = _zones(state, power, guest)
    chosen = await _choices(desk, power, guest, shared)
    for zone in ZONES:
        if (
            state.owner_of(zone) == power
            and ZONES[zone].city
            and state.at(zone, guest)
            and zone not in shared
        ):
            state.control[zone] = guest
    fights = []
    for zone in shared:
        for force in state.at(zone, guest):
            if _gives_up(desk, force, chosen[zone]):
                fights.append(zone)
    diplomacy.join_side(desk, power, side, cards=cards, keep=frozenset(fights), in_port=not desk.dry)
    for zone in dict.fromkeys(fights):
        await _fight(desk, zone, guest)
    await exodus.leave_captured_ports(desk)


def _zones(state: State, power: str, guest: str) -> list[str]:
    """Where forces of the victor stand beside those of the power, outside a fortress, on ground that stays open to
    the power: from other ground it goes away by itself (9.2.9).
    """
    hosts = {force.zone for force in state.forces.values() if force.side == NEUTRAL and force.power == power}
    return sorted(
        zone
        for zone in hosts
        if state.at(zone, guest) and (state.owner_of(zone) == power or may_stand(state, zone, enemy(guest)))
    )


async def _choices(desk: Desk, power: str, guest: str, zones: list[str]) -> dict[str, AtOdds]:
    """The answer for each zone, filled up with what silence means."""
    if not zones:
        return {}
    question = Parting(
        key=desk.label("parting", power), seat=guest, rule="9.1.4", power=power, zones=tuple(zones)
    )
    given: tuple[Order, ...] = (*question.default(desk.state), *await desk.ask(question))
    return {order.zone: order for order in given if isinstance(order, AtOdds)}


def _gives_up(desk: Desk, force: Force, order: AtOdds) -> bool:
    """Into the fortress, whose zone it takes, or away; true where it will fight."""
    state, zone = desk.state, force.zone
    if order.how == FIGHT:
        if walls(state, zone, force.side):
            state.control[zone] = force.side
        return True
    if order.how == FORTRESS:
        state.control[zone] = force.side
        force.inside = True
        desk.tell(EnteredFortress(force=force.name, zone=zone, rule="9.1.4"))
        return False
    withdrawal.move(desk, force, order.to)
    return False


async def _fight(desk: Desk, zone: str, guest: str) -> None:
    """A battle at once, the guest as defender; he may retreat into the fortress, which falls back if he does not."""
    state = desk.state
    hosts, guests = state.at(zone, enemy(guest)), state.at(zone, guest)
    if hosts and guests:
        await battle.fight(desk, zone, hosts, guests, came="")
    if not state.at(zone, guest, inside=None) and state.home_side(zone) == enemy(guest):
        state.control.pop(zone, None)
    elif state.at(zone, guest) and not state.at(zone, enemy(guest)) and ZONES[zone].city:
        held = state.fortress(zone) and state.controller(zone) == enemy(guest)
        if not held:
            siege.mark(desk, zone, guest, told=False)
