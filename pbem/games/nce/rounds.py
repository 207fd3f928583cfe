"""8.1: D0: the question of a round, and what CHECK foresees of an answer."""

from __future__ import annotations

from collections.abc import Coroutine, Iterator, Mapping
from typing import Any

from pbem.games.nce.cards.interpreter import playable
from pbem.games.nce.desk import Desk, Rehearsed, rehearsed
from pbem.games.nce.land import foresight
from pbem.games.nce.land.tempo import now
from pbem.games.nce.orders import LETTER, Activate, NoCard, PassTurn, Play
from pbem.games.nce.plan import WAITING_FACTS, RoundPlan, austrian_duty, duty_force
from pbem.games.nce.powers.ledger import spending, talking
from pbem.games.nce.replies import (
    BUDGET,
    AgainstEvasion,
    AgainstInterception,
    CounterMarch,
    Helped,
    OnEntry,
    SpendOn,
)
from pbem.games.nce.state import HIDDEN, State, copied
from pbem.kernel.event import Event
from pbem.kernel.order import Answer, Fact, Order


class Act(Rehearsed, frozen=True, kw_only=True):
    """8.1: D0: the action of a round in one plan."""

    year: int
    round: int
    most_orders = 60
    orders = (*LETTER, CounterMarch, AgainstEvasion, AgainstInterception, OnEntry, Helped, SpendOn)
    plans = True
    discreet = True

    def legal(self, view: State) -> Iterator[Answer]:
        """The actions by themselves; robots write whole plans."""
        yield (NoCard(),)
        yield (PassTurn(),)
        if not austrian_duty(view, self.seat):
            for card in view.hands[self.seat]:
                if card != HIDDEN:
                    yield (Play(card),)

    def menu(self, view: State) -> list[Order]:
        """The actions, events whose time it is, then the forces that may be activated: «3 9» is a card and a force."""
        held = [card for card in view.hands[self.seat] if card != HIDDEN]
        cards: list[Order] = [Play(card) for card in held]
        if not austrian_duty(view, self.seat):
            cards += (event for card in held for event in playable(view, self.seat, card, "activation"))
        bound = austrian_duty(view, self.seat)
        forces = sorted(view.of(self.seat), key=lambda force: -force.strength)
        ready: list[Order] = [
            Activate(force.name)
            for force in forces
            if force.acted != now(view)
            and not (force.inside and force.zone in view.siege)
            and (not bound or duty_force(view, force))
        ]
        return [NoCard(), PassTurn(), *cards, *ready]

    def carry_out(self, desk: Desk, answer: Answer) -> Coroutine[Any, Any, None]:
        return RoundPlan(desk, self.seat, answer).run()

    def default(self, view: State) -> Answer:
        """Silence: one point to the reserve."""
        return (NoCard(),)

    def facts(self, view: State) -> Mapping[str, Fact]:
        return {
            **WAITING_FACTS,
            "round": self.round,
            "year": self.year,
            "reserve": view.reserve[self.seat],
            "cards": len(view.hands[self.seat]),
        }


def forecast(view: State, seat: str, answer: Answer) -> list[Event]:
    """What CHECK tells of a plan: where forces end, chances of battles and sieges, from what the seat may know."""
    if view.phase == "budget" and any(isinstance(order, BUDGET) for order in answer):
        return spending(view, seat, answer)
    if view.phase == "diplomacy" and view.active == seat:
        return talking(view, seat, answer)
    if view.phase == "rounds" and view.active != seat:
        return foresight.attacked(copied(view), seat, answer)
    if view.phase != "rounds":
        return []
    return rehearsed(view, lambda desk: RoundPlan(desk, seat, answer).run()).notes
