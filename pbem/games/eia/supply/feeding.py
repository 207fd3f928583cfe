"""7.4: forage and pay: dice corps by corps, depots at a price, the besieged on what their city holds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from pbem.games.eia.board import AREAS, city, winter_zone
from pbem.games.eia.desk import Desk
from pbem.games.eia.events import BesiegedForaged, CorpsGone, Foraged, ForecastSupply, SupplyPaid, said
from pbem.games.eia.factors import picked, summed, take, total
from pbem.games.eia.state import CAPTURED, MAP, OFF, Corps, Garrison, Horse, March, State
from pbem.games.eia.supply.chains import Lines
from pbem.kernel.event import Modifier
from pbem.kernel.losses import by_priority

HUNGER = ("M", "I", "A", "FI", "C", "FC", "Gd")
"""7.4.1.3: which factors are lost first, where their owner has not said."""
DEPOT_FEEDS = 4
"""12.3.1."""


class Intents(msgspec.Struct):
    """What a side's letters say about supply and sieges in this month."""

    forage: set[str] = set()
    forage_all: bool = False
    pay: list[str] = []
    pay_all: bool = False
    most: dict[str, int] = {}
    """By power, the most that it spends, in halves."""
    lends: list[tuple[str, str, int]] = []
    """7.4.2.2: who lets whom use his depots, and the most that he spends on it, in halves."""
    besiege: set[str] = set()
    lift: set[str] = set()
    first: list[str] = []
    hunger: dict[str, tuple[str, ...]] = {}
    """By seat."""

    def forages(self, corps: str) -> bool:
        """Whether a corps is to live off the land, though a depot could feed it."""
        return corps in self.forage or (self.forage_all and corps not in self.pay)


def value(state: State, corps: Corps) -> int:
    """7.4.1.1, 7.4.5.2: the lowest forage value of the areas entered; of the area where it stayed, city or field."""
    entered = corps.march.entered if corps.march else []
    return min(AREAS[area].forage for area in entered or [corps.area])


def modifiers(state: State, corps: Corps, intents: Intents) -> list[Modifier]:
    """7.4.1.2.1, 7.4.1.2.2, 7.4.1.2.3, 7.4.1.2.4, 7.4.1.2.5, 7.4.5.3: what is added to the die."""
    march = corps.march or March(corps.area)
    others = sum(
        other.id != corps.id and state.free(other) and not (other.inside and other.area in intents.besiege)
        for other in state.at(corps.area, inside=None)
    )
    found = [Modifier("other_corps", min(2, others), "7.4.1.2.1")]
    siege = state.sieges.get(corps.area)
    besieges = corps.area in intents.besiege or (
        siege is not None and any(state.allied(corps.power, power) for power in siege.by)
    )
    unused = corps.move - march.spent
    if unused > 0 and not besieges:
        found.append(Modifier("unused_points", -unused, "7.4.1.2.2"))
    if march.forced:
        found.append(Modifier("forced_march", 1, "7.4.1.2.3"))
    if state.winter and winter_zone(corps.area):
        found.append(Modifier("winter", 2, "7.4.1.2.4"))
    nation = corps.nation
    if all(state.home(nation, area) for area in (*march.entered, corps.area)):
        found.append(Modifier("home", -1, "7.4.1.2.5"))
    return [modifier for modifier in found if modifier.value]


def forage(desk: Desk, corps: Corps, intents: Intents) -> None:
    """7.4.1: the die of a corps at the end of its move, and what it loses."""
    state = desk.state
    march = corps.march = corps.march or March(corps.area)
    march.done = march.foraged = True
    changes = modifiers(state, corps, intents)
    march.freed = -sum(m.value for m in changes if m.name == "unused_points")
    least = value(state, corps)
    if desk.dry:
        desk.note(_forecast(corps, least, sum(m.value for m in changes)))
        return
    label, (die,) = desk.roll(
        "forage", corps.power, corps.area, rule="7.4.1.1", seat=state.seat_of(corps.power)
    )
    score = die + sum(m.value for m in changes)
    pool = summed((corps.factors, march.detached))
    lost = min(max(0, score - least), total(pool))
    order = intents.hunger.get(state.seat_of(corps.power), HUNGER)
    gone = hungry(desk, corps, lost, order)
    event = Foraged(
        power=corps.power,
        area=corps.area,
        die=die,
        value=least,
        total=score,
        lost=lost,
        corps=corps.id,
        factors=said(gone),
        rule="7.4.1.1",
        draws=(label,),
        modifiers=tuple(changes),
    )
    desk.tell_of(corps.power, event, msgspec.structs.replace(event, corps="", factors=""))
    if not corps.size:
        vanish(desk, corps)


def hungry(desk: Desk, corps: Corps, number: int, order: Sequence[str]) -> dict[str, int]:
    """7.4.1.3.1: so many factors of those that were in a corps during its move: of those still in it first.

    The counter goes only when all are lost: the last survivor is in it.
    """
    state = desk.state
    gone: dict[str, int] = {}
    keep = 1 if corps.march and total(corps.march.detached) else 0
    some = picked(corps.factors, min(number, corps.size - keep), (*order, *HUNGER))
    state.lose(corps, some, "forage", combat=False)
    gone = some
    rest = number - total(some)
    if rest > 0 and corps.march is not None:
        for area in dict.fromkeys([corps.area, *reversed(corps.march.entered), corps.march.start]):
            for garrison in [*state.garrisons_at(area), *state.garrisons_at(area, depot=True)]:
                if rest <= 0 or (garrison.power, garrison.nation) != (corps.power, corps.nation):
                    continue
                left = by_priority(corps.march.detached, rest, order)
                left = {kind: min(n, garrison.factors.get(kind, 0)) for kind, n in left.items()}
                left = {kind: n for kind, n in left.items() if n}
                take(corps.march.detached, left)
                state.lose(garrison, left, "forage", combat=False)
                gone = summed((gone, left))
                rest -= total(left)
        state.garrisons = [found for found in state.garrisons if found.size]
    if rest > 0:
        last = picked(corps.factors, rest, order)
        state.lose(corps, last, "forage", combat=False)
        gone = summed((gone, last))
    return gone


def vanish(desk: Desk, corps: Corps) -> None:
    """7.4.1.3.3, 7.5.5: a corps without factors leaves the map; leaders without a corps come back later."""
    state = desk.state
    state.remove(corps.id)
    gone = CorpsGone(power=corps.power, corps=corps.id, area=corps.area, rule="7.4.1.3.2")
    desk.tell_of(corps.power, gone, msgspec.structs.replace(gone, corps=""))


def _forecast(corps: Corps, least: int, modifier: int) -> ForecastSupply:
    losses = [max(0, die + modifier - least) for die in range(1, 7)]
    return ForecastSupply(
        corps=corps.id,
        area=corps.area,
        how="forage",
        value=least,
        modifier=modifier,
        mean=round(sum(losses) / 6, 2),
        worst=max(losses),
        rule="7.4.1",
    )


def _lender_feeds(state: State, corps: Corps, intents: Intents) -> bool:
    lenders = [lender for lender, borrower, _ in intents.lends if borrower == corps.power]
    return any(Lines(state, lender).price(corps.area) is not None for lender in lenders)


def must_forage(state: State, corps: Corps, intents: Intents) -> bool:
    """7.4.1: whether a corps lives off the land as soon as its move ends: ordered, forced, or no depot near."""
    march = corps.march
    if march is not None and march.plundered == corps.area and not march.forced:
        return False
    if (march is not None and march.forced) or intents.forages(corps.id):
        return True
    return Lines(state, corps.power).price(corps.area) is None and not _lender_feeds(state, corps, intents)


def pay(desk: Desk, powers: Iterable[str], intents: Intents) -> None:
    """7.4.2: after all movement: corps that have not foraged are fed, the first in the list first; others forage."""
    for power in powers:
        _pay(desk, power, intents)


def _pay(desk: Desk, power: str, intents: Intents) -> None:
    state = desk.state
    lines = Lines(state, power)
    hungry_ones = [
        corps for corps in state.of(power) if state.free(corps) and not (corps.march and corps.march.foraged)
    ]
    place = {id: n for n, id in enumerate(intents.pay)}
    hungry_ones.sort(key=lambda corps: place.get(corps.id, len(place)))
    purse = state.powers[power].money
    purse = min(purse, intents.most.get(power, purse))
    fed: list[str] = []
    users: dict[str, int] = {}
    spent = 0
    starving: list[Corps] = []
    for corps in hungry_ones:
        if corps.march and corps.march.plundered == corps.area:
            fed.append(corps.id)
            continue
        found = _depot_for(state, lines, corps, users)
        if found is None or even(spent + found[0]) > purse:
            starving.append(corps)
            continue
        users[found[1]] = users.get(found[1], 0) + 1
        spent += found[0]
        fed.append(corps.id)
        desk.note(
            ForecastSupply(
                corps=corps.id,
                area=corps.area,
                how="depot",
                depot=found[1],
                price=found[0] / 2,
                rule="7.4.2.1",
            )
        )
    if spent:
        state.pay(power, -even(spent), "supply")
    left = state.powers[power].money / 2
    if fed:
        event = SupplyPaid(power=power, points=even(spent) / 2, corps=tuple(fed), left=left, rule="7.4.2.1")
        desk.tell(event, to=(state.seat_of(power),))
    for corps in _lent(desk, power, starving, users, intents):
        forage(desk, corps, intents)


def _lent(
    desk: Desk, power: str, starving: list[Corps], users: dict[str, int], intents: Intents
) -> list[Corps]:
    """7.4.2.2: who is fed by an ally's depots, as far as he allows and pays; returns who is not."""
    state = desk.state
    for lender, borrower, most in intents.lends:
        if borrower != power:
            continue
        lines = Lines(state, lender)
        purse = min(most, state.powers[lender].money)
        spent = 0
        fed: list[str] = []
        for corps in list(starving):
            found = _depot_for(state, lines, corps, users)
            if found is None or even(spent + found[0]) > purse:
                continue
            users[found[1]] = users.get(found[1], 0) + 1
            spent += found[0]
            fed.append(corps.id)
            starving.remove(corps)
        if spent:
            state.pay(lender, -even(spent), "lent")
            event = SupplyPaid(
                power=lender,
                points=even(spent) / 2,
                corps=tuple(fed),
                left=state.powers[lender].money / 2,
                rule="7.4.2.2",
            )
            desk.tell(event, to=sorted({state.seat_of(lender), state.seat_of(power)}))
    return starving


def even(halves: int) -> int:
    """7.4.2.1: the sum of a power is rounded up to a whole point."""
    return halves + halves % 2


def _depot_for(state: State, lines: Lines, corps: Corps, users: dict[str, int]) -> tuple[int, str] | None:
    """7.4.2.1, 12.3.1: the nearest depot that still feeds, and its price in halves."""
    if not state.on("12.3.1"):
        return lines.price(corps.area)
    near = lines.near(corps.area)
    for distance, depot in sorted((near[depot], depot) for depot in lines.far if depot in near):
        if users.get(depot, 0) < DEPOT_FEEDS:
            winter = 2 if state.winter and winter_zone(corps.area) else 1
            return (1 if distance == 0 else 2 * distance) * winter, depot
    return None


def besieged(desk: Desk, powers: Sequence[str], intents: Intents) -> None:
    """7.4.5, 7.4.5.1: in the supply step of its own slot each besieged garrison lives on what the city holds."""
    state = desk.state
    for area in sorted(state.sieges):
        inside = [thing for thing in state.inside(area) if thing.power in powers]
        bodies = [thing for thing in inside if isinstance(thing, (Corps, Garrison))]
        horses = [thing for thing in inside if isinstance(thing, Horse)]
        count = sum(body.size for body in bodies) + len(horses)
        where = city(area)
        if not count or where is None or desk.dry:
            continue
        power = bodies[0].power if bodies else horses[0].power
        extra = min(2, count // 5)
        label, (die,) = desk.roll("siege-forage", area, rule="7.4.5", seat=state.seat_of(power))
        lost = min(max(0, die + extra - where.spires), count)
        order = intents.hunger.get(state.seat_of(power), HUNGER)
        gone = _starve(state, bodies, lost, order)
        for horse in horses[: max(0, lost - total(gone))]:
            if horse.id in state.horse:
                del state.horse[horse.id]
                state.lost(horse.power, horse.power, {"C": 1}, "siege_forage", combat=False, area=area)
        event = BesiegedForaged(
            area=area,
            power=power,
            die=die,
            value=where.spires,
            total=die + extra,
            lost=lost,
            factors=said(gone),
            rule="7.4.5",
            draws=(label,),
            modifiers=(Modifier("besieged_factors", extra, "7.4.5.1"),) if extra else (),
        )
        desk.tell_of(power, event, msgspec.structs.replace(event, factors=""))
        if lost >= count:
            _captured(state, area, powers)
        for corps in [one for one in bodies if isinstance(one, Corps) and not one.size]:
            if corps.id in state.corps:
                vanish(desk, corps)
        state.tidy()


def _starve(
    state: State, bodies: Sequence[Corps | Garrison], number: int, order: Sequence[str]
) -> dict[str, int]:
    """So many factors of the besieged, by their owner's list; of garrisons before corps."""
    gone: dict[str, int] = {}
    for kind in dict.fromkeys((*order, *HUNGER)):
        for body in sorted(bodies, key=lambda body: isinstance(body, Corps)):
            some = min(number - total(gone), body.factors.get(kind, 0))
            if some > 0:
                state.lose(body, {kind: some}, "siege_forage", combat=False)
                gone[kind] = gone.get(kind, 0) + some
    return gone


def _captured(state: State, area: str, powers: Sequence[str]) -> None:
    """7.4.5, 10.6.3: all lost: leaders are captured by a besieger."""
    captor = state.sieges[area].by[0] if area in state.sieges else ""
    for leader in state.leaders.values():
        inside = leader.area == area or (
            leader.corps in state.corps
            and state.corps[leader.corps].area == area
            and state.corps[leader.corps].inside
        )
        if leader.where == MAP and leader.power in powers and inside:
            leader.where, leader.captor = (CAPTURED if captor else OFF), captor
            leader.corps = leader.area = ""
