"""Back-up and restore while the daemon runs: one file for either database, and from the one to the other.

A back-up is a gzip of JSON lines: a head, then every row of every table as it stood at one moment, then a tail with
the count, so that a file cut short is told apart. It holds the seeds of all games: it is made with mode 600.
"""

from __future__ import annotations

import base64
import gzip
import json
import os
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TextIO

import msgspec
import sqlalchemy as sa
from sqlalchemy.engine import Connection

from pbem.store import schema
from pbem.store.engine import StoreError
from pbem.store.store import Store
from pbem.store.tables import Base

FORMAT = "pbem-backup/1"
_BATCH = 200

Progress = Callable[[int], None]
"""Called now and then with how many rows are done."""


class BadBackup(StoreError):
    """Not a back-up that can be restored; the text says why."""


class Summary(msgspec.Struct, frozen=True):
    """What a back-up holds."""

    rows: int
    games: int
    bytes: int
    revision: str


def backup(store: Store, file: Path, progress: Progress | None = None) -> Summary:
    """Write everything as it stands at one moment. Raises StoreError, OSError; leaves no half file behind."""
    if store.check() != "current":
        raise StoreError("the tables are not up to date; start «pbem serve» once, then back up")
    new = file.with_name(file.name + ".new")
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        os.fchmod(descriptor, 0o600)
        with open(descriptor, "wb") as raw:
            with gzip.open(raw, "wt", encoding="utf-8", compresslevel=3) as out:
                revision, rows, games = _write(store, out, progress)
            raw.flush()
            os.fsync(raw.fileno())
        new.replace(file)
    except BaseException:
        new.unlink(missing_ok=True)
        raise
    return Summary(rows, games, file.stat().st_size, revision)


def restore(file: Path, store: Store, progress: Progress | None = None) -> Summary:
    """Fill an empty database with a back-up, all or nothing. Raises BadBackup, StoreError, OSError."""
    if store.check() not in ("empty", "current"):
        raise BadBackup("the database to restore into is in use by something else")
    store.migrate()
    try:
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            return _read(store, lines, file, progress)
    except (EOFError, gzip.BadGzipFile, UnicodeDecodeError) as error:
        raise BadBackup(f"{file} is damaged: {error}") from error


def _write(store: Store, out: TextIO, progress: Progress | None) -> tuple[str, int, int]:
    rows = games = 0
    with store.snapshot() as connection:
        revision = schema.revision(connection)
        head = {"format": FORMAT, "revision": revision, "at": datetime.now(UTC).isoformat()}
        out.write(json.dumps(head) + "\n")
        for table in Base.metadata.sorted_tables:
            columns = [column.name for column in table.columns]
            out.write(json.dumps({"table": table.name, "columns": columns}) + "\n")
            for row in connection.execute(sa.select(table), execution_options={"yield_per": _BATCH}):
                out.write(json.dumps([_plain(value) for value in row], ensure_ascii=False) + "\n")
                rows += 1
                games += table.name == "game"
                if progress is not None and rows % 1000 == 0:
                    progress(rows)
        out.write(json.dumps({"rows": rows}) + "\n")
    return revision, rows, games


def _read(store: Store, lines: TextIO, file: Path, progress: Progress | None) -> Summary:
    head = _line(next(lines, ""), file)
    if not isinstance(head, dict) or head.get("format") != FORMAT:
        raise BadBackup(f"{file} is not a back-up of pbem")
    rows = games = 0
    whole = False
    with store.writing() as (connection, _):
        known = schema.revision(connection)
        if head.get("revision") != known:
            raise BadBackup(
                f"{file} was made by another version (tables {head.get('revision')}, here {known})"
            )
        if any(connection.execute(sa.select(sa.func.count()).select_from(t)).scalar_one() for t in _tables()):
            raise BadBackup("the database to restore into is not empty")
        for table, batch in _batches(lines, file):
            if table is None:
                whole = batch == [{"rows": rows}]
                break
            connection.execute(sa.insert(table), batch)
            rows += len(batch)
            games += len(batch) if table.name == "game" else 0
            if progress is not None:
                progress(rows)
        if not whole:
            raise BadBackup(f"{file} has been cut short")
        if not store.sql.sqlite:
            _continue_numbers(connection)
    return Summary(rows, games, file.stat().st_size, known)


def _tables() -> list[sa.Table]:
    return Base.metadata.sorted_tables


def _batches(lines: TextIO, file: Path) -> Iterator[tuple[sa.Table | None, list[dict[str, Any]]]]:
    """The rows of each table in bundles; at the end the tail, without a table."""
    table: sa.Table | None = None
    columns: list[str] = []
    batch: list[dict[str, Any]] = []
    for text in lines:
        line = _line(text, file)
        if isinstance(line, list) and table is not None and len(line) == len(columns):
            pairs = zip(columns, line, strict=True)
            batch.append({name: _value(value) for name, value in pairs})
            if len(batch) < _BATCH:
                continue
        if batch and table is not None:
            yield table, batch
            batch = []
        if isinstance(line, dict):
            if "rows" in line:
                yield None, [line]
                return
            table = Base.metadata.tables.get(str(line.get("table")))
            columns = [str(name) for name in line.get("columns", ())]
            if table is None or not set(columns) <= set(table.c.keys()):
                raise BadBackup(f"{file} has a table that is not known here: {line.get('table')}")


def _line(text: str, file: Path) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise BadBackup(f"{file} is damaged or no back-up of pbem") from error


def _plain(value: Any) -> Any:
    if isinstance(value, bytes | memoryview):
        return {"b": base64.b64encode(bytes(value)).decode()}
    if isinstance(value, datetime):
        return {"t": (value if value.tzinfo else value.replace(tzinfo=UTC)).astimezone(UTC).isoformat()}
    return value


def _value(value: Any) -> Any:
    if isinstance(value, dict):
        return base64.b64decode(value["b"]) if "b" in value else datetime.fromisoformat(value["t"])
    return value


def _continue_numbers(connection: Connection) -> None:
    """PostgreSQL counts letters and dispatches apart from the rows."""
    for table in _tables():
        if "id" in table.c and isinstance(table.c["id"].type, sa.Integer):
            connection.execute(
                sa.text(
                    f"SELECT setval(pg_get_serial_sequence('{table.name}', 'id'), "
                    f"coalesce((SELECT max(id) FROM {table.name}), 0) + 1, false)"
                )
            )
