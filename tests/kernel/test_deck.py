"""Decks and hands: every card can be proved, and nothing of the old order is left."""

from __future__ import annotations

import pytest

from pbem.kernel.chance import Given
from pbem.kernel.deck import Deck, Held, show
from pbem.kernel.table import Table

CARDS = ["hill", "river", "time", "forest"]


class Dealt(Given):
    """Draws of a test, which remember what was shown to whom."""

    def __init__(self, decks: dict[str, list[str]]) -> None:
        super().__init__({}, decks)
        self.shown: list[tuple[str, int, str | None]] = []
        self.given: list[str] = []

    def shuffle(self, label: str, items: object, *, rule: str, secret: bool = False) -> tuple[str, ...]:
        assert secret
        self.given = list(items)  # type: ignore[call-overload]
        return super().shuffle(label, self.given, rule=rule, secret=secret)

    def deal(self, label: str, position: int, *, to: str | None) -> None:
        self.shown.append((label, position, to))


def test_cards_are_drawn_from_the_top_and_shown_with_their_place() -> None:
    chance = Dealt({"deck/1": ["time", "hill"]})
    table: Table[None] = Table(None, chance)
    deck = Deck.shuffled(table, "deck/1", CARDS, rule="2.5")
    assert chance.given == sorted(CARDS)
    assert [deck.draw(table, "red"), deck.draw(table, None)] == [
        Held("time", "deck/1", 0),
        Held("hill", "deck/1", 1),
    ]
    assert chance.shown == [("deck/1", 0, "red"), ("deck/1", 1, None)]
    assert (deck.drawn, deck.cards) == (2, ["forest", "river"])


def test_a_card_laid_open_is_proved_to_everyone() -> None:
    chance = Dealt({})
    table: Table[None] = Table(None, chance)
    show(table, Held("hill", "deck/1", 7))
    show(table, Held("scout"))
    assert chance.shown == [("deck/1", 7, None)]


def test_an_empty_deck_has_no_top() -> None:
    table: Table[None] = Table(None, Dealt({}))
    with pytest.raises(IndexError):
        Deck().draw(table, "red")
