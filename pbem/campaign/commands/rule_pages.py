"""RULES: the rules of a game by letter, in our own words: their headings, one of them, or those about a word."""

from __future__ import annotations

import textwrap

from pbem import games
from pbem.campaign.commands.rules import pages
from pbem.campaign.intake.request import Declaration, Request
from pbem.campaign.outgoing.dispatch import Note
from pbem.campaign.table.transaction import Turn
from pbem.orders.commands import Command
from pbem.orders.words import fold
from pbem.reports.catalogue import catalogue
from pbem.reports.report import Line, Section

_BAR = "| "
_WIDTH = 76 - len(_BAR)
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


def for_stranger(argument: str, lang: str) -> list[str]:
    """RULES of somebody without a seat, who has to name the game: RULES GAME, RULES GAME 3.1."""
    name, _, topic = argument.strip().partition(" ")
    named = fold(name).partition("-")[0]
    words = catalogue(lang)
    if named not in games.names():
        return [words.phrase("notes", "rules_which", games=games.names())]
    return pages(named, topic, lang)[:_STRANGERS] or [words.phrase("notes", "rules_none", topic=topic[:60])]


RULES = Declaration("rules", rules, ("rules", "rule"), ("regles", "regle"), r"[^:;]*\Z")
