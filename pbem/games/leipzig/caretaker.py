"""The caretaker: calls up armies in their own villages, draws, and leaves every other decision to the player."""

from __future__ import annotations

import random

from pbem.games.leipzig.actions import act
from pbem.games.leipzig.choices import army_cards
from pbem.games.leipzig.orders import DrawPile, PlayArmy
from pbem.games.leipzig.plan import Actions
from pbem.games.leipzig.state import State, actions_left, copy
from pbem.kernel.order import Answer, Order
from pbem.kernel.plan import Rehearsal, rehearse
from pbem.kernel.question import Question


def caretaker(view: State, question: Question[State], whim: random.Random) -> Answer:
    """No marker moves or goes, no scout and no time card is spent: none of them comes back."""
    del whim
    if not isinstance(question, Actions):
        return question.default(view)
    table = Rehearsal(copy(view))
    chosen: list[Order] = []
    while actions_left(table.state):
        call = next((order for order in army_cards(table.state) if _whole(order)), None)
        if call is None:
            break
        rehearse(act(table, call))
        chosen.append(call)
    left = actions_left(table.state)
    drawable = min(left, len(table.state.pile) + len(table.state.discard))
    if drawable:
        chosen.append(DrawPile(drawable if drawable > 1 else 0))
    answer = tuple(chosen)
    return answer if answer and not question.check(view, answer) else question.default(view)


def _whole(order: Order) -> bool:
    """3.1: an army that has a marker for each of its villages costs no scout."""
    return isinstance(order, PlayArmy) and not order.villages
