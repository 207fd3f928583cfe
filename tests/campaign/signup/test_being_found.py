"""Being found: polite letters of strangers are understood, and every answer says in its subject what came of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.campaign.intake.moderator import Player
from tests.campaign.signup.test_joining import Hall, announce


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    made = Hall(f"sqlite:///{tmp_path}/found.db")
    yield made
    made.store.close()


def subject(hall: Hall, address: str) -> str:
    return str(hall.received[address][-1]["Subject"])


def test_join_list_and_no_seats_left_have_subjects_of_their_own(hall: Hall) -> None:
    hall.write("carl@x.test", "LIST")
    assert subject(hall, "carl@x.test") == "Games by e-mail: yours, and those that look for players"
    assert "could not place" not in hall.words("carl@x.test")
    game = announce(hall)
    hall.write("carl@x.test", f"JOIN {game}")
    assert subject(hall, "carl@x.test") == f"[{game}] you are on the list"
    hall.write("dora@x.test", f"JOIN {game}")
    assert subject(hall, "dora@x.test") == f"[{game}] your seat: please confirm"
    hall.reply("carl@x.test", "READY")
    assert subject(hall, "carl@x.test") == f"[{game}] your seat is confirmed"
    hall.write("emil@x.test", f"JOIN {game}")
    assert subject(hall, "emil@x.test") == f"[{game}] you could not join"
    hall.reply("dora@x.test", "READY")
    hall.write("emil@x.test", f"JOIN {game}")
    assert subject(hall, "emil@x.test") == f"[{game}] all seats are taken"
    hall.write("fred@x.test", "JOIN nothing-7")
    assert subject(hall, "fred@x.test") == "Which game would you like to join?"
    invited = announce(hall, invited=["gerd@x.test", "hans@x.test"])
    hall.deliver()
    assert subject(hall, "gerd@x.test") == f"[{invited}] you are invited"


@pytest.mark.parametrize(
    "text",
    [
        "Hello! JOIN {game} allied",
        "Dear Sir or Madam,\n\nI would like to join {game}, please.\n\nBest regards\nCarl",
        "Good evening,\n\njoin the game {game} allied.\nThanks!",
        "Hi\nI saw your site.\nJOIN {game}\n-- \nCarl",
    ],
)
def test_a_polite_letter_joins(hall: Hall, text: str) -> None:
    game = announce(hall)
    assert hall.write("carl@x.test", text.format(game=game)).status in ("done", "refused")
    assert game in subject(hall, "carl@x.test")


def test_wishes_stand_behind_a_join_within_a_sentence(hall: Hall) -> None:
    game = announce(hall)
    hall.write("carl@x.test", f"Hello! JOIN {game} allied")
    assert "with these wishes: Schwarzenberg" in hall.words("carl@x.test")


def test_whoever_does_not_want_to_join_is_not_taken_at_half_his_word(hall: Hall) -> None:
    game = announce(hall)
    assert hall.write("carl@x.test", f"I do not want to join {game}.").status == "unknown"


def test_who_is_not_understood_is_told_what_this_is_and_the_line_to_send(hall: Hall) -> None:
    game = announce(hall)
    assert hall.write("carl@x.test", "Can I play a game?").status == "unknown"
    words = hall.words("carl@x.test")
    assert subject(hall, "carl@x.test") == "Board wargames by e-mail: how to join one"
    assert "neutral moderator" in words
    assert "open: Napoléon and Schwarzenberg" in words
    assert f"JOIN {game}" in hall.text("carl@x.test")
    hall.write("dora@x.test", "Bonjour, peut-on jouer ?")
    assert "arbitre neutre" in hall.words("dora@x.test")
    assert f"REJOINDRE {game}" in hall.words("dora@x.test")


def test_of_two_joins_the_second_is_answered(hall: Hall) -> None:
    first, second = announce(hall), announce(hall)
    hall.write("carl@x.test", f"JOIN {first}\nJOIN {second}")
    assert subject(hall, "carl@x.test") == f"[{first}] you are on the list"
    assert f"nothing was done about «JOIN {second}»" in hall.words("carl@x.test")


def test_a_language_is_chosen_and_remembered(hall: Hall) -> None:
    game = announce(hall)
    hall.write("carl@x.test", "LANGUE français")
    assert "Je vous écris désormais en français" in hall.words("carl@x.test")
    hall.write("carl@x.test", "LIST")
    assert "REJOINDRE" in hall.words("carl@x.test")
    hall.write("carl@x.test", f"JOIN {game}")
    assert "Vous êtes inscrit" in hall.words("carl@x.test")
    hall.write("dora@x.test", f"REJOINDRE {game}")
    assert "vous avez" in hall.words("dora@x.test")
    hall.reply("dora@x.test", "LANGUAGE English\nREADY")
    assert "is confirmed" in hall.words("dora@x.test")
    hall.reply("carl@x.test", "PRÊT")
    assert "Welcome, " in hall.words("dora@x.test")
    assert "Bienvenue" in hall.words("carl@x.test")


def test_a_player_changes_his_language_in_the_game(hall: Hall) -> None:
    hall.send("french", "LANGUAGE French")
    assert "Je vous écris désormais en français" in hall.words("french")
    assert "VOS ORDRES" in hall.text("french")
    hall.restart()
    hall.send("french", "ÉTAT")
    assert "LA SITUATION" in hall.text("french")
    hall.send("french", "LANGUE klingon")
    assert "J'écris en français et en anglais" in hall.words("french")


def test_rules_come_by_letter(hall: Hall) -> None:
    assert "RULES sends the rules of this game" in hall.words("french") or hall.send("french", "HELP")
    hall.send("french", "RULES 3.1")
    assert "| 3.1 " in hall.text("french")
    hall.send("french", "RULES")
    assert "Set-up" in hall.text("french")
    hall.send("allied", "RÈGLES artillerie")
    assert "artillerie" in hall.words("allied").lower()
    hall.send("french", "RULES zeppelin")
    assert "say nothing about «zeppelin»" in hall.words("french")
    hall.write("carl@x.test", "RULES leipzig 3.1\nthank you")
    assert "3.1 " in hall.words("carl@x.test")


def test_help_says_that_it_does_not_know_something(hall: Hall) -> None:
    hall.send("french", "HELP zeppelin")
    assert "I do not know «zeppelin»" in hall.words("french")


def test_a_game_master_reads_his_own_commands_and_the_whole_position(hall: Hall) -> None:
    players = {"french": Player("Anne", "anne2@x.test"), "allied": Player("Bob", "bob2@x.test")}
    master = Player("Max", "max@x.test")
    game = hall.moderator.opening.open_game("leipzig", "battle", {}, players, masters=[master], sighted=True)
    hall.deliver()
    text = hall.text("max@x.test")
    assert "WHAT NAPOLÉON SEES" in text
    assert "WHAT SCHWARZENBERG SEES" in text
    hall.game = game
    hall.reply("max@x.test", "HELP")
    words = hall.words("max@x.test")
    assert "| Commands of the game master" in hall.text("max@x.test")
    assert "ROLLBACK 12 reason takes the game back" in words
    assert "keep Mölkau" not in words
    assert "Orders of this game" not in words
