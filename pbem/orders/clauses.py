"""One clause of a sentence read as one action: its verb, and its roles in any order, every word accounted for.

A clause is read for one action at a time. Whatever is neither its verb, nor a role with the words that introduce it,
nor a word that says nothing, ends the attempt.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from rapidfuzz.distance import OSA

from pbem.orders.actions import (
    FUNCTION,
    VIA,
    Action,
    Actions,
    Called,
    Phrase,
    Role,
    Verb,
    by_first,
    word_keys,
)
from pbem.orders.lexicon import MISTYPED, Lexicon
from pbem.orders.search import exact_spans
from pbem.orders.speech import FILLERS, NEGATIONS, NOUNS, REASONS, THEN, UNITS
from pbem.orders.words import Tokens, is_word, mistyped, number

SOFT = frozenset((",", ":", "(", ")", "&", "+", "/", "and", "et", "und"))
HARD = ";"
IF_WORDS = frozenset(("if", "si", "unless", "otherwise", "else", "sinon"))
_MOST_STEPS = 4000
LEFT_OVER = 1000
"""What a word that is left over costs: never as little as anything that is forgiven."""
MOST_LEFT = 4
_FILLERS = by_first(FILLERS | NOUNS)
_UNITS = by_first(UNITS)
_THEN = by_first(THEN)
_REASONS = by_first(REASONS)
_NEGATIONS = by_first(NEGATIONS)
_TIMES = {
    "once": 1,
    "twice": 2,
    "thrice": 3,
    "first": 1,
    "second": 2,
    "third": 3,
    "fourth": 4,
    "1st": 1,
    "2nd": 2,
}
_TIMES |= {"3rd": 3, "4th": 4, "premiere": 1, "deuxieme": 2, "troisieme": 3, "quatrieme": 4, "seconde": 2}
_TIMES_SIGN = re.compile(r"x(\d{1,2})")
_ARTICLES = by_first(
    (word,) for word in ("the", "le", "la", "les", "l", "un", "une", "a", "my", "mon", "ma", "mes")
)
_INTRODUCING = frozenset(["with", "avec", "by", "par", "en", "in", "using", "at", "making", "doing"])
_WHERE = frozenset(["in", "at", "on", "near", "inside", "around", "upon"])
_BETWEEN = frozenset(
    [
        "the",
        "le",
        "la",
        "les",
        "l",
        "a",
        "an",
        "d",
        "un",
        "une",
        "my",
        "mon",
        "ma",
        "mes",
        "our",
        "notre",
        "some",
        "du",
        "des",
        "its",
    ]
)
_BEFORE_TAIL = frozenset(
    ["from", "of", "dans", "de", "in", "sur", "en", "du", "on", "as", "comme", "for", "pour", "its", "off"]
)
_APPOSED = frozenset(
    [
        "in",
        "at",
        "on",
        "en",
        "a",
        "au",
        "aux",
        "sur",
        "dans",
        "de",
        "du",
        "des",
        "d",
        "the",
        "la",
        "le",
        "l",
        "of",
        "from",
        "hex",
        "case",
    ]
)

Span = tuple[int, tuple[str, ...], int]
Reads = tuple[tuple[str, ...], ...]
"""The names of a role: for each, the things that it may mean."""


class OutOfBreath(Exception):
    """A text that takes too long to understand."""


class Clause(NamedTuple):
    """A clause as an action: where it ends, what its roles hold, what was forgiven."""

    end: int
    values: tuple[tuple[str, Any], ...]
    cost: int
    verb: Verb | None


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

    def at(self, kind: str, norms: list[str], i: int, high: int) -> tuple[int, tuple[str, ...]] | None:
        """The longest such name at a place."""
        for keys, ids in self._tables.get(kind, {}).get(norms[i], ()):
            if tuple(norms[i : i + len(keys)]) == keys and i + len(keys) <= high:
                return i + len(keys), ids
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
        while end := self.filler(i):
            i = end
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
            while at < self.high and self.norms[at] != word and self.norms[at] in _BETWEEN:
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
        if found or not self.fuzzy:
            return found
        return self._forgiven(names, i)

    def _apposed(self, kind: str, names: Lexicon, end: int, ids: tuple[str, ...]) -> list[Span]:
        """A name with what tells it apart: «rifles in D6», «cavalry on the left». What does not fit is no name."""
        at = end
        while at < self.high and self.norms[at] in _APPOSED:
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
            if not is_word(word) or (
                self.actions.function(word) and not (end > i + 1 and word in names.parts)
            ):
                break
            if end == i + 1 and (self.actions.named(word) or _near_function(word)):
                break
            read = names.find(norms[i:end])
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

    def starts(self, i: int) -> bool:
        """Whether something new begins at a place: a verb, a reason, a refusal, a condition."""
        return bool(self.condition(i) or self.verbs(i) or self.reason(i) or self.negation(i))

    def condition(self, i: int) -> bool:
        """Whether a condition begins at a place; «if possible» is none."""
        return self.norms[i] in IF_WORDS and not self.filler(i) and not self.verbs(i)


class Walk:
    """All clauses of one action from one place on."""

    def __init__(self, text: Text, index: int) -> None:
        self.text = text
        self.index = index
        self.action: Action = text.actions.actions[index]
        self.found: dict[tuple[int, tuple[tuple[str, Any], ...], bool], Clause] = {}

    def clauses(self, i: int) -> list[Clause]:
        """The clauses that begin at a place and can be complete."""
        self._walk(i, (), None, 0, (), i)
        return list(self.found.values())

    def _walk(
        self,
        pos: int,
        values: tuple[tuple[str, Any], ...],
        verb: Verb | None,
        cost: int,
        tail: Phrase,
        start: int,
    ) -> None:
        text = self.text
        text.steps += 1
        if text.steps > _MOST_STEPS:
            raise OutOfBreath
        if pos > start and not tail and (values or verb is not None):
            last = pos >= text.high or text.norms[pos] == HARD
            if last or text.separator(pos) or text.starts(pos):
                key = (pos, tuple(sorted(values)), verb is not None)
                if key not in self.found or self.found[key].cost > cost:
                    self.found[key] = Clause(pos, values, cost, verb)
        if pos >= text.high or text.norms[pos] == HARD:
            return
        norm = text.norms[pos]
        if verb is None:
            for end, entries, more in text.verbs(pos):
                for index, call in entries:
                    if index == self.index:
                        self._walk(end, values, call, cost + more, call.tail, start)
        if tail and norm == tail[0]:
            self._walk(pos + 1, values, verb, cost, tail[1:], start)
        taken = {name for name, _ in values}
        if text.condition(pos) or (text.negation(pos) and not self._named(pos, taken)):
            return
        self._marked(pos, values, verb, cost, tail, start, taken)
        for role in self.action.roles:
            if role.name not in taken and self._bare(role, pos, verb, taken):
                for end, value, more in self._fill(role, pos, verb):
                    if (
                        role.part != "from"
                        or (verb is not None and verb.upon == role.name)
                        or self._leads_on(end)
                    ):
                        self._walk(end, (*values, (role.name, value)), verb, cost + more, tail, start)
        if (norm == "to" or (norm in ("de", "d", "a", "pour") and pos > start)) and text.verbs(pos + 1):
            self._walk(pos + 1, values, verb, cost, tail, start)
        if norm in _INTRODUCING and self._special(text.fillers(pos + 1), taken):
            self._walk(text.fillers(pos + 1), values, verb, cost, tail, start)
        end = text.filler(pos)
        if end:
            self._walk(end, values, verb, cost, tail, start)
            if end > pos + 1 and (article := text.phrase(_ARTICLES, pos)):
                self._walk(article, values, verb, cost, tail, start)
        elif (norm in self.action.extras and verb is not None and not text.verbs(pos)) or (
            tail and norm in _BEFORE_TAIL
        ):
            self._walk(pos + 1, values, verb, cost, tail, start)
        end = text.separator(pos)
        if end and pos > start:
            self._walk(end, values, verb, cost, tail, start)
        if text.skipping and cost < MOST_LEFT * LEFT_OVER and text.unknown(pos):
            self._walk(pos + 1, values, verb, cost + LEFT_OVER, tail, start)

    def _named(self, at: int, taken: set[str]) -> bool:
        """Whether the words that forbid begin a name of this order: «in battle *do not pursue*»."""
        text = self.text
        beyond = text.negation(at)
        return any(
            role.names is not None
            and role.name not in taken
            and any(end > beyond for end, _, _ in text.names(role.slot.vocabulary, role.names, at))
            for role in self.action.roles
        )

    def _special(self, at: int, taken: set[str]) -> bool:
        """Whether words that introduce a role of this order only stand at a place: «with a *forced march* of 2»."""
        text = self.text
        return any(
            tuple(text.norms[at : at + len(phrase)]) == phrase
            for role in self.action.roles
            if role.name not in taken
            for phrase in role.own
        )

    def _bare(self, role: Role, pos: int, verb: Verb | None, taken: set[str]) -> bool:
        """Whether a role may stand here without a word that introduces it."""
        if verb is None:
            who = self.action.who
            headed = pos > 0 and self.text.norms[pos - 1] == ":" and role.part == "to"
            headed = headed or (role.part == "to" and pos <= 2 and self.text.high <= pos + 3)  # «C5 D5»
            headed = headed and who is not None and who.name in taken
            return role.before or role.part == "from" or headed
        if verb.upon:
            return role.name == verb.upon or (role.part == "who" and role.name != verb.upon)
        return role.after or role.part == "from"

    def _leads_on(self, end: int) -> bool:
        """Whether «to» follows: «Gohlis > Leipzig» begins with where from."""
        norms = self.text.norms
        return end < self.text.high and norms[end] in (">", "to", "vers")

    def _marked(
        self,
        pos: int,
        values: tuple[tuple[str, Any], ...],
        verb: Verb | None,
        cost: int,
        tail: Phrase,
        start: int,
        taken: set[str],
    ) -> None:
        """Roles with the words that introduce them."""
        text = self.text
        for phrase in text.actions.markers.get(text.norms[pos], ()):
            end = pos + len(phrase)
            if end > text.high or tuple(text.norms[pos:end]) != phrase:
                continue
            for role in self.action.roles:
                if role.name in taken or phrase not in role.markers:
                    continue
                if verb is None and role.part == "to" and phrase[0] in _WHERE:
                    continue  # «Davout in Paris» is no march
                at = text.norms[end] in ("of", "de", "d") and phrase in role.own if end < text.high else False
                for place in {end + at, text.fillers(end + at)}:
                    for to, value, more in self._fill(role, place, verb):
                        if phrase in VIA and role.part == "to" and len(value) < 2:
                            continue
                        self._walk(to, (*values, (role.name, value)), verb, cost + more, tail, start)

    def _fill(self, role: Role, i: int, verb: Verb | None) -> Iterator[tuple[int, Any, int]]:
        text = self.text
        if i >= text.high:
            return
        if role.names is None:
            value = number(text.norms[i])
            if value is None:
                value = _TIMES.get(text.norms[i])
            if value is None and (times := _TIMES_SIGN.fullmatch(text.norms[i])):
                value = int(times[1])
            if value is not None and role.slot.low <= value <= role.slot.high:
                end = i + 1
                while more := text.phrase(_UNITS, end):
                    end = more
                yield end, value, 0
            return
        several = role.slot.many or role.part == "who"
        for end, ids, cost in text.names(role.slot.vocabulary, role.names, i):
            yield from self._listed(role, end, (self._narrowed(role, ids),), cost, several, verb)

    def _listed(
        self, role: Role, end: int, reads: Reads, cost: int, several: bool, verb: Verb | None
    ) -> Iterator[tuple[int, Reads, int]]:
        """The names of a list: each beginning of it, as what follows may be another order."""
        text = self.text
        assert role.names is not None
        while True:
            subject = role.part == "who" and verb is None
            if len(reads) == 1 or subject or not self._followed(end):
                yield end, reads, cost
            if not several or len(reads) > 20:
                return
            at = end
            arrows = 0
            while at < text.high:
                if text.norms[at] == ">" and role.part != "who":
                    at, arrows = at + 1, arrows + 1
                elif more := text.separator(at):
                    at = more
                else:
                    break
            if at == end and role.part == "who":
                return
            if at == end and text.norms[at : at + 1] in (["to"], ["vers"]) and role.part == "to":
                at += 1  # «to Reims to Metz»
                arrows = 1
            found: list[Span] = []
            for place in dict.fromkeys((at, text.fillers(at), self._again(role, at) if at > end else at)):
                found = text.names(role.slot.vocabulary, role.names, place)
                if found:
                    break
            if not found or at == end or (at - end != arrows and not subject and self._followed(found[0][0])):
                return
            end, ids, more_cost = found[0]
            reads = (*reads, self._narrowed(role, ids))
            cost += more_cost

    def _again(self, role: Role, at: int) -> int:
        """Behind a word that introduces the role once more: «to Ulm and to Munich»."""
        for phrase in self.text.actions.markers.get(self.text.norms[at], ()) if at < self.text.high else ():
            end = at + len(phrase)
            if phrase in role.markers and tuple(self.text.norms[at:end]) == phrase:
                return self.text.fillers(end)
        return at

    def _followed(self, end: int) -> bool:
        """Whether the last name of a list rather begins what follows it: «D6, D7 attacks», «D5, C5 to D4»."""
        text = self.text
        if end >= text.high or text.separator(end):
            return False
        return bool(text.verbs(end)) or text.norms[end] in (">", "to", "vers", "takes")

    def _narrowed(self, role: Role, ids: tuple[str, ...]) -> tuple[str, ...]:
        own = self.text.own
        if len(ids) < 2 or not own:
            return ids
        if role.slot.own:
            return tuple(id for id in ids if id in own) or ids
        if role.slot.foe:
            return tuple(id for id in ids if id not in own) or ids
        return ids
