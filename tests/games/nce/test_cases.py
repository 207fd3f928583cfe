"""The rule cases of nce: the rulebook's examples first."""

from pathlib import Path

import pytest

from pbem.proving.cases import CaseResult, run

FILES = sorted((Path(__file__).parents[2] / "cases" / "nce").glob("*.toml"))
RESULTS = [result for file in FILES for result in run(file)]


@pytest.mark.parametrize("result", RESULTS, ids=[result.name for result in RESULTS])
def test_case(result: CaseResult) -> None:
    assert not result.failures
