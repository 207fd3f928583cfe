"""STANDING: standing orders by letter, shown, set, cleared, and tried on what has happened."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from pbem.campaign.commands.standing_test import rehearse
from pbem.campaign.outgoing.dispatch import Note
from pbem.kernel.order import Order
from pbem.orders.commands import Command, standing_cleared
from pbem.orders.words import fold
from pbem.reports.report import PLAIN, TRIAL, Line, Section

if TYPE_CHECKING:
    from pbem.campaign.intake.seat_letter import Errands

MOST_STANDING = 50
_TEST = ("test", "essai", "tester", "essayer")


def standing(errands: Errands, item: Command) -> None:
    """STANDING in all its forms."""
    lines = [line for line in item.lines if line.strip()]
    if not lines or fold(lines[0]).strip(" :.") not in _TEST:
        _show_or_change(errands, item)
        return
    orders: list[Order] = list(errands.live.standing.get(errands.seat, ()))
    if len(lines) > 1:
        read = [_read(errands, line) for line in lines[1:]]
        if None in read:
            return
        orders = [order for order in read if order is not None]
    if not orders:
        errands.outcome.notes.append(Note("standing_none"))
        return
    rehearse(errands, orders)


def _read(errands: Errands, line: str) -> Order | None:
    """A standing order as it is written; what cannot be read is answered with why."""
    read = errands.standing_order(line)
    if isinstance(read, Order):
        return read
    errands.outcome.replies.append(errands.refused(line, read))
    return None


def _show_or_change(errands: Errands, item: Command) -> None:
    """STANDING: shows, sets or clears them."""
    current = list(errands.live.standing.get(errands.seat, ()))
    cleared = standing_cleared(item)
    if cleared is not None and item.trial:
        errands.outcome.notes.append(Note("standing_trial"))
    elif cleared is not None:
        _clear(errands, current, cleared)
    elif item.lines or item.argument:
        _set(errands, current, list(item.lines) or [item.argument], trial=item.trial)
    else:
        if not current:
            errands.outcome.notes.append(Note("standing_none"))
        lines = [Line(f"{n}. {errands.words.order(order)}") for n, order in enumerate(current, 1)]
        for order in errands.rules.defaults:
            text = errands.words.order(order)
            lines.append(Line(errands.words.phrase("words", "standing_default", text=text)))
        errands.outcome.sections.append(
            Section(errands.words.phrase("titles", "standing_orders"), tuple(lines))
        )


def _clear(errands: Errands, current: list[Order], number: int) -> None:
    if number == 0:
        errands.outcome.standing = []
        errands.outcome.notes.append(Note("standing_cleared"))
    elif number > len(current):
        errands.outcome.notes.append(Note("standing_no_such", {"n": number}))
    else:
        errands.outcome.standing = current[: number - 1] + current[number:]
        errands.outcome.notes.append(Note("standing_cleared_one", {"n": number}))


def _set(errands: Errands, current: list[Order], lines: list[str], *, trial: bool = False) -> None:
    """All of them, or none; one of the game's own kinds replaces the earlier one about the same thing.

    In a trial they are read and shown, and stay as they were.
    """
    orders: list[Order] = []
    replies: list[Line] = []
    bad = False
    for text in lines[:MOST_STANDING]:
        parsed = errands.standing_order(text)
        if isinstance(parsed, Order):
            orders.append(parsed)
            replies.append(Line(text, PLAIN))
        else:
            bad = True
            replies.append(errands.refused(text, parsed))
    if bad:
        errands.outcome.replies += replies
        name = errands.words.phrase("titles", "standing_orders")
        errands.outcome.notes.append(Note("all_or_nothing", {"question": name}))
        return
    if trial:
        errands.outcome.replies += [Line(errands.words.order(order), TRIAL) for order in orders]
        errands.outcome.notes.append(Note("standing_trial"))
        return
    replaced = {order.subject() for order in orders if isinstance(order, errands.rules.standing or ())}
    kept = [order for order in current if order.subject() not in replaced]
    errands.outcome.standing = (kept + orders)[:MOST_STANDING]
    for n, order in enumerate(errands.outcome.standing, 1):
        if order in orders:
            params: dict[str, str | int] = {"n": n, "text": errands.words.order(order)}
            errands.outcome.notes.append(Note("standing_set", params))


STANDING: dict[str, Callable[[Errands, Command], None]] = {"standing": standing}
