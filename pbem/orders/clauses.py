"""One clause of a sentence read as one action: its verb, and its roles in any order, every word accounted for.

A clause is read for one action at a time. Whatever is neither its verb, nor a role with the words that introduce it,
nor a word that says nothing, ends the attempt.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from pbem.orders.actions import VIA, Action, Phrase, Role, Verb, by_first
from pbem.orders.places import HARD, SOFT, Span, Text
from pbem.orders.search import exact_spans
from pbem.orders.speech import ALTERNATIVES, BEFORE_TAIL, BETWEEN, INTRODUCING, LEAVING, UNITS, WHERE
from pbem.orders.words import is_word, number

_MOST_STEPS = 2000
LEFT_OVER = 1000
"""What a word that is left over costs: never as little as anything that is forgiven."""
MOST_LEFT = 6
_UNITS = by_first(UNITS)
_ALTERNATIVES = by_first(ALTERNATIVES)
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
_TIMES_SIGN = re.compile(r"(?:x(\d{1,2})|(\d{1,2})x)")
_ARTICLES = by_first(
    (word,) for word in ("the", "le", "la", "les", "l", "un", "une", "a", "my", "mon", "ma", "mes")
)

Reads = tuple[tuple[str, ...], ...]
"""The names of a role: for each, the things that it may mean."""


class Numbers(list[int]):
    """Several numbers for one slot: an order for each."""


class OutOfBreath(Exception):
    """A text that takes too long to understand."""


class Clause(NamedTuple):
    """A clause as an action: where it ends, what its roles hold, what was forgiven."""

    end: int
    values: tuple[tuple[str, Any], ...]
    cost: int
    verb: Verb | None


class Walk:
    """All clauses of one action from one place on."""

    def __init__(self, text: Text, index: int) -> None:
        self.text = text
        self.index = index
        self.action: Action = text.actions.actions[index]
        self.found: dict[tuple[int, str, bool], Clause] = {}

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
            if last or text.separator(pos) or text.starts(pos) or self._closed(pos, values, verb):
                key = (pos, repr(sorted(values)), verb is not None)
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
        if gone := self._gone(pos, values, verb):
            self._walk(gone, values, verb, cost, tail, start)
        else:
            self._marked(pos, values, verb, cost, tail, start, taken)
            self._unmarked(pos, values, verb, cost, tail, start, taken)
        if verb is not None and self._said_again(pos):
            self._walk(pos + 1, values, verb, cost, tail, start)
        if (norm == "to" or (norm in ("de", "d", "a", "pour", "en") and pos > start)) and text.verbs(pos + 1):
            self._walk(pos + 1, values, verb, cost, tail, start)
        if norm in INTRODUCING and self._special(text.fillers(pos + 1), taken):
            self._walk(text.fillers(pos + 1), values, verb, cost, tail, start)
        end = text.filler(pos)
        if end and end == pos + 1 and number(norm) is not None and pos + 1 < text.high:
            end = 0 if number(text.norms[pos + 1]) is not None else end  # «un deux trois» counts
        if end:
            self._walk(end, values, verb, cost, tail, start)
            if end > pos + 1 and (article := text.phrase(_ARTICLES, pos)):
                self._walk(article, values, verb, cost, tail, start)
        elif (norm in self.action.extras and verb is not None and not text.verbs(pos)) or (
            tail and norm in BEFORE_TAIL
        ):
            self._walk(pos + 1, values, verb, cost, tail, start)
        end = text.separator(pos)
        if end and pos > start and (verb is not None or norm in SOFT or not values or text.verbs(end)):
            self._walk(end, values, verb, cost, tail, start)
        if text.skipping and cost < MOST_LEFT * LEFT_OVER and text.unknown(pos):
            self._walk(pos + 1, values, verb, cost + LEFT_OVER, tail, start)

    def _unmarked(
        self,
        pos: int,
        values: tuple[tuple[str, Any], ...],
        verb: Verb | None,
        cost: int,
        tail: Phrase,
        start: int,
        taken: set[str],
    ) -> None:
        """Roles without any word that introduces them."""
        for role in self.action.roles:
            if role.name in taken or not self._bare(role, pos, verb, taken):
                continue
            for end, value, more in self._fill(role, pos, verb):
                if (
                    role.part != "from"
                    or (verb is not None and verb.upon == role.name)
                    or self._leads_on(end)
                    or self._paired(role, pos, end, values)
                ):
                    self._walk(end, (*values, (role.name, value)), verb, cost + more, tail, start)

    def _said_again(self, pos: int) -> bool:
        """Whether the last word says the verb once more: «the third card I take», «la carte 3 est prise»."""
        text = self.text
        last = pos + 1 >= text.high or bool(text.separator(pos + 1))
        return last and text.actions.begins(text.norms[pos], self.index) and not text.filler(pos)

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
            headed = role.part == "to" and pos > 0 and who is not None and who.name in taken
            headed = headed and (self.text.norms[pos - 1] == ":" or self._bare_end(pos))  # «C5 D5»
            return role.before or role.part == "from" or headed
        if verb.upon:
            return role.name == verb.upon or (role.part == "who" and role.name != verb.upon)
        if role.part == "to" and self._behind_verb(pos):
            return True
        return role.after or role.part == "from"

    def _behind_verb(self, pos: int) -> bool:
        """Whether the verb ends right before a place: «retreat Soissons»."""
        return any(
            end == pos and any(index == self.index for index, _ in entries)
            for at in range(max(0, pos - 3), pos)
            for end, entries, _ in self.text.verbs(at)
        )

    def _bare_end(self, pos: int) -> bool:
        """Whether a name stands right before a place: «C5 D5», «Mortier Soissons»."""
        text = self.text
        return (
            is_word(text.norms[pos - 1])
            and not text.verbs(pos - 1)
            and not text.actions.function(text.norms[pos - 1])
        )

    def _paired(self, role: Role, pos: int, end: int, values: tuple[tuple[str, Any], ...]) -> bool:
        """Whether two places stand one behind the other after a name: «Murat Wachau Dölitz»."""
        who = self.action.who
        if who is None or role.names is None or who.name not in dict(values) or not self._bare_end(pos):
            return False
        return any(True for _ in exact_spans(role.names, self.text.norms, end, self.text.high))

    def _closed(self, pos: int, values: tuple[tuple[str, Any], ...], verb: Verb | None) -> bool:
        """Whether all that an order needs is said, and a name begins the next: «6F Davout to Lille»."""
        names = {name for name, _ in values}
        needed = {role.name for role in self.action.roles if role.required}
        if not names or not needed <= names:
            return False
        text = self.text
        return text.fresh(pos) or (self.action.kind.opens and text.brings(pos))

    def _gone(self, pos: int, values: tuple[tuple[str, Any], ...], verb: Verb | None) -> int:
        """Behind the place that somebody leaves, where he stands there: «from Lille», «quitte Lille»."""
        text, who = self.text, self.action.who
        if who is None or who.name not in dict(values):
            return 0
        at = pos
        if text.norms[pos] in LEAVING:
            at = pos + 1
            while at < text.high and text.norms[at] in BETWEEN:
                at += 1
        left = text.seen.at(f"from:{who.slot.vocabulary}", text.norms, at, text.high, text.fuzzy)
        if left is None:
            return 0
        end, here = left
        if at == pos and not self._leads_on(end):
            return 0
        standing = all(set(ids) & set(here) for ids in dict(values)[who.name])
        return end if standing else 0

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
                if verb is None and role.part == "to" and phrase[0] in WHERE:
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
            value = self._value(i)
            if value is not None and role.slot.low <= value <= role.slot.high:
                end = i + 1
                while more := text.phrase(_UNITS, end):
                    end = more
                yield end, value, 0
                if role.required:
                    yield from self._counted(role, i + 1, value)
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
                elif more := text.separator(at) or (
                    text.phrase(_ALTERNATIVES, at) if role.part == "against" else 0
                ):
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

    def _value(self, i: int) -> int | None:
        """The number at a place, in digits or words: «3», «three», «third», «x3»."""
        if i >= self.text.high:
            return None
        norm = self.text.norms[i]
        value = number(norm)
        if value is None:
            value = _TIMES.get(norm)
        if value is None and (times := _TIMES_SIGN.fullmatch(norm)):
            value = int(times[1] or times[2])
        return value

    def _counted(self, role: Role, end: int, value: int) -> Iterator[tuple[int, Numbers, int]]:
        """Several numbers, each of which is an order: «rows 1 and 3»."""
        text = self.text
        several = Numbers([value])
        while True:
            at = text.fillers(end)
            at = at if text.separator(at) else end
            while more := text.separator(at):
                at = more
            at = text.fillers(at) if at > end else at
            more_value = self._value(at)
            if more_value is None or not role.slot.low <= more_value <= role.slot.high:
                return
            end = at + 1
            if self._followed(end) or text.phrase(_UNITS, end):
                return
            several = Numbers([*several, more_value])
            yield end, several, 0

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
