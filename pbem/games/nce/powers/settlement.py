"""16.6: what a peace does to the map: markers, mixed forces, everybody's way home."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.nce import board, command
from pbem.games.nce.charts import COUNTRIES, FLEETS, POWERS, SEAS, UNITS, ZONES
from pbem.games.nce.desk import Desk
from pbem.games.nce.powers import diplomacy
from pbem.games.nce.powers.places import home_ports
from pbem.games.nce.powers.withdrawal import move, nearest_free
from pbem.games.nce.replies import GoHome
from pbem.games.nce.state import NEUTRAL, POOL, SEATS, Force, State, enemy


def settle(desk: Desk, power: str, by: str, leave: Sequence[GoHome]) -> None:
    """3.2.5, 16.6.1, 16.6.2, 16.6.3, 16.6.4: markers go, forces part and go home, fortresses are active again."""
    state = desk.state
    _clear_markers(state, power, enemy(by))
    _part_company(state, power)
    _ways_home(desk, power, by, leave)
    diplomacy.realign(desk)
    for zone in [zone for zone in state.empty if state.owner_of(zone) == power]:
        state.empty.remove(zone)
    _fleets_home(state, power)


def _clear_markers(state: State, power: str, side: str) -> None:
    """3.2.5: the conqueror's markers leave the country and the minors that stay with it, and its own the rest of
    the map; one on which an ally stands is that ally's now.
    """

    def at_peace(zone: str) -> bool:
        owner = state.owner_of(zone)
        return owner == power or _follows(state, owner, power)

    for zone in list(state.control):
        if at_peace(zone):
            del state.control[zone]
            if zone in state.empty:
                state.empty.remove(zone)
        elif state.control[zone] == side and state.takers.get(zone) == power:
            heirs = [state.patron(force.power) for force in state.at(zone, side, inside=None)]
            heir = next((one for one in heirs if one != power), "")
            if heir:
                state.takers[zone] = heir
            else:
                del state.control[zone]
    for zone in [zone for zone in state.siege if at_peace(zone)]:
        del state.siege[zone]


def _part_company(state: State, power: str) -> None:
    """16.6.2, 16.6.3, 22.5: units of the beaten power leave their allies and allies its own; corps of minors that
    stay allied to it leave the map.
    """
    lent = set(diplomacy.borrowed(state))
    for force in list(state.forces.values()):
        if lent & set(force.units):
            continue
        for unit in [unit for unit in force.units if _follows(state, UNITS[unit].power, power)]:
            del force.units[unit]
            state.units[unit] = POOL
        if not force.units:
            command.dissolve(state, force)
            continue
        camp = _camp(state, force.power)
        for unit in [unit for unit in force.units if _camp(state, UNITS[unit].power) != camp]:
            command.detach(state, force, [unit]).side = _camp(state, UNITS[unit].power)
        command.shrink(state, force)


def _follows(state: State, country: str, power: str) -> bool:
    """22.5: whether a minor is allied to the beaten power."""
    return not COUNTRIES[country].major and state.status.get(country) == f"ally_{power}"


def _camp(state: State, country: str) -> str:
    side = state.side_of(country)
    return side if side in SEATS else NEUTRAL


def _ways_home(desk: Desk, power: str, by: str, leave: Sequence[GoHome]) -> None:
    """16.6.1, 16.6.2, 16.6.3: the conqueror stays or leaves, former allies leave the loser and the minors that stay
    with him, and he goes to his key zones.
    """
    state = desk.state
    for force in list(state.forces.values()):
        if force.id not in state.forces:
            continue
        owner = state.owner_of(force.zone)
        inside = owner == power
        if force.power == power:
            force.inside = False
            if not inside:
                _to_key_zone(state, force, power)
        elif (inside or _follows(state, owner, power)) and force.side == enemy(by):
            _to_border(desk, force)
        elif inside and force.side == by:
            force.inside = False
            order = next((o for o in leave if not o.forces or set(o.forces) & _names(force)), None)
            if order is not None:
                _to_border(desk, force, order.to, overseas=power == "angleterre")


def _names(force: Force) -> set[str]:
    return {*force.generals, *force.units}


def _to_border(desk: Desk, force: Force, wanted: str = "", *, overseas: bool = False) -> None:
    """16.6.1: the nearest zone of one's side with a fortress; from Angleterre a French one on the Manche."""
    state = desk.state
    if force.side not in SEATS:
        return
    if overseas:
        coast = [
            zone
            for zone in SEAS["manche"].ports
            if ZONES[zone].fortress and state.owner_of(zone) == "france" and zone not in state.control
        ]
        free = [zone for zone in coast if not state.at(zone)] or coast
        goal = wanted if wanted in free else next(iter(sorted(free)), "")
    else:
        goal = nearest_free(state, force, board.FAR - 1, fortress=True, wanted=wanted)
    if goal:
        move(desk, force, goal)
    else:
        command.dissolve(state, force)


def _to_key_zone(state: State, force: Force, power: str) -> None:
    """16.6.3: to a key zone of the loser, reorganised."""
    keys = [z for z in POWERS[power].key_zones if state.owner_of(z) == power] or [
        z for z in ZONES if state.owner_of(z) == power and ZONES[z].fortress
    ]
    force.side = NEUTRAL
    for zone in sorted(keys, key=lambda z: board.distance(force.zone, z)):
        friends = [other for other in state.at(zone, inside=None) if other.power == power]
        fits = [not command.may_join(other, force)[0] for other in friends]
        if not friends or any(fits):
            force.zone = zone
            if friends:
                other = next(o for o, ok in zip(friends, fits, strict=True) if ok)
                command.join(state, other, force)
            return
    spare = [z for z in ZONES if state.owner_of(z) == power and not state.at(z, inside=None)]
    if spare:
        force.zone = min(spare, key=lambda z: board.distance(force.zone, z))
    else:
        command.dissolve(state, force)


def _fleets_home(state: State, power: str) -> None:
    """16.6.3: its fleets at sea, in blockades and in foreign ports go to home ports."""
    for fleet, place in list(state.fleets.items()):
        kind, _, where = place.partition(":")
        if FLEETS[fleet].power != power or not where or (kind == "port" and state.owner_of(where) == power):
            continue
        ports = home_ports(state, fleet)
        state.fleets[fleet] = f"port:{ports[0]}" if ports else POOL
