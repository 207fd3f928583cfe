"""A campaign over a real mail server, from JOIN to the chronicle: every letter goes by SMTP and comes by IMAP."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from pathlib import Path

from pbem.campaign.archive.audit import audit_log
from pbem.campaign.archive.chronicle import write
from pbem.campaign.deadlines.calendar import Calendar
from pbem.campaign.house_rules import Couriers, Customs
from pbem.campaign.intake.moderator import Moderator, Settings
from pbem.campaign.outgoing.rendering import Secretary
from pbem.campaign.table.tables import Live
from pbem.demo.mailbox import Incoming, opened
from pbem.letters.message import Cursor
from pbem.post.embedded import EmbeddedPost
from pbem.post.imap import ImapInbox
from pbem.post.outcome import Sent
from pbem.post.smtp import SmtpOutlet
from pbem.server.daemon import Daemon
from pbem.store.store import Store

MODERATOR = "moderator@mail.test"
PEOPLE = {"Carl": "carl@mail.test", "Dora": "dora@mail.test", "Otto": "otto@mail.test"}
PULSE = 30
NIGHT = "The night is quiet"


class Player:
    """Somebody with a mailbox of his own."""

    def __init__(self, name: str, post: EmbeddedPost, clock: Clock) -> None:
        self.name, self.address, self.clock = name, PEOPLE[name], clock
        self.inbox = ImapInbox(post.imap_settings(self.address))
        self.outlet = SmtpOutlet(post.smtp_settings(self.address))
        self.cursor = Cursor()
        self.letters: list[Incoming] = []
        self.sent = 0

    async def send(self, text: str, to: str = "") -> None:
        """A letter to the moderator; a reply to the last one, unless it says to whom."""
        self.sent += 1
        message = EmailMessage()
        message["From"] = f"{self.name} <{self.address}>"
        message["To"] = to or self.letters[-1].reply_to
        message["Subject"] = "hello" if to else f"Re: {self.letters[-1].subject}"
        message["Message-ID"] = f"<{self.sent}.{self.address}>"
        message.set_content(text)
        outcome = await self.outlet.send(bytes(message), self.address, [str(message["To"])])
        assert isinstance(outcome, Sent)

    async def read(self) -> str:
        """What has come since, on one line."""
        batch = [fetched async for fetched in self.inbox.letters(self.cursor)]
        new = [opened(fetched.raw) for fetched in batch]
        if batch:
            self.cursor = batch[-1].cursor
        self.letters += new
        return " ".join(" ".join(letter.text.split()) for letter in new)

    async def close(self) -> None:
        await self.inbox.close()
        await self.outlet.close()


class Clock:
    """Time as the test lets it pass."""

    def __init__(self) -> None:
        self.now = datetime(2026, 5, 1, 8, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


class Office:
    """The moderator's side: one daemon on the real inbox and outlet, worked by hand."""

    def __init__(self, post: EmbeddedPost, url: str, clock: Clock) -> None:
        self.clock = clock
        self.store = Store.open(url)
        self.store.migrate()
        roots = iter(range(1, 1000))
        self.moderator = Moderator(
            self.store, Settings(MODERATOR), clock, entropy=lambda: next(roots).to_bytes(32, "big")
        )
        self.daemon = Daemon(
            self.moderator,
            Secretary(self.moderator.campaign, None),
            ImapInbox(post.imap_settings(MODERATOR)),
            SmtpOutlet(post.smtp_settings(MODERATOR)),
            clock=clock,
        )

    async def work(self, minutes: int = 10) -> None:
        """Take in what lies there, let the clock strike, send what is due."""
        for _ in range(0, minutes, PULSE):
            self.clock.now += timedelta(minutes=min(PULSE, minutes))
            self.moderator.timekeeper.wake()
        await self.daemon.fetch()
        self.daemon.tick()
        while await self.daemon.send_due():
            pass

    def live(self, game: str) -> Live:
        with self.store.journal(game, self.clock()) as journal:
            return self.moderator.tables.table(game, journal)

    async def close(self) -> None:
        await self.daemon.inbox.close()
        await self.daemon.outlet.close()
        self.store.close()


async def test_from_join_to_the_chronicle_over_a_real_mail_server(tmp_path: Path) -> None:
    accounts = dict.fromkeys((MODERATOR, *PEOPLE.values()), "password")
    clock = Clock()
    async with EmbeddedPost(accounts) as post:
        office = Office(post, f"sqlite:///{tmp_path}/pbem.db", clock)
        players = {name: Player(name, post, clock) for name in PEOPLE}
        try:
            game = await sign_up(office, players)
            await play(office, players, game)
            await end(office, players, game, tmp_path)
        finally:
            for player in players.values():
                await player.close()
            await office.close()


async def sign_up(office: Office, players: dict[str, Player]) -> str:
    """Announced, joined with wishes, mustered, begun; and somebody looks on."""
    carl, dora, otto = players.values()
    game = office.moderator.opening.announce(
        "ccn",
        "rolica_1808",
        {},
        calendar=Calendar(hours=72, grace=24),
        customs=Customs(couriers=Couriers(hours=1, risk=0)),
    )
    await carl.send("LIST", MODERATOR)
    await office.work()
    assert f"JOIN {game}" in await carl.read()
    await carl.send(f"JOIN {game} french", MODERATOR)
    await office.work()
    assert "Players still missing: 1" in await carl.read()
    await dora.send(f"JOIN {game} french, allied", MODERATOR)
    await office.work()
    for player in (carl, dora):
        assert "Please reply READY" in await player.read()
        await player.send("READY")
        await office.work()
    assert "Welcome, Carl" in await carl.read()
    assert "Messages go by courier" in await dora.read()
    await otto.send(f"JOIN {game} observer", MODERATOR)
    await office.work()
    assert "Reply READY" in await otto.read()
    await otto.send("READY")
    await office.work()
    assert "You are observer of" in await otto.read()
    return game


async def play(office: Office, players: dict[str, Player], game: str) -> None:
    """Robots decide, letters carry it; on the way a trial, a word by courier, an absence, a diary."""
    carl, dora, _ = players.values()
    whim = random.Random(1808)
    await carl.send(f"PRESS TO allied: {NIGHT}\nEND PRESS\nPRESS TO DIARY: I slept badly")
    await office.work()
    await office.work(60 * 12)
    assert NIGHT in await dora.read()
    for number in range(200):
        live = office.live(game)
        if live.over:
            return
        question = next(q for key, q in live.game.questions.items() if not live.game.answered(key))
        player = next(one for one in players.values() if one.address == live.seats[question.seat].address)
        await player.read()
        answer = live.rules.robots["sensible"](live.game.view(question.seat), question, whim)
        lines = "\n".join(order.text(live.rules.vocabulary, "en") for order in answer)
        if number == 2:
            before = live.game.answers
            await player.send(f"CHECK\n{lines}")
            await office.work()
            assert office.live(game).game.answers == before
        await player.send(lines)
        await office.work(300)
    raise AssertionError("the battle does not end")


async def end(office: Office, players: dict[str, Player], game: str, folder: Path) -> None:
    """Everybody knows; the log that came by mail checks; the chronicle is written."""
    carl, dora, otto = players.values()
    for player in (carl, dora, otto):
        await player.read()
        assert "The game is over" in player.letters[-1].text
    letter = dora.letters[-1]
    log = folder / "log.jsonl"
    log.write_bytes(next(item.data for item in letter.attached if item.name.endswith("log.jsonl")))
    eml = folder / "last.eml"
    eml.write_bytes(letter.raw)
    audited = audit_log(log, [eml])
    assert audited.ok, audited.report()
    assert audited.replay == "replayed"
    live = office.live(game)
    assert [record.late + record.missed for record in live.affairs.records.values()] == [0, 0]
    assert all(PEOPLE["Carl"] not in one.text for one in dora.letters)
    page, printed, *_ = write(office.store, game, folder / "chronicle", "en", 300)
    for file in (page, printed):
        text = file.read_text(encoding="utf-8")
        assert "Carl" in text
        assert "I slept badly" in text
        assert "@mail.test" not in text
