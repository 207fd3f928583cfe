"""12.2: countermarches: generals march to the guns."""

from __future__ import annotations

from pbem.games.nce import board, command
from pbem.games.nce.cards.combat_cards import Side
from pbem.games.nce.charts import CARDS
from pbem.games.nce.desk import Desk
from pbem.games.nce.events import CardSpent
from pbem.games.nce.events_field import CountermarchTried
from pbem.games.nce.land import aftermath, attrition, march_attrition
from pbem.games.nce.reactions import march_problem, marchers, stays_behind
from pbem.games.nce.replies import CounterMarch
from pbem.games.nce.state import Force
from pbem.kernel.event import Modifier

SUCCESS = 5


async def countermarch(desk: Desk, zone: str, side: Side) -> None:
    """12.2.1: all countermarches of a side, one general after the other."""
    mine = {force.id for force in side.forces}
    for order in side.marches:
        free = order.card if order.card in desk.state.hands[side.seat] else ""
        for general in order.forces:
            # Those who marched before may have taken his units along.
            force = marchers(desk.state, side.seat, zone, mine).get(general)
            if force is None or _cannot(desk, zone, side, mine, general, force, order):
                continue
            if _heard(desk, zone, side, general, force, free):
                part = _part(desk, force, general, order)
                mine.add(part.id)
                await _arrive(desk, zone, side, part)
            free = ""


def _cannot(
    desk: Desk, zone: str, side: Side, mine: set[str], general: str, force: Force, order: CounterMarch
) -> bool:
    """12.2.1: whether he cannot march as ordered."""
    his = CounterMarch((general,), units=tuple(unit for unit in order.units if unit in force.units))
    return march_problem(desk.state, side.seat, zone, mine, his) is not None


def _heard(desk: Desk, zone: str, side: Side, general: str, force: Force, free: str) -> bool:
    """12.2.3: a die with a tactical value, less one over difficult ground; a card spares it."""
    far = force.zone != zone
    reasons = [
        Modifier("tactical_value", _value(side, general), "12.2.3"),
        Modifier("difficult", -1 if far and board.difficult(force.zone, zone) else 0, "12.2.3"),
    ]
    if free:
        desk.state.spend_card(side.seat, free, removed=CARDS[free].after_event == "removed")
        desk.tell(CardSpent(side=side.seat, card=free, use="countermarch", rule="7.5"))
        die, total, success = 0, 0, True
        draws: tuple[str, ...] = ()
    else:
        label, (die,) = desk.roll("countermarch", general, zone, rule="12.2.3", seat=side.seat)
        total = die + sum(m.value for m in reasons)
        success, draws = total >= SUCCESS, (label,)
    desk.tell(
        CountermarchTried(
            force=general,
            zone=zone,
            die=die,
            total=total,
            success=success,
            modifiers=tuple(m for m in reasons if m.value),
            draws=draws,
            rule="12.2.3",
        )
    )
    return success


def _value(side: Side, general: str) -> int:
    """12.2.3: his own value, or that of the army general in the battle zone."""
    values = [side.value_of(general)]
    values += [side.value_of(other.general) for other in side.forces if other.army and other.general]
    return max(values)


def _part(desk: Desk, force: Force, general: str, order: CounterMarch) -> Force:
    """12.2.1: a subordinate with his units, a commander with some of his, or all of a force."""
    units = [unit for unit in order.units if unit in force.units]
    if general in force.subs:
        return command.detach(desk.state, force, units, [general])
    stays = stays_behind(force, general, order.units) if units else []
    chosen = command.part(force, stays)
    if stays and chosen is not None:
        command.detach(desk.state, force, *chosen)
    return force


async def _arrive(desk: Desk, zone: str, side: Side, force: Force) -> None:
    """12.2.4: into the zone, and the attrition test at once: one more for each point of the way."""
    state, start = desk.state, force.zone
    far = start != zone
    mods = [
        Modifier("countermarch", board.step_cost(start, zone) if far else 0, "12.2.4"),
        *attrition.standing_modifiers(state, force, winter=True, alone=True),
        Modifier("poor_zone_crossed", 2 if far and attrition.poor(state, zone, force.side) else 0, "11.6.4"),
        Modifier("marsh_crossed", 1 if far and attrition.poor_marsh(state, zone, force.side) else 0, "11.6"),
        Modifier("national_territory", -2 if state.national(zone, force.power) else 0, "11.6"),
    ]
    force.zone = zone
    if far:
        state.moves.append((start, zone, force.side))
        aftermath.settle(desk, start, force.side)
    side.ways[force.id] = start if far else side.came
    side.apart.discard(force.id)
    await march_attrition.out_of_turn(desk, force, mods)
