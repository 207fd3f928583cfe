"""The orders of our games: what a form or a menu says is read as what it means, in both languages."""

from __future__ import annotations

import importlib
import random
from itertools import islice
from typing import Any

import pytest

from pbem.kernel.game import LETTER, Game, Given
from pbem.kernel.order import LANGUAGES, Order
from pbem.kernel.rules import Rules
from pbem.orders.forms import WIDTH, form_lines
from pbem.orders.help import question_help, standing_help
from pbem.orders.lexicon import clashes
from pbem.orders.parser import parse_line
from pbem.orders.reading import read_answer
from pbem.proving.cases import Seeded

GAMES = ("leipzig", "ccn")
DECISIONS = 40


@pytest.fixture(params=GAMES)
def rules(request: pytest.FixtureRequest) -> Rules[Any]:
    found: Rules[Any] = importlib.import_module(f"pbem.games.{request.param}").RULES
    return found


def test_no_name_means_two_things(rules: Rules[Any]) -> None:
    assert clashes(rules.vocabulary) == []


def test_examples_are_orders_of_their_kind(rules: Rules[Any]) -> None:
    for kind in rules.orders:
        for text in kind.example.values():
            order = parse_line(text, rules.orders, rules.vocabulary)
            assert isinstance(order, kind), (text, order)


def test_help_is_written_for_every_question(rules: Rules[Any]) -> None:
    for lang in LANGUAGES:
        assert all(question_help(question, rules.vocabulary, lang) for question in rules.questions)
        assert standing_help(rules.standing, rules.questions, rules.vocabulary, lang)


def test_forms_and_answers_in_play(rules: Rules[Any]) -> None:
    whim = random.Random(1813)
    game = Game.start(rules, next(iter(rules.scenarios)), {}, Seeded(1813))
    for _ in range(DECISIONS):
        key, question = next((key, one) for key, one in game.questions.items() if not game.answered(key))
        view = game.view(question.seat)
        answer = whim.choice(list(islice(question.legal(view), 50)))
        menu = question.menu(view)
        single = whim.sample(menu, min(3, len(menu)))

        def read(lines: list[str], lang: str) -> tuple[Order, ...]:
            reading = read_answer(lines, question, view, rules.vocabulary, lang=lang)  # noqa: B023
            assert reading.problems == (), lines
            return reading.orders

        for lang in LANGUAGES:
            filled, shown = form_lines(question, view, rules.vocabulary, lang)
            assert read(filled, lang) == question.default(view)
            assert max(map(len, shown), default=0) <= WIDTH
            assert read([order.text(rules.vocabulary, lang) for order in answer], lang) == answer
            for order in single:
                assert read([order.text(rules.vocabulary, lang)], lang) == (order,)
        game.give(Given(key, question.seat, answer, LETTER))
        if game.over:
            break
