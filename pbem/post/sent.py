"""A note of each letter that a server has taken, written by whoever sends it, at once and onto the disk.

The outbox is told a little later, many letters at a time. Whoever dies in between leaves his notes behind, and the
next one reads them before anything is sent again. One small file for each process; a living process locks its own.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import re
import threading
from collections.abc import Iterable
from pathlib import Path

_MESSAGE_ID = re.compile(rb"(?im)^message-id:\s{0,10}(<[^<>\s]{1,500}>)")
_HEAD = 8192
_SUFFIX = ".sent"


class SentJournal:
    """What has been taken by a server and not yet noted in the outbox."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._file: int | None = None
        self._name = ""
        self._open: set[str] = set()
        self._lock = threading.Lock()

    def note(self, raw: bytes) -> None:
        """A server has just taken this letter. It never raises: a letter sent is sent, noted or not."""
        found = _MESSAGE_ID.search(raw[:_HEAD])
        if found is None:
            return
        with self._lock, contextlib.suppress(OSError):
            if self._file is None:
                self._begin()
            assert self._file is not None
            os.write(self._file, found.group(1) + b"\n")
            os.fsync(self._file)
            self._open.add(found.group(1).decode("ascii", "replace"))

    def settled(self, message_ids: Iterable[str]) -> None:
        """The outbox knows of these; when it knows of all, the notes are not needed any more."""
        with self._lock, contextlib.suppress(OSError):
            self._open.difference_update(message_ids)
            if not self._open and self._file is not None:
                os.ftruncate(self._file, 0)

    def left_behind(self) -> dict[Path, list[str]]:
        """What the dead have noted, by file: whole lines only, the last may be torn."""
        found: dict[Path, list[str]] = {}
        with contextlib.suppress(OSError):
            for path in sorted(self._folder.glob(f"*{_SUFFIX}")):
                if path.name != self._name and not _locked(path):
                    lines = path.read_bytes().split(b"\n")[:-1]
                    found[path] = [line.decode("ascii", "replace") for line in lines]
        return found

    def forget(self, files: Iterable[Path]) -> None:
        """What they held is in the outbox."""
        for path in files:
            with contextlib.suppress(OSError):
                path.unlink()

    def close(self) -> None:
        """Let go of the file; if everything is settled it goes."""
        with self._lock:
            file, self._file = self._file, None
            if file is not None:
                if not self._open:
                    self.forget([self._folder / self._name])
                os.close(file)

    def _begin(self) -> None:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._name = f"{os.getpid()}-{os.urandom(6).hex()}{_SUFFIX}"
        file = os.open(self._folder / self._name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND, 0o600)
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        self._file = file
        # The name, too, has to survive.
        folder = os.open(self._folder, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _locked(path: Path) -> bool:
    file = os.open(path, os.O_RDONLY)
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(file)
    return False


def folder_for(url: str) -> Path:
    """Where the notes about a store lie: beside a SQLite file, else in the state folder of the user or the service."""
    kind, _, path = url.partition(":///")
    if kind.startswith("sqlite") and path and path != ":memory:":
        return Path(path + "-sent")
    state = os.environ.get("STATE_DIRECTORY", "").partition(":")[0] or os.environ.get("XDG_STATE_HOME", "")
    base = Path(state) if state else Path("~/.local/state").expanduser()
    return base / "pbem" / f"sent-{hashlib.sha256(url.encode()).hexdigest()[:16]}"
