"""Couriers: press that takes time by distance, and may be captured on its way.

The dice of the couriers are drawn in sheets, ahead and in secret, so that the log shows neither that somebody rides
nor how it ends: the n-th courier of a game has the n-th die of its sheets. When the game is over the seeds open
the sheets, and an audit compares every ride with its die and its way with the position of that hour.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Protocol

import msgspec

from pbem.campaign.house_rules import Couriers
from pbem.kernel.chance import Chance, Draw

PREFIX = "press/"
RULE = "couriers"
SHEET, SIDES = 100, 100
_SPARE = 40
"""So many dice before the end of a sheet the next one is drawn."""
_MOST_RISK = 90
SOMEWHERE = -1


class Ride(msgspec.Struct, frozen=True, omit_defaults=True):
    """One courier: from whom to whom, his way, and whether he was captured."""

    sender: str
    to: str
    stages: int
    answers: int
    """How many answers had been given when he left; below zero where a rollback has undone that position."""
    captured: bool = False
    captor: str = ""
    """Who got the letter; nobody, if empty."""


class Riding(msgspec.Struct, frozen=True, omit_defaults=True):
    """A courier on his way with a letter; without a sender's name it is anonymous."""

    n: int
    sender: str
    to: str
    text: str
    at: datetime
    anonymous: bool = False
    proposal: int = 0
    """The number of the agreement that the letter proposes."""


class Known(Protocol):
    """Whatever knows draws."""

    def known(self, label: str) -> Draw | None:
        """A draw on record."""


def sheet(n: int) -> str:
    """The label of a sheet of dice."""
    return f"{PREFIX}road/{n}"


def provide(chance: Chance, rides: int) -> None:
    """Draw what sheets will be needed; those on record are not drawn again."""
    for n in range(1, (rides + _SPARE) // SHEET + 2):
        chance.roll(sheet(n), SHEET, SIDES, rule=RULE, secret=True)


def die(known: Known, n: int) -> int | None:
    """The die of the n-th courier; None where its sheet has still to be drawn."""
    drawn = known.known(sheet((n - 1) // SHEET + 1))
    return drawn.values[(n - 1) % SHEET] if drawn is not None else None


def risk(couriers: Couriers, stages: int) -> int:
    """The chance of capture in per cent."""
    return min(_MOST_RISK, couriers.risk * stages)


def captors(seats: Iterable[str], sender: str, to: str) -> list[str]:
    """Who may capture a letter: whoever neither wrote it nor is to have it."""
    return [seat for seat in seats if seat not in (sender, to)]


def ride(
    couriers: Couriers, sender: str, to: str, stages: int, answers: int, value: int, seats: Iterable[str]
) -> Ride:
    """How a courier fares whose die shows `value`: it says whether he is captured, and by whom of several."""
    captured = value <= risk(couriers, stages)
    others = captors(seats, sender, to) if captured else []
    return Ride(sender, to, stages, answers, captured, others[value % len(others)] if others else "")


def arrival(couriers: Couriers, stages: int, now: datetime) -> datetime:
    """When a courier arrives who leaves now."""
    return now + timedelta(hours=couriers.hours * stages)


def unmoored(rides: Sequence[Ride], upto: int) -> list[Ride]:
    """The rides after a rollback: positions behind that answer do not exist any more, the letters do."""
    return [msgspec.structs.replace(one, answers=SOMEWHERE) if one.answers > upto else one for one in rides]


def wrong(
    couriers: Couriers, rides: Sequence[Ride], known: Known, seats: Sequence[str]
) -> tuple[int, str] | None:
    """The first ride that did not fare as its die says: its number and what is wrong; None if all did."""
    for n, one in enumerate(rides, 1):
        value = die(known, n)
        if value is None:
            return n, "no die"
        if one != ride(couriers, one.sender, one.to, one.stages, one.answers, value, seats):
            return n, f"die {value}"
    return None
