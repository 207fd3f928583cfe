"""6.2, 7.1: decks and hands."""

from __future__ import annotations

from pbem.games.nce.charts import CARDS, HAND_SOURCES, REGIONS
from pbem.games.nce.desk import Desk
from pbem.games.nce.events import (
    CardFetched,
    CardsDiscarded,
    CardsDrawn,
    ChatimentsBegin,
    HandGrew,
    PileShuffled,
)
from pbem.games.nce.land.supply import Network, zone_supplied
from pbem.games.nce.state import COALITION, EMPIRE, SEATS, State, enemy
from pbem.kernel.deck import Deck

LEAST, MOST = 6, 10
GRAND = 5
KEPT = ("24F", "25F")
"""6.2.1: the Empire may not discard these."""


def shuffle(desk: Desk, side: str, cards: list[str]) -> None:
    """7.1: a new draw pile."""
    if desk.table is None:
        return
    state = desk.state
    state.shuffles += 1
    label = f"deck/{side}/{state.shuffles}"
    state.piles[side] = Deck.shuffled(desk.table, label, cards, rule="7.1")
    desk.tell(PileShuffled(side=side, count=len(cards), rule="7.1"))


def draw(desk: Desk, side: str, number: int) -> list[str]:
    """7.1.2, 7.1.1: cards from the pile; it is made anew from the played cards, permanent ones apart, when empty."""
    state = desk.state
    if desk.table is None or number <= 0:
        return []
    drawn: list[str] = []
    for _ in range(number):
        pile = state.piles[side]
        if not pile.cards:
            put_permanents_aside(state)
            if not state.played[side]:
                break
            cards, state.played[side] = state.played[side], []
            shuffle(desk, side, cards)
            pile = state.piles[side]
        drawn.append(pile.draw(desk.table, to=side).card)
        state.hands[side].append(drawn[-1])
    if drawn:
        desk.tell(CardsDrawn(cards=tuple(drawn), rule="6.2.5"), to=(side,))
        desk.tell(HandGrew(side=side, count=len(drawn), hand=len(state.hands[side]), rule="6.2.5"))
    return drawn


def fetch(desk: Desk, side: str, card: str) -> None:
    """7.3: a named card from the draw pile, which is shuffled again, or from the played cards; nothing elsewhere."""
    state, pile = desk.state, desk.state.piles[side]
    if desk.table is None:
        return
    if card in pile.cards:
        pile.cards.remove(card)
        shuffle(desk, side, pile.cards)
    elif card in state.played[side]:
        state.played[side].remove(card)
    else:
        return
    state.hands[side].append(card)
    desk.tell(CardFetched(side=side, card=card, rule="7.3"))


def discard(desk: Desk, side: str, cards: list[str]) -> None:
    """6.2.1: cards to the played pile."""
    for card in cards:
        desk.state.spend_card(side, card)
    if cards:
        desk.tell(CardsDiscarded(side=side, cards=tuple(cards), rule="6.2.1"))


def zones_of(source: str) -> tuple[str, ...]:
    """The zones of a source of cards, regions spelt out."""
    found: list[str] = []
    for zone in HAND_SOURCES[source].zones:
        found += REGIONS[zone[7:]] if zone.startswith("region:") else [zone]
    return tuple(dict.fromkeys(found))


def gives(state: State, source: str, side: str, known: dict[str, Network]) -> bool:
    """6.2.2: whether a source gives a side its card."""
    record = HAND_SOURCES[source]
    if record.side not in (side, "both"):
        return False
    if record.needs_entity:
        # 9.3.1, 9.3.3: the union gives the card, unless the other side controls one of its places.
        exists = state.status.get(record.needs_entity) in ("created", "protectorate")
        return exists and all(_holder(state, zone, known) != enemy(side) for zone in zones_of(source))
    if source == "madrid" and state.flag("war_of_liberation"):
        return _madrid(state, side)
    return all(_counts(state, zone, side, record.control_suffices, known) for zone in zones_of(source))


def _holder(state: State, zone: str, known: dict[str, Network]) -> str:
    """3.2.6: who controls a zone; a marker counts in supply."""
    marker = state.control.get(zone)
    return marker if marker and zone_supplied(state, zone, marker, known) else state.home_side(zone)


def _counts(state: State, zone: str, side: str, control_suffices: bool, known: dict[str, Network]) -> bool:
    holder = _holder(state, zone, known)
    return holder == side and (control_suffices or state.home_side(zone) == side)


def card_value(state: State, side: str, card: str) -> int:
    """7.2.3: the value of a card, one more for the Grand Coalition in the Châtiments, combat cards excepted."""
    record = CARDS[card]
    grand = side == COALITION and state.period == "chatiments" and not record.cc
    return record.value + (1 if grand and len(state.majors(COALITION)) >= GRAND else 0)


def _madrid(state: State, side: str) -> bool:
    """6.2.2: in the war of Liberation: a king and two steps in Madrid for the Empire."""
    kings = any(
        {"joseph", "eugene", "jerome"} & set(force.generals) and force.strength >= 2
        for force in state.at("madrid", EMPIRE)
    )
    if side == EMPIRE:
        return kings
    return not kings and state.side_of("espagne") == COALITION and state.controller("madrid") != EMPIRE


def sources(state: State, side: str) -> list[str]:
    """6.2.2: what gives a side its cards now."""
    known: dict[str, Network] = {}
    return [source for source in HAND_SOURCES if gives(state, source, side, known)]


def entitlement(state: State, side: str) -> int:
    """6.2.3, 6.2.6, 6.2.7: the size of the hand."""
    count = len(sources(state, side)) + state.bonus_cards[side]
    if side == COALITION:
        count += 1 if state.flag("war_of_liberation") else 0
        hunting = any(place == "corsaires" for place in state.fleets.values())
        count -= 1 if state.flag("corsaires") and not hunting else 0
    unlimited = side == COALITION and "52C" in state.events
    return max(LEAST, count if unlimited else min(MOST, count))


def permanent_cards(state: State, side: str) -> list[str]:
    """6.2.4: permanent cards due now: of allied majors at war whose capital is free."""
    known: dict[str, Network] = {}
    due = []
    for source in HAND_SOURCES.values():
        card = source.permanent_card
        if card and CARDS[card].side == side and gives(state, source.id, side, known):
            due.append(card)
    return due


def build_hand(desk: Desk, side: str) -> None:
    """6.2.4, 6.2.5: permanent cards, then up to the entitlement; what is too much is discarded."""
    state = desk.state
    for card in permanent_cards(state, side):
        for place in (state.permanent[side], state.played[side]):
            if card in place:
                place.remove(card)
                state.hands[side].append(card)
    size = entitlement(state, side)
    state.bonus_cards[side] = 0
    hand = state.hands[side]
    if len(hand) > size:
        spare = [card for card in hand if card not in KEPT and not CARDS[card].permanent]
        spare.sort(key=lambda card: (CARDS[card].value, card))
        discard(desk, side, spare[: len(hand) - size])
    draw(desk, side, size - len(hand))


def put_permanents_aside(state: State) -> None:
    """7.1.1: permanent cards are never in the draw pile."""
    for side in SEATS:
        if state.scenario == "1815":
            continue
        for card in [card for card in state.played[side] if CARDS[card].permanent]:
            state.played[side].remove(card)
            state.permanent[side].append(card)


def chatiments(desk: Desk) -> None:
    """7.1.3, 17.5: the second deck comes in."""
    state = desk.state
    if state.period == "chatiments" or desk.table is None:
        return
    state.period = "chatiments"
    desk.tell(ChatimentsBegin(escalation=state.escalation, rule="7.1.3"))
    put_permanents_aside(state)
    for side in SEATS:
        cards = [*state.set_aside[side], *state.piles[side].cards, *state.played[side]]
        state.set_aside[side], state.played[side] = [], []
        shuffle(desk, side, cards)
