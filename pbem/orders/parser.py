"""From a line to orders: single orders, lists with `;`, plans with IF … THEN … ELSE, standing orders.

An IF takes all that follows on its line; brackets end it earlier: `(if drawn = hill then wait); draw pile`.
An ELSE belongs to the nearest IF before it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from pbem.kernel.order import AskMe, Condition, If, Order, Vocabulary, When
from pbem.kernel.problem import AMBIGUOUS, ILLEGAL, UNREADABLE, Problem
from pbem.kernel.question import Question
from pbem.orders.conditions import ELSE, IF, THEN, read_condition
from pbem.orders.grammar import grammar
from pbem.orders.lexicon import lexicon
from pbem.orders.patterns import describe
from pbem.orders.words import LONGEST_LINE, SKIPPED, Tokens, clip, is_word, tokens

DEEPEST = 3
MOST_ORDERS = 50
_WHEN = (("when",), ("whenever",), ("quand",), ("lorsque",))
_ASK = (
    ("ask", "me", "before"),
    ("ask", "me", "about"),
    ("ask", "me", "to"),
    ("ask", "me"),
    ("ask",),
    ("demander", "avant"),
    ("demander",),
    ("demande", "moi"),
    ("demandez", "moi"),
    ("me", "demander"),
    ("demande",),
)
Params = dict[str, str | int | tuple[str, ...]]


class Parsed(msgspec.Struct, frozen=True):
    """What a line says: its orders, or what is wrong with it (then `orders` holds what could be read)."""

    orders: tuple[Order, ...] = ()
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True)
class Scope:
    """What may be written in a place: the order kinds, whether IF is allowed, the game's other kinds."""

    kinds: tuple[type[Order], ...]
    vocabulary: Vocabulary
    plans: bool = False
    lang: str = "en"
    others: tuple[type[Order], ...] = ()
    own: Collection[str] = ()
    """The things of the writer, by identifier."""
    exact: bool = False
    """Whether nothing is forgiven."""


def parse_line(
    text: str,
    kinds: Sequence[type[Order]],
    vocabulary: Vocabulary,
    *,
    plans: bool = False,
    lang: str = "en",
    others: Sequence[type[Order]] = (),
) -> Order | list[Problem]:
    """The one order that a line writes, or its problems; `lang` is the language of names in problems."""
    parsed = parse_orders(text, kinds, vocabulary, plans=plans, lang=lang, others=others)
    if parsed.problems:
        return list(parsed.problems)
    if len(parsed.orders) != 1:
        code = "several_orders" if parsed.orders else "unreadable"
        return [Problem(code, kind=UNREADABLE, params={"text": clip(text)})]
    return parsed.orders[0]


def parse_orders(
    text: str,
    kinds: Sequence[type[Order]],
    vocabulary: Vocabulary,
    *,
    plans: bool = False,
    lang: str = "en",
    others: Sequence[type[Order]] = (),
    own: Collection[str] = (),
    exact: bool = False,
) -> Parsed:
    """All orders of a line, separated by `;`; with `exact`, nothing is forgiven."""
    if len(text) > LONGEST_LINE:
        return _wrong("too_long", clip(text), limit=LONGEST_LINE)
    line = tokens(text)
    if not any(map(is_word, line.norms)):
        return _wrong("unreadable", clip(text))
    scope = Scope(tuple(kinds), vocabulary, plans, lang, tuple(others), own, exact)
    return _sequence(line, 0, len(line), scope, 0, 0)


def parse_standing(
    text: str,
    kinds: Sequence[type[Order]],
    vocabulary: Vocabulary,
    questions: Sequence[type[Question[Any]]],
    *,
    lang: str = "en",
    own: Collection[str] = (),
) -> Order | list[Problem]:
    """A standing order: WHEN … THEN …, ASK ME …, or one of the game's own `kinds`."""
    if len(text) > LONGEST_LINE:
        return list(_wrong("too_long", clip(text), limit=LONGEST_LINE).problems)
    line = tokens(text)
    low = 0
    while low < len(line) and (line.norms[low] in SKIPPED or line.norms[low] == ";"):
        low += 1
    for opening in (*_WHEN, *_ASK):
        if tuple(line.norms[low : low + len(opening)]) == opening:
            read = _reaction(line, low + len(opening), opening in _WHEN, vocabulary, questions, lang, own)
            return read if isinstance(read, Order) else [*read]
    high = len(line)
    while high > low and line.norms[high - 1] == ";":
        high -= 1
    scope = Scope(tuple(kinds), vocabulary, lang=lang, own=own)
    order = grammar(scope.kinds, vocabulary).read(line, low, high, lang, own=own)
    if isinstance(order, Order):
        return order
    everything = {kind for question in questions for kind in question.orders}
    return [_or_elsewhere(order, line, low, high, scope, tuple(everything))]


def reads_exactly(text: str, kinds: Sequence[type[Order]], vocabulary: Vocabulary) -> bool:
    """Whether the line is a single order of these kinds with nothing to forgive."""
    if len(text) > LONGEST_LINE:
        return False
    line = tokens(text)
    return isinstance(grammar(tuple(kinds), vocabulary).read(line, 0, len(line), exact=True), Order)


def mentions(text: str, kinds: Sequence[type[Order]], vocabulary: Vocabulary) -> bool:
    """Whether the line has a word, mistyped perhaps, of which orders of these kinds are made."""
    return len(text) <= LONGEST_LINE and grammar(tuple(kinds), vocabulary).mentions(tokens(text))


def _wrong(code: str, text: str, **params: str | int | tuple[str, ...]) -> Parsed:
    return Parsed(problems=(Problem(code, kind=UNREADABLE, params={"text": text, **params}),))


def _sequence(line: Tokens, low: int, high: int, scope: Scope, depth: int, brackets: int) -> Parsed:
    """The orders from `low` to `high`, separated by `;`; inside so many IFs and so many brackets."""
    norms = line.norms
    orders: list[Order] = []
    problems: list[Problem] = []
    while low < high:
        if norms[low] == ";" or norms[low] in (",", ":", ")"):
            low += 1
            continue
        if len(orders) + len(problems) >= MOST_ORDERS:
            problems.append(
                Problem(
                    "too_many_orders",
                    kind=UNREADABLE,
                    params={"text": line.text(low, high), "limit": MOST_ORDERS},
                )
            )
            break
        if norms[low] in IF:
            read = _if(line, low + 1, high, scope, depth + 1, brackets)
            low = high
        elif norms[low] == "(":
            close = _closing(norms, low, high)
            if brackets > DEEPEST:
                read = _wrong("too_deep", line.text(low, high), limit=DEEPEST)
            else:
                read = _sequence(line, low + 1, close, scope, depth, brackets + 1)
            low = close + 1
        else:
            end = low
            while end < high and norms[end] != ";":
                end += 1
            read = _single(line, low, end, scope)
            low = end
        orders.extend(read.orders)
        problems.extend(read.problems)
    return Parsed(tuple(orders), tuple(problems))


def _single(line: Tokens, low: int, high: int, scope: Scope) -> Parsed:
    words = grammar(scope.kinds, scope.vocabulary)
    order = words.read(line, low, high, scope.lang, own=scope.own, exact=scope.exact)
    if isinstance(order, Order):
        return Parsed((order,))
    if scope.exact:
        return Parsed(problems=(order,))
    return Parsed(problems=(_or_elsewhere(order, line, low, high, scope, scope.others),))


def _or_elsewhere(
    problem: Problem, line: Tokens, low: int, high: int, scope: Scope, others: tuple[type[Order], ...]
) -> Problem:
    """The problem; or, where the words are a good order of another kind, that it does not belong here."""
    others = tuple(sorted({*others} - {*scope.kinds}, key=lambda kind: kind.__name__))
    if problem.kind == AMBIGUOUS or not others:
        return problem
    order = grammar(others, scope.vocabulary).read(line, low, high, scope.lang, own=scope.own)
    if not isinstance(order, Order):
        return problem
    forms = tuple(describe(kind, scope.vocabulary, scope.lang) for kind in scope.kinds)[:8]
    params: Params = {"text": line.text(low, high), "forms": forms}
    params["order"] = order.text(scope.vocabulary, scope.lang)
    return Problem("wrong_kind_here", kind=ILLEGAL, params=params)


def _if(line: Tokens, low: int, high: int, scope: Scope, depth: int, brackets: int) -> Parsed:
    text = line.text(low - 1, high)
    if not scope.plans:
        return Parsed(problems=(Problem("no_plans_here", kind=ILLEGAL, params={"text": text}),))
    if depth > DEEPEST:
        return _wrong("too_deep", text, limit=DEEPEST)
    read = read_condition(line, low, high, scope.vocabulary, scope.lang)
    if isinstance(read, Problem):
        return Parsed(problems=(read,))
    condition, at = read
    then, otherwise = _branches(line, at, high, scope, depth, brackets)
    problems = then.problems + otherwise.problems
    if problems:
        return Parsed(problems=problems)
    if not then.orders:
        return _wrong(
            "missing_part", text, word="", expected=("then …" if scope.lang == "en" else "alors …",)
        )
    return Parsed((If(condition, then.orders, otherwise.orders),))


def _branches(
    line: Tokens, low: int, high: int, scope: Scope, depth: int, brackets: int
) -> tuple[Parsed, Parsed]:
    """The orders after THEN and those after ELSE."""
    while low < high and (line.norms[low] in THEN or line.norms[low] in (",", ":")):
        low += 1
    middle = _else(line.norms, low, high)
    then = _sequence(line, low, middle, scope, depth, brackets)
    return then, _sequence(line, middle + 1, high, scope, depth, brackets)


def _else(norms: list[str], low: int, high: int) -> int:
    """Where the ELSE of this IF stands; `high` when it has none."""
    inner = brackets = 0
    for at in range(low, high):
        norm = norms[at]
        if norm == "(":
            brackets += 1
        elif norm == ")":
            brackets = max(0, brackets - 1)
        elif brackets:
            continue
        elif norm in IF and (at == low or norms[at - 1] in (";", "(") or norms[at - 1] in THEN | ELSE):
            inner += 1
        elif norm in ELSE:
            if not inner:
                return at
            inner -= 1
    return high


def _closing(norms: list[str], low: int, high: int) -> int:
    brackets = 0
    for at in range(low, high):
        brackets += (norms[at] == "(") - (norms[at] == ")")
        if not brackets:
            return at
    return high


def _reaction(
    line: Tokens,
    low: int,
    acts: bool,
    vocabulary: Vocabulary,
    questions: Sequence[type[Question[Any]]],
    lang: str,
    own: Collection[str],
) -> Order | tuple[Problem, ...]:
    """`WHEN question [IF …] THEN … [ELSE …]`, or `ASK ME question [IF …]`, after its first words."""
    high = len(line)
    named = _question(line, low, high, vocabulary, questions, lang)
    if isinstance(named, Problem):
        return (named,)
    name, low = named
    condition = Condition()
    while low < high and line.norms[low] in (",", ":"):
        low += 1
    if low < high and line.norms[low] in IF:
        read = read_condition(line, low + 1, high, vocabulary, lang)
        if isinstance(read, Problem):
            return (read,)
        condition, low = read
    if not acts:
        if low < high and any(map(is_word, line.norms[low:high])):
            params: Params = {
                "text": line.text(0, high),
                "word": line.text(low, high),
            }
            return (Problem("extra_words", kind=UNREADABLE, params=params),)
        return AskMe(name, condition)
    asked = next((question for question in questions if question.kind() == name), None)
    everything = tuple(dict.fromkeys(kind for question in questions for kind in question.orders))
    kinds, plans = (asked.orders, asked.plans) if asked else (everything, False)
    scope = Scope(kinds, vocabulary, plans, lang, everything, own)
    then, otherwise = _branches(line, low, high, scope, 0, 0)
    if then.problems or otherwise.problems:
        return then.problems + otherwise.problems
    if not then.orders:
        return _wrong(
            "missing_part", line.text(0, high), word="", expected=("then …" if lang == "en" else "alors …",)
        ).problems
    return When(name, condition, then.orders, otherwise.orders)


def _question(
    line: Tokens,
    low: int,
    high: int,
    vocabulary: Vocabulary,
    questions: Sequence[type[Question[Any]]],
    lang: str,
) -> tuple[str, int] | Problem:
    names = lexicon(vocabulary, "question")
    while low < high and line.norms[low] in SKIPPED:
        low += 1
    end = low
    last = min(high, low + names.longest + 1)
    stop = IF | THEN | {",", ":", ";"}
    while end < last and line.norms[end] not in stop:
        end += 1
    best: tuple[int, int, tuple[str, ...]] | None = None
    for to in range(end, low, -1):
        found = names.find(line.norms[low:to])
        if found is not None and (best is None or (found.cost, -to) < best[:2]):
            best = (found.cost, -to, found.ids)
    text, word = line.text(0, high), line.text(low, max(end, low + 1))
    if best is None:
        known = tuple(vocabulary.say("question", question.kind(), lang) for question in questions)
        params: Params = {
            "text": text,
            "word": word,
            "candidates": known[:12],
        }
        return Problem("unknown_question", kind=UNREADABLE, params=params)
    if len(best[2]) > 1:
        choice = tuple(vocabulary.say("question", id, lang) for id in best[2])
        return Problem(
            "ambiguous_name", kind=AMBIGUOUS, params={"text": text, "word": word, "candidates": choice[:8]}
        )
    return best[2][0], -best[1]
