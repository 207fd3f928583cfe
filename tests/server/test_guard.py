"""No letter whatever ends the program or delays another's: a fault is injected into every step in turn."""

from __future__ import annotations

import asyncio
import itertools
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest

import pbem
from pbem.campaign.deadlines import reminders
from pbem.campaign.deadlines.calendar import Calendar
from pbem.campaign.intake.moderator import Handled, Moderator, Player, Settings
from pbem.campaign.outgoing.dispatch import NOTICE, Dispatch
from pbem.campaign.outgoing.rendering import Secretary
from pbem.campaign.table.transaction import Turn
from pbem.letters.composing import reply_address
from pbem.letters.message import Cursor, Message
from pbem.post.outcome import Outcome, Sent
from pbem.server import daemon
from pbem.server.daemon import Daemon
from pbem.store.store import Store

MODERATOR, HOST = "moderator@pbem.example", "host@pbem.example"
ALICE, BOB = "alice@pbem.example", "bob@pbem.example"
GUARDS = ("take", "_told", "noted", "places")
"""What stands outside: the guard itself, and what it says. It is made of nothing that could raise."""


class Box:
    """A mailbox in memory."""

    sorts = True

    def __init__(self) -> None:
        self.waiting: list[Message] = []
        self.refused: list[Message] = []

    async def letters(self, cursor: Cursor) -> AsyncIterator[Message]:
        for fetched in list(self.waiting):
            yield fetched

    async def acknowledge(self, fetched: Sequence[Message], *, refused: bool = False) -> None:
        known = {one.uid for one in fetched}
        self.waiting = [one for one in self.waiting if one.uid not in known]
        self.refused += fetched if refused else ()

    async def wait(self, seconds: float) -> bool:
        return True

    async def close(self) -> None:
        return


class Out:
    """An outlet that remembers; to some addresses it breaks."""

    def __init__(self) -> None:
        self.sent: list[str] = []
        self.breaks = ""

    async def send(self, raw: bytes, sender: str, recipients: Sequence[str]) -> Outcome:
        if recipients[0] == self.breaks:
            raise RuntimeError("a fault of ours")
        self.sent += recipients
        return Sent("250 ok", ())

    async def close(self) -> None:
        return


class Shop:
    """A daemon with its mailbox and its outlet, and letters for it."""

    def __init__(self, url: str, calendar: Calendar | None = None) -> None:
        self.now = datetime(2026, 1, 1, 12, tzinfo=UTC)
        self.store = Store.open(url)
        self.store.migrate()
        settings = Settings(MODERATOR, keeper=HOST, letters_per_hour=1_000_000)
        self.moderator = Moderator(self.store, settings, lambda: self.now)
        self.box, self.out = Box(), Out()
        self.handled: list[Handled] = []
        self.secretary = Secretary(self.moderator.campaign, None)
        self.daemon = Daemon(
            self.moderator,
            self.secretary,
            self.box,
            self.out,
            clock=lambda: self.now,
            on_letter=self.handled.append,
        )
        players = {"french": Player("Alice", ALICE), "allied": Player("Bob", BOB)}
        self.game = self.moderator.opening.open_game("leipzig", "battle", {}, players, calendar=calendar)
        self._numbers = itertools.count(1)

    def letter(self, sender: str, text: str, seat: str = "") -> bytes:
        message = EmailMessage()
        message["From"] = sender
        with self.store.journal(self.game, self.now) as journal:
            live = self.moderator.tables.table(self.game, journal)
        message["To"] = reply_address(MODERATOR, live.token(seat).text()) if seat else MODERATOR
        message["Message-ID"] = f"<{next(self._numbers)}@players.example>"
        message.set_content(text)
        return bytes(message)

    async def round(self, *raws: bytes) -> list[str]:
        """Letters come in and answers go out, once; what became of the letters."""
        self.handled.clear()
        self.now += timedelta(minutes=1)
        self.box.waiting = [Message(raw, uidvalidity=1, uid=next(self._numbers)) for raw in raws]
        await self.daemon.fetch()
        while await self.daemon.send_due():
            pass
        return [handled.status for handled in self.handled]


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Shop]:
    made = Shop(f"sqlite:///{tmp_path}/guard.db")
    yield made
    made.store.close()


HERE = str(Path(pbem.__file__).parent)


@contextmanager
def watched(called: Callable[[CodeType], None]) -> Iterator[None]:
    """Every call of a function of ours, before it begins."""

    def trace(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(HERE) and code.co_name not in GUARDS:
            called(code)

    def again(logger: object, what: str, error: BaseException) -> None:
        # A trace that has raised is put away; the guard has caught what it raised, and goes on under it.
        sys.settrace(trace)

    before, noted = sys.gettrace(), daemon.noted
    daemon.noted = again
    sys.settrace(trace)
    try:
        yield
    finally:
        sys.settrace(before)
        daemon.noted = noted


class Injected(RuntimeError):
    """A fault of ours."""


LETTERS: dict[str, Callable[[Shop], bytes]] = {
    "orders": lambda shop: shop.letter(ALICE, "keep Möckern\nCHECK draw pile\nstatus\nhistory", "french"),
    "press": lambda shop: shop.letter(ALICE, "PRESS TO allied: good morning", "french"),
    "join": lambda shop: shop.letter("carl@else.example", f"JOIN {shop.game} observer"),
    "list": lambda shop: shop.letter("carl@else.example", "LIST"),
    "stranger": lambda shop: shop.letter("carl@else.example", "Who are you?"),
    "held": lambda shop: shop.letter(ALICE, "RESIGN"),
    "machine": lambda shop: shop.letter("MAILER-DAEMON@else.example", "Undelivered"),
}


@pytest.mark.parametrize("kind", sorted(LETTERS))
async def test_a_fault_in_any_step_of_handling_or_keeping_ends_nothing(shop: Shop, kind: str) -> None:
    """Each function that a letter calls raises whenever it is called, as long as the letter is at hand."""
    await shop.round()
    steps: dict[CodeType, None] = {}
    with watched(lambda code: steps.setdefault(code)):
        shop.daemon.take(Message(LETTERS[kind](shop)))
    assert len(steps) > 50
    take = shop.daemon.take
    for step in steps:
        bad, good = LETTERS[kind](shop), shop.letter(BOB, "help", "allied")

        def fault(code: CodeType, step: CodeType = step) -> None:
            if code is step:
                raise Injected

        def taken(message: Message, bad: bytes = bad, fault: Any = fault) -> Handled:
            if message.raw != bad:
                return take(message)
            with watched(fault):
                return take(message)

        shop.daemon.take = taken  # type: ignore[method-assign]
        statuses = await shop.round(bad, good)
        assert len(statuses) == 2, step
        assert statuses[1] == "done", (step, statuses)
        assert not shop.box.waiting, step


async def test_when_nothing_works_the_letter_stays_among_the_refused(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    await shop.round()

    def broken(*_: object, **__: object) -> None:
        raise Injected

    bad, good = shop.letter(ALICE, "status", "french"), shop.letter(BOB, "help", "allied")
    transaction = shop.moderator.campaign.transaction
    hurt = iter((True, True, True))

    def transactions(*where: Any, **how: Any) -> Any:
        return broken() if next(hurt, False) else transaction(*where, **how)

    monkeypatch.setattr(shop.moderator.campaign, "transaction", transactions)
    assert await shop.round(bad, good) == ["fault", "done"]
    assert [one.raw for one in shop.box.refused] == [bad]


async def test_a_fault_in_any_step_of_answering_delays_no_other_answer(shop: Shop) -> None:
    await shop.round()
    write, steps = shop.secretary.write, dict[CodeType, None]()
    carl, dora = "carl@else.example", "dora@else.example"

    async def seen(row: Any) -> bytes:
        with watched(lambda code: steps.setdefault(code)):
            return await write(row)

    shop.secretary.write = seen  # type: ignore[method-assign]
    shop.moderator.campaign.writer = None
    await shop.round(shop.letter(carl, "x"))
    assert len(steps) > 10
    for step in [one for one in steps if one is not write.__func__.__code__]:

        def fault(code: CodeType, step: CodeType = step) -> None:
            if code is step:
                raise Injected

        async def hurt(row: Any, fault: Any = fault) -> bytes:
            if row.address != carl:
                return await write(row)
            with watched(fault):
                return await write(row)

        shop.secretary.write = hurt  # type: ignore[method-assign]
        shop.out.sent.clear()
        shop.now += timedelta(hours=2)
        assert await shop.round(shop.letter(carl, "x"), shop.letter(dora, "x")) == ["unknown", "unknown"]
        assert dora in shop.out.sent, step
    shop.secretary.write = write  # type: ignore[method-assign]
    shop.out.breaks = carl
    assert await shop.round(shop.letter(carl, "x"), shop.letter(dora, "x")) == ["unknown", "unknown"]
    assert shop.out.sent[-1] == dora


UNWRITABLE = ("x@exa_mple.org", "jörg@example.org", "`id`@example.org", "x@-a.org", "x@a-.org", "x@a..org")


@pytest.mark.parametrize("sender", UNWRITABLE)
async def test_whoever_cannot_be_written_to_gets_silence(shop: Shop, sender: str) -> None:
    await shop.round()
    texts = ("LIST", f"JOIN {shop.game} observer", "JOIN", "RESIGN", "Hello", "")
    bad = [
        f"From: {sender}\nTo: {MODERATOR}\nMessage-ID: <u{n}@x>\n\n{text}\n".encode()
        for n, text in enumerate(texts)
    ]
    good = shop.letter(BOB, "help", "allied")
    shop.out.sent.clear()
    statuses = await shop.round(*bad, good)
    assert statuses == ["ignored"] * len(bad) + ["done"]
    assert shop.out.sent == [BOB]


async def test_a_letter_to_an_address_that_was_let_in_before_is_given_up(shop: Shop) -> None:
    """A substitute whose address an older version took: his copies are refused, the game goes on."""
    await shop.round()
    with shop.store.journal(shop.game, shop.now) as journal:
        live = shop.moderator.tables.table(shop.game, journal)
        person = live.person("french")
        person.second = person.substitute = "jo(e@example.org"
        person.acting = "substitute"
        journal.set_seat(live.change_person("french", person))
    shop.out.sent.clear()
    assert await shop.round(shop.letter(BOB, "help", "allied"), shop.letter(ALICE, "help", "french")) == [
        "done",
        "done",
    ]
    assert set(shop.out.sent) == {ALICE, BOB}


@pytest.mark.parametrize("where", ["prepare", "on_letter"])
async def test_what_is_done_beside_the_letter_may_break(shop: Shop, where: str) -> None:
    def broken(_: object) -> None:
        raise Injected

    setattr(shop.daemon, f"_{where}", broken)
    shop.out.sent.clear()
    await shop.round(shop.letter(BOB, "help", "allied"))
    assert shop.out.sent.count(BOB) == 2


async def test_a_round_that_breaks_off_is_followed_by_another(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing whatever ends `run` but `stop`."""
    wake, rounds = shop.moderator.timekeeper.wake, itertools.count()

    def sometimes(board: str) -> Any:
        n = next(rounds)
        if n == 0:
            raise Injected
        if n > 2:
            shop.daemon.stop()
        return wake(board)

    async def at_once(seconds: float) -> None:
        await asyncio.sleep(0)

    monkeypatch.setattr(shop.moderator.timekeeper, "wake", sometimes)
    monkeypatch.setattr(shop.daemon, "_pause", at_once)
    shop.box.waiting = [Message(shop.letter(BOB, "help", "allied"), uidvalidity=1, uid=1)]
    await shop.daemon.run()
    assert [one.status for one in shop.handled] == ["done"]


async def test_a_stroke_that_fails_for_one_seat_does_not_hold_up_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop = Shop(f"sqlite:///{tmp_path}/clock.db", Calendar(zone="UTC", hours=48, reminders=()))
    await shop.round()

    def hurt(turn: Turn, only: str | None = None) -> None:
        if only != "allied":
            raise Injected
        turn.say("allied", Dispatch(NOTICE))

    monkeypatch.setattr(reminders, "strike", hurt)
    due = shop.store.next_game_at()
    assert due is not None
    shop.now = due
    shop.out.sent.clear()
    assert shop.daemon.tick() == 1
    await shop.daemon.send_due()
    assert shop.out.sent == [BOB]
    assert shop.store.next_game_at() == due + timedelta(hours=1)
    monkeypatch.undo()
    shop.now = due + timedelta(hours=1)
    assert shop.daemon.tick() == 1
    await shop.daemon.send_due()
    assert shop.out.sent == [BOB, ALICE]
    shop.store.close()
