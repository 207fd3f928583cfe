"""The rule cases, whole games by chance, a whole game by letters, and words for everything in both languages."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem import games, paths
from pbem.proving.cases import run
from pbem.proving.coverage import rule_numbers
from pbem.proving.fuzz import fuzz
from pbem.proving.recording import record
from pbem.reports.catalogue import catalogue
from pbem.reports.map import png

HERE = Path(__file__).parent


@pytest.mark.parametrize("file", sorted((HERE / "cases").rglob("*.toml")), ids=lambda file: file.stem)
def test_cases(file: Path) -> None:
    assert [f"{case.name}: {'; '.join(case.failures)}" for case in run(file) if not case.passed] == []


@pytest.mark.parametrize("robot", ["random", "sensible", "caretaker"])
def test_whole_games_by_chance(robot: str) -> None:
    for played in fuzz("NAME", "campaign", {"long": "yes"}, 10, 1, robot):
        assert played.failure is None


def test_a_game_by_letters() -> None:
    (lines,) = record("NAME", ["campaign"], 1, 1)
    assert sum(bool(line.state) for line in lines) >= 8
    assert not [line for line in lines if line.letter.startswith("fault")]


def test_the_map_can_be_drawn(tmp_path: Path) -> None:
    rules = games.load("NAME")
    drawing = rules.drawing(rules.view(rules.setup("campaign", {}), None), None, "en")
    assert png(drawing, 300, cache_dir=tmp_path).startswith(b"\x89PNG")


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_everything_has_its_words(lang: str) -> None:
    rules, words = games.load("NAME"), catalogue(lang, games.load("NAME"))
    assert all(words.has("events", event.kind()) for event in rules.events)
    assert all(words.has("questions", question.kind()) for question in rules.questions)
    assert words.has("problems", "no_road")


def test_both_languages_have_the_same_rules() -> None:
    english, french = (paths.game_rules("NAME", lang).read_text("utf-8") for lang in ("en", "fr"))
    assert rule_numbers(english) == rule_numbers(french) != ()
