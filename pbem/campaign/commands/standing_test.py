"""STANDING TEST: what standing orders would have answered to the decisions that a seat has taken lately."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.campaign.commands.history import Moments
from pbem.campaign.intake.request import Request
from pbem.campaign.table import tables
from pbem.kernel.order import Order
from pbem.reports.report import Line, Section

_TURNS = 4
_MOST_LINES = 60


def rehearse(request: Request, orders: Sequence[Order]) -> None:
    """The seat's decisions of the last turns, each with what the standing orders would have made of it."""
    live, words, store = request.live, request.words, request.store
    moments = Moments(store, live.id)
    starts = [answers for answers, _ in moments.points]
    begin = starts[max(len(starts) - _TURNS, 0)] if starts else 0
    game = tables.position(store.load(live.id, at_answer=begin))
    lines = []
    for row in store.answers(live.id, after=begin):
        given = row.given(live.rules.orders)
        question = game.questions.get(given.key)
        if question is not None and given.seat == request.seat and given.answer:
            followed = question.follow(game.view(request.seat), orders)
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
        request.note("rehearsed_nothing")
        return
    title = words.phrase("titles", "rehearsal")
    request.result.sections.append(Section(title, tuple(Line(line) for line in lines[-_MOST_LINES:])))
