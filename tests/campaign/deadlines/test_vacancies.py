"""More than two seats: who gives up leaves a seat to the caretaker; who is out looks on; somebody takes a seat over."""

from __future__ import annotations

from email.message import EmailMessage

import pytest

from pbem.campaign.signup.new_game import Player
from tests.campaign.conftest import ADDRESS, Congress


def hand_in(desk: Congress, text: str, to: str = ADDRESS) -> None:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "Zoe <zoe@pbem.test>", to, "joining"
    message["Message-ID"] = f"<zoe.{desk.now.isoformat()}@pbem.test>"
    message.set_content(text)
    desk.hand_in(bytes(message))


def joins(desk: Congress, text: str) -> None:
    """Somebody asks for the seat, and confirms."""
    hand_in(desk, text)
    hand_in(desk, "READY", str(desk.received["zoe@pbem.test"][0]["Reply-To"]))


def public(desk: Congress) -> None:
    """Anybody may join."""
    with desk.store.journal(desk.game, desk.now) as journal:
        affairs = desk.moderator.tables.table(desk.game, journal).affairs
        affairs.public = True
        journal.update(data=affairs)


def resign(desk: Congress, seat: str) -> None:
    desk.send(seat, f"RESIGN {desk.game}")


def conquer(desk: Congress, victim: str, by: str = "") -> None:
    """A power loses everything it has, behind everybody's back."""
    state = desk.live.game.state
    for area in state.held(victim):
        state.owner[area] = by
        state.troops[area] = 1


def test_the_game_goes_on_and_the_caretaker_plays_at_once(congress: Congress) -> None:
    resign(congress, "spain")
    live = congress.live
    assert not live.over
    assert live.game.answered("t1/cabinet/spain")
    assert live.affairs.wanted == ["spain"]
    assert "caretaker" in congress.words("france")
    congress.till_turn(3)
    assert [one for one in congress.live.game.questions.values() if one.seat == "spain"]
    assert congress.live.game.answered("t3/cabinet/spain")


def test_whoever_has_gone_gets_one_last_letter_and_none_after(congress: Congress) -> None:
    old = congress.live.token("spain").text()
    resign(congress, "spain")
    assert "last letter" in congress.words("spain")
    assert "[[orders" not in congress.text("spain")
    congress.received = {}
    congress.till_turn(2)
    assert congress.text("spain") == ""
    congress.hand_in(congress.letter("france", "STATUS", sender="spain@pbem.test", token=old))
    assert congress.store.answers(congress.game)[-1].seat != "spain" or congress.live.person("spain").vacant


def test_the_last_who_is_left_has_won(congress: Congress) -> None:
    seats = list(congress.players)
    for seat in seats[:-2]:
        resign(congress, seat)
        assert not congress.live.over
    resign(congress, seats[-2])
    assert congress.live.over
    assert "Turkey" in congress.words("turkey")
    assert "Turkey won" in congress.words("turkey")


def test_with_two_seats_resigning_ends_the_game_as_ever(two_powers: Congress) -> None:
    resign(two_powers, "france")
    assert two_powers.live.over
    assert "Great Britain" in two_powers.words("great_britain")


def test_somebody_takes_over_and_one_letter_tells_him_everything(congress: Congress) -> None:
    public(congress)
    congress.till_turn(3)
    congress.send("spain", f"RESIGN {congress.game}")
    congress.received = {}
    joins(congress, f"JOIN {congress.game} spain")
    (letter,) = congress.received["zoe@pbem.test"]
    part = letter.get_body(("plain",))
    assert part is not None
    text = " ".join(part.get_content().split())
    assert "Firebird" in text, "the cipher of Spain, as the status shows it"
    assert "Turn 3" in text, "what has happened lately"
    assert "takes in" in text, "its own income"
    assert not congress.live.affairs.wanted
    assert not congress.live.person("spain").vacant
    assert not congress.live.person("spain").acting


def test_the_newcomer_may_change_what_the_caretaker_has_answered(congress: Congress) -> None:
    public(congress)
    resign(congress, "spain")
    joins(congress, f"JOIN {congress.game} spain")
    congress.players["spain"] = Player("Zoe", "zoe@pbem.test")
    congress.send("spain", "raise 1")
    congress.all_hold()
    assert congress.live.game.state.troops["madrid"] == 4


def test_whoever_is_out_is_told_and_hears_what_all_hear(congress: Congress) -> None:
    conquer(congress, "spain", "france")
    congress.all_hold()
    assert congress.live.rules.dead(congress.live.game.state) == ["spain"]
    assert "out of the game" in congress.all_words("spain")
    assert not congress.live.open_to("spain")
    congress.received = {}
    congress.all_hold()
    assert "Turn 3" in congress.all_words("spain")
    assert "cipher" not in congress.all_words("spain").replace("cipher Firebird", "")


def test_the_dead_may_leave(congress: Congress) -> None:
    conquer(congress, "spain", "france")
    congress.all_hold()
    congress.send("spain", "LEAVE")
    assert not congress.live.over
    congress.received = {}
    congress.all_hold()
    assert congress.text("spain") == ""


def test_the_living_may_not_leave_without_resigning(congress: Congress) -> None:
    congress.send("spain", "LEAVE")
    assert congress.live.seats["spain"].address


def test_if_all_give_up_but_the_dead_nothing_plays_with_itself(congress: Congress) -> None:
    conquer(congress, "spain", "france")
    congress.all_hold()
    for seat in ("france", "austria", "prussia", "russia"):
        resign(congress, seat)
    assert not congress.live.over
    resign(congress, "turkey")
    assert congress.live.over


@pytest.mark.parametrize("seat", ["france", "turkey"])
def test_a_seat_that_was_given_up_survives_a_restart(congress: Congress, seat: str) -> None:
    resign(congress, seat)
    congress.restart()
    assert congress.live.person(seat).vacant
    congress.till_turn(2)
    assert congress.live.game.answered(f"t2/cabinet/{seat}")
