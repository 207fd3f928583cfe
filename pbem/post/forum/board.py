"""A board: topics with posts, public and private. Five verbs and some facts; one adapter for each kind of board."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

import msgspec

from pbem.letters.posted import Place

MARKDOWN, BBCODE = "markdown", "bbcode"


class Facts(msgspec.Struct, frozen=True):
    """What a kind of board can do, and where its limits are."""

    kind: str
    dialect: str = MARKDOWN
    fold: str = ""
    """How a part of a post is folded away, as `pbem.reports.markup` knows it; empty: not at all."""
    tables: bool = False
    longest: int = 30_000
    """Characters of a post."""
    longest_private: int = 0
    """The same in private; 0: no other limit. A longer report goes out in parts, each of them a call more."""
    shortest: int = 0
    """Of a player's post; what is shorter is refused by the board."""
    longest_title: int = 90
    private: bool = True
    """Whether there are private topics."""
    uploads: bool = True
    tells_edits: bool = False
    """Whether `changes` tells of edits and deletions, too."""
    idempotent: bool = False
    """Whether a write with the same key happens once."""
    interval: float = 0.0
    """Seconds between two posts of one account."""
    calls_a_minute: float = 60.0


class Account(msgspec.Struct, frozen=True):
    """Somebody on a board; the id stays when the name changes."""

    id: str
    name: str


class Post(msgspec.Struct, frozen=True):
    """A post as the board shows it."""

    id: str
    place: Place
    author: str
    """The account's id; empty where the board does not say."""
    name: str
    at: datetime
    """The board's own stamp."""
    text: str = ""
    raw: bool = True
    """Whether `text` is what the author wrote; if not it is what the board made of it, and `again` gives the text."""
    version: str = ""
    """Changes with every edit that the board tells of."""
    editor: str = ""
    """Who has changed it last; empty: nobody, or the board does not say."""
    gone: bool = False
    """Deleted, hidden or emptied."""
    machine: bool = False
    """An event of the board, or the post of another bot."""


class Changes(msgspec.Struct, frozen=True):
    """What is new on a board, and from where to look next."""

    posts: tuple[Post, ...]
    mark: str
    skew: float = 0.0
    """Seconds by which the board's clock is ahead of ours."""


class BoardTrouble(Exception):
    """The board cannot be used now. `wait`: it said for how long; `permanent`: waiting will not help."""

    def __init__(self, reason: str, *, wait: float = 0.0, permanent: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.wait = wait
        self.permanent = permanent


class PostRefused(Exception):
    """The board will never take this post; the text says why."""


class PostQueued(Exception):
    """The board has taken the post, and keeps it back until a person lets it through."""


class Board(Protocol):
    """A forum on which we have an account. All verbs raise BoardTrouble; writing also PostRefused, PostQueued."""

    name: str
    """As the host calls it; part of the addresses."""
    facts: Facts

    async def account(self) -> Account:
        """Who we are there; logs in where that is still to be done."""
        ...

    async def find_account(self, name: str) -> Account | None:
        """The account of that name."""
        ...

    async def changes(self, mark: str) -> Changes:
        """The posts since the mark, oldest first, ours left out; with an empty mark none: only where we are now."""
        ...

    async def again(self, place: Place, posts: Sequence[str]) -> list[Post]:
        """These posts as they are now, with what their authors wrote; `gone` where they are not there any more."""
        ...

    async def write(self, place: Place, text: str, key: str) -> str:
        """Post into a topic; the post's id."""
        ...

    async def rewrite(self, place: Place, post: str, text: str) -> None:
        """Put another text into a post of ours."""
        ...

    async def open(self, title: str, text: str, to: Sequence[Account], key: str) -> tuple[Place, str]:
        """A new topic with its first post: private, where it is for somebody. The topic and the post's id."""
        ...

    async def upload(self, place: Place | None, name: str, data: bytes) -> str:
        """Put a picture there; the address under which a post can show it, empty where that cannot be."""
        ...

    async def top(self, place: Place) -> str:
        """The last post of a topic."""
        ...

    async def find(self, place: Place, marker: str, floor: str) -> str:
        """Our post with that marker, searched from the last post back to the floor; empty where there is none."""
        ...

    async def find_topic(self, title: str, private: bool) -> tuple[Place, str] | None:
        """A topic of ours with that title among the newest, and its first post."""
        ...

    def link(self, place: Place, post: str) -> str:
        """The address of a post for a browser; empty where there is none."""
        ...

    async def check(self) -> list[tuple[str, bool, str]]:
        """For `pbem doctor`: what was looked at, whether it is well, and in words what is there or to be done."""
        ...

    async def close(self) -> None:
        """Let go of connections."""
        ...
