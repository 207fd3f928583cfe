"""What a server has taken is noted at once, and read by whoever comes after a death."""

from __future__ import annotations

import os
from pathlib import Path

from pbem.post.sent import SentJournal, folder_for


def letter(name: str) -> bytes:
    return f"From: a@b.example\r\nMessage-ID: <{name}@pbem.example>\r\n\r\nMessage-ID: <no>\r\n".encode()


def dead(journal: SentJournal) -> None:
    """The process is gone, and its lock with it."""
    assert journal._file is not None
    os.close(journal._file)
    journal._file = None


def test_the_next_one_reads_what_the_dead_left(tmp_path: Path) -> None:
    first, second = SentJournal(tmp_path / "sent"), SentJournal(tmp_path / "sent")
    assert second.left_behind() == {}
    first.note(letter("1"))
    first.note(letter("2"))
    assert second.left_behind() == {}, "the first one lives"
    dead(first)
    (found,) = second.left_behind().items()
    assert found[1] == ["<1@pbem.example>", "<2@pbem.example>"]
    second.forget([found[0]])
    assert second.left_behind() == {}


def test_a_torn_line_counts_for_nothing(tmp_path: Path) -> None:
    first = SentJournal(tmp_path)
    first.note(letter("1"))
    dead(first)
    (file,) = tmp_path.iterdir()
    with file.open("ab") as more:
        more.write(b"<2@pbe")
    assert list(SentJournal(tmp_path).left_behind().values()) == [["<1@pbem.example>"]]


def test_what_the_outbox_knows_is_not_kept(tmp_path: Path) -> None:
    journal = SentJournal(tmp_path)
    for name in ("1", "2"):
        journal.note(letter(name))
    journal.settled(["<1@pbem.example>"])
    (file,) = tmp_path.iterdir()
    assert file.stat().st_mode & 0o077 == 0
    assert file.read_bytes()
    journal.settled(["<2@pbem.example>"])
    assert not file.read_bytes()
    journal.close()
    assert not list(tmp_path.iterdir())


def test_a_disk_in_trouble_stops_no_letter(tmp_path: Path) -> None:
    (tmp_path / "sent").write_text("no folder", encoding="utf-8")
    journal = SentJournal(tmp_path / "sent")
    journal.note(letter("1"))
    journal.settled(["<1@pbem.example>"])
    assert journal.left_behind() == {}
    journal.close()


def test_where_the_notes_lie(monkeypatch: object) -> None:
    assert folder_for("sqlite:////var/lib/pbem/pbem.db") == Path("/var/lib/pbem/pbem.db-sent")
    assert folder_for("postgresql://pbem@db/one") != folder_for("postgresql://pbem@db/two")
