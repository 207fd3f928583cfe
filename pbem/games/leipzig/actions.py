"""3: the seven actions, and waiting. Each first says why it cannot be done, then does it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from pbem.games.leipzig import cards
from pbem.games.leipzig.board import BOARD, UNKNOWN, kind_of
from pbem.games.leipzig.charts import past
from pbem.games.leipzig.events import (
    ArmyPlayed,
    MarkerJumped,
    MarkerMoved,
    MarkerRemoved,
    TimePlayed,
    Waited,
)
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
    Take,
    Wait,
)
from pbem.games.leipzig.state import (
    ACTIONS_A_TURN,
    LOST,
    MARCHING,
    PLACED,
    WAITING,
    MarkerMove,
    State,
    actions_left,
    side_of,
    tiles,
)
from pbem.games.leipzig.tiles import place_due
from pbem.games.leipzig.track import advance
from pbem.kernel.deck import Held
from pbem.kernel.order import Order
from pbem.kernel.plan import Refused
from pbem.kernel.table import Table

CENTRE = "leipzig"
_JUMP = 2
"""So many movement cards a jump takes."""


def cost(order: Order) -> int:
    """3: how many of the five actions an order takes."""
    if isinstance(order, Jump):
        return 2
    if isinstance(order, DrawPile):
        return max(1, order.times)
    return 1


async def act(table: Table[State], order: Order) -> None:
    """3: one order of the active side. Raises Refused, with nothing changed, where it cannot be done."""
    state = table.state
    needed = cost(order)
    if needed > actions_left(state):
        raise Refused("too_many_actions", "3", left=actions_left(state))
    if type(order) not in _ACTS:
        raise Refused("not_an_action", "3")
    await _ACTS[type(order)](table, order)
    state.done += 0 if isinstance(order, Wait) else needed


def free_villages(state: State, army: str) -> list[str]:
    """3.1: the villages of an army card that hold no army tile, those nearest Leipzig first."""
    taken = tiles(state)
    return sorted((v for v in BOARD.armies[army].start if v not in taken), key=lambda v: _FROM_CENTRE[v])


def _from_centre() -> dict[str, int]:
    distance, edge = {CENTRE: 0}, [CENTRE]
    for zone in edge:
        for near in BOARD.zones[zone].neighbours:
            if near not in distance:
                distance[near] = distance[zone] + 1
                edge.append(near)
    return distance


_FROM_CENTRE = _from_centre()


def villages_for(state: State, order: PlayArmy) -> tuple[list[str], int]:
    """3.1: the villages that get a marker, and the scout cards that this takes."""
    side, card = state.side, BOARD.armies[order.army]
    if card.side != side:
        raise Refused("not_your_army", "3.1", army=order.army)
    army = state.armies[order.army]
    if army.status != WAITING:
        raise Refused("army_already_played", "3.1", army=order.army)
    if not past(state.time, card.not_before):
        raise Refused("too_early", "3.1", army=order.army, date=card.not_before)
    free = free_villages(state, order.army)
    if not free:
        raise Refused("no_free_village", "3.1", army=order.army)
    missing = max(0, len(free) - card.markers)
    if missing > state.scouts[side]:
        raise Refused("scouts_short", "3.1", army=order.army, needed=missing, have=state.scouts[side])
    number = len(free) - missing
    if order.villages:
        for village in order.villages:
            if village not in free:
                raise Refused("not_a_village", "3.1", army=order.army, zone=village, villages=tuple(free))
        if len(set(order.villages)) != number or len(order.villages) != number:
            raise Refused("wrong_villages", "3.1", army=order.army, needed=number, villages=tuple(free))
        return list(order.villages), missing
    chosen = set(free[:number])
    return [village for village in card.start if village in chosen], missing


async def play_army(table: Table[State], order: PlayArmy) -> None:
    """3.1: an army card: one marker on each of its villages."""
    state, side = table.state, table.state.side
    villages, scouts = villages_for(state, order)
    at = tiles(state)
    skipped = tuple(village for village in BOARD.armies[order.army].start if village in at)
    state.scouts[side] -= scouts
    state.supply += scouts
    army = state.armies[order.army]
    army.status, army.markers = MARCHING, list(villages)
    table.tell(
        ArmyPlayed(
            side=side, army=order.army, villages=tuple(villages), skipped=skipped, scouts=scouts, rule="3.1"
        )
    )
    for _ in range(scouts):
        await advance(table)
    await place_due(table)


def _need_marker(state: State, army: str, zone: str, rule: str) -> None:
    """An own army with a marker in the zone, or in any zone where none is named."""
    if side_of(army) != state.side:
        raise Refused("not_your_army", rule, army=army)
    status = state.armies[army].status
    if status != MARCHING:
        codes = {WAITING: "army_not_played", PLACED: "army_is_placed", LOST: "army_is_lost"}
        raise Refused(codes[status], rule, army=army)
    markers = state.armies[army].markers
    if zone and zone not in markers:
        raise Refused("no_marker_there", rule, army=army, zone=zone, zones=tuple(markers))


def _need_spare_marker(state: State, army: str, zone: str, rule: str) -> None:
    _need_marker(state, army, zone, rule)
    if len(state.armies[army].markers) == 1:
        raise Refused("last_marker", rule, army=army, zone=zone)


def _need_terrain(zone: str, terrain: str, rule: str) -> str:
    """The terrain of the zone, which the card must show."""
    there = BOARD.zones[zone].terrain
    if terrain and terrain != there:
        raise Refused("wrong_terrain", rule, zone=zone, terrain=there, card=terrain)
    return there


async def play_terrain(table: Table[State], order: PlayTerrain) -> None:
    """3.2: a terrain card removes an own marker from a zone of that terrain."""
    state = table.state
    _need_spare_marker(state, order.army, order.zone, "3.2")
    terrain = _need_terrain(order.zone, order.terrain, "3.2")
    held = cards.find(state, terrain, "3.2")
    cards.spend(table, [held])
    await _remove(table, order.army, order.zone, terrain, "3.2")


async def bluff_terrain(table: Table[State], order: BluffTerrain) -> None:
    """3.5: two identical terrain cards are one of any terrain."""
    state = table.state
    _need_spare_marker(state, order.army, order.zone, "3.5")
    _need_terrain(order.zone, order.shown, "3.5")
    pair = cards.find_pair(state, order.pair, BOARD.terrain_cards)
    cards.spend(table, pair)
    await _remove(table, order.army, order.zone, order.pair, "3.5", bluff=True)


async def play_scout(table: Table[State], order: PlayScout) -> None:
    """3.4: a scout card removes an own marker from any zone and returns to the supply."""
    state, side = table.state, table.state.side
    _need_spare_marker(state, order.army, order.zone, "3.4")
    if not state.scouts[side]:
        raise Refused("no_scout", "3.4")
    state.scouts[side] -= 1
    state.supply += 1
    await _remove(table, order.army, order.zone, "scout", "3.4")


async def _remove(
    table: Table[State], army: str, zone: str, card: str, rule: str, *, bluff: bool = False
) -> None:
    state = table.state
    state.armies[army].markers.remove(zone)
    table.tell(MarkerRemoved(side=state.side, army=army, zone=zone, card=card, bluff=bluff, rule=rule))
    if card == "scout":
        await advance(table)
    await place_due(table)


def _start(state: State, army: str, start: str, near: str, rule: str) -> str:
    """The zone that the marker leaves: as named, or the only one beside the zone that it enters."""
    _need_marker(state, army, start, rule)
    if start:
        return start
    markers = [zone for zone in state.armies[army].markers if BOARD.adjacent(zone, near)]
    if len(markers) > 1:
        raise Refused("which_marker", rule, army=army, zones=tuple(markers))
    if not markers:
        raise Refused(
            "not_adjacent_to_any", rule, army=army, zone=near, zones=tuple(state.armies[army].markers)
        )
    return markers[0]


def _need_open(state: State, army: str, to: str, rule: str) -> None:
    """3.3: a marker enters no zone with a tile and none with a marker of its own army."""
    there = tiles(state).get(to)
    if there is not None:
        raise Refused("zone_has_tile", rule, zone=to, army=there)
    if to in state.armies[army].markers:
        raise Refused("same_army_there", rule, zone=to, army=army)


def _step_start(state: State, army: str, start: str, to: str, rule: str) -> str:
    start = _start(state, army, start, to, rule)
    if not BOARD.adjacent(start, to):
        raise Refused("not_adjacent", rule, start=start, zone=to, zones=BOARD.zones[start].neighbours)
    _need_open(state, army, to, rule)
    return start


def _carry(state: State, army: str, start: str, to: str) -> None:
    markers = state.armies[army].markers
    markers[markers.index(start)] = to
    state.steps.append(MarkerMove(army, start, to))


async def move(table: Table[State], order: Move) -> None:
    """3.3: a movement card moves an own marker to an adjacent zone."""
    state = table.state
    start = _step_start(state, order.army, order.start, order.to, "3.3")
    (held,) = movement_cards(state, order.army, (order.card,) if order.card else (), 1)
    cards.spend(table, [held])
    _carry(state, order.army, start, order.to)
    table.tell(
        MarkerMoved(
            side=state.side, army=order.army, start=start, to=order.to, card=kind_of(held.card), rule="3.3"
        )
    )
    await advance(table)


async def bluff_move(table: Table[State], order: BluffMove) -> None:
    """3.5: two identical movement cards are one of any kind; time goes on once."""
    state = table.state
    start = _step_start(state, order.army, order.start, order.to, "3.5")
    pair = cards.find_pair(state, order.pair, BOARD.movement_cards)
    cards.spend(table, pair)
    _carry(state, order.army, start, order.to)
    table.tell(
        MarkerMoved(
            side=state.side,
            army=order.army,
            start=start,
            to=order.to,
            card=order.pair,
            bluff=True,
            rule="3.5",
        )
    )
    await advance(table)


async def jump(table: Table[State], order: Jump) -> None:
    """3.3: two movement cards, or bluffs (3.5), carry a marker over an own tile to a zone beyond; two actions."""
    state = table.state
    start = _start(state, order.army, order.start, order.over, "3.3")
    over = tiles(state).get(order.over)
    if over is None or side_of(over) != state.side:
        raise Refused("no_own_tile_to_jump", "3.3", zone=order.over)
    if not BOARD.adjacent(start, order.over):
        raise Refused(
            "not_adjacent", "3.3", start=start, zone=order.over, zones=BOARD.zones[start].neighbours
        )
    if not BOARD.adjacent(order.over, order.to) or order.to == start:
        beyond = tuple(zone for zone in BOARD.zones[order.over].neighbours if zone != start)
        raise Refused("not_adjacent", "3.3", start=order.over, zone=order.to, zones=beyond)
    _need_open(state, order.army, order.to, "3.3")
    held = _jump_cards(state, order.army, order.cards)
    cards.spend(table, held)
    _carry(state, order.army, start, order.to)
    table.tell(
        MarkerJumped(
            side=state.side,
            army=order.army,
            start=start,
            over=order.over,
            to=order.to,
            cards=tuple(kind_of(card.card) for card in held),
            rule="3.3",
        )
    )
    await advance(table)
    await advance(table)


def _jump_cards(state: State, army: str, named: Sequence[str]) -> list[Held]:
    """3.3, 3.5: what pays for a jump: two movement cards, each of which may be a bluff of two that do not fit.

    A bluff is only made where it is named, both cards of it: more cards are never spent than somebody has said.
    """
    allowed = BOARD.movers[army]
    fitting = [kind for kind in named if kind in allowed]
    bluffs = Counter(kind for kind in named if kind not in allowed)
    if odd := next((kind for kind, number in bluffs.items() if number % 2), ""):
        raise Refused("wrong_arm", "3.3", army=army, card=odd, arms=BOARD.armies[army].arms)
    paid = bluffs.total() // 2
    if paid + len(fitting) > _JUMP:
        raise Refused("too_many_cards", "3.3", needed=_JUMP)
    held: list[Held] = []
    for kind, number in bluffs.items():
        held += cards.find_pair(state, kind, BOARD.movement_cards, number // 2)
    return (movement_cards(state, army, fitting, _JUMP - paid) if paid < _JUMP else []) + held


def movement_cards(state: State, army: str, named: Sequence[str], number: int) -> list[Held]:
    """3.3: that many movement cards for an army: those named, then the least versatile."""
    allowed = BOARD.movers[army]
    for kind in named:
        if kind not in allowed:
            raise Refused("wrong_arm", "3.3", army=army, card=kind, arms=BOARD.armies[army].arms)
    if len(named) > number:
        raise Refused("too_many_cards", "3.3", needed=number)
    hand = cards.seen_first(state.hands[state.side])
    found: list[Held] = []
    for kind in named:
        held = next((held for held in hand if kind_of(held.card) == kind), None)
        if held is None:
            raise cards.missing(state, kind, "3.3")
        hand.remove(held)
        found.append(held)
    usable = [held for held in hand if kind_of(held.card) in allowed]
    usable.sort(key=lambda held: allowed.index(kind_of(held.card)))
    found += usable[: number - len(found)]
    if len(found) < number:
        unknown = any(held.card == UNKNOWN for held in hand)
        code = "movement_card_unknown" if unknown else "no_movement_card"
        raise Refused(code, "3.3", army=army, needed=number, cards=allowed)
    return found


async def play_time(table: Table[State], order: PlayTime) -> None:
    """3.6: a time card moves time on and leaves the game."""
    held = cards.find(table.state, "time", "3.6")
    cards.spend(table, [held], out_of_game=True)
    table.tell(TimePlayed(side=table.state.side, rule="3.6"))
    await advance(table)


def playable(state: State, army: str) -> bool:
    """3.1: whether an army card of the active side can be played now."""
    try:
        villages_for(state, PlayArmy(army))
    except Refused:
        return False
    return True


def uncommitted(state: State) -> list[str]:
    """8.2: the own armies that are on the march, or whose card could be played now.

    A card that cannot be played at present does not keep its owner from waiting (ruling): otherwise two
    players with nothing but such cards could never let time pass.
    """
    return [
        id
        for id in BOARD.of(state.side)
        if (status := state.armies[id].status) == MARCHING or (status == WAITING and playable(state, id))
    ]


async def wait(table: Table[State], order: Wait) -> None:
    """8.2: with all armies placed or lost: time goes on and the turn ends."""
    state = table.state
    if left := uncommitted(state):
        raise Refused("armies_left", "8.2", armies=tuple(left))
    state.done = ACTIONS_A_TURN
    table.tell(Waited(side=state.side, rule="8.2"))
    await advance(table)


async def draw_pile(table: Table[State], order: DrawPile) -> None:
    """3.6: cards from the pile, one an action."""
    cards.draw_pile(table, cost(order))


async def draw_row(table: Table[State], order: DrawRow | Take) -> None:
    """3.6: a card of the row, by its number or by its kind."""
    number = order.number if isinstance(order, DrawRow) else cards.place_in_row(table.state, order.card)
    cards.draw_row(table, number)


_ACTS: dict[type[Order], Callable[[Table[State], Any], Awaitable[None]]] = {
    PlayArmy: play_army,
    PlayTerrain: play_terrain,
    BluffTerrain: bluff_terrain,
    Move: move,
    BluffMove: bluff_move,
    Jump: jump,
    PlayScout: play_scout,
    PlayTime: play_time,
    DrawPile: draw_pile,
    DrawRow: draw_row,
    Take: draw_row,
    Wait: wait,
}
"""What is done for each kind of order."""
