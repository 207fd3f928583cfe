"""6.8, 6.9, 7.5, 7.6: what a roll does to a unit: blocks, leader, flags, retreat."""

from __future__ import annotations

from pbem.games.ccn import board, leaders, movement, routes, squares, terrain
from pbem.games.ccn.events import Destroyed, FlagsIgnored, Lost, Retreated
from pbem.games.ccn.orders import GiveWay
from pbem.games.ccn.questions import Flags
from pbem.games.ccn.state import State, Unit
from pbem.games.ccn.trail import tell
from pbem.games.ccn.victory import award, check_end, drop_objectives
from pbem.kernel.table import Table


class Blow:
    """6.1.4: one roll against one unit: its label, where it came from, and whether flags can be ignored."""

    def __init__(self, label: str, unit: Unit, attacker: str, *, hits: int, flags: int, firm: bool) -> None:
        self.label = label
        self.unit = unit
        self.attacker = attacker
        self.hits = hits
        self.flags = flags
        self.firm = firm
        """7.6.2: flags that cannot be ignored: those of a square against cavalry (R28)."""
        self.checked = False
        """6.9.4: the leader's one check of this roll has been made (R23, R64)."""


def support(state: State, unit: Unit) -> bool:
    """7.6.1, 7.6.5: at least two adjacent friends, units or lone leaders; never for a square (R30: now)."""
    if unit.square:
        return False
    friends = {
        piece.hex
        for piece in state.pieces()
        if piece.hex and piece.side == unit.side and board.DISTANCE[piece.hex][unit.hex] == 1
    }
    return len(friends) >= 2


def may_ignore(state: State, unit: Unit, attacker: str) -> int:
    """7.6.1, 7.6.4: flags that a unit may ignore: leader, support, fieldwork, troop type."""
    by_type = unit.kind.flags_ignored
    if unit.kind.guard and unit.arm == "artillery":
        by_type = int(state.options.get("guard_foot_artillery_flags", "1"))
    return (
        by_type
        + (state.leader_of(unit) is not None)
        + support(state, unit)
        + terrain.flags_by_ground(state, unit, attacker)
    )


async def suffer(table: Table[State], blow: Blow) -> bool:
    """6.1.4: remove blocks, check the leader, then retreat. Whether the unit has left its hex, or died."""
    unit, state = blow.unit, table.state
    if blow.hits and not await _lose(table, blow, min(blow.hits, unit.blocks), blocked=False):
        return True
    if not blow.flags:
        return False
    most = 0 if blow.firm else min(blow.flags, may_ignore(state, unit, blow.attacker))
    question = Flags(
        key=f"{blow.label}/flags",
        seat=unit.side,
        unit=unit.id,
        flags=blow.flags,
        may_ignore=most,
        rule="7.5.2",
    )
    (order,) = await table.ask(question)
    assert isinstance(order, GiveWay)
    if order.ignore:
        table.tell(
            FlagsIgnored(seat=unit.side, unit=unit.type, hex=unit.hex, flags=order.ignore, rule="7.6.1")
        )
    return await _fall_back(table, blow, question.steps(state, order.ignore), order.path)


async def _fall_back(table: Table[State], blow: Blow, steps: int, way: tuple[str, ...]) -> bool:
    """7.5.4, 7.5.5, 7.5.6, 7.5.7, 7.5.8, 7.7.5, 8.2.10: along the way; a block for each hex not made."""
    unit, state = blow.unit, table.state
    short = routes.missing(state, unit, steps, way)
    if way:
        start = unit.hex
        rallied = (
            ""
            if state.leader_of(unit)
            else next((leader.id for hex in way if (leader := state.leader_at(hex)) is not None), "")
        )
        for hex in way:
            movement.place_unit(state, unit, hex)
        tell(
            table,
            Retreated(seat=unit.side, unit=unit.type, hex=start, path=way, rallied=rallied, rule="7.5.2"),
        )
        drop_objectives(table)
    if short and not await _lose(table, blow, min(short, unit.blocks), blocked=True):
        return True
    return bool(way)


async def _lose(table: Table[State], blow: Blow, number: int, *, blocked: bool) -> bool:
    """6.8.1, 6.9.4, 6.9.5, 6.9.6: take blocks off a unit, check its leader. Whether it is still there."""
    unit, state = blow.unit, table.state
    leader = state.leader_of(unit)
    unit.blocks -= number
    table.tell(
        Lost(
            seat=unit.side,
            unit=unit.type,
            hex=unit.hex,
            lost=number,
            blocks=unit.blocks,
            blocked=blocked,
            rule="7.5.4" if blocked else "6.8.1",
        )
    )
    if unit.blocks:
        if leader is not None and not blow.checked:
            blow.checked = True
            leaders.check(table, leader, blow.label, unit_lost=False)
        return True
    destroy(table, unit)
    if leader is not None:
        dead = not blow.checked and leaders.check(table, leader, blow.label, unit_lost=True)
        blow.checked = True
        if not dead:
            await leaders.retreat(table, leader, blow.label)
    return False


def destroy(table: Table[State], unit: Unit) -> None:
    """2.8, 7.5.8, 8.2.11: the last block is gone: a banner; a square's card comes back."""
    state, hex = table.state, unit.hex
    winner = state.enemy(unit.side)
    if unit.square:
        squares.leave(state, unit)
    unit.hex = ""
    award(table, winner, unit.id)
    tell(
        table,
        Destroyed(
            seat=unit.side,
            unit=unit.type,
            hex=hex,
            winner=winner,
            banners=state.banners(winner),
            rule="2.8",
        ),
    )
    drop_objectives(table)
    check_end(table)
