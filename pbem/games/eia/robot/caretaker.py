"""The caretaker: holds what he has, feeds his corps, attacks nobody."""

from __future__ import annotations

import random

from pbem.games.eia.state import State
from pbem.kernel.order import Answer
from pbem.kernel.question import Question


def caretaker(view: State, question: Question[State], whim: random.Random) -> Answer:
    """What silence means: no march; corps are fed, reinforcements go where they are due, garrisons hold."""
    del whim
    return question.default(view)
