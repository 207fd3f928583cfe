"""The contract of a game: what a folder of rules gives to the rest of the system."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

import msgspec

from pbem.kernel.agreement import Agreements
from pbem.kernel.drawing import Drawing, Sites
from pbem.kernel.event import Event, Told
from pbem.kernel.order import Answer, Order, Seat, Vocabulary
from pbem.kernel.problem import Problem
from pbem.kernel.question import Question
from pbem.kernel.table import Table

S = TypeVar("S")


class Option(msgspec.Struct, frozen=True):
    """A switch of a game: its name, its values (the first is the default), and what it does."""

    name: str
    values: tuple[str, ...]
    en: str
    fr: str


class Scenario(msgspec.Struct, frozen=True):
    """A set-up to choose."""

    name: str
    en: str
    fr: str
    seats: tuple[Seat, ...]


class Outcome(msgspec.Struct, frozen=True):
    """How a game ended: the seats that won (none: nobody did) and the points of each."""

    winners: tuple[Seat, ...]
    points: dict[Seat, int] = {}


class Robot(Protocol[S]):
    """Whatever answers a question from a seat's view, with an injected source of whims."""

    def __call__(self, view: S, question: Question[S], whim: random.Random) -> Answer:
        """A legal answer."""


@dataclass(frozen=True, eq=False)
class Rules(Generic[S]):
    """A game's rules."""

    name: str
    titles: Mapping[str, str]
    state: type[S]
    orders: tuple[type[Order], ...]
    """All order kinds, those of standing orders included."""
    standing: tuple[type[Order], ...]
    """The order kinds that are standing orders."""
    events: tuple[type[Event], ...]
    questions: tuple[type[Question[S]], ...]
    scenarios: Mapping[str, Scenario]
    options: tuple[Option, ...]
    setup: Callable[[str, dict[str, str]], S]
    """The position before any draw; scenario and options are already known to be valid."""
    play: Callable[[Table[S]], Coroutine[object, object, None]]
    """The sequence of play; it can be entered anew at every checkpoint."""
    view: Callable[[S, Seat | None], S]
    """The only place that redacts."""
    vocabulary: Vocabulary
    invariants: Callable[[S], Sequence[str]]
    """What is wrong with a position that no play may reach; nothing, always."""
    outcome: Callable[[S], Outcome | None]
    drawing: Callable[[S, Seat | None, str], Drawing]
    """What the map of a view shows: (view, seat, language)."""
    status: Callable[[S, Seat | None], Sequence[Event]]
    """A view at a glance, as events that say how things stand."""
    moment: Callable[[S], str]
    """Where the game stands, in a few letters that fit a subject line: `t3`."""
    edition: int = 1
    """Rises whenever a game of the same answers and draws would go another way than before."""
    robots: Mapping[str, Robot[S]] = field(default_factory=dict)
    """Who can play by himself; `caretaker` plays for the silent: he holds, never attacks, wastes nothing."""
    defaults: tuple[Order, ...] = ()
    """Standing orders that hold for everyone behind their own."""
    lookup: Callable[[str, str], Sequence[Event]] | None = None
    """What HELP tells of a thing that is named: its kind in the vocabulary, and which it is."""
    join: Callable[[Event, Event], Event | None] | None = None
    """Two lines of a report as one, where the second only goes on with the first; nothing where they are two things."""
    forecast: Callable[[S, Seat, Answer], Sequence[Event]] | None = None
    """What CHECK tells of orders besides whether they stand: odds, from what the seat may know."""
    consult: Callable[[S, Seat, Answer], Sequence[Event]] | None = None
    """What CHECK tells of single orders that are asked about by themselves; nothing where they are a whole answer."""
    distance: Callable[[S, Seat, Seat], int] | None = None
    """How many stages a courier rides from one seat's headquarters to another's, as everyone may know."""
    own: Callable[[S, Seat], Collection[str]] | None = None
    """The things of a seat, by identifier: what a name means that others bear too, where only they can be meant."""
    called: Callable[[S, Seat], Mapping[str, Mapping[str, tuple[str, ...]]]] | None = None
    """What a seat may call things by what it sees («the rifles»): by kind and name, the things; and under `where:` and
    the kind, the places that tell them apart («on the left»)."""
    sites: Callable[[], Sites] | None = None
    """What a map of countries prints on its areas and between them."""
    ahead: Callable[[S], Seat] | None = None
    """Who would win if points decided now, where a game can be won otherwise; empty: nobody."""
    eliminated: Callable[[S], Sequence[Seat]] | None = None
    """The seats that are out of the game while it goes on for others."""
    digest: Callable[[S, Seat, Sequence[Told]], Sequence[Told]] | None = None
    """The events of a long report as a seat needs them; `pbem.kernel.digest` helps."""
    auctioned: bool = False
    """Whether seats may go by auction at sign-up: what was bid for a seat is the option `price.<seat>` of `setup`."""
    most_decisions: int = 20_000
    """More than so many no game takes: beyond, a random one is taken to have no end."""
    agreements: Callable[[S], Agreements] | None = None
    """Where the position keeps the players' agreements; without it there are none."""
    clauses: tuple[type[Order], ...] = ()
    """The order kinds that a clause of an agreement may be, because the rules can carry it out."""
    check_clause: Callable[[S, Sequence[Seat], Order], Sequence[Problem]] | None = None
    """What is wrong with a clause between those parties, from what its writer may know."""
    build: Callable[[str, dict[str, str], Mapping[str, object]], S] | None = None
    """The position of a rule case: scenario, all options, and what the case gives in the game's own short words."""
    verify: Callable[[S, Mapping[str, object]], Sequence[str]] | None = None
    """What of a position is not as a rule case expects, in sentences; nothing where all is."""

    def stages(self, view: S, sender: Seat, to: Seat) -> int:
        """A courier's way; where a game does not measure it, everybody is one stage from everybody."""
        return max(1, self.distance(view, sender, to)) if self.distance is not None else 1

    def owned(self, view: S, seat: Seat) -> Collection[str]:
        """The things of a seat; none, where the game does not tell them."""
        return self.own(view, seat) if self.own is not None else ()

    def seen(self, view: S, seat: Seat) -> Mapping[str, Mapping[str, tuple[str, ...]]]:
        """What a seat may call things by what it sees; nothing, where the game does not tell."""
        return self.called(view, seat) if self.called is not None else {}

    def dead(self, state: S) -> Sequence[Seat]:
        """The seats that are out; none, where the game knows no elimination."""
        return self.eliminated(state) if self.eliminated is not None else ()

    @property
    def caretaker(self) -> Robot[S] | None:
        """Who plays for a player that stays silent, where the game has such a robot."""
        return self.robots.get("caretaker")
