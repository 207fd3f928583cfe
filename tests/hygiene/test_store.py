"""A store that is full, locked, or gone for a while: nothing half done, nothing acknowledged, all of it later."""

from __future__ import annotations

import sqlite3
from collections.abc import Awaitable, Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
import sqlalchemy as sa

from pbem.store.engine import Unavailable
from tests.hygiene.conftest import ALICE, Office
from tests.servers import postgres
from tests.servers.wire import Wire, wire
from tests.store.conftest import _create

Offices = Callable[..., Awaitable[Office]]


def on_connect(office: Office, *pragmas: str) -> None:
    """Set something on every connection of the store, those in the pool included."""

    def prepare(connection: Any, _record: object) -> None:
        for pragma in pragmas:
            connection.execute(f"PRAGMA {pragma}")

    office.store.engine.dispose()
    sa.event.listen(office.store.engine, "connect", prepare)


async def test_a_full_disk(office: Office) -> None:
    pages = _pages(office)
    on_connect(office, f"max_page_count={pages}")
    await office.arrive(office.letter("french", "status\n" + "x" * 200_000))
    with pytest.raises(Unavailable, match="full"):
        await office.round()
    assert office.handled == []
    assert office.store.unhandled() == []
    await office.restart()
    assert await office.round() == ["done"]
    assert len(office.texts(ALICE)) == 2


def _pages(office: Office) -> int:
    with sqlite3.connect(office.url.removeprefix("sqlite:///")) as connection:
        pages: int = connection.execute("PRAGMA page_count").fetchone()[0]
    connection.close()
    return pages


async def test_a_disk_that_fills_up_between_handling_and_sending(office: Office) -> None:
    await office.arrive(office.letter("french", "status"))
    await office.daemon.fetch()
    on_connect(office, f"max_page_count={_pages(office)}")
    try:
        while await office.daemon.send_due():
            pass
    except Unavailable:
        await office.restart()
    office.now += timedelta(minutes=10)
    await office.round()
    assert office.open_dispatches() == 0
    assert len(office.texts(ALICE)) == 2


async def test_a_database_locked_by_somebody_else(office: Office) -> None:
    on_connect(office, "busy_timeout=20")
    await office.arrive(office.letter("french", "status"))
    other = sqlite3.connect(office.url.removeprefix("sqlite:///"), isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(Unavailable, match="locked"):
        await office.round()
    with pytest.raises(Unavailable, match="locked"):
        await office.daemon.send_due()
    other.execute("ROLLBACK")
    other.close()
    assert await office.round() == ["done"]
    assert len(office.texts(ALICE)) == 2


@pytest.fixture(scope="module")
def line() -> Iterator[tuple[str, Wire]]:
    """A PostgreSQL behind a line that can be cut."""
    with postgres.server() as address:
        port = int(address.rstrip("/").rpartition(":")[2])
        with wire(port) as relay:
            _create(address, "hygiene")
            yield address.replace(f":{port}/", f":{relay.port}/") + "hygiene", relay


@pytest.mark.xdist_group("postgresql")
async def test_postgresql_gone_for_a_minute(offices: Offices, line: tuple[str, Wire]) -> None:
    url, relay = line
    office = await offices(url)
    await office.round()
    relay.whole = False
    relay.cut()
    await office.arrive(office.letter("french", "status"))
    for _ in range(2):
        with pytest.raises(Unavailable):
            await office.round()
        with pytest.raises(Unavailable):
            await office.daemon.send_due()
    assert len(office.texts(ALICE)) == 1
    relay.whole = True
    assert await office.round() == ["done"]
    assert len(office.texts(ALICE)) == 2


@pytest.mark.xdist_group("postgresql")
async def test_postgresql_that_hung_up_while_nothing_was_to_do(
    offices: Offices, line: tuple[str, Wire], monkeypatch: pytest.MonkeyPatch
) -> None:
    url, relay = line
    office = await offices(url)
    await office.round()
    before = len(office.texts(ALICE))
    monkeypatch.setattr("pbem.store.engine._TRUSTED", 0.0)
    relay.cut()
    await office.arrive(office.letter("french", "status").replace(b"@players", b"hung@players"))
    assert await office.round() == ["done"]
    assert len(office.texts(ALICE)) == before + 1


@pytest.mark.xdist_group("postgresql")
@pytest.mark.parametrize("share", [0.2, 0.5, 0.8])
async def test_postgresql_lost_in_the_middle_of_a_letter(
    offices: Offices, line: tuple[str, Wire], share: float
) -> None:
    url, relay = line
    office = await offices(url)
    await office.round()
    before = len(office.texts(ALICE))
    raws = [office.letter("french", f"status {n}") for n in range(4)]
    for raw in raws:
        await office.arrive(raw.replace(b"@players", f"{share}@players".encode()))
    relay.cut_after(int(12_000 * share))
    statuses: list[str] = []
    for _ in range(4):
        try:
            statuses += await office.round()
        except Unavailable:
            statuses += [handled.status for handled in office.handled]
    assert statuses.count("done") == 4
    office.now += timedelta(minutes=10)
    await office.round()
    assert len(office.texts(ALICE)) == before + 4
    assert office.open_dispatches() == 0


async def test_a_clock_set_back_delays_no_letter(office: Office) -> None:
    await office.arrive(office.letter("french", "status"))
    await office.daemon.fetch()
    office.now -= timedelta(days=3)
    assert await office.daemon.send_due() == 0
    assert office.daemon._until_next() == 0.0
    assert await office.daemon.send_due() == 1
    await office.arrive(office.letter("french", "map"))
    assert await office.round() == ["done"]
    assert len(office.texts(ALICE)) == 3


async def test_a_clock_set_forward_sends_nothing_twice(office: Office) -> None:
    await office.arrive(office.letter("french", "status"))
    await office.round()
    office.now += timedelta(days=30)
    assert await office.round() == []
    await office.arrive(office.letter("french", "map"))
    assert await office.round() == ["done"]
    assert len(office.post.messages(ALICE)) == len(office.texts(ALICE))
