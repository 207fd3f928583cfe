"""7.5.1: the combats of a slot: who must attack whom, who retires behind walls or rides away, field combats, sieges."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from pbem.games.eia import board
from pbem.games.eia.battle_events import HorseRode, SiegeResumes, TakenShelter
from pbem.games.eia.battle_questions import RideAway, SiegeMatter, TakeShelter
from pbem.games.eia.desk import Desk
from pbem.games.eia.events import SiegeLifted
from pbem.games.eia.land import battle, day, muster, retreat, sheets, siege
from pbem.games.eia.land.sides import LIGHT_HORSE, Body, Side
from pbem.games.eia.reactions import take_depot
from pbem.games.eia.state import Corps, Horse, State


def contested(state: State, powers: Sequence[str]) -> list[str]:
    """7.5.1, 10.1.2.2.2: the areas in which corps or light horse of some powers stand with enemies in the field."""
    movers: list[Corps | Horse] = [
        corps for corps in state.corps.values() if corps.power in powers and not corps.inside
    ]
    movers += [horse for horse in state.horse.values() if horse.power in powers and not horse.inside]
    return [area for area in sorted({mover.area for mover in movers}) if opponents(state, area, powers)]


def opponents(state: State, area: str, powers: Sequence[str]) -> list[str]:
    """The powers at war with some others that have forces in the field of an area."""
    there = {
        *(corps.power for corps in state.at(area)),
        *(horse.power for horse in state.horse_at(area)),
        *(found.power for found in state.garrisons_at(area, depot=True)),
    }
    return sorted(other for other in there if any(state.at_war(power, other) for power in powers))


async def land_combat(
    desk: Desk,
    powers: Sequence[str],
    first: Iterable[str] = (),
    after: Callable[[str], None] = lambda area: None,
) -> None:
    """7.5, 7.5.1.1.2, 7.5.1.3: all combats of a slot: in the field in the attacker's order, then sallies and sieges.

    `after` is called for each area in which the attacker still stands after its combat (7.5.1.3, 7.5.2.14).
    """
    state = desk.state
    order = list(dict.fromkeys(first))
    siege.lapse(desk)

    def rank(area: str) -> tuple[int, str]:
        return (order.index(area) if area in order else len(order), area)

    done: set[str] = set()
    while True:
        todo = [area for area in contested(state, powers) if area not in done]
        if not todo:
            break
        area = min(todo, key=rank)
        done.add(area)
        await field_combat(desk, area, powers)
        siege.lapse(desk)
        _depots_left(desk, area)
        if state.at(area, powers) or state.horse_at(area, powers):
            after(area)
            siege.begin(desk, area, powers)
    for area in sorted(state.sieges, key=rank):
        fought = area in done
        if area in state.sieges and not fought and any(one.power in powers for one in state.inside(area)):
            await siege.sally(desk, area, powers)
    for area in sorted(state.sieges, key=rank):
        if area in state.sieges and any(power in powers for power in state.sieges[area].by):
            await siege.attempt(desk, area, powers)
            if area not in state.sieges:
                after(area)
    siege.lapse(desk)


def _depots_left(desk: Desk, area: str) -> None:
    """7.5.2.14: a depot where only enemies of its owner are left is destroyed, or taken where it is of use."""
    state = desk.state
    for depot in [depot for depot in state.depots if depot.area == area]:
        there: list[Corps | Horse] = [*state.at(area), *state.horse_at(area)]
        garrisoned = any(found.power == depot.power for found in state.garrisons_at(area, depot=True))
        foes = [thing for thing in there if state.at_war(thing.power, depot.power)]
        if foes and len(foes) == len(there) and not garrisoned and not depot.inside:
            take_depot(desk, foes[0], depot)


async def field_combat(desk: Desk, area: str, powers: Sequence[str]) -> None:
    """7.5.1, 7.5.1.1.3: one area: light horse may ride away, defenders retire into the city, the others fight."""
    state = desk.state
    enemies = opponents(state, area, powers)
    relief = area in state.sieges and any(power in enemies for power in state.sieges[area].by)
    if not relief:
        await _ride_away(desk, area, powers, enemies)
        await _take_shelter(desk, area, powers, enemies)
    attack = muster.field(state, "attacker", area, powers)
    defence = muster.field(state, "defender", area, enemies)
    if not attack.bodies or not defence.bodies:
        return
    if relief:
        await _relieve(desk, area, attack, defence)
        return
    await battle.combat(desk, area, attack, defence)


async def _ride_away(desk: Desk, area: str, powers: Sequence[str], enemies: Sequence[str]) -> None:
    """10.1.2.2.3: light horse that is alone may go before the combat; before cavalry only on a die of 4 or less."""
    state = desk.state
    attack = muster.field(state, "attacker", area, powers)
    defence = muster.field(state, "defender", area, enemies)
    if not defence.bodies or any(body.kind not in LIGHT_HORSE for body in defence.bodies):
        return
    if all(body.kind in LIGHT_HORSE for body in attack.bodies):
        return
    ways = tuple(
        other
        for other in board.by_land(area)
        if state.plays(other) and not _enemies_in(state, other, defence.powers())
    )
    if not ways:
        return
    power = defence.powers()[0]
    question = RideAway(
        key=desk.label("ask", area, "ride"),
        seat=state.seat_of(power),
        rule="10.1.2.2.3",
        area=area,
        ways=ways,
    )
    answer = await desk.ask(question)
    goal = question.goal(answer)
    if not goal:
        return
    draws: tuple[str, ...] = ()
    die = 0
    if attack.cavalry:
        label, dice = desk.roll(area, "ride", rule="10.1.2.2.3")
        draws, die = (label,), dice[0]
    away = die <= day.CAUGHT_ABOVE
    if away:
        for body in defence.bodies:
            state.horse[body.id].area = goal
    desk.tell(
        HorseRode(
            area=area,
            power=power,
            number=len(defence.bodies),
            to=goal if away else "",
            die=die,
            draws=draws,
            rule="10.1.2.2.3",
        )
    )


def _enemies_in(state: State, area: str, powers: Sequence[str]) -> bool:
    foes = sorted({enemy for power in powers for enemy in state.enemies(power)})
    return retreat.held(state, area, foes)


async def _take_shelter(desk: Desk, area: str, powers: Sequence[str], enemies: Sequence[str]) -> None:
    """7.5.1.1, 7.5.1.1.1: whole corps and depot garrisons go into a city of friends; allies only by agreement."""
    state = desk.state
    place = board.city(area)
    if place is None or area in state.sieges:
        return
    if any(thing.power not in enemies for thing in state.inside(area)):
        return
    defence = muster.field(state, "defender", area, enemies)
    attack = muster.field(state, "attacker", area, powers)
    if not defence.bodies:
        return
    room = place.room - state.in_city(area)
    questions = [
        TakeShelter(
            key=desk.label("ask", area, "shelter", seat),
            seat=seat,
            rule="7.5.1.1",
            area=area,
            odds=100 * len(attack.corps) // max(1, len(defence.corps)),
            room=room,
            size=sum(body.size for body in defence.bodies if body.seat == seat),
        )
        for seat in dict.fromkeys(body.seat for body in defence.bodies)
        if any(body.size <= room for body in defence.bodies if body.seat == seat)
    ]
    if not questions:
        return
    answers = await desk.ask_each(questions)
    willing = [question.seat for question in questions if question.wants(answers[question.key])]
    if not willing or len(willing) < len({body.seat for body in defence.bodies}) > 1:
        return
    gone = _fitting(defence.bodies, room)
    for body in gone:
        _enter(state, area, body)
    if gone:
        desk.tell(
            TakenShelter(
                area=area,
                power=gone[0].power,
                corps=sum(body.corps for body in gone),
                garrison=sum(body.size for body in gone if not body.corps),
                rule="7.5.1.1",
            )
        )


def _fitting(bodies: Sequence[Body], room: int) -> list[Body]:
    """7.5.1.1.4: all where there is room; else the largest that fit."""
    chosen: list[Body] = []
    for body in sorted(bodies, key=lambda body: (-body.size, body.id)):
        if body.size <= room:
            chosen.append(body)
            room -= body.size
    return chosen


def _enter(state: State, area: str, body: Body) -> None:
    thing = state.corps.get(body.id) or state.horse.get(body.id)
    if thing is not None:
        thing.inside = True
        return
    state.garrison(area, body.power, body.nation, body.factors)
    state.garrisons = [
        found
        for found in state.garrisons
        if not (
            found.area == area and found.depot and (found.power, found.nation) == (body.power, body.nation)
        )
    ]


async def _relieve(desk: Desk, area: str, attack: Side, defence: Side) -> None:
    """7.5.4.2.3, 7.5.4.2.3.1, 7.5.4.2.3.1.1, 7.5.4.2.3.2: a relief, the garrison with it if it wants to."""
    state = desk.state
    garrison = muster.city(state, "attacker", area)
    if garrison.bodies:
        owner = garrison.powers()[0]
        question = SiegeMatter(
            key=desk.label("ask", area, "sally"),
            seat=state.seat_of(owner),
            rule="7.5.4.2.3",
            area=area,
            matter="sally",
            besiegers=len(defence.corps),
            garrison=garrison.total,
            odds=100 * (len(attack.corps) * 10 + garrison.total) // max(1, len(defence.corps) * 10),
        )
        if question.said(await desk.ask(question)):
            attack.bodies += garrison.bodies
            attack.chiefs += garrison.chiefs
    by = list(state.sieges[area].by)
    result = await battle.combat(desk, area, attack, defence, sheets.LIMITED)
    state.tidy()
    if not state.inside(area) and state.at(area, by):
        siege.fall(desk, area, defence, "relief")
    elif area not in state.sieges:
        desk.tell(SiegeLifted(area=area, rule="7.5.4.2.3"))
    elif result.winner != "attacker":
        desk.tell(SiegeResumes(area=area, power=defence.powers()[0], rule="7.5.4.2.3"))
    state.tidy()
