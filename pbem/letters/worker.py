"""Raw letters read in a process of their own, which can be ended: no letter costs more than its budget.

The kernel ends the process when a letter has taken its processor time, and refuses it more memory; whoever waits for
it ends it when even the clock on the wall runs out. Of such a letter only the head is read, to tell its sender.
"""

from __future__ import annotations

import hashlib
import logging
import multiprocessing
import os
import signal
import threading
import time
from collections import OrderedDict
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path

import msgspec

from pbem.letters.letter import Letter, Trouble
from pbem.letters.reading import read, read_head

logger = logging.getLogger(__name__)

SECONDS = 5.0
MEMORY = 512 * 1024 * 1024
_PATIENCE = 6.0
"""How much longer than its processor time a letter may take on a busy machine."""
_AT_ONCE = 0.5
"""A worker that ends sooner was ended by something else than the letter, which is then tried once more."""
_REMEMBERED = 200
_SPAWN = multiprocessing.get_context("spawn")


class BoundedReader:
    """Reads letters as `pbem.letters.reading.read` does, each within a budget of processor time and memory."""

    def __init__(self, seconds: float = SECONDS, memory: int = MEMORY) -> None:
        self._seconds = seconds
        self._memory = memory
        self._lock = threading.Lock()
        self._process: BaseProcess | None = None
        self._line: Connection | None = None
        self._ready: OrderedDict[bytes, Letter] = OrderedDict()

    def __call__(self, raw: bytes, *, own_address: str) -> Letter:
        """The letter in these bytes; nothing is ever raised."""
        with self._lock:
            known = self._ready.pop(_name(raw, own_address), None)
            return known if known is not None else self._read(raw, own_address)

    def prepare(self, raw: bytes, own_address: str) -> None:
        """Read a letter ahead, in another thread than the one that will ask for it."""
        with self._lock:
            self._ready[_name(raw, own_address)] = self._read(raw, own_address)
            while len(self._ready) > _REMEMBERED:
                self._ready.popitem(last=False)

    def close(self) -> None:
        """End the process."""
        with self._lock:
            self._end()

    @property
    def pid(self) -> int | None:
        """The process that reads just now."""
        return self._process.pid if self._process is not None else None

    def _read(self, raw: bytes, own_address: str) -> Letter:
        for _ in range(2):
            try:
                line = self._line or self._begin()
            except (OSError, EOFError):
                # No process can be had, by no fault of the letter's: its limits have to do.
                self._end()
                logger.error("no process to read letters in can be started; they are read without a budget")
                return read(raw, own_address=own_address)
            began = time.monotonic()
            letter = self._ask(line, raw, own_address)
            if letter is not None:
                return letter
            self._end()
            if time.monotonic() - began > min(_AT_ONCE, self._seconds):
                break
        return read_head(raw, Trouble("too-costly"), own_address=own_address)

    def _ask(self, line: Connection, raw: bytes, own_address: str) -> Letter | None:
        """What the process answers; None when it is gone, or does not answer in time."""
        try:
            line.send_bytes(msgspec.msgpack.encode((own_address, raw)))
            if not line.poll(self._seconds * _PATIENCE):
                return None
            return msgspec.msgpack.decode(line.recv_bytes(), type=Letter)
        except (OSError, EOFError, msgspec.DecodeError):
            return None

    def _begin(self) -> Connection:
        ours, theirs = _SPAWN.Pipe()
        process = _SPAWN.Process(target=_serve, args=(theirs, self._seconds, self._memory), daemon=True)
        process.start()
        theirs.close()
        self._process, self._line = process, ours
        # Its birth is nobody's letter's fault.
        if not ours.poll(60) or ours.recv_bytes() != b"ready":
            raise EOFError
        return ours

    def _end(self) -> None:
        process, line = self._process, self._line
        self._process = self._line = None
        if line is not None:
            line.close()
        if process is not None:
            process.kill()
            process.join()
            process.close()


def _name(raw: bytes, own_address: str) -> bytes:
    return hashlib.sha256(own_address.encode("utf-8", "replace") + b"\0" + raw).digest()


def _serve(line: Connection, seconds: float, memory: int) -> None:
    """Read letters until the other end of the line is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    read(b"From: a@b.example\n\n<b>x</b>", own_address="")
    _bound(memory)
    line.send_bytes(b"ready")
    while True:
        try:
            own_address, raw = msgspec.msgpack.decode(line.recv_bytes(), type=tuple[str, bytes])
        except (EOFError, OSError):
            return
        except MemoryError:
            os._exit(1)
        signal.setitimer(signal.ITIMER_PROF, seconds)
        letter = read(raw, own_address=own_address)
        signal.setitimer(signal.ITIMER_PROF, 0)
        line.send_bytes(msgspec.msgpack.encode(letter))


def _bound(memory: int) -> None:
    """No more memory than now and so many bytes, where the system can be asked for that."""
    try:
        import resource

        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
        most = pages * resource.getpagesize() + memory
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
    except (ImportError, OSError, ValueError):
        return
