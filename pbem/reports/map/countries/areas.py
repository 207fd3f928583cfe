"""What a map of countries shows of each area, as its game tells it, and from its map.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Collection
from pathlib import Path

import msgspec
from msgspec import Struct

from pbem import games
from pbem.kernel.drawing import Crossing, Lang, Site, Tint
from pbem.reports.map.paint.geometry import Point


class Large(Struct, frozen=True):
    """A name in large letters across a country."""

    at: Point
    size: float
    spacing: float
    turn: float
    en: str
    fr: str

    def words(self, lang: Lang) -> str:
        return self.fr if lang == "fr" else self.en


class Chart(Struct, frozen=True, forbid_unknown_fields=True):
    """map.toml: what only the map needs to know."""

    homes: dict[str, Tint]
    """The major powers, and in which tint each is drawn."""
    rivers: tuple[str, ...] = ()
    """The rivers that are named."""
    large: tuple[Large, ...] = ()
    scale_km: int = 400
    unused: tuple[str, ...] = ()
    """The signs of the key that this board does not need."""
    key: dict[str, dict[str, str]] = {}
    """By language, the words of the key that this board says in its own way."""
    k: float = 0.78
    """How large pieces are on the whole sheet."""


class Atlas:
    """The sites of a board and the crossings between them."""

    def __init__(
        self, chart: Chart, sites: dict[str, Site], crossings: dict[frozenset[str], Crossing]
    ) -> None:
        self.chart = chart
        self.k = chart.k
        self.sites = sites
        self.crossings = crossings

    def crossing(self, a: str, b: str) -> Crossing:
        return self.crossings.get(frozenset((a, b)), "clear")


def survey(slug: str, folder: Path, areas: Collection[str]) -> tuple[Atlas, bytes]:
    """The atlas of a board, and the bytes that decide it; ValueError when the tables do not fit the shapes."""
    try:
        read = (folder / "map.toml").read_bytes()
        chart = msgspec.convert(tomllib.loads(read.decode()), Chart)
        told = games.load(slug).sites
    except (LookupError, OSError, ValueError) as error:
        raise ValueError(f"{slug}: the tables of the map: {error}") from error
    if told is None:
        raise ValueError(f"{slug}: the game does not tell what its map prints")
    found = told()
    missing = set(areas) ^ found.areas.keys()
    if missing:
        raise ValueError(f"{slug}: areas not in both shapes and tables: {', '.join(sorted(missing))}")
    sites = {
        id: msgspec.structs.replace(site, home=chart.homes.get(site.country))
        for id, site in found.areas.items()
    }
    crossings = {frozenset((a, b)): kind for a, b, kind in found.crossings}
    return Atlas(chart, sites, crossings), read + msgspec.json.encode(found)
