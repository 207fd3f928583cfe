"""Help for orders, made from their declarations: so help and parser cannot disagree."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Any

from pbem.kernel.order import Order, Vocabulary
from pbem.kernel.question import Question
from pbem.orders.patterns import describe

_MOST_PATTERNS = 3
_FEW = 15
_NO_THINGS = ("fact", "value", "kind", "order", "question")
"""Kinds of words that name nothing on a board."""

_GENERAL = {
    "en": (
        "Write one order a line, or several with «;» between them. Upper case,",
        "accents and small typing errors do not matter; names may be shortened as",
        "long as only one fits. «2» takes the second order of the menu, «1 1 5»",
        "three of them, «3x …» repeats an order. «#» begins a remark.",
    ),
    "fr": (
        "Un ordre par ligne, ou plusieurs séparés par «;». Majuscules, accents et",
        "petites fautes ne comptent pas ; un nom peut être abrégé tant qu'un seul",
        "convient. «2» prend le deuxième ordre du menu, «1 1 5» trois d'entre eux,",
        "«3x …» répète un ordre. «#» commence une remarque.",
    ),
}
_OR = {"en": "or", "fr": "ou"}
_EXAMPLE = {"en": "for example: ", "fr": "par exemple : "}
_PLANS = {
    "en": (
        "if <fact> = <value> then <orders> else <orders>",
        "    joined by «and» or by «or»; = != < <= > >=,",
        "    or «is», «is not», «at least», «more than»…",
        "    An IF takes all the rest of its line; (brackets) end it earlier.",
    ),
    "fr": (
        "si <fait> = <valeur> alors <ordres> sinon <ordres>",
        "    reliés par «et» ou par «ou» ; = != < <= > >=,",
        "    ou «est», «n'est pas», «au moins», «plus de»…",
        "    Un SI prend tout le reste de sa ligne ; des (parenthèses) l'arrêtent.",
    ),
}
_STANDING = {
    "en": (
        "when <question> [if <fact> = <value>] then <orders> [else <orders>]",
        "ask me <question> [if <fact> = <value>]",
    ),
    "fr": (
        "quand <question> [si <fait> = <valeur>] alors <ordres> [sinon <ordres>]",
        "demander <question> [si <fait> = <valeur>]",
    ),
}
_LISTS = {
    "en": {"question": "questions", "fact": "facts"},
    "fr": {"question": "questions ", "fact": "faits "},
}


def general_help(lang: str = "en") -> list[str]:
    """How orders are written, whatever the game."""
    return list(_GENERAL.get(lang, _GENERAL["en"]))


def order_help(kind: type[Order], vocabulary: Vocabulary, lang: str = "en") -> list[str]:
    """One order kind: how it is written, other ways, an example."""
    patterns = kind.words.get(lang) or kind.words.get("en", ())
    lines = [describe(kind, vocabulary, lang, pattern) for pattern in patterns[:_MOST_PATTERNS]]
    if not lines:
        return []
    shown = [lines[0], *(f"    {_OR.get(lang, 'or')} {line}" for line in lines[1:])]
    example = kind.example.get(lang) or kind.example.get("en")
    if example and example != lines[0]:
        shown.append(f"    {_EXAMPLE.get(lang, _EXAMPLE['en'])}{example}")
    return shown


def question_help(question: type[Question[Any]], vocabulary: Vocabulary, lang: str = "en") -> list[str]:
    """The orders that answer a kind of question, plans included where they are allowed."""
    lines = [line for kind in question.orders for line in order_help(kind, vocabulary, lang)]
    return lines + (list(_PLANS.get(lang, _PLANS["en"])) if question.plans else [])


def standing_help(
    kinds: Sequence[type[Order]],
    questions: Sequence[type[Question[Any]]],
    vocabulary: Vocabulary,
    lang: str = "en",
) -> list[str]:
    """The standing orders of a game, with the questions and facts that they may name."""
    lines = list(_STANDING.get(lang, _STANDING["en"]))
    for kind in kinds:
        lines += order_help(kind, vocabulary, lang)
    lists = _LISTS.get(lang, _LISTS["en"])
    named = [vocabulary.say("question", question.kind(), lang) for question in questions]
    facts = [word.name(lang) for word in vocabulary.words("fact") if not _is_place(word.id, vocabulary)]
    lines += _listed(lists["question"], named) + _listed(lists["fact"], facts)
    return lines


def _is_place(fact: str, vocabulary: Vocabulary) -> bool:
    """Facts that are the name of a thing on the board; there are too many to list."""
    kinds = [words for kind, words in vocabulary.kinds.items() if kind not in _NO_THINGS]
    return any(fact in words for words in kinds if len(words) > _FEW)


def _listed(title: str, names: Sequence[str]) -> list[str]:
    return textwrap.wrap(f"{title}: {', '.join(names)}", 72, subsequent_indent="    ") if names else []
