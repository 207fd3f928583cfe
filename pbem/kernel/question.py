"""Questions: everything about a decision point in one place.

One declaration says who decides, which orders answer, what is legal, what is wrong with an answer, what
silence means and which facts a standing order may test; so prompt, validator, robot and help cannot disagree.
All methods work on the seat's *view* of the position, never on the position itself: nothing that a question
says can betray what its seat may not know.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import ClassVar, Generic, TypeVar

import msgspec

from pbem.kernel.order import Answer, Fact, Order, Seat, snake
from pbem.kernel.policy import Policy, follow
from pbem.kernel.problem import ILLEGAL, Problem

S = TypeVar("S")


class Question(msgspec.Struct, Generic[S], frozen=True, kw_only=True, tag_field="question", tag=snake):
    """A decision that a seat has to take; S is what a position of its game is.

    `key` names it once and for all, like a draw's label.
    """

    key: str
    seat: Seat
    rule: str = ""
    sealed: bool = False
    """Sealed: asked of several seats at once; answers stay secret and may be replaced until all are in."""

    orders: ClassVar[tuple[type[Order], ...]] = ()
    """The order kinds that answer it."""
    standing: ClassVar[tuple[type[Order], ...]] = ()
    """The game's own standing orders that may answer it (besides WHEN … THEN); those of `policies`, if it has any."""
    policies: ClassVar[tuple[Policy, ...]] = ()
    """What each of them answers."""
    first_of_kind: ClassVar[bool] = False
    """Whether of each kind of standing order only the first that concerns the question counts."""
    discreet: ClassVar[bool] = False
    """Asked alike whether or not a card is held: never settled because only one answer is legal (see `hides`)."""
    on_wish: ClassVar[bool] = False
    """Put only to a seat whose ASK ME keeps it; for everyone else its default is the answer."""
    about: ClassVar[Mapping[str, str]] = {}
    """The fields that tell what it is about, with the kinds of their names.

    «RUSSIA:» or «at Ulm:» above some lines says by them which of several questions they answer.
    """
    most_orders: ClassVar[int] = 1
    """How many orders an answer may hold, where that does not depend on the position (see `count`)."""
    plans: ClassVar[bool] = False
    """Whether an answer may hold IF … THEN … ELSE steps."""

    def __init_subclass__(cls, **options: object) -> None:
        super().__init_subclass__()
        if "policies" in cls.__dict__:
            cls.standing = tuple(policy.kind for policy in cls.policies)

    @classmethod
    def kind(cls) -> str:
        """The name of this kind of question."""
        return snake(cls.__name__)

    def subjects(self) -> list[tuple[str, str]]:
        """What it is about: kinds of names and identifiers."""
        return [(kind, getattr(self, name)) for name, kind in self.about.items()]

    def count(self, view: S) -> tuple[int, int]:
        """How many orders an answer holds, at least and at most."""
        return (1, self.most_orders)

    def legal(self, view: S) -> Iterator[Answer]:
        """Legal answers: all of them, or enough to choose from; never none."""
        raise NotImplementedError(type(self).__name__)

    def check(self, view: S, answer: Answer) -> list[Problem]:
        """What is wrong with an answer; nothing when it stands. By default: it must be one of `legal`."""
        if any(answer == legal for legal in self.legal(view)):
            return []
        nearest = next(iter(self.legal(view)), ())
        return [Problem("not_possible", self.rule, ILLEGAL, nearest=nearest)]

    def default(self, view: S) -> Answer:
        """What silence means: by default the first legal answer."""
        return next(iter(self.legal(view)))

    def facts(self, view: S) -> Mapping[str, Fact]:
        """What a standing order or a plan may test."""
        return {}

    def menu(self, view: S) -> list[Order]:
        """Single orders to choose from by number, in the order in which the form shows them."""
        seen: dict[Order, None] = {}
        for answer in islice(self.legal(view), 200):
            for order in answer:
                seen.setdefault(order)
        return list(seen)

    def concerns(self, view: S, standing: Order) -> bool:
        """Whether one of the game's own standing orders is about what is asked here."""
        return True

    def answer_by(self, view: S, standing: Order) -> Answer | None:
        """The answer that one of the game's own standing orders gives, if any."""
        policy = next((policy for policy in self.policies if policy.kind is type(standing)), None)
        return None if policy is None else policy.answer(self, view, standing)

    def hides(self, view: S) -> bool:
        """Whether it must not show how many answers are legal; always where the question is discreet."""
        return self.discreet

    def only(self, view: S) -> Answer | None:
        """The answer, where there is no choice at all and everybody may know that."""
        first_two = [] if self.hides(view) else list(islice(self.legal(view), 2))
        return first_two[0] if len(first_two) == 1 else None

    def follow(self, view: S, standing: Sequence[Order]) -> tuple[Answer, Order] | None:
        """The answer that the seat's standing orders give, with the standing order that gave it."""
        return follow(self, view, standing)
