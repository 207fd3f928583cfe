"""The strokes of a game's clock: reminder before a deadline, notice at it, silence after the grace.

And what stops the clock, or sets it back: letters of ours that did not go out, and time that we lost ourselves.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import TYPE_CHECKING

from pbem.campaign.deadlines import missed
from pbem.campaign.deadlines.calendar import Calendar
from pbem.campaign.deadlines.clock import stroke, when
from pbem.campaign.outgoing.dispatch import NOTICE, Dispatch, Note
from pbem.campaign.table.tables import Due
from pbem.dice.log import entries as dicelog
from pbem.letters.posted import board_of

if TYPE_CHECKING:
    from pbem.campaign.table.transaction import Turn

UNSENT = timedelta(hours=1)
"""A letter of ours that has waited so long has not been delivered."""


def strike(turn: Turn, only: str | None = None) -> None:
    """Whatever is due in a game now, or for one seat alone."""
    live, now = turn.live, turn.journal.at
    calendar = live.affairs.calendar
    if calendar is None or live.over or live.affairs.paused:
        return
    due = {
        key: due
        for key, due in live.affairs.dues.items()
        if only in (None, due.seat)
        and key in live.game.questions
        and (at := stroke(live, key, due)) is not None
        and at <= now
    }
    silent: list[str] = []
    for seat in dict.fromkeys(one.seat for one in due.values()):
        keys = [key for key, one in due.items() if one.seat == seat]
        if live.person(seat).unreachable is not None:
            missed.call_for_replacement(turn, seat, "wanted_unreachable")
        elif _undelivered(turn, calendar, seat, keys):
            continue
        elif all(due[key].noticed for key in keys):
            silent.append(seat)
        else:
            _warn(turn, calendar, seat, [due[key] for key in keys])
    for seat in silent:
        if not live.over and not live.affairs.paused:
            missed.fall(turn, seat)
    turn.spread()


def _undelivered(turn: Turn, calendar: Calendar, seat: str, keys: Iterable[str]) -> bool:
    """Whether our own letter to the seat has not gone out; its deadlines then wait for it."""
    live, now = turn.live, turn.journal.at
    since = turn.campaign.store.unsent_since(live.id, seat)
    if since is None or now - since < UNSENT:
        return False
    for key in keys:
        due = live.affairs.dues[key]
        due.at, due.noticed = calendar.shifted(max(due.at, now), timedelta(hours=24)), False
    turn.log("act", dicelog.act("moderator", "undelivered", seat=seat))
    return True


def _warn(turn: Turn, calendar: Calendar, seat: str, dues: list[Due]) -> None:
    """A reminder before a deadline, one notice at it."""
    live, now = turn.live, turn.journal.at
    for due in dues:
        due.reminded = sum(when <= now for when in calendar.reminders_before(due.at))
    late = [due for due in dues if due.at <= now]
    if late and turn.release(seat):
        return
    for due in late:
        due.noticed = True
    first = min(late or dues, key=lambda due: due.at)
    code = "notice" if late else "reminder"
    until = calendar.silence(first.at, live.affairs.last_advance) if late else first.at
    turn.counted(code)
    turn.note(seat, Note(code, {"deadline": when(live, first.at, seat), "until": when(live, until, seat)}))
    turn.say(seat, Dispatch(NOTICE, form=True))


def shift(turn: Turn, by: timedelta, code: str) -> None:
    """Every deadline of a game moves, because time was lost that was not the players'."""
    live = turn.live
    calendar = live.affairs.calendar
    assert calendar is not None
    for due in live.affairs.dues.values():
        due.at = calendar.shifted(due.at, by)
    if live.affairs.last_deadline is not None:
        live.affairs.last_deadline = calendar.shifted(live.affairs.last_deadline, by)
    minutes = int(by.total_seconds() // 60)
    turn.log("act", dicelog.act("moderator", code, minutes=minutes))
    for seat in live.seats:
        turn.note(seat, Note(code, {"hours": -(-minutes // 60)}))
        turn.say(seat, Dispatch(NOTICE))


def give_back(turn: Turn, by: timedelta, board: str) -> None:
    """Letters, or the posts of a board, could not be taken in for a while: their writers get that time back."""
    live = turn.live
    boards = {seat: board_of(row.address) for seat, row in live.seats.items()}
    hit = {seat for seat, name in boards.items() if name == board}
    if hit == set(boards):
        shift(turn, by, "outage")
        return
    calendar = live.affairs.calendar
    assert calendar is not None
    moved = [due for due in live.affairs.dues.values() if due.seat in hit]
    for due in moved:
        due.at = calendar.shifted(due.at, by)
    if not moved:
        return
    minutes = int(by.total_seconds() // 60)
    turn.log("act", dicelog.act("moderator", "outage", minutes=minutes))
    for seat in dict.fromkeys(due.seat for due in moved):
        turn.note(seat, Note("outage", {"hours": -(-minutes // 60)}))
        turn.say(seat, Dispatch(NOTICE))


def set_back(turn: Turn, by: timedelta) -> None:
    """Our clock was set back: deadlines stay where they are, which gives everybody so much more time."""
    minutes = int(by.total_seconds() // 60)
    turn.log("act", dicelog.act("moderator", "set back", minutes=minutes))
    for seat in turn.live.seats:
        turn.note(seat, Note("set_back", {"minutes": minutes}))
        turn.say(seat, Dispatch(NOTICE))


def unreachable(turn: Turn, seat: str) -> None:
    """Letters to a seat come back: its clock stands still until its player is heard of."""
    live = turn.live
    person = live.person(seat)
    if person.unreachable is not None or seat in live.staff:
        return
    person.unreachable = turn.journal.at
    turn.journal.set_seat(live.change_person(seat, person))
    turn.log("act", dicelog.act("moderator", "unreachable", seat=seat))
    turn.counted("bounce")
    for other in live.people:
        if other != seat:
            turn.note(other, Note("unreachable", {"seat": seat}))
