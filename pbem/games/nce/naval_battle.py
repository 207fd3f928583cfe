"""15.10: battles of fleets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pbem.games.nce import charts, luck
from pbem.games.nce.charts import FLEETS, SEAS, ZONES
from pbem.games.nce.events import CardSpent, NavalBattle
from pbem.games.nce.naval_flight import go_to_port
from pbem.games.nce.reactions import Fleets
from pbem.games.nce.replies import FleetReply
from pbem.games.nce.state import OUT, POOL, State, enemy

if TYPE_CHECKING:
    from pbem.games.nce.naval import Voyage

MOST_ROUNDS = 6


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
    """15.10.1, 15.10.2, 15.10.3, 15.10.8: dice until one side is beaten: the difference for the
    attacker, and what is lost.
    """
    desk, state, other = voyage.desk, voyage.state, enemy(voyage.side)
    theirs = list(defenders)
    for number in range(MOST_ROUNDS):
        mine = list(voyage.fleets)
        a_label, a_dice = desk.roll(
            "naval", place, "attack", rule="15.10.1", seat=voyage.side, dice=len(mine)
        )
        d_label, d_dice = desk.roll(
            "naval", place, "defence", rule="15.10.1", seat=other, dice=len(theirs) + fortress
        )
        draws = [a_label, d_label]
        if _nelson(voyage, mine):
            label, a_dice = desk.roll("naval", place, "nelson", rule="7.5", seat=voyage.side, dice=len(mine))
            draws.append(label)
        attack = sum(a_dice) + sum(FLEETS[f].tactical for f in mine)
        defence = sum(d_dice) + sum(FLEETS[f].tactical for f in theirs)
        difference = attack - defence
        loser = theirs if difference > 0 else mine
        count = charts.naval_losses(abs(difference), len(loser)) if difference else 0
        if fortress and difference > 0 and abs(difference) < 12 and count:
            count -= 1
        lost = sorted(loser, key=lambda f: (FLEETS[f].tactical, f))[:count]
        desk.tell(
            NavalBattle(
                place=place,
                attackers=tuple(mine),
                defenders=tuple(theirs),
                attacker_dice=tuple(a_dice),
                defender_dice=tuple(d_dice),
                attacker_total=attack,
                defender_total=defence,
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
        theirs = [f for f in theirs if f not in lost]
        if difference or one_round:
            return difference, theirs, lost
        if await _withdraws(voyage, other, place, theirs, number):
            return 1, theirs, lost
        if await _withdraws(voyage, voyage.side, place, theirs, number):
            return -1, theirs, lost
    return -1, theirs, []


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


def _nelson(voyage: Voyage, mine: Sequence[str]) -> bool:
    """10C: the squadron with Nelson rolls again."""
    state = voyage.state
    if "10C" not in voyage.cards or "nelson" not in mine or "10C" not in state.hands[voyage.side]:
        return False
    state.spend_card(voyage.side, "10C")
    voyage.desk.tell(CardSpent(side=voyage.side, card="10C", use="naval", rule="7.5"))
    return True


def _aftermath_of_nelson(voyage: Voyage, lost: Sequence[str]) -> None:
    """10C: Nelson may fall, and French fleets may be lost for good."""
    state, desk = voyage.state, voyage.desk
    if "10C" not in voyage.cards or "10C" in state.hands[voyage.side]:
        return
    if "nelson" in voyage.fleets:
        _, (die,) = desk.roll("nelson", rule="15.10.7", seat=voyage.side)
        if die + len(lost) >= 5:
            state.fleets["nelson"] = OUT
            voyage.fleets.remove("nelson")
            if "10C" in state.played[voyage.side]:
                state.played[voyage.side].remove("10C")
                state.removed[voyage.side].append("10C")
    for fleet in lost:
        if FLEETS[fleet].power == "france":
            _, (die,) = desk.roll("lost-for-good", fleet, rule="15.10.7", seat=enemy(voyage.side))
            if die >= 5:
                state.fleets[fleet] = OUT


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
    difference, theirs, lost = await exchange(voyage, defenders, sea)
    if difference > 0:
        _aftermath_of_nelson(voyage, lost)
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
    difference, _, lost = await exchange(voyage, defenders, port)
    if difference > 0:
        _aftermath_of_nelson(voyage, lost)
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
