"""What can happen, as typed records; the words are the catalogue's. Here: the calendar, the cards, the score."""

from __future__ import annotations

from typing import Any

from pbem.games.nce import events_field, events_powers, events_views
from pbem.games.nce.events_views import Wanting
from pbem.kernel.event import Event
from pbem.kernel.problem import Params


class GameBegins(Event, frozen=True):
    scenario: str
    year: int


class SetUpChanged(Event, frozen=True):
    """18: a piece stands elsewhere than the scenario has it."""

    piece: str
    to: str


class YearBegins(Event, frozen=True):
    year: int
    vp: int
    escalation: int


class RoundBegins(Event, frozen=True):
    year: int
    round: int
    weather: str


class CardsDrawn(Event, frozen=True):
    """To their owner alone."""

    cards: tuple[str, ...]


class HandGrew(Event, frozen=True):
    side: str
    count: int
    hand: int


class PileShuffled(Event, frozen=True):
    side: str
    count: int


class ChatimentsBegin(Event, frozen=True):
    escalation: int


class CardPlayed(Event, frozen=True):
    side: str
    card: str
    points: int


class EventPlayed(Event, frozen=True):
    side: str
    card: str
    option: str = ""


class CardSpent(Event, frozen=True):
    """For an interception, a diplomatic action, a reaction."""

    side: str
    card: str
    use: str


class CardRemoved(Event, frozen=True):
    side: str
    card: str


class CardReturned(Event, frozen=True):
    """14F: a card of the hand goes back into its draw pile; its points serve the other side."""

    side: str
    card: str
    points: int


class CardFetched(Event, frozen=True):
    """37F, 38F, 39F, 49F: a named card is taken in hand from the draw pile or the played cards."""

    side: str
    card: str


class CardsDiscarded(Event, frozen=True):
    side: str
    cards: tuple[str, ...]


class Passed(Event, frozen=True):
    side: str


class PointsKept(Event, frozen=True):
    side: str
    points: int
    reserve: int


class OrderFailed(Event, frozen=True):
    """To its player: an order of his plan could not be carried out any more, and why, as a problem says it."""

    number: int
    code: str
    order: dict[str, Any] = {}
    """The order as data; empty in the records of older games, which do not say why."""
    params: Params = {}


class Scored(Event, frozen=True):
    why: str
    vp: int
    escalation: int
    about: str = ""
    total_vp: int = 0
    total_escalation: int = 0


class EffectBegins(Event, frozen=True):
    name: str
    about: str = ""


class GameEnds(Event, frozen=True):
    winner: str
    vp: int | None
    """None where the scenario counts no points."""
    why: str
    wanting: tuple[Wanting, ...] = ()


EVENTS: tuple[type[Event], ...] = tuple(
    kind
    for names in (globals(), vars(events_field), vars(events_powers), vars(events_views))
    for kind in list(names.values())
    if isinstance(kind, type) and issubclass(kind, Event) and kind is not Event
)
