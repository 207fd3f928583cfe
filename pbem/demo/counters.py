"""What went to and fro during a demo, counted for the progress bar and for the first page of the folder."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import msgspec

from pbem.campaign.intake.moderator import Handled
from pbem.campaign.outgoing.dispatch import OVER
from pbem.store.tables import DispatchRow


class Written(msgspec.Struct, frozen=True):
    """A player's letter: whose it was, what became of it, and where the game stood when it came."""

    seat: str
    status: str
    moment: str


class Chronicle:
    """Counts letters as the daemon reports them."""

    def __init__(self, seats: tuple[str, ...], moment: Callable[[], str]) -> None:
        self.written: list[Written] = []
        self.sent: dict[str, int] = dict.fromkeys(seats, 0)
        self.over = asyncio.Event()
        """Everybody has been told that the game is over."""
        self.moved = asyncio.Event()
        """A letter has come in or gone out."""
        self.changed: Callable[[], None] | None = None
        self._moment = moment
        self._now = moment()
        self._told: set[str] = set()

    @property
    def now(self) -> str:
        """Where the game stands."""
        return self._now

    def letter_in(self, handled: Handled) -> None:
        """The daemon has taken in a letter."""
        self.written.append(Written(handled.seat, handled.status, self._now))
        self._now = self._moment()
        self._note()

    def letter_out(self, row: DispatchRow) -> None:
        """The daemon has sent a letter."""
        if row.seat in self.sent:
            self.sent[row.seat] += 1
            if row.kind == OVER:
                self._told.add(row.seat)
        if self._told >= self.sent.keys():
            self.over.set()
        self._note()

    def by_moment(self) -> dict[str, dict[str, int]]:
        """How many letters each seat wrote, by where the game stood."""
        counts: dict[str, dict[str, int]] = {}
        for written in self.written:
            if written.seat in self.sent:
                row = counts.setdefault(written.moment, dict.fromkeys(self.sent, 0))
                row[written.seat] += 1
        return counts

    def _note(self) -> None:
        self.moved.set()
        if self.changed is not None:
            self.changed()
