"""Live tables: games in play, held in memory so that a letter costs no replay.

A live table is only as good as the store says: before it is used, its place in the answers and in the log is
compared with the game's locked row, and it is taken up anew from the last checkpoint where they differ.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from typing import Any, Union

import msgspec

from pbem import games
from pbem.campaign.deadlines.calendar import Absence, Calendar
from pbem.campaign.house_rules import Customs
from pbem.campaign.intake import tokens
from pbem.campaign.outgoing.couriers import Ride, Riding
from pbem.campaign.table.corrections import Correction
from pbem.dice.beacon.rounds import QUICKNET, Network, Source
from pbem.dice.draw.croupier import Croupier
from pbem.dice.draw.seeds import seeds_of
from pbem.dice.log.entries import Entry
from pbem.kernel.agreement import Agreement
from pbem.kernel.chance import Chance, Recorded
from pbem.kernel.event import Told
from pbem.kernel.game import Game
from pbem.kernel.order import Order, from_data
from pbem.kernel.question import Question
from pbem.kernel.rules import Rules
from pbem.store.journal import Journal
from pbem.store.records import Loaded, Position, Roots
from pbem.store.store import Store
from pbem.store.tables import EventRow, SeatRow

MOST_LIVE = 1000


class Due(msgspec.Struct, omit_defaults=True):
    """Until when an open question is to be answered, and what has been said about it."""

    seat: str
    at: datetime
    reminded: int = 0
    """How many of the reminders are out, or not needed any more."""
    noticed: bool = False


class Record(msgspec.Struct, omit_defaults=True):
    """How a seat has kept its deadlines."""

    on_time: int = 0
    late: int = 0
    missed: int = 0
    silent: int = 0
    """Silences in a row."""


class Draft(msgspec.Struct, frozen=True):
    """Orders of a seat that waits: not final before its READY or the deadline."""

    key: str
    answer: list[dict[str, Any]]
    letter: str
    """The digest of the letter that brought them."""
    letter_id: int


class Suspended(msgspec.Struct, frozen=True, omit_defaults=True):
    """An answer that is frozen in a close, and played once the round of its dice is there."""

    key: str
    seat: str
    answer: list[dict[str, Any]]
    origin: str
    by: str = ""


class Awaited(msgspec.Struct, frozen=True, omit_defaults=True):
    """A closed draw step that waits for a round of the public beacon."""

    round: int
    at: datetime
    close: dict[str, Any]
    givens: list[Suspended] = []
    letter_id: int = 0
    start: bool = False
    """Whether these are the game's first draws."""


class Letterbox(msgspec.Struct, frozen=True):
    """A message between players on its way; without a sender it is anonymous."""

    sender: str
    to: list[str]
    text: str
    proposal: int = 0
    """The number of the agreement that it proposes."""


class Proposal(msgspec.Struct, omit_defaults=True):
    """A correction of the position that can still be objected to."""

    n: int
    by: str
    path: str
    value: Any
    reason: str
    until: datetime
    objected: list[str] = []


class Proposed(msgspec.Struct, omit_defaults=True):
    """An agreement that somebody has proposed, and who has its text."""

    agreement: Agreement
    by: str
    round: int
    """How often the game had concluded its agreements by then."""
    known: list[str]
    anonymous: bool = False


class Motion(msgspec.Struct, omit_defaults=True):
    """What the players vote on."""

    topic: str
    about: str
    by: str
    until: datetime
    yes: list[str] = []
    no: list[str] = []


class Candidate(msgspec.Struct, frozen=True):
    """Somebody who has joined a game that has not begun."""

    address: str
    name: str
    lang: str
    wishes: list[str] = []
    bids: dict[str, int] = {}
    """Victory points for seats, where they go by auction; sealed until all are opened."""


class Signup(msgspec.Struct, omit_defaults=True):
    """A game that looks for players: who may join, who has, who got which seat, who has confirmed."""

    invited: list[str] = []
    candidates: list[Candidate] = []
    masters: list[dict[str, str]] = []
    sighted: bool = False
    muster_hours: int = 72
    muster_until: datetime | None = None
    assigned: dict[str, str] = {}
    confirmed: list[str] = []
    generation: int = 0
    words: dict[str, str] = {}
    """What each seat has said for the dice, before anything is drawn."""
    begins: bool = False
    """Whether the game begins at the end of the muster even without everybody: its players are known."""


THREAD = "thread"
"""The seat of a game's public thread on a board: an observer whom everybody can read."""
PLAYER, MASTER_ROLE, OBSERVER = "", "master", "observer"
SUBSTITUTE_ACTS, CARETAKER_ACTS = "substitute", "caretaker"


class PostRead(msgspec.Struct, frozen=True):
    """A post whose orders have been taken."""

    board: str
    private: bool
    message_id: str
    receipt: int
    """The number of the log entry that seals it."""


class Readings(msgspec.Struct, frozen=True):
    """Ways to read a letter that were shown to its writer, to choose from by number or by «yes»."""

    key: str
    """Of the question."""
    first: int
    """The number of the first."""
    ways: list[list[dict[str, Any]]]


class Shown(msgspec.Struct, frozen=True, omit_defaults=True):
    """The last entry of the log of which everyone knows: its number, and the line that names it."""

    n: int = 0
    head: str = ""


class SealedText(msgspec.Struct, frozen=True):
    """What a leaf of the log sealed that is no answer: standing orders, a correction. It is opened at the end."""

    n: int
    """The entry of the log."""
    author: str
    text: str


class Affairs(msgspec.Struct, omit_defaults=True):
    """What a campaign keeps in its game's row besides the position."""

    steps: int = 0
    """How many draw steps the genesis committed to."""
    pending: list[str] = []
    """Leaves of sealed orders that no close has frozen yet."""
    edition: int = 1
    """Of the log: from the second on it shows where every answer came from."""
    sealed: list[SealedText] = []
    noted: dict[str, datetime] = {}
    """By seat, the deadline that the log has."""
    seen: dict[str, dict[str, str]] = {}
    """By seat, the lines of the position in its last letter that showed it, and since when each stands so."""
    reported: dict[str, int] = {}
    """Up to which event each seat has been told."""
    proofs: dict[str, list[tuple[str, int, int]]] = {}
    """Cards whose proofs each seat has still to be sent: label, step and position."""
    shown: Shown = Shown()
    """How far letters name the log."""
    spared: dict[str, int] = {}
    """Round trips that standing orders have saved each seat; it is told its own."""
    resigned: str = ""
    """Who has ended the game by giving it up, and who had before: seats with a space between them."""
    source: dict[str, Any] | None = None
    """The public beacon that the dice hang on; None in chain mode."""
    awaited: Awaited | None = None
    calendar: Calendar | None = None
    """Without one, nothing is ever due."""
    dues: dict[str, Due] = {}
    """By the key of the question."""
    last_deadline: datetime | None = None
    last_advance: datetime | None = None
    """When the game last went on without a player."""
    records: dict[str, Record] = {}
    absences: dict[str, list[Absence]] = {}
    waiting: list[str] = []
    """Seats whose orders are not final before their READY or the deadline."""
    drafts: dict[str, list[Draft]] = {}
    readings: dict[str, Readings] = {}
    """Of seats whose letter could be read in several ways, or in one that was not certain."""
    paused: str = ""
    """Why the game stands still; empty when it does not."""
    paused_at: datetime | None = None
    customs: Customs = Customs()
    """What holds in this game besides its rules."""
    letterbox: list[Letterbox] = []
    """Messages that wait for the results."""
    rides: list[Ride] = []
    """All couriers so far; the n-th has the n-th die."""
    road: list[Riding] = []
    """Those on their way."""
    signup: Signup | None = None
    """Only of a game that has not begun."""
    public: bool = False
    """Whether anyone may join."""
    invited: list[str] = []
    """Who may join a game that is not public, also when a seat becomes vacant later."""
    corrections: list[Correction] = []
    """What a game master has changed in the position."""
    proposals: list[Proposal] = []
    """Corrections that have not taken effect yet."""
    proposed: int = 0
    """How many there have been."""
    motion: Motion | None = None
    agreed: str = ""
    """How the players have agreed to end the game: as a draw, or with the victory of a seat."""
    posts_read: dict[str, PostRead] = {}
    """The last post of each seat whose orders were taken, where it was a post."""
    posts_changed: list[int] = []
    """The log entries that tell of posts changed after they had been read."""
    thread_moment: str = ""
    """Of which turn the public thread has last been told."""
    prices: dict[str, str] = {}
    """What seats have cost at an auction: further options of the set-up."""
    proposed_agreements: list[Proposed] = []
    """Those that can still be signed."""
    agreements_numbered: int = 0
    bulletins: list[int] = []
    """How many events had happened at the last two bulletins: a newcomer is told all since the first of them."""
    wanted: list[str] = []
    """Seats for which a replacement is looked for."""


class Person(msgspec.Struct, omit_defaults=True):
    """What a seat's row keeps besides its columns."""

    generation: int = 0
    """How often the token has been renewed."""
    role: str = PLAYER
    blind: bool = True
    """A blind game master sees what everyone may see."""
    second: str = ""
    """Another address of the same player."""
    substitute: str = ""
    """The address of whoever plays when the player is silent."""
    acting: str = ""
    """Who plays in the player's place just now: the substitute, or the caretaker."""
    zone: str = ""
    """Whose time its letters show; the game's, if empty."""
    calendar: bool = False
    """Whether deadlines go along as entries for a calendar."""
    brief: bool | None = None
    """Whether what has not changed is left out of letters; as the game does, if nothing was said."""
    strict: bool = False
    """Whether the player wants to be asked about orders in his own words."""
    vacant: bool = False
    """Whether nobody sits there any more: the caretaker plays at once, whatever the calendar says."""
    unreachable: datetime | None = None
    """Since when letters come back; the clock of the seat stands still."""


@dataclass
class Live:
    """A game in play, with what it takes to go on."""

    id: str
    scenario: str
    rules: Rules[Any]
    game: Game[Any]
    croupier: Croupier
    roots: Roots
    seats: dict[str, SeatRow]
    standing: dict[str, list[Order]]
    last_entry: Entry
    affairs: Affairs
    status: str
    staff: dict[str, SeatRow] = field(default_factory=dict)
    """Game masters and observers."""

    @property
    def people(self) -> dict[str, SeatRow]:
        """Everyone who gets letters about the game."""
        return self.seats | self.staff

    def person(self, seat: str) -> Person:
        """What is known of whoever sits there."""
        return self.people[seat].read(Person)

    def change_person(self, seat: str, person: Person) -> SeatRow:
        """The seat's row with that person in it."""
        row = self.people[seat]
        row.data = msgspec.json.encode(person).decode()
        return row

    def addresses(self, seat: str) -> list[str]:
        """Every address of whoever sits there: the first, the second, the substitute's."""
        person = self.person(seat)
        return [one for one in (self.people[seat].address, person.second, person.substitute) if one]

    def zone(self, seat: str) -> str:
        """The time zone in which whoever sits there reads times."""
        own = self.person(seat).zone if seat in self.people else ""
        return own or (self.affairs.calendar or Calendar()).zone

    def record(self, seat: str) -> Record:
        """How the seat has kept its deadlines, to be changed."""
        return self.affairs.records.setdefault(seat, Record())

    def token(self, seat: str) -> tokens.Token:
        """The present token of a seat."""
        return tokens.make(self.roots.root, self.id, seat, self.person(seat).generation)

    def knows(self, token: tokens.Token) -> bool:
        """Whether a token is the present one of its seat."""
        row = self.people.get(token.seat)
        generation = row.read(Person).generation if row else 0
        return tokens.valid(token, self.roots.root, generation) and row is not None

    def stands_at(self, position: Position) -> bool:
        """Whether nobody else has gone on with the game since."""
        return (self.game.answers, self.last_entry.hash) == (
            position.answers,
            position.log_hash,
        ) and msgspec.json.encode(self.affairs).decode() == position.data

    def open_to(self, seat: str) -> list[Question[Any]]:
        """The open questions of a seat, without those whose answers are closed and wait for their dice."""
        awaited = self.affairs.awaited
        closed = {one.key for one in awaited.givens} if awaited is not None else set()
        return [question for question in self.game.open_to(seat) if question.key not in closed]

    @property
    def over(self) -> bool:
        """Whether nothing can be ordered any more."""
        return self.game.over or bool(self.affairs.resigned or self.affairs.agreed)


def source_of(affairs: Affairs, networks: Sequence[Network]) -> Source | None:
    """The public beacon of a game. Raises LookupError where its network is not known here."""
    if affairs.source is None:
        return None
    chain = affairs.source["beacon"]["chain"]
    network = next((one for one in networks if one.chain == chain), None)
    if network is None:
        raise LookupError(f"the beacon {chain} is not known here")
    return Source(network, int(affairs.source["delay"]))


def take_up(loaded: Loaded, roots: Roots, networks: Sequence[Network] = (QUICKNET,)) -> Live:
    """A live table from what the store has."""
    row = loaded.game
    rules = games.load(row.rules)
    affairs = row.read(Affairs)
    seeds = seeds_of(row.id, roots.root, roots.zroot, affairs.steps)
    salts = {seat.seat: seat.salt for seat in loaded.seats.values() if seat.salt}
    croupier = Croupier(
        seeds,
        last_step=row.steps,
        recorded=loaded.recorded,
        kept=loaded.kept,
        salts=salts,
        source=source_of(affairs, networks),
        pending=affairs.awaited.close if affairs.awaited else None,
    )
    assert loaded.last_entry is not None
    seats = rules.scenarios[row.scenario].seats
    return Live(
        id=row.id,
        scenario=row.scenario,
        rules=rules,
        game=position(loaded, croupier, begun=affairs.awaited is None or not affairs.awaited.start),
        croupier=croupier,
        roots=roots,
        seats={seat: sits for seat, sits in loaded.seats.items() if seat in seats},
        staff={seat: sits for seat, sits in loaded.seats.items() if seat not in seats and sits.address},
        standing={
            seat: [from_data(msgspec.json.decode(order.data), rules.orders) for order in orders]
            for seat, orders in loaded.standing.items()
        },
        last_entry=loaded.last_entry,
        affairs=affairs,
        status=row.status,
    )


def position(loaded: Loaded, chance: Chance | None = None, *, begun: bool = True) -> Game[Any]:
    """The game as it stood after the loaded answers; what it said then is old news."""
    rules = games.load(loaded.game.rules)
    checkpoint = loaded.checkpoint
    if checkpoint is None:
        raise LookupError(f"{loaded.game.id} has no checkpoint")
    if not begun:
        return Game.unbegun(rules, checkpoint, chance or OnRecord(loaded))
    givens = [answer.given(rules.orders) for answer in loaded.answers]
    game = Game.resume(rules, checkpoint, givens, chance or OnRecord(loaded))
    game.take_told()
    game.take_checkpoints()
    return game


class OnRecord(Recorded):
    """The draws of a loaded game, looked up as they are asked for."""

    def __init__(self, loaded: Loaded) -> None:
        super().__init__()
        self.draws = loaded.recorded  # type: ignore[assignment]  # a mapping that looks up is enough


class Tables:
    """The live tables of a store."""

    def __init__(
        self, store: Store, most: int = MOST_LIVE, networks: Sequence[Network] = (QUICKNET,)
    ) -> None:
        self._store = store
        self.networks = networks
        self._most = most
        self._live: OrderedDict[str, Live] = OrderedDict()

    def table(self, game_id: str, journal: Journal) -> Live:
        """The live table of the journal's game, as the store has it."""
        live = self._live.get(game_id)
        here = journal.position
        if live is None or not live.stands_at(here):
            live = take_up(journal.load(), self._store.secret(game_id), self.networks)
            self._live[game_id] = live
            while len(self._live) > self._most:
                self._live.popitem(last=False)
        self._live.move_to_end(game_id)
        return live

    def at(self, game_id: str, answers: int) -> Live | None:
        """The live table, if it stands just there."""
        live = self._live.get(game_id)
        return live if live is not None and live.game.answers == answers else None

    def get(self, game_id: str) -> Live | None:
        """The table, if it is in memory, wherever it stands."""
        return self._live.get(game_id)

    def at_hand(self, game_id: str) -> Live:
        """A table that is in memory. Raises KeyError."""
        return self._live[game_id]

    def put(self, live: Live) -> None:
        """A new table."""
        self._live[live.id] = live

    def drop(self, game_id: str | None) -> None:
        """Forget a table: what it did was not written down."""
        if game_id is not None:
            self._live.pop(game_id, None)


@cache
def event_decoder(name: str) -> msgspec.json.Decoder[Any]:
    """The decoder of a game's events."""
    return msgspec.json.Decoder(Union[games.load(name).events])  # noqa: UP007  made at run time


def told(rows: list[EventRow], name: str) -> list[Told]:
    """Stored events as they were told."""
    decoder = event_decoder(name)
    return [row.told(decoder) for row in rows]
