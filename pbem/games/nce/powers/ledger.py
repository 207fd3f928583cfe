"""6.3, 6.4: the accounts of a side: what each power has and may raise, what orders would spend, what talks promise."""

from __future__ import annotations

from pbem.games.nce.charts import COSTS, COUNTRIES, FLEETS, GENERALS, MAJORS, SPECIALS, UNITS
from pbem.games.nce.desk import Desk, rehearsed
from pbem.games.nce.events_views import Priced, StandsBudget, StandsMinors, StandsPrices
from pbem.games.nce.powers.budget import Treasury
from pbem.games.nce.powers.chancery import Chancery
from pbem.games.nce.powers.places import reinforcement_zones
from pbem.games.nce.state import POOL, State, copied
from pbem.kernel.event import Event
from pbem.kernel.order import Answer
from pbem.kernel.plan import rehearse


def accounts(view: State, seat: str) -> list[Event]:
    """6.3.1: the budgets that a seat manages, while they are being made."""
    if view.phase != "budget" or not view.resources:
        return []
    found: list[Event] = [
        _budget(view, power) for power in MAJORS if view.manager(power) == seat and power in view.resources
    ]
    units = tuple(
        Priced(unit.id, unit.steps, "1")
        for unit in UNITS.values()
        if not COUNTRIES[unit.power].major
        and view.units[unit.id] == POOL
        and view.side_of(unit.power) == seat
    )
    steps = f"{view.resources.get(f'minors_{seat}', 0):g}"
    found.append(StandsMinors(steps=steps, units=units, rule="6.3.12"))
    depot, army, fleet, card = (f"{COSTS[kind]:g}" for kind in ("depot", "army", "fleet", "extra_card"))
    found.append(StandsPrices(depot=depot, army=army, fleet=fleet, extra_card=card, rule="6.3.4"))
    return found


def _budget(view: State, power: str) -> StandsBudget:
    units = [
        Priced(unit.id, unit.steps, f"{unit.cost_per_step:g}")
        for unit in UNITS.values()
        if unit.power == power and view.units[unit.id] == POOL
    ]
    specials = [
        Priced(special.id, 1, f"{special.cost:g}")
        for special in SPECIALS.values()
        if special.power == power and view.specials[special.id] == POOL
    ]
    return StandsBudget(
        power=power,
        have=f"{view.resources[power]:g}",
        units=(*units, *specials),
        generals=tuple(g.id for g in GENERALS.values() if g.power == power and view.generals[g.id] == POOL),
        fleets=tuple(f.id for f in FLEETS.values() if f.power == power and view.fleets[f.id] == POOL),
        zones=tuple(reinforcement_zones(view, power)),
        rule="6.3.2",
    )


def spending(view: State, seat: str, answer: Answer) -> list[Event]:
    """CHECK: what the orders of a budget would spend, and what would be lost."""
    desk = Desk(copied(view), None, "rehearsal")
    treasury = Treasury(desk, seat)
    rehearse(treasury.run(answer))
    return [treasury.account(power) for power in MAJORS if view.manager(power) == seat]


def talking(view: State, seat: str, answer: Answer) -> list[Event]:
    """CHECK: the chances of diplomacy, from what the seat may know."""
    return rehearsed(view, lambda desk: Chancery(desk, seat).run(answer)).notes
