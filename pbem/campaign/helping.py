"""HELP: the whole page, or what it says about one command or one decision."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

from pbem.kernel.rules import Rules
from pbem.orders import help as order_help
from pbem.orders.commands import SPECS, command
from pbem.orders.words import fold
from pbem.reports.catalogue import Catalogue
from pbem.reports.report import Line, Section

if TYPE_CHECKING:
    from pbem.kernel.question import Question

COMMANDS = (
    *("check", "status", "map", "history", "why", "dice", "standing"),
    *("clear", "wait", "ready", "absent", "substitute", "address"),
    *(
        "press",
        "vote",
        "object",
        "leave",
        "list",
        "join",
        "resend",
        "salt",
        "help",
        "resign",
        "confirm",
        "newtoken",
    ),
)


PAGES = {spec.name for spec in SPECS}
"""Every command has its page."""
_WIDTH = 76


def page(words: Catalogue, rules: Rules[Any], topic: str) -> Section:
    """What HELP answers; a topic that nobody knows gets the whole page."""
    lines = _about(words, rules, topic) or _everything(words, rules)
    return Section(words.phrase("titles", "help"), tuple(Line(line) for line in lines), plain=True)


def _about(words: Catalogue, rules: Rules[Any], topic: str) -> list[str]:
    asked = fold(topic.strip(" ?.!"))
    if not asked:
        return []
    if asked.startswith(("card ", "carte ")):
        # In French CARTE alone is the map.
        card = _card(words, rules, asked)
        if card:
            return card
    named = command(asked)
    if named is not None and named.name in PAGES:
        lines = [words.phrase("commands", named.name), ""] if named.name in COMMANDS else []
        lines += textwrap.wrap(words.phrase("pages", named.name), _WIDTH)
        return [*lines, "", *_standing(words, rules)] if named.name == "standing" else lines
    for question in rules.questions:
        if fold(words.vocabulary.say("question", question.kind(), words.lang)) == asked:
            return _question(words, question)
    return _card(words, rules, asked)


def _card(words: Catalogue, rules: Rules[Any], asked: str) -> list[str]:
    """A card by its number or its name, with or without the word «card» before it."""
    name = asked.removeprefix("card ").removeprefix("carte ").strip()
    for word in words.vocabulary.words("card"):
        if name not in {fold(known) for known in (word.id, word.en, word.fr, *word.also)}:
            continue
        told = [words.event(event) for event in rules.lookup("card", word.id)] if rules.lookup else []
        if not told and words.has("cards", word.id):
            told = [f"{word.name(words.lang)}: {words.phrase('cards', word.id)}"]
        return [line for text in told for line in textwrap.wrap(text, _WIDTH)]
    return []


def _everything(words: Catalogue, rules: Rules[Any]) -> list[str]:
    lines = [*order_help.general_help(words.lang), "", words.phrase("notes", "help_commands")]
    lines += ["  " + words.phrase("commands", name) for name in COMMANDS]
    lines += ["", words.phrase("notes", "help_orders")]
    for question in rules.questions:
        lines += ["", *_question(words, question)]
    return [*lines, "", *_standing(words, rules)]


def _question(words: Catalogue, question: type[Question]) -> list[str]:
    name = words.vocabulary.say("question", question.kind(), words.lang)
    helped = order_help.question_help(question, words.vocabulary, words.lang)
    return [f"{name}{' :' if words.lang == 'fr' else ':'}", *("  " + line for line in helped)]


def _standing(words: Catalogue, rules: Rules[Any]) -> list[str]:
    helped = order_help.standing_help(rules.standing, rules.questions, words.vocabulary, words.lang)
    return [words.phrase("notes", "help_standing"), *("  " + line for line in helped)]
