"""Every problem of reading can be said in both languages, with the variables that it really has."""

from __future__ import annotations

import re
import tomllib
from functools import partial
from pathlib import Path

import pytest
from jinja2 import Environment, StrictUndefined

import pbem.orders
from pbem import paths
from pbem.campaign.commands.registry import COMMANDS as REGISTRY
from pbem.kernel.order import Answer, Vocabulary
from pbem.kernel.problem import Problem
from pbem.orders.parser import parse_line, parse_orders, parse_standing
from pbem.orders.reading import read_answer
from pbem.reports.catalogue import at, many, of
from tests.orders.sample import ACTIONS, ALL, QUESTIONS, VOCABULARY, Acting, RevealOrder

LINES = [
    "gobble",
    "draw",
    "draw row 9",
    "draw row quickly",
    "draw row 2 quickly",
    "move Yorck to Wiederitzsch",
    "move Yorck to Nowhere",
    "move Yorck to Propsthayden",
    "move",
    "reveal Wachau",
    "pla pla",
    "99x draw pile",
    "9",
    "draw pile\n" * 60,
    "#\n" * 300,
    "x" * 600,
    "if weather then draw pile",
    "if time > gobble then draw pile",
    "if time >",
    "if time > 3",
    "if rain and rain or rain then draw pile",
    "(((((((((draw pile",
    "",
]
STANDING = [
    "when dinner then x",
    "when reveal then draw pile",
    "ask me reveal now",
    "when reveal if rain",
    "x",
]
COMMANDS = ["PRESS", "WHY not", "sta"]


def problems() -> list[Problem]:
    act = Acting(key="k", seat="french")
    found: list[Problem] = []
    for text in LINES:
        found += read_answer(text.split("\n"), act, None, VOCABULARY, others=ALL).problems
        for plans in (True, False):
            parsed = parse_orders(text, ACTIONS, VOCABULARY, plans=plans, others=ALL)
            found += parsed.problems
        one = parse_line("draw pile; draw pile", ACTIONS, VOCABULARY)
        found += one if isinstance(one, list) else []
    for text in STANDING:
        order = parse_standing(text, (RevealOrder,), VOCABULARY, QUESTIONS)
        found += order if isinstance(order, list) else []
    class_a = parse_line("atta Ney", _TWINS, VOCABULARY)
    found += class_a if isinstance(class_a, list) else []
    for text in COMMANDS:
        given = REGISTRY.command(text)
        if given is not None and given.problem is not None:
            found.append(given.problem)
    spoken = Vocabulary(
        {kind: words.values() for kind, words in VOCABULARY.kinds.items()},
        {
            "move": {"en": ("march",)},
            "reveal": {"en": ("march",)},
            "place": {"en": ("march",)},
            "rush": {"en": ("march",)},
        },
    )
    for text in ("Yorck marches to Mockau", "march Ney", "march the singing Yorck to Mockau gladly"):
        for strict in (True, False):
            found += read_answer([text], Spoken(key="k", seat="french"), None, spoken, strict=strict).problems
    return found


class Rush(ACTIONS[2], frozen=True):  # type: ignore[misc,valid-type]
    words = {"en": ("rush {army}",)}


class Spoken(Acting, frozen=True):
    """Everything stands."""

    orders = (*ALL, Rush)

    def check(self, view: object, answer: Answer) -> list[Problem]:
        return []


class Attack(ACTIONS[2], frozen=True):  # type: ignore[misc,valid-type]
    words = {"en": ("attack {army}",)}


class Attach(ACTIONS[2], frozen=True):  # type: ignore[misc,valid-type]
    words = {"en": ("attach {army}",)}


_TWINS = (Attack, Attach)


def phrases(lang: str) -> dict[str, str]:
    with (paths.templates() / lang / "orders.toml").open("rb") as stream:
        loaded: dict[str, str] = tomllib.load(stream)["problems"]
        return loaded


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_problems_are_said_with_the_variables_they_have(lang: str) -> None:
    environment = Environment(undefined=StrictUndefined)
    environment.filters.update(many=partial(many, lang=lang), of=of, at=at)
    said = {code: environment.from_string(text) for code, text in phrases(lang).items()}
    seen = set()
    for problem in problems():
        nearest = "; ".join(order.text(VOCABULARY, lang) for order in problem.nearest)
        text = said[problem.code].render(nearest=nearest, rule=problem.rule, **problem.params)
        assert len(text) > 10
        seen.add(problem.code)
    assert seen == set(said)


def test_both_languages_and_the_code_have_the_same_problems() -> None:
    folder = Path(pbem.orders.__file__).parent
    source = "\n".join(file.read_text("utf-8") for file in folder.glob("*.py"))
    for code in phrases("en"):
        assert re.search(rf'"{code}"', source), code
    assert phrases("en").keys() == phrases("fr").keys()
