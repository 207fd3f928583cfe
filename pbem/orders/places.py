"""A line with what stands at each of its places: names, verbs, words that link, courtesies, refusals."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import lru_cache

from rapidfuzz.distance import OSA

from pbem.orders.actions import FUNCTION, Actions, Called, Phrase, Verb, by_first, word_keys
from pbem.orders.lexicon import MISTYPED, Lexicon
from pbem.orders.search import exact_spans
from pbem.orders.speech import (
    APPOSED,
    BETWEEN,
    FILLERS,
    GENERIC,
    GENERIC_BEFORE,
    GENERIC_WITH,
    NEGATIONS,
    NOUNS,
    REASONS,
    STANDING,
    THEN,
)
from pbem.orders.words import ARTICLES, RELATIONS, Tokens, is_word, mistyped, number

SOFT = frozenset((",", ":", "(", ")", "&", "+", "/", "and", "et", "und"))
HARD = ";"
IF_WORDS = frozenset(("if", "si", "unless", "otherwise", "else", "sinon"))
_FILLERS = by_first(FILLERS | NOUNS)
_THEN = by_first(THEN)
_REASONS = by_first(REASONS)
_NEGATIONS = by_first(NEGATIONS)

Span = tuple[int, tuple[str, ...], int]


@lru_cache(maxsize=64)
def _seen(
    items: tuple[tuple[str, tuple[str, ...]], ...],
) -> dict[str, tuple[tuple[Phrase, tuple[str, ...]], ...]]:
    found: dict[str, list[tuple[Phrase, tuple[str, ...]]]] = {}
    for name, ids in items:
        keys = word_keys(name)
        if keys:
            found.setdefault(keys[0], []).append((keys, ids))
    return {word: tuple(sorted(some, key=lambda one: -len(one[0]))) for word, some in found.items()}


@lru_cache(maxsize=4096)
def _near_function(word: str) -> bool:
    """Whether a word may be one of the language, mistyped: «thee» is no name."""
    return len(word) < 6 and any(
        abs(len(one) - len(word)) < 2 and OSA.distance(one, word, score_cutoff=1) <= 1
        for one in FUNCTION
        if len(one) > 2
    )


class Seen:
    """What a seat calls things by what it sees: «the rifles», «my heavy cavalry on the left»."""

    def __init__(self, called: Called) -> None:
        self._tables = {kind: _seen(tuple(names.items())) for kind, names in called.items()}
        self.words = frozenset(word for table in self._tables.values() for word in table)
        """The first words of these names."""

    def at(
        self, kind: str, norms: list[str], i: int, high: int, fuzzy: bool = False
    ) -> tuple[int, tuple[str, ...]] | None:
        """The longest such name at a place; if `fuzzy`, perhaps with a typing error."""
        if i >= high:
            return None
        table = self._tables.get(kind, {})
        for keys, ids in table.get(norms[i], ()):
            if tuple(norms[i : i + len(keys)]) == keys and i + len(keys) <= high:
                return i + len(keys), ids
        if fuzzy and len(norms[i]) > 4:
            near = [key for errors, key in mistyped(norms[i], table) if errors == 1]
            for keys, ids in table[near[0]] if len(near) == 1 else ():
                if len(keys) == 1:
                    return i + 1, ids
        return None

    def __contains__(self, kind: str) -> bool:
        return kind in self._tables


class Text:
    """A line with what stands at each of its places, looked up once."""

    def __init__(self, line: Tokens, actions: Actions, seen: Seen, own: Collection[str], fuzzy: bool) -> None:
        self.norms = line.norms
        self.high = len(line.norms)
        self.line = line
        self.actions = actions
        self.seen = seen
        self.own = own
        self.fuzzy = fuzzy
        self.skipping = False
        """Whether words that we do not know may be left over."""
        self.steps = 0
        self._verbs: dict[int, list[tuple[int, list[tuple[int, Verb]], int]]] = {}
        self._names: dict[tuple[str, int], list[Span]] = {}
        self._fresh: dict[int, bool] = {}
        self._behind: dict[int, int] = {}

    def phrase(self, table: dict[str, tuple[Phrase, ...]], i: int) -> int:
        """Where the longest phrase of a table that stands at a place ends; nothing where none does."""
        if i >= self.high:
            return 0
        for phrase in table.get(self.norms[i], ()):
            end = i + len(phrase)
            if end <= self.high and (len(phrase) == 1 or tuple(self.norms[i:end]) == phrase):
                return end
        return 0

    def separator(self, i: int) -> int:
        """Where a sign or word between two orders ends, if one stands here."""
        if i >= self.high:
            return 0
        if self.norms[i] in SOFT:
            return i + 1
        end = self.phrase(_THEN, i)
        return end if end and self.reason(i) <= end else 0

    def reason(self, i: int) -> int:
        """Where the words that begin a reason end, if they stand here."""
        return self.phrase(_REASONS, i)

    def negation(self, i: int) -> int:
        """Where the words that forbid end, if they stand here and are no order themselves."""
        end = self.phrase(_NEGATIONS, i)
        if not end or self.filler(i) > end or any(to >= end for to, _, _ in self.verbs(i)):
            return 0
        return end

    def filler(self, i: int) -> int:
        """Where words that say nothing end, if they stand here."""
        return self.phrase(_FILLERS, i)

    def fillers(self, i: int) -> int:
        """The first place behind all words that say nothing."""
        passed = []
        while i not in self._behind and (end := self.filler(i)):
            passed.append(i)
            i = end
        i = self._behind.get(i, i)
        self._behind.update((at, i) for at in passed)
        return i

    def verbs(self, i: int) -> list[tuple[int, list[tuple[int, Verb]], int]]:
        """The verbs that stand at a place: where they end, of which actions, and what is forgiven."""
        found = self._verbs.get(i)
        if found is None:
            found = self._verbs[i] = list(self._find_verbs(i)) if i < self.high else []
        return found

    def _find_verbs(self, i: int) -> Iterator[tuple[int, list[tuple[int, Verb]], int]]:
        norms, table = self.norms, self.actions.verbs
        heads = [(norms[i], 0)]
        word = norms[i]
        if (
            self.fuzzy
            and word not in table
            and len(word) >= 4
            and self._unknown(word)
            and not self._near_name(word)
        ):
            heads = [
                (key, 3 + errors)
                for errors, key in mistyped(word, self.actions.heads)
                if errors == 1 and (len(word) > 4 or sorted(word) == sorted(key))
            ]
        for head, cost in heads:
            for phrase, values in table.get(head, {}).items():
                end = self._matches(phrase, i)
                if end:
                    yield end, values, cost

    def _matches(self, phrase: Phrase, i: int) -> int:
        """Where a phrase ends whose first word stands here; small words may stand between the others."""
        at = i + 1
        for word in phrase[1:]:
            while at < self.high and self.norms[at] != word and self.norms[at] in BETWEEN:
                at += 1
            if at >= self.high or self.norms[at] != word:
                return 0
            at += 1
        return at

    def _near_name(self, word: str) -> bool:
        """Whether a word may be a name mistyped as well."""
        return self.actions.near_name(word) or bool(mistyped(word, self.seen.words))

    def _unknown(self, norm: str) -> bool:
        return is_word(norm) and not self.actions.function(norm) and not self.actions.named(norm)

    def unknown(self, i: int) -> bool:
        """Whether the word at a place is none that we know."""
        return self._unknown(self.norms[i]) and number(self.norms[i]) is None

    def names(self, kind: str, names: Lexicon, i: int) -> list[Span]:
        """The names of a kind that stand at a place, the longest first."""
        key = (kind, i)
        found = self._names.get(key)
        if found is None:
            found = self._names[key] = self._find_names(kind, names, i) if i < self.high else []
        return found

    def _find_names(self, kind: str, names: Lexicon, i: int) -> list[Span]:
        seen = self.seen.at(kind, self.norms, i, self.high) if kind in self.seen else None
        if seen is not None:
            return self._apposed(kind, names, *seen)
        found = list(exact_spans(names, self.norms, i, self.high))
        if not found:
            at = self._generic(i)
            found = list(exact_spans(names, self.norms, at, self.high)) if at else found
        if found or not self.fuzzy:
            return found
        return self._forgiven(names, i)

    def _generic(self, i: int) -> int:
        """Where a name begins that a general noun stands before: «the unit in D6», «l'unité ennemie de E5»."""
        at = i
        while at < self.high and self.norms[at] in ARTICLES:
            at += 1
        if at >= self.high or self.norms[at] not in GENERIC:
            return 0
        at += 1
        while at < self.high and self.norms[at] in GENERIC_WITH:
            at += 1
        if at >= self.high or self.norms[at] not in STANDING:
            return 0
        at += 1
        while at < self.high and self.norms[at] in GENERIC_BEFORE:
            at += 1
        return at

    def _apposed(self, kind: str, names: Lexicon, end: int, ids: tuple[str, ...]) -> list[Span]:
        """A name with what tells it apart: «rifles in D6», «cavalry on the left». What does not fit is no name."""
        at = end
        while at < self.high and (
            self.norms[at] in APPOSED or (self.norms[at] in GENERIC and at + 1 < self.high)
        ):
            at += 1
        where = self.seen.at(f"where:{kind}", self.norms, at, self.high)
        if where is not None:
            both = tuple(id for id in ids if id in where[1])
            return [(where[0], both, 0)] if both else []
        spans = list(exact_spans(names, self.norms, at, self.high))
        if spans and not (at > end and self.norms[at - 1] in ("on", "sur") and at == end + 1):
            close, there, _ = spans[0]
            both = tuple(id for id in there if id in ids)
            if both:
                return [(close, both, 0)]
            if at == end or self.norms[at - 1] in ("in", "at", "en", "dans"):
                return []
        return [(end, ids, 0)]

    def _forgiven(self, names: Lexicon, i: int) -> list[Span]:
        """Names shortened or mistyped: never a word that we know as another."""
        norms = self.norms
        found: list[Span] = []
        sure = False
        for end in range(i + 1, min(self.high, i + names.longest) + 1):
            word = norms[end - 1]
            if not is_word(word) or (self.actions.function(word) and word not in names.parts):
                break
            if end == i + 1 and (
                self.actions.function(word) or self.actions.named(word) or _near_function(word)
            ):
                continue
            read = names.find(norms[i:end]) or names.find(
                [norm for norm in norms[i:end] if norm not in RELATIONS or norm not in names.parts]
            )
            if read is None or (sure and read.cost >= MISTYPED):
                continue
            length = sum(map(len, norms[i:end]))
            if (read.cost > MISTYPED + 1 and length < 8) or (read.cost >= MISTYPED and length < 5):
                continue
            if read.cost < MISTYPED and length < 3 and end == i + 1:
                continue
            sure = sure or read.cost < MISTYPED
            found.append((end, read.ids, read.cost))
        return found[::-1]

    def fresh(self, i: int) -> bool:
        """Whether a name stands at a place that may begin an order by itself."""
        found = self._fresh.get(i)
        if found is None:
            at = i
            while at < self.high and self.norms[at] in ARTICLES:
                at += 1
            found = self._fresh[i] = at < self.high and (
                any(
                    True
                    for names in self.actions.first
                    for _ in exact_spans(names, self.norms, at, self.high)
                )
                or any(self.seen.at(kind, self.norms, at, self.high) for kind in self.actions.acting)
            )
        return found

    def brings(self, i: int) -> bool:
        """Whether «with» brings in what follows a card: «Probe Left with C1 to D2»."""
        return self.norms[i] in ("with", "avec", "using") and self.fresh(i + 1)

    def starts(self, i: int) -> bool:
        """Whether something new begins at a place: a verb, a reason, a refusal, a condition."""
        return bool(self.condition(i) or self.verbs(i) or self.reason(i) or self.negation(i))

    def condition(self, i: int) -> bool:
        """Whether a condition begins at a place; «if possible» is none."""
        return self.norms[i] in IF_WORDS and not self.filler(i) and not self.verbs(i)
