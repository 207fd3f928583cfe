"""Press: it reaches those it is for and nobody else; no address is shown; what cannot be sent says why."""

from __future__ import annotations

from datetime import timedelta

import msgspec
import pytest

from pbem.campaign.commands.game_master.by_host import by_host
from pbem.campaign.house_rules import ANONYMOUS, NO_PRESS, WITH_RESULTS, Customs
from pbem.campaign.intake.moderator import Player
from tests.campaign.commands.game_master.test_acts import MASTER_ADDRESS, Court, court
from tests.campaign.conftest import Desk

__all__ = ["court"]

SECRET = "Let us meet at Wachau xyzzy"


def rule(desk: Desk, **how: str) -> None:
    affairs = desk.live.affairs
    affairs.customs = msgspec.structs.replace(affairs.customs, **how)
    with desk.store.journal(desk.game, desk.now) as journal:
        journal.update(data=desk.moderator.tables.at_hand(desk.game).affairs)


def test_white_press_to_the_other_seat(court: Court) -> None:
    court.send("french", f"PRESS TO allied: {SECRET}\nand more\nEND PRESS\nstatus")
    assert "MESSAGE DE NAPOLÉON À SCHWARZENBERG" in court.text("allied")
    assert SECRET in court.words("allied")
    assert "anne@" not in court.text("allied")
    assert "Your message has gone to Schwarzenberg." in court.words("french")
    assert court.text(MASTER_ADDRESS) == ""


def test_press_to_all_and_to_the_master(court: Court) -> None:
    court.send("allied", f"message à tous: {SECRET}")
    assert SECRET in court.words("french")
    assert court.text(MASTER_ADDRESS) == ""
    court.send("allied", f"message au maître du jeu: {SECRET}")
    assert SECRET in court.words(MASTER_ADDRESS)
    assert court.text("french") == ""
    court.send("master", f"PRESS TO french and allied: {SECRET}")
    assert "MESSAGE FROM GAME MASTER" in court.text("french")


def test_press_does_not_order_anything(court: Court) -> None:
    before = court.answers()
    court.send("french", "PRESS TO allied: I shall\ndraw pile\n")
    assert court.answers() == before


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f"PRESS\n{SECRET}", "PRESS"),
        (f"PRESS TO\n{SECRET}", "PRESS"),
        (f"PRESS TO Turkey: {SECRET}", "There is no seat"),
        (f"PRESS TO french: {SECRET}", "write to yourself"),
        ("PRESS TO allied:", "no text"),
        (f"PRESS TO allied anonymous: {SECRET}", "press is signed"),
        ("PRESS TO allied: " + "x" * 4001, "characters"),
    ],
)
def test_press_that_is_not_sent(court: Court, text: str, words: str) -> None:
    court.send("french", text)
    assert words in court.words("french")
    assert court.text("allied") == ""
    assert court.acts() == []


def test_no_press_and_no_master(desk: Desk) -> None:
    desk.send("french", f"PRESS TO GM: {SECRET}")
    assert "has no game master" in desk.words("french")
    rule(desk, press=NO_PRESS)
    desk.send("french", f"PRESS TO allied: {SECRET}")
    assert "do not write to each other" in desk.words("french")


def test_anonymous_press_names_nobody(court: Court) -> None:
    rule(court, press=ANONYMOUS)
    court.send("french", f"PRESS TO allied anonymously: {SECRET}")
    assert "sans signature" in court.words("allied").lower()
    assert "DE NAPOLÉON" not in court.text("allied")


def test_press_with_the_results_waits_for_the_turn(court: Court) -> None:
    rule(court, release=WITH_RESULTS)
    court.send("french", "1")
    court.send("french", f"PRESS TO allied: {SECRET}")
    assert "with the results of this turn" in court.words("french")
    assert court.text("allied") == ""
    court.restart()
    for _ in range(4):
        question = next(iter(court.live.game.questions.values()))
        if question.seat != "french":
            break
        court.send("french", "draw pile 5 times" if question.kind() == "actions" else "1")
        if SECRET in court.words("allied"):
            return
    assert SECRET in court.words("allied")


def test_the_master_sets_the_mode_and_all_are_told(court: Court) -> None:
    assert court.live.affairs.customs == Customs()
    court.send("master", "PRESS MODE anonymous, with results, 3 a day")
    assert court.live.affairs.customs == Customs(ANONYMOUS, WITH_RESULTS, 3)
    assert "signed or anonymously" in court.words("french")
    assert "avec les résultats du tour" in court.words("allied")
    court.send("master", "mode presse aucune")
    assert court.live.affairs.customs == Customs(NO_PRESS, WITH_RESULTS, 3)
    court.send("french", f"PRESS TO allied: {SECRET}")
    assert "do not write to each other" in court.words("french")
    assert court.acts() == ["pressmode", "pressmode"]
    court.send("french", "history")
    assert "set the house rules of messages: anonymous, results, 3 a day" in court.words("french")
    done = by_host(court.moderator.campaign, court.game, "press white at once 20")
    assert done.good
    assert court.live.affairs.customs == Customs()


@pytest.mark.parametrize("text", ["", "red", "white anonymous", "99 a day", "once results", "0"])
def test_modes_that_are_refused(court: Court, text: str) -> None:
    court.send("master", f"PRESS MODE {text}")
    assert "!" in court.text(MASTER_ADDRESS)
    assert court.live.affairs.customs == Customs()
    assert court.acts() == []


def test_a_player_does_not_set_the_mode(court: Court) -> None:
    court.send("french", "PRESS MODE none")
    assert "PRESSMODE is for the game master" in court.words("french")
    assert court.live.affairs.customs == Customs()


def test_the_first_letter_tells_the_mode(court: Court) -> None:
    customs = Customs(ANONYMOUS, WITH_RESULTS, 1)
    players = {"french": Player("Anne", "anne@pbem.test"), "allied": Player("Bob", "bob@pbem.test", "fr")}
    court.game = court.moderator.opening.open_game("leipzig", "battle", {}, players, customs=customs)
    court.deliver()
    assert "HOUSE RULES OF THIS GAME" in court.text("french")
    assert "signed or anonymously" in court.words("french")
    assert "At most 1 message a day." in court.words("french")
    assert "LES RÈGLES DE LA MAISON" in court.text("allied")


def test_a_limit_a_day(court: Court) -> None:
    for _ in range(20):
        court.send("french", f"PRESS TO allied: {SECRET}")
    court.send("french", f"PRESS TO allied: {SECRET}")
    assert "messages a day" in court.words("french")
    court.now += timedelta(days=1)
    court.send("french", f"PRESS TO allied: {SECRET}")
    assert "has gone to" in court.words("french")


def test_a_diary_is_told_to_nobody(court: Court) -> None:
    court.send("french", f"PRESS TO DIARY: {SECRET}")
    assert "Written into your diary" in court.words("french")
    assert court.text("allied") == ""
    court.send("allied", "historique")
    assert SECRET not in court.text("allied")
    assert court.acts() == ["diary"]
