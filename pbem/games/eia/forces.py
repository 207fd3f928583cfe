"""7.3.3, 5.2.3, 10.6: what corps leave and take: garrisons, transfers, cities entered; who is meant by a name."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.games.eia.board import COUNTERS, LEADERS, MINORS, POLES, city
from pbem.games.eia.deployment import maxima
from pbem.games.eia.desk import Desk
from pbem.games.eia.events import CityEntered, CorpsGone, FactorsTransferred, said
from pbem.games.eia.factors import GARRISON, add, in_garrison, room, take, total
from pbem.games.eia.orders import Absorb, Detach, Transfer
from pbem.games.eia.state import MAP, Corps, Garrison, Horse, State
from pbem.kernel.plan import Refused

DEPOT = "depot"
DEPOT_GARRISON = 10
"""7.3.3.5."""


def mine(state: State, seat: str, corps: str, rule: str = "7.3") -> Corps:
    """A corps of a seat on the map. Raises Refused where it is not his, or not there."""
    found = state.corps.get(corps)
    if found is None:
        code = "corps_off_map" if corps in COUNTERS else "no_such_corps"
        if corps in COUNTERS and state.seat_of(COUNTERS[corps].nation) not in ("", seat):
            code = "not_yours"
        raise Refused(code, rule, corps=corps)
    if state.seat_of(found.power) != seat:
        raise Refused("not_yours", rule, corps=corps)
    return found


def resolve(state: State, seat: str, names: Iterable[str]) -> list[str]:
    """The corps and light horse that names mean: themselves, an army, or the corps that a leader is with."""
    found: dict[str, None] = {}
    for name in names:
        army = state.armies.get(seat, {}).get(name)
        if army is not None:
            found |= dict.fromkeys(corps for corps in army if corps in state.corps or corps in state.horse)
        elif name in LEADERS:
            leader = state.leaders.get(name)
            if leader is None or leader.where != MAP or not leader.corps:
                raise Refused("leader_off_map", "10.6", leader=name)
            if state.seat_of(leader.power) != seat:
                raise Refused("not_yours", "10.6", corps=name)
            found[leader.corps] = None
        else:
            found[name] = None
    return list(found)


def is_minor(nation: str) -> bool:
    """Whether factors are a minor's, or Polish."""
    return nation in MINORS or nation == POLES


def may_garrison(state: State, corps: Corps, area: str) -> bool:
    """7.3.3.1.2, 7.3.3.3: factors of minors are garrisons in their own country only (option 12.3.8)."""
    return not is_minor(corps.nation) or state.on("12.3.8") or state.home(corps.nation, area)


def open_city(state: State, corps: Corps) -> None:
    """7.3.3: the city of a corps' area is there, unbesieged, and holds no enemy. Raises Refused."""
    area = corps.area
    if city(area) is None:
        raise Refused("no_city", "7.3.3", area=area)
    if area in state.sieges:
        raise Refused("city_besieged", "7.3.3", area=area)
    if any(not state.allied(corps.power, thing.power) for thing in state.inside(area)):
        raise Refused("city_held", "7.3.3", area=area)


def city_room(state: State, area: str) -> int:
    """7.3.3.4: for how many more factors a city has room."""
    where = city(area)
    return max(0, where.room - state.in_city(area)) if where else 0


def space(state: State, corps: Corps, kind: str, *, within: bool = False) -> int:
    """2.4.2, 7.3.3.4: for how many more factors of a kind a corps has room; in a city the walls set a limit too.

    `within`: they come from behind the same walls.
    """
    boxes = room(maxima(state, corps.counter), corps.factors, kind)
    return boxes if within or not corps.inside else min(boxes, city_room(state, corps.area))


def detach(desk: Desk, corps: Corps, order: Detach) -> None:
    """7.3.3, 7.3.3.1.1, 7.3.3.1.3, 7.3.3.5: leave factors in a city or on a depot. Raises Refused."""
    state, area = desk.state, corps.area
    if corps.fixed or order.factor == "A":
        raise Refused("cannot_detach", "7.3.3.1", corps=corps.id)
    if state.field_enemies(area, corps.power):
        raise Refused("enemy_here", "7.3.3.1.1", area=area)
    if not may_garrison(state, corps, area):
        raise Refused("only_at_home", "7.3.3.1.2", corps=corps.id, area=area)
    have = corps.factors.get(order.factor, 0)
    most = min(have, corps.size - 1)
    if order.number > most:
        code = "keeps_one" if order.number <= have else "not_so_many"
        raise Refused(code, "7.3.3.1.3", _fewer(order, most), corps=corps.id, have=have, factor=order.factor)
    if order.to == DEPOT:
        depot = state.depot_at(area, corps.power)
        if depot is None:
            raise Refused("no_depot", "7.3.3.5", area=area)
        there = sum(
            found.size for found in state.garrisons_at(area, depot=True) if found.power == corps.power
        )
        space = DEPOT_GARRISON - there
    else:
        open_city(state, corps)
        space = city_room(state, area) + (order.number if corps.inside else 0)
    if order.number > space:
        raise Refused("city_full", "7.3.3.4", _fewer(order, min(space, most)), area=area, room=space)
    left = {order.factor: order.number}
    take(corps.factors, left)
    become = in_garrison(left)
    state.garrison(area, corps.power, corps.nation, become, depot=order.to == DEPOT)
    if corps.march is not None:
        add(corps.march.detached, become)
    seen = CityEntered(area=area, power=corps.power, factors=said(become), rule="7.3.3")
    told = FactorsTransferred(
        power=corps.power, factors=said(left), area=area, giver=corps.id, taker=order.to, rule="7.3.3"
    )
    desk.tell_of(corps.power, told, seen)


def _fewer(order: Detach, most: int) -> tuple[Detach, ...]:
    if most < 1:
        return ()
    return (Detach(most, order.factor, order.corps, order.area, order.to),)


def absorb(desk: Desk, corps: Corps, order: Absorb) -> None:
    """7.3.3: take factors of a garrison of the same nation where a corps is. Raises Refused."""
    state, area = desk.state, corps.area
    if corps.fixed:
        raise Refused("cannot_absorb", "7.3.3.1", corps=corps.id)
    if state.field_enemies(area, corps.power):
        raise Refused("enemy_here", "7.3.3.1.1", area=area)
    if order.to != DEPOT and area in state.sieges:
        raise Refused("city_besieged", "7.3.3", area=area)
    garrison = _garrison(state, corps, depot=order.to == DEPOT)
    have = garrison.factors.get(order.factor, 0) if garrison else 0
    most_room = space(state, corps, order.factor, within=order.to != DEPOT)
    most = min(have, most_room)
    if garrison is None or order.number > most:
        fewer = (Absorb(most, order.factor, order.corps, order.area, order.to),) if most else ()
        code = "not_so_many" if order.number > have else "over_capacity"
        raise Refused(
            code,
            "7.3.3",
            fewer,
            corps=corps.id,
            have=have,
            factor=order.factor,
            most=str(most_room),
            area=area,
        )
    gained = {order.factor: order.number}
    take(garrison.factors, gained)
    add(corps.factors, gained)
    state.garrisons = [found for found in state.garrisons if found.size]
    if corps.march is not None:
        for kind, number in gained.items():
            back = min(number, corps.march.detached.get(kind, 0))
            take(corps.march.detached, {kind: back} if back else {})
    told = FactorsTransferred(
        power=corps.power, factors=said(gained), area=area, giver=order.to, taker=corps.id, rule="7.3.3"
    )
    seen = FactorsTransferred(
        power=corps.power, factors=said(gained), area=area, giver=order.to, rule="7.3.3"
    )
    desk.tell_of(corps.power, told, seen)


def _garrison(state: State, corps: Corps, *, depot: bool) -> Garrison | None:
    some = state.garrisons_at(corps.area, depot=depot)
    return next((g for g in some if (g.power, g.nation) == (corps.power, corps.nation)), None)


def enter(desk: Desk, corps: Corps) -> None:
    """7.3.3.3.1: a corps goes into the city of its area. Raises Refused."""
    state = desk.state
    if corps.inside:
        return
    if state.field_enemies(corps.area, corps.power):
        raise Refused("enemy_here", "7.3.3.1.1", area=corps.area)
    open_city(state, corps)
    space = city_room(state, corps.area)
    if corps.size > space:
        raise Refused("city_full", "7.3.3.4", area=corps.area, room=space)
    corps.inside = True
    desk.tell(CityEntered(area=corps.area, power=corps.power, rule="7.3.3.3.1"))


def transfer(desk: Desk, seat: str, order: Transfer) -> None:
    """5.2.3: factors from corps to corps of one nation in one area, in the reinforcement phase. Raises Refused."""
    state = desk.state
    giver, taker = mine(state, seat, order.giver, "5.2.3"), mine(state, seat, order.taker, "5.2.3")
    if giver.area != taker.area or giver.nation != taker.nation:
        raise Refused("not_together", "5.2.3", corps=giver.id, other=taker.id)
    if not state.free(giver) or not state.free(taker):
        raise Refused("city_besieged", "5.2.3", area=giver.area)
    if giver.fixed or taker.fixed or order.factor == "A":
        raise Refused("cannot_detach", "5.2.3", corps=giver.id if giver.fixed else taker.id)
    have = giver.factors.get(order.factor, 0)
    most_room = space(state, taker, order.factor, within=giver.inside)
    most = min(have, most_room)
    if order.number > most:
        fewer = (Transfer(most, order.factor, order.giver, order.taker),) if most else ()
        code = "not_so_many" if order.number > have else "over_capacity"
        raise Refused(
            code, "5.2.3", fewer, corps=order.taker, have=have, factor=order.factor, most=str(most_room)
        )
    moved = {order.factor: order.number}
    take(giver.factors, moved)
    add(taker.factors, moved)
    desk.tell_of(
        giver.power,
        FactorsTransferred(
            power=giver.power,
            factors=said(moved),
            area=giver.area,
            giver=giver.id,
            taker=taker.id,
            rule="5.2.3",
        ),
    )
    if not giver.size:
        remove(desk, giver)


def remove(desk: Desk, corps: Corps) -> None:
    """7.5.5: an empty corps leaves the map."""
    desk.state.remove(corps.id)
    gone = CorpsGone(power=corps.power, corps=corps.id, area=corps.area, rule="7.5.5")
    desk.tell_of(corps.power, gone, CorpsGone(power=corps.power, corps="", area=corps.area, rule="7.5.5"))


def mover(state: State, seat: str, id: str) -> Corps | Horse:
    """A corps or a counter of light horse of a seat. Raises Refused."""
    horse = state.horse.get(id)
    if horse is None:
        return mine(state, seat, id)
    if state.seat_of(horse.power) != seat:
        raise Refused("not_yours", "7.3", corps=id)
    return horse


def to_garrison(state: State, corps: Corps) -> int:
    """How many of its factors may be left as a garrison: infantry and militia, and one stays."""
    return min(sum(corps.factors.get(kind, 0) for kind in GARRISON), total(corps.factors) - 1)
