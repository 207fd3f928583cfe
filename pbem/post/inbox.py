"""What every source of letters has in common."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Protocol

from pbem.letters.message import Cursor, Message


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

    def letters(self, cursor: Cursor) -> AsyncIterator[Message]:
        """The letters after the cursor, oldest first. Raises InboxTrouble."""
        ...

    async def acknowledge(self, messages: Sequence[Message], *, refused: bool = False) -> None:
        """Tell the source that these are safely stored, or refused. May be repeated. Raises InboxTrouble."""
        ...

    async def wait(self, seconds: float) -> bool:
        """Wait for something new, at most so many seconds; True when it is worth looking. Never raises."""
        ...

    async def close(self) -> None:
        """Let go of the source; a running wait ends."""
        ...
