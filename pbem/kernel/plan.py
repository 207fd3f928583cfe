"""A plan: the steps of one answer, carried out in order, or rehearsed on a copy of the seat's view.

The same code plays and rehearses, so what is checked is what will be played. IF … THEN … ELSE is decided when its turn
comes. A step that cannot be done raises `Refused`; it ends its own unit of the plan (a march with its steps, a combat
with what follows it), and not the plan.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import TypeVar

import msgspec

from pbem.kernel.chance import Recorded
from pbem.kernel.event import Event
from pbem.kernel.order import Answer, If, Order
from pbem.kernel.problem import ILLEGAL, Problem
from pbem.kernel.question import Question
from pbem.kernel.table import Table

S = TypeVar("S")
T = TypeVar("T")
Step = tuple[int, Order]
"""One thing to do, with the number of the order of the answer that it belongs to."""
Failed = Callable[[int, Order, "Refused"], None]
UNKNOWN = "?"
"""What a view shows of a hidden thing."""
NEAREST = 3
"""How many legal orders are named instead of one that is not."""


class Refused(Exception):
    """A step that cannot be done, with nothing changed: what is wrong, by which rule, and what would be legal."""

    def __init__(
        self, code: str, rule: str, nearest: tuple[Order, ...] = (), **params: str | int | tuple[str, ...]
    ) -> None:
        super().__init__(code)
        self.problem = Problem(code, rule, ILLEGAL, params=params, nearest=nearest)

    @classmethod
    def because(cls, problem: Problem) -> Refused:
        """A refusal with a problem that is known already."""
        refused = cls(problem.code, problem.rule)
        refused.problem = problem
        return refused

    def suggest(self, nearest: tuple[Order, ...]) -> None:
        """Add what would be legal, where nothing is said yet."""
        if not self.problem.nearest:
            self.problem = msgspec.structs.replace(self.problem, nearest=nearest)

    def at(self, number: int) -> Problem:
        """The problem, at the order of that number."""
        return msgspec.structs.replace(self.problem, order=number)


def refuse(problem: Problem | None) -> None:
    """Raises Refused where there is a problem."""
    if problem is not None:
        raise Refused.because(problem)


def rehearse(coroutine: Coroutine[object, object, T]) -> T:
    """The result of a rule that waits for nobody. Raises RuntimeError where it asks."""
    try:
        coroutine.send(None)
    except StopIteration as stop:
        result: T = stop.value
        return result
    raise RuntimeError("a rehearsal asked a question")


class Rehearsal(Table[S]):
    """A table at which nobody sits: questions get what silence means, nothing is told, cards stay unknown."""

    def __init__(self, state: S) -> None:
        super().__init__(state, Recorded())

    async def ask(self, question: Question[S]) -> Answer:
        """What silence means."""
        return question.default(self.state)

    def shuffle(self, label: str, items: Sequence[str], *, rule: str, secret: bool = True) -> list[str]:
        """Cards that nobody knows."""
        return [UNKNOWN] * len(items)

    def deal(self, label: str, position: int, *, to: str | None) -> None:
        """Nobody is shown anything."""

    def tell(self, event: Event, to: object = None, *, strikes: object = ()) -> None:
        """Nobody hears it."""


def no_if(order: If) -> Sequence[Order]:
    """The branch of an IF in a plan that knows no conditions: there is none."""
    raise RuntimeError("a plan without conditions holds an IF")


class Plan:
    """The steps of an answer that are still to be done."""

    def __init__(self, steps: Iterable[Step], units: tuple[type[Order], ...] = ()) -> None:
        """`units` are the kinds of orders that begin a unit of the plan; without them every step is one."""
        self.steps = list(steps)
        self.units = units
        self.number = 0
        self.done: Order | None = None
        """The step that was tried last; the number of its order is `number`."""

    def __bool__(self) -> bool:
        return bool(self.steps)

    def take(self) -> Step:
        """The next step, which is then no longer to be done."""
        return self.steps.pop(0)

    def take_while(self, kinds: tuple[type[Order], ...]) -> list[Step]:
        """The next steps of these kinds, taken."""
        found = list(takewhile(lambda step: isinstance(step[1], kinds), self.steps))
        del self.steps[: len(found)]
        return found

    def ahead(self, before: tuple[type[Order], ...] = ()) -> list[Order]:
        """The orders still to come, up to the first of those kinds."""
        return [order for _, order in takewhile(lambda step: not isinstance(step[1], before), self.steps)]

    def end_unit(self) -> None:
        """Leave out what belongs to the step that has failed."""
        while self.steps and self.units and not isinstance(self.steps[0][1], self.units):
            self.take()

    def stop(self) -> None:
        """Leave out all that is left."""
        self.steps = []

    def branch(self, steps: Sequence[Order]) -> Plan:
        """The same plan with those steps of the last order before the rest, to be gone through by itself."""
        return Plan([*((self.number, step) for step in steps), *self.steps], self.units)

    async def run(
        self,
        step: Callable[[Order], Awaitable[None]],
        failed: Failed,
        decide: Callable[[If], Sequence[Order]] = no_if,
    ) -> None:
        """Each step in its turn; `decide` gives the branch of an IF, `failed` hears of a step that is refused."""
        while self.steps:
            self.number, order = self.take()
            try:
                if isinstance(order, If):
                    self.steps[:0] = [(self.number, chosen) for chosen in decide(order)]
                else:
                    await step(order)
            except Refused as refused:
                failed(self.number, order, refused)
            self.done = order


class Planned(Question[S], frozen=True, kw_only=True):
    """A question whose answer is a plan: it is checked by carrying it out on a copy of the view.

    Whether it may hold IF … THEN … ELSE is said by `plans`.
    """

    def rehearsed(self, view: S, answer: Answer) -> Sequence[Problem]:
        """What is wrong with the plan. Changes nothing of the view."""
        raise NotImplementedError(type(self).__name__)

    def check(self, view: S, answer: Answer) -> list[Problem]:
        return list(self.rehearsed(view, answer))


def nearest(order: Order, legal: Iterable[Order], weights: Mapping[str, int]) -> tuple[Order, ...]:
    """The legal orders that resemble one most: by its kind, and by the fields that are alike, each with its weight."""
    wanted = msgspec.structs.asdict(order)
    scored: list[tuple[int, int, Order]] = []
    for n, other in enumerate(legal):
        have = msgspec.structs.asdict(other)
        alike = sum(
            weight for name, weight in weights.items() if wanted.get(name) and wanted[name] == have.get(name)
        )
        if type(other) is type(order):
            alike += 2
        elif alike < NEAREST:
            continue
        scored.append((-alike, n, other))
    scored.sort(key=lambda entry: entry[:2])
    return tuple(entry[2] for entry in scored[:NEAREST])


def singles(orders: Iterable[Order], first: Answer) -> Iterator[Answer]:
    """Answers of one order each: what silence means first, then the others."""
    yield first
    yield from ((order,) for order in orders if (order,) != first)
