"""The clock of a game: deadlines for what is asked, and when it strikes next.

A deadline stands as long as its question is open; whoever cannot be reached has a clock that stands still. The
next stroke is computed and kept with the game, so that waiting costs nothing.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from pbem.campaign.deadlines.calendar import Calendar
from pbem.campaign.table.tables import CARETAKER_ACTS, Due, Live
from pbem.kernel.question import Question
from pbem.reports import dates
from pbem.reports.catalogue import catalogue


def wind(live: Live, now: datetime) -> datetime | None:
    """Deadlines for what is newly asked; when the clock strikes next."""
    affairs = live.affairs
    if affairs.calendar is None or live.over or affairs.paused:
        if live.over:
            affairs.dues.clear()
        return None
    questions = live.game.questions
    for key in [key for key in affairs.dues if key not in questions]:
        del affairs.dues[key]
    for question in questions.values():
        if question.key not in affairs.dues:
            affairs.dues[question.key] = _due(live, affairs.calendar, question, now)
    strokes = [at for key, due in affairs.dues.items() if (at := stroke(live, key, due)) is not None]
    return min(strokes, default=None)


def _due(live: Live, calendar: Calendar, question: Question[Any], now: datetime) -> Due:
    affairs = live.affairs
    if live.person(question.seat).acting == CARETAKER_ACTS:
        return Due(question.seat, now - timedelta(hours=calendar.grace), len(calendar.reminders), True)
    base = calendar.deadline(now, question.kind(), last=affairs.last_deadline)
    affairs.last_deadline = base
    away = affairs.absences.get(question.seat, ())
    at = calendar.after_absences(base, away, calendar.phases.get(question.kind(), calendar.hours))
    # A reminder that would follow the question at once is none.
    soon = now + timedelta(hours=1)
    return Due(question.seat, at, sum(when <= soon for when in calendar.reminders_before(at)))


def stroke(live: Live, key: str, due: Due) -> datetime | None:
    """When something is next to be done about a question."""
    calendar = live.affairs.calendar
    assert calendar is not None
    if live.game.answered(key):
        return None
    person = live.person(due.seat)
    if person.unreachable is not None:
        wanted = due.seat in live.affairs.wanted
        return None if wanted else person.unreachable + timedelta(days=calendar.patience)
    if not due.noticed:
        reminders = calendar.reminders_before(due.at)[due.reminded :]
        return min([*reminders, due.at])
    return calendar.silence(due.at, live.affairs.last_advance)


def when(live: Live, at: datetime, seat: str) -> str:
    """A moment as letters to a seat show it: in its language, in its own time zone."""
    row = live.people.get(seat)
    return dates.long(catalogue(row.lang if row is not None else "en"), at, live.zone(seat))


def restart(live: Live, seat: str, now: datetime) -> None:
    """Fresh deadlines for whatever a seat is asked: it could not answer, or somebody else sits there now."""
    affairs = live.affairs
    for key in [key for key, due in affairs.dues.items() if due.seat == seat]:
        del affairs.dues[key]
    wind(live, now)


def deadline_of(live: Live, seat: str) -> datetime | None:
    """The first deadline that a seat has to keep."""
    dues = live.affairs.dues
    return min(
        (due.at for key, due in dues.items() if due.seat == seat and not live.game.answered(key)),
        default=None,
    )
