"""The kinds of sheets, behind one protocol: a board of areas, a map of countries, a board of hexes."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from msgspec import structs
from PIL import Image

from pbem.kernel.drawing import Drawing, Lang, Wash
from pbem.reports.map.area import sheet as area_sheet
from pbem.reports.map.area.sheet import Layout, View
from pbem.reports.map.board import Board, load
from pbem.reports.map.countries import layers
from pbem.reports.map.countries import sheet as country_sheet
from pbem.reports.map.hexes import sheet as hex_sheet
from pbem.reports.map.hexes.grid import Grid
from pbem.reports.map.paint.ink import Piece


class Sheet(Hashable, Protocol):
    """What is printed for a drawing before its position is laid on it. Equal sheets look alike and are painted once."""

    @property
    def lang(self) -> Lang:
        """The reader's language."""

    def name(self) -> str:
        """What files of it are called."""

    def facts(self) -> str:
        """All that decides how it looks."""

    def whole(self) -> View:
        """The view that shows all of it."""

    def close_up(self, areas: Iterable[str]) -> View:
        """The view of some areas. Raises ValueError where one is not known, or none is named."""

    def widest(self, view: View, width: int) -> int:
        """The pixels that a close view needs at most, up to a width."""

    def printed(self, view: View) -> tuple[str, str]:
        """What is printed, as SVG: definitions and parts."""

    def painted(self, view: View, width: int, folder: Path | None) -> Image.Image | None:
        """The same in pixels, where it is painted in another way than from `printed`; None elsewhere."""

    def position(self, drawing: Drawing, view: View) -> list[Piece]:
        """What the drawing lays on it."""


@dataclass(frozen=True)
class Areas:
    """A board of areas, as a battlefield."""

    board: Board
    lang: Lang
    place: Layout

    def name(self) -> str:
        return self.board.slug

    def facts(self) -> str:
        return f"{self.board.digest} {self.lang} {self.place.track}"

    def whole(self) -> View:
        return area_sheet.whole(self.board, self.place.track)

    def close_up(self, areas: Iterable[str]) -> View:
        return area_sheet.close_up(self.board, areas)

    def widest(self, view: View, width: int) -> int:
        return width

    def printed(self, view: View) -> tuple[str, str]:
        return area_sheet.base(self.board, self.lang, self.place.track, view)

    def painted(self, view: View, width: int, folder: Path | None) -> Image.Image | None:
        return None

    def position(self, drawing: Drawing, view: View) -> list[Piece]:
        return area_sheet.position(self.board, drawing, view)


@dataclass(frozen=True)
class Countries(Areas):
    """A map of countries, whose realms are coloured anew by who holds them."""

    washes: tuple[Wash, ...] = ()

    def whole(self) -> View:
        return country_sheet.whole(self.board, self.place, self.lang)

    def printed(self, view: View) -> tuple[str, str]:
        found = (
            country_sheet.under(self.board, view),
            country_sheet.realms(self.board, view, self.washes),
            country_sheet.over(self.board, self.lang, self.place, view),
        )
        return "".join(defs for defs, _ in found), "".join(parts for _, parts in found)

    def painted(self, view: View, width: int, folder: Path | None) -> Image.Image | None:
        return layers.paint(self.board, self.lang, self.place, view, width, folder, self.washes)

    def position(self, drawing: Drawing, view: View) -> list[Piece]:
        return country_sheet.position(self.board, drawing, view)


@dataclass(frozen=True)
class Hexes:
    """A board of hexes."""

    grid: Grid
    lang: Lang

    def name(self) -> str:
        return self.grid.slug

    def facts(self) -> str:
        return f"{self.grid.digest} {self.lang} False"

    def whole(self) -> View:
        return hex_sheet.whole(self.grid)

    def close_up(self, areas: Iterable[str]) -> View:
        return hex_sheet.close_up(self.grid, areas)

    def widest(self, view: View, width: int) -> int:
        return min(width, round(view.wide * hex_sheet.CLOSE))

    def printed(self, view: View) -> tuple[str, str]:
        return hex_sheet.base(self.grid, self.lang, view)

    def painted(self, view: View, width: int, folder: Path | None) -> Image.Image | None:
        return None

    def position(self, drawing: Drawing, view: View) -> list[Piece]:
        return hex_sheet.position(self.grid, drawing, view)


def sheet_of(drawing: Drawing) -> Sheet:
    """The sheet of a drawing. Raises ValueError for a board that is not known."""
    if drawing.hexes is not None:
        return Hexes(hex_sheet.load(drawing.hexes.board), drawing.lang)
    board = load(drawing.board)
    if board.atlas is None:
        return Areas(board, drawing.lang, Layout(drawing.track is not None))
    washes = tuple(mark for mark in drawing.marks if isinstance(mark, Wash))
    return Countries(board, drawing.lang, country_sheet.layout(drawing), washes)


def with_near(drawing: Drawing) -> Drawing:
    """The drawing with the marks for which only a close view has room."""
    return structs.replace(drawing, marks=(*drawing.marks, *drawing.near)) if drawing.near else drawing
