"""The rules of a game in our own words, by number: what WHY quotes and the error replies refer to.

`docs/rules/<game>.md` is English, `docs/rules/<game>.fr.md` French; a rule begins on a line `**3.2** …` and goes
on to the next rule or heading.
"""

from __future__ import annotations

import re
from functools import cache

import msgspec

from pbem import paths
from pbem.orders.words import fold

_MARKS = re.compile(r"[*`]|\\(?=[*_])")
_HEADING = re.compile(r"(#{2,4})\s+(?:(\d+(?:\.\d+)*[a-z]?)\.?\s+)?(.+)")
_RULE = re.compile(r"(?:[-*]\s+)?\*\*(\d+(?:\.\d+)*[a-z]?)\*\*\s*(.*)")

_NUMBER = re.compile(r"\d+(?:\.\d+)*[a-z]?")
_MOST_FOUND, _MOST_RULES = 8, 60


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


def pages(game: str, topic: str, lang: str) -> list[str]:
    """What the rules say about a topic: its number with all that stands under it, or a word; nothing if nothing."""
    book = rulebook(game, lang)
    asked = fold(topic)
    if not asked:
        return contents(book)
    if _NUMBER.fullmatch(asked):
        return _numbered(book, asked)
    return _about(book, asked)


def contents(book: Rulebook) -> list[str]:
    """The headings of the rules."""
    return [text for level, _, text in book.headings if level <= _depth(book)]


def _depth(book: Rulebook) -> int:
    """Long rules show only their chapters, short ones their headings, too."""
    return 3 if sum(level <= 3 for level, _, _ in book.headings) <= _MOST_RULES else 2


def _numbered(book: Rulebook, number: str) -> list[str]:
    heads = [text for _, own, text in book.headings if own == number]
    under = [(own, text) for own, text in book.rules.items() if own == number or own.startswith(f"{number}.")]
    lines = [*heads, *(f"{own} {text}" for own, text in under[:_MOST_RULES])]
    if not lines and (quoted := book.quote(number)):
        lines = [f"{number} {quoted}"]
    return lines


def _about(book: Rulebook, asked: str) -> list[str]:
    """Headings with the word first, then the rules in which it stands oftenest."""
    pattern = re.compile(rf"\b{re.escape(asked)}")
    heads = [text for _, _, text in book.headings if pattern.search(fold(text))]
    weights = {own: len(pattern.findall(fold(text))) / (200 + len(text)) for own, text in book.rules.items()}
    found = sorted((own for own, weight in weights.items() if weight), key=lambda own: -weights[own])
    return [*heads, *(f"{own} {book.rules[own]}" for own in found[:_MOST_FOUND])]
