"""What is not carried out of a letter that may hold more than its writer's own words.

Where something looks like the head of a quotation that nobody knows, nothing from there on is used. There, and where
a letter has lines that cannot be read, commands that cannot be taken back are held until their player confirms them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pbem.campaign.outgoing.dispatch import Note
from pbem.campaign.table.tables import MASTER_ROLE
from pbem.kernel.problem import UNREADABLE
from pbem.orders.commands import Command, OrderLine, command, nearest_command, spec, split
from pbem.orders.courtesy import courteous, signature
from pbem.orders.words import clip

if TYPE_CHECKING:
    from pbem.campaign.intake.seat_letter import Errands

AGREEMENT_COMMANDS = ("propose", "sign", "unsign", "denounce")
"""What only a game with agreements knows."""
IRREVOCABLE = frozenset(
    (
        "resign",
        "vote",
        "press",
        "absent",
        "substitute",
        "address",
        "newtoken",
        "leave",
        "object",
        *AGREEMENT_COMMANDS,
    )
)
"""And whatever a game master does."""
_MOST_LOOKED_AT = 30
_MOST_NAMED = 10


def irrevocable(item: Command) -> bool:
    """Whether a command cannot be taken back."""
    return item.problem is None and (item.name in IRREVOCABLE or spec(item.name).master)


class Doubts:
    """A letter's lines, with what is left out of them and what is held."""

    def __init__(
        self, errands: Errands, lines: Sequence[str], place: int | None, names: Sequence[str]
    ) -> None:
        self._errands = errands
        self._names = names
        self.notes: list[Note] = []
        lines = self._unsigned(lines)
        sure = lines if place is None else lines[:place]
        without = () if errands.rules.agreements is not None else AGREEMENT_COMMANDS
        self.parts = split(sure, errands._is_order, errands._is_standing, without=without)
        whole = self.parts
        if len(sure) != len(lines):
            whole = split(lines, errands._is_order, errands._is_standing, without=without)
        master = errands.live.person(errands.seat).role == MASTER_ROLE
        self.irrevocable = tuple(
            item for item in whole.commands if irrevocable(item) and (master or not spec(item.name).master)
        )
        """The commands that are held, if any are."""
        self.orders = tuple(
            item
            for item in self.parts.orders
            if errands._is_order(item.text) or errands.is_head(item.text) or not courteous(item.text, names)
        )
        doubtful = place is not None or (bool(self.irrevocable) and self._unread())
        self.held = "; ".join(_short(item) for item in self.irrevocable[:_MOST_NAMED]) if doubtful else ""
        self._first = self.parts.items[0] if self.parts.items else None
        self._doubtful = doubtful
        left = [line for line in lines[len(sure) :] if line.strip()]
        if left:
            self.notes.append(Note("doubtful_from", {"line": clip(left[0])}))

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
        signed = range(0) if any(map(_begins_message, lines)) else signature(lines, self._meant)
        for at in signed:
            if lines[at].strip() and not courteous(lines[at], self._names):
                self.notes.append(Note("signature", {"line": clip(lines[at])}))
        # Empty lines stay: they end messages, and keep the place of a doubt.
        return ["" if at in signed else line for at, line in enumerate(lines)]

    def _meant(self, line: str) -> bool:
        """Whether a line could mean something: an order, a command, or one of the two mistyped."""
        errands = self._errands
        if any(errands._reads(kind, line) for kind in errands.rules.questions):
            return True
        if command(line) is not None or nearest_command(line) or not any(map(str.isalpha, line)):
            return True
        return self._nearly(line)

    def _nearly(self, line: str) -> bool:
        """Whether a line reads as an order of an open question once errors are forgiven, or is near one."""
        errands = self._errands
        for question in errands._open():
            for read in errands._read(question, [line]).lines:
                if not read.problems or any(p.kind != UNREADABLE or p.nearest for p in read.problems):
                    return True
        return False

    def _unread(self) -> bool:
        """Whether the letter has lines that say nothing to us."""
        return any(self._says_nothing(item) for item in self.orders[:_MOST_LOOKED_AT])

    def _says_nothing(self, item: OrderLine) -> bool:
        errands = self._errands
        if errands.is_head(item.text):
            return False
        if item.also is not None or any(errands._reads(kind, item.text) for kind in errands.rules.questions):
            return False
        return not self._nearly(item.text)


def _begins_message(line: str) -> bool:
    item = command(line)
    return item is not None and item.name in ("press", "announce")


def _short(item: Command) -> str:
    return clip(" ".join((item.text, *item.lines[:1])) if item.lines else item.text)
