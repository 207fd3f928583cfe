"""15.2: what is proposed instead of a way that a squadron cannot sail is a way that it can."""

from __future__ import annotations

import pytest

from pbem.games.nce import charts
from pbem.games.nce.land import supply
from tests.games.nce.field import Field
from tests.games.nce.play import position, the

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


@pytest.mark.parametrize(
    ("fleets", "fed"),
    [
        ({}, True),
        ({"ball": "sea:golfe_du_lion"}, False),
        ({"ball": "sea:golfe_du_lion", "emeriau": "sea:golfe_du_lion"}, True),
        ({"ball": "box:toulon"}, True),
        ({"ball": "box:ajaccio"}, False),
    ],
)
def test_a_sea_is_controlled_by_who_alone_has_fleets_in_it(
    fleets: dict[str, str], fed: bool
) -> None:  # rule 3.2.7, 11.3.3
    """A corps on Corsica: cut off by an enemy alone at sea, or before its port; not by one whom a fleet disputes it."""
    nobody = dict.fromkeys((id for id in charts.FLEETS), "pool")
    state = position(
        forces=["empire ajaccio mortier: fr_i_corps"],
        fixed={"ajaccio": ["france"]},
        fleets={**nobody, **fleets},
    )
    assert supply.supplied(state, the(state, "mortier")) == fed
