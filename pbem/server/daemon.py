"""The daemon: letters in, letters out, until told to stop.

Fetch, commit, acknowledge: a letter is acknowledged to its mailbox only after the journal has committed. Every
letter out keeps its Message-ID and its bytes through all retries. Killed at any point, it goes on where it was.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import logging
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta

from pbem.campaign.intake import quarantine
from pbem.campaign.intake.moderator import Handled, Moderator
from pbem.campaign.outgoing.rendering import Secretary
from pbem.dice.beacon.client import Beacon
from pbem.dice.beacon.client import Unavailable as NoRound
from pbem.faults import places
from pbem.post.backoff import backoff
from pbem.post.inbox import Cursor, Fetched, Inbox, InboxTrouble
from pbem.post.outcome import Deferred, Sent
from pbem.post.outlet_thread import Outlet
from pbem.post.sent import SentJournal
from pbem.server.workers import MOST_TRIES, Shared
from pbem.store.engine import Conflict, OutOfStep, StoreError, Unavailable
from pbem.store.intake import Intake
from pbem.store.store import Store
from pbem.store.tables import DispatchRow

logger = logging.getLogger("pbem")

CLAIM = timedelta(minutes=5)
LONGEST_WAIT = 300.0
PATIENCE = timedelta(days=5)
"""How long an address is tried whose server says «later» (RFC 5321, 4.5.4.1)."""
LONGEST_DEFERRAL = timedelta(hours=5)
"""No letter is put off for longer; if one seems to be, the clock was ahead when it was."""
BATCH = 50
CAREFUL = 10
"""Of so many letters, the first of a life, it is noted that they are begun: each life comes further than the last."""
TAKE_OVER = 2.0
FILE_AGAIN = 5.0
FAREWELL = 10.0
REFUSED = frozenset({"unknown", "ignored", "fault", "poison"})
NOTE_TOGETHER = 0.05
"""Letters taken within so many seconds are noted in one transaction; a crash meanwhile sends them again."""
TROUBLE_WAIT = 15.0


def utc_now() -> datetime:
    """The wall clock."""
    return datetime.now(UTC)


class Daemon:
    """One mailbox, one outlet, one store."""

    def __init__(
        self,
        moderator: Moderator,
        secretary: Secretary,
        inbox: Inbox,
        outlet: Outlet,
        *,
        source: str = "inbox",
        clock: Callable[[], datetime] = utc_now,
        on_letter: Callable[[Handled], None] | None = None,
        on_sent: Callable[[DispatchRow], None] | None = None,
        prepare: Callable[[bytes], None] | None = None,
        intake: Intake | None = None,
        beacon: Beacon | None = None,
        beacons: Sequence[Beacon] = (),
        sent: SentJournal | None = None,
    ) -> None:
        self.moderator = moderator
        self.secretary = secretary
        self.store: Store = moderator.store
        moderator.writer = secretary
        self.inbox = inbox
        self.outlet = outlet
        self.source = source
        self.clock = clock
        self._on_letter = on_letter
        self._on_sent = on_sent
        self._prepare = prepare
        asked = (*beacons, beacon) if beacon is not None else beacons
        self._beacons = {each.network.chain: each for each in asked}
        self._shared = Shared(self, intake) if intake is not None else None
        self._stopping = asyncio.Event()
        self._outgoing = asyncio.Event()
        self._careful = CAREFUL
        self._quiet = asyncio.Lock()
        """Held by whoever handles a letter with care, or sends meanwhile: a death of the one is not the other's."""
        self._begun = ""
        """The letter that was last noted, in this life."""
        self._sent = sent
        """What the outlet has noted, letter by letter; without one the outbox's own note has to do."""
        self._taken: list[DispatchRow] = []
        """Taken by the mail server, and not yet noted as sent."""

    async def run(self) -> None:
        """Work until `stop`."""
        self._outgoing.set()
        with contextlib.suppress(StoreError):
            self._read_notes()
        workers = [asyncio.create_task(self._letters_in()), asyncio.create_task(self._letters_out())]
        if self._shared is not None:
            workers.append(asyncio.create_task(self._shared.work(self._stopping)))
        stopped = asyncio.create_task(self._stopping.wait())
        done, _ = await asyncio.wait([*workers, stopped], return_when=asyncio.FIRST_COMPLETED)
        self._stopping.set()
        self._outgoing.set()
        await self.inbox.close()
        # A letter that the server has just taken must be noted as sent, or it would go out a second time.
        await asyncio.wait(workers, timeout=FAREWELL)
        for task in [*workers, stopped]:
            if task not in done:
                task.cancel()
        results = await asyncio.gather(*workers, stopped, return_exceptions=True)
        await self.outlet.close()
        if self._sent is not None:
            self._sent.close()
        if self._shared is not None:
            self._shared.close()
        for result in results:
            if isinstance(result, Exception):
                raise result

    def stop(self) -> None:
        """End `run` soon."""
        self._stopping.set()
        self._outgoing.set()

    async def fetch(self) -> int:
        """Take in whatever lies in the mailbox; how many letters there were. Raises InboxTrouble, StoreError."""
        at = self.store.cursor(self.source)
        cursor = Cursor(*at) if at else Cursor()
        count = 0
        batch: list[Fetched] = []
        refused: list[Fetched] = []
        async for fetched in self.inbox.letters(cursor):
            if not count:
                self._wake()
            careful = self._careful > 0
            async with self._quiet if careful else contextlib.nullcontext():
                put_aside = careful and self._deadly(fetched)
                taken = await self._take_in(fetched, put_aside)
                if careful and not put_aside:
                    # Whatever ends the program from here on is not this letter, which only waits to be acknowledged.
                    self.store.survived(self.source)
                    self._begun = ""
            (batch if taken else refused).append(fetched)
            self._careful -= careful
            await asyncio.sleep(0)
            count += 1
            if careful or len(batch) + len(refused) >= BATCH:
                await self._stored(batch, refused)
                batch, refused = [], []
        await self._stored(batch, refused)
        if not count:
            self._wake()
        return count

    async def _take_in(self, fetched: Fetched, put_aside: bool) -> bool:
        """Handle a letter, or put it aside unread; False where it belongs to the refused."""
        if put_aside:
            self._put_aside(fetched)
            return False
        if self._prepare is not None:
            await asyncio.to_thread(self._prepare, fetched.raw)
        return self._shared is not None or self._take(fetched).status not in REFUSED

    async def _stored(self, batch: list[Fetched], refused: list[Fetched]) -> None:
        """A batch is, or is now put, where no accident can reach it: the mailbox may know."""
        told_later = self._shared is not None and self.inbox.sorts
        if batch and self._shared is not None:
            self._shared.record(batch, filed=not told_later)
        try:
            if batch and not told_later:
                await self.inbox.acknowledge(batch)
            if refused:
                await self.inbox.acknowledge(refused, refused=True)
        except InboxTrouble as trouble:
            # A mailbox over its quota, say: it is untidy then, but its letters are known and the others can be read.
            logger.warning("letters cannot be marked or moved now: %s", trouble)

    def _deadly(self, fetched: Fetched) -> bool:
        """Whether a letter has ended the program so often that it is not to be read again.

        Such a letter is soon the first of every life: so only of a life's first letters, each acknowledged before
        the next, is it noted that they are begun.
        """
        digest = hashlib.sha256(fetched.raw).hexdigest()
        if digest == self._begun:
            return False
        tries = self.store.attempt(self.source, digest)
        self._begun = digest
        return tries > MOST_TRIES

    def _put_aside(self, fetched: Fetched) -> None:
        uid = fetched.uid or None
        self.put_aside(fetched.raw, fetched.uidvalidity if uid else None, uid)

    def put_aside(
        self, raw: bytes, validity: int | None = None, uid: int | None = None, letter_id: int | None = None
    ) -> Handled:
        """Keep a letter that has ended the program, without reading it. Raises StoreError."""
        logger.error("a letter has ended the program %s times and is put aside unread", MOST_TRIES)
        handled = quarantine.put_aside(
            self.moderator, raw, source=self.source, uidvalidity=validity, uid=uid, letter_id=letter_id
        )
        self._outgoing.set()
        if self._on_letter is not None:
            self._on_letter(handled)
        return handled

    def _wake(self) -> None:
        """The mailbox answers: give back the time in which it did not, before any letter is judged by it."""
        if self.moderator.wake():
            self._outgoing.set()

    async def draw(self) -> int:
        """Draw wherever a round of the beacon is awaited and there; for how many games. It never falls back."""
        done = 0
        if not self._beacons:
            return 0
        for game_id, number in self.moderator.awaiting():
            beacon = self._beacons.get(self.moderator.chain_of(game_id))
            if beacon is None:
                logger.warning("%s waits for a beacon that is not configured here", game_id)
                continue
            try:
                found = await beacon.arrived(number)
            except NoRound as late:
                logger.warning("%s waits for its dice: %s", game_id, late)
                continue
            try:
                done += self.moderator.draw(game_id, found)
            except StoreError:
                raise
            except Exception as error:
                logger.error(
                    "the dice of %s could not be played; they are tried again later: %s",
                    game_id,
                    places(error),
                )
            self._outgoing.set()
        return done

    def tick(self) -> int:
        """Do what is due about games; for how many. Only after letters were taken in: they come first."""
        done = 0
        if self._shared is not None and self._shared.letters_wait():
            return 0
        while struck := self.moderator.tick():
            done += struck
            self._outgoing.set()
        return done

    def _take(self, fetched: Fetched) -> Handled:
        uid = fetched.uid or None
        return self.take(fetched.raw, fetched.uidvalidity if uid else None, uid)

    def take(self, raw: bytes, validity: int | None = None, uid: int | None = None) -> Handled:
        """Handle a letter; one that the program cannot handle is kept for a person. Raises StoreError."""
        try:
            handled = self._handle(raw, validity, uid)
        except Unavailable:
            raise
        except Exception as error:
            logger.error("a letter could not be processed and is kept: %s", places(error))
            handled = self.moderator.keep(raw, source=self.source, uidvalidity=validity, uid=uid)
            quarantine.tell_host(self.moderator, handled.letter, quarantine.FAULT)
        self._outgoing.set()
        if self._on_letter is not None:
            self._on_letter(handled)
        return handled

    def _handle(self, raw: bytes, validity: int | None, uid: int | None) -> Handled:
        try:
            return self.moderator.handle(raw, source=self.source, uidvalidity=validity, uid=uid)
        except (OutOfStep, Conflict):
            # What was in memory did not fit the store; it has been dropped, and is read anew.
            return self.moderator.handle(raw, source=self.source, uidvalidity=validity, uid=uid)

    async def _letters_in(self) -> None:
        failures = 0
        while not self._stopping.is_set():
            try:
                if self._shared is not None and not self._shared.reads_mailbox():
                    await self.draw()
                    self.tick()
                    await self._pause(TAKE_OVER)
                    continue
                await self.fetch()
                failures = 0
                await self.draw()
                self.tick()
                await self.inbox.wait(self._until_stroke(await self._filed()))
            except (InboxTrouble, StoreError) as trouble:
                failures += 1
                logger.warning("letters cannot be fetched now: %s", trouble)
                await self._pause(backoff(failures).total_seconds() if failures > 1 else TROUBLE_WAIT / 5)

    async def _letters_out(self) -> None:
        while not self._stopping.is_set():
            self._outgoing.clear()
            try:
                while not self._stopping.is_set() and await self.send_due():
                    pass
                wait = self._until_next()
            except StoreError as trouble:
                logger.warning("the outbox cannot be read now: %s", trouble)
                wait = TROUBLE_WAIT
            try:
                async with asyncio.timeout(wait):
                    await self._outgoing.wait()
            except TimeoutError:
                continue

    def _until_next(self) -> float:
        due = self.store.outbox.next_due()
        now = self.clock()
        if due is not None and due > now + LONGEST_DEFERRAL:
            self.store.outbox.hasten(now, now + LONGEST_DEFERRAL)
            return 0.0
        return self._until(due)

    async def _filed(self) -> bool:
        """Tell the mailbox what became of letters that others have handled; whether none is left to tell of."""
        return self._shared is None or not self.inbox.sorts or not await self._shared.file()

    def _until_stroke(self, filed: bool = True) -> float:
        """How long to wait for letters: until the next deadline, reminder or notice at most."""
        wait = self._until(self.store.next_game_at())
        return wait if filed else min(wait, FILE_AGAIN)

    def _until(self, due: datetime | None) -> float:
        if due is None:
            return LONGEST_WAIT
        return min(LONGEST_WAIT, max(0.0, (due - self.clock()).total_seconds()))

    async def send_due(self, limit: int = 20) -> int:
        """Send what is due; how many letters were tried."""
        async with self._quiet if self._careful > 0 else contextlib.nullcontext():
            return await self._send_due(limit)

    async def _send_due(self, limit: int) -> int:
        now = self.clock()
        rows = self.store.outbox.claim(now, now + CLAIM, limit)
        if any(row.attempts > 1 for row in rows):
            # Somebody has begun with them before, and may have died after the server took them.
            known = self._read_notes()
            rows = [row for row in rows if row.message_id not in known]
        unwritten = [row for row in rows if row.raw is None]
        for row, raw in zip(
            unwritten, await asyncio.gather(*(self._written(row) for row in unwritten)), strict=True
        ):
            row.raw = raw
        self.store.outbox.all_rendered((row.id, row.raw) for row in unwritten if row.id and row.raw)
        try:
            await asyncio.gather(*(self._send(row) for row in rows if row.raw is not None))
        finally:
            self._note_sent()
        return len(rows)

    async def _written(self, row: DispatchRow) -> bytes | None:
        """The dispatch as a letter. One that cannot be written waits, and stops no other."""
        assert row.id is not None
        try:
            raw = await self.secretary.write(row)
        except StoreError:
            raise
        except Exception as error:
            logger.error("letter %s cannot be written; it is tried again later: %s", row.id, places(error))
            self.store.outbox.mark_deferred(
                row.id, self.clock() + backoff(row.attempts), f"unwritten: {error}"
            )
            return None
        return raw

    async def _send(self, row: DispatchRow) -> None:
        assert row.raw is not None
        assert row.id is not None
        outcome = await self.outlet.send(row.raw, self.moderator.settings.address, [row.address])
        now = self.clock()
        if isinstance(outcome, Sent):
            self._taken.append(row)
            if len(self._taken) == 1:
                asyncio.get_running_loop().call_later(NOTE_TOGETHER, self._try_note_sent)
        elif isinstance(outcome, Deferred) and not (outcome.theirs and now - row.created_at > PATIENCE):
            logger.warning("a letter has to wait: %s", outcome.reason)
            self.store.outbox.mark_deferred(row.id, now + backoff(row.attempts + 1), outcome.reason)
        else:
            logger.warning("a letter was refused for good: %s", outcome.reason)
            self.store.outbox.mark_refused(row.id, outcome.reason)
            self.moderator.undeliverable(row)
            self._outgoing.set()

    def _note_sent(self) -> None:
        """Write down what the server has taken, all of it in one transaction."""
        rows = list(self._taken)
        if rows:
            self.store.outbox.all_sent((row.id for row in rows if row.id is not None), self.clock())
            del self._taken[: len(rows)]
            if self._sent is not None:
                self._sent.settled(row.message_id for row in rows)
            for row in rows if self._on_sent is not None else ():
                assert self._on_sent is not None
                self._on_sent(row)

    def _read_notes(self) -> set[str]:
        """Tell the outbox what the dead have noted as taken."""
        left = self._sent.left_behind() if self._sent is not None else {}
        taken = {message_id for lines in left.values() for message_id in lines}
        if taken:
            self.store.outbox.sent_by_name(taken, self.clock())
        if self._sent is not None:
            self._sent.forget(left)
        return taken

    def _try_note_sent(self) -> None:
        # A store in trouble is met again, and dealt with, at the end of the batch.
        with contextlib.suppress(StoreError):
            self._note_sent()

    async def _pause(self, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self._stopping.wait()
        except TimeoutError:
            return
