"""10.2.2, 11.5, 12.11.5: what a march costs: the attrition test of an activation, and rallying."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pbem.games.nce import command
from pbem.games.nce.charts import GENERALS
from pbem.games.nce.desk import Desk
from pbem.games.nce.events_field import Rallied
from pbem.games.nce.land import attrition
from pbem.games.nce.orders import LossOrder
from pbem.games.nce.reactions import Test
from pbem.games.nce.replies import SpendOn
from pbem.games.nce.state import Force
from pbem.kernel.event import Modifier
from pbem.kernel.order import Answer
from pbem.kernel.plan import Refused

if TYPE_CHECKING:
    from pbem.games.nce.land.march import March

RALLY_POINTS = 2


async def out_of_turn(desk: Desk, force: Force, modifiers: Sequence[Modifier]) -> None:
    """11.6.1c, 11.4: D6: the test of an interception or a countermarch; its owner may spend a depot."""
    answer = await desk.ask(
        Test(key=desk.label("test", force.name, force.zone), seat=force.side, rule="11.4", force=force.id)
    )
    spend, losses = chosen(answer)
    await attrition.suffer(desk, force, modifiers, spend=spend, losses=losses)


def chosen(answer: Answer) -> tuple[str, tuple[str, ...]]:
    """11.4, 11.6.5: what an owner spends on a test, and who loses first."""
    spend = next((order.what for order in answer if isinstance(order, SpendOn)), "")
    return spend, next((order.pieces for order in answer if isinstance(order, LossOrder)), ())


async def test(march: March) -> None:
    """11.6.1, 11.6.6: due for a forced march or lack of supply: before the first battle, or at the end; once."""
    marching = bool(march.forced and not march.grant.no_attrition)
    if march.tested or not (marching or march.short):
        return
    march.tested = True
    for force in march.forces:
        units = [unit for unit in march.counted.get(force.id, ()) if unit in force.units]
        due = [unit for unit in units if marching or unit in march.short]
        for hungry in (True, False):
            part = [unit for unit in due if (unit in march.hungry) is hungry and unit in force.units]
            if part and force.id in march.state.forces:
                await _suffer(march, force, part, hungry=hungry)


async def _suffer(march: March, force: Force, units: Sequence[str], *, hungry: bool) -> None:
    """11.6.2, 11.6.3, 11.5: one test of an army, or of the part of a force that is out of supply."""
    standing = attrition.standing_modifiers(march.state, force, winter=True)
    mods = [
        Modifier("forced_march", 0 if march.grant.no_attrition else march.forced, "10.2.2"),
        Modifier("mountain_crossed", 1 if march.mountain else 0, "11.6"),
        Modifier("marsh_crossed", 1 if march.marsh else 0, "11.6"),
        Modifier("poor_zone_crossed", 2 if march.poor else 0, "11.6.4"),
        Modifier("national_territory", -2 if _at_home(march, force) else 0, "11.6"),
        Modifier("card", march.grant.attrition if march.forced else 0, "7.3"),
        Modifier("unsupplied", 3 if hungry else 0, "11.6"),
        *(modifier for modifier in standing if modifier.name != "unsupplied"),
    ]
    spend = march.spend
    if spend and attrition.depot_counts(march.state, force):
        march.spend = ""
    await attrition.suffer(
        march.desk,
        force,
        mods,
        counted=units,
        spend=spend,
        losses=march.losses(),
        rallied=march.rallied,
    )


def _at_home(march: March, force: Force) -> bool:
    """11.6: whether all zones entered, or the one it stays in, are its own ground; where it set out does not count."""
    return all(march.state.national(zone, force.power) for zone in march.entered or (march.start,))


def rally(march: March, times: int) -> None:
    """12.11.5: two points a try; of two armies each tests on its own."""
    low = [one for one in march.forces if one.demoralised]
    if not low:
        raise Refused("not_demoralised", "12.11.5", force=march.force.name)
    able = [one for one in low if one.general and not one.unsupplied]
    if not able:
        raise Refused("cannot_rally", "12.11.5", force=low[0].name)
    for number in range(times):
        if number and (march.left < RALLY_POINTS or not any(one.demoralised for one in able)):
            break
        march.pay(RALLY_POINTS, "12.11.5")
        for one in able:
            if one.demoralised:
                _rally_test(march, one)


def _rally_test(march: March, force: Force) -> None:
    """12.11.5: at most the morale and the general's better tactical value."""
    if march.desk.dry:
        force.demoralised = False
        return
    record = GENERALS[force.general]
    limit = command.morale(march.state, [force]) + max(record.attack, record.defence)
    label, (die,) = march.desk.roll("rally", force.name, rule="12.11.5", seat=march.side)
    done = die <= limit
    march.desk.tell(Rallied(force=force.name, die=die, success=done, draws=(label,), rule="12.11.5"))
    if done:
        force.demoralised, march.rallied = False, True
