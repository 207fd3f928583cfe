"""15.4, 15.5, 15.6: squadrons that meet: interception, attack, evasion and sortie."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pbem.games.nce import fog
from pbem.games.nce.charts import FLEETS, SEAS, ZONES
from pbem.games.nce.events_field import FleetsMoved, NavalEvasion, NavalInterception
from pbem.games.nce.replies import FleetReply
from pbem.games.nce.sea import foresight_sea, naval_battle
from pbem.games.nce.sea.admiralty import EVASION, INTERCEPTION, SORTIE, SUCCESS, Fleets, by_value
from pbem.games.nce.sea.waters import sea_of
from pbem.games.nce.state import State, enemy
from pbem.kernel.plan import Refused

if TYPE_CHECKING:
    from pbem.games.nce.sea.naval import Voyage

MOST = 3


def question(
    voyage: Voyage, sea: str, kind: str, mine: Sequence[str], ways: Sequence[str] = (), rule: str = "15.4"
) -> Fleets:
    """What the other side is asked about a squadron that has come."""
    return Fleets(
        key=voyage.desk.label(kind, voyage.fleets[0], sea),
        seat=enemy(voyage.side),
        rule=rule,
        sea=sea,
        kind_of=kind,
        movers=fog.shown(voyage.state, voyage.fleets, enemy(voyage.side)),
        mine=tuple(mine),
        ways=tuple(ways),
    )


def blockaders(state: State, sea: str, side: str) -> dict[str, list[str]]:
    """The squadrons of a side that blockade ports of a sea, by port."""
    found = {port: state.fleets_at(f"box:{port}", side) for port in SEAS[sea].ports}
    return {port: fleets for port, fleets in found.items() if fleets}


async def interceptors(voyage: Voyage, sea: str) -> list[str]:
    """15.4.1, 15.4.2, 15.4.4: who is at sea there, then who blockades there, may try; at most three fleets fight.

    The squadron at sea joins where any succeeds; a blockader that does leaves its box.
    """
    state, desk, other = voyage.state, voyage.desk, enemy(voyage.side)
    at_sea, boxes = state.fleets_at(f"sea:{sea}", other), blockaders(state, sea, other)
    everybody = [*at_sea, *(fleet for fleets in boxes.values() for fleet in fleets)]
    if desk.dry:
        foresight_sea.interception(voyage, sea, at_sea, boxes)
        return []
    if not everybody:
        return []
    (order,) = await desk.ask(question(voyage, sea, INTERCEPTION, everybody))
    if not (isinstance(order, FleetReply) and order.what == "intercept"):
        return []
    wanted = set(order.fleets or everybody)
    at_sea = at_sea if set(at_sea) & wanted else []
    joined: list[str] = []
    success = bool(at_sea) and _tries(voyage, at_sea, sea)
    for squadron in boxes.values():
        room = MOST - len(at_sea) - len(joined)
        part = by_value([fleet for fleet in squadron if fleet in wanted])[::-1][: max(0, room)]
        if part and _tries(voyage, squadron, sea):
            joined += part
    if not success and not joined:
        return []
    for fleet in joined:
        state.fleets[fleet] = f"sea:{sea}"
    return [*at_sea, *joined]


def _tries(voyage: Voyage, squadron: Sequence[str], sea: str) -> bool:
    """15.4.2: a die and the best initiative; six or more."""
    value = max(FLEETS[fleet].initiative for fleet in squadron)
    label, (die,) = voyage.desk.roll(
        "naval-interception", squadron[0], sea, rule="15.4.2", seat=enemy(voyage.side)
    )
    success = die + value >= SUCCESS
    voyage.desk.tell(
        NavalInterception(
            fleets=tuple(squadron),
            sea=sea,
            die=die,
            total=die + value,
            success=success,
            draws=(label,),
            rule="15.4.2",
        )
    )
    return success


async def watched(voyage: Voyage, sea: str) -> None:
    """15.4: a squadron has entered a sea: it may be intercepted."""
    foes = await interceptors(voyage, sea)
    if foes:
        await voyage.battle(foes, back=voyage.came)


async def attack(voyage: Voyage, port: str) -> None:
    """15.4.3, 15.5: the squadron at sea here, which may evade; or one that blockades, which may not."""
    kind, _, sea = voyage.place.partition(":")
    state, other = voyage.state, enemy(voyage.side)
    if kind != "sea":
        raise Refused("not_at_sea", "15.4.3")
    at_sea, boxes = state.fleets_at(voyage.place, other), blockaders(state, sea, other)
    if (port and port not in boxes) or (not at_sea and not boxes):
        raise Refused("no_fleet_here", "15.4.3", sea=sea)
    if voyage.desk.dry:
        voyage.fought = True
        blocked = port or ("" if at_sea else next(iter(boxes)))
        if not blocked and naval_battle.refuges(state, at_sea, sea, sea_of(voyage.came)):
            foresight_sea.evasion(voyage, sea, at_sea)
        foresight_sea.battle(voyage, boxes[blocked] if blocked else at_sea, sea, "sea")
        return
    back = voyage.came
    if at_sea and not port:
        if not await _evaded(voyage, sea, at_sea, sea_of(voyage.came)):
            await voyage.battle(at_sea, back=back)
        return
    port = port or next(iter(boxes))
    await voyage.battle(boxes[port], back=back, home=f"box:{port}")


async def _evaded(voyage: Voyage, sea: str, squadron: Sequence[str], closed: str) -> bool:
    """15.5: six or more with the best initiative, into a port of the zone or a sea next to it."""
    state, desk, other = voyage.state, voyage.desk, enemy(voyage.side)
    ways = naval_battle.refuges(state, squadron, sea, closed)
    if not ways:
        return False
    (order,) = await desk.ask(question(voyage, sea, EVASION, squadron, ways, rule="15.5"))
    if not (isinstance(order, FleetReply) and order.what == "evade"):
        return False
    value = max(FLEETS[fleet].initiative for fleet in squadron)
    label, (die,) = desk.roll("naval-evasion", squadron[0], sea, rule="15.5.1", seat=other)
    success = die + value >= SUCCESS
    desk.tell(
        NavalEvasion(
            fleets=tuple(squadron),
            sea=sea,
            die=die,
            total=die + value,
            success=success,
            draws=(label,),
            rule="15.5.1",
        )
    )
    if success:
        await _slips(voyage, squadron, order.to or ways[0])
    return success


async def _slips(voyage: Voyage, squadron: Sequence[str], goal: str) -> None:
    """15.5.2: into port; or to the next sea, where the mover's friends may intercept."""
    state = voyage.state
    place = f"port:{goal}" if goal in ZONES else f"sea:{goal}"
    came = state.fleets[squadron[0]]
    for fleet in squadron:
        state.fleets[fleet] = place
    voyage.desk.tell(FleetsMoved(fleets=tuple(squadron), to=goal, rule="15.5.2"))
    if goal not in ZONES:
        flight = voyage.against(squadron)
        foes = await interceptors(flight, goal)
        if foes:
            await naval_battle.caught(flight, foes, closed=came.partition(":")[2])


async def sortie(voyage: Voyage, defenders: Sequence[str], port: str) -> bool:
    """15.6.1, 15.6.2: the squadron in port may come out; true where the blockade stands."""
    (order,) = await voyage.desk.ask(question(voyage, ZONES[port].port, SORTIE, defenders, rule="15.6.1"))
    if not (isinstance(order, FleetReply) and order.what == "sortie"):
        return True
    return await naval_battle.in_box(voyage, defenders, port)
