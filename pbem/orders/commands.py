"""How commands are written in a letter: CHECK, STATUS, MAP, PRESS TO … Which there are, pbem.campaign.commands says.

A command is the first word of a line, in full or shortened as long as only one fits. A line that is an order
of an open question stays an order: the game comes first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from functools import lru_cache
from typing import Generic, TypeVar

import msgspec
from rapidfuzz import process
from rapidfuzz.distance import OSA

from pbem.kernel.problem import AMBIGUOUS, UNREADABLE, Problem
from pbem.orders.words import LONGEST_LINE, clip, fold, tolerance

_SHORTEST = 3
_WORD = re.compile(r"\s*([^\W\d_]+)\s*(:?)\s*(.*)\Z", re.DOTALL)
NOTHING = r"\Z"
ANYTHING = r".*"
SOMETHING = r"\S"
ONE_WORD = r"\S*+\s*+\Z"
NUMBER = r"\[?#?\d{1,9}\]?\s*+\Z"
Asked = TypeVar("Asked")
"""What a handler is given besides the command."""


class Command(msgspec.Struct, frozen=True):
    """A command as it was given: its name, what followed on the line, and the lines that belong to it."""

    name: str
    argument: str = ""
    lines: tuple[str, ...] = ()
    text: str = ""
    problem: Problem | None = None
    """What is wrong with it; it is then not to be carried out."""
    trial: bool = False
    """Whether CHECK stands above it: it is looked at, and changes nothing."""


STANDING_LINES, MESSAGE, ORDERS_BELOW, CLAUSES = "standing", "message", "orders", "clauses"
"""Which of the lines that follow belong to a command: standing orders, a text, orders, clauses of an agreement."""
EVERYONE, PLAYERS, MASTERS = "everyone", "players", "masters"


class CommandType(msgspec.Struct, Generic[Asked], frozen=True):
    """A command, declared once: its words, what may follow it, who may give it, and what carries it out."""

    name: str
    handler: Callable[[Asked, Command], None]
    en: tuple[str, ...]
    fr: tuple[str, ...]
    argument: str = NOTHING
    linking: tuple[str, ...] = ()
    """Words of which one has to follow the first: PRESS TO, ACT FOR."""
    other: tuple[str, str] = ("", "")
    """A word behind the first that makes it another command: PRESS MODE."""
    numbered: str = ""
    """Which command it is where nothing but a number follows: WITHDRAW 7."""
    body: str = ""
    needs: str = ""
    """What a game has to have for it: without that its words are orders like any."""
    whole: bool = False
    """Whether it has to be written in full."""
    who: str = EVERYONE
    owner_only: bool = False
    """Whether a substitute, who plays but does not own the seat, may not give it."""
    irrevocable: bool = False
    """Whether it cannot be taken back: in a doubtful letter it is then held."""
    never_freed: bool = False
    """Whether CONFIRM does not carry it out: it is written anew, from the right address and with the token."""
    waits_for_dice: bool = False
    """Whether it cannot be done while dice wait for their round."""
    listed: bool = True
    """Whether the overview of HELP shows it; a page of its own it has in any case."""


_STANDING_STARTS = ("when ", "whenever ", "quand ", "lorsque ", "ask me ", "demander ", "demande")
_PRESS = ("press", "de la presse")
_END_OF_BODY = re.compile(
    r"\s*+(?:end|fin)[\s_-]*+(?:(?:of|de|du|des)[\s_-]*+)?"
    r"(?:presse?|message|announcement|annonce|courrier)\s*+\.?\s*+\Z",
    re.IGNORECASE,
)
_LONGEST_BODY = 400


class OrderLine(msgspec.Struct, frozen=True):
    """A line that is no command: an order, or so we hope. In a trial nothing of it is carried out."""

    text: str
    trial: bool = False
    also: Command | None = None
    """The command that the line could be as well; the order goes first."""


class Parts(msgspec.Struct, frozen=True):
    """A letter taken apart, in the order of its lines."""

    items: tuple[Command | OrderLine, ...] = ()
    trial: bool = False
    """Whether the whole letter is a trial: its subject or its first line says CHECK and nothing else."""

    @property
    def commands(self) -> tuple[Command, ...]:
        """The commands."""
        return tuple(item for item in self.items if isinstance(item, Command))

    @property
    def orders(self) -> tuple[OrderLine, ...]:
        """The other lines."""
        return tuple(item for item in self.items if isinstance(item, OrderLine))


def _never(line: str) -> bool:
    return False


class CommandGrammar(Generic[Asked]):
    """The commands that there are, and how they are found in the lines of a letter."""

    def __init__(self, types: Sequence[CommandType[Asked]]) -> None:
        self.types = tuple(types)
        self._by_name = {one.name: one for one in self.types}
        self._by_word = {word: one for one in self.types for word in (*one.en, *one.fr)}
        self._words = list(self._by_word)
        self._beginning_with = lru_cache(maxsize=1024)(self._fitting)

    def type(self, name: str) -> CommandType[Asked]:
        """The command of that name. Raises KeyError."""
        return self._by_name[name]

    def command(self, line: str) -> Command | None:
        """The command that a line gives, if it gives one."""
        if len(line) > LONGEST_LINE:
            return None
        match = _WORD.match(line)
        if match is None:
            return None
        typed, colon, rest = match.groups()
        word = fold(typed)
        shouted = bool(colon) or typed.isupper()
        if word == "des" and not shouted and typed.isascii() and rest:
            return None  # «des nouvelles ?» asks for no dice
        if word == "mode" and not fold(rest).startswith(_PRESS):
            return None
        found = self._by_word.get(word)
        if found is None:
            candidates = self._beginning_with(word)
            if len(candidates) > 1 and not rest:
                names = tuple(one.name.upper() for one in candidates)
                params: dict[str, str | int | tuple[str, ...]] = {"text": clip(line), "candidates": names}
                return Command(
                    "", text=line, problem=Problem("ambiguous_command", kind=AMBIGUOUS, params=params)
                )
            if len(candidates) != 1:
                return None
            found = candidates[0]
        return self._with_argument(found, line, rest.strip(), shouted)

    def _fitting(self, word: str) -> tuple[CommandType[Asked], ...]:
        """The commands that a beginning of a word could mean, without those that are written in full."""
        if len(word) < _SHORTEST:
            return ()
        fitting = {
            one.name: one for key, one in self._by_word.items() if key.startswith(word) and not one.whole
        }
        return tuple(fitting.values())

    def _with_argument(
        self, found: CommandType[Asked], line: str, rest: str, shouted: bool
    ) -> Command | None:
        """The command with what follows it; None where the line reads rather like a sentence."""
        if found.numbered and re.match(NUMBER, rest):
            found = self._by_name[found.numbered]
        if found.linking:
            link, _, after = rest.partition(" ")
            if found.other[1] and fold(link) == found.other[0]:
                return self._with_argument(self._by_name[found.other[1]], line, after.strip(), shouted)
            if fold(link) not in found.linking:
                return _malformed(found, line, rest) if shouted or not rest else None
            # The colon ends the addressee of a message.
            rest = after.strip() if found.body == MESSAGE else after.strip(" :")
            if not rest.strip(" :"):
                return _malformed(found, line, rest)
        if re.match(found.argument, rest):
            return Command(found.name, rest, text=line)
        return _malformed(found, line, rest) if shouted or not rest else None

    def classify(
        self, line: str, parse_order: Callable[[str], bool] = _never, without: Collection[str] = ()
    ) -> Command | OrderLine:
        """Whether a line is a command or an order; `parse_order` says whether it is an order of an open question.

        `parse_order` should forgive nothing (`pbem.orders.parser.reads_exactly`), else a command might be taken
        for a mistyped order.
        """
        found = self.command(line)
        if found is None or self._is_missing(found, without):
            return OrderLine(line)
        return OrderLine(line, also=found) if parse_order(line) else found

    def _is_missing(self, item: Command, without: Collection[str]) -> bool:
        """Whether a game lacks what a command needs."""
        found = self._by_name.get(item.name)
        return found is not None and found.needs in without

    def nearest(self, line: str) -> str:
        """The command that the first word may be a mistyping of, in the language of that word; else nothing."""
        match = _WORD.match(line[:LONGEST_LINE])
        word = fold(match[1]) if match else ""
        if tolerance(len(word)) == 0:
            return ""
        best = process.extractOne(word, self._words, scorer=OSA.distance, score_cutoff=tolerance(len(word)))
        return best[0].upper() if best else ""

    def split(
        self,
        lines: Sequence[str],
        parse_order: Callable[[str], bool] = _never,
        parse_standing: Callable[[str], bool] = _never,
        *,
        trial: bool = False,
        without: Collection[str] = (),
    ) -> Parts:
        """A letter's lines taken apart; `trial` when its subject already says CHECK; `without`: what the game lacks."""
        items: list[Command | OrderLine] = []
        whole = trial
        at = 0
        while at < len(lines):
            line = lines[at].strip()
            at += 1
            if not line:
                continue
            item = self.classify(line, parse_order, without)
            if isinstance(item, OrderLine):
                items.append(OrderLine(line, trial, item.also))
                continue
            if item.problem is None and item.name == "check" and not item.argument:
                trial = True
                whole = whole or not items
            found = self._by_name.get(item.name)
            # A message without addressee is not sent, and its text is not taken for orders either.
            if found is not None and found.body and (item.problem is None or _is_addressed(found)):
                body, at = self._body(found, item, lines, at, parse_order, parse_standing)
                item = msgspec.structs.replace(item, lines=body)
                if item.problem is None:
                    item = _addressed(found, item)
            items.append(msgspec.structs.replace(item, trial=trial))
        return Parts(tuple(items), whole)

    def _body(
        self,
        found: CommandType[Asked],
        item: Command,
        lines: Sequence[str],
        at: int,
        parse_order: Callable[[str], bool],
        parse_standing: Callable[[str], bool],
    ) -> _Body:
        """The lines below that belong to a command, and where the letter goes on."""
        if found.body == MESSAGE:
            return self._text_body(lines, at, parse_order)
        if found.body == CLAUSES:
            # Where something stands behind the colon nothing below belongs to it: orders are never sent to others.
            if item.argument.partition(":")[2].strip() or not item.argument.rstrip().endswith(":"):
                return (), at
            return _paragraph(lines, at, lambda line: parse_order(line) or self._certainly(line))
        if found.body == ORDERS_BELOW:
            return _paragraph(
                lines, at, lambda line: not parse_order(line) and self.command(line) is not None
            )
        return self._standing_body(item, lines, at, parse_standing)

    def _standing_body(
        self, item: Command, lines: Sequence[str], at: int, parse_standing: Callable[[str], bool]
    ) -> _Body:
        """The lines up to the next empty line or command; a bare STANDING may have one empty line below it."""

        def standing(line: str) -> bool:
            return fold(line).startswith(_STANDING_STARTS) or parse_standing(line)

        if standing_cleared(item) is not None:
            return (), at
        if item.argument:
            return _paragraph(lines, at, lambda line: not standing(line))
        following = at
        while following < len(lines) and not lines[following].strip():
            following += 1
        if following > at and following < len(lines):
            if not standing(lines[following].strip()):
                return (), at
            at = following
        return _paragraph(lines, at, lambda line: not standing(line) and self.command(line) is not None)

    def _text_body(self, lines: Sequence[str], at: int, parse_order: Callable[[str], bool]) -> _Body:
        """A message up to END PRESS; without it, up to an empty line, a command or an order.

        Better to cut a message short, which its writer is told, than to mail somebody's orders to the enemy.
        """
        for end in range(at, min(len(lines), at + _LONGEST_BODY)):
            if len(lines[end]) <= LONGEST_LINE and _END_OF_BODY.match(lines[end]):
                return tuple(line.rstrip() for line in lines[at:end]), end + 1
        return _paragraph(lines, at, lambda line: parse_order(line) or self._certainly(line))

    def _certainly(self, line: str) -> bool:
        """Whether a line inside a message is a command after all: written large and in full."""
        match = _WORD.match(line)
        return match is not None and match[1].isupper() and fold(match[1]) in self._by_word


_Body = tuple[tuple[str, ...], int]


def _malformed(found: CommandType[Asked], line: str, rest: str) -> Command:
    params: dict[str, str | int | tuple[str, ...]] = {
        "text": clip(line),
        "word": clip(rest),
        "command": found.name.upper(),
    }
    return Command(found.name, text=line, problem=Problem("command_argument", kind=UNREADABLE, params=params))


def _paragraph(lines: Sequence[str], at: int, stops: Callable[[str], bool]) -> _Body:
    body: list[str] = []
    while at < len(lines) and lines[at].strip() and not stops(lines[at].strip()):
        body.append(lines[at].strip())
        at += 1
    return tuple(body), at


def _is_addressed(found: CommandType[Asked]) -> bool:
    """Whether it is a message to somebody."""
    return found.body == MESSAGE and bool(found.linking)


def _addressed(found: CommandType[Asked], item: Command) -> Command:
    """The command with only its addressee as argument; what else stands on its line goes before its lines."""
    if found.body == STANDING_LINES:
        to, text = (item.argument, "") if standing_cleared(item) is not None else ("", item.argument)
    elif not found.linking and found.body != CLAUSES:
        to, text = "", item.argument
    else:
        to, colon, text = item.argument.partition(":")
        if not colon and found.body == ORDERS_BELOW:
            to, _, text = item.argument.partition(" ")
    lines = (text.strip(), *item.lines) if text.strip() else item.lines
    return msgspec.structs.replace(item, argument=to.strip(), lines=lines)


def standing_cleared(item: Command) -> int | None:
    """For STANDING CLEAR [n]: the number of the one to clear, 0 for all; None for another STANDING."""
    match = re.fullmatch(r"(?:clear|annuler|effacer)(?:\s+\[?#?(\d{1,4})\]?)?", fold(item.argument.strip()))
    return None if match is None else int(match[1] or 0)
