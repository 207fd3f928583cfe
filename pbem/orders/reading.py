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
from pbem.kernel.problem import AMBIGUOUS, UNREADABLE, Problem
from pbem.kernel.question import Question
from pbem.orders.actions import Called
from pbem.orders.nearest import nearest
from pbem.orders.parser import MOST_ORDERS, Parsed, parse_orders
from pbem.orders.sentences import Context, Reader, Scope
from pbem.orders.speech import YES
from pbem.orders.words import LONGEST_LINE, clip, is_word, tokens

MOST_LINES = 200
ALIKE = 90.0
"""How like a text an order of the menu must be to be proposed: a typing error away."""
LOOSELY = 60.0
_MOST_CHOICES = 6
_BROKEN = 56
_ENDS = ".;:!?,"

_REMARK = re.compile(r"(?:^|\s)(?:#(?!\d)|//).*$")
# Our own marks come back unquoted, and menu lines with several columns: never an answer.
_HINT = re.compile(r"(?:\[\[.*|\[…\].*|\[\d+\]\s+\S.*\[\d+\].*|[\W_]*)\Z")
_FROM_MENU = re.compile(r"\[(\d{1,4})\]\s+(?=\S)")
_LABEL = re.compile(r"\A(?:[-*•–—]\s+)?(?:#?\d{1,3}\s*(?::|\)|\.(?=\s|\Z))\s*)?")
_LABELLED = re.compile(r"(\d{1,3})\s*(?::|\)|\.(?=\s|\Z))\s*")
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
    free: bool = False
    """Whether it was written in the player's own words."""
    choices: tuple[tuple[Order, ...], ...] = ()
    """Ways to read it, where it was not taken."""
    remark: bool = False
    """Whether it orders nothing, and says so."""


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
    question: Question[Any],
    view: Any,
    vocabulary: Vocabulary,
    menu: Sequence[Order] | None = None,
    *,
    lang: str = "en",
    others: Sequence[type[Order]] = (),
    own: Collection[str] = (),
    called: Called | None = None,
    strict: bool = False,
) -> Reading:
    """What the lines say as an answer to the question.

    `others` are the game's other order kinds, `own` the writer's things by identifier, `called` what he may call
    things by what he sees; `strict` takes nothing that is in his own words, but shows how it would be read.
    """
    reader = _Reader(question, view, vocabulary, menu, lang, tuple(others), own, called or {}, strict)
    read: list[LineRead] = []
    taken = 0
    for text in reader.joined(reader.without_menu(lines[:MOST_LINES])):
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
    if read and all(line.remark for line in read):
        # Nothing but remarks: perhaps one of them was to be an order after all.
        read = [reader.unread(line) for line in read]
    return Reading(tuple(read))


def assent(text: str, first: int, count: int) -> int | None:
    """Which of so many readings, numbered from `first` on, a line chooses; «yes» means the only one."""
    words = tuple(norm for norm in tokens(text[:80]).norms if is_word(norm))
    if words in YES:
        return 0 if count == 1 else None
    match = re.fullmatch(r"\s*[\[#]?(\d{1,4})[\])]?\s*[.!]?\s*", text)
    n = int(match[1]) - first if match else -1
    return n if 0 <= n < count else None


def _problem(code: str, text: str, **params: str | int | tuple[str, ...]) -> Problem:
    return Problem(code, kind=UNREADABLE, params={"text": clip(text), **params})


class _Reader:
    def __init__(
        self,
        question: Question[Any],
        view: Any,
        vocabulary: Vocabulary,
        menu: Sequence[Order] | None,
        lang: str,
        others: tuple[type[Order], ...],
        own: Collection[str],
        called: Called,
        strict: bool,
    ) -> None:
        self.strict = strict
        self.labelled = 0
        """The number of the last line of a numbered list."""
        self.taken: tuple[Order, ...] = ()
        self.context = Context()
        scope = Scope(tuple(question.orders), vocabulary, question.plans, lang, own, called)
        self.sentences = Reader(scope)
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

    def joined(self, lines: Sequence[str]) -> list[str]:
        """The lines, those together that a mail program has broken in the middle of a sentence."""
        found: list[str] = []
        for line in lines:
            last = found[-1] if found else ""
            if (
                self.sentences.able
                and len(last) >= _BROKEN
                and line[:1].islower()
                and last.rstrip()[-1:] not in _ENDS
                and len(last) + len(line) < LONGEST_LINE
                and self._parsed(last, exact=True).problems
                and self._parsed(line, exact=True).problems
            ):
                found[-1] = f"{last.rstrip()} {line.lstrip()}"
            else:
                found.append(line)
        return found

    def line(self, text: str) -> LineRead | None:
        """One line read; None when it says nothing."""
        if len(text) > LONGEST_LINE:
            return LineRead(clip(text), problems=(_problem("too_long", text, limit=LONGEST_LINE),))
        bare = _REMARK.sub("", text).strip()
        if not bare or _HINT.fullmatch(bare):
            return None
        label = _LABELLED.match(bare)
        if label and int(label[1]) == self.labelled + 1:
            self.labelled += 1
            if label.end() == len(bare) and self.labelled > 1:
                return None  # «2.» of a numbered list, left empty
        if not _NUMBERS.fullmatch(bare):
            bare = _LABEL.sub("", bare, count=1).strip()
            if not bare:
                return None
        line = self._own_words(bare, text)
        if line is None:
            orders, problems = self._repeated(bare)
            line = LineRead(clip(text, LONGEST_LINE), orders, problems)
            self.context = self.sentences.after(orders, self.context)
        self.taken += line.orders
        return line

    def _own_words(self, bare: str, text: str) -> LineRead | None:
        """The line as somebody wrote it in his own words; None where it is to be read as orders are declared."""
        if not self.sentences.able or _NUMBERS.fullmatch(bare):
            return None
        for one in _TIMES:
            match = one.fullmatch(bare)
            if match and not self._parsed(match["rest"]).problems:
                return None
        if not self._parsed(bare, exact=True).problems:
            return None
        read = self.sentences.read(bare, self.context, self._legal)
        shown = clip(text, LONGEST_LINE)
        if read.sure and not self.strict:
            self.context = read.context
            return LineRead(shown, read.orders, free=True, remark=not read.orders)
        if read.sure and read.orders:
            return self._asked(shown, (read.orders,), "not_canonical")
        if read.sure:
            return LineRead(shown, remark=True)
        sound = tuple(way for way in read.choices if way and (len(read.choices) == 1 or self._legal(way)))
        if read.choices and not read.left:
            return self._asked(shown, sound or read.choices, "several_readings")
        if not self._parsed(bare).problems:
            return None
        sound = tuple(way for way in sound if self._legal(way))
        if not sound:
            return None
        return self._asked(shown, sound, "words_left", word=", ".join(dict.fromkeys(read.left)))

    def _asked(self, text: str, ways: tuple[tuple[Order, ...], ...], code: str, **params: str) -> LineRead:
        """A line that is not taken, with the ways to read it."""
        ways = ways[:_MOST_CHOICES]
        said = tuple("; ".join(order.text(self.vocabulary, self.lang) for order in way) for way in ways)
        problem = Problem(code, kind=AMBIGUOUS, params={"text": clip(text), "candidates": said, **params})
        return LineRead(text, problems=(problem,), choices=ways)

    def _legal(self, orders: tuple[Order, ...]) -> bool:
        """Whether orders could stand behind those of the lines before."""
        before = len(self.taken)
        found = self.question.check(self.view, (*self.taken, *orders))
        return not any(problem.order >= before for problem in found)

    def unread(self, line: LineRead) -> LineRead:
        """A remark read as an order, with what is wrong with it."""
        orders, problems = self._plain(line.text)
        return LineRead(line.text, orders, problems) if problems else line

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
            near = nearest(bare, self.menu, self.vocabulary, ALIKE if self.sentences.able else LOOSELY)
        problems = parsed.problems
        if near is not None and not problems[0].nearest and problems[0].kind == UNREADABLE:
            problems = (msgspec.structs.replace(problems[0], nearest=(near,)),)
        return (), problems

    def _parsed(self, bare: str, exact: bool = False) -> Parsed:
        return parse_orders(
            bare,
            self.question.orders,
            self.vocabulary,
            plans=self.question.plans,
            lang=self.lang,
            others=self.others,
            own=self.own,
            exact=exact,
        )

    def _chosen(self, bare: str) -> tuple[tuple[Order, ...], tuple[Problem, ...]]:
        chosen = [int(digits) for digits in re.findall(r"\d+", bare)]
        wrong = [n for n in chosen if n not in self.numbers]
        if wrong:
            low, high = min(self.numbers, default=0), max(self.numbers, default=0)
            return (), (_problem("no_such_choice", bare, word=str(wrong[0]), low=low, high=high),)
        return tuple(self.numbers[n] for n in chosen), ()
