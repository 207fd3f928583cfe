"""Opening, migrating and checking a database."""

from __future__ import annotations

import fcntl
import sqlite3
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest
import sqlalchemy as sa

from pbem.store import BadUrl, Store, Unavailable, engine, schema
from tests.store.samples import GAME, NOW, new_game


def test_from_empty_to_current(empty_url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    store = Store.open(empty_url)
    steps: list[tuple[int, int, str]] = []
    assert store.check() == "empty"
    store.migrate(lambda done, of, what: steps.append((done, of, what)))
    assert store.check() == "current"
    assert steps
    assert [done for done, _, _ in steps] == list(range(1, steps[0][1] + 1))
    assert steps[0][2] == "The first tables"
    steps.clear()
    store.migrate(lambda done, of, what: steps.append((done, of, what)))
    assert steps == []
    new_game(store)
    assert store.load(GAME).moment == "set-up"
    store.close()


def test_the_migrations_make_the_tables_of_the_program(store: Store) -> None:
    assert schema.drift(store.engine) == []


def test_drift_is_noticed(store: Store) -> None:
    with store.engine.begin() as connection:
        connection.execute(sa.text("ALTER TABLE act ADD COLUMN surprise INTEGER"))
    assert any("surprise" in difference for difference in schema.drift(store.engine))


def test_a_database_of_a_later_version(store: Store) -> None:
    with store.engine.begin() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    assert store.check() == "newer"


def test_a_database_of_something_else(empty_url: str) -> None:
    store = Store.open(empty_url)
    with store.engine.begin() as connection:
        connection.execute(sa.text("CREATE TABLE invoices (id INTEGER)"))
    assert store.check() == "foreign"
    store.close()


def test_several_that_migrate_at_once_wait_for_each_other(empty_url: str) -> None:
    stores = [Store.open(empty_url) for _ in range(4)]
    problems: list[BaseException] = []
    together = threading.Barrier(len(stores))

    def migrate(store: Store) -> None:
        try:
            together.wait(30)
            store.migrate()
        except BaseException as problem:
            problems.append(problem)

    threads = [threading.Thread(target=migrate, args=(store,)) for store in stores]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert problems == []
    assert [store.check() for store in stores] == ["current"] * len(stores)
    for store in stores:
        store.close()


def test_a_new_file_that_is_locked_while_its_mode_changes_is_tried_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """SQLite says «locked» at once, without its time-out, when two change the mode of a new file together."""

    class Locked:
        asked = 0

        def execute(self, sql: str) -> None:
            assert sql == "PRAGMA journal_mode=WAL"
            self.asked += 1
            if self.asked < 3:
                error = sqlite3.OperationalError("database is locked")
                error.sqlite_errorcode = sqlite3.SQLITE_BUSY
                raise error

    monkeypatch.setattr(engine, "_AGAIN", 0.0)
    connection = Locked()
    engine._write_ahead(connection)
    assert connection.asked == 3


def test_opening_a_database_again_keeps_the_locks_of_the_first(tmp_path: Path) -> None:
    """Closing any descriptor of a file ends the locks of the whole process on it."""
    first = Store.open(f"sqlite:///{tmp_path}/pbem.db")
    first.migrate()
    with (tmp_path / "pbem.db").open("rb+") as held:
        fcntl.lockf(held, fcntl.LOCK_EX)
        Store.open(f"sqlite:///{tmp_path}/pbem.db").close()
        tried = subprocess.run(
            [
                sys.executable,
                "-c",
                "import fcntl, sys; fcntl.lockf(open(sys.argv[1], 'rb+'), fcntl.LOCK_EX | fcntl.LOCK_NB)",
                str(tmp_path / "pbem.db"),
            ],
            capture_output=True,
            check=False,
        )
        assert b"BlockingIOError" in tried.stderr
    first.close()


def test_a_failed_migration_leaves_nothing(empty_url: str) -> None:
    store = Store.open(empty_url)
    with store.engine.begin() as connection:
        connection.execute(sa.text("CREATE TABLE seat (id INTEGER)"))
    with pytest.raises(RuntimeError):
        store.migrate()
    with store.engine.connect() as connection:
        assert set(sa.inspect(connection).get_table_names()) == {"seat"}
    store.close()


def test_the_file_is_ours_alone_and_safe(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "folder" / "pbem.db"
    store = Store.open(f"sqlite:///{path}")
    store.migrate()
    new_game(store)
    assert [stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()] == [0o600] * 3
    with store.engine.connect() as connection:
        pragmas = [
            connection.exec_driver_sql(f"PRAGMA {name}").scalar_one()
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        ]
    assert pragmas == ["wal", 2, 1, 10_000]
    store.close()


@pytest.mark.parametrize(
    "url", ["", "nonsense", "mysql://x/y", "sqlite://", "sqlite:///:memory:", "sqlite:////proc/nowhere/x.db"]
)
def test_addresses_that_cannot_be_used(url: str) -> None:
    with pytest.raises(BadUrl):
        Store.open(url)


def test_short_addresses_of_postgresql() -> None:
    store = Store.open("postgresql://somebody@127.0.0.1:1/none")
    assert store.engine.url.drivername == "postgresql+psycopg"
    with pytest.raises(Unavailable):
        store.games()
    with pytest.raises(Unavailable), store.journal(GAME, NOW):
        pytest.fail("nobody answers there")


def test_a_locked_database_says_try_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.store.engine.BUSY_SECONDS", 0.0)
    store = Store.open(f"sqlite:///{tmp_path}/pbem.db")
    store.migrate()
    new_game(store)
    other = sqlite3.connect(tmp_path / "pbem.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(Unavailable, match="locked"), store.journal(GAME, NOW):
        pytest.fail("somebody else is writing")
    other.execute("ROLLBACK")
    other.close()
    with store.journal(GAME, NOW) as journal:
        assert journal.position.answers == 0
    store.close()
