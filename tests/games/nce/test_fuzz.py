"""Random campaigns: every answer is legal, nothing is ever lost or doubled, and a replay is the same game."""

import random
from collections.abc import Iterable

import msgspec
import pytest

from pbem.games.nce import RULES
from pbem.games.nce.state import HIDDEN, State, crowded
from pbem.kernel.chance import Recorded
from pbem.kernel.game import LETTER, Game, Given
from pbem.proving import fuzz
from tests.games.nce.play import new, play_out, position, the

RANDOM = {"empire": "random", "coalition": "random"}
GAMES, CHUNKS = 100, 5
"""So many whole games of each scenario, in chunks that may be played side by side."""


def sound(played: Iterable[fuzz.Played]) -> None:
    for one in played:
        assert one.failure is None, one.failure.failure


@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("scenario", RULES.scenarios)
def test_100_random_games_of_each_scenario_to_the_end(scenario: str, chunk: int) -> None:
    number = GAMES // CHUNKS
    sound(fuzz.fuzz("nce", scenario, {}, number, number * chunk))


@pytest.mark.parametrize(("scenario", "number"), [("1805", 1), ("1809", 1), ("1815", 6)])
def test_campaigns_of_robots_that_mean_it_are_sound_too(scenario: str, number: int) -> None:
    sound(fuzz.fuzz("nce", scenario, {}, number, 702, "sensible"))


def test_a_finished_campaign_has_an_outcome_with_its_points() -> None:
    game = new(2, "1809")
    play_out(game, RANDOM, 2, watch=False)
    outcome = RULES.outcome(game.state)
    assert outcome is not None
    assert game.state.vp == sum(entry.vp for entry in game.state.entries)


@pytest.mark.parametrize(
    ("broken", "names"),
    [
        ({"reserve": {"empire": -1, "coalition": 0}}, "reserve"),
        ({"resources": {"france": -1.0}}, "owes"),
        ({"control": {"paris": "empire"}}, "marker"),
        ({"empty": ["poitiers"]}, "empty"),
        ({"siege": {"poitiers": 1}}, "besieged"),
        ({"status": {"autriche": "neutral"}}, "fights for"),
        ({"status": {"prusse": "coalition"}}, "idle"),
    ],
)
def test_what_no_play_may_reach_is_seen(broken: dict[str, object], names: str) -> None:
    state = position("1805", set_up=True)
    assert not RULES.invariants(state)
    for field, value in broken.items():
        old = getattr(state, field)
        setattr(
            state, field, {**old, **value} if isinstance(value, dict) and isinstance(old, dict) else value
        )
    assert any(names in problem for problem in RULES.invariants(state))


def test_a_force_on_neutral_ground_and_one_in_the_enemy_s_fortress_are_seen() -> None:  # rule 10.1.5, 13.1
    state = position("1805", set_up=True)
    the(state, "napoleon").zone = "berlin"
    mack = the(state, "mack")
    mack.zone, mack.inside = "strasbourg", True
    problems = " ".join(RULES.invariants(state))
    assert "not at war" in problems
    assert "the enemy's fortress of strasbourg" in problems


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
