"""The customs of a game: what its players have agreed on besides its rules. Press, couriers, objections, votes."""

from __future__ import annotations

import msgspec

WHITE, ANONYMOUS, NO_PRESS = "white", "anonymous", "none"
"""Which messages players may send each other: signed ones, anonymous ones too, none."""
AT_ONCE, WITH_RESULTS = "at once", "results"
UNANIMOUS, MAJORITY, NO_VOTES = "unanimous", "majority", "none"
DRAWN = "draw"
"""The players have agreed that nobody wins."""
PRIVATE, PUBLIC, EITHER = "private", "public", "either"
"""Where orders are given on a board: in the seat's private topic, in the public thread, in either."""
IGNORE, REREAD, VOID = "ignore", "reread", "void"
"""What a change of a post means after it was read: nothing, a new letter, or that its orders are taken back."""
MOST_A_DAY = 20
_MOST_HOURS = 24 * 14


class BadCustoms(ValueError):
    """Customs that cannot be kept; the text says why."""


class Couriers(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Press by courier: how long he rides, and how often he is caught."""

    hours: int = 6
    """For each stage of his way."""
    risk: int = 5
    """Per cent, for each stage of his way."""


class Customs(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What holds in one game."""

    press: str = WHITE
    release: str = AT_ONCE
    """Whether messages go at once, or with the results of the turn."""
    limit: int = MOST_A_DAY
    """How many messages a seat may send in a day."""
    couriers: Couriers | None = None
    """Fixed when the game begins: its first draws are the couriers' dice."""
    objections: int = 0
    """For how many hours a correction of the position can be objected to; 0: it takes effect at once."""
    votes: str = UNANIMOUS
    observers: bool = False
    """Whether whoever only looks on may write to the players."""
    thread: str = ""
    """The board on which the game has a public thread."""
    thread_lang: str = "en"
    orders: str = EITHER
    edits: str = IGNORE

    def check(self) -> None:
        """Raises BadCustoms where they cannot be kept."""
        for name, value, known in (
            ("press", self.press, (WHITE, ANONYMOUS, NO_PRESS)),
            ("release", self.release, (AT_ONCE, WITH_RESULTS)),
            ("votes", self.votes, (UNANIMOUS, MAJORITY, NO_VOTES)),
            ("orders", self.orders, (PRIVATE, PUBLIC, EITHER)),
            ("edits", self.edits, (IGNORE, REREAD, VOID)),
            ("language of the thread", self.thread_lang, ("en", "fr")),
        ):
            if value not in known:
                raise BadCustoms(f"{name}: one of {', '.join(known)}, not {value!r}")
        if not 1 <= self.limit <= MOST_A_DAY:
            raise BadCustoms(f"the limit of messages a day is from 1 to {MOST_A_DAY}, not {self.limit}")
        if not 0 <= self.objections <= _MOST_HOURS:
            raise BadCustoms(f"objections: from 0 to {_MOST_HOURS} hours, not {self.objections}")
        ride = self.couriers
        if ride is not None and not (1 <= ride.hours <= 72 and 0 <= ride.risk <= 50):
            raise BadCustoms("couriers: from 1 to 72 hours a stage, from 0 to 50 per cent a stage")
