"""Several daemons on one PostgreSQL: one reads the mailbox, all handle letters, the living take over from the dead.

A letter is recorded with the game that it says it is about. A worker takes the first waiting letter of a game while
it holds that game's lock, so that a game's letters are handled one after the other and no game waits for another.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from pbem.campaign import desk
from pbem.letters.reading import read
from pbem.post.inbox import Fetched
from pbem.store.engine import StoreError
from pbem.store.intake import Intake, Recording

if TYPE_CHECKING:
    from pbem.daemon import Daemon

logger = logging.getLogger("pbem")

LOOK_AGAIN = 0.5
TROUBLE_WAIT = 5.0


class Shared:
    """A daemon's part in the common work."""

    def __init__(self, daemon: Daemon, intake: Intake) -> None:
        self._daemon = daemon
        self._intake = intake
        self._incoming = asyncio.Event()
        self._at_hand: set[str | None] = set()
        self._mailbox = f"pbem-mailbox/{daemon.source}"

    def reads_mailbox(self) -> bool:
        """Whether it is this worker that reads the mailbox; asked again each time, for the lock can be lost."""
        return self._intake.holds(self._mailbox)

    def record(self, batch: list[Fetched]) -> None:
        """Put a batch into the store, for whoever is free."""
        moderator = self._daemon.moderator
        letters = []
        for fetched in batch:
            letter = read(fetched.raw, own_address=moderator.settings.address)
            sender = desk.identify(letter, moderator.store)
            uid = fetched.uid or None
            validity = fetched.uidvalidity if uid else None
            letters.append(
                Recording(fetched.raw, letter.digest, letter.message_id, sender.game, validity, uid)
            )
        self._intake.record(letters, self._daemon.source, moderator.clock())
        self._incoming.set()

    def letters_wait(self) -> bool:
        """Whether letters have been recorded that nobody has handled yet."""
        return bool(self._intake.waiting(1))

    async def work(self, stopping: asyncio.Event) -> None:
        """Handle letters until told to stop."""
        while not stopping.is_set():
            self._incoming.clear()
            pause = LOOK_AGAIN
            try:
                if await self.handle_waiting(stopping):
                    continue
            except StoreError as trouble:
                logger.warning("letters cannot be handled now: %s", trouble)
                pause = TROUBLE_WAIT
            try:
                async with asyncio.timeout(pause):
                    await self._incoming.wait()
            except TimeoutError:
                continue

    async def handle_waiting(self, stopping: asyncio.Event | None = None) -> int:
        """Handle the first waiting letter of each game that nobody else is at; how many there were."""
        daemon = self._daemon
        done = 0
        # Games at hand first: another worker would have to take them up.
        waiting = sorted(self._intake.waiting(), key=lambda one: one[1] not in self._at_hand)
        for letter_id, game in waiting:
            if stopping is not None and stopping.is_set():
                break
            with self._intake.alone(f"pbem-game/{game}" if game else f"pbem-letter/{letter_id}") as mine:
                row = daemon.store.letter(letter_id) if mine else None
                if row is not None and row.status == "new":
                    daemon.take(row.raw)
                    self._at_hand.add(game)
                    done += 1
            await asyncio.sleep(0)
        return done

    def close(self) -> None:
        """Let go of every lock."""
        self._intake.close()
