"""Several daemons on one PostgreSQL: one reads the mailbox, all handle letters, the living take over from the dead.

A letter is recorded with the game that it says it is about. A worker takes the first waiting letters of some games
while it holds those games' locks, so that a game's letters are handled one after the other and no game waits for
another. A letter of which a worker has died is taken alone, and put aside when several have.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from pbem.campaign.intake import sender as senders
from pbem.faults import noted
from pbem.letters.message import Message
from pbem.post.inbox import Inbox
from pbem.store.engine import StoreError
from pbem.store.intake import Intake, Recording, Waiting

if TYPE_CHECKING:
    from pbem.server.daemon import Daemon

logger = logging.getLogger("pbem")

LOOK_AGAIN = 0.5
TROUBLE_WAIT = 5.0
TOGETHER = 8
"""Letters, each of another game, that are taken and given back together."""
TOGETHER_BYTES = 4 * 1024 * 1024
MOST_TRIES = 8
"""A letter that was begun so often, and never ended, is put aside. Deaths by chance do not hit one so often."""


class Shared:
    """A daemon's part in the common work."""

    def __init__(self, daemon: Daemon, intake: Intake) -> None:
        self._daemon = daemon
        self._intake = intake
        self._incoming = asyncio.Event()
        self._at_hand: set[str | None] = set()
        self._begun: set[int] = set()
        """Letters that this worker has begun, did not get to the end of, and did not die of."""

    def reads(self, source: str) -> bool:
        """Whether it is this worker that reads a source; asked again each time, for the lock can be lost."""
        return self._intake.holds(f"pbem-mailbox/{source}")

    def record(self, batch: Sequence[Message], *, filed: bool) -> None:
        """Put a batch into the store, for whoever is free; unless `filed`, the mailbox is told later of its fate."""
        moderator = self._daemon.moderator
        letters = []
        for fetched in batch:
            letters.append(Recording(fetched, *self._claims(fetched.raw)))
        self._intake.record(letters, moderator.campaign.clock(), filed=filed)
        self._incoming.set()

    def _claims(self, raw: bytes) -> tuple[str, str, str]:
        """What a letter is known by, and the game that it says it is about. One that cannot be read says nothing."""
        moderator = self._daemon.moderator
        try:
            letter = moderator.read(raw)
            return letter.digest, letter.message_id, senders.identify(letter, moderator.store).game
        except StoreError:
            raise
        except Exception as error:
            noted(logger, "a letter cannot be read; it is recorded all the same", error)
            return hashlib.sha256(raw).hexdigest(), "", ""

    def letters_wait(self) -> bool:
        """Whether letters have been recorded that nobody has handled yet."""
        return bool(self._intake.waiting(1))

    async def file(self, inbox: Inbox) -> bool:
        """Tell the mailbox what became of its letters; whether there are others to tell of later."""
        source = self._daemon.source
        while letters := self._intake.unfiled(source):
            for refused in (False, True):
                told = [
                    Message(b"", source, one.uidvalidity or 0, one.uid or 0)
                    for one in letters
                    if one.refused is refused
                ]
                if told:
                    await inbox.acknowledge(told, refused=refused)
            self._intake.filed(letters)
        return self._intake.any_unfiled(source)

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
            except Exception as error:
                noted(logger, "handling letters broke off", error)
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
        waiting = sorted(self._intake.waiting(), key=lambda one: one.game not in self._at_hand)
        for letters in _portions(waiting):
            if stopping is not None and stopping.is_set():
                break
            with self._intake.alone(letters) as begun:
                games = {one.id: one.game for one in letters}
                deadly = {one.id for one in begun if one.tries >= MOST_TRIES} - self._begun
                for letter in begun:
                    self._begun.add(letter.id)
                    message = Message(letter.raw, letter.source)
                    if letter.id in deadly:
                        daemon.put_aside(message, letter.id)
                    else:
                        self._intake.begin(letter)
                        daemon.take(message)
                    self._begun.discard(letter.id)
                    self._at_hand.add(games[letter.id])
                    done += 1
                    await asyncio.sleep(0)
        return done

    def close(self) -> None:
        """Let go of every lock."""
        self._intake.close()


def _portions(waiting: Sequence[Waiting]) -> Iterator[list[Waiting]]:
    """A few letters at a time; one of which somebody may have died goes alone, and takes no other with it."""
    portion: list[Waiting] = []
    size = 0
    for letter in waiting:
        full = len(portion) >= TOGETHER or size + letter.size > TOGETHER_BYTES
        if portion and (full or letter.tries):
            yield portion
            portion, size = [], 0
        portion.append(letter)
        size += letter.size
        if letter.tries:
            yield portion
            portion, size = [], 0
    if portion:
        yield portion
