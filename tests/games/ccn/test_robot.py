"""The sensible robot is sensible, and quick."""

import pytest

from tests.games.ccn.play import new, play_out

SCENARIOS = ("rolica_1808", "vimeiro_1808", "corunna_1809", "talavera_1809", "bussaco_1810", "salamanca_1812")


@pytest.mark.parametrize("number", range(6))
def test_the_sensible_robot_beats_the_random_one(number: int) -> None:
    seat, other = ("allied", "french") if number % 2 else ("french", "allied")
    game = new(number, SCENARIOS[number])
    play_out(game, {seat: "sensible", other: "random"}, number)
    assert game.state.winner == seat


@pytest.mark.slow
def test_it_beats_the_random_one_in_more_than_nine_of_ten_games() -> None:
    wins = 0
    for number in range(500):
        seat, other = ("allied", "french") if number % 2 else ("french", "allied")
        game = new(number, SCENARIOS[number // 2 % len(SCENARIOS)])
        play_out(game, {seat: "sensible", other: "random"}, number, watch=False)
        wins += game.state.winner == seat
    assert wins > 450
