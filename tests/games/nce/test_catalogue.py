"""Everything that can happen, be asked or be wrong has its words in both languages."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem import paths
from pbem.games import nce
from pbem.games.nce.charts import CARDS, CROSSING
from pbem.games.nce.rephrase import FACT, QUESTION
from pbem.kernel.problem import Problem
from pbem.kernel.question import Question
from pbem.reports.catalogue import Catalogue
from tests.games.nce.play import new, play_out

SOURCES = "".join(file.read_text("utf-8") for file in Path(nce.__file__).parent.rglob("*.py"))
LANGUAGES = ("en", "fr")


def book(lang: str) -> dict[str, Any]:
    return tomllib.loads((paths.templates() / lang / "nce.toml").read_text(encoding="utf-8"))


def codes() -> set[str]:
    found = set(re.findall(r'(?:Refused|Problem)\(\s*"(\w+)"', SOURCES))
    found |= set(re.findall(r'return "(\w+)", "[\d.]+"', SOURCES))
    found |= set(re.findall(r'\("(\w+)", "[\d.]+"\)', SOURCES))
    return found | {"peninsula_closed", "peninsula_full", "neutral_ground", "too_many_provinces"}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_event_question_and_problem_has_a_phrase(lang: str) -> None:
    words = book(lang)
    assert {event.kind() for event in nce.RULES.events} == set(words["events"])
    kinds = {question.kind() for question in nce.RULES.questions}
    assert kinds == set(words["questions"]) == set(words["questions_short"])
    assert codes() - set(words["problems"]) == set()
    assert kinds == set(QUESTION)


SAMPLES: dict[str, Any] = {
    "zone": "paris",
    "barred": "paris",
    "force": "napoleon",
    "card": "1F",
    "unit": "fr_garde",
    "country": "autriche",
    "power": "autriche",
    "general": "davout",
    "start": "paris",
    "sea": "manche",
    "fleet": "keith",
    "piece": "davout",
    "province": "tyrol",
    "why": "no_general",
    "option": "a",
    "choices": ("country", "zones"),
    "phase": "activation",
    "needed": 2,
    "left": 1,
    "most": 3,
    "room": 2,
}


def refusals() -> Iterator[tuple[str, dict[str, Any]]]:
    """Every refusal whose code stands in the source, with the parameters that it is given there."""
    for file in Path(nce.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            named = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
            if not named or node.func.id != "Refused" or not isinstance(node.args[0], ast.Constant):
                continue
            names = {word.arg for word in node.keywords if word.arg} - {"nearest"}
            yield (
                str(node.args[0].value),
                {name: SAMPLES.get(name, (SAMPLES.get(_single(name)),)) for name in names},
            )


def _single(name: str) -> str:
    return "country" if name == "countries" else name.removesuffix("s")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_refusal_can_be_said_with_what_it_is_given(lang: str) -> None:
    catalogue = Catalogue(lang, nce.RULES)
    found = list(refusals())
    assert len(found) > 100
    for code, params in found:
        assert catalogue.problem(Problem(code, "1.1", params=params)), code


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_reason_for_a_figure_has_a_name(lang: str) -> None:
    needed = set(re.findall(r'Modifier\(\s*"(\w+)"', SOURCES))
    needed |= {kind for kind, row in CROSSING.items() if row["kind"] == "border" and row["combat"]}
    assert needed - set(book(lang)["modifiers"]) == set()


def test_both_languages_have_the_same_keys() -> None:
    english, french = book("en"), book("fr")
    assert {section: set(phrases) for section, phrases in english.items()} == {
        section: set(phrases) for section, phrases in french.items()
    }


def test_every_order_has_words_in_both_languages_and_an_example() -> None:
    for order in nce.RULES.orders:
        for lang in LANGUAGES:
            assert order.words[lang], order
            assert order.example[lang], order
            for pattern in order.words[lang]:
                assert set(re.findall(r"\{(\w+)\}", pattern)) <= set(order.slots), (order, pattern)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_all_that_is_told_and_asked_in_a_campaign_can_be_said(lang: str) -> None:
    catalogue = Catalogue(lang, nce.RULES)
    asked: list[Question] = []
    game = new(4, "1809")
    play_out(game, {"empire": "random", "coalition": "random"}, 4, watch=False, asked=asked)
    for told in game.take_told():
        assert catalogue.event(told.event)
        for modifier in told.event.modifiers:
            assert catalogue.modifier(modifier) != ""
    for question in asked:
        assert (
            set(question.facts(game.view(question.seat))) <= set(FACT) if question.kind() == "act" else True
        )
    for event in nce.RULES.status(game.view("empire"), "empire"):
        assert catalogue.event(event)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_card_is_described_with_its_mark(lang: str) -> None:
    assert set(book(lang)["cards"]) == set(CARDS)
    assert all(text.endswith(")") for text in book(lang)["cards"].values())


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("code", ["beaten_power", "already_at_war", "peace_lasts", "name_a_country"])
def test_a_problem_that_may_list_countries_has_words_without_them(code: str, lang: str) -> None:
    words = Catalogue(lang, nce.RULES)
    assert words.problem(Problem(code, "9.2.1", params={"country": "autriche"}))
