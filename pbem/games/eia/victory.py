"""13.1.7: the victory conditions of the scenarios, as their files say."""

from __future__ import annotations

from pbem.games.eia.events import GameEnds
from pbem.games.eia.scenario import Test
from pbem.games.eia.setup import data
from pbem.games.eia.state import CAPTURED, DEAD, State
from pbem.kernel.rules import Outcome
from pbem.kernel.table import Table

DRAW = "draw"


def holds(state: State, test: Test) -> bool:
    """Whether a condition is met."""
    if test.kind == "occupy_all":
        return all(occupied(state, city, test.side) for city in test.cities)
    if test.kind == "leader_lost":
        leader = state.leaders.get(test.leader)
        return leader is not None and leader.where in (CAPTURED, DEAD)
    if test.kind == "losses":
        return lost(state, test.side) > test.over
    if test.kind == "losses_both":
        return lost(state, "austrian") > test.austrian_over and lost(state, "french") < test.french_under
    return test.kind == "otherwise"


def occupied(state: State, area: str, side: str) -> bool:
    """13.2.7: whether a side's troops stand in a city, and no others."""
    inside = state.inside(area)
    return bool(inside) and all(state.side_of(thing.power) == side for thing in inside)


def lost(state: State, side: str) -> int:
    """13.1.6.2: the combat losses of a side, in factors."""
    return sum(number for power, number in state.losses.items() if state.side_of(power) == side)


def during(table: Table[State]) -> None:
    """13.3.7: conditions that end the game at once."""
    _decide(table, ("immediate",))


def at_end(table: Table[State]) -> None:
    """13.1.7: conditions at the end of the last month."""
    if not table.state.over and table.state.month >= table.state.end:
        _decide(table, ("immediate", "end"))


def _decide(table: Table[State], moments: tuple[str, ...]) -> None:
    state = table.state
    for number, row in enumerate(data(state).victory):
        if not state.over and row.when in moments and holds(state, row.test):
            state.over, state.phase = True, "over"
            state.winner = "" if row.winner == DRAW else row.winner
            table.tell(GameEnds(month=state.month, condition=number, winner=state.winner, rule=row.ref))


def outcome(state: State) -> Outcome | None:
    """13.1.7: who has won: all seats of a side; nobody in a draw."""
    if not state.over:
        return None
    winners = tuple(
        dict.fromkeys(power.seat for power in state.powers.values() if power.side == state.winner)
    )
    return Outcome(winners, {seat: _points(state, seat) for seat in _seats(state)})


def _seats(state: State) -> list[str]:
    return list(dict.fromkeys(power.seat for power in state.powers.values()))


def _points(state: State, seat: str) -> int:
    """Enemy factors lost in combat, for the table of a series of games."""
    own = {state.powers[power].side for power in state.of_seat(seat)}
    return sum(number for power, number in state.losses.items() if state.side_of(power) not in own)
