"""What a map of countries shows of each area, read from the tables of its game and from its map.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct

from pbem.kernel.drawing import Lang, Tint
from pbem.reports.map.paint.geometry import Point

Rank = Literal["capital", "chief", "town", "none"]
Crossing = Literal["clear", "river", "bridge", "pass", "mountain"]


class Site(Struct, frozen=True):
    """What is printed on one area."""

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


Tables = Callable[[Chart, Callable[[str], dict[str, Any]]], Atlas]


def _nce(chart: Chart, table: Callable[[str], dict[str, Any]]) -> Atlas:
    sites: dict[str, Site] = {}
    crossings: dict[frozenset[str], Crossing] = {}
    kinds: dict[str, Crossing] = {
        "river": "river",
        "bridge": "bridge",
        "pass": "pass",
        "mountain": "mountain",
    }
    for zone in table("zones.toml")["zone"]:
        country, seat = zone["country"], zone.get("capital_of", "")
        rank: Rank = "town" if zone["city"] else "none"
        if seat or zone["key"]:
            rank = "capital" if seat in chart.homes else "chief"
        sites[zone["id"]] = Site(
            rank,
            country,
            zone["province"],
            chart.homes.get(country),
            zone["fortress"],
            "port" in zone,
            zone["key"],
            zone["poor"],
            zone["terrain"],
        )
        for other, crossing in zone["neighbours"].items():
            if crossing in kinds:
                crossings[frozenset((zone["id"], other))] = kinds[crossing]
    return Atlas(chart, sites, crossings)


_TABLES: dict[str, Tables] = {"nce": _nce}


def survey(slug: str, folder: Path, areas: Collection[str]) -> tuple[Atlas, bytes]:
    """The atlas of a board, and the bytes that decide it; ValueError when the tables do not fit the shapes."""
    read = bytearray()

    def table(name: str) -> dict[str, Any]:
        raw = (folder / name).read_bytes()
        read.extend(raw)
        return tomllib.loads(raw.decode())

    try:
        chart = msgspec.convert(table("map.toml"), Chart)
        atlas = _TABLES[slug](chart, table)
    except (KeyError, OSError, tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise ValueError(f"{slug}: the tables of the map: {error}") from error
    missing = set(areas) ^ atlas.sites.keys()
    if missing:
        raise ValueError(f"{slug}: areas not in both shapes and tables: {', '.join(sorted(missing))}")
    return atlas, bytes(read)
