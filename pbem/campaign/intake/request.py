"""What a seat's letter is read against: who writes, and the game as he may know it; and what comes of the letter."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from pbem.campaign.intake.letter_result import LetterResult
from pbem.campaign.intake.sections import Heads
from pbem.campaign.outgoing import report
from pbem.campaign.outgoing.dispatch import Note
from pbem.campaign.table.tables import Live
from pbem.kernel.order import Order
from pbem.kernel.problem import Problem
from pbem.kernel.question import Question
from pbem.letters.posted import board_of
from pbem.orders.commands import CommandGrammar, CommandType
from pbem.orders.parser import parse_standing, reads_exactly
from pbem.orders.reading import Reading, read_answer
from pbem.reports.catalogue import Catalogue, catalogue
from pbem.reports.report import REFUSED, Line
from pbem.store.store import Store


class Request:
    """A letter of one seat, for whatever answers it. Nothing here changes a game."""

    def __init__(
        self,
        store: Store,
        live: Live,
        seat: str,
        now: datetime,
        commands: CommandGrammar[Request],
        *,
        lang: str = "",
    ) -> None:
        self.store = store
        self.live = live
        self.seat = seat
        self.now = now
        self.commands = commands
        """Everything that can be asked for."""
        self.viewer = seat if seat in live.seats else None
        """Whose view it is: nobody's, of somebody without a seat at the table."""
        self.rules = live.rules
        row = live.people.get(seat)
        forum = row is not None and bool(board_of(row.address))
        self.words: Catalogue = catalogue(lang or live.people[seat].lang, live.rules, forum)
        self.result = LetterResult()
        self.digest = ""
        """Of the letter that is read."""
        self.stands_in = False
        """Whether the letter is the substitute's, who plays but does not own the seat."""
        self.trying = False
        """Whether the present command is only looked at."""
        self.freed = False
        """Whether the letter was held for its origin, and its player has said that it is his."""
        self._exact: dict[tuple[type[Question[Any]], str], bool] = {}
        """Which lines read as orders of which questions, as far as that was looked at."""
        self._heads: dict[tuple[str, ...], Heads] = {}

    @property
    def reader(self) -> report.Reader:
        """Whom the answer is for."""
        row = self.live.people.get(self.seat)
        return (
            report.reader_of(row, self.words.lang) if row is not None else report.Reader("", "", "en", "host")
        )

    def open_questions(self) -> list[Question[Any]]:
        """What the seat is asked now."""
        return [] if self.live.over else self.live.open_to(self.seat)

    def is_order(self, line: str) -> bool:
        """Whether a line is exactly an order of an open question."""
        return any(self.reads(type(question), line) for question in self.open_questions())

    def heads(self, questions: Sequence[Question[Any]]) -> Heads:
        """The heads that can stand above the lines for several open questions."""
        keys = tuple(question.key for question in questions)
        if keys not in self._heads:
            self._heads[keys] = Heads(questions, self.rules.vocabulary, self.rules.questions)
        return self._heads[keys]

    def is_head(self, line: str) -> bool:
        """Whether a line says which question the lines below it answer."""
        return self.heads(self.open_questions()).read(line) is not None

    def is_standing(self, line: str) -> bool:
        """Whether a line is a standing order."""
        return isinstance(self.standing_order(line), Order)

    def standing_order(self, line: str) -> Order | list[Problem]:
        """The standing order that a line is, or what is wrong with it."""
        rules = self.rules
        return parse_standing(
            line,
            rules.standing,
            rules.vocabulary,
            rules.questions,
            lang=self.words.lang,
            own=rules.owned(self.live.game.view(self.seat), self.seat),
        )

    def reads(self, question: type[Question[Any]], line: str) -> bool:
        """Whether a line is exactly an order of that kind of question."""
        found = self._exact.get((question, line))
        if found is None:
            found = self._exact[question, line] = reads_exactly(line, question.orders, self.rules.vocabulary)
        return found

    def read(self, question: Question[Any], lines: list[str]) -> Reading:
        """The lines as an answer to a question, whatever is wrong with them."""
        view, rules = self.live.game.view(self.seat), self.rules
        others = tuple(kind for kind in rules.orders if kind not in question.orders)
        return read_answer(
            lines,
            question,
            view,
            rules.vocabulary,
            lang=self.words.lang,
            others=others,
            own=rules.owned(view, self.seat),
            called=rules.seen(view, self.seat),
            strict=self.live.person(self.seat).strict,
        )

    def note(self, code: str, **params: str | int) -> None:
        """Something to be said in the answer."""
        self.result.notes.append(Note(code, params))

    def refuse(self, text: str, note: Note) -> None:
        """Answer that a command is not carried out, with the reason."""
        self.result.replies.append(Line(text, REFUSED, under=(report.note_text(self.words, note),)))

    def refused(self, text: str, problems: Sequence[Problem]) -> Line:
        """A line of the letter with what is wrong with it."""
        return Line(text, REFUSED, under=tuple(self.words.problem(problem) for problem in problems))


Declaration = CommandType[Request]
"""A command of a campaign: its handler is given the request."""
