"""A simulated month: ten games, players of all types, the real intake; nothing that should not happen happens."""

from __future__ import annotations

import itertools
from datetime import datetime

import pytest

from pbem.proving.player_types import PLAYER_TYPES, Person
from pbem.proving.simulation import BEGIN, Simulation, Summary, simulate


@pytest.fixture(scope="module")
def month() -> Summary:
    return simulate(10, 30)


def test_a_month_of_ten_games_has_no_faults(month: Summary) -> None:
    assert month.faults == []
    assert sum(month.standing.values()) == 10


def test_everything_happened_that_happens_in_a_month(month: Summary) -> None:
    assert month.letters_in > 300
    assert month.letters_out > month.letters_in / 2
    assert month.round_trips > 200
    for what in ("reminder", "notice", "default", "caretaker", "late", "on_time", "bounce"):
        assert month.tally[what], what
    assert set(month.handled) <= {"done", "duplicate", "ignored"}
    assert month.handled["duplicate"]
    assert month.standing["over"]


def test_a_month_is_the_same_every_time() -> None:
    first, second = (simulate(1, 10, seed=3) for _ in range(2))
    assert (first.letters_in, first.tally, first.answers) == (second.letters_in, second.tally, second.answers)


def test_all_tempers_meet() -> None:
    assert len(PLAYER_TYPES) == len(set(PLAYER_TYPES)) == 9
    pairs = set(itertools.islice(itertools.cycle(itertools.product(PLAYER_TYPES, repeat=2)), 0, 81 * 7, 7))
    assert len(pairs) == 81


def test_a_vanishing_player_stops_writing_and_a_bouncing_one_comes_back() -> None:
    gone = Person("g", "french", "vanishing", "en", "m@x.test", "1")
    gone.sent = 99
    assert gone._gone()
    away = Person("g", "french", "bouncing", "en", "m@x.test", "1")
    assert away.reachable(BEGIN)
    away.received = 5
    assert not away.reachable(BEGIN)
    assert away.unreachable_until is not None
    assert away.reachable(away.unreachable_until)


def test_a_simulation_names_what_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Simulation, "_next", lambda self: None)
    monkeypatch.setattr(Simulation, "_outage", _nothing)
    assert any("was due" in fault for fault in simulate(1, 30).faults)


async def _nothing(self: Simulation, at: datetime) -> None:
    return None
