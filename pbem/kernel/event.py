"""Events: what has happened, as typed records. Words come last, in the reader's language."""

from __future__ import annotations

from typing import ClassVar

import msgspec

from pbem.kernel.order import Seat, snake


class Modifier(msgspec.Struct, frozen=True, omit_defaults=True):
    """One reason for a figure: the catalogue's key of its name, its value, and the rule."""

    name: str
    value: int
    rule: str = ""


class Expected(msgspec.Struct, frozen=True, omit_defaults=True):
    """What chance gave a seat and what it gives on average, so that luck can be told from skill.

    `what` is the catalogue's key of the thing that is counted (hits, losses); more of it is good for the seat.
    """

    seat: Seat
    what: str
    got: float
    mean: float
    variance: float = 0.0


class Event(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag=snake, omit_defaults=True):
    """Something that happened. Subclasses add their own fields."""

    heading: ClassVar[bool] = False
    """Among what stands: a title, to which the lines after it belong."""
    rule: str = ""
    draws: tuple[str, ...] = ()
    modifiers: tuple[Modifier, ...] = ()
    luck: tuple[Expected, ...] = ()

    @classmethod
    def kind(cls) -> str:
        """The name of this event kind."""
        return snake(cls.__name__)


class Told(msgspec.Struct, frozen=True):
    """An event with its number in the game and the seats that may know it (None: everyone)."""

    n: int
    event: Event
    to: tuple[Seat, ...] | None = None
    strikes: tuple[Seat, ...] = ()
    """The seats that are to hear of it at once, not only with the next bulletin; not kept in the journal."""

    def known_to(self, seat: Seat | None) -> bool:
        """Whether that seat may know of it; `None` is somebody without a seat."""
        return self.to is None or (seat is not None and seat in self.to)
