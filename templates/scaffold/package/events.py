"""What happens, as records; their sentences are in phrases/<language>.toml."""

from __future__ import annotations

from pbem.kernel.event import Event


class Marched(Event, frozen=True, kw_only=True):
    """2.1: a corps has come to a town."""

    seat: str
    start: str
    to: str


class Fought(Event, frozen=True, kw_only=True):
    """3: a battle; nobody wins where the sums are equal."""

    town: str
    red: int
    blue: int
    winner: str = ""


class Taken(Event, frozen=True, kw_only=True):
    """2.4: a town has changed hands."""

    seat: str
    town: str


class Ended(Event, frozen=True, kw_only=True):
    """4: the game is over."""

    red: int
    blue: int
    winner: str = ""


class Stands(Event, frozen=True, kw_only=True):
    """A view at a glance."""

    turn: int
    last: int
    red: str
    blue: str
    red_points: int
    blue_points: int
    strength: int = -1


EVENTS = (Marched, Fought, Taken, Ended, Stands)
