"""Robots: one that does anything legal, and one that plays to win."""

from __future__ import annotations

import random

from pbem.games.leipzig.actions import act
from pbem.games.leipzig.board import BOARD
from pbem.games.leipzig.choices import single_orders
from pbem.games.leipzig.orders import DrawPile
from pbem.games.leipzig.plan import Actions, Rehearsal, assume, run
from pbem.games.leipzig.state import State, actions_left, copy
from pbem.kernel.order import Answer, Condition, If, Order, Test
from pbem.kernel.question import Question


def at_random(view: State, question: Question, whim: random.Random) -> Answer:
    """Any legal answer; for the actions now several orders in one letter, now a plan with an IF."""
    if not isinstance(question, Actions):
        return whim.choice(list(question.legal(view)))
    style = whim.random()
    if style < 0.15:
        return _plan(view, question, whim)
    number = 1 if style < 0.5 else whim.randint(1, question.left)
    return _random_orders(view, whim, number)


def _random_orders(view: State, whim: random.Random, number: int) -> Answer:
    table = Rehearsal(copy(view))
    chosen: list[Order] = []
    while len(chosen) < number and actions_left(table.state):
        legal = list(single_orders(table.state))
        if not legal:
            break
        kind = whim.choice(sorted({type(order) for order in legal}, key=lambda kind: kind.__name__))
        order = whim.choice([order for order in legal if type(order) is kind])
        run(act(table, order))
        chosen.append(order)
    return tuple(chosen)


def _plan(view: State, question: Actions, whim: random.Random) -> Answer:
    """Draw, and play the card at once where it is of a terrain that helps."""
    if question.left < 2 or not view.pile:
        return _random_orders(view, whim, 1)
    terrain = whim.choice(sorted(BOARD.terrain_cards))
    condition = Condition((Test("drawn", "=", terrain),))
    after = copy(view)
    run(act(Rehearsal(after), DrawPile()))
    assume(after, after.side, condition)
    then = [o for o in single_orders(after) if getattr(o, "terrain", "") == terrain]
    if not then:
        return (DrawPile(),)
    plan = If(condition, (whim.choice(then),), (DrawPile(),))
    return (DrawPile(), plan)
