"""ORDERS, CHECK and CLEAR: orders announced, tried, and taken back."""

from __future__ import annotations

from pbem.campaign.intake.order_lines import OrderLines
from pbem.campaign.intake.request import Declaration, Request
from pbem.kernel.game import WITHDRAWN, Given
from pbem.orders.commands import ANYTHING, ONE_WORD, PLAYERS, Command, OrderLine


def check(request: Request, item: Command) -> None:
    """CHECK order: whether it could stand. Without an order it makes a trial of what follows."""
    if item.argument:
        OrderLines(request).read([OrderLine(item.argument, trial=True)], trial=True)


def orders(request: Request, item: Command) -> None:
    """ORDERS only announces what follows."""


def clear(request: Request, item: Command) -> None:
    """CLEAR: orders that are in, or kept back, are taken back."""
    game = request.live.game
    waiting = [question for question in request.open_questions() if game.answered(question.key)]
    for question in waiting:
        request.result.givens.append(Given(question.key, request.seat, (), WITHDRAWN))
        request.note("withdrawn", question=request.words.question_name(question))
    if request.live.affairs.drafts.get(request.seat):
        request.note("draft_cleared")
        request.result.changes.append(lambda turn: turn.live.affairs.drafts.__setitem__(request.seat, []))
    elif not waiting:
        request.note("nothing_to_clear")


CHECK = Declaration(
    "check", check, ("check",), ("verifier", "controler", "controle", "essai"), ANYTHING, who=PLAYERS
)
ORDERS = Declaration("orders", orders, ("orders",), ("ordres",), ONE_WORD, who=PLAYERS, listed=False)
CLEAR = Declaration("clear", clear, ("clear",), ("annuler", "effacer"), ONE_WORD, whole=True, who=PLAYERS)
