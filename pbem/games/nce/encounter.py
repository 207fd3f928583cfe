"""10.3, 10.4: what happens when a moving force enters a zone: interception, evasion, battle."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from pbem.games.nce import aftermath, attrition, battle, board, charts, command, depots, endurance, siege
from pbem.games.nce.charts import CARDS
from pbem.games.nce.desk import Desk
from pbem.games.nce.events import CardSpent, EnteredFortress, Evaded, EvasionTried, InterceptionTried
from pbem.games.nce.reactions import Interception, Response, initiative, interceptors, open_for_evasion
from pbem.games.nce.replies import Evade, Intercept, IntoFortress
from pbem.games.nce.state import Force, enemy
from pbem.kernel.event import Modifier

if TYPE_CHECKING:
    from pbem.games.nce.march import March


class Entry:
    """A force that has just entered a zone."""

    def __init__(self, march: March, zone: str, came: str) -> None:
        self.march, self.zone, self.came = march, zone, came
        self.other = enemy(march.side)
        self.caught = 0
        self.interceptor_from = ""


async def meet(desk: Desk, entry: Entry) -> str:
    """10.3.6, 10.4.5, 10.7.2: interceptions first, then evasions, then battle: `won`, `lost`, `waits`, or nothing."""
    state, concert = desk.state, entry.march.concert
    if not desk.dry:
        entry.interceptor_from = await _interception(desk, entry)
    if not entry.interceptor_from:
        # 10.7.2: whoever declined or failed to evade has lost that right until the battle of a Campagne majeure.
        if not desk.dry and (concert is None or entry.zone not in concert.waiting):
            for force in state.at(entry.zone, entry.other):
                if force.id in state.forces:
                    await _response(desk, entry, force)
        if not state.at(entry.zone, entry.other):
            return await _lone_depots(desk, entry)
    if concert is None:
        return await _battle(desk, entry)
    concert.join(entry)
    return "waits" if concert.more_coming(entry) else await concert.fight(entry.zone)


async def _lone_depots(desk: Desk, entry: Entry) -> str:
    """2.3.2: depots that nobody guards have half a point each; at five to one they are overrun without a die."""
    state, march = desk.state, entry.march
    standing = depots.fixed_of(state, entry.zone, entry.other)
    if not standing:
        return ""
    value = depots.HALF * len(standing)
    strength = sum(force.strength for force in march.forces)
    if desk.dry or charts.odds(strength, value)[0] >= battle.ANNIHILATION:
        depots.overrun(desk, entry.zone, march.side, entry.other)
        return ""
    await march.test()
    if not march.forces:
        return "lost"
    march.pay_to_fight()
    won = battle.storm_depot(
        desk, entry.zone, march.forces, value, came=entry.came, prepared=tuple(march.prepared)
    )
    if won:
        depots.overrun(desk, entry.zone, march.side, entry.other)
    return "won" if won else "lost"


async def _interception(desk: Desk, entry: Entry) -> str:
    """10.3.1, 10.3.2, 10.3.3: one force may try; the zone it came from where it succeeds."""
    state, zone = desk.state, entry.zone
    able = interceptors(state, entry.other, zone)
    march, mover = entry.march, entry.march.force
    if not able or not state.hands[entry.other] or state.flag("truce"):
        return ""
    (order,) = await desk.ask(
        Interception(
            key=desk.label("intercept", mover.name, zone),
            seat=entry.other,
            rule="10.3",
            zone=zone,
            mover=mover.name,
            steps=sum(one.strength for one in march.forces),
        )
    )
    if not isinstance(order, Intercept):
        return ""
    force = next((f for f in able if f.general == order.force), None)
    if force is None or order.card not in state.hands[entry.other]:
        return ""
    state.spend_card(entry.other, order.card)
    desk.tell(CardSpent(side=entry.other, card=order.card, use="interception", rule="10.3.2"))
    reasons = [
        Modifier("cavalry_superiority", _superiority([_going(force, order.stay)], march.forces), "10.5"),
        Modifier("initiative", 1 if initiative(force) < initiative(mover) else 0, "10.3.3"),
        Modifier("difficult", -1 if board.difficult(force.zone, zone) else 0, "10.3.3"),
        Modifier("card", _help(desk, entry, order.help, "interception_mod"), "7.3"),
    ]
    label, (die,) = desk.roll("interception", force.name, zone, rule="10.3.3", seat=entry.other)
    total = die + sum(m.value for m in reasons)
    desk.tell(
        InterceptionTried(
            force=force.name,
            zone=zone,
            die=die,
            total=total,
            success=total >= 5,
            modifiers=tuple(m for m in reasons if m.value),
            draws=(label,),
            rule="10.3.3",
        )
    )
    if total < 5:
        return ""
    return await _move_in(desk, entry, force, order)


async def _move_in(desk: Desk, entry: Entry, force: Force, order: Intercept) -> str:
    """10.3.4, 10.3.5: attrition, then into the zone and together with who stands there; part may stay behind."""
    state, start = desk.state, force.zone
    chosen = command.part(force, order.stay)
    if order.stay and chosen is not None and not command.split_problem(force, order.stay)[0]:
        command.detach(state, force, *chosen)
    await endurance.out_of_turn(desk, force, attrition.standing_modifiers(state, force, winter=True))
    if force.id not in state.forces:
        return ""
    force.zone = entry.zone
    state.moves.append((start, entry.zone, force.side))
    siege.raise_sieges(desk)
    command.consolidate(state, entry.zone, force.side, strict=False)
    return start


def _going(force: Force, stay: Sequence[str]) -> Force:
    """10.3.4: what goes of a force, without those who stay."""
    return msgspec.structs.replace(
        force,
        units={unit: steps for unit, steps in force.units.items() if unit not in stay},
        subs=[general for general in force.subs if general not in stay],
    )


def _superiority(forces: Sequence[Force], others: Sequence[Force]) -> int:
    """10.5: one more where it has more counters with a C."""
    return 1 if command.cavalry(forces) > command.cavalry(others) else 0


def _help(desk: Desk, entry: Entry, card: str, op: str, side: str = "") -> int:
    """A card that changes the die, if it is held and fits."""
    owner = side or entry.other
    if not card or card not in desk.state.hands[owner]:
        return 0
    effects = [e for e in CARDS[card].effect if e["op"] == op]
    if not effects:
        return 0
    wanted = "self" if owner == entry.other else "enemy"
    fitting = [e for e in effects if e.get("who", "self") == wanted] or effects
    desk.state.spend_card(owner, card)
    desk.tell(CardSpent(side=owner, card=card, use=op, rule="7.3"))
    return int(fitting[0]["value"])


async def _response(desk: Desk, entry: Entry, force: Force) -> None:
    """10.4, 13.1.2: stay, fortress, evade, or both in part."""
    state = desk.state
    mover = entry.march.force
    answer = await desk.ask(
        Response(
            key=desk.label("response", force.id, entry.zone),
            seat=entry.other,
            rule="10.4",
            force=force.id,
            zone=entry.zone,
            came=entry.came,
            mover=mover.name,
            steps=sum(one.strength for one in entry.march.forces),
        )
    )
    for order in answer:
        if isinstance(order, IntoFortress):
            chosen = command.part(force, order.units)
            if order.units and chosen is not None:
                _shelter(desk, command.detach(state, force, *chosen))
            else:
                _shelter(desk, force)
        elif isinstance(order, Evade) and force.id in state.forces:
            _evade(desk, entry, force, order)


async def set_upon(desk: Desk, entry: Entry) -> None:
    """9.3.3: a force that rises among enemies: they may evade, or it comes to a battle."""
    for force in desk.state.at(entry.zone, entry.other):
        if force.id in desk.state.forces:
            await _response(desk, entry, force)
    if desk.state.at(entry.zone, entry.other):
        await _battle(desk, entry)


def _shelter(desk: Desk, force: Force) -> None:
    """10.4.2, 13.1.1: into the fortress, without a die; it holds one force."""
    force.inside = True
    desk.tell(EnteredFortress(force=force.name, zone=force.zone, rule="10.4.2"))
    command.consolidate(desk.state, force.zone, force.side, inside=True)


def _evade(desk: Desk, entry: Entry, force: Force, order: Evade) -> None:
    """10.4.3: five or more; automatic when demoralised."""
    state, mover = desk.state, entry.march.force
    ways = open_for_evasion(state, force, entry.came)
    wanted = [zone for zone in order.zones if zone in ways] or ways
    if not wanted:
        return
    to = wanted[0]
    if force.demoralised:
        _go_away(desk, force, to)
        return
    against = entry.march.against
    banned = against in state.hands[entry.march.side] and any(
        effect["op"] == "no_evasion" for effect in CARDS[against].effect
    )
    if banned and not _spared(desk, force):
        state.spend_card(entry.march.side, against)
        desk.tell(CardSpent(side=entry.march.side, card=against, use="no_evasion", rule="7.3"))
        entry.caught = -1
        return
    plan = order.help if order.help != "30C" or mover.general == "napoleon" else ""
    reasons = [
        Modifier("cavalry_superiority", _superiority([force], entry.march.forces), "10.5"),
        Modifier("initiative", 1 if initiative(force) < initiative(mover) else 0, "10.4.3"),
        Modifier("difficult", 1 if board.difficult(entry.came, entry.zone) else 0, "10.4.3"),
        Modifier("own_card", _help(desk, entry, plan, "evasion_mod"), "7.3"),
        Modifier("enemy_card", _help(desk, entry, against, "evasion_mod", entry.march.side), "7.3"),
    ]
    label, (die,) = desk.roll("evasion", force.name, entry.zone, rule="10.4.3", seat=entry.other)
    total = die + sum(m.value for m in reasons)
    desk.tell(
        EvasionTried(
            force=force.name,
            zone=entry.zone,
            to=to,
            die=die,
            total=total,
            success=total >= 5,
            modifiers=tuple(m for m in reasons if m.value),
            draws=(label,),
            rule="10.4.3",
        )
    )
    if total >= 5:
        _go_away(desk, force, to)


def _spared(desk: Desk, force: Force) -> bool:
    """1805: not on Mack in the first Empire activation."""
    state = desk.state
    return state.scenario == "1805" and state.year == 1805 and state.round == 2 and force.general == "mack"


def _go_away(desk: Desk, force: Force, to: str) -> None:
    start = force.zone
    depots.go_along(desk, force, start)
    force.zone = to
    desk.state.moves.append((start, to, force.side))
    desk.tell(Evaded(force=force.name, zone=start, to=to, rule="10.4.4"))
    aftermath.settle(desk, to, force.side)


async def _battle(desk: Desk, entry: Entry) -> str:
    """12, 10.2.4, 10.3.5: the battle of this entry, after the attrition test that is due before it.

    A friendly force that stands in the zone is no part of it, unless it marches to the guns.
    """
    march = entry.march
    await march.test()
    state = desk.state
    if not march.forces:
        return "lost"
    defenders = state.at(entry.zone, entry.other)
    if not defenders:
        return ""
    march.pay_to_fight()
    outcome = await battle.fight(
        desk,
        entry.zone,
        march.forces,
        defenders,
        ways=dict.fromkeys(march.ids, entry.came),
        prepared=tuple(march.prepared),
        interceptor_from=entry.interceptor_from,
        bridged=march.grant.bridged,
        caught=entry.caught,
    )
    march.follow(outcome.forces)
    return "won" if outcome.won else "lost"
