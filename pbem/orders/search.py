"""Two ways along a line: the exact one, by a tree of patterns, and the forgiving one, pattern by pattern."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from functools import lru_cache, partial
from typing import Any, NamedTuple

from pbem.orders.lexicon import ABBREVIATED, EXACT, MISTYPED, PLURAL, Lexicon
from pbem.orders.patterns import Hole, Node, Pattern, Word
from pbem.orders.words import (
    ARTICLES,
    RELATIONS,
    SEPARATORS,
    SKIPPED,
    Tokens,
    is_word,
    mistyped,
    number,
    singular,
)

_MOST_STEPS = 20_000
_LEFT_OUT = 1
_PASSED_OVER = 1


class Failure(NamedTuple):
    """Where a pattern stopped in a line, and why it went no further."""

    at: int
    code: str
    pattern: Pattern
    part: Word | Hole | None


Read = tuple[tuple[str, ...], int, int]
"""The possible ids of a name and where it stands in the line."""
Values = tuple[tuple[str, Any], ...]
"""Slot names with what was read: a number, a `Read`, or a `Read` for each name of a list."""


class OutOfBreath(Exception):
    """A line that takes too long to understand."""


Span = tuple[int, tuple[str, ...], int]
"""Where a name ends, what it may mean, and what it costs to read it so."""


def exact_spans(names: Lexicon, norms: list[str], i: int, high: int) -> Iterator[Span]:
    """The names that stand exactly at `i`, the longest first."""
    exact = names.exact
    for end in range(min(high, i + names.longest + 1), i + 1, -1):
        ids = exact.get("".join(norms[i:end]))
        if ids is not None:
            yield end, ids, EXACT
    if i < high:
        ids = exact.get(norms[i])
        if ids is not None:
            yield i + 1, ids, EXACT


def forgiving_spans(
    names: Lexicon, norms: list[str], i: int, high: int, known: Collection[str] = ()
) -> Iterator[Span]:
    """The names that may stand at `i`, the longest first; a word that is `known` as another is no name mistyped."""
    found: list[Span] = []
    sure = False
    for end in range(i + 1, min(high, i + names.longest + 1) + 1):
        if not is_word(norms[end - 1]):
            break
        read = names.find(norms[i:end])
        # A name that is there already does not become another one by the word behind it.
        if read is None or (sure and read.cost >= MISTYPED):
            continue
        if read.cost >= MISTYPED and known and any(norm in known for norm in norms[i:end]):
            continue
        sure = sure or read.cost < MISTYPED
        found.append((end, read.ids, read.cost))
    return reversed(found)


Spans = Callable[[Lexicon, list[str], int, int], Iterator[Span]]


def lists(
    names: Lexicon, norms: list[str], i: int, high: int, spans: Spans
) -> list[tuple[int, tuple[Read, ...], int]]:
    """The lists of names that may stand at `i`, the longest first."""
    found: list[tuple[int, tuple[Read, ...], int]] = []
    values: tuple[Read, ...] = ()
    total = 0
    while True:
        best = min(spans(names, norms, i, high), key=lambda span: (span[2], -span[0]), default=None)
        if best is None:
            if i < high and (norms[i] in ARTICLES or (values and norms[i] in SEPARATORS)):
                i += 1
                continue
            return found[::-1]
        end, ids, cost = best
        values = (*values, (ids, i, end))
        total += cost
        i = end
        found.append((i, values, total))
        while i < high and norms[i] in SEPARATORS:
            i += 1


class Exact:
    """Readings of a line with nothing to forgive."""

    def __init__(self, line: Tokens, high: int) -> None:
        self.norms = line.norms
        self.high = high
        self.readings: list[tuple[int, Pattern, Values]] = []
        self.steps = 0

    def walk(self, node: Node, i: int, values: Values) -> None:
        """Collect the readings of what is left of the line from a node on."""
        self.steps += 1
        if self.steps > _MOST_STEPS:
            raise OutOfBreath
        if i == self.high:
            self.readings.extend((0, pattern, values) for pattern in node.ends)
            return
        norm = self.norms[i]
        moved = False
        word = node.words.get(norm)
        if word is not None:
            moved = True
            self.walk(word, i + 1, values)
        for hole, after in node.holes.items():
            for end, value in self._fill(hole, i):
                moved = True
                self.walk(after, end, (*values, (hole.name, value)))
        if not moved and norm in SKIPPED:
            self.walk(node, i + 1, values)

    def _fill(self, hole: Hole, i: int) -> Iterator[tuple[int, Any]]:
        if hole.names is None:
            value = number(self.norms[i])
            if value is not None and hole.slot.low <= value <= hole.slot.high:
                yield i + 1, value
        elif hole.slot.many:
            for end, several, _ in lists(hole.names, self.norms, i, self.high, exact_spans):
                yield end, several
        else:
            for end, ids, _ in exact_spans(hole.names, self.norms, i, self.high):
                yield end, (ids, i, end)


class Forgiving:
    """Readings of a line with typing errors, abbreviations and left-out small words, at a cost each."""

    def __init__(self, line: Tokens, high: int, known: Collection[str] = ()) -> None:
        self.norms = line.norms
        self.high = high
        self.spans: Spans = partial(forgiving_spans, known=known)
        self.furthest = 1
        self.failures: list[Failure] = []
        """Why the patterns that went furthest went no further; one word at least was understood."""
        self.steps = 0

    def match(self, pattern: Pattern, low: int) -> list[tuple[int, Values]]:
        """All readings of the line from `low` by a pattern, each with its cost."""
        return self._walk(pattern, 0, low, 0)

    def _walk(self, pattern: Pattern, k: int, i: int, reached: int) -> list[tuple[int, Values]]:
        self.steps += 1
        if self.steps > _MOST_STEPS:
            raise OutOfBreath
        norms, high, passed = self.norms, self.high, 0
        if k == len(pattern.parts):
            while i < high and (norms[i] in SKIPPED or norms[i] in SEPARATORS):
                i += 1
            if i == high:
                return [(0, ())]
            self._fail(reached, i, "extra_words", pattern, None)
            return []
        part = pattern.parts[k]
        while True:
            found = (
                self._literal(pattern, part, k, i, reached)
                if isinstance(part, Word)
                else self._hole(pattern, part, k, i, reached)
            )
            if found is not None:
                return [(cost + passed, values) for cost, values in found] if passed else found
            if i < high and norms[i] not in pattern.own:
                if norms[i] in SKIPPED:
                    i += 1
                    continue
                if norms[i] in RELATIONS:
                    i += 1
                    passed += _PASSED_OVER
                    continue
            return []

    def _literal(
        self, pattern: Pattern, part: Word, k: int, i: int, reached: int
    ) -> list[tuple[int, Values]] | None:
        if i < self.high:
            norm = self.norms[i]
            cost = word_cost(norm, part.key)
            if cost is not None:
                rest = self._walk(pattern, k + 1, i + 1, reached + (not part.weak))
                return [(cost + more, values) for more, values in rest]
        if part.weak:
            rest = self._walk(pattern, k + 1, i, reached)
            return [(_LEFT_OUT + more, values) for more, values in rest]
        self._fail(reached, i, "unreadable" if i < self.high else "missing_part", pattern, part)
        return None

    def _hole(
        self, pattern: Pattern, part: Hole, k: int, i: int, reached: int
    ) -> list[tuple[int, Values]] | None:
        readings: list[tuple[int, Values]] = []
        some = False
        for end, value, cost in self._fill(pattern, part, i, reached):
            some = True
            for more, values in self._walk(pattern, k + 1, end, reached + 1):
                readings.append((cost + more, ((part.name, value), *values)))
        return readings if some else None

    def _fill(self, pattern: Pattern, part: Hole, i: int, reached: int) -> Iterator[tuple[int, Any, int]]:
        if part.slot.kind == "number":
            yield from self._number(pattern, part, i, reached)
            return
        assert part.names is not None
        some = False
        if part.slot.many:
            for end, several, cost in lists(part.names, self.norms, i, self.high, self.spans):
                some = True
                yield end, several, cost
        else:
            for end, ids, cost in self.spans(part.names, self.norms, i, self.high):
                some = True
                yield end, (ids, i, end), cost
        if not some:
            code = "unknown_name" if i < self.high else "missing_part"
            self._fail(reached, i, code, pattern, part)

    def _number(self, pattern: Pattern, part: Hole, i: int, reached: int) -> Iterator[tuple[int, int, int]]:
        value = number(self.norms[i]) if i < self.high else None
        if value is None:
            self._fail(reached, i, "number_expected" if i < self.high else "missing_part", pattern, part)
        elif part.slot.low <= value <= part.slot.high:
            yield i + 1, value, 0
        else:
            self._fail(reached + 1, i, "number_out_of_range", pattern, part)

    def _fail(self, reached: int, at: int, code: str, pattern: Pattern, part: Word | Hole | None) -> None:
        if reached < self.furthest:
            return
        if reached > self.furthest:
            self.furthest, self.failures = reached, []
        self.failures.append(Failure(at, code, pattern, part))


@lru_cache(maxsize=8192)
def word_cost(norm: str, key: str) -> int | None:
    """What it costs to take a typed word for a literal one; None when it is another word."""
    if norm == key:
        return EXACT
    if norm in RELATIONS or norm in SKIPPED or norm[0].isdigit():
        return None
    if key in singular(norm):
        return PLURAL
    if len(norm) >= 2 and key.startswith(norm):
        # A last letter left out is no abbreviation: «ordr» may be «order» as well as «ordre».
        return ABBREVIATED if len(key) - len(norm) > 1 or len(norm) < 4 else MISTYPED + 1
    near = mistyped(norm, (key,))
    return MISTYPED + near[0][0] if near else None
