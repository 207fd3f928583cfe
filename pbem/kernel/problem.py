"""Problems: what is wrong with something a player wrote, as a record; the words are a catalogue's business."""

from __future__ import annotations

import msgspec

from pbem.kernel.order import Order

Params = dict[str, str | int | tuple[str, ...]]
"""What the words of a problem need."""
UNREADABLE, AMBIGUOUS, ILLEGAL = "unreadable", "ambiguous", "illegal"


class Problem(msgspec.Struct, frozen=True):
    """One thing that is wrong: its code (the catalogue's key), the rule, and the nearest legal thing."""

    code: str
    rule: str = ""
    kind: str = ILLEGAL
    params: Params = {}
    nearest: tuple[Order, ...] = ()
    order: int = 0
    """Which order of the answer is meant, counted from 0."""
