"""2: the one decision of a turn. All methods see only the view of the seat that is asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from NAME.board import TOWNS
from NAME.orders import Hold, March
from NAME.state import State, other

from pbem.kernel.order import Answer, Fact
from pbem.kernel.problem import ILLEGAL, Problem
from pbem.kernel.question import Question


class Marching(Question[State], frozen=True, kw_only=True):
    """2: where to; sealed until both have answered (2.3)."""

    orders = (March, Hold)

    def legal(self, view: State) -> Iterator[Answer]:
        """Silence means the first: hold."""
        yield (Hold(),)
        for town in TOWNS[view.at[self.seat]].neighbours:
            yield (March(town),)

    def check(self, view: State, answer: Answer) -> list[Problem]:
        """2.1: only along a road."""
        (order,) = answer
        roads = TOWNS[view.at[self.seat]].neighbours
        if isinstance(order, March) and order.to not in roads:
            near = tuple(March(town) for town in roads)
            return [Problem("no_road", "2.1", ILLEGAL, params={"town": order.to}, nearest=near)]
        return []

    def facts(self, view: State) -> Mapping[str, Fact]:
        """What WHEN and IF may test."""
        return {
            "turn": view.turn,
            "at": view.at[self.seat],
            "enemy": view.at[other(self.seat)],
            "strength": view.strength[self.seat],
        }
