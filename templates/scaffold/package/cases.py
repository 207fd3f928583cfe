"""Positions for rule cases, and what is checked afterwards: `at = { red = "mill" }`, `holder.mill = "red"` …"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from NAME.state import State, fresh


def build(scenario: str, options: dict[str, str], given: Mapping[str, object]) -> State:
    """The position of a case: what is not given is as at the beginning."""
    data: dict[str, object] = msgspec.to_builtins(fresh(scenario, options))
    for key, value in given.items():
        if key not in data:
            raise ValueError(f"given.{key}: no such thing in a position")
        before = data[key]
        data[key] = {**before, **value} if isinstance(before, dict) and isinstance(value, dict) else value
    return msgspec.convert(data, State)


def verify(state: State, then: Mapping[str, object]) -> list[str]:
    """What is not as the case expects."""
    return list(_differences(msgspec.to_builtins(state), then, ""))


def _differences(have: object, want: object, where: str) -> list[str]:
    if isinstance(want, Mapping) and isinstance(have, dict):
        return [
            difference
            for key, value in want.items()
            for difference in _differences(have.get(key), value, f"{where}.{key}".lstrip("."))
        ]
    return [] if have == want else [f"{where}: expected {want}, is {have}"]
