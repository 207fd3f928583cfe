"""15: a squadron in its activation: sailing, interception, evasion, blockade and transport."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.nce import command, iberia, landing, naval_battle
from pbem.games.nce.charts import FLEETS, SEAS, ZONES
from pbem.games.nce.desk import Desk, Refused
from pbem.games.nce.events import BlockadeSet, FleetsMoved, NavalEvasion, NavalInterception, UnitsTaken
from pbem.games.nce.naval_flight import MOST_IN_PORT, settle_seas
from pbem.games.nce.orders import Attack, Blockade, Carry, Land, Sail
from pbem.games.nce.reactions import Fleets
from pbem.games.nce.replies import FleetReply
from pbem.games.nce.state import COALITION, NEUTRAL, Force, State, enemy
from pbem.kernel.order import Order

SUCCESS = 6


def sea_of(place: str) -> str:
    """The sea zone on which a place lies."""
    kind, _, where = place.partition(":")
    return where if kind == "sea" else ZONES[where].port


def passage_problem(state: State, side: str, start: str, to: str, fleets: Sequence[str]) -> tuple[str, str]:
    """15.3.2, 15.3.3, 14.2: why a squadron may not pass from sea to sea."""
    if {start, to} == {"mer_de_marmara", "mer_noire"}:
        neutral = state.side_of("turquie") == NEUTRAL
        if not neutral and state.controller("constantinople") != side:
            return "bosphorus_closed", "15.3.2"
    if SEAS[to].ice and state.weather() == "winter":
        return "ice", "14.2"
    basin = SEAS[to].basin
    for fleet in fleets:
        area = FLEETS[fleet].area
        if area == "baltique" and basin not in ("baltique", "detroit"):
            return "limited_waters", "15.3.3"
        if area == "mediterranee" and basin not in ("mediterranee", "mer_noire"):
            return "limited_waters", "15.3.3"
        if area == "russe" and basin not in ("baltique", "detroit", "mer_noire"):
            abroad = [
                f
                for f, place in state.fleets.items()
                if FLEETS[f].area == "russe"
                and f != fleet
                and ":" in place
                and SEAS[sea_of(place)].basin not in ("baltique", "detroit", "mer_noire")
            ]
            if abroad:
                return "limited_waters", "15.3.3"
    return "", ""


class Voyage:
    """2.6.2, 15.2.3, 15.3.1: a squadron in its activation."""

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
                self.fleets = list(order.fleets)
            for place in order.path:
                await self._sail(place)
                if self.over:
                    return
        elif isinstance(order, Carry):
            self._embark(order.pieces)
        elif isinstance(order, Blockade):
            await self._blockade(order.port)
        elif isinstance(order, Attack):
            await self._attack()
        elif isinstance(order, Land):
            await landing.assault(self, order.port)

    async def _sail(self, to: str) -> None:
        if to in ZONES:
            self._enter_port(to)
            return
        kind, _, where = self.place.partition(":")
        here = sea_of(self.place)
        if kind == "sea" and to == here:
            return
        if SEAS[here].ice and self.state.weather() == "winter":
            raise Refused("ice", "14.2", sea=here)
        if kind != "sea":
            await self._leave(kind, where)
            if self.over or to == here:
                return
        if to not in SEAS[here].neighbours:
            raise Refused("seas_apart", "15.2.1", start=here, zones=SEAS[here].neighbours)
        code, rule = passage_problem(self.state, self.side, here, to, self.fleets)
        if code:
            raise Refused(code, rule, sea=to)
        self.pay(1)
        self.put(f"sea:{to}")
        self.desk.tell(FleetsMoved(fleets=tuple(self.fleets), to=to, rule="15.2.1"))
        await self._watched(to)

    async def _leave(self, kind: str, where: str) -> None:
        """15.2.1, 15.6.3: out of port for a point, past those who blockade it; a blockade is left free."""
        if kind == "port":
            self.pay(1)
        sea = ZONES[where].port
        blockers = self.state.fleets_at(f"box:{where}", enemy(self.side))
        self.put(f"sea:{sea}")
        self.desk.tell(FleetsMoved(fleets=tuple(self.fleets), to=sea, rule="15.2.1"))
        if kind == "port" and blockers and not self.desk.dry:
            for fleet in blockers:
                self.state.fleets[fleet] = f"sea:{sea}"
            await self._battle(blockers, back=f"port:{where}")
        elif kind == "port":
            await self._watched(sea)

    def _enter_port(self, port: str) -> None:
        """15.2.1, 15.2.2: a friendly port of this sea, for a point; what is on board lands."""
        state = self.state
        if self.place == f"port:{port}":
            self._unload(port)
            return
        if not ZONES[port].port or ZONES[port].port != sea_of(self.place) or self.place.startswith("port:"):
            raise Refused("port_not_here", "15.2.1", zone=port)
        if state.controller(port) != self.side:
            raise Refused("port_not_friendly", "15.2.1", zone=port)
        if len(state.fleets_at(f"port:{port}")) + len(self.fleets) > MOST_IN_PORT:
            raise Refused("port_full", "15.3.1", zone=port)
        self.pay(1)
        self.put(f"port:{port}")
        self.desk.tell(FleetsMoved(fleets=tuple(self.fleets), to=port, rule="15.2.1"))
        self._unload(port)

    def _unload(self, port: str) -> None:
        for id in self.cargo:
            force = self.state.forces.get(id)
            if force is not None and force.zone != port:
                force.zone = port
                command.consolidate(self.state, port, self.side)
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
        units = [piece for piece in pieces if piece in force.units]
        part = force
        if units and len(units) < len(force.units):
            generals = [piece for piece in pieces if piece in force.subs]
            part = command.detach(state, force, units, generals)
            for one in (part, force):
                code, rule = command.command_problem(one)
                if code:
                    raise Refused(code, rule, force=one.name)
        room = 2 * len(self.fleets)
        if part.steps > room or len(part.generals) > len(self.fleets) or len(part.depots) > len(self.fleets):
            raise Refused("too_much_cargo", "15.7.1", room=room)
        part.acted = state.year * 10 + state.round
        self.cargo.append(part.id)
        self.desk.tell(UnitsTaken(force=pieces[0], pieces=tuple(part.units), zone=port, rule="15.7.1"))

    async def _watched(self, sea: str) -> None:
        """15.4.1, 15.4.2, 15.4.4, 15.5: who is at sea there, or blockades there, may intercept;
        who is met may evade.
        """
        if self.desk.dry:
            return
        state, other = self.state, enemy(self.side)
        at_sea = state.fleets_at(f"sea:{sea}", other)
        boxes = [f for port in SEAS[sea].ports for f in state.fleets_at(f"box:{port}", other)]
        if not at_sea and not boxes:
            return
        (order,) = await self.desk.ask(self._question(sea, "interception", [*at_sea, *boxes]))
        if not (isinstance(order, FleetReply) and order.what == "intercept"):
            return
        joined: list[str] = []
        for group in ([at_sea] if at_sea else []) + [[f] for f in boxes]:
            if len(joined) + len(group) > 3:
                continue
            value = max(FLEETS[f].initiative for f in group)
            label, (die,) = self.desk.roll("naval-interception", group[0], sea, rule="15.4.2", seat=other)
            success = die + value >= SUCCESS
            self.desk.tell(
                NavalInterception(
                    fleets=tuple(group),
                    sea=sea,
                    die=die,
                    total=die + value,
                    success=success,
                    draws=(label,),
                    rule="15.4.2",
                )
            )
            if success:
                joined += group
        if not joined:
            return
        if at_sea and at_sea[0] not in joined and len(joined) + len(at_sea) <= 3:
            joined += at_sea
        for fleet in joined:
            state.fleets[fleet] = f"sea:{sea}"
        await self._battle(joined, back=self.came)

    def _question(self, sea: str, kind: str, mine: Sequence[str], ways: Sequence[str] = ()) -> Fleets:
        return Fleets(
            key=self.desk.label(kind, self.fleets[0], sea),
            seat=enemy(self.side),
            rule="15.4",
            sea=sea,
            kind_of=kind,
            movers=tuple(self.fleets),
            mine=tuple(mine),
            ways=tuple(ways),
        )

    async def _battle(self, defenders: Sequence[str], *, back: str) -> bool:
        """15.10: a battle at sea; true where the squadron may go on."""
        won = await naval_battle.at_sea(self, list(defenders), back=back)
        self.fleets = [f for f in self.fleets if ":" in self.state.fleets[f]]
        landing.fit_cargo(self)
        if not won:
            self.over = True
        return won

    async def _attack(self) -> None:
        """15.4.3, 15.5: attack who is at sea here; he may evade."""
        kind, _, sea = self.place.partition(":")
        state, other = self.state, enemy(self.side)
        if kind != "sea":
            raise Refused("not_at_sea", "15.4.3")
        enemies = state.fleets_at(self.place, other)
        boxes = [f for port in SEAS[sea].ports for f in state.fleets_at(f"box:{port}", other)]
        if not enemies and not boxes:
            raise Refused("no_fleet_here", "15.4.3", sea=sea)
        if self.desk.dry:
            return
        if enemies and await self._evaded(sea, enemies):
            return
        targets = (enemies or boxes)[:3]
        for fleet in targets:
            state.fleets[fleet] = self.place
        await self._battle(targets, back=self.came if self.came != self.place else self.place)

    async def _evaded(self, sea: str, enemies: Sequence[str]) -> bool:
        """15.5: six or more with the best initiative, into a port of the zone or the next sea."""
        state, other = self.state, enemy(self.side)
        ways = naval_battle.refuges(state, enemies, sea, sea_of(self.came))
        if not ways:
            return False
        (order,) = await self.desk.ask(self._question(sea, "evasion", enemies, ways))
        if not (isinstance(order, FleetReply) and order.what == "evade"):
            return False
        value = max(FLEETS[f].initiative for f in enemies)
        label, (die,) = self.desk.roll("naval-evasion", enemies[0], sea, rule="15.5.1", seat=other)
        success = die + value >= SUCCESS
        self.desk.tell(
            NavalEvasion(
                fleets=tuple(enemies),
                sea=sea,
                die=die,
                total=die + value,
                success=success,
                draws=(label,),
                rule="15.5.1",
            )
        )
        if success:
            goal = order.to if order.to in ways else ways[0]
            for fleet in enemies:
                state.fleets[fleet] = f"port:{goal}" if goal in ZONES else f"sea:{goal}"
        return success

    async def _blockade(self, port: str) -> None:
        """15.6: into the blockade box; a squadron in port may come out and fight."""
        state = self.state
        if not ZONES[port].port or ZONES[port].port != sea_of(self.place):
            raise Refused("port_not_here", "15.2.1", zone=port)
        if state.controller(port) != enemy(self.side):
            raise Refused("port_not_enemy", "15.6.1", zone=port)
        mine = state.fleets_at(f"box:{port}", self.side)
        if len(mine) + len(self.fleets) > 3:
            raise Refused("port_full", "15.3.1", zone=port)
        if not mine:
            self.pay(1)
        back = self.place
        self.put(f"box:{port}")
        defenders = state.fleets_at(f"port:{port}", enemy(self.side))
        if defenders and not mine and not self.desk.dry:
            (order,) = await self.desk.ask(self._question(ZONES[port].port, "sortie", defenders))
            if isinstance(order, FleetReply) and order.what == "sortie":
                won = await naval_battle.in_box(self, defenders, port, back=back)
                if not won:
                    self.over = True
                    return
        self.over = True
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
                    landing.drown(self.desk, force)
        elif self.cargo:
            self._unload(self.place[5:])
        crowd = self.state.fleets_at(self.place, self.side) if self.place.startswith("sea:") else []
        if len(crowd) > 3 and self.desk.dry:
            raise Refused("squadron_size", "15.3.1")
        settle_seas(self.state)


def landing_problem(state: State, force: Force, port: str) -> str:
    """10.1.5, 10.1.7: whether troops may land in a country."""
    if state.home_side(port) in (NEUTRAL, "peace"):
        return "neutral_ground"
    return iberia.problem(state, force, port)


def corsairs(desk: Desk, side: str, fleet: str, port: str) -> None:
    """15.9: to the box of the corsairs, or home from it, for a point."""
    state = desk.state
    place = state.fleets.get(fleet, "")
    if side != COALITION or state.side_of(FLEETS[fleet].power) != side:
        raise Refused("not_your_fleet", "15.9")
    if place == "corsaires":
        if not port or state.owner_of(port) != FLEETS[fleet].power or not ZONES[port].port:
            raise Refused("home_port", "15.9", fleet=fleet)
        if len(state.fleets_at(f"port:{port}")) >= MOST_IN_PORT:
            raise Refused("port_full", "15.3.1", zone=port)
        state.fleets[fleet] = f"port:{port}"
    elif ":" in place:
        state.fleets[fleet] = "corsaires"
    else:
        raise Refused("not_your_fleet", "15.9")
    desk.tell(FleetsMoved(fleets=(fleet,), to=port, rule="15.9"))
