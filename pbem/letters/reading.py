"""Bytes to a Letter: never raising, bounded in time and memory, the same for the same bytes."""

from __future__ import annotations

import base64
import binascii
import email
import hashlib
import re
from email import errors
from email.message import Message
from typing import NamedTuple

import msgspec

from pbem.letters import automatic, bounces, html, markup, quoting
from pbem.letters.authentication import UNREADABLE
from pbem.letters.headers import (
    Headers,
    addresses,
    decode_words,
    mailboxes,
    media_type,
    message_ids,
    split,
)
from pbem.letters.letter import AutoKind, AutoReply, Form, Letter, Limits, Trouble
from pbem.letters.posted import NAME, posted
from pbem.letters.text import decode, plain, unflow

_LIMITS = Limits()
_RECIPIENT_FIELDS = ("to", "cc", "delivered-to", "x-original-to", "envelope-to", "x-envelope-to")
_PREFIX = re.compile(
    r"\s*(?:re|tr|aw|wg|fwd?|sv|vs|r[ée]f?|rép|antw)\s*(?:\[\d+\]|\(\d+\)|\^\d+)?\s?:\s*", re.IGNORECASE
)
_TAG = re.compile(r"\[([a-z0-9][a-z0-9_-]{0,60}(?:\.[a-z0-9_-]{1,80})++)\]", re.IGNORECASE)
_CONTAINER = re.compile(rb"(?im)^content-type:\s*+(?:multipart|message)/")
_NOT_BASE64 = re.compile(rb"[^A-Za-z0-9+/]")
_META_CHARSET = re.compile(rb"""(?i)<meta\s[^>]{0,200}?charset=["']?([a-z0-9_:.-]{1,40})""")
_BOUNDARY_SHARE = 20
_MOST_RESULTS = 20
_LONGEST_REPORT = 200_000
_MAY_TELL_OF_BOUNCES = (AutoKind.BOUNCE, AutoKind.MAILER_DAEMON, AutoKind.COMPLAINT)
_WRITTEN_FIELDS = ("message-id", "date", "from", "to", "cc", "subject", "in-reply-to", "content-type")


class _Over(Exception):
    """A limit was passed."""

    def __init__(self, code: str, amount: int = 0, limit: int = 0) -> None:
        self.trouble = Trouble(code, amount, limit)


class _Body(NamedTuple):
    text: str
    report: Message | None


def read(raw: bytes, *, own_address: str, limits: Limits = _LIMITS) -> Letter:
    """The letter in these bytes. Whatever is wrong with it is in `troubles`; nothing is ever raised."""
    try:
        return _read(raw, own_address, limits)
    except MemoryError:
        return read_head(raw, Trouble("too-costly"), own_address=own_address, limits=limits)
    except Exception:
        # The last line of defence: a letter that defeats the reader is still stored and answered for.
        return read_head(raw, Trouble("unreadable"), own_address=own_address, limits=limits)


def read_head(raw: bytes, trouble: Trouble, *, own_address: str, limits: Limits = _LIMITS) -> Letter:
    """A letter of which only the head is read, because of that trouble: who is to be told of it."""
    try:
        letter = _read(raw[: limits.header_bytes + 2], own_address, limits, head_only=True)
    except Exception:
        letter = Letter(digest="", size=0)
    return msgspec.structs.replace(
        letter, digest=hashlib.sha256(raw).hexdigest(), size=len(raw), troubles=(*letter.troubles, trouble)
    )


def read_text(raw: bytes, limits: Limits = _LIMITS) -> str:
    """The whole plain text of a letter, quotations included; empty where a limit is passed."""
    try:
        raw = one_newline(raw)
        headers, start, _ = split(raw, limits.header_bytes)
        return _body(headers, raw, start, limits, []).text
    except Exception:
        return ""


def one_newline(raw: bytes) -> bytes:
    """The same bytes with one kind of line end: what counts lines afterwards counts all of them."""
    return raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in raw else raw


def _read(raw: bytes, own_address: str, limits: Limits, head_only: bool = False) -> Letter:
    size = len(raw)
    raw = one_newline(raw)
    headers, body_start, overlong = split(raw, limits.header_bytes)
    digest = _digest(headers, raw, body_start)
    troubles: list[Trouble] = []
    if overlong:
        troubles.append(Trouble("header-too-long", limit=limits.header_bytes))
    elif headers.longest > limits.header_value and _long_field(headers, limits.header_value):
        troubles.append(Trouble("header-too-long", limit=limits.header_value))
    if size > limits.size:
        troubles.append(Trouble("too-large", size, limits.size))

    cut = limits.header_value
    sender_name, sender = _sender(headers, cut, troubles)
    post = posted(headers, sender)
    if post is not None:
        sender_name = headers.first(NAME.lower())[:cut]
    subject = decode_words(headers.first("subject")[:cut])
    recipients = addresses(
        tuple(value[:cut] for field in _RECIPIENT_FIELDS for value in headers.all(field)), limits.recipients
    )
    kind = automatic.kind_of(headers, sender, subject, own_address)
    body = _Body("", None)
    lines: tuple[str, ...] = ()
    forms: tuple[Form, ...] = ()
    doubt: int | None = None
    if not head_only and not any(trouble.blocking for trouble in troubles):
        try:
            body = _body(headers, raw, body_start, limits, troubles)
            lines, forms, doubt = quoting.clean(body.text, limits.forms)
            if len(lines) > limits.lines:
                raise _Over("too-many-lines", len(lines), limits.lines)
        except _Over as over:
            troubles.append(over.trouble)
            lines, forms, doubt = (), (), None
        else:
            if not body.text.strip():
                troubles.append(Trouble("no-text"))
            if any(not form.closed for form in forms):
                troubles.append(Trouble("form-unclosed"))
    if kind is None and automatic.challenges(lines):
        kind = AutoKind.AUTO_SUBMITTED
    auto: AutoReply | None = None
    if kind in _MAY_TELL_OF_BOUNCES:
        certain = kind is AutoKind.BOUNCE
        shown = raw[:_LONGEST_REPORT]
        report = bounces.read_report(headers, body.report, body.text, shown, own_address, certain)
        auto = report if report.bounces or kind is AutoKind.BOUNCE else AutoReply(kind)
    elif kind is not None:
        auto = AutoReply(kind)
    return Letter(
        digest=digest,
        size=size,
        message_id=_one_id(headers.first("message-id")[:cut]),
        sender=sender,
        sender_name=sender_name,
        recipients=recipients,
        subject=subject,
        topic=_topic(subject),
        in_reply_to=_one_id(headers.first("in-reply-to")[:cut]),
        references=message_ids(headers.first("references")[:cut]),
        lines=lines,
        forms=forms,
        doubt=doubt,
        auto=auto,
        authentication_results=_authentication_results(headers, cut),
        troubles=tuple(troubles),
        posted=post,
        token=_token(recipients, subject, own_address),
    )


def _digest(headers: Headers, raw: bytes, start: int) -> str:
    """What the sender wrote: two copies of a letter differ in the traces of their ways, and in nothing else."""
    hashed = hashlib.sha256()
    for field in _WRITTEN_FIELDS:
        for value in headers.all(field):
            hashed.update(f"{field}: {value}\n".encode("utf-8", "surrogatepass"))
    hashed.update(b"\n" + raw[start:].rstrip())
    return hashed.hexdigest()


def _authentication_results(headers: Headers, cut: int) -> tuple[str, ...]:
    """The fields as they came; those too long or too many to be looked at are marked as unreadable, not left out."""
    values = headers.all("authentication-results")
    shown = [value if len(value) <= cut else value[:cut] + UNREADABLE for value in values[:_MOST_RESULTS]]
    return (*shown, UNREADABLE) if len(values) > _MOST_RESULTS else tuple(shown)


def _long_field(headers: Headers, limit: int) -> bool:
    # Signatures and traces of the route may be long; what we read may not.
    fields = (*_RECIPIENT_FIELDS, "from", "subject", "message-id", "in-reply-to", "content-type")
    return any(len(value) > limit for field in fields for value in headers.all(field))


def _sender(headers: Headers, cut: int, troubles: list[Trouble]) -> tuple[str, str]:
    values = headers.all("from")
    found = mailboxes(values[0][:cut]) if values else []
    if len(values) > 1 or len(found) > 1:
        troubles.append(Trouble("several-senders"))
    for field in ("sender", "return-path"):
        if not found and field in headers:
            found = mailboxes(headers.first(field)[:cut])
    if not found:
        troubles.append(Trouble("no-sender"))
        return "", ""
    return found[0]


def _one_id(value: str) -> str:
    found = message_ids(value)
    return found[0] if found else "".join(value.split())[:500]


def _topic(subject: str) -> str:
    topic = _TAG.sub("", subject)
    while match := _PREFIX.match(topic):
        topic = topic[match.end() :]
    return " ".join(topic.split())


def _token(recipients: tuple[str, ...], subject: str, own_address: str) -> str:
    own_local, _, own_host = own_address.lower().partition("@")
    elsewhere = ""
    for address in recipients:
        local, _, host = address.partition("@")
        base, plus, token = local.partition("+")
        if plus and base == own_local:
            if host == own_host:
                return token
            elsewhere = elsewhere or token
    if elsewhere:
        return elsewhere
    tag = _TAG.search(subject)
    return tag.group(1).lower() if tag else ""


def _body(headers: Headers, raw: bytes, start: int, limits: Limits, troubles: list[Trouble]) -> _Body:
    kind, parameters = media_type(headers.first("content-type"))
    if not kind.startswith(("multipart/", "message/")):
        encoding = headers.first("content-transfer-encoding")
        disposition, _ = media_type(headers.first("content-disposition"))
        if disposition == "attachment" or not (kind.startswith("text/") or "/" not in kind):
            return _Body("", None)
        data = _transfer_decode(raw[start:], encoding, troubles)
        return _Body(_text(data, kind, parameters, limits, troubles), None)

    _check_parts(raw, start, limits)
    head = b"Content-Type: " + headers.first("content-type").encode("utf-8", "replace") + b"\n\n"
    message = email.message_from_bytes(head + raw[start:])
    if _broken_off(message):
        _note(troubles, "truncated")
    parts = _readable_parts(message, limits)
    for wanted_html in (False, True):
        texts: list[str] = []
        for kind, part in parts:
            if (kind == "text/html") is wanted_html:
                encoding = str(part.get("content-transfer-encoding", ""))
                data = _transfer_decode(_raw_payload(part), encoding, troubles)
                _, part_parameters = media_type(str(part.get("content-type", "")))
                texts.append(_text(data, kind, part_parameters, limits, troubles))
        text = "\n".join(texts)
        if text.strip():
            break
    _measure(text, limits)
    return _Body(text, message)


def _raw_payload(part: Message) -> bytes:
    """The bytes of a part as they came: with its encoding named, the library would decode by its charset too."""
    del part["content-transfer-encoding"]
    payload = part.get_payload(decode=True)
    return payload if isinstance(payload, bytes) else b""


def _check_parts(raw: bytes, start: int, limits: Limits) -> None:
    # Asked before parsing: the stdlib parser's time grows with lines times nesting.
    lines = raw.count(b"\n", start)
    if lines > limits.raw_lines:
        raise _Over("too-many-lines", lines, limits.raw_lines)
    if len(_CONTAINER.findall(raw, start)) > 2 * limits.nesting:
        raise _Over("too-deep", limit=limits.nesting)
    if raw.count(b"\n--", start) > limits.parts * _BOUNDARY_SHARE:
        raise _Over("too-many-parts", limit=limits.parts)


def _broken_off(message: Message) -> bool:
    return any(
        isinstance(defect, errors.CloseBoundaryNotFoundDefect | errors.StartBoundaryNotFoundDefect)
        for part in message.walk()
        for defect in part.defects
    )


def _readable_parts(message: Message, limits: Limits) -> list[tuple[str, Message]]:
    """The text parts that are shown, in order; letters within the letter and attachments are not opened."""
    readable: list[tuple[str, Message]] = []
    seen = 0
    waiting: list[tuple[Message, int]] = [(message, 1)]
    while waiting:
        part, depth = waiting.pop()
        seen += 1
        if seen > limits.parts:
            raise _Over("too-many-parts", limit=limits.parts)
        if depth > limits.nesting:
            raise _Over("too-deep", limit=limits.nesting)
        kind, _ = media_type(str(part.get("content-type", "text/plain")))
        disposition, named = media_type(str(part.get("content-disposition", "")))
        if part.is_multipart():
            payload = part.get_payload()
            if not kind.startswith("message/") and isinstance(payload, list):
                waiting += [(child, depth + 1) for child in reversed(payload) if isinstance(child, Message)]
        elif kind in ("text/plain", "text/html", "text", "") and disposition != "attachment" and not named:
            readable.append((kind, part))
    return readable


def _note(troubles: list[Trouble], code: str) -> None:
    if all(trouble.code != code for trouble in troubles):
        troubles.append(Trouble(code))


def _transfer_decode(data: bytes, encoding: str, troubles: list[Trouble]) -> bytes:
    encoding = encoding.strip().lower()
    if encoding == "quoted-printable":
        return binascii.a2b_qp(data)
    if encoding == "base64":
        bare = _NOT_BASE64.sub(b"", data)
        if len(bare) % 4 and not data.rstrip().endswith(b"="):
            _note(troubles, "truncated")
        usable = len(bare) - (len(bare) % 4 == 1)
        return base64.b64decode(bare[:usable] + b"=" * (-usable % 4))
    return data


def _text(data: bytes, kind: str, parameters: dict[str, str], limits: Limits, troubles: list[Trouble]) -> str:
    charset = parameters.get("charset", "")
    if kind == "text/html" and not charset:
        named = _META_CHARSET.search(data[:2000])
        charset = named.group(1).decode("ascii") if named else ""
    text, right = decode(data, charset)
    if not right:
        _note(troubles, "charset")
    if kind == "text/html":
        if len(text) > limits.text_chars or html.too_complex(text):
            raise _Over("html-too-complex")
        text = html.to_text(text)
    elif kind in markup.MARKUP:
        _measure(text, limits)
        text = markup.plain(text)
    elif parameters.get("format", "").lower() == "flowed":
        text = unflow(text, parameters.get("delsp", "").lower() == "yes")
    _measure(text, limits)
    text = plain(text)
    _measure(text, limits)
    return text


def _measure(text: str, limits: Limits) -> None:
    lines = text.count("\n") + 1
    if lines > limits.text_lines:
        raise _Over("too-many-lines", lines, limits.text_lines)
    if len(text) > limits.text_chars:
        raise _Over("too-much-text", len(text), limits.text_chars)
    if len(text) > limits.line_chars:
        longest = max(map(len, text.split("\n")))
        if longest > limits.line_chars:
            raise _Over("line-too-long", longest, limits.line_chars)
