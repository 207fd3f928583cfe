"""Back-up and restore: nothing lost, one moment, private, and damaged files told apart."""

from __future__ import annotations

import gzip
import stat
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
import sqlalchemy as sa

from pbem.letters.message import Message
from pbem.store import Store, StoreError
from pbem.store.backup import BadBackup, backup, restore
from pbem.store.tables import Base
from tests.store.samples import GAME, NOW, new_game


def everything(store: Store) -> dict[str, list[tuple[object, ...]]]:
    with store.snapshot() as connection:
        return {
            table.name: sorted((tuple(row) for row in connection.execute(sa.select(table))), key=repr)
            for table in Base.metadata.sorted_tables
        }


@pytest.fixture
def filled(store: Store) -> Store:
    new_game(store)
    for n in range(3):
        store.receive(
            Message(b"\0\xff raw \xc3\xa9" + bytes([n]), "x"), NOW, digest=str(n), message_id=f"<{n}@x>"
        )
    return store


def test_what_is_restored_is_what_was_there(filled: Store, tmp_path: Path) -> None:
    file = tmp_path / "back.up"
    made = backup(filled, file)
    assert made.games == 1
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    other = Store.open(f"sqlite:///{tmp_path}/other.db")
    assert restore(file, other).rows == made.rows
    assert everything(other) == everything(filled)
    with other.journal(GAME, NOW) as journal:
        assert journal.receive(Message(b"new", "x"), digest="d", message_id="<new@x>").is_new
    other.close()


def test_a_restored_store_goes_on_counting(filled: Store, empty_url: str, tmp_path: Path) -> None:
    file = tmp_path / "back.up"
    backup(filled, file)
    again = Store.open(empty_url)
    restore(file, again)
    assert everything(again) == everything(filled)
    received = again.receive(Message(b"another", "x"), NOW, digest="another")
    assert received.is_new
    assert received.id > 3
    again.close()


def test_one_moment_while_others_write(filled: Store, reopen: Callable[[], Store], tmp_path: Path) -> None:
    busy, ready = threading.Event(), threading.Event()
    other = reopen()

    def write() -> None:
        n = 0
        while not busy.is_set() and n < 5000:
            other.receive(Message(b"x", "busy"), NOW, digest=f"busy{n}", message_id=f"<busy{n}@x>")
            n += 1
            ready.set()

    writer = threading.Thread(target=write)
    writer.start()
    ready.wait(10)
    file = tmp_path / "back.up"
    backup(filled, file)
    busy.set()
    writer.join()
    copy = Store.open(f"sqlite:///{tmp_path}/copy.db")
    restore(file, copy)
    numbers = [
        int(str(row[5]).removeprefix("busy")) for row in everything(copy)["letter"] if row[1] == "busy"
    ]
    assert sorted(numbers) == list(range(len(numbers)))
    copy.close()


def test_bad_files_are_refused_and_leave_nothing(filled: Store, tmp_path: Path) -> None:
    file = tmp_path / "back.up"
    backup(filled, file)
    text = gzip.decompress(file.read_bytes())
    bad = {
        "cut": gzip.compress(text[: len(text) // 2]),
        "tail": gzip.compress(b"\n".join(text.rstrip().split(b"\n")[:-1]) + b"\n"),
        "gzip": file.read_bytes()[:-200],
        "other": gzip.compress(b"hello\n"),
        "plain": b"hello\n",
        "version": gzip.compress(text.replace(b'"revision": "', b'"revision": "x', 1)),
        "table": gzip.compress(text.replace(b'{"table": "letter"', b'{"table": "pg_shadow"', 1)),
    }
    target = Store.open(f"sqlite:///{tmp_path}/target.db")
    for name, data in bad.items():
        (tmp_path / name).write_bytes(data)
        with pytest.raises(BadBackup):
            restore(tmp_path / name, target)
        assert all(not rows for rows in everything(target).values()), name
    restore(file, target)
    with pytest.raises(BadBackup, match="not empty"):
        restore(file, target)
    target.close()


def test_a_failed_back_up_leaves_the_old_one(filled: Store, tmp_path: Path) -> None:
    file = tmp_path / "back.up"
    file.write_bytes(b"old")
    empty = Store.open(f"sqlite:///{tmp_path}/empty.db")
    with pytest.raises(StoreError, match="up to date"):
        backup(empty, file)
    empty.close()
    assert file.read_bytes() == b"old"
    assert list(tmp_path.glob("*.new")) == []


def test_everything_sqlite_keeps_is_private(tmp_path: Path) -> None:
    store = Store.open(f"sqlite:///{tmp_path}/var/pbem.db")
    store.migrate()
    store.receive(Message(b"x", "x"), NOW, digest="x")
    with store.writing():
        files = list((tmp_path / "var").iterdir())
        assert len(files) >= 2
        assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}
    assert stat.S_IMODE((tmp_path / "var").stat().st_mode) == 0o700
    store.close()
