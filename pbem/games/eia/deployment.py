"""13.1.1: set-up: the listed forces, distributed as a template that the owner may change within the rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from typing import TYPE_CHECKING

from pbem.games.eia.board import AREAS, COUNTERS, LEADERS, Counter, city
from pbem.games.eia.factors import GARRISON, Bag, add, overfull, room, summed, take, total
from pbem.games.eia.orders import Attach, BuildDepot, Man, Post, Ready
from pbem.games.eia.scenario import TYPES, Force
from pbem.games.eia.state import COSSACK, FREIKORPS, LATER, MAP, Corps, Depot, Horse, Leader, State
from pbem.kernel.order import Answer, Order
from pbem.kernel.problem import Problem

if TYPE_CHECKING:
    from pbem.games.eia.scenario import ScenarioFile

LIGHT = (COSSACK, FREIKORPS)


def _file(state: State) -> ScenarioFile:
    from pbem.games.eia.setup import data

    return data(state)


def forces(state: State, power: str) -> list[Force]:
    """The rows of a power's forces."""
    return [force for force in _file(state).force if force.power == power]


def maxima(state: State, counter: Counter) -> dict[str, int]:
    """2.4.2, 13.1.6.4: what a counter holds; without option 12.3.5 artillery is infantry."""
    if counter.type == "artillery" and not state.on("12.3.5"):
        return {"im": counter.max["a"]}
    return counter.max


def _bag(state: State, row: Force) -> Bag:
    """The factors of a row that corps and garrisons hold."""
    bag = {kind: number for kind, number in row.factors.items() if kind not in LIGHT}
    if not state.on("12.3.5") and "A" in bag:
        add(bag, {"I": bag.pop("A")})
    return bag


# The template


def template(state: State, power: str) -> list[Order]:
    """13.1.1: the listed forces, each spread over the listed corps at the place that the file proposes."""
    orders: list[Order] = []
    chosen = _counters(state, power)
    for number, row in enumerate(forces(state, power)):
        area = (row.at.template or row.at.areas())[0]
        if row.form == "garrison":
            orders.append(Man(area, row.of, row.factors.get("I", 0), row.factors.get("M", 0)))
            continue
        counters = chosen[number]
        held = spread(state, counters, _bag(state, row))
        for counter, bag in zip(counters, held, strict=True):
            orders.append(posted(counter.id, area, bag))
        orders += [Attach(leader, _with(leader, n, counters)) for n, leader in enumerate(row.leaders)]
    depots = [depot for depot in _file(state).depot if depot.power == power]
    areas = [area for row in depots for area in (row.at.template or row.at.areas())]
    if areas:
        orders.append(BuildDepot(tuple(areas), power))
    return orders


def _with(leader: str, number: int, counters: list[Counter]) -> str:
    """A leader of horse rides with cavalry, the first in rank with the guard, the others each with a corps."""
    wanted = "cavalry" if LEADERS[leader].cavalry else "guard" if LEADERS[leader].seniority == "A" else ""
    fitting = [counter for counter in counters if counter.type == wanted]
    return fitting[0].id if fitting else counters[number % len(counters)].id


def posted(corps: str, area: str, bag: Bag) -> Post:
    """A corps with its factors, as an order."""
    return Post(corps, area, *(bag.get(kind, 0) for kind in ("I", "M", "C", "Gd", "A")))


def _counters(state: State, power: str) -> dict[int, list[Counter]]:
    """Which counters each row gets: as they come, or the smallest that do for each, where that does not fit."""
    rows = list(enumerate(forces(state, power)))
    needs = sorted(rows, key=lambda item: -_need(state, item[1]))
    for order, spare in ((rows, False), (needs, True)):
        found = _choose(state, order, spare=spare)
        if found is not None:
            return found
    raise ValueError(f"the forces of {power} do not fit their counters")


def _need(state: State, row: Force) -> float:
    bag = _bag(state, row)
    return (bag.get("I", 0) + bag.get("M", 0)) / max(1, row.corps.get("I", 0))


def _choose(
    state: State, rows: Iterable[tuple[int, Force]], *, spare: bool
) -> dict[int, list[Counter]] | None:
    used: set[str] = set()
    found: dict[int, list[Counter]] = {}
    for number, row in rows:
        if row.form == "garrison":
            found[number] = []
            continue
        counters = next(_fitting(state, row, used, spare=spare), None)
        if counters is None:
            return None
        found[number] = counters
        used |= {counter.id for counter in counters}
    return found


def _fitting(state: State, row: Force, used: set[str], *, spare: bool) -> Iterator[list[Counter]]:
    """Counters that hold a row: of each type the first, or with `spare` the smallest, and larger ones for infantry."""
    free: dict[str, list[Counter]] = {}
    for name in row.corps:
        free[name] = [
            counter
            for counter in COUNTERS.values()
            if counter.nation == row.of and fits(counter, name) and counter.id not in used
        ]
        if spare:
            free[name].sort(key=lambda counter: sum(counter.max.values()))
    bag = _bag(state, row)
    first = next(iter(row.corps), "")
    for skip in range(len(free.get(first, [])) if spare else 1):
        counters = [
            counter
            for name, count in row.corps.items()
            for counter in free[name][skip if name == first else 0 :][:count]
        ]
        if _holds(state, counters, bag):
            yield counters


def fits(counter: Counter, name: str) -> bool:
    """Whether a counter is of a type, as the files call it."""
    if (counter.id == "au_tyrol") != (name == "tyrol"):
        return False
    return counter.type in TYPES[name]


def _holds(state: State, counters: list[Counter], bag: Bag) -> bool:
    left = dict(bag)
    for held in spread(state, counters, bag):
        take(left, held)
    return not left


def spread(state: State, counters: list[Counter], bag: Bag) -> list[Bag]:
    """Factors over counters, as evenly as there is room; first to who holds nothing else."""
    held: list[Bag] = [{} for _ in counters]
    for kind in ("Gd", "A", "C", "M", "I"):
        for _ in range(bag.get(kind, 0)):
            able = [n for n, one in enumerate(counters) if room(maxima(state, one), held[n], kind)]
            if not able:
                break
            mounted = kind == "C"
            best = min(
                able,
                key=lambda n: (
                    mounted and counters[n].type != "cavalry",
                    held[n].get(kind, 0) if mounted else total(held[n]),
                    n,
                ),
            )
            add(held[best], {kind: 1})
    return held


# What the owner makes of it


def merged(state: State, power: str, answer: Answer) -> list[Order]:
    """The template with what the answer changes of it."""
    orders = template(state, power)
    given = [order for order in answer if not isinstance(order, Ready) and _owner(state, order) == power]
    for order in given:
        orders = [old for old in orders if _subject(old) != _subject(order)]
    return [*orders, *given]


def _subject(order: Order) -> tuple[str, ...]:
    if isinstance(order, Post):
        return ("post", order.corps)
    if isinstance(order, Man):
        return ("man", order.area, order.nation)
    if isinstance(order, Attach):
        return ("leader", order.leader)
    return (order.kind(),)


def _owner(state: State, order: Order) -> str:
    """The power that an order of the set-up is about."""
    if isinstance(order, (Post, Attach)):
        nation = COUNTERS[order.corps].nation if order.corps in COUNTERS else ""
    elif isinstance(order, Man):
        nation = order.nation
    else:
        nation = order.power if isinstance(order, BuildDepot) else ""
    for force in _file(state).force:
        if nation in (force.of, force.power):
            return force.power
    return nation


def problems(state: State, powers: list[str], answer: Answer) -> list[Problem]:
    """What is wrong with a set-up: each force must stand where it is listed, in its counters, with its leaders."""
    found: list[Problem] = []
    for number, order in enumerate(answer):
        if not isinstance(order, Ready) and _owner(state, order) not in powers:
            whose = getattr(order, "corps", "") or _owner(state, order)
            found.append(Problem("not_yours", "13.1.1", params={"corps": whose}, order=number))
    if found:
        return found
    for power in powers:
        orders = merged(state, power, answer)
        for problem, subject in _wrong(state, power, orders):
            number = next((n for n, order in enumerate(answer) if _subject(order) == subject), 0)
            own = [order for order in template(state, power) if _subject(order) == subject]
            found.append(Problem(problem[0], problem[1], params=problem[2], nearest=tuple(own), order=number))
    return found


Wrong = tuple[tuple[str, str, dict[str, str | int | tuple[str, ...]]], tuple[str, ...]]


def _wrong(state: State, power: str, orders: list[Order]) -> Iterator[Wrong]:
    posts = [order for order in orders if isinstance(order, Post)]
    for post in posts:
        counter = COUNTERS[post.corps]
        if not total(post.bag):
            yield (("corps_empty", "13.1.1.2", {"corps": post.corps}), _subject(post))
        elif overfull(maxima(state, counter), post.bag):
            yield (
                ("over_capacity", "2.4.2", {"corps": post.corps, "most": _most(state, counter)}),
                _subject(post),
            )
    for man in (order for order in orders if isinstance(order, Man)):
        where = city(man.area)
        if where is None:
            yield (("no_city", "7.3.3.4", {"area": man.area}), _subject(man))
        elif man.infantry + man.militia > where.room:
            yield (("city_full", "7.3.3.4", {"area": man.area, "room": where.room}), _subject(man))
    area = _misplaced(state, power, orders)
    if area:
        subject = next((_subject(order) for order in orders if getattr(order, "area", "") == area), ("post",))
        yield (("not_as_listed", "13.1.1", {"area": area, "listed": _listed(state, power, area)}), subject)
    for attach in (order for order in orders if isinstance(order, Attach)):
        rows = [row for row in forces(state, power) if attach.leader in row.leaders]
        at = next((post.area for post in posts if post.corps == attach.corps), "")
        if not rows or at not in rows[0].at.areas():
            yield (("leader_elsewhere", "13.1.1", {"leader": attach.leader}), _subject(attach))
    yield from _wrong_depots(state, power, orders)


def _most(state: State, counter: Counter) -> str:
    from pbem.games.eia.events import said

    names = {"im": "I", "i": "I", "m": "M", "c": "C", "gd": "Gd", "a": "A", "fi": "FI", "fc": "FC"}
    return said({names[name]: number for name, number in maxima(state, counter).items()})


def _listed(state: State, power: str, area: str) -> str:
    from pbem.games.eia.events import said

    bags = [_bag(state, row) for row in forces(state, power) if area in row.at.areas()]
    return said(summed(bags))


def _misplaced(state: State, power: str, orders: list[Order]) -> str:
    """13.1.1.1: an area at which something else stands than is listed; empty where all is well.

    Rows whose place is chosen are tried at each place that they may have.
    """
    rows = forces(state, power)
    have: dict[tuple[str, str], Bag] = {}
    corps: dict[tuple[str, str], list[Counter]] = {}
    for order in orders:
        if isinstance(order, Post):
            counter = COUNTERS[order.corps]
            add(have.setdefault((order.area, counter.nation), {}), order.bag)
            corps.setdefault((order.area, counter.nation), []).append(counter)
        elif isinstance(order, Man):
            bag = {"I": order.infantry, "M": order.militia}
            add(have.setdefault((order.area, order.nation), {}), bag)
    wrong: list[str] = []
    for areas in product(*(row.at.areas() for row in rows)):
        wrong = _differing(state, list(zip(rows, areas, strict=True)), have, corps)
        if not wrong:
            return ""
    return wrong[0]


def _differing(
    state: State,
    rows: list[tuple[Force, str]],
    have: dict[tuple[str, str], Bag],
    corps: dict[tuple[str, str], list[Counter]],
) -> list[str]:
    wanted: dict[tuple[str, str], Bag] = {}
    allowed: dict[tuple[str, str], dict[str, int]] = {}
    for row, area in rows:
        bag = _bag(state, row)
        add(wanted.setdefault((area, row.of), {}), bag)
        add(allowed.setdefault((area, row.of), {}), row.corps)
    wrong = [place[0] for place in {**wanted, **have} if wanted.get(place, {}) != have.get(place, {})]
    for place, counters in corps.items():
        for name, number in _types(counters).items():
            if number > allowed.get(place, {}).get(name, 0):
                wrong.append(place[0])
    return sorted(wrong)


def _types(counters: list[Counter]) -> dict[str, int]:
    found: dict[str, int] = {}
    for counter in counters:
        name = next(name for name in TYPES if fits(counter, name))
        found[name] = found.get(name, 0) + 1
    return found


def _wrong_depots(state: State, power: str, orders: list[Order]) -> Iterator[Wrong]:
    rows = [row for row in _file(state).depot if row.power == power]
    fixed = [area for row in rows for area in row.at.each]
    count = sum(row.count for row in rows)
    for order in orders:
        if not isinstance(order, BuildDepot):
            continue
        areas = list(order.areas)
        missing = [area for area in fixed if area not in areas]
        if missing:
            yield (("depot_listed", "13.1.1", {"area": missing[0]}), _subject(order))
        elif len(set(areas)) != count:
            yield (("depot_number", "13.1.1", {"number": count}), _subject(order))
        for area in areas:
            if area not in fixed and not (state.controls(power, area) and AREAS[area].city):
                yield (("depot_not_here", "7.2.1", {"area": area}), _subject(order))


# Onto the map


def put(state: State, power: str, orders: Iterable[Order]) -> None:
    """Set a power up; what stood of it before is taken off."""
    _clear(state, power)
    for order in orders:
        if isinstance(order, Post):
            bag = {kind: number for kind, number in order.bag.items() if number}
            state.corps[order.corps] = Corps(order.corps, power, order.area, bag)
            if order.corps in state.available[power]:
                state.available[power].remove(order.corps)
        elif isinstance(order, Man):
            bag = dict(zip(GARRISON, (order.infantry, order.militia), strict=True))
            state.garrison(order.area, power, order.nation, bag)
        elif isinstance(order, Attach):
            leader = state.leaders[order.leader]
            leader.where, leader.corps = MAP, order.corps
        elif isinstance(order, BuildDepot):
            state.depots += [Depot(area, power) for area in order.areas]
    for row in forces(state, power):
        for kind in LIGHT:
            for _ in range(row.factors.get(kind, 0)):
                horse(state, power, kind, _place_of(state, row))


def _place_of(state: State, row: Force) -> str:
    areas = row.at.areas()
    corps = [one.area for one in state.of(row.power) if one.area in areas]
    return corps[0] if corps else areas[0]


def horse(state: State, power: str, kind: str, area: str) -> Horse:
    """10.1.2.1: a counter of cossacks or freikorps comes onto the map."""
    number = 1
    while f"{kind.lower()}_{power}_{number}" in state.horse:
        number += 1
    made = Horse(f"{kind.lower()}_{power}_{number}", power, kind, area)
    state.horse[made.id] = made
    return made


def _clear(state: State, power: str) -> None:
    for corps in state.of(power):
        del state.corps[corps.id]
        if not corps.counter.full:
            state.available[power].append(corps.id)
    state.garrisons = [found for found in state.garrisons if found.power != power]
    state.horse = {id: found for id, found in state.horse.items() if found.power != power}
    state.depots = [depot for depot in state.depots if depot.power != power]
    for leader in state.leaders.values():
        if leader.power == power:
            state.leaders[leader.id] = Leader(leader.id, leader.power, LATER)
