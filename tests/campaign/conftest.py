"""A moderator with a game of leipzig on a store of its own, and a desk's worth of letters to send it."""

from __future__ import annotations

import asyncio
import email
import email.policy
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from pbem import games
from pbem.campaign.deadlines.calendar import Calendar
from pbem.campaign.intake.moderator import Handled, Moderator, Player, Settings
from pbem.campaign.intake.sections import head_of
from pbem.campaign.outgoing.rendering import Secretary
from pbem.campaign.table.tables import Live
from pbem.letters.composing import reply_address
from pbem.letters.message import Message
from pbem.store.store import Store

ADDRESS = "moderator@pbem.test"


class Desk:
    """Sends letters to a moderator and opens what it answers."""

    def __init__(
        self,
        url: str,
        calendar: Calendar | None = None,
        game: str = "leipzig",
        scenario: str = "battle",
        players: dict[str, Player] | None = None,
        **how: Any,
    ) -> None:
        self.now = datetime(2026, 1, 1, 12, tzinfo=UTC)
        self.url = url
        numbers = iter(range(1, 1000))
        self._entropy = lambda: next(numbers).to_bytes(32, "big")
        self.moderator = self._open()
        self.moderator.store.migrate()
        self.letters = 0
        self.players = players or {
            "french": Player("Anne", "Anne@pbem.test", "en"),
            "allied": Player("Bob", "bob@pbem.test", "fr"),
        }
        self.game = self.moderator.opening.open_game(
            game, scenario, {}, self.players, calendar=calendar, **how
        )
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

    def address(self, seat: str) -> str:
        """Where a seat's letters go; anything else is an address itself."""
        return self.players[seat].address.lower() if seat in self.players else seat

    def text(self, seat: str) -> str:
        """The plain text of the last letter to a seat; empty when none came."""
        address = self.address(seat)
        messages = self.received.get(address, [])
        if not messages:
            return ""
        part = messages[-1].get_body(("plain",))
        assert part is not None
        content: str = part.get_content()
        return content

    def all_words(self, seat: str) -> str:
        """All letters of the last delivery to a seat, on one line."""
        address = self.address(seat)
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


class Congress(Desk):
    """A game of Seven Crowns by mail, for as many players as the scenario has."""

    def __init__(
        self, url: str, scenario: str = "seven", calendar: Calendar | None = None, **how: Any
    ) -> None:
        seats = games.load("crowns").scenarios[scenario].seats
        players = {
            seat: Player(seat.title(), f"{seat}@pbem.test", ("en", "fr")[seat == "austria"]) for seat in seats
        }
        super().__init__(url, calendar, "crowns", scenario, players, **how)

    def all_hold(self, *but: str) -> None:
        """Everybody else lets his powers hold, and fights no battle he need not."""
        for seat in self.players:
            if seat not in but:
                self.answer(seat)

    def answer(self, seat: str) -> None:
        """A letter with what silence would mean, for each open question of a seat."""
        live = self.live
        lines = []
        for question in live.open_to(seat):
            if not live.game.answered(question.key):
                lines.append(head_of(question, live.rules.vocabulary, "en"))
                answer = question.default(live.game.view(seat))
                lines += [order.text(live.rules.vocabulary) for order in answer]
        if lines:
            self.send(seat, "\n".join(lines))

    def till_turn(self, turn: int) -> None:
        """All hold until that turn."""
        while self.live.game.state.turn < turn:
            self.all_hold()


@pytest.fixture
def congress(tmp_path: Path) -> Iterator[Congress]:
    """Seven players."""
    made = Congress(f"sqlite:///{tmp_path}/congress.db")
    yield made
    made.store.close()


@pytest.fixture
def two_powers(tmp_path: Path) -> Iterator[Congress]:
    """Two players with two powers each; three powers are nobody's."""
    made = Congress(f"sqlite:///{tmp_path}/two.db", "two")
    yield made
    made.store.close()
