"""The nearest legal thing to an order that cannot stand."""

from __future__ import annotations

from pbem.games.ccn import battle, board, effects, movement
from pbem.games.ccn.charts import FIRE, MELEE
from pbem.games.ccn.orders import Activate, Fire, LeaderMove, LeaveSquare, Melee, Move
from pbem.games.ccn.state import State, Unit
from pbem.kernel.order import If, Order
from pbem.kernel.problem import Problem

_BEYOND = frozenset(board.BEYOND)
WRONG_UNIT = ("enemy_unit", "no_unit_there", "not_in_section", "card_does_not_order")


def nearest(state: State, seat: str, order: Order, problem: Problem, unit: Unit | None = None) -> Problem:
    """The problem with what would be legal instead, where something is."""
    found: tuple[Order, ...] = problem.nearest
    if problem.code in WRONG_UNIT or problem.code == "ordered_twice":
        found = _other_unit(state, seat, order)
    elif isinstance(order, Move):
        found = _other_way(state, seat, order)
    elif isinstance(order, LeaderMove):
        found = _other_ride(state, order)
    elif isinstance(order, (Fire, Melee)) and unit is not None:
        found = _other_target(state, unit, order)
    return Problem(problem.code, problem.rule, problem.kind, problem.params, found, problem.order)


def beyond(order: Order) -> tuple[str, ...]:
    """1.2: the hexes of an order that the board does not have."""
    if isinstance(order, If):
        return tuple(name for item in (*order.then, *order.otherwise) for name in beyond(item))
    found: list[str] = []
    for field in order.__struct_fields__:
        value = getattr(order, field)
        found += [value] if isinstance(value, str) else value if isinstance(value, tuple) else []
    return tuple(name for name in found if name in _BEYOND)


def not_on_board(state: State, seat: str, order: Order, names: tuple[str, ...]) -> Problem:
    """1.2: what is wrong with such a hex, and the nearest thing that can be ordered."""
    row = names[0][0]
    last = board.width(board.ROWS.index(row)) if row in board.ROWS else 0
    problem = Problem("not_on_board", "1.2", params={"hex": names[0], "row": row, "last": last})
    if isinstance(order, If):
        return problem
    near = _onto(order)
    unit = state.unit_at(_hex(near))
    if _hex(near) and (unit is None or unit.side != seat):
        found = _other_unit(state, seat, near)
    else:
        if unit is not None:
            unit.ordered = True
        found = nearest(state, seat, near, problem, unit).nearest or (near,)
    return Problem(problem.code, problem.rule, problem.kind, problem.params, found)


def _onto(order: Order) -> Order:
    """The order with the nearest hexes of the board in the place of those beyond it."""

    def real(value: object) -> object:
        if isinstance(value, tuple):
            return tuple(real(item) for item in value)
        return board.onto(value) if isinstance(value, str) and value in _BEYOND else value

    return type(order)(*(real(getattr(order, field)) for field in order.__struct_fields__))


def _hex(order: Order) -> str:
    if isinstance(order, (Move, LeaveSquare, Fire, Melee)):
        return order.unit
    return order.units[0] if isinstance(order, Activate) and order.units else ""


def _other_unit(state: State, seat: str, order: Order) -> tuple[Order, ...]:
    hex = _hex(order)
    if hex not in board.ROW:
        return ()
    force = effects.in_force(state)
    place = state.place(seat)

    def fits(unit: Unit) -> bool:
        if isinstance(force, effects.Section):
            return any(section in force.quotas for section in board.sections(unit.hex, place))
        return force.finds(state, unit)

    units = [unit for unit in state.army(seat) if fits(unit) and not unit.ordered]
    units.sort(key=lambda unit: (board.DISTANCE[unit.hex][hex], unit.hex))
    return (Activate((units[0].hex,)),) if units else ()


def _other_way(state: State, seat: str, order: Move) -> tuple[Order, ...]:
    unit = state.unit_at(order.unit)
    wanted = order.path[-1]
    if unit is None or unit.side != seat or wanted not in board.ROW or unit.square or unit.moved:
        return ()
    most, _ = effects.in_force(state).reach(state, unit)
    ways = movement.reachable(state, unit, most) if effects.in_force(state).moves else {}
    if not ways:
        return (Activate((order.unit,)),)
    best = min(ways, key=lambda hex: (board.DISTANCE[hex][wanted], len(ways[hex]), hex))
    return (Move(order.unit, ways[best]),)


def _other_ride(state: State, order: LeaderMove) -> tuple[Order, ...]:
    leader = state.leaders.get(order.leader) or state.leader_at(order.leader)
    wanted = order.path[-1]
    if leader is None or leader.moved or not leader.hex:
        return ()
    ways = movement.leader_reachable(state, leader, effects.in_force(state).leader_reach())
    if not ways:
        return ()
    best = min(ways, key=lambda hex: (board.DISTANCE[hex][wanted], len(ways[hex]), hex))
    return (LeaderMove(order.leader, ways[best]),)


def _other_target(state: State, unit: Unit, order: Fire | Melee) -> tuple[Order, ...]:
    enemies = [piece.hex for piece in state.pieces() if piece.side != unit.side and piece.hex]
    enemies.sort(key=lambda hex: (board.DISTANCE[hex][order.targets[0]] if order.targets else 0, hex))
    for hex in enemies:
        if not (battle.why_no_battle(state, unit, FIRE) or battle.why_no_fire(state, unit, hex)):
            return (Fire(order.unit, (hex,)),)
        if not (battle.why_no_battle(state, unit, MELEE) or battle.why_no_melee(state, unit, hex, [])):
            return (Melee(order.unit, (hex,)),)
    return (Activate((order.unit,)),) if unit.ordered else ()
