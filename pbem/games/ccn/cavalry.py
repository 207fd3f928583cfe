"""7.1, 7.2, 7.3: what a victorious unit may do: take ground, break through, make a bonus melee."""

from __future__ import annotations

from pbem.games.ccn import battle, board, movement, terrain
from pbem.games.ccn.orders import Halt, TakeGround
from pbem.games.ccn.state import State, Unit, copy
from pbem.kernel.order import Order
from pbem.kernel.problem import Params, Problem


def why_no_advance(state: State, unit: Unit, hex: str) -> Problem | None:
    """7.1.1, 7.1.2, 7.1.3, 7.2.1: what keeps a unit from entering a vacated hex (R24)."""
    params: Params = {"hex": unit.hex, "to": hex}
    if unit.arm == "artillery":
        return Problem("guns_do_not_advance", "7.1.3", params=params)
    if unit.square:
        return Problem("in_square", "7.1.3", params=params)
    if unit.stopped and state.on("stop_terrain_forbids_take_ground"):
        return Problem("stopped_this_turn", "7.1.2", params=params)
    if board.DISTANCE[unit.hex][hex] != 1:
        return Problem("not_adjacent", "7.1.1", params=params)
    closed = movement.open_to_unit(state, unit, hex, state.leader_of(unit) is not None)
    return Problem(closed, "7.1.2", params=params) if closed else None


def onward_hexes(state: State, unit: Unit, hex: str) -> list[str]:
    """7.2.1: where cavalry may go on to from the vacated hex; its own hex counts as free."""
    if unit.arm != "cavalry" or movement.ends_move(state, hex):
        return []
    led = state.leader_of(unit) is not None
    return [
        place
        for place in board.NEIGHBOURS[hex]
        if place == unit.hex or not movement.open_to_unit(state, unit, place, led)
    ]


def bonus_targets(state: State, unit: Unit, hex: str, onward: str) -> list[str]:
    """7.3.1, 7.3.4: enemies that cavalry could attack after a breakthrough to there."""
    if unit.arm != "cavalry":
        return []
    after = copy(state)
    rider = after.units[unit.id]
    advance(after, rider, hex, onward)
    if rider.barred:
        return []
    return sorted(
        piece.hex
        for piece in after.pieces()
        if piece.hex
        and piece.side != unit.side
        and board.DISTANCE[piece.hex][rider.hex] == 1
        and battle.why_no_melee(after, rider, piece.hex, [], bonus=True) is None
    )


def why_no_bonus_with(state: State, unit: Unit, hex: str, order: TakeGround) -> Problem | None:
    """7.3.2, 8.3.2: what keeps cavalry from a breakthrough and a bonus melee in which guns join (R25)."""
    params: Params = {"hex": unit.hex, "to": order.onward or hex}
    if unit.arm != "cavalry" or (order.onward and order.onward not in onward_hexes(state, unit, hex)):
        return Problem("not_possible", "7.2.1", params=params)
    stuck = why_no_advance(state, unit, hex)
    if stuck is not None:
        return stuck
    after = copy(state)
    rider = after.units[unit.id]
    advance(after, rider, hex, order.onward)
    if rider.barred:
        return Problem("moved_too_far", "7.3.4", params={"hex": rider.hex})
    guns = [gun for at in dict.fromkeys(order.guns) if (gun := after.unit_at(at)) and gun.side == unit.side]
    if len(guns) < len(set(order.guns)):
        return Problem("no_unit_there", "8.3.1", params={"hex": order.guns[0]})
    found = [battle.why_no_melee(after, rider, target, guns, bonus=True) for target in order.bonus]
    return None if None in found else found[0]


def advance(state: State, unit: Unit, hex: str, onward: str) -> tuple[str, ...]:
    """7.1.4, 7.2.1, 11.5: enter the vacated hex and perhaps one more; the leader goes along (R59)."""
    way = (hex, onward) if onward else (hex,)
    for place in way:
        movement.place_unit(state, unit, place)
        unit.stopped = unit.stopped or terrain.stops(state, place)
        unit.barred = unit.barred or terrain.bars_battle(state, place, unit)
    return way


def choices(state: State, unit: Unit, hex: str, bonus: bool) -> list[Order]:
    """7.1, 7.2, 7.3: all that a victorious unit may do; after a bonus melee only the vacated hex (7.3.3)."""
    found: list[Order] = [Halt()]
    if why_no_advance(state, unit, hex) is not None:
        return found
    for onward in ("", *(() if bonus else onward_hexes(state, unit, hex))):
        found.append(TakeGround(onward))
        if not bonus:
            found += [TakeGround(onward, (target,)) for target in bonus_targets(state, unit, hex, onward)]
    return found
