"""The rule cases, as data."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.proving.cases import CaseResult, run

FOLDER = Path(__file__).parents[2] / "cases" / "leipzig"
RESULTS = [result for file in sorted(FOLDER.glob("*.toml")) for result in run(file)]


@pytest.mark.parametrize("result", RESULTS, ids=lambda result: result.name)
def test_case(result: CaseResult) -> None:
    assert result.failures == ()
