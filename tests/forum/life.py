"""One life of a daemon that posts what lies in its outbox: a process of its own, to be killed at any moment.

python -m tests.forum.life STORE BOARD-URL PASSWORD NUMBER-OF-THE-LIFE
"""

from __future__ import annotations

import asyncio
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

from pbem.campaign.intake.moderator import Moderator, Settings
from pbem.campaign.outgoing.rendering import Secretary
from pbem.post.exchange import Exchange
from pbem.post.forum.misago import Misago
from pbem.post.forum.writer import ForumOutlet
from pbem.post.sent import SentJournal
from pbem.server.daemon import Daemon
from pbem.server.topics import Topics
from pbem.store.store import Store


async def live(url: str, board_url: str, password: str, life: int) -> None:
    """Send what is due, and say when everything is sent. What another life has claimed is free again by now."""
    store = Store.open(url)
    board = Misago("consim", board_url, "pbem", password)

    def clock() -> datetime:
        return datetime.now(UTC) + timedelta(minutes=10 * life)

    moderator = Moderator(store, Settings("moderator@pbem.test"), clock)
    notes = SentJournal(Path(url.removeprefix("sqlite:///") + "-sent"))
    outlet = Exchange(None, {"consim": ForumOutlet(board, Topics(store), notes.note)})
    secretary = Secretary(moderator.campaign, None, boards={"consim": board})
    daemon = Daemon(moderator, secretary, None, outlet, clock=clock, sent=notes)
    print("begun", flush=True)
    while await daemon.send_due():
        pass
    print("all sent" if store.outbox.next_due() is None else "some wait", flush=True)
    await board.close()


if __name__ == "__main__":
    asyncio.run(live(*sys.argv[1:4], int(sys.argv[4])))
