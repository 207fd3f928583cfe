"""Helpers for the tests of nce: draws from labels alone, whole robot games, and positions in one line."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from pbem.games.nce import RULES
from pbem.games.nce.cases import build
from pbem.games.nce.state import Force, State
from pbem.kernel.chance import Recorded
from pbem.kernel.game import LETTER, Game, Given
from pbem.kernel.question import Question


class Pseudo:
    """Draws from a seed and the label."""

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    def roll(
        self, label: str, dice: int, sides: int, *, rule: str, seat: str = "", secret: bool = False
    ) -> tuple[int, ...]:
        whim = random.Random(f"{self.seed}/{label}")
        return tuple(whim.randint(1, sides) for _ in range(dice))

    def shuffle(
        self, label: str, items: Sequence[str], *, rule: str, secret: bool = False
    ) -> tuple[str, ...]:
        cards = list(items)
        random.Random(f"{self.seed}/{label}").shuffle(cards)
        return tuple(cards)

    def deal(self, label: str, position: int, *, to: str | None) -> None:
        return None


def new(seed: int, scenario: str = "1815", options: Mapping[str, str] | None = None) -> Game[State]:
    """A game up to its first question."""
    return Game.start(RULES, scenario, dict(options or {}), Recorded(beyond=Pseudo(seed)))


def play_out(
    game: Game[State],
    robots: Mapping[str, str],
    seed: int,
    *,
    watch: bool = True,
    limit: int = 8000,
    asked: list[Question] | None = None,
) -> list[Given]:
    """Play a game to its end, checking answers and invariants on the way."""
    whim = random.Random(seed)
    given: list[Given] = []
    while not game.over:
        question = next(q for key, q in game.questions.items() if not game.answered(key))
        view: Any = game.view(question.seat)
        if asked is not None:
            asked.append(question)
        answer = RULES.robots[robots[question.seat]](view, question, whim)
        if watch:
            assert not question.check(view, answer), (question, answer)
        given.append(Given(question.key, question.seat, answer, LETTER))
        game.give(given[-1])
        if watch:
            assert not RULES.invariants(game.state), (question, answer)
        assert len(given) < limit
    return given


def answer_one(game: Game[State], robot: str, whim: random.Random) -> Given:
    """Answer the first open question."""
    question = next(q for key, q in game.questions.items() if not game.answered(key))
    answer = RULES.robots[robot](game.view(question.seat), question, whim)
    given = Given(question.key, question.seat, answer, LETTER)
    game.give(given)
    return given


def position(scenario: str = "1805", **given: Any) -> State:
    """A position from a few words; `set_up=True` begins with the scenario's forces."""
    return build(scenario, {}, given)


def the(state: State, piece: str) -> Force:
    """The force that holds a piece."""
    force = state.force_with(piece)
    assert force is not None, piece
    return force
