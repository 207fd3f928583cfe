"""Old bugs of other mail judges, each a test here (MAIL 10)."""

from __future__ import annotations

from datetime import UTC, datetime
from email.message import EmailMessage
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from pbem.campaign.deadlines.calendar import Calendar
from pbem.campaign.intake.moderator import Player
from pbem.letters.composing import reply_address
from pbem.letters.message import Message
from tests.campaign.commands.game_master.test_acts import MASTER_ADDRESS, Court, court
from tests.campaign.conftest import ADDRESS, Desk

__all__ = ["court"]


def test_truncated_mail_gets_a_reply(desk: Desk) -> None:
    whole = (
        f"From: anne@pbem.test\r\nTo: {reply_address(ADDRESS, desk.live.token('french').text())}\r\n"
        "Subject: orders\r\nMessage-ID: <cut@x.test>\r\nMIME-Version: 1.0\r\n"
        'Content-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nstatus\r\n'
    )
    assert desk.hand_in(whole.encode()).status == "done"
    assert "cut off on its way" in desk.words("french")


@pytest.mark.parametrize(
    "subject",
    ["RE: RE: status", "TR: status", "Re: Tr : RE : status", "Fwd: status", "AW: status", "Réf : status"],
)
def test_reply_prefixes_hide_no_command(desk: Desk, subject: str) -> None:
    desk.send("french", "\n", subject=subject)
    assert "HOW THINGS STAND" in desk.text("french")


def test_an_empty_message_is_answered_and_changes_nothing(desk: Desk) -> None:
    before = desk.answers()
    assert desk.send("french", "\n\n", subject="").status == "done"
    assert "nothing to do" in desk.words("french")
    assert desk.answers() == before


@pytest.mark.parametrize("month", [3, 10])
def test_a_deadline_is_not_an_hour_off_after_a_clock_change(month: int) -> None:
    zone = ZoneInfo("Europe/Paris")
    calendar = Calendar(zone="Europe/Paris", hours=72, snap="20:00")
    asked = datetime(2026, month, 27 if month == 3 else 23, 9, tzinfo=UTC)
    assert calendar.deadline(asked).astimezone(zone).hour == 20
    plain = Calendar(zone="Europe/Paris", hours=72)
    assert plain.deadline(asked).astimezone(zone).hour == asked.astimezone(zone).hour


def test_no_warning_comes_twice(timed: Desk) -> None:
    timed.pass_time(days=3.4)
    letters = timed.received["anne@pbem.test"]
    parts = [letter.get_body(("plain",)) for letter in letters]
    bodies = [" ".join(part.get_content().split()) for part in parts if part is not None]
    assert sum("A reminder" in body for body in bodies) == 1
    assert sum("has passed without your orders" in body for body in bodies) == 1


def test_a_finished_game_leaks_no_addresses(desk: Desk) -> None:
    desk.send("french", f"resign {desk.game}")
    for seat, other in (("french", "bob@pbem.test"), ("allied", "anne@pbem.test")):
        address = {"french": "anne@pbem.test", "allied": "bob@pbem.test"}[seat]
        for letter in desk.received[address]:
            assert other not in letter.as_bytes().decode("utf-8", "replace")
    desk.send("french", "status\nhistory\nlist\ndice")
    for letter in desk.received["anne@pbem.test"]:
        for part in letter.walk():
            payload = part.get_payload(decode=True)
            assert not isinstance(payload, bytes) or b"bob@pbem.test" not in payload


def test_press_is_not_copied_to_the_wrong_side(court: Court) -> None:
    court.send("french", "PRESS TO GM: xyzzy is the word")
    assert "xyzzy" in court.text(MASTER_ADDRESS)
    for command in ("historique", "état", "renvoyer", "liste", "carte", "dés"):
        court.send("allied", command)
        for letter in court.received.get("bob@pbem.test", []):
            assert b"xyzzy" not in letter.as_bytes()


def test_no_order_is_taken_from_a_seat_that_is_out(desk: Desk) -> None:
    desk.send("french", f"resign {desk.game}")
    before = desk.answers()
    for text in ("draw pile", "1", "READY", "WAIT", "PRESS TO allied: hello", "ABSENT 2026-02-01"):
        desk.send("french", text)
    assert desk.answers() == before
    assert desk.live.affairs.dues == {}


def test_one_failed_command_does_not_stop_the_rest(desk: Desk) -> None:
    desk.send("french", "WHY\nABSENT yesterday\nPRESS TO nobody: x\n\nROLLBACK 1 x\ndraw pile\nSTATUS")
    words = desk.words("french")
    assert "HOW THINGS STAND" in desk.text("french")
    assert "ABSENT needs one day" in words
    assert "There is no seat" in words
    assert "is for the game master" in words


def test_a_change_of_role_shows_nothing_that_was_said_before_it(court: Court) -> None:
    court.send("allied", "MESSAGE À français: xyzzy pour Anne seule")
    assert "xyzzy" in court.text("french")
    court.send("allied", "MESSAGE À français: xyzzy encore")
    court.send("master", "REPLACE french BY carl@pbem.test Carl")
    for command in ("resend", "history", "status", "standing", "list"):
        court.send("french", command, sender="carl@pbem.test")
        assert "xyzzy" not in court.text("carl@pbem.test")
    assert not [row for row in court.store.outbox.due(court.now) if row.address == "anne@pbem.test"]


def test_letters_that_were_waiting_for_the_old_player_are_not_sent_with_the_new_token(court: Court) -> None:
    court.moderator.handle(Message(court.letter("allied", "MESSAGE À français: xyzzy")))
    court.moderator.handle(Message(court.letter("master", "REPLACE french BY carl@pbem.test Carl")))
    token = court.live.token("french").text()
    court.deliver()
    for letter in court.received.get("anne@pbem.test", []):
        assert token.encode() not in letter.as_bytes()
        assert b"xyzzy" not in letter.as_bytes()


def test_requests_in_one_letter_are_limited(desk: Desk) -> None:
    desk.send("french", "\n".join(["dice", "history", "status"] * 40))
    assert "more than 50 things at once" in desk.words("french")
    assert desk.text("french").count("HOW THINGS STAND") <= 17


@pytest.mark.parametrize("name", ["status", "join-help", "press", "end", "orders"])
def test_a_game_whose_name_contains_a_keyword(tmp_path: Path, desk: Desk, name: str) -> None:
    players = {"french": Player("Anne", "anne@k.test"), "allied": Player("Bob", "bob@k.test")}
    desk.game = desk.moderator.opening.open_game("leipzig", "battle", {}, players, name)
    desk.deliver()
    subject = str(desk.received["anne@k.test"][0]["Subject"])
    before = desk.answers()
    desk.send("french", "1", subject=f"Re: {subject}")
    assert desk.answers() > before
    desk.send("french", f"RESIGN {name}")
    assert desk.live.over


def test_html_mail_broadcasts_no_token(desk: Desk) -> None:
    token = desk.live.token("french").secret
    message = EmailMessage()
    message["From"] = "anne@pbem.test"
    message["To"] = reply_address(ADDRESS, desk.live.token("french").text())
    message["Subject"] = "Re: orders"
    message["Message-ID"] = "<html@x.test>"
    message.set_content(
        f"<p>PRESS TO allied: see <a href='mailto:{message['To']}'>{message['To']}</a></p>", subtype="html"
    )
    desk.hand_in(bytes(message))
    assert "see" in desk.words("allied")
    for letter in desk.received["bob@pbem.test"]:
        for part in letter.walk():
            payload = part.get_payload(decode=True)
            assert not isinstance(payload, bytes) or token.encode() not in payload


def test_a_second_reply_to_the_same_letter_is_not_taken_for_the_next_decision(desk: Desk) -> None:
    (asked,) = (row for row in desk.store.dispatches(desk.game, "french"))
    first = desk.letter("french", "1", In_Reply_To=asked.message_id)
    other = desk.letter("french", "2", In_Reply_To=asked.message_id)
    desk.hand_in(first)
    answers = desk.answers()
    desk.hand_in(other)
    assert "Its numbers belong to the list of that letter" in desk.words("french")
    assert desk.answers() == answers
    desk.send("french", "draw pile", In_Reply_To=asked.message_id)
    assert desk.answers() > answers, "words say what is meant, whatever letter they answer"


def test_two_letters_that_contradict_each_other(desk: Desk) -> None:
    play = desk.letter("french", "1"), desk.letter("french", "2")
    assert desk.hand_in(play[0]).status == "done"
    before = [row.data for row in desk.store.answers(desk.game)][:1]
    assert desk.hand_in(play[1]).status == "done"
    assert [row.data for row in desk.store.answers(desk.game)][:1] == before
