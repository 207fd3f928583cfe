"""Fuzz in CI: whole random games, checked on the way (`pbem fuzz` is the same by hand)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pbem import games
from pbem.proving import fuzz

CHUNK = 25


def judge(name: str, played: list[fuzz.Played], record: Callable[[str, object], None]) -> None:
    failures = [one.failure.failure for one in played if one.failure is not None]
    assert not failures, failures[0]
    assert len(played) == CHUNK
    rate = sum(one.decisions for one in played) / sum(one.seconds for one in played)
    record("decisions_per_second", round(rate))
    print(f"{name}: {rate:.0f} decisions a second, checked")


@pytest.mark.parametrize("chunk", range(8))
def test_leipzig_200_random_games(chunk: int, record_property: Callable[[str, object], None]) -> None:
    judge("leipzig", list(fuzz.fuzz("leipzig", "battle", {}, CHUNK, 1000 * chunk)), record_property)


@pytest.mark.parametrize("chunk", range(20))
def test_ccn_500_random_games(chunk: int, record_property: Callable[[str, object], None]) -> None:
    scenarios = sorted(games.load("ccn").scenarios)
    start = CHUNK * chunk
    played = [
        fuzz.play_one("ccn", scenarios[number % len(scenarios)], {}, number)
        for number in range(start, start + CHUNK)
    ]
    judge("ccn", played, record_property)


@pytest.mark.parametrize("options", [{"advanced": "yes"}, {"match": "yes"}])
def test_leipzig_with_its_options(options: dict[str, str]) -> None:
    for one in fuzz.fuzz("leipzig", "battle", options, 5, 77):
        assert one.failure is None, one.failure


def test_a_failure_is_found_and_comes_with_its_playback(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(rules: object, game: object, seats: object) -> None:
        raise fuzz.Wrong("invariant: a tile in two places")

    monkeypatch.setattr(fuzz, "check_step", broken)
    one = fuzz.play_one("leipzig", "battle", {}, 1)
    assert one.failure is not None
    assert "two places" in one.failure.failure
    assert one.failure.game == "leipzig"
