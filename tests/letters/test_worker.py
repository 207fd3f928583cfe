"""Letters read in a process of their own: the same letters, and none beyond its budget."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pbem.letters import worker
from pbem.letters.reading import read
from pbem.letters.worker import BoundedReader

CORPUS = sorted((Path(__file__).parent / "corpus").glob("*.eml"))
OWN = "moderator@pbem.example"
SMALL = b"From: anne@players.example\nTo: moderator+leipzig-7.k3x9qa@pbem.example\n\ndraw pile\n"
HEAVY = SMALL + b"the quick brown fox\xc3\xa9 wrote <b>\n" * 12_000


@pytest.fixture
def readers() -> Iterator[Callable[..., BoundedReader]]:
    made: list[BoundedReader] = []

    def make(**budget: float) -> BoundedReader:
        made.append(BoundedReader(**budget))  # type: ignore[arg-type]
        return made[-1]

    yield make
    for one in made:
        one.close()


def test_it_reads_what_the_reader_reads(readers: Callable[..., BoundedReader]) -> None:
    reader = readers()
    for path in CORPUS[::9]:
        raw = path.read_bytes()
        assert reader(raw, own_address=OWN) == read(raw, own_address=OWN)
    raw = CORPUS[0].read_bytes()
    reader.prepare(raw, OWN)
    assert reader(raw, own_address=OWN) == read(raw, own_address=OWN)


@pytest.mark.parametrize("budget", [{"seconds": 0.01}, {"memory": 1024 * 1024}])
def test_a_letter_beyond_its_budget_is_answered_and_the_next_is_read(
    readers: Callable[..., BoundedReader], budget: dict[str, float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "_PATIENCE", 3000.0)
    reader = readers(**budget)
    letter = reader(HEAVY, own_address=OWN)
    assert [trouble.code for trouble in letter.troubles] == ["too-costly"]
    assert letter.blocked
    assert letter.lines == ()
    assert (letter.sender, letter.token) == ("anne@players.example", "leipzig-7.k3x9qa")
    assert "time or memory" in letter.troubles[0].text("en")
    assert reader(SMALL, own_address=OWN).lines == ("draw pile",)


def test_the_clock_on_the_wall_ends_it_too(
    readers: Callable[..., BoundedReader], monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = readers()
    assert reader(SMALL, own_address=OWN).lines == ("draw pile",)
    monkeypatch.setattr(worker, "_PATIENCE", 0.0)
    assert [trouble.code for trouble in reader(HEAVY, own_address=OWN).troubles] == ["too-costly"]


def test_a_worker_ended_by_somebody_else_costs_no_letter(readers: Callable[..., BoundedReader]) -> None:
    reader = readers()
    reader(SMALL, own_address=OWN)
    assert reader.pid is not None
    os.kill(reader.pid, 9)
    assert reader(SMALL, own_address=OWN).lines == ("draw pile",)


def test_where_no_process_can_be_had_letters_are_read_all_the_same(
    readers: Callable[..., BoundedReader], monkeypatch: pytest.MonkeyPatch
) -> None:
    def none(self: BoundedReader) -> None:
        raise OSError("no more processes")

    monkeypatch.setattr(BoundedReader, "_begin", none)
    assert readers()(SMALL, own_address=OWN).lines == ("draw pile",)
