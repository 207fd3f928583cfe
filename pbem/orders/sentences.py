"""Sentences as people write them, read into orders: clauses, what they carry over, conditions, refusals, reasons.

The rule that keeps it safe: a reading is taken only if every word of the sentence is accounted for, and no other
reading is. What is left over, or can be read in two ways, is shown to the player and not done.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import product
from typing import Any, NamedTuple

from pbem.kernel.order import Condition, If, Order, Test, Vocabulary
from pbem.kernel.problem import Problem
from pbem.orders.actions import FUNCTION, LEADS, Action, Actions, Called, actions
from pbem.orders.clauses import LEFT_OVER, MOST_LEFT, Clause, Numbers, OutOfBreath, Walk
from pbem.orders.conditions import ELSE, IF, read_condition
from pbem.orders.courtesy import courteous
from pbem.orders.lexicon import lexicon
from pbem.orders.marking import ASKED, prepared
from pbem.orders.places import HARD, IF_WORDS, Seen, Text
from pbem.orders.search import exact_spans
from pbem.orders.speech import REMARKS, UNDONE, VERBAL
from pbem.orders.words import Tokens, is_word, number

_MOST_SENSES = 12
_MOST_WAYS = 6
_CARRIED_MANY = "*"
_UNLESS = frozenset(("unless",))
_NEGATED = {"=": "!=", "!=": "=", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}


class Context(NamedTuple):
    """What a clause may leave unsaid because an earlier one has said it."""

    subject: tuple[str, ...] = ()
    named: str = ""
    """The kind of names of the subject."""
    action: int = -1
    active: str = ""
    """Who acts already, in games where that is an order of its own."""


_START = Context()


class Sense(NamedTuple):
    """One way to understand a sentence: its orders, what was forgiven, and the words that it leaves over."""

    orders: tuple[Order, ...]
    cost: int
    clauses: int
    context: Context
    left: tuple[str, ...] = ()


class Understood(NamedTuple):
    """What a text says: its orders in order; or, where it can be read in no way or in several, the ways."""

    orders: tuple[Order, ...]
    choices: tuple[tuple[Order, ...], ...] = ()
    """Ways to read the whole text, of which the player has to choose; none where `orders` is sure."""
    left: tuple[str, ...] = ()
    """Words that no reading accounts for."""
    sure: bool = False
    context: Context = _START
    remarks: tuple[str, ...] = ()
    """Sentences that order nothing."""


class Scope(NamedTuple):
    """What may be written in a place, and by whom."""

    kinds: tuple[type[Order], ...]
    vocabulary: Vocabulary
    plans: bool = False
    lang: str = "en"
    own: Collection[str] = ()
    called: Called = {}


class Reader:
    """Texts read as orders of some kinds."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.actions: Actions = actions(scope.kinds, scope.vocabulary)
        self.seen = Seen(scope.called)
        self.able = bool(self.actions.actions)
        """Whether any of the kinds can be said in one's own words."""

    def read(self, text: str, context: Context = _START, legal: Any = None) -> Understood:
        """What a text says. `legal(orders)` tells which of several readings can stand, in what is written so far."""
        line = prepared(text, self.actions.thing)
        paths: list[tuple[tuple[Order, ...], Context]] = [((), context)]
        remarks: list[str] = []
        missing: tuple[str, ...] = ()
        sure = True
        for part in sentences(line):
            found: list[tuple[tuple[Order, ...], Context]] = []
            for orders, before in paths:
                senses, left = self.senses(part, before)
                if not any(sense.orders or not sense.left for sense in senses) and self._remark(part):
                    remarks.append(part.text(0, len(part)))
                    found.append((orders, before))
                    continue
                whole = [sense for sense in senses if not sense.left]
                if len(whole) > 1 and self.scope.own:
                    whole = [one for one in whole if self._of_his_own(one.orders)] or whole
                if len(whole) > 1 and legal is not None and not whole[0].cost:
                    whole = [one for one in whole if legal((*orders, *one.orders))] or whole
                sure = sure and len(whole) == 1
                missing += () if whole else left
                found += [
                    ((*orders, *one.orders), one.context) for one in whole or senses if whole or one.orders
                ]
            if not found and not self._of_the_game(part):
                sure = False
                missing += left or tuple(
                    raw for raw, norm in zip(part.raws, part.norms, strict=True) if is_word(norm)
                )
                found = paths
            if not found:
                return Understood(paths[0][0], (), missing or ("?",), False, context, tuple(remarks))
            paths = found[:_MOST_WAYS]
        if sure:
            return Understood(_opened(paths[0][0]), (), (), True, paths[0][1], tuple(remarks))
        choices = tuple(dict.fromkeys(_opened(orders) for orders, _ in paths))
        return Understood((), choices, missing, False, context, tuple(remarks))

    def senses(self, part: Tokens, context: Context) -> tuple[list[Sense], tuple[str, ...]]:
        """The best ways to understand one sentence, and the words that we do not know where there is none."""
        for fuzzy, skips in ((False, 0), (True, 0), (True, MOST_LEFT)):
            text = Text(part, self.actions, self.seen, self.scope.own, fuzzy)
            text.skipping = bool(skips)
            try:
                found = _Sentence(self, text, skips).senses(0, context)
            except OutOfBreath:
                return [], ()
            if found:
                best = min((len(one.left), one.cost, one.clauses) for one in found)
                kept = [one for one in found if (len(one.left), one.cost, one.clauses) == best]
                unique: dict[tuple[Order, ...], Sense] = {}
                for one in kept:
                    unique.setdefault(one.orders, one)
                return list(unique.values()), next(iter(unique.values())).left
        return [], ()

    def _remark(self, part: Tokens) -> bool:
        """Whether a sentence orders nothing: it chats, and nothing in it is, or looks like, a word of the game."""
        if courteous(part.text(0, len(part))):
            return True
        if part.norms[-1] == ":":
            return False  # it leads to something: «on Tuesday the moderator said:»
        text = Text(part, self.actions, self.seen, self.scope.own, True)
        return self.chats(text, 0, len(part))

    def chats(self, text: Text, low: int, high: int) -> bool:
        """Whether some words only chat: three or more, one of those that chat is made of, and none of the game's."""
        norms = text.norms[low:high]
        words = [norm for norm in norms if is_word(norm)]
        if len(words) < 3 or not any(word in REMARKS for word in words):
            return False
        for i, norm in enumerate(norms, low):
            if not is_word(norm):
                continue
            if norm in IF_WORDS or text.negation(i) or (number(norm) is not None and not norm.isalpha()):
                return False
            if len(norm) > 2 and self.actions.thing(norm):
                return False
            if norm in REMARKS or (norm in FUNCTION and not text.verbs(i)):
                continue
            if norm in self.actions.verbs or text.verbs(i) or self.actions.thing(norm):
                return False
            if len(norm) > 4 and self.actions.mistaken(norm):
                return False
        return True

    def _of_the_game(self, part: Tokens) -> bool:
        """Whether a sentence names anything that an order may hold: then what is proposed without it misleads."""
        text = Text(part, self.actions, self.seen, self.scope.own, False)
        names = sum(self.actions.thing(norm) for norm in part.norms)
        return names > 1 or bool(names and any(text.verbs(i) for i in range(len(part))))

    def _of_his_own(self, orders: Iterable[Order]) -> bool:
        """Whether whatever has to be the writer's own is his."""
        for order in orders:
            for name, slot in type(order).slots.items():
                if slot.own:
                    value = getattr(order, name)
                    ids = value if isinstance(value, tuple) else (value,) if value else ()
                    if not all(id in self.scope.own for id in ids):
                        return False
        return True

    def after(self, orders: Iterable[Order], context: Context) -> Context:
        """The context behind orders that were read in another way."""
        for order in orders:
            for n, action in enumerate(self.actions.actions):
                if type(order) is not action.kind:
                    continue
                who = action.who
                leads = any(one.lead is action.kind for one in self.actions.actions)
                if who is not None and not who.lead:
                    value = getattr(order, who.name)
                    ids = tuple(value) if isinstance(value, tuple) else (value,)
                    active = ids[0] if leads and ids else context.active
                    context = Context(ids, who.slot.vocabulary, n, active)
                else:
                    context = context._replace(action=n)
        return context


def _sentences(norms: Sequence[str]) -> Iterable[tuple[int, int]]:
    low = 0
    for at, norm in enumerate((*norms, HARD)):
        if norm == HARD and norms[at + 1 : at + 2] and norms[at + 1] in ELSE:
            continue  # «if …; otherwise …» is one sentence
        if norm == HARD:
            if at > low:
                yield low, at
            low = at + 1


def sentences(line: Tokens) -> list[Tokens]:
    """The sentences of a text, each by itself."""
    parts = (_slice(line, low, high) for low, high in _sentences(line.norms))
    return [part for part in parts if part is not None]


def _slice(line: Tokens, low: int, high: int) -> Tokens | None:
    if not any(map(is_word, line.norms[low:high])):
        return None
    return line.part(low, high)


class _Sentence:
    """One sentence."""

    def __init__(self, reader: Reader, text: Text, skips: int) -> None:
        self.reader = reader
        self.text = text
        self.skips = skips
        self._known: dict[tuple[int, Context, int], list[Sense]] = {}
        self._clauses: dict[tuple[int, int], list[Clause]] = {}

    def senses(self, i: int, context: Context, left: int = 0) -> list[Sense]:
        """The ways to understand what begins at a place."""
        key = (i, context, left)
        found = self._known.get(key)
        if found is None:
            self._known[key] = []
            found = self._known[key] = _few(self._find(i, context, left))
        return found

    def _find(self, i: int, context: Context, left: int) -> list[Sense]:
        text = self.text
        parted = i == 0
        while True:
            end = text.separator(i)
            if not end:
                break
            i, parted = end, True
        if 0 < i < text.high and text.brings(i):
            i += 1
        if i >= text.high:
            return [Sense((), 0, 0, context)]
        if text.condition(i):
            return self._if(i, context)
        refused = self._refused(i)
        if refused is not None:
            return self.senses(refused, context, left) if refused else []
        found = self._reasons(i, context, left)
        for n in self._candidates(i, context):
            for clause in self._clauses_at(n, i):
                if clause.cost % LEFT_OVER and not parted:
                    continue  # a mistyped word begins no order of its own in the middle of another
                over = clause.cost // LEFT_OVER
                words = [text.line.raws[at] for at in range(i, clause.end) if over and text.unknown(at)][
                    :over
                ]
                for orders, after in self._made(n, clause, context):
                    for one in self._join(orders, clause, after, left + over):
                        found.append(one._replace(left=(*words, *one.left)))
        if parted and not found:
            found = self._chat(i, context, left)
        filler = text.filler(i)
        if filler and not found:
            found += self.senses(filler, context, left)
        elif filler and filler >= text.high:
            found.append(Sense((), 0, 0, context))
        if not found and left < self.skips:
            found = self._skipped(i, context, left)
        return found

    def _join(self, orders: tuple[Order, ...], clause: Clause, after: Context, left: int) -> list[Sense]:
        """The orders of a clause with those of what follows it."""
        text, end = self.text, clause.end
        if end < text.high and text.condition(end):
            condition = self._condition(end)
            if condition is None or condition[1] < text.high or not self.reader.scope.plans:
                return []
            return [Sense((If(condition[0], orders),), clause.cost, 1, after)]
        return [
            Sense((*orders, *one.orders), clause.cost + one.cost, 1 + one.clauses, one.context, one.left)
            for one in self.senses(end, after, left)
            if not (one.orders and isinstance(one.orders[0], If) and one.clauses == 1 and self._trailing(end))
        ]

    def _trailing(self, end: int) -> bool:
        """Whether a condition at the end may be meant for all that stands before it: then nobody can say."""
        text = self.text
        at = end
        while more := text.separator(at):
            at = more
        return at < text.high and text.norms[at] not in IF and text.norms[at] not in _UNLESS

    def _candidates(self, i: int, context: Context) -> list[int]:
        """The actions that what begins here may be: those of the next verbs, those that need none, the last one."""
        text = self.text
        found: dict[int, None] = {}
        hits = 0
        for at in range(i, min(text.high, i + 24)):
            entries = text.verbs(at)
            if entries:
                hits += 1
                for _, values, _ in entries:
                    found.update((index, None) for index, _ in values)
                if hits == 3:
                    break
        found.update((index, None) for index in text.actions.bare)
        if context.action >= 0:
            found[context.action] = None
        return list(found)

    def _clauses_at(self, n: int, i: int) -> list[Clause]:
        key = (n, i)
        found = self._clauses.get(key)
        if found is None:
            found = self._clauses[key] = Walk(self.text, n).clauses(i)
        return found

    def _made(self, n: int, clause: Clause, context: Context) -> list[tuple[tuple[Order, ...], Context]]:
        """The orders that a clause gives, one entry for each way to take its names; none where something is missing."""
        action = self.text.actions.actions[n]
        values = dict(clause.values)
        if clause.cost % LEFT_OVER and not values:
            return []  # a word mistyped, and nothing else to go by
        if clause.verb is None and not self._without_verb(action, n, clause, context):
            return []
        if clause.verb is not None and clause.verb.upon and clause.verb.upon not in values:
            return []
        who = action.who
        subject = who is not None and who.name in values
        if who is not None and not subject and not who.lead and who.required:
            if context.named != who.slot.vocabulary or not context.subject or clause.cost % LEFT_OVER:
                return []
            values[who.name] = tuple((id,) for id in context.subject)
        if action.lead is not None and not subject and context.active == _CARRIED_MANY:
            return []
        if any(role.required and role.name not in values for role in action.roles):
            return []
        if (
            action.lead is not None
            and not subject
            and any(role.lead and role.name in values for role in action.roles)
        ):
            return []
        ways = []
        for chosen in _choices(action, values):
            orders, ids = _built(action, chosen, context)
            after = context._replace(action=n)
            if who is not None and ids:
                active = context.active
                if who.lead or any(one.lead is action.kind for one in self.text.actions.actions):
                    active = ids[0] if len(ids) == 1 else _CARRIED_MANY
                after = Context(ids, who.slot.vocabulary, n, active)
            ways.append((orders, after))
        return ways[:_MOST_WAYS]

    def _without_verb(self, action: Action, n: int, clause: Clause, context: Context) -> bool:
        """Whether an action may go without its verb here."""
        names = {name for name, _ in clause.values}
        who = action.who
        others = names - {who.name if who else ""}
        if n == context.action:
            return bool(names)
        if not action.kind.bare:
            return False
        if action.lead is not None and who is not None and who.name not in names:
            return context.active not in ("", _CARRIED_MANY) and bool(others)
        if any(role.name in names and role.part == "at" for role in action.roles if role.slot.many):
            return False  # «Murat at Wachau» may be more than one thing
        return bool(others) or not any(role.required and role is not who for role in action.roles)

    def _reasons(self, i: int, context: Context, left: int) -> list[Sense]:
        """What follows a reason; where the reason ends nobody says, so each of its possible ends counts."""
        text = self.text
        at = text.reason(i)
        if not at:
            return []
        found: list[Sense] = []
        ends = [
            place for place in range(at, text.high) if text.norms[place] in (",", ")", "(", "and", "et", ":")
        ]
        for end in (*ends, text.high):
            found += self.senses(end, context, left)
        return found

    def _chat(self, i: int, context: Context, left: int) -> list[Sense]:
        """What follows a part of a sentence in which somebody chats: «my knee is better, and I play …»."""
        text = self.text
        ends = [n for n in range(i + 3, text.high) if text.separator(n)]
        for end in (*ends, text.high):
            if not self.reader.chats(text, i, end):
                break
            found = self.senses(end, context, left)
            if found:
                return found
        return []

    def _refused(self, i: int) -> int | None:
        """Where a part of a sentence that forbids something ends; 0 where that cannot be said; None where none is."""
        text = self.text
        end = i
        while end < text.high and text.norms[end] not in (",", "(", ")", "but", "mais"):
            end += 1
        spoken = False
        for at in range(i, end):
            after = text.negation(at)
            if not after:
                spoken = spoken or bool(text.verbs(at)) or bool(text.reason(at))
                continue
            if at > i and (spoken or text.norms[at] not in VERBAL):
                return None
            if text.norms[after : after + 1] in ([":"], [","]) or text.norms[after : after + 1] == ["wait"]:
                return 0  # «no: …» takes back, and who can say how much
            if text.norms[at] in ("n", "ne") and not _NOT_AT_ALL & set(text.norms[at:end]):
                return 0
            if UNDONE & set(text.norms[at:end]):
                return 0
            joined = [
                n for n in range(after, end) if text.norms[n] in ("and", "or", "et", "ou", "then", "puis")
            ]
            if any(text.verbs(n) for start in joined for n in range(start + 1, end)):
                return 0
            return end if self._understood(i, at, after, end) else 0
        return None

    def _understood(self, i: int, at: int, after: int, end: int) -> bool:
        """Whether what is forbidden is one thing that we know: a clause, or a few words."""
        text = self.text
        if any(text.unknown(n) for n in (*range(i, at), *range(after, end))):
            return False
        words = sum(not text.filler(n) for n in (*range(i, at), *range(after, end)) if is_word(text.norms[n]))
        if not words:
            return False
        return words <= 3 or any(one.clauses == 1 for one in self._branch(after, end, Context()))

    def _skipped(self, i: int, context: Context, left: int) -> list[Sense]:
        """What remains when a word that we do not understand is left over: shown, never taken."""
        text = self.text
        if text.negation(i) or text.norms[i] in IF or text.norms[i] in ELSE:
            return []
        word = text.line.raws[i].replace(ASKED, "?")
        return [
            one._replace(cost=one.cost + LEFT_OVER, left=(word, *one.left))
            for one in self.senses(i + 1, Context(active=context.active), left + 1)
        ]

    def _condition(self, i: int) -> tuple[Condition, int] | None:
        """The condition that begins with IF or UNLESS at a place, and where it ends."""
        text, scope = self.text, self.reader.scope
        line = text.line
        negate = line.norms[i] in _UNLESS
        low = i + 1
        if "condition" in scope.vocabulary.kinds:
            names = lexicon(scope.vocabulary, "condition")
            for end in range(min(text.high, low + names.longest + 3), low, -1):
                ids = names.exact.get("".join(line.norms[low:end])) or names.exact.get(
                    "".join(norm for norm in line.norms[low:end] if norm not in _SMALL)
                )
                if ids is not None and len(ids) == 1:
                    fact, op, value = ids[0].split(" ", 2)
                    test = Test(fact, op, int(value) if value.isdigit() else value)
                    return Condition((_turned(test) if negate else test,)), end
        facts = lexicon(scope.vocabulary, "fact")
        first = low
        while first < text.high and line.norms[first] in _BEFORE_FACT:
            first += 1
        if not any(True for _ in exact_spans(facts, line.norms, first, text.high)):
            return None
        read = read_condition(line, low, text.high, scope.vocabulary, scope.lang)
        if isinstance(read, Problem):
            return None
        condition, end = read
        behind = text.fillers(end)
        if behind > end and behind < text.high and not text.separator(behind) and not text.verbs(behind):
            return None  # «si pioche je une colline»
        if negate:
            if len(condition.tests) != 1:
                return None
            condition = Condition((_turned(condition.tests[0]),))
        return condition, end

    def _if(self, i: int, context: Context) -> list[Sense]:
        """`if … then … else …` in one's own words; it takes the rest of the sentence."""
        text = self.text
        read = self._condition(i) if self.reader.scope.plans else None
        if read is None:
            return []
        condition, low = read
        middle = next((n for n in range(low, text.high) if text.norms[n] in ELSE), text.high)
        found = []
        for then in self._branch(low, middle, context):
            for other in self._branch(middle + 1, text.high, context):
                if then.orders and (other.orders or middle >= text.high):
                    order = If(condition, then.orders, other.orders)
                    cost, clauses = then.cost + other.cost, then.clauses + other.clauses
                    found.append(Sense((order,), cost, clauses, then.context))
        return found

    def _branch(self, low: int, high: int, context: Context) -> list[Sense]:
        if low >= high:
            return [Sense((), 0, 0, context)]
        norms = self.text.norms
        while high > low and norms[high - 1] == HARD:
            high -= 1
        part = _slice(self.text.line, low, high)
        if part is None:
            return [Sense((), 0, 0, context)]
        text = Text(part, self.text.actions, self.text.seen, self.text.own, self.text.fuzzy)
        text.steps = self.text.steps
        return _Sentence(self.reader, text, 0).senses(0, context)


_BEFORE_FACT = frozenset(["the", "le", "la", "les", "l", "not", "pas", "non", "no", "my", "mon", "ma", "mes"])
_NOT_AT_ALL = frozenset(["pas", "jamais", "aucun", "aucune", "plus", "rien", "point", "personne", "guere"])
_SMALL = frozenset(["the", "le", "la", "les", "l", "my", "mon", "ma", "mes", "his", "ses", "son", "sa"])


def _opened(orders: tuple[Order, ...]) -> tuple[Order, ...]:
    """Orders with the one first that opens an answer, wherever it was said: «Davout to Lille, with card 6F»."""
    at = [n for n, order in enumerate(orders) if order.opens]
    if len(at) != 1 or not at[0]:
        return orders
    return (orders[at[0]], *orders[: at[0]], *orders[at[0] + 1 :])


def _turned(test: Test) -> Test:
    """The contrary of a comparison."""
    if test.op == "=" and test.value in ("yes", "no"):
        return Test(test.fact, "=", "no" if test.value == "yes" else "yes")
    return Test(test.fact, _NEGATED[test.op], test.value)


def _few(senses: list[Sense]) -> list[Sense]:
    """The best of them, each once."""
    best: dict[tuple[tuple[Order, ...], Context], Sense] = {}
    for one in senses:
        key = (one.orders, one.context)
        if key not in best or (one.cost, one.clauses) < (best[key].cost, best[key].clauses):
            best[key] = one
    return sorted(best.values(), key=lambda one: (len(one.left), one.cost, one.clauses))[:_MOST_SENSES]


def _choices(action: Action, values: dict[str, Any]) -> Iterable[dict[str, Any]]:
    """The values with one thing for each name; several, where a name may mean several things."""
    names = [name for name, value in values.items() if isinstance(value, tuple)]
    several = [list(product(*values[name])) for name in names]
    total = 1
    for some in several:
        total *= len(some)
    if total > 50:
        return
    for chosen in product(*several):
        yield {**values, **dict(zip(names, chosen, strict=True))}


def _each(fields: dict[str, Any]) -> Iterable[dict[str, Any]]:
    """The slots once for each of several numbers."""
    name = next((name for name, value in fields.items() if isinstance(value, Numbers)), "")
    if not name:
        return [fields]
    return [{**fields, name: value} for value in fields[name]]


def _said_anyway(action: Action, name: str) -> bool:
    """Whether «once» says no more than saying nothing."""
    kind = action.kind
    fields, defaults = kind.__struct_fields__, kind.__struct_defaults__
    if name not in fields or kind.slots[name].low != 1:
        return False
    at = fields.index(name) - len(fields) + len(defaults)
    return at >= 0 and defaults[at] in (0, 1)


def _built(
    action: Action, values: dict[str, Any], context: Context
) -> tuple[tuple[Order, ...], tuple[str, ...]]:
    """The orders of a clause, and who acts; one for each of several who act, where the order is for one."""
    who = action.who
    values = {name: value for name, value in values.items() if value != 1 or not _said_anyway(action, name)}
    fields = {
        role.name: values[role.name] if role.slot.many or role.names is None else values[role.name][0]
        for role in action.roles
        if not role.lead and role.name in values and role is not who
    }
    ids: tuple[str, ...] = values.get(who.name, ()) if who is not None else ()
    if who is None:
        return tuple(action.kind(**one) for one in _each(fields)), ()
    if not who.lead:
        if not ids:
            return (action.kind(**fields),), ()
        if who.slot.many:
            return (action.kind(**fields, **{who.name: ids}),), ids
        return tuple(action.kind(**fields, **{who.name: id}) for id in ids), ids
    assert action.lead is not None
    more = {
        role.name.removesuffix(LEADS): values[role.name]
        if role.slot.many or role.names is None
        else values[role.name][0]
        for role in action.roles
        if role.lead and role is not who and role.name in values
    }
    if not ids or (ids == (context.active,) and not more):
        return (action.kind(**fields),), ids
    orders: list[Order] = []
    for id in ids:
        orders += [action.lead(**{who.name.removesuffix(LEADS): id}, **more), action.kind(**fields)]
    return tuple(orders), ids
