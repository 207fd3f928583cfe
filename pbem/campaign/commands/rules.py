"""The rules of a game in our own words, by number: what WHY quotes and the error replies refer to.

`docs/rules/<game>.md` is English, `docs/rules/<game>.fr.md` French; a rule begins on a line `**3.2** …` and goes
on to the next rule or heading.
"""

from __future__ import annotations

import re
from functools import cache

import msgspec

from pbem import paths

_MARKS = re.compile(r"[*`]|\\(?=[*_])")
_HEADING = re.compile(r"(#{2,4})\s+(?:(\d+(?:\.\d+)*[a-z]?)\.?\s+)?(.+)")
_RULE = re.compile(r"(?:[-*]\s+)?\*\*(\d+(?:\.\d+)*[a-z]?)\*\*\s*(.*)")


class Rulebook(msgspec.Struct, frozen=True):
    """A game's rules: the whole text, and each rule by its number."""

    text: str
    rules: dict[str, str]
    headings: tuple[tuple[int, str, str], ...] = ()
    """Level, number and text of each."""

    def quote(self, number: str) -> str:
        """The text of a rule, or of the nearest one above it; empty where there is none."""
        while number:
            if number in self.rules:
                return self.rules[number]
            number = number.rpartition(".")[0]
        return ""


@cache
def rulebook(game: str, lang: str = "en") -> Rulebook:
    """A game's rules; in English where there is no other version."""
    file = paths.game_rules(game, lang)
    if not file.is_file():
        file = paths.game_rules(game, "en")
    if not file.is_file():
        return Rulebook("", {})
    text = file.read_text(encoding="utf-8")
    return Rulebook(text, _split(text), _headings(text))


def _headings(text: str) -> tuple[tuple[int, str, str], ...]:
    found = (_HEADING.match(line) for line in text.splitlines())
    return tuple(
        (len(one[1]), one[2] or "", _MARKS.sub("", f"{one[2] or ''} {one[3]}").strip())
        for one in found
        if one
    )


def _split(text: str) -> dict[str, str]:
    rules: dict[str, list[str]] = {}
    current: list[str] | None = None
    for line in text.splitlines():
        match = _RULE.match(line)
        if match:
            current = rules.setdefault(match[1], [])
            current.append(match[2])
        elif line.startswith("#"):
            current = None
        elif current is not None and line.strip():
            current.append(line.strip())
    return {number: _MARKS.sub("", " ".join(lines)).strip() for number, lines in rules.items()}
