"""Order declarations as patterns: literal words, slots and optional parts, in both languages."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from pbem.kernel.order import LANGUAGES, Order, Slot, Vocabulary
from pbem.orders.lexicon import Lexicon, lexicon
from pbem.orders.words import ARTICLES, RELATIONS, is_word, tokens

_PIECE = re.compile(r"\{(\w+)\}|(\[)|(\])|([^\s{}\[\]]+)")


class Word(NamedTuple):
    """A literal word of a pattern; a weak one may be left out."""

    key: str
    weak: bool


class Hole(NamedTuple):
    """A slot of a pattern."""

    name: str
    slot: Slot
    names: Lexicon | None


Parts = tuple[Word | Hole, ...]


class Pattern(NamedTuple):
    """One way to write an order kind, its optional parts decided."""

    kind: type[Order]
    lang: str
    parts: Parts
    own: frozenset[str]
    """The literal words of the order kind: none of them is passed over in a line."""


class Node:
    """Patterns with the same beginning: what may come next, and the patterns that end here."""

    __slots__ = ("ends", "holes", "words")

    def __init__(self) -> None:
        self.words: dict[str, Node] = {}
        self.holes: dict[Hole, Node] = {}
        self.ends: list[Pattern] = []


def compile_kind(kind: type[Order], vocabulary: Vocabulary) -> list[Pattern]:
    """All ways to write an order kind."""
    found: dict[Parts, str] = {}
    for lang in LANGUAGES:
        for text in kind.words.get(lang, ()):
            for parts in ways(kind, text, vocabulary):
                if parts:
                    found.setdefault(parts, lang)
    own = frozenset(part.key for parts in found for part in parts if isinstance(part, Word))
    return [Pattern(kind, lang, parts, own) for parts, lang in found.items()]


def tree(patterns: Iterable[Pattern]) -> Node:
    """The patterns joined by their beginnings."""
    root = Node()
    for pattern in patterns:
        node = root
        for part in pattern.parts:
            if isinstance(part, Word):
                node = node.words.setdefault(part.key, Node())
            else:
                node = node.holes.setdefault(part, Node())
        node.ends.append(pattern)
    return root


def ways(kind: type[Order], text: str, vocabulary: Vocabulary) -> list[Parts]:
    """The pattern's parts, once with and once without each optional part.

    An optional part that begins with a small word (`[from {start}]`) may also stand at the end.
    """
    ways: list[tuple[Parts, Parts]] = [((), ())]
    optional: Parts | None = None
    for name, opens, closes, literal in _PIECE.findall(text):
        if opens:
            optional = ()
        elif closes and optional is not None:
            first = optional[0]
            # Out of its place it is known by its first word alone, which then has to be there.
            tails = (
                ((Word(first.key, False), *optional[1:]),) if isinstance(first, Word) and first.weak else ()
            )
            ways = [
                way
                for body, end in ways
                for way in ((body + optional, end), (body, end), *((body, tail + end) for tail in tails))
            ]
            optional = None
        else:
            parts: Parts = _hole(kind, name, vocabulary) if name else _words(literal)
            if optional is None:
                ways = [(body + parts, end) for body, end in ways]
            else:
                optional += parts
    return list(dict.fromkeys(body + end for body, end in ways))


def _hole(kind: type[Order], name: str, vocabulary: Vocabulary) -> tuple[Hole]:
    slot = kind.slots[name]
    return (Hole(name, slot, lexicon(vocabulary, slot.vocabulary) if slot.kind == "name" else None),)


def _words(literal: str) -> tuple[Word, ...]:
    norms = [norm for norm in tokens(literal).norms if is_word(norm) and norm not in ARTICLES]
    return tuple(Word(norm, norm in RELATIONS) for norm in norms)


_KINDS = {
    "army": "armée",
    "card": "carte",
    "zone": "zone",
    "terrain": "terrain",
    "arm": "arme",
    "seat": "camp",
    "question": "question",
    "fact": "fait",
    "unit": "unité",
    "leader": "général",
    "mission": "mission",
}


def kind_name(kind: str, vocabulary: Vocabulary, lang: str) -> str:
    """What a kind of names is called; a vocabulary may say it under the kind `kind`."""
    if kind in vocabulary.kinds.get("kind", {}):
        return vocabulary.say("kind", kind, lang)
    return (_KINDS.get(kind, kind) if lang == "fr" else kind).replace("_", " ")


def describe(kind: type[Order], vocabulary: Vocabulary, lang: str, pattern: str | None = None) -> str:
    """A pattern as help shows it: `move <army> to <zone>`."""
    text = pattern if pattern is not None else kind.words.get(lang, kind.words["en"])[0]

    def show(match: re.Match[str]) -> str:
        slot = kind.slots[match[1]]
        if slot.kind == "number":
            return f"<{slot.low}-{slot.high}>"
        name = kind_name(slot.vocabulary, vocabulary, lang)
        return f"<{name}>, <{name}>…" if slot.many else f"<{name}>"

    return re.sub(r"\{(\w+)\}", show, text)
