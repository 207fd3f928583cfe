"""The rule cases of ccn: the rulebook's examples first."""

from pathlib import Path

import pytest

from pbem.proving.cases import CaseResult, run

FILES = sorted((Path(__file__).parents[2] / "cases" / "ccn").glob("*.toml"))
RESULTS = [result for file in FILES for result in run(file)]


@pytest.mark.parametrize("result", RESULTS, ids=[result.name for result in RESULTS])
def test_case(result: CaseResult) -> None:
    assert not result.failures


def test_every_example_of_the_rules_is_a_case() -> None:
    names = " ".join(result.name for result in RESULTS)
    examples = (
        "E1:",
        "E3:",
        "E6:",
        "E8:",
        "E10:",
        "E12:",
        "E13:",
        "E15a:",
        "E15b:",
        "E16:",
        "E19a:",
        "E19b:",
    )
    assert all(example in names for example in (*examples, "E20:", "E22:", "E23:"))
