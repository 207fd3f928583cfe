"""Letters as mail programs write them, through the whole desk: the order that must come out, and nothing quoted."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from pbem.campaign.commands.registry import COMMANDS
from pbem.campaign.intake.request import Request
from pbem.campaign.intake.seat_letter import SeatLetter
from pbem.letters.reading import read
from tests.campaign.conftest import ADDRESS, Desk

CORPUS = Path(__file__).parents[2] / "letters" / "corpus"
LETTERS: dict[str, dict[str, Any]] = {
    path.stem: tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted(CORPUS.glob("*.toml"))
}


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    desk = Desk(f"sqlite:///{tmp_path_factory.mktemp('corpus')}/pbem.db")
    yield desk
    desk.store.close()


def as_anne(desk: Desk, name: str) -> bytes:
    """The letter as if a player of our game had written it."""
    expected = LETTERS[name]
    raw = (CORPUS / f"{name}.eml").read_bytes()
    for old, new in (
        (expected.get("token") or "leipzig-7.k3x9qa", desk.live.token("french").text()),
        ("moderator@pbem.example", ADDRESS),
        (expected.get("sender") or "anne@players.example", "anne@pbem.test"),
    ):
        raw = raw.replace(old.encode(), new.encode())
    return raw


@pytest.mark.parametrize("name", [name for name, letter in LETTERS.items() if "orders" in letter])
def test_the_order_comes_out_and_nothing_else(shared: Desk, name: str) -> None:
    letter = read(as_anne(shared, name), own_address=ADDRESS)
    live = shared.live
    outcome = SeatLetter(Request(shared.store, live, "french", shared.now, COMMANDS)).read(letter)
    given = [order.text(live.rules.vocabulary) for one in outcome.givens for order in one.answer]
    assert given == LETTERS[name]["orders"]


@pytest.mark.parametrize("name", list(LETTERS))
def test_every_letter_ends_in_a_reply_or_in_deliberate_silence(shared: Desk, name: str) -> None:
    raw = (CORPUS / f"{name}.eml").read_bytes()
    # Each in an hour of its own: many come from one domain, which would have had enough of us.
    shared.now += timedelta(hours=1)
    handled = shared.hand_in(raw)
    answered = sum(len(messages) for messages in shared.received.values())
    row = shared.store.letter(handled.letter)
    assert row is not None
    if handled.status == "ignored":
        assert row.note
        assert not answered
    else:
        assert handled.status == "unknown"
        assert answered == 1


def test_an_order_of_the_corpus_is_executed_once(desk: Desk) -> None:
    raw = as_anne(desk, "reply-gmail-es")
    assert desk.hand_in(raw).status == "done"
    assert desk.answers() >= 1
    before = desk.answers()
    assert desk.hand_in(raw).status == "duplicate"
    assert desk.answers() == before
