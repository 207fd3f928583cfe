"""The sequence of play: a cabinet, the moves in their order, the battles, the income, a bulletin."""

from __future__ import annotations

from pbem.games.crowns import battles, market
from pbem.games.crowns.board import BOARD, NEIGHBOURS
from pbem.games.crowns.events import (
    Arrived,
    CipherGiven,
    GameWon,
    Income,
    Marched,
    NotDone,
    OrderSet,
    Paid,
    PowerFell,
    Raised,
    Threatened,
    TurnBegan,
)
from pbem.games.crowns.orders import CABINET, CLAUSES, BidCrown, March, Pay, Peace, Raise
from pbem.games.crowns.questions import PRICE, Cabinet, Revise
from pbem.games.crowns.state import Contest, State
from pbem.kernel.agreement import Agreement, AgreementBroken
from pbem.kernel.order import Answer, Order, to_data
from pbem.kernel.question import Question
from pbem.kernel.rounds import Round, in_turn
from pbem.kernel.rules import Outcome
from pbem.kernel.table import Table

MOST_GRAIN = 20


async def play(table: Table[State]) -> None:
    """The whole game; it can be entered anew at every checkpoint, by the phase."""
    state = table.state
    if state.turn == 1 and state.phase == "cabinet":
        for power in state.played():
            table.tell(CipherGiven(power=power, cipher=state.powers[power].cipher), [state.hand(power)])
    while not state.over:
        if state.phase == "cabinet":
            await cabinet(table)
        if state.phase == "moves":
            await moves(table)
        if state.phase == "battles":
            await battles.fight(table)
            state.phase = "income"
        income(table)
        end(table)
        await table.bulletin()


async def cabinet(table: Table[State]) -> None:
    """2: a sealed letter for each power; then agreements, the market and the crown, at once for all."""
    state = table.state
    table.tell(TurnBegan(turn=state.turn, crown=state.crown_is_sold(), rule="2"))
    questions = [
        Cabinet(
            key=f"t{state.turn}/cabinet/{power}", seat=state.hand(power), power=power, sealed=True, rule="2"
        )
        for power in state.played()
    ]
    answers = await table.ask_each(questions)
    plans = {question.power: answers[question.key] for question in questions}
    agree(table)
    market.trade(table, plans)
    state.bids = {
        power: order.n for power, plan in plans.items() for order in plan if isinstance(order, BidCrown)
    }
    market.sell_crown(table)
    for power, plan in plans.items():
        for order in plan:
            if isinstance(order, Raise):
                _raise(table, power, order)
    first_to_last = _order(table)
    table.tell(OrderSet(powers=tuple(first_to_last), rule="3.1"))
    state.round = Round.of(first_to_last, plans)
    state.phase = "moves"
    await table.checkpoint()


def agree(table: Table[State]) -> None:
    """5: what all have signed is in force; payments are made at once."""
    state = table.state
    for agreement in table.conclude(state.agreements, patience=2, public=True, dead=state.dead()):
        for clause in agreement.orders(CLAUSES):
            if isinstance(clause, Pay):
                payer, payee = state.powers[clause.payer], state.powers[clause.payee]
                amount = min(payer.gold, clause.amount)
                payer.gold -= amount
                payee.gold += amount
                told = Paid(
                    payer=clause.payer, payee=clause.payee, amount=amount, due=clause.amount, rule="5.2"
                )
                table.tell(told, {payer.hand, payee.hand} - {""})


def _raise(table: Table[State], power: str, order: Raise) -> None:
    """2.1: new regiments stand in the capital, as many as can still be paid for."""
    state, capital = table.state, BOARD.capitals[power]
    one = state.powers[power]
    n = min(order.n, one.gold // PRICE)
    if n < order.n:
        table.tell(NotDone(power=power, order=to_data(order), rule="2.1"), [one.hand])
    if n:
        one.gold -= PRICE * n
        state.troops[capital] += n
        table.tell(Raised(power=power, n=n, area=capital, rule="2.1"), [one.hand])


def _order(table: Table[State]) -> list[str]:
    """3.1: whoever holds least moves first; among equals a die decides."""
    state = table.state
    powers = state.played()
    dice = {power: table.roll(f"t{state.turn}/order/{power}", 1, 100, rule="3.1")[0] for power in powers}
    return sorted(powers, key=lambda power: (len(state.held(power)), dice[power], power))


async def moves(table: Table[State]) -> None:
    """3: the powers move one after the other, each from its own letter."""
    state = table.state

    async def act(power: str, plan: Answer) -> None:
        for order in plan:
            if isinstance(order, March):
                _march(table, power, order)

    def revise(power: str, plan: Answer) -> Question[State] | None:
        struck = next((one.area for one in state.contests if state.owner[one.area] == power), None)
        if struck is None:
            return None
        return Revise(
            key=f"t{state.turn}/revise/{power}",
            seat=state.hand(power),
            power=power,
            plan=plan,
            area=struck,
            rule="3.2",
        )

    await in_turn(table, state.round, CABINET, act, revise)
    state.phase = "battles"
    await table.checkpoint()


def _march(table: Table[State], power: str, order: March) -> None:
    """3.3: into a free province at once; before one that is held the regiments wait for the battle."""
    state = table.state
    owner = state.owner[order.to]
    possible = (
        state.owner[order.start] == power
        and state.troops[order.start] >= order.n
        and order.to in NEIGHBOURS[order.start]
        and all(one.area not in (order.to, order.start) for one in state.contests)
    )
    if not possible:
        _not_done(table, power, order)
        return
    state.troops[order.start] -= order.n
    table.tell(Marched(power=power, start=order.start, to=order.to, rule="3.3"))
    if owner == power:
        state.troops[order.to] += order.n
    elif state.troops[order.to] == 0:
        _break_peace(table, power, owner)
        state.owner[order.to], state.troops[order.to] = power, order.n
        hit = [state.hand(owner)] if owner and state.hand(owner) else []
        table.tell(Arrived(power=power, area=order.to, rule="3.3"), strikes=hit)
    else:
        _break_peace(table, power, owner)
        state.contests.append(Contest(order.to, power, order.start, order.n))
        hit = [state.hand(owner)] if owner and state.hand(owner) else []
        table.tell(Threatened(power=power, area=order.to, owner=owner, rule="3.3"), strikes=hit)


def _not_done(table: Table[State], power: str, order: Order) -> None:
    table.tell(NotDone(power=power, order=to_data(order), rule="3.3"), [table.state.hand(power)])


def peace_between(state: State, one: str, other: str) -> list[Agreement]:
    """5.1: the agreements of peace between the players of two powers."""
    seats = state.hand(one), state.hand(other) if other else ""
    if not all(seats):
        return []
    return [found for found in state.agreements.between(*seats) if Peace() in found.orders(CLAUSES)]


def _break_peace(table: Table[State], power: str, owner: str) -> None:
    """5.1: whoever marches on a party has broken the agreement, and everybody is told."""
    state = table.state
    for agreement in peace_between(state, power, owner):
        state.agreements.cancel(agreement.n)
        broken = AgreementBroken(n=agreement.n, seat=state.hand(power), parties=agreement.parties, rule="5.1")
        table.tell(broken, strikes=agreement.parties)


def income(table: Table[State]) -> None:
    """6: gold and grain for what is held; two regiments eat one grain, and whoever finds none goes home."""
    state = table.state
    for power in state.living():
        one, held = state.powers[power], state.held(power)
        gold = len(held) + (2 if BOARD.capitals[power] in held else 0)
        one.gold += gold
        one.grain = min(MOST_GRAIN, one.grain + len(held))
        need = (state.regiments(power) + 1) // 2
        deserted = 0
        while need > one.grain:
            area = max(held, key=lambda area: (state.troops[area], area))
            state.troops[area] -= 1
            deserted += 1
            need = (state.regiments(power) + 1) // 2
        one.grain -= need
        if one.hand:
            event = Income(power=power, gold=gold, grain=len(held) - need, deserted=deserted, rule="6")
            table.tell(event, [one.hand])


def end(table: Table[State]) -> None:
    """7: who is out; whether the game is over."""
    state = table.state
    for power in state.living():
        if not state.held(power) and not state.regiments(power):
            state.powers[power].out = True
            hand = state.hand(power)
            table.tell(PowerFell(power=power, rule="7.1"), strikes=[hand] if hand else [])
    state.turn += 1
    state.phase = "cabinet"
    alive = [seat for seat in state.seats if seat not in state.dead()]
    if state.turn > state.last or len(alive) < 2:
        state.over = True
        found = result(state)
        table.tell(GameWon(seats=found.winners, points=max(found.points.values()), rule="7.2"))


def result(state: State) -> Outcome:
    """7.2: the most points win, among those who are not out."""
    points = {seat: state.points(seat) for seat in state.seats}
    alive = [seat for seat in state.seats if seat not in state.dead()] or state.seats
    best = max(points[seat] for seat in alive)
    return Outcome(tuple(seat for seat in alive if points[seat] == best), points)


def outcome(state: State) -> Outcome | None:
    """How the game ended; None while it goes on."""
    return result(state) if state.over else None
