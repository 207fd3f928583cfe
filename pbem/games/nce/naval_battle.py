"""15.10: battles of fleets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pbem.games.nce import charts, luck, nelson
from pbem.games.nce.charts import FLEETS, SEAS, ZONES
from pbem.games.nce.events import NavalBattle
from pbem.games.nce.naval_flight import go_to_port
from pbem.games.nce.reactions import Fleets
from pbem.games.nce.replies import FleetReply
from pbem.games.nce.state import COALITION, EMPIRE, OUT, POOL, State, enemy

if TYPE_CHECKING:
    from pbem.games.nce.naval import Voyage

MOST_ROUNDS = 6
ANNIHILATION = 12


def refuges(state: State, fleets: Sequence[str], sea: str, closed: str) -> list[str]:
    """15.5.2, 15.10.5: a friendly port of the zone, then the next seas, not whence the mover came."""
    side = state.side_of(FLEETS[fleets[0]].power)
    ports = [
        port
        for port in SEAS[sea].ports
        if state.controller(port) == side and len(state.fleets_at(f"port:{port}")) + len(fleets) <= 3
    ]
    seas = [
        other
        for other in SEAS[sea].neighbours
        if other != closed
        and not state.fleets_at(f"sea:{other}", enemy(side))
        and len(state.fleets_at(f"sea:{other}", side)) + len(fleets) <= 3
    ]
    return [*ports, *seas]


async def exchange(
    voyage: Voyage, defenders: Sequence[str], place: str, *, fortress: int = 0, one_round: bool = False
) -> tuple[int, list[str], list[str]]:
    """15.10.2, 15.10.3, 15.10.7: dice until one side is beaten: the difference for the attacker, the defenders that
    are left, and what is lost; then Nelson's fate, if his card was played.
    """
    desk, state, other = voyage.desk, voyage.state, enemy(voyage.side)
    theirs, lost = list(defenders), list[str]()
    difference, played = -1, False
    for number in range(MOST_ROUNDS):
        difference, sunk, again = await _volley(voyage, theirs, place, fortress)
        played = played or again
        lost += sunk
        theirs = [f for f in theirs if f not in sunk]
        if difference or one_round:
            break
        if await _withdraws(voyage, other, place, theirs, number):
            difference = 1
            break
        if number == MOST_ROUNDS - 1 or await _withdraws(voyage, voyage.side, place, theirs, number):
            difference = -1
            break
    if played:
        nelson.afterwards(desk, place, [f for f in lost if state.side_of(FLEETS[f].power) == EMPIRE])
        voyage.fleets = [f for f in voyage.fleets if ":" in state.fleets[f]]
        theirs = [f for f in theirs if ":" in state.fleets[f]]
    return difference, theirs, lost


async def _volley(
    voyage: Voyage, theirs: Sequence[str], place: str, fortress: int
) -> tuple[int, list[str], bool]:
    """15.10.1, 15.10.2, 15.10.8: one round of dice: the difference, who is lost, and whether 10C was played."""
    desk, state, other = voyage.desk, voyage.state, enemy(voyage.side)
    mine = list(voyage.fleets)
    a_label, a_dice = desk.roll("naval", place, "attack", rule="15.10.1", seat=voyage.side, dice=len(mine))
    d_label, d_dice = desk.roll(
        "naval", place, "defence", rule="15.10.1", seat=other, dice=len(theirs) + fortress
    )
    draws = [a_label, d_label]
    value = sum(FLEETS[f].tactical for f in mine) - sum(FLEETS[f].tactical for f in theirs)
    difference = sum(a_dice) - sum(d_dice) + value
    attacks = voyage.side == COALITION
    label, new = await nelson.rolls_again(
        desk,
        place,
        mine if attacks else theirs,
        difference if attacks else -difference,
        written=attacks and nelson.CARD in voyage.cards,
    )
    if new:
        draws.append(label)
        a_dice, d_dice = (new, d_dice) if attacks else (a_dice, (*new, *d_dice[len(theirs) :]))
        difference = sum(a_dice) - sum(d_dice) + value
    loser = list(theirs) if difference > 0 else mine
    count = charts.naval_losses(abs(difference), len(loser)) if difference else 0
    if fortress and difference > 0 and abs(difference) < ANNIHILATION and count:
        count -= 1
    lost = sorted(loser, key=lambda f: (FLEETS[f].tactical, f))[:count]
    desk.tell(
        NavalBattle(
            place=place,
            attackers=tuple(mine),
            defenders=tuple(theirs),
            attacker_dice=tuple(a_dice),
            defender_dice=tuple(d_dice),
            attacker_total=sum(a_dice) + sum(FLEETS[f].tactical for f in mine),
            defender_total=sum(d_dice) + sum(FLEETS[f].tactical for f in theirs),
            winner=voyage.side if difference > 0 else other if difference < 0 else "",
            lost=tuple(lost),
            draws=tuple(draws),
            luck=luck.naval(
                _squadron(voyage.side, mine, len(a_dice), lost),
                _squadron(other, theirs, len(d_dice), lost, 1 if fortress else 0),
            ),
            rule="15.10.1",
        )
    )
    for fleet in lost:
        state.fleets[fleet] = POOL if FLEETS[fleet].rebuildable else OUT
    voyage.fleets = [f for f in voyage.fleets if f not in lost]
    return difference, lost, bool(new)


def _squadron(
    seat: str, fleets: Sequence[str], dice: int, lost: Sequence[str], shelter: int = 0
) -> luck.Squadron:
    bonus = sum(FLEETS[fleet].tactical for fleet in fleets)
    return luck.Squadron(seat, dice, bonus, len(fleets), sum(fleet in fleets for fleet in lost), shelter)


async def _withdraws(voyage: Voyage, seat: str, place: str, theirs: Sequence[str], number: int) -> bool:
    """15.10.3: after a tie the inactive side may withdraw, then the active one."""
    mine, others = (tuple(voyage.fleets), tuple(theirs))
    question = Fleets(
        key=voyage.desk.label("tie", seat, place, number),
        seat=seat,
        rule="15.10.3",
        sea=place,
        kind_of="tie",
        movers=mine if seat != voyage.side else others,
        mine=others if seat != voyage.side else mine,
    )
    (order,) = await voyage.desk.ask(question)
    return isinstance(order, FleetReply) and order.what == "withdraw"


def send_away(voyage: Voyage, fleets: Sequence[str], sea: str) -> None:
    """15.10.5: beaten defenders go to a port of the zone, else the next sea, else the nearest port."""
    state = voyage.state
    if not fleets:
        return
    came = voyage.came.partition(":")
    closed = came[2] if came[0] == "sea" else ""
    ways = refuges(state, fleets, sea, closed)
    for fleet in fleets:
        if ways:
            state.fleets[fleet] = f"port:{ways[0]}" if ways[0] in ZONES else f"sea:{ways[0]}"
        else:
            go_to_port(voyage.desk, fleet, sea)


async def at_sea(voyage: Voyage, defenders: Sequence[str], *, back: str) -> bool:
    """15.10.4, 15.10.5: at sea: the active loser goes back where he came from."""
    sea = voyage.place.partition(":")[2]
    difference, theirs, _ = await exchange(voyage, defenders, sea)
    if difference > 0:
        send_away(voyage, theirs, sea)
        return bool(voyage.fleets)
    if voyage.fleets:
        goal = back if back != voyage.place else voyage.place
        if goal == voyage.place:
            send_away(voyage, voyage.fleets, sea)
        else:
            voyage.put(goal)
    return False


async def in_box(voyage: Voyage, defenders: Sequence[str], port: str, *, back: str) -> bool:
    """15.6.1, 15.6.2: a sortie, without the fortress; beaten, the mover goes to the sea zone."""
    difference, _, _ = await exchange(voyage, defenders, port)
    if difference > 0:
        return bool(voyage.fleets)
    if voyage.fleets:
        voyage.put(f"sea:{ZONES[port].port}")
    del back
    return False


async def in_port(voyage: Voyage, defenders: Sequence[str], port: str) -> bool:
    """15.10.6: one round; the fortress helps; true where the port is empty of fleets."""
    fortress = voyage.state.fortress(port)
    difference, theirs, _ = await exchange(voyage, defenders, port, fortress=fortress, one_round=True)
    if difference <= 0 and voyage.fleets:
        voyage.put(f"sea:{ZONES[port].port}")
        return False
    return not theirs
