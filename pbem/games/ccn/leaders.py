"""6.9, 7.7, 7.8: leader casualty checks, retreats and escapes."""

from __future__ import annotations

from pbem.games.ccn import routes
from pbem.games.ccn.battle import escape_dice
from pbem.games.ccn.board import OFF
from pbem.games.ccn.charts import faces
from pbem.games.ccn.events import LeaderChecked, LeaderEscape, LeaderKilled, LeaderRode
from pbem.games.ccn.orders import Ride
from pbem.games.ccn.questions import LeaderWay
from pbem.games.ccn.state import Leader, State
from pbem.games.ccn.trail import tell
from pbem.games.ccn.victory import award, check_end
from pbem.kernel.event import Expected
from pbem.kernel.table import Table

SABRE = "sabre"


def roll(table: Table[State], label: str, dice: int, *, rule: str, seat: str) -> tuple[str, ...]:
    """1.5: the faces of some dice, all of them rolled (R02)."""
    if dice == 0:
        return ()
    names = faces()
    return tuple(names[value] for value in table.roll(label, dice, 6, rule=rule, seat=seat))


def expected(seat: str, dice: int, faces_that_hit: int, hits: int) -> tuple[Expected, ...]:
    """What a roll gave a side, and what it gives on average."""
    chance = faces_that_hit / 6
    if not dice:
        return ()
    return (Expected(seat, "hits", hits, dice * chance, dice * chance * (1 - chance)),)


def kill(table: Table[State], leader: Leader) -> None:
    """6.9.1: a leader is eliminated: a banner, unless the end has come already."""
    state, hex = table.state, leader.hex
    winner = state.enemy(leader.side)
    leader.hex, leader.killed = "", True
    award(table, winner, leader.id)
    tell(
        table,
        LeaderKilled(
            seat=leader.side,
            leader=leader.id,
            hex=hex,
            winner=winner,
            banners=state.banners(winner),
            rule="6.9.1",
        ),
    )
    check_end(table)


def check(table: Table[State], leader: Leader, label: str, *, unit_lost: bool) -> bool:
    """6.9.2, 6.9.3: two sabres of two dice with a unit that lives, one sabre of one die when it is gone."""
    dice, rule = (1, "6.9.3") if unit_lost else (2, "6.9.2")
    shown = roll(table, f"{label}/leader", dice, rule=rule, seat=table.state.enemy(leader.side))
    killed = shown.count(SABRE) == dice
    table.tell(
        LeaderChecked(
            seat=leader.side,
            leader=leader.id,
            hex=leader.hex,
            faces=shown,
            killed=killed,
            rule=rule,
            draws=(f"{label}/leader",),
        )
    )
    if killed:
        kill(table, leader)
    return killed


async def retreat(table: Table[State], leader: Leader, label: str) -> None:
    """7.7.1, 7.7.2, 7.8.3: a leader goes one to three hexes; without any way he is eliminated (R32)."""
    state = table.state
    if not routes.leader_ways(state, leader):
        kill(table, leader)
        return
    (order,) = await table.ask(
        LeaderWay(key=f"{label}/ride", seat=leader.side, leader=leader.id, rule="7.7.1")
    )
    assert isinstance(order, Ride)
    await ride(table, leader, order.path, label)


async def ride(table: Table[State], leader: Leader, way: tuple[str, ...], label: str) -> None:
    """7.8.1, 7.8.2, 7.7.3, 7.7.4: along a way, through enemy units; off his edge he is out of play."""
    state, start = table.state, leader.hex
    for number, hex in enumerate(way, 1):
        unit = state.unit_at(hex) if hex != OFF else None
        if unit is None or unit.side == leader.side:
            continue
        shown = roll(table, f"{label}/escape/{number}", escape_dice(unit), rule="7.8.1", seat=unit.side)
        killed = SABRE in shown
        table.tell(
            LeaderEscape(
                seat=leader.side,
                leader=leader.id,
                hex=hex,
                unit=unit.type,
                faces=shown,
                killed=killed,
                rule="7.8.1",
                draws=(f"{label}/escape/{number}",),
            )
        )
        if killed:
            kill(table, leader)
            return
    end = way[-1]
    leader.hex = "" if end == OFF else end
    joins = state.unit_at(end) if end != OFF else None
    tell(
        table,
        LeaderRode(
            seat=leader.side,
            leader=leader.id,
            hex=start,
            path=way,
            joins=joins.type if joins else "",
            rule="7.7",
        ),
    )
