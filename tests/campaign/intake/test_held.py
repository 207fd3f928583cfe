"""Letters in a player's name that are not certainly his: what he is told of them, and what CONFIRM sets free."""

from __future__ import annotations

import pytest

from tests.campaign.commands.game_master.test_acts import MASTER_ADDRESS, Court, court
from tests.campaign.conftest import Desk

__all__ = ["court"]


def test_the_notice_quotes_what_would_be_confirmed(desk: Desk) -> None:
    handled = desk.send("french", "keep Möckern\nhistory", token="", subject="Ney at last")
    assert handled.status == "held"
    words = desk.words("french")
    assert "with the subject «Ney at last»" in words
    assert "Thursday 1 January 2026, 12:01 (UTC)" in words
    assert "In it stands: history | keep Möckern." in words


def test_nothing_that_is_quoted_can_be_clicked(desk: Desk) -> None:
    text = "PRESS TO allied: win at https://evil.example/x or www.evil.example\nmail me@evil.example"
    desk.send("french", text, token="", subject="http://evil.example")
    words = desk.words("french")
    assert "evil. example" in words
    for clickable in ("http://", "https://", "www.evil", "evil.example", "me@evil"):
        assert clickable not in words


@pytest.mark.parametrize(
    "text", ["RESIGN leipzig-1", "SUBSTITUTE eve@evil.example", "ADDRESS eve@evil.example"]
)
def test_what_gives_a_seat_away_is_never_set_free(desk: Desk, text: str) -> None:
    handled = desk.send("french", f"{text}\nSALT garlic", token="")
    assert handled.status == "held"
    assert "Not carried out in any case" in desk.words("french")
    before = desk.live.people["french"].data
    desk.send("french", f"CONFIRM {handled.letter}")
    assert "of that letter was not carried out" in desk.words("french")
    assert desk.store.game("leipzig-1").status == "running"
    assert desk.live.people["french"].data == before
    assert desk.live.people["french"].salt == "garlic", "the rest of it is"


def test_a_game_masters_act_is_never_set_free(court: Court) -> None:
    number = court.send("master", "PAUSE for lunch", token="").letter
    court.send("master", f"CONFIRM {number}")
    assert "PAUSE of that letter was not carried out" in court.words(MASTER_ADDRESS)
    assert not court.live.affairs.paused


def test_forged_letters_do_not_fill_a_players_mailbox(desk: Desk) -> None:
    told = 0
    for _ in range(30):
        desk.now = desk.now.replace(minute=0)
        assert desk.send("french", "status", token="").status == "held"
        told += len(desk.received.get("anne@pbem.test", []))
    assert told == 10
