"""Reports and orders of whole games, in both languages, through the real catalogue and parser."""

from __future__ import annotations

import pytest

from pbem.games.leipzig import RULES
from pbem.games.leipzig.plan import Actions
from pbem.games.leipzig.state import SEATS, State
from pbem.kernel.game import Game, Given
from pbem.kernel.order import If, Order
from pbem.orders.lexicon import clashes
from pbem.orders.parser import parse_line, parse_standing
from pbem.reports.catalogue import catalogue
from tests.games.leipzig.helpers import new, play_out


def test_no_name_means_two_things() -> None:
    assert clashes(RULES.vocabulary) == []


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("options", [{}, {"advanced": "yes", "match": "yes"}])
def test_a_whole_game_can_be_told(lang: str, options: dict[str, str]) -> None:
    words = catalogue(lang, RULES)
    said: set[str] = set()

    def tell(game: Game[State], given: Given) -> None:
        for told in game.take_told():
            for seat in SEATS:
                if told.known_to(seat):
                    text = words.event(told.event, seat)
                    assert text
                    assert "_" not in text
                    said.add(told.event.kind())
        for question in game.questions.values():
            view = game.view(question.seat)
            assert words.question(question, view)
            for line in RULES.status(view, question.seat):
                assert words.event(line, question.seat)

    play_out(new(3, options), 3, after=tell)
    assert {"tile_placed", "mission_scored", "game_won", "card_drawn", "damage_taken"} <= said


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_every_legal_order_is_read_back_from_its_own_text(lang: str) -> None:
    game = new(5)
    seen: set[str] = set()

    def read(game: Game[State], given: Given) -> None:
        for question in game.questions.values():
            view = game.view(question.seat)
            kinds = type(question).orders
            seen_here: set[type[Order]] = set()
            for order in question.menu(view):
                if type(order) in seen_here and len(seen) > 60:
                    continue
                seen_here.add(type(order))
                text = order.text(RULES.vocabulary, lang)
                if text in seen:
                    continue
                seen.add(text)
                assert parse_line(text, kinds, RULES.vocabulary, lang=lang) == order, text

    play_out(game, 5, after=read)
    assert len(seen) > 60


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_every_example_is_read(lang: str) -> None:
    for kind in RULES.orders:
        text = kind.example[lang]
        if kind in RULES.standing:
            order = parse_standing(text, RULES.standing, RULES.vocabulary, RULES.questions, lang=lang)
        else:
            asked = next(question for question in RULES.questions if kind in question.orders)
            order = parse_line(text, asked.orders, RULES.vocabulary, lang=lang)
        assert isinstance(order, kind), (text, order)


def test_a_plan_is_read_in_both_languages() -> None:
    english = parse_line(
        "if drawn = hill then terrain hill Murat at Wachau else draw row 2",
        Actions.orders,
        RULES.vocabulary,
        plans=True,
    )
    french = parse_line(
        "si piochée = colline alors terrain colline Murat à Wachau sinon piocher rangée 2",
        Actions.orders,
        RULES.vocabulary,
        plans=True,
    )
    assert isinstance(english, If)
    assert english == french
