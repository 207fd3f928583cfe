"""A moderator with a game of leipzig on a store of its own, and a desk's worth of letters to send it."""

from __future__ import annotations

import asyncio
import email
import email.policy
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem.campaign.deadlines.calendar import Calendar
from pbem.campaign.intake.moderator import Handled, Moderator, Player, Settings
from pbem.campaign.outgoing.rendering import Secretary
from pbem.campaign.table.tables import Live
from pbem.letters.composing import reply_address
from pbem.letters.message import Message
from pbem.store.store import Store

ADDRESS = "moderator@pbem.test"


class Desk:
    """Sends letters to a moderator and opens what it answers."""

    def __init__(
        self, url: str, calendar: Calendar | None = None, game: str = "leipzig", scenario: str = "battle"
    ) -> None:
        self.now = datetime(2026, 1, 1, 12, tzinfo=UTC)
        self.url = url
        numbers = iter(range(1, 1000))
        self._entropy = lambda: next(numbers).to_bytes(32, "big")
        self.moderator = self._open()
        self.moderator.store.migrate()
        self.letters = 0
        players = {
            "french": Player("Anne", "Anne@pbem.test", "en"),
            "allied": Player("Bob", "bob@pbem.test", "fr"),
        }
        self.game = self.moderator.opening.open_game(game, scenario, {}, players, calendar=calendar)
        self.received: dict[str, list[EmailMessage]] = {}
        self.deliver()

    def _open(self) -> Moderator:
        return Moderator(Store.open(self.url), Settings(ADDRESS), lambda: self.now, entropy=self._entropy)

    def restart(self) -> None:
        """The daemon dies and another takes its place."""
        self.moderator.store.close()
        self.moderator = self._open()

    @property
    def store(self) -> Store:
        return self.moderator.store

    @property
    def live(self) -> Live:
        with self.store.journal(self.game, self.now) as journal:
            return self.moderator.tables.table(self.game, journal)

    def letter(
        self,
        seat: str,
        text: str,
        *,
        sender: str = "",
        token: str | None = None,
        subject: str = "Re: orders",
        **head: str,
    ) -> bytes:
        """A plain letter of a seat."""
        self.letters += 1
        live = self.live
        message = EmailMessage()
        message["From"] = sender or live.seats[seat].address
        message["To"] = reply_address(ADDRESS, live.token(seat).text() if token is None else token)
        message["Subject"] = subject
        message["Message-ID"] = f"<{self.letters}@players.test>"
        for name, value in head.items():
            message[name.replace("_", "-")] = value
        message.set_content(text)
        return bytes(message)

    def send(self, seat: str, text: str, **how: str) -> Handled:
        """Send a letter and deliver the answers."""
        return self.hand_in(self.letter(seat, text, **how))

    def hand_in(self, raw: bytes) -> Handled:
        """Hand in raw bytes and deliver the answers."""
        self.now += timedelta(minutes=1)
        handled = self.moderator.handle(Message(raw))
        self.deliver()
        return handled

    def pass_time(self, **span: float) -> None:
        """Let time pass and the clock strike, at each of its strokes."""
        until = self.now + timedelta(**span)
        self.received = {}
        while (at := self.store.next_game_at()) is not None and at <= until:
            self.now = max(self.now, at)
            self.moderator.timekeeper.tick()
            self.deliver(keep=True)
        self.now = until

    def deliver(self, keep: bool = False) -> None:
        """Write and deliver what lies in the outbox; `received` holds the last delivery."""
        secretary = Secretary(self.moderator.campaign, None)
        if not keep:
            self.received = {}
        for row in self.store.outbox.due(self.now, 100):
            raw = asyncio.run(secretary.write(row))
            message = email.message_from_bytes(raw, policy=email.policy.default)
            assert isinstance(message, EmailMessage)
            self.received.setdefault(row.address, []).append(message)
            assert row.id is not None
            self.store.outbox.mark_sent(row.id, self.now)

    def text(self, seat: str) -> str:
        """The plain text of the last letter to a seat; empty when none came."""
        address = {"french": "anne@pbem.test", "allied": "bob@pbem.test"}.get(seat, seat)
        messages = self.received.get(address, [])
        if not messages:
            return ""
        part = messages[-1].get_body(("plain",))
        assert part is not None
        content: str = part.get_content()
        return content

    def all_words(self, seat: str) -> str:
        """All letters of the last delivery to a seat, on one line."""
        address = {"french": "anne@pbem.test", "allied": "bob@pbem.test"}.get(seat, seat)
        parts = [message.get_body(("plain",)) for message in self.received.get(address, [])]
        return " ".join(" ".join(part.get_content().split()) for part in parts if part is not None)

    def words(self, seat: str) -> str:
        """The same on one line, however it was folded."""
        return " ".join(self.text(seat).split())

    def answers(self) -> int:
        """How many answers the game has."""
        return self.store.game(self.game).answers


@pytest.fixture
def timed(tmp_path: Path) -> Iterator[Desk]:
    """A desk whose game has a calendar: two days, a reminder six hours before, twelve hours of grace."""
    calendar = Calendar(zone="Europe/Paris", hours=48, reminders=(6,), grace=12, floor=6)
    made = Desk(f"sqlite:///{tmp_path}/timed.db", calendar)
    yield made
    made.store.close()


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    made = Desk(f"sqlite:///{tmp_path}/pbem.db")
    yield made
    made.store.close()
