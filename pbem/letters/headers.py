"""The head of a letter: fields, encoded words, addresses. Bounded, and never raising."""

from __future__ import annotations

import base64
import binascii
import re
from email.utils import getaddresses

from pbem.letters.text import decode, plain_line

# Possessive repeats: a hostile head is walked once.
_HEAD = re.compile(rb"(?:[!-9;-~]++[ \t]*+:[^\n]*+(?:\n[ \t][^\n]*+)*+(?:\n|\Z))*+")
_FIELD = re.compile(rb"(?m:^)([!-9;-~]++)[ \t]*+:([^\n]*+(?:\n[ \t][^\n]*+)*+)(?:\n|\Z)")
_WORD = re.compile(r"=\?([^?\s]{1,60})\?([bBqQ])\?([^?]{0,2000}+)\?=")
_BETWEEN_WORDS = re.compile(r"(\?=)\s++(?==\?[^?\s]{1,60}\?[bBqQ]\?)")
_Q_BYTE = re.compile(rb"=([0-9A-Fa-f]{2})")
_ADDRESS = re.compile(r"[^\s<>,;:\"()\[\]\\@]{1,128}@[^\s<>,;:\"()\[\]\\@]{1,253}")
_MAILBOX = re.compile(
    r'\s*+(?:"((?:[^"\\]|\\.)*+)"|([^<>@,;:"()\\]*+))\s*+'
    r"<([^\s<>,;:\"()\[\]\\@]{1,128}@[^\s<>,;:\"()\[\]\\@]{1,253})>\s*"
)
_MESSAGE_ID = re.compile(r"<[^<>\s]{1,500}>")
_PARAMETER = re.compile(r';\s*+([A-Za-z0-9*_-]++)\s*+=\s*+(?:"([^"]*+)"|([^\s;"]++))')


class Headers:
    """The fields of a head, by lower-case name, decoded when asked for."""

    def __init__(self, fields: dict[str, list[bytes]], longest: int) -> None:
        self._fields = fields
        self.longest = longest

    def __contains__(self, name: str) -> bool:
        return name in self._fields

    def all(self, name: str) -> tuple[str, ...]:
        """Every value of a field, unfolded, encoded words left as they are."""
        return tuple(_unfold(value) for value in self._fields.get(name, ()))

    def first(self, name: str) -> str:
        """The first value of a field, or an empty string."""
        values = self._fields.get(name)
        return _unfold(values[0]) if values else ""

    def words(self, name: str) -> str:
        """The first value of a field as a person would read it."""
        return decode_words(self.first(name))


def split(raw: bytes, limit: int) -> tuple[Headers, int, bool]:
    """The head's fields, where the body begins, and whether the head is longer than the limit."""
    start = 0
    while raw.startswith((b"\r\n", b"\n"), start) and start < limit:
        start += 1 if raw[start] == 10 else 2
    if raw.startswith((b"From ", b">From "), start):
        line_end = raw.find(b"\n", start, start + 1000)
        start = line_end + 1 if line_end >= 0 else start
    match = _HEAD.match(raw, start, start + limit)
    end = match.end() if match else start
    # Either the last field was cut at the limit, or one more begins where the limit fell between two.
    overlong = len(raw) > start + limit and (
        end >= start + limit or _FIELD.match(raw, end, end + limit) is not None
    )
    fields: dict[str, list[bytes]] = {}
    longest = 0
    for field in _FIELD.finditer(raw, start, end):
        name, value = field.groups()
        longest = max(longest, len(value))
        fields.setdefault(name.decode("ascii").lower(), []).append(value)
    if raw.startswith(b"\r\n", end):
        end += 2
    elif raw.startswith(b"\n", end):
        end += 1
    return Headers(fields, longest), end, overlong


def _unfold(value: bytes) -> str:
    if b"\n" in value or b"\r" in value:
        value = value.replace(b"\r", b"").replace(b"\n", b"")
    text = value.decode("ascii") if value.isascii() else decode(value, "")[0]
    return text.strip()


def decode_words(value: str) -> str:
    """RFC 2047 words decoded; a damaged word stays as it came. Always one line."""
    if "=?" in value:
        value = _WORD.sub(_decode_word, _BETWEEN_WORDS.sub(r"\1", value))
    return plain_line(value)


def _decode_word(match: re.Match[str]) -> str:
    charset, encoding, payload = match.groups()
    data = payload.encode("utf-8", "replace")
    if encoding in "bB":
        try:
            data = b"".join(data.split()).rstrip(b"=")
            data = base64.b64decode(data + b"=" * (-len(data) % 4))
        except (binascii.Error, ValueError):
            return match.group()
    else:
        data = _Q_BYTE.sub(lambda byte: bytes([int(byte.group(1), 16)]), data.replace(b"_", b" "))
    return decode(data, charset.partition("*")[0])[0]


def mailboxes(value: str) -> list[tuple[str, str]]:
    """(name, lower-case address) of each mailbox in a From-like field."""
    match = _MAILBOX.fullmatch(value)
    if match:
        quoted, bare, address = match.groups()
        name = re.sub(r"\\(.)", r"\1", quoted) if quoted is not None else bare or ""
        return [(decode_words(name.strip()), address.lower())]
    if _ADDRESS.fullmatch(value):
        return [("", value.lower())]
    try:
        pairs = getaddresses([value])
    except Exception:  # the stdlib parser recurses on nested comments
        pairs = []
    found = [(decode_words(name), address.lower()) for name, address in pairs if _ADDRESS.fullmatch(address)]
    return found or [("", address.lower()) for address in _ADDRESS.findall(value)[:1]]


def addresses(values: tuple[str, ...], limit: int) -> tuple[str, ...]:
    """The distinct lower-case addresses that occur in some fields, in order."""
    found: dict[str, None] = {}
    for value in values:
        for address in _ADDRESS.findall(value):
            found.setdefault(address.lower())
            if len(found) >= limit:
                return tuple(found)
    return tuple(found)


def message_ids(value: str, limit: int = 50) -> tuple[str, ...]:
    """The message ids in a References-like field; the oldest and the newest survive a cut."""
    found = _MESSAGE_ID.findall(value)
    if len(found) > limit:
        found = [found[0], *found[-(limit - 1) :]]
    return tuple(found)


def media_type(value: str) -> tuple[str, dict[str, str]]:
    """A Content-Type or Content-Disposition field: its lower-case type and its simple parameters."""
    kind = value.partition(";")[0].strip().lower()
    parameters: dict[str, str] = {}
    for name, quoted, bare in _PARAMETER.findall(value):
        parameters.setdefault(name.lower(), quoted or bare)
    return kind, parameters
