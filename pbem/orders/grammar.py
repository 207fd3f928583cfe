"""Order declarations compiled into a matcher: both languages at once, exact first, forgiving second.

A pattern is literal words, `{slots}` and `[optional parts]`. The exact pass finds nearly every line by its
first word; only a line that it cannot read is read again with typing errors, abbreviations and left-out small
words allowed. Each thing forgiven has a cost; the cheapest reading stands, two equally cheap are ambiguous.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any
from weakref import WeakKeyDictionary

from rapidfuzz import process
from rapidfuzz.distance import OSA

from pbem.kernel.order import Order, Vocabulary
from pbem.kernel.problem import AMBIGUOUS, ILLEGAL, UNREADABLE, Problem
from pbem.orders.actions import FUNCTION, actions
from pbem.orders.patterns import Hole, Pattern, Word, compile_kind, describe, kind_name, tree
from pbem.orders.search import Exact, Failure, Forgiving, OutOfBreath, Read, Values
from pbem.orders.words import SKIPPED, Tokens, tokens, tolerance

_MOST_CANDIDATES = 8
_TELLING_LENGTH = 4
_LETTERS_WRONG = 1
_TELLING = (
    "number_out_of_range",
    "unknown_name",
    "missing_part",
    "number_expected",
    "extra_words",
    "unreadable",
)
"""Which of several reasons to give, the most telling first."""


class Grammar:
    """Some order kinds compiled with a vocabulary."""

    def __init__(self, kinds: Sequence[type[Order]], vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self.patterns = [pattern for kind in kinds for pattern in compile_kind(kind, vocabulary)]
        self.tree = tree(self.patterns)
        self.known: Collection[str] = ()
        """Words that are never a name mistyped, where the game says what its actions are called."""
        able = actions(tuple(kinds), vocabulary)
        if able.actions:
            literal = {part.key for one in self.patterns for part in one.parts if isinstance(part, Word)}
            self.known = frozenset({*FUNCTION, *able.verbs, *literal})
        self.words = self._telling()
        """The words that an order is made of, verbs and names, without small ones that everybody uses."""

    def _telling(self) -> frozenset[str]:
        parts = [part for one in self.patterns for part in one.parts]
        words = {part.key for part in parts if isinstance(part, Word) and not part.weak}
        for part in parts:
            if isinstance(part, Hole) and part.names is not None:
                words |= part.names.parts
        return frozenset(word for word in words - SKIPPED if len(word) >= _TELLING_LENGTH)

    def mentions(self, line: Tokens) -> bool:
        """Whether a word of the line is one that orders are made of, mistyped perhaps."""
        for word in set(line.norms):
            if word in self.words:
                return True
            if tolerance(len(word)) and process.extractOne(
                word, self.words, scorer=OSA.distance, score_cutoff=_LETTERS_WRONG
            ):
                return True
        return False

    def read(
        self,
        line: Tokens,
        low: int,
        high: int,
        lang: str = "en",
        *,
        exact: bool = False,
        own: Collection[str] = (),
    ) -> Order | Problem:
        """The order that the words from `low` to `high` write, or what is wrong with them.

        `own` are the things of the writer: of several that a name may mean, these where a slot is for his own.
        """
        first = low
        while low < high and line.norms[low] in SKIPPED and line.norms[low] not in self.tree.words:
            low += 1
        if low == high:
            return Problem("unreadable", kind=UNREADABLE, params={"text": ""})
        # «I Cavalry to Ulm» may begin with a name: only what is none is said for nothing.
        readings = (self._exact(line, first, high) if first < low else []) or self._exact(line, low, high)
        failures: list[Failure] = []
        if not readings:
            if exact:
                return Problem("unreadable", kind=UNREADABLE, params={"text": line.text(low, high)})
            readings, failures = self._forgiving(line, low, high)
        if readings:
            if own:
                readings = [(cost, kind, _narrowed(kind, values, own)) for cost, kind, values in readings]
            return self._choose(readings, line, line.text(low, high), lang)
        return self._explain(failures, line, low, high, lang)

    def _exact(self, line: Tokens, low: int, high: int) -> list[tuple[int, Pattern, Values]]:
        search = Exact(line, high)
        try:
            search.walk(self.tree, low, ())
        except OutOfBreath:
            return []
        return search.readings

    def _forgiving(
        self, line: Tokens, low: int, high: int
    ) -> tuple[list[tuple[int, Pattern, Values]], list[Failure]]:
        search = Forgiving(line, high, self.known)
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


def _narrowed(pattern: Pattern, values: Values, own: Collection[str]) -> Values:
    """The values, where a slot is for the writer's own things only those of them that are his."""

    def mine(read: Read) -> Read:
        ids, start, end = read
        return tuple(id for id in ids if id in own) or ids, start, end

    def narrow(name: str, value: Any) -> Any:
        slot = pattern.kind.slots[name]
        if not slot.own:
            return value
        return tuple(mine(read) for read in value) if slot.many else mine(value)

    return tuple((name, narrow(name, value)) for name, value in values)


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
