"""5, 6: the interphase: war, hands, budget, diplomacy, moves before the rounds."""

from __future__ import annotations

from pbem.games.nce import score
from pbem.games.nce.cards import hands
from pbem.games.nce.desk import Desk
from pbem.games.nce.events import YearBegins
from pbem.games.nce.powers import budget, diplomacy, income, redeploy
from pbem.games.nce.powers.chancery import Chancery
from pbem.games.nce.powers.interphase_questions import Budget, Redeployment, Talks
from pbem.games.nce.questions import Hand, War
from pbem.games.nce.replies import Declare, Discard
from pbem.games.nce.state import COALITION, EMPIRE, SEATS


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
