"""Logs of whole games played by robots, and how long it takes to check them: the seals, and the replay by the rules."""

from __future__ import annotations

import io
import random
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from pbem import games
from pbem.bench.chosen import chosen
from pbem.bench.chosen import endless as without_end
from pbem.campaign.archive.audit import audit_log
from pbem.dice.audit.audit import audit
from pbem.dice.draw.croupier import Croupier
from pbem.dice.draw.seeds import STEPS, Seeds
from pbem.dice.log import entries
from pbem.dice.log.entries import Entry
from pbem.dice.log.receipts import Leaf, opened_orders, receipt
from pbem.kernel.game import LETTER, Game, Given
from pbem.kernel.order import Answer, answer_to_data
from pbem.kernel.question import Question
from pbem.kernel.rules import Rules

Choose = Callable[[Any, Question[Any]], Answer]
"""How a view and a question become an answer."""


class Recorded(msgspec.Struct, frozen=True):
    """The exported log of a game that is over."""

    data: bytes
    answers: int
    draws: int


def record(name: str, scenario: str, seed: int, choose: Choose, most: int = 100_000) -> Recorded:
    """A game with its log as a moderator in `chain` mode writes it, a receipt for each answer.

    After `most` answers somebody resigns, so that the log has its end.
    """
    writing = _Writing(games.load(name), scenario, seed)
    while not writing.game.over and len(writing.answers) < most:
        waiting = (q for key, q in writing.game.questions.items() if not writing.game.answered(key))
        question = next(waiting)
        answer = choose(writing.game.view(question.seat), question)
        writing.give(Given(question.key, question.seat, answer, LETTER))
    return writing.end()


class _Writing:
    """A game in play and its log."""

    def __init__(self, rules: Rules[Any], scenario: str, seed: int) -> None:
        seeds = Seeds(f"{rules.name}-{seed}", seed.to_bytes(32, "big"), bytes(32), STEPS)
        options = {option.name: option.values[0] for option in rules.options}
        setup = {"game": rules.name, "scenario": scenario, "options": options}
        self.croupier = Croupier(seeds)
        self.entries: list[Entry] = []
        self.sealed: list[Leaf] = []
        self.unclosed: list[Leaf] = []
        self.answers: list[Given] = []
        self.draws = 0
        self._add("genesis", entries.genesis(seeds, rules="", engine="", setup=setup))
        self.croupier.begin()
        self.game: Game[Any] = Game.start(rules, scenario, options, self.croupier)
        self._finish()

    def _add(self, kind: str, body: entries.Body) -> None:
        self.entries.append(entries.append(self.entries[-1] if self.entries else None, kind, "", body))

    def _finish(self) -> None:
        self.draws += len(self.croupier.draws)
        for kind, body in self.croupier.finish(self.game.hash()):
            if kind == "close":
                self.unclosed = []
            self._add(kind, body)

    def give(self, given: Given) -> None:
        """One answer: receipt, play, close and result."""
        text = entries.canonical([[given.key, answer_to_data(given.answer)]]).decode()
        leaf = Leaf(given.seat, f"{len(self.entries):032x}", text)
        self._add("receipt", receipt(given.seat, text.encode(), leaf))
        self.sealed.append(leaf)
        self.unclosed.append(leaf)
        given = msgspec.structs.replace(given, by=f"receipt:{self.entries[-1].n}")
        self.croupier.begin(self.unclosed)
        self.game.give(given)
        self.answers.append(given)
        self._finish()

    def end(self) -> Recorded:
        """Everything is opened."""
        self._add("opened", opened_orders(self.sealed))
        journal = [
            {
                "key": given.key,
                "seat": given.seat,
                "answer": answer_to_data(given.answer),
                "origin": given.origin,
                "by": given.by,
            }
            for given in self.answers
        ]
        self._add("act", entries.act("moderator", "journal", answers=journal, state=self.game.hash()))
        self._add("end", self.croupier.end())
        file = io.BytesIO()
        entries.export(self.entries, file)
        return Recorded(file.getvalue(), len(self.answers), self.draws)


def campaigns(draws: int) -> Iterator[Recorded]:
    """Games of sensible robots until they have so many draws together, of those that want their logs audited."""
    wanted = {name: each.audit for name, each in chosen().items() if each.audit is not None}
    made = 0
    rng = random.Random(1805)
    n = 0
    while made < draws:
        n += 1
        name = max(
            (name for name in wanted if n % wanted[name].every == 0), key=lambda name: wanted[name].every
        )
        scenarios = wanted[name].scenarios or tuple(games.load(name).scenarios)
        robot = games.load(name).robots["sensible"]
        played = record(
            name,
            scenarios[n % len(scenarios)],
            n,
            lambda view, question, robot=robot: robot(view, question, rng),  # type: ignore[misc]
        )
        made += played.draws
        yield played


def endless(answers: int) -> Recorded:
    """A single game that nobody wants to end."""
    name, how = without_end()

    def choose(view: Any, question: Question[Any]) -> Answer:
        menu = [order for order in question.menu(view) if order.kind() == how.order]
        return (menu[0],) if menu else question.default(view)

    return record(name, next(iter(games.load(name).scenarios)), 1, choose, answers)


def replays(draws: int = 10_000, answers: int = 10_000) -> Iterator[tuple[str, float, str]]:
    """Name, value and unit: games of so many draws at levels 1 and 4, half of them, and one long log."""
    played = list(campaigns(draws))
    half = played[: _half(played, draws)]
    first, whole = (_seconds(some) for some in (half, played))
    some, all_of_them = (sum(one.draws for one in few) for few in (half, played))
    yield f"{len(played)} games of robots, draws", all_of_them, "draws"
    yield "the same, answers", sum(one.answers for one in played), "answers"
    yield "the same, level 1", whole[0], "s"
    yield "the same, levels 1 and 4", whole[1], "s"
    yield f"half of them ({some} draws), levels 1 and 4", first[1], "s"
    yield (
        "a draw of the whole against a draw of the half",
        (whole[1] / all_of_them) / (first[1] / some),
        "times",
    )
    short, long = (_seconds([endless(number)])[1] for number in (answers // 2, answers))
    yield f"one game of {answers} answers, levels 1 and 4", long, "s"
    yield "twice the answers cost", long / short, "times"


def _half(played: list[Recorded], draws: int) -> int:
    made = 0
    for n, one in enumerate(played, 1):
        made += one.draws
        if 2 * made >= draws:
            return n
    return len(played)


def _seconds(played: list[Recorded]) -> tuple[float, float]:
    """The CPU time of level 1 alone, and of levels 1 and 4 together."""
    seals = whole = 0.0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.jsonl"
        for one in played:
            path.write_bytes(one.data)
            started = time.process_time()
            found = audit(io.BytesIO(one.data))
            seals += time.process_time() - started
            started = time.process_time()
            audited = audit_log(path)
            whole += time.process_time() - started
            if not (found.ok and audited.ok and audited.replay == "replayed"):
                raise RuntimeError("; ".join(audited.report()))
    return seals, whole
