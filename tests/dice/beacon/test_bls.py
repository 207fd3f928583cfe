import hashlib
from collections.abc import Callable

import pytest

from pbem.dice.beacon import bls, pairing
from pbem.dice.beacon.rounds import QUICKNET, Network
from tests.dice.beacon.drand import OURS, REAL_ROUND, REAL_SIGNATURE, public_key, sign

KEY = bytes.fromhex(QUICKNET.key)
GROUP = bytes.fromhex("f477d5c89f21a17c863a7f937c6a6d15859414d2be09cd448d4279af331c5d3e")
Signed = Callable[[Network, int, bytes], bool]
LIBRARIES = ["python", pytest.param("library", marks=pytest.mark.skipif(not pairing.LIBRARY, reason="extra"))]


@pytest.fixture(params=LIBRARIES)
def signed(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Signed:
    if request.param == "python":
        monkeypatch.setattr(pairing, "LIBRARY", None)
    return pairing.signed


def test_the_published_round(signed: Signed) -> None:
    assert signed(QUICKNET, REAL_ROUND, REAL_SIGNATURE)
    assert not signed(QUICKNET, REAL_ROUND + 1, REAL_SIGNATURE)
    assert not signed(QUICKNET, REAL_ROUND - 1, REAL_SIGNATURE)
    assert not signed(OURS, REAL_ROUND, REAL_SIGNATURE)


def test_the_network_is_the_one_its_hash_names() -> None:
    numbers = QUICKNET.period.to_bytes(4, "big") + QUICKNET.genesis.to_bytes(8, "big")
    assert hashlib.sha256(numbers + KEY + GROUP + b"quicknet").hexdigest() == QUICKNET.chain


def test_the_published_time_of_a_round() -> None:
    midnight = 1_776_643_200
    assert QUICKNET.round_for(midnight, 0) == 27_946_612
    assert midnight - QUICKNET.period < QUICKNET.time_of(27_946_612) <= midnight


NEGATED = bytes([REAL_SIGNATURE[0] ^ 0x20]) + REAL_SIGNATURE[1:]
BAD = [
    b"",
    bytes(48),
    b"\xc0" + bytes(47),
    b"\xff" * 48,
    REAL_SIGNATURE[:-1],
    REAL_SIGNATURE + b"\0",
    NEGATED,
    REAL_SIGNATURE[:-1] + b"\x7c",
    bytes([0x80]) + (4).to_bytes(47, "big"),
]


@pytest.mark.parametrize("signature", BAD, ids=range(len(BAD)))
def test_what_is_no_signature_is_refused(signed: Signed, signature: bytes) -> None:
    assert not signed(QUICKNET, REAL_ROUND, signature)


def test_a_point_of_the_curve_outside_the_group_is_refused() -> None:
    x = next(x for x in range(1, 99) if bls._root(x**3 + 4) is not None)
    with pytest.raises(bls.NoPoint):
        bls.point_of(bytes([0x80]) + x.to_bytes(47, "big"))


@pytest.mark.parametrize("key", [b"", bytes(96), b"\xff" * 96, bytes([0x80]) + bytes(94) + b"\2", KEY[:-1]])
def test_what_is_no_key_is_refused(key: bytes) -> None:
    with pytest.raises(bls.NoPoint):
        bls.key_of(key)
    assert not bls.verify_round(key, REAL_ROUND, REAL_SIGNATURE)


def test_keys_and_signatures_of_our_own() -> None:
    assert bls.verify_round(public_key(7), 12, sign(12, 7))
    assert not bls.verify_round(public_key(7), 12, sign(12, 8))


def test_many_rounds_at_once() -> None:
    key = bytes.fromhex(OURS.key)
    good = [(number, sign(number)) for number in range(1, 12)]
    assert bls.first_bad_round(key, good) is None
    assert bls.first_bad_round(key, []) is None
    for place in (0, 5, 10):
        bad = good.copy()
        bad[place] = (bad[place][0], sign(bad[place][0], 3))
        assert bls.first_bad_round(key, bad) == place
    swapped = [good[0], (2, sign(3)), (3, sign(2)), *good[3:]]
    assert bls.first_bad_round(key, swapped) == 1
    broken = [*good[:4], (5, bytes(48)), (6, sign(7)), *good[6:]]
    assert bls.first_bad_round(key, broken) == 4


@pytest.mark.parametrize(
    ("message", "x"),
    [
        (
            "",
            "052926add2207b76ca4fa57a8734416c8dc95e24501772c814278700eed6d1e4e8cf62d9c09db0fac349612b759e79a1",
        ),
        (
            "abc",
            "03567bc5ef9c690c2ab2ecdf6a96ef1c139cc0b2f284dca0a9a7943388a49a3aee664ba5379a7655d3c68900be2f6903",
        ),
    ],
)
def test_the_hash_to_the_curve_is_that_of_the_rfc(message: str, x: str) -> None:
    dst = b"QUUX-V01-CS02-with-BLS12381G1_XMD:SHA-256_SSWU_RO_"
    point = bls.hash_to_curve(message.encode(), dst)
    assert point[0] == int(x, 16)
    assert (point[1] ** 2 - point[0] ** 3 - 4) % bls.P == 0
