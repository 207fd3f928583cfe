"""The data of the board holds together: each check of the data set is a test."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.games.eia import board_checks, setup_checks

CHECKS: list[Callable[[], object]] = [
    board_checks.check_status,
    board_checks.check_areas,
    board_checks.check_names,
    board_checks.check_seas,
    board_checks.check_provinces,
    board_checks.check_minors,
    board_checks.check_units,
    board_checks.check_leaders,
    board_checks.check_entities,
    board_checks.check_charts,
    setup_checks.check_scenarios,
    board_checks.check_shapes,
    lambda: board_checks.check_hints(board_checks.check_areas()),
    lambda: board_checks.check_distances(board_checks.check_areas()),
]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_data(check: Callable[[], object]) -> None:
    board_checks.errors.clear()
    check()
    assert not board_checks.errors


def test_a_wrong_border_is_found() -> None:
    board_checks.errors.clear()
    area = board_checks.AREA["ulm"]["neighbours"]
    kept = area.pop("stuttgart")
    try:
        board_checks.check_areas()
        assert board_checks.errors
    finally:
        area["stuttgart"] = kept
        board_checks.errors.clear()
