"""10.3, 10.4: what happens when a moving force enters a zone: interception, evasion, battle."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from pbem.games.nce import board, charts, command, fog
from pbem.games.nce.cards.reaction_cards import Chase, Effect, counters, effect_of, might_hold
from pbem.games.nce.charts import CARDS
from pbem.games.nce.desk import Desk
from pbem.games.nce.events import CardSpent
from pbem.games.nce.events_field import EnteredFortress, Evaded, EvasionTried, InterceptionTried
from pbem.games.nce.land import aftermath, attrition, battle, depots, foresight, march_attrition, siege
from pbem.games.nce.reactions import (
    SUCCESS,
    Interception,
    Response,
    interceptors,
    open_for_evasion,
    quicker,
    superiority,
)
from pbem.games.nce.replies import Evade, Intercept, IntoFortress, OnEntry
from pbem.games.nce.state import Force, enemy
from pbem.kernel.event import Modifier

if TYPE_CHECKING:
    from pbem.games.nce.land.march import March

DIFFICULT = 2
COLUMN = "6F"


class Entry:
    """A force that has just entered a zone."""

    def __init__(self, march: March, zone: str, came: str) -> None:
        self.march, self.zone, self.came = march, zone, came
        self.other = enemy(march.side)
        self.caught = 0
        """6F: what the battle costs an enemy caught in march column."""
        self.trapped = False
        """6F: whether he was caught on entry, before he could think of evading."""
        self.interceptor_from = ""

    @property
    def difficult(self) -> bool:
        """3.3, 10.4.3: whether the mover came over difficult terrain."""
        return bool(self.came) and self.march.step_points(self.came, self.zone) >= DIFFICULT


async def meet(desk: Desk, entry: Entry) -> str:
    """10.3.6, 10.4.5, 10.7.2: interceptions first, then evasions, then battle: `won`, `lost`, `waits`, or nothing."""
    state, concert = desk.state, entry.march.concert
    if desk.dry:
        foresight.reactions(desk, entry)
    else:
        entry.interceptor_from = await _interception(desk, entry)
    if not entry.interceptor_from:
        # 10.7.2: whoever declined or failed to evade has lost that right until the battle of a Campagne majeure.
        if not desk.dry and (concert is None or entry.zone not in concert.waiting):
            _catch(desk, entry)
            await _response(desk, entry)
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
    march.check_for_battle(entry.came, "")
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
    march, mover = entry.march, entry.march.force
    able = interceptors(state, entry.other, zone, mover.name)
    if not able or not state.hands[entry.other] or state.flag("truce"):
        return ""
    (order,) = await desk.ask(
        Interception(
            key=desk.label("intercept", mover.name, zone),
            seat=entry.other,
            rule="10.3",
            zone=zone,
            mover=mover.name,
            steps=fog.strength(state, march.forces, entry.other),
        )
    )
    if not isinstance(order, Intercept):
        return ""
    force = next((f for f in able if f.general == order.force), None)
    if force is None or order.card not in state.hands[entry.other]:
        return ""
    state.spend_card(entry.other, order.card)
    desk.tell(CardSpent(side=entry.other, card=order.card, use="interception", rule="10.3.2"))
    also = [f for f in able if f.general == order.also and f.zone == force.zone and f is not force]
    going, head = _going(force, order.stay), command.lead([force, *also])
    helped = _own_card(desk, entry, order.help, "interception", going)
    counter = await _counter(desk, entry, "interception", going)
    reasons = [
        Modifier("cavalry_superiority", superiority(state, [going, *also], march.forces), "10.5"),
        Modifier("initiative", quicker(head, mover), "10.3.3"),
        Modifier("difficult", -1 if board.difficult(force.zone, zone) else 0, "10.3.3"),
        Modifier("own_card", helped, "7.3"),
        Modifier("enemy_card", int(counter["value"]) if counter else 0, "7.3"),
    ]
    label, (die,) = desk.roll("interception", force.name, zone, rule="10.3.3", seat=entry.other)
    total = die + sum(m.value for m in reasons)
    desk.tell(
        InterceptionTried(
            force=force.name,
            zone=zone,
            die=die,
            total=total,
            success=total >= SUCCESS,
            modifiers=tuple(m for m in reasons if m.value),
            draws=(label,),
            rule="10.3.3",
        )
    )
    if total < SUCCESS:
        return ""
    chosen = command.part(force, order.stay)
    if order.stay and chosen is not None and not command.split_problem(force, order.stay)[0]:
        command.detach(state, force, *chosen)
    return await _move_in(desk, entry, [force, *also])


async def _move_in(desk: Desk, entry: Entry, group: Sequence[Force]) -> str:
    """10.3.4, 10.3.5: attrition, then into the zone and together with who stands there."""
    state, start = desk.state, group[0].zone
    for force in group:
        mods = attrition.standing_modifiers(state, force, winter=True, alone=len(group) == 1)
        await march_attrition.out_of_turn(desk, force, mods)
    alive = [force for force in group if force.id in state.forces]
    for force in alive:
        force.zone = entry.zone
        state.moves.append((start, entry.zone, force.side))
    aftermath.settle(desk, start, entry.other)
    if not alive:
        return ""
    siege.raise_sieges(desk)
    aftermath.settle(desk, entry.zone, entry.other, strict=False)
    return start


def _going(force: Force, stay: Sequence[str]) -> Force:
    """10.3.4: what goes of a force, without those who stay."""
    return msgspec.structs.replace(
        force,
        units={unit: steps for unit, steps in force.units.items() if unit not in stay},
        subs=[general for general in force.subs if general not in stay],
    )


def _spend(desk: Desk, side: str, card: str, effect: Effect) -> None:
    """22.10: a card of a reaction is spent and is no action of the round."""
    desk.state.spend_card(side, card)
    desk.tell(CardSpent(side=side, card=card, use=str(effect["op"]), rule="7.3"))


def _own_card(desk: Desk, entry: Entry, card: str, window: str, force: Force) -> int:
    """25C, 30C, 47F: a card that helps one's own die, if it is held and fits."""
    state, mover = desk.state, entry.march.force
    effect = effect_of(state, entry.other, card, window, "self", own=force, mover=mover)
    if effect is None:
        return 0
    _spend(desk, entry.other, card, effect)
    return int(effect["value"])


async def _counter(desk: Desk, entry: Entry, window: str, force: Force) -> Effect | None:
    """D3: what the mover plays against it: as his plan says, else as he has left it standing, or is asked."""
    state, march = desk.state, entry.march
    # Of two armies the one with more horse plays a card that asks for a counter with C.
    mover = max(march.forces, key=lambda one: command.cavalry([one]))
    card = march.counter(window, force)
    if card is None:
        if not might_hold(state, march.side, counters(march.side, window)):
            return None
        (order,) = await desk.ask(
            Chase(
                key=desk.label("chase", window, force.name, entry.zone),
                seat=march.side,
                rule="7.3.3",
                window=window,
                zone=entry.zone,
                mover=mover.id,
                force=force.name,
                steps=fog.strength(state, [force], march.side),
            )
        )
        card = str(getattr(order, "card", ""))
    effect = effect_of(state, march.side, card, window, "enemy", own=mover, mover=mover)
    if effect is None or (effect["op"] == "no_evasion" and _spared(entry, force)):
        return None
    _spend(desk, march.side, card, effect)
    return effect


def _catch(desk: Desk, entry: Entry) -> None:
    """6F: played on entry: the enemy is in march column before he can answer."""
    state, march = desk.state, entry.march
    for order in march.against:
        if not isinstance(order, OnEntry) or entry.trapped:
            continue
        mover = march.force
        effect = effect_of(state, march.side, order.card, "evasion", "enemy", own=mover, mover=mover)
        for force in state.at(entry.zone, entry.other):
            meant = order.force in ("", force.name) and not force.demoralised and not _spared(entry, force)
            if effect is not None and effect["op"] == "no_evasion" and meant and not entry.trapped:
                _spend(desk, march.side, order.card, effect)
                entry.trapped, entry.caught = True, _column(order.card)


def _column(card: str) -> int:
    """6F: what the battle costs who is caught in march column."""
    return sum(int(effect["value"]) for effect in CARDS[card].effect if effect["op"] == "combat")


async def _response(desk: Desk, entry: Entry) -> None:
    """10.4, 13.1.2, 2.7: stay, fortress, evade, or both in part; two armies are one force under their commander."""
    state, mover = desk.state, entry.march.force
    group = state.at(entry.zone, entry.other)
    if not group:
        return
    force = command.lead(group)
    answer = await desk.ask(
        Response(
            key=desk.label("response", force.id, entry.zone),
            seat=entry.other,
            rule="10.4",
            force=force.id,
            zone=entry.zone,
            came=entry.came,
            mover=mover.name,
            steps=fog.strength(desk.state, entry.march.forces, entry.other),
            caught=entry.trapped,
        )
    )
    for order in answer:
        if isinstance(order, IntoFortress):
            chosen = command.part(force, order.units)
            if order.units and chosen is not None:
                _shelter(desk, [command.detach(state, force, *chosen)])
            else:
                _shelter(desk, group)
        elif isinstance(order, Evade) and force.id in state.forces:
            await _evade(desk, entry, group, order)


async def set_upon(desk: Desk, entry: Entry) -> None:
    """9.3.3: a force that rises among enemies: they may evade, or it comes to a battle."""
    await _response(desk, entry)
    if desk.state.at(entry.zone, entry.other):
        await _battle(desk, entry)


def _shelter(desk: Desk, group: Sequence[Force]) -> None:
    """10.4.2, 13.1.1: into the fortress, without a die; it holds one force."""
    for force in group:
        force.inside = True
        desk.tell(EnteredFortress(force=force.name, zone=force.zone, rule="10.4.2"))
    aftermath.settle(desk, group[0].zone, group[0].side, inside=True)


async def _evade(desk: Desk, entry: Entry, group: Sequence[Force], order: Evade) -> None:
    """10.4.3: five or more, by the commander's initiative and the cavalry of all; automatic when demoralised."""
    state, mover, force = desk.state, entry.march.force, command.lead(group)
    ways = open_for_evasion(state, force, entry.came)
    wanted = [zone for zone in order.zones if zone in ways] or ways
    if not wanted:
        return
    to = wanted[0]
    if all(one.demoralised for one in group):
        _go_away(desk, group, to)
        return
    counter = await _counter(desk, entry, "evasion", force)
    if counter is not None and counter["op"] == "no_evasion":
        entry.caught = _column(COLUMN)
        return
    reasons = [
        Modifier("cavalry_superiority", superiority(state, group, entry.march.forces), "10.5"),
        Modifier("initiative", quicker(force, mover), "10.4.3"),
        Modifier("difficult", 1 if entry.difficult else 0, "10.4.3"),
        Modifier("own_card", _own_card(desk, entry, order.help, "evasion", force), "7.3"),
        Modifier("enemy_card", int(counter["value"]) if counter else 0, "7.3"),
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
            success=total >= SUCCESS,
            modifiers=tuple(m for m in reasons if m.value),
            draws=(label,),
            rule="10.4.3",
        )
    )
    if total >= SUCCESS:
        _go_away(desk, group, to)


def _spared(entry: Entry, force: Force) -> bool:
    """18, 1805: 6F is not for Mack in the Empire's first activation."""
    return entry.march.first and force.general == "mack"


def _go_away(desk: Desk, group: Sequence[Force], to: str) -> None:
    """10.4.4: without attrition; depots of the zone go along."""
    for force in group:
        start = force.zone
        depots.go_along(desk, force, start)
        force.zone = to
        desk.state.moves.append((start, to, force.side))
        desk.tell(Evaded(force=force.name, zone=start, to=to, rule="10.4.4"))
    aftermath.settle(desk, to, group[0].side)


async def _battle(desk: Desk, entry: Entry) -> str:
    """12, 10.2.4, 10.3.5: the battle of this entry, after the attrition test that is due before it.

    A friendly force that stands in the zone is no part of it, unless it marches to the guns.
    """
    march = entry.march
    march.check_for_battle(entry.came, entry.interceptor_from)
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
