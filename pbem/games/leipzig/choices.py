"""3: which single orders the active side can give, as far as its view goes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

from pbem.games.leipzig.actions import free_villages, uncommitted
from pbem.games.leipzig.board import BOARD, UNKNOWN, kind_of
from pbem.games.leipzig.charts import past
from pbem.games.leipzig.orders import (
    BluffMove,
    BluffTerrain,
    DrawPile,
    DrawRow,
    Jump,
    Move,
    PlayArmy,
    PlayScout,
    PlayTerrain,
    PlayTime,
    Wait,
)
from pbem.games.leipzig.state import WAITING, State, actions_left, side_of, tiles
from pbem.games.leipzig.tiles import marching
from pbem.kernel.order import Order


def kinds_in_hand(state: State, side: str) -> Counter[str]:
    """How many cards of each kind a hand is known to hold."""
    return Counter(kind_of(held.card) for held in state.hands[side] if held.card != UNKNOWN)


def single_orders(state: State) -> Iterator[Order]:
    """Every single order that stands, the hidden pile first."""
    left = actions_left(state)
    if left <= 0:
        return
    if state.pile or state.discard:
        yield DrawPile()
    for number, card in enumerate(state.row, 1):
        if card:
            yield DrawRow(number)
    yield from army_cards(state)
    kinds = kinds_in_hand(state, state.side)
    yield from removals(state, kinds)
    yield from moves(state, kinds)
    if left >= 2:
        yield from jumps(state, kinds)
    if kinds["time"]:
        yield PlayTime()
    if not uncommitted(state):
        yield Wait()


def army_cards(state: State) -> Iterator[Order]:
    """3.1: the army cards that can be played, with each choice of villages where markers are short."""
    for id in BOARD.of(state.side):
        card = BOARD.armies[id]
        if state.armies[id].status != WAITING or not past(state.time, card.not_before):
            continue
        free = free_villages(state, id)
        missing = max(0, len(free) - card.markers)
        if not free or missing > state.scouts[state.side]:
            continue
        if not missing:
            yield PlayArmy(id)
            continue
        for villages in combinations(free, len(free) - missing):
            yield PlayArmy(id, villages)


def removals(state: State, kinds: Counter[str]) -> Iterator[Order]:
    """3.2, 3.4, 3.5: the own markers that a terrain card, a scout card or a bluff can remove."""
    pairs = [kind for kind in BOARD.terrain_cards if kinds[kind] >= 2]
    for id in marching(state, state.side):
        markers = state.armies[id].markers
        if len(markers) < 2:
            continue
        for zone in markers:
            terrain = BOARD.zones[zone].terrain
            if kinds[terrain]:
                yield PlayTerrain(id, zone, terrain)
            if state.scouts[state.side]:
                yield PlayScout(id, zone)
            for pair in pairs:
                if pair != terrain:
                    yield BluffTerrain(id, zone, pair, terrain)


def moves(state: State, kinds: Counter[str]) -> Iterator[Order]:
    """3.3, 3.5: the own markers that a movement card or a bluff can move, and where to."""
    at = tiles(state)
    pairs = [kind for kind in BOARD.movement_cards if kinds[kind] >= 2]
    for id in marching(state, state.side):
        allowed = [kind for kind in BOARD.movers[id] if kinds[kind]]
        bluffs = [kind for kind in pairs if kind not in allowed]
        if not allowed and not bluffs:
            continue
        markers = state.armies[id].markers
        for start in markers:
            for to in BOARD.zones[start].neighbours:
                if to in at or to in markers:
                    continue
                for kind in allowed:
                    yield Move(id, to, start, kind)
                for kind in bluffs:
                    yield BluffMove(id, to, kind, start)


def jumps(state: State, kinds: Counter[str]) -> Iterator[Order]:
    """3.3: the own markers that two movement cards can carry over an own tile."""
    at = tiles(state)
    for id in marching(state, state.side):
        payments = _payments(id, kinds)
        if not payments:
            continue
        markers = state.armies[id].markers
        for start in markers:
            for over in BOARD.zones[start].neighbours:
                if over not in at or side_of(at[over]) != state.side:
                    continue
                for to in BOARD.zones[over].neighbours:
                    if to != start and to not in at and to not in markers:
                        for paid in payments:
                            yield Jump(id, to, over, start, paid)


def _payments(army: str, kinds: Counter[str]) -> list[tuple[str, ...]]:
    """3.3, 3.5: what can pay for a jump: two fitting cards, which need no naming, or bluffs for those that lack."""
    lacking = 2 - sum(kinds[kind] for kind in BOARD.movers[army])
    if lacking <= 0:
        return [()]
    pairs = [
        kind
        for kind in BOARD.movement_cards
        if kind not in BOARD.movers[army]
        for _ in range(kinds[kind] // 2)
    ]
    found = dict.fromkeys(combinations(pairs, lacking))
    return [tuple(kind for kind in bluff for _ in range(2)) for bluff in found]
