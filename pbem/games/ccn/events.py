"""What can happen, and how things stand. Units are told by type and hex; faces are the faces of the dice."""

from __future__ import annotations

import msgspec

from pbem.kernel.event import Event


class TurnBegan(Event, frozen=True):
    """3.0: a player's turn begins."""

    turn: int
    seat: str


class CardPlayed(Event, frozen=True):
    """3.1: a command card; `as_card` is what a COUNTER-ATTACK copies."""

    seat: str
    card: str
    as_card: str = ""
    section: str = ""
    command: int = 0


class NothingOrdered(Event, frozen=True):
    """3.3: the turn passes."""

    seat: str


class CommandRolled(Event, frozen=True):
    """4.6: the dice of ELAN or RALLY."""

    seat: str
    card: str
    faces: tuple[str, ...]


class DiceAssigned(Event, frozen=True):
    """10.3.5: whom the dice have ordered."""

    seat: str
    hexes: tuple[str, ...]


class Rallied(Event, frozen=True):
    """10.3.12: a unit regains blocks."""

    seat: str
    unit: str
    hex: str
    gained: int
    blocks: int


class Moved(Event, frozen=True):
    """5: a unit moves."""

    seat: str
    unit: str
    hex: str
    path: tuple[str, ...]
    leader: str = ""


class LeaderMoved(Event, frozen=True):
    """5.9: a leader rides by himself; `joins` is the type of unit he comes to."""

    seat: str
    leader: str
    hex: str
    path: tuple[str, ...]
    joins: str = ""


class LeftSquare(Event, frozen=True):
    """8.2.9: a unit leaves its square, the card goes back to the hand."""

    seat: str
    unit: str
    hex: str


class SentBack(Event, frozen=True):
    """10.3.13: SHORT SUPPLY."""

    seat: str
    unit: str
    hex: str
    to: str


class Skipped(msgspec.Struct, frozen=True):
    """A line of a letter that was not carried out: whose, against whom, and why."""

    hex: str
    reason: str
    target: str = ""


class OrdersSkipped(Event, frozen=True):
    """13: the steps of the plan that were not possible when their turn came."""

    seat: str
    lines: tuple[Skipped, ...]


class Attack(msgspec.Struct, frozen=True):
    """Who joins a roll: type and hex, with its dice."""

    unit: str
    hex: str
    dice: int


class Fired(Event, frozen=True):
    """6.2: ranged fire."""

    seat: str
    unit: str
    hex: str
    target: str
    target_hex: str
    distance: int
    dice: int
    faces: tuple[str, ...]
    hits: int
    flags: int


class MeleeFought(Event, frozen=True):
    """6.5: one roll of a melee; `role` says which: attack, back, strike, square or retire."""

    seat: str
    role: str
    unit: str
    hex: str
    target: str
    target_hex: str
    dice: int
    faces: tuple[str, ...]
    hits: int
    flags: int
    guns: tuple[Attack, ...] = ()
    bonus: bool = False


class FirstStrikePlayed(Event, frozen=True):
    """8.5: FIRST STRIKE."""

    seat: str
    unit: str
    hex: str


class SquareFormed(Event, frozen=True):
    """8.2.3: a unit forms square; a card at random goes to its track."""

    seat: str
    unit: str
    hex: str
    number: int
    hand: int


class SquareCard(Event, frozen=True):
    """1.10: which card lies on one's own square track."""

    seat: str
    number: int
    card: str


class Lost(Event, frozen=True):
    """A unit loses blocks; `blocks` are left."""

    seat: str
    unit: str
    hex: str
    lost: int
    blocks: int
    blocked: bool = False


class Destroyed(Event, frozen=True):
    """2.8: a unit is eliminated; `winner` gains a banner."""

    seat: str
    unit: str
    hex: str
    winner: str
    banners: int


class LeaderChecked(Event, frozen=True):
    """6.9: a leader casualty check."""

    seat: str
    leader: str
    hex: str
    faces: tuple[str, ...]
    killed: bool


class LeaderKilled(Event, frozen=True):
    """6.9.1: a leader is eliminated; `winner` gains a banner."""

    seat: str
    leader: str
    hex: str
    winner: str
    banners: int


class LeaderEscape(Event, frozen=True):
    """7.8: a leader rides through an enemy unit."""

    seat: str
    leader: str
    hex: str
    unit: str
    faces: tuple[str, ...]
    killed: bool


class LeaderRode(Event, frozen=True):
    """7.7: a leader retreats; the last place is `off` where he leaves the board."""

    seat: str
    leader: str
    hex: str
    path: tuple[str, ...]
    joins: str = ""


class FlagsIgnored(Event, frozen=True):
    """7.6: flags ignored."""

    seat: str
    unit: str
    hex: str
    flags: int


class Retreated(Event, frozen=True):
    """7.5: a unit retreats."""

    seat: str
    unit: str
    hex: str
    path: tuple[str, ...]
    rallied: str = ""


class Retired(Event, frozen=True):
    """8.1: cavalry retires and reforms."""

    seat: str
    unit: str
    hex: str
    path: tuple[str, ...]


class GroundTaken(Event, frozen=True):
    """7.1, 7.2: a unit enters the vacated hex, and cavalry perhaps one more."""

    seat: str
    unit: str
    hex: str
    path: tuple[str, ...]


class ObjectiveTaken(Event, frozen=True):
    """2.8: banners for ground."""

    seat: str
    hexes: tuple[str, ...]
    banners: int


class ObjectiveLost(Event, frozen=True):
    """2.8: ground is no longer held, its banners are gone."""

    seat: str
    hexes: tuple[str, ...]
    banners: int


class PileShuffled(Event, frozen=True):
    """9.3: a new draw pile."""

    cards: int


class CardsDrawn(Event, frozen=True):
    """9.1: the other side draws."""

    seat: str
    number: int
    hand: int


class CardDrawn(Event, frozen=True):
    """9.1: what one has drawn oneself."""

    seat: str
    cards: tuple[str, ...]
    hand: int


class CardKept(Event, frozen=True):
    """9.2: the card that one keeps after a Scout draw."""

    seat: str
    card: str


class CardDiscarded(Event, frozen=True):
    """9.2: the other card of a Scout draw, face up (R04)."""

    seat: str
    card: str


class BattleWon(Event, frozen=True):
    """2.9: the battle is over."""

    seat: str
    banners: int
    enemy_banners: int


class Score(Event, frozen=True):
    """How things stand for a side."""

    seat: str
    banners: int
    goal: int
    hand: int
    units: int
    squares: int
    leaders: int


class Post(msgspec.Struct, frozen=True):
    """A hex with a unit and its blocks, a leader, or both."""

    hex: str
    unit: str = ""
    blocks: int = 0
    leader: str = ""
    square: bool = False


class Ranks(Event, frozen=True):
    """1.3: who of a side stands in a section of the reader's; two sections share the hexes between them."""

    seat: str
    sections: tuple[str, ...]
    posts: tuple[Post, ...]


class Stretch(msgspec.Struct, frozen=True):
    """Hexes of one terrain."""

    terrain: str
    hexes: tuple[str, ...]


class Works(msgspec.Struct, frozen=True):
    """Fieldworks in a hex and where they face."""

    hex: str
    toward: tuple[str, ...]


class GroundLies(Event, frozen=True):
    """11: the terrain."""

    stretches: tuple[Stretch, ...]
    works: tuple[Works, ...] = ()


class GroundCounts(Event, frozen=True):
    """2.8: ground that brings a side banners; no side where it is anybody's."""

    seat: str
    hexes: tuple[str, ...]
    banners: int
    leaving: bool = False


class CardHeld(Event, frozen=True):
    """10: a card of one's hand: how many, what a COUNTER-ATTACK would be, whom it could order."""

    seat: str
    card: str
    copies: int = 1
    as_card: str = ""
    listed: bool = False
    hexes: tuple[str, ...] = ()
    free: bool = False
    """4.8: it finds nobody of its kind and orders one unit of choice."""


class TrackHeld(Event, frozen=True):
    """8.2.3: the cards on one's own square track."""

    seat: str
    cards: tuple[str, ...]


class LastCards(Event, frozen=True):
    """The card each side played last."""

    seat: str
    card: str


class Share(msgspec.Struct, frozen=True):
    """How likely a number is, in hundredths of a percent."""

    number: int
    chance: int


class Odds(Event, frozen=True):
    """13: a combat as CHECK sees it: whether it is possible, dice, and the exact chances."""

    kind_of: str
    seat: str
    unit: str
    hex: str
    target: str
    target_hex: str
    distance: int
    sight: bool
    problem: str = ""
    dice: int = 0
    hits: tuple[Share, ...] = ()
    flags: tuple[Share, ...] = ()
    expected: int = 0
    """Hits to expect, in hundredths."""
    destroyed: int = 0
    driven_off: int = 0
    back_dice: tuple[Share, ...] = ()
    """Battle back: how likely each number of dice is; number 0 means that none follows."""
    back_hits: tuple[Share, ...] = ()
    back_flags: tuple[Share, ...] = ()
    answers: tuple[str, ...] = ()
    """What else the defender might answer, as far as the asker can know."""


EVENTS: tuple[type[Event], ...] = (
    TurnBegan,
    CardPlayed,
    NothingOrdered,
    CommandRolled,
    DiceAssigned,
    Rallied,
    Moved,
    LeaderMoved,
    LeftSquare,
    SentBack,
    OrdersSkipped,
    Fired,
    MeleeFought,
    FirstStrikePlayed,
    SquareFormed,
    SquareCard,
    Lost,
    Destroyed,
    LeaderChecked,
    LeaderKilled,
    LeaderEscape,
    LeaderRode,
    FlagsIgnored,
    Retreated,
    Retired,
    GroundTaken,
    ObjectiveTaken,
    ObjectiveLost,
    PileShuffled,
    CardsDrawn,
    CardDrawn,
    CardKept,
    CardDiscarded,
    BattleWon,
    Score,
    LastCards,
    GroundCounts,
    Ranks,
    GroundLies,
    CardHeld,
    TrackHeld,
    Odds,
)
