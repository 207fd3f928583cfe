"""2.7, 2.8, 2.9: banners, objectives, and the end at the very instant."""

from __future__ import annotations

from pbem.games.ccn.events import BattleWon, ObjectiveLost, ObjectiveTaken
from pbem.games.ccn.state import SEATS, Objective, Over, State
from pbem.kernel.table import Table


def check_end(table: Table[State]) -> None:
    """2.7, 2.9: whoever has the scenario's number of banners has won, in whosever turn (R03: no limit)."""
    state = table.state
    for seat in (state.active, state.enemy(state.active)):
        if state.banners(seat) >= state.goal and not state.winner:
            state.winner = seat
            enemy = state.banners(state.enemy(seat))
            table.tell(BattleWon(seat=seat, banners=state.banners(seat), enemy_banners=enemy, rule="2.9"))
    if state.winner:
        raise Over


def award(table: Table[State], seat: str, piece: str) -> None:
    """2.8: a banner for an eliminated unit or leader."""
    table.state.won[seat].append(piece)


def _holds(state: State, seat: str, objective: Objective) -> bool:
    units = [state.unit_at(hex) for hex in objective.hexes]
    return all(unit is not None and unit.side == seat for unit in units)


def drop_objectives(table: Table[State]) -> None:
    """2.8: a temporary objective counts only as long as a unit stays on it."""
    state = table.state
    for seat in SEATS:
        for number in list(state.held[seat]):
            objective = state.objectives[number]
            if objective.kind == "temporary" and not _holds(state, seat, objective):
                state.held[seat].remove(number)
                table.tell(
                    ObjectiveLost(seat=seat, hexes=objective.hexes, banners=objective.banners, rule="2.8")
                )


def take_objectives(table: Table[State], seat: str) -> None:
    """2.8: at the start of a side's turn: the objectives that its units hold."""
    state = table.state
    for number, objective in enumerate(state.objectives):
        if objective.kind == "exit" or objective.side not in (seat, "both"):
            continue
        if number not in state.held[seat] and _holds(state, seat, objective):
            state.held[seat].append(number)
            table.tell(
                ObjectiveTaken(seat=seat, hexes=objective.hexes, banners=objective.banners, rule="2.8")
            )
