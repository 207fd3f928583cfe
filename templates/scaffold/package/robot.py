"""Who can play by himself, from what a seat may know."""

from __future__ import annotations

import random

from NAME.board import DISTANCE, TOWNS
from NAME.orders import Hold, March
from NAME.state import State, other

from pbem.kernel.order import Answer
from pbem.kernel.question import Question


def at_random(view: State, question: Question[State], whim: random.Random) -> Answer:
    """Anything legal."""
    return whim.choice(list(question.legal(view)))


def sensible(view: State, question: Question[State], whim: random.Random) -> Answer:
    """To the town that is worth most and not his own, rather away from the enemy."""
    here, enemy = view.at[question.seat], view.at[other(question.seat)]

    def worth(town: str) -> tuple[int, int, float]:
        gain = TOWNS[town].points if view.holder.get(town) != question.seat else 0
        return gain, DISTANCE[town][enemy], whim.random()

    best = max((here, *TOWNS[here].neighbours), key=worth)
    return (Hold(),) if best == here else (March(best),)


def caretaker(view: State, question: Question[State], whim: random.Random) -> Answer:
    """Plays for whoever is silent: he holds."""
    return (Hold(),)
