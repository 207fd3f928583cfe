"""What a player's own letters say of the log: heads, receipts, and when his own post office took them.

Letters are read from files: single messages (.eml), mailboxes (mbox), plain text, or folders of these. The
uppermost `Received:` was written by the player's own server, last of all, so the operator of the game had
no hand in its time. Only the standard library is used.
"""

from __future__ import annotations

import email
import email.policy
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from email.message import Message
from email.utils import parsedate_to_datetime
from pathlib import Path

FILE = 64 << 20
"""The largest file of letters that is read."""
FILES = 100_000

_HEAD = re.compile(r"log #(\d{1,12}) head=([0-9a-f]{16,64})")
_RECEIPT = re.compile(
    r"(?:log #|journal n[°o]\s*)(\d{1,12})\s*·\s*(?:leaf|feuille) ([0-9a-f]{16,64})\s*·\s*(?:salt|sel) "
)
_FROM = re.compile(rb"(?m)^From [^\r\n]*\r?\n")


@dataclass
class Mailbox:
    """Heads and receipts found in letters; `seen` says when a letter with the head of an entry came in."""

    heads: list[tuple[int, str]] = field(default_factory=list)
    receipts: list[tuple[int, str]] = field(default_factory=list)
    seen: list[tuple[int, int]] = field(default_factory=list)
    letters: int = 0
    unread: list[str] = field(default_factory=list)

    def add(self, raw: bytes) -> None:
        """Read one letter."""
        self.letters += 1
        try:
            message = email.message_from_bytes(raw, policy=email.policy.compat32)
            words = "\n".join(_texts(message))
            received = _received(message)
        except (ValueError, LookupError, TypeError, RecursionError):
            words, received = "", None
        words = re.sub(r"\s*\n[>|\s]*", " ", f"{words}\n{raw.decode('utf-8', 'replace')}")
        heads = [(int(number), head) for number, head in _HEAD.findall(words)]
        self.heads += dict.fromkeys(heads)
        self.receipts += dict.fromkeys((int(n), leaf) for n, leaf in _RECEIPT.findall(words))
        if received is not None and heads:
            self.seen.append((max(number for number, _ in heads), received))


def read_letters(paths: Iterable[Path]) -> Mailbox:
    """Read files and folders of letters; what cannot be read is named in `unread`."""
    mailbox = Mailbox()
    for path in _files(paths):
        try:
            if path.stat().st_size > FILE:
                raise OSError(f"larger than {FILE} bytes")
            raw = path.read_bytes()
        except OSError as error:
            mailbox.unread.append(f"{path.name}: {error.strerror or error}")
            continue
        for letter in _split(raw):
            mailbox.add(letter)
    return mailbox


def _files(paths: Iterable[Path]) -> Iterator[Path]:
    for path in paths:
        if path.is_dir():
            found = (each for each in sorted(path.rglob("*")) if each.is_file())
            yield from (each for each, _ in zip(found, range(FILES), strict=False))
        else:
            yield path


def _split(raw: bytes) -> list[bytes]:
    if not raw.startswith(b"From "):
        return [raw]
    return [letter for letter in _FROM.split(raw) if letter.strip()]


def _texts(message: Message) -> Iterator[str]:
    for part in message.walk():
        if part.get_content_maintype() == "text":
            data = part.get_payload(decode=True)
            if isinstance(data, bytes):
                charset = part.get_content_charset() or "utf-8"
                yield data.decode(charset, "replace")


def _received(message: Message) -> int | None:
    """When the reader's own server took the letter."""
    stamps = message.get_all("Received") or []
    if not stamps:
        return None
    date = str(stamps[0]).rpartition(";")[2].strip()
    try:
        return int(parsedate_to_datetime(date).timestamp())
    except (ValueError, OverflowError):
        return None
