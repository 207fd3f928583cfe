"""STANDING TEST: what standing orders would have answered to the decisions that a seat has taken lately."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pbem.campaign.commands.history import Moments
from pbem.campaign.outgoing.dispatch import Note
from pbem.campaign.table import tables
from pbem.kernel.order import Order
from pbem.reports.report import Line, Section

if TYPE_CHECKING:
    from pbem.campaign.intake.seat_letter import Errands

_TURNS = 4
_MOST_LINES = 60


def rehearse(errands: Errands, orders: Sequence[Order]) -> None:
    """The seat's decisions of the last turns, each with what the standing orders would have made of it."""
    live, words, store = errands.live, errands.words, errands.store
    moments = Moments(store, live.id)
    starts = [answers for answers, _ in moments.points]
    begin = starts[max(len(starts) - _TURNS, 0)] if starts else 0
    game = tables.position(store.load(live.id, at_answer=begin))
    lines = []
    for row in store.answers(live.id, after=begin):
        given = row.given(live.rules.orders)
        question = game.questions.get(given.key)
        if question is not None and given.seat == errands.seat and given.answer:
            followed = question.follow(game.view(errands.seat), orders)
            params = {
                "moment": moments.of(row.n),
                "question": words.question_name(question),
                "answer": "; ".join(words.order(order) for order in given.answer),
            }
            if followed is None:
                lines.append(words.phrase("notes", "rehearsed_asked", **params))
            else:
                would = "; ".join(words.order(order) for order in followed[0])
                by = words.order(followed[1])
                lines.append(words.phrase("notes", "rehearsed", would=would, by=by, **params))
        game.give(given)
    if not lines:
        errands.outcome.notes.append(Note("rehearsed_nothing"))
        return
    title = words.phrase("titles", "rehearsal")
    errands.outcome.sections.append(Section(title, tuple(Line(line) for line in lines[-_MOST_LINES:])))
