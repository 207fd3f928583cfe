"""7.3.8: areas with forces of three parties: after the moves of a power exactly two sides remain where it attacks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from pbem.games.eia.board import FAR, by_land, land_distances
from pbem.games.eia.desk import Desk
from pbem.games.eia.events import NeutralLeaves, WarJoined
from pbem.games.eia.orders import JoinWar, LeaveTo, StayOut
from pbem.games.eia.state import Corps, Horse, State, pair
from pbem.games.eia.supply.chains import Lines, closed
from pbem.kernel.order import Answer
from pbem.kernel.policy import Policy, as_said
from pbem.kernel.question import Question


class Defend(Question[State], frozen=True, kw_only=True):
    """7.3.8.3: an ally is attacked where one's own forces stand: war on the attacker, or not."""

    area: str
    power: str
    attacker: str
    on_wish = True
    orders = (JoinWar, StayOut)
    policies: ClassVar[tuple[Policy, ...]] = (Policy(JoinWar, as_said), Policy(StayOut, as_said))

    def legal(self, view: State) -> Iterator[Answer]:
        yield (StayOut(),)
        yield (JoinWar(),)


class GiveWay(Question[State], frozen=True, kw_only=True):
    """7.3.8.4: neutral forces leave an area that is attacked; between equal areas their owner chooses."""

    area: str
    power: str
    areas: tuple[str, ...]
    on_wish = True
    orders = (LeaveTo,)
    policies: ClassVar[tuple[Policy, ...]] = (Policy(LeaveTo, as_said),)

    def legal(self, view: State) -> Iterator[Answer]:
        for area in self.areas:
            yield (LeaveTo(area),)


async def part(desk: Desk, powers: Sequence[str]) -> None:
    """7.3.8.1, 7.3.8.2, 7.3.8.7: where powers have moved and attack: allies of the attacked join, others leave."""
    state = desk.state
    for area in sorted({thing.area for thing in _field(state) if thing.power in powers}):
        attackers = [power for power in powers if _stands(state, area, power)]
        defenders = [
            power
            for power in state.powers
            if _stands(state, area, power) and any(state.at_war(power, other) for other in attackers)
        ]
        if not defenders:
            continue
        for power in [power for power in state.powers if _stands(state, area, power)]:
            if power in attackers or power in defenders:
                continue
            if await _joins(desk, area, power, attackers, defenders):
                continue
            friend = any(state.allied(power, other) for other in attackers)
            if friend and all(state.at_war(power, other) for other in defenders):
                continue
            await leave(desk, area, power)


async def after(desk: Desk, powers: Sequence[str]) -> None:
    """7.3.8.6: when all have moved, an ally that is not at war with all the attacked leaves."""
    state = desk.state
    for area in sorted({thing.area for thing in _field(state) if thing.power in powers}):
        there = [power for power in powers if _stands(state, area, power)]
        foes = [
            power
            for power in state.powers
            if _stands(state, area, power) and any(state.at_war(power, other) for other in there)
        ]
        for power in there:
            if foes and not all(state.at_war(power, foe) for foe in foes):
                await leave(desk, area, power)


def attacked(state: State, area: str, power: str) -> bool:
    """7.3.8.5: whether an area is under attack by an ally, and closed to a power not at war with all defenders."""
    foes = [
        other
        for other in state.powers
        if _stands(state, area, other)
        and any(
            state.at_war(other, ally) and _stands(state, area, ally)
            for ally in state.powers
            if ally != power and state.allied(ally, power)
        )
    ]
    return bool(foes) and not all(state.at_war(power, foe) for foe in foes)


def _field(state: State) -> list[Corps | Horse]:
    found: list[Corps | Horse] = [corps for corps in state.corps.values() if not corps.inside]
    return [*found, *(horse for horse in state.horse.values() if not horse.inside)]


def _stands(state: State, area: str, power: str) -> bool:
    return bool(state.at(area, [power]) or state.horse_at(area, [power]))


async def _joins(
    desk: Desk, area: str, power: str, attackers: Sequence[str], defenders: Sequence[str]
) -> bool:
    """7.3.8.3: an ally of the attacked may declare war on the attacker and defend."""
    state = desk.state
    if not any(state.allied(power, other) for other in defenders) or desk.dry:
        return False
    question = Defend(
        key=desk.label("defend", area, power),
        seat=state.seat_of(power),
        rule="7.3.8.3",
        area=area,
        power=power,
        attacker=attackers[0],
    )
    (order,) = await desk.ask(question)
    if not isinstance(order, JoinWar):
        return False
    for other in attackers:
        if not state.at_war(power, other):
            state.wars.append(pair(power, other))
            state.powers[power].pp -= 1
            desk.tell(WarJoined(power=power, against=other, area=area, rule="7.3.8.3"))
    return True


async def leave(desk: Desk, area: str, power: str) -> None:
    """7.3.8.4: one area, towards its nearest source, or at least not away from it."""
    state = desk.state
    goals = _ways_out(state, area, power)
    if not goals:
        return
    goal = goals[0]
    if len(goals) > 1 and not desk.dry:
        question = GiveWay(
            key=desk.label("give-way", area, power),
            seat=state.seat_of(power),
            rule="7.3.8.4",
            area=area,
            power=power,
            areas=tuple(goals),
        )
        (order,) = await desk.ask(question)
        if isinstance(order, LeaveTo):
            goal = order.area
    for corps in state.at(area, [power]):
        corps.area = goal
    for horse in state.horse_at(area, [power]):
        horse.area = goal
    desk.tell(NeutralLeaves(power=power, area=area, to=goal, rule="7.3.8.4"))


def _ways_out(state: State, area: str, power: str) -> list[str]:
    """The areas next to one that are nearest to a source, none farther from it than the area itself."""
    sources = Lines(state, power).sources

    def far(place: str) -> int:
        return min((land_distances(place).get(source, FAR) for source in sources), default=FAR)

    free = [
        other
        for other in by_land(area)
        if not closed(state, power, other) and not state.field_enemies(other, power)
    ]
    near = [other for other in free if far(other) <= far(area)] or free
    least = min((far(other) for other in near), default=FAR)
    return [other for other in near if far(other) == least]
