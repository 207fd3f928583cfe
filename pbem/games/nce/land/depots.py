"""2.3, 11.4: depots: fixed and carried, overrun, and what becomes of them when their force leaves."""

from __future__ import annotations

from pbem.games.nce.desk import Desk
from pbem.games.nce.events_field import DepotChanged, DepotTaken
from pbem.games.nce.orders import FixDepot
from pbem.games.nce.state import Force, State
from pbem.kernel.plan import Refused

HALF = 0.5
"""2.3.2: the combat value of a fixed depot that stands alone."""


def fixed_of(state: State, zone: str, side: str) -> list[str]:
    """The fixed depots of a side in a zone, by their powers."""
    return [power for power in state.fixed.get(zone, ()) if state.side_of(power) == side]


def alone(state: State, zone: str, side: str) -> bool:
    """2.3.2: whether depots of a side stand in a zone without any force of it outside a fortress."""
    return bool(fixed_of(state, zone, side)) and not state.at(zone, side)


def fix(desk: Desk, force: Force) -> None:
    """11.4: a mobile depot becomes fixed; the commander's own first."""
    if not force.depots:
        raise Refused("no_depot", "11.4", force=force.name)
    power = force.power if force.power in force.depots else force.depots[0]
    force.depots.remove(power)
    desk.state.fixed.setdefault(force.zone, []).append(power)
    desk.tell(DepotChanged(zone=force.zone, power=power, what="fixed", rule="11.4"))


def carry(desk: Desk, force: Force) -> None:
    """11.4, 2.3.4: a fixed depot becomes mobile again; only a general can move it."""
    state, zone = desk.state, force.zone
    standing = fixed_of(state, zone, force.side)
    if not standing:
        nearest = (FixDepot(),) if force.depots else ()
        raise Refused("no_depot", "11.4", nearest=nearest, force=force.name)
    if not force.general:
        raise Refused("depot_needs_general", "2.3.4", force=force.name)
    power = force.power if force.power in standing else standing[0]
    take_off(state, zone, power)
    force.depots.append(power)
    desk.tell(DepotChanged(zone=zone, power=power, what="mobile", rule="11.4"))


def take_off(state: State, zone: str, power: str) -> None:
    """One fixed depot of a power leaves a zone."""
    state.fixed[zone].remove(power)
    if not state.fixed[zone]:
        del state.fixed[zone]


def leave_behind(desk: Desk, force: Force, zone: str) -> None:
    """2.3.4: without a general a mobile depot is not moved: it stays in the zone, fixed."""
    if force.general:
        return
    for power in force.depots:
        desk.state.fixed.setdefault(zone, []).append(power)
        desk.tell(DepotChanged(zone=zone, power=power, what="fixed", rule="2.3.4"))
    force.depots = []


def overrun(desk: Desk, zone: str, side: str, loser: str) -> None:
    """2.3.2: the depots of the loser in a zone are destroyed."""
    lost = fixed_of(desk.state, zone, loser)
    for power in lost:
        take_off(desk.state, zone, power)
    if lost:
        desk.tell(DepotTaken(zone=zone, side=side, rule="2.3.2"))


def go_along(desk: Desk, force: Force, zone: str) -> None:
    """2.3.2, 2.3.4: fixed depots of a zone leave with a force that retreats or evades under a general."""
    if not force.general:
        return
    for power in fixed_of(desk.state, zone, force.side):
        take_off(desk.state, zone, power)
        force.depots.append(power)
        desk.tell(DepotChanged(zone=zone, power=power, what="mobile", rule="2.3.2"))
