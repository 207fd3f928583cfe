"""The position, what a seat may know of it, and what must always hold."""

from __future__ import annotations

import msgspec
from NAME.board import START, TOWNS

SEATS = ("red", "blue")
STRENGTH = 3
HIDDEN = -1


class State(msgspec.Struct):
    """1: where the corps stand, how strong they are, who holds which town."""

    turn: int = 1
    last: int = 4
    at: dict[str, str] = {}
    strength: dict[str, int] = {}
    holder: dict[str, str] = {}
    """By town; nobody holds a town that is not named."""
    over: bool = False

    def points(self, seat: str) -> int:
        """4.1: what the towns of a side are worth."""
        return sum(TOWNS[town].points for town, holder in self.holder.items() if holder == seat)


def other(seat: str) -> str:
    """The enemy."""
    return SEATS[1 - SEATS.index(seat)]


def fresh(scenario: str, options: dict[str, str]) -> State:
    """1.2, 1.3: the position before the first turn."""
    return State(
        last=6 if options.get("long") == "yes" else 4,
        at=dict(START),
        strength=dict.fromkeys(SEATS, STRENGTH),
        holder={town: seat for seat, town in START.items()},
    )


def view(state: State, seat: str | None) -> State:
    """1.4: nobody knows the strength of the enemy. The only place that hides anything."""
    known = {who: steps if who == seat else HIDDEN for who, steps in state.strength.items()}
    return msgspec.structs.replace(state, strength=known)


def invariants(state: State) -> list[str]:
    """What no play may reach."""
    wrong = [f"{seat} stands nowhere" for seat in SEATS if state.at[seat] not in TOWNS]
    wrong += [f"{seat} has a strength of {steps}" for seat, steps in state.strength.items() if steps < 0]
    if state.at["red"] == state.at["blue"]:
        wrong.append("both stand in one town")
    return wrong
