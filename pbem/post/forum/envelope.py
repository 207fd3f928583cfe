"""A post as the bytes of a letter. Made from the board's facts alone, so that anyone can make it again.

From:        <u3@consim.board.pbem.invalid>   the account's id, never its name: names change
To:          <t42@consim.board.pbem.invalid>  the topic; c97 for a private one
Message-ID:  <p1234.r0@consim.board.pbem.invalid>   the post and the number of our reading
Date:        the board's own time of the post

"""

from __future__ import annotations

from email.utils import format_datetime

from pbem.letters.posted import (
    CHANGE,
    MENTION,
    NAME,
    PLACE,
    Change,
    account_address,
    coded,
    message_id,
    place_address,
)
from pbem.post.forum.board import BBCODE, Facts, Post


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
        f"{PLACE}: {'private' if post.place.private else 'public'} {coded(post.place.id)}",
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
