"""6.3: what to write instead of an order of the budget that is refused."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.nce import board
from pbem.games.nce.charts import GENERALS, UNITS
from pbem.games.nce.powers.places import reinforcement_zones
from pbem.games.nce.replies import Assign, Build, Restore, Send
from pbem.games.nce.state import POOL, SEATS, State
from pbem.kernel.order import Order


def not_in_pool(state: State, order: Build) -> tuple[Order, ...]:
    """6.3.4: a unit that is on the map is restored; else another of its power is raised there, or where it may be."""
    record = UNITS.get(order.unit)
    if record is None:
        return ()
    force = state.force_with(order.unit)
    if force is not None and force.units[order.unit] < record.steps:
        return (Restore(order.unit),)
    others = [
        u.id
        for u in UNITS.values()
        if u.power == record.power and state.units[u.id] == POOL and not u.army_only and not u.province
    ]
    homes = [z for z in reinforcement_zones(state, record.power) if not state.at(z, inside=None)]
    site = order.at if order.at in homes else next(iter(homes), "")
    return tuple(Build(unit, site) for unit in others[:1] if site)


def elsewhere(state: State, order: Build, zone: str, zones: Sequence[str]) -> tuple[Order, ...]:
    """4.1.1: the nearest of the zones where nobody stands."""
    free = sorted((board.distance(zone, site), site) for site in zones if not state.at(site, inside=None))
    return tuple(Build(order.unit, site, order.steps) for _, site in free[:1])


def reserve(state: State, general: str) -> tuple[str, ...]:
    """6.3.10: the generals of his power who are in the reserve."""
    power = GENERALS[general].power if general in GENERALS else ""
    return tuple(g.id for g in GENERALS.values() if g.power == power and state.generals[g.id] == POOL)


def post(state: State, general: str) -> tuple[Order, ...]:
    """6.3.10: units of his power without a commander, on a reinforcement zone."""
    power = GENERALS[general].power
    home = reinforcement_zones(state, power)
    waiting = [f for f in state.forces.values() if f.power == power and not f.general and f.zone in home]
    return tuple(Assign(general, force.zone) for force in waiting[:1] if not force.inside)


def less(order: Send, have: float) -> tuple[Order, ...]:
    """6.3.3: as much as there is."""
    return (Send(int(have), order.giver, order.taker),) if have >= 1 else ()


def to_raise(state: State, seat: str) -> list[Order]:
    """6.3.4, 6.3.6: the units of the pool, each at the first reinforcement zone where nobody stands."""
    found: list[Order] = []
    for unit in UNITS.values():
        if state.units[unit.id] != POOL or unit.army_only or unit.province:
            continue
        if state.manager(state.patron(unit.power)) != seat or state.side_of(unit.power) not in SEATS:
            continue
        homes = reinforcement_zones(state, unit.power)
        found += [Build(unit.id, zone) for zone in homes if not state.at(zone, inside=None)][:1]
    return found
