"""Checks a round for the moderator: by a compiled library where it is installed, by `bls` otherwise.

Both give the same answer; the library (the `beacon` extra) takes some milliseconds, `bls` a tenth of a
second.
"""

from __future__ import annotations

import importlib
from typing import Any

from pbem.dice.beacon import bls
from pbem.dice.beacon.rounds import Network


def _library() -> Any:
    try:
        return importlib.import_module("py_arkworks_bls12381")
    except ImportError:
        return None


LIBRARY = _library()


def signed(network: Network, number: int, signature: bytes) -> bool:
    """Whether the signature is the network's for that round."""
    if not 0 < number < 1 << 63:
        return False
    key = bytes.fromhex(network.key)
    if LIBRARY is None:
        return bls.verify_round(key, number, signature)
    try:
        point = LIBRARY.G1Point.from_compressed_bytes(signature)
        points = [LIBRARY.G2Point(), LIBRARY.G2Point.from_compressed_bytes(key)]
    except ValueError:
        return False
    if point == LIBRARY.G1Point.identity():
        return False
    message = LIBRARY.G1Point.hash_to_curve(bls.round_message(number), bls.DST)
    return bool(LIBRARY.GT.pairing_check([point, -message], points))
