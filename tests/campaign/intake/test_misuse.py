"""What strangers can make us send, and to whom: little, short, and nothing in their own words."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from tests.campaign.commands.game_master.test_acts import MASTER_ADDRESS, Court, court
from tests.campaign.signup.test_joining import Hall, announce, observe

__all__ = ["court"]
VICTIM = "victim@third.example"
LINK = "Win now https://evil.example/win"
TIMES_LONGER = 5
"""So many bytes for each byte of an ordinary letter, at most."""


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    made = Hall(f"sqlite:///{tmp_path}/hall.db")
    yield made
    made.store.close()


def running(hall: Hall) -> str:
    """A public game that has begun."""
    game = announce(hall)
    for who in ("carl@x.test", "dora@x.test"):
        hall.write(who, f"JOIN {game}")
    for who in ("carl@x.test", "dora@x.test"):
        hall.reply(who, "ready")
    return game


def test_a_forged_join_brings_one_short_question_and_no_place_is_taken(hall: Hall) -> None:
    game = running(hall)
    for _ in range(20):
        hall.write(VICTIM, f"JOIN {game} observer\n" + "x " * 400, name=LINK)
        assert "Reply READY" in hall.words(VICTIM) or not hall.received
        hall.now += timedelta(minutes=10)
    assert set(hall.store.seats(game)) == {"french", "allied"}
    hall.reply("carl@x.test", "PRESS TO all: hello")
    assert VICTIM not in hall.received


def test_whoever_reads_the_question_by_another_address_is_not_let_in(hall: Hall) -> None:
    game = running(hall)
    hall.write(VICTIM, f"JOIN {game} observer")
    question = str(hall.kept[VICTIM]["Reply-To"])
    assert hall.write("eve@evil.example", "READY", to=question).status == "unknown"
    assert hall.write(VICTIM, "What is this?", to=question).status == "refused"
    assert VICTIM not in hall.received
    assert set(hall.store.seats(game)) == {"french", "allied"}


def test_a_name_is_a_name(hall: Hall) -> None:
    game = announce(hall)
    hall.write("carl@x.test", f"JOIN {game}", name=f"{LINK} {'x' * 200}")
    hall.write("dora@x.test", f"JOIN {game}", name="www.evil.example")
    for who in ("carl@x.test", "dora@x.test"):
        hall.reply(who, "ready")
    names = {row.name for row in hall.store.seats(game).values()}
    assert names == {"evil. example win", "www. evil. example"}
    for messages in hall.received.values():
        for message in messages:
            assert "evil.example" not in message.as_string()
            assert len(str(message["To"])) < 100


def test_a_seat_that_nobody_knows_is_not_quoted_as_a_link(hall: Hall) -> None:
    game = announce(hall)
    hall.write(VICTIM, f"JOIN {game} https://evil.example/win")
    assert "no seat" in hall.words(VICTIM)
    assert "evil.example" not in hall.text(VICTIM)


@pytest.mark.parametrize(
    "text", ["JOIN {game} observer", "JOIN {other}", "JOIN {game} nobody", "LIST", "Hello", "RESIGN", "READY"]
)
def test_so_many_bytes_for_each_byte_and_no_more(hall: Hall, text: str) -> None:
    """From addresses that have never answered us: per letter, and per mailbox however it is written."""
    game, other = running(hall), announce(hall)
    for _ in range(40):
        announce(hall)
    came = went = letters = 0
    filler = "\n" + "lorem ipsum dolor sit amet " * 28
    for n in range(60):
        sender = VICTIM.replace("@", f"+{n}@") if n % 2 else VICTIM
        body = text.format(game=game, other=other) + filler
        raw = f"From: {LINK} <{sender}>\r\nTo: m@pbem.test\r\nMessage-ID: <{text}.{n}@v>\r\n\r\n{body}\r\n"
        hall.now = hall.now.replace(minute=0)
        hall.hand_in(raw.encode())
        came += len(raw)
        for address, messages in hall.received.items():
            assert address.endswith("@third.example")
            for message in messages:
                assert len(message.as_bytes()) <= TIMES_LONGER * len(raw)
                went += len(message.as_bytes())
                letters += 1
    assert letters <= 10
    assert went <= TIMES_LONGER * came


def test_a_domain_has_enough_of_us_some_day(hall: Hall) -> None:
    answered = 0
    for n in range(100):
        hall.now = hall.now.replace(minute=0)
        hall.write(f"somebody{n}@third.example", "Hello")
        answered += len(hall.received)
    assert answered == hall.moderator.settings.domain_per_hour
    hall.write("somebody@fourth.example", "Hello")
    assert hall.received
    hall.now += timedelta(hours=2)
    hall.write("somebody@third.example", "Hello")
    assert hall.received


def test_observers_write_no_press_unless_the_game_says_so(hall: Hall) -> None:
    game = running(hall)
    observe(hall, "otto@x.test", game)
    hall.reply("otto@x.test", "PRESS TO all: look at this")
    assert set(hall.received) == {"otto@x.test"}
    assert "observers do not write to the players" in hall.words("otto@x.test")
    with hall.store.journal(game, hall.now) as journal:
        affairs = hall.moderator.tables.table(game, journal).affairs
        affairs.customs = type(affairs.customs)(observers=True)
        journal.update(data=affairs)
    hall.reply("otto@x.test", "PRESS TO all: look at this")
    assert set(hall.received) == {"otto@x.test", "carl@x.test", "dora@x.test"}


@pytest.mark.parametrize(
    "address", ["jo(e@example.org", "x@exa_mple.org", "jörg@example.org", "x@-a.org", "x@a..org"]
)
def test_an_address_is_checked_where_it_comes_in(court: Court, address: str) -> None:
    for text in (f"SUBSTITUTE {address}", f"ADDRESS {address}"):
        court.send("french", text)
        assert "An address is written" in court.words("french")
    person = court.live.person("french")
    assert not person.substitute
    assert not person.second
    court.send("master", f"REPLACE french BY {address}")
    assert "An address is written" in court.words(MASTER_ADDRESS)
