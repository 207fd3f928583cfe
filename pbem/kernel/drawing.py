"""What a game puts on its map, as plain data: the renderer alone knows how a mark looks.

A game describes a position, as one seat may know it, by a `Drawing`: marks on areas, a time track, scores
and the panels beside the map. Texts arrive in the reader's language; tints are names (`Tint`), never colours.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Tint = Literal[
    "france",
    "austria",
    "prussia",
    "russia",
    "sweden",
    "great_britain",
    "spain",
    "turkey",
    "allied",
    "neutral",
]
Arm = Literal["", "infantry", "cavalry", "artillery", "fleet"]
Shape = Literal["disc", "square"]
Lang = Literal["en", "fr"]


class Counter(Struct, frozen=True, tag=True):
    """An army tile or a stack: a large value, the name in a pill underneath."""

    area: str
    tint: Tint
    value: str
    pill: str = ""
    arm: Arm = ""
    title: str = ""
    """Small print inside the counter, for what need not be readable on a telephone."""
    depth: int = 1
    """Counters lying on each other."""
    worn: bool = False
    """Turned to its weaker side."""
    faded: bool = False
    """Where it was, or is thought to be."""


class Marker(Struct, frozen=True, tag=True):
    """A small troop marker; many may share an area. The label is two or three letters."""

    area: str
    tint: Tint
    label: str
    shape: Shape = "disc"
    faded: bool = False


class Stake(Struct, frozen=True):
    """What an objective is worth to one side."""

    tint: Tint
    value: str


class Objective(Struct, frozen=True, tag=True):
    """A flag planted on an area, with what it is worth to each side; the area is outlined."""

    area: str
    stakes: tuple[Stake, ...] = ()
    tint: Tint = "neutral"
    """Whose flag flies: the holder's, where that is known."""


class Wash(Struct, frozen=True, tag=True):
    """An area coloured by who holds it."""

    area: str
    tint: Tint


class Arrow(Struct, frozen=True, tag=True):
    """A move from one area to another."""

    from_area: str
    to_area: str
    tint: Tint
    label: str = ""


class Battle(Struct, frozen=True, tag=True):
    """Crossed swords between two areas, or on one when both are the same."""

    area_a: str
    area_b: str
    label: str = ""


Mark = Counter | Marker | Objective | Wash | Arrow | Battle


class Step(Struct, frozen=True):
    """One space of a track; spaces with a label are drawn large."""

    label: str = ""
    battle: bool = False
    reveal: bool = False


class Track(Struct, frozen=True):
    """A time track under the map; `current` is the index of the step on which the marker stands."""

    title: str
    steps: tuple[Step, ...]
    current: int


class Score(Struct, frozen=True):
    """A side's points, at the head of the panel."""

    tint: Tint
    label: str
    value: str


class Row(Struct, frozen=True):
    """A line of a panel; with a sign in front when `tint` is given."""

    text: str
    value: str = ""
    tint: Tint | None = None
    shape: Shape = "square"
    label: str = ""
    """Letters inside the sign, as on a marker."""
    faded: bool = False


class Panel(Struct, frozen=True):
    title: str
    rows: tuple[Row, ...]


class Drawing(Struct, frozen=True):
    """A whole sheet. Marks are drawn in layers, so their order matters only within one area."""

    board: str
    title: str = ""
    subtitle: str = ""
    marks: tuple[Mark, ...] = ()
    track: Track | None = None
    scores: tuple[Score, ...] = ()
    panels: tuple[Panel, ...] = ()
    lang: Lang = "en"
