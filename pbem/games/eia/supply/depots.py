"""7.2: depots lifted and bought, one by one or along a chain."""

from __future__ import annotations

from pbem.games.eia.board import borders, city, distances
from pbem.games.eia.desk import Desk
from pbem.games.eia.events import DepotPlaced
from pbem.games.eia.orders import BuildDepot, Chain, LiftDepot
from pbem.games.eia.reactions import burn
from pbem.games.eia.state import Depot, State
from pbem.games.eia.supply.chains import Lines, closed
from pbem.kernel.graph import reach
from pbem.kernel.plan import Refused

PRICE = 2
"""7.2: a point, in halves."""


def lift(desk: Desk, seat: str, order: LiftDepot) -> None:
    """7.2: own depots leave the map; a garrison goes into the city, or is lost. Raises Refused."""
    state = desk.state
    for area in order.areas:
        depot = next((d for d in state.depots if d.area == area and state.seat_of(d.power) == seat), None)
        if depot is None:
            raise Refused("no_depot", "7.2", area=area)
        burn(desk, depot, "lifted")


def build(desk: Desk, seat: str, order: BuildDepot) -> None:
    """7.2: depots are bought. Raises Refused; those before it in the order stand."""
    state = desk.state
    for area in order.areas:
        power = order.power or payer(state, seat, area)
        if state.seat_of(power) != seat:
            raise Refused("not_yours", "7.2", corps=power)
        problem = why_not(state, power, area)
        if problem is not None:
            problem.suggest(_instead(state, power, area))
            raise problem
        place(desk, power, area)


def payer(state: State, seat: str, area: str) -> str:
    """Which power of a seat builds there: who holds the area, has corps in it, or a depot nearest."""
    powers = state.of_seat(seat)
    if len(powers) == 1:
        return powers[0]
    for power in powers:
        if state.controls(power, area) or state.at(area, [power]):
            return power
    far = distances(area)
    own = [(far.get(depot.area, 999), depot.power) for depot in state.depots if depot.power in powers]
    return min(own)[1] if own else powers[0]


def place(desk: Desk, power: str, area: str) -> None:
    """7.2: a depot is bought there; it may be."""
    state = desk.state
    state.depots.append(Depot(area, power, since=state.month))
    state.pay(power, -PRICE, "depot", area)
    desk.tell(DepotPlaced(power=power, area=area, rule="7.2"))


def why_not(state: State, power: str, area: str) -> Refused | None:
    """7.2.1, 7.2.3, 7.2.3.3.1, 7.2.3.3.2, 7.2.3.3.3: why a power cannot place a depot there; nothing where it can."""
    own = [depot for depot in state.depots if depot.power == power]
    if len(own) >= state.powers[power].depots:
        return Refused("no_depot_counter", "7.2", number=state.powers[power].depots)
    if 0 <= state.powers[power].money < PRICE:
        return Refused("no_money", "7.2", power=power)
    if state.depot_at(area) is not None:
        return Refused("depot_there", "7.2", area=area)
    if closed(state, power, area):
        return Refused("closed_border", "7.2.3.3.1", area=area, corps=power)
    corps = state.at(area, [power])
    hostile = bool(state.field_enemies(area, power)) or any(
        state.at_war(power, horse.power) for horse in state.horse_at(area)
    )
    if hostile and not corps:
        return Refused("enemy_here", "7.2", area=area)
    territory = state.controls(power, area)
    if (
        territory
        and city(area) is not None
        and area not in state.sieges
        and not state.enemy_city(area, power)
    ):
        return None
    if not territory and not corps:
        return Refused("corps_needed", "7.2.3.3.3", area=area)
    step = int(state.options.get("chain_distance", "3"))
    fresh = {depot.area for depot in own if depot.since == state.month}
    lines = Lines(state, power, without=fresh)
    near = lines.near(area)
    if not any(near.get(depot, 999) <= step for depot in lines.far):
        return Refused("no_chain_near", "7.2.3", area=area, step=step)
    return None


def _instead(state: State, power: str, area: str) -> tuple[BuildDepot, ...]:
    """The nearest areas at which a depot may stand."""
    far = distances(area)
    near = sorted((number, other) for other, number in far.items() if 0 < number <= 3)
    good = [other for _, other in near if why_not(state, power, other) is None]
    return tuple(BuildDepot((other,)) for other in good[:2])


def chain(desk: Desk, seat: str, order: Chain) -> None:
    """7.2.3: along the way the next depot that may be built; nothing where the chain stands, or waits for a corps."""
    state = desk.state
    power = order.power or payer(state, seat, order.way[0])
    if state.seat_of(power) != seat:
        raise Refused("not_yours", "7.2", corps=power)
    way = _line(state, power, order.way)
    if not way:
        raise Refused("no_way", "7.2.3", area=order.way[-1], corps=power)
    for _ in range(len(way)):
        lines = Lines(state, power)
        have = [n for n, area in enumerate(way) if area in lines.far]
        if have and have[-1] == len(way) - 1:
            return
        first = have[-1] + 1 if have else 0
        farthest = min(len(way), first + 3)
        good = [n for n in range(first, farthest) if why_not(state, power, way[n]) is None]
        if not good:
            return
        place(desk, power, way[good[-1]])


def _line(state: State, power: str, way: tuple[str, ...]) -> tuple[str, ...]:
    """The areas of a chain, joined by the shortest steps that are not closed."""
    found = [way[0]]
    for place_ in way[1:]:
        ways = reach(
            [found[-1]],
            lambda area: [other for other, _ in borders(area) if not closed(state, power, other)],
        )
        line = ways.way(place_)
        if not line:
            return ()
        found += line
    return tuple(found)
