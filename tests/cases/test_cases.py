"""All rule cases beside this file, each a test of its own."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

import pytest

from pbem.proving.cases import CaseResult, run

HERE = Path(__file__).parent


def cases() -> list[tuple[str, int]]:
    found = []
    for file in sorted(HERE.rglob("*.toml")):
        try:
            number = len(tomllib.loads(file.read_text("utf-8"))["case"])
        except (KeyError, TypeError, ValueError):
            number = 1
        found += [(str(file.relative_to(HERE)), n) for n in range(max(1, number))]
    return found


@cache
def results(file: str) -> list[CaseResult]:
    return run(HERE / file)


@pytest.mark.parametrize(("file", "n"), cases())
def test_case(file: str, n: int) -> None:
    result = results(file)[n]
    assert not result.failures, f"{result.name}: {'; '.join(result.failures)}"
