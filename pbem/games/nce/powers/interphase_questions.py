"""6.3, 6.4, 6.5, 21: the decision points of the interphase that are rehearsed: budgets, diplomacy, moves."""

from __future__ import annotations

from collections.abc import Coroutine, Iterator, Mapping
from typing import Any

from pbem.games.nce.cards.hands import card_value
from pbem.games.nce.cards.interpreter import playable
from pbem.games.nce.charts import CARDS, COUNTRIES, UNITS
from pbem.games.nce.desk import Desk, Rehearsed
from pbem.games.nce.orders import (
    MARCHES,
    EndWar,
    LossOrder,
    Negotiate,
    PlayEvent,
    Protect,
    SpendDepot,
)
from pbem.games.nce.powers import diplomacy
from pbem.games.nce.powers.budget import Treasury
from pbem.games.nce.powers.chancery import Chancery
from pbem.games.nce.powers.redeploy import Transfers
from pbem.games.nce.powers.substitutes import to_raise
from pbem.games.nce.questions import QUIET, Quiet
from pbem.games.nce.replies import (
    BUDGET,
    Done,
    FreeTalk,
    LiftDepot,
    MoveFleet,
    Redeploy,
    Restore,
)
from pbem.games.nce.standing import UsualPolicy
from pbem.games.nce.state import HIDDEN, State
from pbem.kernel.order import Answer, Fact, Order
from pbem.kernel.policy import Policy


class Budget(Quiet, Rehearsed, frozen=True, kw_only=True):
    """6.3: P3: the budgets of all powers that a side manages."""

    year: int
    again: bool = False
    """6.3.14: cards were drawn in this phase; nothing more is spent unless its player wants to be asked."""
    most_orders = 80
    orders = (*BUDGET, PlayEvent)

    def _comes_again(self, view: State, order: UsualPolicy) -> bool:
        return self.again

    policies = (QUIET, Policy(UsualPolicy, (Done(),), given=_comes_again))

    def facts(self, view: State) -> Mapping[str, Fact]:
        return {"year": self.year, "new_cards": self.again, "cards": len(view.hands[self.seat])}

    def legal(self, view: State) -> Iterator[Answer]:
        yield (Done(),)
        for order in self.restorations(view):
            yield (order,)

    def menu(self, view: State) -> list[Order]:
        """What is legal by itself, and the units that may be raised, each at a zone where nobody stands."""
        return [*super().menu(view), *to_raise(view, self.seat)]

    def restorations(self, view: State) -> list[Restore]:
        """Reduced units that may be restored and paid for, one at a time."""
        found = []
        for force in view.forces.values():
            for unit, steps in force.units.items():
                if steps < UNITS[unit].steps and not self.check(view, (Restore(unit),)):
                    found.append(Restore(unit))
        return found

    def carry_out(self, desk: Desk, answer: Answer) -> Coroutine[Any, Any, None]:
        return Treasury(desk, self.seat).run(answer)

    def default(self, view: State) -> Answer:
        """P3: restore reduced units, as far as the resources go."""
        if self.again:
            return (Done(),)
        chosen: Answer = ()
        for order in self.restorations(view):
            if not self.check(view, (*chosen, order)):
                chosen = (*chosen, order)
        return chosen or (Done(),)


def _value(order: Negotiate) -> int:
    return CARDS[order.card].value


class Talks(Quiet, Rehearsed, frozen=True, kw_only=True):
    """6.4: P4: at most two cards: diplomacy, protectorate, event, end of a foreign war."""

    year: int
    most_orders = 30
    orders = (Negotiate, FreeTalk, Protect, PlayEvent, EndWar, *MARCHES, Done)

    def legal(self, view: State) -> Iterator[Answer]:
        yield (Done(),)
        if view.free_talks.get(self.seat):
            for name in COUNTRIES:
                if not diplomacy.target_problem(view, self.seat, name, minors_only=False, free=True)[0]:
                    yield (FreeTalk(name),)
        for card in view.hands[self.seat]:
            if card == HIDDEN:
                continue
            for country in COUNTRIES.values():
                if country.kind in ("major", "minor"):
                    answer: Answer = (Negotiate(country.id, card),)
                    if card_value(view, self.seat, card) >= diplomacy.min_card(country.id) and not self.check(
                        view, answer
                    ):
                        yield answer

    def menu(self, view: State) -> list[Order]:
        """Each country once, with the card of least value that serves; then the events whose time it is."""
        chosen: dict[str, Negotiate] = {}
        others: list[Order] = []
        for order in super().menu(view):
            if not isinstance(order, Negotiate):
                others.append(order)
            elif order.country not in chosen or _value(order) < _value(chosen[order.country]):
                chosen[order.country] = order
        held = [card for card in view.hands[self.seat] if card != HIDDEN]
        events = [event for card in held for event in playable(view, self.seat, card, "diplomacy")]
        return [*others, *chosen.values(), *events]

    def carry_out(self, desk: Desk, answer: Answer) -> Coroutine[Any, Any, None]:
        return Chancery(desk, self.seat).run(answer)


class Redeployment(Quiet, Rehearsed, frozen=True, kw_only=True):
    """6.5, 6.6: P5, P6: moves of managed neutrals, and strategic redeployment."""

    year: int
    most_orders = 40
    orders = (Redeploy, MoveFleet, LiftDepot, SpendDepot, LossOrder, Done)

    def legal(self, view: State) -> Iterator[Answer]:
        yield (Done(),)

    def carry_out(self, desk: Desk, answer: Answer) -> Coroutine[Any, Any, None]:
        return Transfers(desk, self.seat).run(answer)
