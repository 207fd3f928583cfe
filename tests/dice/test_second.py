"""Two implementations of one specification: the vectors, random logs, and forged ones."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from pbem.dice.beacon.rounds import Source
from pbem.dice.draw import streams
from pbem.dice.draw.croupier import Croupier
from tests.dice import second
from tests.dice.audit.forgeries import cases
from tests.dice.beacon.drand import REAL_SIGNATURE
from tests.dice.played import played
from tests.dice.sample import SOURCE, SampleGame, export, verdict_on

LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789_./-"


def test_the_published_vectors() -> None:
    beacon = second.h(REAL_SIGNATURE)
    assert beacon.hex() == "fc1873a13f3545aeade8401532ef5519920652eee6b0d2b19ca12643b87b3587"
    seeds = second.chain("eia-1", bytes(range(32)), 4)
    assert seeds[0].hex() == "943bde52838e3a1a3f15117f7c330e38ca6e9daf7bbe91c94a2ee6e4e46d80a4"
    assert seeds[1].hex() == "f7ab02e70a41d950f4f10f1d289d02a089591b0cf5be649d29c1a59575d79a0d"
    key = [second.step_key(seeds[k], "eia-1", k, beacon) for k in range(4)]
    assert second.roll(key[1], "1805-04/land/ulm/r1/att", 2, 6) == [1, 1]
    assert second.roll(key[1], "1805-04/land/ulm/r1/def", 2, 6) == [2, 3]
    assert second.roll(key[2], "1805-04/attrition/napoleon", 3, 10) == [4, 9, 4]
    assert second.shuffle(key[3], "deck/command", list(range(1, 11))) == [3, 8, 7, 9, 1, 5, 10, 6, 2, 4]


@pytest.mark.parametrize("sides", [1, 2, 6, 10, 255, 256, 257, 1_000, 65_536, 65_537, 1_000_000])
def test_dice_of_every_width(sides: int) -> None:
    key = second.h(b"key", str(sides).encode())
    assert tuple(second.roll(key, "x", 200, sides)) == streams.roll(key, "x", 200, sides)


@pytest.mark.parametrize("size", [0, 1, 2, 3, 52, 300])
def test_shuffles_of_every_size(size: int) -> None:
    key = second.h(b"key", str(size).encode())
    cards = [f"card{n}" for n in range(size)]
    assert tuple(second.shuffle(key, "x", cards)) == streams.shuffle(key, "x", cards)


def drawing(whim: random.Random) -> Callable[[Croupier], None]:
    """Some draws of all kinds, the same whenever they are made."""
    wanted = []
    for n in range(whim.randint(1, 6)):
        label = "".join(whim.choices(LETTERS, k=whim.randint(1, 30))) + f"/{n}-{whim.randint(0, 10**9)}"
        wanted.append(
            (label, whim.randint(0, 12), whim.randint(1, 2_000), whim.random() < 0.5, whim.random())
        )

    def draw(dice: Croupier) -> None:
        for label, size, sides, secret, kind in wanted:
            if kind < 0.5:
                dice.roll(label, size, sides, rule="1", seat="french", secret=secret)
            else:
                dice.shuffle(label, [f"é{n}" for n in range(size)], rule="1", secret=secret)

    return draw


@pytest.mark.parametrize("source", [None, SOURCE])
@pytest.mark.parametrize("seed", range(8))
def test_random_logs(seed: int, source: Source | None) -> None:
    whim = random.Random(seed)
    game = SampleGame(steps=30, source=source)
    for _ in range(whim.randint(1, 8)):
        for _ in range(whim.randint(0, 3)):
            game.letter(whim.choice(("french", "allies")), "HOLD")
        game.play(drawing(whim))
    game.add("end", game.croupier.end())
    assert verdict_on(game.entries).ok
    assert second.wrong(export(game.entries)) == []


@pytest.mark.parametrize("source", [None, SOURCE])
def test_a_whole_game(source: Source | None) -> None:
    assert second.wrong(export(played(source))) == []


ARITHMETIC = {
    "dice",
    "shuffle",
    "secret-dice",
    "secret-deck",
    "close-root",
    "end-seed",
    "end-secret-seed",
    "seed",
}


def test_both_find_whatever_is_wrong_with_the_arithmetic() -> None:
    found = 0
    for case in cases():
        if case.code in ARITHMETIC and b'"kind":"end"' in case.log:
            assert second.wrong(case.log), case.name
            found += 1
        elif not case.code:
            assert second.wrong(case.log) == []
    assert found > 20
