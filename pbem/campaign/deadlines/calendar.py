"""The calendar of a game: when answers are due. Pure: times come from the caller.

Thinking time is counted in days of the game's zone, so that a change of the clocks moves no deadline; deadlines
snap to a time of day and skip barred weekdays and holidays. A next deadline is never earlier than the last.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec

WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
LONGEST_HOURS = 24 * 60
_LONGEST_HOLIDAYS = 60
_MOST_SKIPS = 800
_TIME = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)")
_YEARLY = re.compile(r"(\d{2})-(\d{2})")
_DAY = timedelta(days=1)


class BadCalendar(ValueError):
    """A calendar that cannot be kept; the text says why."""


class Absence(msgspec.Struct, frozen=True):
    """The first and the last day on which a player does not read letters."""

    first: date
    last: date

    @property
    def days(self) -> int:
        """How many days it lasts."""
        return (self.last - self.first).days + 1

    def covers(self, day: date) -> bool:
        """Whether a day is among them."""
        return self.first <= day <= self.last


class Calendar(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """How much time there is for an answer, and what happens around a deadline."""

    zone: str = "UTC"
    hours: int = 72
    """Thinking time."""
    phases: dict[str, int] = {}
    """Thinking time of single kinds of questions."""
    snap: str = ""
    """The time of day of all deadlines, as 20:00; any, if empty."""
    barred: tuple[str, ...] = ()
    """Weekdays without deadlines."""
    holidays: tuple[str, ...] = ()
    """Days without deadlines: 2026-04-06, every 12-25, or 2026-12-24..2027-01-02."""
    reminders: tuple[int, ...] = (24,)
    """How many hours before a deadline a reminder goes out."""
    grace: int = 24
    """How many hours after a deadline an answer is late but still taken."""
    floor: int = 12
    """At least so many hours lie between two advances of a game that no player made."""
    absence: int = 21
    """How many days one absence may last."""
    absences: int = 42
    """How many days of absence a seat may have in one game."""
    patience: int = 7
    """After how many days with a stopped clock a replacement is called for."""

    def check(self) -> None:
        """Raises BadCalendar where it cannot be kept."""
        _zone(self.zone)
        for name, hours in (("hours", self.hours), *self.phases.items()):
            if not 1 <= hours <= LONGEST_HOURS:
                raise BadCalendar(f"{name}: from 1 to {LONGEST_HOURS} hours, not {hours}")
        if self.snap:
            _time(self.snap)
        unknown = set(self.barred) - set(WEEKDAYS)
        if unknown:
            raise BadCalendar(f"barred: {', '.join(sorted(unknown))}; weekdays are {', '.join(WEEKDAYS)}")
        if len(set(self.barred)) == len(WEEKDAYS):
            raise BadCalendar("barred: one weekday has to be left")
        for text in self.holidays:
            _holiday(text)
        if any(not 1 <= hours <= LONGEST_HOURS for hours in self.reminders) or len(self.reminders) > 5:
            raise BadCalendar("reminders: at most five, each some hours before the deadline")
        for name in ("grace", "floor"):
            if not 0 <= getattr(self, name) <= LONGEST_HOURS:
                raise BadCalendar(f"{name}: from 0 to {LONGEST_HOURS} hours")
        if not (0 <= self.absence <= 366 and 0 <= self.absences <= 366 and 1 <= self.patience <= 366):
            raise BadCalendar("absence, absences and patience are days, a year at most")

    def free(self, day: date) -> bool:
        """Whether a deadline may fall on that day."""
        return WEEKDAYS[day.weekday()] not in self.barred and not any(
            _holiday(text).covers(day) for text in self.holidays
        )

    def day(self, at: datetime) -> date:
        """The day of a moment, where the game is."""
        return at.astimezone(_zone(self.zone)).date()

    def deadline(
        self,
        now: datetime,
        phase: str = "",
        *,
        last: datetime | None = None,
        absences: Sequence[Absence] = (),
    ) -> datetime:
        """Until when a question asked now has to be answered: never earlier than the `last` deadline."""
        hours = self.phases.get(phase, self.hours)
        days, rest = divmod(hours, 24)
        local = now.astimezone(_zone(self.zone)).replace(tzinfo=None)
        at = self._moment(local + days * _DAY) + timedelta(hours=rest)
        if last is not None:
            at = max(at, last)
        return self.after_absences(self.snapped(at), absences, hours)

    def snapped(self, at: datetime) -> datetime:
        """The first moment from then on at which a deadline may fall."""
        zone = _zone(self.zone)
        local = at.astimezone(zone)
        when = _time(self.snap) if self.snap else local.time().replace(fold=0)
        day = local.date()
        for _ in range(_MOST_SKIPS):
            moment = self._moment(datetime.combine(day, when))
            if moment >= at and self.free(day):
                return moment
            if not self.snap and self.free(day) and day == local.date():
                return at.astimezone(UTC)
            day += _DAY
        return at.astimezone(UTC)

    def after_absences(self, at: datetime, absences: Sequence[Absence], hours: int = 24) -> datetime:
        """A deadline that falls into absences, moved behind them with a day to answer; others stay."""
        limit = at + self.absence * _DAY + _DAY
        for _ in range(len(absences) + 1):
            found = next((one for one in absences if one.covers(self.day(at))), None)
            if found is None:
                return at
            back = self._moment(datetime.combine(found.last + _DAY, time()))
            moved = self.snapped(back + timedelta(hours=min(hours, 24)))
            if moved <= at or moved > max(limit, at):
                return at if moved <= at else self.snapped(limit)
            at = moved
        return at

    def shifted(self, at: datetime, by: timedelta) -> datetime:
        """A deadline moved because time was lost that was not the players' to lose."""
        return self.snapped(at + by)

    def reminders_before(self, at: datetime) -> list[datetime]:
        """When to remind of a deadline, the first reminder first."""
        return [at - timedelta(hours=hours) for hours in sorted(set(self.reminders), reverse=True)]

    def silence(self, at: datetime, last_advance: datetime | None = None) -> datetime:
        """When silence takes effect: after the grace, and not too soon after the last advance without a player."""
        due = at + timedelta(hours=self.grace)
        if last_advance is None:
            return due
        return max(due, last_advance + timedelta(hours=self.floor))

    def _moment(self, local: datetime) -> datetime:
        """A local time as a moment. Of two the later, in the players' favour; in a gap, behind it."""
        zone = _zone(self.zone)
        both = (local.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1))
        return max(both)


USUAL = Calendar(snap="20:00")
"""What a game gets whose host says nothing."""
NO_SPAN = "a span of time is written 48h or 3d, from 1 to 1440 hours"
_SPAN = re.compile(r"(\d{1,4})\s*(h|d|j|hours?|heures?|days?|jours?)?", re.IGNORECASE)


def read_span(text: str) -> int | None:
    """48, 48h or 2d as hours; None where it is no span from an hour to two months."""
    match = _SPAN.fullmatch(text.strip())
    if match is None:
        return None
    hours = int(match[1]) * (24 if (match[2] or "h")[0].lower() in "dj" else 1)
    return hours if 1 <= hours <= LONGEST_HOURS else None


def read_calendar(text: str) -> Calendar:
    """The calendar that a TOML file holds. Raises BadCalendar."""
    try:
        return msgspec.convert(tomllib.loads(text), Calendar)
    except tomllib.TOMLDecodeError as error:
        raise BadCalendar(str(error)) from error
    except msgspec.ValidationError as error:
        raise BadCalendar(with_known_fields(str(error))) from error


def with_known_fields(error: str) -> str:
    """What is wrong with a calendar, and, where a field is not known, those that are."""
    return (
        f"{error}; the fields are {', '.join(Calendar.__struct_fields__)}"
        if "unknown field" in error
        else error
    )


@cache
def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise BadCalendar(f"zone: there is no {name!r}; write as Europe/Paris") from error


@cache
def _time(text: str) -> time:
    match = _TIME.fullmatch(text)
    if match is None:
        raise BadCalendar(f"snap: a time of day is written 20:00, not {text!r}")
    return time(int(match[1]), int(match[2]))


class _Holiday(msgspec.Struct, frozen=True):
    """Days of a certain year, or a day of every year."""

    days: Absence | None = None
    yearly: tuple[int, int] = (0, 0)

    def covers(self, day: date) -> bool:
        return self.days.covers(day) if self.days is not None else (day.month, day.day) == self.yearly


@cache
def _holiday(text: str) -> _Holiday:
    yearly = _YEARLY.fullmatch(text)
    first, dots, last = text.partition("..")
    try:
        if yearly is not None:
            month, day = int(yearly[1]), int(yearly[2])
            date(2024, month, day)
            return _Holiday(yearly=(month, day))
        days = Absence(date.fromisoformat(first), date.fromisoformat(last if dots else first))
    except ValueError as error:
        raise BadCalendar(
            f"holidays: {text!r} is no day; write 2026-04-06, 12-25 or 2026-12-24..2027-01-02"
        ) from error
    if not 1 <= days.days <= _LONGEST_HOLIDAYS:
        raise BadCalendar(f"holidays: {text!r} lasts {days.days} days")
    return _Holiday(days)


class Refused(ValueError):
    """An absence that cannot be granted: the code of the reason and its particulars."""

    def __init__(self, code: str, **params: str | int) -> None:
        super().__init__(code)
        self.code = code
        self.params = params


_ISO = re.compile(r"(?<!\d)(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)")
_NUMBERS = re.compile(r"(?<!\d)(\d{1,2})([./])(\d{1,2})\2(\d{4})(?!\d)")
_FURTHEST = 366


def read_absence(text: str, today: date, calendar: Calendar, known: Iterable[Absence] = ()) -> Absence:
    """The absence that ABSENT asks for. Raises Refused."""
    days = _dates(text)
    if len(days) == 1:
        days *= 2
    if len(days) != 2:
        raise Refused("absent_what")
    absence = Absence(days[0], days[1])
    if absence.last < absence.first:
        raise Refused("absent_order", first=str(absence.first), last=str(absence.last))
    if absence.first < today:
        raise Refused("absent_past", day=str(absence.first), today=str(today))
    if (absence.first - today).days > _FURTHEST:
        raise Refused("absent_far", day=str(absence.first))
    if absence.days > calendar.absence:
        raise Refused("absent_long", days=absence.days, limit=calendar.absence)
    total = absence.days + sum(one.days for one in known)
    if total > calendar.absences:
        raise Refused("absent_cap", days=total, limit=calendar.absences)
    return absence


def _dates(text: str) -> list[date]:
    found: list[tuple[int, date]] = []
    try:
        for match in _ISO.finditer(text[:500]):
            found.append((match.start(), date(int(match[1]), int(match[2]), int(match[3]))))
        for match in _NUMBERS.finditer(text[:500]):
            day, month, year = int(match[1]), int(match[3]), int(match[4])
            # With slashes half the world writes the month first.
            if match[2] == "/" and day != month and day <= 12 and month <= 12:
                one, other = date(year, month, day), date(year, day, month)
                raise Refused("absent_two_ways", text=match[0], one=str(one), other=str(other))
            if match[2] == "/" and day <= 12 < month:
                day, month = month, day
            found.append((match.start(), date(year, month, day)))
    except Refused:
        raise
    except ValueError:
        raise Refused("absent_what") from None
    return [day for _, day in sorted(found)]
