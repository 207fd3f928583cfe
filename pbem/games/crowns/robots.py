"""Who can play by himself: at random, sensibly, and the caretaker, who only holds."""

from __future__ import annotations

import random

from pbem.games.crowns.board import BOARD
from pbem.games.crowns.orders import Assault, BidCrown, Buy, Hold, Raise, Retire, Sell, Stand
from pbem.games.crowns.questions import PRICE, Battle, Cabinet, Revise, marches
from pbem.games.crowns.state import HIDDEN, State
from pbem.kernel.order import Answer, Order
from pbem.kernel.question import Question


def at_random(view: State, question: Question[State], whim: random.Random) -> Answer:
    """Any legal answer; several orders in a letter as long as they stand together."""
    legal = list(question.legal(view))
    if not isinstance(question, (Cabinet, Revise)):
        return whim.choice(legal)
    chosen: list[Order] = []
    for _ in range(whim.randint(1, 5)):
        (*order,) = whim.choice(legal)
        more = (*(one for one in chosen if not isinstance(one, Hold)), *order)
        if not question.check(view, more):
            chosen = list(more)
    return tuple(chosen) or (Hold(),)


def sensible(view: State, question: Question[State], whim: random.Random) -> Answer:
    """Raises what it can, takes what looks weak, sells what it does not eat."""
    if isinstance(question, Battle):
        return _stance(view, question)
    if isinstance(question, Revise):
        return question.default(view)
    if isinstance(question, Cabinet):
        answer = tuple(_cabinet(view, question.power, whim)) or (Hold(),)
        return answer if not question.check(view, answer) else (Hold(),)
    return question.default(view)


def _cabinet(view: State, power: str, whim: random.Random) -> list[Order]:
    one, orders = view.powers[power], list[Order]()
    gold = one.gold
    if view.crown_is_sold() and gold > 4:
        bid = min(gold // 2, 6)
        orders.append(BidCrown(bid))
        gold -= bid
    if view.owner[BOARD.capitals[power]] == power and gold >= PRICE:
        orders.append(Raise(min(gold // PRICE, 3)))
        gold -= PRICE * min(gold // PRICE, 3)
    if one.grain > view.regiments(power):
        orders.append(Sell(2, 1))
    elif gold and one.grain < 3:
        orders.append(Buy(1, 1))
    used: set[str] = set()
    ways = list(marches(view, power))
    whim.shuffle(ways)
    for march in ways:
        guess = view.troops[march.to]
        enemy = view.owner[march.to] != power
        if guess == HIDDEN:
            guess = 3
        if enemy and march.n > guess and march.start not in used:
            used.add(march.start)
            orders.append(march)
    return orders


def _stance(view: State, question: Battle) -> Answer:
    contest = next(one for one in view.contests if one.area == question.area)
    mine = contest.regiments if question.attacking else view.troops[question.area]
    theirs = view.troops[question.area] if question.attacking else contest.regiments
    if theirs != HIDDEN and mine + 3 < theirs:
        return (Retire(),)
    return (Assault(),) if question.attacking else (Stand(),)


def caretaker(view: State, question: Question[State], whim: random.Random) -> Answer:
    """Holds everywhere, and attacks nobody."""
    if isinstance(question, Battle):
        return (Retire(),) if question.attacking else (Stand(),)
    return (Hold(),)
