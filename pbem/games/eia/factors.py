"""2.4.2, 7.3.3, 8.5.3: factors, as bags by kind: adding, taking, room, and what a garrison makes of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pbem.games.eia.board import KINDS, MOUNTED

Bag = dict[str, int]
"""Factors by kind: I infantry, M militia, C cavalry, Gd guard, A artillery, FI and FC feudal."""
ROOMS = {
    "im": ("I", "M"),
    "i": ("I",),
    "m": ("M",),
    "c": ("C",),
    "gd": ("Gd",),
    "a": ("A",),
    "fi": ("FI",),
    "fc": ("FC",),
}
"""2.4.2: which kinds share a box of a counter."""
GARRISON = ("I", "M")
"""7.3.3.3: what stands in a garrison."""


def total(bag: Mapping[str, int]) -> int:
    """All factors of a bag."""
    return sum(bag.values())


def cavalry(bag: Mapping[str, int]) -> int:
    """The mounted factors of a bag."""
    return sum(bag.get(kind, 0) for kind in MOUNTED)


def add(bag: Bag, more: Mapping[str, int]) -> None:
    """Put factors into a bag."""
    for kind, number in more.items():
        if number:
            bag[kind] = bag.get(kind, 0) + number


def take(bag: Bag, less: Mapping[str, int]) -> None:
    """Take factors out of a bag. Raises ValueError where they are not all there."""
    for kind, number in less.items():
        if bag.get(kind, 0) < number:
            raise ValueError(f"{number} {kind} of {bag}")
    for kind, number in less.items():
        left = bag.get(kind, 0) - number
        if left:
            bag[kind] = left
        else:
            bag.pop(kind, None)


def summed(bags: Iterable[Mapping[str, int]]) -> Bag:
    """All bags in one."""
    found: Bag = {}
    for bag in bags:
        add(found, bag)
    return found


def ordered(bag: Mapping[str, int]) -> Bag:
    """The same bag in the usual order of kinds, without empty ones."""
    return {kind: bag[kind] for kind in KINDS if bag.get(kind)}


def picked(bag: Mapping[str, int], number: int, order: Iterable[str]) -> Bag:
    """So many factors, by an order of kinds; fewer where the bag has fewer."""
    found: Bag = {}
    for kind in (*order, *KINDS):
        some = min(number, bag.get(kind, 0) - found.get(kind, 0))
        if some > 0:
            found[kind] = found.get(kind, 0) + some
            number -= some
    return found


def in_garrison(bag: Mapping[str, int]) -> Bag:
    """7.3.3.2: what factors become as a garrison: cavalry and guard are infantry for good."""
    found: Bag = {}
    for kind, number in bag.items():
        add(found, {kind if kind in GARRISON else "I": number})
    return found


def room(maxima: Mapping[str, int], bag: Mapping[str, int], kind: str) -> int:
    """2.4.2: how many more factors of a kind a counter has boxes for."""
    for name, kinds in ROOMS.items():
        if kind in kinds and name in maxima:
            return max(0, maxima[name] - sum(bag.get(other, 0) for other in kinds))
    return 0


def overfull(maxima: Mapping[str, int], bag: Mapping[str, int]) -> bool:
    """Whether a bag is more than a counter holds."""
    boxes = [kinds for name, kinds in ROOMS.items() if name in maxima]
    homeless = any(number and not any(kind in kinds for kinds in boxes) for kind, number in bag.items())
    return homeless or any(
        sum(bag.get(kind, 0) for kind in kinds) > maxima[name]
        for name, kinds in ROOMS.items()
        if name in maxima
    )
