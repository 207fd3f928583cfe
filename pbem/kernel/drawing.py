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
    "portugal",
    "turkey",
    "allied",
    "neutral",
]
Arm = Literal["", "infantry", "cavalry", "artillery", "fleet"]
Shape = Literal["disc", "square"]
Rank = Literal["capital", "chief", "town", "none"]
Crossing = Literal["clear", "river", "bridge", "pass", "mountain"]
Lang = Literal["en", "fr"]


class Site(Struct, frozen=True):
    """What is printed on one area of a map of countries."""

    rank: Rank
    country: str
    province: str
    home: Tint | None = None
    """The power whose home it is; None in a minor country."""
    fortress: int = 0
    port: bool = False
    key: bool = False
    poor: bool = False
    terrain: str = "clear"


class Sites(Struct, frozen=True):
    """What a map of countries prints: its areas, and what lies between two of them where they are not simply open."""

    areas: dict[str, Site]
    crossings: tuple[tuple[str, str, Crossing], ...] = ()


class Counter(Struct, frozen=True, tag=True):
    """An army tile, a force or a stack: a large value, the name of its general in a pill underneath."""

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
    """An area coloured by who holds it. On a map of countries it replaces the colour printed there."""

    area: str
    tint: Tint
    pale: bool = False
    """It follows that power, as an ally or a protectorate, and is not its own."""


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


class Fleet(Struct, frozen=True, tag=True):
    """Ships at sea, when `area` is a sea; else in the port of that area, or in the blockade box before it."""

    area: str
    tint: Tint
    value: str
    name: str = ""
    """The admiral, in a pill underneath."""
    blockade: bool = False
    depth: int = 1
    faded: bool = False


class Control(Struct, frozen=True, tag=True):
    """An area held by another than its owner: hatched in his colour, his pennant on its town."""

    area: str
    tint: Tint


class Siege(Struct, frozen=True, tag=True):
    """Trenches round a fortress, in the colour of the besieger. The label is short, as how far it has come."""

    area: str
    tint: Tint
    label: str = ""


class Works(Struct, frozen=True, tag=True):
    """The level of a fortress, where it is not the one that the board prints; 0 is a ruin."""

    area: str
    level: int


class Depot(Struct, frozen=True, tag=True):
    """A depot of supplies; several of one power in an area are counted."""

    area: str
    tint: Tint
    count: int = 1
    mobile: bool = False


class March(Struct, frozen=True, tag=True):
    """A move over land or sea from area to area, the first and the last included.

    A retreat is a broken line. The label is short: its number among the moves of a round, or who moved.
    """

    path: tuple[str, ...]
    tint: Tint
    label: str = ""
    retreat: bool = False


class Supply(Struct, frozen=True, tag=True):
    """A line of supply from its source to a force, the areas of both included; cut, it ends in a cross."""

    path: tuple[str, ...]
    tint: Tint
    cut: bool = False


Ground = Literal[
    "forest",
    "hill",
    "rugged_hill",
    "town",
    "windmill",
    "church",
    "marsh",
    "sand_quarry",
    "river",
    "ford",
    "bridge",
    "fieldwork",
]
Edge = Literal["bottom", "top"]


class HexTerrain(Struct, frozen=True):
    """What the ground of a hex is. A hex may have several entries, as works on a hill."""

    hex: str
    kind: Ground
    facing: tuple[str, ...] = ()
    """For a fieldwork, the neighbouring hexes that its works look at."""


class HexPlace(Struct, frozen=True):
    """A name printed on a hex."""

    hex: str
    name: str


class HexBoard(Struct, frozen=True):
    """A board of hexes with a point up, in rows A, B, C… from the bottom; every other row has one hex less.

    A hex is named by its row and by its number from the left: `A1`, `H12`. Rivers, fords and bridges join
    their neighbours of these kinds by themselves. All of this is what no turn changes: it is painted once
    for each board and kept.
    """

    terrain: tuple[HexTerrain, ...] = ()
    places: tuple[HexPlace, ...] = ()
    columns: int = 13
    rows: int = 9
    sections: tuple[int, ...] = (4, 9)
    """After how many columns of a long row the dotted lines run."""
    codes: tuple[str, ...] = ()
    """The letters on the blocks that the key is to explain."""
    near: Edge = "bottom"
    """At whose edge of the board the reader sits: his is drawn below, names of hexes stay the same."""


class Block(Struct, frozen=True, tag=True):
    """A unit on a hex: its arm, the letters of its type, how many blocks it has left and had at first."""

    hex: str
    tint: Tint
    arm: Arm
    code: str
    strength: int
    full: int
    leader: str = ""
    """The name of the leader who is with it."""
    guard: bool = False
    square: bool = False
    """It stands in square."""
    ordered: bool = False
    """It has acted this turn: a golden rim."""


class HexLeader(Struct, frozen=True, tag=True):
    """A leader who stands alone."""

    hex: str
    tint: Tint
    name: str


class HexMove(Struct, frozen=True, tag=True):
    """A way from hex to hex, the first and the last included. A retreat is a broken line."""

    path: tuple[str, ...]
    tint: Tint
    retreat: bool = False


class HexFight(Struct, frozen=True, tag=True):
    """Fire at a hex, or a melee with the one beside it. The label is short: its number, or what it cost."""

    from_hex: str
    to_hex: str
    tint: Tint
    melee: bool = False
    label: str = ""


class HexLoss(Struct, frozen=True, tag=True):
    """Where a unit or a leader was lost this turn; whoever stands there now is drawn beside it."""

    hex: str
    tint: Tint
    code: str


HexMark = Block | HexLeader | HexMove | HexFight | HexLoss | Objective


class Banners(Struct, frozen=True):
    """A side's victory banners: how many it has, and how many it needs."""

    tint: Tint
    label: str
    won: int
    target: int
    note: str = ""
    """A few words beside them, as the number of its cards."""


class HexSheet(Struct, frozen=True):
    """The part of a drawing that only hex boards have.

    A game's `drawing` returns `Drawing(board=…, title=…, subtitle=…, lang=…, hexes=HexSheet(…))`. The
    board comes from the scenario; put a `Block` on it for each unit, with the name of its leader, a
    `HexLeader` for each leader alone, an `Objective` (its area is the hex) for ground worth banners, and for
    the turn that the letter tells of a `HexMove`, `HexFight` or `HexLoss` for each thing that happened. The
    fights that a reader should see close up are the hexes handed to `crop`.
    """

    board: HexBoard
    marks: tuple[HexMark, ...] = ()
    bottom: Banners | None = None
    top: Banners | None = None


Mark = (
    Counter
    | Marker
    | Objective
    | Wash
    | Arrow
    | Battle
    | Fleet
    | Control
    | Siege
    | Works
    | Depot
    | March
    | Supply
)


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
    theatre: tuple[str, ...] = ()
    """Areas of a large map that are worth a second picture close up: where the last moves were made."""
    near: tuple[Mark, ...] = ()
    """Marks for which only the second picture has room."""
    hexes: HexSheet | None = None
    """For a board of hexes, which has no marks on areas."""
