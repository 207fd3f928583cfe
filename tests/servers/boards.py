"""Forum servers for tests, each installed once from the package registries into a virtual environment of its own.

They are programs that the tests talk to, not libraries of ours. They lie in `~/.cache/pbem/boards` (or
$PBEM_BOARDS), and the first test that needs one installs it.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.servers import local

PACKAGES = {"misago": ("misago==0.39.6",), "synapse": ("matrix-synapse==1.163.2",)}


def folder() -> Path:
    """Where they are kept."""
    return Path(os.environ.get("PBEM_BOARDS") or Path.home() / ".cache" / "pbem" / "boards")


def python(name: str) -> Path:
    """The interpreter of a server's environment; installs it where it is not there. Ends the test if that fails."""
    found = folder() / name / "bin" / "python"
    try:
        with alone(name):
            if not (folder() / name / ".ready").exists():
                install(name)
    except (subprocess.CalledProcessError, OSError) as error:
        local.lacking(f"{name} cannot be installed from the package index: {error}")
    return found


def install(name: str) -> None:
    """Put a server into its environment. Raises CalledProcessError."""
    where = folder() / name
    shutil.rmtree(where, ignore_errors=True)
    uv = folder() / "uv" / "bin" / "uv"
    if not uv.exists():
        _run(sys.executable, "-m", "venv", folder() / "uv")
        _run(folder() / "uv" / "bin" / "python", "-m", "pip", "install", "--quiet", "uv")
    _run(uv, "venv", "--quiet", "--python", sys.executable, where)
    _run(uv, "pip", "install", "--quiet", "--python", where / "bin" / "python", *PACKAGES[name])
    (where / ".ready").touch()


@contextlib.contextmanager
def alone(name: str) -> Iterator[None]:
    """Nobody else installs or prepares that server meanwhile."""
    folder().mkdir(parents=True, exist_ok=True)
    with (folder() / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _run(*command: object) -> None:
    subprocess.run(
        [str(part) for part in command],
        check=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        env={key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "VIRTUAL_ENV")},
    )


if __name__ == "__main__":
    for wanted in sys.argv[1:] or PACKAGES:
        python(wanted)
