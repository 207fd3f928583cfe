"""A message as a mailbox gave it: its bytes, and where it lay; one object from the mailbox to the journal."""

from __future__ import annotations

from datetime import datetime

import msgspec


class Cursor(msgspec.Struct, frozen=True):
    """How far a mailbox has been read. It is kept in the same transaction as the letters."""

    uidvalidity: int = 0
    uid: int = 0
    mark: str = ""
    """Of sources that have no numbers: their own words for how far they have been read."""


class Message(msgspec.Struct, frozen=True):
    """A message that nobody has read yet. Without a `uid` it came from no mailbox that is read by number."""

    raw: bytes
    source: str = ""
    """The mailbox, by name: IMAP numbers count within it."""
    uidvalidity: int = 0
    uid: int = 0
    name: str = ""
    """Its file, where there is one."""
    internal_date: datetime | None = None
    mark: str = ""
    """Where to go on after this message, for sources that have no numbers."""

    @property
    def cursor(self) -> Cursor:
        """Where to go on after this message."""
        return Cursor(self.uidvalidity, self.uid, self.mark)

    @property
    def numbers(self) -> tuple[int | None, int | None]:
        """UIDVALIDITY and UID as the store keeps them: None where the mailbox has no numbers."""
        return (self.uidvalidity, self.uid) if self.uid else (None, None)

    @property
    def moves_cursor(self) -> bool:
        """Whether it says how far its source has been read."""
        return bool(self.uid or self.mark)
