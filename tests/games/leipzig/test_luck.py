"""Leipzig has no dice: its luck is in the pile, and is reckoned from what the side that draws can know."""

from __future__ import annotations

import random

import pytest

from pbem import games
from pbem.dice.draw.seeded import Seeded
from pbem.dice.show import luck
from pbem.games.leipzig.cards import chance_of_pair
from pbem.games.leipzig.state import fresh
from pbem.kernel.deck import Held
from pbem.kernel.event import Told
from pbem.kernel.game import LETTER, Game, Given


def test_the_chance_of_a_pair() -> None:
    state = fresh(advanced=False, match=False)
    state.hands["french"] = [Held("hill-1"), Held("time-1")]
    state.hands["allied"] = [Held("hill-2", "pile", 3), Held("hill-3")]
    state.pile = ["hill-4", "forest-1", "forest-2"]
    assert chance_of_pair(state, "french") == pytest.approx(2 / 4), "the card taken from the row is known"
    state.hands["allied"][0] = Held("forest-3", "pile", 3)
    state.pile[1] = "hill-2"
    assert chance_of_pair(state, "french") == pytest.approx(2 / 4), (
        "who holds which of them makes no difference"
    )
    state.pile, state.discard = [], ["time-2"]
    state.hands["allied"] = []
    assert chance_of_pair(state, "french") == 1
    state.discard = []
    assert chance_of_pair(state, "french") == 0


def drawn_in(seed: int) -> list[Told]:
    rules = games.load("leipzig")
    game = Game.start(rules, "battle", {}, Seeded(seed))
    whim = random.Random(seed)
    told: list[Told] = []
    while not game.over:
        question = next(q for key, q in game.questions.items() if not game.answered(key))
        answer = rules.robots["random"](game.view(question.seat), question, whim)
        game.give(Given(question.key, question.seat, answer, LETTER))
        told += game.take_told()
    return told


def test_over_many_games_luck_evens_out() -> None:
    told = [item for seed in range(12) for item in drawn_in(seed)]
    assert all(item.to is not None for item in told if item.event.luck), "only the drawer may know"
    found = luck.balance(item.event for item in told)
    assert {(each.seat, each.what) for each in found} == {("french", "pairs"), ("allied", "pairs")}
    for each in found:
        assert each.times > 50
        assert each.z is not None
        assert abs(each.z) < 4
