"""6.1, 13: the combat phase: the combats of the plan; a step that has become impossible is skipped."""

from __future__ import annotations

from pbem.games.ccn import battle, cavalry
from pbem.games.ccn.charts import FIRE, MELEE
from pbem.games.ccn.events import GroundTaken, OrdersSkipped, Skipped
from pbem.games.ccn.fire import fire
from pbem.games.ccn.melee import Fight
from pbem.games.ccn.orders import Bonus, Fire, Halt, Melee, TakeGround
from pbem.games.ccn.plan import Bound, Branch, Combat, TurnPlan, facts
from pbem.games.ccn.questions import Advance
from pbem.games.ccn.state import State, Unit
from pbem.games.ccn.trail import tell
from pbem.games.ccn.victory import check_end, drop_objectives
from pbem.kernel.order import If, Order
from pbem.kernel.problem import Problem
from pbem.kernel.table import Table


async def combats(table: Table[State], plan: TurnPlan) -> None:
    """6.1.1, 6.1.2, 6.5.3: one combat after the other, each finished before the next."""
    phase = Combats(table, plan)
    await phase.run(plan.combats)
    skipped = (*plan.skipped(), *phase.skipped)
    if skipped:
        table.tell(OrdersSkipped(seat=plan.seat, lines=skipped, rule="13"))


class Combats:
    """The combats of one turn."""

    def __init__(self, table: Table[State], plan: TurnPlan) -> None:
        self.table = table
        self.state = table.state
        self.plan = plan
        self.seat = plan.seat
        self.vacated = False
        self.labels: dict[str, int] = {}
        self.skipped: list[Skipped] = []

    async def run(self, steps: list[Bound]) -> None:
        """The steps in their order; an IF is decided now."""
        for step in steps:
            if isinstance(step, Branch):
                holds = step.condition.holds(facts(self.state, self.seat, self.vacated))
                await self.run(step.then if holds else step.otherwise)
            else:
                await self._combat(step)

    def _label(self, unit: Unit, how: str, target: str) -> str:
        """A draw is named by what it is for; a second fight over the same ground in a turn is told apart."""
        label = f"t{self.state.turn}/{unit.hex}/{how}/{target}".lower()
        self.labels[label] = self.labels.get(label, 0) + 1
        return label if self.labels[label] == 1 else f"{label}/{self.labels[label]}"

    def _skip(self, step: Combat, unit: Unit, problem: Problem) -> None:
        target = step.order.targets[0] if step.order.targets else ""
        self.skipped.append(Skipped(unit.hex or step.order.unit, problem.code, target))

    async def _combat(self, step: Combat) -> None:
        unit = self.state.units[step.unit]
        order = step.order
        if unit.battled and unit.hex:
            return
        how = FIRE if isinstance(order, Fire) else MELEE
        gone = Problem("attacker_gone", "13", params={"hex": order.unit})
        stuck = battle.why_no_battle(self.state, unit, how) if unit.hex else gone
        if stuck is not None:
            self._skip(step, unit, stuck)
            return
        if isinstance(order, Fire):
            await self._fire(step, unit, order)
        else:
            await self._melee(step, unit, order)

    async def _fire(self, step: Combat, unit: Unit, order: Fire) -> None:
        problems = []
        for target in order.targets:
            problem = battle.why_no_fire(self.state, unit, target)
            if problem is None:
                enemy = self.state.unit_at(target)
                assert enemy is not None
                await fire(self.table, unit, enemy, self._label(unit, "fire", target))
                return
            problems.append(problem)
        self._skip(step, unit, problems[0])

    async def _melee(self, step: Combat, unit: Unit, order: Melee) -> None:
        problems = []
        for target in order.targets:
            guns = self._guns(step.guns, target)
            problem = battle.why_no_melee(self.state, unit, target, guns)
            if problem is None:
                await self._fight(unit, target, guns, step)
                return
            problems.append(problem)
        self._skip(step, unit, problems[0])

    def _guns(self, ids: tuple[str, ...], target: str) -> list[Unit]:
        """8.3.2: the batteries that can still join."""
        guns = [self.state.units[id] for id in ids]
        return [gun for gun in guns if gun.hex and battle.why_no_gun(self.state, gun, target) is None]

    async def _fight(self, unit: Unit, target: str, guns: list[Unit], step: Combat) -> None:
        label = self._label(unit, "melee", target)
        self.vacated = await Fight(self.table, label, unit, target, guns, bonus=False).fight()
        if not (self.vacated and unit.hex):
            return
        advance = await self._advance(unit, target, label, step)
        if not isinstance(advance, TakeGround) or not self._enter(unit, target, advance.onward):
            return
        bonus = self._bonus(advance, step)
        if bonus is None or unit.arm != "cavalry":
            return
        problems = []
        for hex in bonus.targets:
            joined = self._guns(self._gun_ids(bonus), hex)
            problem = battle.why_no_melee(self.state, unit, hex, joined, bonus=True)
            if unit.barred:
                problem = Problem("moved_too_far", "7.3.4", params={"hex": unit.hex})
            if problem is None:
                await self._bonus_melee(unit, hex, joined)
                return
            problems.append(Skipped(unit.hex, problem.code, hex))
        self.skipped += problems[:1]

    async def _bonus_melee(self, unit: Unit, hex: str, guns: list[Unit]) -> None:
        """7.3.2, 7.3.3: a full melee; if it is won, the vacated hex and no more."""
        label = self._label(unit, "bonus", hex)
        self.vacated = await Fight(self.table, label, unit, hex, guns, bonus=True).fight()
        if self.vacated and unit.hex and cavalry.why_no_advance(self.state, unit, hex) is None:
            question = Advance(
                key=f"{label}/advance", seat=unit.side, unit=unit.id, hex=hex, bonus=True, rule="7.3.3"
            )
            (order,) = await self.table.ask(question)
            if isinstance(order, TakeGround):
                self._enter(unit, hex, "")

    def _gun_ids(self, bonus: Bonus | None) -> tuple[str, ...]:
        guns = [self.plan.fighter(hex) for hex in (bonus.guns if bonus is not None else ())]
        return tuple(dict.fromkeys(gun.id for gun in guns if gun is not None))

    def _follow(self, step: Combat) -> list[Order]:
        found: list[Order] = []
        known = facts(self.state, self.seat, self.vacated)
        for order in step.follow:
            found += order.chosen(known) if isinstance(order, If) else [order]
        return found

    async def _advance(self, unit: Unit, hex: str, label: str, step: Combat) -> Order:
        """7.1, 7.2: what the plan says of this victory; where it says nothing, its player is asked."""
        if cavalry.why_no_advance(self.state, unit, hex) is not None:
            return Halt()
        order = step.order
        assert isinstance(order, Melee)
        if order.advance == "stay":
            return Halt()
        if order.advance or order.onward or order.bonus:
            return TakeGround(order.onward, order.bonus)
        for follow in self._follow(step):
            if isinstance(follow, (TakeGround, Halt)):
                return follow
            if isinstance(follow, Bonus):
                return TakeGround("", follow.targets)
        if step.follow:
            return Halt()
        question = Advance(key=f"{label}/advance", seat=unit.side, unit=unit.id, hex=hex, rule="7.1.1")
        (answer,) = await self.table.ask(question)
        return answer

    def _bonus(self, advance: TakeGround, step: Combat) -> Bonus | None:
        named = [order for order in self._follow(step) if isinstance(order, Bonus)]
        if advance.bonus:
            guns = advance.guns or (named[0].guns if named else ())
            return Bonus(advance.bonus, guns)
        return named[0] if named else None

    def _enter(self, unit: Unit, hex: str, onward: str) -> bool:
        """7.1.2, 7.2.1: enter the vacated hex; the extra hex only where it is open."""
        if cavalry.why_no_advance(self.state, unit, hex) is not None:
            return False
        further = onward if onward in cavalry.onward_hexes(self.state, unit, hex) else ""
        start = unit.hex
        way = cavalry.advance(self.state, unit, hex, further)
        rule = "7.2.1" if unit.arm == "cavalry" else "7.1.1"
        tell(self.table, GroundTaken(seat=unit.side, unit=unit.type, hex=start, path=way, rule=rule))
        drop_objectives(self.table)
        check_end(self.table)
        return True
