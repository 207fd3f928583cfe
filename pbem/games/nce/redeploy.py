"""6.5, 6.6: movement of neutrals and strategic redeployment."""

from __future__ import annotations

import itertools

import msgspec

from pbem.games.nce import attrition, board, command, iberia
from pbem.games.nce.charts import FLEETS, SEAS, UNITS, ZONES
from pbem.games.nce.desk import Desk, Refused
from pbem.games.nce.events import FleetsMoved, ForcesJoined, Redeployed
from pbem.games.nce.reactions import may_stand, strait_closed
from pbem.games.nce.replies import MoveFleet, Redeploy
from pbem.games.nce.state import SEATS, Force, State, enemy
from pbem.games.nce.supply import Network, supplied
from pbem.kernel.event import Modifier
from pbem.kernel.order import Answer

BORDERLANDS = ("saxe", "hesse", "cleves")


class Transfers:
    """A seat's redeployment being carried out, or rehearsed."""

    def __init__(self, desk: Desk, seat: str) -> None:
        self.desk, self.seat = desk, seat
        self.moved: set[str] = set()

    @property
    def state(self) -> State:
        """The position."""
        return self.desk.state

    async def run(self, answer: Answer) -> None:
        """Each order in turn; at the end one force a zone."""
        for number, order in enumerate(answer):
            try:
                if isinstance(order, Redeploy):
                    await self._force(order)
                elif isinstance(order, MoveFleet):
                    self._fleet(order)
            except Refused as refused:
                if self.desk.dry:
                    self.desk.problems.append(msgspec.structs.replace(refused.problem, order=number))
                    return

    async def _force(self, order: Redeploy) -> None:
        state = self.state
        force = state.force_with(order.force)
        if force is None or order.force in force.special:
            raise Refused("no_such_force", "6.6.2", force=order.force)
        force = self._part(force, order.force)
        if force.id in self.moved:
            raise Refused("already_acted", "6.6", force=order.force)
        neutral = force.side not in SEATS
        if neutral:
            if state.manager(state.patron(force.power)) != self.seat:
                raise Refused("not_your_power", "6.5.3", force=order.force)
        elif force.side != self.seat:
            raise Refused("not_your_force", "6.6", force=order.force)
        way, points = self._way(force, order.path, neutral)
        start, goal = force.zone, way[-1]
        self._border(force, goal, neutral)
        friends = [other for other in state.at(goal, force.side) if other.id != force.id]
        for other in friends:
            code, rule = command.may_join(other, force)
            if code and not (other.army and force.army and len(friends) == 1):
                raise Refused("stacking", rule, zone=goal, force=other.name, why=code)
        base = force.movement
        force.zone = goal
        self.moved.add(force.id)
        state.moves.append((start, goal, force.side))
        self.desk.tell(Redeployed(force=order.force, start=start, to=goal, points=points, rule="6.6"))
        if points > base and not neutral:
            await self._test(force, [start, *way])
        if force.id in state.forces and friends and not (friends[0].army and force.army):
            merged, spare = command.join(state, friends[0], force)
            self.desk.tell(
                ForcesJoined(zone=goal, force=merged.name, spare=tuple(spare), lost=(), rule="6.6.5")
            )

    def _border(self, force: Force, goal: str, neutral: bool) -> None:
        """19: as an option the neutral Prussian army stays next to enemy territory."""
        state = self.state
        if not (neutral and state.on("prussian_border") and force.army == "armee_elbe"):
            return
        near = (goal, *board.neighbours(goal))
        if not any(state.home_side(z) == "empire" or state.owner_of(z) in BORDERLANDS for z in near):
            raise Refused("prussian_border", "19", force=force.name)

    def _part(self, force: Force, name: str) -> Force:
        """A unit of a stack may go on its own."""
        if name in force.units and (force.general or len(force.units) > 1):
            if len(force.units) == 1:
                raise Refused("general_alone", "2.4.3", force=force.name)
            part = command.detach(self.state, force, [name])
            for one in (part, force):
                code, rule = command.command_problem(one)
                if code:
                    raise Refused(code, rule, force=name)
            return part
        if name in force.subs:
            raise Refused("name_his_units", "8.3.3", force=name)
        return force

    def _way(self, force: Force, path: tuple[str, ...], neutral: bool) -> tuple[list[str], int]:
        """6.6.3, 6.5.1: its factor, doubled by a general; a neutral at home by its factor alone."""
        state = self.state
        base = force.movement
        most = base if neutral or not force.general else 2 * base
        network = Network(state, force.side, force.power) if not neutral else None
        if network is not None and not supplied(state, force):
            raise Refused("unsupplied", "6.6.2", force=force.name)

        def may(here: str, there: str) -> bool:
            if neutral:
                return state.national(there, force.power) and board.crossing(here, there) != "strait"
            return network is not None and self._open(force, here, there, network)

        here, way, points = force.zone, list[str](), 0
        for goal in path:
            if goal == here:
                continue
            part = (goal,) if board.crossing(here, goal) else board.path(here, goal, most - points, may)
            if not part:
                raise Refused("no_way", "6.6.2", zone=goal, left=most - points)
            for zone in part:
                if not may(here, zone):
                    raise Refused("cannot_redeploy_there", "6.6.2", zone=zone)
                points += board.step_cost(here, zone)
                way.append(zone)
                here = zone
        if not way:
            raise Refused("no_way", "6.6.2", zone=force.zone, left=most)
        if points > most:
            raise Refused("not_enough_points", "6.6.3", needed=points, left=most)
        return way, points

    def _open(self, force: Force, here: str, there: str, network: Network) -> bool:
        """6.6.2: no enemy, no hostile fortress or marker, in supply all the way."""
        state, side = self.state, force.side
        if state.at(there, enemy(side)) or state.hostile_fortress(there, side):
            return False
        if state.control.get(there) == enemy(side) or strait_closed(state, here, there, side):
            return False
        if not may_stand(state, there, side) or iberia.problem(state, force, there):
            return False
        if any(UNITS[u].home_only and not state.national(there, UNITS[u].power) for u in force.units):
            return False
        return network.supplies(there)

    async def _test(self, force: Force, way: list[str]) -> None:
        """6.6.4: attrition beyond the base factor, without winter and forced march."""
        state = self.state
        crossed = [board.crossing(a, b) for a, b in itertools.pairwise(way)]
        entered = way[1:]
        mods = [
            Modifier("mountain_crossed", 1 if "mountain" in crossed else 0, "11.6"),
            Modifier(
                "poor_zone_crossed",
                2 if any(attrition.poor(state, z, force.side) for z in entered) else 0,
                "11.6.4",
            ),
            Modifier(
                "national_territory", -2 if all(state.national(z, force.power) for z in way) else 0, "11.6"
            ),
        ]
        await attrition.suffer(self.desk, force, mods)

    def _fleet(self, order: MoveFleet) -> None:
        """6.5.2: a neutral's fleet ends in a home port, or at sea beside one."""
        state, fleet = self.state, order.fleet
        power = FLEETS[fleet].power
        if state.side_of(power) in SEATS or state.manager(state.patron(power)) != self.seat:
            raise Refused("not_your_fleet", "6.5.2", fleet=fleet)
        ports = [z for z, record in ZONES.items() if record.port and state.owner_of(z) == power]
        seas = {ZONES[port].port for port in ports}
        if order.to in SEAS:
            if order.to not in seas:
                raise Refused("home_port", "6.5.2", fleet=fleet)
            state.fleets[fleet] = f"sea:{order.to}"
        else:
            if order.to not in ports or len(state.fleets_at(f"port:{order.to}")) >= 3:
                raise Refused("home_port", "6.5.2", fleet=fleet)
            state.fleets[fleet] = f"port:{order.to}"
        self.desk.tell(FleetsMoved(fleets=(fleet,), to=order.to, rule="6.5.2"))
