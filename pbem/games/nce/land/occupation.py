"""3.2.3, 13.2, 13.4: what an activated force does about fortresses and control: attempts, garrisons, markers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.games.nce import board
from pbem.games.nce.cards.reaction_cards import siege_help
from pbem.games.nce.charts import ZONES
from pbem.games.nce.events import CardSpent
from pbem.games.nce.land import siege
from pbem.games.nce.land.supply import supplied
from pbem.games.nce.land.tempo import now
from pbem.games.nce.orders import Activate, Besiege, Garrison, Go
from pbem.games.nce.questions import Garrisoning
from pbem.games.nce.state import enemy
from pbem.kernel.order import If, Order
from pbem.kernel.plan import Refused

if TYPE_CHECKING:
    from pbem.games.nce.land.march import March


def has(order: Order, *kinds: type[Order]) -> bool:
    """Whether a step, or a branch of it, is of some kinds."""
    if isinstance(order, If):
        return any(has(one, *kinds) for one in (*order.then, *order.otherwise))
    return isinstance(order, kinds)


def mark(march: March) -> None:
    """3.2.3c, 10.1.8: one point for a control marker."""
    state, force = march.state, march.force
    zone = force.zone
    if zone in march.entered and march.won and state.controller(zone) == march.side:
        return
    if not ZONES[zone].city or state.controller(zone) != enemy(march.side):
        raise Refused("nothing_to_control", "3.2.3", zone=zone)
    if state.fortress(zone):
        raise Refused("fortress_first", "3.2.3", nearest=(Besiege(),), zone=zone)
    if not supplied(state, force):
        raise Refused("unsupplied", "3.2.3", force=force.name)
    march.pay(1, "10.1.8")
    siege.mark(march.desk, zone, march.side)


async def besiege(march: March, times: int) -> None:
    """13.2.2: attempts at one point each; one is free after a battle won there."""
    for _ in range(times):
        force = march.force
        if force.covering == now(march.state):
            raise Refused("only_covering", "13.1.3")
        zone, before = force.zone, march.left
        if not march.free_siege:
            if march.left < 1 and march.last_siege:
                return
            march.pay(1, "13.2.2")
        march.free_siege = False
        march.check_supply()
        try:
            march.last_siege = await siege.attempt(
                march.desk, force, event=_siege_card(march), losses=march.losses(), retreat=march.retreats()
            )
        except Refused as refused:
            if refused.problem.code == "no_enemy_fortress":
                march.left = before
                refused.suggest(_to_a_fortress(march))
            raise
        if march.last_siege in ("honneurs", "breche"):
            await _offer_garrison(march)
            return
        if march.id not in march.state.forces or march.force.zone != zone:
            march.over = True
            return


def _to_a_fortress(march: March) -> tuple[Order, ...]:
    """13.2.1: the march to the nearest enemy fortress within reach: what to write instead."""
    hostile = [zone for zone in march.reachable() if march.state.hostile_fortress(zone, march.side)]
    near = board.nearest(march.force.zone, hostile)
    return (Go((near[0],)),) if near else ()


def _siege_card(march: March) -> int:
    """21F: more on a siege die against a fortress without units, as the plan says."""
    card, march.helped = march.helped, ""
    value = siege_help(march.state, march.side, march.force.zone, card)
    if not value:
        march.helped = card
    elif not march.desk.dry:
        march.state.spend_card(march.side, card)
        march.desk.tell(CardSpent(side=march.side, card=card, use="siege", rule="7.3"))
    return value


async def _offer_garrison(march: March) -> None:
    """13.4.2: D13: a plan that says nothing of it leaves it to the standing orders."""
    force = march.force
    if march.desk.dry or march.garrisons or force.zone not in march.state.empty:
        return
    (order,) = await march.desk.ask(
        Garrisoning(
            key=march.desk.label("garrison", force.zone),
            seat=march.side,
            rule="13.4.2",
            force=force.id,
            zone=force.zone,
        )
    )
    if isinstance(order, Garrison):
        await march.step(order)


async def garrison(march: March, by: str) -> None:
    """13.4.2, 10.2.2: the test comes before a step is detached for the last fortress of the activation."""
    later = march.ahead()
    end = next((n for n, order in enumerate(later) if isinstance(order, Activate)), len(later))
    if by == "step" and not any(has(order, Besiege) for order in later[:end]):
        await march.test()
    siege.garrison(march.desk, march.force, by, march.losses())
