"""The caretaker of each game only defends: whatever he answers is legal, and nothing of it attacks or wastes."""

from __future__ import annotations

import random

import pytest

from pbem import games
from pbem.campaign.signup.new_game import default_options
from pbem.games.ccn.orders import Play
from pbem.games.ccn.questions import Turn
from pbem.games.leipzig.orders import DrawPile, PlayArmy
from pbem.games.leipzig.plan import Actions
from pbem.games.nce.orders import CombatCards, NoCard
from pbem.games.nce.reactions import Interception
from pbem.games.nce.replies import Intercept
from pbem.games.nce.rounds import Act
from pbem.kernel.chance import Recorded
from pbem.kernel.game import LETTER, Game, Given
from pbem.kernel.order import Answer
from pbem.kernel.question import Question
from tests.kernel.toy import Pseudo


def answers_of_the_caretaker(name: str, seat: str, decisions: int) -> list[tuple[Question, Answer]]:
    """A game in which the sensible robot plays against the caretaker, who sits on `seat`."""
    rules = games.load(name)
    scenario = next(iter(rules.scenarios))
    game = Game.start(rules, scenario, default_options(name), Recorded((), Pseudo()))
    whim = random.Random(7)
    given: list[tuple[Question, Answer]] = []
    for _ in range(decisions):
        game.settle(lambda seat: list(rules.defaults))
        if game.over:
            break
        question = next(q for q in game.questions.values() if not game.answered(q.key))
        robot = rules.caretaker if question.seat == seat else rules.robots["sensible"]
        assert robot is not None
        view = game.view(question.seat)
        answer = robot(view, question, whim)
        assert not question.check(view, answer), (question, answer)
        if question.seat == seat:
            given.append((question, answer))
        game.give(Given(question.key, question.seat, answer, LETTER))
        assert not rules.invariants(game.state)
    return given


@pytest.mark.parametrize("seat", ["french", "allied"])
def test_leipzig_calls_up_armies_and_draws(seat: str) -> None:
    given = answers_of_the_caretaker("leipzig", seat, 60)
    turns = [answer for question, answer in given if isinstance(question, Actions)]
    assert len(turns) > 5
    assert all(isinstance(order, (PlayArmy, DrawPile)) for answer in turns for order in answer)
    assert any(isinstance(order, PlayArmy) for answer in turns for order in answer)
    assert not any(order.villages for answer in turns for order in answer if isinstance(order, PlayArmy))


@pytest.mark.parametrize("seat", ["french", "allied"])
def test_ccn_holds(seat: str) -> None:
    given = answers_of_the_caretaker("ccn", seat, 40)
    turns = [answer for question, answer in given if isinstance(question, Turn)]
    assert len(turns) > 3
    assert all(len(answer) == 1 and isinstance(answer[0], Play) for answer in turns)


@pytest.mark.parametrize("seat", ["empire", "coalition"])
def test_nce_neither_marches_nor_plays_a_card(seat: str) -> None:
    given = answers_of_the_caretaker("nce", seat, 60)
    assert any(isinstance(question, Act) for question, _ in given)
    for question, answer in given:
        if isinstance(question, Act):
            assert answer == (NoCard(),)
        if isinstance(question, Interception):
            assert not any(isinstance(order, Intercept) for order in answer)
        assert not any(isinstance(order, CombatCards) for order in answer)


@pytest.mark.parametrize("name", games.names())
def test_couriers_have_a_way_to_ride_in_every_scenario(name: str) -> None:
    rules = games.load(name)
    assert rules.distance is not None
    for scenario in rules.scenarios.values():
        state = rules.setup(scenario.name, default_options(name))
        one, other = scenario.seats[:2]
        view = rules.view(state, None)
        assert 1 <= rules.stages(view, one, other) == rules.stages(view, other, one) <= 20
