"""What a player asks for about the game's life rather than its play: READY, WAIT, ABSENT, a substitute, LIST.

Nothing is changed here: what is granted is done with everything else that the letter changes.
"""

from __future__ import annotations

import re

from pbem.campaign.deadlines import clock
from pbem.campaign.deadlines.calendar import Absence, Calendar, Refused, read_absence
from pbem.campaign.intake.request import Declaration, Request
from pbem.campaign.outgoing.dispatch import Note
from pbem.campaign.signup import eligible
from pbem.campaign.table.transaction import Turn
from pbem.dice.log import entries as dicelog
from pbem.kernel.game import WITHDRAWN, Given
from pbem.orders.commands import ANYTHING, ONE_WORD, PLAYERS, SOMETHING, Command
from pbem.orders.words import fold

MAIL_ADDRESS = re.compile(r"<?([^\s<>@,;:]{1,64}@[^\s<>@,;:]{0,250}[^\s<>@,;:.!?)])>?")
"""What stands for an address in a sentence; whether it is one is asked of it afterwards, as a whole."""
_NOTHING = ("none", "clear", "aucun", "aucune", "annuler", "cancel")


def ready(request: Request, item: Command) -> None:
    """READY: orders kept back are final now."""
    if stale(request, item.argument):
        return
    seat = request.seat
    affairs = request.live.affairs
    if seat not in affairs.waiting and not affairs.drafts.get(seat):
        request.note("ready_already")
        return
    request.note("ready")
    request.result.wait = False
    request.result.changes.append(lambda turn: _release(turn, request))


def _release(turn: Turn, request: Request) -> None:
    seat = request.seat
    newer = {given.key for given in request.result.givens}
    drafts = turn.live.affairs.drafts.get(seat, [])
    if not drafts and not newer:
        notes = request.result.notes
        notes[notes.index(Note("ready"))] = Note("ready_empty")
    turn.live.affairs.drafts[seat] = [draft for draft in drafts if draft.key not in newer]
    turn.release(seat)


def wait(request: Request, item: Command) -> None:
    """WAIT: the orders of this seat are not final before its READY or the deadline."""
    if stale(request, item.argument):
        return
    deadline = clock.deadline_of(request.live, request.seat)
    if deadline is not None:
        request.result.notes.append(Note("wait", {"until": clock.when(request.live, deadline, request.seat)}))
    else:
        request.note("wait_open")
    request.result.wait = True
    request.result.changes.append(lambda turn: _hold_back(turn, request.seat, request.digest))


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


def stale(request: Request, moment: str) -> bool:
    """Whether a command names another moment than the present one; it is then refused."""
    now = request.rules.moment(request.live.game.view(request.viewer))
    asked = moment.strip().strip(".!").lower()
    if not asked or asked == now.lower():
        return False
    request.result.notes.append(Note("stale_phase", {"asked": asked[:40], "now": now}))
    return True


def absent(request: Request, item: Command) -> None:
    """ABSENT from–to: later deadlines that fall into it move behind it."""
    live, seat = request.live, request.seat
    calendar = live.affairs.calendar or Calendar()
    known = live.affairs.absences.get(seat, [])
    today = calendar.day(request.now)
    if fold(item.argument) in _NOTHING:
        kept = [one for one in known if one.last < today]
        request.result.notes.append(Note("absent_cleared" if len(kept) < len(known) else "absent_none"))
        request.result.changes.append(lambda turn: live.affairs.absences.__setitem__(seat, kept))
        return
    try:
        absence = read_absence(item.argument, today, calendar, known)
    except Refused as refused:
        request.refuse(item.text, Note(refused.code, refused.params))
        return
    request.result.changes.append(lambda turn: _go_away(turn, seat, absence))
    request.result.notes.append(
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


def substitute(request: Request, item: Command) -> None:
    """SUBSTITUTE address: who plays when this player is silent."""
    _appoint(request, item, "substitute")


def address(request: Request, item: Command) -> None:
    """ADDRESS address: another address of the same player."""
    _appoint(request, item, "second")


def _appoint(request: Request, item: Command, what: str) -> None:
    live, seat = request.live, request.seat
    if fold(item.argument) in _NOTHING:
        request.result.notes.append(Note(f"{what}_gone"))
        request.result.changes.append(lambda turn: _appointed(turn, seat, what, ""))
        return
    match = MAIL_ADDRESS.search(item.argument)
    if match is None:
        request.refuse(item.text, Note("address_what"))
        return
    wanted = match[1].lower()
    own = {live.people[seat].address, live.person(seat).second}
    try:
        eligible.check(request.store, live, seat, wanted)
    except Refused as refused:
        request.refuse(item.text, Note(refused.code, refused.params))
        return
    if what == "substitute" and wanted in own:
        request.refuse(item.text, Note("substitute_self"))
    else:
        request.result.notes.append(Note(what, {"address": wanted}))
        request.result.changes.append(lambda turn: _appointed(turn, seat, what, wanted))


def _appointed(turn: Turn, seat: str, what: str, wanted: str) -> None:
    person = turn.live.person(seat)
    setattr(person, what, wanted)
    turn.journal.set_seat(turn.live.change_person(seat, person))
    # The log, which everybody has, says nothing of it: it is the player's own business.


def leave(request: Request, item: Command) -> None:
    """LEAVE: whoever only looks on, or moderates, wants no more letters."""
    live, seat = request.live, request.seat
    if seat in live.rules.dead(live.game.state) and not live.over:
        request.note("left", game=live.id)
        request.result.changes.append(lambda turn: turn.empty(seat))
        return
    if seat in live.seats:
        note = Note("leave_player", {"game": live.id})
        request.refuse(item.text, note)
        return
    request.result.notes.append(Note("left", {"game": live.id}))
    request.result.changes.append(lambda turn: turn.part_with(seat))


READY = Declaration("ready", ready, ("ready",), ("pret", "prete"), ONE_WORD, who=PLAYERS)
WAIT = Declaration("wait", wait, ("wait",), ("attendre",), ONE_WORD, who=PLAYERS)
ABSENT = Declaration(
    *("absent", absent, ("absent", "absence"), ("absent", "absence"), ANYTHING),
    who=PLAYERS,
    irrevocable=True,
)
SUBSTITUTE = Declaration(
    *("substitute", substitute, ("substitute",), ("suppleant", "suppleante"), SOMETHING),
    who=PLAYERS,
    owner_only=True,
    irrevocable=True,
    never_freed=True,
)
ADDRESS = Declaration(
    *("address", address, ("address",), ("adresse",), SOMETHING),
    owner_only=True,
    irrevocable=True,
    never_freed=True,
)
LEAVE = Declaration("leave", leave, ("leave", "unsubscribe"), ("quitter",), whole=True, irrevocable=True)
