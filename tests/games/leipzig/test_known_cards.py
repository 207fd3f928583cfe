"""Of two like cards the one that the enemy knows of goes first: whether the log opens a card tells him nothing."""

from __future__ import annotations

from itertools import permutations

import pytest

from pbem.games.leipzig import cards
from pbem.games.leipzig import cases as positions
from pbem.games.leipzig.actions import movement_cards
from pbem.games.leipzig.board import BOARD, kind_of
from pbem.games.leipzig.state import State
from pbem.kernel.deck import Held
from pbem.kernel.table import Table
from tests.games.leipzig.helpers import Pseudo

SEEN, HIDDEN, ALSO_HIDDEN = Held("plain-1"), Held("plain-2", "g1/deal", 7), Held("plain-3", "g1/deal", 9)


def holding(*hand: Held) -> State:
    state = positions.build("battle", {}, {"side": "french"})
    state.hands[state.side] = list(hand)
    return state


@pytest.mark.parametrize("hand", [*permutations((SEEN, HIDDEN))])
def test_a_card_that_was_seen_is_spent_first_however_the_hand_is_sorted(hand: tuple[Held, ...]) -> None:
    state, chance = holding(*hand), Pseudo(1)
    table = Table(state, chance)
    cards.spend(table, [cards.find(state, "plain", "3.2")])
    assert chance.deals == [], "the log opens nothing that was hidden"
    assert state.hands[state.side] == [HIDDEN]
    cards.spend(table, [cards.find(state, "plain", "3.2")])
    assert chance.deals == [("g1/deal", 7, None)]


@pytest.mark.parametrize("hand", [*permutations((ALSO_HIDDEN, HIDDEN, SEEN))])
def test_a_pair_takes_the_card_that_was_seen(hand: tuple[Held, ...]) -> None:
    assert SEEN in cards.find_pair(holding(*hand), "plain", BOARD.terrain_cards)


@pytest.mark.parametrize("number", [1, 2])
def test_a_movement_takes_the_cards_that_were_seen(number: int) -> None:
    army = next(iter(BOARD.movers))
    kind = BOARD.movers[army][0]
    hidden, seen = Held(f"{kind}-2", "g1/deal", 7), Held(f"{kind}-1")
    state = holding(hidden, seen)
    for named in ((), (kind,)):
        found = movement_cards(state, army, named, number)
        assert found[0] == seen
        assert [kind_of(held.card) for held in found] == [kind] * number
