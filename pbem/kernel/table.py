"""A table: what the rules of a game see of the world.

Rules are coroutines. `ask` and `ask_all` suspend the game until answered; `gather` runs independent
sub-games side by side; `roll`, `shuffle` and `deal` are the only sources of chance; `tell` is the only way to
say something; `checkpoint` stands where the whole position is in the state and nothing on the stack, and `bulletin`
where, besides, a report goes to everyone.
"""

from __future__ import annotations

from collections.abc import Collection, Coroutine, Generator, Iterable, Sequence
from typing import Generic, TypeVar, cast

from pbem.kernel.agreement import Agreement, Agreements, news
from pbem.kernel.chance import LABEL, Chance
from pbem.kernel.event import Event, Told
from pbem.kernel.order import Answer, Seat
from pbem.kernel.question import Question

S = TypeVar("S")
T = TypeVar("T")
Rule = Coroutine[object, object, T]


class Asking(Generic[S]):
    """A request of the rules: these questions, answered together."""

    def __init__(self, questions: tuple[Question[S], ...]) -> None:
        self.questions = questions

    def __await__(self) -> Generator[object, dict[str, Answer], dict[str, Answer]]:
        answers: dict[str, Answer] = yield self
        return answers


class Gathering:
    """A request of the rules: run these side by side and wait for all of them."""

    def __init__(self, coroutines: tuple[Rule[object], ...]) -> None:
        self.coroutines = coroutines

    def __await__(self) -> Generator[object, list[object], list[object]]:
        results: list[object] = yield self
        return results


class Marking:
    """A request of the rules: the position stands by itself here; with `report`, everyone is told of it."""

    def __init__(self, *, report: bool = False) -> None:
        self.report = report

    def __await__(self) -> Generator[object, object, None]:
        yield self


class Table(Generic[S]):
    """A running game as its rules see it."""

    def __init__(self, state: S, chance: Chance, *, events: int = 0) -> None:
        self.state = state
        self.chance = chance
        self.told: list[Told] = []
        self.events = events

    async def ask(self, question: Question[S]) -> Answer:
        """The seat's answer."""
        return (await Asking((question,)))[question.key]

    async def ask_all(self, questions: Sequence[Question[S]]) -> dict[Seat, Answer]:
        """The seats' answers, sealed until all are in; one question a seat, else it raises ValueError (`ask_each`)."""
        if len({question.seat for question in questions}) < len(questions):
            raise ValueError("ask_all asks a seat twice; ask_each gives the answers by question")
        answers = await self.ask_each(questions)
        return {question.seat: answers[question.key] for question in questions}

    async def ask_each(self, questions: Sequence[Question[S]]) -> dict[str, Answer]:
        """The answers by the question's key, sealed until all are in; a seat may be asked several questions."""
        return await Asking(tuple(questions)) if questions else {}

    async def gather(self, *coroutines: Rule[T]) -> list[T]:
        """The results of independent sub-games, whose questions are open at the same time."""
        return cast("list[T]", await Gathering(coroutines)) if coroutines else []

    async def checkpoint(self) -> None:
        """Note that the whole position is in the state: a game can be taken up again from here."""
        await Marking()

    async def bulletin(self) -> None:
        """A checkpoint at which everyone gets a report, whether or not he is asked something."""
        await Marking(report=True)

    def conclude(
        self, book: Agreements, *, patience: int = 2, public: bool = True, dead: Collection[Seat] = ()
    ) -> list[Agreement]:
        """The agreements that all have signed, from now on in force; all that has become of others is told too.

        `patience`: after so many rounds without all signatures an agreement lapses; `public`: all are told, not only
        the parties; `dead`: the seats that are out.
        """
        concluded = book.conclude(patience=patience, dead=dead)
        for event, to in news(concluded, public=public):
            self.tell(event, to)
        return concluded.made

    def roll(
        self, label: str, dice: int, sides: int, *, rule: str, seat: Seat = "", secret: bool = False
    ) -> tuple[int, ...]:
        """The values of some dice."""
        return self.chance.roll(_label(label), dice, sides, rule=rule, seat=seat, secret=secret)

    def shuffle(self, label: str, items: Sequence[str], *, rule: str, secret: bool = True) -> list[str]:
        """Cards in a new order, top first."""
        return list(self.chance.shuffle(_label(label), items, rule=rule, secret=secret))

    def deal(self, label: str, position: int, *, to: Seat | None) -> None:
        """Show a card of a secret deck to a seat, or to everyone, with its proof."""
        self.chance.deal(label, position, to=to)

    def tell(self, event: Event, to: Iterable[Seat] | None = None, *, strikes: Iterable[Seat] = ()) -> None:
        """Say that something happened, to some seats or to everyone; those whom it strikes get a letter at once."""
        self.events += 1
        self.told.append(Told(self.events, event, None if to is None else tuple(to), tuple(strikes)))


def _label(label: str) -> str:
    if not LABEL.match(label):
        raise ValueError(f"not a label: {label!r}")
    return label
