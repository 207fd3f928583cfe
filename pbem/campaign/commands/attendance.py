"""What a player asks for about the game's life rather than its play: READY, WAIT, ABSENT, a substitute, LIST.

Nothing is changed here: what is granted becomes a deed, which the turn does with everything else.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from pbem.campaign.commands import list_games
from pbem.campaign.deadlines import clock
from pbem.campaign.deadlines.calendar import Absence, Calendar, Refused, read_absence
from pbem.campaign.outgoing.dispatch import Note
from pbem.campaign.signup import eligible
from pbem.dice.log import entries as dicelog
from pbem.kernel.game import WITHDRAWN, Given
from pbem.orders.commands import Command
from pbem.orders.words import fold
from pbem.reports.report import Line, Section

if TYPE_CHECKING:
    from pbem.campaign.intake.seat_letter import Errands
    from pbem.campaign.table.transaction import Turn

ADDRESS = re.compile(r"<?([^\s<>@,;:]{1,64}@[^\s<>@,;:]{0,250}[^\s<>@,;:.!?)])>?")
"""What stands for an address in a sentence; whether it is one is asked of it afterwards, as a whole."""
_NOTHING = ("none", "clear", "aucun", "aucune", "annuler", "cancel")


def ready(errands: Errands, item: Command) -> None:
    """READY: orders kept back are final now."""
    if stale(errands, item.argument):
        return
    seat = errands.seat
    affairs = errands.live.affairs
    if seat not in affairs.waiting and not affairs.drafts.get(seat):
        errands.outcome.notes.append(Note("ready_already"))
        return
    errands.outcome.notes.append(Note("ready"))
    errands.outcome.wait = False
    errands.outcome.deeds.append(lambda turn: _release(turn, errands))


def _release(turn: Turn, errands: Errands) -> None:
    seat = errands.seat
    newer = {given.key for given in errands.outcome.givens}
    drafts = turn.live.affairs.drafts.get(seat, [])
    if not drafts and not newer:
        notes = errands.outcome.notes
        notes[notes.index(Note("ready"))] = Note("ready_empty")
    turn.live.affairs.drafts[seat] = [draft for draft in drafts if draft.key not in newer]
    turn.release(seat)


def wait(errands: Errands, item: Command) -> None:
    """WAIT: the orders of this seat are not final before its READY or the deadline."""
    if stale(errands, item.argument):
        return
    deadline = clock.deadline_of(errands.live, errands.seat)
    if deadline is not None:
        errands.outcome.notes.append(Note("wait", {"until": clock.when(errands.live, deadline)}))
    else:
        errands.outcome.notes.append(Note("wait_open"))
    errands.outcome.wait = True
    errands.outcome.deeds.append(lambda turn: _hold_back(turn, errands.seat, errands.digest))


def _hold_back(turn: Turn, seat: str, digest: str) -> None:
    """Sealed orders that are in already are taken back and kept."""
    live = turn.live
    if seat not in live.affairs.waiting:
        live.affairs.waiting.append(seat)
    for question in live.open_to(seat) if live.affairs.awaited is None else ():
        if not live.game.answered(question.key):
            continue
        given = next(one for one in reversed(live.game.since) if one.key == question.key)
        turn.keep(seat, digest, [given])
        turn.order(seat, digest, [Given(question.key, seat, (), WITHDRAWN)])


def stale(errands: Errands, moment: str) -> bool:
    """Whether a command names another moment than the present one; it is then refused."""
    now = errands.rules.moment(errands.live.game.view(errands.eye))
    asked = moment.strip().strip(".!").lower()
    if not asked or asked == now.lower():
        return False
    errands.outcome.notes.append(Note("stale_phase", {"asked": asked[:40], "now": now}))
    return True


def absent(errands: Errands, item: Command) -> None:
    """ABSENT from–to: later deadlines that fall into it move behind it."""
    live, seat = errands.live, errands.seat
    calendar = live.affairs.calendar or Calendar()
    known = live.affairs.absences.get(seat, [])
    today = calendar.day(errands.now)
    if fold(item.argument) in _NOTHING:
        kept = [one for one in known if one.last < today]
        errands.outcome.notes.append(Note("absent_cleared" if len(kept) < len(known) else "absent_none"))
        errands.outcome.deeds.append(lambda turn: live.affairs.absences.__setitem__(seat, kept))
        return
    try:
        absence = read_absence(item.argument, today, calendar, known)
    except Refused as refused:
        errands.outcome.replies.append(errands.refuse(item.text, Note(refused.code, refused.params)))
        return
    errands.outcome.deeds.append(lambda turn: _go_away(turn, seat, absence))
    errands.outcome.notes.append(
        Note("absent", {"first": str(absence.first), "last": str(absence.last), "days": absence.days})
    )


def _go_away(turn: Turn, seat: str, absence: Absence) -> None:
    live = turn.live
    affairs = live.affairs
    affairs.absences.setdefault(seat, []).append(absence)
    data = {"first": str(absence.first), "last": str(absence.last)}
    turn.journal.act(seat, "absent", data)
    turn.log("act", dicelog.act(seat, "absent", **data))
    calendar = affairs.calendar
    if calendar is not None:
        for due in affairs.dues.values():
            if due.seat == seat and (due.at - turn.journal.at).total_seconds() > 24 * 3600:
                due.at = calendar.after_absences(due.at, [absence])
    for other in live.people:
        if other != seat:
            turn.note(other, Note("absent_other", {"seat": seat, **data}))


def substitute(errands: Errands, item: Command) -> None:
    """SUBSTITUTE address: who plays when this player is silent."""
    _appoint(errands, item, "substitute")


def address(errands: Errands, item: Command) -> None:
    """ADDRESS address: another address of the same player."""
    _appoint(errands, item, "second")


def _appoint(errands: Errands, item: Command, what: str) -> None:
    live, seat = errands.live, errands.seat
    if fold(item.argument) in _NOTHING:
        errands.outcome.notes.append(Note(f"{what}_gone"))
        errands.outcome.deeds.append(lambda turn: _appointed(turn, seat, what, ""))
        return
    match = ADDRESS.search(item.argument)
    if match is None:
        errands.outcome.replies.append(errands.refuse(item.text, Note("address_what")))
        return
    wanted = match[1].lower()
    own = {live.people[seat].address, live.person(seat).second}
    try:
        eligible.check(errands.store, live, seat, wanted)
    except Refused as refused:
        errands.outcome.replies.append(errands.refuse(item.text, Note(refused.code, refused.params)))
        return
    if what == "substitute" and wanted in own:
        errands.outcome.replies.append(errands.refuse(item.text, Note("substitute_self")))
    else:
        errands.outcome.notes.append(Note(what, {"address": wanted}))
        errands.outcome.deeds.append(lambda turn: _appointed(turn, seat, what, wanted))


def _appointed(turn: Turn, seat: str, what: str, wanted: str) -> None:
    person = turn.live.person(seat)
    setattr(person, what, wanted)
    turn.journal.set_seat(turn.live.change_person(seat, person))
    turn.log("act", dicelog.act(seat, "address" if what == "second" else what))


def games(errands: Errands, item: Command) -> None:
    """LIST: the player's games, and those that look for players."""
    words = errands.words
    lines = list_games.lines(errands.store, errands.live.people[errands.seat].address, words)
    errands.outcome.sections.append(
        Section(words.phrase("titles", "games"), tuple(Line(line) for line in lines))
    )


def leave(errands: Errands, item: Command) -> None:
    """LEAVE: whoever only looks on, or moderates, wants no more letters."""
    live, seat = errands.live, errands.seat
    if seat in live.seats:
        note = Note("leave_player", {"game": live.id})
        errands.outcome.replies.append(errands.refuse(item.text, note))
        return
    errands.outcome.notes.append(Note("left", {"game": live.id}))
    errands.outcome.deeds.append(lambda turn: turn.part_with(seat))


PLAYERS: dict[str, Callable[[Errands, Command], None]] = {
    "ready": ready,
    "wait": wait,
    "absent": absent,
    "substitute": substitute,
    "address": address,
    "list": games,
    "leave": leave,
}
