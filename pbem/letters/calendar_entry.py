"""A deadline as an entry for a calendar (iCalendar, RFC 5545): one event, with an alarm a day before.

A later entry of the same `uid` takes the place of the earlier one in the reader's calendar.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import msgspec

_OCTETS = 75
_EPOCH = datetime(2020, 1, 1, tzinfo=UTC)


class Entry(msgspec.Struct, frozen=True):
    """One deadline."""

    uid: str
    made: datetime
    """When it was said; of two entries of one `uid` the later counts."""
    due: datetime
    summary: str
    description: str

    def text(self) -> str:
        """The whole file, lines ended by CRLF."""
        lines = [
            "BEGIN:VCALENDAR",
            "VERSION:2.0",
            "PRODID:-//pbem//pbem//EN",
            "METHOD:PUBLISH",
            "BEGIN:VEVENT",
            f"UID:{_escaped(self.uid)}",
            f"SEQUENCE:{int((self.made - _EPOCH).total_seconds())}",
            f"DTSTAMP:{_utc(self.made)}",
            f"DTSTART:{_utc(self.due)}",
            f"DTEND:{_utc(self.due + timedelta(minutes=15))}",
            f"SUMMARY:{_escaped(self.summary)}",
            f"DESCRIPTION:{_escaped(self.description)}",
            "TRANSP:TRANSPARENT",
            "BEGIN:VALARM",
            "ACTION:DISPLAY",
            f"DESCRIPTION:{_escaped(self.summary)}",
            "TRIGGER:-P1D",
            "END:VALARM",
            "END:VEVENT",
            "END:VCALENDAR",
        ]
        return "".join(f"{_folded(line)}\r\n" for line in lines)


def _utc(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _escaped(text: str) -> str:
    """Text as a value: separators behind a backslash, no line breaks."""
    text = " ".join(text.split())
    return text.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")


def _folded(line: str) -> str:
    """Lines of at most 75 octets, never broken within a character."""
    pieces, piece = [], ""
    for char in line:
        if len((piece + char).encode()) > _OCTETS:
            pieces.append(piece)
            piece = " "
        piece += char
    return "\r\n".join([*pieces, piece])
