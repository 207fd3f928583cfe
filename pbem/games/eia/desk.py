"""Where orders are carried out: in play with questions and dice, or as a rehearsal on a view.

The same code runs in both. A rehearsal asks nobody and rolls nothing; it notes what is wrong and what it foresees.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable, Sequence

from pbem.games.eia.events import OrderFailed
from pbem.games.eia.state import State, copied
from pbem.kernel.event import Event
from pbem.kernel.order import Answer, Order, to_data
from pbem.kernel.plan import Refused, rehearse
from pbem.kernel.problem import Problem
from pbem.kernel.question import Question
from pbem.kernel.table import Table


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
        """A draw's name by what it is for; a second one for the same thing says so."""
        name = "/".join([self.where, *(str(part).lower() for part in parts if part != "")])
        count = self._used[name] = self._used.get(name, 0) + 1
        return name if count == 1 else f"{name}/{count}"

    def roll(self, *parts: object, rule: str, seat: str = "", dice: int = 1) -> tuple[str, tuple[int, ...]]:
        """The label and the values of some dice. Raises RuntimeError in a rehearsal."""
        if self.table is None:
            raise RuntimeError("a rehearsal rolls no dice")
        name = self.label(*parts)
        return name, self.table.roll(name, dice, 6, rule=rule, seat=seat)

    def tell(self, event: Event, to: Iterable[str] | None = None) -> None:
        """Say that something happened."""
        if self.table is not None:
            self.table.tell(event, to)

    def tell_of(self, power: str, event: Event, seen: Event | None = None) -> None:
        """2.4.2: to those who know a power's secrets what happened; to the others what they see, if anything."""
        if self.table is None:
            return
        seats = {record.seat for record in self.state.powers.values()}
        friends = {seat for seat in seats if power in self.state.with_seat(seat)}
        self.table.tell(event, sorted(friends))
        others = sorted(seats - friends)
        if seen is not None and others:
            self.table.tell(seen, others)

    def note(self, event: Event) -> None:
        """Keep a forecast; only a rehearsal does."""
        if self.table is None:
            self.notes.append(event)

    def failed(self, seat: str, number: int, order: Order, refused: Refused) -> None:
        """In a rehearsal a problem at its order; in play its player hears that it could not be carried out."""
        if self.dry:
            self.problems.append(refused.at(number))
            return
        problem = refused.problem
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

    async def ask(self, question: Question[State]) -> Answer:
        """The seat's answer; in a rehearsal, what silence means."""
        if self.table is None:
            return question.default(self.state)
        return await self.table.ask(question)

    async def ask_each(self, questions: Sequence[Question[State]]) -> dict[str, Answer]:
        """The answers by the question's key, sealed."""
        if self.table is None:
            return {question.key: question.default(self.state) for question in questions}
        return await self.table.ask_each(questions)

    async def ask_all(self, questions: Sequence[Question[State]]) -> dict[str, Answer]:
        """The seats' answers, sealed."""
        if self.table is None:
            return {question.seat: question.default(self.state) for question in questions}
        return await self.table.ask_all(questions)


def rehearsed(state: State, run: Callable[[Desk], Coroutine[object, object, None]]) -> Desk:
    """The desk at which something was carried out on a copy of a position: what is wrong, and what it foresees."""
    desk = Desk(copied(state), None, "rehearsal")
    rehearse(run(desk))
    return desk
