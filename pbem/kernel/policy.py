"""Standing orders of a game's own kinds: which answer each gives to a question, declared once with the question.

    policies = (
        Policy(FortressPolicy, (IntoFortress(),), at_least={"steps": "enemy_steps"}),
        Policy(HoldPolicy, (Stand(),)),
        Policy(UsualPolicy, usual),
    )

A standing order has a subject (`Question.concerns`), perhaps a threshold (`at_least`, `below`), and gives an answer or
a preference (`first_fit`). The player's orders are looked through in turn; the first whose answer stands decides.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar, cast

from pbem.kernel.order import Answer, AskMe, Fact, Order, When

if TYPE_CHECKING:
    from pbem.kernel.question import Question

Q = TypeVar("Q")
S = TypeVar("S")
T = TypeVar("T")
Kind = TypeVar("Kind", bound=Order)
Gives = Callable[[Q, S, Kind], Answer | None]
"""(question, view, standing order): the answer; None where the order says nothing about the question."""


def usual(question: Question[S], view: S, order: Order) -> Answer | None:
    """What silence means."""
    return question.default(view)


def as_said(question: object, view: object, order: Order) -> Answer | None:
    """The standing order is itself the answer."""
    return (order,)


def first_fit(preference: Iterable[T], candidates: Collection[T]) -> T | None:
    """The first of a preference that is to be had; None where nothing of it is."""
    return next((item for item in preference if item in candidates), None)


class Policy:
    """What one kind of standing order answers to one kind of question."""

    def __init__(
        self,
        kind: type[Kind],
        gives: Answer | Gives[Q, S, Kind],
        *,
        at_least: Mapping[str, str] | None = None,
        below: Mapping[str, str] | None = None,
        given: Callable[[Q, S, Kind], bool] | None = None,
        otherwise: Answer | None = None,
    ) -> None:
        """`at_least` and `below` set a field of the order against a fact of the question; a threshold below that is
        nought is none. `given` is any other condition; `otherwise` is the answer where a condition does not hold.
        """
        self.kind: type[Order] = kind
        # A policy is asked by its own question only, and only about orders of its kind.
        self.gives = cast("Answer | Gives[object, object, Order]", gives)
        self.at_least = at_least or {}
        self.below = below or {}
        self.given = cast("Callable[[object, object, Order], bool] | None", given)
        self.otherwise = otherwise

    def answer(self, question: Question[S], view: S, order: Order) -> Answer | None:
        """The answer of a standing order of this kind."""
        if not self._holds(question, view, order):
            return self.otherwise
        return self.gives(question, view, order) if callable(self.gives) else self.gives

    def _holds(self, question: Question[S], view: S, order: Order) -> bool:
        facts = question.facts(view) if self.at_least or self.below else {}
        return (
            all(_number(facts, fact) >= getattr(order, field) for field, fact in self.at_least.items())
            and all(
                not getattr(order, field) or _number(facts, fact) < getattr(order, field)
                for field, fact in self.below.items()
            )
            and (self.given is None or bool(self.given(question, view, order)))
        )


def _number(facts: Mapping[str, Fact], name: str) -> int:
    value = facts[name]
    return value if isinstance(value, int) else 0


def keeps_for_player(question: Question[S], order: Order, facts: Mapping[str, Fact]) -> bool:
    """Whether an ASK ME keeps a question for its player."""
    return isinstance(order, AskMe) and order.question == question.kind() and order.condition.holds(facts)


def follow(question: Question[S], view: S, standing: Sequence[Order]) -> tuple[Answer, Order] | None:
    """The answer that standing orders give to a question, with the one that gave it; None where none does."""
    facts = question.facts(view)
    seen: set[type[Order]] = set()
    for order in standing:
        answer: Answer | None = None
        if keeps_for_player(question, order, facts):
            return None
        if isinstance(order, When):
            if order.question == question.kind():
                answer = order.then if order.condition.holds(facts) else order.otherwise
        elif isinstance(order, question.standing or ()) and question.concerns(view, order):
            if question.first_of_kind and type(order) in seen:
                continue
            seen.add(type(order))
            answer = question.answer_by(view, order)
        if answer and not question.check(view, answer):
            return answer, order
    return None
