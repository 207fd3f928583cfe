"""The kinds of boards, and how each is made from what the host has written down."""

from __future__ import annotations

from pbem.post.forum import discourse, nodebb
from pbem.post.forum.board import Board
from pbem.post.forum.discourse import Discourse
from pbem.post.forum.forms import DESCRIPTIONS, Forms
from pbem.post.forum.matrix import Matrix
from pbem.post.forum.misago import Misago
from pbem.post.forum.nodebb import NodeBB
from pbem.post.forum.pace import Pace

BOARD_KINDS = ("misago", "matrix", "discourse", "nodebb", "forms")

_INTERVALS = {"discourse": discourse.FACTS.interval, "nodebb": nodebb.FACTS.interval}


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
    """A board of that kind. Raises ValueError where something of it is missing."""
    pace = Pace(calls_a_minute, _INTERVALS.get(kind, 0.0)) if calls_a_minute else None
    if kind in ("discourse", "nodebb") and not token:
        raise ValueError("a token is missing")
    if kind in ("misago", "forms") and not (username and password):
        raise ValueError("username and password are missing")
    if kind == "misago":
        return Misago(name, url, username, password, category, pace=pace)
    if kind == "matrix":
        return Matrix(name, url, token, username, password, pace=pace)
    if kind == "discourse":
        return Discourse(name, url, username, token, category, pace=pace)
    if kind == "nodebb":
        return NodeBB(name, url, token, category, pace=pace)
    if kind == "forms":
        described = DESCRIPTIONS.get(description or "fossil")
        if described is None:
            raise ValueError(f"description: one of {', '.join(DESCRIPTIONS)}, not {description!r}")
        return Forms(name, url, username, password, described, category, pace=pace)
    raise ValueError(f"there is no kind of board {kind!r}")
