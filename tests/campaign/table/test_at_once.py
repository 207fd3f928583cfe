"""A letter put into words in its own transaction is the letter that the journal gives later, to the byte."""

from __future__ import annotations

import asyncio
import itertools
import random
from collections.abc import Iterable
from datetime import UTC, datetime
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem import games
from pbem.campaign.intake.moderator import Moderator, Player, Settings
from pbem.campaign.outgoing import report
from pbem.campaign.outgoing.rendering import Secretary
from pbem.kernel.drawing import Drawing
from pbem.letters.composing import reply_address
from pbem.letters.message import Message
from pbem.store.store import Store
from pbem.store.tables import DispatchRow

ADDRESS = "moderator@pbem.example"
NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)


class Painter:
    """Paints nothing, and lets others work meanwhile."""

    def __init__(self) -> None:
        self.meanwhile: list[bytes] = []
        self.moderator: Moderator | None = None

    async def png(self, drawing: Drawing, width: int = 1200) -> bytes:
        await asyncio.sleep(0)
        if self.meanwhile and self.moderator is not None:
            assert self.moderator.handle(Message(self.meanwhile.pop())).status == "done"
        return b"\x89PNG"

    async def crop(self, drawing: Drawing, areas: Iterable[str], width: int = 600) -> bytes:
        return b"\x89PNG"

    def close(self) -> None:
        """Nothing to put away."""


def moderator(folder: Path) -> Moderator:
    store = Store.open(f"sqlite:///{folder}/pbem.db")
    store.migrate()
    numbers = itertools.count(1)
    return Moderator(store, Settings(ADDRESS), lambda: NOW, entropy=lambda: next(numbers).to_bytes(32, "big"))


def open_game(running: Moderator, name: str) -> str:
    rules = games.load(name)
    scenario = next(iter(rules.scenarios))
    langs = itertools.cycle(["en", "fr"])
    players = {
        seat: Player(seat, f"{seat}@pbem.example", next(langs)) for seat in rules.scenarios[scenario].seats
    }
    return running.opening.open_game(name, scenario, {}, players, f"{name}-1")


def next_letter(running: Moderator, game_id: str, whim: random.Random, number: int) -> bytes | None:
    """What the robot of whoever is asked would write."""
    with running.store.journal(game_id, NOW) as journal:
        live = running.tables.table(game_id, journal)
    asked = [q for key, q in live.game.questions.items() if not live.game.answered(key)]
    if live.over or not asked:
        return None
    question = asked[0]
    answer = live.rules.robots["sensible"](live.game.view(question.seat), question, whim)
    message = EmailMessage()
    message["From"] = live.seats[question.seat].address
    message["To"] = reply_address(ADDRESS, live.token(question.seat).text())
    message["Message-ID"] = f"<{number}@players.example>"
    message.set_content("\n".join(order.text(live.rules.vocabulary) for order in answer) or "pass")
    return bytes(message)


def late(folder: Path, row: DispatchRow, painter: Painter | None = None) -> bytes:
    """The same letter from the journal alone, by a daemon that has just started."""
    fresh = Moderator(Store.open(f"sqlite:///{folder}/pbem.db"), Settings(ADDRESS), lambda: NOW)
    try:
        return asyncio.run(Secretary(fresh.campaign, painter).write(row))
    finally:
        fresh.store.close()


@pytest.mark.parametrize("name", ["leipzig", "ccn", "nce"])
def test_words_at_once_are_the_words_of_the_journal(tmp_path: Path, name: str) -> None:
    running = moderator(tmp_path)
    game_id = open_game(running, name)
    running.campaign.writer = Secretary(running.campaign, None)
    whim = random.Random(1805)
    for number in range(12):
        raw = next_letter(running, game_id, whim, number)
        if raw is None:
            break
        assert running.handle(Message(raw)).status == "done"
    rows = [row for row in running.store.dispatches(game_id) if row.kind != "start"]
    assert len([row for row in rows if row.raw is not None]) >= 6
    for row in rows:
        assert row.raw is None or late(tmp_path, row) == row.raw
    running.store.close()


def test_strangers_are_answered_at_once_too(tmp_path: Path) -> None:
    running = moderator(tmp_path)
    running.campaign.writer = Secretary(running.campaign, None)
    assert (
        running.handle(Message(b"From: eve@evil.example\r\nMessage-ID: <1@x>\r\n\r\nhello\r\n")).status
        == "unknown"
    )
    (row,) = running.store.outbox.due(NOW)
    assert row.raw == late(tmp_path, row)
    running.store.close()


def test_a_letter_that_cannot_be_put_into_words_stops_no_orders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    running = moderator(tmp_path)
    game_id = open_game(running, "leipzig")
    running.campaign.writer = Secretary(running.campaign, None)
    raw = next_letter(running, game_id, random.Random(1), 1)
    assert raw is not None

    def broken(*_: object) -> None:
        raise LookupError("no such phrase")

    with monkeypatch.context() as patch:
        patch.setattr(report, "report", broken)
        assert running.handle(Message(raw)).status == "done"
    row = running.store.dispatches(game_id)[-1]
    assert row.raw is None
    assert b"Message-ID" in late(tmp_path, row)
    running.store.close()


async def test_a_letter_tells_of_its_own_moment_whatever_happens_while_its_map_is_painted(
    tmp_path: Path,
) -> None:
    running, painter = moderator(tmp_path), Painter()
    painter.moderator = running
    game_id = open_game(running, "leipzig")
    secretary = Secretary(running.campaign, painter)
    running.campaign.writer = secretary
    whim = random.Random(1813)
    for number in range(1, 5):
        first = next_letter(running, game_id, whim, 10 * number)
        assert first is not None
        assert running.handle(Message(first)).status == "done"
        rows = [row for row in running.store.dispatches(game_id) if row.kind != "start"][-2:]
        assert rows[-1].raw is None
        second = next_letter(running, game_id, whim, 10 * number + 1)
        assert second is not None
        painter.meanwhile = [second]
        for row in rows:
            written = await secretary.write(row)
            assert written == await asyncio.to_thread(late, tmp_path, row, Painter())
    running.store.close()


def test_a_signed_letter_is_written_when_it_is_sent(tmp_path: Path) -> None:
    running = moderator(tmp_path)
    game_id = open_game(running, "leipzig")
    secretary = Secretary(running.campaign, None, sign=lambda raw: b"DKIM-Signature: x\r\n" + raw)
    running.campaign.writer = secretary
    raw = next_letter(running, game_id, random.Random(1), 1)
    assert raw is not None
    running.handle(Message(raw))
    row = running.store.dispatches(game_id)[-1]
    assert row.raw is None
    assert asyncio.run(secretary.write(row)) == b"DKIM-Signature: x\r\n" + late(tmp_path, row)
    running.store.close()
