"""What a seat's letter asks for is done: the game changes, and everyone whom it concerns is written to."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from datetime import datetime, timedelta

import msgspec

from pbem.campaign.campaign import Campaign
from pbem.campaign.commands.attendance import PLAYERS
from pbem.campaign.commands.game_master.by_letter import MASTERS
from pbem.campaign.commands.game_master.objections import OBJECTIONS
from pbem.campaign.commands.history import LOOKING_BACK
from pbem.campaign.commands.press import PRESS
from pbem.campaign.commands.standing import STANDING
from pbem.campaign.commands.votes import VOTES
from pbem.campaign.commands.why import REASONS
from pbem.campaign.deadlines import clock, missed
from pbem.campaign.intake import held_letters
from pbem.campaign.intake.letter_result import Outcome
from pbem.campaign.intake.seat_letter import Errands
from pbem.campaign.outgoing.dispatch import Note
from pbem.campaign.table.tables import THREAD, Live
from pbem.campaign.table.transaction import Turn
from pbem.kernel.game import SUBSTITUTE
from pbem.letters.letter import Letter
from pbem.store.journal import Journal

REQUESTS = PLAYERS | MASTERS | LOOKING_BACK | REASONS | PRESS | STANDING | OBJECTIONS | VOTES


class Taken(msgspec.Struct, frozen=True):
    """What came of a letter that is a seat's own."""

    held: bool
    """Whether a part of it is held."""
    anything: bool
    """Whether anything at all was done."""
    receipt: int = 0
    """The number of the log entry that is the receipt of its orders."""


class SeatLetters:
    """Takes letters that are known to be their seats' own."""

    def __init__(self, campaign: Campaign, read: Callable[[bytes], Letter]) -> None:
        self._campaign = campaign
        self.read = read
        self._answered: dict[str, deque[datetime]] = {}
        """When letters that moved nothing were last answered, by address."""

    def take(
        self,
        journal: Journal,
        live: Live,
        seat: str,
        letter: Letter,
        letter_id: int,
        sift: Callable[[Live, Letter, Outcome], None] | None = None,
    ) -> Taken:
        """Do what a letter says, and answer it. `sift` takes out what does not count where it was written."""
        errands = Errands(self._campaign.store, live, seat, journal.at, REQUESTS)
        outcome = errands.run(letter)
        turn = Turn(self._campaign, journal, live, letter_id)
        if letter.posted is not None and letter.posted.at is not None:
            turn.written = min(journal.at, letter.posted.at)
        by_substitute = letter.sender == live.person(seat).substitute
        if not by_substitute and seat in live.seats:
            missed.heard(turn, seat)
        elsewhere = letter.sender != live.people[seat].address and not by_substitute
        if elsewhere and seat != THREAD:
            turn.copies[seat] = letter.sender
        if sift is not None:
            sift(live, letter, outcome)
        held = outcome.held
        if held:
            outcome.notes.append(Note("held_commands", {"n": letter_id, "commands": held}))
        if outcome.confirmed:
            errands = self._confirmed(journal, live, seat, outcome.confirmed)
            outcome = errands.outcome
        if live.affairs.awaited is not None:
            _keep_until_drawn(turn, seat, letter, outcome)
        turn.change(seat, letter.digest, outcome)
        for deed in outcome.deeds:
            deed(turn)
        if by_substitute:
            outcome.givens = [msgspec.structs.replace(given, origin=SUBSTITUTE) for given in outcome.givens]
        _answers(turn, errands, seat, letter)
        if turn.moved or turn.receipt is not None or self._patient(letter.sender, journal.at, outcome):
            turn.answer(seat, letter, outcome)
        turn.write()
        anything = turn.moved or turn.receipt is not None or bool(outcome.deeds or outcome.sections)
        kept = any(note.code.startswith("kept_back") for note in outcome.notes)
        return Taken(bool(held), anything or kept, turn.receipt.n if turn.receipt is not None else 0)

    def _confirmed(self, journal: Journal, live: Live, seat: str, number: int) -> Errands:
        """A held letter that its player has vouched for takes the place of the letter that vouches."""
        errands = Errands(self._campaign.store, live, seat, journal.at, REQUESTS)
        row = self._campaign.store.letter(number)
        if row is None or not held_letters.is_held(row, live, seat):
            errands.outcome.notes.append(Note("held_what", {"n": number}))
            return errands
        journal.handled(number, "done", seat=seat, note="confirmed")
        errands.outcome.notes.append(Note("confirmed", {"n": number}))
        part = held_letters.is_part_held(row, live, seat)
        errands.freed = not part
        errands.run(self.read(row.raw), vouched=part)
        errands.outcome.confirmed = 0
        return errands

    def _patient(self, address: str, now: datetime, outcome: Outcome) -> bool:
        """Whether a letter that moves nothing is answered: so many an hour, the last with a word of warning."""
        most = self._campaign.settings.letters_per_hour
        times = self._answered.setdefault(address, deque(maxlen=most + 1))
        while times and times[0] <= now - timedelta(hours=1):
            times.popleft()
        times.append(now)
        if len(times) == most:
            outcome.notes.append(Note("too_many_letters"))
        return len(times) <= most


def _keep_until_drawn(turn: Turn, seat: str, letter: Letter, outcome: Outcome) -> None:
    """While dice wait for their round nobody can change anything: orders are kept until they are drawn."""
    if outcome.givens:
        turn.keep(seat, letter.digest, outcome.givens)
        outcome.notes.append(Note("awaiting_kept"))
    if outcome.standing is not None or outcome.resigned:
        outcome.notes = [note for note in outcome.notes if note.code not in ("standing_set", "resigned")]
        outcome.notes.append(Note("awaiting_busy"))
    outcome.givens, outcome.standing, outcome.resigned = [], None, False


def _answers(turn: Turn, errands: Errands, seat: str, letter: Letter) -> None:
    """The orders of a letter: into the game, or kept back where the seat waits."""
    live, outcome = turn.live, errands.outcome
    waits = seat in live.affairs.waiting if outcome.wait is None else outcome.wait
    if outcome.givens and waits:
        turn.keep(seat, letter.digest, outcome.givens)
        due = clock.deadline_of(live, seat)
        outcome.notes.append(Note("kept_back" if due is not None else "kept_back_open"))
    elif outcome.givens:
        turn.order(seat, letter.digest, outcome.givens)
        while outcome.later and live.affairs.awaited is None and errands.follow_up():
            turn.order(seat, letter.digest, outcome.givens)
    elif outcome.resigned:
        turn.resign(seat)
    for n, note in enumerate(outcome.notes):
        if note.code == "sealed" and note.params.get("key") not in live.game.questions:
            outcome.notes[n] = msgspec.structs.replace(note, code="taken")
    if outcome.later:
        outcome.notes.append(Note("nothing_open", {"lines": "; ".join(outcome.later[:5])}))
