"""A game master's corrections of a position, as data: they belong to the game like its answers."""

from __future__ import annotations

from typing import Any

import msgspec

from pbem.kernel.rules import Rules


class Correction(msgspec.Struct, frozen=True):
    """A game master's change of the position that stood after so many answers: what was put where."""

    answers: int
    path: str
    value: Any


def corrected(rules: Rules[Any], state: bytes, correction: Correction) -> Any:
    """The position after a correction. Raises LookupError, ValueError or TypeError where it makes none."""
    plain = msgspec.json.decode(state)
    *way, last = correction.path.split(".")
    place: Any = plain
    for step in way:
        place = place[int(step)] if isinstance(place, list) else place[step]
    if isinstance(place, list):
        place[int(last)] = correction.value
    elif last not in place and last not in rules.state.__struct_fields__:
        raise LookupError(f"there is no {correction.path}")
    else:
        place[last] = correction.value
    return msgspec.convert(plain, rules.state)
