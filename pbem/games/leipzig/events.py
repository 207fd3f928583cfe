"""What can happen, as typed records; the words are the catalogue's."""

from __future__ import annotations

import msgspec

from pbem.kernel.event import Event


class GameBegins(Event, frozen=True):
    game: int
    napoleon: str
    """The seat that plays Napoléon in this game."""


class DistrictsDrawn(Event, frozen=True):
    districts: tuple[str, ...]


class MissionsDealt(Event, frozen=True):
    missions: tuple[str, ...]
    pairs: tuple[tuple[str, ...], ...]


class HandDealt(Event, frozen=True):
    side: str
    cards: tuple[str, ...]


class RowDealt(Event, frozen=True):
    cards: tuple[str, ...]


class MissionsKept(Event, frozen=True):
    missions: tuple[str, ...]


class TurnBegins(Event, frozen=True):
    turn: int
    side: str


class ArmyPlayed(Event, frozen=True):
    side: str
    army: str
    villages: tuple[str, ...]
    skipped: tuple[str, ...] = ()
    """Villages that hold an army tile."""
    scouts: int = 0


class MarkerRemoved(Event, frozen=True):
    side: str
    army: str
    zone: str
    card: str
    bluff: bool = False


class MarkerMoved(Event, frozen=True):
    side: str
    army: str
    start: str
    to: str
    card: str
    bluff: bool = False


class MarkerJumped(Event, frozen=True):
    side: str
    army: str
    start: str
    over: str
    to: str
    cards: tuple[str, ...]


class TilePlaced(Event, frozen=True):
    side: str
    army: str
    zone: str
    strength: int
    swept: tuple[str, ...] = ()
    """Armies that lost a marker in the zone."""
    own: bool = True
    """Whether it was placed in its own side's turn."""
    scout: bool = False


class ArmChosen(Event, frozen=True):
    army: str
    arm: str


class TerrainCounts(Event, frozen=True):
    army: str
    zone: str
    terrain: str
    arm: str
    value: int


class ArmyEliminated(Event, frozen=True):
    side: str
    army: str
    zone: str


class TimePlayed(Event, frozen=True):
    side: str


class Waited(Event, frozen=True):
    side: str


class DateReached(Event, frozen=True):
    date: str


class MissionRevealed(Event, frozen=True):
    mission: str
    zone: str
    french_points: int
    allied_points: int


class CardDrawnHidden(Event, frozen=True):
    side: str
    count: int


class CardDrawn(Event, frozen=True):
    side: str
    cards: tuple[str, ...]


class RowCardTaken(Event, frozen=True):
    side: str
    card: str
    number: int


class CardsDiscarded(Event, frozen=True):
    side: str
    cards: tuple[str, ...]


class RowRefilled(Event, frozen=True):
    cards: tuple[str, ...]


class RowRefreshed(Event, frozen=True):
    cards: tuple[str, ...]


class PileShuffled(Event, frozen=True):
    count: int


class OrderFailed(Event, frozen=True):
    side: str
    number: int
    """Which order of the letter, counted from 1."""
    code: str
    """The code of the problem."""


class ActionsLost(Event, frozen=True):
    side: str
    count: int


class TurnEnds(Event, frozen=True):
    side: str
    date: str
    """The last date reached."""
    next: str
    steps: int
    """Steps to the next date; 0 after the last."""


class BattleBegins(Event, frozen=True):
    date: str


class NoContact(Event, frozen=True):
    date: str


class DamageTaken(Event, frozen=True):
    side: str
    army: str
    zone: str
    before: int
    after: int
    by: tuple[str, ...]


class TileLost(Event, frozen=True):
    side: str
    army: str
    zone: str


class Share(msgspec.Struct, frozen=True):
    """6.1, 6.2: what an army brings to a mission."""

    army: str
    value: int
    role: str


class MissionScored(Event, frozen=True):
    mission: str
    zone: str
    holder: str
    """The French army on the zone; empty where there is none."""
    french: int
    allied: int
    french_shares: tuple[Share, ...]
    allied_shares: tuple[Share, ...]
    winner: str
    points: int


class GameScored(Event, frozen=True):
    french: int
    allied: int
    french_missions: int
    allied_missions: int
    french_tiles: int
    allied_tiles: int


class GameWon(Event, frozen=True):
    side: str
    seat: str


class SidesExchanged(Event, frozen=True):
    napoleon: str
    target: int


class MatchDecided(Event, frozen=True):
    winner: str
    """The seat that won; empty where nobody did."""
    first: int
    second: int


class Tile(msgspec.Struct, frozen=True):
    """A placed army: its zone, its strength, and whether it touches an enemy."""

    army: str
    zone: str
    strength: int
    contact: bool = False


class Track(msgspec.Struct, frozen=True):
    """An army on the march: the zones of its markers, and its strength."""

    army: str
    zones: tuple[str, ...]
    strength: int


class StandsClock(Event, frozen=True):
    turn: int
    side: str
    left: int
    date: str
    next: str
    steps: int
    over: bool


class StandsScore(Event, frozen=True):
    french: int
    allied: int


class StandsArmies(Event, frozen=True):
    side: str
    placed: tuple[str, ...]
    marching: tuple[str, ...]
    waiting: tuple[str, ...]
    lost: tuple[str, ...]


class StandsPlaced(Event, frozen=True):
    """Where a side's tiles stand, and how strong each is."""

    side: str
    armies: tuple[Tile, ...]


class StandsMarching(Event, frozen=True):
    """Where the markers of a side's armies are that nobody has seen placed."""

    side: str
    armies: tuple[Track, ...]


class StandsMissions(Event, frozen=True):
    revealed: tuple[str, ...]
    hidden: int
    mine: tuple[str, ...]


class StandsHand(Event, frozen=True):
    side: str
    cards: tuple[str, ...]
    scouts: int


class StandsEnemyHand(Event, frozen=True):
    side: str
    cards: int
    scouts: int


class StandsRow(Event, frozen=True):
    cards: tuple[str, ...]
    pile: int
    supply: int


STATUS: tuple[type[Event], ...] = (
    StandsClock,
    StandsScore,
    StandsArmies,
    StandsPlaced,
    StandsMarching,
    StandsMissions,
    StandsHand,
    StandsEnemyHand,
    StandsRow,
)
EVENTS: tuple[type[Event], ...] = (
    GameBegins,
    DistrictsDrawn,
    MissionsDealt,
    HandDealt,
    RowDealt,
    MissionsKept,
    TurnBegins,
    ArmyPlayed,
    MarkerRemoved,
    MarkerMoved,
    MarkerJumped,
    TilePlaced,
    ArmChosen,
    TerrainCounts,
    ArmyEliminated,
    TimePlayed,
    Waited,
    DateReached,
    MissionRevealed,
    CardDrawnHidden,
    CardDrawn,
    RowCardTaken,
    CardsDiscarded,
    RowRefilled,
    RowRefreshed,
    PileShuffled,
    OrderFailed,
    ActionsLost,
    TurnEnds,
    BattleBegins,
    NoContact,
    DamageTaken,
    TileLost,
    MissionScored,
    GameScored,
    GameWon,
    SidesExchanged,
    MatchDecided,
    *STATUS,
)
