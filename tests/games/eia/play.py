"""Games of robots for the tests."""

from __future__ import annotations

import random
from collections.abc import Mapping

from pbem.dice.draw.seeded import Seeded
from pbem.games.eia import RULES
from pbem.games.eia.state import State
from pbem.kernel.chance import Recorded
from pbem.kernel.game import LETTER, Game, Given
from pbem.kernel.order import Answer, Order
from pbem.kernel.question import Question


def new(seed: int, scenario: str = "1805", **options: str) -> Game[State]:
    return Game.start(RULES, scenario, {"deploy": "no", **options}, Recorded(beyond=Seeded(seed)))


def standing(seat: str) -> list[Order]:
    del seat
    return list(RULES.defaults)


def waiting(game: Game[State]) -> Question[State]:
    """The next question that somebody has to answer."""
    return next(question for key, question in game.questions.items() if not game.answered(key))


def give(game: Game[State], question: Question[State], answer: Answer) -> None:
    game.give(Given(question.key, question.seat, answer, LETTER))
    game.settle(standing)


def play_out(
    game: Game[State], robots: Mapping[str, str], seed: int = 1, most: int = 400
) -> dict[str, list[str]]:
    """Play to the end; which kinds of questions each seat was asked."""
    rng = random.Random(seed)
    asked: dict[str, list[str]] = {seat: [] for seat in robots}
    game.settle(standing)
    while not game.over and most:
        most -= 1
        question = waiting(game)
        asked[question.seat].append(question.kind())
        give(game, question, RULES.robots[robots[question.seat]](game.view(question.seat), question, rng))
    assert game.over
    return asked
