"""The kinds of boards, and how each is made from what the host has written down."""

from __future__ import annotations

from pbem.post.forum.board import Board
from pbem.post.forum.misago import Misago
from pbem.post.forum.pace import Pace

BOARD_KINDS = ("misago",)


def make(
    kind: str,
    name: str,
    url: str,
    *,
    username: str = "",
    password: str = "",
    token: str = "",
    category: str = "",
    description: str = "",
    calls_a_minute: float = 0.0,
) -> Board:
    """A board of that kind. Raises ValueError where there is no such kind."""
    if kind == "misago":
        pace = Pace(calls_a_minute) if calls_a_minute else None
        return Misago(name, url, username, password, category, pace=pace)
    raise ValueError(f"there is no kind of board {kind!r}")
