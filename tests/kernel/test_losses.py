"""Losses in an order of priority, and in proportion."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.kernel.losses import by_priority, proportional, without

CORPS = {"militia": 3, "infantry": 5, "cavalry": 2, "guard": 1}
SHARES = st.dictionaries(st.text("abc", min_size=1), st.integers(0, 40), max_size=5)


def test_the_first_of_the_order_is_lost_first() -> None:
    assert by_priority(CORPS, 4, ["cavalry", "militia"]) == {"cavalry": 2, "militia": 2}


def test_kinds_without_a_place_in_the_order_come_last() -> None:
    assert by_priority(CORPS, 7, ["guard"]) == {"guard": 1, "militia": 3, "infantry": 3}


def test_no_more_is_lost_than_there_is() -> None:
    assert by_priority(CORPS, 99) == CORPS
    assert by_priority({}, 2) == proportional({}, 2) == proportional(CORPS, 0) == {}
    assert proportional({"a": 1, "b": 2}, 9) == {"a": 1, "b": 2}


def test_kinds_that_are_not_there_are_passed_over() -> None:
    assert by_priority(CORPS, 1, ["artillery", "guard"]) == {"guard": 1}


def test_what_is_left_of_a_share_goes_to_the_largest_remainder_and_then_in_order() -> None:
    assert proportional({"I": 10, "II": 5, "III": 5}, 3) == {"I": 1, "II": 1, "III": 1}
    assert proportional({"I": 1, "II": 1, "III": 1}, 2) == {"I": 1, "II": 1}


@given(SHARES, st.integers(0, 200))
def test_a_split_is_whole_and_within_its_shares(have: dict[str, int], number: int) -> None:
    for lost in (proportional(have, number), by_priority(have, number, "ab")):
        assert sum(lost.values()) == min(number, sum(have.values()))
        assert all(0 < lost[kind] <= have[kind] for kind in lost)
        assert sum(without(have, lost).values()) == sum(have.values()) - sum(lost.values())


@given(SHARES, st.integers(0, 200))
def test_a_proportional_split_is_never_a_whole_one_away(have: dict[str, int], number: int) -> None:
    total, lost = sum(have.values()), proportional(have, number)
    for kind, share in have.items():
        assert total == 0 or abs(lost.get(kind, 0) - min(number, total) * share / total) < 1


def test_nobody_loses_what_he_has_not() -> None:
    assert without({"guard": 1, "cavalry": 2}, {"guard": 1}) == {"cavalry": 2}
    for lost in ({"guard": 2}, {"militia": 1}):
        with pytest.raises(ValueError, match="more is lost"):
            without({"guard": 1}, lost)
