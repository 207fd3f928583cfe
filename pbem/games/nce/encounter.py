"""10.3, 10.4: what happens when a moving force enters a zone: interception, evasion, battle."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.games.nce import aftermath, attrition, battle, board, command
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


async def meet(desk: Desk, entry: Entry) -> str:
    """10.3.6, 10.4.5: interceptions first, then evasions, then battle: `won`, `lost`, or nothing."""
    if not desk.dry:
        intercepted = await _interception(desk, entry)
        if intercepted is not None:
            return await _battle(desk, entry, interceptor_from=intercepted)
    enemies = desk.state.at(entry.zone, entry.other)
    if not enemies:
        return ""
    concert = entry.march.concert
    if not desk.dry and concert is not None and entry.zone in concert.waiting:
        # 10.7.2: whoever declined or failed to evade has lost that right until the battle.
        concert.join(entry.zone, entry.march)
        return "waits"
    if not desk.dry:
        for force in list(enemies):
            if force.id in desk.state.forces:
                await _response(desk, entry, force)
        if not desk.state.at(entry.zone, entry.other):
            return ""
        if concert is not None:
            concert.join(entry.zone, entry.march)
            return "waits"
    return await _battle(desk, entry)


async def _interception(desk: Desk, entry: Entry) -> str | None:
    """10.3: one force may try; the zone it came from where it succeeds."""
    state, zone = desk.state, entry.zone
    able = interceptors(state, entry.other, zone)
    mover = entry.march.force
    if not able or not state.hands[entry.other] or state.flag("truce"):
        return None
    (order,) = await desk.ask(
        Interception(
            key=desk.label("intercept", mover.name, zone),
            seat=entry.other,
            rule="10.3",
            zone=zone,
            mover=mover.name,
            steps=mover.strength,
        )
    )
    if not isinstance(order, Intercept):
        return None
    force = next((f for f in able if f.general == order.force), None)
    if force is None or order.card not in state.hands[entry.other]:
        return None
    state.spend_card(entry.other, order.card)
    desk.tell(CardSpent(side=entry.other, card=order.card, use="interception", rule="10.3.2"))
    reasons = [
        Modifier("cavalry_superiority", _superiority(force, mover), "10.5"),
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
        return None
    return await _move_in(desk, entry, force, order)


async def _move_in(desk: Desk, entry: Entry, force: Force, order: Intercept) -> str | None:
    """10.3.4: attrition, then into the zone; part may stay behind."""
    state, start = desk.state, force.zone
    if order.stay:
        command.detach(state, force, order.stay)
        command.trim(state, force)
    await attrition.suffer(desk, force, attrition.standing_modifiers(state, force, winter=True))
    if force.id not in state.forces:
        return None
    force.zone = entry.zone
    state.moves.append((start, entry.zone, force.side))
    aftermath.settle(desk, entry.zone, force.side)
    return start


def _superiority(force: Force, other: Force) -> int:
    """10.5: one more where it has more counters with a C."""
    return 1 if command.cavalry([force]) > command.cavalry([other]) else 0


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
            steps=mover.strength,
        )
    )
    for order in answer:
        if isinstance(order, IntoFortress):
            if order.units:
                part = command.detach(state, force, order.units)
                command.trim(state, force)
                _shelter(desk, part)
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
    """10.4.2: into the fortress, without a die."""
    force.inside = True
    desk.tell(EnteredFortress(force=force.name, zone=force.zone, rule="10.4.2"))


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
        Modifier("cavalry_superiority", _superiority(force, mover), "10.5"),
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
    force.zone = to
    desk.state.moves.append((start, to, force.side))
    desk.tell(Evaded(force=force.name, zone=start, to=to, rule="10.4.4"))
    aftermath.settle(desk, to, force.side)


async def _battle(desk: Desk, entry: Entry, *, interceptor_from: str = "") -> str:
    """12.1, 10.2.4: the battle of this entry, after the attrition test that is due before it."""
    march = entry.march
    await march.test()
    state = desk.state
    if march.id not in state.forces:
        return "lost"
    defenders = state.at(entry.zone, entry.other)
    if not defenders:
        return ""
    outcome = await battle.fight(
        desk,
        entry.zone,
        state.at(entry.zone, march.side),
        defenders,
        came=entry.came,
        prepared=tuple(march.prepared),
        interceptor_from=interceptor_from,
        bridged=march.grant.bridged,
        caught=entry.caught,
    )
    if outcome.won and march.id not in state.forces:
        stack = state.at(entry.zone, march.side)
        if stack:
            march.id = stack[0].id
    return "won" if outcome.won else "lost"
