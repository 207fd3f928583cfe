"""A game in play: steps the rules' coroutines, holds the open questions, takes answers.

The journal of answers is the game. `start` plays it from its set-up, `resume` from a checkpoint and the answers
given since; a rollback is a shorter journal, a what-if is a `fork` with one more answer.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Generic, TypeVar

import msgspec

from pbem.kernel.agreement import DEPOSIT
from pbem.kernel.chance import Chance, Draw, Recorded
from pbem.kernel.event import Told
from pbem.kernel.order import Answer, Order, Seat
from pbem.kernel.policy import keeps_for_player
from pbem.kernel.problem import Problem
from pbem.kernel.question import Question
from pbem.kernel.rules import Rules
from pbem.kernel.table import Asking, Gathering, Marking, Rule, Table

S = TypeVar("S")

_PLAIN = msgspec.json.Encoder()
_SORTED = msgspec.json.Encoder(order="sorted")


class Checkpoint(msgspec.Struct, frozen=True):
    """A position from which a game can be taken up: how many answers and events came before, and the state."""

    answers: int
    events: int
    state: bytes
    report: bool = False
    """Whether it is a bulletin: everyone gets a report here."""


class Given(msgspec.Struct, frozen=True):
    """An answer as it went into the game: to which question, by whom, and where it came from."""

    key: str
    seat: Seat
    answer: Answer
    origin: str
    by: str = ""
    """The standing order that gave it, as canonical data; empty for other origins."""


LETTER, STANDING, ONLY, DEFAULT, SUBSTITUTE, MASTER, WITHDRAWN = (
    "letter",
    "standing",
    "only",
    "default",
    "substitute",
    "master",
    "withdrawn",
)
"""Where an answer came from; a withdrawn one takes back a sealed answer that waits for the others."""


class NoSuchQuestion(LookupError):
    """The question is not open (any more)."""


class BrokenRules(RuntimeError):
    """The rules did something that no rules may do."""


class _Task(Generic[S]):
    """One coroutine of the rules, with what it waits for."""

    def __init__(self, coroutine: Rule[object], parent: _Task[S] | None, slot: int) -> None:
        self.coroutine = coroutine
        self.parent = parent
        self.slot = slot
        self.asking: Asking[S] | None = None
        self.answers: dict[str, Answer] = {}
        self.results: list[object] = []
        self.unfinished = 0


def state_bytes(state: object) -> bytes:
    """The position as canonical JSON."""
    return _SORTED.encode(state)


def state_hash(state: object) -> str:
    """The SHA-256 of the position's canonical JSON."""
    return hashlib.sha256(state_bytes(state)).hexdigest()


class Game(Generic[S]):
    """A game in play."""

    def __init__(
        self, rules: Rules[S], checkpoint: Checkpoint, chance: Chance, *, begun: bool = True
    ) -> None:
        self.rules = rules
        self.last_checkpoint = checkpoint
        self.since: list[Given] = []
        """The answers since the last checkpoint."""
        self.answers = checkpoint.answers
        state: S = msgspec.json.decode(checkpoint.state, type=rules.state)
        self.table: Table[S] = Table(state, chance, events=checkpoint.events)
        self.questions: dict[str, Question[S]] = {}
        """The open questions by key, in the order in which they were asked."""
        self.over = False
        self._waiting: dict[str, _Task[S]] = {}
        self._views: dict[Seat | None, S] = {}
        self._checkpoints: list[Checkpoint] = []
        if begun:
            self._step(_Task(rules.play(self.table), None, 0), None)

    @classmethod
    def start(cls, rules: Rules[S], scenario: str, options: Mapping[str, str], chance: Chance) -> Game[S]:
        """A new game, played up to its first questions."""
        return cls(rules, cls.first_checkpoint(rules, scenario, options), chance)

    @staticmethod
    def first_checkpoint(rules: Rules[S], scenario: str, options: Mapping[str, str]) -> Checkpoint:
        """The position before the first draw."""
        return Checkpoint(0, 0, _PLAIN.encode(rules.setup(scenario, dict(options))))

    @classmethod
    def unbegun(cls, rules: Rules[S], checkpoint: Checkpoint, chance: Chance) -> Game[S]:
        """A position at which nothing is asked yet: its first draws have still to come."""
        return cls(rules, checkpoint, chance, begun=False)

    @classmethod
    def resume(
        cls, rules: Rules[S], checkpoint: Checkpoint, answers: Iterable[Given], chance: Chance
    ) -> Game[S]:
        """The game as it stands after those answers, which were given since the checkpoint."""
        game = cls(rules, checkpoint, chance)
        for given in answers:
            game.give(given)
        return game

    @property
    def state(self) -> S:
        """The position."""
        return self.table.state

    def view(self, seat: Seat | None) -> S:
        """The position as that seat may know it; `None` is somebody without a seat. It is not to be changed.

        Made once for each seat until the next answer.
        """
        if seat not in self._views:
            self._views[seat] = self.rules.view(self.table.state, seat)
        return self._views[seat]

    def forget_views(self) -> None:
        """Make views anew: the position has been changed by hand, as rule cases and tests do."""
        self._views = {}

    def hash(self) -> str:
        """The hash of the position."""
        return state_hash(self.table.state)

    def open_to(self, seat: Seat) -> list[Question[S]]:
        """The open questions of a seat."""
        return [question for question in self.questions.values() if question.seat == seat]

    def answered(self, key: str) -> bool:
        """Whether an open question has an answer that waits for the other seats' answers."""
        task = self._waiting.get(key)
        return task is not None and key in task.answers

    def check(self, key: str, answer: Answer) -> list[Problem]:
        """What is wrong with an answer to an open question, as its seat may know it."""
        question = self.questions.get(key)
        if question is None:
            raise NoSuchQuestion(key)
        return question.check(self.view(question.seat), answer)

    def give(self, given: Given) -> None:
        """Put an answer into the game, which goes on as far as it can. The answer has been checked."""
        task = self._waiting.get(given.key)
        deposited = given.key.startswith(DEPOSIT) and self.rules.agreements is not None
        if not deposited and (task is None or task.asking is None):
            raise NoSuchQuestion(given.key)
        self._views = {}
        self.answers += 1
        self.since.append(given)
        if self.rules.agreements is not None and deposited:
            for order in given.answer:
                self.rules.agreements(self.state).deposit(given.seat, order)
            return
        assert task is not None
        assert task.asking is not None
        if given.origin == WITHDRAWN:
            task.answers.pop(given.key, None)
            return
        task.answers[given.key] = given.answer
        if len(task.answers) < len(task.asking.questions):
            return
        for question in task.asking.questions:
            del self.questions[question.key]
            del self._waiting[question.key]
        answers, task.answers, task.asking = task.answers, {}, None
        self._step(task, answers)

    def take_told(self) -> list[Told]:
        """The events since they were last taken."""
        told, self.table.told = self.table.told, []
        return told

    def take_checkpoints(self) -> list[Checkpoint]:
        """The checkpoints passed since they were last taken."""
        checkpoints, self._checkpoints = self._checkpoints, []
        return checkpoints

    def fork(self, draws: Iterable[Draw], chance: Chance | None = None) -> Game[S]:
        """A copy that can be played on without touching this game.

        `draws` are those on record since the last checkpoint; new ones come from `chance`.
        """
        copy = Game.resume(self.rules, self.last_checkpoint, self.since, Recorded(draws, chance))
        copy.take_told()
        return copy

    def settle(
        self, standing: Callable[[Seat], Sequence[Order]], *, note: Callable[[Given], None] | None = None
    ) -> list[Given]:
        """Answer what needs nobody: questions with one legal answer, and those a standing order answers."""
        settled: list[Given] = []
        again = True
        while again and not self.over:
            again = False
            for key, question in list(self.questions.items()):
                if key not in self.questions or self.answered(key):
                    continue
                given = self.without_letter(question, standing(question.seat))
                if given is not None:
                    self.give(given)
                    settled.append(given)
                    if note is not None:
                        note(given)
                    again = True
        return settled

    def without_letter(self, question: Question[S], standing: Sequence[Order]) -> Given | None:
        """The answer that an open question gets by itself with those standing orders; None where somebody is needed."""
        view = self.view(question.seat)
        followed = question.follow(view, standing) if standing else None
        if followed is not None:
            by = msgspec.json.encode(followed[1]).decode()
            return Given(question.key, question.seat, followed[0], STANDING, by)
        if question.on_wish:
            facts = question.facts(view)
            if any(keeps_for_player(question, order, facts) for order in standing):
                return None
            return Given(question.key, question.seat, question.default(view), ONLY)
        only = question.only(view)
        return None if only is None else Given(question.key, question.seat, only, ONLY)

    def _step(self, task: _Task[S], value: object) -> None:
        while True:
            try:
                request = task.coroutine.send(value)
            except StopIteration as stop:
                finished = self._finish(task, stop.value)
                if finished is None:
                    return
                task, value = finished
                continue
            if isinstance(request, Marking):
                self._mark(task, request)
                value = None
            elif isinstance(request, Asking):
                self._open(task, request)
                return
            elif isinstance(request, Gathering):
                children = [_Task(coroutine, task, n) for n, coroutine in enumerate(request.coroutines)]
                task.results, task.unfinished = [None] * len(children), len(children)
                self._start(children)
                return
            else:
                raise BrokenRules(f"the rules awaited {request!r}")

    def _start(self, children: list[_Task[S]]) -> None:
        """Begin sub-games; where one of them breaks off, those behind it are never begun."""
        for n, child in enumerate(children):
            try:
                self._step(child, None)
            except BaseException:
                for later in children[n + 1 :]:
                    later.coroutine.close()
                raise

    def _finish(self, task: _Task[S], result: object) -> tuple[_Task[S], object] | None:
        parent = task.parent
        if parent is None:
            self.over = True
            return None
        parent.results[task.slot] = result
        parent.unfinished -= 1
        return None if parent.unfinished else (parent, parent.results)

    def _mark(self, task: _Task[S], marking: Marking) -> None:
        if task.parent is not None:
            raise BrokenRules("a checkpoint inside a gather: the position is not whole there")
        self.last_checkpoint = Checkpoint(
            self.answers, self.table.events, _PLAIN.encode(self.table.state), marking.report
        )
        self._checkpoints.append(self.last_checkpoint)
        self.since = []

    def _open(self, task: _Task[S], asking: Asking[S]) -> None:
        for question in asking.questions:
            if question.key in self.questions:
                raise BrokenRules(f"question {question.key} is asked twice")
            self.questions[question.key] = question
            self._waiting[question.key] = task
        task.asking, task.answers = asking, {}
