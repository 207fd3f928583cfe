"""Letters from files have the same manners as letters from a server."""

import asyncio
import os
from pathlib import Path

import pytest

from pbem.letters.message import Cursor, Message
from pbem.post.inbox import Inbox, InboxTrouble
from pbem.post.maildir import FilesInbox, MaildirInbox


def maildir(folder: Path, *letters: bytes) -> Path:
    for name in ("new", "cur", "tmp"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    for number, raw in enumerate(letters):
        path = folder / "new" / f"{number}.host"
        path.write_bytes(raw)
        os.utime(path, (1_741_000_000 + number, 1_741_000_000 + number))
    return folder


async def fetch(inbox: Inbox) -> list[Message]:
    return [fetched async for fetched in inbox.letters(Cursor())]


async def test_maildir_moves_only_what_was_acknowledged(tmp_path: Path) -> None:
    box = maildir(tmp_path, b"one", b"two")
    inbox = MaildirInbox(box)
    first, second = await fetch(inbox)
    assert (first.raw, second.raw) == (b"one", b"two")
    assert first.internal_date.timestamp() == 1_741_000_000
    assert sorted(path.name for path in (box / "new").iterdir()) == ["0.host", "1.host"]

    await inbox.acknowledge([first])
    await inbox.acknowledge([first])
    assert [path.name for path in (box / "cur").iterdir()] == ["0.host:2,S"]
    assert [fetched.raw for fetched in await fetch(MaildirInbox(box))] == [b"two"]


async def test_maildir_wait_sees_a_new_file_and_ends_on_close(tmp_path: Path) -> None:
    box = maildir(tmp_path, b"one")
    inbox = MaildirInbox(box, poll_interval=0.01)
    assert await inbox.wait(0)
    await fetch(inbox)
    assert not await inbox.wait(0)

    waiting = asyncio.create_task(inbox.wait(60))
    (box / "new" / "9.host").write_bytes(b"nine")
    assert await waiting

    await fetch(inbox)
    waiting = asyncio.create_task(inbox.wait(60))
    await inbox.close()
    assert not await waiting


async def test_maildir_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(InboxTrouble, match="not a Maildir") as caught:
        await fetch(MaildirInbox(tmp_path))
    assert caught.value.permanent


async def test_acknowledged_name_cannot_leave_the_maildir(tmp_path: Path) -> None:
    box = maildir(tmp_path / "box", b"one")
    outside = tmp_path / "outside"
    outside.write_bytes(b"x")
    await fetch(MaildirInbox(box))
    await MaildirInbox(box).acknowledge([Message(b"", name=str(outside))])
    assert outside.exists()


async def test_files_and_folders(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "a.eml").write_bytes(b"a")
    (tmp_path / "folder" / "notes.txt").write_bytes(b"no letter")
    (tmp_path / "b.eml").write_bytes(b"b")
    inbox = FilesInbox([tmp_path / "folder", tmp_path / "b.eml"])
    got = await fetch(inbox)
    assert [fetched.raw for fetched in got] == [b"a", b"b"]
    await inbox.acknowledge(got[:1])
    assert [fetched.raw for fetched in await fetch(inbox)] == [b"b"]
    assert (tmp_path / "folder" / "a.eml").exists()
    assert not await inbox.wait(0)


async def test_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InboxTrouble, match=r"gone\.eml"):
        await fetch(FilesInbox([tmp_path / "gone.eml"]))
