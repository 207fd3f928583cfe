"""How the sensible robot carries an army over the sea to where it is wanted."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.games.nce import board, command
from pbem.games.nce.charts import FLEETS, SEAS, ZONES
from pbem.games.nce.land import iberia
from pbem.games.nce.orders import Carry, Sail
from pbem.games.nce.robot.eye import Eye
from pbem.games.nce.robot.generalship import Plan, Pull, tied, unbound
from pbem.games.nce.sea import cargo
from pbem.games.nce.state import Force
from pbem.kernel.order import Order

LEAST = 3
"""Steps that are worth a voyage."""
VOYAGE = 3
"""Moves from sea to sea that a fleet has left between two ports."""
SQUADRON = 3
"""2.6.2: fleets that sail together."""


def crossings(eye: Eye) -> Iterator[Plan]:
    """15.7: voyages of forces that have nothing to do where they are, the squadron first called to their port."""
    for whole in eye.friends:
        if not ZONES[whole.zone].port or not whole.general or whole.strength < LEAST or whole.demoralised:
            continue
        force = unbound(whole)
        if len(command.militia(whole)) > 1 or not force.units:
            continue
        named = (force.general, *force.subs, *force.units)
        pieces = named if tied(whole) else (force.name,)
        pull = Pull(eye, force)
        here, needed = pull.at(force.zone), cargo.ships_needed([force])
        goals = {port: pull.at(port) for port in _harbours(eye, force)}
        if not goals or needed > SQUADRON:
            continue
        port = max(goals, key=lambda zone: (goals[zone], zone))
        value = eye.temper.scale * (goals[port] - here) - 2.0
        if value > 0:
            yield from _voyages(eye, force, pieces, port, needed, value)


def _harbours(eye: Eye, force: Force) -> list[str]:
    """Friendly ports that a squadron could reach from the force's port, and where it could stand."""
    view = eye.view
    near = board.sea_distances(ZONES[force.zone].port)
    found = []
    for zone, record in ZONES.items():
        if not record.port or zone == force.zone or near.get(record.port, 99) > VOYAGE or zone in eye.closed:
            continue
        if view.controller(zone) != eye.side or zone in view.siege or view.at(zone, eye.other, inside=None):
            continue
        friends = view.at(zone, eye.side)
        if len(friends) > 1 or any(command.may_join(f, force)[0] or tied(f) for f in friends):
            continue
        if not iberia.problem(view, force, zone) and eye.feeds(force, zone):
            found.append(zone)
    return found


def _voyages(
    eye: Eye, force: Force, pieces: tuple[str, ...], port: str, needed: int, value: float
) -> Iterator[Plan]:
    home = ZONES[force.zone].port
    moored, off = f"port:{force.zone}", f"sea:{home}"
    for place in (moored, off):
        fleets = _own(eye, place)[:needed]
        way = _seaway(home, ZONES[port].port)
        most = min((FLEETS[fleet].movement for fleet in fleets), default=0)
        if len(fleets) < needed or len(way) + 1 + (place == off) > most:
            continue
        orders: list[Order] = [Sail(tuple(fleets), (force.zone,)), Carry(pieces)]
        orders.append(Sail(tuple(fleets), (*way, port)))
        yield Plan(value, needed, force.name, tuple(orders), port)
        return
    if len(_own(eye, moored)) < needed:
        for fleet, path in _called(eye, force.zone):
            yield Plan(0.3 * value, 1, fleet, (Sail((fleet,), path),), force.zone)
            return


def _called(eye: Eye, zone: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Fleets that can be at a port with one voyage, from the sea before it or from another port, and their way."""
    home = ZONES[zone].port
    for fleet in _own(eye, f"sea:{home}"):
        yield fleet, (zone,)
    for fleet, place in sorted(eye.view.fleets.items()):
        kind, _, port = place.partition(":")
        if kind != "port" or port == zone or eye.view.side_of(FLEETS[fleet].power) != eye.side:
            continue
        way = _seaway(ZONES[port].port, home)
        if len(way) + 1 <= FLEETS[fleet].movement:
            yield fleet, (*way, zone)


def _own(eye: Eye, place: str) -> list[str]:
    return sorted(fleet for fleet in eye.view.fleets_at(place, eye.side))


def _seaway(start: str, goal: str) -> tuple[str, ...]:
    """The sea zones from one to another, both included."""
    near = board.sea_distances(goal)
    way = [start]
    while way[-1] != goal:
        way.append(min(SEAS[way[-1]].neighbours, key=lambda sea: (near.get(sea, 99), sea)))
    return tuple(way)
