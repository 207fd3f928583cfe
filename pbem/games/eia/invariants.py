"""What no play may reach: a thing in two places, a corps over its capacity, factors that are not accounted for."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.games.eia.board import AREAS, COUNTERS, city
from pbem.games.eia.deployment import maxima
from pbem.games.eia.factors import overfull
from pbem.games.eia.state import MAP, State


def invariants(state: State) -> list[str]:
    """What is wrong with a position; nothing, always."""
    return [*_counters(state), *_bodies(state), *_places(state)]


def _counters(state: State) -> Iterator[str]:
    off = [counter for counters in state.available.values() for counter in counters]
    for counter in off:
        if counter in state.corps:
            yield f"{counter} is on the map and off it"
        if counter in state.levies:
            yield f"{counter} is off the map twice"
    if len(set(off)) < len(off):
        yield "a counter is off the map twice"
    for corps in state.levies:
        if corps in state.corps:
            yield f"{corps} is on the map and at home"
    for leader in state.leaders.values():
        with_corps = leader.corps in state.corps
        if leader.where == MAP and with_corps == bool(leader.area):
            yield f"{leader.id} is nowhere, or in two places"
        if leader.where != MAP and (leader.corps or leader.area):
            yield f"{leader.id} is {leader.where} and on the map"
        if with_corps and state.corps[leader.corps].power != leader.power:
            yield f"{leader.id} is with a stranger"


def _bodies(state: State) -> Iterator[str]:
    for corps in state.corps.values():
        if corps.hidden:
            continue
        if not corps.size:
            yield f"{corps.id} is empty"
        if overfull(maxima(state, COUNTERS[corps.id]), corps.factors):
            yield f"{corps.id} holds too much: {corps.factors}"
        if any(number <= 0 for number in corps.factors.values()):
            yield f"{corps.id} holds less than nothing"
    for garrison in state.garrisons:
        if not garrison.size or any(kind not in ("I", "M") for kind in garrison.factors):
            yield f"the garrison of {garrison.area} is {garrison.factors}"
        if garrison.depot and state.depot_at(garrison.area, garrison.power) is None:
            yield f"a garrison without its depot at {garrison.area}"
    keys = [(g.area, g.power, g.nation, g.depot) for g in state.garrisons]
    if len(set(keys)) < len(keys):
        yield "a garrison is there twice"


def _places(state: State) -> Iterator[str]:
    areas = {corps.area for corps in state.corps.values()} | {found.area for found in state.garrisons}
    for area in areas | {horse.area for horse in state.horse.values()}:
        if not state.plays(area):
            yield f"somebody stands at {area}, which is out of play"
        where = city(area)
        count = state.in_city(area)
        if count and where is None:
            yield f"{area} has no city, and somebody is in it"
        elif where is not None and count > where.room:
            yield f"the city of {area} holds {count} factors"
        inside = {thing.power for thing in state.inside(area)}
        if any(state.at_war(one, other) for one in inside for other in inside):
            yield f"enemies share the city of {area}"
    for power, record in state.powers.items():
        own = [depot for depot in state.depots if depot.power == power]
        if len(own) > record.depots:
            yield f"{power} has {len(own)} depots"
        if record.money < -1:
            yield f"{power} owes money"
        if record.money >= 0 and record.money != _start(state, power) + sum(
            entry.number for entry in state.books if entry.power == power and entry.what == "money"
        ):
            yield f"the books of {power} do not agree with its treasury"
    if len({depot.area for depot in state.depots if not depot.inside}) < sum(
        not depot.inside for depot in state.depots
    ):
        yield "two depots in one area"
    for area, siege in state.sieges.items():
        if not state.at(area, siege.by):
            yield f"{area} is besieged by nobody"
        if not state.inside(area):
            yield f"{area} is besieged and empty"
    for area in {depot.area for depot in state.depots}:
        if area not in AREAS:
            yield f"a depot at {area}"


def _start(state: State, power: str) -> int:
    from pbem.games.eia.setup import data

    return 2 * data(state).treasury.get(power, 0)
