"""7.5.1, 7.3.3: cards that a plan keeps for a moment of its activations: a battle, an evasion, a siege, a test."""

from __future__ import annotations

from pbem.games.nce.charts import CARDS
from pbem.games.nce.fight import LATE_WINDOWS
from pbem.games.nce.orders import CombatCards
from pbem.games.nce.replies import (
    AgainstEvasion,
    AgainstInterception,
    CounterMarch,
    Helped,
    OnEntry,
    SpendOn,
)
from pbem.kernel.order import Order


def moments(order: Order) -> tuple[str, ...]:
    """[window]: when the cards of an order that a plan keeps are played."""
    if isinstance(order, (AgainstEvasion, OnEntry)):
        return ("evasion",)
    if isinstance(order, AgainstInterception):
        return ("interception",)
    if isinstance(order, CounterMarch):
        return ("battle.countermarch",)
    if isinstance(order, Helped):
        return ("siege",)
    return ("attrition",) if isinstance(order, SpendOn) else ("battle.before_roll", *LATE_WINDOWS)


def named_cards(order: Order) -> tuple[str, ...]:
    """The cards that such an order names."""
    if isinstance(order, CombatCards):
        return order.cards
    card = order.what if isinstance(order, SpendOn) else getattr(order, "card", "")
    return (card,) if card in CARDS else ()


def at_its_moment(card: str) -> tuple[Order, ...]:
    """[window]: the line of a plan in which a card can stand."""
    windows = CARDS[card].windows
    if "evasion" in windows:
        return (AgainstEvasion(card),)
    if "interception" in windows:
        return (AgainstInterception(card),)
    return (Helped(card),) if "siege" in windows else ()
