"""What a player's own letters say of the log: heads, receipts, dealt cards, and when his post office took them.

Letters are read from files: single messages (.eml), mailboxes (mbox), plain text, or folders of these. The
uppermost `Received:` was written by the player's own server, last of all, so the operator of the game had
no hand in its time. A card that was dealt to him alone came with its proof, in a file of JSON Lines that hangs
on the letter (or was kept by itself). Only the standard library is used.
"""

from __future__ import annotations

import email
import email.policy
import json
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
PROOFS = 100_000
"""How many dealt cards are compared."""

_DIGEST = re.compile(r"[0-9a-f]{64}")
_FROM = re.compile(rb"(?m)^From [^\r\n]*\r?\n")


@dataclass(frozen=True)
class Proof:
    """A card or die that was dealt to one player: where it was, its salt, and its path to the root of its deck.

    `size` is the deck's, 0 for a die; `root` is the deck's root, for a die its `H(salt + value)`.
    """

    label: str
    step: int
    position: int
    size: int
    card: str
    salt: str
    path: tuple[str, ...]
    root: str


@dataclass
class Mailbox:
    """Heads and receipts found in letters; `seen` says when a letter with the head of an entry came in."""

    heads: list[tuple[int, str]] = field(default_factory=list)
    receipts: list[tuple[int, str]] = field(default_factory=list)
    seen: list[tuple[int, int]] = field(default_factory=list)
    letters: int = 0
    unread: list[str] = field(default_factory=list)
    proofs: dict[Proof, None] = field(default_factory=dict)
    """Cards that were dealt to the player, each once however often its letter is at hand."""

    def add(self, raw: bytes) -> None:
        """Read one letter."""
        self.letters += 1
        try:
            message = email.message_from_bytes(raw, policy=email.policy.compat32)
            words = "\n".join(_texts(message))
            attached = "\n".join(_texts(message, "application"))
            received = _received(message)
        except (ValueError, LookupError, TypeError, RecursionError):
            words, attached, received = "", "", None
        words = f"{words}\n{raw.decode('utf-8', 'replace')}"
        self._proofs(f"{words}\n{attached}")
        words = re.sub(r"\s*\n[>|\s]*", " ", words)
        heads = [(int(number), head) for number, head in _HEAD.findall(words)]
        self.heads += dict.fromkeys(heads)
        self.receipts += dict.fromkeys((int(n), leaf) for n, leaf in _RECEIPT.findall(words))
        if received is not None and heads:
            self.seen.append((max(number for number, _ in heads), received))

    def _proofs(self, words: str) -> None:
        for line in words.splitlines():
            found = _proof(line.strip()) if '"salt"' in line and '"path"' in line else None
            if found is not None and len(self.proofs) < PROOFS:
                self.proofs[found] = None


def _proof(line: str) -> Proof | None:
    """The proof of a dealt card, if the line is one; an entry of a log is none."""
    try:
        said = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(said, dict):
        return None
    label, card, salt, root = (said.get(name) for name in ("label", "card", "salt", "root"))
    numbers = [said.get(name) for name in ("step", "position", "size")]
    path = said.get("path")
    if not isinstance(label, str) or not isinstance(card, str) or not isinstance(path, list):
        return None
    step, position, size = (
        number if type(number) is int and 0 <= number < 1 << 31 else -1 for number in numbers
    )
    hashes = [link for link in (root, *path) if isinstance(link, str) and _DIGEST.fullmatch(link)]
    salted = isinstance(salt, str) and re.fullmatch(r"[0-9a-f]{32}", salt)
    if min(step, position, size) < 0 or len(hashes) <= len(path) or not salted:
        return None
    return Proof(label, step, position, size, card, str(salt), tuple(hashes[1:]), hashes[0])


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


def _texts(message: Message, kind: str = "text") -> Iterator[str]:
    for part in message.walk():
        if part.get_content_maintype() == kind:
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
