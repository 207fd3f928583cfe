"""Paper, ink and type: the one look that all our boards share. Lengths are map units."""

from __future__ import annotations

from typing import NamedTuple

from pbem.kernel.drawing import Tint

PAPER, INK, SEPIA, HALO = "#f4ecd8", "#2e2418", "#5b4630", "#f7f1e1"
EDGE, GOLD, BLOOD = "#241c14", "#e3c565", "#9d2a24"
RIVER, RIVER_BANK, RIVER_WATER, RIVER_NAME = "#5f89a0", "#43687c", "#8fb3c4", "#41606e"
RELIEF, TREE, FIELD, TUFT = "#8d744f", "#76824f", "#c2a86c", "#6f8f5c"
AREA_LINE, DISTRICT_LINE = "#7d6b50", "#3d2d1e"
ROAD, ROAD_EDGE, ROOF, ROOF_EDGE = "#f3e3bd", "#7d5a34", "#b4573f", "#5f2a1c"
MEADOWS = ((66, "#c9d9b4", 0.55), (42, "#bfd3ae", 0.6))
"""Water meadows along the great rivers: width, colour, opacity; the widest first."""

TERRAIN = {"plain": "#efe6c6", "hill": "#e2d0a6", "forest": "#cdd6ac", "river": "#dbe2cd"}
DISTRICT = {"north": "#7f6a9a", "east": "#5d7a3c", "south": "#b0502f", "west": "#3f7387", "centre": "#6a543a"}

SEA, SEA_LINE, SEA_INK, COAST = "#c3d2d4", "#8aa3ab", "#3f5f6e", "#4f6a73"
WATERLINES = ((15.0, "#b9cbcf"), (9.4, "#abc1c7"), (4.8, "#98b2ba"))
"""Lines along the shores, width and colour; the widest first."""
LAND_OUT, LIMIT, LAKE, RIVER_BORDER = "#ebe2cb", "#a8977a", "#b4cad0", "#7fa6b8"
SAND, MARSH, RIDGE, RIDGE_EDGE = "#b79a5f", "#6b8a8c", "#7b5d3a", "#5e4226"
ZONE_LINE, PROVINCE_LINE, MINOR_LINE, NATION_LINE = "#8c7a5f", "#6a543a", "#5b4630", "#3d2d1e"
AREA_NAME, POOR_NAME = "#4b3924", "#8f4a12"
"""The inks of areas without a town, and of poor ones."""
TOWN, CAPITAL, FORT, PORT, KEY = "#fffaf0", "#a3262a", "#7d2a22", "#27475c", "#e0b128"
FORT_FILL = ("#e9cfae", "#d9b28c")

REALM: dict[Tint, str] = {
    "france": "#c9d3e6",
    "austria": "#f3e8b8",
    "prussia": "#cfd3d6",
    "russia": "#cfdcb9",
    "sweden": "#ecdfae",
    "great_britain": "#eac6bd",
    "spain": "#f1d6a6",
    "portugal": "#e0cdb4",
    "turkey": "#c2dccf",
    "allied": "#e8c9c2",
    "neutral": "#ece3cc",
}
"""The ground of each power's countries."""
MINORS = (
    ("#ece3cc", "#b7a57c"),
    ("#e7dac6", "#ad9272"),
    ("#e6e2d2", "#a9a283"),
    ("#eadfd4", "#b59a86"),
    ("#dfe0cf", "#98a07c"),
    ("#efe0c4", "#c0a063"),
)
"""The grounds of the minor countries, and their frontiers; neighbours get different ones."""


class Cloth(NamedTuple):
    """How a power's counters look: cloth, what is printed on it, and the wash over an area it holds."""

    fill: str
    ink: str
    wash: str


CLOTH: dict[Tint, Cloth] = {
    "france": Cloth("#2f52a0", "#ffffff", "#6f8cc0"),
    "austria": Cloth("#f6f1df", "#1d1d1d", "#d1b24a"),
    "prussia": Cloth("#38424e", "#ffffff", "#7d8a96"),
    "russia": Cloth("#3f6f3a", "#ffffff", "#84a35d"),
    "sweden": Cloth("#e0b63a", "#1f2f57", "#d7b14d"),
    "great_britain": Cloth("#a93a34", "#ffffff", "#c9766c"),
    "spain": Cloth("#d98e2b", "#1d1d1d", "#d79b45"),
    "portugal": Cloth("#7b5230", "#ffffff", "#b08a63"),
    "turkey": Cloth("#1f7a6a", "#ffffff", "#68a58c"),
    "allied": Cloth("#9d2f2b", "#ffffff", "#c9766c"),
    "neutral": Cloth("#d8cba9", INK, "#b7a57c"),
}

FAMILY = "Pbem Serif"
FONT_FAMILY = f"{FAMILY}, Source Serif 4, Source Serif Pro, Georgia, DejaVu Serif, serif"
REGULAR, SEMIBOLD, BOLD, BLACK = 400, 600, 700, 900

NAME_SIZE, CITY_SIZE, NAME_HALO = 18.0, 27.0, 4.0
RANK_SIZE = {"capital": 27.0, "chief": 22.5, "town": 21.3, "none": 20.2}
COUNTER, MARKER, PILL = 52.0, 33.0, 21.0
"""A counter's and a marker's side, and the height of the pill under a counter."""
MARGIN = 26.0
"""The paper round the sheet, with its neat lines."""
