"""Letters that wait for their player's word: what the notice quotes of them."""

from __future__ import annotations

from pbem.campaign.intake.request import Request
from pbem.letters.letter import Letter
from pbem.letters.names import harmless

_MOST_QUOTED = 12


def quoted(request: Request, letter: Letter) -> dict[str, str]:
    """Subject and contents of a held letter, for the player who is asked about it: what CONFIRM would carry out."""
    lines = list(letter.lines)
    first = request.commands.command(letter.topic)
    if (
        first is not None
        and first.problem is None
        and (first.name == "check" or not any(map(str.strip, lines)))
    ):
        lines.insert(0, letter.topic)
    parts = request.commands.split(lines, request.is_order, request.is_standing)
    barred = [
        item
        for item in parts.commands
        if item.problem is None and request.commands.type(item.name).never_freed
    ]
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
