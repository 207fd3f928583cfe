"""A line between a client and a server that can be cut: at once, or after so many bytes from the server."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from tests.servers.local import HOST


class Wire:
    """A TCP relay on a port of its own."""

    def __init__(self, port: int) -> None:
        self.whole = True
        """False: whoever calls is hung up on."""
        self.cuts = 0
        self._to = port
        self._bytes_left: int | None = None
        self._open: list[socket.socket] = []
        self._lock = threading.Lock()
        self._listener = socket.create_server((HOST, 0))
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Hang up on everyone."""
        with self._lock:
            ends, self._open = self._open, []
        for end in ends:
            with suppress(OSError):
                end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def cut_after(self, number: int) -> None:
        """Hang up once, when the server has sent so many more bytes."""
        with self._lock:
            self._bytes_left = number

    def close(self) -> None:
        """No more calls."""
        self.whole = False
        self._listener.close()
        self.cut()

    def _accept(self) -> None:
        while True:
            try:
                caller, _ = self._listener.accept()
            except OSError:
                return
            if not self.whole:
                caller.close()
                continue
            try:
                server = socket.create_connection((HOST, self._to))
            except OSError:
                caller.close()
                continue
            with self._lock:
                self._open += [caller, server]
            for source, target, counted in ((caller, server, False), (server, caller, True)):
                threading.Thread(target=self._relay, args=(source, target, counted), daemon=True).start()

    def _relay(self, source: socket.socket, target: socket.socket, counted: bool) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                if counted and self._is_last(len(data)):
                    target.sendall(data[: len(data) // 2])
                    self.cuts += 1
                    self.cut()
                    return
                target.sendall(data)
        for end in (source, target):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def _is_last(self, number: int) -> bool:
        with self._lock:
            if self._bytes_left is None:
                return False
            self._bytes_left -= number
            if self._bytes_left > 0:
                return False
            self._bytes_left = None
            return True


@contextmanager
def wire(port: int) -> Iterator[Wire]:
    """A relay to a port."""
    relay = Wire(port)
    try:
        yield relay
    finally:
        relay.close()
