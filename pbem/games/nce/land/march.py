"""10: a force in its activation: what it may do with its movement points."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from itertools import pairwise

from pbem.games.nce import board, command
from pbem.games.nce.desk import Desk
from pbem.games.nce.events_field import Moved
from pbem.games.nce.events_views import ForecastMarch
from pbem.games.nce.land import attrition, depots, iberia, march_attrition, occupation, siege, stacking
from pbem.games.nce.land.concert import Concert
from pbem.games.nce.land.encounter import Entry, meet
from pbem.games.nce.land.supply import supplied
from pbem.games.nce.land.tempo import Grant, now, weather_loss
from pbem.games.nce.orders import (
    AtOnce,
    Besiege,
    CarryDepot,
    CombatCards,
    Engage,
    FixDepot,
    Garrison,
    Go,
    Lead,
    Leave,
    LossOrder,
    Mark,
    PickUp,
    Rally,
    RetreatTo,
    Second,
    SendBack,
    SpendDepot,
    Spirit,
    Take,
)
from pbem.games.nce.reactions import may_stand, strait_closed
from pbem.games.nce.replies import AgainstEvasion, AgainstInterception, CounterMarch, Helped, OnEntry, SpendOn
from pbem.games.nce.state import Force, State, enemy
from pbem.kernel.order import Fact, Order
from pbem.kernel.plan import Refused

PREPARED = (Lead, Engage, Second, Spirit, CombatCards, LossOrder, RetreatTo, CounterMarch)


class March:
    """10.1.1, 8.3.5: a force in its activation; two armies where both are activated together (8.3.2)."""

    def __init__(self, desk: Desk, force: Force, march: int, grant: Grant, pair: Force | None = None) -> None:
        self.desk, self.grant = desk, grant
        self.id, self.side, self.start = force.id, force.side, force.zone
        self.pair = pair.id if pair else ""
        """8.3.2: the second army of the force."""
        self.forced = march
        self.came = ""
        self.entered: list[str] = []
        self.dropped: set[str] = set()
        """13.1.3: forces that this one has left on its way."""
        self.points_short = 0
        """8.3.6: a second point that a lone corps must pay to fight."""
        self.poor = self.mountain = self.marsh = False
        self.tested = self.rallied = self.gathered = False
        self.free_siege = False
        self.over = False
        self.spend = ""
        self.prepared: list[Order] = []
        self.against: list[AgainstEvasion | AgainstInterception | OnEntry] = []
        """D3: the cards that the plan keeps against evasions and interceptions."""
        self.first = False
        """18, 1805: the first activation of the Empire."""
        self.helped = ""
        self.last_siege, self.won = "", False
        self.garrisons = False
        """D13: whether the plan itself says what becomes of a fortress taken."""
        self.purse: Callable[[], bool] = bool
        """Pays one more activation point; false where there is none."""
        self.solvent: Callable[[], bool] = bool
        """Whether one more could be paid."""
        self.ahead: Callable[[], Sequence[Order]] = tuple
        """What the plan still holds."""
        self.concert: Concert | None = None
        self.at_once = False
        self.waiting = False
        """10.7.2: it has met the enemy and waits for the battle of a Campagne majeure."""
        self.short: set[str] = set()
        """11.5: units that were unsupplied when they were activated, picked up, or met their first battle."""
        self.hungry: set[str] = set()
        """11.1, 11.5: units that were unsupplied at their last check: each keeps its state until the next."""
        self.check_supply()
        self.short |= self.hungry
        self.counted: dict[str, list[str]] = {}
        self.count()
        self.base = min(one.movement for one in self.forces)
        loss = max(weather_loss(desk.state, one) for one in self.forces)
        self.factor = max(0, self.base - loss)
        """10.1.6: its factor in this weather."""
        self.left = self.factor + march + grant.extra

    @property
    def state(self) -> State:
        """The position."""
        return self.desk.state

    @property
    def force(self) -> Force:
        """The force itself, or the army that leads; refused where it is gone."""
        force = self.state.forces.get(self.id)
        if force is None:
            raise Refused("force_gone", "8.3.5")
        return force

    @property
    def ids(self) -> tuple[str, ...]:
        """The force, and the army beside it."""
        return (self.id, self.pair) if self.pair else (self.id,)

    @property
    def forces(self) -> list[Force]:
        """8.3.2: the force, and the army beside it, as far as they are on the map."""
        return [self.state.forces[id] for id in self.ids if id in self.state.forces]

    def prepare(self, orders: Sequence[Order]) -> None:
        """Orders for battles, evasions, sieges and tests of this activation, wherever they stand in it."""
        for order in orders:
            if isinstance(order, PREPARED):
                self.prepared.append(order)
            elif isinstance(order, (AgainstEvasion, AgainstInterception, OnEntry)):
                if order not in self.against:
                    self.against.append(order)
            elif isinstance(order, Helped):
                self.helped = order.card
            elif isinstance(order, SpendDepot):
                self.spend = attrition.DEPOT
            elif isinstance(order, AtOnce):
                self.at_once = True
            elif isinstance(order, SpendOn):
                self.spend = order.what
            elif occupation.has(order, Garrison):
                self.garrisons = True

    def losses(self) -> tuple[str, ...]:
        """The loss order of this activation."""
        return next((order.pieces for order in self.prepared if isinstance(order, LossOrder)), ())

    def retreats(self) -> tuple[str, ...]:
        """The zones to retreat to, as the plan says."""
        return next((order.zones for order in self.prepared if isinstance(order, RetreatTo)), ())

    def facts(self) -> dict[str, Fact]:
        """What an IF of the plan may test."""
        force = self.state.forces.get(self.id)
        return {
            "taken": self.last_siege in ("honneurs", "breche"),
            "siege": self.last_siege or "none",
            "won": self.won,
            "points": self.left,
            "steps": force.strength if force else 0,
            "zone": force.zone if force else "",
            "depots": len(force.depots) if force else 0,
        }

    def pay(self, points: int, rule: str, nearest: tuple[Order, ...] = ()) -> None:
        """10.1.2: no force spends more than it has."""
        if points > self.left:
            raise Refused("not_enough_points", rule, nearest=nearest, needed=points, left=self.left)
        self.left -= points

    def count(self) -> None:
        """11.6.3: the steps that are activated: what it holds when it starts, or enters a zone."""
        self.counted = {one.id: list(one.units) for one in self.forces}

    def slower(self) -> None:
        """10.2.3: slower units cost the difference at once."""
        before, self.base = self.base, min(self.base, *(one.movement for one in self.forces))
        self.left = max(0, self.left - (before - self.base))

    def quicker(self) -> None:
        """10.1.1: slow units that stay where the march begins do not slow it."""
        gained = min(one.movement for one in self.forces) - self.base
        if gained > 0 and not self.entered:
            self.base, self.factor, self.left = self.base + gained, self.factor + gained, self.left + gained

    async def step(self, order: Order) -> None:
        """One order of the activation."""
        if self.waiting:
            raise Refused("waits_for_battle", "10.7.3", force=self.force.name)
        if self.over:
            raise Refused("activation_over", "8.3.5")
        force = self.force
        if isinstance(order, PickUp):
            stacking.pick_up(self, order.forces)
        elif isinstance(order, Go):
            await self._go(order.path)
        elif isinstance(order, Besiege):
            await occupation.besiege(self, order.times)
        elif isinstance(order, Mark):
            occupation.mark(self)
        elif isinstance(order, Leave):
            stacking.leave(self, order)
        elif isinstance(order, Take):
            stacking.take(self, order.pieces)
        elif isinstance(order, SendBack):
            stacking.send_back(self, order.general)
        elif isinstance(order, Rally):
            march_attrition.rally(self, order.times)
        elif isinstance(order, FixDepot):
            depots.fix(self.desk, force)
        elif isinstance(order, CarryDepot):
            depots.carry(self.desk, force)
        elif isinstance(order, PREPARED):
            self.prepare([order])
        elif isinstance(order, Garrison) and (self.desk.dry or force.zone not in self.state.siege):
            # In play the order waits for a fortress that falls: one that holds makes it void, not wrong.
            await occupation.garrison(self, order.by)

    async def _go(self, path: Sequence[str]) -> None:
        """10.1: from zone to zone; gaps are filled by the cheapest way."""
        for number, goal in enumerate(path):
            force = self.force
            if goal == force.zone:
                continue
            way: tuple[str, ...] = (goal,)
            try:
                if not board.crossing(force.zone, goal):
                    way = board.path(force.zone, goal, self.left, self._passable)
                    if not way:
                        raise self._no_way(goal)
                for zone in way:
                    await self.enter(zone)
                    if self.over:
                        return
            except Refused as refused:
                refused.suggest((Go(tuple(path[:number])),) if number else self.towards(goal))
                raise

    def _no_way(self, goal: str) -> Refused:
        """10.1.2: too far by the cheapest free way; or barred, and where the straight one is."""
        here = self.force.zone
        free = board.path(here, goal, board.FAR - 1, self._passable)
        if free:
            cost = sum(self.step_points(*step) for step in pairwise((here, *free)))
            return Refused("no_way", "10.1.2", zone=goal, left=self.left, needed=cost, zones=free[:-1])
        way = (here, *board.path(here, goal, board.FAR - 1))
        barred = next(
            (
                to
                for at, to in pairwise(way)
                if not self._passable(at, to) or (to != goal and not self._open(to))
            ),
            goal,
        )
        return Refused("no_way", "10.1.2", zone=goal, left=self.left, barred=barred)

    def _open(self, zone: str) -> bool:
        """Whether a march need not stop in a zone."""
        return not (self.state.at(zone, enemy(self.side)) or self.state.hostile_fortress(zone, self.side))

    def _passable(self, here: str, there: str) -> bool:
        """Whether the cheapest way may use a step: no barred border, and no stop on the way."""
        if any(self.border_problem(one, here, there) is not None for one in self.forces):
            return False
        return here == self.force.zone or self._open(here)

    def reachable(self, goal: str = "") -> list[str]:
        """Where the points that are left can take it, the nearest to a goal first."""
        here = self.force.zone
        if self._uncovered(here):
            return []
        found = [zone for zone in board.distances(here, self.left, self._passable).cost if zone != here]
        return sorted(found, key=lambda zone: (board.distance(zone, goal) if goal else 0, zone))

    def towards(self, goal: str) -> tuple[Go, ...]:
        """The legal move that comes nearest to a goal: what to write instead."""
        near = self.reachable(goal)
        return (Go((near[0],)),) if near else ()

    def border_problem(self, force: Force, here: str, there: str) -> Refused | None:
        """10.1.3, 10.1.5, 10.1.7, 2.1.6: why a border may not be crossed."""
        state = self.state
        if not board.crossing(here, there):
            near = tuple(board.neighbours(here))
            return Refused("not_adjacent", "3.1.4", start=here, zone=there, zones=near)
        if not may_stand(state, there, self.side):
            return Refused("neutral_ground", "10.1.5", zone=there, country=state.owner_of(there))
        if strait_closed(state, here, there, self.side):
            return Refused("strait_closed", "10.1.3", zone=there)
        stuck = command.stuck_at_home(state, force, there)
        if stuck:
            return Refused("militia_at_home", "2.1.6", unit=stuck[0], zone=there)
        if state.flag("truce") and state.at(there, enemy(self.side)):
            return Refused("truce", "7.3", zone=there)
        code = iberia.problem(state, force, there, also=self.forces)
        return Refused(code, "10.1.7", zone=there) if code else None

    def step_points(self, here: str, there: str) -> int:
        """10.1.2, 10.1.6: the cost of a step; an event may bridge rivers."""
        points = board.step_cost(here, there, full=max(1, self.factor))
        return points - 1 if self.grant.bridged and board.crossing(here, there) == "river" else points

    def _way_cost(self) -> int:
        """10.1.2: the points of all steps so far."""
        way = [self.start, *self.entered]
        return sum(self.step_points(here, there) for here, there in pairwise(way))

    async def enter(self, zone: str) -> None:
        """10.1.4, 10.6: one step, with what the enemy does about it."""
        force, here = self.force, self.force.zone
        for one in self.forces:
            problem = self.border_problem(one, here, zone)
            if problem is not None:
                problem.suggest(self.towards(zone))
                raise problem
        self._cover(here)
        self._second_point(zone)
        points = self.step_points(here, zone)
        self.pay(points, "10.1.2", nearest=self.towards(zone) if points > self.left else ())
        self._note(here, zone)
        for one in self.forces:
            depots.leave_behind(self.desk, one, here)
            one.zone, one.inside = zone, False
        self.came = here
        self.count()
        self.entered.append(zone)
        self.free_siege = False
        self.state.moves.append((here, zone, self.side))
        self.desk.tell(
            Moved(force=force.name, start=here, to=zone, cost=points, left=self.left, rule="10.1.2")
        )
        if not self.desk.dry:
            siege.raise_sieges(self.desk, leaving=force)
        self.arrived(zone, await meet(self.desk, Entry(self, zone, here)))

    def follow(self, forces: Sequence[str]) -> None:
        """4.5.3, 10.7.3: what a battle has made of the force; two armies go on together."""
        standing = [self.state.forces[id] for id in forces if id in self.state.forces]
        if standing:
            head = command.lead(standing)
            self.id = head.id
            self.pair = next((one.id for one in standing if one is not head), "")

    def arrived(self, zone: str, result: str) -> None:
        """8.3.5, 10.6, 12.7.5: what the meeting in a zone means for the rest of the activation."""
        self.won = self.won or result == "won"
        if result == "waits":
            self.over = self.waiting = True
        elif result == "lost" or self.id not in self.state.forces:
            self.over = True
        elif result == "won":
            depots.overrun(self.desk, zone, self.side, enemy(self.side))
            self.free_siege = bool(self.state.fortress(zone)) and self.state.controller(zone) == enemy(
                self.side
            )
            siege.claim(self.desk, self.force)

    def _second_point(self, zone: str) -> None:
        """8.3.1, 8.3.6: a lone corps needs a second point to fight, and pays it (19) to enter foreign ground."""
        other = enemy(self.side)
        foreign = self.state.on("lone_corps") and self.state.controller(zone) != self.side
        met = bool(self.state.at(zone, other)) or depots.alone(self.state, zone, other)
        if not self.points_short or not (foreign or met):
            return
        if not (self.purse() if foreign else self.solvent()):
            near = [z for z in self.reachable(zone) if not self.state.at(z, other)]
            nearest = (Go((near[0],)),) if near else ()
            raise Refused("second_point", "8.3.6", nearest=nearest, force=self.force.name)
        if foreign:
            self.points_short = 0

    def pay_to_fight(self) -> None:
        """8.3.6: the second point of a lone corps is paid when its battle begins."""
        if self.points_short and self.purse():
            self.points_short = 0

    def _others(self, here: str) -> list[Force]:
        return [other for other in self.state.at(here, self.side) if other.id not in self.ids]

    def _uncovered(self, here: str) -> int:
        """10.1.4, 13.1.3, 13.3.3: the steps that must cover an enemy fortress just entered before it lets go."""
        state = self.state
        if here not in self.entered or not state.fortress(here) or state.controller(here) != enemy(self.side):
            return 0
        needed = siege.steps_needed(state, here)
        return needed if sum(other.strength for other in self._others(here)) < needed else 0

    def _cover(self, here: str) -> None:
        """13.1.3: who is left behind lays siege, and makes no attempt in this round."""
        needed = self._uncovered(here)
        if needed:
            nearest = stacking.cover(self.force, needed)
            raise Refused("fortress_holds", "13.1.3", nearest=nearest, zone=here, needed=needed)
        if here in self.entered:
            for other in self._others(here):
                if other.id in self.dropped and siege.lay(self.desk, other):
                    other.covering = now(self.state)

    def _note(self, here: str, zone: str) -> None:
        """11.6: what the test will ask of the way."""
        state = self.state
        self.poor = self.poor or attrition.poor(state, zone, self.side)
        self.mountain = self.mountain or board.crossing(here, zone) == "mountain"
        self.marsh = self.marsh or attrition.poor_marsh(state, zone, self.side)

    def check_supply(self, via: str = "", closed: Collection[str] = ()) -> None:
        """11.1, 11.3.4, 11.3.8: the marker at a check: activation, siege, battle; in one, by the zone it came from."""
        for one in self.forces:
            one.unsupplied = not supplied(self.state, one, via=via, closed=closed)
            if one.unsupplied:
                self.hungry |= set(one.units)
            else:
                self.hungry -= set(one.units)

    def check_for_battle(self, came: str, interceptor_from: str) -> None:
        """11.1, 11.5: supply by the positions after interceptions; who is short tests before its first battle."""
        self.check_supply(came, {interceptor_from} - {"", came})
        if not self.tested:
            self.short |= {unit for one in self.forces if one.unsupplied for unit in one.units}

    def counter(self, window: str, force: Force) -> str | None:
        """D3: the card that the plan plays against an evasion or interception; none where it says nothing of it."""
        kind = AgainstEvasion if window == "evasion" else AgainstInterception
        said = [order for order in self.against if isinstance(order, kind)]
        if not said:
            return None
        return next((order.card for order in said if order.force in ("", force.name)), "")

    async def test(self) -> None:
        """10.2.2: the attrition test of this activation, if it is still due."""
        await march_attrition.test(self)
        if self.id not in self.state.forces:
            self.over = True

    def _rejoin(self) -> None:
        """4.1.1, 11.6.3: who was left in the last zone of the march is of the force again, and tests with it."""
        came = set(self.counted.get(self.id, ()))
        for other in self._others(self.forces[0].zone):
            force = self.state.forces.get(self.id)
            mine = other.id in self.dropped and set(other.units) <= came
            if force is not None and mine and not command.may_join(force, other)[0]:
                command.join(self.state, force, other)

    async def finish(self) -> None:
        """10.2.2, 4.5.4, 13.2.1, 4.1: the test if it is still due; one force a zone; a siege is laid."""
        if self.forces:
            self._rejoin()
            await self.test()
        if self.id not in self.state.forces and self.forces:
            self.id, self.pair = self.forces[0].id, ""
        force = self.state.forces.get(self.id)
        if force is None:
            if not self.desk.dry:
                siege.raise_sieges(self.desk)
            return
        for one in self.forces:
            one.acted = now(self.state)
        mine = bool(force.army)
        stacking.settle_down(self, force)
        force = self.state.forces.get(self.id)
        if force is not None:
            if mine or not force.army:
                force.acted = now(self.state)
            self.desk.note(
                ForecastMarch(
                    force=force.name,
                    zone=force.zone,
                    left=self.left,
                    supplied=supplied(self.state, force),
                    path=tuple(self.entered),
                    cost=self._way_cost(),
                    rule="10.1",
                )
            )
            siege.lay(self.desk, force)
        if not self.desk.dry:
            siege.raise_sieges(self.desk)
