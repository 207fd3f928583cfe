"""Posts on boards as letters know them: their addresses, and what their envelope says besides.

`.invalid` is no mail domain (RFC 2606): nobody can write from there by mail. Whether a letter is a board's post is
known from where it was fetched, never from its lines.
"""

from __future__ import annotations

import re
from datetime import datetime
from email.utils import parsedate_to_datetime
from enum import StrEnum

import msgspec

from pbem.letters.headers import Headers


class Place(msgspec.Struct, frozen=True):
    """A topic, public or private."""

    id: str
    private: bool = False


SUFFIX = ".board.pbem.invalid"
SOURCE = "board:"
PLACE, NAME, CHANGE, MENTION = "X-Pbem-Place", "X-Pbem-Name", "X-Pbem-Change", "X-Pbem-Mention"
INDEX = "X-Pbem-Index"
"""In a letter of ours: it is the index post of its game's thread, to be edited in place."""
GAME = "X-Pbem-Game"
"""In a letter of ours: the game that it is about."""
TITLE = "X-Pbem-Title"
"""In a letter of ours: the title of its topic, should it have to be opened."""
THREAD = "thread"
"""The local part that names the public thread of the game that a letter is about, wherever it is."""

_PLAIN = re.compile(r"[a-z0-9_-]")
_CODED = re.compile(r"=([0-9a-f]{2})")
_ADDRESS = re.compile(r"(u|t|c)([a-z0-9_=-]+)@([a-z0-9-]+)" + re.escape(SUFFIX))
_READING = re.compile(r"\.r\d{1,9}@")
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,30}")


class Change(StrEnum):
    """What happened to a post after it was read."""

    EDITED = "edited"
    OTHERS = "edited by somebody else"
    DELETED = "deleted"


class Address(msgspec.Struct, frozen=True):
    """An address on a board: an account, a topic, a private topic, or the thread of the game that is spoken of."""

    board: str
    account: str = ""
    place: Place | None = None
    thread: bool = False


def usable(name: str) -> bool:
    """Whether a board can be called so: the name is part of addresses."""
    return _NAME.fullmatch(name) is not None


def domain(board: str) -> str:
    """The domain of a board's addresses."""
    return board + SUFFIX


def account_address(board: str, account: str) -> str:
    """The address of an account."""
    return f"u{coded(account)}@{domain(board)}"


def place_address(board: str, place: Place) -> str:
    """The address of a topic."""
    return f"{'c' if place.private else 't'}{coded(place.id)}@{domain(board)}"


def thread_address(board: str) -> str:
    """The address of a game's public thread on a board; which game is said by the letter."""
    return f"{THREAD}@{domain(board)}"


def board_of(address: str) -> str:
    """The board of an address; empty for a mail address."""
    host = address.rpartition("@")[2].lower()
    return host.removesuffix(SUFFIX) if host.endswith(SUFFIX) else ""


def parse(address: str) -> Address | None:
    """The parts of a board's address; None for anything else."""
    if address == thread_address(board_of(address)) and board_of(address):
        return Address(board_of(address), thread=True)
    match = _ADDRESS.fullmatch(address)
    if match is None:
        return None
    kind, id, board = match[1], decoded(match[2]), match[3]
    if kind == "u":
        return Address(board, account=id)
    return Address(board, place=Place(id, private=kind == "c"))


def message_id(board: str, post: str, reading: int = 0) -> str:
    """The Message-ID of a post as read for the n-th time."""
    return f"<p{coded(post)}.r{reading}@{domain(board)}>"


class Posted(msgspec.Struct, frozen=True):
    """What the envelope of a post says: on which board and where, and what became of it."""

    board: str
    place: Place
    change: Change | None = None
    mention: bool = False
    """Whether it calls us by our name."""
    at: datetime | None = None
    """The board's stamp."""

    @property
    def source(self) -> str:
        """The source from which such a letter must have been fetched."""
        return SOURCE + self.board


def first_reading(message_id: str) -> str:
    """The Message-ID of the first reading of the same post."""
    return _READING.sub(".r0@", message_id)


def posted(headers: Headers, sender: str) -> Posted | None:
    """What the head of a letter says about a post; None where it is not from a board's address."""
    address = parse(sender)
    kind, _, topic = headers.first(PLACE.lower()).strip().partition(" ")
    if address is None or not address.account or kind not in ("public", "private") or not topic:
        return None
    said = headers.first(CHANGE.lower()).strip()
    change = Change(said) if said in list(Change) else None
    place = Place(decoded(topic), kind == "private")
    mention = headers.first(MENTION.lower()).strip() == "yes"
    return Posted(address.board, place, change, mention, _stamp(headers.first("date")))


def _stamp(date: str) -> datetime | None:
    try:
        at = parsedate_to_datetime(date)
    except (ValueError, TypeError):
        return None
    return at if at.tzinfo is not None else None


def coded(id: str) -> str:
    """Ids as they can stand in an address, whose case is nobody's business."""
    return "".join(char if _PLAIN.match(char) else "".join(f"={b:02x}" for b in char.encode()) for char in id)


def decoded(text: str) -> str:
    pieces = bytearray()
    position = 0
    for match in _CODED.finditer(text):
        pieces += text[position : match.start()].encode() + bytes([int(match[1], 16)])
        position = match.end()
    return (pieces + text[position:].encode()).decode("utf-8", "replace")
