"""Deadlines: snapped, skipped, never earlier than the last; the clocks change, years end, players go away."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.campaign.deadlines.calendar import WEEKDAYS, Absence, BadCalendar, Calendar, Refused, read_absence

PARIS = "Europe/Paris"
ZONES = (PARIS, "UTC", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "Pacific/Apia")


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def local(at: datetime, zone: str = PARIS) -> str:
    return at.astimezone(ZoneInfo(zone)).strftime("%a %Y-%m-%d %H:%M")


@pytest.mark.parametrize(
    ("calendar", "asked", "due"),
    [
        # A plain three days keep the hour, also over both changes of the clocks in Paris.
        (Calendar(zone=PARIS), "2026-01-05 11:00", "Thu 2026-01-08 12:00"),
        (Calendar(zone=PARIS), "2026-03-27 11:00", "Mon 2026-03-30 12:00"),
        (Calendar(zone=PARIS), "2026-10-23 10:00", "Mon 2026-10-26 12:00"),
        # Snapped to eight in the evening, whatever the clocks do.
        (Calendar(zone=PARIS, snap="20:00"), "2026-03-27 11:00", "Mon 2026-03-30 20:00"),
        (Calendar(zone=PARIS, snap="20:00"), "2026-10-23 10:00", "Mon 2026-10-26 20:00"),
        (Calendar(zone=PARIS, snap="20:00"), "2026-01-05 19:30", "Fri 2026-01-09 20:00"),
        # Half past two does not exist in that night, and exists twice in the other.
        (Calendar(zone=PARIS, snap="02:30", hours=24), "2026-03-28 00:00", "Sun 2026-03-29 03:30"),
        (Calendar(zone=PARIS, snap="02:30", hours=24), "2026-10-23 22:30", "Sun 2026-10-25 02:30"),
        # No deadlines at the weekend.
        (
            Calendar(zone=PARIS, snap="20:00", barred=("sat", "sun")),
            "2026-01-07 11:00",
            "Mon 2026-01-12 20:00",
        ),
        (Calendar(zone=PARIS, barred=("sat", "sun")), "2026-01-07 11:00", "Mon 2026-01-12 12:00"),
        # The year ends in holidays.
        (
            Calendar(zone=PARIS, snap="20:00", holidays=("2026-12-24..2027-01-02", "12-25")),
            "2026-12-22 11:00",
            "Sun 2027-01-03 20:00",
        ),
        (Calendar(zone=PARIS, hours=24), "2026-12-31 11:00", "Fri 2027-01-01 12:00"),
        # The leap day is a day.
        (Calendar(zone=PARIS, hours=24), "2028-02-28 11:00", "Tue 2028-02-29 12:00"),
        (Calendar(zone=PARIS, hours=24, holidays=("02-29",)), "2028-02-28 11:00", "Wed 2028-03-01 12:00"),
        # Another time for a phase.
        (Calendar(zone=PARIS, phases={"reveal": 30}), "2026-01-05 11:00", "Tue 2026-01-06 18:00"),
    ],
)
def test_when_an_answer_is_due(calendar: Calendar, asked: str, due: str) -> None:
    assert local(calendar.deadline(utc(asked), "reveal")) == due


def test_of_the_two_half_past_twos_the_later_one_counts() -> None:
    calendar = Calendar(zone=PARIS, snap="02:30", hours=24)
    assert calendar.deadline(utc("2026-10-23 22:30")) == utc("2026-10-25 01:30")


def test_a_next_deadline_is_never_earlier_than_the_last() -> None:
    calendar = Calendar(zone=PARIS, phases={"reveal": 12})
    first = calendar.deadline(utc("2026-01-05 11:00"))
    assert calendar.deadline(utc("2026-01-05 12:00"), "reveal", last=first) == first


calendars = st.builds(
    Calendar,
    zone=st.sampled_from(ZONES),
    hours=st.integers(1, 500),
    snap=st.sampled_from(["", "00:00", "02:30", "20:00", "23:59"]),
    barred=st.sets(st.sampled_from(WEEKDAYS), max_size=6).map(lambda days: tuple(sorted(days))),
    holidays=st.sampled_from([(), ("12-25", "01-01"), ("2026-12-24..2027-01-02", "02-29")]),
    grace=st.integers(0, 100),
    floor=st.integers(0, 100),
)
moments = st.datetimes(datetime(2023, 1, 1), datetime(2033, 1, 1)).map(lambda at: at.replace(tzinfo=UTC))


@settings(max_examples=300, deadline=None)
@given(calendars, moments, moments)
def test_deadlines_of_any_calendar(calendar: Calendar, now: datetime, last: datetime) -> None:
    calendar.check()
    due = calendar.deadline(now)
    assert calendar.free(calendar.day(due))
    assert due >= now + timedelta(hours=calendar.hours) - timedelta(hours=1)
    assert due <= now + timedelta(hours=calendar.hours + 2) + timedelta(days=30)
    assert calendar.deadline(now, last=last) >= last
    assert calendar.snapped(due) == due
    if calendar.snap and local(due, calendar.zone)[-5:] != calendar.snap:
        # Only where that time of day does not exist.
        naive = datetime.combine(calendar.day(due), datetime.strptime(calendar.snap, "%H:%M").time())
        there = naive.replace(tzinfo=ZoneInfo(calendar.zone))
        assert there.astimezone(UTC).astimezone(there.tzinfo).replace(tzinfo=None) != naive
    assert calendar.silence(due) >= due
    assert calendar.silence(due, now) >= now + timedelta(hours=calendar.floor)


@settings(max_examples=200, deadline=None)
@given(calendars, moments, st.integers(-5, 40), st.integers(1, 21))
def test_an_absence_moves_a_deadline_only_later_and_not_too_far(
    calendar: Calendar, now: datetime, start: int, days: int
) -> None:
    first = calendar.day(now) + timedelta(days=start)
    absence = Absence(first, first + timedelta(days=days - 1))
    plain, moved = calendar.deadline(now), calendar.deadline(now, absences=[absence])
    assert moved >= plain
    if not absence.covers(calendar.day(plain)):
        assert moved == plain
    else:
        assert moved > plain
        assert moved <= plain + timedelta(days=calendar.absence + 30)
        assert calendar.free(calendar.day(moved))


@settings(max_examples=200, deadline=None)
@given(calendars, moments, st.integers(0, 10_000))
def test_lost_time_is_given_back(calendar: Calendar, now: datetime, minutes: int) -> None:
    due = calendar.deadline(now)
    lost = timedelta(minutes=minutes)
    assert calendar.shifted(due, lost) >= due + lost


def test_absence_behind_absence() -> None:
    calendar = Calendar(zone=PARIS, snap="20:00")
    away = [Absence(date(2026, 1, 8), date(2026, 1, 10)), Absence(date(2026, 1, 11), date(2026, 1, 12))]
    assert local(calendar.deadline(utc("2026-01-05 11:00"), absences=away)) == "Wed 2026-01-14 20:00"


@pytest.mark.parametrize(
    "calendar",
    [
        Calendar(zone="Europe/Atlantis"),
        Calendar(zone="../etc/passwd"),
        Calendar(hours=0),
        Calendar(hours=24 * 365),
        Calendar(phases={"keep": -3}),
        Calendar(snap="25:00"),
        Calendar(snap="noon"),
        Calendar(barred=("caturday",)),
        Calendar(barred=WEEKDAYS),
        Calendar(holidays=("2026-13-01",)),
        Calendar(holidays=("02-30",)),
        Calendar(holidays=("2026-01-01..2026-12-31",)),
        Calendar(holidays=("2026-02-02..2026-01-01",)),
        Calendar(reminders=(0,)),
        Calendar(reminders=(1, 2, 3, 4, 5, 6)),
        Calendar(grace=-1),
        Calendar(absence=1000),
    ],
)
def test_calendars_that_cannot_be_kept(calendar: Calendar) -> None:
    with pytest.raises(BadCalendar):
        calendar.check()


TODAY = date(2026, 3, 10)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("2026-03-12 to 2026-03-20", date(2026, 3, 12), date(2026, 3, 20)),
        ("from 12.3.2026–20.3.2026", date(2026, 3, 12), date(2026, 3, 20)),
        ("du 25/03/2026 au 30/03/2026", date(2026, 3, 25), date(2026, 3, 30)),
        ("03/25/2026 - 03/30/2026", date(2026, 3, 25), date(2026, 3, 30)),
        ("2026-03-10", date(2026, 3, 10), date(2026, 3, 10)),
    ],
)
def test_absences_as_people_write_them(text: str, first: date, last: date) -> None:
    assert read_absence(text, TODAY, Calendar()) == Absence(first, last)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("next week", "absent_what"),
        ("2026-02-30", "absent_what"),
        ("2026-03-12 2026-03-14 2026-03-16", "absent_what"),
        ("2026-03-20 to 2026-03-12", "absent_order"),
        ("2026-03-01 to 2026-03-12", "absent_past"),
        ("04/05/2026", "absent_two_ways"),
        ("2026-04-01 to 2027-03-31", "absent_long"),
        ("2028-04-01", "absent_far"),
        ("2026-04-01 to 2026-04-15", "absent_cap"),
    ],
)
def test_absences_that_are_refused(text: str, code: str) -> None:
    known = [Absence(date(2026, 1, 1), date(2026, 1, 30))]
    with pytest.raises(Refused) as refused:
        read_absence(text, TODAY, Calendar(), known)
    assert refused.value.code == code
