"""Whoever is not on turn is told who is; the first letter names the players; after the end nothing is offered."""

from __future__ import annotations

from tests.campaign.conftest import Desk


def test_the_first_letter_names_the_opponent_and_says_whose_turn_it_is(timed: Desk) -> None:
    assert "The other seat: Schwarzenberg (Bob)." in timed.words("french")
    assert "L'autre place : Napoléon (Anne)." in timed.words("allied")
    waits = "Ce n'est pas à vous : Napoléon (Anne) doit donner des ordres avant le samedi 3 janvier"
    assert waits in timed.words("allied")
    assert "une lettre vous demandera vos ordres quand ce sera à vous" in timed.words("allied")
    assert "[[" not in timed.text("allied")
    assert "It is not your turn" not in timed.words("french")


def test_an_answer_to_whoever_is_not_on_turn_says_who_is(timed: Desk) -> None:
    timed.send("allied", "ÉTAT")
    assert "Ce n'est pas à vous : Napoléon (Anne)" in timed.words("allied")
    timed.send("french", "STATUS")
    assert "It is not your turn" not in timed.words("french")
    assert "Your orders are due by" in timed.words("french")


def test_a_game_without_deadlines_names_the_player_all_the_same(desk: Desk) -> None:
    desk.send("allied", "ÉTAT")
    assert "Ce n'est pas à vous : Napoléon (Anne) doit donner des ordres." in desk.words("allied")


def test_a_failed_vote_says_that_the_game_goes_on(desk: Desk) -> None:
    desk.send("french", "VOTE DRAW")
    assert "vote attendu avant" in str(desk.received["bob@pbem.test"][-1]["Subject"])
    desk.send("allied", "VOTER NON")
    assert "The vote has failed" in desk.words("french")
    assert "The game goes on as before." in desk.words("french")


def test_a_message_says_in_its_subject_whom_it_is_from(desk: Desk) -> None:
    desk.send("allied", "MESSAGE À Napoléon: Rendez-vous !\nFIN MESSAGE")
    assert str(desk.received["anne@pbem.test"][-1]["Subject"]) == "[leipzig-1] t1: message from Schwarzenberg"


def test_subjects_say_what_became_of_a_letter(desk: Desk) -> None:
    def subject() -> str:
        return str(desk.received["anne@pbem.test"][-1]["Subject"]).partition(": ")[2]

    desk.send("french", "STATUS\nmap")
    assert subject() == "STATUS, MAP"
    desk.send("french", "CHECK\nkeep Paris")
    assert subject() == "CHECK: 1 error"
    desk.send("french", "CHECK\n1")
    assert subject() == "CHECK: these orders would be accepted"
    desk.send("french", "keep Paris")
    assert subject() == "NOT accepted: 1 error"
    desk.send("french", "1")
    assert subject() == "orders accepted; your turn again"


def test_after_the_end_nothing_is_offered(timed: Desk) -> None:
    timed.send("french", "RESIGN leipzig-1")
    assert "Your orders are due" not in timed.words("french")
    timed.send("french", "STATUS")
    words = timed.words("french")
    assert "orders are due" not in words
    assert "PRESS TO" not in words
    assert "VOTE" not in words
    assert "ZONE" not in words
    timed.send("french", "HELP")
    assert "keep <" not in timed.text("french")
    assert "| READY" not in timed.text("french")


def test_positions_and_strengths_stand_in_the_text(desk: Desk) -> None:
    desk.send("french", "1")
    desk.send("french", "army Marmont\narmy Drouot\ndraw pile\ndraw pile\ndraw pile")
    words = desk.words("allied")
    assert "marqueurs (l'un d'eux peut être l'armée) : Marmont (" in words
    markers = desk.live.game.state.armies["marmont"].markers
    assert markers
    for zone in markers:
        assert desk.live.rules.vocabulary.say("zone", zone, "fr") in words
