"""The caretaker: the card that is worth least, everybody holds, and whoever is attacked defends himself."""

from __future__ import annotations

import random

from pbem.games.ccn.orders import Halt
from pbem.games.ccn.questions import Advance, Turn
from pbem.games.ccn.standing import DEFAULTS
from pbem.games.ccn.state import State
from pbem.kernel.order import Answer
from pbem.kernel.question import Question


def caretaker(view: State, question: Question[State], whim: random.Random) -> Answer:
    """Nobody moves, attacks or takes ground; attacked units answer as the standing orders for everyone say."""
    del whim
    if isinstance(question, Turn):
        return question.default(view)
    if isinstance(question, Advance):
        return (Halt(),)
    followed = question.follow(view, DEFAULTS)
    return followed[0] if followed is not None else question.default(view)
