"""A simulated month: ten games, players of all types, the real intake; nothing that should not happen happens."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from datetime import datetime
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path

import pytest

from pbem.letters.letter import Letter
from pbem.letters.reading import read
from pbem.proving.player_types import PLAYER_TYPES, Person, opened
from pbem.proving.simulation import BEGIN, Simulation, Summary, simulate
from tests.campaign.conftest import Congress


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


LONG = "[sim-2] t2 : à vous, Russie : ordres avant le vendredi 20 mars 2026 à 20:00 (Europe/Paris), s'il vous plaît"


@pytest.fixture
def two_powers(tmp_path: Path) -> Iterator[Congress]:
    """Two players with two powers each; each is asked two questions at once."""
    made = Congress(f"sqlite:///{tmp_path}/two.db", "two")
    yield made
    made.store.close()


def reply(desk: Congress, subject: str = "[g] t1") -> Letter:
    """What a punctual player writes when he is asked, as it is read here."""
    asking = EmailMessage(SMTP)
    asking["Subject"], asking["Message-ID"] = subject, "<1@pbem.test>"
    asking.set_content("[[orders]]")
    person = Person(desk.game, "france", "punctual", "en", "m@pbem.test", "1")
    sendings = list(person.read(opened(asking.as_bytes()), desk.live.game, "token", BEGIN))
    return read(sendings[0].raw, own_address="m@pbem.test")


def test_an_answer_to_a_letter_with_a_long_subject_has_its_head_whole(two_powers: Congress) -> None:
    letter = reply(two_powers, LONG)
    assert letter.in_reply_to == "<1@pbem.test>"
    assert not any("Content-Type" in line for line in letter.lines)


def test_who_was_asked_twice_and_has_answered_once_says_which_he_answers_now(two_powers: Congress) -> None:
    assert {"FRANCE:", "SPAIN:"} <= set(reply(two_powers).lines)
    two_powers.send("france", "SPAIN:\nhold\n")
    lines = reply(two_powers).lines
    assert "FRANCE:" in lines
    assert "SPAIN:" not in lines


def test_whoever_of_seven_writes_in_time_is_not_marked_late() -> None:
    month = simulate(1, 45, game="crowns", seed=3)
    assert month.faults == []
    assert month.round_trips > 50


def test_a_simulation_names_what_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Simulation, "_next", lambda self: None)
    monkeypatch.setattr(Simulation, "_outage", _nothing)
    assert any("was due" in fault for fault in simulate(1, 30).faults)


async def _nothing(self: Simulation, at: datetime) -> None:
    return None
