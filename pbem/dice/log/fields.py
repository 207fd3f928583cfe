"""Reads the fields of a log that may be forged or broken: what is not as it should be is a `Fault`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import NoReturn

Json = dict[str, object]

PARTS = 1_000_000
"""How many values there may be in a line: a short text can ask for very much memory."""

_HEX = re.compile(r"[0-9a-f]*")


class Fault(Exception):
    """The first thing found wrong; `entry` where it is not the entry at hand."""

    def __init__(self, code: str, detail: str = "", entry: int = 0) -> None:
        super().__init__(code)
        self.code, self.detail, self.entry = code, detail, entry


def parse(line: bytes, whole: bool) -> Json:
    """A line as an object; without its line end it may be the torn last line of a file."""
    if sum(line.count(mark) for mark in (b",", b"[", b"{")) > PARTS:
        raise Fault("limits")
    try:
        entry = json.loads(line.decode(), parse_float=_refuse, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise Fault("unreadable" if whole else "truncated") from error
    if not isinstance(entry, dict):
        raise Fault("unreadable")
    return entry


def value_in(text: str) -> object:
    """A text of JSON as a value; None where it is none that a log may hold."""
    try:
        value: object = json.loads(text, parse_float=_refuse, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None
    return value


def _refuse(number: str) -> NoReturn:
    raise ValueError(number)


def canonical(value: object) -> bytes:
    """Canonical JSON, by the standard library."""
    try:
        return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        raise Fault("canonical") from error


def text(body: Json, name: str, limit: int) -> str:
    """A text of limited length."""
    value = body.get(name)
    if not isinstance(value, str) or len(value) > limit:
        raise Fault("fields", ascii(name)[:80])
    return value


def number(body: Json, name: str, least: int, most: int) -> int:
    """A whole number within limits (true is no number)."""
    value = body.get(name)
    if type(value) is not int or not least <= value <= most:
        raise Fault("fields", name)
    return value


def size(body: Json, name: str, least: int, most: int) -> int:
    """A number that a game's material limits."""
    value = body.get(name)
    if type(value) is int and not least <= value <= most:
        raise Fault("absurd", f"{name} {str(value)[:40]}" if abs(value) < 10**40 else name)
    return number(body, name, least, most)


def many(body: Json, name: str, limit: int) -> list[object]:
    """A list of limited length."""
    value = body.get(name)
    if not isinstance(value, list) or len(value) > limit:
        raise Fault("fields", name)
    return value


def sized(body: Json, name: str, limit: int) -> list[object]:
    """A list that a game's material limits."""
    value = body.get(name)
    if isinstance(value, list) and len(value) > limit:
        raise Fault("absurd", f"{len(value)} {name}")
    return many(body, name, limit)


def texts(values: list[object]) -> tuple[str, ...]:
    """Values that must all be texts."""
    found = tuple(value for value in values if isinstance(value, str))
    if len(found) < len(values):
        raise Fault("fields")
    return found


def numbers(values: list[object], most: int) -> tuple[int, ...]:
    """Values that must all be numbers from 1 to `most`."""
    found = tuple(value for value in values if type(value) is int and 1 <= value <= most)
    if len(found) < len(values):
        raise Fault("fields")
    return found


def raw(value: object, name: str, size: int = 32) -> bytes:
    """The bytes of a text of lower-case hex digits."""
    if not isinstance(value, str) or len(value) != 2 * size or not _HEX.fullmatch(value):
        raise Fault("fields", name)
    return bytes.fromhex(value)


def digest(body: Json, name: str) -> bytes:
    """A hash."""
    return raw(body.get(name), name)


def few(values: Iterable[int]) -> str:
    """The first of some numbers, for a message."""
    return ",".join(str(value) for value, _ in zip(values, range(10), strict=False))
