"""Ways over a board of eight villages: a river that costs two, a pass that costs three, a ford that is barred."""

from __future__ import annotations

import pytest

from pbem.kernel.graph import bodies, chain, nearest, reach, within

ROADS = {
    "ash": ("birch", "cedar"),
    "birch": ("ash", "date"),
    "cedar": ("ash", "date", "elm"),
    "date": ("birch", "cedar", "fir"),
    "elm": ("cedar", "fir"),
    "fir": ("date", "elm"),
    "gorse": ("heath",),
    "heath": ("gorse",),
}
COSTLY = {("ash", "birch"): 3, ("cedar", "date"): 2}


def near(place: str) -> tuple[str, ...]:
    return ROADS[place]


def cost(here: str, there: str) -> int | None:
    if {here, there} == {"elm", "fir"}:
        return None
    return COSTLY.get((here, there), COSTLY.get((there, here), 1))


def test_a_reach_counts_costs_up_to_its_most() -> None:
    assert reach(["ash"], near, cost, most=3).cost == {"ash": 0, "birch": 3, "cedar": 1, "date": 3, "elm": 2}


def test_a_barred_step_is_gone_round() -> None:
    found = reach(["elm"], near, cost)
    assert found.way("fir") == ("cedar", "date", "fir")
    assert found.cost["fir"] == 4


def test_a_way_leaves_its_start_out_and_a_line_has_it() -> None:
    found = reach(["ash"], near)
    assert found.way("fir") == ("birch", "date", "fir")
    assert found.line("fir") == ("ash", "birch", "date", "fir")
    assert found.way("ash") == found.way("heath") == found.line("heath") == ()
    assert "heath" not in found


def test_a_shorter_way_found_later_counts() -> None:
    costs = {("ash", "birch"): 1, ("birch", "date"): 9, ("ash", "cedar"): 4, ("cedar", "date"): 1}
    assert reach(["ash"], near, lambda here, there: costs.get((here, there))).way("date") == ("cedar", "date")


def test_of_several_starts_the_nearest_counts() -> None:
    found = reach(["ash", "fir"], near)
    assert found.line("elm") == ("fir", "elm")
    assert found.cost["date"] == 1


def test_the_nearest_are_several_where_equally_far_and_in_order() -> None:
    far = reach(["ash"], near)
    assert far.nearest(["elm", "date", "fir"]) == ["date", "elm"]
    assert far.nearest(["heath"]) == nearest({}, ["ash"]) == []


def test_places_within_reach_come_in_the_order_of_discovery() -> None:
    assert list(within(["cedar"], near).items())[:4] == [("cedar", 0), ("ash", 1), ("date", 1), ("elm", 1)]
    assert "fir" not in within(["cedar"], near, lambda _, there: there not in ("date", "elm"))


def test_bodies_hang_together_without_what_is_closed() -> None:
    assert set(bodies(ROADS, near).values()) == {"ash", "gorse"}
    opened = [place for place in ROADS if place not in ("birch", "cedar")]
    assert bodies(opened, near) == {
        "ash": "ash",
        "date": "date",
        "fir": "date",
        "elm": "date",
        "gorse": "gorse",
        "heath": "gorse",
    }


def test_a_chain_of_depots_leads_to_a_source() -> None:
    assert chain(["ash", "birch"], near, lambda place: place == "fir") == ("birch", "date", "fir")
    assert chain(["fir"], near, lambda place: place == "fir") == ("fir",)
    assert chain(["ash"], near, lambda place: place == "heath") == ()


@pytest.mark.parametrize("start", [("a", 1), ("b", 2)])
def test_places_may_be_pairs(start: tuple[str, int]) -> None:
    found = reach([start], lambda at: [(at[0], at[1] + 1)], most=2)
    assert found.cost == {(start[0], start[1] + n): n for n in range(3)}
