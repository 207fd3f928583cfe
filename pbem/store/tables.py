"""The tables. `data` columns hold JSON text; a row's `read` turns it into a typed record.

Seeds live in a table of their own, so that no listing or export of games can take them along by accident.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, ClassVar, Literal, TypeVar

import msgspec
from sqlalchemy import BigInteger, Index, LargeBinary, MetaData, Text, UniqueConstraint, text, true
from sqlmodel import Field, SQLModel

from pbem.dice.draw.croupier import Drawn
from pbem.kernel.event import Told
from pbem.kernel.game import Given
from pbem.kernel.order import Order, answer_from_data

T = TypeVar("T")

GameStatus = Literal["open", "running", "paused", "over"]
LetterStatus = Literal["new", "done", "refused", "ignored"]

_CLUSTERED = {"sqlite_with_rowid": False}
"""SQLite keeps such a table in the order of its key: one page to write per row instead of two."""

GOING_ON = text("status <> 'over'")
OPEN_DISPATCH = text("status IN ('waiting', 'deferred')")
ASIDE = text("status = 'refused' AND note IN ('fault', 'poison')")
"""What partial indexes hold; a query is served by one only if it says the same, letter for letter."""

LIVE, KEPT, UNDONE = "live", "kept", "undone"
"""What became of a draw: it counts; a rollback undid it but keeps it for its label; undone for good."""


class Base(SQLModel):
    """What the tables have in common."""

    metadata: ClassVar[MetaData] = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s",
            "pk": "pk_%(table_name)s",
        }
    )


class Data(Base):
    """A row with JSON in its `data`."""

    data: str = Field(default="{}", sa_type=Text)

    def read(self, type: type[T]) -> T:
        """The data as that type. Raises msgspec.ValidationError where it is something else."""
        return msgspec.json.decode(self.data, type=type)


class GameRow(Data, table=True):
    """A game: what it is, how far it is, and where its log stands."""

    __tablename__ = "game"
    __table_args__ = (
        Index(
            "ix_game_next_at",
            "next_at",
            sqlite_where=text("next_at IS NOT NULL"),
            postgresql_where=text("next_at IS NOT NULL"),
        ),
        Index("ix_game_going_on", "status", "created_at", sqlite_where=GOING_ON, postgresql_where=GOING_ON),
    )

    id: str = Field(primary_key=True)
    rules: str
    scenario: str
    options: str = Field(default="{}", sa_type=Text)
    mode: str = "chain"
    status: str = "open"
    lang: str = "en"
    created_at: datetime
    steps: int = 0
    """The last dice step used; a rollback never takes one back."""
    answers: int = 0
    events: int = 0
    log_n: int = 0
    log_hash: str = ""
    next_at: datetime | None = None
    """When something is to be done about the game, should nobody write: a reminder, a deadline."""

    def choices(self) -> dict[str, str]:
        """The options."""
        return msgspec.json.decode(self.options, type=dict[str, str])


class SecretRow(Base, table=True):
    """The seeds of a game."""

    __tablename__ = "secret"
    __table_args__ = _CLUSTERED

    game_id: str = Field(primary_key=True, foreign_key="game.id")
    root: bytes = Field(sa_type=LargeBinary, repr=False)
    zroot: bytes = Field(sa_type=LargeBinary, repr=False)


class SeatRow(Data, table=True):
    """A seat and who sits on it."""

    __tablename__ = "seat"
    __table_args__ = _CLUSTERED

    game_id: str = Field(default="", primary_key=True, foreign_key="game.id")
    """The journal puts in the game it is about."""
    seat: str = Field(primary_key=True)
    name: str = ""
    address: str = Field(default="", index=True)
    lang: str = "en"
    token_hash: str | None = Field(default=None, unique=True, repr=False)
    salt: str = ""


class LetterRow(Base, table=True):
    """A letter as it came in, byte for byte."""

    __tablename__ = "letter"
    __table_args__ = (
        UniqueConstraint("message_id", "digest"),
        Index("ix_letter_status_game_id", "status", "game_id"),
        Index(
            "ix_letter_unfiled",
            "source",
            sqlite_where=text("NOT filed"),
            postgresql_where=text("NOT filed"),
        ),
        Index("ix_letter_aside", "id", sqlite_where=ASIDE, postgresql_where=ASIDE),
    )

    id: int | None = Field(default=None, primary_key=True)
    source: str
    uidvalidity: int | None = Field(default=None, sa_type=BigInteger)
    uid: int | None = Field(default=None, sa_type=BigInteger)
    message_id: str
    digest: str
    received_at: datetime
    raw: bytes = Field(sa_type=LargeBinary, repr=False)
    status: str = "new"
    game_id: str | None = Field(default=None, foreign_key="game.id")
    seat: str | None = None
    note: str = Field(default="", sa_type=Text)
    tries: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    """How often a worker has begun to handle it; more than once, if one has died of it."""
    filed: bool = Field(default=True, sa_column_kwargs={"server_default": true()})
    """Whether the mailbox need not be told any more what became of it."""


class AttemptRow(Base, table=True):
    """The letter of a mailbox that is being read: how often that has been begun, should nobody ever get to its end."""

    __tablename__ = "attempt"
    __table_args__ = _CLUSTERED

    source: str = Field(primary_key=True)
    digest: str
    """Of its bytes: nothing of it has been understood yet."""
    tries: int = 1


class CursorRow(Base, table=True):
    """How far a mailbox has been read."""

    __tablename__ = "cursor"
    __table_args__ = _CLUSTERED

    source: str = Field(primary_key=True)
    uidvalidity: int = Field(sa_type=BigInteger)
    uid: int = Field(sa_type=BigInteger)
    mark: str = Field(default="", sa_type=Text, sa_column_kwargs={"server_default": ""})
    """Of a source without numbers: its own words for how far it has been read."""


class TopicRow(Base, table=True):
    """A topic on a board: an account's private one about a game, or the game's public thread."""

    __tablename__ = "topic"
    __table_args__ = (Index("ix_topic_game_id_account", "game_id", "account"), _CLUSTERED)

    board: str = Field(primary_key=True)
    topic: str = Field(primary_key=True)
    private: bool
    game_id: str = Field(foreign_key="game.id")
    account: str
    """Whose it is; «thread» of a public one."""
    first: str = ""
    """Our first post in it; of a thread it is the index."""


class PulseRow(Base, table=True):
    """When something that has to go on was last seen to go on: the taking in of letters."""

    __tablename__ = "pulse"
    __table_args__ = _CLUSTERED

    name: str = Field(primary_key=True)
    at: datetime


class AnswerRow(Data, table=True):
    """An answer as it went into the game."""

    __tablename__ = "answer"
    __table_args__ = _CLUSTERED

    game_id: str = Field(primary_key=True, foreign_key="game.id")
    n: int = Field(primary_key=True)
    key: str
    kind: str = ""
    """The kind of the question; empty where it was not noted."""
    seat: str
    origin: str
    by: str = Field(default="", sa_type=Text)
    letter_id: int | None = Field(default=None, foreign_key="letter.id")
    at: datetime

    def given(self, kinds: Sequence[type[Order]]) -> Given:
        """The answer as the kernel takes it; `kinds` are the order kinds of the game's rules."""
        answer = answer_from_data(self.read(list[dict[str, Any]]), tuple(kinds))
        return Given(self.key, self.seat, answer, self.origin, self.by)


class DrawRow(Data, table=True):
    """A draw. A label has one live draw; those that rollbacks undid stay for the audit."""

    __tablename__ = "draw"
    __table_args__ = (
        Index("ix_draw_game_id_answer", "game_id", "answer"),
        Index(
            "ix_draw_kept",
            "game_id",
            sqlite_where=text("fate = 'kept'"),
            postgresql_where=text("fate = 'kept'"),
        ),
        _CLUSTERED,
    )

    game_id: str = Field(primary_key=True, foreign_key="game.id")
    label: str = Field(primary_key=True)
    step: int = Field(primary_key=True)
    answer: int
    """How many answers had been given when it was drawn."""
    fate: str = LIVE

    def drawn(self) -> Drawn:
        """The draw itself."""
        return self.read(Drawn)


class EntryRow(Base, table=True):
    """An entry of the dice log; `at` and `body` are kept to the letter, because they are hashed."""

    __tablename__ = "entry"
    __table_args__ = _CLUSTERED

    game_id: str = Field(primary_key=True, foreign_key="game.id")
    n: int = Field(primary_key=True)
    kind: str
    at: str
    body: str = Field(sa_type=Text)
    prev: str
    hash: str


class EventRow(Data, table=True):
    """An event. `known_to` is a JSON list of seats, or null for everyone."""

    __tablename__ = "event"
    __table_args__ = _CLUSTERED

    game_id: str = Field(primary_key=True, foreign_key="game.id")
    n: int = Field(primary_key=True)
    known_to: str | None = Field(default=None, sa_type=Text)
    answer: int
    at: datetime

    def told(self, events: msgspec.json.Decoder[Any]) -> Told:
        """The event as the kernel told it; `events` decodes the union of the rules' events."""
        to = None if self.known_to is None else msgspec.json.decode(self.known_to, type=tuple[str, ...])
        return Told(self.n, events.decode(self.data), to)


class CheckpointRow(Base, table=True):
    """A position from which the game can be taken up; `state` is its JSON, deflated."""

    __tablename__ = "checkpoint"
    __table_args__ = _CLUSTERED

    game_id: str = Field(primary_key=True, foreign_key="game.id")
    answers: int = Field(primary_key=True)
    events: int
    state: bytes = Field(sa_type=LargeBinary, repr=False)
    moment: str = ""
    at: datetime


class StandingRow(Data, table=True):
    """A standing order in force. Replaced ones are found in the log and in their letters."""

    __tablename__ = "standing"
    __table_args__ = _CLUSTERED

    game_id: str = Field(primary_key=True, foreign_key="game.id")
    seat: str = Field(primary_key=True)
    n: int = Field(primary_key=True)
    text: str = Field(default="", sa_type=Text)
    at: datetime


class ProofRow(Data, table=True):
    """A card dealt to a seat, with its proof."""

    __tablename__ = "proof"
    __table_args__ = _CLUSTERED

    game_id: str = Field(primary_key=True, foreign_key="game.id")
    seat: str = Field(primary_key=True)
    label: str = Field(primary_key=True)
    step: int = Field(primary_key=True)
    position: int = Field(primary_key=True)


class DispatchRow(Data, table=True):
    """A letter to send. Its Message-ID is given when it is made, and kept through all retries."""

    __tablename__ = "dispatch"
    __table_args__ = (
        Index(
            "ix_dispatch_due",
            "next_at",
            "id",
            sqlite_where=OPEN_DISPATCH,
            postgresql_where=OPEN_DISPATCH,
        ),
        Index("ix_dispatch_game_id", "game_id"),
        Index("ix_dispatch_address", "address", "created_at"),
        Index(
            "ix_dispatch_unsent",
            "game_id",
            "seat",
            "created_at",
            sqlite_where=OPEN_DISPATCH,
            postgresql_where=OPEN_DISPATCH,
        ),
    )

    id: int | None = Field(default=None, primary_key=True)
    game_id: str | None = Field(default=None, foreign_key="game.id")
    seat: str | None = None
    address: str
    kind: str
    message_id: str = Field(unique=True)
    in_reply_to: str = Field(default="", sa_type=Text)
    raw: bytes | None = Field(default=None, sa_type=LargeBinary, repr=False)
    """The letter as rendered, so that a retry sends the same bytes."""
    status: str = "waiting"
    attempts: int = 0
    next_at: datetime
    created_at: datetime
    sent_at: datetime | None = None
    error: str = Field(default="", sa_type=Text)
    floor: str = Field(default="", sa_type=Text, sa_column_kwargs={"server_default": ""})
    """On a board: the last post of its topic before it was first offered; empty as long as it never was."""


class ActRow(Data, table=True):
    """Something a game master, or the moderator, did to a game."""

    __tablename__ = "act"
    __table_args__ = _CLUSTERED

    game_id: str = Field(primary_key=True, foreign_key="game.id")
    n: int = Field(primary_key=True)
    at: datetime
    by: str
    kind: str
