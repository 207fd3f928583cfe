"""The caretaker: saves a point a round, refills reduced units, shelters behind walls, and plays no card."""

from __future__ import annotations

import random

from pbem.games.nce.fight import Fight
from pbem.games.nce.orders import Lead, Second
from pbem.games.nce.reactions import Interception, Response
from pbem.games.nce.replies import Done, Evade, IntoFortress, LetPass, Stand
from pbem.games.nce.state import State
from pbem.kernel.order import Answer
from pbem.kernel.question import Question

_TOO_MANY = 2
"""Odds against him beyond which he gives way."""


def caretaker(view: State, question: Question[State], whim: random.Random) -> Answer:
    """No march, no declaration, no negotiation, no card; an attacked force takes the safest way."""
    del whim
    if isinstance(question, Interception):
        return (LetPass(),)
    if isinstance(question, Response):
        return _shelter(view, question)
    if isinstance(question, Fight):
        kept = tuple(order for order in question.everything(view) if isinstance(order, (Lead, Second)))
        return kept or (Done(),)
    return question.default(view)


def _shelter(view: State, question: Response) -> Answer:
    """10.4: into the fortress; away from far stronger ones; otherwise he stands."""
    answers = list(question.legal(view))
    inside = next((answer for answer in answers if isinstance(answer[0], IntoFortress)), None)
    if inside is not None:
        return inside
    if question.steps > _TOO_MANY * view.forces[question.force].strength:
        return next((answer for answer in answers if isinstance(answer[0], Evade)), (Stand(),))
    return (Stand(),)
