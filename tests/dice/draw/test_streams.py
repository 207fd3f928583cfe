from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.dice.audit.verdicts import Spread
from pbem.dice.draw.seeds import Chain, Exhausted, Seeds, seeds_of
from pbem.dice.draw.streams import Stream, link_below, roll, salt_beacon, secret_salt, sha256, shuffle

SIGNATURE = "b713718a38ae728dfd477991af2822e08d2f305e47718cef9f7848ce4050e7be41076862b98fad56e91a6b85b89cd97b"
BEACON = sha256(bytes.fromhex(SIGNATURE))
ROOT = bytes(range(32))


@pytest.fixture(scope="module")
def seeds() -> Seeds:
    return Seeds("eia-1", ROOT, bytes(32), 4)


def test_the_published_beacon() -> None:
    assert BEACON.hex() == "fc1873a13f3545aeade8401532ef5519920652eee6b0d2b19ca12643b87b3587"


def test_the_published_chain(seeds: Seeds) -> None:
    assert seeds.anchor == "943bde52838e3a1a3f15117f7c330e38ca6e9daf7bbe91c94a2ee6e4e46d80a4"
    assert seeds.open[1].hex() == "f7ab02e70a41d950f4f10f1d289d02a089591b0cf5be649d29c1a59575d79a0d"


@pytest.mark.parametrize(
    ("k", "label", "dice", "sides", "values"),
    [
        (1, "1805-04/land/ulm/r1/att", 2, 6, (1, 1)),
        (1, "1805-04/land/ulm/r1/def", 2, 6, (2, 3)),
        (2, "1805-04/attrition/napoleon", 3, 10, (4, 9, 4)),
    ],
)
def test_the_published_rolls(
    seeds: Seeds, k: int, label: str, dice: int, sides: int, values: tuple[int, ...]
) -> None:
    assert roll(seeds.step(k, BEACON).key, label, dice, sides) == values


def test_the_published_shuffle(seeds: Seeds) -> None:
    order = shuffle(seeds.step(3, BEACON).key, "deck/command", range(1, 11))
    assert order == (3, 8, 7, 9, 1, 5, 10, 6, 2, 4)


def test_every_link_of_a_long_chain_hashes_to_the_one_below() -> None:
    chain = Chain("game", ROOT, 300)
    for k in (300, 299, 257, 256, 255, 129, 128, 127, 1):
        assert link_below(chain[k]) == chain[k - 1]
    assert [chain[k] for k in range(301)] == [chain[k] for k in range(300, -1, -1)][::-1]


def test_a_chain_ends() -> None:
    chain = Chain("game", ROOT, 4)
    for k in (-1, 5):
        with pytest.raises(Exhausted):
            chain[k]
    with pytest.raises(Exhausted):
        seeds_of("game", ROOT, ROOT, 4).step(0, BEACON)
    with pytest.raises(ValueError):
        Chain("game", ROOT, 0)


@pytest.mark.parametrize(("game", "root"), [("", ROOT), ("a|b", ROOT), ("game", b"short")])
def test_seeds_refuse_what_would_be_ambiguous(game: str, root: bytes) -> None:
    with pytest.raises(ValueError):
        Seeds(game, root, ROOT, 4)


def test_secret_and_open_keys_differ_and_hang_on_the_beacon(seeds: Seeds) -> None:
    step, other = seeds.step(1, BEACON), seeds.step(1, bytes(32))
    assert len({step.key, step.secret_key, other.key, other.secret_key}) == 4


def test_the_beacon_of_the_salt_words_does_not_hang_on_their_order() -> None:
    assert salt_beacon(["b", "a"]) == salt_beacon(["a", "b"]) != salt_beacon(["a", "c"])
    assert salt_beacon([]) == sha256(b"pbem-salts/1")


def test_salts_differ_by_label_position_and_step(seeds: Seeds) -> None:
    one, two = seeds.secret[1], seeds.secret[2]
    salts = [
        secret_salt(one, "a", 0),
        secret_salt(one, "a", 1),
        secret_salt(one, "b", 0),
        secret_salt(two, "a", 0),
    ]
    assert len(set(salts)) == 4


@pytest.mark.parametrize(("dice", "sides"), [(1, 0), (1, -6), (-1, 6)])
def test_impossible_dice_are_refused(dice: int, sides: int) -> None:
    with pytest.raises(ValueError):
        roll(ROOT, "x", dice, sides)


@given(st.integers(1, 70_000), st.integers(0, 40))
def test_dice_stay_within_their_sides_and_more_dice_only_add(sides: int, dice: int) -> None:
    values = roll(ROOT, "x", dice, sides)
    assert len(values) == dice
    assert all(1 <= value <= sides for value in values)
    assert roll(ROOT, "x", dice + 3, sides)[:dice] == values


def test_a_value_that_would_favour_low_faces_is_skipped() -> None:
    kept = [byte for byte in Stream(ROOT, "x").take(512) if byte < 200]
    values = roll(ROOT, "x", len(kept), 100)
    assert [byte % 100 + 1 for byte in kept] == list(values)


@given(st.lists(st.text(max_size=4), max_size=60), st.binary(min_size=32, max_size=32))
def test_a_shuffle_keeps_the_cards(items: list[str], key: bytes) -> None:
    order = shuffle(key, "deck", items)
    assert Counter(order) == Counter(items)
    assert shuffle(key, "deck", items) == order


def test_dice_are_fair() -> None:
    counts = Counter(roll(ROOT, "many", 30_000, 6))
    spread = Spread("", 6, tuple(counts[face] for face in range(1, 7)))
    assert spread.count == 30_000
    assert spread.chi_square < 20.5
    assert abs(spread.mean - 3.5) < 0.05


def test_every_order_of_three_cards_comes_as_often() -> None:
    counts = Counter(shuffle(ROOT, f"deck{n}", "abc") for n in range(6_000))
    spread = Spread("", 6, tuple(counts.values()))
    assert len(counts) == 6
    assert spread.chi_square < 20.5


def test_the_chance_of_a_spread() -> None:
    assert Spread("", 6, (10, 10, 10, 10, 10, 10)).p == pytest.approx(1, abs=0.01)
    assert Spread("", 6, (20, 15, 15, 20, 15, 15)).p == pytest.approx(0.849, abs=0.01)
    cursed = Spread("", 6, (40, 4, 4, 4, 4, 4))
    assert cursed.p is not None
    assert cursed.p < 1e-6
    assert Spread("", 6, (1, 0, 0, 0, 0, 0)).p is None
