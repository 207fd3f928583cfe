"""Decks of cards whose order nobody knows, and hands that can prove from where each card came.

state.deck = Deck.shuffled(table, "deck/1", cards, rule="2.5")
state.hands[seat].append(state.deck.draw(table, to=seat))     # the seat's letter carries the proof
show(table, held)                                             # laid open: everyone's does
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

import msgspec

from pbem.kernel.order import Seat
from pbem.kernel.table import Table

S = TypeVar("S")


class Held(msgspec.Struct, frozen=True, omit_defaults=True):
    """A card in a hand; label and position say from where in which secret deck it came."""

    card: str
    label: str = ""
    position: int = 0


class Deck(msgspec.Struct):
    """A draw pile: the label of its shuffle, what is left of it, and how many cards have been drawn."""

    label: str = ""
    cards: list[str] = []
    drawn: int = 0

    @classmethod
    def shuffled(cls, table: Table[S], label: str, cards: Iterable[str], *, rule: str) -> Deck:
        """A new pile; the cards are sorted before, so that nothing of their old order is left."""
        return cls(label, table.shuffle(label, sorted(cards), rule=rule, secret=True))

    def draw(self, table: Table[S], to: Seat | None) -> Held:
        """The top card, shown to a seat or to everyone with its proof. Raises IndexError where there is none."""
        held = Held(self.cards.pop(0), self.label, self.drawn)
        self.drawn += 1
        table.deal(held.label, held.position, to=to)
        return held


def show(table: Table[S], held: Held) -> None:
    """Show everyone a card, with its proof; one that came from no deck needs none."""
    if held.label:
        table.deal(held.label, held.position, to=None)
