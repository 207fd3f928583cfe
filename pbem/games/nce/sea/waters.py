"""15.3: the seas: where a place lies, and which squadrons may pass from one to the next."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.nce.charts import FLEETS, SEAS, ZONES
from pbem.games.nce.state import NEUTRAL, State

RUSSIAN = ("baltique", "detroit", "mer_noire")


def sea_of(place: str) -> str:
    """The sea zone on which a place lies."""
    kind, _, where = place.partition(":")
    return where if kind == "sea" else ZONES[where].port


def passage_problem(state: State, side: str, start: str, to: str, fleets: Sequence[str]) -> tuple[str, str]:
    """15.3.2, 15.3.3, 14.2: why a squadron may not pass from sea to sea."""
    if {start, to} == {"mer_de_marmara", "mer_noire"}:
        neutral = state.side_of("turquie") == NEUTRAL
        if not neutral and state.controller("constantinople") != side:
            return "bosphorus_closed", "15.3.2"
    if SEAS[to].ice and state.weather() == "winter":
        return "ice", "14.2"
    basin = SEAS[to].basin
    areas = [FLEETS[fleet].area for fleet in fleets]
    if "baltique" in areas and basin not in ("baltique", "detroit"):
        return "limited_waters", "15.3.3"
    if "mediterranee" in areas and basin not in ("mediterranee", "mer_noire"):
        return "limited_waters", "15.3.3"
    if "russe" in areas and basin not in RUSSIAN and areas.count("russe") + _russians(state, fleets) > 1:
        return "limited_waters", "15.3.3"
    return "", ""


def _russians(state: State, besides: Sequence[str]) -> int:
    """15.3.3: Russian fleets outside the Black Sea, the Détroit and the Baltic, these not counted."""
    return sum(
        FLEETS[fleet].area == "russe"
        and fleet not in besides
        and ":" in place
        and SEAS[sea_of(place)].basin not in RUSSIAN
        for fleet, place in state.fleets.items()
    )
