"""A fossil of our own: one program with a forum that is worked by HTML forms, on a free loopback port."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.servers import local

PASSWORD = "PASSWORD1"
PEOPLE = ("pbem", "alice", "bob", "carol", "dora")


class Fossil:
    """A running fossil."""

    def __init__(self, url: str) -> None:
        self.url = url


@contextmanager
def server() -> Iterator[Fossil]:
    """A forum with some members."""
    program = local.program("fossil")
    if program is None:
        local.lacking("fossil is not installed (Debian: apt-get install fossil)")
    assert program is not None
    folder = Path(tempfile.mkdtemp(prefix="pbem-fossil-"))
    environment = {"PATH": os.environ.get("PATH", ""), "USER": "root", "HOME": str(folder)}

    def run(*command: str) -> None:
        quiet = subprocess.DEVNULL
        subprocess.run(
            [program, *command], check=True, env=environment, cwd=folder, stdin=quiet, stdout=quiet
        )

    try:
        run("init", "-A", "root", "forum.fossil")
        for name in PEOPLE:
            run("user", "-R", "forum.fossil", "new", name, f"{name}@forum.test", PASSWORD)
            run("user", "-R", "forum.fossil", "capabilities", name, "v23456ce")
        port = local.free_ports(1)[0]
        process = subprocess.Popen(
            [program, "server", "--port", str(port), "--localhost", "forum.fossil"],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            local.until(lambda: local.listens(port), "fossil starts", 60)
            yield Fossil(f"http://127.0.0.1:{port}")
        finally:
            process.terminate()
            process.wait(10)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
