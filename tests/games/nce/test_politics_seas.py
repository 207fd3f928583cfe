"""15.2: what is proposed instead of a way that a squadron cannot sail is a way that it can."""

from __future__ import annotations

import pytest

from tests.games.nce.field import Field

FLEETS = {"ball": "sea:golfe_du_lion", "keith": "port:londres", "cornwallis": "pool", "calder": "pool"}


@pytest.mark.parametrize(
    ("way", "code"),
    [
        ("Golfe du Lion, Mer Tyrrhénienne, Adriatique", "seas_apart"),
        ("Mer Tyrrhénienne, Florence", "port_not_friendly"),
        ("Méditerranée occidentale, Florence", "port_not_here"),
        ("Toulon", "port_not_friendly"),
    ],
)
def test_the_way_proposed_can_be_sailed(way: str, code: str) -> None:  # rule 15.2.1
    field = Field(side="coalition", hands={"empire": [], "coalition": ["24C"]}, fleets=FLEETS)
    text = f"play 24C\nsail Ball to {way}"
    problem = field.problem("coalition", text)
    assert (problem.code, problem.rule) == (code, "15.2.1")
    assert problem.nearest
    assert field.mended("coalition", text) == []
