"""8.4, 10: a force in its activation: what it may do with its movement points."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pbem.games.nce import attrition, board, command, iberia, siege
from pbem.games.nce.charts import GENERALS, UNITS, ZONES
from pbem.games.nce.concert import Concert
from pbem.games.nce.desk import Desk, Refused
from pbem.games.nce.encounter import Entry, meet
from pbem.games.nce.events import (
    CardSpent,
    DepotChanged,
    DepotTaken,
    ForcesJoined,
    ForecastMarch,
    GeneralDismissed,
    Moved,
    PickedUp,
    Rallied,
    UnitsLeft,
    UnitsTaken,
)
from pbem.games.nce.orders import (
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
    Take,
)
from pbem.games.nce.questions import Garrisoning
from pbem.games.nce.reactions import may_stand, strait_closed
from pbem.games.nce.replies import AgainstEvasion, CounterMarch, Helped
from pbem.games.nce.state import WAIT, Force, State, enemy
from pbem.games.nce.supply import supplied
from pbem.games.nce.tempo import Grant, now, weather_loss
from pbem.kernel.event import Modifier
from pbem.kernel.order import Fact, If, Order


def _garrisons(order: Order) -> bool:
    """Whether a step, or a branch of it, garrisons a fortress."""
    if isinstance(order, If):
        return any(_garrisons(one) for one in (*order.then, *order.otherwise))
    return isinstance(order, Garrison)


PREPARED = (Lead, Engage, Second, CombatCards, LossOrder, RetreatTo, CounterMarch)


class March:
    """10.1.1, 8.3.5: a force in its activation."""

    def __init__(self, desk: Desk, force: Force, march: int, grant: Grant) -> None:
        self.desk, self.grant = desk, grant
        self.id, self.side, self.start = force.id, force.side, force.zone
        self.forced = march
        self.came = ""
        self.entered: list[str] = []
        self.points_short = 0
        """8.3.6: a second point that a lone corps must pay to fight."""
        self.counted = list(force.units)
        self.home = True
        self.poor = self.mountain = self.marsh = False
        self.tested = self.rallied = False
        self.free_siege = False
        self.over = False
        self.spend = ""
        self.prepared: list[Order] = []
        self.against = self.helped = ""
        self.last_siege, self.won = "", False
        self.garrisons = False
        """D13: whether the letter itself says what becomes of a fortress taken."""
        self.purse: Callable[[], bool] = bool
        """Pays one more activation point; false where there is none."""
        self.concert: Concert | None = None
        self.waiting = False
        """10.7.2: it has met the enemy and waits for the battle of a Campagne majeure."""
        force.unsupplied = not supplied(desk.state, force)
        self.due = bool(march and not grant.no_attrition) or force.unsupplied
        self.base = force.movement
        self.left = max(0, self.base - weather_loss(desk.state, force)) + march + grant.extra

    @property
    def state(self) -> State:
        """The position."""
        return self.desk.state

    @property
    def force(self) -> Force:
        """The force itself; refused where it is gone."""
        force = self.state.forces.get(self.id)
        if force is None:
            raise Refused("force_gone", "8.3.5")
        return force

    def prepare(self, orders: Sequence[Order]) -> None:
        """Orders for battles, evasions, sieges and tests of this activation, wherever they stand in it."""
        for order in orders:
            if isinstance(order, PREPARED):
                self.prepared.append(order)
            elif isinstance(order, AgainstEvasion):
                self.against = order.card
            elif isinstance(order, Helped):
                self.helped = order.card
            elif isinstance(order, SpendDepot):
                self.spend = attrition.DEPOT
            elif _garrisons(order):
                self.garrisons = True

    def losses(self) -> tuple[str, ...]:
        """The loss order of this activation."""
        return next((order.pieces for order in self.prepared if isinstance(order, LossOrder)), ())

    def facts(self) -> dict[str, Fact]:
        """What an IF of the letter may test."""
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

    def pay(self, points: int, rule: str) -> None:
        """10.1.2: no force spends more than it has."""
        if points > self.left:
            raise Refused("not_enough_points", rule, needed=points, left=self.left)
        self.left -= points

    async def step(self, order: Order) -> None:
        """One order of the activation."""
        if self.over:
            raise Refused("activation_over", "8.3.5")
        force = self.force
        if isinstance(order, PickUp):
            self._pick_up(order.forces)
        elif isinstance(order, Go):
            await self._go(order.path)
        elif isinstance(order, Besiege):
            await self._besiege(order.times)
        elif isinstance(order, Mark):
            self._mark()
        elif isinstance(order, Leave):
            self._leave(order.pieces)
        elif isinstance(order, Take):
            self._take(order.pieces)
        elif isinstance(order, SendBack):
            self._send_back(order.general)
        elif isinstance(order, Rally):
            self._rally(order.times)
        elif isinstance(order, FixDepot):
            self._depot(force, fix=True)
        elif isinstance(order, CarryDepot):
            self._depot(force, fix=False)
        elif isinstance(order, PREPARED):
            self.prepare([order])
        elif isinstance(order, Garrison):
            if order.by == "step":
                await self.test()
            siege.garrison(self.desk, self.force, order.by, self.losses())

    def _pick_up(self, names: Sequence[str]) -> None:
        """8.4, 2.5.3: forces of adjacent zones join the army; it then starts with one point less."""
        force = self.force
        if not force.army:
            raise Refused("not_an_army", "8.4", force=force.name)
        if self.entered:
            raise Refused("pick_up_first", "8.4")
        for name in names:
            other = self.state.force_with(name)
            if other is None or other.side != self.side or other is force:
                raise Refused("no_such_force", "8.4", force=name)
            kind = board.crossing(other.zone, force.zone)
            if kind not in ("clear", "bridge"):
                raise Refused("pick_up_barred", "8.4", force=name)
            if other.army or other.inside:
                raise Refused("two_armies", "8.4", force=name)
            code, rule = command.may_join(force, other)
            if code:
                raise Refused(code, rule, force=name)
            zone = other.zone
            command.join(self.state, force, other)
            force = self.force
            self.desk.tell(PickedUp(force=force.name, other=name, zone=zone, rule="8.4"))
        self.pay(1, "8.4")
        self._slower(self.base)
        self.counted = list(force.units)

    def _slower(self, before: int) -> None:
        """10.2.3: slower units cost the difference at once."""
        self.base = min(before, self.force.movement)
        self.left = max(0, self.left - (before - self.base))

    async def _go(self, path: Sequence[str]) -> None:
        """10.1: from zone to zone; gaps are filled by the cheapest way."""
        for goal in path:
            force = self.force
            if goal == force.zone:
                continue
            way: tuple[str, ...] = (goal,)
            if not board.crossing(force.zone, goal):
                way = board.path(force.zone, goal, self.left, self._passable)
                if not way:
                    raise Refused("no_way", "10.1.2", zone=goal, left=self.left)
            for zone in way:
                await self.enter(zone)
                if self.over:
                    return

    def _passable(self, here: str, there: str) -> bool:
        """Whether the cheapest way may use a step: no barred border, and no stop on the way."""
        if self.border_problem(self.force, here, there) is not None:
            return False
        return here == self.force.zone or not (
            self.state.at(here, enemy(self.side)) or self.state.hostile_fortress(here, self.side)
        )

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
        stuck = [u for u in force.units if UNITS[u].home_only and not state.national(there, UNITS[u].power)]
        if stuck:
            return Refused("militia_at_home", "2.1.6", unit=stuck[0], zone=there)
        if state.flag("truce") and state.at(there, enemy(self.side)):
            return Refused("truce", "7.3", zone=there)
        code = iberia.problem(state, force, there)
        return Refused(code, "10.1.7", zone=there) if code else None

    def step_points(self, here: str, there: str) -> int:
        """10.1.2, 10.1.6: the cost of a step; an event may bridge rivers."""
        points = board.step_cost(here, there, full=max(1, self.base))
        return points - 1 if self.grant.bridged and board.crossing(here, there) == "river" else points

    async def enter(self, zone: str) -> None:
        """10.1.4, 10.6: one step, with what the enemy does about it."""
        force = self.force
        here = force.zone
        problem = self.border_problem(force, here, zone)
        if problem is not None:
            raise problem
        self._must_cover(here)
        self._second_point(zone)
        points = self.step_points(here, zone)
        self.pay(points, "10.1.2")
        self._note(here, zone)
        force.zone, self.came = zone, here
        self.counted = list(force.units)
        self.entered.append(zone)
        self.state.moves.append((here, zone, self.side))
        self.desk.tell(
            Moved(force=force.name, start=here, to=zone, cost=points, left=self.left, rule="10.1.2")
        )
        if not self.desk.dry:
            siege.raise_sieges(self.desk)
        self._depots(zone)
        result = await meet(self.desk, Entry(self, zone, here))
        self.won = self.won or result == "won"
        if result == "waits":
            self.over = self.waiting = True
        elif result == "lost" or self.id not in self.state.forces:
            self.over = True
        elif result == "won":
            self.free_siege = bool(self.state.fortress(zone)) and self.state.controller(zone) == enemy(
                self.side
            )
            self._claim(zone)

    def _second_point(self, zone: str) -> None:
        """8.3.1, 8.3.6: a lone corps pays a second point to fight, or (19) to enter foreign ground."""
        foreign = self.state.on("lone_corps") and self.state.controller(zone) != self.side
        if self.points_short and (foreign or self.state.at(zone, enemy(self.side))):
            if not self.purse():
                raise Refused("second_point", "8.3.6", force=self.force.name)
            self.points_short = 0

    def _must_cover(self, here: str) -> None:
        """10.1.4, 13.1.3, 13.3.3: an enemy fortress just entered holds the force, unless others cover it."""
        state = self.state
        if here not in self.entered or not state.fortress(here) or state.controller(here) != enemy(self.side):
            return
        left = sum(other.strength for other in state.at(here, self.side) if other.id != self.id)
        needed = siege.steps_needed(state, here)
        if left < needed:
            raise Refused("fortress_holds", "13.1.3", zone=here, needed=needed)
        for other in state.at(here, self.side):
            if other.id != self.id:
                other.covering = now(state)
                siege.lay(self.desk, other)

    def _note(self, here: str, zone: str) -> None:
        state = self.state
        self.poor = self.poor or attrition.poor(state, zone, self.side)
        self.mountain = self.mountain or board.crossing(here, zone) == "mountain"
        self.marsh = self.marsh or (ZONES[zone].terrain == "marsh" and attrition.poor(state, zone, self.side))
        power = self.force.power
        self.home = self.home and state.national(zone, power) and state.national(here, power)

    def _depots(self, zone: str) -> None:
        """2.3.2: fixed depots alone in the zone are overrun."""
        other = enemy(self.side)
        state = self.state
        if state.at(zone, other) or zone not in state.fixed:
            return
        theirs = [power for power in state.fixed[zone] if state.side_of(power) == other]
        if not theirs:
            return
        state.fixed[zone] = [power for power in state.fixed[zone] if power not in theirs]
        if not state.fixed[zone]:
            del state.fixed[zone]
        self.desk.tell(DepotTaken(zone=zone, side=self.side, rule="2.3.2"))

    def _claim(self, zone: str) -> None:
        """3.2.3c: a battle won in a zone without active fortress gives the marker, in supply."""
        state = self.state
        if state.controller(zone) != enemy(self.side) or not ZONES[zone].city or state.fortress(zone):
            return
        if self.desk.dry or supplied(state, self.force):
            siege.mark(self.desk, zone, self.side)

    async def _besiege(self, times: int) -> None:
        """13.2.2: attempts at one point each; one is free after a battle won there."""
        for _ in range(times):
            force = self.force
            if force.covering == now(self.state):
                raise Refused("only_covering", "13.1.3")
            if not self.free_siege:
                if self.left < 1 and self.last_siege:
                    return
                self.pay(1, "13.2.2")
            self.free_siege = False
            force.unsupplied = not supplied(self.state, force)
            bonus = self._siege_card()
            self.last_siege = await siege.attempt(self.desk, force, event=bonus, losses=self.losses())
            if self.last_siege in ("honneurs", "breche"):
                await self._offer_garrison()
                return
            if self.id not in self.state.forces:
                self.over = True
                return

    async def _offer_garrison(self) -> None:
        """13.4.2: D13: a letter that says nothing of it leaves it to the standing orders."""
        force = self.force
        if self.desk.dry or self.garrisons or force.zone not in self.state.empty:
            return
        (order,) = await self.desk.ask(
            Garrisoning(
                key=self.desk.label("garrison", force.zone),
                seat=self.side,
                rule="13.4.2",
                force=force.id,
                zone=force.zone,
            )
        )
        if isinstance(order, Garrison):
            await self.step(order)

    def _siege_card(self) -> int:
        """21F: two more on a siege die against a fortress without units."""
        state = self.state
        if not self.helped or self.helped not in state.hands[self.side]:
            return 0
        if state.at(self.force.zone, enemy(self.side), inside=True):
            return 0
        if not self.desk.dry:
            state.spend_card(self.side, self.helped)
            self.desk.tell(CardSpent(side=self.side, card=self.helped, use="siege", rule="7.3"))
        self.helped = ""
        return 2

    def _mark(self) -> None:
        """3.2.3c, 10.1.8: one point for a control marker."""
        state, force = self.state, self.force
        zone = force.zone
        if zone in self.entered and self.won and state.controller(zone) == self.side:
            return
        if not ZONES[zone].city or state.controller(zone) != enemy(self.side):
            raise Refused("nothing_to_control", "3.2.3", zone=zone)
        if state.fortress(zone):
            raise Refused("fortress_first", "3.2.3", zone=zone)
        force.unsupplied = not supplied(state, force)
        if force.unsupplied:
            raise Refused("unsupplied", "3.2.3", force=force.name)
        self.pay(1, "10.1.8")
        siege.mark(self.desk, zone, self.side)

    def _leave(self, pieces: Sequence[str]) -> None:
        """4.5.1: units stay here, alone, under a subordinate, or with a force that stands here."""
        state, force = self.state, self.force
        units = [piece for piece in pieces if piece in force.units]
        generals = [piece for piece in pieces if piece in force.subs]
        if len(units) + len(generals) != len(pieces):
            raise Refused("not_with_force", "4.5.1", force=force.name)
        if not units or len(units) >= len(force.units):
            raise Refused("someone_must_stay", "4.5.1", force=force.name)
        zone, name = force.zone, force.name
        friends = [other for other in state.at(zone, self.side) if other.id != self.id]
        left = command.detach(state, force, units, generals)
        code, rule = command.command_problem(left)
        if friends and not code:
            code, rule = command.may_join(friends[0], left)
        if code and not friends:
            raise Refused(code, rule, force=name)
        if friends:
            if code:
                raise Refused(code, rule, force=friends[0].name)
            command.join(state, friends[0], left)
        code, rule = command.command_problem(force)
        if code:
            raise Refused(code, rule, force=name)
        self.desk.tell(UnitsLeft(force=name, pieces=tuple(pieces), zone=zone, rule="4.5.1"))

    def _take(self, pieces: Sequence[str]) -> None:
        """4.5.1, 4.5.3, 4.5.6, 4.5.7: absorb units of the zone, or all of a force."""
        state, force = self.state, self.force
        friends = [other for other in state.at(force.zone, self.side) if other.id != self.id]
        if not friends:
            raise Refused("nobody_to_take", "4.5.1", zone=force.zone)
        other = next((f for f in friends if any(p in f.units or p in f.generals for p in pieces)), friends[0])
        before = force.movement
        whole = not pieces or set(other.units) <= set(pieces)
        if other.army and (not force.army or whole or not command.outranks(force, other)):
            raise Refused("army_keeps_its_own", "4.5.3", force=other.name)
        if not force.army and not command.outranks(force, other):
            raise Refused("lower_rank", "4.5.6", force=other.name)
        if whole:
            code, rule = command.may_join(force, other)
            if code:
                raise Refused(code, rule, force=force.name)
            names = tuple(other.units)
            command.join(state, force, other)
        else:
            names = tuple(pieces)
            if not set(names) <= set(other.units):
                raise Refused("not_with_force", "4.5.1", force=other.name)
            for unit in names:
                force.units[unit] = other.units.pop(unit)
            for part in (force, other):
                code, rule = command.command_problem(part)
                if code:
                    raise Refused(code, rule, force=part.name)
        self._slower(before)
        self.desk.tell(UnitsTaken(force=self.force.name, pieces=names, zone=self.force.zone, rule="4.5.1"))

    def _send_back(self, general: str) -> None:
        """4.4.2: a subordinate goes to the reserve."""
        force = self.force
        if general not in force.subs:
            raise Refused("no_such_subordinate", "4.4.2", generals=tuple(force.subs))
        force.subs.remove(general)
        self.state.generals[general] = WAIT
        self.desk.tell(GeneralDismissed(general=general, rule="4.4.2"))

    def _rally(self, times: int) -> None:
        """12.11.5: two points a try."""
        force = self.force
        if not force.demoralised:
            raise Refused("not_demoralised", "12.11.5", force=force.name)
        if not force.general or force.unsupplied:
            raise Refused("cannot_rally", "12.11.5", force=force.name)
        for _ in range(times):
            if not force.demoralised or (self.rallied is False and self.left < 2 and times > 1):
                break
            self.pay(2, "12.11.5")
            if self.desk.dry:
                force.demoralised = False
                continue
            record = GENERALS[force.general]
            limit = command.morale(self.state, [force]) + max(record.attack, record.defence)
            label, (die,) = self.desk.roll("rally", force.name, rule="12.11.5", seat=self.side)
            done = die <= limit
            self.desk.tell(Rallied(force=force.name, die=die, success=done, draws=(label,), rule="12.11.5"))
            if done:
                force.demoralised, self.rallied = False, True

    def _depot(self, force: Force, *, fix: bool) -> None:
        """11.4: mobile to fixed and back."""
        state, zone, power = self.state, force.zone, force.power
        if fix:
            if power not in force.depots:
                raise Refused("no_depot", "11.4", force=force.name)
            force.depots.remove(power)
            state.fixed.setdefault(zone, []).append(power)
        else:
            if power not in state.fixed.get(zone, ()):
                raise Refused("no_depot", "11.4", force=force.name)
            attrition_free = state.fixed[zone]
            attrition_free.remove(power)
            if not attrition_free:
                del state.fixed[zone]
            force.depots.append(power)
        what = "fixed" if fix else "mobile"
        self.desk.tell(DepotChanged(zone=zone, power=power, what=what, rule="11.4"))

    async def test(self) -> None:
        """11.6.1, 11.6.3, 10.2.2: the test of this activation: before its first battle, or at its end."""
        if self.tested or not self.due:
            return
        self.tested = True
        force = self.force
        mods = [
            Modifier("forced_march", 0 if self.grant.no_attrition else self.forced, "10.2.2"),
            Modifier("mountain_crossed", 1 if self.mountain else 0, "11.6"),
            Modifier("marsh_crossed", 1 if self.marsh else 0, "11.6"),
            Modifier("poor_zone_crossed", 2 if self.poor else 0, "11.6.4"),
            Modifier("national_territory", -2 if self.home and self.entered else 0, "11.6"),
            Modifier("card", self.grant.attrition, "7.3"),
            *attrition.standing_modifiers(self.state, force, winter=True),
        ]
        await attrition.suffer(
            self.desk,
            force,
            mods,
            counted=self.counted,
            spend=self.spend,
            losses=self.losses(),
            rallied=self.rallied,
        )
        if self.id not in self.state.forces:
            self.over = True

    async def finish(self) -> None:
        """10.2.2, 4.5.4, 13.2.1, 4.1: the test if it is still due; one force a zone; a siege is laid."""
        if self.id in self.state.forces:
            await self.test()
        force = self.state.forces.get(self.id)
        if force is None:
            if not self.desk.dry:
                siege.raise_sieges(self.desk)
            return
        force.acted = now(self.state)
        mine = bool(force.army)
        self._merge(force)
        force = self.state.forces.get(self.id)
        if force is not None:
            if mine or not force.army:
                force.acted = now(self.state)
            force.unsupplied = not supplied(self.state, force)
            self.desk.note(
                ForecastMarch(
                    force=force.name,
                    zone=force.zone,
                    left=self.left,
                    supplied=not force.unsupplied,
                    rule="10.1",
                )
            )
            siege.lay(self.desk, force)
        if not self.desk.dry:
            siege.raise_sieges(self.desk)

    def _merge(self, force: Force) -> None:
        """4.5.5: who cannot be absorbed may not be stayed with."""
        state = self.state
        friends = [other for other in state.at(force.zone, self.side) if other.id != self.id]
        if not friends:
            return
        if len(friends) == 1 and force.army and friends[0].army:
            return
        other = friends[0]
        if self.desk.dry:
            code, rule = command.may_join(force, other) if len(friends) == 1 else ("two_armies", "4.1.1")
            if code:
                raise Refused("stacking", rule, zone=force.zone, force=other.name, why=code)
        lost, spare = command.consolidate(state, force.zone, self.side)
        stack = state.at(force.zone, self.side)
        if stack:
            self.desk.tell(
                ForcesJoined(
                    zone=force.zone, force=stack[0].name, spare=tuple(spare), lost=tuple(lost), rule="4.5"
                )
            )
            self.id = stack[0].id
