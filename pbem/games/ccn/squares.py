"""8.2: infantry squares."""

from __future__ import annotations

from pbem.games.ccn import board, terrain
from pbem.games.ccn.events import SquareCard, SquareFormed
from pbem.games.ccn.state import State, Unit
from pbem.kernel.problem import Params, Problem
from pbem.kernel.table import Table

CARDS_NEEDED = 3


def may_form(state: State, unit: Unit, attacker: Unit) -> bool:
    """8.2.1, 8.2.2: whether a unit may form square against a melee (R36: a marker must be free)."""
    return (
        unit.arm == "infantry"
        and attacker.arm == "cavalry"
        and not unit.square
        and len(state.hands[unit.side]) >= CARDS_NEEDED
        and terrain.square_allowed(state, unit.hex)
        and len(state.tracks[unit.side]) < int(state.options.get("max_squares_per_player", "4"))
    )


def form(table: Table[State], unit: Unit, label: str) -> None:
    """8.2.3, 8.2.13, 1.9: form square; a card of the hand, taken at random, goes to the track (R39)."""
    state = table.state
    hand = state.hands[unit.side]
    (index,) = table.roll(f"{label}/card", 1, len(hand), rule="8.2.3", seat=state.enemy(unit.side))
    track = state.tracks[unit.side]
    unit.square = next(number for number in range(1, 5) if str(number) not in track)
    track[str(unit.square)] = hand.pop(index - 1)
    event = SquareFormed(
        seat=unit.side,
        unit=unit.type,
        hex=unit.hex,
        number=unit.square,
        hand=len(hand),
        rule="8.2.3",
        draws=(f"{label}/card",),
    )
    table.tell(event)
    card = track[str(unit.square)].card
    table.tell(SquareCard(seat=unit.side, number=unit.square, card=card, rule="1.10"), to=[unit.side])


def why_not_leave(state: State, unit: Unit) -> Problem | None:
    """4.7, 8.2.9, 8.2.12: what keeps a unit from leaving its square."""
    params: Params = {"hex": unit.hex}
    if not unit.square:
        return Problem("not_in_square", "8.2.9", params=params)
    near = [
        other.hex
        for other in state.army(state.enemy(unit.side))
        if other.arm == "cavalry" and board.DISTANCE[other.hex][unit.hex] == 1
    ]
    return Problem("cavalry_adjacent", "8.2.9", params={**params, "enemy": near[0]}) if near else None


def leave(state: State, unit: Unit) -> None:
    """8.2.9, 8.2.11, 6.4.4: the marker goes back to the track, the card to the hand; this is no move."""
    state.hands[unit.side].append(state.tracks[unit.side].pop(str(unit.square)))
    unit.square = 0
