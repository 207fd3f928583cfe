"""How the sensible robot rules: cards and their price, declarations, budgets, diplomacy, redeployment, peace."""

from __future__ import annotations

import random
from collections.abc import Iterable

from pbem.games.nce import board, command, diplomacy
from pbem.games.nce.charts import CARDS, COUNTRIES, GENERALS, POWERS, PROVINCES, UNITS
from pbem.games.nce.eye import Eye
from pbem.games.nce.generalship import PATIENCE
from pbem.games.nce.orders import Negotiate, Protect
from pbem.games.nce.places import reinforcement_zones
from pbem.games.nce.questions import Budget, Hand, Redeployment, Talks, Terms, War
from pbem.games.nce.replies import (
    Annex,
    Assign,
    Build,
    BuyCard,
    BuyDepot,
    CreateArmy,
    Declare,
    Discard,
    Done,
    ForceAlliance,
    Redeploy,
    Restore,
    Send,
    Withdraw,
)
from pbem.games.nce.robot import event
from pbem.games.nce.state import COALITION, EMPIRE, HIDDEN, POOL, Force, State
from pbem.kernel.order import Answer, Order
from pbem.kernel.question import Question

EVENTS: dict[str, float] = {
    "20F": 20,
    "24F": 12,
    "45F": 18,
    "38F": 8,
    "49F": 8,
    "22F": 9,
    "25F": 6,
    "39F": 6,
    "35F": 4,
    "15F": 4,
    "4F": 3,
    "34F": 3,
    "44F": 3,
    "11F": 2,
    "17F": 2,
    "37F": 3,
    "46F": 4,
    "50F": 5,
    "53F": 4,
    "19C": 12,
    "45C": 7,
    "47C": 7,
    "46C": 5,
    "37C": 5,
    "52C": 4,
    "2C": 5,
    "38C": 3,
    "35C": 2.5,
    "41C": 3,
    "53C": 2.5,
    "44C": 3,
    "18C": 2,
    "8C": 1.5,
    "13C": 1.2,
    "17C": 2,
}
"""What the event of a card is worth to its owner, where it can be played at all."""
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
HELD = ("20F", "45F", "24F", "25F", "22F", "38F", "49F", "26F", "27C", "19C", "45C", "47C")
"""Cards that are worth waiting for."""


def cards_of(view: State, side: str) -> list[str]:
    """The hand that the seat can see."""
    return [card for card in view.hands[side] if card != HIDDEN]


def price(view: State, card: str) -> float:
    """What is given up with a card besides its points."""
    record = CARDS[card]
    return (1.2 if record.cc == "land" else 0.0) + _hope(view, card) + 0.2 * min(5, EVENTS.get(card, 0))


def event_worth(view: State, card: str) -> float:
    """What the event of a card is worth now: the Spanish adventure only where it opens the way to victory."""
    if card in ("24F", "25F") and "20F" not in view.events:
        return 0.0
    return EVENTS.get(card, 0.0)


def _hope(view: State, card: str) -> float:
    """What keeping a card promises, as its conditions stand."""
    beaten = sum(power in view.beaten[EMPIRE] for power in ("autriche", "prusse"))
    falling = any(
        view.controller(zone) == EMPIRE
        for power in view.majors(COALITION)
        for zone in POWERS[power].key_zones
    )
    return {
        "20F": 3.0 * beaten,
        "45F": 6.0 if "20F" in view.events else 1.0,
        "24F": 6.0 if "20F" in view.events else 0.0,
        "22F": 4.0 if view.controller("varsovie") == EMPIRE else 0.5,
        "38F": 6.0,
        "49F": 6.0,
        "26F": 3.0 if falling else 0.5,
        "27C": 6.0 if falling else 1.5,
        "19C": 6.0,
        "45C": 3.0,
        "47C": 3.0,
    }.get(card, 0.0)


def declares(view: State, question: War) -> Answer:
    """War on a power that stands between the Empire and its victory, when it is weak and alone."""
    side = question.seat
    if side != EMPIRE:
        return (Done(),)
    mine = sum(f.strength for f in view.of(EMPIRE) if f.power not in ("espagne", "turquie"))
    theirs = sum(f.strength for f in view.of(COALITION) if f.power not in ("angleterre", "espagne"))
    for power in ("prusse", "autriche"):
        if diplomacy.declare_problem(view, side, power)[0] or view.beaten[EMPIRE].get(power):
            continue
        his = sum(f.strength for f in view.forces.values() if f.power == power)
        if mine > his + 0.5 * theirs:
            return (Declare(power),)
    return (Done(),)


def discards(view: State, question: Hand) -> Answer:
    """Only what can never be played again."""
    dead = [c for c in cards_of(view, question.seat) if CARDS[c].value == 0 and c not in HELD]
    answer: Answer = (Discard(tuple(dead)),) if dead else (Done(),)
    return answer if not question.check(view, answer) else (Done(),)


def spends(view: State, question: Budget, whim: random.Random) -> Answer:
    """Cards to spare for resources, restorations, corps where generals stand, armies and depots."""
    seat = question.seat
    hand = cards_of(view, seat)
    spare = max(0, len(hand) - 6)
    wishes: list[Order] = []
    for card in sorted((c for c in hand if c in BUDGET_EVENTS), key=lambda c: (CARDS[c].value, c))[:spare]:
        wishes.append(event(view, seat, card, whim))
    if seat == COALITION:
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
    wishes += _generals(view, mine)
    wishes += _corps(view, seat)
    for force in fighting:
        if force.general and not force.army and force.strength >= 4:
            wishes.append(CreateArmy(force.general))
        elif force.army and len(force.depots) < 2 and force.side == seat:
            wishes.append(BuyDepot(force.name))
    return fitting(view, question, wishes)


def _generals(view: State, mine: list[Force]) -> list[Order]:
    reserve = [g for g, place in view.generals.items() if place == POOL]
    found: list[Order] = []
    for general in sorted(reserve, key=lambda g: (GENERALS[g].initiative, -GENERALS[g].command, g)):
        same = [f for f in mine if f.power == GENERALS[general].power]
        zones = [f.zone for f in same if not f.general]
        zones += [f.zone for f in same if f.army and len(f.subs) < 2]
        found += [Assign(general, zone) for zone in zones[:2]]
    return found


def _corps(view: State, seat: str) -> list[Order]:
    """Units of the pool, as near as can be to the strongest army of the side, beside a general where there is one."""
    pool = [
        u for u, p in view.units.items() if p == POOL and view.manager(view.patron(UNITS[u].power)) == seat
    ]
    found: list[Order] = []
    for unit in sorted(pool, key=lambda u: (-UNITS[u].stars, -UNITS[u].morale, u)):
        power = UNITS[unit].power
        zones = reinforcement_zones(view, power)
        armies = [f for f in view.of(seat) if f.general and view.patron(f.power) == view.patron(power)]
        main = max(armies, key=lambda f: (bool(f.army), f.strength, f.id), default=None)

        def rank(zone: str, main: Force | None = main) -> tuple[int, bool, str]:
            led = any(f.general and f.strength < command.limit(f) for f in view.at(zone))
            return (board.distance(zone, main.zone) if main is not None else 0, not led, zone)

        found += [Build(unit, zone) for zone in sorted(zones, key=rank)[:3]]
    return found


def fitting(
    view: State, question: Question, wishes: Iterable[Order], most: int = 40, refusals: int = 60
) -> Answer:
    """As many of the wishes as can be had, one after the other."""
    chosen: Answer = ()
    refused = 0
    for order in wishes:
        if len(chosen) >= most or refused >= refusals:
            break
        if question.check(view, (*chosen, order)):
            refused += 1
        else:
            chosen = (*chosen, order)
    return chosen or (Done(),)


def talks(view: State, question: Talks, whim: random.Random) -> Answer:
    """Events that are worth points, protectorates, a great power, then the likeliest minor with a card to spare."""
    side = question.seat
    hand = sorted(cards_of(view, side), key=lambda c: (price(view, c), CARDS[c].value, c))
    wishes: list[Order] = []
    for card in sorted((c for c in hand if event_worth(view, c) >= 3), key=lambda c: -EVENTS[c]):
        if "diplomacy" in CARDS[card].phases:
            wishes += [event(view, side, card, whim) for _ in range(2)]
    if side == EMPIRE:
        wishes += [
            Protect(country.id, card)
            for country in COUNTRIES.values()
            if country.protectorate_possible and not diplomacy.protect_problem(view, country.id)[0]
            for card in hand
            if CARDS[card].value >= 2 and card not in HELD
        ]
    wishes += _approaches(view, side, hand)
    most = 2 if len(hand) > 7 else 1
    return fitting(view, question, wishes, most=most, refusals=40)


def _approaches(view: State, side: str, hand: list[str]) -> list[Order]:
    def chance(country: str) -> float:
        record = COUNTRIES[country]
        total = record.bonus.get(side, 0) + diplomacy.history(view, side, country)
        return total + (
            1.0 if record.major else 0.5 if record.protectorate_possible and side == EMPIRE else 0.0
        )

    targets = [
        c.id
        for c in COUNTRIES.values()
        if not diplomacy.target_problem(view, side, c.id, minors_only=False)[0]
    ]
    targets.sort(key=lambda c: (-chance(c), c))
    found: list[Order] = []
    for country in targets[:3]:
        needed = diplomacy.min_card(view, country)
        able = [c for c in hand if CARDS[c].value >= needed and c not in HELD]
        if able and chance(country) >= 1 and (COUNTRIES[country].major or len(hand) > 6):
            found.append(Negotiate(country, min(able, key=lambda c: (CARDS[c].value, price(view, c), c))))
    return found


def redeploys(view: State, question: Redeployment) -> Answer:
    """Corps join the armies, and armies go to where they are wanted."""
    side = question.seat
    eye = Eye(view, side)
    wishes: list[Order] = []
    heads = sorted(
        (f for f in eye.friends if f.general), key=lambda f: (-bool(f.army), -command.limit(f), f.id)
    )
    for force in eye.friends:
        if _watches(eye, force):
            continue
        if force.army:
            continue
        for head in heads:
            near = 0 < board.distance(force.zone, head.zone) <= 2 * force.movement
            if near and head.id != force.id and not command.may_join(head, force)[0]:
                wishes.append(Redeploy(force.name, (head.zone,)))
                break
    for head in heads:
        goal = _front(eye, head)
        if goal:
            wishes.append(Redeploy(head.name, (goal,)))
    return fitting(view, question, wishes, refusals=25)


def _front(eye: Eye, force: Force) -> str:
    """A place of one's own, in reach, from which the best prize is nearest."""
    if force.strength < 4 or _watches(eye, force):
        return ""
    prizes = [(zone, worth) for zone, worth in eye.prizes.items() if worth >= 4]

    def pull(zone: str) -> float:
        return max((worth * PATIENCE ** board.distance(zone, prize) for prize, worth in prizes), default=0.0)

    far, _ = board.distances(force.zone, 2 * force.movement)
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


def _watches(eye: Eye, force: Force) -> bool:
    """Whether it guards a key zone that is in danger, or besieges a fortress."""
    near = any(board.distance(force.zone, key) <= 1 and eye.threat(key) for key in eye.own_keys)
    return near or force.zone in eye.view.siege


def terms(view: State, question: Terms) -> Answer:
    """Provinces where they make new states first, then any; a forced alliance where it can be had."""
    power, side = question.power, question.seat
    wishes: list[Order] = []
    if side == EMPIRE:
        wishes += [Annex("mazovie", "pologne"), Annex("tyrol", "baviere"), Annex("venetie", "royaume_italie")]
    to = "france" if side == EMPIRE else "angleterre"
    owned = [p.id for p in PROVINCES.values() if view.owner_of(p.zones[0]) == power]
    wishes += [Annex(province, to) for province in owned]
    if side == EMPIRE:
        wishes += [Annex(p, "pologne") for p in owned if "P" in PROVINCES[p].marks]
        wishes += [
            ForceAlliance(card)
            for card in sorted(cards_of(view, side), key=lambda c: (price(view, c), c))[:1]
        ]
    return fitting(view, question, wishes, most=8)
