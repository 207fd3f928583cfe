"""A game of 1805 as its players meet it: letters in, letters out."""

from __future__ import annotations

import asyncio
import email
import email.policy
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem.campaign.moderator import Moderator, Player, Settings
from pbem.campaign.secretary import Secretary
from pbem.letters.composing import reply_address
from pbem.store.store import Store

ADDRESS = "moderator@pbem.test"


class Post:
    """A moderator with a game of nce; the Empire writes French, the Coalition English."""

    def __init__(self, url: str, options: Mapping[str, str]) -> None:
        self.now = datetime(2026, 1, 1, 12, tzinfo=UTC)
        numbers = iter(range(1, 1000))
        self.moderator = Moderator(
            Store.open(url),
            Settings(ADDRESS),
            lambda: self.now,
            entropy=lambda: next(numbers).to_bytes(32, "big"),
        )
        self.store.migrate()
        players = {
            "empire": Player("Juliette", "empire@pbem.test", "fr"),
            "coalition": Player("William", "coalition@pbem.test", "en"),
        }
        self.game = self.moderator.open_game("nce", "1805", dict(options), players)
        self.written = 0
        self.received: dict[str, str] = {}
        self._deliver()

    @property
    def store(self) -> Store:
        return self.moderator.store

    def send(self, seat: str, text: str) -> dict[str, str]:
        """A letter of a seat; what came of it, by seat, each on one line."""
        self.written += 1
        self.now += timedelta(minutes=1)
        with self.store.journal(self.game, self.now) as journal:
            token = self.moderator.tables.table(self.game, journal).token(seat).text()
        message = EmailMessage()
        message["From"] = f"{seat}@pbem.test"
        message["To"] = reply_address(ADDRESS, token)
        message["Subject"] = "Re: orders"
        message["Message-ID"] = f"<{self.written}@players.test>"
        message.set_content(text)
        assert self.moderator.handle(bytes(message)).status == "done"
        self._deliver()
        return self.received

    def _deliver(self) -> None:
        secretary = Secretary(self.moderator, None)
        self.received = {}
        for row in self.store.outbox.due(self.now, 100):
            raw = asyncio.run(secretary.write(row))
            opened = email.message_from_bytes(raw, policy=email.policy.default)
            part = opened.get_body(("plain",))
            assert part is not None
            assert row.seat is not None
            assert row.id is not None
            self.received[row.seat] = " ".join(part.get_content().split())
            self.store.outbox.mark_sent(row.id, self.now)


@pytest.fixture
def post(tmp_path: Path) -> Iterator[Post]:
    made = Post(f"sqlite:///{tmp_path}/nce.db", {})
    yield made
    made.store.close()


def test_whoever_is_asked_next_gets_a_letter_though_there_is_nothing_to_tell(post: Post) -> None:
    for _ in range(2, 7):
        post.send("empire", "sans carte")
        post.send("coalition", "no card")
    answered = post.send("coalition", "nothing")
    assert "declarations" in answered["coalition"]
    assert "à qui déclarez-vous la guerre" in answered["empire"]
    # Sealed discards: both are asked at once, and the first answer is nobody else's business.
    asked = post.send("empire", "rien")
    assert "which cards do you discard" in asked["coalition"]
    assert "quelles cartes défaussez-vous" in asked["empire"]
    assert "coalition" not in post.send("empire", "rien")
