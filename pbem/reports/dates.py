"""Moments as a reader sees them: in his language and in his own time zone."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from pbem.orders.words import fold
from pbem.reports.catalogue import Catalogue


def long(words: Catalogue, at: datetime, zone: str) -> str:
    """`Friday 20 November 2026, 20:00 (Europe/Paris)`."""
    return words.phrase("dates", "long", **_parts(words, at, zone, "days", "months"), zone=zone)


def short(words: Catalogue, at: datetime, zone: str, now: datetime) -> str:
    """`Fri 20:00`, and with its date where more than six days lie between: for a subject."""
    kind = "soon" if (at - now).days < 6 else "short"
    return words.phrase("dates", kind, **_parts(words, at, zone, "days_short", "months_short"))


def _parts(words: Catalogue, at: datetime, zone: str, days: str, months: str) -> dict[str, str | int]:
    there = at.astimezone(ZoneInfo(zone) if zone in _zones().values() else UTC)
    return {
        "weekday": words.phrase("dates", days).split()[there.weekday()],
        "month": words.phrase("dates", months).split()[there.month - 1],
        "day": there.day,
        "year": there.year,
        "time": f"{there:%H:%M}",
    }


def zone_named(text: str) -> str:
    """The time zone that somebody names, as `Europe/Paris`, `paris` or `new york`; empty where there is none."""
    asked = fold(text.strip(" .()")).replace(" ", "_")
    if asked in _zones():
        return _zones()[asked]
    cities = {name for key, name in _zones().items() if key.rpartition("/")[2] == asked}
    return min(cities, key=lambda name: (name.count("/") != 1, name)) if cities else ""


@cache
def _zones() -> dict[str, str]:
    """All zones by their folded names."""
    return {name.lower(): name for name in sorted(available_timezones()) if not name.startswith("posix")}
