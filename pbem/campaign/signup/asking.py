"""What a letter of somebody without a seat asks for: JOIN, LIST, LANGUAGE, RULES, wherever it stands in the letter."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

import msgspec

from pbem.campaign.commands.registry import COMMANDS
from pbem.letters.addresses import can_be_written_to
from pbem.letters.letter import Letter
from pbem.orders.commands import Command
from pbem.orders.words import LONGEST_LINE, fold

UNDERSTOOD = ("join", "list", "language", "rules")
_MOST_LINES = 60
_JOIN = re.compile(
    r"\b(?P<word>join|rejoindre|rejoins)\b[\s:]+(?:(?:the |la )?(?:game|partie) )?(?P<rest>\S.*)"
)
_GAME = re.compile(r"\A(?:(?:the |la )?(?:game|partie) )", re.IGNORECASE)
_NOT = re.compile(r"\b(?:not|never|don'?t|didn'?t|cannot|can'?t|won'?t|ne|n'\w+|pas|jamais)\b")
_SHOUTED = re.compile(r"\b(LIST|LISTE|PARTIES)\b")
_FRENCH_WORDS = ("rejoindre", "rejoins", "liste", "parties", "langue", "regles")


def request_to_join(letter: Letter) -> Command | None:
    """The JOIN or LIST with which a letter begins, if it does: whoever writes it, it is no order."""
    if not _answerable(letter):
        return None
    lines = [line for line in letter.lines if line.strip()] or [letter.topic]
    found = COMMANDS.command(lines[0])
    if found is None or found.problem is not None or found.name not in ("join", "list"):
        return None
    return found


def requests(letter: Letter, has_game: Callable[[str], bool]) -> list[Command]:
    """Everything that a polite letter of somebody unknown asks for, in its order; its greetings and thanks are not."""
    if not _answerable(letter):
        return []
    lines = letter.lines if letter.doubt is None else letter.lines[: letter.doubt]
    found = list(_found((letter.topic, *lines[:_MOST_LINES]), has_game))
    return [one for n, one in enumerate(found) if one not in found[:n]]


def _answerable(letter: Letter) -> bool:
    return letter.auto is None and not letter.blocked and can_be_written_to(letter.sender)


def _found(lines: Sequence[str], has_game: Callable[[str], bool]) -> Iterator[Command]:
    for line in lines:
        text = line.strip()[:LONGEST_LINE]
        found = COMMANDS.command(text)
        if found is not None and found.problem is None and found.name in UNDERSTOOD:
            yield msgspec.structs.replace(found, argument=_GAME.sub("", found.argument).rstrip(" .!?"))
            continue
        match = _JOIN.search(text.casefold())
        if match is not None and not _NOT.search(text[: match.start()].casefold()):
            rest = text[match.start("rest") :]
            if has_game(_name(rest)):
                yield Command("join", rest.rstrip(" .!?"), text=text[match.start() :])
        elif _SHOUTED.search(text):
            yield Command("list", text=text)


def _name(rest: str) -> str:
    words = rest.split()
    return words[0].strip(" ,.;:!?«»\"'()").lower() if words else ""


def french(items: Sequence[Command]) -> bool:
    """Whether a request is made in a word of French alone."""
    return any(fold(item.text).startswith(_FRENCH_WORDS) for item in items)
