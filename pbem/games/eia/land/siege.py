"""7.5.4: sieges: how they begin, attempts on the walls, sorties, honours, surrender, assault, sally, and the end."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from pbem.games.eia import board, charts
from pbem.games.eia.battle_events import (
    CityFalls,
    CityHolds,
    HonoursRefused,
    SiegeResumes,
    SiegeTried,
    SortieMade,
)
from pbem.games.eia.battle_questions import SiegeMatter
from pbem.games.eia.board import FAR, POWERS
from pbem.games.eia.desk import Desk
from pbem.games.eia.events import SiegeBegun, SiegeLifted
from pbem.games.eia.land import battle, losses, muster, retreat, sheets
from pbem.games.eia.land.sides import Side
from pbem.games.eia.state import Arrow, Corps, Garrison, Horse, Siege, State

SUPPOSED = 10
"""The factors that an unseen corps is taken for."""
POINTS = int(charts.raw()["siege"]["pp_assault_winner"])


def may_begin(state: State, area: str, powers: Sequence[str]) -> bool:
    """7.5.4, 7.3.7.1: enemies only in the city, own corps before it, none of them fed by unused movement."""
    corps = state.at(area, powers)
    if area in state.sieges or not corps or board.city(area) is None:
        return False
    if any(one.march is not None and one.march.freed for one in corps):
        return False
    outside: list[Corps | Horse] = [*state.at(area), *state.horse_at(area)]
    if any(state.at_war(power, thing.power) for power in powers for thing in outside):
        return False
    return any(state.at_war(power, thing.power) for power in powers for thing in state.inside(area))


def begin(desk: Desk, area: str, powers: Sequence[str]) -> bool:
    """7.5.4: the city is besieged by all corps of those powers that stand before it; whether it could be."""
    state = desk.state
    if not may_begin(state, area, powers):
        return False
    besiegers = sorted({corps.power for corps in state.at(area, powers)})
    state.sieges[area] = Siege(area, besiegers, state.month)
    desk.tell(SiegeBegun(area=area, by=besiegers[0], rule="7.5.4"))
    return True


def lapse(desk: Desk) -> None:
    """7.5.4, 7.5.5: empty counters leave the map, and a siege ends where no besieger is left, or nobody to besiege."""
    before = list(desk.state.sieges)
    desk.state.tidy()
    for area in before:
        if area not in desk.state.sieges:
            desk.tell(SiegeLifted(area=area, rule="7.5.4"))


def besiegers(state: State, area: str, role: charts.Role) -> Side:
    """7.3.7.1: the besiegers: all corps before the city, and the light horse with them; depot garrisons never."""
    powers = state.sieges[area].by
    return muster.side(state, role, area, state.at(area, powers), state.horse_at(area, powers))


def _matter(desk: Desk, area: str, matter: str, seat: str, besieging: Side, garrison: Side) -> SiegeMatter:
    hidden = matter not in ("storm", "grant")
    return SiegeMatter(
        key=desk.label("ask", area, matter),
        seat=seat,
        rule="7.5.4",
        area=area,
        matter=matter,
        besiegers=len(besieging.corps) if hidden else besieging.total,
        garrison=garrison.total if hidden else _seen(garrison, area),
        odds=_odds(garrison.total, besieging) if hidden else 100 * besieging.total // _seen(garrison, area),
    )


def _seen(garrison: Side, area: str) -> int:
    """2.4.2: what a besieger supposes: garrisons are seen, a corps inside is taken for ten factors, all for what the
    city holds at most."""
    place = board.city(area)
    supposed = sum(SUPPOSED if body.corps else body.size for body in garrison.bodies)
    return max(1, min(supposed, place.room if place else supposed))


def _odds(own: int, besieging: Side) -> int:
    """What the besieged suppose: a hundred times their factors over the besieger's corps, of ten factors each."""
    return 100 * own // max(1, SUPPOSED * len(besieging.corps))


async def _agrees(desk: Desk, area: str, matter: str, seat: str, besieging: Side, garrison: Side) -> bool:
    question = _matter(desk, area, matter, seat, besieging, garrison)
    return question.said(await desk.ask(question))


async def attempt(desk: Desk, area: str, powers: Sequence[str]) -> None:
    """7.5.4.1.1a: the besieger tries the walls once, if he wants to, and what follows."""
    state = desk.state
    siege = state.sieges[area]
    attack, defence = besiegers(state, area, "attacker"), muster.city(state, "defender", area)
    if not attack.bodies or not defence.bodies or siege.tried == state.month:
        return
    seat = state.seat_of(attack.powers()[0])
    if not await _agrees(desk, area, "storm", seat, attack, defence):
        return
    siege.tried = state.month
    place = board.city(area)
    assert place is not None
    small = charts.small_garrison(defence.total, place.room)
    label, dice = desk.roll("siege", area, rule="7.5.4.1.1")
    result = charts.siege_result(dice[0], place.fortress, small=small)
    desk.tell(
        SiegeTried(
            area=area,
            power=attack.powers()[0],
            die=dice[0],
            total=charts.siege_modified(dice[0], place.fortress, small=small),
            result=result,
            modifiers=charts.siege_reasons(place.fortress, small=small),
            mark=charts.charts().status["siege"],
            draws=(label,),
            rule="7.5.4.1",
        )
    )
    if result == "sortie":
        await _sortie(desk, area, attack, defence)
    elif result == "breach":
        await _breach(desk, area, attack, defence)
    state.tidy()


async def _sortie(desk: Desk, area: str, attack: Side, defence: Side) -> None:
    """7.5.4.2.1: a factor of one or the other falls."""
    owner = defence.powers()[0]
    if not await _agrees(desk, area, "sortie", desk.state.seat_of(owner), attack, defence):
        return
    label, dice = desk.roll("siege", area, "sortie", rule="7.5.4.2.1")
    own = dice[0] in charts.raw()["siege"]["sortie_defender_loses_on"]
    loser = defence if own else attack
    victim = loser.powers()[0]
    lost = losses.lose(loser, 1, free=True, by_nation=False)
    muster.settle(desk.state, loser, area, "sortie")
    made = SortieMade(
        area=area,
        power=owner,
        die=dice[0],
        loser=victim,
        lost=muster.said(lost),
        draws=(label,),
        rule="7.5.4.2.1",
    )
    # 2.4.2: that a factor fell is seen, of which kind is its owner's business.
    desk.tell_of(victim, made, msgspec.structs.replace(made, lost=""))
    if not defence.total:
        fall(desk, area, attack, "sortie")


async def _breach(desk: Desk, area: str, attack: Side, defence: Side) -> None:
    """7.5.4.1.2.3, 7.5.4.1.2.4.2, 7.5.4.1.2.4.3: honours, surrender, or the assault."""
    state = desk.state
    owner, besieger = defence.powers()[0], attack.powers()[0]
    seats = state.seat_of(owner), state.seat_of(besieger)
    if may_have_honours(state, area) and await _agrees(desk, area, "ask", seats[0], attack, defence):
        if await _agrees(desk, area, "grant", seats[1], attack, defence):
            march_out(desk, area, attack, defence)
            return
        desk.tell(HonoursRefused(area=area, power=besieger, rule="7.5.4.1.2.3.1"))
    if await _agrees(desk, area, "yield", seats[0], attack, defence):
        fall(desk, area, attack, "surrender")
        return
    await _assault(desk, area, attack, defence)


def may_have_honours(state: State, area: str) -> bool:
    """7.5.4.1.2.3.1: not Turks, Spaniards or their minors; nor where somebody could go nowhere."""
    things = state.inside(area)
    return all(POWERS[thing.power].honours_of_war for thing in things) and _refuges(state, area) is not None


Refuge = tuple[Corps | Garrison | Horse, str]


def _refuges(state: State, area: str) -> list[Refuge] | None:
    """7.5.4.1.2.3.1: for each force the nearest friendly unbesieged city with room; None where one has none."""
    far = board.land_distances(area)
    room: dict[str, int] = {}
    found: list[Refuge] = []
    things = sorted(state.inside(area), key=lambda thing: -_size(thing))
    for thing in things:
        nation = thing.nation if not isinstance(thing, Horse) else thing.power
        goal = _refuge(state, area, thing.power, nation, _size(thing), far, room)
        if goal is None:
            return None
        room[goal] -= _size(thing)
        found.append((thing, goal))
    return found


def _size(thing: Corps | Garrison | Horse) -> int:
    return 1 if isinstance(thing, Horse) else thing.size


def _refuge(
    state: State, area: str, power: str, nation: str, size: int, far: dict[str, int], room: dict[str, int]
) -> str | None:
    abroad = muster.minor(nation) and not state.on("12.3.8")
    best: tuple[int, str] | None = None
    for other, place in board.AREAS.items():
        if place.city is None or other == area or other in state.sieges or far.get(other, FAR) >= FAR:
            continue
        if best is not None and (far[other], other) >= best:
            continue
        if not state.plays(other) or not state.allied(power, state.city_holder(other)):
            continue
        if state.enemy_city(other, power) or state.field_enemies(other, power):
            continue
        if abroad and not state.home(nation, other):
            continue
        room.setdefault(other, place.city.room - state.in_city(other))
        if room[other] >= size:
            best = (far[other], other)
    return best[1] if best else None


def march_out(desk: Desk, area: str, attack: Side, defence: Side) -> None:
    """7.5.4.1.2.3.1: the garrison leaves with the honours of war."""
    state = desk.state
    owner, goals = defence.powers()[0], []
    for thing, goal in _refuges(state, area) or ():
        goals.append(goal)
        if isinstance(thing, Garrison):
            left, thing.factors = dict(thing.factors), {}
            state.garrison(goal, thing.power, thing.nation, left)
        else:
            thing.area, thing.inside = goal, True
    for leader in state.leaders.values():
        if leader.area == area:
            leader.area, leader.where, leader.since = "", "off", state.month
    state.tidy()
    state.sieges.pop(area, None)
    told = CityFalls(
        area=area,
        power=owner,
        winner=attack.powers()[0],
        how="honours",
        factors=defence.total,
        to=tuple(dict.fromkeys(goals)),
        rule="7.5.4.1.2.3.1",
    )
    # 2.4.2: corps march out with their contents unseen.
    desk.tell_of(owner, told, told if not defence.corps else msgspec.structs.replace(told, factors=0))


def fall(desk: Desk, area: str, attack: Side, how: str, points: tuple[tuple[str, int], ...] = ()) -> None:
    """7.5.4.1.2, 7.5.4.1.4, 7.4.5: the city is lost: who is left in it is taken, leaders too; the siege is over."""
    state = desk.state
    captor = attack.powers()[0]
    defence = muster.city(state, "defender", area)
    owner = defence.powers()[0] if defence.bodies else state.city_holder(area)
    factors = defence.total
    leaders = [leader.id for leader in state.leaders_at(area) if leader.area == area]
    leaders += [chief.id for chief in defence.chiefs if chief.id not in leaders]
    taken = muster.take_leaders(state, leaders, captor)
    muster.surrender(state, defence, area, how, captor)
    state.tidy()
    state.sieges.pop(area, None)
    desk.tell(
        CityFalls(
            area=area,
            power=owner,
            winner=captor,
            how=how,
            factors=factors,
            points=points,
            captured=tuple(taken),
            rule="7.5.4.1",
        )
    )


async def _assault(desk: Desk, area: str, attack: Side, defence: Side) -> None:
    """7.5.4.1.3, 7.5.4.1.3.4, 7.5.4.1.3.5, 7.5.4.1.4: the storm.

    A point for the winner where the city is a fortress or holds a corps.
    """
    state = desk.state
    place = board.city(area)
    worth = bool(defence.corps) or (place is not None and place.fortress > 0)
    winner = await battle.one_day(desk, area, attack, defence, sheets.ASSAULT)
    side = attack if winner is attack else defence
    power = side.powers()[0] if side.bodies else ""
    points = ((power, POINTS),) if worth and power in state.powers else ()
    for gainer, number in points:
        state.powers[gainer].pp += number
    state.arrows.append(Arrow("battle", attack.powers()[0], (area,), won=power))
    if winner is attack:
        fall(desk, area, attack, "storm", points)
    else:
        state.tidy()
        desk.tell(CityHolds(area=area, power=power, points=points, rule="7.5.4.1.4"))


async def sally(desk: Desk, area: str, powers: Sequence[str]) -> None:
    """7.5.4.2b, 7.5.4.2.1.4, 7.5.4.2.1.5: in its own slot a besieged garrison attacks the besiegers, if it wants to."""
    state = desk.state
    attack, defence = muster.city(state, "attacker", area), besiegers(state, area, "defender")
    if not attack.bodies or not defence.bodies or attack.powers()[0] not in powers:
        return
    if not await _agrees(desk, area, "sally", state.seat_of(attack.powers()[0]), defence, attack):
        return
    winner = await battle.one_day(desk, area, attack, defence, sheets.SALLY)
    state.arrows.append(
        Arrow("battle", attack.powers()[0], (area,), won=winner.powers()[0] if winner else "")
    )
    if winner is attack:
        if defence.total:
            retreat.go(desk, area, defence.bodies, (), enemies=attack.powers(), captor=attack.powers()[0])
    elif not attack.total:
        fall(desk, area, defence, "sally")
    else:
        desk.tell(SiegeResumes(area=area, power=defence.powers()[0], rule="7.5.4.2"))
    state.tidy()
