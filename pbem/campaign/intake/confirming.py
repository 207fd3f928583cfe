"""Letters that wait for their player's word: what the notice quotes of them, and what no such word sets free."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.letters.letter import Letter
from pbem.letters.names import harmless
from pbem.orders.commands import command, spec, split

if TYPE_CHECKING:
    from pbem.campaign.intake.seat_letter import Errands

NEVER_FREED = frozenset(("resign", "substitute", "address", "confirm"))
"""And whatever a game master does: these are written anew, from the right address and with the token."""
_MOST_QUOTED = 12


def never_freed(name: str) -> bool:
    """Whether a command of a held letter is not carried out, whatever its player says about the letter."""
    return name in NEVER_FREED or spec(name).master


def quoted(errands: Errands, letter: Letter) -> dict[str, str]:
    """Subject and contents of a held letter, for the player who is asked about it: what CONFIRM would carry out."""
    lines = list(letter.lines)
    first = command(letter.topic)
    if (
        first is not None
        and first.problem is None
        and (first.name == "check" or not any(map(str.strip, lines)))
    ):
        lines.insert(0, letter.topic)
    parts = split(lines, errands._is_order, errands._is_standing)
    barred = [item for item in parts.commands if item.problem is None and never_freed(item.name)]
    found = [
        harmless(" ".join((item.text, *item.lines[:1]))) for item in parts.commands if item not in barred
    ]
    found += [harmless(item.text) for item in parts.orders if item.text.strip()]
    more = len(found) - _MOST_QUOTED
    shown = [*found[:_MOST_QUOTED], *([f"… +{more}"] if more > 0 else [])]
    return {
        "subject": harmless(letter.subject),
        "commands": " | ".join(shown),
        "barred": " | ".join(harmless(item.text) for item in barred[:_MOST_QUOTED]),
    }
