"""3.7: hands, the hidden pile, the four face-up cards and the discard."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from pbem.games.leipzig.board import UNKNOWN, kind_of
from pbem.games.leipzig.events import (
    CardDrawn,
    CardDrawnHidden,
    CardsDiscarded,
    PileShuffled,
    RowCardTaken,
    RowRefilled,
    RowRefreshed,
)
from pbem.games.leipzig.questions import Discard, discarded, excess_cards
from pbem.games.leipzig.state import SEATS, State, seat_of, turn_key
from pbem.kernel.deck import Held, show
from pbem.kernel.event import Expected
from pbem.kernel.plan import Refused
from pbem.kernel.table import Table

ROW = 4


def missing(state: State, kind: str, rule: str) -> Refused:
    """Why a card of a kind cannot be played: not in the hand, or not known to be."""
    unknown = any(held.card == UNKNOWN for held in state.hands[state.side])
    return Refused("card_unknown" if unknown else "no_card", rule, card=kind)


def seen_first(hand: Sequence[Held]) -> list[Held]:
    """3.7: cards of a hand, those first that everybody saw it take from the row.

    Which of two like cards is spent then follows from what everybody knows, and so does whether the log opens one.
    """
    return sorted(hand, key=lambda held: bool(held.label))


def _alike(state: State, kind: str) -> list[Held]:
    """The cards of that kind in the active hand, in the order in which they are spent."""
    return [held for held in seen_first(state.hands[state.side]) if kind_of(held.card) == kind]


def find(state: State, kind: str, rule: str) -> Held:
    """A card of that kind in the active hand. Raises Refused where there is none."""
    alike = _alike(state, kind)
    if not alike:
        raise missing(state, kind, rule)
    return alike[0]


def find_pair(state: State, kind: str, kinds: Collection[str], pairs: int = 1) -> list[Held]:
    """3.5: two identical cards of that kind, which must be one of `kinds`; or twice two."""
    if kind not in kinds:
        raise Refused("wrong_pair", "3.5", card=kind)
    pair = _alike(state, kind)[: 2 * pairs]
    if len(pair) < 2 * pairs:
        unknown = any(held.card == UNKNOWN for held in state.hands[state.side])
        raise Refused("card_unknown" if unknown else "no_pair", "3.5", card=kind, have=len(pair))
    return pair


def spend(table: Table[State], held: Sequence[Held], *, out_of_game: bool = False) -> None:
    """Lay cards of the active hand on the discard, or out of the game, for all to see."""
    state = table.state
    for card in held:
        state.hands[state.side].remove(card)
        show(table, card)
        (state.removed if out_of_game else state.discard).append(card.card)


def _top(table: Table[State], moment: str) -> Held | None:
    """3.7: the top card of the pile; an empty pile is made anew from the discard."""
    state = table.state
    if not state.pile:
        if not state.discard:
            return None
        label = f"{turn_key(state)}/pile/{moment}"
        state.pile = table.shuffle(label, sorted(state.discard), rule="3.7", secret=True)
        state.pile_label, state.pile_next, state.discard = label, 0, []
        table.tell(PileShuffled(count=len(state.pile), rule="3.7", draws=(label,)))
    held = Held(state.pile.pop(0), state.pile_label, state.pile_next)
    state.pile_next += 1
    return held


def draw_pile(table: Table[State], times: int) -> None:
    """3.7: cards from the hidden pile into the active hand."""
    state, side = table.state, table.state.side
    if len(state.pile) + len(state.discard) < times:
        raise Refused("pile_empty", "3.7", left=len(state.pile) + len(state.discard))
    seat = seat_of(state, side)
    drawn: list[str] = []
    pairs, mean, variance = 0, 0.0, 0.0
    for n in range(times):
        chance = chance_of_pair(state, side)
        kinds = {kind_of(held.card) for held in state.hands[side]}
        held = _top(table, str(state.done + n))
        assert held is not None
        pairs += kind_of(held.card) in kinds
        mean, variance = mean + chance, variance + chance * (1 - chance)
        table.deal(held.label, held.position, to=seat)
        state.hands[side].append(held)
        drawn.append(kind_of(held.card))
    state.drawn, state.drew_pile = drawn[-1], True
    others = [other for other in state.roles if other != seat]
    luck = (Expected(seat, "pairs", pairs, mean, variance),)
    table.tell(CardDrawn(side=side, cards=tuple(drawn), luck=luck, rule="3.7"), to=(seat,))
    table.tell(CardDrawnHidden(side=side, count=times, rule="3.7"), to=others)


def chance_of_pair(state: State, side: str) -> float:
    """3.5, 3.7: the chance that the next hidden card is the like of one in the hand, as far as its side can know.

    To it the pile and the cards that others drew from it are alike; the exact chance would tell who holds what.
    """
    kinds = {kind_of(held.card) for held in state.hands[side]}
    unseen = [*(state.pile or state.discard)]
    unseen += [held.card for hand in state.hands if hand != side for held in state.hands[hand] if held.label]
    return sum(kind_of(card) in kinds for card in unseen) / len(unseen) if unseen else 0.0


def place_in_row(state: State, kind: str) -> int:
    """3.7: where in the row the first card of that kind lies, counted from 1."""
    kinds = [kind_of(card) for card in state.row]
    if kind not in kinds:
        raise Refused("not_in_row", "3.7", card=kind, cards=tuple(kind for kind in kinds if kind))
    return kinds.index(kind) + 1


def draw_row(table: Table[State], number: int) -> None:
    """3.7: one of the face-up cards; its place stays empty until the end of the turn."""
    state, side = table.state, table.state.side
    if not 1 <= number <= len(state.row) or not state.row[number - 1]:
        raise Refused("row_place_empty", "3.7", number=number)
    card = state.row[number - 1]
    state.row[number - 1] = ""
    state.hands[side].append(Held(card))
    state.drawn, state.drew_row = kind_of(card), True
    table.tell(RowCardTaken(side=side, card=kind_of(card), number=number, rule="3.7"))


def _fill_row(table: Table[State], moment: str) -> list[str]:
    state = table.state
    new: list[str] = []
    for place in range(ROW):
        if place < len(state.row) and state.row[place]:
            continue
        held = _top(table, moment)
        if held is None:
            break
        table.deal(held.label, held.position, to=None)
        if place < len(state.row):
            state.row[place] = held.card
        else:
            state.row.append(held.card)
        new.append(kind_of(held.card))
    return new


async def discard_excess(table: Table[State]) -> None:
    """3.7: at the end of a turn a hand holds at most eight cards, scouts included."""
    state, side = table.state, table.state.side
    excess = excess_cards(state, side)
    if not excess:
        return
    key = f"{turn_key(state)}/discard"
    cards = discarded(await table.ask(Discard(key=key, seat=seat_of(state, side), excess=excess, rule="3.7")))
    for kind in cards:
        if kind == "scout":
            state.scouts[side] -= 1
            state.supply += 1
        else:
            spend(table, [find(state, kind, "3.7")])
    table.tell(CardsDiscarded(side=side, cards=cards, rule="3.7"))


def refill_row(table: Table[State]) -> None:
    """3.7, 8.3: fill the row; replace it where both sides drew hidden cards only for two turns each."""
    state = table.state
    new = _fill_row(table, "row")
    if new:
        table.tell(RowRefilled(cards=tuple(new), rule="3.7"))
    hidden_only = state.drew_pile and not state.drew_row
    state.hidden_turns[state.side] = state.hidden_turns[state.side] + 1 if hidden_only else 0
    if min(state.hidden_turns.values()) >= 2:
        state.hidden_turns = dict.fromkeys(state.hidden_turns, 0)
        state.discard += [card for card in state.row if card]
        state.row = []
        table.tell(RowRefreshed(cards=tuple(_fill_row(table, "refresh")), rule="8.3"))


def deal_hands(table: Table[State], cards: Sequence[str], label: str, each: int) -> dict[str, list[str]]:
    """2.3: shuffle the action cards, deal hands and lay out the row."""
    state = table.state
    state.pile = table.shuffle(label, cards, rule="2.3", secret=True)
    state.pile_label, state.pile_next = label, 0
    for _ in range(each):
        for seat in SEATS:
            held = _top(table, "deal")
            assert held is not None
            table.deal(held.label, held.position, to=seat)
            state.hands[state.roles[seat]].append(held)
    _fill_row(table, "deal")
    return {side: [kind_of(held.card) for held in hand] for side, hand in state.hands.items()}
