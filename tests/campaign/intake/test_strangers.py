"""Who is it: tokens, addresses, machines, and letters that are too much."""

from __future__ import annotations

from datetime import timedelta
from email.message import EmailMessage

from pbem.campaign.intake import tokens
from tests.campaign.conftest import Desk


def test_an_unknown_sender_gets_one_polite_answer_that_tells_nothing(desk: Desk) -> None:
    assert desk.send("french", "draw pile", sender="eve@elsewhere.test", token="").status == "unknown"
    text = desk.words("eve@elsewhere.test")
    assert "could not place your letter" in text
    assert "neutral moderator" in text
    assert "none looks for players" in text
    for secret in (desk.game, "anne", "bob"):
        assert secret not in text.lower()


def test_a_wrong_token_with_the_right_address_is_held_and_the_address_is_asked(desk: Desk) -> None:
    before = desk.answers()
    wrong = tokens.Token(desk.game, "french", "aaaaaaaaaaaa").text()
    assert desk.send("french", "1", token=wrong).status == "held"
    assert "without your token" in desk.words("french")
    assert desk.answers() == before


def test_a_token_of_no_game_or_of_no_seat_is_answered_like_none(desk: Desk) -> None:
    for token in ("nogame-9.french.aaaaaaaaaaaa", f"{desk.game}.prussian.aaaaaaaaaaaa", "rubbish"):
        assert desk.send("french", "1", sender="eve@elsewhere.test", token=token).status == "unknown"


def test_the_right_token_from_another_address_is_held_until_confirmed(desk: Desk) -> None:
    handled = desk.send("french", "1", sender="anne@work.test")
    assert handled.status == "held"
    assert desk.answers() == 0
    assert "anne@work.test" not in desk.received
    assert f"CONFIRM {handled.letter}" in desk.words("french")
    assert desk.send("allied", f"confirmer {handled.letter}").status == "done"
    assert desk.answers() == 0
    desk.send("french", f"CONFIRM {handled.letter}")
    assert desk.answers() == 1
    desk.send("french", f"CONFIRM {handled.letter}")
    assert desk.answers() == 1


def test_the_opponents_token_is_worth_nothing_to_me(desk: Desk) -> None:
    token = desk.live.token("french").text()
    assert desk.send("allied", "1", sender="bob@pbem.test", token=token).status == "held"
    assert desk.answers() == 0


def test_a_new_token_makes_the_old_one_worthless(desk: Desk) -> None:
    old = desk.live.token("french").text()
    desk.send("french", "NEWTOKEN")
    assert old not in str(desk.received["anne@pbem.test"][0]["Reply-To"])
    assert desk.send("french", "1", token=old).status == "held"
    desk.restart()
    assert desk.send("french", "1").status == "done"


def test_a_letter_in_the_thread_without_a_token_is_held(desk: Desk) -> None:
    first = desk.store.first_message_id(desk.game, "french")
    assert desk.send("french", "1", token="", In_Reply_To=first).status == "held"


def test_machines_get_silence(desk: Desk) -> None:
    for head in ({"Auto_Submitted": "auto-replied"}, {"Precedence": "bulk"}, {"X_Pbem_Loop": "1"}):
        assert desk.send("french", "draw pile", **head).status == "ignored"
        assert desk.received == {}


def test_too_many_letters_to_a_stranger_end_in_silence_for_an_hour(desk: Desk) -> None:
    limit = desk.moderator.settings.letters_per_hour
    for n in range(limit + 5):
        desk.now -= timedelta(minutes=1)
        desk.send("french", f"hello {n}", sender="eve@elsewhere.test", token="")
    assert desk.received == {}
    desk.now += timedelta(hours=2)
    desk.send("french", "hello again", sender="eve@elsewhere.test", token="")
    assert "eve@elsewhere.test" in desk.received


def test_empty_html_only_and_broken_letters_each_get_an_answer(desk: Desk) -> None:
    assert desk.send("french", "").status == "done"
    assert "nothing to do" in desk.words("french")
    message = EmailMessage()
    raw = desk.letter("french", "x")
    html = raw.replace(b"text/plain", b"text/html").replace(b"\n\nx", b"\n\n<p>keep 1</p><div>1</div>")
    assert html != raw
    desk.hand_in(html)
    assert desk.text("french")
    broken = desk.letter("french", "status").replace(b'charset="utf-8"', b'charset="no-such-charset"')
    assert desk.hand_in(broken).status == "done"
    assert "HOW THINGS STAND" in desk.text("french")
    assert message.get("From") is None


def test_five_megabytes_are_refused_with_one_clear_reply(desk: Desk) -> None:
    message = EmailMessage()
    live = desk.live
    message["From"] = live.seats["french"].address
    message["To"] = f"moderator+{live.token('french').text()}@pbem.test"
    message["Message-ID"] = "<big@x>"
    message.set_content("1")
    message.add_attachment(
        b"\0" * 5_000_000, maintype="application", subtype="octet-stream", filename="x.bin"
    )
    desk.hand_in(bytes(message))
    assert "without attachments" in desk.words("french")
    assert desk.answers() == 0


def test_quoted_old_orders_are_not_executed(desk: Desk) -> None:
    desk.send("french", "status\n\nOn Mon, 5 Jan 2026 at 10:00, pbem wrote:\n> 1\n> keep everything\n")
    assert desk.answers() == 0


def test_a_player_who_asks_without_end_is_warned_and_then_left_unanswered_for_an_hour(desk: Desk) -> None:
    limit = desk.moderator.settings.letters_per_hour
    for _ in range(limit):
        desk.now -= timedelta(minutes=1)
        desk.send("french", "status")
    assert "a great many letters" in desk.words("french")
    desk.now -= timedelta(minutes=1)
    desk.send("french", "status")
    assert desk.received == {}
    desk.send("french", "1")
    assert "+ keep" in desk.words("french"), "orders are always taken and answered"
    desk.now += timedelta(hours=2)
    desk.send("french", "status")
    assert "HOW THINGS STAND" in desk.text("french")
