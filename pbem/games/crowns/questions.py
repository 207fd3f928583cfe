"""What players are asked: the cabinet's letter for each power, whether a plan is to change, and each battle."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import ClassVar

from pbem.games.crowns.board import BOARD, NEIGHBOURS
from pbem.games.crowns.orders import CABINET, Assault, BidCrown, Buy, Hold, March, Raise, Retire, Sell, Stand
from pbem.games.crowns.state import State
from pbem.kernel.order import Answer, Fact, Order
from pbem.kernel.problem import Problem
from pbem.kernel.question import Question

PRICE = 2
"""What a regiment costs."""
MOST_ORDERS = 20


class _Planned(Question[State], frozen=True):
    """A letter of orders for one power."""

    power: str
    orders: ClassVar[tuple[type[Order], ...]] = CABINET
    about = {"power": "power"}
    most_orders = MOST_ORDERS

    def facts(self, view: State) -> dict[str, Fact]:
        return {
            "turn": view.turn,
            "gold": view.powers[self.power].gold,
            "regiments": view.regiments(self.power),
        }

    def menu(self, view: State) -> list[Order]:
        return [order for answer in islice(self.legal(view), 60) if len(answer) == 1 for order in answer]

    def check(self, view: State, answer: Answer) -> list[Problem]:
        return list(problems(view, self.power, answer))


class Cabinet(_Planned, frozen=True):
    """2: everything that a power does this turn, in one letter."""

    def legal(self, view: State) -> Iterator[Answer]:
        one = view.powers[self.power]
        yield (Hold(),)
        capital = BOARD.capitals[self.power]
        if view.owner[capital] == self.power:
            yield from ((Raise(n),) for n in range(1, min(one.gold // PRICE, 4) + 1))
        yield from ((march,) for march in marches(view, self.power))
        if one.grain:
            yield from ((Sell(1, price),) for price in (1, 2, 3))
        if one.gold:
            yield (Buy(1, 1),)
        if view.crown_is_sold() and one.gold:
            yield from ((BidCrown(n),) for n in range(1, min(one.gold, 6) + 1))


class Revise(_Planned, frozen=True):
    """3.2: somebody has come before one of its provinces; silence means that the plan is kept."""

    plan: Answer = ()
    area: str = ""
    orders = (Hold, March)
    on_wish = True

    def legal(self, view: State) -> Iterator[Answer]:
        yield self.default(view)
        yield (Hold(),)
        yield from ((march,) for march in marches(view, self.power))

    def default(self, view: State) -> Answer:
        return tuple(order for order in self.plan if isinstance(order, (Hold, March))) or (Hold(),)

    def check(self, view: State, answer: Answer) -> list[Problem]:
        # What was planned may have become impossible: it is not carried out, and that is no fault of the letter.
        return [] if answer == self.default(view) else list(problems(view, self.power, answer))


class Battle(Question[State], frozen=True):
    """4: one side of one battle."""

    power: str
    area: str
    attacking: bool
    orders = (Assault, Stand, Retire)
    about = {"power": "power", "area": "area"}

    def legal(self, view: State) -> Iterator[Answer]:
        yield (Assault(),) if self.attacking else (Stand(),)
        yield (Retire(),)

    def facts(self, view: State) -> dict[str, Fact]:
        return {"turn": view.turn, "attacking": self.attacking, "area": self.area}


def marches(view: State, power: str) -> Iterator[March]:
    """Each way out of each province, with all its regiments and with one less."""
    for start in view.held(power):
        for to in sorted(NEIGHBOURS[start]):
            if view.troops[start] > 0 and not _friendly(view, power, to):
                yield March(view.troops[start], start, to)
                if view.troops[start] > 1:
                    yield March(view.troops[start] - 1, start, to)


def _friendly(view: State, power: str, area: str) -> bool:
    other = view.owner[area]
    return other not in ("", power) and bool(view.hand(power)) and view.hand(other) == view.hand(power)


def problems(view: State, power: str, answer: Sequence[Order]) -> Iterator[Problem]:
    """2: what is wrong with a power's orders, all together."""
    one = view.powers[power]
    gold, grain = one.gold, one.grain
    left = {area: view.troops[area] for area in view.held(power)}
    capital = BOARD.capitals[power]
    for n, order in enumerate(answer):
        if isinstance(order, Raise):
            gold -= PRICE * order.n
            if capital not in left:
                yield Problem("no_capital", "2.1", params={"area": capital}, order=n)
            else:
                left[capital] += order.n
        elif isinstance(order, March):
            if order.start not in left:
                yield Problem("not_yours", "2.2", params={"area": order.start}, order=n)
            elif order.to not in NEIGHBOURS[order.start]:
                yield Problem("not_adjacent", "2.2", params={"start": order.start, "to": order.to}, order=n)
            elif _friendly(view, power, order.to):
                yield Problem("own_ally", "2.2", params={"area": order.to}, order=n)
            elif left[order.start] < order.n:
                yield Problem(
                    "too_few", "2.2", params={"area": order.start, "have": left[order.start]}, order=n
                )
            else:
                left[order.start] -= order.n
        elif isinstance(order, Sell):
            grain -= order.n
        elif isinstance(order, Buy):
            gold -= order.n * order.price
        elif isinstance(order, BidCrown):
            gold -= order.n
            if not view.crown_is_sold():
                yield Problem("no_crown", "2.4", order=n)
    if gold < 0:
        yield Problem(
            "no_gold", "2", params={"have": one.gold, "need": one.gold - gold}, order=len(answer) - 1
        )
    if grain < 0:
        yield Problem("no_grain", "2.3", params={"have": one.grain}, order=len(answer) - 1)
