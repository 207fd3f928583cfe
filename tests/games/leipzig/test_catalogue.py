"""Everything that can happen, be asked or be wrong has its words in both languages."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from pbem import paths
from pbem.games import leipzig
from pbem.games.leipzig.board import BOARD
from pbem.games.leipzig.cases import build
from pbem.reports.catalogue import Catalogue

SOURCES = Path(leipzig.__file__).parent
LANGUAGES = ("en", "fr")


def book(lang: str) -> dict[str, Any]:
    return tomllib.loads((paths.templates() / lang / "leipzig.toml").read_text(encoding="utf-8"))


def codes() -> set[str]:
    text = "".join(file.read_text(encoding="utf-8") for file in SOURCES.glob("*.py"))
    found = set(re.findall(r'(?:Refused|Problem)\(\s*"(\w+)"', text))
    found |= set(re.findall(r'"(\w+)" if unknown else "(\w+)"', text)[0])
    return found | {"army_not_played", "army_is_placed", "army_is_lost", "card_unknown", "no_card", "no_pair"}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_event_question_and_problem_has_a_phrase(lang: str) -> None:
    words = book(lang)
    assert {event.kind() for event in leipzig.RULES.events} == set(words["events"])
    kinds = {question.kind() for question in leipzig.RULES.questions}
    assert kinds == set(words["questions"]) == set(words["questions_short"])
    assert codes() - set(words["problems"]) == set()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_reason_for_a_figure_has_a_name(lang: str) -> None:
    needed = set()
    for id, army in BOARD.armies.items():
        roles = ("stands", "supports") if army.side == "french" else ("against",)
        needed |= {f"{role}_{id}" for role in (*roles, "terrain", "struck_by")}
    assert needed == set(book(lang)["modifiers"])


def test_both_languages_have_the_same_keys() -> None:
    english, french = book("en"), book("fr")
    assert {section: set(phrases) for section, phrases in english.items()} == {
        section: set(phrases) for section, phrases in french.items()
    }


def test_every_order_has_words_in_both_languages_and_an_example() -> None:
    for order in leipzig.RULES.orders:
        for lang in LANGUAGES:
            assert order.words[lang], order
            assert order.example[lang], order
            for pattern in order.words[lang]:
                assert set(re.findall(r"\{(\w+)\}", pattern)) <= set(order.slots), (order, pattern)


@pytest.mark.parametrize(
    ("time", "lang", "words"),
    [
        (40, "en", "1 step to"),
        (41, "en", "the game ends with the turn in which that happens"),
        (42, "en", "The game ends with this turn"),
        (41, "fr", "la partie finit avec le tour où cela arrive"),
        (42, "fr", "La partie finit avec ce tour"),
    ],
)
def test_at_the_last_date_the_game_is_not_yet_said_to_end(time: int, lang: str, words: str) -> None:
    # rule 4.4
    clock = leipzig.RULES.status(build("battle", {}, {"time": time}), "french")[0]
    assert words in Catalogue(lang, leipzig.RULES).event(clock)
