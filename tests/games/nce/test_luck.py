"""What battles, sieges and fights at sea give on average, worked out by hand from the printed tables."""

from __future__ import annotations

import random
from itertools import product

import pytest

from pbem import games
from pbem.dice.draw.seeded import Seeded
from pbem.dice.show.luck import balance
from pbem.games.nce import charts, luck
from pbem.games.nce.luck import Blow, Squadron
from pbem.kernel.game import LETTER, Game, Given


def test_the_sums_of_dice() -> None:
    assert luck.sums(2)[7] == pytest.approx(6 / 36)
    assert luck.sums(3)[3] == pytest.approx(1 / 216)
    assert sum(luck.sums(5).values()) == pytest.approx(1)


def test_a_battle_of_equals_is_even() -> None:
    attack, defence = Blow("empire", 2, "minor", 9, 3), Blow("coalition", 2, "minor", 9, 1)
    mine, theirs, won, lost = luck.battle(attack, defence, won=True)
    assert (mine.mean, mine.variance) == (theirs.mean, theirs.variance)
    assert (mine.got, theirs.got, won.got, lost.got) == (3, 1, 1, 0)
    assert won.mean + lost.mean == pytest.approx(1)
    assert won.mean < 0.5, "a draw is the defender's"
    assert won.variance == pytest.approx(won.mean * (1 - won.mean))


@pytest.mark.parametrize(("bonus", "size", "most"), [(0, "skirmish", 3), (4, "major", 12), (-3, "minor", 2)])
def test_the_mean_of_a_roll_is_that_of_its_thirty_six_throws(bonus: int, size: str, most: int) -> None:
    throws = [
        min(charts.battle_result(one + two + bonus, size).losses, most)
        for one, two in product(range(1, 7), repeat=2)
    ]
    found = luck.battle(Blow("empire", bonus, size, most, 0), Blow("coalition", 0, size, most, 0), won=False)
    mean = sum(throws) / 36
    assert found[0].mean == pytest.approx(mean)
    assert found[0].variance == pytest.approx(sum((throw - mean) ** 2 for throw in throws) / 36)


def test_a_siege() -> None:
    sure = [total for total in range(-5, 20) if charts.siege_result(total) in ("honneurs", "breche")]
    assert luck.siege("empire", 20, taken=True).mean == 1
    assert luck.siege("empire", -20, taken=False).mean == 0
    bonus = min(sure) - 6
    once = luck.siege("empire", bonus, taken=True)
    assert (once.mean, once.variance) == (pytest.approx(1 / 6), pytest.approx(5 / 36))


def test_a_fight_at_sea() -> None:
    one, other = Squadron("empire", 2, 0, 2, 0), Squadron("coalition", 2, 0, 2, 1)
    sunk, missed = luck.naval(one, other)
    assert (sunk.got, missed.got) == (1, 0)
    assert sunk.mean == pytest.approx(missed.mean)
    throws = list(product(range(1, 7), repeat=4))
    hits = [charts.naval_losses(a + b - c - d, 2) if a + b > c + d else 0 for a, b, c, d in throws]
    assert sunk.mean == pytest.approx(sum(hits) / len(throws))
    sheltered, _ = luck.naval(one, Squadron("coalition", 2, 0, 2, 1, shelter=1))
    assert sheltered.mean < sunk.mean


def test_over_some_campaigns_luck_evens_out() -> None:
    """Sieges and battles are what the tables promise: nobody strays far over many of them."""
    rules = games.load("nce")
    events = []
    for seed in range(10):
        game = Game.start(rules, "1815", {}, Seeded(seed))
        whim = random.Random(seed)
        while not game.over:
            question = next(q for key, q in game.questions.items() if not game.answered(key))
            answer = rules.robots["random"](game.view(question.seat), question, whim)
            game.give(Given(question.key, question.seat, answer, LETTER))
            events += [item.event for item in game.take_told()]
    found = {(each.seat, each.what): each for each in balance(events)}
    assert {("empire", "inflicted"), ("coalition", "inflicted"), ("empire", "battles")} <= set(found)
    assert found["empire", "battles"].times == found["coalition", "battles"].times > 3
    assert found["empire", "battles"].mean + found["coalition", "battles"].mean == pytest.approx(
        found["empire", "battles"].times
    )
    assert all(each.z is None or abs(each.z) < 4 for each in found.values())
