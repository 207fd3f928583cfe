"""5.2, 13.1.4: what comes in a month: money, factors, corps; and what its owner does with it."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from pbem.games.eia.board import AREAS, COUNTERS, MARKED, POLES, PROVINCES, city
from pbem.games.eia.deployment import fits
from pbem.games.eia.desk import Desk
from pbem.games.eia.events import (
    CorpsRaised,
    Disbanded,
    FactorsCame,
    FactorsUnplaced,
    LeaderPosted,
    MoneyCame,
    PolesDeserted,
    said,
)
from pbem.games.eia.factors import Bag, add, ordered, take, total
from pbem.games.eia.forces import city_room, mine, remove, space, transfer
from pbem.games.eia.orders import Attach, Desertion, Disband, Dismiss, Place, Raise, Recall, Transfer
from pbem.games.eia.reactions import send_home
from pbem.games.eia.scenario import Reinforcement
from pbem.games.eia.setup import data
from pbem.games.eia.state import LATER, MAP, OFF, Corps, Garrison, State
from pbem.kernel.order import Order
from pbem.kernel.plan import Refused


class Due(msgspec.Struct):
    """Factors that are to be placed now, and where they may go."""

    power: str
    nation: str
    left: Bag
    cities: tuple[str, ...] = ()
    """5.2.2.1: the cities whose garrisons they may join."""
    areas: tuple[str, ...] = ()
    """5.2.2.1: the areas in which corps take them; everywhere, where it is empty."""
    corps: tuple[str, ...] = ()
    """13.3.4.1.A: the only corps that takes them."""


class Arrivals:
    """5.2: the reinforcements of a seat's powers in a month, as they are being placed."""

    def __init__(self, desk: Desk, seat: str) -> None:
        self.desk, self.seat = desk, seat
        state = desk.state
        self.due: list[Due] = []
        self.counters: dict[str, int] = {}
        """By power, how many corps counters may come."""
        self.raised: set[str] = set()
        for row in data(state).reinforcement:
            if row.power in state.of_seat(seat) and row.due(state.month) and not row.at.rule:
                self._read(row)

    @property
    def state(self) -> State:
        """The position."""
        return self.desk.state

    def _read(self, row: Reinforcement) -> None:
        """13.2.4, 13.3.4.1, 13.3.4.2: what a row of the scenario brings this month."""
        state = self.state
        if row.new_corps:
            self.counters[row.power] = self.counters.get(row.power, 0) + row.new_corps
        if row.corps:
            self._arriving_corps(row)
        elif row.factors:
            places = row.at.each_city or tuple(filter(None, (row.at.city or row.at.area,)))
            if row.at.with_corps_of:
                cities = tuple(
                    area.id
                    for area in AREAS.values()
                    if area.city and PROVINCES[area.province].owner in row.at.or_cities_of_minors
                )
                only = self._eugene() if row.at.corps else ()
                self.due.append(Due(row.power, row.of, dict(row.factors), cities, (), only))
            for place in places:
                if not row.condition or state.city_holder(place) in self._friends(row.power):
                    self.due.append(Due(row.power, row.of, dict(row.factors), (place,), (place,)))

    def _friends(self, power: str) -> list[str]:
        return [other for other in self.state.powers if self.state.allied(power, other)]

    def _eugene(self) -> tuple[str, ...]:
        """13.3.4.1.A: the infantry corps with which Eugène began."""
        for corps in self.state.done:
            if corps.startswith("eugene:"):
                return (corps.partition(":")[2],)
        return ()

    def _arriving_corps(self, row: Reinforcement) -> None:
        """5.2.1.1: a corps with its factors; lost where the enemy holds the place."""
        state, area = self.state, row.at.area
        if state.field_enemies(area, row.power) or state.enemy_city(area, row.power):
            self.desk.tell_of(
                row.power,
                FactorsUnplaced(power=row.power, factors=said(row.factors), area=area, rule="5.2.1.1"),
            )
            return
        for name, number in row.corps.items():
            for _ in range(number):
                free = [
                    counter
                    for counter in state.available.get(row.power, [])
                    if COUNTERS[counter].nation == row.of and fits(COUNTERS[counter], name)
                ]
                if free:
                    first = min(free, key=list(COUNTERS).index)
                    self._on_map(first, row.power, area)
                    add(state.corps[first].factors, row.factors)

    def _on_map(self, counter: str, power: str, area: str) -> Corps:
        state = self.state
        state.available[power].remove(counter)
        corps = state.corps[counter] = Corps(counter, power, area)
        seen = CorpsRaised(power=power, area=area, rule="5.2.1")
        self.desk.tell_of(power, msgspec.structs.replace(seen, corps=counter), seen)
        return corps

    # Orders

    def step(self, order: Order) -> None:
        """One order of the reinforcement phase. Raises Refused."""
        if isinstance(order, Place):
            self.place(order)
        elif isinstance(order, Raise):
            self.raise_corps(order)
        elif isinstance(order, Transfer):
            transfer(self.desk, self.seat, order)
        elif isinstance(order, Attach):
            self.attach(order)
        elif isinstance(order, Recall):
            self.recall(order)
        elif isinstance(order, Disband):
            self.disband(order)
        elif isinstance(order, Dismiss):
            self.dismiss(order)
        elif isinstance(order, Desertion):
            self.desert(order)

    def _find(self, order: Place, nation: str, power: str) -> list[Due]:
        """The factors due that may go where the order wants them."""
        found = []
        for due in self.due:
            if due.left.get(order.factor, 0) <= 0 or (nation and due.nation != nation):
                continue
            if power and due.power != power:
                continue
            if order.corps:
                area = self.state.corps[order.corps].area
                fits_ = (not due.areas or area in due.areas) and (not due.corps or order.corps in due.corps)
            else:
                fits_ = order.area in due.cities
            if fits_:
                found.append(due)
        return found

    def place(self, order: Place) -> None:
        """5.2.2, 5.2.2.1: factors due into an unbesieged corps or garrison. Raises Refused."""
        state = self.state
        if not order.corps and not order.area:
            raise Refused("place_where", "5.2.2")
        if order.corps:
            corps = mine(state, self.seat, order.corps, "5.2.2")
            if not state.free(corps):
                raise Refused("besieged", "5.2.2", corps=corps.id, area=corps.area)
            if corps.fixed and order.factor != "A":
                raise Refused("cannot_absorb", "5.2.3", corps=corps.id)
            nation, power = corps.nation, corps.power
            most_room = space(state, corps, order.factor)
        else:
            if order.factor not in ("I", "M"):
                raise Refused("only_foot_garrisons", "5.2.2.2.2", factor=order.factor)
            nation = power = ""
            most_room = self._room(order.area)
        some = self._find(order, nation, power)
        have = sum(due.left[order.factor] for due in some)
        if order.number > min(have, most_room):
            code = "none_due" if order.number > have else "city_full" if order.area else "over_capacity"
            raise Refused(
                code,
                "5.2.2",
                self._other(order, min(have, most_room)),
                area=order.area or state.corps[order.corps].area,
                corps=order.corps,
                room=most_room,
                have=have,
                factor=order.factor,
                most=str(most_room),
            )
        left = order.number
        for due in some:
            number = min(left, due.left[order.factor])
            if number:
                take(due.left, {order.factor: number})
                self._put(due, {order.factor: number}, order.corps, order.area)
                left -= number

    def _other(self, order: Place, most: int) -> tuple[Place, ...]:
        if most > 0:
            return (msgspec.structs.replace(order, number=most),)
        cities = [
            area for due in self.due if due.left.get(order.factor) for area in due.cities if self._room(area)
        ]
        return tuple(Place(1, order.factor, area=area) for area in cities[:1])

    def _room(self, area: str) -> int:
        state = self.state
        enemy = any(
            state.seat_of(thing.power) != self.seat and thing.power not in self._allies()
            for thing in state.inside(area)
        )
        if city(area) is None or area in state.sieges or enemy:
            return 0
        return city_room(state, area)

    def _allies(self) -> list[str]:
        return [other for power in self.state.of_seat(self.seat) for other in self._friends(power)]

    def _put(self, due: Due, bag: Bag, corps: str, area: str) -> None:
        if corps:
            add(self.state.corps[corps].factors, bag)
            where = self.state.corps[corps].area
            self.desk.tell_of(
                due.power,
                FactorsCame(power=due.power, factors=said(bag), area=where, corps=corps, rule="5.2.2"),
            )
        else:
            self.state.garrison(area, due.power, due.nation, bag)
            self.desk.tell(FactorsCame(power=due.power, factors=said(bag), area=area, rule="5.2.2"))

    def raise_corps(self, order: Raise) -> None:
        """5.2.1, 5.2.1.2, 13.1.4: a free counter comes into an unbesieged city at home, or beside a friendly corps."""
        state = self.state
        if order.corps not in COUNTERS:
            raise Refused("no_such_corps", "5.2.1", corps=order.corps)
        power = next((p for p in state.of_seat(self.seat) if order.corps in state.available.get(p, [])), "")
        if not power:
            raise Refused("corps_not_free", "5.2.1", corps=order.corps)
        if self.counters.get(power, 0) < 1:
            raise Refused("no_new_corps", "13.1.4", corps=order.corps)
        problem = self._limit(power, order.corps)
        if problem:
            raise Refused(problem, "13.3.6.D", corps=order.corps)
        nation, area = COUNTERS[order.corps].nation, order.area
        friends = [corps for corps in state.at(area, [power], inside=None) if state.free(corps)]
        home = city(area) is not None and state.home(nation, area) and area not in state.sieges
        if state.field_enemies(area, power) or state.enemy_city(area, power) or not (home or friends):
            raise Refused("corps_not_here", "5.2.1.2", corps=order.corps, area=area)
        self.counters[power] -= 1
        self._on_map(order.corps, power, area)
        self.raised.add(order.corps)

    def _limit(self, power: str, counter: str) -> str:
        """13.3.6.D: how many corps of each type a power may have."""
        limits = data(self.state).limits.get(f"{power}_corps")
        if not limits or COUNTERS[counter].nation != power:
            return ""
        have = [one for one in self.state.of(power) if one.nation == power]
        for name, most in limits.items():
            if fits(COUNTERS[counter], name):
                return "corps_limit" if sum(fits(one.counter, name) for one in have) >= most else ""
        return "corps_limit"

    def attach(self, order: Attach) -> None:
        """5.3, 10.6.2: a leader changes his corps within the area, or comes from off the map. Raises Refused."""
        state = self.state
        leader = state.leaders.get(order.leader)
        if leader is None or leader.where not in (MAP, OFF):
            raise Refused("leader_off_map", "5.3", leader=order.leader)
        if state.seat_of(leader.power) != self.seat:
            raise Refused("not_yours", "5.3", corps=order.leader)
        corps = mine(state, self.seat, order.corps, "5.3")
        if corps.power != leader.power:
            raise Refused("not_yours", "5.3", corps=order.corps)
        if not state.free(corps):
            raise Refused("besieged", "5.3", corps=corps.id, area=corps.area)
        if leader.where == MAP:
            here = state.corps.get(leader.corps)
            if here is None or not state.free(here):
                raise Refused("leader_besieged", "5.3", leader=order.leader)
            if here.area != corps.area:
                raise Refused("leader_elsewhere", "10.6.2", leader=order.leader)
        elif leader.since == state.month:
            raise Refused("leader_left_now", "5.3", leader=order.leader)
        leader.where, leader.corps, leader.area = MAP, corps.id, ""
        self.desk.tell(LeaderPosted(leader=leader.id, area=corps.area, rule="5.3"))

    def recall(self, order: Recall) -> None:
        """5.3: a leader leaves the map, and may come back from the next month on. Raises Refused."""
        state = self.state
        leader = state.leaders.get(order.leader)
        if leader is None or leader.where != MAP or state.seat_of(leader.power) != self.seat:
            raise Refused("leader_off_map", "5.3", leader=order.leader)
        corps = state.corps.get(leader.corps)
        if corps is None or not state.free(corps):
            raise Refused("leader_besieged", "5.3", leader=order.leader)
        leader.where, leader.corps, leader.since = OFF, "", state.month
        self.desk.tell(LeaderPosted(leader=leader.id, rule="5.3"))

    def disband(self, order: Disband) -> None:
        """5.2.4, 10.1.4.2: a corps leaves the map; an insurrection corps keeps its factors. Raises Refused."""
        state = self.state
        corps = mine(state, self.seat, order.corps, "5.2.4")
        if not state.free(corps):
            raise Refused("besieged", "5.2.4", corps=corps.id, area=corps.area)
        if state.field_enemies(corps.area, corps.power):
            raise Refused("enemy_here", "5.2.4", area=corps.area)
        gone = Disbanded(power=corps.power, factors=said(corps.factors), area=corps.area, rule="5.2.4")
        if corps.type == "insurrection":
            send_home(state, corps)
        else:
            state.lose(corps, dict(corps.factors), "disbanded", combat=False)
            remove(self.desk, corps)
        self.desk.tell_of(corps.power, gone)

    def dismiss(self, order: Dismiss) -> None:
        """5.2.4: factors of a garrison leave the map. Raises Refused."""
        state = self.state
        own = [
            found
            for found in state.garrisons_at(order.area, depot=order.to == "depot")
            if state.seat_of(found.power) == self.seat and found.factors.get(order.factor)
        ]
        have = own[0].factors[order.factor] if own else 0
        if order.number > have:
            fewer = (msgspec.structs.replace(order, number=have),) if have else ()
            raise Refused("not_so_many", "5.2.4", fewer, have=have, factor=order.factor, corps=order.area)
        state.lose(own[0], {order.factor: order.number}, "disbanded", combat=False)
        state.garrisons = [found for found in state.garrisons if found.size]
        gone = said({order.factor: order.number})
        self.desk.tell(Disbanded(power=own[0].power, factors=gone, area=order.area, rule="5.2.4"))

    def desert(self, order: Desertion) -> None:
        """13.3.6.C: with an Austrian corps in Poland, one factor of it for two Polish ones, once a phase."""
        state = self.state
        corps = mine(state, self.seat, order.corps, "13.3.6.C")
        mark = f"desertion:{state.month}"
        if data(state).special("polish_desertion") is None or corps.power != "austria" or mark in state.done:
            raise Refused("no_desertion", "13.3.6.C", corps=corps.id)
        if AREAS[corps.area].province not in state.entities.get(POLES, []):
            raise Refused("not_in_poland", "13.3.6.C", corps=corps.id, area=corps.area)
        state.done.append(mark)
        kind = next(kind for kind in ("M", "I", "C", "Gd", "A") if corps.factors.get(kind))
        state.lose(corps, {kind: 1}, "desertion", combat=False)
        left = 2
        bodies: list[Garrison | Corps] = [
            *(found for found in state.garrisons if found.nation == POLES),
            *(other for other in state.corps.values() if other.nation == POLES),
        ]
        for body in bodies:
            some = min(left, body.factors.get("I", 0))
            if some:
                state.lose(body, {"I": some}, "desertion", combat=False)
                left -= some
        self.desk.tell(PolesDeserted(corps="", area=corps.area, rule="13.3.6.C"))
        state.tidy()

    # What is left

    def finish(self) -> None:
        """5.2.2: what has not been placed goes where it is due, or is lost; raised corps without factors go back."""
        for due in self.due:
            for kind in list(due.left):
                self._settle(due, kind)
            if total(due.left):
                left = ordered(due.left)
                self.state.lost(due.power, due.nation, left, "unplaced", combat=False)
                self.desk.tell_of(
                    due.power, FactorsUnplaced(power=due.power, factors=said(left), rule="5.2.2")
                )
        for counter in sorted(self.raised):
            if counter in self.state.corps and not self.state.corps[counter].size:
                remove(self.desk, self.state.corps[counter])

    def _settle(self, due: Due, kind: str) -> None:
        state = self.state
        for corps in [one for one in state.of(due.power) if one.id in self.raised or one.id in due.corps]:
            self._into(due, kind, corps)
        if kind in ("I", "M"):
            for area in due.cities[:1] if due.areas else due.cities:
                self._garrisoned(due, kind, area)
        for corps in sorted(state.of(due.power), key=lambda one: one.size):
            self._into(due, kind, corps)

    def _garrisoned(self, due: Due, kind: str, area: str) -> None:
        number = min(due.left.get(kind, 0), self._room(area))
        if number:
            take(due.left, {kind: number})
            self._put(due, {kind: number}, "", area)

    def _into(self, due: Due, kind: str, corps: Corps) -> None:
        state = self.state
        if corps.nation != due.nation or corps.fixed or not state.free(corps):
            return
        if (due.areas and corps.area not in due.areas) or (due.corps and corps.id not in due.corps):
            return
        number = min(due.left.get(kind, 0), space(state, corps, kind))
        if number > 0:
            take(due.left, {kind: number})
            self._put(due, {kind: number}, corps.id, "")


def money(desk: Desk, powers: Iterable[str]) -> None:
    """5.2.5: the money of the month."""
    state = desk.state
    for power in powers:
        points = sum(
            row.money for row in data(state).reinforcement if row.power == power and row.due(state.month)
        )
        if points and state.powers[power].money >= 0:
            state.pay(power, 2 * points, "income")
            now = state.powers[power].money / 2
            event = MoneyCame(power=power, points=points, now=now, rule="5.2.5")
            desk.tell(event, to=(state.seat_of(power),))


def leaders_due(state: State) -> None:
    """1: leaders of the scenario that wait for their month."""
    for leader in state.leaders.values():
        if leader.where == LATER and leader.since and state.month >= leader.since:
            leader.where = OFF


def tyrol(state: State, corps: str, area: str) -> Refused | None:
    """10.1.5: why the Tyrol corps cannot rise there now; nothing where it can."""
    if corps not in state.levies or corps.startswith("au_ins"):
        return Refused("corps_not_free", "10.1.5", corps=corps)
    if area not in MARKED["tyrol_corps"] or state.field_enemies(area, "austria"):
        good = [a for a in sorted(MARKED["tyrol_corps"]) if not state.field_enemies(a, "austria")]
        return Refused("tyrol_only", "10.1.5", area=good[0] if good else area, corps=corps)
    return None
