"""Letters that are held: whoever seems to have written one is asked at his own address, and CONFIRM lets it through.

A letter is held whole when its sender is in doubt, and in part when a doubtful letter has commands that cannot be
taken back.
"""

from __future__ import annotations

from pbem.campaign.campaign import Campaign
from pbem.campaign.commands.registry import COMMANDS
from pbem.campaign.deadlines import clock
from pbem.campaign.intake.confirming import quoted
from pbem.campaign.intake.request import Request
from pbem.campaign.outgoing.dispatch import NOTICE, Dispatch, Note
from pbem.campaign.table.tables import Live
from pbem.campaign.table.transaction import Turn
from pbem.letters.letter import Letter
from pbem.store.journal import Journal
from pbem.store.store import Store
from pbem.store.tables import LetterRow, SeatRow

_WHOLE = "held: "
_PART = "part held: "


def hold(
    campaign: Campaign, journal: Journal, live: Live, row: SeatRow, letter: Letter, letter_id: int, code: str
) -> None:
    """Keep a letter without doing what it says; `code` is the note that asks for its confirmation."""
    journal.handled(letter_id, "ignored", seat=row.seat, note=f"{_WHOLE}{live.id}.{row.seat}")
    params: dict[str, str | int] = {"n": letter_id, "at": clock.when(live, journal.at, row.seat)}
    params |= quoted(Request(campaign.store, live, row.seat, journal.at, COMMANDS), letter)
    if code == "held":
        params["sender"] = letter.sender
    turn = Turn(campaign, journal, live, letter_id)
    if not campaign.silenced_notice(row.address, journal.at):
        turn.say(row.seat, Dispatch(NOTICE, notes=(Note(code, params),)))
    turn.write()


def part_held(live: Live, seat: str) -> str:
    """What is noted with a letter of which a part is held."""
    return f"{_PART}{live.id}.{seat}"


def is_part_held(row: LetterRow, live: Live, seat: str) -> bool:
    """Whether a part of this letter of that seat is held."""
    return row.note == part_held(live, seat)


def is_held(row: LetterRow, live: Live, seat: str) -> bool:
    """Whether this letter of that seat is held, whole or in part."""
    return row.note == f"{_WHOLE}{live.id}.{seat}" or is_part_held(row, live, seat)


def vouched_for(store: Store, game_id: str, seat: str, letter: Letter) -> bool:
    """Whether a doubtful letter answers our own notice about one: only the registered address has that."""
    row = store.dispatch(letter.in_reply_to) if letter.in_reply_to else None
    if row is None or (row.game_id, row.seat, row.kind) != (game_id, seat, NOTICE):
        return False
    return any(note.code.startswith("held") for note in row.read(Dispatch).notes)
