"""How the sensible robot leads its armies: what each force could do, what that is worth and what it risks."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import msgspec

from pbem.games.nce import battle, board, command, iberia, siege
from pbem.games.nce.charts import CARDS, COUNTRIES, GENERALS, POWERS, UNITS, ZONES
from pbem.games.nce.letter import austrian_duty, duty_force
from pbem.games.nce.orders import (
    Activate,
    Besiege,
    CombatCards,
    Engage,
    FixDepot,
    Garrison,
    Go,
    Lead,
    Mark,
    PickUp,
    Rally,
    Second,
)
from pbem.games.nce.plans import NOBODY
from pbem.games.nce.reactions import may_stand, strait_closed
from pbem.games.nce.state import COALITION, EMPIRE, HIDDEN, Force, State, enemy
from pbem.games.nce.supply import Network, supplied
from pbem.games.nce.tempo import now, weather_loss
from pbem.kernel.order import Condition, If, Order, Test

RANGE = 5
"""Movement points within which an enemy counts as near."""
HURRY = 3.5
"""How much coming nearer to a prize counts against what can be had at once."""
PATIENCE = 0.94
"""What a prize keeps of its worth with each movement point that it is away."""
_FADE = [PATIENCE**points for points in range(41)]
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


class Eye:
    """A position as a general looks at it: what is to be had, what is in danger, who is near."""

    def __init__(self, view: State, side: str) -> None:
        self.view, self.side, self.other = view, side, enemy(side)
        self.late = view.year >= view.end_year - 1
        self.crowned = "45F" in view.events
        """17.2: whether all hangs on the French key zones and Mantoue."""
        self.networks: dict[str, Network] = {}
        self.closed = {zone for zone in ZONES if not may_stand(view, zone, side)}
        self.foes = [f for f in view.of(self.other) if not f.inside]
        self.friends = [f for f in view.of(side) if not f.inside]
        self.held = {f.zone for f in self.foes} | {z for z in ZONES if view.hostile_fortress(z, side)}
        """Zones that hold a march up."""
        self.prizes = {
            zone: worth
            for zone in ZONES
            if ZONES[zone].city and view.controller(zone) == self.other and (worth := self.worth(zone))
        }
        self.own_keys = [
            zone
            for power in view.majors(side)
            for zone in POWERS[power].key_zones
            if view.home_side(zone) == side and view.controller(zone) == side
        ]
        if self.crowned and side == EMPIRE and view.controller("mantoue") == side:
            self.own_keys.append("mantoue")

    def worth(self, zone: str) -> float:
        """What taking a zone of the enemy is worth."""
        view, record = self.view, ZONES[zone]
        owner = view.owner_of(zone)
        value = 0.5 + (1.0 if record.fortress else 0.0)
        if zone == "mantoue" and self.crowned:
            value += 12.0
        if view.home_side(zone) == self.side:
            value += 1.5
        if record.key:
            value += self._key(zone, owner)
        elif owner in COUNTRIES and COUNTRIES[owner].kind == "minor" and view.home_side(zone) == self.other:
            value += self._minor(zone, owner)
        return value

    def _key(self, zone: str, owner: str) -> float:
        view = self.view
        if view.home_side(zone) == self.side:
            return 8.0
        keys = [z for z in POWERS[owner].key_zones if view.owner_of(z) == owner] if owner in POWERS else []
        if zone not in keys:
            return 1.0
        held = sum(view.controller(z) == self.side for z in keys)
        prize = {"russie": 7.0, "angleterre": 8.0, "turquie": 6.0, "espagne": 6.0}.get(owner, 9.0)
        if owner == "france" and self.late:
            prize *= 1.6
        return prize + 3.0 * held + (2.0 if zone in POWERS[owner].capitals else 0.0)

    def _minor(self, zone: str, owner: str) -> float:
        record = COUNTRIES[owner]
        if zone != record.capital and zone not in record.fortresses:
            return 0.0
        status = self.view.status[owner]
        prize = 6.0 if status == "protectorate" or record.protectorate_possible else 2.0
        if owner == "naples" and self.side == EMPIRE:
            prize = 8.0
        return prize / max(1, len({record.capital, *record.fortresses}))

    def near(self, zone: str, forces: list[Force], points: int = RANGE) -> list[Force]:
        """The forces within so many movement points."""
        return [force for force in forces if board.distance(force.zone, zone) <= points]

    def feeds(self, force: Force, zone: str) -> bool:
        """Whether the force would be in supply there."""
        moved = msgspec.structs.replace(force, zone=zone, unsupplied=False)
        return supplied(self.view, moved, known=self.networks)

    def beaten_by(self, force: Force, zone: str) -> float:
        """The chance that the worst enemy near a zone would beat the force there."""
        worst = 0.0
        for foe in self.foes:
            if foe.general and not foe.demoralised and board.distance(foe.zone, zone) <= foe.movement:
                worst = max(worst, odds(foe, [force]))
        return worst

    def threat(self, zone: str) -> int:
        """The strongest enemy force near one's own zone."""
        return max((f.strength for f in self.near(zone, self.foes, 4)), default=0)

    def boldness(self, zone: str) -> float:
        """How much a risk counts: less where friends are near in numbers, and less as the end draws near."""
        mine = sum(f.strength for f in self.near(zone, self.friends, 3))
        theirs = sum(f.strength for f in self.near(zone, self.foes, 3))
        late = 0.5 if self.late and self.side == COALITION else 1.0
        return late * min(1.0, theirs / max(1, mine))


def bonus(force: Force, role: str) -> int:
    """What commander, subordinate, lead and special units add to the dice."""
    value = battle.tactical(force, role)
    values = [GENERALS[g].attack if role == "attacker" else GENERALS[g].defence for g in force.subs]
    value += max(values, default=0) + max((UNITS[u].stars for u in force.units), default=0)
    return value + len(force.special) - (1 if force.demoralised else 0) - (3 if force.unsupplied else 0)


def odds(force: Force, foes: list[Force]) -> float:
    """The chance that an attack wins."""
    strength = sum(foe.strength for foe in foes)
    if not strength:
        return 1.0
    theirs = max(bonus(foe, "defender") for foe in foes)
    horse = command.cavalry([force]) - command.cavalry(foes)
    mine = bonus(force, "attacker") + (horse > 0)
    return _win(force.strength, strength, mine, theirs + (horse < 0))


@cache
def _win(attacking: int, defending: int, attack: int, defence: int) -> float:
    return battle.chances(attacking, defending, attack, defence)["win"]


def plans(view: State, side: str) -> list[Plan]:
    """All that could be done in this round, the best first."""
    eye = Eye(view, side)
    duty = austrian_duty(view, side)
    found: list[Plan] = []
    for force in view.of(side):
        if force.acted == now(view) or (force.inside and force.zone in view.siege):
            continue
        if duty and not duty_force(view, force):
            continue
        found += _of(eye, force)
    return sorted(found, key=lambda plan: (-plan.value / (plan.cost + 0.5), plan.force, plan.goal))


def _of(eye: Eye, force: Force) -> Iterator[Plan]:
    view = eye.view
    cost = GENERALS[force.general].initiative if force.general else 1
    points = force.movement - weather_loss(view, force)
    here = force.zone
    if force.demoralised and force.general and points >= 2 and eye.feeds(force, here):
        yield Plan(2.0 + 0.4 * force.strength, cost, force.name, (Activate(force.name), Rally()), here)
        return
    if force.demoralised:
        return
    if here in eye.prizes and view.fortress(here) and force.strength >= siege.steps_needed(view, here):
        if not view.at(here, eye.other) and eye.feeds(force, here):
            tries = max(1, min(3, points))
            chance = siege.odds(view, force, here, tries)[-1]
            value = eye.prizes[here] * (0.3 + chance)
            orders: list[Order] = [Activate(force.name), Besiege(tries), *_after_siege(eye, force, here)]
            yield Plan(value, cost, force.name, tuple(orders), here)
    elif here in eye.prizes and not view.at(here, eye.other) and points >= 1:
        yield Plan(eye.prizes[here], cost, force.name, (Activate(force.name), Mark()), here)
    yield from _marches(eye, force, cost, points)
    grown, names = _gathered(eye, force)
    if names and points >= 2:
        yield from _marches(eye, grown, cost, points - 1, (PickUp(names),))


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
        if not command.may_join(grown, other)[0]:
            grown = command.union(grown, other)[0]
            names = (*names, other.name)
    return grown, names


def _marches(
    eye: Eye, force: Force, cost: int, points: int, before: tuple[Order, ...] = ()
) -> Iterator[Plan]:
    view = eye.view
    winter = view.weather() == "winter"
    forced = FORCED if force.general and force.strength >= 6 and not winter else 0
    if cost + (0 if force.general else 1) > 3 and not force.general:
        forced = 0

    far = _reach(eye, force, points + forced)
    guard = _guard(eye, force)
    aim = _aim(eye, force)
    for zone, spent in far.items():
        if zone != force.zone:
            plan = _march(eye, force, zone, spent, points, cost, guard, aim)
            if plan is not None and before:
                orders = (plan.orders[0], *before, *plan.orders[1:])
                yield msgspec.structs.replace(plan, orders=orders, value=plan.value + 0.2)
            elif plan is not None:
                yield plan


def _reach(eye: Eye, force: Force, most: int) -> dict[str, int]:
    """Where the force can go within so many points."""
    view = eye.view

    tied = [unit for unit in force.units if UNITS[unit].home_only]

    def may(start: str, to: str) -> bool:
        if to in eye.closed or (start != force.zone and start in eye.held):
            return False
        if iberia.problem(view, force, to) or strait_closed(view, start, to, force.side):
            return False
        return all(view.national(to, UNITS[unit].power) for unit in tied)

    return board.distances(force.zone, most, may)[0]


def _guard(eye: Eye, force: Force) -> float:
    """What is risked by leaving the zone: a key zone of one's own that nobody else guards."""
    zone = force.zone
    if zone not in eye.own_keys or not eye.threat(zone):
        return 0.0
    others = [f for f in eye.view.at(zone, force.side) if f.id != force.id]
    return 0.0 if sum(f.strength for f in others) >= 4 else 8.0


def _aim(eye: Eye, force: Force) -> dict[str, float]:
    """How promising each zone is as a place to be: near prizes, near own key zones in danger, near friends."""
    if not force.general or force.strength < 4:
        return {}
    targets: list[tuple[str, float]] = []
    for zone, worth in eye.prizes.items():
        guards = sum(f.strength for f in eye.near(zone, eye.foes, 1))
        if worth >= 3:
            ease = force.strength / (force.strength + 0.7 * guards)
            targets.append((zone, worth * ease))
    for zone in eye.own_keys:
        threat = eye.threat(zone)
        if threat:
            held = sum(f.strength for f in eye.near(zone, eye.friends, 1) if f.id != force.id)
            targets.append((zone, 8.0 * max(0.0, threat - held) / (threat + 1)))
    found: dict[str, float] = {}
    for zone, worth in targets:
        for place, points in board.all_distances(zone).items():
            if points < len(_FADE):
                found[place] = max(found.get(place, 0.0), worth * _FADE[points])
    return found


def _march(
    eye: Eye,
    force: Force,
    zone: str,
    spent: int,
    points: int,
    cost: int,
    guard: float,
    aim: dict[str, float],
) -> Plan | None:
    view = eye.view
    foes = view.at(zone, eye.other)
    chance = odds(force, foes)
    if foes and (not force.general or chance < 0.55):
        return None
    friends = [f for f in view.at(zone, force.side) if f.id != force.id]
    if friends and (len(friends) > 1 or command.may_join(friends[0], force)[0]):
        return None
    march = max(0, spent - points)
    left = points - spent + march
    orders: list[Order] = [Activate(force.name, march), Go((zone,))]
    value = -guard - 0.25 * march * (1 if force.strength < 6 else 2)
    if foes:
        theirs = sum(foe.strength for foe in foes)
        value += _battle_worth(theirs, force.strength, chance)
        value += sum(4.0 * chance for foe in foes if foe.general == "napoleon" and view.scenario == "1815")
        value += sum(3.0 for key in eye.own_keys if board.distance(key, zone) <= 2)
    prize = eye.prizes.get(zone, 0.0)
    if prize and view.fortress(zone):
        if force.strength < siege.steps_needed(view, zone):
            return None
        tries = left + (1 if foes else 0)
        if tries:
            fallen = siege.odds(view, force, zone, tries)[-1]
            value += prize * chance * (0.3 + 0.7 * fallen)
            orders += [Besiege(min(6, tries)), *_after_siege(eye, force, zone)]
        else:
            value += 0.35 * prize
    elif prize:
        value += prize * chance * (1.0 if left or foes else 0.6)
        if left and not foes:
            orders.append(Mark())
            orders += _onward(eye, zone, left - 1)
    elif not foes:
        value += HURRY * (aim.get(zone, 0.0) - aim.get(force.zone, 0.0))
        if friends and not force.army:
            value += 0.3 * min(force.strength, friends[0].strength)
    if not eye.feeds(force, zone):
        stage = _stage(eye, force, zone)
        if stage:
            value -= 0.8
            orders[1:2] = [*([Go((stage,))] if stage != force.zone else []), FixDepot(), Go((zone,))]
        else:
            value -= 1.5 + 0.4 * force.strength
            orders = [order for order in orders if not isinstance(order, (Besiege, Mark, If))]
            value -= prize * chance * 0.6
    risk = eye.beaten_by(force, zone) if not foes else 0.0
    if risk > 0.5 and not friends:
        value -= (risk - 0.3) * 0.6 * force.strength * eye.boldness(zone)
    if value <= 0.25:
        return None
    return Plan(value, cost, force.name, (*orders, *_battle_orders(force)), zone, bool(foes))


def _stage(eye: Eye, force: Force, goal: str) -> str:
    """11.3: where a depot would have to be left so that the force is in supply at its goal."""
    if force.power not in force.depots:
        return ""
    near = [zone for zone in board.neighbours(goal) if board.supply_step(goal, zone) <= 2]
    near += [
        far
        for zone in near
        for far in board.neighbours(zone)
        if board.supply_step(goal, zone) + board.supply_step(zone, far) <= 2
    ]
    here = board.all_distances(force.zone)
    direct = here[goal]
    for stage in sorted(set(near), key=lambda zone: (here[zone], zone)):
        way = here[stage] + board.distance(stage, goal)
        if stage != goal and way <= direct and not eye.view.at(stage, eye.other) and eye.feeds(force, stage):
            return stage
    return ""


def _battle_worth(theirs: int, mine: int, chance: float) -> float:
    """What a battle promises: the enemy's steps against one's own."""
    return 0.8 * theirs * chance - 0.5 * mine * (1 - chance) + 1.5 * chance


def together(view: State, side: str) -> tuple[float, tuple[Order, ...]]:
    """10.7: the best attack of several forces at once, and its orders."""
    eye = Eye(view, side)
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
        chance = odds(msgspec.structs.replace(head, units=units), foes)
        theirs = sum(foe.strength for foe in foes)
        value = _battle_worth(theirs, sum(units.values()), chance) + eye.prizes.get(zone, 0.0) * chance
        value += sum(4.0 * chance for foe in foes if foe.general == "napoleon")
        if chance >= 0.55 and value > best[0]:
            orders: list[Order] = []
            for force, points, spent in coming:
                orders += [Activate(force.name, max(0, spent - points)), Go((zone,))]
                orders += _battle_orders(force) if force is coming[0][0] else []
            best = (value, tuple(orders))
    return best


def _after_siege(eye: Eye, force: Force, zone: str) -> list[Order]:
    """The fortress taken: on to an open town beside it, where there is one."""
    steps: list[Order] = [Garrison()] if force.power in force.depots else []
    steps += _onward(eye, zone, 2)
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
