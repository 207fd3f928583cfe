"""One outlet for all ways of the post: a letter goes by the way that its address names."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from pbem.letters.posted import board_of
from pbem.post.outcome import Outcome, Rejected
from pbem.post.outlet_thread import Outlet


class Exchange:
    """Mail by the mail outlet, where there is one; letters to a board by the board's own."""

    def __init__(self, mail: Outlet | None, boards: Mapping[str, Outlet]) -> None:
        self._mail = mail
        self._boards = dict(boards)

    async def send(self, raw: bytes, sender: str, recipients: Sequence[str]) -> Outcome:
        """Offer a letter once. Never raises for what a server or the net may do."""
        board = board_of(recipients[0]) if recipients else ""
        outlet = self._boards.get(board) if board else self._mail
        if outlet is None:
            return Rejected(
                f"there is no board {board!r} here" if board else "there is no mail here: no [smtp]"
            )
        return await outlet.send(raw, sender, recipients)

    async def close(self) -> None:
        """Say goodbye everywhere."""
        outlets = [*self._boards.values(), *([self._mail] if self._mail is not None else [])]
        await asyncio.gather(*(outlet.close() for outlet in outlets))
