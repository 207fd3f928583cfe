"""Many draws: uniform by chi-square, a million of each outside the default run. Figures of the audit."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest

from pbem.bench import dice_audit
from pbem.dice.audit.verdicts import Spread, Tally
from pbem.dice.draw import streams

KEY = streams.sha256(b"fairness")
LABELS = 1_000


def spread(sides: int, dice: int) -> Spread:
    tally = Tally()
    for n in range(LABELS):
        tally.add("", sides, streams.roll(KEY, f"t{n}/d{sides}", dice // LABELS, sides))
    return tally.spreads()[0]


def check(sides: int, dice: int) -> None:
    found = spread(sides, dice)
    assert found.count == dice
    assert found.p is not None
    assert 1e-4 < found.p < 1 - 1e-4
    assert found.runs_z is not None
    assert abs(found.runs_z) < 4


def check_shuffles(number: int) -> None:
    counts = Counter(streams.shuffle(KEY, f"deck{n}", "abcd") for n in range(number))
    found = Spread("", 24, tuple(counts.values()))
    assert len(counts) == len(list(permutations("abcd")))
    assert found.p is not None
    assert 1e-4 < found.p < 1 - 1e-4


@pytest.mark.parametrize("sides", [2, 6, 10, 20])
def test_some_draws_are_uniform(sides: int) -> None:
    check(sides, 20_000)


def test_some_shuffles_are_uniform() -> None:
    check_shuffles(4_800)


@pytest.mark.slow
@pytest.mark.parametrize("sides", [2, 6, 10, 20, 1000])
def test_a_million_draws_are_uniform(sides: int) -> None:
    check(sides, 1_000_000)


@pytest.mark.slow
def test_a_million_shuffles_are_uniform() -> None:
    check_shuffles(1_000_000)


def test_the_figures_of_the_audit() -> None:
    figures = {name: (value, unit) for name, value, unit in dice_audit.audit_figures(400, rounds=2)}
    assert len(figures) == 5
    assert all(value > 0 for value, _ in figures.values())
    assert dice_audit.long_log(40).count(b'"label"') == 40
