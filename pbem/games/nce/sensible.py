"""A robot that plays to win: it marches on what it can take, fights when it is stronger, and spends what it has."""

from __future__ import annotations

import random
from collections.abc import Iterator

from pbem.games.nce import battle, board, diplomacy, siege
from pbem.games.nce.charts import CARDS, COUNTRIES, GENERALS, UNITS, ZONES
from pbem.games.nce.letter import austrian_duty, card_points, duty_force
from pbem.games.nce.orders import (
    Activate,
    Besiege,
    CombatCards,
    Engage,
    Garrison,
    Go,
    Lead,
    Mark,
    Negotiate,
    NoCard,
    Play,
    Rally,
    Second,
)
from pbem.games.nce.places import reinforcement_zones
from pbem.games.nce.plans import Fight
from pbem.games.nce.questions import Budget, Talks, Terms
from pbem.games.nce.reactions import Interception, Response, interceptors, open_for_evasion
from pbem.games.nce.replies import (
    Assign,
    Build,
    BuyCard,
    BuyDepot,
    CreateArmy,
    Done,
    Evade,
    Intercept,
    IntoFortress,
    LetPass,
    Restore,
    Stand,
)
from pbem.games.nce.robot import event
from pbem.games.nce.rounds import Act
from pbem.games.nce.state import HIDDEN, POOL, Force, State, enemy
from pbem.games.nce.tempo import now, weather_loss
from pbem.kernel.order import Answer, Order
from pbem.kernel.question import Question

STRONGER = 1.4
MOST_PLANS = 8


def sensible(view: State, question: Question, whim: random.Random) -> Answer:
    """A legal answer that a player might give."""
    if isinstance(question, Act):
        return _act(view, question, whim)
    if isinstance(question, Fight):
        return question.everything(view) or (Done(),)
    if isinstance(question, Response):
        return _respond(view, question)
    if isinstance(question, Interception):
        return _intercept(view, question)
    if isinstance(question, Budget):
        return _spend(view, question, whim)
    if isinstance(question, Talks):
        return _talk(view, question)
    if isinstance(question, Terms):
        return question.default(view)
    return question.default(view)


def _worth(view: State, zone: str, side: str) -> float:
    """What a zone of the enemy is worth."""
    record = ZONES[zone]
    owner = view.owner_of(zone)
    keys = COUNTRIES[owner].key_zones if owner in COUNTRIES else ()
    value = 1.0 + (6 if zone in keys else 0) + (4 if record.capital_of else 0) + (2 if record.fortress else 0)
    del side
    return value if record.city else 0.3


def _odds(view: State, force: Force, foes: list[Force]) -> float:
    """The chance to win against those who stand there."""
    strength = sum(foe.strength for foe in foes)
    if not strength:
        return 1.0
    mine = battle.tactical(force, "attacker") + 1
    theirs = max(battle.tactical(foe, "defender") for foe in foes)
    return battle.chances(force.strength, strength, mine, theirs)["win"]


def _plans(view: State, side: str) -> Iterator[tuple[float, int, list[Order]]]:
    """What each force could do: its worth, its cost in points, and the orders."""
    other = enemy(side)
    duty = austrian_duty(view, side)
    goals = {z for z in ZONES if view.controller(z) == other and ZONES[z].city}
    for force in view.of(side):
        if force.acted == now(view) or (force.inside and force.zone in view.siege):
            continue
        if duty and not duty_force(view, force):
            continue
        cost = GENERALS[force.general].initiative if force.general else 1
        points = force.movement - weather_loss(view, force)
        if force.demoralised and force.general and points >= 2:
            yield 3.0, cost, [Activate(force.name), Rally()]
            continue
        if force.zone in view.siege and view.controller(force.zone) == other:
            yield 2 + _worth(view, force.zone, side), cost, [Activate(force.name), Besiege(min(3, points))]
            continue
        yield from _marches(view, force, cost, points, goals)


def _marches(
    view: State, force: Force, cost: int, points: int, goals: set[str]
) -> Iterator[tuple[float, int, list[Order]]]:
    side, other = force.side, enemy(force.side)
    march = 1 if force.general and force.strength >= 6 and not force.demoralised else 0
    far, _ = board.distances(force.zone, points + march)
    if view.national(force.zone, force.power) and _threatened(view, force):
        return
    for zone, spent in far.items():
        if zone == force.zone:
            continue
        foes = view.at(zone, other)
        chance = _odds(view, force, foes)
        if chance < 0.5 or (foes and not force.general):
            continue
        orders: list[Order] = [Activate(force.name, max(0, spent - points)), Go((zone,)), *_plan(view, force)]
        left = points + march - spent
        value = sum(foe.strength for foe in foes) * chance
        if zone in goals and view.fortress(zone):
            if force.strength < siege.steps_needed(view, zone):
                continue
            orders.append(Besiege(max(1, min(3, left))))
            value += _worth(view, zone, side) * (0.9 if left or foes else 0.4)
            if force.depots:
                orders.append(Garrison())
            if not left and not foes:
                orders.pop(1 + next(i for i, o in enumerate(orders[1:]) if isinstance(o, Besiege)))
                orders = [order for order in orders if not isinstance(order, Garrison)]
        elif zone in goals:
            value += _worth(view, zone, side)
            if left and not foes:
                orders.append(Mark())
        elif not foes:
            value += _closer(view, force, zone, goals)
        if value > 0:
            yield value / (cost + 0.5), cost, orders


def _threatened(view: State, force: Force) -> bool:
    """Whether a stronger enemy stands next door to a capital that it guards."""
    if not ZONES[force.zone].key:
        return False
    near = [foe for zone in board.neighbours(force.zone) for foe in view.at(zone, enemy(force.side))]
    return sum(foe.strength for foe in near) >= force.strength


def _closer(view: State, force: Force, zone: str, goals: set[str]) -> float:
    """A little, for coming nearer to a key zone of the enemy."""
    if not force.general or view.at(zone, force.side):
        return 0.0
    keys = [goal for goal in goals if ZONES[goal].key]
    if not keys:
        return 0.0
    here, there = board.all_distances(force.zone), board.all_distances(zone)
    gain = min(here.get(k, 99) for k in keys) - min(there.get(k, 99) for k in keys)
    return 0.15 * gain * min(force.strength, 10) / 10


def _plan(view: State, force: Force) -> list[Order]:
    """The battle orders of a march: best lead, special units, best subordinate, fitting cards."""
    found: list[Order] = []
    elites = sorted((u for u in force.units if UNITS[u].stars), key=lambda u: (-UNITS[u].stars, u))
    found += [Lead(elites[0])] if elites else []
    found += [Engage(tuple(force.special))] if force.special else []
    subs = sorted(force.subs, key=lambda g: (-GENERALS[g].attack, g))
    found += [Second(subs[0])] if subs else []
    cards = [c for c in view.hands[force.side] if c != HIDDEN and CARDS[c].cc == "land"]
    found += [CombatCards(tuple(cards))] if cards else []
    return found or [Second("nobody")]


def _act(view: State, question: Act, whim: random.Random) -> Answer:
    """The best plans that the cheapest fitting card pays for."""
    side = question.seat
    hand = [card for card in view.hands[side] if card != HIDDEN]
    plans = sorted(_plans(view, side), key=lambda plan: (-plan[0], plan[1], str(plan[2][0])))[:40]
    politics = _politics(view, question, hand, whim)
    if politics:
        return politics
    if not plans:
        return (NoCard(),)
    best: Answer = ()
    for wanted in plans[:MOST_PLANS]:
        action = _pay(view, side, hand, wanted[1])
        answer: Answer = (action, *wanted[2])
        if not question.check(view, answer):
            best = _extend(view, question, answer, plans)
            break
    return best or (NoCard(),)


def _extend(
    view: State, question: Act, answer: Answer, plans: list[tuple[float, int, list[Order]]]
) -> Answer:
    """More activations, as long as the points last."""
    used = {order.force for order in answer if isinstance(order, Activate)}
    tried = 0
    for _, _, orders in plans:
        first = orders[0]
        if tried >= MOST_PLANS or not isinstance(first, Activate) or first.force in used:
            continue
        tried += 1
        longer = (*answer, *orders)
        if not question.check(view, longer):
            answer = longer
            used.add(first.force)
    return answer


def _pay(view: State, side: str, hand: list[str], cost: int) -> Order:
    """The card that just pays, combat cards last; none where the reserve suffices."""
    if cost <= 1 + view.reserve[side] and (not hand or len(hand) <= view.last_round - view.round):
        return NoCard()
    able = [c for c in hand if card_points(view, side, c) + view.reserve[side] >= cost]
    if not able:
        return NoCard()
    return Play(min(able, key=lambda c: (bool(CARDS[c].cc), -card_points(view, side, c), c)))


EASY = (
    "25F",
    "24F",
    "20F",
    "38F",
    "45F",
    "49F",
    "37F",
    "19C",
    "45C",
    "47C",
    "52C",
    "35F",
    "44F",
    "17F",
    "34F",
    "11F",
)


def _politics(view: State, question: Act, hand: list[str], whim: random.Random) -> Answer:
    """Events that are always good, when they can be played."""
    for card in EASY:
        if card in hand and "activation" in CARDS[card].phases:
            answer: Answer = (event(view, question.seat, card, whim),)
            if not question.check(view, answer):
                return answer
    return ()


def _respond(view: State, question: Response) -> Answer:
    force = view.forces[question.force]
    weak = question.steps > STRONGER * force.strength
    for answer in ((IntoFortress(),), (Evade(),)):
        order = answer[0]
        if isinstance(order, Evade):
            ways = open_for_evasion(view, force, question.came)
            friendly = [zone for zone in ways if view.controller(zone) == force.side]
            answer = (Evade(tuple((friendly or ways)[:1])),)
        if weak and not question.check(view, answer):
            return answer
    return (Stand(),)


def _intercept(view: State, question: Interception) -> Answer:
    for force in sorted(interceptors(view, question.seat, question.zone), key=lambda f: -f.strength):
        if force.strength < STRONGER * question.steps:
            break
        cards = sorted(
            (c for c in view.hands[question.seat] if c != HIDDEN),
            key=lambda c: (bool(CARDS[c].cc), CARDS[c].value, c),
        )
        for card in cards:
            answer: Answer = (Intercept(force.general, card),)
            if not question.check(view, answer):
                return answer
    return (LetPass(),)


def _spend(view: State, question: Budget, whim: random.Random) -> Answer:
    """Events, restorations, corps where generals stand, armies, depots: as far as the resources go."""
    seat = question.seat
    wishes: list[Order] = []
    for card in view.hands[seat]:
        if card != HIDDEN and "budget" in CARDS[card].phases and card not in ("16C", "45C", "46C", "3C"):
            wishes.append(event(view, seat, card, whim))
    mine = [f for f in view.forces.values() if view.manager(view.patron(f.power)) == seat]
    for force in sorted(mine, key=lambda f: (not f.army, f.id)):
        wishes += [Restore(unit) for unit, n in force.units.items() if n < UNITS[unit].steps]
    wishes += _generals(view, mine)
    pool = [
        u for u, p in view.units.items() if p == POOL and view.manager(view.patron(UNITS[u].power)) == seat
    ]
    for unit in sorted(pool, key=lambda u: (-UNITS[u].stars, -UNITS[u].morale, u)):
        zones = reinforcement_zones(view, UNITS[unit].power)
        led = [z for z in zones if any(f.general for f in view.at(z))]
        free = [z for z in zones if not view.at(z, inside=None)]
        wishes += [Build(unit, zone) for zone in (*led[:3], *free[:2])]
    for force in mine:
        if force.general and not force.army and force.strength >= 4:
            wishes.append(CreateArmy(force.general))
        elif force.army and not force.depots:
            wishes.append(BuyDepot(force.name))
    if seat == "coalition":
        wishes.append(BuyCard("instead"))
    return _fitting(view, question, wishes)


def _generals(view: State, mine: list[Force]) -> list[Order]:
    reserve = [g for g, place in view.generals.items() if place == POOL]
    found: list[Order] = []
    for general in sorted(reserve, key=lambda g: (GENERALS[g].initiative, -GENERALS[g].command, g)):
        zones = [f.zone for f in mine if not f.general and f.power == GENERALS[general].power]
        found += [Assign(general, zone) for zone in zones[:2]]
    return found


def _fitting(view: State, question: Question, wishes: list[Order]) -> Answer:
    """As many of the wishes as can be had, one after the other."""
    chosen: Answer = ()
    refused = 0
    for order in wishes:
        if len(chosen) >= 40 or refused >= 60:
            break
        if question.check(view, (*chosen, order)):
            refused += 1
        else:
            chosen = (*chosen, order)
    return chosen or (Done(),)


def _talk(view: State, question: Talks) -> Answer:
    """The likeliest alliance, with the cheapest card that will do."""
    side = question.seat
    hand = sorted((c for c in view.hands[side] if c != HIDDEN), key=lambda c: (CARDS[c].value, c))
    chosen: Answer = ()
    targets = [
        c for c in COUNTRIES.values() if not diplomacy.target_problem(view, side, c.id, minors_only=False)[0]
    ]

    def chance(country: str) -> int:
        return COUNTRIES[country].bonus.get(side, 0) + diplomacy.history(view, side, country)

    targets.sort(key=lambda c: (-chance(c.id), not c.major, c.id))
    for country in targets[:4]:
        if chance(country.id) < 1 or len(chosen) == 2 or len(hand) < 5:
            continue
        for card in hand:
            answer = (*chosen, Negotiate(country.id, card))
            if not question.check(view, answer):
                chosen = answer
                break
    return chosen or (Done(),)
