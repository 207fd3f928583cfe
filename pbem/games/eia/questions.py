"""The decision points of a month: set-up, the month's letter, and a second look when the enemy has struck."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from pbem.games.eia import deployment, reinforce
from pbem.games.eia.battle_orders import PLAN
from pbem.games.eia.desk import Desk, rehearsed
from pbem.games.eia.events import ForecastMoney
from pbem.games.eia.land import odds, plan_check
from pbem.games.eia.orders import (
    DEPOTS,
    INTENTS,
    MONTH,
    MOVES,
    REINFORCE,
    SETUP,
    AsLastMonth,
    KeepPlan,
    March,
    Nothing,
    Ready,
)
from pbem.games.eia.slot import Slot, expanded, facts
from pbem.games.eia.state import State
from pbem.kernel.event import Event
from pbem.kernel.order import Answer, Fact, Order, answer_from_data
from pbem.kernel.plan import Planned
from pbem.kernel.policy import Policy, as_said
from pbem.kernel.problem import Problem
from pbem.kernel.question import Question

LETTER: tuple[type[Order], ...] = MONTH
MOST = 120


class SetUp(Question[State], frozen=True, kw_only=True):
    """13.1.1: the listed forces, distributed by their owner from a template."""

    orders = SETUP
    most_orders = MOST

    def legal(self, view: State) -> Iterator[Answer]:
        yield (Ready(),)
        yield tuple(self.template(view))

    def template(self, view: State) -> list[Order]:
        """All that may be changed."""
        return [order for power in view.of_seat(self.seat) for order in deployment.template(view, power)]

    def menu(self, view: State) -> list[Order]:
        return [Ready(), *self.template(view)]

    def check(self, view: State, answer: Answer) -> list[Problem]:
        return deployment.problems(view, view.of_seat(self.seat), answer)


class Letter(Planned[State], frozen=True, kw_only=True):
    """A letter that is checked by carrying it out on a copy of the view, hoping for the best."""

    month: str
    most_orders = MOST
    plans = True
    discreet = True
    begins: ClassVar[bool] = True
    """Whether reinforcements are still to come."""

    def rehearsed(self, view: State, answer: Answer) -> Sequence[Problem]:
        desk = rehearsal(view, self.seat, answer, begins=self.begins, orders=self.orders)
        return [*desk.problems, *plan_check.problems(desk.state, self.seat, answer)]

    def legal(self, view: State) -> Iterator[Answer]:
        yield self.default(view)
        for corps in view.corps.values():
            if view.seat_of(corps.power) == self.seat and not corps.hidden and not corps.march:
                for area in sorted(_near(view, corps.id)):
                    yield (March((corps.id,), (area,)),)

    def menu(self, view: State) -> list[Order]:
        return [Nothing(), AsLastMonth()]

    def default(self, view: State) -> Answer:
        return (Nothing(),)

    def facts(self, view: State) -> Mapping[str, Fact]:
        return facts(view, self.seat)


def _near(view: State, corps: str) -> list[str]:
    from pbem.games.eia.march import ways

    thing = view.corps[corps]
    if not view.free(thing) or thing.placed == view.month:
        return []
    reached = ways(view, thing, most=thing.move)
    return [area for area in reached.cost if area != thing.area]


class Month(Letter, frozen=True, kw_only=True):
    """3.2, 3.4: all orders of a month in one letter."""

    orders = MONTH


class Muster(Letter, frozen=True, kw_only=True):
    """5.2: tempo strict: what becomes of the reinforcements."""

    orders = (*REINFORCE, Nothing)
    plans = False


class Campaign(Letter, frozen=True, kw_only=True):
    """7.1.3: tempo strict: the orders of a slot, when it comes."""

    orders = (*DEPOTS, *MOVES, *INTENTS, *PLAN, AsLastMonth, Nothing)
    begins = False


class Revise(Letter, frozen=True, kw_only=True):
    """7.1.3: the enemy has struck before one's own slot: the orders hold, or new ones take their place."""

    orders = (*DEPOTS, *MOVES, *INTENTS, *PLAN, AsLastMonth, Nothing, KeepPlan)
    begins = False
    on_wish = True
    policies: ClassVar[tuple[Policy, ...]] = (Policy(KeepPlan, as_said),)

    def default(self, view: State) -> Answer:
        return (KeepPlan(),)

    def rehearsed(self, view: State, answer: Answer) -> Sequence[Problem]:
        if answer == (KeepPlan(),):
            return []
        return super().rehearsed(view, tuple(order for order in answer if not isinstance(order, KeepPlan)))


def last_letter(state: State, seat: str) -> Answer:
    """The orders of the month before."""
    import msgspec

    return answer_from_data(msgspec.json.decode(state.last.get(seat, "[]")), MONTH)


def rehearsal(
    view: State, seat: str, answer: Answer, *, begins: bool, orders: tuple[type[Order], ...]
) -> Desk:
    """The desk at which a letter was carried out on a copy of a view: what is wrong with it, and what it leads to."""
    del orders
    letter = expanded(view, seat, answer, last_letter(view, seat))
    plain = answer if len(letter) == len(answer) else letter

    async def run(desk: Desk) -> None:
        powers = desk.state.of_seat(seat)
        before = {power: desk.state.powers[power].money for power in powers}
        if begins:
            reinforce.money(desk, powers)
            before = {power: desk.state.powers[power].money for power in powers}
            muster(desk, seat, plain)
        slot = Slot(desk, powers, {seat: plain})
        slot.depots()
        after = {power: desk.state.powers[power].money for power in powers}
        await slot.moves()
        slot.supply()
        for power in powers:
            desk.note(
                ForecastMoney(
                    power=power,
                    depots=(before[power] - after[power]) / 2,
                    supply=(after[power] - desk.state.powers[power].money) / 2,
                    left=desk.state.powers[power].money / 2,
                    rule="7.4.2.1",
                )
            )

    return rehearsed(view, run)


def muster(desk: Desk, seat: str, letter: Answer) -> None:
    """5.2: the reinforcements of a seat's powers, by its letter; what it does not place goes where it is due."""
    from pbem.kernel.plan import Refused

    arrivals = reinforce.Arrivals(desk, seat)
    for number, order in enumerate(letter):
        if isinstance(order, REINFORCE):
            try:
                arrivals.step(order)
            except Refused as refused:
                desk.failed(seat, number, order, refused)
    arrivals.finish()


def forecast(view: State, seat: str, answer: Answer) -> list[Event]:
    """What CHECK tells of a letter: marches with their cost, supply, the money left, and the odds of its battles."""
    if view.phase == "setup" or any(isinstance(order, (*SETUP[:2], Ready)) for order in answer):
        return []
    desk = rehearsal(view, seat, answer, begins=view.phase == "orders", orders=LETTER)
    return [*desk.notes, *odds.forecasts(desk.state, seat, answer)]
