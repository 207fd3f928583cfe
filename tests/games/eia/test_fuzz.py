"""Random campaigns: every answer is legal, nothing is lost or doubled, and a replay is the same game."""

from __future__ import annotations

import msgspec
import pytest

from pbem.games.eia import RULES
from pbem.games.eia.setup import setup
from pbem.games.eia.state import Corps, Depot, Garrison, State
from pbem.proving import fuzz

GAMES, CHUNKS, MANY = 24, 3, 200
"""So many games of each scenario, in chunks that may be played side by side; and in the long run."""


def sound(scenario: str, options: dict[str, str], number: int, seed: int, robot: str = "random") -> None:
    for one in fuzz.fuzz("eia", scenario, options, number, seed, robot):
        assert one.failure is None, one.failure.failure


@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("scenario", RULES.scenarios)
def test_random_games_of_each_scenario_to_the_end(scenario: str, chunk: int) -> None:
    sound(scenario, {}, GAMES // CHUNKS, 100 * chunk)


@pytest.mark.parametrize("tempo", ["strict", "blitz"])
@pytest.mark.parametrize("scenario", RULES.scenarios)
def test_each_tempo(scenario: str, tempo: str) -> None:
    sound(scenario, {"tempo": tempo, "deploy": "no"}, 3, 1000)


def test_without_any_option() -> None:
    options = {o.name: o.values[-1] for o in RULES.options if o.name != "tempo"}
    sound("1809", options, 6, 2000)


@pytest.mark.parametrize("scenario", RULES.scenarios)
def test_campaigns_of_robots_that_mean_it_are_sound_too(scenario: str) -> None:
    sound(scenario, {}, 4, 3000, "sensible")


@pytest.mark.slow
@pytest.mark.parametrize("scenario", RULES.scenarios)
def test_many_random_games(scenario: str) -> None:
    sound(scenario, {}, MANY, 10_000)


def corps(state: State) -> Corps:
    return state.corps["fr_3"]


@pytest.mark.parametrize(
    ("harm", "names"),
    [
        (lambda state: corps(state).factors.update(I=40), "too much"),
        (lambda state: corps(state).factors.clear(), "empty"),
        (lambda state: setattr(corps(state), "area", "berlin"), "out of play"),
        (lambda state: state.available["france"].append("fr_3"), "on the map and off it"),
        (lambda state: setattr(state.leaders["napoleon"], "corps", ""), "nowhere"),
        (lambda state: state.garrisons.append(Garrison("ulm", "austria", "austria", {"I": 30})), "holds 30"),
        (
            lambda state: state.garrisons.append(Garrison("ulm", "austria", "austria", {"C": 1})),
            "garrison of ulm",
        ),
        (lambda state: state.depots.append(Depot("mainz", "austria")), "two depots"),
        (lambda state: setattr(state.powers["france"], "money", 99), "books of france"),
        (lambda state: setattr(state.powers["france"], "money", -7), "owes money"),
    ],
)
def test_what_no_play_may_reach_is_seen(harm: object, names: str) -> None:
    state = setup("1805", {})
    assert not RULES.invariants(state)
    assert callable(harm)
    harm(state)
    assert any(names in problem for problem in RULES.invariants(state)), RULES.invariants(state)


def test_factors_are_accounted_for() -> None:
    """What was there, what came and what was lost make what is there."""
    from tests.games.eia.play import new, play_out

    for seed in range(4):
        game = new(seed)
        before = _factors(game.state)
        play_out(game, {"france": "random", "austria": "random"}, seed)
        state = game.state
        lost = -sum(entry.number for entry in state.books if entry.factors and entry.why != "unplaced")
        unplaced = -sum(entry.number for entry in state.books if entry.why == "unplaced")
        came = 5 * 4 + 6 - unplaced
        refused = _never_came(state)
        assert _factors(state) == before + came - lost - refused


def _factors(state: State) -> int:
    bodies = [*state.corps.values(), *state.garrisons]
    return sum(body.size for body in bodies) + len(state.horse)


def _never_came(state: State) -> int:
    """The French corps of November does not come where the enemy holds Strasbourg."""
    told = any(corps.id == "fr_10" for corps in state.corps.values()) or "fr_10" in state.available["france"]
    return 0 if told else 6


def test_the_books_survive_the_store() -> None:
    state = setup("1809", {})
    assert msgspec.json.decode(msgspec.json.encode(state), type=State) == state
