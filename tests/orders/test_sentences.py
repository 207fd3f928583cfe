"""Sentences in one's own words: what is understood, what is asked, and that it takes no longer than its length."""

from __future__ import annotations

import time

import pytest

from pbem.kernel.words import BadWords, read
from pbem.orders.explaining import explain
from tests.orders.corpus.reading import position
from tests.orders.corpus.reading import read as read_letter


def said(game: str, text: str) -> str:
    reading = read_letter(game, text)
    if reading.problems:
        return "?"
    vocabulary = position(game)[0].rules.vocabulary
    return "; ".join(order.text(vocabulary, "en") for order in reading.orders)


@pytest.mark.parametrize(
    ("game", "text", "orders"),
    [
        ("nce", "go to Anvers and siege", "go to Anvers; siege"),
        ("nce", "Suchet va au Mans, sans siège", "activate Suchet; go to Le Mans"),
        ("nce", "Mortier and Oudinot march to Metz and besiege it", "?"),
        ("nce", "Davout marches to Lille. Davout besieges.", "activate Davout; go to Lille; siege"),
        ("leipzig", "Do not play army Bertrand and draw a card", "?"),
        ("leipzig", "n'oublie pas de piocher une carte", "draw pile"),
        ("leipzig", "Should I play Murat?", "?"),
        ("ccn", "C5 to D5, C8 to D8", "C5 to D5; C8 to D8"),
        ("ccn", "C5 could move to D5", "?"),
        ("ccn", "the rifles in B2 go to C2", "?"),
        ("ccn", "C8 never attacks", "?"),
    ],
)
def test_what_is_taken_and_what_is_asked(game: str, text: str, orders: str) -> None:
    assert said(game, text) == orders


def test_a_reading_that_is_not_sure_is_shown() -> None:
    (line,) = read_letter("leipzig", "draw a card, then another").lines
    assert [problem.code for problem in line.problems] == ["words_left"]
    assert len(line.choices) == 1


def test_the_readings_considered_are_explained() -> None:
    game, question, view = position("ccn")
    lines = explain("C5 moves to D5 quickish", game.rules, view, question)
    assert lines[0].startswith("!")
    assert any("C5 to D5" in line and "quickish" in line for line in lines)


HOSTILE = (
    "C6 to D5 and ",
    "and ",
    "if ",
    "not ",
    "because C6 ",
    "the the ",
    "B5, ",
    "attack ",
    "( ",
    "x9 ",
    "ж ",
)


@pytest.mark.parametrize("piece", HOSTILE)
def test_hostile_text_takes_no_more_than_linear_time(piece: str) -> None:
    def cost(lines: int) -> float:
        text = "\n".join(f"{piece * (480 // len(piece))}{n}" for n in range(lines))
        read_letter("ccn", text)
        started = time.perf_counter()
        read_letter("ccn", text)
        return time.perf_counter() - started

    few, many = cost(3), cost(24)
    assert many < 8 * 5 * few + 0.5


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("[names.army]\nney = ['Ney']", "[names.army] ney"),
        ("[also.army]\nney = ['Red']\nmurat = ['red']", "[also.army] murat"),
        ("[verbs.move]\nde = ['gehen']", "[verbs.move] de"),
        ("[colour]\na = 1", "colour"),
        ("= 1", "words.toml"),
    ],
)
def test_a_words_file_is_checked(text: str, named: str) -> None:
    with pytest.raises(BadWords) as error:
        read(text)
    assert named in str(error.value)
