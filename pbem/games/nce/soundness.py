"""What no play may reach: counters, cards and points are all there, and everybody stands where he may."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.games.nce import state as positions
from pbem.games.nce.charts import CARDS, ZONES
from pbem.games.nce.reactions import may_remain
from pbem.games.nce.state import SEATS, State


def invariants(state: State) -> list[str]:
    """What is wrong with a position; nothing, always."""
    return [*positions.invariants(state), *_forces(state), *_markers(state), *_purses(state)]


def decks(state: State) -> list[str]:
    """7.1.1, 7.1.3, 7.2.2: where no card may be; a rule case may deal otherwise, a game never does."""
    found = []
    for side in SEATS:
        live = [*state.hands[side], *state.piles[side].cards, *state.played[side], *state.permanent[side]]
        late = [card for card in live if CARDS[card].deck == "chatiments"]
        if late and state.period == "epopee":
            found.append(f"{late[0]} is in play before its time")
        if state.set_aside[side] and state.period != "epopee":
            found.append(f"{state.set_aside[side][0]} is still set aside")
        if state.scenario != "1815":
            found += [
                f"{card} is in a draw pile" for card in state.piles[side].cards if CARDS[card].permanent
            ]
        spent = {card for card in live if card in state.events and CARDS[card].after_event == "removed"}
        found += [f"{card} was played as event and is still there" for card in sorted(spent)]
    return found


def _forces(state: State) -> Iterator[str]:
    """9.1, 10.1.5: a force is of its power's side, and stands on ground that is open to it."""
    for force in state.forces.values():
        side = state.side_of(force.power)
        if force.side in SEATS and side != force.side:
            yield f"{force.name} fights for {force.side}, {force.power} does not"
        if force.side not in SEATS and side in SEATS:
            yield f"{force.name} is idle while {force.power} is at war"
        if force.side in SEATS and not may_remain(state, force):
            yield f"{force.name} stands in {force.zone}, which is not at war"
        if force.inside and state.controller(force.zone) != force.side:
            yield f"{force.name} is in the enemy's fortress of {force.zone}"


def _markers(state: State) -> Iterator[str]:
    """3.2.3, 13.2, 13.4.1: markers only where they mean something."""
    for zone, side in state.control.items():
        if state.home_side(zone) == side:
            yield f"{zone} bears a marker of its own side"
    for zone in state.empty:
        if not ZONES[zone].fortress:
            yield f"there is no fortress in {zone} that could lie empty"
    for zone in state.siege:
        if not state.fortress(zone):
            yield f"{zone} is besieged without a fortress"


def _purses(state: State) -> Iterator[str]:
    """8.2, 6.3.2: nobody spends what he does not have."""
    for side, points in state.reserve.items():
        if points < 0:
            yield f"the reserve of {side} is {points}"
    for power, amount in state.resources.items():
        if amount < -0.001:
            yield f"{power} owes {amount}"
