"""Counters and marks on the map."""

from __future__ import annotations

from pbem.games.ccn.state import State
from pbem.kernel.drawing import Drawing, Lang


def draw(view: State, seat: str | None, lang: str) -> Drawing:
    """The position as a seat may know it."""
    tongue: Lang = "fr" if lang == "fr" else "en"
    return Drawing(board="ccn", lang=tongue)
