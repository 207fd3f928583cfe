"""A letter's order lines, read into answers: which line answers which question, and whether they can stand.

The orders for one question stand together or not at all. Nothing here changes a game: answers go into the outcome.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from pbem.campaign.intake.request import Request
from pbem.campaign.intake.sections import head_of
from pbem.campaign.outgoing import report
from pbem.campaign.outgoing.dispatch import Dispatch, Note
from pbem.campaign.table.tables import Readings
from pbem.kernel.event import Event
from pbem.kernel.game import LETTER, ONLY, STANDING, Given
from pbem.kernel.order import Answer, Order, answer_from_data, answer_to_data
from pbem.kernel.problem import UNREADABLE, Problem
from pbem.kernel.question import Question
from pbem.letters.letter import Letter
from pbem.orders.commands import OrderLine
from pbem.orders.courtesy import courteous
from pbem.orders.nearest import nearest
from pbem.orders.reading import ALIKE, LOOSELY, Reading, assent, menu_numbers
from pbem.orders.words import clip
from pbem.reports.report import PLAIN, TAKEN, TRIAL, Line, Section

if TYPE_CHECKING:
    from pbem.campaign.table.transaction import Turn

MOST_LISTED = 50
MOST_NAMED = 4
MOST_WAYS = 6
MOST_SHOWN = 160
_BARE_NUMBERS = re.compile(r"[\[\]#\s,;.x×-]*+\d[\[\]#\d\s,;.x×-]*+", re.IGNORECASE)


class OrderLines:
    """Reads the order lines of a request into answers."""

    def __init__(self, request: Request) -> None:
        self._request = request
        self._result = request.result
        self._live = request.live
        self._rules = request.rules
        self._words = request.words
        self._seat = request.seat

    def chosen(self, lines: Sequence[OrderLine]) -> bool:
        """Whether the letter says which of the readings is meant that its writer was shown; it is then taken."""
        shown = self._live.affairs.readings.get(self._seat)
        question = next(
            (one for one in self._request.open_questions() if shown and one.key == shown.key), None
        )
        if shown is None or question is None or self._live.affairs.paused:
            return False
        picks = [n for line in lines if (n := assent(line.text, shown.first, len(shown.ways))) is not None]
        others = [
            line
            for line in lines
            if assent(line.text, shown.first, len(shown.ways)) is None and not courteous(line.text)
        ]
        if len(picks) != 1 or others:
            return False
        orders = answer_from_data(shown.ways[picks[0]], self._rules.orders)
        self._answer(question, [self._words.order(order) for order in orders], trial=self._result.trial)
        return True

    def _forget_readings(self, turn: Turn) -> None:
        turn.live.affairs.readings.pop(self._seat, None)

    def _show_readings(self, question: Question[Any], reading: Reading) -> None:
        """The ways to read the whole letter that could stand, numbered behind the menu; remembered until the next."""
        view = self._live.game.view(self._seat)
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
            self._result.replies.append(
                Line(f"[{n}] " + "; ".join(self._words.order(order) for order in way))
            )
        code = "reading_one" if len(ways) == 1 else "reading_several"
        self._result.notes.append(Note(code, {"n": first}))
        kept = Readings(question.key, first, [answer_to_data(way) for way in ways])
        self._result.changes.append(lambda turn: turn.live.affairs.readings.__setitem__(self._seat, kept))

    def forms(self, letter: Letter) -> list[tuple[str, tuple[str, ...]]]:
        """The edited forms of open questions; what is stale or of another game is named and left."""
        found = []
        keys = {question.key for question in self._request.open_questions()}
        for form in letter.forms:
            if form.game != self._live.id:
                self._result.notes.append(Note("other_form", {"game": form.game}))
            elif not form.edited:
                continue
            elif form.key not in keys:
                self._result.notes.append(Note("stale_form", {"key": form.key}))
            else:
                found.append((form.key, form.lines))
        return found

    def stands(self, lines: list[str], doubtful: str) -> Order | None:
        """The order that a doubtful line is, if the lines can stand with it as an order."""
        view = self._live.game.view(self._seat)
        for question in self._request.open_questions():
            if not self._request.reads(type(question), doubtful):
                continue
            reading = self._request.read(question, lines)
            if reading.orders and not reading.problems and not question.check(view, reading.orders):
                return self._request.read(question, [doubtful]).orders[0]
        return None

    def overtaken(self, orders: Sequence[OrderLine], letter: Letter) -> bool:
        """Whether numbers among the lines belong to one of our letters whose list is not the present one any more."""
        if not letter.in_reply_to or not any(_BARE_NUMBERS.fullmatch(item.text) for item in orders):
            return False
        said = self._request.store.letter_of_ours(letter.in_reply_to, self._live.id, self._seat)
        if said is None:
            return False
        game = self._live.game
        then = msgspec.json.decode(said, type=Dispatch).answers
        return then < game.answers and any(
            row.seat == self._seat and row.origin not in (ONLY, STANDING) and row.key not in game.questions
            for row in self._request.store.answers(self._live.id, after=then)
        )

    def read(
        self,
        lines: list[OrderLine],
        forms: Sequence[tuple[str, tuple[str, ...]]] = (),
        *,
        trial: bool = False,
    ) -> None:
        """Order lines and forms as answers to the open questions."""
        if not lines and not forms:
            return
        if self._live.over:
            self._result.notes.append(Note("game_over"))
            return
        if self._live.affairs.paused and not trial:
            self._result.notes.append(Note("paused_no_orders"))
            return
        questions = self._request.open_questions()
        if not questions:
            self._nothing_open(lines)
            return
        assigned = self._assign([line.text for line in lines], dict(forms), questions)
        for question in questions:
            written = assigned.get(question.key)
            if written:
                self._answer(question, written, trial=trial)
        if self._result.later and not self._result.givens:
            self._nothing_open([OrderLine(line) for line in self._result.later])
            self._result.later = []

    def _nothing_open(self, lines: list[OrderLine]) -> None:
        if self._live.affairs.awaited is not None:
            self._result.notes.append(Note("awaiting_busy"))
            return
        shown = "; ".join(clip(line.text) for line in lines[:5])
        kinds = {line.text: self._belongs(line.text) for line in lines}
        others = [line.text for line in lines if not kinds[line.text]]
        suggestion = next((name for text in others if (name := self._request.commands.nearest(text))), "")
        if self._request.open_questions() and not others:
            named = dict.fromkeys(name for names in kinds.values() for name in names)
            told = ", ".join(named) if len(named) <= MOST_NAMED else ""
            params: dict[str, str | int] = {"lines": shown, "questions": told}
            self._result.notes.append(Note("other_decision", params))
        else:
            self._result.notes.append(Note("nothing_open", {"lines": shown}))
        if suggestion:
            self._result.notes.append(Note("did_you_mean", {"command": suggestion}))

    def _belongs(self, line: str) -> list[str]:
        """The names of the decisions, open or not, that a line is an order for."""
        kinds = [kind for kind in self._rules.questions if self._request.reads(kind, line)]
        return [self._words.vocabulary.say("question", kind.kind(), self._words.lang) for kind in kinds]

    def _assign(
        self, lines: list[str], forms: dict[str, tuple[str, ...]], questions: list[Question[Any]]
    ) -> dict[str, list[str]]:
        """Which lines answer which question: forms say so themselves, other lines go where they can be read."""
        assigned: dict[str, list[str]] = {key: list(form) for key, form in forms.items()}
        first = next((q.key for q in questions if q.key not in forms), questions[0].key)
        free: dict[str, list[str]] = {}
        unclear: list[str] = []
        doubtful: set[str] = set()
        for line, among, headed in self._request.heads(questions).place(lines):
            if not among:
                self._request.note("section_nothing", line=clip(line))
                continue
            fitting = [q for q in among if self._request.reads(type(q), line)]
            if not fitting and any(self._request.reads(kind, line) for kind in self._rules.questions):
                self._result.later.append(line)
                continue
            candidates = self._candidates(line, fitting, [q for q in among if headed or q.key not in forms])
            if len(candidates) > 1:
                unclear.append(line)
                doubtful |= {q.key for q in candidates}
                continue
            key = candidates[0].key if candidates else fitting[0].key if fitting else among[0].key
            free.setdefault(first if not headed and not candidates and not fitting else key, []).append(line)
        if unclear:
            self._ask_which(unclear, [q for q in questions if q.key in doubtful])
            free = {key: written for key, written in free.items() if key not in doubtful}
        for question in questions:
            written = free.get(question.key, [])
            if question.key not in forms or not written:
                continue
            shown: dict[str, str | int] = {"lines": "; ".join(map(clip, written[:5]))}
            if self._request.read(question, written).orders:
                self._result.notes.append(Note("instead_of_form", shown))
            else:
                self._result.notes.append(Note("beside_form", shown))
                del free[question.key]
        return assigned | free

    def _candidates(
        self, line: str, fitting: Sequence[Question[Any]], among: Sequence[Question[Any]]
    ) -> Sequence[Question[Any]]:
        """The questions that a line may answer, where nothing but its own words says which; none: see what is wrong."""
        if not any(q.about for q in among):
            return fitting[:1]
        if len(among) == 1:
            return among
        view = self._live.game.view(self._seat)
        legal = []
        for question in fitting or among:
            reading = self._request.read(question, [line])
            if reading.orders and not reading.problems and not question.check(view, reading.orders):
                legal.append(question)
        return legal

    def _ask_which(self, lines: Sequence[str], questions: Sequence[Question[Any]]) -> None:
        """A line could be for several: its writer says for which, and nothing of what is doubtful is taken."""
        heads = [head_of(q, self._rules.vocabulary, self._words.lang) for q in questions]
        shown = "; ".join(map(clip, lines[:5]))
        self._request.note("which_question", lines=shown, heads=" / ".join(heads))

    def follow_up(self) -> bool:
        """Answer questions that the letter's own orders have raised with its later lines; whether any was."""
        outcome = self._result
        questions = [q for q in self._request.open_questions() if not self._live.game.answered(q.key)]
        lines, outcome.later, outcome.givens = outcome.later, [], []
        if not questions:
            outcome.later = lines
            return False
        for key, written in self._assign(lines, {}, questions).items():
            self._answer(next(q for q in questions if q.key == key), written, trial=False)
        return bool(outcome.givens)

    def _answer(self, question: Question[Any], lines: list[str], *, trial: bool) -> None:
        """The lines as an answer to one question: all of them stand, or none does."""
        game, words = self._live.game, self._words
        view = game.view(self._seat)
        reading = self._request.read(question, lines)
        if not reading.lines:
            return
        name = words.question_name(question)
        low, high = question.count(view)
        orders = reading.orders
        if trial and not reading.problems and self._rules.consult is not None:
            told = self._rules.consult(view, self._seat, orders)
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
            self._result.drafts[question.key] = [line.text for line in reading.lines]
        self._reply(reading, good=good, trial=trial)
        if wrong_count is not None:
            self._result.notes.append(wrong_count)
        if any(line.choices for line in reading.lines) and not trial:
            self._show_readings(question, reading)
        elif self._seat in self._live.affairs.readings:
            self._result.changes.append(self._forget_readings)
        if trial:
            code = "trial_good" if good else "trial_bad"
            self._result.notes = [note for note in self._result.notes if note.code != "trial"]
            self._result.notes += [Note(code, {"question": name}), Note("trial")]
            sound = orders if good else reading.beginning[:high]
            if good or (len(sound) >= max(1, low) and not question.check(view, sound)):
                # Of what stands before the first wrong line it is told all the same what it promises.
                self._forecast(view, sound)
        elif not good:
            code = "all_or_nothing" if reading.problems else "none_stands"
            self._result.notes.append(Note(code, {"question": name}))
        else:
            code = "sealed" if question.sealed else "taken"
            self._result.notes.append(Note(code, {"question": name, "key": question.key}))
            self._result.givens.append(Given(question.key, self._seat, orders, LETTER))

    def _forecast(self, view: Any, orders: Answer) -> None:
        """What the orders promise, from what the seat may know."""
        if self._rules.forecast is not None:
            self._tell(self._rules.forecast(view, self._seat, orders))

    def _tell(self, events: Sequence[Event]) -> None:
        lines = tuple(Line.of(self._words.event(event, self._seat)) for event in events)
        if lines:
            self._result.sections.append(Section(self._words.phrase("titles", "check"), lines))

    def _with_nearest(self, reading: Reading, menu: list[Order]) -> Reading:
        """Every problem with something legal beside it: what the rules named, else what looks most alike."""
        lines = []
        for line in reading.lines:
            alike = [order for order in menu if not line.orders or type(order) in map(type, line.orders)]
            close = LOOSELY if line.orders else ALIKE
            near = nearest(line.text, alike, self._rules.vocabulary, close) if line.problems else None
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
                    self._result.replies.append(self._refused_order(line.text, line.problems))
                continue
            if line.free and line.orders:
                self._result.replies.append(
                    Line(self._words.phrase("notes", "read_as", text=clip(line.text, MOST_SHOWN)))
                )
            mark = TRIAL if trial else TAKEN if good else PLAIN
            self._result.replies += [Line(self._words.order(order), mark) for order in line.orders]
        if listed > MOST_LISTED:
            self._result.notes.append(Note("problems_more", {"n": listed - MOST_LISTED}))

    def _refused_order(self, text: str, problems: Sequence[Problem]) -> Line:
        """An order that does not stand; perhaps it was to be a command."""
        line = self._request.refused(text, problems)
        lost = all(problem.kind == UNREADABLE and not problem.nearest for problem in problems)
        meant = self._request.commands.nearest(text) if lost else ""
        if not meant:
            return line
        hint = report.note_text(self._words, Note("did_you_mean", {"command": meant}))
        return msgspec.structs.replace(line, under=(*line.under, hint))
