"""5, 6: the interphase: war, hands, budget, diplomacy, moves before the rounds."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.nce import score
from pbem.games.nce.cards import hands
from pbem.games.nce.cards import interpreter as cards
from pbem.games.nce.cards.reaction_cards import police
from pbem.games.nce.desk import Desk
from pbem.games.nce.events import CardSpent, YearBegins
from pbem.games.nce.land.tempo import Grant
from pbem.games.nce.orders import MARCHES, EndWar, Negotiate, PlayEvent, Protect
from pbem.games.nce.plan import RoundPlan, end_war, protect
from pbem.games.nce.powers import budget, diplomacy, income, parting, redeploy
from pbem.games.nce.questions import Budget, Hand, Redeployment, Talks, War
from pbem.games.nce.replies import Declare, Discard, Done, FreeTalk
from pbem.games.nce.state import COALITION, EMPIRE, SEATS, State
from pbem.kernel.order import Answer, Order
from pbem.kernel.plan import Plan, Refused

MOST_CARDS = 2


async def interphase(desk: Desk) -> None:
    """6: A1 to A6."""
    state = desk.state
    desk.tell(YearBegins(year=state.year, vp=state.vp, escalation=state.escalation, rule="5"))
    await declarations(desk)
    await new_hands(desk)
    await budgets(desk)
    await talks(desk)
    await redeployment(desk)


async def declarations(desk: Desk) -> None:
    """6.1: the Coalition, then the Empire."""
    state = desk.state
    state.phase = "war"
    for side in (COALITION, EMPIRE):
        state.active = side
        answer = await desk.ask(War(key=desk.label("war", side), seat=side, rule="6.1", year=state.year))
        for order in answer:
            if isinstance(order, Declare) and not diplomacy.declare_problem(state, side, order.country)[0]:
                diplomacy.declare(desk, side, order.country)


async def new_hands(desk: Desk) -> None:
    """6.2.1, 6.1.6: discards, sealed; then each hand up to its entitlement; the second deck when it is due (7.1.3)."""
    state = desk.state
    state.phase = "hands"
    if state.escalation >= score.CHATIMENTS:
        hands.chatiments(desk)
    hands.put_permanents_aside(state)
    answers = await desk.ask_all(
        [
            Hand(key=desk.label("hand", side), seat=side, rule="6.2.1", sealed=True, year=state.year)
            for side in SEATS
        ]
    )
    for side in SEATS:
        for order in answers[side]:
            if isinstance(order, Discard):
                hands.discard(desk, side, list(order.cards))
        hands.put_permanents_aside(state)
        hands.build_hand(desk, side)


async def budgets(desk: Desk) -> None:
    """6.3: both sides at once; the managers spend for their powers."""
    state = desk.state
    state.phase = "budget"
    income.open_budgets(desk)
    answers = await desk.ask_all(
        [
            Budget(key=desk.label("budget", side), seat=side, rule="6.3", sealed=True, year=state.year)
            for side in SEATS
        ]
    )
    for side in (COALITION, EMPIRE):
        before = set(state.hands[side])
        treasury = budget.Treasury(desk, side)
        await treasury.run(answers[side])
        if set(state.hands[side]) - before:
            await _with_new_cards(desk, treasury)
    state.resources = {}


async def _with_new_cards(desk: Desk, treasury: budget.Treasury) -> None:
    """6.3.14: cards drawn in this phase may be played at once, and what they bring be spent."""
    side = treasury.seat
    answer = await desk.ask(
        Budget(key=desk.label("budget", side), seat=side, rule="6.3.14", year=desk.state.year, again=True)
    )
    await treasury.run(answer)


async def talks(desk: Desk) -> None:
    """6.4: the Coalition, then the Empire."""
    state = desk.state
    state.phase = "diplomacy"
    for side in (COALITION, EMPIRE):
        if not state.hands[side] and not state.free_talks.get(side):
            continue
        state.active = side
        answer = await desk.ask(Talks(key=desk.label("talks", side), seat=side, rule="6.4", year=state.year))
        await Chancery(desk, side).run(answer)
    state.free_talks = {}


async def redeployment(desk: Desk) -> None:
    """6.5.1, 6.6.1: managed neutrals and forces at war."""
    state = desk.state
    state.phase = "redeployment"
    state.moves = []
    answers = await desk.ask_all(
        [
            Redeployment(key=desk.label("moves", side), seat=side, rule="6.6", sealed=True, year=state.year)
            for side in SEATS
        ]
    )
    await redeploy.redeployment(desk, answers)


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
