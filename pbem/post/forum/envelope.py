"""A post as the bytes of a letter. Made from the board's facts alone, so that anyone can make it again.

From:        <u3@consim.board.pbem.invalid>   the account's id, never its name: names change
To:          <t42@consim.board.pbem.invalid>  the topic; c97 for a private one
Message-ID:  <p1234.r0@consim.board.pbem.invalid>   the post and the number of our reading
Date:        the board's own time of the post

`.invalid` is no mail domain (RFC 2606): nobody can write from there by mail. Whether a letter is a board's post is
known from where it was fetched, never from these lines.
"""

from __future__ import annotations

import re
from email.utils import format_datetime
from enum import StrEnum

import msgspec

from pbem.post.forum.board import BBCODE, Facts, Place, Post

SUFFIX = ".board.pbem.invalid"
SOURCE = "board:"
PLACE, NAME, CHANGE, MENTION = "X-Pbem-Place", "X-Pbem-Name", "X-Pbem-Change", "X-Pbem-Mention"
INDEX = "X-Pbem-Index"
"""In a letter of ours: it is the index post of its game's thread, to be edited in place."""
TITLE = "X-Pbem-Title"
"""In a letter of ours: the title of its topic, should it have to be opened."""
THREAD = "thread"
"""The local part that names the public thread of the game that a letter is about, wherever it is."""

_PLAIN = re.compile(r"[a-z0-9_-]")
_CODED = re.compile(r"=([0-9a-f]{2})")
_ADDRESS = re.compile(r"(u|t|c)([a-z0-9_=-]+)@([a-z0-9-]+)" + re.escape(SUFFIX))
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
    return f"u{_code(account)}@{domain(board)}"


def place_address(board: str, place: Place) -> str:
    """The address of a topic."""
    return f"{'c' if place.private else 't'}{_code(place.id)}@{domain(board)}"


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
    kind, id, board = match[1], _decode(match[2]), match[3]
    if kind == "u":
        return Address(board, account=id)
    return Address(board, place=Place(id, private=kind == "c"))


def message_id(board: str, post: str, reading: int = 0) -> str:
    """The Message-ID of a post as read for the n-th time."""
    return f"<p{_code(post)}.r{reading}@{domain(board)}>"


def wrap(
    board: str,
    facts: Facts,
    post: Post,
    *,
    reading: int = 0,
    change: Change | None = None,
    mention: bool = False,
) -> bytes:
    """The letter that a post is."""
    kind = "text/x-bbcode" if facts.dialect == BBCODE else "text/markdown"
    head = [
        f"From: <{account_address(board, post.author)}>",
        f"To: <{place_address(board, post.place)}>",
        f"Message-ID: {message_id(board, post.id, reading)}",
        f"Date: {format_datetime(post.at)}",
        f"{PLACE}: {'private' if post.place.private else 'public'} {_code(post.place.id)}",
        f"{NAME}: {_one_line(post.name)}",
    ]
    if change is not None:
        head.append(f"{CHANGE}: {change}")
    if mention:
        head.append(f"{MENTION}: yes")
    head += ["MIME-Version: 1.0", f"Content-Type: {kind}; charset=utf-8", "Content-Transfer-Encoding: 8bit"]
    text = post.text.replace("\r\n", "\n").replace("\r", "\n").replace("\x00", "")
    return ("\n".join(head) + "\n\n" + text).encode("utf-8", "replace")


def _one_line(name: str) -> str:
    return " ".join("".join(char if char.isprintable() else " " for char in name).split())[:80]


def _code(id: str) -> str:
    """Ids as they can stand in an address, whose case is nobody's business."""
    return "".join(char if _PLAIN.match(char) else "".join(f"={b:02x}" for b in char.encode()) for char in id)


def _decode(coded: str) -> str:
    pieces = bytearray()
    position = 0
    for match in _CODED.finditer(coded):
        pieces += coded[position : match.start()].encode() + bytes([int(match[1], 16)])
        position = match.end()
    return (pieces + coded[position:].encode()).decode("utf-8", "replace")
