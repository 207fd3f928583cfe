"""Dispatches: sent once, under one Message-ID, however often it takes."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import datetime

import pytest

from pbem.store import Store
from pbem.store.tables import DispatchRow
from tests.store.samples import GAME, NOW, later, new_game, sending


@pytest.fixture
def box(store: Store) -> Store:
    """Three dispatches, one of them for later."""
    new_game(store)
    with store.journal(GAME, NOW) as journal:
        journal.dispatch(sending("one"))
        journal.dispatch(sending("reminder"), next_at=later(days=2))
        journal.dispatch(sending("two", "allied"))
    return store


def names(rows: list[DispatchRow]) -> list[str]:
    return [row.message_id.removeprefix("<").split("@")[0] for row in rows]


def test_due_in_their_time(box: Store) -> None:
    assert names(box.outbox.due(NOW)) == ["one", "two"]
    assert names(box.outbox.due(NOW, limit=1)) == ["one"]
    assert names(box.outbox.due(later(days=3))) == ["one", "two", "reminder"]
    assert box.outbox.next_due() == NOW


def test_from_claim_to_sent(box: Store) -> None:
    first, second = box.outbox.claim(NOW, later(minutes=5))
    assert (first.attempts, first.read(dict[str, str])) == (1, {"say": "one"})
    assert box.outbox.claim(NOW, later(minutes=5)) == []
    assert first.id is not None
    assert second.id is not None
    box.outbox.rendered(first.id, b"raw")
    box.outbox.mark_sent(first.id, later(seconds=3))
    box.outbox.mark_sent(second.id, later(seconds=3), keep_raw=True)
    assert box.outbox.next_due() == later(days=2)
    sent = box.dispatches(GAME, "french")[0]
    assert (sent.status, sent.sent_at, sent.raw) == ("sent", later(seconds=3), None)
    box.outbox.mark_deferred(first.id, later(hours=1), "too late to say so")
    assert box.dispatches(GAME, "french")[0].status == "sent"


def test_a_claim_runs_out_when_its_worker_has_died(box: Store) -> None:
    box.outbox.claim(NOW, later(minutes=5))
    again = box.outbox.claim(later(minutes=6), later(minutes=11))
    assert names(again) == ["one", "two"]
    assert [row.attempts for row in again] == [2, 2]


def test_a_retry_sends_the_same_bytes_under_the_same_name(box: Store) -> None:
    [first] = box.outbox.claim(NOW, later(minutes=5), limit=1)
    assert first.id is not None
    box.outbox.rendered(first.id, b"From: pbem\r\n\r\n\0\xff")
    box.outbox.mark_deferred(first.id, later(hours=1), "451 try again\0")
    assert names(box.outbox.due(later(minutes=30))) == ["two"]
    claimed = box.outbox.claim(later(hours=1), later(hours=2))
    again = next(row for row in claimed if row.id == first.id)
    assert (again.message_id, again.raw) == (first.message_id, b"From: pbem\r\n\r\n\0\xff")
    assert (again.status, again.attempts) == ("deferred", 2)
    assert again.error.startswith("451 try again")


def test_refused_for_good(box: Store) -> None:
    [first] = box.outbox.claim(NOW, later(minutes=5), limit=1)
    assert first.id is not None
    box.outbox.mark_refused(first.id, "550 no such user")
    assert names(box.outbox.due(later(minutes=30))) == ["two"]
    refused = box.dispatches(GAME)[0]
    assert (refused.status, refused.error) == ("refused", "550 no such user")


def test_workers_do_not_take_the_same_dispatch(store: Store, reopen: Callable[[], Store]) -> None:
    with store.journal(None, NOW) as journal:
        for n in range(40):
            journal.dispatch(sending(f"n{n}"))
    taken: list[str] = []

    def work(worker: Store) -> None:
        while rows := worker.outbox.claim(NOW, later(minutes=5), limit=3):
            taken.extend(names(rows))

    threads = [threading.Thread(target=work, args=(reopen(),)) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    left: list[datetime] = [row.next_at for row in store.outbox.due(NOW)]
    # A worker may find all due ones locked by the others and stop; none is lost or taken twice.
    assert len(taken) == len(set(taken))
    assert len(taken) + len(left) == 40
