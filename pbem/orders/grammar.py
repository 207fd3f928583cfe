"""Order declarations compiled into a matcher: both languages at once, exact first, forgiving second.

A pattern is literal words, `{slots}` and `[optional parts]`. The exact pass finds nearly every line by its
first word; only a line that it cannot read is read again with typing errors, abbreviations and left-out small
words allowed. Each thing forgiven has a cost; the cheapest reading stands, two equally cheap are ambiguous.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from pbem.kernel.order import LANGUAGES, Order, Slot, Vocabulary
from pbem.kernel.problem import AMBIGUOUS, ILLEGAL, UNREADABLE, Problem
from pbem.orders.lexicon import ABBREVIATED, EXACT, MISTYPED, PLURAL, Lexicon, lexicon
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
    tokens,
)

_PIECE = re.compile(r"\{(\w+)\}|(\[)|(\])|([^\s{}\[\]]+)")
_MOST_STEPS = 20_000
_LEFT_OUT = 1
_PASSED_OVER = 1
_MOST_CANDIDATES = 8
_TELLING = (
    "number_out_of_range",
    "unknown_name",
    "missing_part",
    "number_expected",
    "extra_words",
    "unreadable",
)
"""Which of several reasons to give, the most telling first."""


class Word(NamedTuple):
    """A literal word of a pattern; a weak one may be left out."""

    key: str
    weak: bool


class Hole(NamedTuple):
    """A slot of a pattern."""

    name: str
    slot: Slot
    names: Lexicon | None


class Pattern(NamedTuple):
    """One way to write an order kind, its optional parts decided."""

    kind: type[Order]
    lang: str
    parts: tuple[Word | Hole, ...]
    own: frozenset[str]
    """The literal words of the order kind: none of them is passed over in a line."""


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


class Search:
    """One attempt to read part of a line."""

    def __init__(self, line: Tokens, high: int, forgiving: bool) -> None:
        self.norms = line.norms
        self.high = high
        self.forgiving = forgiving
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
            while i < high and (norms[i] in SKIPPED or (self.forgiving and norms[i] in SEPARATORS)):
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
                if self.forgiving and norms[i] in RELATIONS:
                    i += 1
                    passed += _PASSED_OVER
                    continue
            return []

    def _literal(
        self, pattern: Pattern, part: Word, k: int, i: int, reached: int
    ) -> list[tuple[int, Values]] | None:
        if i < self.high:
            norm = self.norms[i]
            if norm == part.key:
                return self._walk(pattern, k + 1, i + 1, reached + (not part.weak))
            if self.forgiving and not part.weak:
                cost = word_cost(norm, part.key)
                if cost is not None:
                    rest = self._walk(pattern, k + 1, i + 1, reached + 1)
                    return [(cost + more, values) for more, values in rest]
        if self.forgiving and part.weak:
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
            for end, several, cost in reversed(list(self._list(part.names, i))):
                some = True
                yield end, several, cost
        else:
            for end, ids, cost in self._spans(part.names, i):
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

    def _spans(self, names: Lexicon, i: int) -> Iterator[tuple[int, tuple[str, ...], int]]:
        norms = self.norms
        end = i
        last = min(self.high, i + names.longest + 1)
        while end < last and is_word(norms[end]):
            end += 1
        if not self.forgiving:
            exact = names.exact
            while end > i:
                ids = exact.get(norms[i] if end == i + 1 else "".join(norms[i:end]))
                if ids is not None:
                    yield end, ids, EXACT
                end -= 1
            return
        while end > i:
            found = names.find(norms[i:end])
            if found is not None:
                yield end, found.ids, found.cost
            end -= 1

    def _list(self, names: Lexicon, i: int) -> Iterator[tuple[int, tuple[Read, ...], int]]:
        values: tuple[Read, ...] = ()
        total = 0
        while True:
            best = min(self._spans(names, i), key=lambda span: (span[2], -span[0]), default=None)
            if best is None:
                if i < self.high and (self.norms[i] in ARTICLES or (values and self.norms[i] in SEPARATORS)):
                    i += 1
                    continue
                return
            end, ids, cost = best
            values = (*values, (ids, i, end))
            total += cost
            i = end
            yield i, values, total
            while i < self.high and self.norms[i] in SEPARATORS:
                i += 1

    def _fail(self, reached: int, at: int, code: str, pattern: Pattern, part: Word | Hole | None) -> None:
        if not self.forgiving or reached < self.furthest:
            return
        if reached > self.furthest:
            self.furthest, self.failures = reached, []
        self.failures.append(Failure(at, code, pattern, part))


def word_cost(norm: str, key: str) -> int | None:
    """What it costs to take a typed word for a literal one; None when it is another word."""
    if norm == key:
        return EXACT
    if norm in RELATIONS or norm in SKIPPED or norm[0].isdigit():
        return None
    if key in singular(norm):
        return PLURAL
    if len(norm) >= 2 and key.startswith(norm):
        return ABBREVIATED
    near = mistyped(norm, (key,))
    return MISTYPED + near[0][0] if near else None


class Grammar:
    """Some order kinds compiled with a vocabulary."""

    def __init__(self, kinds: Sequence[type[Order]], vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self.patterns: list[Pattern] = []
        for kind in kinds:
            self._compile(kind)
        self._by_first: dict[str, list[Pattern]] = {}
        self._without_first: list[Pattern] = []
        for pattern in self.patterns:
            first = pattern.parts[0]
            if isinstance(first, Word):
                self._by_first.setdefault(first.key, []).append(pattern)
            else:
                self._without_first.append(pattern)

    def _compile(self, kind: type[Order]) -> None:
        ways: dict[tuple[Word | Hole, ...], str] = {}
        for lang in LANGUAGES:
            for text in kind.words.get(lang, ()):
                for parts in _ways(kind, text, self.vocabulary):
                    if parts:
                        ways.setdefault(parts, lang)
        own = frozenset(part.key for parts in ways for part in parts if isinstance(part, Word))
        self.patterns.extend(Pattern(kind, lang, parts, own) for parts, lang in ways.items())

    def read(
        self, line: Tokens, low: int, high: int, lang: str = "en", *, exact: bool = False
    ) -> Order | Problem:
        """The order that the words from `low` to `high` write, or what is wrong with them."""
        while low < high and line.norms[low] in SKIPPED and line.norms[low] not in self._by_first:
            low += 1
        if low == high:
            return Problem("unreadable", kind=UNREADABLE, params={"text": ""})
        readings = self._exact(line, low, high)
        failures: list[Failure] = []
        if not readings:
            if exact:
                return Problem("unreadable", kind=UNREADABLE, params={"text": line.text(low, high)})
            readings, failures = self._forgiving(line, low, high)
        if readings:
            return self._choose(readings, line, line.text(low, high), lang)
        return self._explain(failures, line, low, high, lang)

    def _exact(self, line: Tokens, low: int, high: int) -> list[tuple[int, Pattern, Values]]:
        search = Search(line, high, False)
        candidates = self._by_first.get(line.norms[low], ())
        readings = []
        try:
            for pattern in (*candidates, *self._without_first):
                for cost, values in search.match(pattern, low):
                    readings.append((cost, pattern, values))
        except OutOfBreath:
            return []
        return readings

    def _forgiving(
        self, line: Tokens, low: int, high: int
    ) -> tuple[list[tuple[int, Pattern, Values]], list[Failure]]:
        search = Search(line, high, True)
        readings = []
        try:
            for pattern in self.patterns:
                for cost, values in search.match(pattern, low):
                    readings.append((cost, pattern, values))
        except OutOfBreath:
            return [], []
        best = min((cost for cost, _, _ in readings), default=0)
        return [reading for reading in readings if reading[0] == best], search.failures

    def _choose(
        self, readings: list[tuple[int, Pattern, Values]], line: Tokens, text: str, lang: str
    ) -> Order | Problem:
        orders: dict[Order, None] = {}
        word = ""
        unclear: dict[str, None] = {}
        for _, pattern, values in readings:
            doubtful = list(_doubtful(pattern, values))
            if not doubtful:
                orders.setdefault(_build(pattern, values))
            for kind, (ids, start, end) in doubtful:
                word = word or line.text(start, end)
                unclear.update((self.vocabulary.say(kind, id, lang), None) for id in ids)
        if len(orders) == 1:
            return next(iter(orders))
        if orders:
            texts = tuple(order.text(self.vocabulary, lang) for order in orders)[:_MOST_CANDIDATES]
            return Problem("ambiguous_order", kind=AMBIGUOUS, params={"text": text, "candidates": texts})
        candidates = tuple(unclear)[:_MOST_CANDIDATES]
        return Problem(
            "ambiguous_name", kind=AMBIGUOUS, params={"text": text, "word": word, "candidates": candidates}
        )

    def _explain(self, failures: list[Failure], line: Tokens, low: int, high: int, lang: str) -> Problem:
        text = line.text(low, high)
        if not failures:
            return Problem("unreadable", kind=UNREADABLE, params={"text": text})
        failure = max(failures, key=lambda one: (one.at, -_TELLING.index(one.code)))
        part = failure.part
        kinds = dict.fromkeys(one.pattern.kind for one in failures)
        forms = tuple(describe(kind, self.vocabulary, lang) for kind in kinds)
        word = line.text(failure.at, failure.at + 1)
        params: dict[str, str | int | tuple[str, ...]] = {
            "text": text,
            "word": word,
            "forms": forms[:_MOST_CANDIDATES],
        }
        if isinstance(part, Word):
            params["expected"] = (part.key,)
        elif part is not None and part.slot.kind == "number":
            params |= {"low": part.slot.low, "high": part.slot.high}
            params["expected"] = (f"{part.slot.low}-{part.slot.high}",)
            if failure.code == "number_out_of_range":
                return Problem(failure.code, kind=ILLEGAL, params=params)
        elif part is not None and part.names is not None:
            kind = part.slot.vocabulary
            params["expected"] = (kind_name(kind, self.vocabulary, lang),)
            if failure.code == "unknown_name":
                ids = part.names.suggest(word)
                params["candidates"] = tuple(self.vocabulary.say(kind, id, lang) for id in ids)
                return Problem(
                    failure.code,
                    kind=UNREADABLE,
                    params=params,
                    nearest=self._with(line, failure.at, low, high, kind, ids[:1]),
                )
        return Problem(failure.code, kind=UNREADABLE, params=params)

    def _with(
        self, line: Tokens, at: int, low: int, high: int, kind: str, ids: tuple[str, ...]
    ) -> tuple[Order, ...]:
        """The order as it would be with another name at that place."""
        for id in ids:
            words = tokens(self.vocabulary.say(kind, id, "en")).raws
            other = line.replaced(at, at + 1, words)
            end = high + len(words) - 1
            readings = self._exact(other, low, end) or self._forgiving(other, low, end)[0]
            order = self._choose(readings, other, "", "en") if readings else None
            if isinstance(order, Order):
                return (order,)
        return ()


def _doubtful(pattern: Pattern, values: Values) -> Iterator[tuple[str, Read]]:
    """The names that may mean several things, with their kind."""
    for name, value in values:
        slot = pattern.kind.slots[name]
        if slot.kind == "number":
            continue
        for read in value if slot.many else (value,):
            if len(read[0]) > 1:
                yield slot.vocabulary, read


def _build(pattern: Pattern, values: Values) -> Order:
    fields: dict[str, Any] = {}
    for name, value in values:
        slot = pattern.kind.slots[name]
        if slot.kind == "number":
            fields[name] = value
        elif slot.many:
            fields[name] = tuple(ids[0] for ids, _, _ in value)
        else:
            fields[name] = value[0][0]
    return pattern.kind(**fields)


def _ways(kind: type[Order], text: str, vocabulary: Vocabulary) -> list[tuple[Word | Hole, ...]]:
    """The pattern's parts, once with and once without each optional part."""
    ways: list[tuple[Word | Hole, ...]] = [()]
    optional: list[tuple[Word | Hole, ...]] | None = None
    for name, opens, closes, literal in _PIECE.findall(text):
        if opens:
            optional = [()]
        elif closes and optional is not None:
            ways = [way + part for way in ways for part in (*optional, ())]
            optional = None
        else:
            parts = _hole(kind, name, vocabulary) if name else _words(literal)
            if optional is None:
                ways = [way + parts for way in ways]
            else:
                optional = [way + parts for way in optional]
    return ways


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


_compiled: WeakKeyDictionary[Vocabulary, dict[tuple[type[Order], ...], Grammar]] = WeakKeyDictionary()


def grammar(kinds: Sequence[type[Order]], vocabulary: Vocabulary) -> Grammar:
    """Those order kinds, compiled once for each vocabulary."""
    known = _compiled.get(vocabulary)
    if known is None:
        known = _compiled[vocabulary] = {}
    key = tuple(kinds)
    found = known.get(key)
    if found is None:
        found = known[key] = Grammar(key, vocabulary)
    return found
