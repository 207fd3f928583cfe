"""What a delivery report says: which addresses failed, for good or for now, and which letter of ours it was.

First the machine-readable part (RFC 3464); then Mailman's own detector, `flufl.bounce`, where it is installed, which
knows the formats of two decades; then a table of sentences for servers that neither reads. The Message-ID of the
letter that did not arrive counts most: nobody is marked without it.
"""

from __future__ import annotations

import email
import json
import logging
import re
from collections.abc import Iterable, Iterator
from email.message import Message

from pbem.letters.headers import Headers, addresses, message_ids
from pbem.letters.heads import fold
from pbem.letters.letter import AutoKind, AutoReply, Bounce

_ORIGINAL_ID = re.compile(
    r"^[ \t>|]{0,20}+message-id[ \t]?:\s{0,10}(<[^<>\s]{1,500}>)", re.IGNORECASE | re.MULTILINE
)
_STATUS = re.compile(r"(?<![\d.])([245]\.\d{1,3}\.\d{1,3})(?![\d.])")
_CODE = re.compile(r"(?<!\d)([45])\d\d(?=[ -])")
_FAILURE = re.compile(
    r"could not|couldn't|unable to|fail|undeliver|not be delivered|sorry|reject|unknown|konnte nicht|impossible"
    r"|n'a pas|no se p|non e stato|nie moz|не уда|kan niet|kunne ikke|kunde inte|nao foi"
)
_HEADS = (
    "from: ",
    "return-path:",
    "received:",
    "message-id:",
    "subject:",
    "dkim-signature:",
    "mime-version:",
)
_MOST = 20
_LONGEST = 300_000
_LONGEST_DETECTED = 100_000
_LONGEST_LINE = 1000
_REACH = 12

_INTRODUCTIONS = tuple(
    fold(words)
    for words in (
        "could not be delivered to",
        "delivered to one or more",
        "could not be delivered for",
        "couldn't be delivered to",
        "couldn't be delivered",
        "wasn't delivered to",
        "was not delivered to",
        "to the following recipient failed",
        "to the following recipients failed",
        "following recipient(s) could not be reached",
        "following recipients could not be reached",
        "following recipient(s) cannot be reached",
        "delivery has failed to these recipients",
        "the following address failed",
        "the following addresses failed",
        "the following address(es) failed",
        "following addresses had permanent fatal errors",
        "following addresses had permanent delivery errors",
        "unable to deliver message to the following address",
        "unable to deliver your message to the following",
        "wasn't able to deliver your message to the following",
        "not able to deliver your message to",
        "there was an error delivering your mail to",
        "for the following list of recipients",
        "the following list of recipients",
        "an error has occurred while attempting to deliver",
        "failed to deliver to",
        "failed recipient",
        "invalid recipients",
        "unable to deliver to",
        "unable to deliver mail to",
        "your message to",
        "does not exist",
        "the recipient's mailbox",
        "user unknown",
        "this is a permanent error",
        "cannot be delivered to",
        "could not deliver mail to",
        "could not deliver the message to",
        "undeliverable to",
        "not delivered to",
        "delivery to these recipients has been delayed",
        "delivery to the following recipients has been delayed",
        "has not yet been delivered to",
        "not been able to deliver",
        "n'a pas pu etre remis",
        "n'a pas pu être distribué",
        "n'a pu être remis",
        "impossible de remettre",
        "échec de la remise",
        "echec de la remise pour ces destinataires",
        "adresses suivantes",
        "konnte nicht zugestellt werden",
        "konnte nicht an",
        "folgende adresse",
        "fehler bei der nachrichtenzustellung an folgende",
        "empfänger oder gruppen",
        "no se pudo entregar",
        "error de entrega a estos destinatarios",
        "impossibile recapitare",
        "recapito non riuscito",
        "kan niet worden bezorgd",
        "de bezorging aan",
        "não foi possível entregar",
        "falha na entrega para",
        "kunde inte levereras",
        "kunne ikke leveres",
        "nie można było dostarczyć",
        "не удалось доставить",
        "не может быть доставлено",
    )
)
_STOPS = tuple(
    fold(words)
    for words in (
        *(
            "--- below this line is a copy",
            "--- original message",
            "original message follows",
            "----- original message",
        ),
        *(
            "------ this is a copy",
            "--- enclosed is a copy",
            "--- below the next line",
            "message headers follow",
        ),
        *(
            "below is a copy of the original",
            "original message headers",
            "--------- message",
            "return-path: <",
        ),
        *(
            "here is a copy of",
            "message text follows",
            "----- message header follows",
            "---------- forwarded",
        ),
    )
)
_DELAYED = tuple(
    fold(words)
    for words in (
        *(
            "delayed",
            "will be retried",
            "will retry",
            "not yet been delivered",
            "still trying",
            "will keep trying",
        ),
        *(
            "temporary problem",
            "warning: message",
            "no action is required",
            "you do not need to resend",
            "yet been able",
        ),
        *("wird weiter versucht", "retardé", "nouvelle tentative", "delay"),
    )
)
_FOR_NOW = tuple(
    fold(words)
    for words in (
        *(
            "mailbox full",
            "mailbox is full",
            "over quota",
            "quota exceeded",
            "exceeded storage",
            "out of storage",
        ),
        *("full mailbox", "insufficient storage", "not enough storage", "over its quota", "try again later"),
        *(
            "temporarily",
            "temporary failure",
            "boîte pleine",
            "boite pleine",
            "postfach ist voll",
            "buzón lleno",
        ),
        *("greylist", "rate limit", "too many messages", "inbox is full", "storage allocation"),
    )
)


def read_report(
    headers: Headers, report: Message | None, text: str, raw: bytes, own: str, certain: bool
) -> AutoReply:
    """A delivery report with the addresses it names and the letter of ours that did not arrive.

    `certain`: that it is a report at all; a report that names nobody is then about whom its letter was written to.
    """
    whole = _parsed(raw)
    original = _original_id(headers, report, text)
    found = list(_machine_readable(report, original))
    if not found:
        found = list(_notice(text))
    if not found:
        found = list(_spoken(headers, whole, text, original, own))
    if not found and original and certain and _FAILURE.search(fold(text[:20_000])):
        # Whom it was written to is known to whoever wrote it.
        found = [_judged("", text, original)]
    return AutoReply(AutoKind.BOUNCE, tuple(found[:_MOST]))


def _parsed(raw: bytes) -> Message | None:
    """The report for Mailman's detector, whose patterns are not ours: short ones with short lines only."""
    if len(raw) > _LONGEST_DETECTED or max(map(len, raw.split(b"\n"))) > _LONGEST_LINE:
        return None
    return email.message_from_bytes(raw)


def _machine_readable(report: Message | None, original: str) -> Iterator[Bounce]:
    """RFC 3464."""
    for block in _status_blocks(report):
        address = _recipient(block)
        if address:
            status = _STATUS.search(_value(block, "status"))
            yield Bounce(
                address=address,
                action=_value(block, "action").lower().partition(" ")[0] or "failed",
                status=status.group(1) if status else "",
                diagnostic=_value(block, "diagnostic-code").partition(";")[2].strip()[:500],
                message_id=original,
            )


def _notice(text: str) -> Iterator[Bounce]:
    """What Amazon's mail service tells of as JSON."""
    start = text.find("{")
    if start < 0 or "notificationType" not in text or len(text) > _LONGEST:
        return
    try:
        told, _ = json.JSONDecoder().raw_decode(text[start:])
        bounce = told["bounce"]
        ids = [one["value"] for one in told["mail"].get("headers", ()) if one["name"].lower() == "message-id"]
        for one in bounce["bouncedRecipients"]:
            hard = bounce.get("bounceType") == "Permanent"
            status = str(one.get("status", "")) or ("5.0.0" if hard else "4.0.0")
            yield Bounce(
                str(one["emailAddress"]).lower(), "failed", status, message_id=str(ids[0]) if ids else ""
            )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return


def _spoken(headers: Headers, whole: Message | None, text: str, original: str, own: str) -> Iterator[Bounce]:
    """Reports for people: the server's own field, Mailman's detector, and our own sentences, in that order."""
    named: Iterable[str] = addresses(headers.all("x-failed-recipients"), _MOST)
    if not named:
        delayed, failed = (
            [address for address in found if address != original.strip("<>").lower()]
            for found in _detected(whole)
        )
        for address in delayed:
            yield Bounce(address, "delayed", "4.0.0", message_id=original)
        named = failed or (() if delayed else _from_sentences(text))
    for address in named:
        if _base(address) != _base(own.lower()):
            yield _judged(address, text, original)


def _base(address: str) -> str:
    local, _, host = address.partition("@")
    return f"{local.partition('+')[0]}@{host}"


def _judged(address: str, text: str, original: str) -> Bounce:
    """A failure, for good unless the words say that it is for now."""
    shown = fold(text[:20_000])
    for stop in _STOPS:
        shown = shown.partition(stop)[0] or shown
    status = _STATUS.search(shown)
    number = status.group(1) if status else ""
    if not number:
        code = _CODE.search(shown)
        number = f"{code.group(1)}.0.0" if code else ""
    action = "failed"
    if any(words in shown for words in _DELAYED) and not number.startswith("5"):
        action = "delayed"
    elif any(words in shown for words in _FOR_NOW) and not (
        number.startswith("5") and not number.startswith("5.2.2")
    ):
        number = "4.2.2"
    return Bounce(address, action, number, message_id=original)


def _detected(whole: Message | None) -> tuple[list[str], list[str]]:
    """What Mailman's detector finds: delayed and failed addresses."""
    if whole is None:
        return [], []
    try:
        from flufl.bounce import all_failures
    except ImportError:
        return [], []
    # What it says of its own troubles quotes the letter.
    logging.getLogger("flufl.bounce").disabled = True
    try:
        temporary, permanent = all_failures(whole)
    except Exception:  # its detectors raise whatever a hostile letter makes them raise
        return [], []
    return _usable(temporary), _usable(permanent)


def _usable(found: Iterable[bytes]) -> list[str]:
    texts = sorted(one.decode("ascii", "replace") for one in found)
    return [address for text in texts for address in addresses((text,), 1)][:_MOST]


def _from_sentences(text: str) -> list[str]:
    """The addresses that stand in, or soon after, a sentence that says that something was not delivered."""
    found: dict[str, None] = {}
    left = 0
    for line in text[:_LONGEST].split("\n")[:2000]:
        shown = fold(line[:1000])
        if shown.strip().startswith(_STOPS) or shown.startswith(_HEADS):
            break
        if any(words in shown for words in _INTRODUCTIONS):
            left = _REACH
        if left > 0:
            left -= 1
            for address in addresses((line[:1000],), _MOST):
                if not address.startswith(("postmaster@", "mailer-daemon@")):
                    found.setdefault(address.strip("'\"`.:;"))
    return list(found)[:_MOST]


def _status_blocks(report: Message | None) -> list[Message]:
    for part in report.walk() if report is not None else ():
        payload = part.get_payload() if part.is_multipart() else None
        if part.get_content_type() == "message/delivery-status" and isinstance(payload, list):
            return [block for block in payload if isinstance(block, Message)][:50]
    return []


def _payload(part: Message) -> object:
    """What a part holds; the library decodes by its charset, whatever that says."""
    try:
        return part.get_payload()
    except (LookupError, ValueError):
        return ""


def _recipient(block: Message) -> str:
    for field in ("original-recipient", "final-recipient"):
        value = _value(block, field)
        found = addresses((value.partition(";")[2] or value,), 1)
        if found:
            return found[0]
    return ""


def _value(block: Message, name: str) -> str:
    return " ".join(str(block.get(name, "")).split())


def _original_id(headers: Headers, report: Message | None, text: str) -> str:
    """The Message-ID of the letter that came back: of its copy, of its quoted head, or of the thread."""
    for part in report.walk() if report is not None else ():
        kind = part.get_content_type()
        if kind.startswith("text/") and kind != "text/rfc822-headers":
            continue
        payload = _payload(part)
        inner = payload[0] if isinstance(payload, list) and payload else None
        found: tuple[str, ...] = ()
        if kind in ("message/rfc822", "message/global") and isinstance(inner, Message):
            found = message_ids(_value(inner, "message-id"))
        elif kind in ("text/rfc822-headers", "message/rfc822-headers", "message/global-headers"):
            match = _ORIGINAL_ID.search(payload if isinstance(payload, str) else str(part)[:_LONGEST])
            found = (match.group(1),) if match else ()
        if found:
            return found[0]
    match = _ORIGINAL_ID.search(text)
    if match:
        return match.group(1)
    thread = message_ids(headers.first("in-reply-to")[:2000]) or message_ids(
        headers.first("references")[:8000]
    )
    return thread[-1] if thread else ""
