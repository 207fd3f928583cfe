"""7.3: what the operations of events share."""

from __future__ import annotations

from typing import Any

import msgspec

from pbem.games.nce.state import (
    State,
)
from pbem.games.nce.tempo import Grant

Effect = dict[str, Any]


class Result(msgspec.Struct):
    """What an event gives its player to go on with in this action."""

    points: int = 0
    grants: list[Grant] = []
    campaign: bool = False
    naval: str = ""
    """Whose fleets sail without points: a power, or empty."""
    amphibious: int = 0
    bridged: bool = False


def until(state: State, word: str) -> int:
    """The moment after which an effect ends."""
    return {
        "end_of_turn": state.year * 10 + 9,
        "end_of_next_turn": (state.year + 1) * 10 + 9,
        "end_of_next_round": state.year * 10 + state.round + 1,
        "end_of_next_enemy_action": state.year * 10 + state.round + 1,
    }.get(word, 99999)
