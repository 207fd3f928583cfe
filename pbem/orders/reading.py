"""A player's lines read as the answer to a question: menu numbers, form lines, free lines, repetitions.

2            the second order of the menu
1 1 5        three of them
1: draw pile a line of the form
3x draw pile the same three times
# hm         a remark
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from itertools import takewhile
from typing import Any

import msgspec

from pbem.kernel.order import Answer, Order, Vocabulary
from pbem.kernel.problem import UNREADABLE, Problem
from pbem.kernel.question import Question
from pbem.orders.parser import MOST_ORDERS, Parsed, nearest, parse_orders
from pbem.orders.words import LONGEST_LINE, clip

MOST_LINES = 200

_REMARK = re.compile(r"(?:^|\s)(?:#(?!\d)|//).*$")
# Our own marks come back unquoted, and menu lines with several columns: never an answer.
_HINT = re.compile(r"(?:\[\[.*|\[…\].*|\[\d+\]\s+\S.*\[\d+\].*|[\W_]*)\Z")
_FROM_MENU = re.compile(r"\[(\d{1,4})\]\s+(?=\S)")
_LABEL = re.compile(r"\A(?:[-*•–—]\s+)?(?:#?\d{1,3}\s*(?::|\)|\.(?=\s|\Z))\s*)?")
_NUMBERS = re.compile(r"[\[#]?\d{1,4}\]?(?:(?:\s*[,;+]\s*|\s+)[\[#]?\d{1,4}\]?)*\s*[.,;)]?\Z")
_TIMES = (
    re.compile(r"(?P<n>\d{1,4})\s*(?:[x×*]|times\b|fois\b)\s*:?\s*(?P<rest>\S.*)$", re.IGNORECASE),
    re.compile(
        r"(?P<rest>.*\S)(?<!\s)\s*+(?:[(\[]\s*+)?[x×*]\s*+(?P<n>\d{1,4})\s*+(?:[)\]]\s*+)?[.;]?$",
        re.IGNORECASE,
    ),
)


class LineRead(msgspec.Struct, frozen=True):
    """One line of a player: as written, the orders it gives, and what is wrong with it."""

    text: str
    orders: tuple[Order, ...] = ()
    problems: tuple[Problem, ...] = ()


class Reading(msgspec.Struct, frozen=True):
    """All that a player wrote as an answer; remarks, empty lines and our own hints are left out."""

    lines: tuple[LineRead, ...] = ()

    @property
    def orders(self) -> Answer:
        """The orders, in the order in which they were written."""
        return tuple(order for line in self.lines for order in line.orders)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What is wrong with the lines."""
        return tuple(problem for line in self.lines for problem in line.problems)

    @property
    def beginning(self) -> Answer:
        """The orders before the first line that has a problem: what follows may hang on it."""
        good = takewhile(lambda line: not line.problems, self.lines)
        return tuple(order for line in good for order in line.orders)

    def checked(self, problems: Iterable[Problem]) -> Reading:
        """The same with the problems that a question's check has found, each at the line that it is about."""
        lines = list(self.lines)
        owners = [n for n, line in enumerate(lines) for _ in line.orders]
        for problem in problems:
            if not lines:
                lines.append(LineRead(""))
            n = owners[problem.order] if 0 <= problem.order < len(owners) else len(lines) - 1
            line = lines[n]
            lines[n] = msgspec.structs.replace(line, problems=(*line.problems, problem))
        return Reading(tuple(lines))


def menu_numbers(menu: Sequence[Order]) -> dict[int, Order]:
    """The numbers by which the menu's orders are chosen.

    Where all of them say nothing but a number, that number itself: «2» to «how many?» means two.
    """
    if len(menu) > 1 and len({type(order) for order in menu}) == 1:
        slots = type(menu[0]).slots
        if len(slots) == 1 and next(iter(slots.values())).kind == "number":
            name = next(iter(slots))
            by_value: dict[int, Order] = {getattr(order, name): order for order in menu}
            if len(by_value) == len(menu):
                return by_value
    return dict(enumerate(menu, 1))


def read_answer(
    lines: Sequence[str],
    question: Question,
    view: Any,
    vocabulary: Vocabulary,
    menu: Sequence[Order] | None = None,
    *,
    lang: str = "en",
    others: Sequence[type[Order]] = (),
    own: Collection[str] = (),
) -> Reading:
    """What the lines say as an answer to the question.

    `others` are the game's other order kinds, `own` the writer's things by identifier.
    """
    reader = _Reader(question, view, vocabulary, menu, lang, tuple(others), own)
    read: list[LineRead] = []
    taken = 0
    for text in reader.without_menu(lines[:MOST_LINES]):
        line = reader.line(text)
        if line is None:
            continue
        taken += len(line.orders)
        if taken > MOST_ORDERS:
            line = LineRead(line.text, problems=(_problem("too_many_orders", line.text, limit=MOST_ORDERS),))
            read.append(line)
            break
        read.append(line)
    if len(lines) > MOST_LINES:
        text = clip(lines[MOST_LINES])
        read.append(LineRead(text, problems=(_problem("too_many_lines", text, limit=MOST_LINES),)))
    return Reading(tuple(read))


def _problem(code: str, text: str, **params: str | int | tuple[str, ...]) -> Problem:
    return Problem(code, kind=UNREADABLE, params={"text": clip(text), **params})


class _Reader:
    def __init__(
        self,
        question: Question,
        view: Any,
        vocabulary: Vocabulary,
        menu: Sequence[Order] | None,
        lang: str,
        others: tuple[type[Order], ...],
        own: Collection[str],
    ) -> None:
        self.question = question
        self.view = view
        self.vocabulary = vocabulary
        self.lang = lang
        self.others = others
        self.own = own
        self._menu = menu
        self._numbers: dict[int, Order] | None = None

    @property
    def menu(self) -> Sequence[Order]:
        """The orders to choose from; made only when a line needs them."""
        if self._menu is None:
            self._menu = self.question.menu(self.view)
        return self._menu

    @property
    def numbers(self) -> dict[int, Order]:
        """The same by number."""
        if self._numbers is None:
            self._numbers = menu_numbers(self.menu)
        return self._numbers

    def without_menu(self, lines: Sequence[str]) -> list[str]:
        """The lines; those copied from the menu lose their number, and a whole menu sent back is dropped."""
        copied = {n: match for n, text in enumerate(lines) if (match := _FROM_MENU.match(text.strip()))}
        if not copied:
            return list(lines)
        numbers = {int(match[1]) for match in copied.values()}
        whole = len(copied) > self.question.count(self.view)[1] or (
            len(self.menu) > 1 and numbers >= {*self.numbers}
        )
        kept = []
        for n, text in enumerate(lines):
            if n not in copied or _HINT.fullmatch(text.strip()):
                kept.append(text)
            elif not whole:
                kept.append(_FROM_MENU.sub("", text.strip(), count=1))
        return kept

    def line(self, text: str) -> LineRead | None:
        """One line read; None when it says nothing."""
        if len(text) > LONGEST_LINE:
            return LineRead(clip(text), problems=(_problem("too_long", text, limit=LONGEST_LINE),))
        bare = _REMARK.sub("", text).strip()
        if not bare or _HINT.fullmatch(bare):
            return None
        if not _NUMBERS.fullmatch(bare):
            bare = _LABEL.sub("", bare, count=1).strip()
            if not bare:
                return None
        orders, problems = self._repeated(bare)
        return LineRead(clip(text, LONGEST_LINE), orders, problems)

    def _repeated(self, bare: str) -> tuple[tuple[Order, ...], tuple[Problem, ...]]:
        for pattern in _TIMES:
            match = pattern.fullmatch(bare)
            if match is None:
                continue
            orders, problems = self._plain(match["rest"])
            times = int(match["n"])
            if problems:
                break
            if not 1 <= times * len(orders) <= MOST_ORDERS:
                problem = _problem(
                    "number_out_of_range",
                    bare,
                    word=match["n"],
                    low=1,
                    high=MOST_ORDERS // len(orders),
                    forms=(),
                )
                return (), (problem,)
            return orders * times, ()
        return self._plain(bare)

    def _plain(self, bare: str) -> tuple[tuple[Order, ...], tuple[Problem, ...]]:
        if _NUMBERS.fullmatch(bare):
            return self._chosen(bare)
        parsed = self._parsed(bare)
        if not parsed.problems:
            return parsed.orders, ()
        near = None
        if len(parsed.problems) == 1 and not parsed.orders:
            near = nearest(bare, self.menu, self.vocabulary)
        problems = parsed.problems
        if near is not None and not problems[0].nearest and problems[0].kind == UNREADABLE:
            problems = (msgspec.structs.replace(problems[0], nearest=(near,)),)
        return (), problems

    def _parsed(self, bare: str) -> Parsed:
        return parse_orders(
            bare,
            self.question.orders,
            self.vocabulary,
            plans=self.question.plans,
            lang=self.lang,
            others=self.others,
            own=self.own,
        )

    def _chosen(self, bare: str) -> tuple[tuple[Order, ...], tuple[Problem, ...]]:
        chosen = [int(digits) for digits in re.findall(r"\d+", bare)]
        wrong = [n for n in chosen if n not in self.numbers]
        if wrong:
            low, high = min(self.numbers, default=0), max(self.numbers, default=0)
            return (), (_problem("no_such_choice", bare, word=str(wrong[0]), low=low, high=high),)
        return tuple(self.numbers[n] for n in chosen), ()
