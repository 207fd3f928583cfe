"""15.3.1, 9.2: fleets that a storm or a treaty sends to the nearest friendly port, and squadrons that are too big."""

from __future__ import annotations

from pbem.games.nce import board
from pbem.games.nce.charts import FLEETS, ZONES
from pbem.games.nce.desk import Desk
from pbem.games.nce.events_field import FleetsMoved
from pbem.games.nce.state import OUT, POOL, State

MOST_IN_PORT = 3


def friendly_ports(state: State, fleet: str) -> list[str]:
    """Ports of a fleet's side with room for it."""
    side = state.side_of(FLEETS[fleet].power)
    return [
        zone
        for zone, record in ZONES.items()
        if record.port
        and state.controller(zone) == side
        and len(state.fleets_at(f"port:{zone}")) < MOST_IN_PORT
    ]


def nearest_port(state: State, fleet: str, sea: str, most: int) -> str:
    """The nearest friendly port within the movement factor; by name where equal (D20)."""
    far = board.sea_distances(sea)
    ports = sorted((far.get(ZONES[zone].port, board.FAR), zone) for zone in friendly_ports(state, fleet))
    return ports[0][1] if ports and ports[0][0] + 2 <= most else ""


def go_to_port(desk: Desk, fleet: str, sea: str, most: int = 0) -> None:
    """The nearest friendly port, or the pool."""
    state = desk.state
    port = nearest_port(state, fleet, sea, most or FLEETS[fleet].movement)
    state.fleets[fleet] = f"port:{port}" if port else (POOL if FLEETS[fleet].rebuildable else OUT)
    desk.tell(FleetsMoved(fleets=(fleet,), to=port, rule="15.2.4"))


def settle_seas(state: State) -> None:
    """15.3.1: one squadron of three a side at sea; what is too much goes to the pool."""
    for side in ("empire", "coalition"):
        for sea in {place for place in state.fleets.values() if place.startswith("sea:")}:
            for fleet in sorted(state.fleets_at(sea, side), key=lambda f: FLEETS[f].tactical)[:-3]:
                state.fleets[fleet] = POOL if FLEETS[fleet].rebuildable else OUT
