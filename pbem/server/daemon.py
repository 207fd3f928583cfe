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

import msgspec

from pbem.campaign.intake import quarantine
from pbem.campaign.intake.moderator import Handled, Moderator
from pbem.campaign.outgoing.rendering import Secretary
from pbem.dice.beacon.client import Beacon
from pbem.dice.beacon.client import Unavailable as NoRound
from pbem.faults import noted
from pbem.letters.composing import ComposeError
from pbem.letters.message import Cursor, Message
from pbem.letters.posted import SOURCE
from pbem.post.backoff import backoff
from pbem.post.forum.reader import ForumInbox
from pbem.post.inbox import Inbox, InboxTrouble
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
LOOK_AGAIN = 2.0
"""So often it is looked whether another process, «pbem new» say, has put something into the outbox."""


def utc_now() -> datetime:
    """The wall clock."""
    return datetime.now(UTC)


class Daemon:
    """A mailbox, boards, an outlet, a store."""

    def __init__(
        self,
        moderator: Moderator,
        secretary: Secretary,
        inbox: Inbox | None,
        outlet: Outlet,
        *,
        boards: Sequence[ForumInbox] = (),
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
        moderator.campaign.writer = secretary
        self.inbox = inbox
        self.boards = tuple(boards)
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
        self._read_at: dict[str, datetime] = {}
        """When each source was last read to its end, by the board's name; mail has none."""
        self._down: set[str] = set()
        """Sources that cannot be read now: their players' clocks stand still, and nobody else's."""

    async def run(self) -> None:
        """Work until `stop`."""
        self._outgoing.set()
        with contextlib.suppress(StoreError):
            self._read_notes()
        workers = [asyncio.create_task(self._letters_out())]
        if self.inbox is not None:
            workers.append(asyncio.create_task(self._letters_in(self.inbox, self.source)))
        workers += [asyncio.create_task(self._letters_in(board, board.source)) for board in self.boards]
        if self._shared is not None:
            workers.append(asyncio.create_task(self._shared.work(self._stopping)))
        stopped = asyncio.create_task(self._stopping.wait())
        done, _ = await asyncio.wait([*workers, stopped], return_when=asyncio.FIRST_COMPLETED)
        self._stopping.set()
        self._outgoing.set()
        for inbox in self.inboxes():
            await inbox.close()
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

    def inboxes(self) -> list[Inbox]:
        """All sources of letters."""
        return [*([self.inbox] if self.inbox is not None else []), *self.boards]

    async def fetch(self) -> int:
        """Take in whatever lies in the mailbox; how many letters there were. Raises InboxTrouble, StoreError."""
        return await self._fetch(self.inbox, self.source) if self.inbox is not None else 0

    async def fetch_posts(self) -> int:
        """Take in what has been posted on all boards; how many posts. Raises InboxTrouble, StoreError."""
        return sum([await self._fetch(board, board.source) for board in self.boards])

    async def _fetch(self, inbox: Inbox, source: str) -> int:
        begun, board = self.clock(), _board(source)
        cursor = self.store.cursor(source)
        if isinstance(inbox, ForumInbox):
            stroke = self.store.next_game_at()
            inbox.hurry = stroke is not None and stroke <= begun
        try:
            count = await self._take_all(inbox, source, cursor)
        except InboxTrouble:
            self._down.add(board)
            raise
        if isinstance(inbox, ForumInbox) and inbox.mark != self.store.cursor(source).mark:
            self.store.set_cursor(source, Cursor(mark=inbox.mark))
        self._down.discard(board)
        self._read_at[board] = begun
        return count

    async def _take_all(self, inbox: Inbox, source: str, cursor: Cursor) -> int:
        count = 0
        batch: list[Message] = []
        refused: list[Message] = []
        async for found in inbox.letters(cursor):
            fetched = msgspec.structs.replace(found, source=source)
            if not count:
                self._wake(source)
            careful = self._careful > 0
            async with self._quiet if careful else contextlib.nullcontext():
                put_aside = careful and self._deadly(fetched)
                taken = await self._take_in(fetched, put_aside)
                if careful and not put_aside:
                    # Whatever ends the program from here on is not this letter, which only waits to be acknowledged.
                    self.store.survived(source)
                    self._begun = ""
            (batch if taken else refused).append(fetched)
            self._careful -= careful
            await asyncio.sleep(0)
            count += 1
            if careful or len(batch) + len(refused) >= BATCH:
                await self._stored(inbox, batch, refused)
                batch, refused = [], []
        await self._stored(inbox, batch, refused)
        if not count:
            self._wake(source)
        return count

    async def _take_in(self, fetched: Message, put_aside: bool) -> bool:
        """Handle a letter, or put it aside unread; False where it belongs to the refused."""
        if put_aside:
            self.put_aside(fetched)
            return False
        if self._prepare is not None:
            try:
                await asyncio.to_thread(self._prepare, fetched.raw)
            except Exception as error:
                # It is then read where it is handled, under the same guard.
                noted(logger, "a letter could not be read ahead", error)
        return self._shared is not None or self.take(fetched).status not in REFUSED

    async def _stored(self, inbox: Inbox, batch: list[Message], refused: list[Message]) -> None:
        """A batch is, or is now put, where no accident can reach it: the mailbox may know."""
        told_later = self._shared is not None and inbox.sorts
        if batch and self._shared is not None:
            self._shared.record(batch, filed=not told_later)
        try:
            if batch and not told_later:
                await inbox.acknowledge(batch)
            if refused:
                await inbox.acknowledge(refused, refused=True)
        except InboxTrouble as trouble:
            # A mailbox over its quota, say: it is untidy then, but its letters are known and the others can be read.
            logger.warning("letters cannot be marked or moved now: %s", trouble)

    def _deadly(self, fetched: Message) -> bool:
        """Whether a letter has ended the program so often that it is not to be read again.

        Such a letter is soon the first of every life: so only of a life's first letters, each acknowledged before
        the next, is it noted that they are begun.
        """
        digest = hashlib.sha256(fetched.raw).hexdigest()
        if digest == self._begun:
            return False
        tries = self.store.attempt(fetched.source, digest)
        self._begun = digest
        return tries > MOST_TRIES

    def put_aside(self, message: Message, letter_id: int | None = None) -> Handled:
        """Keep a letter that has ended the program, without reading it. Raises StoreError."""
        logger.error("a letter has ended the program %s times and is put aside unread", MOST_TRIES)
        handled = quarantine.put_aside(self.moderator.campaign, message, letter_id=letter_id)
        self._told(handled)
        return handled

    def _told(self, handled: Handled) -> None:
        """Whoever waits for what becomes of letters hears of it; what he does with it is no letter's fault."""
        self._outgoing.set()
        whose = f"{handled.game} {handled.seat}".strip() or "no game"
        logger.info("in %s: %s, %s", handled.letter, whose, handled.status)
        if self._on_letter is not None:
            try:
                self._on_letter(handled)
            except Exception as error:
                noted(logger, "what became of a letter could not be told", error)

    def _wake(self, source: str) -> None:
        """The source answers: give back the time in which it did not, before any letter is judged by it."""
        if self.moderator.timekeeper.wake(_board(source)):
            self._outgoing.set()

    async def draw(self) -> int:
        """Draw wherever a round of the beacon is awaited and there; for how many games. It never falls back."""
        done = 0
        if not self._beacons:
            return 0
        for game_id, number in self.moderator.timekeeper.awaiting():
            try:
                done += await self._draw(game_id, number)
            except StoreError:
                raise
            except Exception as error:
                noted(logger, f"the dice of {game_id} could not be played; they are tried again later", error)
        return done

    async def _draw(self, game_id: str, number: int) -> bool:
        """Draw for one game, if its round is there."""
        beacon = self._beacons.get(self.moderator.timekeeper.chain_of(game_id))
        if beacon is None:
            logger.warning("%s waits for a beacon that is not configured here", game_id)
            return False
        try:
            found = await beacon.arrived(number)
        except NoRound as late:
            logger.warning("%s waits for its dice: %s", game_id, late)
            return False
        self._outgoing.set()
        return self.moderator.timekeeper.draw(game_id, found)

    def tick(self) -> int:
        """Do what is due about games; for how many. Only after letters were taken in: they come first."""
        done = 0
        if self._shared is not None and self._shared.letters_wait():
            return 0
        while struck := self.moderator.timekeeper.tick(self._all_read_at(), self._down):
            done += struck
            self._outgoing.set()
        return done

    def _all_read_at(self) -> datetime | None:
        """Up to when every source that can be read has been read; None where there is only one: it just was."""
        if not self.boards:
            return None
        names = ["", *(board.board.name for board in self.boards)] if self.inbox is not None else []
        names = names or [board.board.name for board in self.boards]
        long_ago = datetime.min.replace(tzinfo=UTC)
        return min(
            (self._read_at.get(name, long_ago) for name in names if name not in self._down), default=None
        )

    def take(self, message: Message) -> Handled:
        """Handle a letter; one that the program cannot handle is kept for a person. Raises Unavailable alone.

        Three ways, each simpler than the one before: as it should be; kept, and its sender told; kept unread. Where
        none can be gone the letter stays in its mailbox, among the refused.
        """
        handled = Handled("fault")
        for way in (self._handle, self._keep, self._keep_unread):
            try:
                handled = way(message)
                break
            except Unavailable:
                raise
            except Exception as error:
                noted(logger, "a letter could not be processed and is kept", error)
        self._told(handled)
        return handled

    def _keep(self, message: Message) -> Handled:
        handled = self.moderator.keep(message)
        try:
            quarantine.tell_host(self.moderator.campaign, handled.letter, quarantine.FAULT)
        except StoreError:
            raise
        except Exception as error:
            noted(logger, "the host cannot be told of a letter", error)
        return handled

    def _keep_unread(self, message: Message) -> Handled:
        return quarantine.put_aside(self.moderator.campaign, message, why=quarantine.FAULT)

    def _handle(self, message: Message) -> Handled:
        try:
            return self.moderator.handle(message)
        except (OutOfStep, Conflict):
            # What was in memory did not fit the store; it has been dropped, and is read anew.
            return self.moderator.handle(message)

    async def _letters_in(self, inbox: Inbox, source: str) -> None:
        failures = 0
        while not self._stopping.is_set():
            try:
                if self._shared is not None and not self._shared.reads(source):
                    await self.draw()
                    self.tick()
                    await self._pause(TAKE_OVER)
                    continue
                await self._fetch(inbox, source)
                failures = 0
                await self.draw()
                self.tick()
                await inbox.wait(self._until_stroke(await self._filed(inbox)))
            except (InboxTrouble, StoreError) as trouble:
                failures += 1
                logger.warning("letters cannot be fetched now: %s", trouble)
                await self._pause(backoff(failures).total_seconds() if failures > 1 else TROUBLE_WAIT / 5)
            except Exception as error:
                # Whatever it is, it must not end the program: the next round begins anew.
                failures += 1
                noted(logger, "a round of letters broke off", error)
                await self._pause(min(TROUBLE_WAIT * failures, LONGEST_WAIT))

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
            except Exception as error:
                noted(logger, "sending broke off", error)
                wait = TROUBLE_WAIT
            await self._something_due(wait)

    async def _something_due(self, wait: float) -> None:
        """Wait so long at most, or until there is something to send; another process may have brought it."""
        until = asyncio.get_running_loop().time() + wait
        while (left := until - asyncio.get_running_loop().time()) > 0:
            try:
                async with asyncio.timeout(min(left, LOOK_AGAIN)):
                    await self._outgoing.wait()
                return
            except TimeoutError:
                with contextlib.suppress(StoreError):
                    due = self.store.outbox.next_due()
                    if due is not None and due <= self.clock():
                        return

    def _until_next(self) -> float:
        due = self.store.outbox.next_due()
        now = self.clock()
        if due is not None and due > now + LONGEST_DEFERRAL:
            self.store.outbox.hasten(now, now + LONGEST_DEFERRAL)
            return 0.0
        return self._until(due)

    async def _filed(self, inbox: Inbox) -> bool:
        """Tell the mailbox what became of letters that others have handled; whether none is left to tell of."""
        return self._shared is None or not inbox.sorts or not await self._shared.file(inbox)

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
        except ComposeError:
            # Nobody can ever write there.
            self._refused(row, "an address that cannot be written to")
            return None
        except Exception as error:
            noted(logger, f"letter {row.id} cannot be written; it is tried again later", error)
            self.store.outbox.mark_deferred(
                row.id, self.clock() + backoff(row.attempts), f"unwritten: {type(error).__name__}"
            )
            return None
        return raw

    async def _send(self, row: DispatchRow) -> None:
        assert row.raw is not None
        assert row.id is not None
        try:
            outcome = await self.outlet.send(row.raw, self.moderator.settings.address, [row.address])
        except Exception as error:
            noted(logger, f"letter {row.id} could not be offered; it is tried again later", error)
            outcome = Deferred(f"not offered: {type(error).__name__}")
        now = self.clock()
        if isinstance(outcome, Sent):
            self._taken.append(row)
            if len(self._taken) == 1:
                asyncio.get_running_loop().call_later(NOTE_TOGETHER, self._try_note_sent)
        elif isinstance(outcome, Deferred) and not (outcome.theirs and now - row.created_at > PATIENCE):
            logger.warning("out %s has to wait: %s", row.id, outcome.reason)
            pause = timedelta(seconds=outcome.wait) if outcome.wait else backoff(row.attempts + 1)
            self.store.outbox.mark_deferred(row.id, now + pause, outcome.reason)
        else:
            self._refused(row, outcome.reason)

    def _refused(self, row: DispatchRow, reason: str) -> None:
        """A letter can never be sent; whoever waits for its addressee is told."""
        assert row.id is not None
        logger.warning("out %s was refused for good: %s", row.id, reason)
        self.store.outbox.mark_refused(row.id, reason)
        try:
            self.moderator.timekeeper.undeliverable(row)
        except StoreError:
            raise
        except Exception as error:
            noted(logger, "nobody could be told that an address is lost", error)
        self._outgoing.set()

    def _note_sent(self) -> None:
        """Write down what the server has taken, all of it in one transaction."""
        rows = list(self._taken)
        if rows:
            self.store.outbox.all_sent((row.id for row in rows if row.id is not None), self.clock())
            del self._taken[: len(rows)]
            if self._sent is not None:
                self._sent.settled(row.message_id for row in rows)
            for row in rows:
                whose = f"{row.game_id or ''} {row.seat or ''}".strip() or "no game"
                logger.info("out %s: %s, %s, %s kB", row.id, whose, row.kind, len(row.raw or b"") // 1024)
                if self._on_sent is not None:
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


def _board(source: str) -> str:
    """The board of a source; empty for mail."""
    return source.removeprefix(SOURCE) if source.startswith(SOURCE) else ""
