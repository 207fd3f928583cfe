"""What a moderator asks while it runs is answered from an index, and never by going through what is finished."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from pbem.bench import store as bench
from pbem.store.store import Store

FINISHED = 120


@pytest.fixture
def full(tmp_path: Path) -> Iterator[Store]:
    """A store with many games that are over, and a few that go on."""
    store = Store.open(f"sqlite:///{tmp_path / 'full.db'}")
    store.migrate()
    bench.fill(store, FINISHED, 20 * FINISHED)
    yield store
    store.close()


@pytest.mark.parametrize("name", bench.QUESTIONS)
def test_no_question_goes_through_a_whole_table(full: Store, name: str) -> None:
    asked: list[tuple[str, Any]] = []

    def note(_conn: Any, _cursor: Any, statement: str, parameters: Any, _context: Any, _many: bool) -> None:
        asked.append((statement, parameters))

    sa.event.listen(full.engine, "before_cursor_execute", note)
    ask: Callable[[Store], object] = bench.QUESTIONS[name]
    ask(full)
    sa.event.remove(full.engine, "before_cursor_execute", note)
    with full.engine.connect() as connection:
        driver: Any = connection.connection.driver_connection
        for statement, parameters in asked:
            plan = [
                row[3] for row in driver.execute(f"EXPLAIN QUERY PLAN {statement}", parameters).fetchall()
            ]
            # A partial index holds only what is open: to go through it is to go through that.
            whole = [step for step in plan if step.startswith("SCAN") and "INDEX ix_" not in step]
            assert not whole, (statement, plan)


def test_the_finished_do_not_show(full: Store) -> None:
    assert len(full.games_going_on()) == bench.GOING_ON
    assert len(full.outbox.due(bench.LATER, 1000)) == bench.GOING_ON


def test_a_new_game_gets_the_number_behind_the_last(full: Store) -> None:
    assert full.free_id("bench") == f"bench-{FINISHED + bench.GOING_ON + 1}"
    assert full.free_id("other") == "other-1"


def test_the_last_games_of_a_player(full: Store) -> None:
    found = full.games_of("blue7@pbem.test", 1)
    assert [row.id for row in found] == ["bench-104"]
    assert [row.id for row in full.games_of("blue7@pbem.test", 50)] == ["bench-7", "bench-104"]


def test_letters_of_a_seat_are_read_backwards(full: Store) -> None:
    letters = full.sent_before("bench-1", "blue")
    assert next(letters).message_id == "<1.18@bench.test>"
    assert next(letters).message_id == "<1.16@bench.test>"
    assert full.dispatch("<1.16@bench.test>") is not None
    assert full.dispatch("<nothing@bench.test>") is None


def test_letters_in_the_last_hour(full: Store) -> None:
    assert full.sent_to("blue7@pbem.test", datetime(2026, 1, 1, tzinfo=UTC)) == 20
    assert full.sent_to("blue7@pbem.test", bench.LATER) == 0
