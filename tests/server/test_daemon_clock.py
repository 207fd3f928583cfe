"""The daemon's clock: letters first, then deadlines; it sleeps until the next stroke and gives lost time back."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import cast

from pbem.campaign.outgoing.rendering import Secretary
from pbem.letters.message import Cursor, Message
from pbem.post.inbox import InboxTrouble
from pbem.post.smtp import SmtpOutlet
from pbem.server.daemon import LONGEST_WAIT, Daemon
from tests.campaign.conftest import Desk, timed

__all__ = ["timed"]


NOW = datetime(2026, 1, 1, tzinfo=UTC)


class Box:
    """A mailbox that holds what is put in, or does not answer."""

    def __init__(self) -> None:
        self.raws: list[bytes] = []
        self.down = False

    async def letters(self, cursor: Cursor) -> AsyncIterator[Message]:
        if self.down:
            raise InboxTrouble("no answer")
        for n, raw in enumerate(self.raws, 1):
            yield Message(raw, uidvalidity=1, uid=n)

    async def acknowledge(self, fetched: Sequence[Message]) -> None:
        self.raws = []

    async def wait(self, seconds: float) -> None:
        return None

    async def close(self) -> None:
        return None


def daemon_of(desk: Desk, box: Box) -> Daemon:
    moderator = desk.moderator
    outlet = cast(SmtpOutlet, None)
    return Daemon(moderator, Secretary(moderator.campaign, None), box, outlet, clock=lambda: desk.now)  # type: ignore[arg-type]


async def test_it_sleeps_until_the_next_stroke_and_no_longer(timed: Desk) -> None:
    daemon = daemon_of(timed, Box())
    assert daemon._until_stroke() == LONGEST_WAIT
    timed.now += timedelta(hours=41, minutes=58)
    assert daemon._until_stroke() == 120.0
    timed.now += timedelta(hours=3)
    assert daemon._until_stroke() == 0.0
    await daemon.fetch()
    assert daemon.tick() == 1
    assert daemon._until_stroke() == LONGEST_WAIT


async def test_a_letter_that_came_while_the_mailbox_was_down_is_not_late(timed: Desk) -> None:
    box = Box()
    daemon = daemon_of(timed, box)
    await daemon.fetch()
    timed.now += timedelta(hours=40)
    timed.store.beat("letters", timed.now)
    box.raws = [timed.letter("french", "1")]
    timed.now += timedelta(hours=30)
    await daemon.fetch()
    daemon.tick()
    record = timed.live.record("french")
    assert (record.on_time, record.late, record.missed) == (1, 0, 0)
