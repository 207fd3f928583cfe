"""An outlet in a thread of its own does what it does, there."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence

from pbem.post.embedded import EmbeddedPost
from pbem.post.outcome import Deferred, Outcome, Sent
from pbem.post.outlet_thread import Beside
from pbem.post.smtp import SmtpOutlet
from tests.post.conftest import ALICE, MODERATOR

RAW = b"From: alice@pbem.example\r\nSubject: hi\r\n\r\npass\r\n"


class Counter:
    """Notes which thread works."""

    def __init__(self) -> None:
        self.threads: set[threading.Thread] = set()
        self.done = threading.Event()
        self.closed = False

    async def send(self, raw: bytes, sender: str, recipients: Sequence[str]) -> Outcome:
        await asyncio.sleep(0)
        self.threads.add(threading.current_thread())
        self.done.set()
        return Sent(raw.decode())

    async def close(self) -> None:
        self.closed = True


async def test_letters_go_out_while_the_daemon_is_at_something_else() -> None:
    outlet = Counter()
    beside = Beside(lambda: outlet)
    sending = asyncio.create_task(beside.send(b"one", ALICE, [MODERATOR]))
    await asyncio.sleep(0)
    # Nothing else can happen in this thread meanwhile.
    assert outlet.done.wait(10)
    assert await sending == Sent("one")
    assert threading.current_thread() not in outlet.threads
    await beside.close()
    assert outlet.closed
    assert not [thread for thread in outlet.threads if thread.is_alive()]


async def test_a_real_outlet_beside(post: EmbeddedPost) -> None:
    beside = Beside(lambda: SmtpOutlet(post.smtp_settings(ALICE)))
    outcomes = await asyncio.gather(*(beside.send(RAW, ALICE, [MODERATOR]) for _ in range(5)))
    assert all(isinstance(outcome, Sent) for outcome in outcomes)
    await beside.close()
    await beside.close()
    assert isinstance(await beside.send(RAW, ALICE, [MODERATOR]), Deferred)
    assert len(post.messages(MODERATOR)) == 5


async def test_one_that_was_never_used_ends_too() -> None:
    outlet = Counter()
    await Beside(lambda: outlet).close()
    assert outlet.closed
