"""Losses: taken in an order of priority, or split in proportion."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeVar

K = TypeVar("K")


def by_priority(have: Mapping[K, int], number: int, order: Iterable[K] = ()) -> dict[K, int]:
    """What is lost of each kind: all of the first kind in that order, then of the next, until the number is reached.

    Kinds that the order does not name come last, as they stand in `have`. Less is lost where there is not so much.

    >>> by_priority({"infantry": 5, "cavalry": 2, "guard": 1}, 4, ["cavalry", "infantry"])
    {'cavalry': 2, 'infantry': 2}
    """
    lost: dict[K, int] = {}
    for kind in dict.fromkeys([*order, *have]):
        if taken := min(have.get(kind, 0), number - sum(lost.values())):
            lost[kind] = taken
    return lost


def proportional(have: Mapping[K, int], number: int) -> dict[K, int]:
    """The number split as the shares stand to each other, in whole numbers, none over its share.

    What is left after rounding down goes to the largest remainders; where they are equal, to who comes first.

    >>> proportional({"I Corps": 10, "III Corps": 5}, 4)
    {'I Corps': 3, 'III Corps': 1}
    """
    total = sum(have.values())
    number = min(number, total)
    if number <= 0:
        return {}
    lost = {kind: number * share // total for kind, share in have.items()}
    left = number - sum(lost.values())
    for kind in sorted(have, key=lambda kind: -(number * have[kind] % total))[:left]:
        lost[kind] += 1
    return {kind: taken for kind, taken in lost.items() if taken}


def without(have: Mapping[K, int], lost: Mapping[K, int]) -> dict[K, int]:
    """What is left; kinds of which nothing is left are gone. Raises ValueError where more is lost than there is."""
    left = {kind: number - lost.get(kind, 0) for kind, number in have.items()}
    if any(number < 0 for number in left.values()) or any(lost[kind] for kind in lost if kind not in have):
        raise ValueError("more is lost than there is")
    return {kind: number for kind, number in left.items() if number}
