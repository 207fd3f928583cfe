"""5: movement of units and leaders."""

from __future__ import annotations

from pbem.games.ccn import board, effects, terrain
from pbem.games.ccn.board import OFF
from pbem.games.ccn.state import Leader, State, Unit
from pbem.kernel.problem import Params, Problem


def open_to_unit(state: State, unit: Unit, hex: str, led: bool) -> str:
    """5.2, 5.3, 5.6: why a unit cannot enter a hex; empty where it can (R10: no second leader)."""
    if not terrain.passable(state, hex, unit.arm):
        return "impassable"
    if state.unit_at(hex) is not None:
        return "occupied"
    leader = state.leader_at(hex)
    if leader is not None and leader.side != unit.side:
        return "enemy_leader"
    if leader is not None and led:
        return "second_leader"
    return ""


def ends_move(state: State, hex: str) -> bool:
    """5.3, 5.6: whether a unit that enters the hex moves no further."""
    return terrain.stops(state, hex) or state.leader_at(hex) is not None


def reachable(state: State, unit: Unit, limit: int, led: bool | None = None) -> dict[str, tuple[str, ...]]:
    """Where a unit can move within so many hexes, with a shortest path to each."""
    if led is None:
        led = state.leader_of(unit) is not None
    paths: dict[str, tuple[str, ...]] = {}
    front: list[tuple[str, tuple[str, ...]]] = [(unit.hex, ())]
    for _ in range(limit):
        ahead: list[tuple[str, tuple[str, ...]]] = []
        for hex, path in front:
            for place in board.NEIGHBOURS[hex]:
                if place in paths or place == unit.hex or open_to_unit(state, unit, place, led):
                    continue
                paths[place] = (*path, place)
                if not ends_move(state, place):
                    ahead.append((place, paths[place]))
        front = ahead
    return paths


def why_no_move(state: State, unit: Unit) -> Problem | None:
    """4.7, 5.9.7, 8.2.4: what keeps a unit from moving at all."""
    here: Params = {"hex": unit.hex}
    if unit.square:
        return Problem("in_square", "8.2.4", params=here)
    if unit.joined:
        return Problem("leader_has_joined", "5.9.7", params=here)
    if unit.moved:
        return Problem("has_moved", "4.2", params=here)
    force = effects.in_force(state)
    if not force.moves:
        return Problem("card_forbids_move", force.rule, params=here)
    return None


def find_path(
    state: State, unit: Unit, path: tuple[str, ...], led: bool
) -> tuple[tuple[str, ...], Problem | None]:
    """5.1, 5.4, 5.7, 5.8: the path that a move order means, or what is wrong with it."""
    most, _ = effects.in_force(state).reach(state, unit)
    here: Params = {"hex": unit.hex, "to": path[-1]}
    leaves = path[-1] == OFF
    on_board = path[:-1] if leaves else path
    if OFF in on_board:
        return (), Problem("off_board", "5.5", params=here)
    if leaves and (on_board or (unit.hex,))[-1] not in state.exits.get(unit.side, ()):
        return (), Problem("no_exit", "5.5", params=here)
    if len(on_board) == 1 and board.DISTANCE[unit.hex][on_board[0]] > 1:
        found = reachable(state, unit, most, led).get(on_board[0])
        if found is None:
            return (), _why_not_there(state, unit, on_board[0], most, led)
        on_board = found
    spot = unit.hex
    for number, hex in enumerate(on_board):
        if board.DISTANCE[spot][hex] != 1:
            return (), Problem("gap_in_path", "5.1", params={**here, "from": spot, "step": hex})
        closed = open_to_unit(state, unit, hex, led)
        if closed:
            return (), Problem(
                closed, "5.6" if closed == "impassable" else "5.2", params={**here, "step": hex}
            )
        last = number == len(on_board) - 1 and not leaves
        if ends_move(state, hex) and not last:
            return (), Problem("must_stop", "5.6", params={**here, "step": hex})
        spot = hex
    if len(on_board) + leaves > most:
        return (), Problem("too_far", "5.8", params={**here, "most": most, "length": len(on_board) + leaves})
    return ((*on_board, OFF) if leaves else on_board), None


def _why_not_there(state: State, unit: Unit, hex: str, most: int, led: bool) -> Problem:
    params: Params = {"hex": unit.hex, "to": hex, "step": hex, "most": most}
    closed = open_to_unit(state, unit, hex, led)
    if closed:
        return Problem(closed, "5.6" if closed == "impassable" else "5.2", params=params)
    if board.DISTANCE[unit.hex][hex] > most:
        return Problem("too_far", "5.8", params={**params, "length": board.DISTANCE[unit.hex][hex]})
    return Problem("no_way", "5.6", params=params)


def move_unit(state: State, unit: Unit, path: tuple[str, ...], carry: bool = True) -> None:
    """5.8, 7.1.4: put a unit at the end of a path, its leader with it, and note what it may still do."""
    leader = state.leader_of(unit) if carry else None
    _, battle = effects.in_force(state).reach(state, unit)
    unit.moved += len(path)
    if path[-1] == OFF:
        leave_board(state, unit, leader)
        return
    meets = state.leader_at(path[-1]) is not None
    unit.hex = path[-1]
    if leader is not None:
        leader.hex = unit.hex
    unit.stopped = terrain.stops(state, unit.hex) or meets
    unit.barred = unit.barred or unit.moved > battle or terrain.bars_battle(state, unit.hex, unit)


def leave_board(state: State, unit: Unit, leader: Leader | None) -> None:
    """5.5: a unit leaves the board where the scenario allows it."""
    unit.hex = ""
    if leader is not None:
        leader.hex = ""
    state.exited[unit.side].append(unit.id)


def place_unit(state: State, unit: Unit, hex: str) -> None:
    """Put a unit on a hex, its leader with it, outside the movement phase."""
    leader = state.leader_of(unit)
    unit.hex = hex
    if leader is not None:
        leader.hex = hex


def leader_reachable(state: State, leader: Leader, limit: int) -> dict[str, tuple[str, ...]]:
    """5.9.1, 5.9.3, 5.9.4, 5.9.5: where a leader can ride, with a shortest path to each hex."""
    seen: dict[str, tuple[str, ...]] = {leader.hex: ()}
    ends: dict[str, tuple[str, ...]] = {}
    front = [leader.hex]
    for _ in range(limit):
        ahead: list[str] = []
        for hex in front:
            for place in board.NEIGHBOURS[hex]:
                if place in seen or not terrain.passable(state, place):
                    continue
                unit, other = state.unit_at(place), state.leader_at(place)
                if (unit and unit.side != leader.side) or (other and other.side != leader.side):
                    continue
                seen[place] = (*seen[hex], place)
                if other is None:
                    ends[place] = seen[place]
                if not terrain.stops(state, place):
                    ahead.append(place)
        front = ahead
    return ends


def find_ride(state: State, leader: Leader, path: tuple[str, ...]) -> tuple[tuple[str, ...], Problem | None]:
    """5.9: the way that a leader's order means, or what is wrong with it."""
    most = effects.in_force(state).leader_reach()
    params: Params = {"leader": leader.id, "hex": leader.hex, "to": path[-1], "most": most}
    if len(path) == 1 and board.DISTANCE[leader.hex][path[0]] > 1:
        found = leader_reachable(state, leader, most).get(path[0])
        if found is None:
            return (), Problem("leader_cannot_reach", "5.9.1", params=params)
        return found, None
    spot = leader.hex
    for number, hex in enumerate(path):
        if board.DISTANCE[spot][hex] != 1:
            return (), Problem("gap_in_path", "5.1", params={**params, "from": spot, "step": hex})
        unit, other = state.unit_at(hex), state.leader_at(hex)
        if not terrain.passable(state, hex):
            return (), Problem("impassable", "5.6", params={**params, "step": hex})
        if (unit and unit.side != leader.side) or (other and other.side != leader.side):
            return (), Problem("enemy_in_the_way", "5.9.3", params={**params, "step": hex})
        last = number == len(path) - 1
        if last and other is not None:
            return (), Problem("second_leader", "5.9.1", params={**params, "step": hex})
        if not last and terrain.stops(state, hex):
            return (), Problem("must_stop", "5.9.5", params={**params, "step": hex})
        spot = hex
    if len(path) > most:
        return (), Problem("too_far", "5.9.1", params={**params, "length": len(path)})
    return path, None


def move_leader(state: State, leader: Leader, path: tuple[str, ...]) -> None:
    """5.9.2, 5.9.7: put a leader at the end of his way; a unit that he joins moves no more."""
    leader.hex = path[-1]
    leader.moved = True
    unit = state.unit_at(leader.hex)
    if unit is not None:
        unit.joined = True
