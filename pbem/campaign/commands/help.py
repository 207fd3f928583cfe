"""HELP: the whole page, or what it says about one command or one decision."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from pbem.campaign.intake.request import Declaration, Request
from pbem.campaign.table.tables import MASTER_ROLE
from pbem.kernel.question import Question
from pbem.kernel.rules import Rules
from pbem.letters.names import harmless
from pbem.orders import help as order_help
from pbem.orders.commands import ANYTHING, MASTERS, PLAYERS, Command, CommandGrammar
from pbem.orders.words import fold
from pbem.reports.catalogue import Catalogue
from pbem.reports.report import Line, Section

_BAR = "| "
_WIDTH = 76 - len(_BAR)
_LONG = 300
_AFTER = ("status", "map", "history", "why", "dice", "rules", "list", "join")
"""What can still be asked for when a game is over."""
"""A page with more lines than this is cut to the decisions that are open; HELP ALL has it whole."""
_ALL = ("all", "everything", "orders", "tout", "ordres")


def help(request: Request, item: Command) -> None:
    """HELP [command, decision, card …]."""
    asked = tuple(dict.fromkeys(type(question) for question in request.open_questions()))
    master = (
        request.live.person(request.seat).role == MASTER_ROLE
        if request.seat in request.live.people
        else False
    )
    said = page(
        request.commands,
        request.words,
        request.rules,
        item.argument,
        asked,
        master=master,
        over=request.live.over,
    )
    request.result.sections.append(said)


def page(
    commands: CommandGrammar[Request],
    words: Catalogue,
    rules: Rules[Any],
    topic: str,
    asked: Collection[type[Question[Any]]] = (),
    *,
    master: bool = False,
    over: bool = False,
) -> Section:
    """What HELP answers; a topic that nobody knows is said to be unknown, above the page of what matters now.

    `asked` are the kinds of decisions that are open to the reader.
    """
    lines = _about(commands, words, rules, topic)
    known = bool(lines)
    if not lines and over:
        lines = [words.phrase("notes", "help_commands")]
        lines += ["  " + words.phrase("commands", name) for name in _AFTER]
    elif not lines and master:
        lines = _for_master(commands, words)
    elif not lines:
        lines = _everything(commands, words, rules)
        if len(lines) > _LONG and fold(topic.strip(" ?.!")) not in _ALL:
            lines = _in_short(commands, words, rules, asked or rules.questions[:1])
    named = topic.strip(" ?.!")
    if named and not known and fold(named) not in _ALL:
        unknown = words.phrase("notes", "help_unknown", topic=harmless(named, 40))
        lines = [*textwrap.wrap(unknown, _WIDTH), "", *lines]
    return Section(words.phrase("titles", "help"), tuple(map(_shown, _fitting(lines))), plain=True)


def _fitting(lines: Sequence[str]) -> Iterator[str]:
    """The lines broken where they would be too long behind their bar, with their indent."""
    for line in lines:
        indent = line[: len(line) - len(line.lstrip())]
        yield from textwrap.wrap(line, _WIDTH, subsequent_indent=indent) or [""]


def _shown(line: str) -> Line:
    """A line behind a bar, which the reader of letters takes for a quote mark: no example is ever carried out."""
    return Line((_BAR + line).rstrip())


def _about(commands: CommandGrammar[Request], words: Catalogue, rules: Rules[Any], topic: str) -> list[str]:
    asked = fold(topic.strip(" ?.!"))
    if not asked:
        return []
    if asked.startswith(("card ", "carte ")):
        # In French CARTE alone is the map.
        card = _card(words, rules, asked)
        if card:
            return card
    named = commands.command(asked)
    if named is not None and named.name:
        lines = [words.phrase("commands", named.name), ""] if commands.type(named.name).listed else []
        lines += textwrap.wrap(words.phrase("pages", named.name), _WIDTH)
        return [*lines, "", *_standing(words, rules)] if named.name == "standing" else lines
    for question in rules.questions:
        if fold(words.vocabulary.say("question", question.kind(), words.lang)) == asked:
            return _question(words, question)
    return _things(words, rules, asked) or _card(words, rules, asked) or _orders(words, rules, asked)


def _things(words: Catalogue, rules: Rules[Any], asked: str) -> list[str]:
    """What the game has to show of things by that name: a general, a zone."""
    if rules.lookup is None:
        return []
    told = [
        words.event(event)
        for kind, things in words.vocabulary.kinds.items()
        for word in things.values()
        if asked in {fold(known) for known in (word.id, word.en, word.fr, *word.also)}
        for event in rules.lookup(kind, word.id)
    ]
    return [line for text in dict.fromkeys(told) for line in textwrap.wrap(text, _WIDTH)]


def _orders(words: Catalogue, rules: Rules[Any], asked: str) -> list[str]:
    """The orders in whose words, of either language, the topic stands."""
    return [
        line
        for kind in rules.orders
        if asked in {word for patterns in kind.words.values() for text in patterns for word in _literal(text)}
        for line in order_help.order_help(kind, words.vocabulary, words.lang)
    ]


def _literal(pattern: str) -> list[str]:
    return re.findall(r"[^\W\d_]{3,}", fold(re.sub(r"\{\w+\}", "", pattern)))


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


def _everything(commands: CommandGrammar[Request], words: Catalogue, rules: Rules[Any]) -> list[str]:
    lines = _beginning(commands, words)
    for question in rules.questions:
        lines += ["", *_question(words, question)]
    return [*lines, "", *_standing(words, rules)]


def _in_short(
    commands: CommandGrammar[Request],
    words: Catalogue,
    rules: Rules[Any],
    asked: Collection[type[Question[Any]]],
) -> list[str]:
    """The commands, the orders of the decisions that are open, and where the others are to be found."""
    lines = _beginning(commands, words)
    for question in asked:
        lines += ["", *_question(words, question)]
    others = [question.kind() for question in rules.questions if question not in asked]
    names = ", ".join(words.vocabulary.say("question", kind, words.lang) for kind in others)
    return [*lines, "", *textwrap.wrap(words.phrase("notes", "help_more", names=names), _WIDTH)]


def _for_master(commands: CommandGrammar[Request], words: Catalogue) -> list[str]:
    """For a game master: his own commands in full, then those that everybody has."""
    lines = [words.phrase("notes", "help_masters")]
    for one in commands.types:
        if one.who == MASTERS:
            lines += textwrap.wrap(
                words.phrase("pages", one.name), _WIDTH, initial_indent="  ", subsequent_indent="    "
            )
    lines += ["", words.phrase("notes", "help_commands")]
    return [
        *lines,
        *(
            "  " + words.phrase("commands", one.name)
            for one in commands.types
            if one.listed and one.who != PLAYERS
        ),
    ]


def _beginning(commands: CommandGrammar[Request], words: Catalogue) -> list[str]:
    lines = [*order_help.general_help(words.lang), "", words.phrase("notes", "help_commands")]
    lines += ["  " + words.phrase("commands", one.name) for one in commands.types if one.listed]
    return [*lines, "", words.phrase("notes", "help_orders")]


def _question(words: Catalogue, question: type[Question[Any]]) -> list[str]:
    name = words.vocabulary.say("question", question.kind(), words.lang)
    helped = order_help.question_help(question, words.vocabulary, words.lang)
    return [f"{name}{' :' if words.lang == 'fr' else ':'}", *("  " + line for line in helped)]


def _standing(words: Catalogue, rules: Rules[Any]) -> list[str]:
    helped = order_help.standing_help(rules.standing, rules.questions, words.vocabulary, words.lang)
    return [words.phrase("notes", "help_standing"), *("  " + line for line in helped)]


HELP = Declaration("help", help, ("help",), ("aide",), ANYTHING)
