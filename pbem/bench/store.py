"""`pbem bench store`: what the questions of a moderator cost on a store full of games that are over.

Each question is asked of a small store and of one a hundred times as large that differs only in what is finished.
The second figure's ratio to the first should be about one.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from pbem.bench.figure import Figure
from pbem.store.store import Store
from pbem.store.tables import Base

GAMES, DISPATCHES = 10_000, 1_000_000
SMALLER = 100
GOING_ON = 20
"""Games that are not over, in both stores; each has a letter that waits."""
ASKED = 15
URL = "PBEM_BENCH_STORE"
"""The environment variable with an empty PostgreSQL database to measure instead of SQLite."""
BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
_BATCH = 5_000


def store_figures() -> Iterator[Figure]:
    """The figures; the large store is built anew for each run."""
    with tempfile.TemporaryDirectory() as folder:
        url = os.environ.get(URL, "")
        costs: list[dict[str, float]] = []
        for share in (SMALLER, 1):
            store = Store.open(url or f"sqlite:///{Path(folder) / str(share)}.db")
            store.migrate()
            began = time.perf_counter()
            fill(store, GAMES // share, DISPATCHES // share)
            built = time.perf_counter() - began
            costs.append({name: _cost(ask, store) for name, ask in QUESTIONS.items()})
            if url:
                _empty(store)
            store.close()
        yield Figure(f"a store of {GAMES} games and {DISPATCHES} letters sent, built", built, "s")
        for name, cost in costs[1].items():
            yield Figure(name, cost * 1000, "ms", cost / costs[0][name])


def fill(store: Store, finished: int, sent: int) -> None:
    """Games that are over, with their letters; and a few that go on, with one letter each that waits."""
    each = max(1, sent // max(1, finished))
    with store.engine.begin() as connection:
        for name, rows in (
            ("game", _games(finished)),
            ("seat", _seats(finished)),
            ("dispatch", _dispatches(finished, each)),
        ):
            table, batch = Base.metadata.tables[name], list[dict[str, Any]]()
            for row in rows:
                batch.append(row)
                if len(batch) == _BATCH:
                    connection.execute(sa.insert(table), batch)
                    batch.clear()
            if batch:
                connection.execute(sa.insert(table), batch)
    with store.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(sa.text("ANALYZE"))


def _games(finished: int) -> Iterator[dict[str, Any]]:
    for n in range(1, finished + GOING_ON + 1):
        status = "over" if n <= finished else "running"
        due = None if status == "over" else BEGIN + timedelta(days=n)
        yield {
            "id": f"bench-{n}",
            "rules": "bench",
            "scenario": "one",
            "status": status,
            "next_at": due,
            "created_at": BEGIN + timedelta(minutes=n),
            "options": "{}",
            "data": "{}",
            "mode": "chain",
            "lang": "en",
            "steps": 0,
            "answers": 0,
            "events": 0,
            "log_n": 0,
            "log_hash": "",
        }


def _seats(finished: int) -> Iterator[dict[str, Any]]:
    for n in range(1, finished + GOING_ON + 1):
        for seat in ("blue", "red"):
            yield {
                "game_id": f"bench-{n}",
                "seat": seat,
                "name": seat,
                "address": f"{seat}{n % 97}@pbem.test",
                "lang": "en",
                "token_hash": f"{n}/{seat}",
                "salt": "",
                "data": "{}",
            }


def _dispatches(finished: int, each: int) -> Iterator[dict[str, Any]]:
    for n in range(1, finished + GOING_ON + 1):
        over = n <= finished
        for letter in range(each if over else 1):
            seat = ("blue", "red")[letter % 2]
            at = BEGIN + timedelta(minutes=n, seconds=letter)
            yield {
                "game_id": f"bench-{n}",
                "seat": seat,
                "address": f"{seat}{n % 97}@pbem.test",
                "kind": "report",
                "message_id": f"<{n}.{letter}@bench.test>",
                "in_reply_to": "",
                "data": "{}",
                "raw": None,
                "status": "sent" if over else "waiting",
                "attempts": 1,
                "next_at": at,
                "created_at": at,
                "sent_at": at if over else None,
                "error": "",
            }


LATER = BEGIN + timedelta(days=365)
QUESTIONS: dict[str, Callable[[Store], object]] = {
    "when the next letter is due": lambda store: store.outbox.next_due(),
    "the letters that are due": lambda store: store.outbox.due(LATER),
    "when something is next to be done about a game": lambda store: store.next_game_at(),
    "the games about which something is to be done": lambda store: store.due_games(LATER),
    "a name for a new game": lambda store: store.free_id("bench"),
    "the games that go on": lambda store: store.games_going_on(),
    "the last games of a player": lambda store: store.games_of("blue7@pbem.test", 50),
    "letters to an address in the last hour": lambda store: store.sent_to("red7@pbem.test", LATER),
    "since when a seat's letter waits": lambda store: store.unsent_since("bench-1", "blue"),
    "the first letter of a seat": lambda store: store.first_message_id("bench-1", "blue"),
    "letters that a person must look at": lambda store: store.aside(),
    "letters that are not handled": lambda store: store.unhandled(),
}
"""What a moderator asks the store while it runs, by name."""


def _cost(ask: Callable[[Store], object], store: Store) -> float:
    times = []
    for _ in range(ASKED):
        began = time.perf_counter()
        ask(store)
        times.append(time.perf_counter() - began)
    return statistics.median(times)


def _empty(store: Store) -> None:
    with store.engine.begin() as connection:
        for name in ("dispatch", "seat", "game"):
            connection.execute(sa.delete(Base.metadata.tables[name]))
