"""A whole game of leipzig by robots with the log a moderator would write, in both modes."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

from pbem import games
from pbem.dice.beacon.rounds import Source
from pbem.dice.draw.croupier import AwaitBeacon, Croupier, Round
from pbem.dice.draw.seeds import Seeds
from pbem.dice.log import entries
from pbem.dice.log.entries import Entry
from pbem.dice.log.receipts import Leaf, opened_orders, receipt
from pbem.kernel.game import LETTER, Game, Given
from pbem.kernel.order import answer_to_data
from tests.dice.beacon.drand import sign
from tests.dice.sample import ROOT, SECRET_ROOT, START, stamp


class Played:
    """A game in play. Every answer is a letter of its own; a step that waits is played again from before it."""

    def __init__(self, source: Source | None, seed: int = 1813) -> None:
        self.rules = games.load("leipzig")
        self.scenario = next(iter(self.rules.scenarios))
        self.seeds = Seeds("leipzig-1", ROOT, SECRET_ROOT, 500)
        self.croupier = Croupier(self.seeds, source=source)
        self.rng = random.Random(seed)
        self.entries: list[Entry] = []
        self.leaves: list[Leaf] = []
        self.unclosed: list[Leaf] = []
        self.answers: list[Given] = []
        self.now = START
        options = {option.name: option.values[0] for option in self.rules.options}
        setup = {"game": "leipzig", "scenario": self.scenario, "options": options}
        self.log(
            "genesis", entries.genesis(self.seeds, rules="00" * 32, engine="0", setup=setup, source=source)
        )
        self.croupier.begin((), now=self.now)
        start = lambda: Game.start(self.rules, self.scenario, options, self.croupier)  # noqa: E731
        try:
            self.game: Game[Any] = start()
        except AwaitBeacon as awaited:
            self.wait(awaited)
            self.game = start()
        self.finish()

    def log(self, kind: str, body: entries.Body) -> None:
        before = self.entries[-1] if self.entries else None
        self.entries.append(entries.append(before, kind, stamp(self.now), body))

    def wait(self, awaited: AwaitBeacon) -> None:
        ((kind, close),) = self.croupier.suspend()
        self.log(kind, close)
        self.unclosed = []
        self.now = awaited.at + 1
        self.croupier.take_up(close, Round(awaited.round, sign(awaited.round)))

    def finish(self) -> None:
        for kind, body in self.croupier.finish(self.game.hash()):
            if kind == "close":
                self.unclosed = []
            self.log(kind, body)

    def answer(self, given: Given) -> None:
        text = entries.canonical([[given.key, answer_to_data(given.answer)]]).decode()
        leaf = Leaf(given.seat, f"{len(self.entries):032x}", text)
        self.log("receipt", receipt(given.seat, text.encode(), leaf))
        self.leaves.append(leaf)
        self.unclosed.append(leaf)
        given = Given(given.key, given.seat, given.answer, LETTER, f"receipt:{self.entries[-1].n}")
        checkpoint, since = self.game.last_checkpoint, list(self.game.since)
        self.croupier.begin(self.unclosed, now=self.now)
        try:
            self.game.give(given)
        except AwaitBeacon as awaited:
            self.wait(awaited)
            self.game = Game.resume(self.rules, checkpoint, [*since, given], self.croupier)
        self.answers.append(given)
        self.finish()

    def play(self) -> None:
        while not self.game.over:
            self.now += 60
            waiting = [q for key, q in self.game.questions.items() if not self.game.answered(key)]
            question = self.rng.choice(waiting)
            answer = self.rules.robots["random"](self.game.view(question.seat), question, self.rng)
            self.answer(Given(question.key, question.seat, answer, LETTER))
        self.log("opened", opened_orders(self.leaves))
        turns = [
            {
                "key": given.key,
                "seat": given.seat,
                "answer": answer_to_data(given.answer),
                "origin": given.origin,
                "by": given.by,
            }
            for given in self.answers
        ]
        self.log("act", entries.act("moderator", "journal", answers=turns, state=self.game.hash()))
        self.log("end", self.croupier.end())


@cache
def played(source: Source | None = None) -> tuple[Entry, ...]:
    """The log of a finished game."""
    game = Played(source)
    game.play()
    return tuple(game.entries)
