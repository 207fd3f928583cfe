"""6.4: the diplomatic cards of a side, carried out or rehearsed."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.nce.cards import interpreter as cards
from pbem.games.nce.cards.reaction_cards import police
from pbem.games.nce.desk import Desk
from pbem.games.nce.events import CardSpent
from pbem.games.nce.land.tempo import Grant
from pbem.games.nce.orders import MARCHES, EndWar, Negotiate, PlayEvent, Protect
from pbem.games.nce.plan import RoundPlan, end_war, protect
from pbem.games.nce.powers import diplomacy, parting
from pbem.games.nce.replies import Done, FreeTalk
from pbem.games.nce.state import State
from pbem.kernel.order import Answer, Order
from pbem.kernel.plan import Plan, Refused

MOST_CARDS = 2


class Chancery:
    """A side's diplomacy being carried out, or rehearsed."""

    def __init__(self, desk: Desk, seat: str) -> None:
        self.desk, self.seat = desk, seat

    @property
    def state(self) -> State:
        """The position."""
        return self.desk.state

    async def run(self, answer: Answer) -> None:
        """6.4.1: each card in turn, at most two; attempts that a broken peace gives are free (9.1.3e)."""
        plan, used = Plan(enumerate(answer)), 0

        async def step(order: Order) -> None:
            nonlocal used
            if isinstance(order, FreeTalk):
                await self._free(order)
            elif not isinstance(order, Done):
                if used >= MOST_CARDS:
                    raise Refused("two_cards", "6.4.1", (Done(),))
                grants = await self._one(order)
                used += 1
                # 22.9: what an event activates in this phase (2C), by the orders behind it.
                marches = plan.take_while(MARCHES)
                if marches:
                    await RoundPlan(self.desk, self.seat, ()).granted(marches, grants)

        await self.desk.carry_out(self.seat, plan, step)

    async def _free(self, order: FreeTalk) -> None:
        """9.1.3e: an attempt without a card, with +2; even on a power in forced peace or alliance."""
        desk, state, country = self.desk, self.state, order.country
        if not state.free_talks.get(self.seat):
            raise Refused("no_free_talks", "9.1.3", country=country)
        code, rule = diplomacy.target_problem(state, self.seat, country, minors_only=False, free=True)
        if code:
            raise Refused(code, rule, country=country)
        state.free_talks[self.seat] -= 1
        against = await police(desk, self.seat, country)
        if diplomacy.negotiate(desk, self.seat, country, against=against, free=True):
            await parting.break_up(desk, country, self.seat)

    async def _one(self, order: Order) -> Sequence[Grant]:
        """6.4.1: one card; the activations that it gives."""
        desk, state = self.desk, self.state
        if isinstance(order, Negotiate):
            diplomacy.check_action(
                state, self.seat, order.country, order.card, minors_only=False, at=order.zones
            )
            state.spend_card(self.seat, order.card)
            desk.tell(CardSpent(side=self.seat, card=order.card, use="diplomacy", rule="9.2.4"))
            against = await police(desk, self.seat, order.country)
            diplomacy.negotiate(desk, self.seat, order.country, against=against, at=order.zones)
        elif isinstance(order, Protect):
            protect(desk, self.seat, order)
        elif isinstance(order, EndWar):
            end_war(desk, self.seat, order)
        elif isinstance(order, PlayEvent):
            return (await cards.play_event(desk, self.seat, order, "diplomacy")).grants
        elif isinstance(order, MARCHES):
            raise Refused("activate_first", "8.3")
        return ()
