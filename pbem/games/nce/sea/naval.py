"""15: a squadron in its activation: sailing, blockade and transport."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from pbem.games.nce import command
from pbem.games.nce.charts import FLEETS, SEAS, ZONES
from pbem.games.nce.desk import Desk
from pbem.games.nce.events_field import BlockadeSet, FleetsMoved, UnitsTaken
from pbem.games.nce.land import aftermath
from pbem.games.nce.land.tempo import now
from pbem.games.nce.orders import Attack, Blockade, Carry, Land, Sail
from pbem.games.nce.sea import cargo, foresight_sea, landing, naval_battle, naval_contact
from pbem.games.nce.sea.naval_flight import MOST_IN_PORT, settle_seas
from pbem.games.nce.sea.waters import passage_problem, sea_of
from pbem.games.nce.state import COALITION, POOL, Force, State, enemy
from pbem.kernel.order import Order
from pbem.kernel.plan import Refused
from pbem.kernel.problem import Problem


def _led_in(problem: Problem, way: tuple[str, ...]) -> Problem:
    """What would be legal, with the part of the way that was."""
    nearest = tuple(
        msgspec.structs.replace(order, path=(*way, *order.path)) if isinstance(order, Sail) else order
        for order in problem.nearest
    )
    return msgspec.structs.replace(problem, nearest=nearest)


class Voyage:
    """2.6.2, 15.2.3, 15.3.1: a squadron in its activation."""

    def against(self, fleets: Sequence[str]) -> Voyage:
        """The other side's squadron on a voyage of its own."""
        return Voyage(self.desk, enemy(self.side), fleets)

    def __init__(
        self, desk: Desk, side: str, fleets: Sequence[str], *, free_power: str = "", steps_max: int = 2
    ) -> None:
        state = desk.state
        self.desk, self.side, self.fleets = desk, side, list(fleets)
        self.steps_max = steps_max
        if not fleets or len(fleets) > 3:
            raise Refused("squadron_size", "15.3.1")
        places = {state.fleets.get(fleet, "") for fleet in fleets}
        if len(places) != 1 or ":" not in next(iter(places)):
            raise Refused("not_together", "15.2.3")
        if any(state.side_of(FLEETS[fleet].power) != side for fleet in fleets):
            raise Refused("not_your_fleet", "15.1")
        if free_power and any(state.patron(FLEETS[f].power) != free_power for f in fleets):
            raise Refused("not_your_fleet", "15.1")
        self.place = next(iter(places))
        self.came = self.place
        self.left = min(FLEETS[fleet].movement for fleet in fleets)
        self.cargo: list[str] = []
        self.over = False
        self.assaulted = self.landed = False
        self.no_landing = False
        """1C: whether the assaults of the event are used up."""
        self.cards: tuple[str, ...] = ()
        self.start = self.place
        self.fought = False
        self.chased = ""
        """15.10.5: the port into which a beaten squadron fled; it may be followed there free."""

    @property
    def state(self) -> State:
        """The position."""
        return self.desk.state

    def pay(self, points: int) -> None:
        """15.2.1: movement points."""
        if points > self.left:
            raise Refused("not_enough_points", "15.2.1", needed=points, left=self.left)
        self.left -= points

    def put(self, place: str) -> None:
        """The squadron is somewhere else."""
        self.came, self.place = self.place, place
        for fleet in self.fleets:
            self.state.fleets[fleet] = place

    async def step(self, order: Order) -> None:
        """One order of the activation."""
        self.fleets = [fleet for fleet in self.fleets if ":" in self.state.fleets[fleet]]
        if self.over or not self.fleets:
            raise Refused("activation_over", "15.10.5")
        if isinstance(order, Sail):
            if set(order.fleets) < set(self.fleets):
                if cargo.ships_needed(cargo.on_board(self)) > len(order.fleets):
                    raise Refused("too_much_cargo", "15.7.1", room=2 * len(order.fleets))
                self.fleets = list(order.fleets)
            for number, place in enumerate(order.path):
                try:
                    await self._sail(place)
                except Refused as refused:
                    refused.problem = _led_in(refused.problem, order.path[:number])
                    raise
                if self.over:
                    return
        elif isinstance(order, Carry):
            self._embark(order.pieces)
        elif isinstance(order, Blockade):
            await self._blockade(order.port)
        elif isinstance(order, Attack):
            await naval_contact.attack(self, order.port)
        elif isinstance(order, Land):
            await landing.assault(self, order.port)

    def thaw(self) -> None:
        """14.2, 15.3.3: in winter nothing moves north of the ice."""
        here = sea_of(self.place)
        if SEAS[here].ice and self.state.weather() == "winter":
            raise Refused("ice", "14.2", sea=here)

    async def _sail(self, to: str) -> None:
        if self.place in (f"port:{to}", f"sea:{to}"):
            if to in ZONES:
                self._unload(to)
            return
        self.thaw()
        here = sea_of(self.place)
        if to in ZONES and ZONES[to].port == here and not self.place.startswith("port:"):
            self._enter_port(to)
            return
        if to in ZONES and ZONES[to].port != here:
            raise Refused("port_not_here", "15.2.1", nearest=self._towards(to), zone=to)
        if not await self.put_to_sea() or to == here:
            return
        if to in ZONES:
            self._enter_port(to)
            return
        if to not in SEAS[here].neighbours:
            way = self._way(here, to)[: max(1, self.left)] or SEAS[here].neighbours[:1]
            sail = Sail(tuple(self.fleets), tuple(way))
            raise Refused("seas_apart", "15.2.1", (sail,), start=here, zones=SEAS[here].neighbours)
        code, rule = passage_problem(self.state, self.side, here, to, self.fleets)
        if code:
            ways = [
                sea
                for sea in SEAS[here].neighbours
                if not passage_problem(self.state, self.side, here, sea, self.fleets)[0]
            ]
            nearest = tuple(Sail(tuple(self.fleets), (sea,)) for sea in ways[:1])
            raise Refused(code, rule, nearest=nearest, sea=to)
        self.pay(1)
        self.put(f"sea:{to}")
        self.desk.tell(FleetsMoved(fleets=tuple(self.fleets), to=to, rule="15.2.1"))
        await naval_contact.watched(self, to)

    def _towards(self, port: str) -> tuple[Order, ...]:
        """What would be legal: by way of the sea on which the port lies, into it or before it."""
        sea, fleets = ZONES[port].port, tuple(self.fleets)
        if sea not in SEAS[sea_of(self.place)].neighbours:
            return ()
        if self.state.controller(port) == enemy(self.side):
            return (Sail(fleets, (sea,)), Blockade(port))
        return (Sail(fleets, (sea, port)),)

    def _way(self, here: str, to: str) -> list[str]:
        """15.2.1: the fewest seas from one to another that are open to the squadron; none where there is no way."""
        came = {here: ""}
        queue = [here]
        while queue and to not in came:
            sea = queue.pop(0)
            for there in SEAS[sea].neighbours:
                if (
                    there not in came
                    and not passage_problem(self.state, self.side, sea, there, self.fleets)[0]
                ):
                    came[there] = sea
                    queue.append(there)
        way: list[str] = []
        while to in came and to != here:
            way.insert(0, to)
            to = came[to]
        return way

    async def put_to_sea(self) -> bool:
        """15.2.1, 15.6.3: out of port for a point, past those who blockade it; a blockade is left free.

        True where the squadron may go on.
        """
        kind, _, where = self.place.partition(":")
        if kind == "sea":
            return True
        if kind == "port":
            self.pay(1)
        sea = ZONES[where].port
        blockers = self.state.fleets_at(f"box:{where}", enemy(self.side)) if kind == "port" else []
        self.put(f"sea:{sea}")
        self.desk.tell(FleetsMoved(fleets=tuple(self.fleets), to=sea, rule="15.2.1"))
        if blockers and self.desk.dry:
            foresight_sea.battle(self, blockers, where, "out")
            self.state.fleets.update(dict.fromkeys(blockers, POOL))
        elif blockers:
            await self.battle(blockers, back=f"port:{where}", home=f"box:{where}")
        if not self.over:
            await naval_contact.watched(self, sea)
        return not self.over

    def _enter_port(self, port: str) -> None:
        """15.2.1, 15.2.2, 13.2.7: a friendly port of this sea, for a point; what is on board lands, but not among
        besiegers.
        """
        state = self.state
        if not ZONES[port].port:
            raise Refused("port_not_here", "15.2.1", zone=port)
        friendly = [z for z in SEAS[ZONES[port].port].ports if state.controller(z) == self.side]
        room = [z for z in friendly if len(state.fleets_at(f"port:{z}")) + len(self.fleets) <= MOST_IN_PORT]
        nearest = tuple(Sail(tuple(self.fleets), (z,)) for z in room[:1])
        if port not in friendly:
            raise Refused("port_not_friendly", "15.2.1", nearest=nearest, zone=port)
        if port not in room:
            raise Refused("port_full", "15.3.1", nearest=nearest, zone=port)
        if self.cargo and state.at(port, enemy(self.side)):
            raise Refused("port_besieged", "13.2.7", zone=port)
        for force in cargo.on_board(self):
            problem = cargo.landing_problem(state, force, port)
            if problem is not None:
                raise problem
        self.pay(1)
        self.put(f"port:{port}")
        self.desk.tell(FleetsMoved(fleets=tuple(self.fleets), to=port, rule="15.2.1"))
        self._unload(port)

    def _unload(self, port: str) -> None:
        for id in self.cargo:
            force = self.state.forces.get(id)
            if force is not None and force.zone != port:
                force.zone = port
                aftermath.settle(self.desk, port, self.side)
        self.cargo = []

    def _embark(self, pieces: Sequence[str]) -> None:
        """15.7.1, 15.7.2: two steps, a depot and a general a fleet, at a friendly port."""
        state = self.state
        kind, _, port = self.place.partition(":")
        if kind != "port":
            raise Refused("embark_in_port", "15.7.2")
        force = state.force_with(pieces[0])
        if force is None or force.zone != port or force.side != self.side or force.inside:
            raise Refused("not_in_port", "15.7.2", force=pieces[0])
        if force.acted == now(state):
            raise Refused("already_acted", "4.5.4", force=pieces[0])
        units = [piece for piece in pieces if piece in force.units]
        part = force
        if units and len(units) < len(force.units) and force.general in pieces:
            self._leave_ashore(force, pieces)
        elif units and len(units) < len(force.units):
            chosen = command.part(force, pieces)
            code, rule = command.split_problem(force, pieces)
            if code or chosen is None:
                raise Refused(code or "not_with_force", rule or "4.5.1", force=force.name)
            part = command.detach(state, force, *chosen)
        if cargo.ships_needed([part, *cargo.on_board(self)]) > len(self.fleets):
            raise Refused("too_much_cargo", "15.7.1", room=2 * len(self.fleets))
        part.acted = now(state)
        self.cargo.append(part.id)
        self.desk.tell(UnitsTaken(force=pieces[0], pieces=tuple(part.units), zone=port, rule="15.7.1"))

    def _leave_ashore(self, force: Force, pieces: Sequence[str]) -> None:
        """15.7.1, 4.5.1: a commander sails with the units that are named; the others stay in the port."""
        stay = [unit for unit in force.units if unit not in pieces]
        subs = [general for general in force.subs if general not in pieces][: 1 if len(stay) > 1 else 0]
        named = {force.general, *force.subs, *force.units}
        code, rule = command.split_problem(force, (*stay, *subs))
        if code or any(piece not in named for piece in pieces):
            raise Refused(code or "not_with_force", rule or "4.5.1", force=force.name)
        command.detach(self.state, force, stay, subs)

    async def battle(self, defenders: Sequence[str], *, back: str, home: str = "") -> bool:
        """15.10: a battle at sea; true where the squadron may go on."""
        won = await naval_battle.at_sea(self, list(defenders), back=back, home=home)
        self.fleets = [f for f in self.fleets if ":" in self.state.fleets[f]]
        cargo.fit(self)
        if not won:
            self.over = True
        return won

    async def _blockade(self, port: str) -> None:
        """15.6, 15.10.5: into the blockade box; a squadron in port may come out and fight, unless just beaten."""
        state = self.state
        if not ZONES[port].port or ZONES[port].port != sea_of(self.place):
            raise Refused(
                "port_not_here", "15.2.1", self._towards(port) if ZONES[port].port else (), zone=port
            )
        if state.controller(port) != enemy(self.side):
            foes = [z for z in SEAS[ZONES[port].port].ports if state.controller(z) == enemy(self.side)]
            raise Refused("port_not_enemy", "15.6.1", nearest=tuple(Blockade(z) for z in foes[:1]), zone=port)
        mine = [f for f in state.fleets_at(f"box:{port}", self.side) if f not in self.fleets]
        if len(mine) + len(self.fleets) > 3:
            raise Refused("port_full", "15.3.1", zone=port)
        self.thaw()
        if not await self.put_to_sea():
            return
        chased = self.chased == port
        if not mine and not chased:
            self.pay(1)
        self.put(f"box:{port}")
        self.over = True
        defenders = state.fleets_at(f"port:{port}", enemy(self.side))
        resists = defenders and not mine and not chased
        if resists and self.desk.dry:
            foresight_sea.battle(self, defenders, port, "sortie")
        elif resists and not await naval_contact.sortie(self, defenders, port):
            return
        self.desk.tell(BlockadeSet(port=port, fleets=tuple(self.fleets), rule="15.6.2"))

    async def finish(self) -> None:
        """15.3.1, 15.7.2: what is still on board is lost; squadrons are three fleets at most."""
        at_port = self.place.startswith("port:")
        if self.cargo and not at_port:
            if self.desk.dry:
                raise Refused("cargo_at_sea", "15.7.2")
            for id in self.cargo:
                force = self.state.forces.get(id)
                if force is not None:
                    cargo.drown(self.desk, force)
        elif self.cargo:
            self._unload(self.place[5:])
        crowd = self.state.fleets_at(self.place, self.side) if self.place.startswith("sea:") else []
        if len(crowd) > 3 and self.desk.dry:
            raise Refused("squadron_size", "15.3.1")
        settle_seas(self.state)


def check_walcheren(state: State, side: str, fleets: tuple[str, ...]) -> None:
    """9C: English fleets in a port where a Coalition force stands."""
    kind, _, port = state.fleets[fleets[0]].partition(":")
    english = all(FLEETS[fleet].power == "angleterre" for fleet in fleets)
    if kind != "port" or not english or not state.at(port, side):
        raise Refused("fleets_with_force", "7.3")


def together(state: State, side: str, order: Sail) -> tuple[Sail, ...]:
    """15.2.3, 15.3.1: the first fleets of an order that can sail as one squadron: what to write instead."""
    mine = [f for f in order.fleets if state.side_of(FLEETS[f].power) == side and ":" in state.fleets[f]]
    squadron = [fleet for fleet in mine if state.fleets[fleet] == state.fleets[mine[0]]]
    return (Sail(tuple(squadron[:3]), order.path),) if squadron else ()


def in_port(state: State, side: str, order: Order) -> tuple[Order, ...]:
    """15.7.2: to embark, a squadron is named first in the port where the troops stand: what to write instead."""
    force = state.force_with(order.pieces[0]) if isinstance(order, Carry) else None
    fleets = state.fleets_at(f"port:{force.zone}", side)[:3] if force is not None else []
    return (Sail(tuple(fleets), (force.zone,)), order) if force is not None and fleets else ()


def corsairs(desk: Desk, side: str, fleet: str, port: str) -> None:
    """15.9: to the box of the corsairs, or home from it, for a point."""
    state = desk.state
    place = state.fleets.get(fleet, "")
    if side != COALITION:
        raise Refused("coalition_only", "15.9")
    if state.side_of(FLEETS[fleet].power) != side:
        raise Refused("not_your_fleet", "15.9")
    gone = f"corsairs_{fleet}"
    if place == "corsaires":
        if state.flags.get(gone) == now(state):
            raise Refused("same_round", "15.9", fleet=fleet)
        if not port or state.owner_of(port) != FLEETS[fleet].power or not ZONES[port].port:
            raise Refused("home_port", "15.9", fleet=fleet)
        if len(state.fleets_at(f"port:{port}")) >= MOST_IN_PORT:
            raise Refused("port_full", "15.3.1", zone=port)
        state.fleets[fleet] = f"port:{port}"
    elif ":" in place:
        state.fleets[fleet] = "corsaires"
        state.flags[gone] = now(state)
    else:
        raise Refused("not_your_fleet", "15.9")
    desk.tell(FleetsMoved(fleets=(fleet,), to=port, rule="15.9"))
