"""STANDING: standing orders by letter, shown, set, cleared, and tried on what has happened."""

from __future__ import annotations

from pbem.campaign.commands.standing_test import rehearse
from pbem.campaign.intake.request import Declaration, Request
from pbem.campaign.outgoing.dispatch import Note
from pbem.kernel.order import Order
from pbem.orders.commands import ANYTHING, PLAYERS, STANDING_LINES, Command, standing_cleared
from pbem.orders.words import fold
from pbem.reports.report import PLAIN, TRIAL, Line, Section

MOST_STANDING = 50
_TEST = ("test", "essai", "tester", "essayer")


def standing(request: Request, item: Command) -> None:
    """STANDING in all its forms."""
    lines = [line for line in item.lines if line.strip()]
    if not lines or fold(lines[0]).strip(" :.") not in _TEST:
        _show_or_change(request, item)
        return
    orders: list[Order] = list(request.live.standing.get(request.seat, ()))
    if len(lines) > 1:
        read = [_read(request, line) for line in lines[1:]]
        if None in read:
            return
        orders = [order for order in read if order is not None]
    if not orders:
        request.note("standing_none")
        return
    rehearse(request, orders)


def _read(request: Request, line: str) -> Order | None:
    """A standing order as it is written; what cannot be read is answered with why."""
    read = request.standing_order(line)
    if isinstance(read, Order):
        return read
    request.result.replies.append(request.refused(line, read))
    return None


def _show_or_change(request: Request, item: Command) -> None:
    """STANDING: shows, sets or clears them."""
    current = list(request.live.standing.get(request.seat, ()))
    cleared = standing_cleared(item)
    if cleared is not None and item.trial:
        request.note("standing_trial")
    elif cleared is not None:
        _clear(request, current, cleared)
    elif item.lines or item.argument:
        _set(request, current, list(item.lines) or [item.argument], trial=item.trial)
    else:
        if not current:
            request.note("standing_none")
        lines = [Line(f"{n}. {request.words.order(order)}") for n, order in enumerate(current, 1)]
        for order in request.rules.defaults:
            text = request.words.order(order)
            lines.append(Line(request.words.phrase("words", "standing_default", text=text)))
        request.result.sections.append(
            Section(request.words.phrase("titles", "standing_orders"), tuple(lines))
        )


def _clear(request: Request, current: list[Order], number: int) -> None:
    if number == 0:
        request.result.standing = []
        request.note("standing_cleared")
    elif number > len(current):
        request.result.notes.append(Note("standing_no_such", {"n": number}))
    else:
        request.result.standing = current[: number - 1] + current[number:]
        request.result.notes.append(Note("standing_cleared_one", {"n": number}))


def _set(request: Request, current: list[Order], lines: list[str], *, trial: bool = False) -> None:
    """All of them, or none; one of the game's own kinds replaces the earlier one about the same thing.

    In a trial they are read and shown, and stay as they were.
    """
    orders: list[Order] = []
    replies: list[Line] = []
    bad = False
    for text in lines[:MOST_STANDING]:
        parsed = request.standing_order(text)
        if isinstance(parsed, Order):
            orders.append(parsed)
            replies.append(Line(text, PLAIN))
        else:
            bad = True
            replies.append(request.refused(text, parsed))
    if bad:
        request.result.replies += replies
        name = request.words.phrase("titles", "standing_orders")
        request.result.notes.append(Note("all_or_nothing", {"question": name}))
        return
    if trial:
        request.result.replies += [Line(request.words.order(order), TRIAL) for order in orders]
        request.note("standing_trial")
        return
    replaced = {order.subject() for order in orders if isinstance(order, request.rules.standing or ())}
    kept = [order for order in current if order.subject() not in replaced]
    request.result.standing = (kept + orders)[:MOST_STANDING]
    for n, order in enumerate(request.result.standing, 1):
        if order in orders:
            params: dict[str, str | int] = {"n": n, "text": request.words.order(order)}
            request.result.notes.append(Note("standing_set", params))


STANDING = Declaration(
    "standing",
    standing,
    ("standing",),
    ("permanent", "permanents", "consignes", "consigne"),
    ANYTHING,
    body=STANDING_LINES,
    who=PLAYERS,
)
