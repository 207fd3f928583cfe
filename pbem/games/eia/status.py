"""How things stand, at a glance: the month, each side's losses, own corps with their supply, the enemy as seen."""

from __future__ import annotations

from collections.abc import Collection

from pbem.games.eia.events import said
from pbem.games.eia.events_views import (
    StandsCity,
    StandsCorps,
    StandsDepots,
    StandsEnemy,
    StandsGarrison,
    StandsMonth,
    StandsPower,
    StandsSiege,
    StandsTitle,
)
from pbem.games.eia.setup import data
from pbem.games.eia.state import UNKNOWN, State
from pbem.games.eia.supply.chains import Lines
from pbem.kernel.event import Event

PHASES = {"setup": "s", "orders": "o", "land": "l", "over": "e"}


def moment(state: State) -> str:
    """The month, and how far it is, for a subject line: 1805-09l1."""
    slot = str(state.slot + 1) if state.phase == "land" else ""
    return f"{state.month}{PHASES[state.phase]}{slot}"


def status(view: State, seat: str | None) -> list[Event]:
    """The position of a view."""
    found: list[Event] = [
        StandsMonth(month=view.month, turn=view.turn, end=view.end, winter=view.winter, phase=view.phase)
    ]
    for power in view.powers:
        record = view.powers[power]
        own = view.of(power)
        found.append(
            StandsPower(
                power=power,
                side=record.side,
                corps=len(own),
                factors=sum(corps.size for corps in own) if own and not own[0].hidden else 0,
                garrisons=sum(g.size for g in view.garrisons if g.power == power),
                money=None if record.money == UNKNOWN else record.money / 2,
                losses=view.losses.get(power, 0),
            )
        )
    for row in data(view).victory:
        for city in row.test.cities:
            found.append(StandsCity(area=city, holder=view.city_holder(city), rule=row.ref))
    mine = view.of_seat(seat) if seat else []
    for power in mine:
        found += _own(view, power)
    found += _depots(view, mine or list(view.powers))
    found += _enemies(view, view.with_seat(seat) if seat else ())
    for area, siege in sorted(view.sieges.items()):
        found.append(
            StandsSiege(
                area=area,
                by=siege.by[0],
                corps=len(view.at(area, siege.by)),
                inside=sum(g.size for g in view.garrisons_at(area)),
                since=siege.since,
            )
        )
    return found


def _own(view: State, power: str) -> list[Event]:
    """7.4: the corps of a power, each with what it holds, and how it would be fed where it stands."""
    lines = Lines(view, power)
    found: list[Event] = [StandsTitle(what="corps", power=power)]
    for corps in sorted(view.of(power), key=lambda one: (one.area, one.id)):
        price = lines.price(corps.area)
        found.append(
            StandsCorps(
                corps=corps.id,
                area=corps.area,
                factors=said(corps.factors),
                inside=corps.inside,
                besieged=not view.free(corps),
                leaders=tuple(leader.id for leader in view.leaders_with([corps.id])),
                price=price[0] / 2 if price else 0,
                depot=price[1] if price else "",
            )
        )
    for horse in view.horse.values():
        if horse.power == power:
            found.append(StandsCorps(corps=horse.id, area=horse.area, factors="1 C"))
    for garrison in view.garrisons:
        if garrison.power == power:
            found.append(
                StandsGarrison(
                    area=garrison.area,
                    nation=garrison.nation,
                    factors=said(garrison.factors),
                    depot=garrison.depot,
                )
            )
    return found


def _depots(view: State, powers: Collection[str]) -> list[Event]:
    """7.2: depots on a chain, and those that are cut off."""
    found: list[Event] = []
    for power in powers:
        lines = Lines(view, power)
        cut = tuple(sorted(area for area in lines.depots if area not in lines.far))
        if lines.depots:
            found.append(
                StandsDepots(
                    power=power, good=tuple(sorted(lines.far)), cut=cut, counters=view.powers[power].depots
                )
            )
    return found


def _enemies(view: State, friends: Collection[str]) -> list[Event]:
    """2.4.2: the corps of others as they are seen, area by area."""
    found: list[Event] = []
    places = sorted({(c.power, c.area) for c in view.corps.values() if c.power not in friends})
    for power, area in places:
        there = view.at(area, [power], inside=None)
        found.append(
            StandsEnemy(
                power=power,
                area=area,
                infantry=sum(corps.looks == "infantry" for corps in there),
                cavalry=sum(corps.looks == "cavalry" for corps in there),
                leaders=tuple(leader.id for leader in view.leaders_at(area, power)),
                garrison=sum(g.size for g in view.garrisons_at(area) if g.power == power),
            )
        )
    return found
