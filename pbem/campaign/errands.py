"""What a seat's letter asks for: commands carried out, order lines read into answers.

Nothing here changes a game. The outcome says what is to be changed and what is to be answered; the moderator
writes both down together. A failed line stops nothing but itself, except that the orders for one question stand
together or not at all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

import msgspec

from pbem.campaign import helping, life, writing
from pbem.campaign import live as tables
from pbem.campaign.couriers import PREFIX
from pbem.campaign.dispatch import Dispatch, Note
from pbem.campaign.live import MASTER_ROLE, Live
from pbem.campaign.rulebook import rulebook
from pbem.campaign.throws import explained
from pbem.dice import luck as fortune
from pbem.dice import readable
from pbem.kernel.event import Event, Told
from pbem.kernel.game import LETTER, ONLY, STANDING, WITHDRAWN, Given
from pbem.kernel.order import Answer, Order
from pbem.kernel.problem import UNREADABLE, Problem
from pbem.kernel.question import Question
from pbem.letters.letter import Letter
from pbem.orders.commands import Command, OrderLine, command, nearest_command, spec, split, standing_cleared
from pbem.orders.courtesy import courteous
from pbem.orders.parser import nearest, parse_standing, reads_exactly
from pbem.orders.reading import Reading, read_answer
from pbem.orders.words import clip
from pbem.reports.catalogue import Catalogue, catalogue
from pbem.reports.report import PLAIN, REFUSED, TAKEN, TRIAL, Line, Section
from pbem.store.store import Store

if TYPE_CHECKING:
    from pbem.campaign.turn import Turn

MOST_COMMANDS = 50
MOST_STANDING = 50
UNSAFE = frozenset({"truncated", "several-senders"})
"""Troubles that leave some of the text readable, but not safe to act upon."""
_BARE_NUMBERS = re.compile(r"[\[\]#\d\s,;.x×-]*\d[\[\]#\d\s,;.x×-]*", re.IGNORECASE)
_SALT = re.compile(r"\S[^\x00-\x1f]{0,79}")


@dataclass
class Outcome:
    """What a letter leads to."""

    replies: list[Line] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    sections: list[Section] = field(default_factory=list)
    givens: list[Given] = field(default_factory=list)
    drafts: dict[str, list[str]] = field(default_factory=dict)
    """What the player wrote for questions that stay open, by key: the next form begins with it."""
    later: list[str] = field(default_factory=list)
    """Lines that answer a question which only these orders will raise: a discard, a reveal."""
    standing: list[Order] | None = None
    salt: str = ""
    new_token: bool = False
    resigned: bool = False
    picture: bool = False
    picture_at: int = -1
    """After how many answers the picture shows the game; as it stands, if below zero."""
    dice: bool = False
    trial: bool = False
    resend: bool = False
    confirmed: int = 0
    """A held letter that this one vouches for."""
    wait: bool | None = None
    """WAIT or READY, where the letter says so."""
    deeds: list[Callable[[Turn], None]] = field(default_factory=list)
    """Whatever else is to be changed."""

    @property
    def empty(self) -> bool:
        """Whether nothing at all came of the letter."""
        return not (self.replies or self.notes or self.sections or self.givens or self.picture or self.resend)


class Errands:
    """A letter of one seat, read against the game as it stands."""

    def __init__(
        self,
        store: Store,
        live: Live,
        seat: str,
        now: datetime,
        requests: Mapping[str, Callable[[Errands, Command], None]] | None = None,
    ) -> None:
        self.store = store
        self.live = live
        self.seat = seat
        self.now = now
        self.requests = requests or {}
        """What can be asked for besides the play itself."""
        self.eye = seat if seat in live.seats else None
        """Whose view it is: nobody's, of somebody without a seat at the table."""
        self.rules = live.rules
        self.words: Catalogue = catalogue(live.people[seat].lang, live.rules)
        self.outcome = Outcome()
        self._exact: dict[tuple[type[Question], str], bool] = {}
        """Which lines read as orders of which questions, as far as that was looked at."""
        self.digest = ""
        """Of the letter that is read."""
        self.stands_in = False
        """Whether the letter is the substitute's, who plays but does not own the seat."""

    def run(self, letter: Letter) -> Outcome:
        """Everything that the letter asks for."""
        outcome = self.outcome
        self.digest = letter.digest
        self.stands_in = letter.sender == self.live.person(self.seat).substitute
        for trouble in letter.troubles:
            if trouble.code == "no-text":
                continue
            mark = REFUSED if trouble.blocking or trouble.code in UNSAFE else PLAIN
            outcome.replies.append(Line(trouble.text(self.words.lang), mark))
        if letter.blocked or any(trouble.code in UNSAFE for trouble in letter.troubles):
            return outcome
        lines = list(letter.lines)
        topic = command(letter.topic)
        if (
            topic is not None
            and topic.problem is None
            and (topic.name == "check" or not any(map(str.strip, lines)))
        ):
            lines.insert(0, letter.topic)
        parts = split(lines, self._is_order, self._is_standing)
        commands = parts.commands
        outcome.trial = parts.trial
        for item in commands[:MOST_COMMANDS]:
            self._command(item)
        if len(commands) > MOST_COMMANDS:
            outcome.notes.append(Note("too_many_lines", {"limit": MOST_COMMANDS}))
        names = (letter.sender_name, *(row.name for row in self.live.people.values()))
        orders = [
            item for item in parts.orders if self._is_order(item.text) or not courteous(item.text, names)
        ]
        orders = self._unequivocal(orders, letter)
        if any(_BARE_NUMBERS.fullmatch(item.text) for item in orders) and self._overtaken(letter):
            outcome.notes.append(Note("stale_numbers"))
            orders = []
        self._orders([item for item in orders if item.trial], [], trial=True)
        self._orders([item for item in orders if not item.trial], self._forms(letter), trial=parts.trial)
        if outcome.empty and not outcome.confirmed:
            outcome.notes.append(Note("empty_letter"))
        return outcome

    def _unequivocal(self, orders: list[OrderLine], letter: Letter) -> list[OrderLine]:
        """The order lines without those that mean a command: WAIT and READY, where a game has such an order too.

        As an order it counts only where it could stand; alone it could still mean both, and is asked about.
        """
        doubtful = [
            item for item in orders if item.also and item.also.name in ALSO_ORDERS and not item.also.argument
        ]
        if not doubtful or any(form.edited for form in letter.forms):
            return orders
        stands = self._stands([item.text for item in orders], doubtful[0].text)
        if stands is None:
            for item in doubtful:
                assert item.also is not None
                self._command(item.also)
            return [item for item in orders if item not in doubtful]
        if len(orders) > 1:
            return orders
        text = doubtful[0].text
        name = self.words.order(stands)
        moment = self.rules.moment(self.live.game.view(self.seat))
        params: dict[str, str | int] = {"text": clip(text), "order": name, "moment": moment}
        self.outcome.notes.append(Note("two_meanings", params))
        return []

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

    def _overtaken(self, letter: Letter) -> bool:
        """Whether the letter answers one of ours whose list of choices is not the present one any more."""
        said = (
            self.store.letter_of_ours(letter.in_reply_to, self.live.id, self.seat)
            if letter.in_reply_to
            else None
        )
        if said is None:
            return False
        game = self.live.game
        then = msgspec.json.decode(said, type=Dispatch).answers
        return then < game.answers and any(
            row.seat == self.seat and row.origin not in (ONLY, STANDING) and row.key not in game.questions
            for row in self.store.answers(self.live.id, after=then)
        )

    def _may(self, name: str) -> bool:
        """Whether whoever writes may give a command: players play, masters moderate, anyone may look."""
        role = self.live.person(self.seat).role
        if self.stands_in and name in OWNERS_ONLY:
            self.outcome.notes.append(Note("not_substitute", {"command": name.upper()}))
        elif spec(name).master and role != MASTER_ROLE:
            self.outcome.notes.append(Note("not_master", {"command": name.upper()}))
        elif role and name in PLAYERS_ONLY:
            self.outcome.notes.append(Note("not_seated", {"command": name.upper()}))
        else:
            return True
        return False

    def _open(self) -> list[Question]:
        return [] if self.live.over else self.live.open_to(self.seat)

    def _is_order(self, line: str) -> bool:
        return any(self._reads(type(question), line) for question in self._open())

    def _is_standing(self, line: str) -> bool:
        return isinstance(self._standing_order(line), Order)

    def _standing_order(self, line: str) -> Order | list[Problem]:
        rules = self.rules
        return parse_standing(line, rules.standing, rules.vocabulary, rules.questions, lang=self.words.lang)

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

    def _command(self, item: Command) -> None:
        if item.problem is not None:
            self.outcome.replies.append(self._refused(item.text, [item.problem]))
            return
        if not self._may(item.name):
            return
        carry_out: Callable[[Command], None] | None = getattr(self, f"_do_{item.name}", None)
        request = self.requests.get(item.name)
        if request is not None:
            request(self, item)
            return
        if carry_out is None:
            self.outcome.notes.append(Note("unknown_command", {"command": item.name.upper()}))
            return
        carry_out(item)

    def refuse(self, text: str, note: Note) -> Line:
        """A command that is not carried out, with the reason."""
        return Line(text, REFUSED, under=(writing.note_text(self.words, note),))

    def _refused_order(self, text: str, problems: Sequence[Problem]) -> Line:
        """An order that does not stand; perhaps it was to be a command."""
        line = self._refused(text, problems)
        lost = all(problem.kind == UNREADABLE and not problem.nearest for problem in problems)
        meant = nearest_command(text) if lost else ""
        if not meant:
            return line
        hint = writing.note_text(self.words, Note("did_you_mean", {"command": meant}))
        return msgspec.structs.replace(line, under=(*line.under, hint))

    def _refused(self, text: str, problems: Sequence[Problem]) -> Line:
        return Line(text, REFUSED, under=tuple(self.words.problem(problem) for problem in problems))

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
        suggestion = next((name for line in lines if (name := nearest_command(line.text))), "")
        self.outcome.notes.append(Note("nothing_open", {"lines": shown}))
        if suggestion:
            self.outcome.notes.append(Note("did_you_mean", {"command": suggestion}))

    def _assign(
        self, lines: list[str], forms: dict[str, tuple[str, ...]], questions: list[Question]
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

    def _reads(self, question: type[Question], line: str) -> bool:
        found = self._exact.get((question, line))
        if found is None:
            found = self._exact[question, line] = reads_exactly(line, question.orders, self.rules.vocabulary)
        return found

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

    def _read(self, question: Question, lines: list[str]) -> Reading:
        """The lines as an answer to a question, whatever is wrong with them."""
        view, rules = self.live.game.view(self.seat), self.rules
        others = tuple(kind for kind in rules.orders if kind not in question.orders)
        return read_answer(lines, question, view, rules.vocabulary, lang=self.words.lang, others=others)

    def _answer(self, question: Question, lines: list[str], *, trial: bool) -> None:
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
        if trial:
            code = "trial_good" if good else "trial_bad"
            self.outcome.notes = [note for note in self.outcome.notes if note.code != "trial"]
            self.outcome.notes += [Note(code, {"question": name}), Note("trial")]
            if good:
                self._forecast(view, orders)
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
        lines = tuple(Line(self.words.event(event, self.seat)) for event in events)
        if lines:
            self.outcome.sections.append(Section(self.words.phrase("titles", "check"), lines))

    def _with_nearest(self, reading: Reading, menu: list[Order]) -> Reading:
        """Every problem with something legal beside it: what the rules named, else what looks most alike."""
        lines = []
        for line in reading.lines:
            near = nearest(line.text, menu, self.rules.vocabulary) if line.problems else None
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
                if listed <= MOST_COMMANDS:
                    self.outcome.replies.append(self._refused_order(line.text, line.problems))
                continue
            mark = TRIAL if trial else TAKEN if good else PLAIN
            self.outcome.replies += [Line(self.words.order(order), mark) for order in line.orders]
        if listed > MOST_COMMANDS:
            self.outcome.notes.append(Note("problems_more", {"n": listed - MOST_COMMANDS}))

    def _do_check(self, item: Command) -> None:
        if not item.argument:
            return
        self._orders([OrderLine(item.argument, trial=True)], [], trial=True)

    def _do_orders(self, item: Command) -> None:
        """ORDERS only announces what follows."""

    def _do_status(self, item: Command) -> None:
        live = self.live
        if live.over:
            ended = writing.Position(
                live.id, live.scenario, live.game, resigned=live.affairs.resigned, agreed=live.affairs.agreed
            )
            self.outcome.sections.append(writing.outcome_section(self.words, ended))
        self.outcome.sections += [
            writing.status_section(self.words, self.rules, self.live.game, self.eye),
            writing.waiting_section(self.words, self.live.game, self.live.over),
            *life.status_sections(self.words, self.live),
        ]

    def _do_resend(self, item: Command) -> None:
        self.outcome.resend = self.outcome.picture = True
        self.outcome.notes.append(Note("resent"))

    def _do_dice(self, item: Command) -> None:
        draws = self.store.draws(self.live.id)
        note = Note(
            "dice_summary",
            {"steps": self.live.croupier.last_step, "draws": len(draws), "entries": self.live.last_entry.n},
        )
        lines = [Line(writing.note_text(self.words, note))]
        told = tables.told(self.store.events(self.live.id), self.rules.name)
        known = [item.event for item in told if item.known_to(self.seat)]
        luck = fortune.lines(
            [row.drawn() for row in draws if not row.label.startswith(PREFIX)],
            known,
            lang=self.words.lang,
            seat=self.words.seat,
            what=self._counted,
            secrets=self.live.over,
        )
        lines += [Line(line) for line in luck]
        self.outcome.sections.append(Section(self.words.phrase("titles", "dice"), tuple(lines)))
        self.outcome.dice = True

    def _by_hand(self, label: str) -> tuple[str, ...]:
        """How anyone can work one roll out for himself."""
        rolls = readable.battle(
            self.store.entries(self.live.id), label, lang=self.words.lang, file=f"{self.live.id}-log.jsonl"
        )
        found = next((roll for roll in rolls if roll.label == label), None)
        command = found.with_log if found else ""
        return (self.words.phrase("notes", "why_check", command=command),) if command else ()

    def _counted(self, what: str) -> str:
        """The name of what battles gave, in the game's own words."""
        return self.words.phrase("luck", what) if self.words.has("luck", what) else what

    def _do_why(self, item: Command) -> None:
        number = re.search(r"\d+", item.argument)
        if number is None:
            self.outcome.notes.append(Note("why_what"))
            return
        n = int(number[0])
        found = tables.told(self.store.events(self.live.id, n - 1, n), self.rules.name)
        if not found or not found[0].known_to(self.eye):
            self.outcome.notes.append(Note("no_such_event", {"n": n}))
            return
        if "d" in item.argument.lower():
            self._show_dice(found[0])
            return
        title = self.words.phrase("titles", "why", n=n)
        self.outcome.sections.append(Section(title, tuple(self._explain(found[0]))))

    def _show_dice(self, told: Told) -> None:
        """WHY d12: the rolls behind a line, each with the command that works it out by hand."""
        words, labels = self.words, told.event.draws
        reasons = explained(words, told.event, labels)
        rolls = [
            roll
            for label in labels
            for roll in readable.battle(
                self.store.entries(self.live.id),
                label,
                lang=words.lang,
                seat=words.seat,
                explained=reasons,
                file=f"{self.live.id}-log.jsonl",
            )
            if roll.label == label
        ]
        if not rolls:
            self.outcome.notes.append(Note("why_no_dice", {"n": told.n}))
            return
        lines = [words.event(told.event, self.seat), "", *readable.text(rolls, lang=words.lang)]
        title = words.phrase("titles", "why_dice", n=told.n)
        self.outcome.sections.append(Section(title, tuple(map(Line, lines)), plain=True))

    def _explain(self, told: Told) -> list[Line]:
        words, event = self.words, told.event
        lines = [Line(words.event(event, self.seat), n=told.n)]
        for modifier in event.modifiers:
            lines.append(Line(f"{modifier.value:+d}  {words.modifier(modifier)}"))
        book = rulebook(self.rules.name, words.lang)
        for number in re.findall(r"\d+(?:\.\d+)*", event.rule):
            lines.append(Line(words.phrase("notes", "why_rule", rule=number, text=book.quote(number))))
        if not event.rule:
            lines.append(Line(words.phrase("notes", "why_no_rule")))
        for label in event.draws:
            drawn = self.store.draw(self.live.id, label)
            if drawn is None:
                continue
            where = {
                "label": label,
                "step": drawn.step,
                "entry": self.store.result_entry(self.live.id, drawn.step),
            }
            if drawn.secret:
                lines.append(Line(words.phrase("notes", "why_secret", **where)))
            elif drawn.kind == "shuffle":
                lines.append(Line(words.phrase("notes", "why_shuffle", size=len(drawn.items), **where)))
            else:
                values = list(drawn.values)
                params = {"dice": len(values), "sides": drawn.sides, "values": values, **where}
                lines.append(Line(words.phrase("notes", "why_draw", **params), under=self._by_hand(label)))
        return lines

    def read_standing(self, line: str) -> Order | None:
        """A standing order as it is written; what cannot be read is answered with why."""
        read = self._standing_order(line)
        if isinstance(read, Order):
            return read
        self.outcome.replies.append(self._refused(line, read))
        return None

    def standing(self, item: Command) -> None:
        """STANDING: shows, sets or clears standing orders."""
        current = list(self.live.standing.get(self.seat, ()))
        cleared = standing_cleared(item)
        if cleared is not None:
            self._clear_standing(current, cleared)
        elif item.lines or item.argument:
            self._set_standing(current, list(item.lines) or [item.argument])
        else:
            if not current:
                self.outcome.notes.append(Note("standing_none"))
            lines = [Line(f"{n}. {self.words.order(order)}") for n, order in enumerate(current, 1)]
            for order in self.rules.defaults:
                text = self.words.order(order)
                lines.append(Line(self.words.phrase("words", "standing_default", text=text)))
            self.outcome.sections.append(
                Section(self.words.phrase("titles", "standing_orders"), tuple(lines))
            )

    def _clear_standing(self, current: list[Order], number: int) -> None:
        if number == 0:
            self.outcome.standing = []
            self.outcome.notes.append(Note("standing_cleared"))
        elif number > len(current):
            self.outcome.notes.append(Note("standing_no_such", {"n": number}))
        else:
            self.outcome.standing = current[: number - 1] + current[number:]
            self.outcome.notes.append(Note("standing_cleared_one", {"n": number}))

    def _set_standing(self, current: list[Order], lines: list[str]) -> None:
        """All of them, or none; one of the game's own kinds replaces the earlier one about the same thing."""
        orders: list[Order] = []
        replies: list[Line] = []
        bad = False
        for text in lines[:MOST_STANDING]:
            parsed = self._standing_order(text)
            if isinstance(parsed, Order):
                orders.append(parsed)
                replies.append(Line(text, PLAIN))
            else:
                bad = True
                replies.append(self._refused(text, parsed))
        if bad:
            self.outcome.replies += replies
            name = self.words.phrase("titles", "standing_orders")
            self.outcome.notes.append(Note("all_or_nothing", {"question": name}))
            return
        replaced = {order.subject() for order in orders if isinstance(order, self.rules.standing or ())}
        kept = [order for order in current if order.subject() not in replaced]
        self.outcome.standing = (kept + orders)[:MOST_STANDING]
        for n, order in enumerate(self.outcome.standing, 1):
            if order in orders:
                params: dict[str, str | int] = {"n": n, "text": self.words.order(order)}
                self.outcome.notes.append(Note("standing_set", params))

    def _do_clear(self, item: Command) -> None:
        game = self.live.game
        waiting = [q for q in self._open() if game.answered(q.key)]
        for question in waiting:
            self.outcome.givens.append(Given(question.key, self.seat, (), WITHDRAWN))
            self.outcome.notes.append(Note("withdrawn", {"question": self.words.question_name(question)}))
        kept = self.live.affairs.drafts.get(self.seat)
        if kept:
            self.outcome.notes.append(Note("draft_cleared"))
            self.outcome.deeds.append(lambda turn: turn.live.affairs.drafts.__setitem__(self.seat, []))
        elif not waiting:
            self.outcome.notes.append(Note("nothing_to_clear"))

    def _do_salt(self, item: Command) -> None:
        match = _SALT.fullmatch(item.argument.strip())
        if match is None:
            self.outcome.notes.append(Note("salt_what"))
            return
        self.outcome.salt = match[0]
        self.outcome.notes.append(Note("salt_set"))

    def _do_newtoken(self, item: Command) -> None:
        self.outcome.new_token = True
        self.outcome.notes.append(Note("new_token"))

    def _do_confirm(self, item: Command) -> None:
        self.outcome.confirmed = int(re.sub(r"\D", "", item.argument))

    def _do_resign(self, item: Command) -> None:
        if self.live.over:
            self.outcome.notes.append(Note("game_over"))
        elif item.argument.strip().lower() != self.live.id:
            self.outcome.notes.append(Note("resign_confirm", {"game": self.live.id}))
        else:
            self.outcome.resigned = True
            self.outcome.notes.append(Note("resigned", {"seat": self.words.seat(self.seat)}))

    def _do_help(self, item: Command) -> None:
        self.outcome.sections.append(helping.page(self.words, self.rules, item.argument))


ALSO_ORDERS = ("wait", "ready")
OWNERS_ONLY = {"vote", "object", "resign", "newtoken", "address", "substitute", "confirm"}
PLAYERS_ONLY = {
    *("check", "orders", "standing", "ready", "wait", "clear", "absent", "salt", "resign", "substitute"),
    *("resend", "vote", "object"),
}


def last_report(store: Store, game: str, seat: str) -> Dispatch | None:
    """The last letter to a seat that told what had happened."""
    for row in reversed(store.dispatches(game, seat)):
        dispatch = msgspec.json.decode(row.data, type=Dispatch)
        if dispatch.upto > dispatch.after:
            return dispatch
    return None
