"""Letters from files: a Maildir, a folder of .eml files, or single files. The same shape as an IMAP inbox."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from pbem.letters.message import Cursor, Message
from pbem.post.inbox import InboxTrouble

_LARGEST_FILE = 64 * 1024 * 1024


class MaildirInbox:
    """A Maildir: letters wait in `new` and go to `cur` once acknowledged. The cursor is not needed."""

    def __init__(self, folder: Path, poll_interval: float = 2.0) -> None:
        self._folder = folder
        self._poll = poll_interval
        self._known: set[str] = set()
        self._closed = asyncio.Event()

    @property
    def sorts(self) -> bool:
        """A Maildir has one place for all letters."""
        return False

    async def letters(self, cursor: Cursor) -> AsyncIterator[Message]:
        """What lies in `new`, in order of arrival."""
        if not (self._folder / "new").is_dir():
            raise InboxTrouble(f"{self._folder} is not a Maildir: it has no folder 'new'", permanent=True)
        for path in await asyncio.to_thread(_by_age, self._folder / "new", ""):
            fetched = await asyncio.to_thread(_load, path)
            if fetched is not None:
                self._known.add(path.name)
                yield fetched

    async def acknowledge(self, fetched: Sequence[Message], *, refused: bool = False) -> None:
        """Move letters from `new` to `cur`, marked as seen."""
        await asyncio.to_thread(self._move, [Path(letter.name).name for letter in fetched if letter.name])

    def _move(self, names: list[str]) -> None:
        try:
            (self._folder / "cur").mkdir(exist_ok=True)
            for name in names:
                with suppress(FileNotFoundError):
                    os.rename(self._folder / "new" / name, self._folder / "cur" / f"{name.split(':')[0]}:2,S")
                self._known.discard(name)
        except OSError as error:
            raise InboxTrouble(f"cannot move letters to {self._folder / 'cur'}: {error.strerror}") from error

    async def wait(self, seconds: float) -> bool:
        """Look every few seconds for a file not handed out before."""
        return await _watch(self._unknown, seconds, self._poll, self._closed)

    def _unknown(self) -> bool:
        return any(path.name not in self._known for path in _by_age(self._folder / "new", ""))

    async def close(self) -> None:
        """A running wait ends."""
        self._closed.set()


class FilesInbox:
    """Letters from .eml files and folders of them. The files are left as they are."""

    def __init__(self, paths: Sequence[Path], poll_interval: float = 2.0) -> None:
        self._paths = tuple(paths)
        self._poll = poll_interval
        self._done: set[Path] = set()
        self._known: set[Path] = set()
        self._closed = asyncio.Event()

    @property
    def sorts(self) -> bool:
        """Files stay where they are."""
        return False

    async def letters(self, cursor: Cursor) -> AsyncIterator[Message]:
        """Every file not acknowledged before, folders in order of age."""
        missing = [str(path) for path in self._paths if not path.exists()]
        if missing:
            raise InboxTrouble(f"no such file or folder: {', '.join(missing)}", permanent=True)
        for path in await asyncio.to_thread(self._files):
            fetched = await asyncio.to_thread(_load, path)
            if fetched is not None and path not in self._done:
                self._known.add(path)
                yield fetched

    def _files(self) -> list[Path]:
        files: list[Path] = []
        for path in self._paths:
            files += _by_age(path, ".eml") if path.is_dir() else [path]
        return files

    async def acknowledge(self, fetched: Sequence[Message], *, refused: bool = False) -> None:
        """Remember that these need not be handed out again."""
        self._done.update(Path(letter.name) for letter in fetched if letter.name)

    async def wait(self, seconds: float) -> bool:
        """Look every few seconds for a file not handed out before."""
        return await _watch(self._unknown, seconds, self._poll, self._closed)

    def _unknown(self) -> bool:
        return any(path not in self._known for path in self._files())

    async def close(self) -> None:
        """A running wait ends."""
        self._closed.set()


async def _watch(found: Callable[[], bool], seconds: float, poll: float, closed: asyncio.Event) -> bool:
    loop = asyncio.get_running_loop()
    deadline = loop.time() + seconds
    while not closed.is_set():
        if await asyncio.to_thread(found):
            return True
        left = deadline - loop.time()
        if left <= 0:
            return False
        with suppress(TimeoutError):
            await asyncio.wait_for(closed.wait(), min(left, poll))
    return False


def _by_age(folder: Path, suffix: str) -> list[Path]:
    """The files of a folder, oldest first, names deciding between equals."""
    aged: list[tuple[int, str]] = []
    with suppress(FileNotFoundError, NotADirectoryError), os.scandir(folder) as entries:
        for entry in entries:
            wanted = not entry.name.startswith(".") and entry.name.lower().endswith(suffix)
            if wanted and entry.is_file():
                aged.append((entry.stat().st_mtime_ns, entry.name))
    return [folder / name for _, name in sorted(aged)]


def _load(path: Path) -> Message | None:
    """The letter in a file; None when another program took the file away in the meantime."""
    try:
        status = path.stat()
        with path.open("rb") as file:
            raw = file.read(_LARGEST_FILE)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise InboxTrouble(f"cannot read {path}: {error.strerror}") from error
    return Message(raw, name=str(path), internal_date=datetime.fromtimestamp(status.st_mtime, UTC))
