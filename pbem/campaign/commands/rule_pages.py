"""RULES: the rules of a game by letter, in our own words: their headings, one of them, or those about a word."""

from __future__ import annotations

import re
import textwrap

from pbem import games
from pbem.campaign.commands.rules import Rulebook, rulebook
from pbem.campaign.intake.request import Declaration, Request
from pbem.campaign.outgoing.dispatch import Note
from pbem.campaign.table.transaction import Turn
from pbem.orders.commands import Command
from pbem.orders.words import fold
from pbem.reports.catalogue import catalogue
from pbem.reports.report import Line, Section

_BAR = "| "
_WIDTH = 76 - len(_BAR)
_NUMBER = re.compile(r"\d+(?:\.\d+)*[a-z]?")
_MOST_FOUND, _MOST_RULES = 8, 60
_STRANGERS = 12
"""Lines to somebody whom we do not know."""


def rules(request: Request, item: Command) -> None:
    """RULES, RULES 3.1, RULES supply."""
    topic = item.argument.strip(" .?!«»\"'")
    name = request.rules.name
    lines = pages(name, topic, request.words.lang)
    if not lines:
        request.note("rules_none", topic=topic[:60])
    else:
        title = request.words.phrase("titles", "rules", about=topic)
        shown = [piece for line in lines for piece in (textwrap.wrap(line, _WIDTH) or [""])]
        request.result.sections.append(
            Section(title, tuple(Line((_BAR + line).rstrip()) for line in shown), plain=True)
        )
    request.result.changes.append(lambda turn: _link(turn, request))


def _link(turn: Turn, request: Request) -> None:
    note = link(turn.campaign.settings.rules_url, request.rules.name, request.words.lang)
    if note is not None:
        request.result.notes.append(note)


def link(url: str, game: str, lang: str) -> Note | None:
    """Where the rules of a game stand as a page, where the host has put them somewhere."""
    return Note("rules_link", {"url": url.replace("{game}", game).replace("{lang}", lang)}) if url else None


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


def for_stranger(argument: str, lang: str) -> list[str]:
    """RULES of somebody without a seat, who has to name the game: RULES GAME, RULES GAME 3.1."""
    name, _, topic = argument.strip().partition(" ")
    named = fold(name).partition("-")[0]
    words = catalogue(lang)
    if named not in games.names():
        return [words.phrase("notes", "rules_which", games=games.names())]
    return pages(named, topic, lang)[:_STRANGERS] or [words.phrase("notes", "rules_none", topic=topic[:60])]


RULES = Declaration("rules", rules, ("rules", "rule"), ("regles", "regle"), r"[^:;]*\Z")
