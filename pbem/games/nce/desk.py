"""Where orders are carried out: in play with questions and dice, or as a rehearsal on a view.

The same code runs in both. A rehearsal asks nobody and rolls nothing: it hopes that battles and sieges are won,
and notes what is wrong. So what is checked is what will be played.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Iterable, Sequence
from functools import partial
from typing import Any

import msgspec

from pbem.games.nce import fog
from pbem.games.nce.charts import FLEETS, GENERALS, UNITS
from pbem.games.nce.events import OrderFailed
from pbem.games.nce.events_field import (
    Activated,
    AttritionTested,
    BlockadeSet,
    FleetsMoved,
    ForcesJoined,
    NavalEvasion,
    NavalInterception,
    StepsLost,
    UnitsLeft,
    UnitsTaken,
)
from pbem.games.nce.events_powers import PieceBuilt
from pbem.games.nce.replies import Done
from pbem.games.nce.state import State, copied
from pbem.kernel.event import Event
from pbem.kernel.order import Answer, If, Order, to_data
from pbem.kernel.plan import Plan, Planned, Refused, no_if, rehearse
from pbem.kernel.problem import Problem
from pbem.kernel.question import Question
from pbem.kernel.table import Table

AT_SEA = (FleetsMoved, NavalInterception, NavalEvasion, BlockadeSet)
"""Before a battle nobody sees the back of an enemy fleet."""
IN_BATTLE = ("12.9", "7.5")
"""1.9: battles show who fights, and so who falls in them."""
IN_FOG: dict[str, tuple[str, ...]] = {
    "too_few_besiegers": ("needed",),
    "fortress_holds": ("needed",),
    "name_units": ("units",),
    "name_a_force": ("forces",),
    "no_depot_near": ("forces", "zones"),
}
"""1.9: what a reason would tell of enemy stacks: the garrison that sets the number, units, who carries a depot."""


def _in_fog(state: State, event: Event) -> tuple[str, Event]:
    """1.9: whose event it is, and how the other side hears of it; nobody's where all may know it."""
    if isinstance(event, AT_SEA) and event.fleets:
        return event.fleets[0], msgspec.structs.replace(event, fleets=tuple(map(fog.front, event.fleets)))
    if isinstance(event, (Activated, AttritionTested)):
        return event.force, msgspec.structs.replace(event, steps=0, modifiers=())
    if isinstance(event, StepsLost) and event.rule not in IN_BATTLE and event.force in GENERALS:
        lost = len(event.pieces)
        return event.force, msgspec.structs.replace(event, pieces=(), gone=(), steps=lost)
    if isinstance(event, (UnitsLeft, UnitsTaken)):
        return event.force, msgspec.structs.replace(event, pieces=())
    if isinstance(event, ForcesJoined) and event.lost:
        return event.force, msgspec.structs.replace(event, lost=())
    if isinstance(event, PieceBuilt) and event.piece in UNITS:
        force = state.force_with(event.piece)
        if force is not None and force.general:
            return force.general, msgspec.structs.replace(event, piece="", steps=0)
    return "", event


class Desk:
    """A phase being played, or rehearsed."""

    def __init__(self, state: State, table: Table[State] | None, where: str) -> None:
        self.state = state
        self.table = table
        self.where = where
        self.problems: list[Problem] = []
        self.notes: list[Event] = []
        """What a rehearsal foresees."""
        self._used: dict[str, int] = {}

    @property
    def dry(self) -> bool:
        """Whether this is a rehearsal."""
        return self.table is None

    def label(self, *parts: object) -> str:
        """A draw's name by what it is for; a second one for the same thing says so; in fog no fleet's (1.9)."""
        if self.state.on("fog"):
            parts = tuple(fog.front(part) if part in FLEETS else part for part in map(str, parts))
        name = "/".join([self.where, *(str(part).lower() for part in parts if part != "")])
        count = self._used[name] = self._used.get(name, 0) + 1
        return name if count == 1 else f"{name}/{count}"

    def roll(self, *parts: object, rule: str, seat: str = "", dice: int = 1) -> tuple[str, tuple[int, ...]]:
        """The label and the values of some dice."""
        if self.table is None:
            raise RuntimeError("a rehearsal rolls no dice")
        name = self.label(*parts)
        return name, self.table.roll(name, dice, 6, rule=rule, seat=seat)

    def tell(self, event: Event, to: Iterable[str] | None = None) -> None:
        """Say that something happened; in the fog to each what he may know (1.9)."""
        if self.table is None:
            return
        if to is None and self.state.on("fog"):
            piece, seen = _in_fog(self.state, event)
            if piece:
                self.table.tell(event, (fog.owner(self.state, piece),))
                event, to = seen, fog.others(self.state, piece)
        self.table.tell(event, to)

    def tell_failed(self, seat: str, number: int, order: Order, problem: Problem) -> None:
        """To its player alone: an order of his plan has failed, and why; in fog nothing of enemy stacks (1.9)."""
        problem = self.covered(problem)
        self.tell(
            OrderFailed(
                number=number + 1,
                code=problem.code,
                order=to_data(order),
                params=dict(problem.params),
                rule=problem.rule,
            ),
            to=(seat,),
        )

    def covered(self, problem: Problem) -> Problem:
        """1.9: a reason without what it would tell of enemy stacks."""
        hidden = IN_FOG.get(problem.code, ()) if self.state.on("fog") else ()
        params = {name: () if name in hidden else value for name, value in problem.params.items()}
        return msgspec.structs.replace(problem, params=params)

    def note(self, event: Event) -> None:
        """Keep a forecast; only a rehearsal does."""
        if self.table is None:
            self.notes.append(event)

    async def carry_out(
        self,
        seat: str,
        plan: Plan,
        step: Callable[[Order], Awaitable[None]],
        decide: Callable[[If], Sequence[Order]] = no_if,
    ) -> None:
        """Each step in turn: the first that is refused ends a rehearsal; in play its player hears of it."""
        await plan.run(step, partial(self.fail, seat, plan), decide)

    def fail(self, seat: str, plan: Plan, number: int, order: Order, refused: Refused) -> None:
        """In a rehearsal a problem at its order; in play the order fails, and its unit of the plan ends."""
        if self.dry:
            self.problems.append(refused.at(number))
            plan.stop()
        else:
            self.tell_failed(seat, number, order, refused.problem)
            plan.end_unit()

    async def ask(self, question: Question[State]) -> Answer:
        """The seat's answer; in a rehearsal, what silence means."""
        if self.table is None:
            return question.default(self.state)
        return await self.table.ask(question)

    async def ask_all(self, questions: Sequence[Question[State]]) -> dict[str, Answer]:
        """The seats' answers, sealed."""
        if self.table is None:
            return {question.seat: question.default(self.state) for question in questions}
        return await self.table.ask_all(questions)


def rehearsed(state: State, run: Callable[[Desk], Coroutine[Any, Any, None]]) -> Desk:
    """The desk at which a plan was carried out on a copy of a position: what is wrong with it, what it foresees."""
    desk = Desk(copied(state), None, "rehearsal")
    rehearse(run(desk))
    return desk


class Rehearsed(Planned[State], frozen=True, kw_only=True):
    """A question whose plan is carried out on a copy, hoping that battles and sieges are won."""

    def carry_out(self, desk: Desk, answer: Answer) -> Coroutine[Any, Any, None]:
        """The plan, at a desk."""
        raise NotImplementedError(type(self).__name__)

    def rehearsed(self, view: State, answer: Answer) -> list[Problem]:
        return rehearsed(view, lambda desk: self.carry_out(desk, answer)).problems

    def default(self, view: State) -> Answer:
        return (Done(),)
