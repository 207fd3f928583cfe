"""Seats as people name them: in either language, by any of their names, shortened as long as only one fits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pbem.kernel.rules import Rules
from pbem.orders.words import fold


def seat_named(text: str, rules: Rules[Any], seats: Sequence[str]) -> str | None:
    """The seat that is meant; None where it is none, or more than one."""
    wanted = fold(text.strip(" .:«»\"'"))
    if not wanted:
        return None
    names: dict[str, str] = {}
    known = rules.vocabulary.kinds.get("seat", {})
    for seat in seats:
        word = known.get(seat)
        for name in (seat, *((word.en, word.fr, *word.also) if word else ())):
            names[fold(name)] = seat
    if wanted in names:
        return names[wanted]
    found = {seat for name, seat in names.items() if name.startswith(wanted)}
    return found.pop() if len(found) == 1 else None
