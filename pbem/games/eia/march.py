"""7.3: corps and light horse march, one by one, area by area."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import msgspec

from pbem.games.eia.board import AREAS, MARKED, POWERS, PROVINCES, crossing, touching
from pbem.games.eia.desk import Desk
from pbem.games.eia.events import ForecastMarch, Marched, SiegeLifted
from pbem.games.eia.orders import March as MarchOrder
from pbem.games.eia.parties import attacked
from pbem.games.eia.reactions import at_depot, entered
from pbem.games.eia.state import FREIKORPS, Arrow, Corps, Horse, March, State
from pbem.games.eia.supply.chains import closed, closed_provinces
from pbem.kernel.graph import Reach, reach
from pbem.kernel.plan import Refused

HORSE_MOVE = 5
FORCED = "forced"


def allowance(thing: Corps | Horse) -> int:
    """7.3.1.1: the movement points of a counter."""
    return thing.move if isinstance(thing, Corps) else HORSE_MOVE


def may_force(thing: Corps | Horse) -> bool:
    """7.3.1.2: infantry alone marches on; not what bears the mark of cavalry."""
    return isinstance(thing, Corps) and thing.looks != "cavalry"


def cost(state: State, thing: Corps | Horse, start: str, to: str) -> int:
    """7.3.1.3: the area, a mountain or marsh, a strait, a river before an enemy corps in the field."""
    points, river = step_cost(start, to)
    return points + (river and bool(state.field_enemies(to, thing.power)))


def barred(state: State, thing: Corps | Horse, to: str) -> tuple[str, str]:
    """10.3, 10.1.2.2, 10.1.4.3: why a counter may never enter an area, and by which rule; nothing where it may."""
    if closed(state, thing.power, to):
        return "closed_border", "10.3.1" if state.plays(to) else "13.1.3"
    bound = _bounds(state, thing)
    if bound is not None and to not in bound:
        if isinstance(thing, Horse):
            return "freikorps_at_home", "10.1.2.2"
        return "insurrection_at_home", "10.1.4.3"
    return "", ""


def ways(state: State, thing: Corps | Horse, most: int | None = None) -> Reach[str]:
    """Where a counter can go, and at what cost; enemy corps in the field end a corps' way."""
    stops = isinstance(thing, Corps)
    foes = set(state.enemies(thing.power))
    enemies = {corps.area for corps in state.corps.values() if not corps.inside and corps.power in foes}
    shut = closed_provinces(state, thing.power)
    bound = _bounds(state, thing)
    start = thing.area

    def step(here: str, to: str) -> int | None:
        if stops and here in enemies and here != start:
            return None
        if AREAS[to].province in shut or (bound is not None and to not in bound):
            return None
        points, river = step_cost(here, to)
        return points + (river and to in enemies)

    return reach([start], touching, step, most=most)


@cache
def step_cost(start: str, to: str) -> tuple[int, bool]:
    """7.3.1.3: what a step costs by the ground alone, and whether there is a river to cross."""
    kind = crossing(start, to)
    return (2 if AREAS[to].difficult else 1) + (kind == "strait"), kind == "river"


def _bounds(state: State, thing: Corps | Horse) -> frozenset[str] | None:
    """10.1.2.2, 10.1.4.3: the areas that a counter never leaves; none where it goes everywhere."""
    if isinstance(thing, Horse):
        if thing.kind != FREIKORPS:
            return None
        held = {name for name, control in state.control.items() if control.power == thing.power}
        names = held | set(POWERS[thing.power].home_provinces)
        return frozenset(area for name in names for area in PROVINCES[name].areas)
    return MARKED["insurrection"] if thing.type == "insurrection" else None


def route(state: State, thing: Corps | Horse, way: Sequence[str]) -> tuple[str, ...]:
    """The areas of a way, joined by the cheapest steps where they do not touch. Raises Refused where there is none."""
    found: list[str] = []
    here = thing.area
    for place in way:
        if place == here:
            continue
        if crossing(here, place):
            found.append(place)
        else:
            start = _at(thing, here)
            line = ways(state, start).way(place)
            if not line:
                code, rule = barred(state, thing, place)
                raise Refused(
                    code or "no_way",
                    rule or "7.3.1",
                    _beside(state, thing, place),
                    area=place,
                    corps=thing.id,
                )
            found += line
        here = place
    return tuple(found)


def _beside(state: State, thing: Corps | Horse, place: str) -> tuple[MarchOrder, ...]:
    """The nearest area beside a closed one that the counter can reach this month."""
    reached = ways(state, thing, most=allowance(thing)).cost
    near = sorted((reached[area], area) for area in touching(place) if area in reached and area != thing.area)
    return tuple(MarchOrder((thing.id,), (area,)) for _, area in near[:1])


def _at(thing: Corps | Horse, area: str) -> Corps | Horse:
    """The counter as if it stood elsewhere."""
    if thing.area == area:
        return thing
    return msgspec.structs.replace(thing, area=area)


class Road:
    """7.3.1: what a counter has left in this slot."""

    def __init__(self, thing: Corps | Horse) -> None:
        self.thing = thing
        if isinstance(thing, Corps):
            if thing.march is None:
                thing.march = March(thing.area)
            self.record: March = thing.march
        else:
            self.record = March(thing.area)

    def left(self, *, forced: bool) -> int:
        """The points left, with that of a forced march where it is ordered and allowed."""
        extra = 1 if (forced or self.record.forced) and may_force(self.thing) else 0
        return allowance(self.thing) + extra - self.record.spent


async def march(desk: Desk, thing: Corps | Horse, order: MarchOrder) -> None:
    """7.3.2, 7.3.4: one counter goes its way. Raises Refused; in play it first goes as far as it can."""
    state = desk.state
    if order.way != (thing.area,):
        _may_move(state, thing)
    road = Road(thing)
    forced = order.how == FORCED
    if forced and not may_force(thing):
        raise Refused("no_forced_march", "7.3.1.2", (MarchOrder((thing.id,), order.way),), corps=thing.id)
    way = route(state, thing, order.way)
    if not way:
        if thing.inside and order.way[-1:] == (thing.area,):
            thing.inside = False
        return
    possible, refused = _affordable(state, thing, road, way, forced=forced)
    if refused is not None and desk.dry:
        refused.suggest(_nearest(thing, possible, order.how))
        raise refused
    await _go(desk, thing, road, possible)
    if refused is None and possible and thing.area != possible[-1]:
        refused = Refused("stopped_by_enemy", "10.1.4.1.1", corps=thing.id, area=thing.area)
    if refused is not None:
        raise refused


def _may_move(state: State, thing: Corps | Horse) -> None:
    if thing.area in state.sieges and thing.inside:
        raise Refused("besieged", "7.5.4", corps=thing.id, area=thing.area)
    if thing.inside and isinstance(thing, Corps) and state.field_enemies(thing.area, thing.power):
        raise Refused(
            "stopped_by_enemy",
            "7.3.2",
            (MarchOrder((thing.id,), (thing.area,)),),
            corps=thing.id,
            area=thing.area,
        )
    if isinstance(thing, Horse):
        if thing.moved:
            raise Refused("moved_already", "7.3.2", corps=thing.id)
        return
    if thing.placed == state.month:
        raise Refused("placed_now", "10.1.4.4", corps=thing.id)
    if thing.march is not None and thing.march.done:
        raise Refused("moved_already", "7.3.2", corps=thing.id)


def _affordable(
    state: State, thing: Corps | Horse, road: Road, way: tuple[str, ...], *, forced: bool
) -> tuple[tuple[str, ...], Refused | None]:
    """The part of a way that can be gone, and why the rest cannot."""
    here, left = thing.area, road.left(forced=forced)
    stopped = road.record.stopped
    for n, there in enumerate(way):
        if stopped:
            return way[:n], Refused("stopped_by_enemy", "7.3.2", corps=thing.id, area=here)
        code, rule = barred(state, thing, there)
        if not code and attacked(state, there, thing.power):
            code, rule = "ally_attacks_there", "7.3.8.5"
        if code:
            return way[:n], Refused(code, rule, corps=thing.id, area=there)
        needed = cost(state, thing, here, there)
        if needed > left:
            return way[:n], Refused(
                "too_far",
                "7.3.1.1",
                corps=thing.id,
                area=there,
                move=allowance(thing),
                needed=road.record.spent + _whole(state, thing, way),
            )
        left -= needed
        here = there
        stopped = isinstance(thing, Corps) and bool(state.field_enemies(there, thing.power))
    return way, None


def _whole(state: State, thing: Corps | Horse, way: tuple[str, ...]) -> int:
    return sum(cost(state, thing, a, b) for a, b in zip((thing.area, *way), way, strict=False))


def _nearest(thing: Corps | Horse, possible: tuple[str, ...], how: str) -> tuple[MarchOrder, ...]:
    if possible:
        return (MarchOrder((thing.id,), possible, how),)
    return ()


async def _go(desk: Desk, thing: Corps | Horse, road: Road, way: tuple[str, ...]) -> None:
    state, record = desk.state, road.record
    start = thing.area
    gone: list[str] = []
    for there in way:
        points = cost(state, thing, thing.area, there)
        thing.came, thing.area, thing.inside = thing.area, there, False
        _leave_siege(desk, thing, thing.came)
        record.spent += points
        record.forced = record.forced or record.spent > allowance(thing)
        record.entered.append(there)
        gone.append(there)
        for depot in [d for d in state.depots if d.area == there and state.at_war(thing.power, d.power)]:
            await at_depot(desk, thing, depot)
        await entered(desk, thing)
        if isinstance(thing, Corps) and state.field_enemies(there, thing.power):
            record.stopped = True
            break
    if not gone:
        return
    if isinstance(thing, Horse):
        thing.moved = True
    _tell(desk, thing, (start, *gone), record)


def _leave_siege(desk: Desk, thing: Corps | Horse, area: str) -> None:
    """7.5.4: a siege ends when its last besieger has left."""
    siege = desk.state.sieges.get(area)
    if siege is None or thing.power not in siege.by:
        return
    siege.by = sorted({corps.power for corps in desk.state.at(area, siege.by)})
    if not siege.by:
        del desk.state.sieges[area]
        desk.tell(SiegeLifted(area=area, rule="7.5.4"))


def _tell(desk: Desk, thing: Corps | Horse, way: tuple[str, ...], record: March) -> None:
    state = desk.state
    state.arrows.append(Arrow("march", thing.power, way))
    leaders = tuple(leader.id for leader in state.leaders_with([thing.id]))
    own = Marched(
        power=thing.power,
        way=way,
        corps=(thing.id,),
        leaders=leaders,
        forced=record.forced,
        spent=record.spent,
        move=allowance(thing),
        rule="7.3.2",
    )
    if isinstance(thing, Horse):
        desk.tell(own)
    else:
        mounted = thing.looks == "cavalry"
        seen = Marched(
            power=thing.power,
            way=way,
            infantry=int(not mounted),
            cavalry=int(mounted),
            leaders=leaders,
            rule="7.3.2",
        )
        desk.tell_of(thing.power, own, seen)
    desk.note(
        ForecastMarch(
            corps=thing.id,
            way=way,
            cost=record.spent,
            move=allowance(thing),
            forced=record.forced,
            rule="7.3.1",
        )
    )


def toward(state: State, thing: Corps | Horse, area: str, *, forced: bool = False) -> tuple[str, ...]:
    """How far a counter gets towards a place this month: the part of the cheapest way that its points pay."""
    line = ways(state, thing).way(area)
    if not line:
        return ()
    possible, _ = _affordable(state, thing, Road(_copy(thing)), line, forced=forced)
    return possible


def _copy(thing: Corps | Horse) -> Corps | Horse:
    return msgspec.structs.replace(thing)
