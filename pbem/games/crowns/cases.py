"""The position of a rule case, in a few short words, and what of a position is not as a case expects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.games.crowns.state import State, fresh


def build(scenario: str, options: dict[str, str], given: Mapping[str, Any]) -> State:
    """`turn`, and by power `gold`, `grain`; by province `owner` and `troops`."""
    state = fresh(scenario, int(options.get("turns", "8")), {})
    state.turn = int(given.get("turn", 1))
    for what in ("gold", "grain"):
        for power, n in given.get(what, {}).items():
            setattr(state.powers[power], what, int(n))
    state.owner.update(given.get("owner", {}))
    state.troops.update(given.get("troops", {}))
    return state


def verify(state: State, expected: Mapping[str, Any]) -> Sequence[str]:
    """What is otherwise."""
    wrong = []
    for what in ("owner", "troops"):
        have = getattr(state, what)
        wrong += [
            f"{what} of {area}: {have[area]}, not {value}"
            for area, value in expected.get(what, {}).items()
            if have[area] != value
        ]
    for what in ("gold", "grain", "crowns"):
        for power, value in expected.get(what, {}).items():
            have = getattr(state.powers[power], what)
            if have != value:
                wrong.append(f"{what} of {power}: {have}, not {value}")
    return wrong
