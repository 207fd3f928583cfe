"""How the life of a game is told: its customs, deadlines, absences, who acts for whom, how deadlines were kept."""

from __future__ import annotations

from pbem.campaign.deadlines import clock
from pbem.campaign.deadlines.calendar import WEEKDAYS
from pbem.campaign.house_rules import NO_PRESS, NO_VOTES, Customs
from pbem.campaign.table.tables import THREAD, Live
from pbem.reports.catalogue import Catalogue, catalogue, enumeration
from pbem.reports.report import Line, Section


def status_sections(words: Catalogue, live: Live, reader: str) -> list[Section]:
    """What STATUS says besides the position; nothing of a game without a calendar in which nothing happened."""
    lines = [*_deadlines(words, live, reader), *_absences(words, live), *_records(words, live)]
    if live.affairs.paused:
        lines.insert(0, words.phrase("notes", "paused"))
    sections = [Section(words.phrase("titles", "calendar"), tuple(Line(line) for line in lines))]
    sections = sections if lines else []
    if live.affairs.customs != Customs() and not live.over:
        sections.append(customs_section(live, words.lang))
    return sections


def customs_section(live: Live, lang: str) -> Section:
    """What holds in a game besides its rules: in the first letter, and in STATUS where it is not the usual."""
    words, customs = catalogue(lang, live.rules), live.affairs.customs
    lines = [*calendar_lines(live, words), *press_lines(live, lang)]
    if customs.objections:
        lines.append(words.phrase("customs", "objections", hours=customs.objections))
    if customs.votes != NO_VOTES:
        lines.append(words.phrase("customs", f"votes_{customs.votes}"))
    if THREAD in live.staff:
        lines.append(words.phrase("customs", f"orders_{customs.orders}"))
        lines.append(words.phrase("customs", f"edits_{customs.edits}"))
    return Section(words.phrase("titles", "customs"), tuple(Line(line) for line in lines))


def calendar_lines(live: Live, words: Catalogue) -> list[str]:
    """How much time there is for orders."""
    calendar = live.affairs.calendar
    if calendar is None:
        return [words.phrase("customs", "no_calendar")]
    names = dict(zip(WEEKDAYS, words.phrase("dates", "days").split(), strict=True))
    how = words.phrase(
        "customs",
        "calendar",
        hours=calendar.hours,
        snap=calendar.snap,
        zone=calendar.zone,
        barred=enumeration([names[day] for day in WEEKDAYS if day in calendar.barred], words.lang),
    )
    grace = words.phrase("customs", "calendar_grace", grace=calendar.grace)
    return [how, grace, words.phrase("customs", "calendar_zone")]


def press_lines(live: Live, lang: str) -> list[str]:
    """How players may write to each other."""
    words, customs = catalogue(lang, live.rules), live.affairs.customs
    lines = [words.phrase("customs", f"press_{customs.press}")]
    if customs.press != NO_PRESS:
        if customs.couriers is not None:
            ride = customs.couriers
            lines.append(words.phrase("customs", "couriers", hours=ride.hours, risk=ride.risk))
        else:
            lines.append(words.phrase("customs", "release_" + customs.release.replace(" ", "_")))
        lines.append(words.phrase("customs", "limit", limit=customs.limit))
    return lines


def _deadlines(words: Catalogue, live: Live, reader: str) -> list[str]:
    lines = []
    for seat in live.seats:
        name = words.seat(seat)
        person = live.person(seat)
        deadline = clock.deadline_of(live, seat)
        if person.unreachable is not None:
            lines.append(words.phrase("notes", "clock_stopped", seat=seat))
        elif deadline is not None and not live.affairs.paused:
            lines.append(
                words.phrase("notes", "deadline", seat=name, deadline=clock.when(live, deadline, reader))
            )
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
        for seat, record in ((seat, live.affairs.records.get(seat)) for seat in live.seats)
        if record is not None and (record.on_time or record.late or record.missed)
    ]
