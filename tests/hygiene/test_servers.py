"""Mail servers that say later, never, or nothing at all: no letter is lost, none goes out under two names."""

from __future__ import annotations

import asyncio
import email
import logging
from collections.abc import Awaitable, Callable
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.post.certificate import loopback_certificate
from pbem.post.embedded import EmbeddedPost, Fault
from pbem.post.inbox import InboxTrouble
from pbem.server import daemon as daemons
from tests.hygiene.conftest import ACCOUNTS, ALICE, BOB, MODERATOR, Office, replace
from tests.servers.wire import wire

Offices = Callable[..., Awaitable[Office]]


def ids(office: Office, address: str) -> list[str]:
    return [str(email.message_from_bytes(raw)["Message-ID"]) for raw in office.post.messages(address)]


@pytest.mark.parametrize("stage", ["MAIL", "RCPT", "DATA"])
async def test_greylisting_delays_and_the_same_letter_goes_out_later(office: Office, stage: str) -> None:
    await office.arrive(office.letter("french", "status"))
    office.post.faults.append(Fault(stage=stage, reply="451 4.7.1 Greylisted, try again in five minutes"))
    await office.round()
    assert len(ids(office, ALICE)) == 1
    assert office.open_dispatches() == 1
    await office.round()
    assert len(ids(office, ALICE)) == 1
    office.now += timedelta(minutes=5)
    await office.round()
    assert len(set(ids(office, ALICE))) == len(ids(office, ALICE)) == 2
    assert office.open_dispatches() == 0


async def test_a_full_mailbox_is_tried_for_five_days_and_then_given_up_visibly(office: Office) -> None:
    full = Fault(stage="RCPT", reply="452 4.2.2 Mailbox full", times=1000, recipient=ALICE)
    office.post.faults.append(full)
    await office.arrive(office.letter("french", "status"))
    for _ in range(5 * 24 // 4 + 2):
        await office.round()
        assert "unreachable" not in office.store.seats(office.game)["french"].data
        assert office.open_dispatches() == 1
        office.now += timedelta(hours=4)
        if office.now - office.store.dispatches(office.game)[-1].created_at > daemons.PATIENCE:
            break
    await office.round()
    assert "unreachable" in office.store.seats(office.game)["french"].data


async def test_an_address_refused_for_good_stops_its_clock_and_the_other_side_sees_it(office: Office) -> None:
    office.post.faults.append(
        Fault(stage="RCPT", reply="550 5.1.1 No such user", times=1000, recipient=ALICE)
    )
    await office.arrive(office.letter("french", "status"))
    await office.round()
    assert "unreachable" in office.store.seats(office.game)["french"].data
    assert len(office.texts(BOB)) == 2
    assert "undeliverable" in office.texts(BOB)[-1]


@pytest.mark.parametrize("stage", ["MAIL", "RCPT", "DATA", "AFTER"])
async def test_a_line_cut_in_the_middle_of_sending(office: Office, stage: str) -> None:
    await office.arrive(office.letter("french", "status"))
    office.post.faults.append(Fault(stage=stage, drop=True))
    await office.round()
    # Before MAIL is answered nothing has been sent: a kept line that died is replaced unnoticed.
    assert office.open_dispatches() == (0 if stage == "MAIL" else 1)
    office.now += timedelta(minutes=5)
    await office.round()
    arrived = ids(office, ALICE)
    assert len(set(arrived)) == 2
    # Only where the server had taken the letter and its answer got lost is there a second copy, word for word.
    assert len(arrived) == (3 if stage == "AFTER" else 2)
    first, *copies = office.post.messages(ALICE)[1:]
    assert all(copy == first for copy in copies)
    assert office.open_dispatches() == 0


async def test_a_mailbox_over_its_quota_is_still_read(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def full(*_: object, **__: object) -> None:
        raise InboxTrouble("[OVERQUOTA] Quota exceeded")

    for text in ("status", "map"):
        await office.arrive(office.letter("french", text))
    with monkeypatch.context() as patch:
        patch.setattr(office.daemon.inbox, "acknowledge", full)
        assert await office.round() == ["done", "done"]
        assert await office.round() == []
    assert len(office.texts(ALICE)) == 3


@pytest.mark.parametrize("share", [0.1, 0.3, 0.5, 0.7, 0.9])
async def test_a_line_cut_in_the_middle_of_fetching(office: Office, share: float) -> None:
    letters = [office.letter("french", f"status\n{'x' * 300}\n") for _ in range(20)]
    for raw in letters:
        await office.arrive(raw)
    with wire(office.post.imap_port) as line:
        office.imap = replace(office.imap, port=line.port, batch=5)
        await office.restart()
        line.cut_after(int(share * sum(map(len, letters))))
        statuses: list[str] = []
        for _ in range(3):
            try:
                statuses += await office.round()
            except InboxTrouble:
                statuses += [handled.status for handled in office.handled]
        assert line.cuts == 1
        assert statuses.count("done") == 20
        assert len(office.texts(ALICE)) == 21
        await office.close()
        await office.open()


async def test_a_certificate_that_changed_gets_no_password(offices: Offices, tmp_path: Path) -> None:
    office = await offices(tls=True)
    await office.round()
    other = tmp_path / "other"
    trusted, _ = loopback_certificate(other, office.now)
    office.imap = replace(office.imap, ca_file=str(trusted))
    office.smtp = replace(office.smtp, ca_file=str(trusted))
    await office.arrive(office.letter("french", "status"))
    await office.restart()
    with pytest.raises(InboxTrouble, match=r"(?i)certificate"):
        await office.round()
    await office.daemon.send_due()
    assert len(office.texts(ALICE)) == 1
    assert office.post.certificate is not None
    office.imap = replace(office.imap, ca_file=str(office.post.certificate))
    office.smtp = replace(office.smtp, ca_file=str(office.post.certificate))
    await office.restart()
    assert await office.round() == ["done"]
    assert len(office.texts(ALICE)) == 2


async def test_an_expired_password_loses_nothing(office: Office) -> None:
    await office.arrive(office.letter("french", "status"))
    await office.round()
    good_imap, good_smtp = office.imap, office.smtp
    office.imap, office.smtp = replace(good_imap, password="old"), replace(good_smtp, password="old")
    await office.restart()
    office.moderator.timekeeper.tick()
    with pytest.raises(InboxTrouble) as caught:
        await office.round()
    assert caught.value.permanent
    await office.arrive(office.letter("french", "map"))
    office.imap = good_imap
    await office.restart()
    assert await office.round() == ["done"]
    for _ in range(40):
        office.now += timedelta(hours=4)
        await office.round()
    assert office.open_dispatches() == 1
    assert "unreachable" not in office.store.seats(office.game)["french"].data
    office.smtp = good_smtp
    await office.restart()
    office.now += timedelta(hours=5)
    await office.round()
    assert office.open_dispatches() == 0
    assert len(office.texts(ALICE)) >= 3


async def test_the_daemon_outlives_its_servers(
    office: Office, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    monkeypatch.setattr(daemons, "TROUBLE_WAIT", 0.05)
    monkeypatch.setattr(daemons, "backoff", lambda attempt: timedelta(milliseconds=10))
    office.now += timedelta(days=1)
    await office.post.stop()
    running = asyncio.create_task(office.daemon.run())
    await _until(lambda: any("cannot be fetched" in record.getMessage() for record in caplog.records))
    again = EmbeddedPost(ACCOUNTS, imap_port=office.post.imap_port, smtp_port=office.post.smtp_port)
    await again.start()
    try:
        await again.deliver(office.letter("french", "status"), MODERATOR, ALICE)
        await _until(lambda: bool(again.messages(ALICE)) or running.done())
        assert again.messages(ALICE)
        office.daemon.stop()
        await running
    finally:
        await again.stop()


async def _until(ready: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        for _ in iter(ready, True):
            await asyncio.sleep(0.01)
