"""6.3.6, 6.3.8: where reinforcements may appear."""

from __future__ import annotations

from functools import cache

from pbem.games.nce import board
from pbem.games.nce.charts import COUNTRIES, FLEETS, POWERS, ZONES
from pbem.games.nce.land.supply import supplied
from pbem.games.nce.state import SEATS, Force, State, enemy

NEVER = ("gibraltar", "la_valette")


@cache
def _by_land(zone: str) -> tuple[str, ...]:
    """10.1.3: the zones that are joined to one by land, or by a strait that no sea parts."""
    return tuple(
        there
        for there in board.neighbours(zone)
        if board.crossing(zone, there) != "strait" or not ZONES[zone].strait_sea.get(there)
    )


def connected(state: State, power: str) -> set[str]:
    """6.3.6: the national territory joined by land to the capital; the strait inside Danemark is as land (10.1.3)."""
    capital = (
        next((z for z in POWERS[power].capitals if state.owner_of(z) == power), "") if power in POWERS else ""
    )
    capital = capital or COUNTRIES[power].capital
    seen, todo = {capital}, [capital]
    for here in todo:
        for there in _by_land(here):
            if there not in seen and state.owner_of(there) == power:
                seen.add(there)
                todo.append(there)
    return seen


def reinforcement_zones(state: State, power: str) -> list[str]:
    """6.3.6: capital and fortresses of the connected territory, neither besieged nor enemy-held."""
    side = state.side_of(power)
    record = COUNTRIES[power]
    capitals = set(POWERS[power].capitals) if power in POWERS else {record.capital}
    own = connected(state, power)
    found = []
    for zone in sorted(own):
        if zone in NEVER or not (zone in capitals or ZONES[zone].fortress):
            continue
        lies_empty = zone in state.empty and zone not in capitals
        if zone in state.siege or lies_empty or zone in state.control:
            continue
        if side in SEATS and (state.controller(zone) != side or state.at(zone, enemy(side), inside=None)):
            continue
        found.append(zone)
    return found


def home_ports(state: State, fleet: str) -> list[str]:
    """6.3.6: home ports with room."""
    power = FLEETS[fleet].power
    side = state.side_of(power)
    return [
        zone
        for zone, record in ZONES.items()
        if record.port
        and state.owner_of(zone) == power
        and zone not in state.control
        and len(state.fleets_at(f"port:{zone}")) < 3
        and (side not in SEATS or state.controller(zone) == side)
    ]


def reached(state: State, force: Force) -> bool:
    """6.3.6, 13.2.7: whether reinforcements reach a force: in supply, and not besieged even if fed by sea."""
    return not (force.inside and force.zone in state.siege) and supplied(state, force)


def supplied_armies(state: State, power: str) -> list[Force]:
    """6.3.9: armies of a power that reinforcements reach."""
    return [f for f in state.forces.values() if f.army and f.power == power and reached(state, f)]
