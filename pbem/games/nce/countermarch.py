"""12.2: countermarches: generals march to the guns."""

from __future__ import annotations

from pbem.games.nce import attrition, board
from pbem.games.nce.charts import CARDS
from pbem.games.nce.combat_cards import Side
from pbem.games.nce.desk import Desk
from pbem.games.nce.events import CardSpent, CountermarchTried
from pbem.games.nce.reactions import countermarchers
from pbem.games.nce.state import Force
from pbem.kernel.event import Modifier


async def countermarch(desk: Desk, zone: str, side: Side) -> None:
    """12.2.3, 12.2.4: each named general tests, then his attrition; he must fit the stack afterwards."""
    state = desk.state
    able = {force.general: force for force in countermarchers(state, side.seat, zone, side.role)}
    free = side.march_card if side.march_card in state.hands[side.seat] else ""
    for general in side.marchers:
        force = able.get(general)
        if force is None:
            continue
        difficult = board.difficult(force.zone, zone)
        reasons = [
            Modifier("tactical_value", _value(side, force), "12.2.3"),
            Modifier("difficult", -1 if difficult else 0, "12.2.3"),
        ]
        if free:
            state.spend_card(side.seat, free, removed=CARDS[free].after_event == "removed")
            desk.tell(CardSpent(side=side.seat, card=free, use="countermarch", rule="7.5"))
            free = ""
            die, total, success = 0, 0, True
            draws: tuple[str, ...] = ()
        else:
            label, (die,) = desk.roll("countermarch", general, zone, rule="12.2.3", seat=side.seat)
            total = die + sum(m.value for m in reasons)
            success, draws = total >= 5, (label,)
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
        if success:
            await _arrive(desk, zone, force)


def _value(side: Side, force: Force) -> int:
    """12.2.3: his own value, or that of the army general in the battle zone."""
    values = [side.value_of(force.general)]
    values += [side.value_of(other.general) for other in side.forces if other.army and other.general]
    return max(values)


async def _arrive(desk: Desk, zone: str, force: Force) -> None:
    points = board.step_cost(force.zone, zone)
    mods = [
        Modifier("countermarch", points, "12.2.4"),
        *attrition.standing_modifiers(desk.state, force, winter=True),
        Modifier("poor_zone_crossed", 2 if attrition.poor(desk.state, zone, force.side) else 0, "11.6.4"),
        Modifier(
            "national_territory",
            -2 if all(desk.state.national(z, force.power) for z in (force.zone, zone)) else 0,
            "11.6",
        ),
    ]
    force.zone = zone
    await attrition.suffer(desk, force, mods)
