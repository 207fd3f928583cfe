"""The few words that the sheet itself says, in each language (templates/map/phrases.toml)."""

from __future__ import annotations

import tomllib
from functools import cache

from pbem import paths
from pbem.kernel.drawing import Lang


@cache
def raw() -> bytes:
    return (paths.templates() / "map" / "phrases.toml").read_bytes()


@cache
def _catalogue() -> dict[str, dict[str, str | dict[str, str]]]:
    return tomllib.loads(raw().decode())


def phrase(lang: Lang, key: str, board: str = "") -> str:
    """One phrase, of the board if one is named; an empty string when the board has none of its own."""
    words = _catalogue()[lang]
    if board:
        own = words.get(board, {})
        return own.get(key, "") if isinstance(own, dict) else ""
    found = words[key]
    if not isinstance(found, str):
        raise KeyError(key)
    return found
