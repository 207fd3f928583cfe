"""Timekeeping: what is due about games without a letter: deadlines, rounds of the beacon, lost time, lost addresses."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection
from datetime import datetime, timedelta

from pbem.campaign.campaign import Campaign
from pbem.campaign.commands import votes
from pbem.campaign.commands.game_master import objections
from pbem.campaign.deadlines import reminders
from pbem.campaign.signup.beginning import welcome
from pbem.campaign.signup.joining import Joining
from pbem.campaign.table.tables import Affairs
from pbem.campaign.table.transaction import Turn
from pbem.dice.draw.croupier import Round
from pbem.faults import noted
from pbem.letters.posted import board_of
from pbem.store.engine import StoreError
from pbem.store.tables import DispatchRow

logger = logging.getLogger(__name__)

PULSE = "letters"
_BEAT = timedelta(minutes=1)
_SET_BACK = timedelta(minutes=5)
_ROUND_LATE = timedelta(seconds=30)
_LATER = timedelta(hours=1)
_DEAF = timedelta(minutes=2)


class Timekeeper:
    """Does what is due about the games of a campaign without a letter."""

    def __init__(self, campaign: Campaign) -> None:
        self._campaign = campaign
        self._store = campaign.store
        self._joining = Joining(campaign)

    def tick(self, upto: datetime | None = None, down: Collection[str] = ()) -> int:
        """Do whatever is due about games, each in a transaction of its own; for how many games.

        `upto`: only what was due by then, for later letters may not have been read. `down`: boards (mail is called
        «») that cannot be read now; the games of their players wait.
        """
        now = self._campaign.clock()
        due = self._store.due_games(now if upto is None else min(now, upto))
        for game_id in due:
            try:
                if not self._waits(game_id, now, down):
                    self._strike(game_id, now)
            except StoreError:
                raise
            except Exception as error:
                noted(logger, f"the clock of {game_id} struck, and something broke", error)
                self._strike_one_by_one(game_id, now)
        return len(due)

    def _waits(self, game_id: str, now: datetime, down: Collection[str]) -> bool:
        """Whether a game has a player who cannot be heard now; it is then looked at again later."""
        if not down or not any(board_of(row.address) in down for row in self._store.seats(game_id).values()):
            return False
        with self._campaign.transaction(game_id, now) as journal:
            journal.update(next_at=now + _DEAF)
        return True

    def _strike(self, game_id: str, now: datetime, only: str | None = None) -> None:
        """What is due about a game, or about one of its seats alone."""
        with self._campaign.transaction(game_id, now) as journal:
            if journal.position.status == "open":
                self._joining.strike(journal, self._store.game(game_id))
                return
            live = self._campaign.tables.table(game_id, journal)
            if live.affairs.awaited is not None:
                journal.update(next_at=max(now, live.affairs.awaited.at) + _ROUND_LATE)
                return
            turn = Turn(self._campaign, journal, live, letter_id=None)
            if only is None:
                objections.fall_due(turn)
                votes.lapse(turn)
            reminders.strike(turn, only)
            turn.write()

    def _strike_one_by_one(self, game_id: str, now: datetime) -> None:
        """A stroke that fails for one seat does not hold up the others; it is tried again later."""
        for seat in sorted(self._store.seats(game_id)):
            try:
                self._strike(game_id, now, seat)
            except StoreError:
                raise
            except Exception as error:
                noted(logger, f"the clock of {seat} in {game_id} is tried again later", error)
        with self._campaign.transaction(game_id, now) as journal:
            journal.update(next_at=now + _LATER)

    def awaiting(self) -> list[tuple[str, int]]:
        """The games whose dice wait for a round that should be there by now, and the round of each."""
        found = []
        for game_id in self._store.due_games(self._campaign.clock()):
            awaited = self._store.game(game_id).read(Affairs).awaited
            if awaited is not None and awaited.at <= self._campaign.clock():
                found.append((game_id, awaited.round))
        return found

    def chain_of(self, game_id: str) -> str:
        """The chain hash of the beacon that a game's dice hang on; empty in `chain` mode."""
        source = self._store.game(game_id).read(Affairs).source
        return str(source["beacon"]["chain"]) if source else ""

    def draw(self, game_id: str, beacon: Round) -> bool:
        """The round that a game's dice wait for is there: draw, and go on. False where it waits for another."""
        with self._campaign.transaction(game_id) as journal:
            live = self._campaign.tables.table(game_id, journal)
            awaited = live.affairs.awaited
            if awaited is None or awaited.round != beacon.number:
                return False
            turn = Turn(self._campaign, journal, live, letter_id=None)
            if turn.draw(beacon):
                genesis = next(self._store.entries(game_id)).body
                welcome(turn, genesis)
            turn.spread()
            turn.write()
        return True

    def wake(self, board: str = "") -> timedelta:
        """Note that letters, or a board's posts, can be taken in now; lost time is given back to their writers.

        Called before the letters themselves, so that nobody is late by our fault. Returns the time given back.
        """
        now = self._campaign.clock()
        pulse = f"{PULSE}@{board}" if board else PULSE
        before = self._store.pulse(pulse)
        lost = now - before if before is not None else timedelta()
        if lost <= -_SET_BACK:
            self._in_all_games(now, lambda turn: reminders.set_back(turn, -lost))
            logger.warning("the clock was set back by %s; no deadline moves", -lost)
        if lost < self._campaign.settings.outage:
            if before is None or lost < timedelta() or lost >= _BEAT:
                self._store.beat(pulse, now)
            return timedelta()
        self._in_all_games(now, lambda turn: reminders.give_back(turn, lost, board))
        # Last: whoever dies before this gives time back twice rather than not at all.
        self._store.beat(pulse, now)
        logger.warning("no letters could be taken in for %s; all deadlines move", lost)
        return lost

    def _in_all_games(self, now: datetime, change: Callable[[Turn], None]) -> None:
        """Something about the clock that concerns every game with a calendar."""
        for row in self._store.games("running"):
            if row.read(Affairs).calendar is None:
                continue
            try:
                with self._campaign.transaction(row.id, now) as journal:
                    turn = Turn(
                        self._campaign, journal, self._campaign.tables.table(row.id, journal), letter_id=None
                    )
                    change(turn)
                    turn.write()
            except StoreError:
                raise
            except Exception as error:
                # No other game waits for this one.
                noted(logger, f"the deadlines of {row.id} could not be moved", error)

    def undeliverable(self, row: DispatchRow) -> None:
        """A letter of ours was refused for good by the server of its addressee."""
        self.came_back(row.address)

    def came_back(self, address: str) -> None:
        """Letters to an address do not arrive: its seats' clocks stand still, and everyone sees why."""
        now = self._campaign.clock()
        for row in self._store.seats_at(address):
            if self._store.game(row.game_id).status != "running":
                continue
            with self._campaign.transaction(row.game_id, now) as journal:
                turn = Turn(
                    self._campaign, journal, self._campaign.tables.table(row.game_id, journal), letter_id=None
                )
                reminders.unreachable(turn, row.seat)
                turn.write()
