"""Random games: every answer is legal, nothing is ever lost or doubled, and a replay is the same game."""

import msgspec
import pytest

from pbem.games.ccn import RULES
from pbem.games.ccn.state import HIDDEN, State
from pbem.kernel.chance import Recorded
from pbem.kernel.game import Game
from tests.games.ccn.play import new, play_out

RANDOM = {"allied": "random", "french": "random"}
SCENARIOS = sorted(RULES.scenarios)


@pytest.mark.parametrize("seed", range(20))
def test_random_games_keep_the_invariants(seed: int) -> None:
    game = new(seed, SCENARIOS[seed % len(SCENARIOS)])
    play_out(game, RANDOM, seed)
    outcome = RULES.outcome(game.state)
    assert outcome is not None
    assert outcome.points[outcome.winners[0]] >= game.state.goal


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
        if number % 7 == 0:
            assert isinstance(live.table.chance, Recorded)
            again = Game.resume(
                RULES, checkpoint, answers[since:number], Recorded(live.table.chance.draws.values())
            )
            assert again.hash() == live.hash()
            assert list(again.questions) == list(live.questions)
    assert live.hash() == game.hash()


def test_a_position_survives_its_way_through_text() -> None:
    game = new(5, "salamanca_1812")
    play_out(game, RANDOM, 5, watch=False)
    assert msgspec.json.decode(msgspec.json.encode(game.state), type=State) == game.state


def test_a_view_hides_the_other_hand_the_pile_and_the_other_track() -> None:
    """# rule 1.10"""
    game = new(1)
    seen = game.view("french")
    assert all(item.card == HIDDEN and not item.pile for item in seen.hands["allied"])
    assert all(item.card != HIDDEN for item in seen.hands["french"])
    assert set(seen.pile) == {HIDDEN}
    assert len(seen.pile) == len(game.state.pile)
    nobody = game.view(None)
    assert all(item.card == HIDDEN for hand in nobody.hands.values() for item in hand)


@pytest.mark.parametrize("seed", range(3))
def test_no_seat_is_told_the_cards_of_the_other(seed: int) -> None:
    """# rule 1.10, 8.2.13, 9.2"""
    game = new(seed, "vimeiro_1808")
    play_out(game, RANDOM, seed, watch=False)
    private = {"card_drawn", "card_kept", "square_card"}
    told = game.take_told()
    assert {item.event.kind() for item in told} >= {"card_drawn", "card_kept"}
    for item in told:
        if item.event.kind() in private:
            owner = item.event.seat  # type: ignore[attr-defined]
            other = "french" if owner == "allied" else "allied"
            assert item.known_to(owner)
            assert not item.known_to(other)
            assert not item.known_to(None)
