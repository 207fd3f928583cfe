"""Seats by auction: sealed bids of victory points, opened together, paid for in the set-up."""

from __future__ import annotations

from collections.abc import Iterator
from email.message import EmailMessage
from itertools import permutations
from pathlib import Path
from random import Random

import pytest

from pbem import games
from pbem.campaign.deadlines.calendar import Refused
from pbem.campaign.signup import auction
from tests.campaign.conftest import ADDRESS, Desk

SEATS = games.load("crowns").scenarios["three"].seats


def test_the_most_in_all_and_of_equals_the_best_for_the_first() -> None:
    assert auction.best_bids([{"a": 5, "b": 4}, {"a": 4}], ("a", "b")) == ("b", "a")
    assert auction.best_bids([{"a": 5}, {"a": 5}], ("a", "b")) == ("a", "b")
    assert auction.best_bids([{}, {"a": 1}], ("a", "b")) == ("b", "a")


def test_seven_bidders_get_what_trying_all_would_give() -> None:
    rng = Random(7)
    seats = tuple("abcdefg")
    for _ in range(5):
        bids = [{seat: rng.randint(0, 9) for seat in rng.sample(seats, 4)} for _ in seats]
        given = auction.best_bids(bids, seats)

        def total(order: tuple[str, ...], bids: list[dict[str, int]] = bids) -> int:
            return sum(bid.get(seat, 0) for bid, seat in zip(bids, order, strict=True))

        assert sorted(given) == sorted(seats)
        assert total(given) == max(map(total, permutations(seats)))


@pytest.mark.parametrize(
    ("text", "bids"),
    [
        ("BID france 6, britain 4", {"france": 6, "great_britain": 4}),
        ("offre France : 6 ; Angleterre 4", {"france": 6, "great_britain": 4}),
        ("bid austria=3", {"austria": 3}),
        ("france, austria", None),
    ],
)
def test_bids_are_read(text: str, bids: dict[str, int] | None) -> None:
    assert auction.read_bids(text, games.load("crowns"), SEATS) == bids


@pytest.mark.parametrize("text", ["BID", "BID france", "BID france 100", "BID nowhere 3", "BID france -3"])
def test_a_bid_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(Refused):
        auction.read_bids(text, games.load("crowns"), SEATS)


def test_where_seats_do_not_go_by_auction_nobody_bids() -> None:
    with pytest.raises(Refused):
        auction.read_bids("BID french 3", games.load("leipzig"), ("french", "allied"))


class Hall(Desk):
    """A desk with an announced game for three."""

    def announce(self) -> str:
        name = self.moderator.opening.announce("crowns", "three", {})
        self.deliver()
        return name

    def write(self, who: str, text: str, to: str = ADDRESS) -> None:
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = f"{who} <{who}@pbem.test>", to, "x"
        self.letters += 1
        message["Message-ID"] = f"<auction.{self.letters}@pbem.test>"
        message.set_content(text)
        self.hand_in(bytes(message))


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    made = Hall(f"sqlite:///{tmp_path}/hall.db")
    yield made
    made.store.close()


def test_bids_are_sealed_opened_together_and_paid(hall: Hall) -> None:
    game = hall.announce()
    hall.write("ann", f"JOIN {game} BID france 6, britain 4")
    assert "France 6" in hall.all_words("ann@pbem.test")
    hall.write("bob", f"JOIN {game} BID france 5, austria 1")
    assert "6" not in hall.all_words("bob@pbem.test").replace("2026", "")
    hall.write("cid", f"JOIN {game} BID austria 3")
    letters = dict(hall.received)
    assert (
        "Great Britain (France 6, Great Britain 4); France (France 5, Austria 1); Austria (Austria 3)"
        in hall.all_words("ann@pbem.test")
    )
    for who in ("ann", "bob", "cid"):
        hall.write(who, "READY", str(letters[f"{who}@pbem.test"][0]["Reply-To"]))
    rows = hall.store.seats(game)
    with hall.store.journal(game, hall.now) as journal:
        state = hall.moderator.tables.table(game, journal).game.state
    assert {seat: row.address for seat, row in rows.items()} == {
        "france": "bob@pbem.test",
        "great_britain": "ann@pbem.test",
        "austria": "cid@pbem.test",
    }
    assert {seat: state.powers[seat].price for seat in rows} == {
        "france": 5,
        "great_britain": 4,
        "austria": 3,
    }
    first = next(iter(hall.store.entries(game)))
    assert "price.france" in str(first.body), "what was paid stands in the first entry of the log"


def test_by_wishes_as_ever(hall: Hall) -> None:
    game = hall.announce()
    for who, wish in (("ann", "austria"), ("bob", "france"), ("cid", "")):
        hall.write(who, f"JOIN {game} {wish}")
    rows = hall.store.seats(game)
    assert {seat: row.name for seat, row in rows.items()} == {
        "austria": "ann",
        "france": "bob",
        "great_britain": "cid",
    }
