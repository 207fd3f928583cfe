"""Letters that machines write: which must never be answered, and what delivery reports say (MAIL 2)."""

from __future__ import annotations

import re
from email.message import Message

from pbem.letters.headers import Headers, addresses, message_ids
from pbem.letters.letter import AutoKind, AutoReply, Bounce

LOOP_HEADER = "X-Pbem-Loop"
_DAEMONS = frozenset({"mailer-daemon", "postmaster", "mail-daemon", "mailerdaemon"})
_AWAY = re.compile(
    r"(?:re\s?:\s*)?(?:out of (?:the )?office|automatic reply|auto(?:matic)?[ -]?(?:reply|response)|autoreply"
    r"|réponse automatique|message d'absence|absence du bureau|absent du bureau|je suis absent"
    r"|automatische antwort|abwesenheit(?:snotiz|sassistent)?|vacation)\b",
    re.IGNORECASE,
)
_AWAY_FIELDS = ("x-autoreply", "x-autorespond", "x-autoresponder", "x-vacation", "x-auto-reply-from")
_ORIGINAL_ID = re.compile(r"^message-id:\s*(<[^<>\s]{1,500}>)", re.IGNORECASE | re.MULTILINE)
_STATUS = re.compile(r"\b([245]\.\d{1,3}\.\d{1,3})\b")


def kind_of(headers: Headers, sender: str, subject: str, own_address: str) -> AutoKind | None:
    """Why a letter with these headers must not be answered; None for a person's letter."""
    if LOOP_HEADER.lower() in headers or (own_address and _base(sender) == _base(own_address.lower())):
        return AutoKind.LOOP
    if "report-type=delivery-status" in re.sub(r'["\s]', "", headers.first("content-type").lower()):
        return AutoKind.BOUNCE
    if "x-failed-recipients" in headers:
        return AutoKind.BOUNCE
    if sender.partition("@")[0] in _DAEMONS:
        return AutoKind.MAILER_DAEMON
    submitted = headers.first("auto-submitted").lower()
    precedence = headers.first("precedence").lower()
    if (
        any(field in headers for field in _AWAY_FIELDS)
        or precedence == "auto_reply"
        or "vacation" in submitted
        or _AWAY.match(subject)
    ):
        return AutoKind.VACATION
    if submitted and submitted.partition(";")[0].strip() != "no":
        return AutoKind.AUTO_SUBMITTED
    if precedence == "list" or "list-id" in headers or "mailing-list" in headers or "list-post" in headers:
        return AutoKind.LIST
    if precedence in ("bulk", "junk") or "list-unsubscribe" in headers:
        return AutoKind.BULK
    if headers.first("return-path").replace(" ", "") == "<>":
        return AutoKind.EMPTY_RETURN_PATH
    return None


def _base(address: str) -> str:
    local, _, host = address.partition("@")
    return local.partition("+")[0] + "@" + host


def read_report(headers: Headers, report: Message | None, text: str) -> AutoReply:
    """A delivery report with the addresses it names and the letter of ours that did not arrive."""
    original = _original_id(report, text)
    bounces: list[Bounce] = []
    for block in _status_blocks(report):
        address = _recipient(block)
        if address:
            status = _STATUS.search(_value(block, "status"))
            bounces.append(
                Bounce(
                    address=address,
                    action=_value(block, "action").lower() or "failed",
                    status=status.group(1) if status else "",
                    diagnostic=_value(block, "diagnostic-code").partition(";")[2].strip()[:500],
                    message_id=original,
                )
            )
    if not bounces:
        status = _STATUS.search(text)
        bounces = [
            Bounce(address=address, status=status.group(1) if status else "", message_id=original)
            for address in addresses(headers.all("x-failed-recipients"), 20)
        ]
    return AutoReply(AutoKind.BOUNCE, tuple(bounces[:20]))


def _status_blocks(report: Message | None) -> list[Message]:
    for part in report.walk() if report is not None else ():
        payload = part.get_payload()
        if part.get_content_type() == "message/delivery-status" and isinstance(payload, list):
            return [block for block in payload if isinstance(block, Message)][:50]
    return []


def _recipient(block: Message) -> str:
    for field in ("original-recipient", "final-recipient"):
        found = addresses((_value(block, field).partition(";")[2],), 1)
        if found:
            return found[0]
    return ""


def _value(block: Message, name: str) -> str:
    return " ".join(str(block.get(name, "")).split())


def _original_id(report: Message | None, text: str) -> str:
    for part in report.walk() if report is not None else ():
        kind = part.get_content_type()
        payload = part.get_payload()
        inner = payload[0] if isinstance(payload, list) and payload else None
        if kind == "message/rfc822" and isinstance(inner, Message):
            found = message_ids(_value(inner, "message-id"))
        elif kind == "text/rfc822-headers" and isinstance(payload, str):
            match = _ORIGINAL_ID.search(payload)
            found = (match.group(1),) if match else ()
        else:
            continue
        if found:
            return found[0]
    match = _ORIGINAL_ID.search(text)
    return match.group(1) if match else ""
