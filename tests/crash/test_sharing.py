"""The locks of several workers: no game waits for another, and those of a dead worker are free at once."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Iterator
from typing import cast

import pytest

from pbem.campaign.intake.moderator import Handled, Moderator, Settings
from pbem.campaign.outgoing.rendering import Secretary
from pbem.letters.message import Message
from pbem.post.inbox import Inbox
from pbem.post.outlet_thread import Outlet
from pbem.server.daemon import Daemon
from pbem.server.workers import TOGETHER, Shared
from pbem.store.intake import Intake, Waiting
from pbem.store.store import Store
from tests.crash.campaign import MODERATOR, NOW
from tests.crash.test_workers import GAMES, open_games
from tests.servers import postgres
from tests.store.conftest import _create

pytestmark = pytest.mark.xdist_group("crash")
_databases = itertools.count(1)


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with postgres.server() as address:
        yield address


@pytest.fixture
def url(server: str) -> str:
    name = f"sharing_{next(_databases)}"
    _create(server, name)
    moderator = open_games(server + name)
    letters = [
        Message(
            f"From: alice@pbem.example\r\nTo: moderator+{live.token('french').text()}@pbem.example\r\n"
            f"Message-ID: <{n}.{round}@x>\r\n\r\nstatus {round}\r\n".encode(),
            uidvalidity=1,
            uid=round * GAMES + n,
        )
        for round in range(2)
        for n in range(1, GAMES + 1)
        for live in [moderator.tables.at_hand(f"leipzig-{n}")]
    ]
    worker = Worker(server + name)
    worker.shared.record(letters, filed=True)
    worker.end()
    moderator.store.close()
    return server + name


class Worker:
    """One of several, without a mailbox."""

    def __init__(self, url: str) -> None:
        self.handled: list[Handled] = []
        self.store = Store.open(url)
        self.intake = Intake(self.store)
        moderator = Moderator(self.store, Settings(MODERATOR), lambda: NOW)
        daemon = Daemon(
            moderator,
            Secretary(moderator.campaign, None),
            cast(Inbox, None),
            cast(Outlet, None),
            source="crash",
            clock=lambda: NOW,
            on_letter=self.handled.append,
        )
        self.shared = Shared(daemon, self.intake)

    def games(self) -> list[str]:
        return [one.game for one in self.handled if one.status == "done"]

    def end(self) -> None:
        self.shared.close()
        self.store.close()


async def test_a_game_that_somebody_is_at_holds_up_no_other(url: str) -> None:
    busy, free = Worker(url), Worker(url)
    first = busy.intake.waiting()[0]
    with busy.intake.alone([first]) as begun:
        assert len(begun) == 1
        while await free.shared.handle_waiting():
            pass
        assert sorted(free.games()) == sorted(2 * [f"leipzig-{n}" for n in range(2, GAMES + 1)])
    while await free.shared.handle_waiting():
        pass
    assert free.games().count("leipzig-1") == 2
    assert busy.intake.waiting() == []
    busy.end()
    free.end()


async def test_a_game_is_handled_in_the_order_of_its_letters_whoever_handles_it(url: str) -> None:
    workers = [Worker(url) for _ in range(4)]
    done = True
    while done:
        done = any([bool(await worker.shared.handle_waiting()) for worker in workers])
    store = workers[0].store
    for n in range(1, GAMES + 1):
        rows = store.letters(f"leipzig-{n}")
        assert [row.status for row in rows] == ["done", "done"]
        replies = [row.in_reply_to for row in store.dispatches(f"leipzig-{n}", "french")[1:]]
        assert replies == [f"<{n}.0@x>", f"<{n}.1@x>"]
    assert sum(len(worker.games()) for worker in workers) == 2 * GAMES
    for worker in workers:
        worker.end()


async def test_the_locks_of_the_dead_are_free(url: str) -> None:
    dying, living = Worker(url), Worker(url)
    assert dying.shared.reads("inbox")
    assert not living.shared.reads("inbox")
    letters = dying.intake.waiting()
    held = dying.intake.alone(letters[:TOGETHER])
    assert len(held.__enter__()) == TOGETHER
    with living.intake.alone(letters) as begun:
        assert begun == []
    dying.end()
    # The server notices in its own time that a line has ended.
    async with asyncio.timeout(20):
        for _ in iter(lambda: living.shared.reads("inbox"), True):
            await asyncio.sleep(0.01)
    while await living.shared.handle_waiting():
        pass
    assert len(living.games()) == 2 * GAMES
    living.end()


def test_a_letter_of_which_somebody_died_goes_alone() -> None:
    from pbem.server.workers import _portions

    waiting = [Waiting(n, f"g{n}", tries=n == 5, size=10) for n in range(1, 13)]
    assert [[one.id for one in portion] for portion in _portions(waiting)] == [
        [1, 2, 3, 4],
        [5],
        [6, 7, 8, 9, 10, 11, 12],
    ]
    large = [Waiting(n, f"g{n}", tries=0, size=3_000_000) for n in range(3)]
    assert [len(portion) for portion in _portions(large)] == [1, 1, 1]
