"""What is to be said to whom, as data. Words and pictures are made when the post takes it away."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import msgspec

from pbem.reports.report import Line, Section

START, REPORT, REPLY, OVER, NOTICE, STRANGER = "start", "report", "reply", "over", "notice", "stranger"
MUSTER = "muster"
INDEX = "index"
"""The first post of a public thread, edited in place."""


class Note(msgspec.Struct, frozen=True, omit_defaults=True):
    """A phrase of the catalogue's [notes] with its variables."""

    code: str
    params: dict[str, str | int] = {}


class Receipt(msgspec.Struct, frozen=True):
    """The receipt of a letter with orders, with the salt that opens its leaf.

    `n` is the last entry of which everyone knows: the receipt itself stands in the log at or behind it, before the
    next close. Its own number would tell how much others have written since.
    """

    n: int
    leaf: str
    salt: str


class Settled(msgspec.Struct, frozen=True, omit_defaults=True):
    """An answer that was given for the seat: by standing order, by default, or without a choice."""

    question: str
    answer: list[dict[str, Any]]
    origin: str
    by: str = ""


class Waits(msgspec.Struct, frozen=True, omit_defaults=True):
    """A seat whose orders the game waits for: who sits there, and until when."""

    seat: str
    name: str
    due: datetime | None = None


class Dispatch(msgspec.Struct, frozen=True, omit_defaults=True):
    """A letter to be written: the answer to the seat's own letter, and what has happened since the last one."""

    kind: str
    replies: tuple[Line, ...] = ()
    notes: tuple[Note, ...] = ()
    sections: tuple[Section, ...] = ()
    after: int = 0
    upto: int = 0
    whole: bool = False
    """Whether nothing is left out of a long report."""
    answers: int = 0
    """How far the game had come: the position that picture and form show."""
    settled: tuple[Settled, ...] = ()
    picture: bool = False
    picture_at: int = -1
    """The picture shows an earlier position: that after so many answers."""
    form: bool = False
    drafts: dict[str, list[str]] = {}
    """Lines to fill the forms with, by question, in place of what silence means."""
    head: str = ""
    step: int = 0
    """The last draw step that the letter tells of."""
    beacon: bool = False
    """Whether the dice hang on the public beacon."""
    receipt: Receipt | None = None
    proofs: tuple[tuple[str, int, int], ...] = ()
    """Cards whose proofs go along: label, step and position."""
    log: int = 0
    """Attach the log up to this entry."""
    saved: int = 0
    resigned: str = ""
    agreed: str = ""
    asked: bool = False
    """Whether the seat is asked for orders."""
    due: datetime | None = None
    """Until when; of late orders, until when they are still taken."""
    late: bool = False
    waits: tuple[Waits, ...] = ()
    """Who is on turn, where the reader is not."""
    players: tuple[tuple[str, str], ...] = ()
    """In a first letter, who plays which other seat."""
    zone: str = "UTC"
    """In whose time the reader is told."""
    at: datetime | None = None
    """When the letter was decided upon."""
    unchanged: dict[str, str] = {}
    """Lines of the position that its reader knows from his last letter, and since when they stand so."""
    whole_map: bool = False
    """Whether the whole map was asked for, not only the part where things happen."""
    topic: Note | None = None
    """What its subject says, where it is about one thing: a vote, a message, the answer to STATUS."""
    moment: str = ""
    """Of a report in the public thread: which turn it tells of."""
    lang: str = "en"
    """The language of a letter to somebody without a seat."""
    join: str = ""
    """What whoever has asked to join is to confirm, as the token of this letter names it."""
