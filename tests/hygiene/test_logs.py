"""Logs and the database's errors speak of letters without quoting them."""

from __future__ import annotations

import logging
from datetime import timedelta

import pytest

from pbem.campaign.outgoing import report
from pbem.post.embedded import Fault
from pbem.post.inbox import InboxTrouble
from tests.hygiene.conftest import ALICE, MODERATOR, Office, replace

TAINT = "sealed-order-of-marshal-ney"


async def test_no_order_no_token_and_no_password_is_ever_logged(
    office: Office, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level(logging.INFO)
    token = office.moderator.tables.at_hand(office.game).token("french").text()
    office.post.faults += [
        Fault(stage="RCPT", reply="451 4.7.1 Greylisted", recipient=ALICE),
        Fault(stage="DATA", reply="554 5.7.1 Spam"),
    ]
    await office.arrive(office.letter("french", f"keep {TAINT}\nSTANDING WHEN {TAINT}"))
    await office.arrive(office.letter("french", TAINT, to=MODERATOR, From="eve@evil.example"))
    await office.round()
    office.now += timedelta(hours=1)
    await office.round()

    def broken(*_: object, **__: object) -> None:
        raise ValueError(f"cannot read {TAINT} of {token}")

    with monkeypatch.context() as patch:
        patch.setattr(office.moderator.seat_letters, "take", broken)
        await office.arrive(office.letter("french", TAINT))
        assert await office.round() == ["fault"]
    with monkeypatch.context() as patch:
        patch.setattr(report, "report", broken)
        await office.arrive(office.letter("french", f"{TAINT} again"))
        await office.round()
    office.imap = replace(office.imap, password="wrong-tambour")
    await office.restart()
    with pytest.raises(InboxTrouble):
        await office.round()
    # The embedded server, in the same process, keeps a log of its own.
    logged = "\n".join(record.getMessage() for record in caplog.records if record.name != "mail.log")
    assert "could not be processed" in logged
    assert "cannot be put into words now" in logged
    assert "cannot be written" in logged
    assert "ValueError at" in logged
    for secret in (TAINT, token, token.rpartition(".")[2], "tambour"):
        assert secret not in logged


async def test_a_letter_that_the_program_cannot_handle_stops_no_other(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    take = office.moderator.seat_letters.take

    def sometimes(journal: object, live: object, seat: str, letter: object, number: int) -> object:
        if "poison" in letter.text:  # type: ignore[attr-defined]
            raise RuntimeError("a fault of ours")
        return take(journal, live, seat, letter, number)  # type: ignore[arg-type]

    monkeypatch.setattr(office.moderator.seat_letters, "take", sometimes)
    for text in ("status", "poison", "map"):
        await office.arrive(office.letter("french", text))
    assert await office.round() == ["done", "fault", "done"]
    assert await office.round() == []
    assert len(office.texts(ALICE)) == 4
