"""Posts on boards: whose they are, what of a public post counts, and what a change of a post that was read leads to.

The source vouches for who wrote a post, so nobody needs a token there. Where it stands says which game it is about.
In the public thread anybody who calls us may ask what everyone may know; orders count as the house rules say, and
sealed ones never.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from pbem.campaign.campaign import Campaign
from pbem.campaign.commands.registry import COMMANDS
from pbem.campaign.house_rules import PRIVATE, PUBLIC, REREAD, VOID
from pbem.campaign.intake.carrying_out import SeatLetters
from pbem.campaign.intake.letter_result import LetterResult
from pbem.campaign.outgoing.dispatch import NOTICE, Dispatch, Note
from pbem.campaign.table.tables import SUBSTITUTE_ACTS, THREAD, Live, Person, PostRead
from pbem.campaign.table.transaction import Turn
from pbem.dice.log import entries as dicelog
from pbem.kernel.game import WITHDRAWN, Given
from pbem.letters.letter import Form, Letter
from pbem.letters.posted import Change, first_reading
from pbem.reports.report import REFUSED, TAKEN
from pbem.store.journal import Journal
from pbem.store.tables import LetterRow

QUESTIONS = frozenset({"status", "why", "dice", "map", "help", "rules", "history"})
"""What anybody may ask in a public thread; the answer stands there as well."""
NOTHING_TAKEN = "nothing taken"


def seat_of(live: Live, address: str) -> str:
    """The seat of an account; empty where it has none."""
    for seat, row in live.people.items():
        person = row.read(Person)
        acting = person.substitute if person.acting == SUBSTITUTE_ACTS else ""
        if seat != THREAD and address in (row.address, person.second, acting):
            return seat
    return ""


def keep_house_rules(live: Live, letter: Letter, result: LetterResult) -> None:
    """Take out of what a post leads to what does not count where it stands."""
    if letter.posted is None or not result.givens:
        return
    rule, private = live.affairs.customs.orders, letter.posted.place.private
    kept: list[Given] = []
    for given in result.givens:
        question = live.game.questions.get(given.key)
        sealed = question is not None and question.sealed
        code = ""
        if not private and (sealed or rule == PRIVATE):
            code = "sealed_in_public" if sealed else "orders_in_private"
        elif private and rule == PUBLIC and not sealed:
            code = "orders_in_thread"
        if not code:
            kept.append(given)
        elif Note(code) not in result.notes:
            result.notes.append(Note(code))
    if len(kept) < len(result.givens):
        result.givens = kept
        result.replies = [
            msgspec.structs.replace(line, mark=REFUSED) if line.mark == TAKEN else line
            for line in result.replies
        ]
        result.notes = [note for note in result.notes if note.code not in ("taken", "sealed")]


class Posts:
    """Takes what has been posted about a game."""

    def __init__(self, campaign: Campaign, seat_letters: SeatLetters) -> None:
        self._campaign = campaign
        self._seat_letters = seat_letters

    def take(self, journal: Journal, live: Live, letter: Letter, letter_id: int) -> tuple[str, str]:
        """A post about a game: what became of it, and whose it was."""
        assert letter.posted is not None
        seat = seat_of(live, letter.sender)
        if letter.posted.change is not None:
            return self._changed(journal, live, letter, letter_id)
        if letter.posted.place.private:
            if not seat:
                journal.handled(letter_id, "ignored", note="no seat")
                return "ignored", ""
            return self._seat(journal, live, seat, letter, letter_id)
        return self._in_public(journal, live, seat, letter, letter_id)

    def _in_public(
        self, journal: Journal, live: Live, seat: str, letter: Letter, letter_id: int
    ) -> tuple[str, str]:
        asked: list[str] = []
        others: list[str] = []
        for line in letter.lines:
            found = COMMANDS.command(line)
            question = found is not None and found.problem is None and found.name in QUESTIONS
            (asked if question else others).append(line)
        said = any(line.strip() for line in others) or any(form.edited for form in letter.forms)
        thread = THREAD if THREAD in live.staff else ""
        status = "ignored"
        if seat and said:
            orders = _only(letter, others, letter.forms)
            status, _ = self._seat(journal, live, seat, orders, letter_id)
        if asked and thread:
            self._seat_letters.take(journal, live, thread, _only(letter, asked), letter_id)
            status = "done"
        elif thread and said and not seat and letter.posted is not None and letter.posted.mention:
            self._tell(journal, live, thread, letter_id, Note("no_seat_here", {"player": letter.sender_name}))
            status = "done"
        if status == "ignored" or not seat:
            journal.handled(letter_id, "done" if status == "done" else "ignored", note="in public")
        return status, seat

    def _seat(
        self, journal: Journal, live: Live, seat: str, letter: Letter, letter_id: int
    ) -> tuple[str, str]:
        taken = self._seat_letters.take(journal, live, seat, letter, letter_id, keep_house_rules)
        journal.handled(letter_id, "done", seat=seat, note="" if taken.anything else NOTHING_TAKEN)
        if taken.receipt and seat in live.seats:
            assert letter.posted is not None
            live.affairs.posts_read[seat] = PostRead(
                letter.posted.board, letter.posted.place.private, letter.message_id, taken.receipt
            )
            journal.update(data=live.affairs)
        return "done", seat

    def _changed(self, journal: Journal, live: Live, letter: Letter, letter_id: int) -> tuple[str, str]:
        """A post was edited or deleted after it had been read."""
        assert letter.posted is not None
        change = letter.posted.change
        row = self._campaign.store.letter_named(first_reading(letter.message_id))
        if row is None or row.game_id != live.id or not row.seat or row.seat not in live.people:
            journal.handled(letter_id, "ignored", note=str(change))
            return "ignored", ""
        seat = row.seat
        own = letter.sender and seat_of(live, letter.sender) == seat
        if change is Change.EDITED and own and row.note == NOTHING_TAKEN:
            return self._again(journal, live, seat, letter, letter_id)
        journal.handled(letter_id, "done", seat=seat, note=str(change))
        policy = live.affairs.customs.edits
        if change is Change.EDITED and own and policy == REREAD:
            self._note_change(journal, live, seat, letter, letter_id, row, "post_reread")
            return self._again(journal, live, seat, _orders_only(letter), letter_id)
        code = "post_deleted" if change is Change.DELETED else "post_changed"
        if change is Change.EDITED and policy == VOID:
            code = "post_void"
        self._note_change(journal, live, seat, letter, letter_id, row, code)
        return "done", seat

    def _again(
        self, journal: Journal, live: Live, seat: str, letter: Letter, letter_id: int
    ) -> tuple[str, str]:
        assert letter.posted is not None
        fresh = msgspec.structs.replace(letter, posted=msgspec.structs.replace(letter.posted, change=None))
        return self._seat(journal, live, seat, fresh, letter_id)

    def _note_change(
        self,
        journal: Journal,
        live: Live,
        seat: str,
        letter: Letter,
        letter_id: int,
        row: LetterRow,
        code: str,
    ) -> None:
        """The change stands in the log and in the index; its writer is told in private what counts."""
        assert letter.posted is not None
        turn = Turn(self._campaign, journal, live, letter_id)
        facts = {"was": row.digest, "is": letter.digest, "how": str(letter.posted.change)}
        turn.log("act", dicelog.act(seat, "post changed", **facts))
        if not letter.posted.place.private:
            live.affairs.posts_changed.append(live.affairs.shown.n)
        if code == "post_void":
            self._withdraw(turn, seat, row)
        turn.note(seat, Note(code, {"n": row.id or 0, "counts": _first_lines(row, self._seat_letters.read)}))
        turn.say(seat, Dispatch(NOTICE, form=turn.asked(seat)))
        turn.write()

    def _withdraw(self, turn: Turn, seat: str, row: LetterRow) -> None:
        """Void until the deadline: sealed answers and drafts that came with the post are taken back."""
        live = turn.live
        live.affairs.drafts[seat] = [
            draft for draft in live.affairs.drafts.get(seat, []) if draft.letter_id != row.id
        ]
        for question in live.open_to(seat):
            if live.game.answered(question.key):
                turn.order(seat, row.digest, [Given(question.key, seat, (), WITHDRAWN)])

    def _tell(self, journal: Journal, live: Live, seat: str, letter_id: int, note: Note) -> None:
        turn = Turn(self._campaign, journal, live, letter_id)
        turn.say(seat, Dispatch(NOTICE, notes=(note,)))
        turn.write()


def _only(letter: Letter, lines: list[str], forms: tuple[Form, ...] = ()) -> Letter:
    """The same letter with those lines and forms alone."""
    whole = len(lines) == len(letter.lines)
    return letter if whole else msgspec.structs.replace(letter, lines=tuple(lines), forms=forms, topic="")


def _orders_only(letter: Letter) -> Letter:
    """Without its commands: they are never carried out twice."""
    return msgspec.structs.replace(
        letter, lines=tuple(line for line in letter.lines if COMMANDS.command(line) is None), topic=""
    )


def _first_lines(row: LetterRow, read: Callable[[bytes], Letter]) -> str:
    lines = [line.strip() for line in read(row.raw).lines if line.strip()]
    return "; ".join(lines)[:300]
