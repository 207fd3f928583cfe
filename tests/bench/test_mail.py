"""The bench of the whole service: what it does when one of its processes cannot work."""

from __future__ import annotations

import os
import subprocess
import sys
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from pbem.bench import mail
from pbem.bench.figure import CannotMeasure


def dies(line: Connection) -> None:
    """A process that ends before it says anything."""


def test_a_process_that_dies_ends_the_measurement() -> None:
    process, line = mail._started(dies)
    with pytest.raises(CannotMeasure, match="a worker has died"):
        mail._told(line, "a worker")
    process.join()


def test_without_the_packages_of_the_demo_the_bench_says_so(tmp_path: Path) -> None:
    (tmp_path / "pymap.py").write_text(
        "raise ModuleNotFoundError(\"No module named 'pymap'\", name='pymap')\n"
    )
    ended = subprocess.run(
        [sys.executable, "-m", "pbem", "bench", "mail"],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ended.returncode == 1
    assert "'pymap'" in ended.stderr
    assert "pbem[demo]" in ended.stderr
    assert "Traceback" not in ended.stderr
