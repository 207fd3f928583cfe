"""The post as a player has it: letters received, letters written in reply."""

from __future__ import annotations

import hashlib
import re
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.errors import MessageError
from email.message import EmailMessage
from email.utils import format_datetime, parseaddr, parsedate_to_datetime

import msgspec

_POLICY = policy.SMTP.clone(max_line_length=78)


class Picture(msgspec.Struct, frozen=True):
    """A picture that a letter shows."""

    cid: str
    name: str
    data: bytes


class Attached(msgspec.Struct, frozen=True):
    """A file that came along."""

    name: str
    media_type: str
    data: bytes


class Incoming(msgspec.Struct, frozen=True):
    """A letter as a mail program shows it."""

    raw: bytes
    message_id: str
    in_reply_to: str
    references: str
    sender: str
    recipient: str
    reply_to: str
    subject: str
    date: datetime
    text: str
    html: str = ""
    pictures: tuple[Picture, ...] = ()
    attached: tuple[Attached, ...] = ()


class Reply(msgspec.Struct, frozen=True):
    """Who writes, in which language, and to which moderator."""

    name: str
    address: str
    lang: str
    moderator: str


def opened(raw: bytes) -> Incoming:
    """A raw letter, opened. What cannot be decoded is replaced; nothing is raised."""
    message = message_from_bytes(raw, policy=policy.default)
    text = html = ""
    pictures: list[Picture] = []
    attached: list[Attached] = []
    for part in message.walk():
        if part.is_multipart():
            continue
        kind = part.get_content_type()
        name = _one_line(part.get_filename() or "")
        if part.get_content_disposition() == "attachment":
            attached.append(Attached(name or "file", kind, _data(part)))
        elif kind == "text/plain" and not text:
            text = _text(part)
        elif kind == "text/html" and not html:
            html = _text(part)
        elif kind.startswith("image/") and part["content-id"]:
            pictures.append(Picture(str(part["content-id"]).strip(" <>"), name, _data(part)))
    return Incoming(
        raw=raw,
        message_id=_header(message, "message-id"),
        in_reply_to=_header(message, "in-reply-to"),
        references=_header(message, "references"),
        sender=_header(message, "from"),
        recipient=_header(message, "to"),
        reply_to=parseaddr(_header(message, "reply-to"))[1] or parseaddr(_header(message, "from"))[1],
        subject=_header(message, "subject"),
        date=_date(message),
        text=text,
        html=html,
        pictures=tuple(pictures),
        attached=tuple(attached),
    )


def compose(reply: Reply, received: Incoming, body: str, at: datetime) -> bytes:
    """A reply as a mail program makes it."""
    message = EmailMessage(policy=_POLICY)
    message["From"] = f"{reply.name} <{reply.address}>"
    message["To"] = received.reply_to
    subject = received.subject
    message["Subject"] = subject if re.match(r"re\s?:", subject, re.IGNORECASE) else f"Re: {subject}"
    message["Date"] = format_datetime(at)
    digest = hashlib.sha256(f"{received.message_id}|{at.isoformat()}|{body}".encode()).hexdigest()[:20]
    message["Message-ID"] = f"<{digest}@{reply.address.partition('@')[2]}>"
    message["In-Reply-To"] = received.message_id
    thread = [*received.references.split(), received.message_id]
    message["References"] = " ".join(dict.fromkeys(thread[:1] + thread[-10:]))
    message["User-Agent"] = "pbem demo"
    message.set_content(body, cte="quoted-printable")
    return message.as_bytes()


def _header(message: EmailMessage, name: str) -> str:
    try:
        value = message[name]
    except (MessageError, ValueError, IndexError, LookupError):
        return ""
    return _one_line(str(value)) if value is not None else ""


def _date(message: EmailMessage) -> datetime:
    try:
        when = parsedate_to_datetime(_header(message, "date"))
    except (ValueError, TypeError):
        return datetime.fromtimestamp(0, UTC)
    return when if when.tzinfo else when.replace(tzinfo=UTC)


def _data(part: EmailMessage) -> bytes:
    payload = part.get_payload(decode=True)
    return payload if isinstance(payload, bytes) else b""


def _text(part: EmailMessage) -> str:
    charset = part.get_content_charset() or "utf-8"
    try:
        text = _data(part).decode(charset, "replace")
    except LookupError:
        text = _data(part).decode("utf-8", "replace")
    return text.replace("\r\n", "\n")


def _one_line(text: str) -> str:
    return " ".join(text.split())
