"""How the life of a game is told: deadlines, absences, who acts for whom, how seats have kept their deadlines."""

from __future__ import annotations

from pbem.campaign import clock
from pbem.campaign.live import Live
from pbem.reports.catalogue import Catalogue
from pbem.reports.report import Line, Section


def status_sections(words: Catalogue, live: Live) -> list[Section]:
    """What STATUS says besides the position; nothing of a game without a calendar in which nothing happened."""
    lines = [*_deadlines(words, live), *_absences(words, live), *_records(words, live)]
    if live.affairs.paused:
        lines.insert(0, words.phrase("notes", "paused"))
    if not lines:
        return []
    return [Section(words.phrase("titles", "calendar"), tuple(Line(line) for line in lines))]


def _deadlines(words: Catalogue, live: Live) -> list[str]:
    lines = []
    for seat in live.seats:
        name = words.seat(seat)
        person = live.person(seat)
        deadline = clock.deadline_of(live, seat)
        if person.unreachable is not None:
            lines.append(words.phrase("notes", "clock_stopped", seat=seat))
        elif deadline is not None and not live.affairs.paused:
            lines.append(words.phrase("notes", "deadline", seat=name, deadline=clock.when(live, deadline)))
        if person.acting:
            lines.append(words.phrase("notes", f"acting_{person.acting}", seat=seat))
    return lines


def _absences(words: Catalogue, live: Live) -> list[str]:
    return [
        words.phrase("notes", "absent_other", seat=seat, first=str(one.first), last=str(one.last))
        for seat, away in live.affairs.absences.items()
        for one in away
    ]


def _records(words: Catalogue, live: Live) -> list[str]:
    return [
        words.phrase(
            "notes",
            "reliability",
            seat=words.seat(seat),
            on_time=record.on_time,
            late=record.late,
            missed=record.missed,
        )
        for seat, record in live.affairs.records.items()
        if seat in live.seats
    ]
