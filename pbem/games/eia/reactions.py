"""7.3.6.2, 10.1.4.1: what others decide while corps march: depots burnt, the insurrection called up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

from pbem.games.eia.board import AREAS, MARKED, PROVINCES, city
from pbem.games.eia.deployment import maxima
from pbem.games.eia.desk import Desk
from pbem.games.eia.events import ArtilleryFound, CalledUp, DepotGone, said
from pbem.games.eia.factors import add, room
from pbem.games.eia.forces import city_room
from pbem.games.eia.orders import BurnDepot, GuardDepot, Rise, StayHome
from pbem.games.eia.setup import data
from pbem.games.eia.state import Corps, Depot, Horse, State
from pbem.games.eia.supply.chains import Lines
from pbem.kernel.order import Answer, Fact, Order
from pbem.kernel.policy import Policy
from pbem.kernel.question import Question

INSURRECTION = "austria"


def _burnt(question: Burn, view: State, order: BurnDepot) -> Answer:
    return (BurnDepot(question.area),)


def _held(question: Burn, view: State, order: GuardDepot) -> Answer:
    return (GuardDepot(question.area),)


def _risen(question: Insurrection, view: State, order: Rise) -> Answer:
    return question.fitted(view, order)


class Burn(Question[State], frozen=True, kw_only=True):
    """7.3.6.2: the enemy comes to a depot with a garrison: burn it, or hold it."""

    area: str
    orders = (BurnDepot, GuardDepot)
    policies: ClassVar[tuple[Policy, ...]] = (
        Policy(BurnDepot, _burnt),
        Policy(GuardDepot, _held),
    )

    def legal(self, view: State) -> Iterator[Answer]:
        yield (BurnDepot(self.area),)
        yield (GuardDepot(self.area),)

    def concerns(self, view: State, standing: Order) -> bool:
        return getattr(standing, "area", "") in ("", self.area)

    def facts(self, view: State) -> Mapping[str, Fact]:
        garrison = sum(found.size for found in view.garrisons_at(self.area, depot=True))
        return {"factors": garrison, "area": self.area}


class Insurrection(Question[State], frozen=True, kw_only=True):
    """10.1.4.1: the enemy has entered a province of the insurrection."""

    province: str
    area: str
    orders = (Rise, StayHome)
    policies: ClassVar[tuple[Policy, ...]] = (
        Policy(StayHome, (StayHome(),)),
        Policy(Rise, _risen),
    )

    def fitted(self, view: State, order: Rise) -> Answer:
        """A standing order, as far as it can be followed here."""
        places = rising_places(view, self.province)
        area = order.area if order.area in places else ""
        return (Rise(min(order.number, len(view.levies)), area),)

    def legal(self, view: State) -> Iterator[Answer]:
        for number in range(len(insurgents(view)), 0, -1):
            yield (Rise(number),)
            for area in rising_places(view, self.province):
                yield (Rise(number, area),)
        yield (StayHome(),)

    def facts(self, view: State) -> Mapping[str, Fact]:
        return {"area": self.area, "enemies": len(view.field_enemies(self.area, INSURRECTION))}


def insurgents(state: State) -> list[str]:
    """10.1.4: the insurrection corps that may be called up."""
    return sorted(corps for corps, bag in state.levies.items() if corps.startswith("au_ins") and bag)


def rising_places(state: State, province: str) -> list[str]:
    """10.1.4.1: anywhere in that province."""
    return sorted(PROVINCES[province].areas)


def arsenal(desk: Desk, thing: Corps | Horse) -> None:
    """13.3.6: the French artillery finds guns when it first comes to Venice."""
    state = desk.state
    rule = data(state).special("venice_artillery")
    if rule is None or thing.area != rule.city or not isinstance(thing, Corps) or thing.type != "artillery":
        return
    if thing.power != "france" or rule.id in state.done:
        return
    state.done.append(rule.id)
    kind = "A" if state.on("12.3.5") else "I"
    found = {kind: min(rule.factors["A"], room(maxima(state, thing.counter), thing.factors, kind))}
    add(thing.factors, found)
    event = ArtilleryFound(corps=thing.id, factors=said(found), rule="13.3.6.B")
    desk.tell_of(thing.power, event)


async def entered(desk: Desk, thing: Corps | Horse) -> None:
    """10.1.4.1: the moment an enemy enters an unceded province of the insurrection."""
    state, area = desk.state, thing.area
    arsenal(desk, thing)
    if area not in MARKED["insurrection"] or not state.at_war(thing.power, INSURRECTION):
        return
    if not state.home(INSURRECTION, area) or not insurgents(state) or desk.dry:
        return
    province = AREAS[area].province
    question = Insurrection(
        key=desk.label("insurrection", province, area),
        seat=state.seat_of(INSURRECTION),
        rule="10.1.4.1",
        province=province,
        area=area,
    )
    (order,) = await desk.ask(question)
    if not isinstance(order, Rise):
        return
    capital = PROVINCES[province].capital
    for corps in insurgents(state)[: order.number]:
        call_up(desk, corps, order.area or capital)


def call_up(desk: Desk, corps: str, area: str) -> None:
    """10.1.4.4, 10.1.5: a levied corps comes onto the map, and does not move in this turn."""
    state = desk.state
    bag = state.levies.pop(corps)
    state.corps[corps] = Corps(corps, INSURRECTION, area, bag, placed=state.month)
    rule = "10.1.4.1" if corps.startswith("au_ins") else "10.1.5"
    desk.tell(CalledUp(corps=corps, area=area, rule=rule))


def send_home(state: State, corps: Corps) -> None:
    """10.1.4.2: an insurrection corps goes home, with its factors."""
    state.levies[corps.id] = dict(corps.factors)
    state.remove(corps.id)


async def at_depot(desk: Desk, thing: Corps | Horse, depot: Depot) -> None:
    """7.3.6: an enemy depot is entered: destroyed, captured, or burnt by its garrison."""
    state, area = desk.state, thing.area
    if state.field_enemies(area, thing.power):
        return
    garrisons = [found for found in state.garrisons_at(area, depot=True) if found.power == depot.power]
    if garrisons:
        if desk.dry:
            return
        question = Burn(
            key=desk.label("burn", area), seat=state.seat_of(depot.power), rule="7.3.6.2", area=area
        )
        (order,) = await desk.ask(question)
        if isinstance(order, BurnDepot):
            burn(desk, depot)
        return
    take_depot(desk, thing, depot)


def take_depot(desk: Desk, thing: Corps | Horse, depot: Depot) -> None:
    """7.3.6.1, 7.5.2.14: a depot that nobody defends is captured where it is of use, or destroyed."""
    state, area = desk.state, depot.area
    taken = isinstance(thing, Corps) and _worth_taking(state, thing, depot)
    state.depots.remove(depot)
    if taken:
        state.depots.append(Depot(area, thing.power, since=state.month))
    if isinstance(thing, Corps) and thing.march is not None:
        thing.march.plundered = area
    how = "captured" if taken else "destroyed"
    desk.tell(DepotGone(power=depot.power, area=area, how=how, by=thing.power, rule="7.3.6.1"))


def _worth_taking(state: State, corps: Corps, depot: Depot) -> bool:
    """7.3.6.1: a captured depot is a source, or extends an own uncut chain; and a counter is free."""
    own = [one for one in state.depots if one.power == corps.power]
    if len(own) >= state.powers[corps.power].depots:
        return False
    state.depots.remove(depot)
    state.depots.append(Depot(depot.area, corps.power))
    good = depot.area in Lines(state, corps.power).far
    state.depots.pop()
    state.depots.append(depot)
    return good


def burn(desk: Desk, depot: Depot, how: str = "burnt") -> None:
    """7.3.6.2, 7.2: a depot is burnt, or lifted; its garrison goes into a friendly or vacant city, or surrenders."""
    state, area = desk.state, depot.area
    state.depots.remove(depot)
    desk.tell(DepotGone(power=depot.power, area=area, how=how, by=depot.power, rule="7.3.6.2"))
    friendly = city(area) is not None and all(
        state.allied(depot.power, thing.power) for thing in state.inside(area)
    )
    for garrison in state.garrisons_at(area, depot=True):
        if garrison.power != depot.power:
            continue
        room = city_room(state, area) if friendly and area not in state.sieges else 0
        saved: dict[str, int] = {}
        for kind, number in list(garrison.factors.items()):
            some = min(number, room)
            room -= some
            if some:
                saved[kind] = some
        lost = {kind: number - saved.get(kind, 0) for kind, number in garrison.factors.items()}
        state.lost(
            garrison.power, garrison.nation, {k: n for k, n in lost.items() if n}, "surrender", area=area
        )
        garrison.factors = {}
        if saved:
            state.garrison(area, garrison.power, garrison.nation, saved)
    state.garrisons = [found for found in state.garrisons if found.size]
