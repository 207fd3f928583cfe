"""6.5, 6.6: movement of neutrals and strategic redeployment."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence

import msgspec

from pbem.games.nce import board, command
from pbem.games.nce.charts import FLEETS, MAJORS, SEAS, ZONES
from pbem.games.nce.desk import Desk
from pbem.games.nce.events_field import FleetsMoved, ForcesJoined
from pbem.games.nce.events_powers import Redeployed
from pbem.games.nce.land import attrition, depots, iberia, vigil
from pbem.games.nce.land.supply import Network, supplied
from pbem.games.nce.orders import LossOrder, SpendDepot
from pbem.games.nce.reactions import concerns, may_stand, strait_closed
from pbem.games.nce.replies import LiftDepot, MoveFleet, Redeploy
from pbem.games.nce.sea.naval_flight import MOST_IN_PORT
from pbem.games.nce.state import SEATS, Force, State, copied, enemy
from pbem.kernel.event import Modifier
from pbem.kernel.order import Answer, Order
from pbem.kernel.plan import Plan, Refused, rehearse


async def redeployment(desk: Desk, answers: Mapping[str, Answer]) -> None:
    """6.5, 6.6.1: neutrals first, then the powers at war in their order, whoever manages them."""
    transfers = {seat: Transfers(desk, seat, answers.get(seat, ())) for seat in SEATS}
    orders = [(seat, n, order) for seat in SEATS for n, order in enumerate(answers.get(seat, ()))]
    for seat, number, order in sorted(orders, key=lambda line: turn(desk.state, line[2])):
        await transfers[seat].try_one(order, number)


def turn(state: State, order: Order) -> tuple[int, int]:
    """6.5.1, 6.6.1: when an order is carried out: A5, then A6 power by power; in the plan's order for each."""
    if isinstance(order, MoveFleet):
        return 0, MAJORS.index(state.patron(FLEETS[order.fleet].power))
    force = state.force_with(order.force) if isinstance(order, (Redeploy, LiftDepot)) else None
    if force is None:
        return 1, len(MAJORS)
    return int(force.side in SEATS), MAJORS.index(state.patron(force.power))


class Transfers:
    """A seat's redeployment being carried out, or rehearsed."""

    def __init__(self, desk: Desk, seat: str, answer: Answer = ()) -> None:
        self.desk, self.seat = desk, seat
        self.moved: set[str] = set()
        """Units that have moved in this phase."""
        self.spend = attrition.DEPOT if any(isinstance(order, SpendDepot) for order in answer) else ""
        self.losses = [order for order in answer if isinstance(order, LossOrder)]
        """D6: what the plan says of the tests of its forces."""

    @property
    def state(self) -> State:
        """The position."""
        return self.desk.state

    async def run(self, answer: Answer) -> None:
        """A plan rehearsed: each order in its turn, until one cannot be carried out."""
        steps = sorted(enumerate(answer), key=lambda step: turn(self.state, step[1]))
        await self.desk.carry_out(self.seat, Plan(steps), self.one)

    async def try_one(self, order: Order, number: int) -> None:
        """In play an order that has become impossible changes nothing."""

        async def step(order: Order) -> None:
            trial = Transfers(Desk(copied(self.state), None, "rehearsal"), self.seat)
            trial.moved = set(self.moved)
            rehearse(trial.one(order))
            await self.one(order)

        await self.desk.carry_out(self.seat, Plan([(number, order)]), step)

    async def one(self, order: Order) -> None:
        """6.5, 6.6: one order."""
        if isinstance(order, Redeploy):
            await self._force(order)
        elif isinstance(order, MoveFleet):
            self._fleet(order)
        elif isinstance(order, LiftDepot):
            self._lift(order)

    def _own(self, name: str) -> Force:
        """6.5.3, 6.6.1: a force of one's side, or of a power that one manages."""
        state = self.state
        force = state.force_with(name)
        if force is None or name in force.special:
            raise Refused("no_such_force", "6.6.2", force=name)
        if force.side not in SEATS:
            if state.manager(state.patron(force.power)) != self.seat:
                raise Refused("not_your_power", "6.5.3", force=name)
        elif force.side != self.seat:
            raise Refused("not_your_force", "6.6", force=name)
        if force.inside and force.zone in state.siege:
            raise Refused("besieged", "13.2.7", force=name)
        return force

    def _lift(self, order: LiftDepot) -> None:
        """6.6.6: a fixed depot becomes mobile; the reverse is not possible here."""
        force = self._own(order.force)
        if not depots.fixed_of(self.state, force.zone, force.side):
            raise Refused("no_fixed_depot", "6.6.6", force=order.force)
        depots.carry(self.desk, force)

    async def _force(self, order: Redeploy) -> None:
        state = self.state
        force = self._part(self._own(order.force), order.force)
        if self.moved & set(force.units):
            raise Refused("already_acted", "6.6", force=order.force)
        neutral = force.side not in SEATS
        start = force.zone
        self._leave(force, order.leave)
        way, points, force = self._way(force, order, neutral)
        goal = way[-1] if way else start
        vigil.check(state, force, goal)
        friends = [other for other in state.at(goal, force.side) if other.id != force.id]
        for other in friends:
            code, rule = command.may_join(other, force)
            if code and not (other.army and force.army and len(friends) == 1):
                raise Refused("stacking", rule, zone=goal, force=other.name, why=code)
        depots.leave_behind(self.desk, force, start)
        base = force.movement
        force.zone = goal
        self.moved |= set(force.units) if way else set()
        state.moves.append((start, goal, force.side))
        self.desk.tell(Redeployed(force=order.force, start=start, to=goal, points=points, rule="6.6"))
        if points > base and not neutral:
            await self._test(force, [start, *way])
        if force.id in state.forces and friends and not (friends[0].army and force.army):
            merged, spare = command.join(state, friends[0], force)
            self.desk.tell(
                ForcesJoined(zone=goal, force=merged.name, spare=tuple(spare), lost=(), rule="6.6.5")
            )

    def _leave(self, force: Force, pieces: Sequence[str]) -> None:
        """6.6.5: units, or a subordinate with units, stay behind, with friends of the zone where there are any."""
        if not pieces:
            return
        state = self.state
        chosen = command.part(force, pieces)
        friends = [other for other in state.at(force.zone, force.side) if other.id != force.id]
        code, rule = command.split_problem(force, pieces) if not friends else ("", "")
        if code or chosen is None:
            raise Refused(code or "not_with_force", rule or "4.5.1", force=force.name)
        left = command.detach(state, force, *chosen)
        if friends:
            code, rule = command.may_join(friends[0], left)
            if code or not force.units:
                raise Refused(code or "someone_must_stay", rule or "4.5.1", force=force.name)
            command.join(state, friends[0], left)

    def _take(self, force: Force, zone: str, wanted: set[str]) -> Force:
        """6.6.5, 4.5.3, 4.5.6: units, or whole forces, of a zone on the way come along, if rank and command allow."""
        state = self.state
        for other in state.at(zone, force.side):
            pieces = wanted & {*other.units, *other.generals}
            if other.id == force.id or not pieces:
                continue
            units = {piece for piece in pieces if piece in other.units}
            whole = units == set(other.units) or other.general in pieces
            if self.moved & set(other.units if whole else units):
                raise Refused("already_acted", "6.6", force=other.name)
            if not command.may_absorb(force, other) or (whole and other.army):
                raise Refused("lower_rank", "4.5.6", force=other.name)
            if not whole:
                code, rule = command.split_problem(other, sorted(pieces))
                if code:
                    raise Refused(code, rule, force=other.name)
                other = command.detach(state, other, sorted(units), sorted(pieces - units))
            code, rule = command.may_join(force, other)
            if code:
                raise Refused(code, rule, force=force.name)
            wanted -= pieces
            force, _ = command.join(state, force, other)
        return force

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

    def _most(self, force: Force, neutral: bool) -> int:
        """6.6.3, 6.5.1: its factor, doubled by a general; a neutral at home by its factor alone."""
        return force.movement if neutral or not force.general else 2 * force.movement

    def _way(self, force: Force, order: Redeploy, neutral: bool) -> tuple[list[str], int, Force]:
        """6.6.3, 6.6.5: the zones entered and what they cost, taking up units on the way; the slowest counts."""
        state = self.state
        network = Network(state, force.side, force.power) if not neutral else None
        if network is not None and not supplied(state, force):
            raise Refused("unsupplied", "6.6.2", force=force.name)

        def may(here: str, there: str) -> bool:
            if neutral:
                return state.national(there, force.power) and board.crossing(here, there) != "strait"
            return network is not None and self._open(force, here, there, network)

        wanted = set(order.take)
        here, way, points = force.zone, list[str](), 0
        force = self._take(force, here, wanted)
        for goal in order.path:
            if goal == here:
                continue
            left = self._most(force, neutral) - points
            part = (goal,) if board.crossing(here, goal) else board.path(here, goal, left, may)
            if not part:
                nearest = self._short_of(order, here) or self._towards(order, here, left, may, goal)
                raise Refused("no_way", "6.6.2", nearest=nearest, zone=goal, left=left)
            for zone in part:
                if not may(here, zone):
                    nearest = self._short_of(order, here) or self._towards(order, here, left, may, goal)
                    raise Refused("cannot_redeploy_there", "6.6.2", nearest=nearest, zone=zone)
                points += board.step_cost(here, zone)
                way.append(zone)
                here = zone
                force = self._take(force, here, wanted)
        if wanted:
            raise Refused("not_on_the_way", "6.6.5", piece=min(wanted))
        if not way and not (order.take or order.leave):
            raise Refused("no_way", "6.6.2", zone=force.zone, left=self._most(force, neutral))
        if points > self._most(force, neutral):
            raise Refused("not_enough_points", "6.6.3", needed=points, left=self._most(force, neutral))
        return way, points, force

    def _short_of(self, order: Redeploy, here: str) -> tuple[Redeploy, ...]:
        """What would be legal: the same way as far as it is open."""
        done = order.path[: order.path.index(here) + 1] if here in order.path else ()
        return (msgspec.structs.replace(order, path=done),) if done else ()

    def _towards(
        self, order: Redeploy, here: str, left: int, may: Callable[[str, str], bool], goal: str
    ) -> tuple[Redeploy, ...]:
        """What would be legal: the zone nearest to the goal that can be reached and where nobody stands."""
        open_to = [
            zone
            for zone in board.distances(here, left, may).cost
            if zone != here and not self.state.at(zone, inside=None)
        ]
        near = sorted(open_to, key=lambda zone: (board.distance(zone, goal), zone))
        return tuple(msgspec.structs.replace(order, path=(zone,)) for zone in near[:1])

    def _open(self, force: Force, here: str, there: str, network: Network) -> bool:
        """6.6.2: no enemy, no hostile fortress or marker, in supply all the way."""
        state, side = self.state, force.side
        if state.at(there, enemy(side)) or state.hostile_fortress(there, side):
            return False
        if state.control.get(there) == enemy(side) or strait_closed(state, here, there, side):
            return False
        if not may_stand(state, there, side) or iberia.problem(state, force, there):
            return False
        if command.stuck_at_home(state, force, there):
            return False
        return network.supplies(there)

    async def _test(self, force: Force, way: list[str]) -> None:
        """6.6.4, 11.4, 11.6.5: attrition beyond the base factor, without winter and forced march; depots and losses
        as the plan says.
        """
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
                "national_territory",
                -2 if all(state.national(z, force.power) for z in entered) else 0,
                "11.6",
            ),
        ]
        losses = next((o.pieces for o in self.losses if concerns(o.force, [force])), ())
        await attrition.suffer(self.desk, force, mods, spend=self.spend, losses=losses)

    def _fleet(self, order: MoveFleet) -> None:
        """6.5.2: a neutral's fleet ends in a home port, or at sea beside one, within its movement factor."""
        state, fleet = self.state, order.fleet
        power = FLEETS[fleet].power
        if state.side_of(power) in SEATS or state.manager(state.patron(power)) != self.seat:
            raise Refused("not_your_fleet", "6.5.2", fleet=fleet)
        ports = [z for z, record in ZONES.items() if record.port and state.owner_of(z) == power]
        seas = {ZONES[port].port for port in ports}
        kind, _, where = state.fleets[fleet].partition(":")
        if not where:
            raise Refused("not_on_map", "6.5.2", unit=fleet)
        full = order.to in ports and len(state.fleets_at(f"port:{order.to}")) >= MOST_IN_PORT
        if order.to not in (*seas, *ports) or full:
            nearest = tuple(MoveFleet(fleet, port) for port in ports[:1])
            raise Refused("home_port", "6.5.2", nearest=nearest, fleet=fleet)
        start = where if kind == "sea" else ZONES[where].port
        goal = order.to if order.to in SEAS else ZONES[order.to].port
        points = int(kind == "port") + board.sea_distances(start)[goal] + int(order.to in ports)
        if points > FLEETS[fleet].movement:
            raise Refused("not_enough_points", "15.2.1", needed=points, left=FLEETS[fleet].movement)
        state.fleets[fleet] = f"port:{order.to}" if order.to in ports else f"sea:{order.to}"
        self.desk.tell(FleetsMoved(fleets=(fleet,), to=order.to, rule="6.5.2"))
