#!/usr/bin/env python3
"""Checks the dice of a game by mail. Needs Python 3.11 or later and nothing else.

    python3 pbem_verify.py game.jsonl                         the log of a game
    python3 pbem_verify.py game.jsonl --letters mails/        and your own letters about it
    python3 pbem_verify.py game.jsonl --roll t1/land/ulm/att  one roll, by hand

Put together from the chapters of pbem/dice; change those, not this file.
"""

# ruff: noqa
# mypy: ignore-errors
# fmt: off
from __future__ import annotations

import sys

if sys.version_info < (3, 11):
    sys.exit("pbem_verify needs Python 3.11 or later")

import argparse
import email
import email.policy
import hashlib
import hmac
import importlib
import json
import math
import os
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from email.message import Message
from email.utils import parsedate_to_datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, BinaryIO, NoReturn, TypeVar

bls = fields = merkle = rounds = streams = sys.modules[__name__]


# Reads the fields of a log that may be forged or broken: what is not as it should be is a `Fault`.

Json = dict[str, object]

PARTS = 1_000_000
"""How many values there may be in a line: a short text can ask for very much memory."""

_HEX = re.compile(r"[0-9a-f]*")


class Fault(Exception):
    """The first thing found wrong; `entry` where it is not the entry at hand."""

    def __init__(self, code: str, detail: str = "", entry: int = 0) -> None:
        super().__init__(code)
        self.code, self.detail, self.entry = code, detail, entry


def parse(line: bytes, whole: bool) -> Json:
    """A line as an object; without its line end it may be the torn last line of a file."""
    if sum(line.count(mark) for mark in (b",", b"[", b"{")) > PARTS:
        raise Fault("limits")
    try:
        entry = json.loads(line.decode(), parse_float=_refuse, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise Fault("unreadable" if whole else "truncated") from error
    if not isinstance(entry, dict):
        raise Fault("unreadable")
    return entry


def _refuse(number: str) -> NoReturn:
    raise ValueError(number)


def canonical(value: object) -> bytes:
    """Canonical JSON, by the standard library."""
    try:
        return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        raise Fault("canonical") from error


def text(body: Json, name: str, limit: int) -> str:
    """A text of limited length."""
    value = body.get(name)
    if not isinstance(value, str) or len(value) > limit:
        raise Fault("fields", ascii(name)[:80])
    return value


def number(body: Json, name: str, least: int, most: int) -> int:
    """A whole number within limits (true is no number)."""
    value = body.get(name)
    if type(value) is not int or not least <= value <= most:
        raise Fault("fields", name)
    return value


def size(body: Json, name: str, least: int, most: int) -> int:
    """A number that a game's material limits."""
    value = body.get(name)
    if type(value) is int and not least <= value <= most:
        raise Fault("absurd", f"{name} {str(value)[:40]}" if abs(value) < 10**40 else name)
    return number(body, name, least, most)


def many(body: Json, name: str, limit: int) -> list[object]:
    """A list of limited length."""
    value = body.get(name)
    if not isinstance(value, list) or len(value) > limit:
        raise Fault("fields", name)
    return value


def sized(body: Json, name: str, limit: int) -> list[object]:
    """A list that a game's material limits."""
    value = body.get(name)
    if isinstance(value, list) and len(value) > limit:
        raise Fault("absurd", f"{len(value)} {name}")
    return many(body, name, limit)


def texts(values: list[object]) -> tuple[str, ...]:
    """Values that must all be texts."""
    found = tuple(value for value in values if isinstance(value, str))
    if len(found) < len(values):
        raise Fault("fields")
    return found


def numbers(values: list[object], most: int) -> tuple[int, ...]:
    """Values that must all be numbers from 1 to `most`."""
    found = tuple(value for value in values if type(value) is int and 1 <= value <= most)
    if len(found) < len(values):
        raise Fault("fields")
    return found


def raw(value: object, name: str, size: int = 32) -> bytes:
    """The bytes of a text of lower-case hex digits."""
    if not isinstance(value, str) or len(value) != 2 * size or not _HEX.fullmatch(value):
        raise Fault("fields", name)
    return bytes.fromhex(value)


def digest(body: Json, name: str) -> bytes:
    """A hash."""
    return raw(body.get(name), name)


def few(values: Iterable[int]) -> str:
    """The first of some numbers, for a message."""
    return ",".join(str(value) for value, _ in zip(values, range(10), strict=False))


# From a key and a label to dice and shuffled cards.
#
# H is SHA-256, MAC is HMAC-SHA256; hashes go into other hashes as their raw 32 bytes, numbers as decimal
# ASCII, text as UTF-8. The bytes of a label are the blocks `MAC(key, "pbem-roll/1|" + label + "|" + c)` for c
# = 0, 1, 2... one after another. A die of N sides takes b = max(1, ceil(bitlength(N - 1) / 8)) of them,
# big-endian, skips a value at or above the largest multiple of N that fits, and shows value mod N + 1. A
# shuffle goes from the last place to the second: each place is exchanged with the one that a die of (places
# up to and including it) names.
#
# The key of draw step k is `MAC(s_k, "pbem-step/1|" + game + "|" + k + "|" + beacon)`; secret draws take z_k
# instead of s_k. The beacon is any 32 bytes that nobody chose alone: in `chain` mode the hash of the players'
# SALT words.

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


# Merkle trees: one hash that stands for a whole deck or a whole mailbag, and short proofs of membership.
#
# A leaf is `H(0x00 + data)`, a node is `H(0x01 + left + right)`, so that neither can pass for the other; a
# node without a neighbour moves up unchanged; the tree of nothing is `H("")`. A proof lists the neighbours
# from the leaf upwards. Left or right follows from the position and the size, so a proof also proves the
# position.

def _leaf(data: bytes) -> bytes:
    return sha256(b"\x00" + data)


def _node(left: bytes, right: bytes) -> bytes:
    return sha256(b"\x01" + left + right)


class Tree:
    """A tree over some data, in their order."""

    def __init__(self, data: Sequence[bytes]) -> None:
        self.size = len(data)
        level = [_leaf(each) for each in data]
        self._levels = [level]
        while len(level) > 1:
            above = [_node(level[i], level[i + 1]) for i in range(0, len(level) - 1, 2)]
            if len(level) % 2:
                above.append(level[-1])
            self._levels.append(above)
            level = above

    @property
    def root(self) -> bytes:
        """The hash that stands for all of it."""
        return self._levels[-1][0] if self.size else sha256(b"")

    def path(self, position: int) -> tuple[bytes, ...]:
        """The proof for the data at `position`."""
        if not 0 <= position < self.size:
            raise IndexError(f"position {position} in a tree of {self.size}")
        neighbours = []
        for level in self._levels[:-1]:
            neighbour = position ^ 1
            if neighbour < len(level):
                neighbours.append(level[neighbour])
            position >>= 1
        return tuple(neighbours)


def root_of(data: Sequence[bytes]) -> bytes:
    """The root of a tree over some data."""
    return Tree(data).root


def verify(root: bytes, size: int, position: int, data: bytes, path: Sequence[bytes]) -> bool:
    """Whether the data stand at that position of the tree with that root and size."""
    if not 0 <= position < size:
        return False
    remaining = list(path)
    link = _leaf(data)
    while size > 1:
        if position ^ 1 < size:
            if not remaining:
                return False
            neighbour = remaining.pop(0)
            link = _node(neighbour, link) if position % 2 else _node(link, neighbour)
        position >>= 1
        size = (size + 1) >> 1
    return not remaining and link == root


# Signatures of the drand network: BLS12-381, signatures in G1, the key in G2.
#
# Round r is signed over H(r as 8 bytes, big-endian). A signature S is good under the key K if e(S, g2) =
# e(hash_to_curve(message), K). The field of p^12 elements is taken as Fp2[w] / (w^6 - (1 + u)), six pairs of
# numbers, low powers first; points of G1 are pairs (x, y), points of G2 the same over Fp2.
#
# Many rounds of one key are checked at once: sums of signatures and of hashed messages, each with its own
# factor of 128 bits that follows from all of them, so that a wrong one cannot hide behind the others.
#
# The hash to G1 is that of RFC 9380 (BLS12381G1_XMD:SHA-256_SSWU_RO_). The RFC prints its 11-isogeny as four
# polynomials; they all follow from the five coefficients of the kernel (Kohel's formulas), which is what
# stands here. Only the standard library is used, and only public data are handled: nothing runs in constant
# time, so nothing secret may be signed with this.

P = 0x1A0111EA397FE69A4B1BA7B6434BACD764774B84F38512BF6730D2A0F6B0F6241EABFFFEB153FFFFB9FEFFFFFFFFAAAB
ORDER = 0x73EDA753299D7D483339D80809A1D80553BDA402FFFE5BFEFFFFFFFF00000001
X = 0xD201000000010000
"""The curve's parameter is -X."""
G2 = (
    (
        0x024AA2B2F08F0A91260805272DC51051C6E47AD4FA403B02B4510B647AE3D1770BAC0326A805BBEFD48056C8C121BDB8,
        0x13E02B6052719F607DACD3A088274F65596BD0D09920B61AB5DA61BBDC7F5049334CF11213945D57E5AC7D055D042B7E,
    ),
    (
        0x0CE5D527727D6E118CC9CDC6DA2E351AADFD9BAA8CBDD3A76D429A695160D12C923AC9CC3BACA289E193548608B82801,
        0x0606C4A02EA734CC32ACD2B02BC28B99CB3E287E85A763AF267492AB572E99AB3F370D275CEC1DA1AAA9075FF05F79BE,
    ),
)
DST = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_"
BETA = 0x5F19672FDF76CE51BA69C6076A0F77EADDB3A93BE6F89688DE17D813620A00022E01FFFFFFFEFFFE
"""A cube root of one: (x, y) to (BETA x, y) multiplies the points of G1 by -X^2, and no others."""

SSWU_A = 0x144698A3B8E9433D693A02C96D4982B0EA985383EE66A8D8E8981AEFD881AC98936F8DA0E0F97F5CF428082D584C1D
SSWU_B = 0x12E2908D11688030018B12E8753EEE3B2016C1F0F24F4070A0B9C14FCEF35EF55A23215A316CEAA5D1CC48E98E172BE0
SSWU_Z = 11
KERNEL = (
    0x133341FB0962A34CB0504A9C4FADA0A5090D38679B4C040D5D1C3AFB023A3409FCC0815FEA66D8B02BBEF9C8B5A66E07,
    0x264908AF037BCEDE00D054CF5D4775E83EB6CF63C76B969F8ED174FB59FCFF78D201F46F6CFC4ED6552E59CE75177B0,
    0x1335C502C1F54C49ACEEA65E87FD7203BA0F626F305FC0CFD606A5DAE9F3C8E81A4B3B69600129FABD307C69BF319D39,
    0x94440F65F408A6E930E16E3E92DD17BF60D6E9679A8D3D58593DE55AC23703042D609537EB3549AAC234D896CA82944,
    0x4AFE09D5CF4956A23B6B71F59D2B3407B415A774B7BE81BBB6FA99CBC798E0AC98BA725A5BC328016B1C268B4766E85,
    1,
)
"""The polynomial whose roots are the x of the kernel, low powers first."""

Fp2 = tuple[int, int]
Fp12 = tuple[Fp2, ...]
Point = tuple[int, int]
Point2 = tuple[Fp2, Fp2]
Jacobian = tuple[int, int, int]

NOWHERE: Jacobian = (1, 1, 0)
ONE: Fp12 = ((1, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0))


class NoPoint(ValueError):
    """Bytes that are no point of the group."""


def verify_round(key: bytes, number: int, signature: bytes) -> bool:
    """Whether the signature is that of a round, under a key of the network."""
    return first_bad_round(key, [(number, signature)]) is None


def first_bad_round(key: bytes, rounds: Sequence[tuple[int, bytes]]) -> int | None:
    """The place of the first round with a wrong signature; None if all are right."""
    try:
        lines = _lines_of_key(key)
    except NoPoint:
        return 0 if rounds else None
    signed: list[tuple[Point, Point]] = []
    bad: int | None = None
    for place, (number, signature) in enumerate(rounds):
        try:
            signed.append((point_of(signature), hash_to_curve(round_message(number))))
        except NoPoint:
            bad = place
            break
    good, top = 0, len(signed)
    if _all_signed(lines, signed):
        return bad
    while top - good > 1:
        middle = (good + top) // 2
        if _all_signed(lines, signed[good:middle]):
            good = middle
        else:
            top = middle
    return good


def round_message(number: int) -> bytes:
    """What the network signs for a round."""
    return hashlib.sha256(number.to_bytes(8, "big")).digest()


def _all_signed(lines: tuple[_Lines, _Lines], signed: Sequence[tuple[Point, Point]]) -> bool:
    if not signed:
        return True
    every = hashlib.sha256(repr(signed).encode()).digest()
    factors = [
        int.from_bytes(hashlib.sha256(every + n.to_bytes(8, "big")).digest()[:16], "big") | 1
        for n in range(len(signed))
    ]
    if len(signed) == 1:
        factors = [1]
    signature = _sum([point for point, _ in signed], factors)
    message = _sum([point for _, point in signed], factors)
    if signature is None or message is None:
        return signature is message
    by_generator, by_key = lines
    return _pairing_is_one([((signature[0], P - signature[1]), by_generator), (message, by_key)])


# The field of p^2 elements: a + b u with u^2 = -1.


def _mul2(a: Fp2, b: Fp2) -> Fp2:
    low, high = a[0] * b[0], a[1] * b[1]
    return (low - high) % P, ((a[0] + a[1]) * (b[0] + b[1]) - low - high) % P


def _sub2(a: Fp2, b: Fp2) -> Fp2:
    return (a[0] - b[0]) % P, (a[1] - b[1]) % P


def _inverse2(a: Fp2) -> Fp2:
    norm = pow(a[0] * a[0] + a[1] * a[1], -1, P)
    return a[0] * norm % P, -a[1] * norm % P


def _power2(a: Fp2, exponent: int) -> Fp2:
    result = (1, 0)
    for bit in bin(exponent)[2:]:
        result = _mul2(result, result)
        if bit == "1":
            result = _mul2(result, a)
    return result


def _root(a: int) -> int | None:
    root = pow(a, (P + 1) // 4, P)
    return root if root * root % P == a % P else None


def _root2(a: Fp2) -> Fp2 | None:
    norm = _root(a[0] * a[0] + a[1] * a[1])
    if norm is None:
        return None
    for sign in (norm, -norm):
        real = _root((a[0] + sign) * pow(2, -1, P))
        if real:
            root = (real, a[1] * pow(2 * real, -1, P) % P)
        elif real == 0 and (imaginary := _root(-a[0])) is not None:
            root = (0, imaginary)
        else:
            continue
        if _mul2(root, root) == (a[0] % P, a[1] % P):
            return root
    return None


# The field of p^12 elements.


def _mul12(a: Fp12, b: Fp12) -> Fp12:
    real, imaginary = [0] * 11, [0] * 11
    for i, (a0, a1) in enumerate(a):
        if a0 or a1:
            for j, (b0, b1) in enumerate(b):
                real[i + j] += a0 * b0 - a1 * b1
                imaginary[i + j] += a0 * b1 + a1 * b0
    for i in range(5):
        high, low = real[i + 6], imaginary[i + 6]
        real[i] += high - low
        imaginary[i] += high + low
    return tuple((real[i] % P, imaginary[i] % P) for i in range(6))


def _conjugate(a: Fp12) -> Fp12:
    """a^(p^6), which is the inverse once a^(p^6 + 1) = 1."""
    return tuple((-c[0] % P, -c[1] % P) if i % 2 else c for i, c in enumerate(a))


@lru_cache(maxsize=1)
def _powers_of_w() -> tuple[Fp2, ...]:
    """w^(i (p - 1)) for i = 0 to 5."""
    first = _power2((1, 1), (P - 1) // 6)
    powers: list[Fp2] = [(1, 0)]
    for _ in range(5):
        powers.append(_mul2(powers[-1], first))
    return tuple(powers)


def _frobenius(a: Fp12, times: int) -> Fp12:
    """a^(p^times)."""
    for _ in range(times):
        a = tuple(_mul2((c[0], -c[1]), w) for c, w in zip(a, _powers_of_w(), strict=True))
    return a


def _inverse12(a: Fp12) -> Fp12:
    others = _conjugate(a)
    norm = _mul12(a, others)
    others = _mul12(others, _mul12(_frobenius(norm, 2), _frobenius(norm, 4)))
    inverse = _inverse2(_mul12(a, others)[0])
    return tuple(_mul2(c, inverse) for c in others)


# The pairing.

_Lines = list[tuple[bool, Fp2, Fp2]]


def _lines_of(point: Point2) -> _Lines:
    """The lines of Miller's loop: whether to square first, slope, and slope * x - y."""
    lines: _Lines = []
    here = point
    for bit in bin(X)[3:]:
        for other in (here, point) if bit == "1" else (here,):
            slope = _slope2(here, other)
            lines.append((other is here, slope, _sub2(_mul2(slope, here[0]), here[1])))
            here = _third2(here, other, slope)
    return lines


def _slope2(a: Point2, b: Point2) -> Fp2:
    if a == b:
        square = _mul2(a[0], a[0])
        return _mul2((3 * square[0], 3 * square[1]), _inverse2((2 * a[1][0], 2 * a[1][1])))
    return _mul2(_sub2(b[1], a[1]), _inverse2(_sub2(b[0], a[0])))


def _third2(a: Point2, b: Point2, slope: Fp2) -> Point2:
    x = _sub2(_sub2(_mul2(slope, slope), a[0]), b[0])
    return x, _sub2(_mul2(slope, _sub2(a[0], x)), a[1])


def _pairing_is_one(pairs: Sequence[tuple[Point, _Lines]]) -> bool:
    """Whether the product of the pairings is one; its inverse, for X in place of -X, is as good."""
    product = ONE
    for steps in zip(*(lines for _, lines in pairs), strict=True):
        if steps[0][0]:
            product = _mul12(product, product)
        for ((x, y), _), (_, slope, crossing) in zip(pairs, steps, strict=True):
            line = (crossing, (0, 0), (-slope[0] * x % P, -slope[1] * x % P), (y, 0))
            product = _mul12(line, product)
    return _final_power(product) == ONE


def _final_power(a: Fp12) -> Fp12:
    """a^(3 (p^12 - 1) / r), by 3 (p^4 - p^2 + 1) / r = (x - 1)^2 (x + p) (x^2 + p^2 - 1) + 3 for x = -X."""
    a = _mul12(_conjugate(a), _inverse12(a))
    a = _mul12(_frobenius(a, 2), a)
    b = _power_x(a, less_one=True)
    b = _power_x(b, less_one=True)
    b = _mul12(_power_x(b), _frobenius(b, 1))
    b = _mul12(_mul12(_power_x(_power_x(b)), _frobenius(b, 2)), _conjugate(b))
    return _mul12(b, _mul12(a, _mul12(a, a)))


def _power_x(a: Fp12, less_one: bool = False) -> Fp12:
    result = a
    for bit in bin(X)[3:]:
        result = _mul12(result, result)
        if bit == "1":
            result = _mul12(result, a)
    return _conjugate(_mul12(result, a) if less_one else result)


# The groups.


def _double(a: Jacobian) -> Jacobian:
    x, y, z = a
    yy = y * y % P
    four = 4 * x * yy % P
    slope = 3 * x * x % P
    nx = (slope * slope - 2 * four) % P
    return nx, (slope * (four - nx) - 8 * yy * yy) % P, 2 * y * z % P


def _add(a: Jacobian, b: Point) -> Jacobian:
    x, y, z = a
    if z == 0:
        return b[0], b[1], 1
    zz = z * z % P
    along, up = (b[0] * zz - x) % P, (b[1] * zz * z - y) % P
    if along == 0:
        return NOWHERE if up else _double(a)
    square = along * along % P
    cube, start = square * along % P, x * square % P
    nx = (up * up - cube - 2 * start) % P
    return nx, (up * (start - nx) - y * cube) % P, z * along % P


def _affine(a: Jacobian) -> Point | None:
    if a[2] == 0:
        return None
    inverse = pow(a[2], -1, P)
    square = inverse * inverse % P
    return a[0] * square % P, a[1] * square * inverse % P


def _sum(points: Sequence[Point], factors: Sequence[int]) -> Point | None:
    """The sum of the points, each taken so many times; None is the neutral element."""
    total = NOWHERE
    for bit in range(max(factor.bit_length() for factor in factors) - 1, -1, -1):
        total = _double(total)
        for point, factor in zip(points, factors, strict=True):
            if factor >> bit & 1:
                total = _add(total, point)
    return _affine(total)


def point_of(data: bytes) -> Point:
    """The point of G1 in its 48 bytes. Raises NoPoint for anything else, the neutral element included."""
    if len(data) != 48 or data[0] >> 6 != 2:
        raise NoPoint
    x = int.from_bytes(data, "big") & ((1 << 381) - 1)
    y = _root(x**3 + 4) if x < P else None
    if y is None:
        raise NoPoint
    if (y > P // 2) != bool(data[0] & 0x20):
        y = P - y
    by_x = _sum([(x, y)], [X])
    if by_x is None or _sum([by_x], [X]) != (BETA * x % P, P - y):
        raise NoPoint
    return x, y


def key_of(data: bytes) -> Point2:
    """The point of G2 in its 96 bytes. Raises NoPoint."""
    if len(data) != 96 or data[0] >> 6 != 2:
        raise NoPoint
    high = int.from_bytes(data[:48], "big") & ((1 << 381) - 1)
    low = int.from_bytes(data[48:], "big")
    x = (low, high)
    cube = _mul2(_mul2(x, x), x)
    y = _root2((cube[0] + 4, cube[1] + 4)) if max(x) < P else None
    if y is None:
        raise NoPoint
    if ((y[1] or y[0]) > P // 2) != bool(data[0] & 0x20):
        y = (-y[0] % P, -y[1] % P)
    if multiple2((x, y), ORDER - 1) != (x, (-y[0] % P, -y[1] % P)):
        raise NoPoint
    return x, y


def multiple2(point: Point2, factor: int) -> Point2:
    """A point of G2, taken 1 to r - 1 times."""
    here = point
    for bit in bin(factor)[3:]:
        here = _third2(here, here, _slope2(here, here))
        if bit == "1":
            here = _third2(here, point, _slope2(here, point))
    return here


@lru_cache(maxsize=8)
def _lines_of_key(key: bytes) -> tuple[_Lines, _Lines]:
    return _lines_of(G2), _lines_of(key_of(key))


# The hash to G1.


def hash_to_curve(message: bytes, dst: bytes = DST) -> Point:
    """The point of G1 that stands for a message (RFC 9380)."""
    stretched = _expand(message, dst, 128)
    first, second = (_map(int.from_bytes(stretched[at : at + 64], "big") % P) for at in (0, 64))
    point = _sum([_isogeny(first), _isogeny(second)], [1, 1])
    cleared = _sum([point], [X + 1]) if point is not None else None
    if cleared is None:
        raise NoPoint
    return cleared


def _expand(message: bytes, dst: bytes, length: int) -> bytes:
    tail = dst + bytes([len(dst)])
    first = hashlib.sha256(bytes(64) + message + length.to_bytes(2, "big") + b"\0" + tail).digest()
    block = hashlib.sha256(first + b"\1" + tail).digest()
    blocks = [block]
    for n in range(2, length // 32 + 1):
        mixed = bytes(a ^ b for a, b in zip(first, block, strict=True))
        block = hashlib.sha256(mixed + bytes([n]) + tail).digest()
        blocks.append(block)
    return b"".join(blocks)


def _map(u: int) -> Point:
    """Simplified SWU: a number to a point of y^2 = x^3 + SSWU_A x + SSWU_B."""
    zu = SSWU_Z * u * u % P
    below = (zu * zu + zu) % P
    if below:
        x = -SSWU_B * (1 + pow(below, -1, P)) * pow(SSWU_A, -1, P) % P
    else:
        x = SSWU_B * pow(SSWU_Z * SSWU_A, -1, P) % P
    y = _root(x**3 + SSWU_A * x + SSWU_B)
    if y is None:
        x = x * zu % P
        y = _root(x**3 + SSWU_A * x + SSWU_B)
        assert y is not None
    return x, y if y % 2 == u % 2 else P - y


def _isogeny(point: Point) -> Point:
    """The point of y^2 = x^3 + 4 that belongs to one of the curve above: x' = f(x), y' = y df/dx."""
    x, y = point
    values = [0, 0, 0, 0]
    for order in range(4):
        for power in range(len(KERNEL) - 1, order - 1, -1):
            times = 1
            for n in range(order):
                times *= power - n
            values[order] = (values[order] * x + times * KERNEL[power]) % P
    inverse = pow(values[0], -1, P)
    one, two, three = (value * inverse % P for value in values[1:])
    second, third = two - one * one, three - 3 * one * two + 2 * one**3
    cubic, slope, bend = x**3 + SSWU_A * x + SSWU_B, 3 * x * x + SSWU_A, 6 * x
    nx = 11 * x + 2 * KERNEL[4] - 2 * slope * one - 4 * cubic * second
    ny = 11 - 2 * bend * one - 6 * slope * second - 4 * cubic * third
    return nx * _PER_11**2 % P, y * ny * _PER_11**3 % P


_PER_11 = pow(11, -1, P)


# Rounds of a public beacon: which one a close must name, when it exists, whether its signature is good.
#
# A network publishes round n at `genesis + (n - 1) * period`. A close at time t names the round `(t + delay -
# genesis) // period + 1`, which does not exist yet; the dice hang on its signature. A log says which network
# it uses, but only a network that the reader knows by itself is proof of anything: whoever invents a network
# knows all its rounds. Only the standard library is used.

SIGNATURE_BYTES = 48
KEY_BYTES = 96
DELAYS = (2, 30 * 86_400)
"""How many seconds there may be between a close and its round."""

_AT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
_TOGETHER = 256


@dataclass(frozen=True)
class Network:
    """A drand network: chain hash and key (hex), the time of round 1, the seconds between two rounds."""

    chain: str
    key: str
    genesis: int
    period: int

    def round_for(self, at: int, delay: int) -> int:
        """The round that a close at that time must name."""
        return (at + delay - self.genesis) // self.period + 1

    def time_of(self, number: int) -> int:
        """When a round is published."""
        return self.genesis + (number - 1) * self.period

    def body(self) -> Json:
        """The network as it stands in a log."""
        return {"chain": self.chain, "genesis": self.genesis, "key": self.key, "period": self.period}


@dataclass(frozen=True)
class Source:
    """The beacon of a game, and how many seconds after a close its round comes."""

    network: Network
    delay: int = 600

    def body(self) -> Json:
        """The source as it stands in a log."""
        return {"beacon": self.network.body(), "delay": self.delay}


QUICKNET = Network(
    chain="52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971",
    key="83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d106451"
    "0d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a",
    genesis=1_692_803_367,
    period=3,
)


def network_in(body: Json, known: Iterable[Network]) -> tuple[Network, int]:
    """The network and the delay that an entry of a log commits to. It must be a known network."""
    said = body.get("beacon")
    if not isinstance(said, dict):
        raise Fault("fields", "beacon")
    network = Network(
        fields.digest(said, "chain").hex(),
        fields.raw(said.get("key"), "key", KEY_BYTES).hex(),
        fields.number(said, "genesis", 0, 1 << 40),
        fields.number(said, "period", 1, 86_400),
    )
    if network not in tuple(known):
        raise Fault("source", network.chain[:16])
    delay = fields.number(body, "delay", *DELAYS)
    if delay < 2 * network.period:
        raise Fault("absurd", f"delay {delay}")
    return network, delay


def seconds(at: str) -> int:
    """The time of an entry, in seconds since 1970."""
    try:
        if not _AT.fullmatch(at):
            raise ValueError(at)
        return int(datetime.strptime(at, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC).timestamp())
    except (ValueError, OverflowError) as error:
        raise Fault("time", ascii(at)[:40]) from error


class Signatures:
    """Signatures that wait to be checked together, with the entries that showed them."""

    def __init__(self) -> None:
        self.checked = 0
        self._waiting: list[tuple[int, str, int, bytes]] = []

    def add(self, entry: int, network: Network, number: int, signature: bytes) -> None:
        """One more signature. Raises Fault where enough have come together and one of them is wrong."""
        self._waiting.append((entry, network.key, number, signature))
        if len(self._waiting) >= _TOGETHER:
            self.check()

    def check(self) -> None:
        """Check what waits. Raises Fault for the first wrong one."""
        waiting, self._waiting = self._waiting, []
        while waiting:
            key = waiting[0][1]
            same = [each for each in waiting if each[1] == key]
            waiting = [each for each in waiting if each[1] != key]
            bad = bls.first_bad_round(bytes.fromhex(key), [(number, signed) for _, _, number, signed in same])
            if bad is not None:
                raise Fault("signature", f"round {same[bad][2]}", same[bad][0])
            self.checked += len(same)


# What a player's own letters say of the log: heads, receipts, dealt cards, and when his post office took them.
#
# Letters are read from files: single messages (.eml), mailboxes (mbox), plain text, or folders of these. The
# uppermost `Received:` was written by the player's own server, last of all, so the operator of the game had
# no hand in its time. A card that was dealt to him alone came with its proof, in a file of JSON Lines that hangs
# on the letter (or was kept by itself). Only the standard library is used.

FILE = 64 << 20
"""The largest file of letters that is read."""
FILES = 100_000

_HEAD = re.compile(r"log #(\d{1,12}) head=([0-9a-f]{16,64})")
_RECEIPT = re.compile(
    r"(?:log #|journal n[°o]\s*)(\d{1,12})\s*·\s*(?:leaf|feuille) ([0-9a-f]{16,64})\s*·\s*(?:salt|sel) "
)
PROOFS = 100_000
"""How many dealt cards are compared."""

_DIGEST = re.compile(r"[0-9a-f]{64}")
_FROM = re.compile(rb"(?m)^From [^\r\n]*\r?\n")


@dataclass(frozen=True)
class Proof:
    """A card or die that was dealt to one player: where it was, its salt, and its path to the root of its deck.

    `size` is the deck's, 0 for a die; `root` is the deck's root, for a die its `H(salt + value)`.
    """

    label: str
    step: int
    position: int
    size: int
    card: str
    salt: str
    path: tuple[str, ...]
    root: str


@dataclass
class Mailbox:
    """Heads and receipts found in letters; `seen` says when a letter with the head of an entry came in."""

    heads: list[tuple[int, str]] = field(default_factory=list)
    receipts: list[tuple[int, str]] = field(default_factory=list)
    seen: list[tuple[int, int]] = field(default_factory=list)
    letters: int = 0
    unread: list[str] = field(default_factory=list)
    proofs: dict[Proof, None] = field(default_factory=dict)
    """Cards that were dealt to the player, each once however often its letter is at hand."""

    def add(self, raw: bytes) -> None:
        """Read one letter."""
        self.letters += 1
        try:
            message = email.message_from_bytes(raw, policy=email.policy.compat32)
            words = "\n".join(_texts(message))
            attached = "\n".join(_texts(message, "application"))
            received = _received(message)
        except (ValueError, LookupError, TypeError, RecursionError):
            words, attached, received = "", "", None
        words = f"{words}\n{raw.decode('utf-8', 'replace')}"
        self._proofs(f"{words}\n{attached}")
        words = re.sub(r"\s*\n[>|\s]*", " ", words)
        heads = [(int(number), head) for number, head in _HEAD.findall(words)]
        self.heads += dict.fromkeys(heads)
        self.receipts += dict.fromkeys((int(n), leaf) for n, leaf in _RECEIPT.findall(words))
        if received is not None and heads:
            self.seen.append((max(number for number, _ in heads), received))

    def _proofs(self, words: str) -> None:
        for line in words.splitlines():
            found = _proof(line.strip()) if '"salt"' in line and '"path"' in line else None
            if found is not None and len(self.proofs) < PROOFS:
                self.proofs[found] = None


def _proof(line: str) -> Proof | None:
    """The proof of a dealt card, if the line is one; an entry of a log is none."""
    try:
        said = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(said, dict):
        return None
    label, card, salt, root = (said.get(name) for name in ("label", "card", "salt", "root"))
    numbers = [said.get(name) for name in ("step", "position", "size")]
    path = said.get("path")
    if not isinstance(label, str) or not isinstance(card, str) or not isinstance(path, list):
        return None
    step, position, size = (
        number if type(number) is int and 0 <= number < 1 << 31 else -1 for number in numbers
    )
    hashes = [link for link in (root, *path) if isinstance(link, str) and _DIGEST.fullmatch(link)]
    salted = isinstance(salt, str) and re.fullmatch(r"[0-9a-f]{32}", salt)
    if min(step, position, size) < 0 or len(hashes) <= len(path) or not salted:
        return None
    return Proof(label, step, position, size, card, str(salt), tuple(hashes[1:]), hashes[0])


def read_letters(paths: Iterable[Path]) -> Mailbox:
    """Read files and folders of letters; what cannot be read is named in `unread`."""
    mailbox = Mailbox()
    for path in _files(paths):
        try:
            if path.stat().st_size > FILE:
                raise OSError(f"larger than {FILE} bytes")
            raw = path.read_bytes()
        except OSError as error:
            mailbox.unread.append(f"{path.name}: {error.strerror or error}")
            continue
        for letter in _split(raw):
            mailbox.add(letter)
    return mailbox


def _files(paths: Iterable[Path]) -> Iterator[Path]:
    for path in paths:
        if path.is_dir():
            found = (each for each in sorted(path.rglob("*")) if each.is_file())
            yield from (each for each, _ in zip(found, range(FILES), strict=False))
        else:
            yield path


def _split(raw: bytes) -> list[bytes]:
    if not raw.startswith(b"From "):
        return [raw]
    return [letter for letter in _FROM.split(raw) if letter.strip()]


def _texts(message: Message, kind: str = "text") -> Iterator[str]:
    for part in message.walk():
        if part.get_content_maintype() == kind:
            data = part.get_payload(decode=True)
            if isinstance(data, bytes):
                charset = part.get_content_charset() or "utf-8"
                yield data.decode(charset, "replace")


def _received(message: Message) -> int | None:
    """When the reader's own server took the letter."""
    stamps = message.get_all("Received") or []
    if not stamps:
        return None
    date = str(stamps[0]).rpartition(";")[2].strip()
    try:
        return int(parsedate_to_datetime(date).timestamp())
    except (ValueError, OverflowError):
        return None


# What an audit has to say: a verdict with the first offending entry, and the statistics of the dice.
#
# Only the standard library is used, here as in all that the verifier in a single file is made of (see
# `verifier`). The chi-square compares how often each face came with how often it
# should have; `p` is the chance that fair dice stray at least so far (after Wilson and Hilferty), given once
# each face could have come five times.

FACES = 1_000
"""The largest die that is counted face by face."""

GROUPS = 1_000
"""How many different dice and seats are counted: a forged log shall not fill the memory."""

REASONS: dict[str, dict[str, str]] = {
    "en": {
        "file": "the file cannot be read",
        "empty": "there is no entry in it",
        "unreadable": "this is not a line of JSON as a log has it",
        "truncated": "the log breaks off",
        "limits": "this is larger than any honest log",
        "fields": "a field is missing or of the wrong kind",
        "canonical": "the line is not in canonical form",
        "number": "entries are missing, doubled or out of order",
        "chain": "the entry does not hold the hash of the one before it",
        "hash": "the entry was changed after it was written: its hash is another",
        "head": "the log a player was told of is another one (forked)",
        "format": "this is a log of another format",
        "genesis": "a log has one genesis, as its first entry",
        "mode": "this source of chance cannot be checked here",
        "kind": "no such kind of entry",
        "close-twice": "a draw step was closed twice",
        "close-order": "a draw step was closed out of turn",
        "close-root": "the Merkle root is not that of the sealed orders",
        "close-beacon": "the beacon is not that of the SALT words",
        "leaf": "sealed orders without a receipt",
        "result-order": "a result without its close",
        "seed": "the seed is not the one fixed at the start",
        "label": "this is not a label",
        "label-twice": "a label was drawn twice",
        "label-kept": "a draw that was to be kept after the rollback was drawn again",
        "dice": "the dice are not those that seed and label give",
        "shuffle": "the order is not the one that seed and label give",
        "absurd": "no game has such dice or decks",
        "kept": "this draw was not there to be kept",
        "rollback": "a rollback that cannot be",
        "opened-card": "the card shown is not the one in the sealed deck",
        "opened-orders": "the orders shown are not those that were sealed",
        "end-seed": "the seed revealed at the end does not lead to the one fixed at the start",
        "end-secret-seed": "the secret seed revealed at the end does not lead to the one fixed at the start",
        "secret-dice": "the secret dice were not those that seed and label give",
        "secret-deck": "the secret deck was not the one that seed and label give",
        "deck-unrevealed": "a secret deck was not revealed at the end",
        "after-end": "play went on after the end",
        "source": "the beacon is not one that is known here: its keeper could choose the dice",
        "source-pending": "the beacon was changed while a step waited for its round",
        "time": "the times of the entries run backwards or cannot be read",
        "round": "the close does not name the round that its time demands",
        "early": "the result is dated before its round existed",
        "late": "the close reached you only after its round was public",
        "signature": "this is not the beacon's signature of that round",
        "leaf-missing": "orders with a receipt were left out of the close",
        "receipt": "a receipt that a player was given is not in the log",
        "proof": "a card that a player was dealt is not the one in the log",
        "statistics": "the statistics are not those of the dice",
        "game": "this is the log of another game",
        "roll-missing": "the rules demand a draw that is not in the log",
        "roll-extra": "the log has a draw that the rules do not demand",
        "roll-differs": "the rules demand another draw under this label",
    },
    "fr": {
        "file": "le fichier est illisible",
        "empty": "il ne contient aucune entrée",
        "unreadable": "ce n'est pas une ligne de JSON telle qu'en a un registre",
        "truncated": "le registre s'interrompt",
        "limits": "c'est plus grand qu'aucun registre honnête",
        "fields": "un champ manque ou n'est pas du bon genre",
        "canonical": "la ligne n'est pas sous forme canonique",
        "number": "des entrées manquent, sont en double ou en désordre",
        "chain": "l'entrée ne porte pas l'empreinte de la précédente",
        "hash": "l'entrée a été changée après coup : son empreinte est autre",
        "head": "le registre annoncé à un joueur en est un autre (dédoublé)",
        "format": "c'est un registre d'un autre format",
        "genesis": "un registre a une seule genèse, en première entrée",
        "mode": "cette source de hasard ne peut être vérifiée ici",
        "kind": "ce genre d'entrée n'existe pas",
        "close-twice": "une étape de tirage a été close deux fois",
        "close-order": "une étape de tirage a été close hors de son tour",
        "close-root": "la racine de Merkle n'est pas celle des ordres scellés",
        "close-beacon": "la balise n'est pas celle des mots SALT",
        "leaf": "des ordres scellés sans reçu",
        "result-order": "un résultat sans sa clôture",
        "seed": "la graine n'est pas celle fixée au départ",
        "label": "ce n'est pas une étiquette",
        "label-twice": "une étiquette a été tirée deux fois",
        "label-kept": "un tirage à conserver après le retour en arrière a été refait",
        "dice": "les dés ne sont pas ceux que donnent la graine et l'étiquette",
        "shuffle": "l'ordre n'est pas celui que donnent la graine et l'étiquette",
        "absurd": "aucun jeu n'a de tels dés ou de tels paquets",
        "kept": "ce tirage n'était pas là pour être conservé",
        "rollback": "un retour en arrière impossible",
        "opened-card": "la carte montrée n'est pas celle du paquet scellé",
        "opened-orders": "les ordres montrés ne sont pas ceux qui étaient scellés",
        "end-seed": "la graine révélée à la fin ne mène pas à celle fixée au départ",
        "end-secret-seed": "la graine secrète révélée à la fin ne mène pas à celle fixée au départ",
        "secret-dice": "les dés secrets n'étaient pas ceux que donnent la graine et l'étiquette",
        "secret-deck": "le paquet secret n'était pas celui que donnent la graine et l'étiquette",
        "deck-unrevealed": "un paquet secret n'a pas été révélé à la fin",
        "after-end": "le jeu a continué après la fin",
        "source": "la balise n'est pas de celles connues ici : son maître pourrait choisir les dés",
        "source-pending": "la balise a été changée pendant qu'une étape attendait son tour",
        "time": "les dates des entrées reculent ou sont illisibles",
        "round": "la clôture ne nomme pas le tour que sa date exige",
        "early": "le résultat est daté d'avant l'existence de son tour",
        "late": "la clôture ne vous est parvenue qu'une fois son tour public",
        "signature": "ce n'est pas la signature de la balise pour ce tour",
        "leaf-missing": "des ordres pourvus d'un reçu manquent à la clôture",
        "receipt": "un reçu donné à un joueur n'est pas au registre",
        "proof": "une carte donnée à un joueur n'est pas celle du registre",
        "statistics": "les statistiques ne sont pas celles des dés",
        "game": "c'est le registre d'une autre partie",
        "roll-missing": "les règles exigent un tirage qui n'est pas au registre",
        "roll-extra": "le registre a un tirage que les règles n'exigent pas",
        "roll-differs": "les règles exigent un autre tirage sous cette étiquette",
    },
}

WORDS = {
    "en": {
        "good": "Everything checks: {entries} entries, {steps} draw steps, {draws} draws, game {game}.",
        "bad": "Entry {entry}: {reason}",
        "sealed": "{sealed} secret draws stay sealed until the game ends.",
        "foresee": "Mode chain: nobody could change these dice after the start, but the operator could foresee them.",
        "public": "Mode beacon: nobody could choose these dice, and nobody, the operator included, could know "
        "them before the orders were closed. {rounds} signatures of the beacon are good.",
        "unsigned": "Mode beacon, but the signatures of the beacon were not checked.",
        "sources": "The source of the dice was changed at entry {entries}.",
        "waiting": "Step {k} waits for round {round}, due {due}.",
        "witnessed": "{n} closes came to you before their rounds; {receipts} of your receipts are in the log.",
        "cards": "{n} cards and dice that were dealt to you are those in the log.",
        "spread": "{who} d{sides}: {count} dice, mean {mean:.2f} (fair {fair:.2f}), χ² {chi:.1f} ({df} df)",
        "runs": "runs {runs} (fair {fair:.1f}, z {z:+.1f})",
        "all": "all",
    },
    "fr": {
        "good": "Tout est juste : {entries} entrées, {steps} étapes, {draws} tirages, partie {game}.",
        "bad": "Entrée {entry} : {reason}",
        "sealed": "{sealed} tirages secrets restent scellés jusqu'à la fin de la partie.",
        "foresee": "Mode chain : nul ne pouvait changer ces dés après le début, mais l'opérateur pouvait les prévoir.",
        "public": "Mode beacon : nul ne pouvait choisir ces dés et nul, pas même l'opérateur, ne pouvait les "
        "connaître avant la clôture des ordres. {rounds} signatures de la balise sont bonnes.",
        "unsigned": "Mode beacon, mais les signatures de la balise n'ont pas été vérifiées.",
        "sources": "La source des dés a été changée à l'entrée {entries}.",
        "waiting": "L'étape {k} attend le tour {round}, prévu {due}.",
        "witnessed": "{n} clôtures vous sont parvenues avant leur tour ; "
        "{receipts} de vos reçus sont au registre.",
        "cards": "{n} cartes et dés qui vous ont été donnés sont ceux du registre.",
        "spread": "{who} d{sides} : {count} dés, moyenne {mean:.2f} (juste {fair:.2f}), "
        "χ² {chi:.1f} ({df} ddl)",
        "runs": "suites {runs} (juste {fair:.1f}, z {z:+.1f})",
        "all": "tous",
    },
}


@dataclass(frozen=True)
class Spread:
    """How the dice of one size fell, for one seat or (empty) for all."""

    seat: str
    sides: int
    counts: tuple[int, ...]
    high: int = 0
    """How many were above the middle, and `low`, how many below it; one just in the middle is neither."""
    low: int = 0
    runs: int = 0
    """How often, in the order of the draws, high and low came in unbroken rows."""

    @property
    def count(self) -> int:
        """How many dice there were."""
        return sum(self.counts)

    @property
    def mean(self) -> float:
        """Their mean; a fair one is (sides + 1) / 2."""
        return sum(face * count for face, count in enumerate(self.counts, 1)) / self.count

    @property
    def chi_square(self) -> float:
        """How far the counts stray from equal ones."""
        fair = self.count / self.sides
        return sum((count - fair) ** 2 for count in self.counts) / fair

    @property
    def p(self) -> float | None:
        """The chance that fair dice stray at least so far; None while there are too few to say."""
        freedom = self.sides - 1
        if freedom == 0 or self.count < 5 * self.sides:
            return None
        spread = 2 / (9 * freedom)
        away = ((self.chi_square / freedom) ** (1 / 3) - (1 - spread)) / math.sqrt(spread)
        return math.erfc(away / math.sqrt(2)) / 2

    @property
    def fair_runs(self) -> float:
        """How many runs so many high and low dice have on average."""
        total = self.high + self.low
        return 1 + 2 * self.high * self.low / total if total else 0.0

    @property
    def runs_z(self) -> float | None:
        """How many standard deviations the runs stray (Wald and Wolfowitz); below -3, streaks are long."""
        total, product = self.high + self.low, 2 * self.high * self.low
        if min(self.high, self.low) < 10:
            return None
        variance = product * (product - total) / (total * total * (total - 1))
        return (self.runs - self.fair_runs) / math.sqrt(variance)


class _Count:
    """The faces of one kind of die for one seat, as they come."""

    def __init__(self, sides: int) -> None:
        self.faces = [0] * sides
        self.high = self.low = self.runs = self.last = 0

    def add(self, values: Sequence[int]) -> None:
        middle = len(self.faces) + 1
        for value in values:
            self.faces[value - 1] += 1
            side = 2 * value - middle
            if side > 0:
                self.high += 1
                self.runs += self.last <= 0
                self.last = 1
            elif side < 0:
                self.low += 1
                self.runs += self.last >= 0
                self.last = -1


class Tally:
    """Counts dice by size and seat."""

    def __init__(self) -> None:
        self._counts: dict[tuple[str, int], _Count] = {}

    def add(self, seat: str, sides: int, values: Sequence[int]) -> None:
        """Count some dice, for everyone and for their seat."""
        if sides > FACES:
            return
        for who in {"", seat}:
            count = self._counts.get((who, sides))
            if count is None:
                if len(self._counts) >= GROUPS:
                    continue
                count = self._counts[who, sides] = _Count(sides)
            count.add(values)

    def spreads(self) -> tuple[Spread, ...]:
        """What was counted, by size and seat."""
        ordered = sorted(self._counts.items(), key=lambda item: (item[0][1], item[0][0]))
        return tuple(
            Spread(seat, sides, tuple(count.faces), count.high, count.low, count.runs)
            for (seat, sides), count in ordered
            if any(count.faces)
        )


@dataclass
class AuditedDraw:
    """A draw as the log has it; the values of a secret one are empty until the end reveals them.

    `live` is false for a draw that a rollback undid and that was not kept since.
    """

    step: int
    label: str
    kind: str
    rule: str
    secret: bool
    size: int
    sides: int = 0
    seat: str = ""
    values: tuple[int, ...] = ()
    before: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    live: bool = True


@dataclass
class AuditedStep:
    """The draws of one step; `state` is `H(state_salt + hash of the state)`, the salt known after the end."""

    k: int
    entry: int
    state: str
    draws: list[AuditedDraw]
    state_salt: str = ""


@dataclass(frozen=True)
class Verdict:
    """The outcome of an audit."""

    ok: bool
    code: str = ""
    entry: int = 0
    detail: str = ""
    game: str = ""
    genesis: dict[str, object] = field(default_factory=dict)
    head: str = ""
    entries: int = 0
    draws: int = 0
    sealed: int = 0
    ended: bool = False
    step_count: int = 0
    mode: str = ""
    rounds: int = 0
    """How many signatures of the beacon were checked and are good."""
    signatures: bool = True
    """Whether signatures were to be checked."""
    sources: tuple[int, ...] = ()
    """The entries at which another beacon or another delay was chosen."""
    waiting: tuple[int, int, int] | None = None
    """A closed step that waits for its round: step, round, time of the round."""
    witnessed: int = 0
    """How many closes came before their rounds by the player's own letters."""
    receipts: int = 0
    """How many receipts in the player's letters are in the log."""
    cards: int = 0
    """How many cards and dice that were dealt to the player are those in the log."""
    spreads: tuple[Spread, ...] = ()
    steps: tuple[AuditedStep, ...] = ()

    def reason(self, lang: str = "en") -> str:
        """What is wrong, in a sentence; empty if nothing is."""
        if self.ok:
            return ""
        text = REASONS.get(lang, REASONS["en"]).get(self.code, self.code)
        return f"{text} [{self.code}]" + (f": {self.detail}" if self.detail else "")

    def report(self, lang: str = "en") -> str:
        """The verdict with its statistics, as plain text."""
        words = WORDS.get(lang, WORDS["en"])
        if not self.ok:
            lines = [words["bad"].format(entry=self.entry, reason=self.reason(lang))]
        else:
            lines = [
                words["good"].format(
                    entries=self.entries, steps=self.step_count, draws=self.draws, game=self.game
                ),
                self.trust(lang),
            ]
        if self.head:
            lines.append(f"log #{self.entries} head={self.head[:16]}")
        if self.ok and self.sources:
            lines.append(words["sources"].format(entries=", ".join(map(str, self.sources))))
        if self.ok and self.waiting:
            k, number, due = self.waiting
            when = datetime.fromtimestamp(due, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
            lines.append(words["waiting"].format(k=k, round=number, due=when))
        if self.ok and (self.witnessed or self.receipts):
            lines.append(words["witnessed"].format(n=self.witnessed, receipts=self.receipts))
        if self.ok and self.cards:
            lines.append(words["cards"].format(n=self.cards))
        if self.sealed:
            lines.append(words["sealed"].format(sealed=self.sealed))
        return "\n".join([*lines, *(self._spread(spread, words) for spread in self.spreads)])

    def trust(self, lang: str = "en") -> str:
        """What the mode of the dice means, in a sentence."""
        words = WORDS.get(lang, WORDS["en"])
        if self.mode != "beacon":
            return words["foresee"]
        return words["public" if self.signatures else "unsigned"].format(rounds=self.rounds)

    @staticmethod
    def _spread(spread: Spread, words: dict[str, str]) -> str:
        line = words["spread"].format(
            who=spread.seat or words["all"],
            sides=spread.sides,
            count=spread.count,
            mean=spread.mean,
            fair=(spread.sides + 1) / 2,
            chi=spread.chi_square,
            df=spread.sides - 1,
        )
        if spread.p is not None:
            line += f", p {spread.p:.3f}"
        if spread.runs_z is not None:
            line += ", " + words["runs"].format(runs=spread.runs, fair=spread.fair_runs, z=spread.runs_z)
        return line

    def data(self) -> dict[str, object]:
        """The verdict for programs."""
        return {
            "ok": self.ok,
            "code": self.code,
            "entry": self.entry,
            "detail": self.detail,
            "game": self.game,
            "mode": self.mode,
            "head": self.head,
            "entries": self.entries,
            "steps": self.step_count,
            "draws": self.draws,
            "sealed": self.sealed,
            "ended": self.ended,
            "rounds": self.rounds,
            "signatures": self.signatures,
            "sources": list(self.sources),
            "waiting": self.waiting and dict(zip(("step", "round", "due"), self.waiting, strict=True)),
            "witnessed": self.witnessed,
            "receipts": self.receipts,
            "cards": self.cards,
            "dice": [
                {
                    "seat": spread.seat,
                    "sides": spread.sides,
                    "counts": list(spread.counts),
                    "mean": round(spread.mean, 4),
                    "chi_square": round(spread.chi_square, 3),
                    "p": spread.p and round(spread.p, 4),
                    "runs": spread.runs,
                    "runs_z": spread.runs_z and round(spread.runs_z, 3),
                }
                for spread in self.spreads
            ],
        }


# Secret draws of a log: what it shows of them at once, the cards that are shown one by one, and the end.
#
# Of a secret roll the log has `H(salt + value)` for each die, of a secret deck the Merkle root over `H(salt +
# card)` from the top. A card that is shown comes with its salt and its path to the root; the end reveals
# the seed that all of it was made from. Only the standard library is used.

@dataclass
class Secret:
    """A secret draw that waits for the end."""

    entry: int
    k: int
    beacon: bytes
    label: str
    draw: AuditedDraw
    commits: tuple[bytes, ...] = ()
    root: bytes = b""
    before: bytes = b""

    def shows(self, position: int, salt: bytes, card: str, path: Sequence[bytes]) -> bool:
        """Whether that card, or that die, is at that position."""
        committed = streams.commit(salt, card)
        if not 0 <= position < self.draw.size:
            return False
        if self.draw.kind == "roll":
            return not path and self.commits[position] == committed
        return merkle.verify(self.root, self.draw.size, position, committed, path)

    def proved(self, proof: Proof) -> bool:
        """Whether a card that a player was dealt is the one in the log, by the deck that the log has."""
        path = [bytes.fromhex(link) for link in proof.path]
        root, size = self.root, self.draw.size
        if self.draw.kind == "roll":
            size = 0
            root = self.commits[proof.position] if proof.position < self.draw.size else b""
        if (proof.root, proof.size) != (root.hex(), size):
            return False
        return self.shows(proof.position, bytes.fromhex(proof.salt), proof.card, path)

    def unseal(self, game: str, seed: bytes, before: tuple[str, ...]) -> None:
        """Work the draw out again from the seed that the end reveals. Raises Fault."""
        key = streams.step_key(seed, game, self.k, self.beacon)
        draw, label = self.draw, self.label
        if draw.kind == "roll":
            draw.values = streams.roll(key, label, draw.size, draw.sides)
            if _commits(seed, label, map(str, draw.values)) != list(self.commits):
                raise Fault("secret-dice", label, self.entry)
            return
        salt = streams.secret_salt(seed, label, -1)
        draw.before, draw.items = before, streams.shuffle(key, label, before)
        root = merkle.root_of(_commits(seed, label, draw.items))
        digest = streams.sha256(salt + fields.canonical(list(before)))
        if (len(before), root, digest) != (draw.size, self.root, self.before):
            raise Fault("secret-deck", label, self.entry)


def _commits(seed: bytes, label: str, values: Iterable[str]) -> list[bytes]:
    return [streams.commit(streams.secret_salt(seed, label, n), value) for n, value in enumerate(values)]


# The auditor: takes a log line by line and raises a `Fault` for the first thing that is wrong.
#
# Every entry: canonical form, number, hash of the one before, own hash, and what players found in their own
# letters. Every step: one close with all the orders that had receipts, then one result whose seed hashes to
# the seed before it; every label once, every die and every shuffle worked out again. With a public beacon
# also: the round that the time of the close demands, and its signature. A rollback lets labels be drawn
# again, unless it keeps them. Cards shown, to all or to the player whose letters are at hand, are checked
# against their deck's root. Once the `end` reveals z_n, all secret dice and decks are worked out as well.
#
# Memory is bounded by the limits below, since a line is forgotten once it is checked. Only the standard
# library is used.

ENTRIES = 2_000_000
LABELS = 1_000_000
DICE = 10_000
SIDES = 1_000_000
CARDS = 10_000
STEPS = 1 << 20
CHANGES = 1_000
"""How many changes of source are named."""
TEXT = 16 << 20

_LABEL = re.compile(r"[a-z0-9_./-]{1,1000}")
_FIELDS = {"at", "body", "hash", "kind", "n", "prev"}


@dataclass
class _Known:
    """A label that was drawn: by which entry and step, from which input, and whether it still stands."""

    entry: int
    step: int
    asked: tuple[object, ...]
    standing: str
    draw: AuditedDraw | None


@dataclass
class _Close:
    """A close that waits for its result; in `beacon` mode the beacon comes with the result."""

    entry: int
    k: int
    beacon: bytes = b""
    round: int = 0


@dataclass(frozen=True)
class Demands:
    """What is asked of an audit besides the log itself."""

    collect: bool = False
    signatures: bool = True
    networks: tuple[Network, ...] = (QUICKNET,)
    game: str = ""


class Auditor:
    """An audit under way."""

    def __init__(self, mailbox: Mailbox, demands: Demands) -> None:
        self.heads: dict[int, set[str]] = {}
        for number, head in mailbox.heads:
            self.heads.setdefault(number, set()).add(head.lower())
        self.promised: dict[int, list[str]] = {}
        for number, leaf in mailbox.receipts:
            self.promised.setdefault(number, []).append(leaf)
        self.seen: list[tuple[int, ...]] = sorted(mailbox.seen)
        self.proofs: dict[tuple[int, str], list[Proof]] = {}
        for proof in mailbox.proofs:
            self.proofs.setdefault((proof.step, proof.label), []).append(proof)
        self.demands = demands
        self.collect = demands.collect
        self.mode = ""
        self.network = QUICKNET
        self.delay = 0
        self.now = 0
        self.signatures = Signatures()
        self.sources: list[int] = []
        self.witnessed = self.receipts = self.cards = 0
        self.entries = 0
        self.head = ""
        self.genesis: Json = {}
        self.game = ""
        self.seed = self.secret_anchor = b""
        self.most_steps = 0
        self.k = 0
        self.pending: _Close | None = None
        self.ended = False
        self.draws = 0
        self.tally = Tally()
        self.steps: list[AuditedStep] = []
        self.leaves: dict[bytes, bool] = {}
        self.unsealed: set[bytes] = set()
        self.labels: dict[str, _Known] = {}
        self.stack: list[tuple[int, str]] = []
        self.secrets: dict[tuple[int, str], Secret] = {}
        self.redrawn: list[tuple[int, int, int, str]] = []

    def verdict(self, fault: Fault | None) -> Verdict:
        """The outcome as far as the audit came."""
        return Verdict(
            ok=fault is None,
            code=fault.code if fault else "",
            entry=(fault.entry or self.entries) if fault else 0,
            detail=fault.detail if fault else "",
            game=self.game,
            genesis=self.genesis,
            head=self.head,
            entries=self.entries,
            draws=self.draws,
            sealed=0 if self.ended else len(self.secrets),
            ended=self.ended,
            step_count=self.k,
            mode=self.mode,
            rounds=self.signatures.checked,
            signatures=self.demands.signatures,
            sources=tuple(self.sources),
            waiting=self._waiting(),
            witnessed=self.witnessed,
            receipts=self.receipts,
            cards=self.cards,
            spreads=self.tally.spreads(),
            steps=tuple(self.steps),
        )

    def _waiting(self) -> tuple[int, int, int] | None:
        if self.pending is None or self.mode != "beacon":
            return None
        return self.pending.k, self.pending.round, self.network.time_of(self.pending.round)

    def take(self, raw: bytes) -> None:
        """Check one line."""
        self.entries += 1
        if self.entries > ENTRIES:
            raise Fault("limits")
        line = raw.rstrip(b"\r\n")
        entry = fields.parse(line, whole=len(line) < len(raw))
        kind, body = self._entry(entry, line)
        for leaf in self.promised.pop(self.entries, ()):
            if kind != "receipt" or not str(body.get("leaf")).startswith(leaf):
                raise Fault("receipt", f"log #{self.entries} leaf {leaf}")
            self.receipts += 1
        if kind == "genesis":
            self._genesis(body)
            return
        if self.entries == 1:
            raise Fault("genesis")
        if self.mode == "beacon":
            self._clock(str(entry["at"]))
        check = getattr(self, f"_{kind}", None) if kind in _CHECKED else None
        if check is not None:
            if self.ended and kind in _PLAY:
                raise Fault("after-end", kind)
            check(body)
        else:
            raise Fault("kind", kind[:40])

    def _clock(self, at: str) -> None:
        now = rounds.seconds(at)
        if now < self.now:
            raise Fault("time", at)
        self.now = now

    def close(self) -> None:
        """Check that nothing is missing after the last line."""
        if not self.entries:
            raise Fault("empty")
        if self.pending is not None:
            if self.mode != "beacon":
                raise Fault("truncated", f"step {self.pending.k} has no result")
            self._witness(self.pending, self.entries + 1)
        beyond = [number for number in (*self.heads, *self.promised) if number > self.entries]
        if beyond:
            raise Fault("truncated", f"a letter names entry {min(beyond)}")
        for k, label in sorted(self.proofs):
            raise Fault("proof" if k <= self.k else "truncated", f"{label}, step {k}"[:80])

    def _entry(self, entry: Json, line: bytes) -> tuple[str, Json]:
        if set(entry) != _FIELDS:
            raise Fault("fields")
        kind, _ = fields.text(entry, "kind", 40), fields.text(entry, "at", 80)
        if line != fields.canonical(entry):
            raise Fault("canonical")
        number = fields.number(entry, "n", 0, ENTRIES)
        if number != self.entries:
            raise Fault("number", f"{number} stands in place of {self.entries}")
        if entry["prev"] != (self.head or "0" * 64):
            raise Fault("chain")
        # The body stands before the hash: what follows it is all that has to be written anew.
        after = {name: entry[name] for name in ("hash", "kind", "n", "prev")}
        body_end = len(line) - len(fields.canonical(after)) + 1
        del after["hash"]
        bare = line[:body_end] + fields.canonical(after)[1:]
        self.head = hashlib.sha256(b"pbem-log/1|" + bare).hexdigest()
        if entry["hash"] != self.head:
            raise Fault("hash")
        for told in self.heads.get(number, ()):
            if len(told) < 16 or not self.head.startswith(told):
                raise Fault("head", f"log #{number} head={told[:64]}")
        body = entry["body"]
        if not isinstance(body, dict):
            raise Fault("fields", "body")
        return kind, body

    def _genesis(self, body: Json) -> None:
        if body.get("format") != "pbem-dice/1":
            raise Fault("format", ascii(body.get("format"))[:80])
        if self.entries != 1:
            raise Fault("genesis")
        if body.get("mode") not in ("chain", "beacon"):
            raise Fault("mode", ascii(body.get("mode"))[:80])
        self.mode = fields.text(body, "mode", 20)
        self.game = fields.text(body, "game", 200)
        if self.demands.game and self.game != self.demands.game:
            raise Fault("game", ascii(self.game)[:80])
        self.seed, self.secret_anchor = fields.digest(body, "anchor"), fields.digest(body, "secret_anchor")
        self.most_steps = fields.number(body, "steps", 1, STEPS)
        self.genesis = body
        if self.mode == "beacon":
            self._source_is(body)

    def _source_is(self, body: Json) -> None:
        self.network, self.delay = rounds.network_in(body, self.demands.networks)

    def _source(self, body: Json) -> None:
        fields.text(body, "author", 200), fields.text(body, "reason", 10_000)
        if self.mode != "beacon":
            raise Fault("mode", "chain")
        if self.pending is not None:
            raise Fault("source-pending", f"step {self.pending.k}")
        self._source_is(body)
        if len(self.sources) < CHANGES:
            self.sources.append(self.entries)

    def _act(self, body: Json) -> None:
        if body.get("act") != "statistics":
            return
        counted = [
            {"seat": spread.seat, "sides": spread.sides, "counts": list(spread.counts)}
            for spread in self.tally.spreads()
        ]
        if body.get("dice") != counted:
            raise Fault("statistics")

    def _receipt(self, body: Json) -> None:
        fields.text(body, "player", 200)
        fields.digest(body, "letter")
        if len(self.leaves) >= LABELS:
            raise Fault("limits")
        leaf = fields.digest(body, "leaf")
        if not self.leaves.setdefault(leaf, False):
            self.unsealed.add(leaf)

    def _close(self, body: Json) -> None:
        k = fields.number(body, "k", 1, STEPS)
        if k <= self.k or (self.pending is not None and k == self.pending.k):
            raise Fault("close-twice", f"step {k}")
        if self.pending is not None or k != self.k + 1 or k > self.most_steps:
            raise Fault("close-order", f"step {k} after step {self.k}")
        leaves = [fields.raw(leaf, "leaves") for leaf in fields.many(body, "leaves", LABELS)]
        if merkle.root_of(leaves) != fields.digest(body, "root"):
            raise Fault("close-root")
        for leaf in leaves:
            if leaf not in self.leaves:
                raise Fault("leaf", leaf.hex()[:16])
            self.leaves[leaf] = True
        self.unsealed.difference_update(leaves)
        if self.unsealed:
            raise Fault("leaf-missing", min(self.unsealed).hex()[:16])
        if self.mode == "beacon":
            number = fields.number(body, "round", 1, 1 << 62)
            wanted = self.network.round_for(self.now, self.delay)
            if number != wanted:
                raise Fault("round", f"{number}, not {wanted}")
            self.pending = _Close(self.entries, k, round=number)
            return
        salts = body.get("salts")
        if not isinstance(salts, dict):
            raise Fault("fields", "salts")
        beacon = fields.digest(body, "beacon")
        if streams.salt_beacon(fields.text(salts, seat, 1_000) for seat in salts) != beacon:
            raise Fault("close-beacon")
        self.pending = _Close(self.entries, k, beacon)

    def _result(self, body: Json) -> None:
        k = fields.number(body, "k", 1, STEPS)
        close, self.pending = self.pending, None
        if close is None or close.k != k:
            raise Fault("result-order", f"step {k}")
        seed = fields.digest(body, "seed")
        if streams.link_below(seed) != self.seed:
            raise Fault("seed", f"step {k}")
        if self.mode == "beacon":
            self._round(body, close)
        self.k, self.seed = k, seed
        key = streams.step_key(seed, self.game, k, close.beacon)
        step = AuditedStep(k, self.entries, fields.text(body, "state", 64), [])
        for shown in fields.many(body, "draws", LABELS):
            if not isinstance(shown, dict):
                raise Fault("fields", "draws")
            step.draws.append(self._draw(shown, close, key))
        if self.collect:
            self.steps.append(step)

    def _round(self, body: Json, close: _Close) -> None:
        signature = fields.raw(body.get("signature"), "signature", rounds.SIGNATURE_BYTES)
        if self.now < self.network.time_of(close.round):
            raise Fault("early", f"round {close.round}")
        if self.demands.signatures:
            self.signatures.add(self.entries, self.network, close.round, signature)
        close.beacon = streams.sha256(signature)
        self._witness(close, self.entries)

    def _witness(self, close: _Close, until: int) -> None:
        """A letter that names the close but not yet its result must have come before the round."""
        first, end = bisect_left(self.seen, (close.entry,)), bisect_left(self.seen, (until,))
        came = [letter[1] for letter in self.seen[first:end]]
        if came and min(came) >= self.network.time_of(close.round):
            raise Fault("late", f"step {close.k}, round {close.round}", close.entry)
        self.witnessed += bool(came)

    def _draw(self, shown: Json, close: _Close, key: bytes) -> AuditedDraw:
        label = shown.get("label")
        if not isinstance(label, str) or not _LABEL.fullmatch(label):
            raise Fault("label", ascii(label)[:80])
        self.draws += 1
        if self.draws > LABELS:
            raise Fault("limits")
        secret, kind = shown.get("secret"), shown.get("kind")
        if not isinstance(secret, bool) or kind not in ("roll", "shuffle"):
            raise Fault("fields", label)
        draw = AuditedDraw(close.k, label, str(kind), fields.text(shown, "rule", 200), secret, 0)
        if kind == "roll":
            draw.sides = fields.size(shown, "sides", 1, SIDES)
            draw.seat = fields.text(shown, "seat", 200)
        if secret:
            self._seal(shown, close, draw)
        elif kind == "roll":
            self._roll(shown, key, draw)
        else:
            self._shuffle(shown, key, draw)
        self._register(draw)
        return draw

    def _roll(self, shown: Json, key: bytes, draw: AuditedDraw) -> None:
        values = fields.numbers(fields.sized(shown, "values", DICE), SIDES)
        draw.size = len(values)
        draw.values = streams.roll(key, draw.label, draw.size, draw.sides)
        if draw.values != values:
            raise Fault("dice", f"{draw.label}: {fields.few(values)}, not {fields.few(draw.values)}")
        self.tally.add(draw.seat, draw.sides, draw.values)

    def _shuffle(self, shown: Json, key: bytes, draw: AuditedDraw) -> None:
        draw.before = fields.texts(fields.sized(shown, "before", CARDS))
        draw.size = len(draw.before)
        draw.items = streams.shuffle(key, draw.label, draw.before)
        if draw.items != fields.texts(fields.sized(shown, "items", CARDS)):
            raise Fault("shuffle", draw.label)

    def _seal(self, shown: Json, close: _Close, draw: AuditedDraw) -> None:
        secret = Secret(self.entries, close.k, close.beacon, draw.label, draw)
        if draw.kind == "roll":
            secret.commits = tuple(
                fields.raw(hidden, "commits") for hidden in fields.sized(shown, "commits", DICE)
            )
            draw.size = len(secret.commits)
        else:
            secret.root, secret.before = fields.digest(shown, "root"), fields.digest(shown, "before")
            draw.size = fields.size(shown, "size", 0, CARDS)
        self.secrets[close.k, draw.label] = secret
        for proof in self.proofs.pop((close.k, draw.label), ()):
            if not secret.proved(proof):
                raise Fault("proof", f"{draw.label}, {proof.card}"[:80])
            self.cards += 1

    def _register(self, draw: AuditedDraw) -> None:
        digest = hashlib.sha256(fields.canonical(list(draw.before))).digest()
        asked = (draw.kind, draw.secret, draw.sides, draw.size, digest)
        old = self.labels.get(draw.label)
        if old is not None and old.standing == "live":
            raise Fault("label-twice", draw.label)
        if old is not None and old.standing == "kept" and old.asked == asked:
            if draw.kind == "roll" or not draw.secret:
                raise Fault("label-kept", draw.label)
            self.redrawn.append((self.entries, old.step, draw.step, draw.label))
        self.labels[draw.label] = _Known(
            self.entries, draw.step, asked, "live", draw if self.collect else None
        )
        self.stack.append((self.entries, draw.label))

    def _rollback(self, body: Json) -> None:
        fields.text(body, "author", 200), fields.text(body, "reason", 10_000)
        target, keep = body.get("target"), body.get("keep")
        if not isinstance(keep, bool) or type(target) is not int:
            raise Fault("fields")
        if self.pending is not None or not 1 <= target < self.entries:
            raise Fault("rollback", f"to entry {target}")
        self.unsealed.clear()
        while self.stack and self.stack[-1][0] > target:
            known = self.labels[self.stack.pop()[1]]
            known.standing = "kept" if keep else "void"
            if known.draw is not None:
                known.draw.live = False

    def _kept(self, body: Json) -> None:
        for again in fields.many(body, "draws", LABELS):
            if not isinstance(again, dict):
                raise Fault("fields", "draws")
            label = fields.text(again, "label", 1_000)
            known = self.labels.get(label)
            if known is None or known.standing != "kept" or known.step != fields.number(again, "k", 1, STEPS):
                raise Fault("kept", ascii(label)[:80])
            known.standing, known.entry = "live", self.entries
            if known.draw is not None:
                known.draw.live = True
            self.stack.append((self.entries, label))

    def _opened(self, body: Json) -> None:
        if "orders" not in body:
            self._opened_card(body)
            return
        for shown in fields.many(body, "orders", LABELS):
            if not isinstance(shown, dict):
                raise Fault("fields", "orders")
            player, salt, orders = (fields.text(shown, name, TEXT) for name in ("player", "salt", "orders"))
            leaf = streams.sha256(f"leaf|{player}|{salt}|{orders}".encode())
            if "|" in player or "|" in salt or leaf not in self.leaves:
                raise Fault("opened-orders", ascii(player)[:80])

    def _opened_card(self, body: Json) -> None:
        label, card = fields.text(body, "label", 1_000), fields.text(body, "card", 10_000)
        secret = self.secrets.get((fields.number(body, "k", 1, STEPS), label))
        position = fields.number(body, "position", 0, CARDS)
        salt = fields.raw(body.get("salt"), "salt", streams.SALT_BYTES)
        path = [fields.raw(link, "path") for link in fields.many(body, "path", 64)]
        if secret is None or not secret.shows(position, salt, card, path):
            raise Fault("opened-card", ascii(label)[:80])

    def _end(self, body: Json) -> None:
        if self.pending is not None:
            raise Fault("truncated", f"step {self.pending.k} has no result")
        link = fields.digest(body, "seed")
        for _ in range(self.most_steps - self.k):
            link = streams.link_below(link)
        if link != self.seed:
            raise Fault("end-seed")
        needed = {secret.k for secret in self.secrets.values()} | {step.k for step in self.steps}
        seeds: dict[int, bytes] = {}
        link = fields.digest(body, "secret_seed")
        for k in range(self.most_steps, 0, -1):
            if k in needed:
                seeds[k] = link
            link = streams.link_below(link)
        if link != self.secret_anchor:
            raise Fault("end-secret-seed")
        decks: dict[tuple[int, str], tuple[str, ...]] = {}
        for deck in fields.many(body, "decks", LABELS):
            if not isinstance(deck, dict):
                raise Fault("fields", "decks")
            name = (fields.number(deck, "k", 1, STEPS), fields.text(deck, "label", 1_000))
            decks[name] = fields.texts(fields.sized(deck, "before", CARDS))
        for name, secret in self.secrets.items():
            self._unseal(secret, seeds[secret.k], decks.get(name))
        for entry, old, new, label in self.redrawn:
            if (old, label) in decks and decks[old, label] == decks.get((new, label)):
                raise Fault("label-kept", label, entry)
        for step in self.steps:
            step.state_salt = streams.secret_salt(seeds[step.k], "", 0).hex()
        self.ended = True

    def _unseal(self, secret: Secret, seed: bytes, before: tuple[str, ...] | None) -> None:
        draw = secret.draw
        if draw.kind == "shuffle" and before is None:
            known = self.labels[secret.label]
            if known.standing == "live" and known.step == secret.k:
                raise Fault("deck-unrevealed", secret.label, secret.entry)
            return
        secret.unseal(self.game, seed, before or ())
        if draw.kind == "roll":
            self.tally.add(draw.seat, draw.sides, draw.values)


_PLAY = {"close", "result", "kept", "rollback", "source", "end"}
_CHECKED = _PLAY | {"receipt", "opened", "source", "act"}


# Checks an exported log without the moderator.
#
# `auditor` goes through it entry by entry; the verdict names the first that is wrong. Whether the log has
# *exactly* the draws that the rules demand needs the rules: `compare` does that with the draws of a replay.
# A verdict is returned whatever the input is. Only the standard library is used.

LINE = 16 << 20

_HEAD_LINE = re.compile(r"log #(\d{1,12}) head=([0-9a-f]{16})")


def audit(
    source: BinaryIO,
    *,
    heads: Iterable[tuple[int, str]] = (),
    collect: bool = False,
    signatures: bool = True,
    networks: Iterable[Network] = (QUICKNET,),
    mailbox: Mailbox | None = None,
    game: str = "",
) -> Verdict:
    """The verdict on an export. `heads` are numbers and heads (or whole hashes) from a player's letters.

    `mailbox` holds all that his letters say. Without `signatures`, those of the beacon are taken on trust;
    `networks` are the beacons that count as such. With `collect` the verdict holds the draws of every step,
    for `compare`. `game` is the game it must be the log of.
    """
    letters = mailbox or Mailbox()
    known = replace(letters, heads=[*letters.heads, *heads])
    auditor = Auditor(known, Demands(collect, signatures, tuple(networks), game))
    fault: Fault | None = None
    try:
        while line := source.readline(LINE + 1):
            if len(line) > LINE:
                raise Fault("limits", entry=auditor.entries + 1)
            auditor.take(line)
        auditor.close()
    except Fault as found:
        fault = found
    except OSError as error:
        fault = Fault("file", str(error.strerror or ""))
    try:
        auditor.signatures.check()
    except Fault as found:
        if fault is None or found.entry <= (fault.entry or auditor.entries):
            fault = found
    return auditor.verdict(fault)


def audit_file(
    path: Path,
    *,
    heads: Iterable[tuple[int, str]] = (),
    collect: bool = False,
    signatures: bool = True,
    networks: Iterable[Network] = (QUICKNET,),
    mailbox: Mailbox | None = None,
    game: str = "",
) -> Verdict:
    """The verdict on an exported file."""
    try:
        with path.open("rb") as source:
            return audit(
                source,
                heads=heads,
                collect=collect,
                signatures=signatures,
                networks=networks,
                mailbox=mailbox,
                game=game,
            )
    except OSError as error:
        return Verdict(False, "file", detail=str(error.strerror or ""))


def heads_in(text: str) -> list[tuple[int, str]]:
    """The heads of the log that stand in some letters, with their numbers."""
    return [(int(number), head) for number, head in _HEAD_LINE.findall(text)]


def compare(verdict: Verdict, draws: Iterable[Draw]) -> Verdict:
    """The verdict after a replay: the log must have exactly the draws that the rules demanded.

    The verdict comes from an audit with `collect`; a sealed secret draw is compared by size.
    """
    if not verdict.ok:
        return verdict
    entry_of = {step.k: step.entry for step in verdict.steps}
    logged = {draw.label: draw for step in verdict.steps for draw in step.draws if draw.live}
    for wanted in {draw.label: draw for draw in draws}.values():
        found = logged.pop(wanted.label, None)
        if found is None:
            return replace(verdict, ok=False, code="roll-missing", entry=0, detail=wanted.label)
        if not _agrees(found, wanted):
            entry = entry_of[found.step]
            return replace(verdict, ok=False, code="roll-differs", entry=entry, detail=wanted.label)
    for extra in logged.values():
        entry = entry_of[extra.step]
        return replace(verdict, ok=False, code="roll-extra", entry=entry, detail=extra.label)
    return verdict


def _agrees(found: AuditedDraw, wanted: Draw) -> bool:
    size = len(wanted.values) if wanted.kind == "roll" else len(wanted.before)
    same = (wanted.kind, wanted.rule, wanted.secret, wanted.sides, wanted.seat, size)
    if same != (found.kind, found.rule, found.secret, found.sides, found.seat, found.size):
        return False
    if found.secret and not found.values and not found.items:
        return True
    return (wanted.values, wanted.before, wanted.items) == (found.values, found.before, found.items)


# One roll by hand: everything that goes into it, and one line of Python that anyone can run.
#
# The line needs Python and nothing else, and no part of this project. Only the standard library is used.

_PLAIN_NAME = re.compile(r"[A-Za-z0-9_.-]+")
_MOST_BLOCKS = 1_000


@dataclass(frozen=True)
class ByHand:
    """An open draw with what it was made of."""

    game: str
    k: int
    seed: str
    beacon: str
    label: str
    rule: str
    seat: str
    sides: int
    values: tuple[int, ...]
    before: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    entry: int = 0

    @property
    def again(self) -> tuple[int, ...] | tuple[str, ...]:
        """The draw, worked out again."""
        seed, beacon = bytes.fromhex(self.seed), bytes.fromhex(self.beacon)
        key = streams.step_key(seed, self.game, self.k, beacon)
        if self.before:
            return streams.shuffle(key, self.label, self.before)
        return streams.roll(key, self.label, len(self.values), self.sides)

    @property
    def good(self) -> bool:
        """Whether the log has what comes out."""
        return self.again == (self.items if self.before else self.values)

    @property
    def command(self) -> str:
        """A line for a shell that prints the dice again; empty for a shuffle."""
        if self.before:
            return ""
        seed, beacon = bytes.fromhex(self.seed), bytes.fromhex(self.beacon)
        stream = streams.Stream(streams.step_key(seed, self.game, self.k, beacon), self.label)
        for _ in self.values:
            stream.die(self.sides)
        if stream.blocks > _MOST_BLOCKS:
            return ""
        size = max(1, ((self.sides - 1).bit_length() + 7) // 8)
        limit = 256**size - 256**size % self.sides
        name = f"b'pbem-step/1|{self.game}|{self.k}|'"
        if not _PLAIN_NAME.fullmatch(self.game):
            name = f"f('{f'pbem-step/1|{self.game}|{self.k}|'.encode().hex()}')"
        key = f"k=h(f('{self.seed}'),{name}+f('{self.beacon}'),'sha256')"
        if stream.blocks <= 1:
            blocks = f"s=h(k,b'pbem-roll/1|{self.label}|0','sha256')"
        else:
            block = f"h(k,b'pbem-roll/1|{self.label}|%d'%c,'sha256')"
            blocks = f"s=b''.join({block} for c in range({stream.blocks}))"
        numbers = "s"
        if size > 1:
            numbers = f"[int.from_bytes(s[i:i+{size}],'big') for i in range(0,len(s)-{size - 1},{size})]"
        dice = f"print([b%{self.sides}+1 for b in {numbers} if b<{limit}][:{len(self.values)}])"
        return f'python3 -c "from hmac import digest as h;f=bytes.fromhex;{key};{blocks};{dice}"'


def find(lines: Iterable[bytes], label: str) -> ByHand | None:
    """An open draw of a log that has been audited; of several (after a rollback), the last."""
    found: ByHand | None = None
    try:
        records = (fields.parse(line, whole=True) for line in lines)
        for draw in open_draws(((record.get("kind"), record.get("body")) for record in records), label):
            found = draw
    except Fault:
        return found
    return found


def open_draws(
    entries: Iterable[tuple[object, object]], label: str = "", *, within: str = ""
) -> Iterator[ByHand]:
    """The open draws of a log, given as kinds and bodies: of one label, or of all that begin with `within`.

    Raises Fault where the log is not as it should be; it is to be audited before.
    """
    game = ""
    beacons: dict[int, str] = {}
    for entry, (kind, body) in enumerate(entries, 1):
        if not isinstance(body, dict):
            raise Fault("fields", "body")
        if kind == "genesis":
            game = fields.text(body, "game", 200)
        elif kind == "close" and "beacon" in body:
            beacons = {fields.number(body, "k", 1, 1 << 20): fields.digest(body, "beacon").hex()}
        elif kind == "result":
            yield from _in_result(body, game, beacons, (label, within), entry)


def _in_result(
    body: Json, game: str, beacons: dict[int, str], wanted: tuple[str, str], entry: int
) -> Iterator[ByHand]:
    k = fields.number(body, "k", 1, 1 << 20)
    beacon = beacons.get(k, "")
    if "signature" in body:
        beacon = streams.sha256(fields.raw(body["signature"], "signature", 48)).hex()
    for shown in fields.many(body, "draws", 1_000_000):
        if not isinstance(shown, dict) or shown.get("secret"):
            continue
        label = fields.text(shown, "label", 1_000)
        if not label.startswith(wanted[1]) or label != (wanted[0] or label):
            continue
        roll = shown.get("kind") == "roll"
        yield ByHand(
            game,
            k,
            fields.digest(body, "seed").hex(),
            beacon,
            label,
            fields.text(shown, "rule", 200),
            fields.text(shown, "seat", 200) if roll else "",
            fields.size(shown, "sides", 1, 1_000_000) if roll else 0,
            fields.numbers(fields.many(shown, "values", 10_000), 1_000_000) if roll else (),
            () if roll else fields.texts(fields.many(shown, "before", 10_000)),
            () if roll else fields.texts(fields.many(shown, "items", 10_000)),
            entry,
        )


# What the verifier says and how it is called.
#
# Levels: 1 entries, seeds, labels, dice; 2 rounds, times and signatures of the beacon; 3 the player's own
# letters; 4 a replay by the rules, where pbem itself is installed and the game is over. Ends with 0 where all
# that was checked is right, 1 where something is wrong, 2 where there is nothing to check.

LEVELS = (1, 2, 3, 4)

_SAID = {
    "en": {
        "good": "GOOD",
        "bad": "NOT GOOD",
        "levels": "Checked: {levels}",
        "1": "1 entries, seeds, labels, dice",
        "2": "2 the beacon's rounds and signatures",
        "3": "3 your letters ({n})",
        "4": "4 replay by the rules",
        "not_asked": "not asked for",
        "chain": "not in this mode",
        "no_letters": "no letters given",
        "not_installed": "pbem is not installed here",
        "not_over": "the game is not over",
        "no_game": "these rules are not installed",
        "failed": "failed",
        "unread": "not read: {name}",
        "no_roll": "No open draw in this log is called {label}.",
        "roll": "{label}: rule {rule}, {seat}, entry {entry}, step {k}",
        "nobody": "nobody's dice",
        "log_has": "The log has {values}; worked out again: {again}.",
        "same": "The same.",
        "differs": "NOT the same!",
        "by_hand": "By hand, with Python alone:",
    },
    "fr": {
        "good": "BON",
        "bad": "MAUVAIS",
        "levels": "Vérifié : {levels}",
        "1": "1 entrées, graines, étiquettes, dés",
        "2": "2 tours et signatures de la balise",
        "3": "3 vos lettres ({n})",
        "4": "4 rejeu selon les règles",
        "not_asked": "non demandé",
        "chain": "sans objet dans ce mode",
        "no_letters": "aucune lettre donnée",
        "not_installed": "pbem n'est pas installé ici",
        "not_over": "la partie n'est pas finie",
        "no_game": "ces règles ne sont pas installées",
        "failed": "échec",
        "unread": "non lu : {name}",
        "no_roll": "Aucun tirage ouvert de ce registre ne s'appelle {label}.",
        "roll": "{label} : règle {rule}, {seat}, entrée {entry}, étape {k}",
        "nobody": "dés de personne",
        "log_has": "Le registre a {values} ; recalculé : {again}.",
        "same": "Identique.",
        "differs": "PAS identique !",
        "by_hand": "À la main, avec Python seul :",
    },
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the verifier; its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    asked = _options().parse_args(arguments)
    words = _SAID[asked.lang]
    try:
        networks = (QUICKNET, *(read_network(path) for path in asked.trust))
    except (OSError, ValueError, TypeError, LookupError) as error:
        print(f"--trust: {error}", file=sys.stderr)
        return 2
    mailbox = read_letters(asked.letters) if asked.level >= 3 else Mailbox()
    verdict = audit_file(
        asked.log, mailbox=mailbox, signatures=asked.level >= 2, networks=networks, game=asked.game
    )
    levels = {1: "" if verdict.ok else "failed", 2: _second(verdict, asked.level)}
    levels[3] = "not_asked" if asked.level < 3 else "" if mailbox.letters else "no_letters"
    replay: list[str] = []
    levels[4] = "not_asked"
    if asked.level >= 4:
        levels[4], replay = _replay(asked.log, verdict, asked.lang)
    good = verdict.ok and levels[4] != "failed"
    roll = find_in_file(asked.log, asked.roll) if asked.roll and verdict.ok else None
    if asked.json:
        data = verdict.data() | {
            "ok": good,
            "reason": verdict.reason(asked.lang),
            "levels": {str(level): levels[level] or "good" for level in LEVELS},
            "replay": replay,
            "letters": mailbox.letters,
            "unread": mailbox.unread,
        }
        if asked.roll:
            data["roll"] = roll and {"same": roll.good, "again": list(roll.again), "command": roll.command}
        print(json.dumps(data, ensure_ascii=False, indent=1))
    else:
        lines = [words["good" if good else "bad"], verdict.report(asked.lang), *replay]
        checked = [
            words[str(level)].format(n=mailbox.letters)
            + (f" ({words[why]})" if (why := levels[level]) else "")
            for level in LEVELS
        ]
        lines.append(words["levels"].format(levels="; ".join(checked)))
        lines += [words["unread"].format(name=name) for name in mailbox.unread]
        if asked.roll and verdict.ok:
            lines += ["", *roll_in_words(roll, asked.roll, asked.lang)]
        print("\n".join(lines))
    if verdict.code == "file":
        return 2
    return 0 if good and not (asked.roll and (roll is None or not roll.good)) else 1


def find_in_file(path: Path, label: str) -> ByHand | None:
    """An open draw of a log in a file."""
    try:
        with path.open("rb") as source:
            return find(source, label)
    except OSError:
        return None


def roll_in_words(roll: ByHand | None, label: str, lang: str) -> list[str]:
    """A draw with what it was made of, and how to do it by hand."""
    words = _SAID[lang]
    if roll is None:
        return [words["no_roll"].format(label=ascii(label)[1:-1])]
    shown = roll.items if roll.before else roll.values
    seat = roll.seat or words["nobody"]
    lines = [
        words["roll"].format(label=roll.label, rule=roll.rule or "-", seat=seat, entry=roll.entry, k=roll.k),
        words["log_has"].format(values=_row(shown), again=_row(roll.again))
        + " "
        + words["same" if roll.good else "differs"],
    ]
    if roll.command:
        lines += [words["by_hand"], roll.command]
    return lines


def _row(values: Sequence[object]) -> str:
    return ", ".join(map(str, values))


def _second(verdict: Verdict, level: int) -> str:
    if level < 2:
        return "not_asked"
    if verdict.mode == "chain":
        return "chain"
    return "" if verdict.ok else "failed"


def _replay(log: Path, verdict: Verdict, lang: str) -> tuple[str, list[str]]:
    """What became of level 4, and what there is to say about it."""
    if not verdict.ok:
        return "not_asked", []
    if not verdict.ended:
        return "not_over", []
    try:
        auditing: Any = importlib.import_module("pbem.campaign.auditing")
    except ImportError:
        return "not_installed", []
    audited = auditing.audit_log(log, [])
    known = set(verdict.report(lang).splitlines())
    said = [line for line in audited.report(lang) if line not in known]
    if not audited.ok:
        return "failed", said
    return ("no_game", said) if audited.replay == "no_game" else ("", said)


def read_network(path: Path) -> Network:
    """A drand network from a JSON file. Raises OSError, ValueError, TypeError, LookupError."""
    data = json.loads(path.read_text(encoding="utf-8"))
    return Network(str(data["chain"]), str(data["key"]), int(data["genesis"]), int(data["period"]))


def _options() -> argparse.ArgumentParser:
    french = os.environ.get("LC_ALL", os.environ.get("LANG", "")).startswith("fr")
    options = argparse.ArgumentParser(
        prog="pbem_verify.py",
        description="Checks the dice of a game by mail. / Vérifie les dés d'une partie.",
    )
    options.add_argument("log", type=Path, help="the exported log (JSON Lines) / le registre exporté")
    options.add_argument(
        "--letters",
        type=Path,
        nargs="+",
        default=[],
        metavar="FILE",
        help="your own letters: .eml, mbox, text, folders / vos lettres",
    )
    options.add_argument("--game", default="", help="the game it must be / la partie attendue")
    options.add_argument(
        "--level", type=int, choices=LEVELS, default=4, help="check up to this level / niveau (1-4)"
    )
    options.add_argument("--roll", default="", metavar="LABEL", help="show one roll / montrer un jet")
    options.add_argument(
        "--trust",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="a drand network besides quicknet (JSON: chain, key, genesis, period) / autre balise",
    )
    options.add_argument("--lang", choices=tuple(_SAID), default="fr" if french else "en")
    options.add_argument("--json", action="store_true", help="for programs / pour les programmes")
    return options


if __name__ == "__main__":
    sys.exit(main())
