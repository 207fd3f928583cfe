"""Ways over a board: distances, reach with costs and bars, nearest places, bodies of water, chains of links.

A board says what lies beside a place (`Near`) and what a step costs (`Cost`; None bars it). Everything else follows.
Results do not depend on the order of a set: ties go to the place that comes first.

>>> board = {"a": ("b", "c"), "b": ("a", "d"), "c": ("a", "d"), "d": ("b", "c")}
>>> reach(["a"], board.__getitem__).way("d")
('b', 'd')
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from typing import Generic, Protocol, Self, TypeVar


class Place(Hashable, Protocol):
    """What a board is made of: anything that can be looked up and put in order, as names or tuples of them."""

    def __lt__(self, other: Self, /) -> bool:
        """Which comes first, where two are equally far."""


P = TypeVar("P", bound=Place)
Near = Callable[[P], Iterable[P]]
Cost = Callable[[P, P], int | None]
"""What a step from one place to the next costs; None where it is barred."""


class Reach(Generic[P]):
    """How far places are from the nearest start, and by which way."""

    def __init__(self, cost: dict[P, int], came: dict[P, P]) -> None:
        self.cost = cost
        """The places reached, with what the cheapest way to each costs."""
        self.came = came
        """From where each is entered on that way; a start is entered from nowhere."""

    def __contains__(self, place: P) -> bool:
        return place in self.cost

    def way(self, to: P) -> tuple[P, ...]:
        """The cheapest way to a place, without its start; empty where there is none, and at a start."""
        return self.line(to)[1:]

    def line(self, to: P) -> tuple[P, ...]:
        """The same way with its start; empty where there is none."""
        if to not in self.cost:
            return ()
        line = [to]
        while line[-1] in self.came:
            line.append(self.came[line[-1]])
        return tuple(reversed(line))

    def nearest(self, among: Iterable[P]) -> list[P]:
        """Which of some places are nearest: several where they are equally far, in order; none that is not reached."""
        return nearest(self.cost, among)


def reach(
    starts: Iterable[P], near: Near[P], cost: Cost[P] | None = None, *, most: int | None = None
) -> Reach[P]:
    """The places within so many points; a step costs one where nothing else is said. Costs are never negative."""
    best: dict[P, int] = dict.fromkeys(starts, 0)
    came: dict[P, P] = {}
    heap = [(0, start) for start in best]
    heapq.heapify(heap)
    while heap:
        spent, here = heapq.heappop(heap)
        if spent > best[here]:
            continue
        for there in near(here):
            step = 1 if cost is None else cost(here, there)
            if step is None or (most is not None and spent + step > most):
                continue
            if there not in best or spent + step < best[there]:
                best[there], came[there] = spent + step, here
                heapq.heappush(heap, (spent + step, there))
    return Reach(best, came)


def nearest(far: Mapping[P, int], among: Iterable[P]) -> list[P]:
    """The nearest of some places by their distances: several where they are equally far, in order."""
    measured = sorted((far[place], place) for place in among if place in far)
    return [place for points, place in measured if points == measured[0][0]]


def within(starts: Iterable[P], near: Near[P], may: Callable[[P, P], bool] | None = None) -> dict[P, int]:
    """All places that can be reached, with the number of steps; `may` bars steps. In the order of discovery."""
    steps: dict[P, int] = dict.fromkeys(starts, 0)
    for here in (todo := list(steps)):
        for there in near(here):
            if there not in steps and (may is None or may(here, there)):
                steps[there] = steps[here] + 1
                todo.append(there)
    return steps


def bodies(places: Iterable[P], near: Near[P]) -> dict[P, P]:
    """The places that hang together, each with the first of its body, as seas do by open water."""
    inside = dict.fromkeys(places)
    body: dict[P, P] = {}
    for first in inside:
        if first not in body:
            body.update(dict.fromkeys(within([first], near, lambda _, there: there in inside), first))
    return body


def chain(
    first: Iterable[P], links: Callable[[P], Collection[P]], ends: Callable[[P], bool]
) -> tuple[P, ...]:
    """The shortest chain of links from one of the first to one that ends it; empty where there is none.

    So a supply line is traced: depots within reach of the force, from each those within reach of it, to a source.
    """
    came: dict[P, P | None] = dict.fromkeys(first)
    for here in (todo := list(came)):
        if ends(here):
            line, at = [here], came[here]
            while at is not None:
                line.append(at)
                at = came[at]
            return tuple(reversed(line))
        for there in links(here):
            if there not in came:
                came[there] = here
                todo.append(there)
    return ()
