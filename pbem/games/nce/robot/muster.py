"""How the sensible robot raises its troops and brings them together: budgets and redeployment."""

from __future__ import annotations

import random
from collections.abc import Mapping
from itertools import accumulate
from typing import Any

from pbem.games.nce import board, command
from pbem.games.nce.charts import CARDS, FLEETS, GENERALS, MAJORS, UNITS
from pbem.games.nce.desk import Desk
from pbem.games.nce.powers.budget import Treasury
from pbem.games.nce.powers.interphase_questions import Budget, Redeployment
from pbem.games.nce.powers.places import reinforcement_zones
from pbem.games.nce.replies import (
    Assign,
    Build,
    BuildFleet,
    BuyCard,
    BuyDepot,
    CreateArmy,
    Done,
    Redeploy,
    Restore,
    Send,
    Withdraw,
)
from pbem.games.nce.robot.appraisal import cards_of, chosen, could_found, event_worth, treasured
from pbem.games.nce.robot.eye import GREAT, RANGE, Eye
from pbem.games.nce.robot.generalship import Pull, tied
from pbem.games.nce.robot.statecraft import fitting
from pbem.games.nce.state import COALITION, EMPIRE, POOL, Force, State, copied
from pbem.kernel.order import Answer, Order
from pbem.kernel.plan import Refused, rehearse

BUDGET_EVENTS = (
    "16F",
    "30F",
    "41F",
    "9F",
    "18F",
    "7F",
    "46F",
    "50F",
    "53F",
    "20C",
    "24C",
    "22C",
    "26C",
    "6C",
    "33C",
    "34C",
    "36C",
    "46C",
    "45C",
    "3C",
)
MOST_BOUGHT, MOST_REFUSED = 40, 90
"""Orders of a budget, and wishes that cannot be had after which it is closed."""
PRESSING = 30.0
"""The worth from which an event is played whatever the hand."""
DEPOTS = 3
"""Depots that an army likes to carry."""
COLUMN = 4
"""Steps from which a force of the Empire takes a depot along; the Coalition needs its money for troops."""
TRANSPORTS = 3
"""Ships that carry an English army."""
GARRISON = 4
"""Steps of a garrison at the most."""
SMALL = 9
"""Steps up to which a force looks for an army to join."""


def spends(view: State, question: Budget, whim: random.Random) -> Answer:
    """Cards to spare for resources, restorations, corps where generals stand, armies and depots."""
    seat = question.seat
    hand = cards_of(view, seat)
    spare = max(0, len(hand) - 5)
    wishes: list[Order] = []
    for card in sorted(c for c in hand if event_worth(view, c) >= PRESSING):
        wishes += chosen(view, seat, card, whim)[:1]
    events = [c for c in hand if c in BUDGET_EVENTS and not treasured(view, c)]
    for card in sorted(events, key=lambda c: (CARDS[c].value, c))[:spare]:
        wishes += chosen(view, seat, card, whim)[:1]
    if seat == COALITION:
        wishes += _transports(view)
        wishes.append(BuyCard("instead"))
        wishes += [
            Send(4, "angleterre", ally)
            for ally in ("prusse", "autriche", "russie")
            if view.side_of(ally) == seat
        ]
    mine = [f for f in view.forces.values() if view.manager(view.patron(f.power)) == seat]
    wishes += [
        Withdraw((f.general, *f.units))
        for f in mine
        if f.side == seat and f.general and f.strength <= 2 and (f.inside or f.unsupplied)
    ]
    fighting = sorted(mine, key=lambda f: (f.side != seat, not f.army, -f.strength, f.id))
    for force in fighting:
        wishes += [Restore(unit) for unit, n in force.units.items() if n < UNITS[unit].steps]
    wishes += _commanders(view, fighting, seat)
    wishes += _expedition(view, seat)
    for power in _raising(view, seat):
        wishes += _column(view, seat, power)
    wishes += _generals(view, mine)
    for force in fighting:
        if force.army and force.side == seat:
            wishes += [BuyDepot(force.name)] * max(0, DEPOTS - len(force.depots))
    for force in fighting:
        column = force.general and not force.army and force.side == seat and force.strength >= COLUMN
        if seat == EMPIRE and column and not force.depots:
            wishes.append(BuyDepot(force.name))
    return _affordable(view, seat, wishes)


def _affordable(view: State, seat: str, wishes: list[Order]) -> Answer:
    """As many of the wishes as can be had, one after the other; each is tried on top of those before it."""
    treasury = Treasury(Desk(copied(view), None, "rehearsal"), seat)
    bought: Answer = ()
    refused = 0
    for order in wishes:
        if len(bought) >= MOST_BOUGHT or refused >= MOST_REFUSED:
            break
        trial = treasury.double()
        try:
            rehearse(trial.one(order))
        except Refused:
            refused += 1
        else:
            bought, treasury = (*bought, order), trial
    return bought or (Done(),)


def _commanders(view: State, fighting: list[Force], seat: str) -> list[Order]:
    """Armies for the quickest generals with troops enough, and quicker heads for armies that have a slow one."""
    found: list[Order] = []
    led = [f for f in fighting if f.general and not f.army and f.strength >= 4 and f.side == seat]
    for force in sorted(
        led, key=lambda f: (GENERALS[f.general].initiative, -command.limit(f), -f.strength, f.id)
    ):
        found.append(CreateArmy(force.general))
    for force in fighting:
        if not force.army or force.side != seat:
            continue
        old = GENERALS[force.general]
        better = [
            g
            for g in _pool(view.generals, GENERALS, force.power)
            if GENERALS[g].initiative < old.initiative and 2 * GENERALS[g].command >= force.steps
        ]
        if better:
            new = min(better, key=lambda g: (GENERALS[g].initiative, GENERALS[g].rank, g))
            found += [Withdraw((force.general,)), Assign(new, force.zone)]
    return found


def _expedition(view: State, seat: str) -> list[Order]:
    """9.3.2: two corps and a general against Naples, where nobody is near enough to take it; a depot for who is."""
    if seat != EMPIRE or view.side_of("naples") != COALITION:
        return []
    near = [
        f for f in view.of(EMPIRE) if f.general and f.strength >= 3 and board.distance(f.zone, "naples") <= 6
    ]
    if near:
        bare = [f for f in near if not f.depots and not f.army]
        return [BuyDepot(f.name) for f in sorted(bare, key=lambda f: (-f.strength, f.id))[:1]]
    zones = sorted(
        reinforcement_zones(view, "france"), key=lambda zone: (board.distance(zone, "naples"), zone)
    )
    free = [zone for zone in zones if not view.at(zone)][:1]
    heads = sorted(_pool(view.generals, GENERALS, "france"), key=lambda g: (-GENERALS[g].attack, g))
    corps = [u for u in _pool(view.units, UNITS, "france") if not UNITS[u].cavalry and not UNITS[u].home_only]
    corps.sort(key=lambda u: (UNITS[u].stars, -UNITS[u].steps, u))
    if not free or not heads or len(corps) < 2:
        return []
    zone = free[0]
    return [Build(corps[0], zone), Assign(heads[0], zone), Build(corps[1], zone)]


def _pool(places: dict[str, str], records: Mapping[str, Any], power: str) -> list[str]:
    return [piece for piece, place in places.items() if place == POOL and records[piece].power == power]


def _generals(view: State, mine: list[Force]) -> list[Order]:
    """The best to the strongest: as heads of corps without one, as subordinates of armies."""
    reserve = [g for g, place in view.generals.items() if place == POOL]
    found: list[Order] = []
    for general in sorted(reserve, key=lambda g: (GENERALS[g].initiative, -GENERALS[g].command, g)):
        same = [f for f in mine if f.power == GENERALS[general].power]
        armies = [f for f in same if f.army and len(f.subs) < 2]
        bare = [f for f in same if not f.general]
        found += [
            Assign(general, f.zone)
            for f in sorted((*armies, *bare), key=lambda f: (not f.army, -f.strength, f.id))[:4]
        ]
    return found


def _transports(view: State) -> list[Order]:
    """6.3.5: the free fleet, while the army at London has not ships enough to go abroad."""
    ships = len(view.fleets_at("port:londres", COALITION)) + len(view.fleets_at("sea:manche", COALITION))
    pool = sorted(f for f, place in view.fleets.items() if place == POOL and FLEETS[f].power == "angleterre")
    return [BuildFleet(pool[0], "londres")] if pool and ships < TRANSPORTS else []


def _raising(view: State, seat: str) -> list[str]:
    """The countries that a seat raises troops for: those at war first, the larger before the smaller."""
    pools = [u for u, place in view.units.items() if place == POOL]
    powers = {UNITS[u].power for u in pools if view.manager(view.patron(UNITS[u].power)) == seat}
    return sorted(powers, key=lambda p: (view.side_of(p) != seat, p not in MAJORS, p))


def _column(view: State, seat: str, power: str) -> list[Order]:
    """The units of a country's pool under one general, as near as can be to its main army, so that they can follow."""
    pool = _pool(view.units, UNITS, power)
    units = [unit for unit in pool if not UNITS[unit].home_only]
    units.sort(key=lambda u: (UNITS[u].cavalry, -UNITS[u].stars, -UNITS[u].morale, u))
    heads = _pool(view.generals, GENERALS, power)
    heads.sort(key=lambda g: (-GENERALS[g].command, GENERALS[g].initiative, g))
    armies = [f for f in view.of(seat) if f.general and view.patron(f.power) == view.patron(power)]
    main = max(armies, key=lambda f: (bool(f.army), f.strength, f.id), default=None)
    led = {f.zone for f in view.forces.values() if f.general and f.power == power}

    def rank(zone: str) -> tuple[int, bool, str]:
        return (board.distance(zone, main.zone) if main is not None else 0, zone not in led, zone)

    zones = sorted(reinforcement_zones(view, power), key=rank)[:3]
    found: list[Order] = []
    for zone, head in zip(zones, [*heads, "", "", ""], strict=False):
        if zone not in led and head and units:
            found += [Build(units[0], zone), Assign(head, zone)]
        found += [Build(unit, zone) for unit in _shiploads(view, power, units)]
    militia = [unit for unit in pool if UNITS[unit].home_only]
    free = [zone for zone in reinforcement_zones(view, power) if not view.at(zone) and zone not in zones]
    return found + [Build(unit, zone) for unit, zone in zip(militia, free, strict=False)]


def _shiploads(view: State, power: str, units: list[str]) -> list[str]:
    """15.7.1: the units that an army at London may still grow by if it is to be carried over the sea."""
    if power != "angleterre":
        return units
    room = 2 * TRANSPORTS - sum(f.steps for f in view.at("londres", COALITION))
    loads = accumulate(UNITS[unit].steps for unit in units)
    return [unit for unit, load in zip(units, loads, strict=True) if load <= room]


def redeploys(view: State, question: Redeployment) -> Answer:
    """Corps go to the armies, and armies to where they are wanted."""
    eye = Eye(view, question.seat)
    wishes = _garrisons(eye)
    posted = {order.force for order in wishes if isinstance(order, Redeploy)}
    heads = sorted(
        (f for f in eye.friends if f.general), key=lambda f: (-bool(f.army), -command.limit(f), f.id)
    )
    for force in sorted(eye.friends, key=lambda f: (-f.strength, f.id)):
        if (
            force.army
            or force.name in posted
            or force.strength > SMALL
            or eye.watches(force)
            or eye.errand(force)
            or eye.keeps_faith(force)
        ):
            continue
        goal = _rendezvous(eye, force, heads)
        if goal:
            wishes.append(Redeploy(force.name, (goal,)))
    sent = _sent_to_naples(eye, heads)
    for head in heads:
        goal = _front(eye, head) if head.id != sent else ""
        if goal:
            wishes.append(Redeploy(head.name, (goal,)))
    return fitting(view, question, wishes, refusals=25)


def _sent_to_naples(eye: Eye, heads: list[Force]) -> str:
    """9.3.2: the force that is to take Naples, once that is wanting: it is not called to another front."""
    if eye.side != EMPIRE or eye.prizes.get("naples", 0.0) < GREAT or not could_found(eye.view):
        return ""
    ways = eye.ways("naples")
    able = [f for f in heads if not f.army and f.strength >= 3 and ways.get(f.zone, 99) <= RANGE]
    return min(able, key=lambda f: (ways[f.zone], -f.strength, f.id)).id if able else ""


def _garrisons(eye: Eye) -> list[Order]:
    """Small forces for key zones that stand empty, where much hangs on them: an open town falls to whoever comes."""
    found: list[Order] = []
    used: set[str] = set()
    for zone, stake in sorted(eye.stakes.items(), key=lambda pair: (-pair[1], pair[0])):
        if stake < 2 * GREAT or eye.view.at(zone, eye.side, inside=None):
            continue
        able = [
            f
            for f in eye.friends
            if f.strength <= GARRISON and f.id not in used and f.zone not in eye.stakes and not tied(f)
            if eye.ways(zone).get(f.zone, 99) <= f.movement * (2 if f.general else 1)
        ]
        if able:
            force = min(able, key=lambda f: (f.strength, eye.ways(zone)[f.zone], f.id))
            used.add(force.id)
            found.append(Redeploy(force.name, (zone,)))
    return found


def _rendezvous(eye: Eye, force: Force, heads: list[Force]) -> str:
    """Where a small force joins a larger one; else a safe place as near to it as can be."""
    most = force.movement * (2 if force.general else 1)
    able = [
        f
        for f in heads
        if f.id != force.id
        and f.strength >= force.strength
        and tied(f) == tied(force)
        and not command.may_join(f, force)[0]
    ]
    able = [f for f in able if f.army or eye.errand(f)] or able
    able.sort(key=lambda f: (eye.ways(f.zone).get(force.zone, 99), f.id))
    far = board.distances(force.zone, most, lambda start, to: to not in eye.closed).cost
    near = [f for f in able if f.zone in far and f.zone != force.zone]
    if near:
        return min(near, key=lambda f: (not eye.errand(f), not f.army, far[f.zone], f.id)).zone
    if not able:
        return ""
    ways = eye.ways(able[0].zone)
    safe = [
        zone
        for zone, points in far.items()
        if 0 < points <= force.movement
        and eye.view.controller(zone) == eye.side
        and not eye.view.at(zone)
        and ways.get(zone, 99) < ways.get(force.zone, 99)
        and eye.feeds(force, zone)
        and eye.beaten_by(force, zone) < 0.5
    ]
    return min(safe, key=lambda zone: (ways[zone], zone), default="")


def _front(eye: Eye, force: Force) -> str:
    """A place of one's own, in reach, from which the best prize is nearest."""
    if force.strength < 4 or eye.watches(force):
        return ""
    pull = Pull(eye, force).at
    far = board.distances(force.zone, 2 * force.movement).cost
    good = [
        zone
        for zone, points in far.items()
        if points
        and eye.view.controller(zone) == eye.side
        and not eye.view.at(zone)
        and eye.feeds(force, zone)
        and eye.beaten_by(force, zone) < 0.5
    ]
    best = max(good, key=lambda zone: (pull(zone), zone), default="")
    return best if best and pull(best) > pull(force.zone) * 1.05 else ""
