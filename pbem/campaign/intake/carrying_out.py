"""What a seat's letter asks for is done: the game changes, and everyone whom it concerns is written to."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from datetime import datetime, timedelta

import msgspec

from pbem.campaign.campaign import Campaign
from pbem.campaign.commands.history import last_report
from pbem.campaign.commands.registry import COMMANDS
from pbem.campaign.deadlines import clock, missed
from pbem.campaign.intake import held_letters
from pbem.campaign.intake.letter_result import LetterResult
from pbem.campaign.intake.request import Request
from pbem.campaign.intake.seat_letter import SeatLetter
from pbem.campaign.outgoing.dispatch import OVER, REPLY, Dispatch, Note
from pbem.campaign.table.tables import THREAD, Live, Person
from pbem.campaign.table.transaction import Turn, orders_data
from pbem.dice.audit.reasons import standing_text
from pbem.kernel.game import SUBSTITUTE
from pbem.letters.letter import Letter
from pbem.reports.catalogue import catalogue
from pbem.store.journal import Journal

_NOT_NOW = ("standing_set", "resigned", "you_vacate")
"""What a letter is not told to have done while dice wait for their round."""


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
        sift: Callable[[Live, Letter, LetterResult], None] | None = None,
    ) -> Taken:
        """Do what a letter says, and answer it. `sift` takes out what does not count where it was written."""
        request = Request(self._campaign.store, live, seat, journal.at, COMMANDS)
        reading = SeatLetter(request)
        result = reading.read(letter)
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
            sift(live, letter, result)
        held = result.held
        if held:
            result.notes.append(Note("held_commands", {"n": letter_id, "commands": held}))
        if result.confirmed:
            reading, result = self._confirmed(journal, live, seat, result.confirmed)
        if live.affairs.awaited is not None:
            _keep_until_drawn(turn, seat, letter, result)
        _change_seat(turn, seat, letter.digest, result)
        for change in result.changes:
            change(turn)
        if by_substitute:
            result.deposits = [msgspec.structs.replace(one, origin=SUBSTITUTE) for one in result.deposits]
            result.givens = [msgspec.structs.replace(given, origin=SUBSTITUTE) for given in result.givens]
        _give_answers(turn, reading, result, seat, letter)
        if turn.moved or turn.receipt is not None or self._patient(letter.sender, journal.at, result):
            _reply(turn, seat, letter, result)
        turn.write()
        anything = turn.moved or turn.receipt is not None or bool(result.changes or result.sections)
        kept = any(note.code.startswith("kept_back") for note in result.notes)
        return Taken(bool(held), anything or kept, turn.receipt.n if turn.receipt is not None else 0)

    def _confirmed(
        self, journal: Journal, live: Live, seat: str, number: int
    ) -> tuple[SeatLetter, LetterResult]:
        """A held letter that its player has vouched for takes the place of the letter that vouches."""
        request = Request(self._campaign.store, live, seat, journal.at, COMMANDS)
        reading = SeatLetter(request)
        row = self._campaign.store.letter(number)
        if row is None or not held_letters.is_held(row, live, seat):
            request.note("held_what", n=number)
            return reading, request.result
        journal.handled(number, "done", seat=seat, note="confirmed")
        request.note("confirmed", n=number)
        part = held_letters.is_part_held(row, live, seat)
        request.freed = not part
        reading.read(self.read(row.raw), vouched=part)
        request.result.confirmed = 0
        return reading, request.result

    def _patient(self, address: str, now: datetime, result: LetterResult) -> bool:
        """Whether a letter that moves nothing is answered: so many an hour, the last with a word of warning."""
        most = self._campaign.settings.letters_per_hour
        times = self._answered.setdefault(address, deque(maxlen=most + 1))
        while times and times[0] <= now - timedelta(hours=1):
            times.popleft()
        times.append(now)
        if len(times) == most:
            result.notes.append(Note("too_many_letters"))
        return len(times) <= most


def _keep_until_drawn(turn: Turn, seat: str, letter: Letter, result: LetterResult) -> None:
    """While dice wait for their round nobody can change anything: orders are kept until they are drawn."""
    if result.givens:
        turn.keep(seat, letter.digest, result.givens)
        result.notes.append(Note("awaiting_kept"))
    if result.standing is not None or result.resigned:
        result.notes = [note for note in result.notes if note.code not in _NOT_NOW]
        result.notes.append(Note("awaiting_busy"))
    result.givens, result.standing, result.resigned = [], None, False


def _give_answers(turn: Turn, reading: SeatLetter, result: LetterResult, seat: str, letter: Letter) -> None:
    """The orders of a letter: into the game, or kept back where the seat waits."""
    live = turn.live
    if result.deposits:
        turn.order(seat, letter.digest, result.deposits)
    waits = seat in live.affairs.waiting if result.wait is None else result.wait
    if result.givens and waits:
        turn.keep(seat, letter.digest, result.givens)
        due = clock.deadline_of(live, seat)
        result.notes.append(Note("kept_back" if due is not None else "kept_back_open"))
    elif result.givens:
        turn.order(seat, letter.digest, result.givens)
        while result.later and live.affairs.awaited is None and reading.follow_up():
            turn.order(seat, letter.digest, result.givens)
    elif result.resigned:
        turn.resign(seat)
    for n, note in enumerate(result.notes):
        if note.code == "sealed" and note.params.get("key") not in live.game.questions:
            result.notes[n] = msgspec.structs.replace(note, code="taken")
    if result.later:
        result.notes.append(Note("nothing_open", {"lines": "; ".join(result.later[:5])}))


def _change_seat(turn: Turn, seat: str, digest: str, result: LetterResult) -> None:
    """Changes of the seat itself: standing orders, SALT word, token."""
    live = turn.live
    if result.standing is not None:
        live.standing[seat] = list(result.standing)
        words = catalogue("en", live.rules)
        texts = [words.order(order) for order in result.standing]
        turn.journal.standing(seat, list(zip(result.standing, texts, strict=True)))
        sealed = turn.seal_text(seat, standing_text(orders_data(result.standing)))
        turn.receive(seat, digest, *sealed)
    row = live.people[seat]
    if result.salt:
        row.salt = result.salt
    if result.new_token:
        person = row.read(Person)
        person.generation += 1
        row.data = msgspec.json.encode(person).decode()
    if result.salt or result.new_token:
        turn.journal.set_seat(row)
        # The log, which everybody has, says nothing of it: it is the player's own business.


def _reply(turn: Turn, seat: str, letter: Letter, result: LetterResult) -> None:
    """Dispatches: the reply to the letter's seat, and reports to the others when the game has gone on."""
    live = turn.live
    ended = live.over and not turn.over_before
    reply = Dispatch(
        OVER if ended else REPLY,
        replies=tuple(result.replies),
        notes=tuple(result.notes),
        sections=tuple(result.sections),
        picture=result.picture or turn.moved,
        picture_at=result.picture_at,
        form=turn.asked(seat),
        drafts=result.drafts,
        log=live.last_entry.n if ended else live.affairs.shown.n if result.dice else 0,
        receipt=turn.receipt,
        topic=Note("answer", {"commands": ", ".join(result.commands)}) if result.commands else None,
        whole=result.whole,
        whole_map=result.picture,
    )
    if result.whole and live.affairs.bulletins:
        live.affairs.reported[seat] = live.affairs.bulletins[0] if len(live.affairs.bulletins) > 1 else 0
    elif result.resend:
        last = last_report(turn.campaign.store, live.id, seat)
        if last is not None:
            live.affairs.reported[seat] = last.after
    turn.in_reply_to[seat] = letter.message_id
    turn.say(seat, reply)
    turn.spread(seat)
