"""What all servers of our own have in common: a free port, a missing program, a user without privileges."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import time
from collections.abc import Callable
from pathlib import Path

import pytest

HOST = "127.0.0.1"


def in_ci() -> bool:
    """Whether a missing program is a failure."""
    return os.environ.get("CI", "").lower() in ("1", "true")


def lacking(reason: str) -> None:
    """End the test: skipped at home, failed in CI."""
    if in_ci():
        pytest.fail(reason)
    pytest.skip(reason)


def program(name: str) -> str | None:
    """A program's path; servers live in folders that a user's PATH may lack."""
    return shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin:/sbin")


def free_ports(number: int) -> list[int]:
    """Ports that nobody uses now, all different."""
    probes = [socket.socket() for _ in range(number)]
    try:
        for probe in probes:
            probe.bind((HOST, 0))
        return [probe.getsockname()[1] for probe in probes]
    finally:
        for probe in probes:
            probe.close()


def unprivileged() -> pwd.struct_passwd:
    """Whom servers run as: ourselves, or nobody when we are root."""
    return pwd.getpwnam("nobody") if os.getuid() == 0 else pwd.getpwuid(os.getuid())


def give(folder: Path, user: pwd.struct_passwd) -> None:
    """A folder and everything in it to a user."""
    if os.getuid() == 0:
        for root, _, files in os.walk(folder):
            for path in (root, *(os.path.join(root, name) for name in files)):
                os.chown(path, user.pw_uid, user.pw_gid)


def until(ready: Callable[[], bool], what: str, seconds: float = 20.0) -> None:
    """Wait for something that another process does. Raises TimeoutError."""
    deadline = time.monotonic() + seconds
    while not ready():
        if time.monotonic() > deadline:
            raise TimeoutError(what)
        time.sleep(0.01)


def listens(port: int) -> bool:
    """Whether somebody answers on a port."""
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex((HOST, port)) == 0
