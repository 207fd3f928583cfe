"""Engines, and the statements of the journal.

The journal's statements are made from the tables by SQLAlchemy once, and then given to the driver directly:
a letter needs some ten of them, and this takes a tenth of the time.
"""

from __future__ import annotations

import errno
import math
import os
import sqlite3
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import URL, Connection, Engine, make_url
from sqlalchemy.exc import ArgumentError, DisconnectionError

BUSY_SECONDS = 10.0
IMMEDIATE = "pbem_immediate"
_LEFT = "pbem_left"
_TRUSTED = 1.0
"""So many seconds after its last use a connection is taken to be alive."""
_AGAIN = 0.01
"""So many seconds later what SQLite refused without waiting is tried again."""
_CHECKPOINT = "wal_autocheckpoint=4000"
"""A letter touches some twenty pages, mostly the same: copying them back less often is cheaper."""


class StoreError(RuntimeError):
    """The store cannot do what was asked; nothing has been changed."""


class BadUrl(StoreError):
    """Not the address of a database that can be used."""


class NoSuchGame(StoreError):
    """There is no game of that name."""


class OutOfStep(StoreError):
    """What was to be written does not follow what is stored: somebody else went on with the game."""


class Conflict(StoreError):
    """What was to be written contradicts what is stored."""


class Unavailable(StoreError):
    """The database does not answer, is locked or full: the same may succeed later."""


def open_engine(address: str) -> Engine:
    """An engine for that URL. The folder and file of a SQLite database are made where they are missing."""
    url = _url(address)
    try:
        if url.get_backend_name() == "sqlite":
            return _sqlite(url)
        return _postgresql(url)
    except ModuleNotFoundError as error:
        raise BadUrl("PostgreSQL needs its driver: install pbem[postgres]") from error


def _url(address: str) -> URL:
    try:
        url = make_url(address)
    except (ArgumentError, ValueError) as error:
        raise BadUrl("not a database URL; write sqlite:///FILE or postgresql://USER@HOST/NAME") from error
    if url.drivername in ("postgres", "postgresql"):
        url = url.set(drivername="postgresql+psycopg")
    if url.drivername not in ("sqlite", "sqlite+pysqlite", "postgresql+psycopg"):
        raise BadUrl(f"{url.drivername}: only sqlite and postgresql can be used")
    return url


def _postgresql(url: URL) -> Engine:
    engine = sa.create_engine(url, hide_parameters=True, connect_args={"options": "-c timezone=utc"})
    dialect = engine.dialect

    def left(_connection: Any, record: Any) -> None:
        record.info[_LEFT] = time.monotonic()

    def still_there(connection: Any, record: Any, _pooled: object) -> None:
        # Asking each time would double the way of every short statement.
        if time.monotonic() - record.info.get(_LEFT, math.inf) < _TRUSTED:
            return
        try:
            alive = dialect.do_ping(connection)
        except dialect.loaded_dbapi.Error as error:
            raise DisconnectionError("the database has hung up") from error
        if not alive:
            raise DisconnectionError("the database has hung up")

    sa.event.listen(engine, "checkin", left)
    sa.event.listen(engine, "checkout", still_there)
    return engine


def _sqlite(url: URL) -> Engine:
    if not url.database or url.database == ":memory:" or url.database.startswith("file:"):
        raise BadUrl("a SQLite database needs a file: sqlite:///FILE")
    path = Path(url.database)
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        _make_file(path)
    except OSError as error:
        raise BadUrl(f"{path}: {error.strerror}") from error
    engine = sa.create_engine(url, hide_parameters=True, connect_args={"timeout": BUSY_SECONDS})
    sa.event.listen(engine, "connect", _prepare_sqlite)
    sa.event.listen(engine, "begin", _begin_sqlite)
    return engine


def _make_file(path: Path) -> None:
    """An empty file that only its owner can read, where there is none.

    One that is there is not opened: to close it again would end the locks that this process has on it.
    """
    try:
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            if hasattr(os, "fchown") and os.geteuid() == 0:
                # The first «pbem new» may be the administrator's: the database is his whose folder it is.
                folder = path.parent.stat()
                os.fchown(file, folder.st_uid, folder.st_gid)
        finally:
            os.close(file)
    except FileExistsError:
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR)) from None
        if not os.access(path, os.R_OK | os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES)) from None


def _prepare_sqlite(connection: Any, _record: object) -> None:
    # With isolation level None the driver starts no transactions of its own: _begin_sqlite does.
    connection.isolation_level = None
    _write_ahead(connection)
    for pragma in ("synchronous=FULL", "foreign_keys=ON", _CHECKPOINT):
        connection.execute(f"PRAGMA {pragma}")


def _write_ahead(connection: Any) -> None:
    """WAL, for good. Of two that change the mode of a new file SQLite refuses one without waiting: it tries again."""
    give_up = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > give_up:
                raise
            time.sleep(_AGAIN)


def _begin_sqlite(connection: Connection) -> None:
    immediate = connection.get_execution_options().get(IMMEDIATE, False)
    driver = connection.connection.driver_connection
    assert driver is not None
    driver.execute("BEGIN IMMEDIATE" if immediate else "BEGIN")


class Statements:
    """SQL text for one kind of database, made once from the tables."""

    def __init__(self, engine: Engine) -> None:
        self.sqlite = engine.dialect.name == "sqlite"
        self._dialect = engine.dialect
        self._made: dict[str, str] = {}

    def insert(self, name: str, table: sa.Table, columns: Sequence[str], suffix: str = "") -> None:
        """An insert of those columns, in that order."""
        values = ", ".join("?" if self.sqlite else "%s" for _ in columns)
        quote = self._dialect.identifier_preparer.quote
        names = ", ".join(quote(table.c[column].name) for column in columns)
        target = self._dialect.identifier_preparer.format_table(table)
        self._made[name] = f"INSERT INTO {target} ({names}) VALUES ({values}) {suffix}".strip()

    def text(self, name: str, sql: str) -> None:
        """A statement written with `?` for its parameters."""
        self._made[name] = sql if self.sqlite else sql.replace("?", "%s")

    def __getitem__(self, name: str) -> str:
        return self._made[name]

    def stamp(self, at: datetime) -> Any:
        """A time as the driver takes it. SQLite keeps UTC as text that sorts by time."""
        if at.tzinfo is None:
            raise ValueError("a time needs its zone")
        utc = at.astimezone(UTC)
        return utc.strftime("%Y-%m-%d %H:%M:%S.%f") if self.sqlite else utc

    def unstamp(self, value: Any) -> datetime:
        """The time that `stamp` made."""
        if isinstance(value, str):
            return datetime.fromisoformat(value).replace(tzinfo=UTC)
        assert isinstance(value, datetime)
        return value.astimezone(UTC)


def plain(text: str, most: int = 2000) -> str:
    """Text from outside, as both databases can hold and index it: no NUL, no lone surrogate, not too long."""
    if len(text) > most:
        text = text[:most]
    if "\0" in text:
        text = text.replace("\0", "\ufffd")
    try:
        text.encode()
    except UnicodeEncodeError:
        text = text.encode(errors="replace").decode()
    return text
