"""Several daemons on one PostgreSQL: every letter handled once, games shared, the dead replaced."""

from __future__ import annotations

import asyncio
import itertools
import os
import random
import signal
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from multiprocessing.process import BaseProcess

import pytest

from pbem import games
from pbem.campaign.intake.moderator import Moderator, Player, Settings
from pbem.letters.composing import reply_address
from pbem.letters.message import Message
from pbem.post.embedded import EmbeddedPost
from pbem.store.store import Store
from tests.crash.campaign import ACCOUNTS, MODERATOR, NOW, PLAYERS, _id, _letter, begin
from tests.crash.life import Plan
from tests.servers import postgres
from tests.store.conftest import _create

pytestmark = pytest.mark.xdist_group("crash")
GAMES, ROUNDS = 8, 4
_databases = itertools.count(1)


@pytest.fixture(scope="module")
def database() -> Iterator[str]:
    with postgres.server() as address:
        yield address


@pytest.fixture
async def post() -> AsyncIterator[EmbeddedPost]:
    async with EmbeddedPost(ACCOUNTS) as running:
        yield running


def open_games(url: str) -> Moderator:
    store = Store.open(url)
    store.migrate()
    numbers = iter(range(1, 1000))
    moderator = Moderator(
        store, Settings(MODERATOR), lambda: NOW, entropy=lambda: next(numbers).to_bytes(32, "big")
    )
    players = {seat: Player(seat, address) for seat, address in PLAYERS.items()}
    for n in range(1, GAMES + 1):
        moderator.opening.open_game("leipzig", "battle", {}, players, f"leipzig-{n}")
    return moderator


@pytest.fixture(scope="module")
def rehearsed(database: str) -> tuple[list[bytes], dict[str, str]]:
    """Letters of several games in turns, and where the games end when one moderator handles them alone."""
    _create(database, "rehearsal")
    moderator = open_games(database + "rehearsal")
    whim = random.Random(7)
    robot = games.load("leipzig").robots["sensible"]
    letters: list[bytes] = []
    for _ in range(ROUNDS):
        for n in range(1, GAMES + 1):
            live = moderator.tables.at_hand(f"leipzig-{n}")
            question = next(q for key, q in live.game.questions.items() if not live.game.answered(key))
            answer = robot(live.game.view(question.seat), question, whim)
            text = "\n".join(order.text(live.rules.vocabulary) for order in answer)
            to = reply_address(MODERATOR, live.token(question.seat).text())
            raw = _letter(question.seat, to, text, len(letters))
            assert moderator.handle(Message(raw)).status == "done"
            letters.append(raw)
    ends = {f"leipzig-{n}": moderator.tables.at_hand(f"leipzig-{n}").game.hash() for n in range(1, GAMES + 1)}
    moderator.store.close()
    return letters, ends


async def play(
    post: EmbeddedPost, database: str, letters: list[bytes], workers: int, kill: int = 0
) -> tuple[str, list[int | None]]:
    """Serve the letters with several workers, of which the first few are killed on the way."""
    name = f"workers_{next(_databases)}"
    _create(database, name)
    url = database + name
    open_games(url).store.close()
    for raw in [*letters, *letters[:5]]:
        await post.deliver(raw, MODERATOR, sender="player@pbem.example")
    plan = Plan(
        url=url,
        imap=post.imap_settings(MODERATOR),
        smtp=post.smtp_settings(MODERATOR),
        now=NOW,
        letters=len(letters),
        shared=True,
        lease=2.0 if kill else 300.0,
    )
    processes = [begin(plan) for _ in range(workers)]
    store = Store.open(url)
    for process in processes[:kill]:
        await asyncio.to_thread(_kill_at_work, process, store, len(letters))
    for process in processes:
        await asyncio.to_thread(process.join, 60)
    store.close()
    return url, [process.exitcode for process in processes]


def _kill_at_work(process: BaseProcess, store: Store, letters: int) -> None:
    """Kill a worker while letters still wait."""
    deadline = 400
    while store.cursor("crash") is None and deadline:
        process.join(0.02)
        deadline -= 1
    assert process.pid is not None
    os.kill(process.pid, signal.SIGKILL)
    process.join()


def check(url: str, post: EmbeddedPost, letters: list[bytes], ends: dict[str, str]) -> None:
    store = Store.open(url)
    moderator = Moderator(store, Settings(MODERATOR), lambda: NOW)
    for game, end in ends.items():
        handled = store.letters(game)
        assert [row.status for row in handled] == ["done"] * ROUNDS
        with store.journal(game, NOW) as journal:
            assert moderator.tables.table(game, journal).game.hash() == end
    assert store.unhandled() == []
    rows = [row for game in ends for row in store.dispatches(game)]
    assert {row.status for row in rows} == {"sent"}
    for address in PLAYERS.values():
        arrived = {_id(raw) for raw in post.messages(address)}
        assert arrived == {row.message_id for row in rows if row.address == address}
    store.close()


@pytest.mark.parametrize("workers", [2, 4])
async def test_workers_share_and_handle_every_letter_once(
    post: EmbeddedPost, database: str, rehearsed: tuple[list[bytes], dict[str, str]], workers: int
) -> None:
    letters, ends = rehearsed
    url, codes = await play(post, database, letters, workers)
    assert codes == [0] * workers
    check(url, post, letters, ends)
    copies = Counter(_id(raw) for address in PLAYERS.values() for raw in post.messages(address))
    assert set(copies.values()) == {1}


async def test_the_living_take_over_from_the_dead(
    post: EmbeddedPost, database: str, rehearsed: tuple[list[bytes], dict[str, str]]
) -> None:
    letters, ends = rehearsed
    url, codes = await play(post, database, letters, 3, kill=2)
    assert codes == [-signal.SIGKILL, -signal.SIGKILL, 0]
    check(url, post, letters, ends)
