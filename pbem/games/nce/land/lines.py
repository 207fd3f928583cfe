"""11.3: the line of supply of a force, zone by zone, to be listed and drawn."""

from __future__ import annotations

from itertools import pairwise

from pbem.games.nce import board
from pbem.games.nce.charts import ZONES
from pbem.games.nce.land.supply import LINK, Network, supplied
from pbem.games.nce.state import SEATS, Force, State


def line(state: State, force: Force, known: dict[str, Network]) -> tuple[str, ...]:
    """11.3.1: the zones and seas from its source to a force; its zone alone where that feeds it, nothing where it is
    out of supply. `known` are the networks looked up so far.
    """
    if force.side not in SEATS or not supplied(state, force, known=known):
        return ()
    network = known.get(f"{force.side}/{force.power}")
    if network is None:
        # 18: rebels live on their own country.
        return (force.zone,)
    besieged = force.inside and force.zone in state.siege
    came: dict[str, str] = {force.zone: ""}
    todo = [force.zone]
    for here in todo:
        if network.is_source(here) and not (besieged and here == force.zone):
            return _drawn(network, _chain(came, here))
        for there in _next(network, here, besieged=besieged and here == force.zone):
            if there not in came and not network.shut(there) and network.is_relay(there):
                came[there] = here
                todo.append(there)
    return (force.zone,)


def _next(network: Network, zone: str, *, besieged: bool) -> list[str]:
    """11.3.2, 11.3.3, 11.3.7: one link on, by land, then from port to port, the nearest first; a besieged fortress
    by sea alone.
    """
    by_sea = network.by_sea(zone) if ZONES[zone].port and (besieged or network.is_relay(zone)) else set()
    by_land = set() if besieged else network.reach(zone)
    return [
        *sorted(by_land),
        *sorted(by_sea - by_land, key=lambda port: (len(network.sea_way(zone, port)), port)),
    ]


def _chain(came: dict[str, str], zone: str) -> list[str]:
    found = [zone]
    while came[found[-1]]:
        found.append(came[found[-1]])
    return found


def _drawn(network: Network, chain: list[str]) -> tuple[str, ...]:
    """A chain of links with the zone or the waters between any two."""
    path = chain[:1]
    for here, there in pairwise(chain):
        path += [*_between(network, there, here)[::-1], there]
    return tuple(path)


def _between(network: Network, start: str, end: str) -> list[str]:
    near = board.neighbours(start)
    if end in near and end in network.reach(start):
        return []
    for zone in near:
        if (
            end in board.neighbours(zone)
            and not network.shut(zone)
            and board.supply_step(start, zone) + board.supply_step(zone, end) <= LINK
        ):
            return [zone]
    return network.sea_way(start, end)


def severed(state: State, force: Force) -> tuple[str, ...]:
    """11.1: from the nearest source to a force that it does not reach."""
    network = Network(state, force.side, force.power)
    came: dict[str, str] = {force.zone: ""}
    todo = [force.zone]
    for here in todo:
        if here != force.zone and network.is_source(here):
            return tuple(_chain(came, here))
        for there in board.neighbours(here):
            if there not in came:
                came[there] = here
                todo.append(there)
    return ()
