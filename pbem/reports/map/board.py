"""A board's shapes, read once from scenarios/<slug>/shapes.json."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from functools import cache, cached_property
from itertools import pairwise
from pathlib import Path

import msgspec
from msgspec import Struct
from PIL import Image, ImageDraw

from pbem import paths
from pbem.reports.map.countries.areas import Atlas, survey
from pbem.reports.map.paint.geometry import Box, Point, chained, hull, relative, rings

_COARSE = 3.0
_SLUG = re.compile(r"[a-z][a-z0-9_]*")


class Area(Struct, frozen=True):
    """A space of the board, on land or at sea."""

    path: str
    label: Point
    lines: tuple[str, ...]
    stack: Point
    bbox: Box
    city: Point | None = None
    terrain: str = ""
    district: str = ""
    port: Point | None = None
    size: float = 0.0
    """How large the name of a sea is printed."""


class River(Struct, frozen=True):
    name: str
    grade: int
    points: tuple[Point, ...]


class Line(Struct, frozen=True):
    """A road or a crest."""

    name: str
    points: tuple[Point, ...]


class Town(Struct, frozen=True):
    """A walled town, drawn to scale."""

    wall: str
    blocks: str
    gates: tuple[tuple[str, Point], ...]


class Lake(Struct, frozen=True):
    name: str
    path: str


class Projection(Struct, frozen=True):
    km_per_unit: float


class Shapes(Struct, frozen=True):
    slug: str
    size: tuple[float, float]
    frame: tuple[float, float, float, float]
    """Left, top, width and height of the map proper; what is right of it is free for the panel."""
    free: tuple[tuple[float, float, float, float], ...]
    projection: Projection
    areas: dict[str, Area]
    borders: tuple[tuple[str, str, str], ...]
    rivers: tuple[River, ...] = ()
    ranges: tuple[Line, ...] = ()
    roads: tuple[Line, ...] = ()
    town: Town | None = None
    seas: dict[str, Area] = {}
    blocked: tuple[tuple[str, str, str], ...] = ()
    """Borders over which nobody may go, as two areas that the board joins at a point only."""
    limits: tuple[tuple[str, str], ...] = ()
    """Where an area ends against land that is out of play."""
    links: tuple[tuple[str, str, tuple[Point, ...]], ...] = ()
    link_kinds: tuple[str, ...] = ()
    sea_borders: tuple[tuple[str, str, str], ...] = ()
    sea_links: tuple[tuple[str, str, tuple[Point, ...]], ...] = ()
    lakes: tuple[Lake, ...] = ()
    land_out: str = ""


class Board:
    """Shapes with what the layers derive from them."""

    def __init__(self, shapes: Shapes, digest: str, atlas: Atlas | None = None) -> None:
        self.shapes = shapes
        self.land = shapes.areas
        self.areas = {**shapes.areas, **shapes.seas}
        """All spaces, those of the land first."""
        self.digest = digest
        self.atlas = atlas
        """What a map of countries shows of each area; None for a board of fields and villages."""
        self.k = 1.0 if atlas is None else atlas.k
        """How large letters and pieces are on the whole sheet."""
        self.pill = 1.0 if atlas is None else 1.32
        """How much larger than its counter's the letters of a pill are."""
        self._tests: dict[str, Callable[[float, float], bool]] = {}

    @property
    def slug(self) -> str:
        return self.shapes.slug

    @cached_property
    def outlines(self) -> dict[str, list[list[Point]]]:
        return {name: rings(area.path) for name, area in self.areas.items()}

    @cached_property
    def coast(self) -> list[tuple[str, Box]]:
        """The shores, each as a path with its box: the edges that belong to one piece of land only."""
        wide, high = self.shapes.size
        edges: dict[tuple[Point, Point], bool] = {}
        for outline in [*(area.path for area in self.land.values()), self.shapes.land_out]:
            for ring in rings(outline):
                corners = [(round(x, 1), round(y, 1)) for x, y in ring]
                for a, b in pairwise([*corners, corners[0]]):
                    if a == b or (a[0] == b[0] and a[0] in (0, wide)) or (a[1] == b[1] and a[1] in (0, high)):
                        continue
                    if edges.pop((b, a), None) is None and edges.pop((a, b), None) is None:
                        edges[(a, b)] = True
        return [(relative(chain), hull(chain)) for chain in chained(edges)]

    @cached_property
    def border_points(self) -> dict[frozenset[str], list[Point]]:
        """The points of the border that two areas share."""
        found: dict[frozenset[str], list[Point]] = {}
        for a, b, border in self.shapes.borders:
            found.setdefault(frozenset((a, b)), []).extend(point for ring in rings(border) for point in ring)
        return found

    @cached_property
    def neighbours(self) -> dict[str, set[str]]:
        near: dict[str, set[str]] = {name: set() for name in self.areas}
        for a, b, _ in self.shapes.borders:
            near[a].add(b)
            near[b].add(a)
        return near

    def is_sea(self, name: str) -> bool:
        return name in self.shapes.seas

    @cached_property
    def walled(self) -> str | None:
        """The area whose city is the walled town, if there is one."""
        town = self.shapes.town
        if town is None:
            return None
        x, y = rings(town.wall)[0][0]
        cities = {name: area.city for name, area in self.areas.items() if area.city is not None}
        return min(cities, key=lambda name: (cities[name][0] - x) ** 2 + (cities[name][1] - y) ** 2)

    @cached_property
    def _owners(self) -> tuple[memoryview[int], int]:
        """A coarse picture of which area owns a point, row by row, and its width; enclaves lie on top."""
        wide, high = (int(side / _COARSE) + 1 for side in self.shapes.size)
        picture = Image.new("I", (wide, high), -1)
        pen = ImageDraw.Draw(picture)
        sizes = {name: (a.bbox[2] - a.bbox[0]) * (a.bbox[3] - a.bbox[1]) for name, a in self.areas.items()}
        order = {name: i for i, name in enumerate(self.areas)}
        for name in sorted(self.areas, key=lambda name: -sizes[name]):
            for ring in self.outlines[name]:
                pen.polygon([(x / _COARSE, y / _COARSE) for x, y in ring], fill=order[name])
        return memoryview(picture.tobytes()).cast("i"), wide

    def owns(self, name: str) -> Callable[[float, float], bool]:
        """A quick test, good to a few units, whether a point of the sheet lies in an area."""
        if name in self._tests:
            return self._tests[name]
        owners, row = self._owners
        index = list(self.areas).index(name)
        wide, high = self.shapes.size

        def test(x: float, y: float) -> bool:
            if not (0 <= x < wide and 0 <= y < high):
                return False
            return owners[int(y / _COARSE) * row + int(x / _COARSE)] == index

        self._tests[name] = test
        return test

    def at_sea(self, x: float, y: float) -> bool:
        """Whether a point lies in one of the seas; good to a few units."""
        if not self.shapes.seas:
            return False
        owners, row = self._owners
        wide, high = self.shapes.size
        inside = 0 <= x < wide and 0 <= y < high
        return inside and owners[int(y / _COARSE) * row + int(x / _COARSE)] >= len(self.land)

    def area(self, name: str) -> Area:
        """Raises ValueError, naming the board, when there is no such area."""
        try:
            return self.areas[name]
        except KeyError:
            raise ValueError(f"the board of {self.slug} has no area {name!r}") from None


def _shapes_file(slug: str) -> Path:
    return paths.game_data(slug) / "shapes.json"


@cache
def load(slug: str) -> Board:
    """The board of a game; raises ValueError when it is not known or its file is damaged."""
    if not _SLUG.fullmatch(slug) or not _shapes_file(slug).is_file():
        raise ValueError(f"no board is known by the name {slug!r}")
    raw = _shapes_file(slug).read_bytes()
    try:
        shapes = msgspec.json.decode(raw, type=Shapes)
    except msgspec.MsgspecError as error:
        raise ValueError(f"{slug}/shapes.json: {error}") from error
    strangers = {name for a, b, _ in shapes.borders + shapes.blocked for name in (a, b)} - shapes.areas.keys()
    if strangers:
        raise ValueError(f"{slug}/shapes.json: borders of unknown areas: {', '.join(sorted(strangers))}")
    chart = _shapes_file(slug).with_name("map.toml")
    if not chart.is_file():
        return Board(shapes, hashlib.sha256(raw).hexdigest())
    atlas, read = survey(slug, chart.parent, shapes.areas.keys())
    return Board(shapes, hashlib.sha256(raw + read).hexdigest(), atlas)
