"""7.5: what is decided in battles and sieges. The plan in a seat's letter and its standing orders answer all of it, and
behind them the usual ones; only who has written ASK ME is asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from pbem.games.eia.battle_orders import (
    BATTLE,
    DEFAULTS,
    PLAN,
    AttackBy,
    CommitGuard,
    DefendBy,
    HorseAway,
    IntoCity,
    OutflankWith,
    Sally,
    SiegeHabit,
    Sortie,
    Storm,
    Surrender,
)
from pbem.games.eia.charts import ATTACKER, Role, charts
from pbem.games.eia.land import plan
from pbem.games.eia.orders import KeepPlan
from pbem.games.eia.state import State
from pbem.kernel.order import Answer, AskMe, Fact, Order, When
from pbem.kernel.policy import keeps_for_player
from pbem.kernel.problem import ILLEGAL, Problem
from pbem.kernel.question import Question

HUNDRED = 100


class ByPlan(Question[State], frozen=True, kw_only=True):
    """A decision that is taken by the lines of a plan."""

    on_wish = True
    area: str
    about = {"area": "area"}
    standing = PLAN

    def decide(self, view: State, lines: Sequence[Order]) -> Answer:
        """What some lines say, in their order of rank."""
        raise NotImplementedError(type(self).__name__)

    def default(self, view: State) -> Answer:
        return self.decide(view, self._ranked(view, ()))

    def _ranked(self, view: State, standing: Sequence[Order]) -> list[Order]:
        """The lines without their conditions: those of the letter, those that stand, the usual ones."""
        facts, kind = self.facts(view), self.kind()
        parts = (plan.written(view, self.seat), standing, DEFAULTS)
        return [line for part in parts for line in plan.unfolded(part, facts, kind)]

    def follow(self, view: State, standing: Sequence[Order]) -> tuple[Answer, Order] | None:
        facts = self.facts(view)
        if any(keeps_for_player(self, order, facts) for order in standing):
            return None
        mine = [
            order for order in standing if isinstance(order, (*PLAN, When)) and not isinstance(order, AskMe)
        ]
        if not mine:
            return None
        lines = self._ranked(view, mine)
        answer = self.decide(view, lines)
        line = self._deciding(view, lines, answer)
        kind = self.kind()
        own = (order for order in mine if line == order or line in plan.unfolded((order,), facts, kind))
        letter = (order for order in standing if isinstance(order, KeepPlan))
        return (answer, next(own, None) or next(letter, mine[-1]))

    def _deciding(self, view: State, lines: Sequence[Order], answer: Answer) -> Order | None:
        """The line that gave an answer: it says the same, or without it the answer would be another."""
        said = next((line for line in lines if line in answer), None)
        if said is not None:
            return said
        each = list(dict.fromkeys(lines))
        return next(
            (line for line in each if self.decide(view, [one for one in each if one != line]) != answer), None
        )

    def narrowest(self, lines: Sequence[Order], *kinds: type[Order]) -> Order | None:
        """The first of the narrowest lines of some kinds that are about this place."""
        found = [line for line in lines if isinstance(line, kinds) and plan.fits(line, self.area, ())]
        return min(found, key=lambda line: -plan.narrowness(line), default=None)


class Fight(ByPlan, frozen=True, kw_only=True):
    """7.5.2: how a side fights a day of battle: chit, flank, guard, losses, reinforcements, night, pursuit; sealed."""

    role: Role
    mine: tuple[str, ...]
    """Its bodies that are corps of this seat."""
    enemy_corps: int
    day: int = 1
    trivial: bool = False
    command: bool = True
    """Whether it commands the side; else it says only what it loses."""
    leaders: tuple[str, ...] = ()
    enemy_leader: str = ""
    own_factors: int = 0
    enemy_factors: int = 0
    """Known from the second day on."""
    may_outflank: bool = False
    guard: int = 0
    """12.3.4.3: by how much the guard may be committed."""
    orders = (*BATTLE, KeepPlan)
    most_orders = 12

    def facts(self, view: State) -> Mapping[str, Fact]:
        return {
            "corps": len(self.mine),
            "enemy_corps": self.enemy_corps,
            "odds": self.odds,
            "factors": self.own_factors,
            "enemy_factors": self.enemy_factors,
            "day": self.day,
            "leader": self.leaders[0] if self.leaders else "",
            "enemy_leader": self.enemy_leader,
            "attacker": self.role == ATTACKER,
        }

    @property
    def odds(self) -> int:
        """A hundred times this side over the other: in factors where they are known, else in corps."""
        if self.enemy_factors:
            return HUNDRED * self.own_factors // self.enemy_factors
        return HUNDRED * len(self.mine) // self.enemy_corps if self.enemy_corps else 1000

    def decide(self, view: State, lines: Sequence[Order]) -> Answer:
        found = plan.composed(
            lines, self.role, self.area, self.leaders, self.odds, lambda line: self.wrong(line) is None
        )
        return found or (KeepPlan(),)

    def wrong(self, line: Order) -> Problem | None:
        """What is wrong with one line here."""
        if isinstance(line, (AttackBy, DefendBy)):
            return self._wrong_chit(line)
        if isinstance(line, OutflankWith):
            strangers = tuple(corps for corps in line.corps if corps not in self.mine)
            if strangers:
                return Problem("outflank_not_here", "7.5.2.3", ILLEGAL, {"corps": strangers})
            if len(line.corps) >= len(self.mine):
                return Problem("outflank_nobody_in_front", "7.5.2.3.1", ILLEGAL)
        if isinstance(line, CommitGuard) and line.shift > self.guard:
            return Problem("guard_not_so_strong", "12.3.4.3", ILLEGAL, {"most": self.guard})
        return None

    def _wrong_chit(self, line: AttackBy | DefendBy) -> Problem | None:
        if isinstance(line, AttackBy) != (self.role == ATTACKER):
            nearest = self._chits()[0]
            return Problem("not_your_chit", "7.5.2.1", ILLEGAL, {"role": self.role}, nearest)
        if line.chit == plan.OUTFLANK and not self.may_outflank:
            return Problem("no_outflank", "7.5.2.1", ILLEGAL, {}, self._chits()[0])
        return None

    def _chits(self) -> list[Answer]:
        kind = AttackBy if self.role == ATTACKER else DefendBy
        names = [name for name in charts().chits[self.role] if name != plan.OUTFLANK or self.may_outflank]
        usual = plan.USUAL[self.role]
        return [(kind(name),) for name in sorted(names, key=lambda name: name != usual)]

    def legal(self, view: State) -> Iterator[Answer]:
        yield (KeepPlan(),)
        if self.command and not self.trivial:
            yield from self._chits()
        for shift in range(1, self.guard + 1):
            yield (CommitGuard(shift, 3),)

    def check(self, view: State, answer: Answer) -> list[Problem]:
        problems = []
        for number, line in enumerate(answer):
            problem = self.wrong(line) if isinstance(line, BATTLE) else None
            if problem is None and not isinstance(line, (*BATTLE, KeepPlan)):
                problem = Problem("not_possible", self.rule, ILLEGAL, nearest=(KeepPlan(),))
            if problem is not None:
                problems.append(msgspec.structs.replace(problem, order=number))
        return problems

    def plan(self, answer: Answer) -> plan.Plan:
        """The plan that an answer means."""
        return plan.of(answer, self.role)


class TakeShelter(ByPlan, frozen=True, kw_only=True):
    """7.5.1.1: whether attacked forces retire into the city."""

    odds: int
    """A hundred times the enemy's corps over one's own."""
    room: int
    size: int
    orders = (IntoCity,)

    def facts(self, view: State) -> Mapping[str, Fact]:
        return {"odds": self.odds, "room": self.room, "factors": self.size}

    def legal(self, view: State) -> Iterator[Answer]:
        yield (IntoCity("field"),)
        yield (IntoCity("city"),)

    def decide(self, view: State, lines: Sequence[Order]) -> Answer:
        fitting = [
            line
            for line in lines
            if isinstance(line, IntoCity)
            and plan.fits(line, self.area, ())
            and (not line.odds or self.odds >= int(line.odds))
        ]
        own = [line for line in fitting if line not in DEFAULTS]
        best = plan.best(own or fitting, IntoCity)
        return (IntoCity(best.what if best is not None else "field"),)

    def wants(self, answer: Answer) -> bool:
        """Whether an answer is to go behind the walls."""
        return isinstance(answer[0], IntoCity) and answer[0].what == "city"


class RideAway(ByPlan, frozen=True, kw_only=True):
    """10.1.2.2.3: whether cossacks or freikorps that are attacked alone ride away, and where to."""

    ways: tuple[str, ...]
    orders = (HorseAway,)

    def legal(self, view: State) -> Iterator[Answer]:
        for area in self.ways:
            yield (HorseAway("away", (area,)),)
        yield (HorseAway("stand"),)

    def decide(self, view: State, lines: Sequence[Order]) -> Answer:
        line = next((line for line in lines if isinstance(line, HorseAway)), None)
        if line is None or line.what != "away":
            return (HorseAway("stand"),)
        wanted = next((area for area in line.areas if area in self.ways), self.ways[0])
        return (HorseAway("away", (wanted,)),)

    def goal(self, answer: Answer) -> str:
        """Where an answer rides to; nowhere, where it stands."""
        order = answer[0]
        return order.areas[0] if isinstance(order, HorseAway) and order.what == "away" else ""


_MATTERS: dict[str, tuple[str, str]] = {
    "storm": ("storm", "no_storm"),
    "sortie": ("sortie", "no_sortie"),
    "ask": ("ask_honours", "no_honours"),
    "grant": ("grant_honours", "refuse_honours"),
    "yield": ("surrender", "fight"),
    "sally": ("sally", "stay_inside"),
}
"""What may be decided in a siege: yes, or no."""


class SiegeMatter(ByPlan, frozen=True, kw_only=True):
    """7.5.4: one decision of a siege: storm, sortie, honours asked or granted, surrender, sally."""

    matter: str
    besiegers: int
    """Their factors, where they are known; else their corps."""
    garrison: int
    odds: int
    """A hundred times one's own side over the other, as far as one knows."""
    orders = (SiegeHabit,)

    def facts(self, view: State) -> Mapping[str, Fact]:
        return {
            "matter": self.matter,
            "besiegers": self.besiegers,
            "garrison": self.garrison,
            "odds": self.odds,
        }

    def legal(self, view: State) -> Iterator[Answer]:
        yes, no = _MATTERS[self.matter]
        yield (SiegeHabit(no),)
        yield (SiegeHabit(yes),)

    def said(self, answer: Answer) -> bool:
        """Whether an answer says yes."""
        order = answer[0]
        return isinstance(order, SiegeHabit) and order.habit == _MATTERS[self.matter][0]

    def decide(self, view: State, lines: Sequence[Order]) -> Answer:
        yes, no = _MATTERS[self.matter]
        about = [line for line in lines if self._concerns(line, (yes, no))]
        line = self.narrowest(about, Storm, Sortie, Surrender, Sally, SiegeHabit)
        return (SiegeHabit(yes if line is not None and self._agrees(line, yes) else no),)

    def _concerns(self, line: Order, habits: tuple[str, str]) -> bool:
        kinds = {"storm": Storm, "sortie": Sortie, "yield": Surrender, "sally": Sally}
        if isinstance(line, SiegeHabit):
            return line.habit in habits
        return self.matter in kinds and isinstance(line, kinds[self.matter])

    def _agrees(self, line: Order, yes: str) -> bool:
        if isinstance(line, (Storm, Sally)):
            return self.odds >= int(line.odds)
        if isinstance(line, Sortie):
            return self.garrison >= line.factors
        if isinstance(line, Surrender):
            return self.garrison < line.factors
        return isinstance(line, SiegeHabit) and line.habit == yes


QUESTIONS: tuple[type[Question[State]], ...] = (Fight, TakeShelter, RideAway, SiegeMatter)
