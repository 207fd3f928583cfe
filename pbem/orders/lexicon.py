"""The names of one kind of thing, compiled so that a typed name is found fast and never guessed.

What is exact wins over what is abbreviated, which wins over what is mistyped; two things that fit equally
well are both returned, and it is the player who says which one is meant.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import NamedTuple
from weakref import WeakKeyDictionary

from rapidfuzz import fuzz, process

from pbem.kernel.order import Vocabulary, Word
from pbem.orders.words import (
    ARTICLES,
    RELATIONS,
    SKIPPED,
    digits,
    is_word,
    mistyped,
    numerals,
    singular,
    spellings,
    tokens,
)

EXACT, PLURAL, ABBREVIATED, MISTYPED = 0, 1, 2, 3
_REMEMBERED = 4096
_SHORTEST_ABBREVIATION = 2
_NEVER_INSIDE = SKIPPED | RELATIONS | frozenset(["is", "are", "est", "sont", "if", "si", "not", "pas"])


class Found(NamedTuple):
    """The things that a name may mean (several: it is ambiguous), and how much was forgiven (0: nothing)."""

    ids: tuple[str, ...]
    cost: int


class Lexicon:
    """All names of one kind in a vocabulary."""

    def __init__(self, words: Iterable[Word]) -> None:
        self.exact: dict[str, tuple[str, ...]] = {}
        self.longest = 1
        self._parts: list[tuple[tuple[str, ...], str]] = []
        self._initials: dict[str, tuple[str, ...]] = {}
        self._numerals: dict[str, tuple[str, ...]] = {}
        """Of the names that have any, by key."""
        self._remembered: dict[tuple[str, ...], Found | None] = {}
        words = list(words)
        # Own names win over nicknames, and those over bare identifiers: canonical text stays readable.
        ranks = (
            [(name, word.id) for word in words for name in (word.en, word.fr)],
            [(name, word.id) for word in words for name in word.also],
            [(word.id, word.id) for word in words],
        )
        for rank in ranks:
            taken = set(self.exact)
            for name, id in rank:
                self._enter(name, id, taken)
        self._sorted = sorted(self.exact)
        self.parts = frozenset(part for parts, _ in self._parts for part in parts)
        """The words of which names are made."""

    def _enter(self, name: str, id: str, taken: set[str]) -> None:
        for spelling in spellings(name):
            parts = tuple(norm for norm in tokens(spelling).norms if is_word(norm))
            bare = tuple(part for part in parts if part not in ARTICLES) or parts
            if not parts:
                continue
            self.longest = max(self.longest, len(parts))
            for key in {"".join(parts), "".join(bare)} - taken:
                _add(self.exact, key, id)
                if roman := numerals(parts):
                    self._numerals[key] = roman
            if (bare, id) not in self._parts:
                self._parts.append((bare, id))
                if len(bare) > 1:
                    _add(self._initials, "".join(part[0] for part in bare), id)

    def find(self, span: Sequence[str]) -> Found | None:
        """What these words may mean, forgiving as far as needed; None when nothing fits."""
        key = tuple(span)
        if key in self._remembered:
            return self._remembered[key]
        if len(self._remembered) >= _REMEMBERED:
            self._remembered.clear()
        found = self._remembered[key] = self._find(key)
        return found

    def _find(self, span: tuple[str, ...]) -> Found | None:
        joined = "".join(span)
        ids = self.exact.get(joined)
        if ids is None and len(span) > 1:
            ids = self.exact.get("".join(part for part in span if part not in ARTICLES))
        if ids is not None:
            return Found(ids, EXACT)
        # «I corps» is a numeral, whatever else the word may be; alone it is not.
        if any(part in _NEVER_INSIDE and not (len(span) > 1 and numerals((part,))) for part in span):
            return None
        ids = _union(self.exact.get(one, ()) for one in singular(joined)) if len(joined) > 2 else ()
        if ids:
            return Found(ids, PLURAL)
        ids = self._abbreviated(span, joined)
        if ids:
            return Found(ids, ABBREVIATED)
        return self._mistyped(joined, numerals(span))

    def _abbreviated(self, span: tuple[str, ...], joined: str) -> tuple[str, ...]:
        if len(joined) < _SHORTEST_ABBREVIATION:
            return ()
        numbers, roman = digits(joined), numerals(span)
        found: list[tuple[str, ...]] = []
        if any(letter.isalpha() for letter in joined):
            for key in self._sorted[bisect_left(self._sorted, joined) :]:
                if not key.startswith(joined):
                    break
                if digits(key) == numbers and (not roman or self._numerals.get(key, roman) == roman):
                    found.append(self.exact[key])
        found.append(self._initials.get(joined, ()))
        if len(joined) > _SHORTEST_ABBREVIATION:
            found.extend((id,) for parts, id in self._parts if _shortens(span, parts, numbers))
        return _union(found)

    def _mistyped(self, joined: str, roman: tuple[str, ...]) -> Found | None:
        near = [one for one in mistyped(joined, self._sorted) if self._numerals.get(one[1], ()) == roman]
        if not near:
            return None
        best = near[0][0]
        # One error may be told from two; of worse words we do not trust so fine a difference.
        reach = best if best == 1 else best + 1
        return Found(_union(self.exact[key] for errors, key in near if errors <= reach), MISTYPED + best)

    def suggest(self, text: str, limit: int = 3) -> tuple[str, ...]:
        """The things whose names look most like the text."""
        joined = "".join(norm for norm in tokens(text).norms if is_word(norm))
        close = process.extract(joined, self._sorted, scorer=fuzz.ratio, limit=limit * 3, score_cutoff=55)
        return _union(self.exact[key] for key, _, _ in close)[:limit]


def _add(table: dict[str, tuple[str, ...]], key: str, id: str) -> None:
    ids = table.get(key, ())
    if id not in ids:
        table[key] = (*ids, id)


def _union(several: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(id for ids in several for id in ids))


def _shortens(span: Sequence[str], parts: tuple[str, ...], numbers: tuple[str, ...]) -> bool:
    """Whether each word of the span begins a word of the name, in the name's order."""
    if len(parts) < 2 or len(span) > len(parts):
        return False
    at = 0
    for part in span:
        while at < len(parts) and not _begins(part, parts[at]):
            at += 1
        if at == len(parts):
            return False
        at += 1
    return not numbers or digits("".join(parts)) == numbers


def _begins(part: str, word: str) -> bool:
    return word == part or (word.startswith(part) and not numerals((word,)))


_compiled: WeakKeyDictionary[Vocabulary, dict[str, Lexicon]] = WeakKeyDictionary()


def lexicon(vocabulary: Vocabulary, kind: str) -> Lexicon:
    """The names of that kind, compiled once for each vocabulary."""
    kinds = _compiled.setdefault(vocabulary, {})
    found = kinds.get(kind)
    if found is None:
        found = kinds[kind] = Lexicon(vocabulary.words(kind))
    return found


def clashes(vocabulary: Vocabulary) -> list[str]:
    """Names that mean two things of the same kind: a game with any cannot be played in writing.

    The names of kinds themselves only stand in help and errors; nobody writes them.
    """
    return [
        f"{kind}: {key} is {' and '.join(ids)}"
        for kind in vocabulary.kinds
        if kind != "kind"
        for key, ids in lexicon(vocabulary, kind).exact.items()
        if len(ids) > 1
    ]
