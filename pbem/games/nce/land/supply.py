"""11: supply: sources, relays and lines by land and sea.

A line is counted outwards from the force (22.2): a relay or a source within 2 points, and so on to a source.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from pbem.games.nce import board
from pbem.games.nce.charts import COUNTRIES, FLEETS, POWERS, SEAS, ZONES
from pbem.games.nce.state import COALITION, EMPIRE, NEUTRAL, PEACE, Force, State, enemy

LINK = 2
"""11.3.2: movement points between two links."""


PORTS = tuple(zone for zone, record in ZONES.items() if record.port)


@cache
def _links(zone: str) -> tuple[tuple[str, str], ...]:
    """11.3.2, 22.1: the zones within one link, each with the zone between, where there is one; no straits."""
    found: list[tuple[str, str]] = []
    for near in board.neighbours(zone):
        cost = board.supply_step(zone, near)
        if cost > LINK or board.crossing(zone, near) == "strait":
            continue
        found.append((near, ""))
        for far in board.neighbours(near):
            strait = board.crossing(near, far) == "strait"
            if far != zone and not strait and cost + board.supply_step(near, far) <= LINK:
                found.append((far, near))
    return tuple(found)


@cache
def _has_strait(zone: str) -> bool:
    near = (zone, *board.neighbours(zone))
    return any(board.crossing(here, there) == "strait" for here in near for there in board.neighbours(here))


class Network:
    """The lines of one nation of a side; what is asked is looked up once."""

    def __init__(self, state: State, side: str, power: str, *, closed: Iterable[str] = ()) -> None:
        self.state, self.side, self.power = state, side, power
        self.other = enemy(side)
        self.patron = state.patron(power)
        self.closed = set(closed)
        self.occupied = {f.zone for f in state.forces.values() if f.side == self.other and not f.inside}
        capitals = set(POWERS[self.patron].capitals) if self.patron in POWERS else set()
        capitals.add(COUNTRIES[power].capital)
        if side == EMPIRE and state.status.get("pologne") == "protectorate":
            capitals.add("varsovie")
        self.capitals = capitals
        self._homes: dict[str, str] = {}
        self._shut: dict[str, bool] = {}
        self._relay: dict[str, bool] = {}
        self._source: dict[str, bool] = {}
        self._water: dict[str, str] | None = None
        self._blockaded: set[str] = set()
        self._joined: set[str] | None = None
        self._reach: dict[str, set[str]] = {}
        self._ports: dict[str, set[str]] = {}
        self._leads: dict[str, bool] = {}
        """Whether a chain of relays leads from a relay to a source, as far as it is known."""

    def shut(self, zone: str) -> bool:
        """11.3.4, 3.2.9, 11.3.5: whether no line may cross a zone."""
        found = self._shut.get(zone)
        if found is None:
            found = self._shut[zone] = self._is_shut(zone)
        return found

    def _is_shut(self, zone: str) -> bool:
        state = self.state
        if zone in self.occupied or zone in self.closed or state.control.get(zone) == self.other:
            return True
        home = self._home(zone)
        if home == NEUTRAL or (home == PEACE and not self._may_cross(zone)):
            return True
        if self._holder(zone) != self.other or zone in state.siege:
            return False
        return bool(state.fortress(zone))

    def _home(self, zone: str) -> str:
        """The side of a zone's owner."""
        found = self._homes.get(zone)
        if found is None:
            found = self._homes[zone] = self.state.home_side(zone)
        return found

    def _holder(self, zone: str) -> str:
        """3.2: the side that controls a zone."""
        return self.state.control.get(zone) or self._home(zone)

    def _may_cross(self, zone: str) -> bool:
        """11.3.10: the conqueror's lines cross a beaten country."""
        peace = self.state.peace.get(self.state.patron(self.state.owner_of(zone)))
        return self.side == (peace.by if peace else EMPIRE)

    def is_source(self, zone: str) -> bool:
        """11.2: capital, national fortress, fortified capital of an allied minor; unbesieged."""
        found = self._source.get(zone)
        if found is None:
            found = self._source[zone] = self._is_source(zone)
        return found

    def _is_source(self, zone: str) -> bool:
        state = self.state
        record = ZONES[zone]
        if zone in state.siege or self._holder(zone) != self.side:
            return False
        if self.power == "chouans" and state.scenario == "1815":
            # 18: outside Poitou and Bretagne royalists live on a port with a British depot.
            return bool(record.port) and "angleterre" in state.fixed.get(zone, ())
        if zone in self.capitals:
            return True
        if not state.fortress(zone):
            return False
        if state.owner_of(zone) in (self.patron, self.power):
            return True
        minor = record.capital_of
        return bool(minor) and not COUNTRIES[minor].major and state.side_of(minor) == self.side

    def is_relay(self, zone: str) -> bool:
        """11.3.1, 2.3.1: an active fortress of the side or of a forced ally, or a fixed depot of the nation."""
        found = self._relay.get(zone)
        if found is None:
            found = self._relay[zone] = self._is_relay(zone) or self.is_source(zone)
        return found

    def _is_relay(self, zone: str) -> bool:
        state = self.state
        if any(self._serves(power) for power in state.fixed.get(zone, ())):
            return True
        if not ZONES[zone].fortress or zone in state.empty or zone in state.siege:
            return False
        if self._holder(zone) == self.side:
            return True
        return self.side == EMPIRE and state.status.get(state.owner_of(zone)) == "forced_alliance"

    def _serves(self, owner: str) -> bool:
        """11.3.1: a depot of the nation; for a minor, of any major power of its side."""
        if owner == self.power or COUNTRIES[self.power].major:
            return owner == self.power
        return COUNTRIES[owner].major and self.state.side_of(owner) == self.side

    def reach(self, zone: str, *, via: str = "") -> set[str]:
        """11.3.2, 11.3.8: the zones within one link; through the zone of entry where one is named (11.3.8)."""
        if via:
            return self._within(zone, via)
        found = self._reach.get(zone)
        if found is None:
            found = self._reach[zone] = self._within(zone, "")
        return found

    def _within(self, zone: str, via: str) -> set[str]:
        if not via and not _has_strait(zone):
            shut = self.shut
            return {zone} | {to for to, mid in _links(zone) if not shut(to) and not (mid and shut(mid))}
        best = {zone: 0}
        todo = [zone]
        if via:
            cost = board.supply_step(zone, via)
            if cost > LINK or self.shut(via):
                return set()
            best, todo = {via: cost}, [via]
        for here in todo:
            for there in board.neighbours(here):
                cost = best[here] + board.supply_step(here, there)
                if cost > LINK or cost >= best.get(there, board.FAR):
                    continue
                if self.shut(there) or not self._strait_open(here, there):
                    continue
                best[there] = cost
                todo.append(there)
        return set(best)

    def _strait_open(self, here: str, there: str) -> bool:
        """11.3.4, 3.2.7: a strait whose sea enemy fleets control bars the line."""
        if board.crossing(here, there) != "strait":
            return True
        sea = ZONES[here].strait_sea.get(there, "")
        if not sea:
            return True
        place = f"sea:{sea}"
        state = self.state
        return not state.fleets_at(place, self.other) or bool(state.fleets_at(place, self.side))

    def _waters(self) -> dict[str, str]:
        """11.3.3: the body of open water to which each sea belongs."""
        if self._water is not None:
            return self._water
        state = self.state
        held: dict[str, set[str]] = {}
        for fleet, place in state.fleets.items():
            kind, _, where = place.partition(":")
            owner = state.side_of(FLEETS[fleet].power)
            if kind == "sea":
                held.setdefault(where, set()).add(owner)
            elif kind == "box" and owner == self.other:
                self._blockaded.add(where)
        closed = {sea for sea, owners in held.items() if self.other in owners and self.side not in owners}
        body: dict[str, str] = {}
        for sea in SEAS:
            if sea in body or sea in closed:
                continue
            todo = [sea]
            body[sea] = sea
            for here in todo:
                for there in SEAS[here].neighbours:
                    if there not in body and there not in closed:
                        body[there] = sea
                        todo.append(there)
        self._water = body
        return body

    def by_sea(self, zone: str) -> set[str]:
        """11.3.3: the relay ports that a port is joined to by water, none of them blockaded."""
        waters = self._waters()
        body = waters.get(ZONES[zone].port, "")
        if not body or zone in self._blockaded:
            return set()
        if body not in self._ports:
            self._ports[body] = {
                port
                for port in PORTS
                if waters.get(ZONES[port].port) == body
                and port not in self._blockaded
                and self.is_relay(port)
                and not self.shut(port)
            }
        return self._ports[body]

    def sea_way(self, start: str, end: str) -> list[str]:
        """11.3.3: the fewest seas from port to port, through waters that join them; none where they do not."""
        waters, goal = self._waters(), ZONES[end].port
        came = {ZONES[start].port: ""} if ZONES[start].port and goal else {}
        for here in (todo := list(came)):
            if here == goal:
                way = [here]
                while came[way[0]]:
                    way.insert(0, came[way[0]])
                return way
            for sea in SEAS[here].neighbours:
                if sea not in came and waters.get(sea, "") == waters.get(here):
                    came[sea] = here
                    todo.append(sea)
        return []

    def supplies(self, zone: str, *, via: str = "") -> bool:
        """11.3: whether a force in a zone can trace a line: from relay to relay until a source.

        In a battle the enemy who has come in does not part it from a source on which it stands (11.3.4).
        """
        if not via and self.is_source(zone):
            return True
        first = self.reach(zone, via=via)
        if not via and ZONES[zone].port and self.is_relay(zone):
            first = first | self.by_sea(zone)
        if via:
            first.discard(zone)
        return self.finds(first)

    def besieged(self, zone: str) -> bool:
        """11.3.7: whether a besieged fortress is supplied by sea."""
        return bool(ZONES[zone].port) and self.finds(self.by_sea(zone))

    def finds(self, first: set[str]) -> bool:
        """11.3.1: whether a chain of relays leads from these zones to a source."""
        leads = self._leads
        if any(leads.get(zone) for zone in first):
            return True
        if any(self.is_source(zone) and not self.shut(zone) for zone in first):
            return True
        came: dict[str, str] = {
            zone: "" for zone in first if self.is_relay(zone) and leads.get(zone) is not False
        }
        todo = list(came)
        while todo:
            zone = todo.pop()
            near = self._next(zone)
            if zone in leads or any(self.is_source(there) and not self.shut(there) for there in near):
                return self._lead(zone, came)
            for there in near:
                if there not in came and leads.get(there) is not False and self.is_relay(there):
                    came[there] = zone
                    todo.append(there)
        leads.update(dict.fromkeys(came, False))
        return False

    def _next(self, zone: str) -> set[str]:
        """11.3.2, 11.3.3: what a relay reaches, by land and from its port."""
        near = self.reach(zone)
        return near | self.by_sea(zone) if ZONES[zone].port else near

    def _lead(self, zone: str, came: dict[str, str]) -> bool:
        """Note that a chain of relays leads to a source from each of its links."""
        while zone:
            self._leads[zone] = True
            zone = came[zone]
        return True

    @property
    def joined(self) -> set[str]:
        """The relays and sources from which a source can be reached."""
        if self._joined is None:
            relays = [zone for zone in ZONES if self.is_relay(zone) and not self.shut(zone)]
            self._joined = {zone for zone in relays if self.finds({zone})}
        return self._joined


def sources(state: State, side: str, power: str) -> set[str]:
    """11.2: the sources of a nation."""
    network = Network(state, side, power)
    return {zone for zone in ZONES if network.is_source(zone)}


def supplied(
    state: State,
    force: Force,
    *,
    via: str = "",
    closed: Iterable[str] = (),
    known: dict[str, Network] | None = None,
) -> bool:
    """11.1, 11.3.7: whether a force is in supply; a besieged one only by sea (11.3.7)."""
    power = force.power
    rebels = COUNTRIES[power].kind == "revolt" and force.side == COALITION
    if rebels and (force.zone in COUNTRIES[power].zones or _rebel_home(force)):
        return True
    if force.side not in (EMPIRE, COALITION):
        return True
    key = f"{force.side}/{power}"
    network = known.get(key) if known is not None and not via and not closed else None
    if network is None:
        network = Network(state, force.side, power, closed=closed)
        if known is not None and not closed:
            known[key] = network
    if force.inside and force.zone in state.siege:
        return network.besieged(force.zone)
    return network.supplies(force.zone, via=via)


def _rebel_home(force: Force) -> bool:
    """18, 1815: royalists are always supplied in Poitou and Bretagne."""
    return force.power == "chouans" and ZONES[force.zone].province in ("poitou", "bretagne")


def zone_supplied(state: State, zone: str, side: str, known: dict[str, Network] | None = None) -> bool:
    """3.2.6, 11.3.7: whether a zone that a side controls can trace supply to one of its powers; with enemies in it
    only by sea, from a fortress that they besiege.
    """
    beset = bool(state.at(zone, enemy(side)))
    if beset and zone not in state.siege:
        return False
    for power in state.majors(side):
        key = f"{side}/{power}"
        network = known.get(key) if known is not None else None
        if network is None:
            network = Network(state, side, power)
            if known is not None:
                known[key] = network
        if network.besieged(zone) if beset else network.supplies(zone):
            return True
    return False


def check_all(state: State) -> list[tuple[str, bool]]:
    """11.1: markers set and removed; the forces whose state changed."""
    known: dict[str, Network] = {}
    changed = []
    for force in state.forces.values():
        short = force.side in (EMPIRE, COALITION) and not supplied(state, force, known=known)
        if short != force.unsupplied:
            force.unsupplied = short
            changed.append((force.id, short))
    return changed


def held(state: State, zone: str, side: str, known: dict[str, Network] | None = None) -> bool:
    """3.2.6: controlled, and in supply where a marker says so."""
    if state.controller(zone) != side:
        return False
    return zone not in state.control or zone_supplied(state, zone, side, known)
