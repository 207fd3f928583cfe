"""A letter's order lines, read into answers: which line answers which question, and whether they can stand.

The orders for one question stand together or not at all. Nothing here changes a game: answers go into the outcome.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

import msgspec

from pbem.campaign.intake.letter_result import Outcome
from pbem.campaign.outgoing import report
from pbem.campaign.outgoing.arrangements import words_of
from pbem.campaign.outgoing.dispatch import Dispatch, Note
from pbem.campaign.table.tables import Live, Readings
from pbem.kernel.event import Event
from pbem.kernel.game import LETTER, ONLY, STANDING, Given
from pbem.kernel.order import Answer, Order, answer_from_data, answer_to_data
from pbem.kernel.problem import UNREADABLE, Problem
from pbem.kernel.question import Question
from pbem.letters.letter import Letter
from pbem.orders.commands import OrderLine, nearest_command
from pbem.orders.courtesy import courteous
from pbem.orders.parser import nearest, parse_standing, reads_exactly
from pbem.orders.reading import ALIKE, LOOSELY, Reading, assent, menu_numbers, read_answer
from pbem.orders.words import clip
from pbem.reports.catalogue import Catalogue
from pbem.reports.report import PLAIN, REFUSED, TAKEN, TRIAL, Line, Section
from pbem.store.store import Store

if TYPE_CHECKING:
    from pbem.campaign.table.transaction import Turn

MOST_LISTED = 50
MOST_NAMED = 4
MOST_WAYS = 6
MOST_SHOWN = 160
_BARE_NUMBERS = re.compile(r"[\[\]#\d\s,;.x×-]*\d[\[\]#\d\s,;.x×-]*", re.IGNORECASE)


class Answering:
    """The order lines of one seat, read against the game as it stands."""

    def __init__(self, store: Store, live: Live, seat: str, now: datetime) -> None:
        self.store = store
        self.live = live
        self.seat = seat
        self.now = now
        self.eye = seat if seat in live.seats else None
        """Whose view it is: nobody's, of somebody without a seat at the table."""
        self.rules = live.rules
        self.words: Catalogue = words_of(live.people[seat], live.rules)
        self.outcome = Outcome()
        self._exact: dict[tuple[type[Question[Any]], str], bool] = {}
        """Which lines read as orders of which questions, as far as that was looked at."""

    def _open(self) -> list[Question[Any]]:
        return [] if self.live.over else self.live.open_to(self.seat)

    def _is_order(self, line: str) -> bool:
        return any(self._reads(type(question), line) for question in self._open())

    def _is_standing(self, line: str) -> bool:
        return isinstance(self.standing_order(line), Order)

    def standing_order(self, line: str) -> Order | list[Problem]:
        rules = self.rules
        return parse_standing(
            line,
            rules.standing,
            rules.vocabulary,
            rules.questions,
            lang=self.words.lang,
            own=rules.owned(self.live.game.view(self.seat), self.seat),
        )

    def _reads(self, question: type[Question[Any]], line: str) -> bool:
        found = self._exact.get((question, line))
        if found is None:
            found = self._exact[question, line] = reads_exactly(line, question.orders, self.rules.vocabulary)
        return found

    def _read(self, question: Question[Any], lines: list[str]) -> Reading:
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

    def chosen(self, lines: Sequence[OrderLine]) -> bool:
        """Whether the letter says which of the readings is meant that its writer was shown; it is then taken."""
        shown = self.live.affairs.readings.get(self.seat)
        question = next((one for one in self._open() if shown and one.key == shown.key), None)
        if shown is None or question is None or self.live.affairs.paused:
            return False
        picks = [n for line in lines if (n := assent(line.text, shown.first, len(shown.ways))) is not None]
        others = [
            line
            for line in lines
            if assent(line.text, shown.first, len(shown.ways)) is None and not courteous(line.text)
        ]
        if len(picks) != 1 or others:
            return False
        orders = answer_from_data(shown.ways[picks[0]], self.rules.orders)
        self._answer(question, [self.words.order(order) for order in orders], trial=self.outcome.trial)
        return True

    def _forget_readings(self, turn: Turn) -> None:
        turn.live.affairs.readings.pop(self.seat, None)

    def _show_readings(self, question: Question[Any], reading: Reading) -> None:
        """The ways to read the whole letter that could stand, numbered behind the menu; remembered until the next."""
        view = self.live.game.view(self.seat)
        low, high = question.count(view)
        ways: list[Answer] = [()]
        for line in reading.lines:
            parts = line.choices or (() if line.problems else (line.orders,))
            ways = [(*one, *part) for one in ways for part in parts][:MOST_WAYS]
        ways = [way for way in ways if way and low <= len(way) <= high and not question.check(view, way)]
        if not ways:
            return
        first = max(menu_numbers(question.menu(view)), default=0) + 1
        for n, way in enumerate(ways, first):
            self.outcome.replies.append(Line(f"[{n}] " + "; ".join(self.words.order(order) for order in way)))
        code = "reading_one" if len(ways) == 1 else "reading_several"
        self.outcome.notes.append(Note(code, {"n": first}))
        kept = Readings(question.key, first, [answer_to_data(way) for way in ways])
        self.outcome.deeds.append(lambda turn: turn.live.affairs.readings.__setitem__(self.seat, kept))

    def _forms(self, letter: Letter) -> list[tuple[str, tuple[str, ...]]]:
        """The edited forms of open questions; what is stale or of another game is named and left."""
        found = []
        keys = {question.key for question in self._open()}
        for form in letter.forms:
            if form.game != self.live.id:
                self.outcome.notes.append(Note("other_form", {"game": form.game}))
            elif not form.edited:
                continue
            elif form.key not in keys:
                self.outcome.notes.append(Note("stale_form", {"key": form.key}))
            else:
                found.append((form.key, form.lines))
        return found

    def _stands(self, lines: list[str], doubtful: str) -> Order | None:
        """The order that a doubtful line is, if the lines can stand with it as an order."""
        view = self.live.game.view(self.seat)
        for question in self._open():
            if not self._reads(type(question), doubtful):
                continue
            reading = self._read(question, lines)
            if reading.orders and not reading.problems and not question.check(view, reading.orders):
                return self._read(question, [doubtful]).orders[0]
        return None

    def overtaken(self, orders: Sequence[OrderLine], letter: Letter) -> bool:
        """Whether numbers among the lines belong to one of our letters whose list is not the present one any more."""
        if not letter.in_reply_to or not any(_BARE_NUMBERS.fullmatch(item.text) for item in orders):
            return False
        said = self.store.letter_of_ours(letter.in_reply_to, self.live.id, self.seat)
        if said is None:
            return False
        game = self.live.game
        then = msgspec.json.decode(said, type=Dispatch).answers
        return then < game.answers and any(
            row.seat == self.seat and row.origin not in (ONLY, STANDING) and row.key not in game.questions
            for row in self.store.answers(self.live.id, after=then)
        )

    def _orders(
        self, lines: list[OrderLine], forms: list[tuple[str, tuple[str, ...]]], *, trial: bool
    ) -> None:
        if not lines and not forms:
            return
        if self.live.over:
            self.outcome.notes.append(Note("game_over"))
            return
        if self.live.affairs.paused and not trial:
            self.outcome.notes.append(Note("paused_no_orders"))
            return
        questions = self._open()
        if not questions:
            self._nothing_open(lines)
            return
        assigned = self._assign([line.text for line in lines], dict(forms), questions)
        for question in questions:
            written = assigned.get(question.key)
            if written:
                self._answer(question, written, trial=trial)
        if self.outcome.later and not self.outcome.givens:
            self._nothing_open([OrderLine(line) for line in self.outcome.later])
            self.outcome.later = []

    def order_lines(self, lines: list[OrderLine]) -> None:
        """Lines as this seat's orders."""
        self._orders(lines, [], trial=False)

    def _nothing_open(self, lines: list[OrderLine]) -> None:
        if self.live.affairs.awaited is not None:
            self.outcome.notes.append(Note("awaiting_busy"))
            return
        shown = "; ".join(clip(line.text) for line in lines[:5])
        kinds = {line.text: self._belongs(line.text) for line in lines}
        others = [line.text for line in lines if not kinds[line.text]]
        suggestion = next((name for text in others if (name := nearest_command(text))), "")
        if self._open() and not others:
            named = dict.fromkeys(name for names in kinds.values() for name in names)
            told = ", ".join(named) if len(named) <= MOST_NAMED else ""
            params: dict[str, str | int] = {"lines": shown, "questions": told}
            self.outcome.notes.append(Note("other_decision", params))
        else:
            self.outcome.notes.append(Note("nothing_open", {"lines": shown}))
        if suggestion:
            self.outcome.notes.append(Note("did_you_mean", {"command": suggestion}))

    def _belongs(self, line: str) -> list[str]:
        """The names of the decisions, open or not, that a line is an order for."""
        kinds = [kind for kind in self.rules.questions if self._reads(kind, line)]
        return [self.words.vocabulary.say("question", kind.kind(), self.words.lang) for kind in kinds]

    def _assign(
        self, lines: list[str], forms: dict[str, tuple[str, ...]], questions: list[Question[Any]]
    ) -> dict[str, list[str]]:
        """Which lines answer which question: forms say so themselves, other lines go where they can be read."""
        assigned: dict[str, list[str]] = {key: list(form) for key, form in forms.items()}
        first = next((q.key for q in questions if q.key not in forms), questions[0].key)
        free: dict[str, list[str]] = {}
        for line in lines:
            fitting = [q for q in questions if self._reads(type(q), line)]
            if not fitting and any(self._reads(kind, line) for kind in self.rules.questions):
                self.outcome.later.append(line)
                continue
            key = fitting[0].key if len(questions) > 1 and fitting else first
            free.setdefault(key, []).append(line)
        for question in questions:
            written = free.get(question.key, [])
            if question.key not in forms or not written:
                continue
            shown: dict[str, str | int] = {"lines": "; ".join(map(clip, written[:5]))}
            if self._read(question, written).orders:
                self.outcome.notes.append(Note("instead_of_form", shown))
            else:
                self.outcome.notes.append(Note("beside_form", shown))
                del free[question.key]
        return assigned | free

    def follow_up(self) -> bool:
        """Answer questions that the letter's own orders have raised with its later lines; whether any was."""
        outcome = self.outcome
        questions = [q for q in self._open() if not self.live.game.answered(q.key)]
        lines, outcome.later, outcome.givens = outcome.later, [], []
        if not questions:
            outcome.later = lines
            return False
        for key, written in self._assign(lines, {}, questions).items():
            self._answer(next(q for q in questions if q.key == key), written, trial=False)
        return bool(outcome.givens)

    def _answer(self, question: Question[Any], lines: list[str], *, trial: bool) -> None:
        """The lines as an answer to one question: all of them stand, or none does."""
        game, words = self.live.game, self.words
        view = game.view(self.seat)
        reading = self._read(question, lines)
        if not reading.lines:
            return
        name = words.question_name(question)
        low, high = question.count(view)
        orders = reading.orders
        if trial and not reading.problems and self.rules.consult is not None:
            told = self.rules.consult(view, self.seat, orders)
            if told:
                self._reply(reading, good=True, trial=True)
                self._tell(told)
                return
        wrong_count = None
        if not reading.problems and not low <= len(orders) <= high:
            code = "incomplete" if len(orders) < low else "too_many"
            wrong_count = Note(code, {"question": name, "low": low, "high": high, "have": len(orders)})
        if reading.problems or wrong_count is not None:
            certain = reading.beginning[:high]
            found = question.check(view, certain) if certain else ()
            # What is said of the whole, or of what comes later, may be the fault of what is missing.
            reading = reading.checked(problem for problem in found if 0 <= problem.order < len(certain))
        else:
            reading = reading.checked(question.check(view, orders))
        if reading.problems:
            reading = self._with_nearest(reading, question.menu(view))
        good = not reading.problems and wrong_count is None
        if trial or not good:
            self.outcome.drafts[question.key] = [line.text for line in reading.lines]
        self._reply(reading, good=good, trial=trial)
        if wrong_count is not None:
            self.outcome.notes.append(wrong_count)
        if any(line.choices for line in reading.lines) and not trial:
            self._show_readings(question, reading)
        elif self.seat in self.live.affairs.readings:
            self.outcome.deeds.append(self._forget_readings)
        if trial:
            code = "trial_good" if good else "trial_bad"
            self.outcome.notes = [note for note in self.outcome.notes if note.code != "trial"]
            self.outcome.notes += [Note(code, {"question": name}), Note("trial")]
            sound = orders if good else reading.beginning[:high]
            if good or (len(sound) >= max(1, low) and not question.check(view, sound)):
                # Of what stands before the first wrong line it is told all the same what it promises.
                self._forecast(view, sound)
        elif not good:
            code = "all_or_nothing" if reading.problems else "none_stands"
            self.outcome.notes.append(Note(code, {"question": name}))
        else:
            code = "sealed" if question.sealed else "taken"
            self.outcome.notes.append(Note(code, {"question": name, "key": question.key}))
            self.outcome.givens.append(Given(question.key, self.seat, orders, LETTER))

    def _forecast(self, view: Any, orders: Answer) -> None:
        """What the orders promise, from what the seat may know."""
        if self.rules.forecast is not None:
            self._tell(self.rules.forecast(view, self.seat, orders))

    def _tell(self, events: Sequence[Event]) -> None:
        lines = tuple(Line.of(self.words.event(event, self.seat)) for event in events)
        if lines:
            self.outcome.sections.append(Section(self.words.phrase("titles", "check"), lines))

    def _with_nearest(self, reading: Reading, menu: list[Order]) -> Reading:
        """Every problem with something legal beside it: what the rules named, else what looks most alike."""
        lines = []
        for line in reading.lines:
            alike = [order for order in menu if not line.orders or type(order) in map(type, line.orders)]
            close = LOOSELY if line.orders else ALIKE
            near = nearest(line.text, alike, self.rules.vocabulary, close) if line.problems else None
            problems = tuple(
                msgspec.structs.replace(problem, nearest=(near,)) if near and not problem.nearest else problem
                for problem in line.problems
            )
            lines.append(msgspec.structs.replace(line, problems=problems))
        return Reading(tuple(lines))

    def _reply(self, reading: Reading, *, good: bool, trial: bool) -> None:
        listed = 0
        for line in reading.lines:
            if line.problems:
                listed += len(line.problems)
                if listed <= MOST_LISTED:
                    self.outcome.replies.append(self._refused_order(line.text, line.problems))
                continue
            if line.free and line.orders:
                self.outcome.replies.append(
                    Line(self.words.phrase("notes", "read_as", text=clip(line.text, MOST_SHOWN)))
                )
            mark = TRIAL if trial else TAKEN if good else PLAIN
            self.outcome.replies += [Line(self.words.order(order), mark) for order in line.orders]
        if listed > MOST_LISTED:
            self.outcome.notes.append(Note("problems_more", {"n": listed - MOST_LISTED}))

    def refuse(self, text: str, note: Note) -> Line:
        """A command that is not carried out, with the reason."""
        return Line(text, REFUSED, under=(report.note_text(self.words, note),))

    def _refused_order(self, text: str, problems: Sequence[Problem]) -> Line:
        """An order that does not stand; perhaps it was to be a command."""
        line = self.refused(text, problems)
        lost = all(problem.kind == UNREADABLE and not problem.nearest for problem in problems)
        meant = nearest_command(text) if lost else ""
        if not meant:
            return line
        hint = report.note_text(self.words, Note("did_you_mean", {"command": meant}))
        return msgspec.structs.replace(line, under=(*line.under, hint))

    def refused(self, text: str, problems: Sequence[Problem]) -> Line:
        return Line(text, REFUSED, under=tuple(self.words.problem(problem) for problem in problems))
