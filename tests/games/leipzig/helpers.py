"""Draws for tests, and whole games between robots."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence

from pbem.games.leipzig import RULES
from pbem.games.leipzig.state import State
from pbem.kernel.chance import Recorded
from pbem.kernel.game import LETTER, Game, Given

MOST_ANSWERS = 3000


class Pseudo:
    """Draws from a seed and the label."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.deals: list[tuple[str, int, str | None]] = []

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
        self.deals.append((label, position, to))


def new(seed: int, options: Mapping[str, str] | None = None) -> Game[State]:
    return Game.start(RULES, "battle", options or {}, Recorded(beyond=Pseudo(seed)))


def play_out(
    game: Game[State],
    seed: int,
    robots: Mapping[str, str] | None = None,
    after: Callable[[Game[State], Given], None] | None = None,
) -> list[Given]:
    """Play a game to its end; every answer is checked first, as a letter's would be."""
    whim = random.Random(seed)
    answers: list[Given] = []
    while not game.over:
        assert len(answers) < MOST_ANSWERS, "the game does not end"
        question = next(q for key, q in game.questions.items() if not game.answered(key))
        view = game.view(question.seat)
        name = (robots or {}).get(view.roles[question.seat], "random")
        answer = RULES.robots[name](view, question, whim)
        problems = question.check(view, answer)
        assert not problems, (question, answer, problems)
        given = Given(question.key, question.seat, answer, LETTER)
        game.give(given)
        answers.append(given)
        if after is not None:
            after(game, given)
    return answers
