"""The token of a seat: what a letter must carry besides its address.

A token is made from the game's root, which never leaves the store, so none is kept and a stolen database
export without secrets holds none. `generation` counts renewals: an older token is worthless.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re

import msgspec

_PATTERN = re.compile(r"([a-z0-9-]{1,40})\.([a-z0-9_-]{1,30})\.([a-z2-7]{12})\Z")


class Token(msgspec.Struct, frozen=True):
    """A token as a letter carries it: which game, which seat, and the secret part."""

    game: str
    seat: str
    secret: str

    def text(self) -> str:
        """As it stands in an address or a subject."""
        return f"{self.game}.{self.seat}.{self.secret}"


def parse(text: str) -> Token | None:
    """The token in that text, if it has the shape of one."""
    match = _PATTERN.match(text.strip().lower())
    return Token(match[1], match[2], match[3]) if match else None


_ANYWHERE = re.compile(r"[a-z0-9-]{1,40}\.[a-z0-9_-]{1,30}\.[a-z2-7]{12}(?![a-z0-9])", re.IGNORECASE)


def hidden(text: str) -> str:
    """A text without anything that looks like a token: players quote their letters, addresses and all."""
    return _ANYWHERE.sub("…", text)


def make(root: bytes, game: str, seat: str, generation: int) -> Token:
    """The token of a seat."""
    digest = hmac.new(root, f"pbem-token/1|{game}|{seat}|{generation}".encode(), hashlib.sha256).digest()
    return Token(game, seat, base64.b32encode(digest)[:12].decode().lower())


_JOIN = re.compile(r"join-(en|fr)-([a-z0-9_]{1,20})\Z")


def to_join(root: bytes, game: str, lang: str, want: str, address: str) -> Token:
    """The token with which an address confirms that it wants a seat, or to look on. Nothing of it is kept."""
    seat = f"join-{lang}-{want}"
    return Token(game, seat, make(root, game, f"{seat}|{address}", 0).secret)


def joins(token: Token | None, root: bytes, address: str) -> tuple[str, str] | None:
    """Language and wish that such a token confirms for an address; None where it does not."""
    match = _JOIN.match(token.seat) if token is not None else None
    if token is None or match is None:
        return None
    right = to_join(root, token.game, match[1], match[2], address)
    return (match[1], match[2]) if hmac.compare_digest(token.secret, right.secret) else None


def valid(token: Token, root: bytes, generation: int) -> bool:
    """Whether it is the seat's present token; takes the same time whether or not it is."""
    return hmac.compare_digest(token.secret, make(root, token.game, token.seat, generation).secret)
