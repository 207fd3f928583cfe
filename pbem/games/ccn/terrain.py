"""11: what terrain does to movement, dice, squares and sight."""

from __future__ import annotations

from pbem.games.ccn import board, charts
from pbem.games.ccn.state import State, Unit
from pbem.kernel.event import Modifier

HILL = "hill"


def passable(state: State, hex: str, arm: str = "") -> bool:
    """5.6, 11.3: whether an arm (or a leader) can enter a hex at all; a bridge makes a river passable."""
    ground = charts.grounds()[state.terrain.get(hex, "clear")]
    return ground.passable and arm not in ground.impassable_for


def stops(state: State, hex: str) -> bool:
    """5.6, 5.9.5: whether entering a hex ends the move; fieldworks do, from any side."""
    return hex in state.works or charts.grounds()[state.terrain.get(hex, "clear")].enter_stop


def bars_battle(state: State, hex: str, unit: Unit) -> bool:
    """11, 11.4: whether a unit that enters the hex may not make its own combat this turn (R58)."""
    ground = state.terrain.get(hex, "clear")
    if charts.grounds()[ground].battle_on_entry:
        return False
    return not (ground == "forest" and unit.arm == "infantry" and unit.kind.light_type)


def square_allowed(state: State, hex: str) -> bool:
    """8.2.2: no square in towns, windmills and fieldworks."""
    return hex not in state.works and charts.grounds()[state.terrain.get(hex, "clear")].square_allowed


def covered(state: State, firer: str, target: str) -> bool:
    """11.2: whether an attack crosses the fieldworks of the target's hex (R57: a corner counts)."""
    works = state.works.get(target, [])
    return bool(works) and any(place in works for place in board.entry(firer, target))


def _number(table: dict[str, dict[str, int]], arm: str, how: str) -> int:
    return table.get(arm, {}).get(how, 0)


def reductions(state: State, attacker: str, target: str, arm: str, how: str) -> list[Modifier]:
    """11.1, 11.2: dice lost by an arm that battles from one hex into another, each with its reason."""
    grounds = charts.grounds()
    here, there = state.terrain.get(attacker, "clear"), state.terrain.get(target, "clear")
    behind_works = covered(state, attacker, target)
    into: Modifier
    if behind_works:
        into = Modifier("fieldwork", -_number(grounds["fieldwork"].dice_into, arm, how), "11.2")
    elif there == HILL and here == HILL:
        into = Modifier("hill_to_hill", -_number(grounds[HILL].hill_to_hill, arm, how), "11")
    else:
        into = Modifier(f"into_{there}", -_number(grounds[there].dice_into, arm, how), "11")
    leaves_works = attacker in state.works and any(
        place in state.works[attacker] for place in board.entry(target, attacker)
    )
    if leaves_works:
        out = Modifier("out_of_fieldwork", -_number(grounds["fieldwork"].dice_out_of, arm, how), "11.2")
    elif here == HILL and there == HILL:
        out = Modifier("hill_to_hill", 0, "11")
    else:
        out = Modifier(f"out_of_{here}", -_number(grounds[here].dice_out_of, arm, how), "11")
    if not state.on("terrain_reductions_cumulative"):
        return [min(into, out, key=lambda modifier: modifier.value)]
    return [modifier for modifier in (into, out) if modifier.value]


def flags_by_ground(state: State, unit: Unit, attacker: str) -> int:
    """7.6.1, 11.2: flags that a unit behind fieldworks may ignore, when attacked across them."""
    if not covered(state, attacker, unit.hex):
        return 0
    return charts.grounds()["fieldwork"].defender_may_ignore_flags.get(unit.arm, 0)


def charge_denied(state: State, attacker: str, target: str) -> bool:
    """10.3.3: no die of CAVALRY CHARGE into or out of buildings."""
    return any(
        charts.grounds()[state.terrain.get(hex, "clear")].cavalry_charge_bonus_denied
        for hex in (attacker, target)
    )


def sees(state: State, attacker: Unit, target: str, *, over_friends: bool = True) -> bool:
    """6.3.1, 6.3.2, 6.3.6: whether a unit sees a hex; `over_friends` is the rule of 6.3.5."""
    if board.DISTANCE[attacker.hex][target] <= 1:
        return True
    line = board.line(attacker.hex, target)
    plateau = state.terrain.get(attacker.hex) == HILL and state.terrain.get(target) == HILL
    over = over_friends and attacker.arm == "artillery" and state.terrain.get(attacker.hex) == HILL
    if any(_obstacle(state, attacker, hex, plateau, over) for hex in line.between):
        return False
    return not any(
        (one is None or _obstacle(state, attacker, one, plateau, over))
        and (two is None or _obstacle(state, attacker, two, plateau, over))
        for one, two in line.pairs
    )


def _obstacle(state: State, attacker: Unit, hex: str, plateau: bool, over: bool) -> bool:
    """6.3.1, 6.3.3, 6.3.4, 6.3.5: whether a hex stops the line (R16: no hill does between two hills)."""
    ground = state.terrain.get(hex, "clear")
    if ground == HILL:
        if not plateau:
            return True
    elif charts.grounds()[ground].blocks_los:
        return True
    if plateau and ground == HILL and not state.on("hill_units_block_los_on_plateau"):
        return False
    unit = state.unit_at(hex)
    leader = state.leader_at(hex)
    if unit is None and leader is None:
        return False
    owner = unit.side if unit is not None else leader.side if leader is not None else ""
    lower = over and owner == attacker.side and ground != HILL
    return not (lower and board.DISTANCE[attacker.hex][hex] == 1)
