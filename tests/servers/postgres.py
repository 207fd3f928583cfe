"""A PostgreSQL server of our own for tests, from Debian's packages, on a free loopback port."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

_TRIES = 3


def binaries() -> Path | None:
    """The folder of the newest PostgreSQL programs on this machine."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    if found:
        return found[-1].parent
    initdb = shutil.which("initdb")
    return Path(initdb).resolve().parent if initdb else None


def require() -> Path:
    """The programs; without them the test is skipped, except in CI, where it fails."""
    folder = binaries()
    if folder is None:
        reason = "PostgreSQL's programs are not installed (Debian: apt-get install postgresql)"
        if os.environ.get("CI", "").lower() in ("1", "true"):
            pytest.fail(reason)
        pytest.skip(reason)
    return folder


@contextmanager
def server() -> Iterator[str]:
    """The URL of a running server, up to the name of the database, which is to be appended."""
    programs = require()
    folder = Path(tempfile.mkdtemp(prefix="pbem-pg-"))
    who = _unprivileged(folder)
    try:
        data = folder / "data"
        _run([programs / "initdb", "-D", data, "-A", "trust", "-U", "pbem", "--no-sync", "-E", "UTF8"], who)
        port = _start(programs, folder, data, who)
        try:
            yield f"postgresql+psycopg://pbem@127.0.0.1:{port}/"
        finally:
            _run([programs / "pg_ctl", "-D", data, "-m", "immediate", "-w", "stop"], who)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _start(programs: Path, folder: Path, data: Path, who: dict[str, Any]) -> int:
    # Between finding a free port and using it somebody else may take it.
    for left in reversed(range(_TRIES)):
        port = _free_port()
        options = f"-p {port} -c listen_addresses=127.0.0.1 -k {folder} -F -c max_connections=40"
        try:
            _run([programs / "pg_ctl", "-D", data, "-w", "-l", folder / "log", "-o", options, "start"], who)
        except subprocess.CalledProcessError:
            if not left:
                raise
        else:
            return port
    raise AssertionError("unreachable")


def _unprivileged(folder: Path) -> dict[str, Any]:
    """PostgreSQL does not run as root: the user to run it as instead, who gets the folder."""
    if os.getuid() != 0:
        return {}
    for name in ("postgres", "nobody"):
        try:
            user = pwd.getpwnam(name)
        except KeyError:
            continue
        os.chown(folder, user.pw_uid, user.pw_gid)
        return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
    pytest.fail("no unprivileged user to run PostgreSQL as")


def _run(command: list[Any], who: dict[str, Any]) -> None:
    subprocess.run(
        [str(part) for part in command],
        check=True,
        cwd="/",
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={"PATH": os.environ.get("PATH", ""), "LC_ALL": "C"},
        **who,
    )


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
