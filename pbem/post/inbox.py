"""What every source of letters has in common."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from datetime import datetime
from typing import Protocol

import msgspec


class Cursor(msgspec.Struct, frozen=True):
    """How far a mailbox has been read. The caller keeps it in the same transaction as the letters."""

    uidvalidity: int = 0
    uid: int = 0
    mark: str = ""
    """Of sources that count otherwise: a board's own words for how far it has been read."""


class Fetched(msgspec.Struct, frozen=True):
    """A letter as it lay in the mailbox; `name` is its file where there is one."""

    raw: bytes
    internal_date: datetime
    uidvalidity: int = 0
    uid: int = 0
    name: str = ""
    mark: str = ""

    @property
    def cursor(self) -> Cursor:
        """Where to go on after this letter."""
        return Cursor(self.uidvalidity, self.uid, self.mark)


class InboxTrouble(Exception):
    """The mailbox cannot be read now. `permanent` means that waiting will not help."""

    def __init__(self, reason: str, permanent: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.permanent = permanent


class Inbox(Protocol):
    """A source of letters: fetch, commit, and only then acknowledge."""

    @property
    def sorts(self) -> bool:
        """Whether it makes a difference to the source which letters are refused."""
        ...

    def letters(self, cursor: Cursor) -> AsyncIterator[Fetched]:
        """The letters after the cursor, oldest first. Raises InboxTrouble."""
        ...

    async def acknowledge(self, fetched: Sequence[Fetched], *, refused: bool = False) -> None:
        """Tell the source that these are safely stored, or refused. May be repeated. Raises InboxTrouble."""
        ...

    async def wait(self, seconds: float) -> bool:
        """Wait for something new, at most so many seconds; True when it is worth looking. Never raises."""
        ...

    async def close(self) -> None:
        """Let go of the source; a running wait ends."""
        ...
