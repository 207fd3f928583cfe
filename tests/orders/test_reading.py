"""Answers as people send them, and the forms they answer."""

from __future__ import annotations

import pytest

from pbem.kernel.order import Answer, Order, Vocabulary
from pbem.kernel.problem import Problem
from pbem.orders.forms import WIDTH, form_lines, menu_lines
from pbem.orders.help import general_help, order_help, question_help, standing_help
from pbem.orders.reading import MOST_LINES, Reading, menu_numbers, read_answer
from tests.kernel import toy
from tests.orders.sample import (
    ACTIONS,
    ALL,
    QUESTIONS,
    VOCABULARY,
    Acting,
    Draw,
    Move,
    Place,
    Reveal,
    Revealing,
    RevealOrder,
    Row,
)

ACT = Acting(key="t1/actions", seat="french")
REVEAL = Revealing(key="t1/reveal", seat="french")
MOVE = Move("yorck", "mockau", "wachau")


def read(text: str, question: Acting | Revealing = ACT) -> Reading:
    return read_answer(text.splitlines(), question, None, VOCABULARY, others=ALL)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("2", (Row(2),)),
        ("#2", (Row(2),)),
        ("2.", (Row(2),)),
        ("1 1 3 2", (Draw(), Draw(), MOVE, Row(2))),
        ("1, 1; 3", (Draw(), Draw(), MOVE)),
        ("1: draw pile\n2: draw row 2\n3:\n4:", (Draw(), Row(2))),
        ("1) draw pile\n2) 3", (Draw(), MOVE)),
        ("1. draw pile", (Draw(),)),
        ("- draw pile\n* draw row 2", (Draw(), Row(2))),
        ("3x draw pile", (Draw(),) * 3),
        ("3 × draw pile", (Draw(),) * 3),
        ("3 fois piocher", (Draw(),) * 3),
        ("draw pile x3", (Draw(),) * 3),
        ("draw pile (x 2)", (Draw(),) * 2),
        ("2x 1", (Draw(),) * 2),
        ("2x draw pile; draw row 2", (Draw(), Row(2)) * 2),
        ("1: 2x draw pile", (Draw(),) * 2),
        ("draw pile; draw row 2 # hoping\n\n// nothing more", (Draw(), Row(2))),
        ("# draw pile", ()),
        ("-----\n[[orders x t1]]\n...", ()),
        ("[2] draw row 2", (Row(2),)),
        ("[1] draw pile\n[2] draw row 2\n[3] move Yorck from Wachau to Mockau\ndraw pile", (Draw(),)),
        ("[1] draw pile  [2] draw row 2", ()),
        ("piocher\ndraw row 2", (Draw(), Row(2))),
    ],
)
def test_answers(text: str, answer: Answer) -> None:
    reading = read(text)
    assert reading.problems == ()
    assert reading.orders == answer


def test_each_line_has_its_outcome() -> None:
    reading = read("draw pile\ndraw rwo nine\nreveal Wachau")
    assert [line.text for line in reading.lines] == ["draw pile", "draw rwo nine", "reveal Wachau"]
    assert [[p.code for p in line.problems] for line in reading.lines] == [
        [],
        ["number_out_of_range"],
        ["wrong_kind_here"],
    ]
    assert reading.orders == (Draw(),)


def test_the_nearest_order_of_the_menu_is_offered() -> None:
    (problem,) = read("Yorck move Wachau -> Mockau quick").problems
    assert problem.nearest == (MOVE,)


def test_a_number_outside_the_menu() -> None:
    (problem,) = read("1 7").problems
    assert (problem.code, problem.params["word"], problem.params["high"]) == ("no_such_choice", "7", 3)


def test_a_number_says_itself_where_only_numbers_are_asked() -> None:
    bidding = toy.Bidding(key="b", seat="red", place="hill")
    reading = read_answer(["2"], bidding, toy.State(), toy.RULES.vocabulary)
    assert reading.orders == (toy.Bid(2),)
    assert list(menu_numbers(bidding.menu(toy.State()))) == [0, 1, 2, 3]


def test_too_much() -> None:
    assert [p.code for p in read("99x draw pile").problems] == ["number_out_of_range"]
    assert [p.code for p in read("20x draw pile\n" * 3).problems] == ["too_many_orders"]
    assert [p.code for p in read("draw pile " + "x" * 500).problems] == ["too_long"]
    assert read("# x\n" * (MOST_LINES + 1)).problems[-1].code == "too_many_lines"


def test_problems_of_the_check_go_to_their_line() -> None:
    reading = read("2x draw pile\ndraw row 2")
    checked = reading.checked([Problem("a", order=2), Problem("b", order=1), Problem("c", order=9)])
    assert [[p.code for p in line.problems] for line in checked.lines] == [["b"], ["a", "c"]]
    assert Reading().checked([Problem("d")]).problems[0].code == "d"


def test_a_form_sent_back_unchanged_is_the_default_answer() -> None:
    for lang in ("en", "fr"):
        for question in (ACT, REVEAL):
            lines, menu = form_lines(question, None, VOCABULARY, lang)
            reading = read_answer(lines, question, None, VOCABULARY)
            assert reading.orders == question.default(None)
            assert reading.problems == ()
            assert read_answer(menu, question, None, VOCABULARY).orders == ()


def test_the_form() -> None:
    lines, menu = form_lines(ACT, None, VOCABULARY)
    assert lines == ["1: draw pile", "2: draw pile", "3:", "4:", "5:"]
    assert menu == ["[1] draw pile", "[2] draw row 2", "[3] move Yorck from Wachau to Mockau"]
    assert form_lines(REVEAL, None, VOCABULARY, "fr")[0] == ["révéler Wachau"]


def test_a_long_menu_has_columns_and_fits() -> None:
    menu: list[Order] = [Reveal(zone) for zone in VOCABULARY.kinds["zone"]] * 20
    menu += [Place("x" * 200)]
    lines = menu_lines(menu, VOCABULARY)
    assert max(map(len, lines)) <= WIDTH
    assert lines[0].count("[") >= 2
    assert menu_lines([Draw()] * 300, VOCABULARY)[-1] == "[…] +100"
    assert menu_lines([], VOCABULARY) == []


def test_help_says_what_the_parser_reads() -> None:
    assert order_help(Move, VOCABULARY) == [
        "move <army> [from <zone>] to <zone>",
        "    for example: move Yorck from Wachau to Mockau",
    ]
    assert order_help(Move, VOCABULARY, "fr")[0] == "déplacer <armée> [de <zone>] vers <zone>"
    assert order_help(RevealOrder, VOCABULARY) == ["reveal order: <zone>, <zone>…"]
    assert "    or draw from the pile" in question_help(Acting, VOCABULARY)
    assert any("sinon" in line for line in question_help(Acting, VOCABULARY, "fr"))
    assert not any("else" in line for line in question_help(Revealing, VOCABULARY))
    text = standing_help((RevealOrder,), QUESTIONS, VOCABULARY, "fr")
    assert text[-2:] == ["questions : actions, révélation", "faits : temps, piochée, corps ennemis, pluie"]
    for lang in ("en", "fr"):
        assert general_help(lang)
        for kind in ACTIONS:
            assert order_help(kind, Vocabulary({}), lang)
