"""How the sensible robot leads its armies: what each force could do, what that is worth and what it risks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

import msgspec

from pbem.games.nce import board, command
from pbem.games.nce.charts import CARDS, GENERALS, UNITS
from pbem.games.nce.fight import NOBODY
from pbem.games.nce.land import iberia, siege
from pbem.games.nce.land.tempo import now, weather_loss
from pbem.games.nce.orders import (
    Activate,
    Besiege,
    CombatCards,
    Engage,
    FixDepot,
    Garrison,
    Go,
    Lead,
    Leave,
    Mark,
    PickUp,
    Rally,
    Second,
)
from pbem.games.nce.plan import austrian_duty, duty_force
from pbem.games.nce.reactions import strait_closed
from pbem.games.nce.robot.eye import FARTHEST, GREAT, Eye, bonus, clash
from pbem.games.nce.state import HIDDEN, Force, State
from pbem.kernel.order import Condition, If, Order, Test

FED = (1.0, 0.9, 0.8, 0.5, 0.3, 0.2)
"""What a prize keeps of its worth that lies so many movement points beyond supply."""
MAIN = 8
"""Steps from which an army is a main army."""
FORCED = 2
"""Points of forced march that a strong force may spend."""


class Plan(msgspec.Struct, frozen=True):
    """What a force could do: its worth, its cost in activation points, and the orders."""

    value: float
    cost: int
    force: str
    orders: tuple[Order, ...]
    goal: str
    fights: bool = False

    @property
    def fleetless(self) -> bool:
        """Whether it is a matter of land forces."""
        return isinstance(self.orders[0], Activate)


def plans(eye: Eye) -> list[Plan]:
    """All that the forces on land could do in this round."""
    view, side = eye.view, eye.side
    duty = austrian_duty(view, side)
    found: list[Plan] = []
    for force in view.of(side):
        if force.acted == now(view) or (force.inside and force.zone in view.siege):
            continue
        if (duty and not duty_force(view, force)) or eye.keeps_faith(force):
            continue
        found += _of(eye, force)
    return found


def ranked(eye: Eye, found: Iterable[Plan]) -> list[Plan]:
    """The best for its points first."""
    return sorted(
        found, key=lambda plan: (-plan.value / (plan.cost + eye.temper.dispatch), plan.force, plan.goal)
    )


def _of(eye: Eye, force: Force) -> Iterator[Plan]:
    view = eye.view
    cost = GENERALS[force.general].initiative if force.general else 1
    points = force.movement - weather_loss(view, force)
    here = force.zone
    if force.demoralised and force.general and points >= 2 and eye.feeds(force, here):
        near = 0.3 * eye.temper.scale * Pull(eye, force).at(here) if eye.late else 0.0
        yield Plan(2.0 + 0.4 * force.strength + near, cost, force.name, (Activate(force.name), Rally()), here)
        return
    if force.demoralised:
        return
    prize = eye.temper.scale * eye.prizes.get(here, 0.0)
    if prize and view.fortress(here) and force.strength >= siege.steps_needed(view, here):
        if not view.at(here, eye.other) and eye.feeds(force, here):
            tries = max(1, min(3, points))
            chance = siege.odds(view, force, here, tries)[-1]
            orders: list[Order] = [
                Activate(force.name),
                Besiege(tries),
                *_after_siege(eye, force, here, points - 1),
            ]
            yield Plan(prize * (0.3 + chance), cost, force.name, tuple(orders), here)
    elif prize and not view.at(here, eye.other) and points >= 1 and eye.feeds(force, here):
        yield Plan(prize, cost, force.name, (Activate(force.name), Mark()), here)
    elif not eye.feeds(force, here) and eye.docks(force, here):
        taken = [Mark()] if prize and points >= 1 else []
        value = prize + 1.0 + eye.temper.hunger * force.strength
        yield Plan(value, cost, force.name, (Activate(force.name), FixDepot(), *taken), here)
    yield from _lifelines(eye, force, cost, points)
    yield from _marches(eye, force, cost, points)
    militia, free = command.militia(force), unbound(force)
    if len(militia) == 1 and free.units and force.general:
        yield from _marches(eye, free, cost, points, (Leave(tuple(militia)),))
    grown, names = _gathered(eye, force)
    if names and points >= 2:
        yield from _marches(eye, grown, cost, points - 1, (PickUp(names),))


def _lifelines(eye: Eye, force: Force, cost: int, points: int) -> Iterator[Plan]:
    """3.2.6, 11.3: a depot left where it brings a key zone that has been taken into supply."""
    if not eye.starved or force.power not in force.depots:
        return
    far = _reach(eye, force, points)
    for zone, worth in eye.starved.items():
        for place in _links(zone):
            if place not in far or eye.view.at(place, eye.other) or not eye.feeds(force, place):
                continue
            friends = [f for f in eye.view.at(place, force.side) if f.id != force.id]
            if friends:
                continue
            way = [Go((place,))] if place != force.zone else []
            value = 0.5 * eye.temper.scale * worth - _guard(eye, force, place)
            yield Plan(value, cost, force.name, (Activate(force.name), *way, FixDepot()), place)


@cache
def _links(goal: str) -> tuple[str, ...]:
    """11.3.2: the zones from which a depot reaches a zone."""
    near = [zone for zone in board.neighbours(goal) if board.supply_step(goal, zone) <= 2]
    near += [
        far
        for zone in near
        for far in board.neighbours(zone)
        if board.supply_step(goal, zone) + board.supply_step(zone, far) <= 2
    ]
    return tuple(sorted({*near} - {goal}))


def tied(force: Force) -> bool:
    """2.1.6: whether a militia keeps the force at home; field troops do not mix with it."""
    return bool(command.militia(force))


def unbound(force: Force) -> Force:
    """The force without its militia."""
    field = {unit: n for unit, n in force.units.items() if not UNITS[unit].home_only}
    return msgspec.structs.replace(force, units=field)


def _gathered(eye: Eye, force: Force) -> tuple[Force, tuple[str, ...]]:
    """8.4: an army with those next door that it can take along."""
    names: tuple[str, ...] = ()
    if not force.army:
        return force, names
    grown = force
    for other in eye.friends:
        if other.army or other.id == force.id or other.demoralised or other.zone in eye.view.siege:
            continue
        if board.crossing(other.zone, force.zone) not in ("clear", "bridge") or _guard(eye, other):
            continue
        if eye.keeps_faith(other) or tied(other) != tied(force):
            continue
        if not command.may_join(grown, other)[0]:
            grown = command.union(grown, other)[0]
            names = (*names, other.name)
    return grown, names


def _marches(
    eye: Eye, force: Force, cost: int, points: int, before: tuple[Order, ...] = ()
) -> Iterator[Plan]:
    winter = eye.view.weather() == "winter"
    forced = FORCED if force.general and force.strength >= 6 and not winter else 0
    far = _reach(eye, force, points + forced)
    guards = {zone: _guard(eye, force, zone) for zone in far} if _guard(eye, force) else {}
    pull = Pull(eye, force)
    starving = not eye.feeds(force, force.zone)
    peril = _peril(eye, force, force.zone) if force.general else 0.0
    for zone, spent in far.items():
        if zone == force.zone:
            continue
        plan = _march(eye, force, zone, spent, points, cost, guards.get(zone, 0.0), pull, starving, peril)
        if plan is not None and before:
            orders = (plan.orders[0], *before, *plan.orders[1:])
            yield msgspec.structs.replace(plan, orders=orders, value=plan.value + 0.2)
        elif plan is not None:
            yield plan


def _reach(eye: Eye, force: Force, most: int) -> dict[str, int]:
    """Where the force can go within so many points."""
    view = eye.view

    def may(start: str, to: str) -> bool:
        if to in eye.closed or (start != force.zone and start in eye.held):
            return False
        if iberia.problem(view, force, to) or strait_closed(view, start, to, force.side):
            return False
        return not command.stuck_at_home(view, force, to)

    return board.distances(force.zone, most, may).cost


def _guard(eye: Eye, force: Force, met: str = "") -> float:
    """What is risked by leaving the zone: a key zone that nobody else guards."""
    stake = eye.stakes.get(force.zone, 0.0)
    return eye.temper.guard * stake * eye.danger(force.zone, force, met) if stake else 0.0


def _garrison(force: Force) -> str:
    """A corps that a large army can spare for the town that it leaves."""
    if not force.army or force.strength < 8:
        return ""
    plain = [u for u, n in force.units.items() if n >= 2 and not UNITS[u].stars and not UNITS[u].cavalry]
    return min(plain, key=lambda u: (UNITS[u].morale, u), default="")


def _depth(eye: Eye, force: Force, zone: str) -> int:
    """How far beyond supply a zone lies, with a depot that comes by sea."""
    deep = eye.depth(force, zone)
    if deep > 1 and any(eye.docks(force, port) for port in (zone, *_links(zone))):
        return 1
    return deep


class Pull:
    """How promising each zone is for a force: near prizes, near key zones that have to be held, near friends."""

    def __init__(self, eye: Eye, force: Force) -> None:
        self.patience = eye.temper.patience
        self.targets: list[tuple[float, dict[str, int], str]] = []
        if not force.general or force.strength < 2:
            return
        for zone, worth in eye.prizes.items():
            if worth < 3:
                continue
            guards = eye.guards(zone)
            helpers = sum(f.strength for f in eye.near(zone, eye.friends, 2) if f.id != force.id)
            mine = force.strength + 0.5 * helpers
            fed = FED[min(_depth(eye, force, zone), len(FED) - 1)]
            if force.army and force.strength >= MAIN and eye.side_show(zone):
                fed *= eye.temper.aside
            self.targets.append((fed * worth * mine / (mine + 0.7 * guards), eye.ways(zone), zone))
        for zone, stake in eye.stakes.items():
            threat = eye.threat(zone)
            if threat:
                held = sum(f.strength for f in eye.near(zone, eye.friends, 1) if f.id != force.id)
                wanted = 0.8 * stake * max(0.0, threat - held) / (threat + 1)
                self.targets.append((wanted, eye.ways(zone), ""))
        for zone, worth in eye.cuts.items():
            if zone not in eye.prizes:
                self.targets.append((worth, eye.ways(zone), ""))
        self.targets.sort(key=lambda target: -target[0])

    def at(self, zone: str, taken: str = "") -> float:
        """The best that is to be had from a zone, without a prize that is taken already."""
        best = 0.0
        for worth, ways, target in self.targets:
            if worth <= best:
                break
            if not taken or target != taken:
                best = max(best, worth * self.patience ** min(ways.get(zone, FARTHEST), FARTHEST))
        return best


def _march(
    eye: Eye,
    force: Force,
    zone: str,
    spent: int,
    points: int,
    cost: int,
    guard: float,
    pull: Pull,
    starving: bool,
    peril: float,
) -> Plan | None:
    view = eye.view
    foes = view.at(zone, eye.other)
    chance, inflicted, suffered = eye.fight(force, zone, foes)
    if foes and (not force.general or chance < eye.courage):
        return None
    friends = [f for f in view.at(zone, force.side) if f.id != force.id]
    if friends and (len(friends) > 1 or command.may_join(friends[0], force)[0]):
        return None
    if friends and tied(friends[0]) != tied(force):
        return None
    march = max(0, spent - points)
    left = points - spent + march
    way: list[Order] = [Go((zone,))]
    value = -eye.temper.toll * eye.toll(force, zone, march, starving)
    fed, stage = eye.feeds(force, zone), ""
    if not fed:
        stage = _stage(eye, force, zone)
        value -= 0.8 if stage else 1.5 + eye.temper.hunger * force.strength
        way = _by_stage(force, stage, zone) if stage else way
    elif starving and not foes:
        value += 1.0 + 0.75 * eye.temper.hunger * force.strength
    left_behind = _garrison(force) if guard > 3 else ""
    if left_behind:
        way.insert(0, Leave((left_behind,)))
        guard = 0.4 * guard + 1.0
    value -= guard
    if foes:
        value += _battle_worth(eye, zone, foes, chance, inflicted, suffered)
    prize = eye.prizes.get(zone, 0.0) if fed or stage else 0.0
    taken, after = 0.0, list[Order]()
    if prize and view.fortress(zone):
        if force.strength < siege.steps_needed(view, zone):
            return None
        tries = left + (1 if foes else 0)
        if tries:
            taken = chance * siege.odds(view, force, zone, tries)[-1]
            after = [Besiege(min(6, tries)), *_after_siege(eye, force, zone, tries - 1)]
    elif prize:
        taken = chance if left or foes else 0.5
        if left and not foes:
            after = [Mark(), *_onward(eye, zone, left - 1)]
    value += eye.temper.scale * (
        prize * taken + taken * pull.at(zone, zone) + (1 - taken) * pull.at(zone) - pull.at(force.zone)
    )
    if friends and not force.army:
        value += 0.3 * min(force.strength, friends[0].strength)
    if not foes and zone in eye.stakes and eye.left < FARTHEST:
        value += eye.temper.post * eye.stakes[zone] * eye.relief(zone, force)
    if not foes and not friends:
        value -= _peril(eye, force, zone)
    value += peril
    if value <= 0.25:
        return None
    orders = (Activate(force.name, march), *way, *after, *_battle_orders(force))
    return Plan(value, cost, force.name, orders, zone, bool(foes))


def _peril(eye: Eye, force: Force, zone: str) -> float:
    """What a force risks by standing in a zone."""
    risk = eye.beaten_by(force, zone)
    if risk <= 0.5:
        return 0.0
    return (
        (risk - 0.3)
        * eye.temper.peril
        * (1.0 if force.general else 5.0)
        * force.strength
        * eye.boldness(zone)
    )


def _battle_worth(
    eye: Eye, zone: str, foes: list[Force], chance: float, inflicted: float, suffered: float
) -> float:
    """What a battle promises: the enemy's steps against one's own, and more where it saves a key zone."""
    temper = eye.temper
    value = temper.steps_won * inflicted - temper.steps_lost * suffered + temper.victory * chance
    value += sum(4.0 * chance for foe in foes if foe.general == "napoleon" and eye.view.scenario == "1815")
    value += sum(2.0 for key in eye.stakes if board.distance(key, zone) <= 2)
    value += eye.cuts.get(zone, 0.0) * chance
    if zone in eye.view.siege and zone in eye.stakes:
        value += 0.5 * temper.scale * eye.stakes[zone] * chance
    return value * (0.75 if all(foe.general for foe in foes) else 1.0)


def _stage(eye: Eye, force: Force, goal: str) -> str:
    """11.3: where a depot would have to be left so that the force is in supply at its goal."""
    if force.power not in force.depots:
        return ""
    here = board.all_distances(force.zone)
    direct = here[goal]
    for stage in sorted((*_links(goal), goal), key=lambda zone: (here[zone], zone)):
        way = here[stage] + board.distance(stage, goal)
        if way > direct or eye.view.at(stage, eye.other):
            continue
        if eye.feeds(force, stage) or eye.docks(force, stage):
            return stage
    return ""


def _by_stage(force: Force, stage: str, goal: str) -> list[Order]:
    """The way to a goal with a depot left on it, or there."""
    there: list[Order] = [Go((stage,))] if stage != force.zone else []
    onward: list[Order] = [Go((goal,))] if stage != goal else []
    return [*there, FixDepot(), *onward]


def together(eye: Eye) -> tuple[float, tuple[Order, ...]]:
    """10.7: the best attack of several forces at once, and its orders."""
    view, side = eye.view, eye.side
    best: tuple[float, tuple[Order, ...]] = (0.0, ())
    reach = {}
    for force in eye.friends:
        if force.general and not force.demoralised and force.acted != now(view) and not _guard(eye, force):
            points = force.movement - weather_loss(view, force)
            reach[force.id] = (force, points, _reach(eye, force, points + FORCED))
    for zone in {foe.zone for foe in eye.foes}:
        foes = view.at(zone, eye.other)
        coming = [(f, points, far[zone]) for f, points, far in reach.values() if zone in far]
        coming.sort(key=lambda one: (-one[0].strength, one[0].id))
        coming = coming[:3]
        if len(coming) < 2 or view.at(zone, side):
            continue
        head = max((one[0] for one in coming), key=lambda f: bonus(f, "attacker"))
        units = {unit: n for one in coming for unit, n in one[0].units.items()}
        chance, inflicted, suffered = clash(msgspec.structs.replace(head, units=units), foes)
        value = _battle_worth(eye, zone, foes, chance, inflicted, suffered)
        value += eye.temper.scale * eye.prizes.get(zone, 0.0) * chance
        value += sum(4.0 * chance for foe in foes if foe.general == "napoleon")
        if chance >= eye.courage and value > best[0] and eye.feeds(coming[0][0], zone):
            orders: list[Order] = []
            for force, points, spent in coming:
                orders += [Activate(force.name, max(0, spent - points)), Go((zone,))]
                orders += _battle_orders(force) if force is coming[0][0] else []
            best = (value, tuple(orders))
    return best


def _after_siege(eye: Eye, force: Force, zone: str, left: int) -> list[Order]:
    """The fortress taken: on to an open town beside it, where there is one."""
    steps: list[Order] = [Garrison()] if force.power in force.depots else []
    steps += _onward(eye, zone, left)
    return [If(Condition((Test("taken", "=", "yes"),)), tuple(steps))] if steps else []


def _onward(eye: Eye, zone: str, left: int) -> list[Order]:
    """The best open town next door, where the points suffice to take it."""
    view = eye.view
    towns = [
        near
        for near in board.neighbours(zone)
        if near in eye.prizes
        and not view.fortress(near)
        and not view.at(near, eye.other)
        and not view.at(near, eye.side)
        and board.step_cost(zone, near) < left
    ]
    if eye.prizes.get(zone, 0.0) >= GREAT:
        towns = [near for near in towns if eye.prizes[near] >= GREAT]
    if not towns:
        return []
    best = max(towns, key=lambda near: (eye.prizes[near], near))
    return [Go((best,)), Mark()]


def _battle_orders(force: Force) -> list[Order]:
    """The best lead, special units and subordinate."""
    found: list[Order] = []
    elites = sorted((u for u in force.units if UNITS[u].stars), key=lambda u: (-UNITS[u].stars, u))
    found += [Lead(elites[0])] if elites else []
    found += [Engage(tuple(force.special))] if force.special else []
    subs = sorted(force.subs, key=lambda g: (-GENERALS[g].attack, g))
    found += [Second(subs[0])] if subs else []
    return found or [Second(NOBODY)]


def battle_cards(view: State, side: str, role: str = "attacker") -> list[Order]:
    """The combat cards of the hand that fit, as many as the rounds to come leave."""
    cards = [c for c in view.hands[side] if c != HIDDEN and CARDS[c].cc == "land" and _fits(c, role)]
    spare = len(view.hands[side]) - (view.last_round - view.round)
    cards = sorted(cards, key=lambda c: (CARDS[c].value, c))[: max(1, spare)]
    return [CombatCards(tuple(cards))] if cards else []


def _fits(card: str, role: str) -> bool:
    if "battle.countermarch" in CARDS[card].windows:
        return False
    needs = [need for effect in CARDS[card].effect for need in effect.get("needs", ())]
    return not any(need.get("cond") == "role" and need.get("is") != role for need in needs)
