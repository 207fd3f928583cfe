"""One life of the daemon, in a process of its own, that ends where it is told to: by SIGKILL, or with its work.

The points are put around the daemon's own steps from outside; the daemon knows nothing of them.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import wraps
from pathlib import Path
from typing import Any

import msgspec
from sqlmodel import func, select

from pbem.campaign.intake.moderator import Moderator, Settings
from pbem.campaign.outgoing.rendering import Secretary
from pbem.post.imap import ImapInbox
from pbem.post.outlet_thread import Beside
from pbem.post.sent import SentJournal
from pbem.post.settings import ImapSettings, SmtpSettings
from pbem.post.smtp import SmtpOutlet
from pbem.server import daemon as daemons
from pbem.server.daemon import Daemon
from pbem.store.intake import Intake
from pbem.store.journal import Journal
from pbem.store.outbox import Outbox
from pbem.store.store import Store
from pbem.store.tables import LetterRow

POINTS = (
    "fetched",
    "uncommitted",
    "committed",
    "acknowledged",
    "claimed",
    "rendered",
    "offered",
    "taken",
    "marked",
)
"""In the order in which a letter and its answer pass them: `uncommitted` has everything written and nothing
committed; `offered` is in the middle of the SMTP dialogue; `taken` is after the server's 250, before our note."""


class Plan(msgspec.Struct, frozen=True):
    """What a life needs to know."""

    url: str
    imap: ImapSettings
    smtp: SmtpSettings
    now: datetime
    letters: int
    """It ends when so many letters are handled and nothing waits to be sent."""
    point: str = ""
    count: int = 1
    shared: bool = False
    """One of several workers."""
    sent: str = ""
    """The folder for the sender's own notes."""
    lease: float = 2.0
    """For how many seconds a worker has a letter to send for itself."""


def live(plan: Plan) -> None:
    """Serve until the work is done, or until the plan's point is passed for the plan's time."""
    _plant(plan.point, plan.count, plan.url.startswith("sqlite"))
    asyncio.run(_serve(plan))


async def _serve(plan: Plan) -> None:
    daemons.CLAIM, daemons.TAKE_OVER = timedelta(seconds=plan.lease), 0.2
    store = Store.open(plan.url)
    moderator = Moderator(store, Settings(plan.imap.username), lambda: plan.now)
    sent = SentJournal(Path(plan.sent)) if plan.sent else None
    outlet = Beside(lambda: SmtpOutlet(plan.smtp, sent.note if sent else None))
    intake = Intake(store) if plan.shared else None
    inbox, secretary = ImapInbox(plan.imap), Secretary(moderator.campaign, None)
    daemon = Daemon(moderator, secretary, inbox, outlet, source="crash", intake=intake, sent=sent)
    loop = asyncio.get_running_loop()

    def look() -> None:
        if _done(store, plan.letters):
            daemon.stop()
        else:
            loop.call_later(0.02, look)

    look()
    await daemon.run()
    store.close()


def _done(store: Store, letters: int) -> bool:
    with store.reading() as session:
        handled = session.exec(select(func.count()).where(LetterRow.status != "new")).one()
        return handled >= letters and store.outbox.next_due() is None


class _Fuse:
    def __init__(self, point: str, count: int) -> None:
        self._point, self._left = point, count

    def __call__(self, name: str) -> None:
        if name == self._point:
            self._left -= 1
            if self._left == 0:
                os.kill(os.getpid(), signal.SIGKILL)


def _plant(point: str, count: int, sqlite: bool) -> None:
    passed = _Fuse(point, count)

    def after(owner: Any, name: str, label: str) -> None:
        plain: Callable[..., Any] = getattr(owner, name)

        @wraps(plain)
        def then(*arguments: Any, **named: Any) -> Any:
            result = plain(*arguments, **named)
            passed(label)
            return result

        @wraps(plain)
        async def then_async(*arguments: Any, **named: Any) -> Any:
            result = await plain(*arguments, **named)
            passed(label)
            return result

        setattr(owner, name, then_async if asyncio.iscoroutinefunction(plain) else then)

    after(ImapInbox, "_fetch", "fetched")
    # On PostgreSQL the commit goes out with the last statements; this is the last step before it.
    after(Journal, "close" if sqlite else "handled", "uncommitted")
    after(Moderator, "handle", "committed")
    after(ImapInbox, "acknowledge", "acknowledged")
    after(Outbox, "claim", "claimed")
    after(Outbox, "all_rendered", "rendered")
    after(SmtpOutlet, "_mail", "offered")
    after(SmtpOutlet, "send", "taken")
    after(Outbox, "all_sent", "marked")
