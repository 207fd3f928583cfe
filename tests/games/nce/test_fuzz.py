"""Random campaigns: every answer is legal, nothing is ever lost or doubled, and a replay is the same game."""

import random

import msgspec
import pytest

from pbem.games.nce import RULES
from pbem.games.nce.state import HIDDEN, State, crowded
from pbem.kernel.chance import Recorded
from pbem.kernel.game import LETTER, Game, Given
from tests.games.nce.play import new, play_out

RANDOM = {"empire": "random", "coalition": "random"}


@pytest.mark.parametrize(("scenario", "seed"), [("1815", n) for n in range(10)] + [("1805", 1), ("1809", 2)])
def test_random_campaigns_keep_the_invariants(scenario: str, seed: int) -> None:
    game = new(seed, scenario)
    play_out(game, RANDOM, seed)
    outcome = RULES.outcome(game.state)
    assert outcome is not None
    assert outcome.points["empire"] == game.state.vp


def test_stacks_stand_as_the_rules_allow_at_every_round() -> None:  # rule 4.1.1, 4.1.2
    game = new(11, "1815")
    whim = random.Random(11)
    while not game.over:
        question = next(q for key, q in game.questions.items() if not game.answered(key))
        if question.kind() == "act":
            assert not list(crowded(game.state))
        view = game.view(question.seat)
        answer = RULES.robots["random"](view, question, whim)
        game.give(Given(question.key, question.seat, answer, LETTER))


def test_a_game_taken_up_from_a_checkpoint_is_the_same_game() -> None:
    game = new(3)
    answers = play_out(game, RANDOM, 3, watch=False)
    live = new(3)
    checkpoint, since = live.last_checkpoint, 0
    for number, given in enumerate(answers, 1):
        live.give(given)
        passed = live.take_checkpoints()
        if passed:
            checkpoint, since = passed[-1], number
        assert isinstance(live.table.chance, Recorded)
        draws = Recorded(live.table.chance.draws.values())
        again = Game.resume(RULES, checkpoint, answers[since:number], draws)
        assert again.hash() == live.hash()
    assert live.hash() == game.hash()


def test_a_position_survives_its_way_through_text() -> None:
    for scenario in RULES.scenarios:
        state = RULES.setup(scenario, {})
        assert not RULES.invariants(state)
        assert not list(crowded(state))
        assert msgspec.json.decode(msgspec.json.encode(state), type=State) == state


def test_a_view_hides_hands_and_piles() -> None:  # rule 1.8
    game = new(1)
    seen = game.view("empire")
    assert set(seen.hands["coalition"]) == {HIDDEN}
    assert HIDDEN not in seen.hands["empire"]
    assert all(set(pile.cards) == {HIDDEN} for pile in seen.piles.values())
    nobody = game.view(None)
    assert all(set(hand) == {HIDDEN} for hand in nobody.hands.values())


def test_in_the_fog_only_commanders_show() -> None:  # rule 1.9
    game = new(1, "1815", {"fog": "yes"})
    seen = game.view("coalition")
    force = seen.force_with("napoleon")
    assert force is not None
    assert len(force.units) == 1
    assert not force.subs
    own = seen.force_with("wellington")
    assert own is not None
    assert len(own.units) > 1
