"""Games that differ only in what a seat may not know give that seat the same letters; and the proof can fail."""

from __future__ import annotations

import msgspec
import pytest

from pbem import games
from pbem.campaign.intake import sender
from pbem.campaign.outgoing.dispatch import Dispatch
from pbem.campaign.table.transaction import Turn
from pbem.proving import pairs
from pbem.proving.recording import options_of

GAMES = ("leipzig", "ccn", "nce")


@pytest.mark.parametrize("name", GAMES)
def test_no_letter_tells_what_its_seat_may_not_know(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pairs, "STEPS", 8)
    for pair in pairs.pairs(name, list(games.load(name).scenarios), 2, 1):
        assert pair.leak is None
        assert pair.letters > 10
        assert pair.secrets > 2


def _counted(game: str, seat: str, digest: str, host: str) -> str:
    _counted.letters += 1  # type: ignore[attr-defined]
    return f"<{game}.{seat}.{_counted.letters}.{digest[:12]}@{host}>"  # type: ignore[attr-defined]


def test_a_number_that_counts_others_letters_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    _counted.letters = 0  # type: ignore[attr-defined]
    monkeypatch.setattr(sender, "message_id", _counted)
    leaks = [pair.leak for pair in pairs.pairs("leipzig", ["battle"], 2, 1)]
    assert any(leak is not None and "Message-ID" in leak.first for leak in leaks)


def test_a_sum_over_both_sides_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """As when every letter said how many round trips had been saved, the enemy's included."""
    whole = Turn._whole

    def telling(turn: Turn, seat: str, dispatch: Dispatch) -> Dispatch:
        handled = len(turn.campaign.store.dispatches(turn.live.id))
        return msgspec.structs.replace(whole(turn, seat, dispatch), saved=handled)

    monkeypatch.setattr(Turn, "_whole", telling)
    leaks = [pair.leak for pair in pairs.pairs("leipzig", ["battle"], 2, 1)]
    assert any(leak is not None for leak in leaks)


def test_hashes_are_compared_by_their_length() -> None:
    one = b"Subject: x\r\n\r\nlog #3 head=" + b"0" * 16
    assert pairs.comparable(one) == pairs.comparable(one.replace(b"0" * 16, b"1" * 16))
    assert pairs.comparable(one) != pairs.comparable(one + b"0")
    assert pairs.difference([pairs.comparable(one)], []) == ("1 letters", "0 letters")


def test_options_are_as_usual_in_every_other_pair() -> None:
    assert options_of(games.load("nce"), 2)["fog"] == "no"
    assert {options_of(games.load("nce"), n)["fog"] for n in range(1, 40, 2)} == {"yes", "no"}
