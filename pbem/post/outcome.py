"""What became of a letter that was offered once, to a mail server or to a board."""

from __future__ import annotations

import msgspec

# Refusals of us, not of the letter: a new password or a rested server cures them.
OUR_FAULT = frozenset({421, 454, 530, 534, 535, 538})


class Sent(msgspec.Struct, frozen=True):
    """It has been taken; `refused` lists recipients that were not."""

    response: str = ""
    refused: tuple[tuple[str, int, str], ...] = ()


class Deferred(msgspec.Struct, frozen=True):
    """Not now: the same letter, with the same Message-ID, is to be offered again later."""

    reason: str
    code: int = 0
    wait: float = 0.0
    """After how many seconds, where the other side has said so; it need not be waited longer then."""

    @property
    def theirs(self) -> bool:
        """Whether it is the letter or its addressee that has to wait, and not we who cannot reach a server."""
        return 400 <= self.code < 500 and self.code not in OUR_FAULT


class Rejected(msgspec.Struct, frozen=True):
    """Never: offering the letter again would not help."""

    reason: str
    code: int = 0


Outcome = Sent | Deferred | Rejected
