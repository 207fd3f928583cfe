"""Recordings: the same code writes the same lines, and a difference is found."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from pbem.proving import recording
from pbem.proving.recording import Line


@pytest.fixture(scope="module")
def lines() -> list[Line]:
    (game,) = recording.record("leipzig", ["battle"], 1, 2)
    return game


def _write(file: Path, lines: list[Line]) -> Path:
    with file.open("wb") as stream:
        recording.write(lines, stream)
    return file


def test_a_game_is_recorded_twice_alike(lines: list[Line], tmp_path: Path) -> None:
    (again,) = recording.record("leipzig", ["battle"], 1, 2)
    found = recording.compare(_write(tmp_path / "a", lines), _write(tmp_path / "b", again))
    assert found.differences == []
    assert found.games == 1
    assert found.answers > 20
    assert found.letters >= found.answers / 4


def test_another_state_and_another_letter_are_found(lines: list[Line], tmp_path: Path) -> None:
    for at in (0, len(lines) - 1):
        changed = list(lines)
        field = "letter" if lines[at].letter else "state"
        changed[at] = msgspec.structs.replace(lines[at], **{field: "0" * 64})
        found = recording.compare(_write(tmp_path / "a", lines), _write(tmp_path / "b", changed))
        assert len(found.differences) == 1


def test_draws_are_recorded_with_their_answers(lines: list[Line]) -> None:
    drawn = [draw for line in lines for draw in line.draws]
    assert drawn
    assert all(draw.label and (draw.values or draw.items) for draw in drawn)
