"""Our own letters to bytes (MAIL 3). The same letter gives the same bytes, whenever and however often."""

from __future__ import annotations

import binascii
import hashlib
import re
import textwrap
from datetime import datetime
from email.utils import format_datetime
from functools import lru_cache
from urllib.parse import quote

import msgspec

from pbem.letters.addresses import can_be_written_to
from pbem.letters.automatic import LOOP_HEADER

_MESSAGE_ID = re.compile(r"<[!-;=?-~]{1,240}@[!-;=?-~]{1,240}>")
_LIST_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,200}")
_CONTENT_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,60}(?:@[A-Za-z0-9._-]{1,100})?")
_MEDIA_TYPE = re.compile(r"[a-z]+/[a-z0-9][a-z0-9.+-]{0,80}")
_TOKEN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,100}")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
_ATOM_PHRASE = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_{|}~ -]+")
_FORM_BEGIN = re.compile(r"\[\[(?:orders|ordres) ", re.IGNORECASE)
_FORM_END = re.compile(r"\[\[(?:end|fin)\]\]", re.IGNORECASE)
_COLUMNS = 78
_COMMAND = re.compile(r"\s*\$ \S")
_WORD_BYTES = 42


class ComposeError(ValueError):
    """An address, id or name that cannot stand in a letter's head."""


class Picture(msgspec.Struct, frozen=True):
    """A picture that the HTML shows as `cid:<cid>` and that is also attached, for text-only readers."""

    cid: str
    name: str
    data: bytes
    media_type: str = "image/png"
    attached: bool = True


class Attachment(msgspec.Struct, frozen=True):
    """A file that goes along."""

    name: str
    data: bytes
    media_type: str = "application/octet-stream"


class Outgoing(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that a letter of ours is made of; the caller gives the Message-ID and the date."""

    sender: str
    recipient: str
    subject: str
    message_id: str
    date: datetime
    text: str
    sender_name: str = ""
    recipient_name: str = ""
    html: str = ""
    markup: str = ""
    """The same for a board, in its dialect."""
    markup_type: str = "text/markdown"
    headers: tuple[tuple[str, str], ...] = ()
    """Further fields of the head, for the outlet of a board."""
    pictures: tuple[Picture, ...] = ()
    attachments: tuple[Attachment, ...] = ()
    in_reply_to: str = ""
    references: tuple[str, ...] = ()
    replied: bool = False
    token: str = ""
    plus_address: bool = True
    list_id: str = ""
    list_name: str = ""


def compose(letter: Outgoing) -> bytes:
    """The letter's bytes, lines ended by CRLF. Raises ComposeError when a field cannot be sent."""
    head = _head(letter)
    kind, part_head, body = _content(letter)
    head.append(f"Content-Type: {kind}")
    head += part_head
    return "\r\n".join(head).encode("ascii") + b"\r\n\r\n" + body


def reply_address(address: str, token: str, plus_address: bool = True) -> str:
    """Where an answer goes: the seat's token as plus-address where the server supports it."""
    _check_address(address)
    if not (token and plus_address):
        return address
    _check(_TOKEN, token, "token")
    local, _, host = address.partition("@")
    return f"{local}+{token}@{host}"


def _head(letter: Outgoing) -> list[str]:
    for address in (letter.sender, letter.recipient):
        _check_address(address)
    _check(_MESSAGE_ID, letter.message_id, "message id")
    if letter.date.tzinfo is None:
        raise ComposeError("the date needs a time zone")
    subject = _one_line(letter.subject)
    if letter.token and not letter.plus_address:
        _check(_TOKEN, letter.token, "token")
        subject = f"{subject} [{letter.token}]"
    head = [
        _field("From", _mailbox(letter.sender_name, letter.sender)),
        _field("To", _mailbox(letter.recipient_name, letter.recipient)),
        _field("Reply-To", reply_address(letter.sender, letter.token, letter.plus_address)),
        _field("Subject", _words(subject)),
        f"Date: {format_datetime(letter.date)}",
        _field("Message-ID", letter.message_id),
    ]
    # Other people's ids come as their programs make them; one that cannot stand in a head is left out.
    answered = letter.in_reply_to if _MESSAGE_ID.fullmatch(letter.in_reply_to) else ""
    if answered:
        head.append(_field("In-Reply-To", answered))
    known = [reference for reference in letter.references if _MESSAGE_ID.fullmatch(reference)]
    references = list(dict.fromkeys([*known, *filter(None, [answered])]))
    if references:
        if len(references) > 20:
            references = [references[0], *references[-19:]]
        head.append(_field("References", " ".join(references)))
    head += [_field(name, _words(value)) for name, value in letter.headers]
    if letter.list_id:
        _check(_LIST_ID, letter.list_id, "list id")
        head.append(_field("List-Id", f"{_phrase(letter.list_name)} <{letter.list_id}>".strip()))
    head += [
        f"Auto-Submitted: {'auto-replied' if letter.replied else 'auto-generated'}",
        "X-Auto-Response-Suppress: All",
        _field(LOOP_HEADER, letter.sender),
        "MIME-Version: 1.0",
    ]
    return head


def _content(letter: Outgoing) -> tuple[str, list[str], bytes]:
    """mixed( alternative( text, related( html, pictures ) ), attachments ), each layer only where needed.

    Gmail, Outlook, Thunderbird and Apple Mail all show the pictures in place with this nesting; with the
    pictures beside the alternative, Apple Mail and Outlook list them again below the text.
    """
    part = _text_part("plain", _fit(letter.text))
    if letter.markup:
        _check(_MEDIA_TYPE, letter.markup_type, "media type")
        marked = _text_part(letter.markup_type.removeprefix("text/"), letter.markup)
        part = _multipart("alternative", letter.message_id, [part, marked])
        if letter.pictures:
            painted = [_picture_part(picture) for picture in letter.pictures]
            part = _multipart("related", letter.message_id, [part, *painted])
    if letter.html:
        shown = _text_part("html", letter.html)
        if letter.pictures:
            pictures = [_picture_part(picture) for picture in letter.pictures]
            shown = _multipart("related", letter.message_id, [shown, *pictures], '; type="text/html"')
        part = _multipart("alternative", letter.message_id, [part, shown])
    attached = [
        Attachment(picture.name, picture.data, picture.media_type)
        for picture in letter.pictures
        if picture.attached or not (letter.html or letter.markup)
    ]
    attached += letter.attachments
    if attached:
        part = _multipart("mixed", letter.message_id, [part, *map(_attachment_part, attached)])
    return part


_Part = tuple[str, list[str], bytes]


def _multipart(subtype: str, message_id: str, parts: list[_Part], more: str = "") -> _Part:
    # From the Message-ID alone, so that a letter composed again is the same to the byte; "=_" cannot occur
    # in quoted-printable or base64 text.
    boundary = f"=_{subtype}_{hashlib.sha256(message_id.encode()).hexdigest()[:24]}"
    line = b"--" + boundary.encode("ascii")
    pieces: list[bytes] = []
    for kind, head, body in parts:
        pieces.append(line)
        pieces.append("\r\n".join([f"Content-Type: {kind}", *head]).encode("ascii"))
        pieces.append(b"")
        pieces.append(body.removesuffix(b"\r\n"))
    pieces += [line + b"--", b""]
    return f'multipart/{subtype}; boundary="{boundary}"{more}', [], b"\r\n".join(pieces)


def _text_part(subtype: str, text: str) -> _Part:
    lines = text.replace("\r\n", "\n").replace("\r", "\n").rstrip("\n").split("\n")
    body = "\r\n".join(lines) + "\r\n"
    if (
        body.isascii()
        and all(len(line) <= _COLUMNS for line in lines)
        and "=_" not in body
        and "\x00" not in body
    ):
        return f"text/{subtype}; charset=us-ascii", ["Content-Transfer-Encoding: 7bit"], body.encode("ascii")
    encoded = binascii.b2a_qp(body.encode("utf-8", "replace"), istext=True)
    return f"text/{subtype}; charset=utf-8", ["Content-Transfer-Encoding: quoted-printable"], encoded


def _fit(text: str) -> str:
    """Lines of at most 78 columns. The lines of a form stay whole, for they are edited line by line, and so
    do commands for a shell (`$ …`), for they are copied.
    """
    fitted: list[str] = []
    in_form = False
    for line in text.replace("\r\n", "\n").split("\n"):
        if _FORM_BEGIN.match(line):
            in_form = True
        if in_form or len(line) <= _COLUMNS or _COMMAND.match(line):
            fitted.append(line if line == "-- " else line.rstrip())
        else:
            indent = line[: len(line) - len(line.lstrip())][:40]
            fitted += textwrap.wrap(
                line, _COLUMNS, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
            ) or [""]
        if _FORM_END.match(line):
            in_form = False
    return "\n".join(fitted)


def _picture_part(picture: Picture) -> _Part:
    _check(_CONTENT_ID, picture.cid, "content id")
    _check(_MEDIA_TYPE, picture.media_type, "media type")
    kind = picture.media_type + _parameter("name", picture.name)
    head = [
        "Content-Transfer-Encoding: base64",
        f"Content-ID: <{picture.cid}>",
        "Content-Disposition: inline" + _parameter("filename", picture.name),
    ]
    return kind, head, _base64(picture.data)


def _attachment_part(attachment: Attachment) -> _Part:
    _check(_MEDIA_TYPE, attachment.media_type, "media type")
    kind = attachment.media_type + _parameter("name", attachment.name)
    head = [
        "Content-Transfer-Encoding: base64",
        "Content-Disposition: attachment" + _parameter("filename", attachment.name),
    ]
    return kind, head, _base64(attachment.data)


# A map is shown and attached, and often goes to more than one seat.
@lru_cache(maxsize=8)
def _base64(data: bytes) -> bytes:
    flat = binascii.b2a_base64(data, newline=False)
    return b"\r\n".join(flat[start : start + 76] for start in range(0, len(flat), 76)) + b"\r\n"


def _parameter(name: str, value: str) -> str:
    """A file's name, without anything that could be a path or a second parameter (RFC 2231)."""
    value = re.sub(r'[/\\"]+', "_", _one_line(value)).strip(". ")[:80] or "file"
    if value.isascii():
        return f';\r\n {name}="{value}"'
    return f";\r\n {name}*=utf-8''{quote(value, safe='')}"


def _check(pattern: re.Pattern[str], value: str, what: str) -> None:
    if not pattern.fullmatch(value):
        raise ComposeError(f"not usable as {what}: {value[:100]!r}")


def _check_address(address: str) -> None:
    if not can_be_written_to(address):
        raise ComposeError(f"not usable as address: {address[:100]!r}")


def _one_line(value: str) -> str:
    return " ".join(_CONTROL.sub(" ", value).split())


def _mailbox(name: str, address: str) -> str:
    phrase = _phrase(name)
    return f"{phrase} <{address}>" if phrase else address


def _phrase(name: str) -> str:
    name = _one_line(name)
    if not name.isascii() or "=?" in name:
        return _words(name)
    if not name or _ATOM_PHRASE.fullmatch(name):
        return name
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _words(text: str) -> str:
    """Text for a head: as it is when ASCII, else RFC 2047 words that never split a character."""
    text = _one_line(text)
    if text.isascii() and "=?" not in text:
        return text
    words: list[str] = []
    chunk = b""
    for char in text:
        data = char.encode("utf-8", "replace")
        if len(chunk) + len(data) > _WORD_BYTES:
            words.append(_word(chunk))
            chunk = b""
        chunk += data
    words.append(_word(chunk))
    return " ".join(words)


def _word(data: bytes) -> str:
    return f"=?utf-8?b?{binascii.b2a_base64(data, newline=False).decode('ascii')}?="


def _field(name: str, value: str) -> str:
    """One field, folded at spaces. Every value has passed _one_line or a strict pattern before."""
    line = f"{name}:"
    folded: list[str] = []
    for word in value.split(" "):
        if len(line) + 1 + len(word) > _COLUMNS and line.strip() and not line.endswith(":"):
            folded.append(line)
            line = ""
        line += " " + word
    return "\r\n".join([*folded, line])
