"""Conditions: `time >= 17 and hand is not 8`, `heure au moins 17 ou colline`, as kernel `Condition`s.

A fact alone asks whether it is so; `not` in front asks whether it is not. A value may be a number, yes or no,
or a name of any kind; where a name means something in several kinds, the kind that the fact is named after
wins.
"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.kernel.order import Condition, Test, Vocabulary
from pbem.kernel.problem import AMBIGUOUS, UNREADABLE, Problem
from pbem.orders.lexicon import EXACT, lexicon
from pbem.orders.patterns import kind_name
from pbem.orders.words import ARTICLES, Tokens, is_word, number

THEN = frozenset(("then", "alors"))
ELSE = frozenset(("else", "otherwise", "sinon", "autrement"))
IF = frozenset(("if", "si"))
AND = frozenset(("and", "et", "&"))
OR = frozenset(("or", "ou"))
_NOT = frozenset(("not", "pas", "non", "no"))
_YES_NO = {
    "yes": "yes",
    "oui": "yes",
    "true": "yes",
    "vrai": "yes",
    "no": "no",
    "non": "no",
    "false": "no",
    "faux": "no",
}
_SIGNS = {"=": "=", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
_PHRASES = {
    "=": "is|are|est|sont|vaut|equals|equal to|egal a|egale a",
    "!=": "is not|isn t|are not|differs from|n est pas|est pas|ne vaut pas|different de",
    ">=": "at least|au moins|or more than|superieur ou egal a|superieure ou egale a|greater or equal to",
    "<=": "at most|au plus|inferieur ou egal a|inferieure ou egale a|less or equal to",
    ">": "more than|greater than|above|over|after|plus de|plus que|plus grand que|superieur a|superieure a"
    "|apres",
    "<": "less than|fewer than|smaller than|below|under|before|moins de|moins que|plus petit que|inferieur a"
    "|inferieure a|avant",
}
_COPULAS = ((), ("is",), ("are",), ("est",), ("sont",), ("a",), ("has",))


def _operators() -> dict[tuple[str, ...], str]:
    table: dict[tuple[str, ...], str] = {(sign,): op for sign, op in _SIGNS.items()}
    for op, phrases in _PHRASES.items():
        for phrase in phrases.split("|"):
            for copula in _COPULAS if op not in ("=", "!=") else ((),):
                table[(*copula, *phrase.split())] = op
    return table


_OPERATORS = _operators()
_LONGEST_OPERATOR = max(map(len, _OPERATORS))
_MOST_TESTS = 12
_MOST_CANDIDATES = 8


def read_condition(
    line: Tokens, low: int, high: int, vocabulary: Vocabulary, lang: str
) -> tuple[Condition, int] | Problem:
    """The condition that begins at `low`, and where it ends."""
    tests: list[Test] = []
    joins: set[str] = set()
    while len(tests) < _MOST_TESTS:
        read = _Reader(line, low, high, vocabulary, lang).test()
        if isinstance(read, Problem):
            return read
        test, low = read
        tests.append(test)
        if low < high and line.norms[low] in AND:
            joins.add("and")
        elif low < high and line.norms[low] in OR:
            joins.add("or")
        else:
            break
        low += 1
    if len(joins) > 1:
        return Problem("mixed_condition", kind=AMBIGUOUS, params={"text": line.text(0, len(line))})
    return Condition(tuple(tests), "or" if "or" in joins else "and"), low


class _Reader:
    """One comparison of a condition."""

    def __init__(self, line: Tokens, low: int, high: int, vocabulary: Vocabulary, lang: str) -> None:
        self.line = line
        self.norms = line.norms
        self.at = low
        self.high = high
        self.vocabulary = vocabulary
        self.lang = lang

    def test(self) -> tuple[Test, int] | Problem:
        """The comparison, and where it ends."""
        negated = False
        while self.at < self.high and (self.norms[self.at] in _NOT or self.norms[self.at] in ARTICLES):
            negated = negated or self.norms[self.at] in _NOT
            self.at += 1
        fact = self._fact()
        if isinstance(fact, Problem):
            return fact
        op = self._operator()
        if op is None:
            return Test(fact, "=", "no" if negated else "yes"), self.at
        value = self._value(fact)
        if isinstance(value, Problem):
            return value
        if negated:
            op = {"=": "!=", "!=": "=", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}[op]
        return Test(fact, op, value), self.at

    def _fact(self) -> str | Problem:
        facts = lexicon(self.vocabulary, "fact")
        spans = [(end, facts.find(self.norms[self.at : end])) for end in self._ends(facts.longest)]
        read = [(found.cost, -end, found.ids) for end, found in spans if found is not None]
        if not read:
            if self.at >= self.high:
                return self._problem(
                    "missing_part", expected=(kind_name("fact", self.vocabulary, self.lang),)
                )
            near = facts.suggest(self.norms[self.at])
            others = (word.id for word in self.vocabulary.words("fact") if word.id not in near)
            return self._problem("unknown_fact", candidates=self._say("fact", (*near, *others)))
        _, end, ids = min(read)
        if len(ids) > 1:
            return self._problem("ambiguous_name", AMBIGUOUS, -end, candidates=self._say("fact", ids))
        self.at = -end
        return ids[0]

    def _operator(self) -> str | None:
        for length in range(min(_LONGEST_OPERATOR, self.high - self.at), 0, -1):
            op = _OPERATORS.get(tuple(self.norms[self.at : self.at + length]))
            if op is not None:
                self.at += length
                return op
        return None

    def _value(self, fact: str) -> str | int | Problem:
        while self.at < self.high and self.norms[self.at] in ARTICLES:
            self.at += 1
        if self.at >= self.high:
            return self._problem("missing_part", expected=("…",))
        kinds = list(self._kinds(fact))
        if self.norms[self.at] in kinds and self._exact_after(self.norms[self.at]):
            # «it is terrain hill»: the player names the kind himself.
            kinds = [self.norms[self.at]]
            self.at += 1
        best: tuple[int, int, int, tuple[str, ...], str] | None = None
        for rank, kind in enumerate(kinds):
            names = lexicon(self.vocabulary, kind)
            for end in self._ends(names.longest):
                found = names.find(self.norms[self.at : end])
                if found is not None:
                    choice = (found.cost, -end, rank, found.ids, kind)
                    best = choice if best is None else min(best, choice)
        if best is None or best[0] > EXACT:
            norm = self.norms[self.at]
            value = number(norm) if norm not in _YES_NO else None
            if value is not None or norm in _YES_NO:
                self.at += 1
                return _YES_NO[norm] if value is None else value
        if best is None:
            return self._problem("unknown_name", candidates=self._near(kinds))
        _, end, _, ids, kind = best
        if len(ids) > 1:
            return self._problem("ambiguous_name", AMBIGUOUS, -end, candidates=self._say(kind, ids))
        self.at = -end
        return ids[0]

    def _exact_after(self, kind: str) -> bool:
        names = lexicon(self.vocabulary, kind)
        last = min(self.high, self.at + 1 + names.longest)
        return any(
            "".join(self.norms[self.at + 1 : end]) in names.exact for end in range(self.at + 2, last + 1)
        )

    def _kinds(self, fact: str) -> Iterator[str]:
        parts = fact.split("_")
        known = self.vocabulary.compared
        yield from (kind for kind in known if kind in parts)
        yield from (kind for kind in known if kind not in parts)

    def _ends(self, longest: int) -> Iterator[int]:
        """Where a name that begins here may end, the longest first."""
        end = self.at
        last = min(self.high, self.at + longest + 1)
        while end < last and is_word(self.norms[end]) and self.norms[end] not in THEN | ELSE:
            end += 1
        yield from range(end, self.at, -1)

    def _near(self, kinds: list[str]) -> tuple[str, ...]:
        word = self.norms[self.at]
        return tuple(
            self.vocabulary.say(kind, id, self.lang)
            for kind in kinds
            for id in lexicon(self.vocabulary, kind).suggest(word, 2)
        )[:_MOST_CANDIDATES]

    def _say(self, kind: str, ids: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(self.vocabulary.say(kind, id, self.lang) for id in ids)[:_MOST_CANDIDATES]

    def _problem(
        self, code: str, kind: str = UNREADABLE, end: int = 0, **params: str | int | tuple[str, ...]
    ) -> Problem:
        word = self.line.text(self.at, end or self.at + 1)
        return Problem(
            code, kind=kind, params={"text": self.line.text(0, len(self.line)), "word": word, **params}
        )
