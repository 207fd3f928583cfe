"""Orders in the player's own words by letter: read, asked about, chosen by «yes» or a number, or always asked about."""

from __future__ import annotations

import re

from tests.campaign.conftest import Desk


def keep(desk: Desk) -> None:
    desk.send("french", "1")


def test_a_sentence_is_taken_and_the_reply_shows_how_it_was_read(desk: Desk) -> None:
    keep(desk)
    before = desk.answers()
    desk.send("french", "Please draw two cards from the pile, then draw three from the pile.")
    words = desk.words("french")
    assert "read as:" in words
    assert "+ draw pile 2 times + draw pile 3 times" in words
    assert desk.answers() > before


def test_a_reading_with_a_word_left_over_is_shown_and_yes_takes_it(desk: Desk) -> None:
    keep(desk)
    before = desk.answers()
    desk.send("french", "draw five zigzag cards from the pile")
    words = desk.words("french")
    assert "«yes»" in words
    assert desk.answers() == before
    desk.send("french", "Hello,\nyes\nThanks")
    assert desk.answers() > before


def test_the_number_of_a_reading_takes_it_and_numbers_of_the_menu_stay_what_they_are(desk: Desk) -> None:
    keep(desk)
    before = desk.answers()
    desk.send("french", "draw five zigzag cards from the pile")
    found = re.search(r"\[(\d+)\] draw pile 5 times «?", desk.words("french").split("read", 1)[-1])
    numbers = [int(n) for n in re.findall(r"\[(\d+)\] draw pile 5 times", desk.words("french"))]
    assert found
    assert len(numbers) == 2, "once in the menu, once as a reading"
    desk.send("french", str(max(numbers)))
    assert desk.answers() > before


def test_yes_without_anything_shown_orders_nothing(desk: Desk) -> None:
    keep(desk)
    before = desk.answers()
    desk.send("french", "yes")
    assert desk.answers() == before


def test_reading_strict_asks_about_everything_in_own_words(desk: Desk) -> None:
    keep(desk)
    desk.send("french", "READING strict")
    assert "READING strict:" in desk.words("french")
    before = desk.answers()
    desk.send("french", "Please draw five cards from the pile.")
    assert desk.answers() == before
    assert "would be read as" in desk.words("french")
    desk.send("french", "oui")
    assert desk.answers() > before


def test_check_above_standing_changes_nothing(desk: Desk) -> None:
    keep(desk)
    desk.send("french", "CHECK\nSTANDING\nreveal order Wachau, Leipzig")
    assert "That was a trial" in desk.words("french")
    assert desk.live.standing.get("french", []) == []
    desk.send("french", "CHECK\nSTANDING reveal order Wachau, Leipzig")
    assert desk.live.standing.get("french", []) == []
    desk.send("french", "STANDING\nreveal order Wachau, Leipzig")
    assert len(desk.live.standing["french"]) == 1
    desk.send("french", "CHECK\nSTANDING CLEAR")
    assert len(desk.live.standing["french"]) == 1
