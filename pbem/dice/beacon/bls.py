"""Signatures of the drand network: BLS12-381, signatures in G1, the key in G2.

Round r is signed over H(r as 8 bytes, big-endian). A signature S is good under the key K if e(S, g2) =
e(hash_to_curve(message), K). The field of p^12 elements is taken as Fp2[w] / (w^6 - (1 + u)), six pairs of
numbers, low powers first; points of G1 are pairs (x, y), points of G2 the same over Fp2.

Many rounds of one key are checked at once: sums of signatures and of hashed messages, each with its own
factor of 128 bits that follows from all of them, so that a wrong one cannot hide behind the others.

The hash to G1 is that of RFC 9380 (BLS12381G1_XMD:SHA-256_SSWU_RO_). The RFC prints its 11-isogeny as four
polynomials; they all follow from the five coefficients of the kernel (Kohel's formulas), which is what
stands here. Only the standard library is used, and only public data are handled: nothing runs in constant
time, so nothing secret may be signed with this.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache

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
