"""From a key and a label to dice and shuffled cards.

H is SHA-256, MAC is HMAC-SHA256; hashes go into other hashes as their raw 32 bytes, numbers as decimal
ASCII, text as UTF-8. The bytes of a label are the blocks `MAC(key, "pbem-roll/1|" + label + "|" + c)` for c
= 0, 1, 2... one after another. A die of N sides takes b = max(1, ceil(bitlength(N - 1) / 8)) of them,
big-endian, skips a value at or above the largest multiple of N that fits, and shows value mod N + 1. A
shuffle goes from the last place to the second: each place is exchanged with the one that a die of (places
up to and including it) names.

The key of draw step k is `MAC(s_k, "pbem-step/1|" + game + "|" + k + "|" + beacon)`; secret draws take z_k
instead of s_k. The beacon is any 32 bytes that nobody chose alone: in `chain` mode the hash of the players'
SALT words.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Sequence
from typing import TypeVar

T = TypeVar("T")

SALT_BYTES = 16


def sha256(data: bytes) -> bytes:
    """H: the raw SHA-256."""
    return hashlib.sha256(data).digest()


def mac(key: bytes, message: bytes) -> bytes:
    """MAC: the raw HMAC-SHA256."""
    return hmac.digest(key, message, "sha256")


def first_seed(game: str, root: bytes) -> bytes:
    """The last link of a chain, s_n, from which all others follow."""
    return sha256(b"pbem-seed/1|" + game.encode() + b"|" + root)


def link_below(seed: bytes) -> bytes:
    """s_{k-1} from s_k."""
    return hashlib.sha256(b"pbem-chain/1|" + seed).digest()


def step_key(seed: bytes, game: str, k: int, beacon: bytes) -> bytes:
    """The key of draw step k."""
    return mac(seed, b"pbem-step/1|%s|%d|%s" % (game.encode(), k, beacon))


def salt_beacon(words: Iterable[str]) -> bytes:
    """The beacon of `chain` mode: the hash of the players' SALT words, sorted by their UTF-8 bytes."""
    return sha256(b"|".join((b"pbem-salts/1", *sorted(word.encode() for word in words))))


def secret_salt(secret_seed: bytes, label: str, position: int) -> bytes:
    """The salt that hides one value of a secret draw until z_k is known.

    It hangs on the step, so that a label drawn again after a rollback gets other salts.
    """
    return mac(secret_seed, b"pbem-salt/1|%s|%d" % (label.encode(), position))[:SALT_BYTES]


def commit(salt: bytes, value: str) -> bytes:
    """What the log shows of a hidden value: `H(salt + value)`."""
    return sha256(salt + value.encode())


class Stream:
    """The bytes of one label, taken from the front."""

    def __init__(self, key: bytes, label: str) -> None:
        self._key = key
        self._message = b"pbem-roll/1|" + label.encode() + b"|"
        self._buffer = b""
        self._at = 0
        self.blocks = 0

    def take(self, count: int) -> bytes:
        """The next bytes."""
        while len(self._buffer) - self._at < count:
            block = mac(self._key, self._message + str(self.blocks).encode())
            self._buffer = self._buffer[self._at :] + block
            self._at = 0
            self.blocks += 1
        taken = self._buffer[self._at : self._at + count]
        self._at += count
        return taken

    def die(self, sides: int) -> int:
        """The next die, 1 to `sides`."""
        size = max(1, ((sides - 1).bit_length() + 7) // 8)
        span: int = 256**size
        limit = span - span % sides
        while True:
            value = int.from_bytes(self.take(size), "big")
            if value < limit:
                return value % sides + 1


def roll(key: bytes, label: str, dice: int, sides: int) -> tuple[int, ...]:
    """The dice of a label."""
    if sides < 1 or dice < 0:
        raise ValueError(f"{label}: no such dice: {dice} of {sides} sides")
    stream = Stream(key, label)
    return tuple(stream.die(sides) for _ in range(dice))


def shuffle(key: bytes, label: str, items: Sequence[T]) -> tuple[T, ...]:
    """The items of a label in their new order, top first."""
    order = list(items)
    stream = Stream(key, label)
    for place in range(len(order) - 1, 0, -1):
        other = stream.die(place + 1) - 1
        order[place], order[other] = order[other], order[place]
    return tuple(order)
