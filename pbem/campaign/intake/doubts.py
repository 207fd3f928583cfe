"""What is not carried out of a letter that may hold more than its writer's own words.

Where something looks like the head of a quotation that nobody knows, nothing from there on is used. There, and where
a letter has lines that cannot be read, commands that cannot be taken back are held until their player confirms them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pbem.campaign.intake.request import Request
from pbem.campaign.outgoing.dispatch import Note
from pbem.campaign.table.tables import MASTER_ROLE
from pbem.kernel.problem import UNREADABLE
from pbem.orders.commands import MASTERS, MESSAGE, Command, OrderLine, Parts
from pbem.orders.courtesy import courteous, letterhead, signature
from pbem.orders.parser import mentions
from pbem.orders.words import clip

_MOST_LOOKED_AT = 30
_MOST_NAMED = 10
_MOST_QUOTED = 3
_CHOICE = re.compile(r"(?:[\[#]?\d{1,3}\]?(?:[\s,;.)]+|\Z))+|\[\d{1,3}\]\s.*", re.DOTALL)
"""A choice from a menu, by its number."""


class Doubts:
    """A letter's lines, with what is left out of them and what is held."""

    def __init__(
        self, request: Request, lines: Sequence[str], place: int | None, names: Sequence[str]
    ) -> None:
        self._request = request
        self._names = names
        self.notes: list[Note] = []
        self._guessed = False
        lines = self._unsigned(lines)
        sure = lines if place is None else lines[:place]
        self.parts = self._split(sure)
        whole = self.parts if len(sure) == len(lines) else self._split(lines)
        master = request.live.person(request.seat).role == MASTER_ROLE
        self.irrevocable = tuple(item for item in whole.commands if self._is_irrevocable(item, master))
        """The commands that are held, if any are."""
        self.orders = tuple(
            item
            for item in self.parts.orders
            if request.is_order(item.text) or request.is_head(item.text) or not courteous(item.text, names)
        )
        doubtful = place is not None or (bool(self.irrevocable) and (self._guessed or self._unread()))
        self.held = "; ".join(_short(item) for item in self.irrevocable[:_MOST_NAMED]) if doubtful else ""
        self._leave_what_follows()
        self._first = self.parts.items[0] if self.parts.items else None
        self._doubtful = doubtful
        left = [line for line in lines[len(sure) :] if line.strip()]
        if left:
            self.notes.append(Note("doubtful_from", {"line": clip(left[0])}))

    def _split(self, lines: Sequence[str]) -> Parts:
        request = self._request
        without = () if request.rules.agreements is not None else ("agreements",)
        return request.commands.split(lines, request.is_order, request.is_standing, without=without)

    def _is_irrevocable(self, item: Command, master: bool) -> bool:
        if item.problem is not None:
            return False
        found = self._request.commands.type(item.name)
        return found.irrevocable and (master or found.who != MASTERS)

    def holds(self, item: Command) -> bool:
        """Whether a command is not to be carried out now.

        CONFIRM stands in our own letters: in a doubtful letter it counts only as the first thing said.
        """
        if not self._doubtful:
            return False
        return item in self.irrevocable or (item.name == "confirm" and item is not self._first)

    def _unsigned(self, lines: Sequence[str]) -> list[str]:
        """The lines without their writer's name below them; he is told if that was a guess."""
        # A message goes as it was written, with its writer's name.
        message = any(map(self._begins_message, lines))
        signed = range(0) if message else signature(lines, self._meant, self._certain)
        if not message and len(signed) < 2:
            block = letterhead(lines, self._meant, self._certain, self._plain, self._names)
            self._guessed = any(not courteous(lines[at], self._names) for at in block if lines[at].strip())
            signed = max(signed, block, key=len)
        told = [lines[at] for at in signed if lines[at].strip() and not courteous(lines[at], self._names)]
        if told:
            self.notes.append(Note("signature", {"line": _some(told)}))
        # Empty lines stay: they end messages, and keep the place of a doubt.
        return ["" if at in signed else line for at, line in enumerate(lines)]

    def _leave_what_follows(self) -> None:
        """Lines behind the last order that say nothing to us stop no order: their writer is told of them."""
        last = len(self.orders)
        while (
            last and self._says_nothing(self.orders[last - 1]) and len(self.orders) - last < _MOST_LOOKED_AT
        ):
            last -= 1
        if 0 < last < len(self.orders):
            self.notes.append(
                Note("unread_behind", {"lines": _some([one.text for one in self.orders[last:]])})
            )
            self.orders = self.orders[:last]

    def _certain(self, line: str) -> bool:
        """Whether a line is an order or a command, and nothing else; there is something to read in it."""
        request = self._request
        if not line or courteous(line, self._names):
            return False
        if _CHOICE.fullmatch(line) or request.is_order(line) or request.is_head(line):
            return True
        item = request.commands.command(line)
        if item is not None and item.problem is None and (line.split()[0].isupper() or not item.argument):
            return True
        return any(
            bool(reading.orders) and not reading.problems
            for question in request.open_questions()
            for reading in (request.read(question, [line]),)
        )

    def _begins_message(self, line: str) -> bool:
        item = self._request.commands.command(line)
        return item is not None and item.name != "" and self._request.commands.type(item.name).body == MESSAGE

    def _meant(self, line: str) -> bool:
        """Whether a line could mean something: an order, a command, or one of the two mistyped."""
        request = self._request
        if any(request.reads(kind, line) for kind in request.rules.questions):
            return True
        if (
            request.commands.command(line) is not None
            or request.commands.nearest(line)
            or not any(map(str.isalpha, line))
        ):
            return True
        return self._nearly(line)

    def _plain(self, line: str) -> bool:
        """Whether a line has no word of an order or a command."""
        request = self._request
        return not (
            mentions(line, request.rules.orders, request.rules.vocabulary)
            or request.commands.command(line) is not None
            or request.commands.nearest(line)
        )

    def _nearly(self, line: str) -> bool:
        """Whether a line reads as an order of an open question once errors are forgiven, or is near one."""
        request = self._request
        for question in request.open_questions():
            for read in request.read(question, [line]).lines:
                if not read.problems or any(p.kind != UNREADABLE or p.nearest for p in read.problems):
                    return True
        return False

    def _unread(self) -> bool:
        """Whether the letter has lines that say nothing to us."""
        return any(self._says_nothing(item) for item in self.orders[:_MOST_LOOKED_AT])

    def _says_nothing(self, item: OrderLine) -> bool:
        request = self._request
        if request.is_head(item.text):
            return False
        if item.also is not None or any(request.reads(kind, item.text) for kind in request.rules.questions):
            return False
        return not self._nearly(item.text) and not mentions(
            item.text, request.rules.orders, request.rules.vocabulary
        )


def _some(lines: Sequence[str]) -> str:
    """The first of several lines, as they are quoted in an answer."""
    shown = " / ".join(clip(line.strip()) for line in lines[:_MOST_QUOTED])
    return f"{shown} / …" if len(lines) > _MOST_QUOTED else shown


def _short(item: Command) -> str:
    return clip(" ".join((item.text, *item.lines[:1])) if item.lines else item.text)
