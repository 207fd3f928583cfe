"""15.10: battles of fleets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pbem.games.nce import charts, fog, luck
from pbem.games.nce.charts import FLEETS, SEAS, ZONES
from pbem.games.nce.events_field import BlockadeSet, FleetsMoved, NavalBattle
from pbem.games.nce.replies import FleetReply, LoseFleets
from pbem.games.nce.sea import cargo, nelson
from pbem.games.nce.sea.admiralty import FOLLOW, RETREAT, TIE, Fleets, Sinking, by_value
from pbem.games.nce.sea.naval_flight import go_to_port
from pbem.games.nce.sea.waters import passage_problem
from pbem.games.nce.state import COALITION, EMPIRE, OUT, POOL, State, enemy

if TYPE_CHECKING:
    from pbem.games.nce.sea.naval import Voyage

MOST_ROUNDS = 20


def refuges(state: State, fleets: Sequence[str], sea: str, closed: str) -> list[str]:
    """15.5.2, 15.10.5: a friendly port of the zone, then the next seas, not whence the mover came, quiet ones first."""
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
        and len(state.fleets_at(f"sea:{other}", side)) + len(fleets) <= 3
        and not passage_problem(state, side, sea, other, fleets)[0]
    ]
    return [*ports, *sorted(seas, key=lambda other: bool(state.fleets_at(f"sea:{other}", enemy(side))))]


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
    shelter = int(bool(fortress) and difference > 0)
    count = charts.naval_losses(abs(difference), len(loser), shelter) if difference else 0
    lost = await _sunk(voyage, loser, count, place)
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


async def _sunk(voyage: Voyage, loser: Sequence[str], count: int, place: str) -> list[str]:
    """15.10.2, 15.7.3: D17: the owner chooses, among the empty ones first."""
    if not count or count >= len(loser):
        return list(loser)[:count]
    mine = loser[0] in voyage.fleets
    carrying = cargo.ships_needed(cargo.on_board(voyage)) if mine else 0
    order = by_value(loser)
    empty, loaded = order[: len(order) - carrying], order[len(order) - carrying :]
    (answer,) = await voyage.desk.ask(
        Sinking(
            key=voyage.desk.label("sunk", place),
            seat=voyage.side if mine else enemy(voyage.side),
            rule="15.10.2",
            place=place,
            count_lost=count,
            empty=tuple(empty),
            loaded=tuple(loaded),
        )
    )
    return list(answer.fleets) if isinstance(answer, LoseFleets) else order[:count]


async def _withdraws(voyage: Voyage, seat: str, place: str, theirs: Sequence[str], number: int) -> bool:
    """15.10.3: after a tie the inactive side may withdraw, then the active one."""
    mine, others = (tuple(voyage.fleets), tuple(theirs))
    question = Fleets(
        key=voyage.desk.label("tie", seat, place, number),
        seat=seat,
        rule="15.10.3",
        sea=place,
        kind_of=TIE,
        movers=mine if seat != voyage.side else others,
        mine=others if seat != voyage.side else mine,
    )
    (order,) = await voyage.desk.ask(question)
    return isinstance(order, FleetReply) and order.what == "withdraw"


async def _retreats(voyage: Voyage, fleets: Sequence[str], sea: str, ways: Sequence[str]) -> str:
    """15.10.5: where the loser goes; he chooses among several ways, the first where he is silent."""
    state, desk = voyage.state, voyage.desk
    if not ways:
        for fleet in fleets:
            go_to_port(desk, fleet, sea)
        return ""
    seat = state.side_of(FLEETS[fleets[0]].power)
    (order,) = await desk.ask(
        Fleets(
            key=desk.label("retreat", fleets[0], sea),
            seat=seat,
            rule="15.10.5",
            sea=sea,
            kind_of=RETREAT,
            movers=tuple(voyage.fleets),
            mine=tuple(fleets),
            ways=tuple(ways),
        )
    )
    goal = order.to if isinstance(order, FleetReply) and order.to in ways else ways[0]
    for fleet in fleets:
        state.fleets[fleet] = f"port:{goal}" if goal in ZONES else f"sea:{goal}"
    desk.tell(FleetsMoved(fleets=tuple(fleets), to=goal, rule="15.10.5"))
    return goal


async def at_sea(voyage: Voyage, defenders: Sequence[str], *, back: str, home: str = "") -> bool:
    """15.10.4, 15.10.5: the beaten defender goes to a port or the next sea, the beaten mover where he came from or
    to a port of the zone; who blockaded and has won stays in his box.
    """
    state = voyage.state
    sea = voyage.place.partition(":")[2]
    kind, _, came = voyage.came.partition(":")
    closed = came if kind == "sea" else ""
    for fleet in defenders:
        state.fleets[fleet] = voyage.place
    difference, theirs, _ = await exchange(voyage, defenders, sea)
    if difference > 0:
        goal = await _retreats(voyage, theirs, sea, refuges(state, theirs, sea, closed)) if theirs else ""
        voyage.chased = goal if goal in ZONES else ""
        return bool(voyage.fleets)
    for fleet in theirs if home else ():
        state.fleets[fleet] = home
    if voyage.fleets:
        await _driven_back(voyage, sea, back)
        await _followed(voyage, theirs)
    return False


async def _followed(voyage: Voyage, winners: Sequence[str]) -> None:
    """15.10.5: a mover who is driven into a port may be followed there free by who has beaten him, to blockade it."""
    state, other = voyage.state, enemy(voyage.side)
    kind, _, port = voyage.place.partition(":")
    if kind != "port" or not winners or not voyage.fleets or state.controller(port) != voyage.side:
        return
    box = f"box:{port}"
    coming = [fleet for fleet in winners if state.fleets[fleet] != box]
    if not coming or len(state.fleets_at(box, other)) + len(coming) > 3:
        return
    (order,) = await voyage.desk.ask(
        Fleets(
            key=voyage.desk.label("follow", coming[0], port),
            seat=other,
            rule="15.10.5",
            sea=port,
            kind_of=FOLLOW,
            movers=fog.shown(state, voyage.fleets, other),
            mine=tuple(coming),
        )
    )
    if isinstance(order, FleetReply) and order.what == FOLLOW:
        for fleet in coming:
            state.fleets[fleet] = box
        voyage.desk.tell(BlockadeSet(port=port, fleets=tuple(coming), rule="15.10.5"))


async def _driven_back(voyage: Voyage, sea: str, back: str) -> None:
    """15.10.5: whence it came, or a port of the zone; anywhere near where it had been here from the start."""
    if back.startswith("box:"):
        voyage.put(back)
        return
    near = refuges(voyage.state, voyage.fleets, sea, "")
    ways = near if back == voyage.place else [back.partition(":")[2], *(way for way in near if way in ZONES)]
    await _retreats(voyage, voyage.fleets, sea, list(dict.fromkeys(ways)))
    voyage.fleets = [fleet for fleet in voyage.fleets if ":" in voyage.state.fleets[fleet]]
    if voyage.fleets:
        voyage.came, voyage.place = voyage.place, voyage.state.fleets[voyage.fleets[0]]


async def caught(voyage: Voyage, foes: Sequence[str], *, closed: str) -> None:
    """15.5.2: an evader is intercepted: beaten he goes on to another sea or a port, not back."""
    sea = voyage.place.partition(":")[2]
    difference = await on_the_run(voyage, foes)
    if difference < 0 and voyage.fleets:
        await _retreats(voyage, voyage.fleets, sea, refuges(voyage.state, voyage.fleets, sea, closed))


async def on_the_run(voyage: Voyage, foes: Sequence[str]) -> int:
    """15.2.4: a battle of fleets that must reach a port: who is left goes on; beaten foes give way."""
    state = voyage.state
    sea = voyage.place.partition(":")[2]
    homes = {fleet: state.fleets[fleet] for fleet in foes}
    for fleet in foes:
        state.fleets[fleet] = voyage.place
    difference, theirs, _ = await exchange(voyage, foes, sea)
    if difference > 0 and theirs:
        await _retreats(voyage, theirs, sea, refuges(state, theirs, sea, ""))
    elif difference <= 0:
        for fleet in theirs:
            state.fleets[fleet] = homes[fleet]
    voyage.fleets = [fleet for fleet in voyage.fleets if ":" in state.fleets[fleet]]
    return difference


async def in_box(voyage: Voyage, defenders: Sequence[str], port: str) -> bool:
    """15.6.1, 15.6.2: a sortie, without the fortress; beaten, the mover goes to the sea zone."""
    difference, _, _ = await exchange(voyage, defenders, port)
    if difference > 0:
        return bool(voyage.fleets)
    if voyage.fleets:
        voyage.put(f"sea:{ZONES[port].port}")
    return False


async def in_port(voyage: Voyage, defenders: Sequence[str], port: str) -> bool:
    """15.10.6: one round; the fortress helps. The winner stands in the blockade box, the beaten attacker goes back,
    to his blockade if he began there; true where the port is empty of fleets.
    """
    fortress = voyage.state.fortress(port)
    difference, theirs, _ = await exchange(voyage, defenders, port, fortress=fortress, one_round=True)
    if not voyage.fleets:
        return False
    if difference < 0 and voyage.start != f"box:{port}":
        voyage.put(f"sea:{ZONES[port].port}")
    else:
        voyage.put(f"box:{port}")
    voyage.over = difference <= 0
    return difference > 0 and not theirs
