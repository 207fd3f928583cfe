"""HELP: what is told of a card that a player names."""

from __future__ import annotations

from pbem.games.nce.charts import CARDS
from pbem.games.nce.events_views import CardShown
from pbem.kernel.event import Event


def lookup(kind: str, id: str) -> list[Event]:
    """7.2.1: the face of a card; nothing of other things."""
    card = CARDS.get(id) if kind == "card" else None
    if card is None:
        return []
    return [
        CardShown(
            card=id,
            value=card.value,
            phases=card.phases,
            windows=tuple(window for window in card.windows if window != "action"),
            leaves=card.after_event == "removed",
            once=card.after_event.startswith("event once"),
            rule="7.2.1",
        )
    ]
