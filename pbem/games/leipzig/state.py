"""The position, as plain typed records, and what each seat may know of it."""

from __future__ import annotations

import msgspec

from pbem.games.leipzig.board import BOARD, SIDES, UNKNOWN
from pbem.kernel.deck import Held

SEATS = SIDES
HAND_LIMIT = 8
ACTIONS_A_TURN = 5

WAITING, MARCHING, PLACED, LOST = "waiting", "marching", "placed", "lost"


HIDDEN = Held(UNKNOWN)


class Army(msgspec.Struct, omit_defaults=True):
    """An army: its card not yet played, its markers on the board, its tile in a zone, or lost."""

    strength: int
    status: str = WAITING
    markers: list[str] = []
    zone: str = ""
    arm: str = ""


class MarkerMove(msgspec.Struct, frozen=True):
    """A marker's move in the present turn."""

    army: str
    start: str
    to: str


class Result(msgspec.Struct, frozen=True):
    """6.5: a finished game of a match: who was Napoléon, and the points of both sides."""

    napoleon: str
    french: int
    allied: int


class State(msgspec.Struct):
    """A position. Hands and points belong to sides; `roles` says which side a seat plays."""

    armies: dict[str, Army]
    advanced: bool = False
    match: bool = False
    game: int = 1
    roles: dict[str, str] = msgspec.field(default_factory=lambda: {side: side for side in SIDES})
    phase: str = "setup"
    turn: int = 1
    side: str = "french"
    done: int = 0
    drawn: str = ""
    """The last card that the active side has drawn in this turn."""
    drew_pile: bool = False
    drew_row: bool = False
    time: int = 0
    points: dict[str, int] = msgspec.field(default_factory=lambda: dict.fromkeys(SIDES, 0))
    hands: dict[str, list[Held]] = msgspec.field(default_factory=lambda: {side: [] for side in SIDES})
    scouts: dict[str, int] = msgspec.field(default_factory=lambda: dict.fromkeys(SIDES, 0))
    supply: int = 0
    row: list[str] = []
    pile: list[str] = []
    pile_label: str = ""
    pile_next: int = 0
    """Where in the deck `pile_label` the top card of the pile is."""
    discard: list[str] = []
    removed: list[str] = []
    offered: list[list[str]] = []
    """2.2: pairs of missions of which Napoléon keeps one each."""
    missions: list[str] = []
    """Napoléon's missions that are not revealed."""
    places: dict[str, int] = {}
    """Where in the deck of its district a mission of Napoléon's was."""
    revealed: list[str] = []
    fought: list[str] = []
    hidden_turns: dict[str, int] = msgspec.field(default_factory=lambda: dict.fromkeys(SIDES, 0))
    """8.3: turns in a row in which a side drew from the hidden pile only."""
    steps: list[MarkerMove] = []
    results: list[Result] = []


def fresh(*, advanced: bool, match: bool) -> State:
    """2.1, 2.4: the position before any draw."""
    return State(
        armies={id: Army(card.strength) for id, card in BOARD.armies.items()},
        advanced=advanced,
        match=match,
        supply=BOARD.scouts,
    )


def copy(state: State) -> State:
    """A position that can be changed without touching this one."""
    return msgspec.structs.replace(
        state,
        armies={
            id: Army(army.strength, army.status, army.markers[:], army.zone, army.arm)
            for id, army in state.armies.items()
        },
        roles=dict(state.roles),
        points=dict(state.points),
        hands={side: hand[:] for side, hand in state.hands.items()},
        scouts=dict(state.scouts),
        row=state.row[:],
        pile=state.pile[:],
        discard=state.discard[:],
        removed=state.removed[:],
        offered=[pair[:] for pair in state.offered],
        missions=state.missions[:],
        places=dict(state.places),
        revealed=state.revealed[:],
        fought=state.fought[:],
        hidden_turns=dict(state.hidden_turns),
        steps=state.steps[:],
        results=state.results[:],
    )


def view(state: State, seat: str | None) -> State:
    """1.5: the position as a seat may know it; `None` is somebody without a seat."""
    side = state.roles.get(seat) if seat else None
    seen = copy(state)
    for other in SIDES:
        if other != side:
            seen.hands[other] = [HIDDEN] * len(state.hands[other])
    seen.pile = [UNKNOWN] * len(state.pile)
    if side != state.side and seen.drawn:
        seen.drawn = UNKNOWN
    if side != "french":
        seen.missions = [UNKNOWN] * len(state.missions)
        seen.offered = [[UNKNOWN] * len(pair) for pair in state.offered]
        seen.places = {}
    return seen


def other(side: str) -> str:
    """The other side."""
    return "allied" if side == "french" else "french"


def seat_of(state: State, side: str) -> str:
    """The seat that plays a side in the present game."""
    return next(seat for seat, role in state.roles.items() if role == side)


def tiles(state: State) -> dict[str, str]:
    """The army tiles by zone."""
    return {army.zone: id for id, army in state.armies.items() if army.zone}


def side_of(army: str) -> str:
    """The side of an army."""
    return BOARD.armies[army].side


def hand_size(state: State, side: str) -> int:
    """3.7: action and scout cards together."""
    return len(state.hands[side]) + state.scouts[side]


def actions_left(state: State) -> int:
    """3: how many actions the active side has left."""
    return ACTIONS_A_TURN - state.done


def turn_key(state: State) -> str:
    """How questions and draws of the present turn begin."""
    return f"g{state.game}/t{state.turn}/{state.side}"


def contacts(state: State) -> dict[str, list[str]]:
    """5.1: for each tile the enemy tiles in adjacent zones."""
    at = tiles(state)
    touching: dict[str, list[str]] = {}
    for zone, army in at.items():
        mine = side_of(army)
        touching[army] = [
            at[near] for near in BOARD.zones[zone].neighbours if near in at and side_of(at[near]) != mine
        ]
    return touching


def invariants(state: State) -> list[str]:
    """What is wrong with a position that no play may reach."""
    wrong: list[str] = []
    seen: dict[str, str] = {}
    for id, army in state.armies.items():
        card = BOARD.armies[id]
        if army.zone:
            if army.zone in seen:
                wrong.append(f"two tiles in {army.zone}: {seen[army.zone]} and {id}")
            seen[army.zone] = id
        if (army.status == PLACED) != bool(army.zone):
            wrong.append(f"{id} is {army.status} with its tile in {army.zone or 'no zone'}")
        if (army.status == MARCHING) != bool(army.markers):
            wrong.append(f"{id} is {army.status} with {len(army.markers)} markers")
        if len(army.markers) > card.markers:
            wrong.append(f"{id} has {len(army.markers)} markers, more than {card.markers}")
        if len(set(army.markers)) != len(army.markers):
            wrong.append(f"{id} has two markers in one zone")
        if not 0 <= army.strength <= card.strength or (army.zone and army.strength < 1):
            wrong.append(f"{id} has strength {army.strength}")
        if army.zone and not army.arm:
            wrong.append(f"{id} is placed without an arm")
    for id, army in state.armies.items():
        wrong += [f"{id} has a marker in {zone} with a tile" for zone in army.markers if zone in seen]
    if state.phase != "setup":
        cards = [held.card for side in SIDES for held in state.hands[side]]
        cards += [*state.pile, *(card for card in state.row if card), *state.discard, *state.removed]
        if sorted(cards) != sorted(BOARD.cards):
            wrong.append("action cards are not conserved")
        if len(state.missions) + len(state.revealed) != 5:
            wrong.append("Napoléon has not five missions")
    if state.supply + sum(state.scouts.values()) != BOARD.scouts or state.supply < 0:
        wrong.append("scout cards are not conserved")
    reached = sum(state.time >= step for date, step in BOARD.dates.items() if date != "14.10")
    if len(state.revealed) > reached:
        wrong.append(f"{len(state.revealed)} missions revealed at time {state.time}")
    if not 0 <= state.done <= ACTIONS_A_TURN:
        wrong.append(f"{state.done} actions done")
    if min(state.points.values()) < 0 or (
        state.phase == "turn" and sum(state.points.values()) > len(BOARD.armies)
    ):
        wrong.append(f"points are {state.points}")
    return wrong
