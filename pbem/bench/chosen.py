"""What each game wants measured, from `bench.toml` among its data; without that file nothing by itself."""

from __future__ import annotations

from functools import cache

import msgspec

from pbem import games, paths
from pbem.kernel.data import Data


class Roundtrips(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Of whose turns letters are counted: how many games, of which scenarios (none: of all in turn)."""

    games: int
    scenarios: tuple[str, ...] = ()


class Check(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A long letter to the first question of a scenario: its name, and what the position holds besides."""

    scenario: str
    name: str
    letter: str
    state: dict[str, dict[str, object]] = {}


class Audit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Games whose logs are audited: of which scenarios (none: of all in turn), and how often among the others."""

    every: int = 1
    scenarios: tuple[str, ...] = ()


class Endless(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How to play a game that nobody wants to end: the question, and the order that is always given to it."""

    question: str
    order: str
    text: str


class Chosen(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game's bench.toml."""

    roundtrips: Roundtrips | None = None
    balance: bool = False
    """Whether whole campaigns are played to see who wins."""
    check: Check | None = None
    audit: Audit | None = None
    endless: Endless | None = None


@cache
def chosen() -> dict[str, Chosen]:
    """What is measured, by game. Raises BadData."""
    found = [name for name in games.names() if (paths.game_data(name) / "bench.toml").is_file()]
    return {name: Data.of(name).file("bench", Chosen) for name in found}


def endless() -> tuple[str, Endless]:
    """The first game that can be played without end, and how. Raises LookupError where there is none."""
    for name, wanted in chosen().items():
        if wanted.endless is not None:
            return name, wanted.endless
    raise LookupError("no game says how to play it without end")
