"""A daemon with the embedded server and a game of leipzig, whose clock the test sets."""

from __future__ import annotations

import email
import email.policy
import itertools
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from pathlib import Path

import msgspec
import pytest

from pbem.campaign.intake.authenticity import Authenticity
from pbem.campaign.intake.moderator import Handled, Moderator, Player, Settings
from pbem.campaign.outgoing.rendering import Secretary
from pbem.letters.composing import reply_address
from pbem.post.embedded import EmbeddedPost
from pbem.post.imap import ImapInbox
from pbem.post.settings import ImapSettings, SmtpSettings
from pbem.post.smtp import SmtpOutlet
from pbem.server.daemon import Daemon
from pbem.store.store import Store

MODERATOR = "moderator@pbem.example"
ALICE, BOB = "alice@pbem.example", "bob@pbem.example"
ACCOUNTS = {MODERATOR: "tambour", ALICE: "major", BOB: "trumpet"}
SEATS = {"french": ALICE, "allied": BOB}


class Office:
    """A daemon at work, step by step: `round` takes in what lies there and sends what is due."""

    def __init__(self, post: EmbeddedPost, url: str) -> None:
        self.post = post
        self.url = url
        self.now = datetime(2026, 1, 1, 12, tzinfo=UTC)
        self.handled: list[Handled] = []
        self._numbers = itertools.count(1)
        self._entropy = itertools.count(1)
        self.imap: ImapSettings = post.imap_settings(MODERATOR)
        self.smtp: SmtpSettings = post.smtp_settings(MODERATOR)
        self.game = ""

    async def open(
        self,
        authenticity: Authenticity | None = None,
        sign: Callable[[bytes], bytes] | None = None,
        keeper: str = "",
        **more: object,
    ) -> None:
        """Begin to serve; the first time, open the game."""
        self.store = Store.open(self.url)
        self.store.migrate()
        self.moderator = Moderator(
            self.store,
            Settings(MODERATOR, keeper=keeper),
            lambda: self.now,
            entropy=lambda: next(self._entropy).to_bytes(32, "big"),
            authenticity=authenticity,
        )
        self.inbox = ImapInbox(self.imap)
        self.daemon = Daemon(
            self.moderator,
            Secretary(self.moderator.campaign, None, sign=sign),
            self.inbox,
            SmtpOutlet(self.smtp),
            clock=lambda: self.now,
            on_letter=self.handled.append,
            **more,  # type: ignore[arg-type]
        )
        if not self.game:
            players = {seat: Player(seat, address) for seat, address in SEATS.items()}
            self.game = self.moderator.opening.open_game("leipzig", "battle", {}, players)
        with self.store.journal(self.game, self.now) as journal:
            self.moderator.tables.table(self.game, journal)

    async def close(self) -> None:
        """Stop serving."""
        await self.inbox.close()
        await self.daemon.outlet.close()
        self.store.close()

    async def restart(self, **more: object) -> None:
        """As after a change of the configuration."""
        await self.close()
        await self.open(**more)  # type: ignore[arg-type]

    async def round(self) -> list[str]:
        """Fetch and send once; what became of the letters."""
        self.handled.clear()
        await self.daemon.fetch()
        while await self.daemon.send_due():
            pass
        return [handled.status for handled in self.handled]

    def letter(self, seat: str, text: str, *, to: str = "", **head: str) -> bytes:
        """A letter of a seat, token and all."""
        number = next(self._numbers)
        try:
            live = self.moderator.tables.at_hand(self.game)
        except KeyError:
            with self.store.journal(self.game, self.now) as journal:
                live = self.moderator.tables.table(self.game, journal)
        message = EmailMessage()
        message["From"] = head.pop("From", SEATS[seat])
        message["To"] = to or reply_address(MODERATOR, live.token(seat).text())
        message["Subject"] = head.pop("Subject", "Re: orders")
        message["Message-ID"] = f"<{number}@players.example>"
        for name, value in head.items():
            message[name.replace("_", "-")] = value
        message.set_content(text)
        return bytes(message).replace(b"\n", b"\r\n")

    async def arrive(self, raw: bytes, sender: str = ALICE, trace: str = "") -> None:
        """A letter into our mailbox, by a way of its own."""
        head = f"Received: {trace}\r\n".encode() if trace else b""
        await self.post.deliver(head + raw, MODERATOR, sender)

    def texts(self, address: str) -> list[str]:
        """What an account has received, each once by Message-ID."""
        found: dict[str, str] = {}
        for raw in self.post.messages(address):
            message = email.message_from_bytes(raw, policy=email.policy.default)
            assert isinstance(message, EmailMessage)
            part = message.get_body(("plain",))
            assert part is not None
            found[str(message["Message-ID"])] = " ".join(part.get_content().split())
        return list(found.values())

    def answers(self) -> int:
        """How many answers the game has."""
        return self.store.game(self.game).answers

    def open_dispatches(self) -> int:
        """How many letters of ours wait."""
        return len(self.store.outbox.due(self.now + timedelta(days=30)))


@pytest.fixture
async def offices(tmp_path: Path) -> AsyncIterator[Callable[..., Awaitable[Office]]]:
    async with AsyncExitStack() as stack:

        async def make(url: str = "", tls: bool = False) -> Office:
            post = await stack.enter_async_context(EmbeddedPost(ACCOUNTS, tmp_path / "tls" if tls else None))
            office = Office(post, url or f"sqlite:///{tmp_path}/pbem.db")
            await office.open()
            stack.push_async_callback(office.close)
            return office

        yield make


@pytest.fixture
async def office(offices: Callable[..., Awaitable[Office]]) -> Office:
    made = await offices()
    await made.round()
    return made


replace = msgspec.structs.replace
