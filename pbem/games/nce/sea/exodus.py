"""15.2.4: fleets whose port the enemy has captured sail at once to the nearest friendly one, if they get there."""

from __future__ import annotations

from pbem.games.nce.charts import FLEETS, SEAS, ZONES
from pbem.games.nce.desk import Desk
from pbem.games.nce.events_field import FleetsLost, FleetsMoved
from pbem.games.nce.replies import FleetReply
from pbem.games.nce.sea import naval_battle, naval_contact
from pbem.games.nce.sea.admiralty import RETREAT, Fleets
from pbem.games.nce.sea.naval import Voyage
from pbem.games.nce.sea.naval_flight import MOST_IN_PORT, settle_seas
from pbem.games.nce.sea.waters import passage_problem
from pbem.games.nce.state import OUT, POOL, SEATS, State, enemy


async def leave_captured_ports(desk: Desk) -> None:
    """15.2.4: at once, squadron by squadron; a blockade of what is one's own now is lifted."""
    state = desk.state
    if desk.dry:
        return
    for zone in [zone for zone, record in ZONES.items() if record.port]:
        holder = state.controller(zone)
        if holder not in SEATS:
            continue
        fleets = state.fleets_at(f"port:{zone}", enemy(holder))
        if fleets:
            await _flee(desk, zone, fleets)
        for fleet in state.fleets_at(f"box:{zone}", holder):
            state.fleets[fleet] = f"sea:{ZONES[zone].port}"
    settle_seas(state)


def ways(state: State, fleets: list[str], sea: str) -> dict[str, list[str]]:
    """The friendly ports within reach with room for all, each with the seas on the way, the nearest alone."""
    side = state.side_of(FLEETS[fleets[0]].power)
    most = min(FLEETS[fleet].movement for fleet in fleets) - 2
    paths = _paths(state, side, fleets, sea)
    found = {
        port: paths[record.port]
        for port, record in ZONES.items()
        if record.port in paths
        and state.controller(port) == side
        and len(state.fleets_at(f"port:{port}")) + len(fleets) <= MOST_IN_PORT
        and len(paths[record.port]) <= most
    }
    nearest = min((len(path) for path in found.values()), default=0)
    return {port: path for port, path in sorted(found.items()) if len(path) == nearest}


def _paths(state: State, side: str, fleets: list[str], start: str) -> dict[str, list[str]]:
    """The seas that can be reached, each with the seas on the shortest way."""
    paths: dict[str, list[str]] = {start: []}
    todo = [start]
    for here in todo:
        for there in SEAS[here].neighbours:
            if there not in paths and not passage_problem(state, side, here, there, fleets)[0]:
                paths[there] = [*paths[here], there]
                todo.append(there)
    return paths


async def _flee(desk: Desk, zone: str, fleets: list[str]) -> None:
    """15.2.4: who blockades fights them as they come out; survivors go on, watched in every sea; no port: lost."""
    state = desk.state
    side = state.side_of(FLEETS[fleets[0]].power)
    flight = Voyage(desk, side, fleets)
    sea = ZONES[zone].port
    blockers = state.fleets_at(f"box:{zone}", enemy(side))
    flight.put(f"sea:{sea}")
    desk.tell(FleetsMoved(fleets=tuple(fleets), to=sea, rule="15.2.4"))
    if blockers:
        await _fought(flight, blockers)
    goals = ways(state, flight.fleets, sea) if flight.fleets else {}
    if not goals:
        _lost(desk, flight)
        return
    port = await _port(desk, flight, sea, goals)
    await _fought(flight, await naval_contact.interceptors(flight, sea))
    for there in goals[port]:
        if not flight.fleets:
            return
        flight.put(f"sea:{there}")
        desk.tell(FleetsMoved(fleets=tuple(flight.fleets), to=there, rule="15.2.4"))
        await _fought(flight, await naval_contact.interceptors(flight, there))
    if flight.fleets:
        flight.put(f"port:{port}")
        desk.tell(FleetsMoved(fleets=tuple(flight.fleets), to=port, rule="15.2.4"))


async def _fought(flight: Voyage, foes: list[str]) -> None:
    """A battle after which who is left goes on, even if beaten; foes that are beaten give way."""
    if foes:
        await naval_battle.on_the_run(flight, foes)


async def _port(desk: Desk, flight: Voyage, sea: str, goals: dict[str, list[str]]) -> str:
    """D20: the owner chooses among ports equally near."""
    (order,) = await desk.ask(
        Fleets(
            key=desk.label("refuge", flight.fleets[0], sea),
            seat=flight.side,
            rule="15.2.4",
            sea=sea,
            kind_of=RETREAT,
            movers=tuple(flight.fleets),
            mine=tuple(flight.fleets),
            ways=tuple(goals),
        )
    )
    return order.to if isinstance(order, FleetReply) and order.to in goals else next(iter(goals))


def _lost(desk: Desk, flight: Voyage) -> None:
    for fleet in flight.fleets:
        desk.state.fleets[fleet] = POOL if FLEETS[fleet].rebuildable else OUT
    if flight.fleets:
        desk.tell(FleetsLost(fleets=tuple(flight.fleets), sea=flight.place.partition(":")[2], rule="15.2.4"))
