"""A thousand games that wait for their deadlines cost nothing: the next stroke is computed, not polled."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pbem.campaign.intake.moderator import Moderator, Settings
from pbem.store.store import Store
from pbem.store.tables import GameRow

NOW = datetime(2026, 1, 1, tzinfo=UTC)
GAMES = 1000


@pytest.fixture
def crowd(tmp_path: Path) -> Iterator[Store]:
    store = Store.open(f"sqlite:///{tmp_path}/pbem.db")
    store.migrate()
    for n in range(GAMES):
        row = GameRow(id=f"g-{n}", rules="leipzig", scenario="battle", status="running", created_at=NOW)
        with store.journal(None, NOW) as journal:
            journal.create(row, (), root=b"r", zroot=b"z")
            journal.update(next_at=NOW + timedelta(days=3, seconds=n))
    yield store
    store.close()


def test_a_thousand_waiting_games_take_no_time(crowd: Store) -> None:
    moderator = Moderator(crowd, Settings("m@pbem.test"), lambda: NOW + timedelta(hours=1))
    assert moderator.timekeeper.tick() == 0
    started = time.process_time()
    for _ in range(100):
        assert moderator.timekeeper.tick() == 0
        assert crowd.next_game_at() == NOW + timedelta(days=3)
    # A day of waking every five minutes is 288 times: far below a second.
    assert time.process_time() - started < 1.0
    assert not moderator.tables._live
