"""When something is next to be done about a game, and how the daemon's pulse is kept."""

from __future__ import annotations

from datetime import timedelta

import sqlalchemy as sa

from pbem.store import Store
from tests.store.samples import GAME, NOW, new_game


def test_a_game_is_due_when_its_time_has_come(store: Store) -> None:
    new_game(store)
    new_game(store, "other")
    assert store.next_game_at() is None
    assert store.due_games(NOW + timedelta(days=9999)) == []
    later = NOW + timedelta(hours=3)
    with store.journal(GAME, NOW) as journal:
        journal.update(next_at=later)
    assert store.next_game_at() == later
    assert store.game(GAME).next_at == later
    assert store.due_games(later - timedelta(seconds=1)) == []
    assert store.due_games(later) == [GAME]
    with store.journal(GAME, NOW) as journal:
        journal.update(status="paused")
    assert store.next_game_at() == later
    with store.journal(GAME, NOW) as journal:
        journal.update(next_at=None)
    assert store.next_game_at() is None


def test_a_transaction_that_fails_leaves_the_time_as_it_was(store: Store) -> None:
    new_game(store)
    try:
        with store.journal(GAME, NOW) as journal:
            journal.update(next_at=NOW)
            journal.flush()
            raise LookupError
    except LookupError:
        assert store.next_game_at() is None


def test_games_that_wait_are_found_by_their_index(store: Store) -> None:
    with store.engine.connect() as connection:
        if connection.dialect.name == "postgresql":
            connection.exec_driver_sql("SET enable_seqscan = off")
        plan = connection.execute(
            sa.text(
                ("EXPLAIN " if connection.dialect.name == "postgresql" else "EXPLAIN QUERY PLAN ")
                + "SELECT id FROM game WHERE next_at IS NOT NULL AND next_at <= '2026-01-01' ORDER BY next_at"
            )
        )
        assert "ix_game_next_at" in " ".join(str(row) for row in plan)


def test_the_pulse(store: Store) -> None:
    assert store.pulse("letters") is None
    store.beat("letters", NOW)
    store.beat("letters", NOW + timedelta(minutes=1))
    assert store.pulse("letters") == NOW + timedelta(minutes=1)
    assert store.pulse("other") is None
