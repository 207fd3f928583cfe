"""7.3: what the operations of events share."""

from __future__ import annotations

from typing import Any

import msgspec

from pbem.games.nce.land.tempo import Grant
from pbem.games.nce.state import State

Effect = dict[str, Any]


class Result(msgspec.Struct):
    """What an event gives its player to go on with in this action, and how it went."""

    points: int = 0
    grants: list[Grant] = []
    campaign: bool = False
    naval: str = ""
    """Whose fleets sail without points: a power, or empty."""
    assaults: int = 0
    """How many maritime assaults its fleets may make."""
    landing: int = 0
    """9C: the steps that one squadron may land in an assault beyond the usual limits."""
    bridged: bool = False
    failed: bool = False
    """A diplomatic action of the event that came to nothing."""


def until(state: State, word: str) -> int:
    """The moment after which an effect ends."""
    if word == "end_of_next_enemy_action" and state.round >= state.last_round:
        return (state.year + 1) * 10 + 1
    return {
        "end_of_turn": state.year * 10 + 9,
        "end_of_next_turn": (state.year + 1) * 10 + 9,
        "end_of_next_round": state.year * 10 + state.round + 1,
        "end_of_next_enemy_action": state.year * 10 + state.round + 1,
    }.get(word, 99999)
