"""A robot that does anything legal."""

from __future__ import annotations

import random
from itertools import islice

from pbem.games.nce import board
from pbem.games.nce.cards.interpreter import trimmed
from pbem.games.nce.charts import CARDS, COUNTRIES, FLEETS, GENERALS, SEAS, UNITS, ZONES
from pbem.games.nce.orders import (
    Activate,
    Besiege,
    Blockade,
    CombatCards,
    Garrison,
    Go,
    Land,
    Lead,
    Mark,
    Negotiate,
    NoCard,
    Play,
    PlayEvent,
    Rally,
    Sail,
    SpendDepot,
    Take,
)
from pbem.games.nce.powers.interphase_questions import Budget, Redeployment, Talks
from pbem.games.nce.powers.places import reinforcement_zones
from pbem.games.nce.replies import (
    AgainstEvasion,
    Assign,
    Build,
    BuildFleet,
    BuyCard,
    BuyDepot,
    CreateArmy,
    Done,
    Redeploy,
    Restore,
)
from pbem.games.nce.rounds import Act
from pbem.games.nce.state import HIDDEN, POOL, Force, State, enemy
from pbem.kernel.order import Answer, Order
from pbem.kernel.question import Question

TRIES = 12


def at_random(view: State, question: Question[State], whim: random.Random) -> Answer:
    """Anything legal."""
    if isinstance(question, Act):
        return _letter(view, question, whim)
    if isinstance(question, Budget):
        return _grow(view, question, whim, _spending(view, question.seat, whim))
    if isinstance(question, Talks):
        return _talks(view, question, whim)
    if isinstance(question, Redeployment):
        return _grow(view, question, whim, _moves(view, question.seat, whim))
    if question.kind() == "war" and whim.random() < 0.8:
        return (Done(),)
    answers = list(islice(question.legal(view), 60))
    for _ in range(TRIES):
        answer = whim.choice(answers)
        if not question.check(view, answer):
            return answer
    return question.default(view)


def _grow(view: State, question: Question[State], whim: random.Random, orders: list[Order]) -> Answer:
    """As many of the orders as can be carried out one after the other."""
    chosen: Answer = ()
    whim.shuffle(orders)
    for order in orders[:8]:
        if not question.check(view, (*chosen, order)):
            chosen = (*chosen, order)
    return chosen or (Done(),)


def _letter(view: State, question: Act, whim: random.Random) -> Answer:
    hand = [card for card in view.hands[question.seat] if card != HIDDEN]
    for _ in range(TRIES):
        letter: list[Order] = [_action(view, question.seat, hand, whim)]
        if isinstance(letter[0], Negotiate) or not question.check(view, tuple(letter)):
            for _ in range(whim.choice((0, 1, 1, 2, 3))):
                longer = [*letter, *_activation(view, question.seat, whim)]
                if not question.check(view, tuple(longer)):
                    letter = longer
        if not question.check(view, tuple(letter)):
            return tuple(letter)
    return question.default(view)


def _action(view: State, seat: str, hand: list[str], whim: random.Random) -> Order:
    roll = whim.random()
    if not hand or roll < 0.15:
        return NoCard()
    card = whim.choice(hand)
    if roll < 0.55:
        return Play(card)
    if roll < 0.6:
        return Negotiate(whim.choice(sorted(COUNTRIES)), card)
    return event(view, seat, card, whim)


def event(view: State, seat: str, card: str, whim: random.Random) -> PlayEvent:
    """A card as event, with whims for its choices."""
    targets = [force.name for force in view.forces.values()]
    options = CARDS[card].options
    record = CARDS[card]
    country = whim.choice(sorted(COUNTRIES))
    for effect in record.effect:
        wanted = effect.get("targets") or effect.get("countries")
        if isinstance(wanted, list):
            country = whim.choice(wanted)
    force = whim.choice(targets) if targets else ""
    moved = view.force_with(force) if force else None
    near = board.neighbours(moved.zone) if moved else ()
    whole = PlayEvent(
        card,
        option=whim.choice(options) if options else "",
        country=country,
        force=force,
        to=whim.choice(near) if near else "",
        zones=(whim.choice(sorted(SEAS)),) if card == "10F" else (),
    )
    return trimmed(view, seat, whole, "activation" if view.phase == "rounds" else view.phase)


def _activation(view: State, seat: str, whim: random.Random) -> list[Order]:
    if whim.random() < 0.15:
        sailing = _sailing(view, seat, whim)
        if sailing:
            return sailing
    able = [f for f in view.of(seat) if not f.inside]
    if not able:
        return []
    force = whim.choice(able)
    orders: list[Order] = [Activate(force.name, whim.choice((0, 0, 0, 1, 2, 3)))]
    if force.demoralised and whim.random() < 0.5:
        orders.append(Rally())
    if view.siege.get(force.zone) is not None and whim.random() < 0.7:
        orders.append(Besiege(whim.randint(1, 2)))
        return orders
    way = _walk(view, force, whim)
    if way:
        orders.append(Go(way))
    goal = way[-1] if way else force.zone
    if view.controller(goal) == enemy(seat) and ZONES[goal].city:
        orders.append(Besiege(whim.randint(1, 2)) if view.fortress(goal) else Mark())
        if view.fortress(goal) and force.depots and whim.random() < 0.3:
            orders.append(Garrison())
    elif whim.random() < 0.2 and view.at(goal, seat):
        orders.append(Take())
    if whim.random() < 0.2:
        orders.append(SpendDepot())
    if view.at(goal, enemy(seat)):
        orders += _plan(view, force, seat, whim)
    return orders


def _plan(view: State, force: Force, seat: str, whim: random.Random) -> list[Order]:
    found: list[Order] = []
    elites = [unit for unit in force.units if UNITS[unit].stars]
    if elites and whim.random() < 0.5:
        found.append(Lead(whim.choice(elites)))
    cards = [c for c in view.hands[seat] if c != HIDDEN and CARDS[c].cc == "land"]
    if cards and whim.random() < 0.5:
        found.append(CombatCards((whim.choice(cards),)))
    traps = [c for c in view.hands[seat] if c in ("3F", "6F")]
    if traps and whim.random() < 0.5:
        found.append(AgainstEvasion(traps[0]))
    return found


def _walk(view: State, force: Force, whim: random.Random) -> tuple[str, ...]:
    here, way, left = force.zone, list[str](), force.movement + 1
    while left > 0 and (not way or whim.random() < 0.6):
        near = list(board.neighbours(here))
        foes = [z for z in near if view.controller(z) == enemy(force.side) or view.at(z, enemy(force.side))]
        if not near:
            break
        there = whim.choice(foes if foes and whim.random() < 0.6 else near)
        left -= board.step_cost(here, there)
        if left < 0 or there in way or there == force.zone:
            break
        way.append(there)
        here = there
    return tuple(way)


def _sailing(view: State, seat: str, whim: random.Random) -> list[Order]:
    able = [f for f, place in view.fleets.items() if ":" in place and view.side_of(FLEETS[f].power) == seat]
    if not able:
        return []
    fleet = whim.choice(able)
    kind, _, where = view.fleets[fleet].partition(":")
    sea = where if kind == "sea" else ZONES[where].port
    path = [sea] if kind != "sea" else []
    for _ in range(whim.randint(0, 2)):
        path.append(whim.choice(SEAS[path[-1] if path else sea].neighbours))
    last = path[-1] if path else sea
    orders: list[Order] = [Sail((fleet,), tuple(path) or (sea,))]
    ports = SEAS[last].ports
    if ports and whim.random() < 0.6:
        port = whim.choice(ports)
        if view.controller(port) == seat:
            orders = [Sail((fleet,), (*path, port))]
        else:
            orders.append(Blockade(port) if whim.random() < 0.7 else Land(port))
    return orders


def _talks(view: State, question: Talks, whim: random.Random) -> Answer:
    hand = [card for card in view.hands[question.seat] if card != HIDDEN]
    chosen: Answer = ()
    for _ in range(TRIES):
        if len(chosen) == 2 or not hand or whim.random() < 0.3:
            break
        card = whim.choice(hand)
        if whim.random() < 0.5:
            order: Order = event(view, question.seat, card, whim)
        else:
            order = Negotiate(whim.choice(sorted(COUNTRIES)), card)
        if not question.check(view, (*chosen, order)):
            chosen = (*chosen, order)
    return chosen or (Done(),)


def _spending(view: State, seat: str, whim: random.Random) -> list[Order]:
    found: list[Order] = []
    mine = [f for f in view.forces.values() if view.manager(view.patron(f.power)) == seat]
    for unit, place in view.units.items():
        if place == POOL and view.manager(view.patron(UNITS[unit].power)) == seat:
            zones = reinforcement_zones(view, UNITS[unit].power)
            if zones:
                found.append(Build(unit, whim.choice(zones)))
    found = whim.sample(found, min(6, len(found)))
    for force in mine:
        found += [Restore(unit) for unit, n in force.units.items() if n < UNITS[unit].steps]
        if force.army:
            found.append(BuyDepot(force.name))
        elif force.general and force.strength >= 2 and whim.random() < 0.2:
            found.append(CreateArmy(force.general))
    reserve = [g for g, place in view.generals.items() if place == POOL]
    for general in whim.sample(reserve, min(4, len(reserve))):
        if mine and view.manager(view.patron(GENERALS[general].power)) == seat:
            found.append(Assign(general, whim.choice(mine).zone))
    for fleet, place in view.fleets.items():
        if place == POOL and whim.random() < 0.1:
            ports = [z for z in ZONES if ZONES[z].port and view.owner_of(z) == FLEETS[fleet].power]
            if ports:
                found.append(BuildFleet(fleet, whim.choice(ports)))
    if seat == "coalition":
        found.append(BuyCard("instead"))
    for card in view.hands[seat]:
        if card != HIDDEN and "budget" in CARDS[card].phases and whim.random() < 0.5:
            found.append(event(view, seat, card, whim))
    return found


def _moves(view: State, seat: str, whim: random.Random) -> list[Order]:
    found: list[Order] = []
    for force in view.forces.values():
        managed = force.side == "neutral" and view.manager(view.patron(force.power)) == seat
        near = board.neighbours(force.zone)
        if (force.side == seat or managed) and whim.random() < 0.2 and near:
            found.append(Redeploy(force.name, (whim.choice(near),)))
    return found
