"""How the sensible robot rules: declarations, diplomacy, peace."""

from __future__ import annotations

import random
from collections.abc import Iterable

from pbem.games.nce import board
from pbem.games.nce.cards.conditions import bound
from pbem.games.nce.cards.hands import KEPT
from pbem.games.nce.charts import CARDS, COUNTRIES, PROVINCES, ZONES
from pbem.games.nce.orders import Negotiate, Protect
from pbem.games.nce.powers import diplomacy
from pbem.games.nce.powers.interphase_questions import Talks
from pbem.games.nce.questions import Hand, Terms, War
from pbem.games.nce.replies import Annex, ClaimMinor, Declare, Discard, Done, ForceAlliance, FreeTalk, GoHome
from pbem.games.nce.robot.appraisal import (
    FREEDOM,
    cards_of,
    chosen,
    could_found,
    event_worth,
    for_a_union,
    for_the_end,
    kept,
    price,
    treasured,
)
from pbem.games.nce.state import COALITION, EMPIRE, Force, State
from pbem.kernel.order import Answer, Order
from pbem.kernel.question import Question

A_GREAT_POWER = 20.0
"""What winning a great power is worth to the Coalition, as an event is."""


def declares(view: State, question: War) -> Answer:
    """War on a power that stands between the Empire and its victory, when it is weak and alone; 7.1.3: once more on
    one that was beaten, where only the second deck is wanting.
    """
    side = question.seat
    if side != EMPIRE:
        return (Done(),)
    mine = sum(f.strength for f in view.of(EMPIRE) if f.power not in ("espagne", "turquie"))
    theirs = sum(f.strength for f in view.of(COALITION) if f.power not in ("angleterre", "espagne"))
    busy = any(view.side_of(power) == COALITION for power in ("prusse", "autriche"))
    beaten = view.beaten[EMPIRE]
    crowning = "20F" in view.events and view.period == "epopee"
    for power in () if busy else ("prusse", "autriche"):
        if diplomacy.declare_problem(view, side, power)[0] or (beaten.get(power) and not crowning):
            continue
        his = sum(f.strength for f in view.forces.values() if f.power == power)
        if mine > his + 0.5 * theirs + (0.2 * his if beaten.get(power) else 0.0):
            return (Declare(power),)
    return (Done(),)


def _searching(view: State, side: str) -> bool:
    """Whether one card decides: 20F or 45F for the Empire, Scharnhorst or Schönbrunn for the Coalition."""
    hand, beaten = cards_of(view, side), view.beaten[EMPIRE]
    if side == EMPIRE:
        crown = "20F" in view.events and not {"45F"} & {*view.events, *hand}
        union = beaten.get("autriche") and beaten.get("prusse") and not {"20F"} & {*view.events, *hand}
        return bool(union or (crown and view.period == "chatiments"))
    if view.period == "chatiments" and "35C" not in (*hand, *view.events) and view.year >= view.end_year - 1:
        return True
    return any(bound(view, power) and card not in hand for card, power in FREEDOM.items())


def discards(view: State, question: Hand) -> Answer:
    """What is worth little, for a chance to draw what is worth more."""
    hand = [c for c in cards_of(view, question.seat) if not kept(view, c) and not CARDS[c].permanent]
    dead = [c for c in hand if CARDS[c].value <= 1 or (CARDS[c].value == 2 and price(view, c) < 1.0)]
    if _searching(view, question.seat):
        dead = [c for c in cards_of(view, question.seat) if not treasured(view, c) and c not in KEPT]
        dead = [c for c in dead if not CARDS[c].permanent]
    answer: Answer = (Discard(tuple(dead)),) if dead else (Done(),)
    return answer if not question.check(view, answer) else (Done(),)


def fitting(
    view: State, question: Question[State], wishes: Iterable[Order], most: int = 40, refusals: int = 60
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
    """What a broken peace gives for nothing, events that are worth points, protectorates, a great power, then the
    likeliest minor with a card to spare.
    """
    side = question.seat
    hand = sorted(cards_of(view, side), key=lambda c: (price(view, c), CARDS[c].value, c))
    free = view.free_talks.get(side, 0)
    wishes: list[Order] = _for_nothing(view, side) if free else []
    approaches = _approaches(view, side, hand)
    courting = [talk for talk in approaches if COUNTRIES[talk.country].major and side == COALITION]
    for card in sorted((c for c in hand if event_worth(view, c) >= 3), key=lambda c: -event_worth(view, c)):
        if courting and event_worth(view, card) < A_GREAT_POWER:
            wishes, courting = [*wishes, *courting], []
        if "diplomacy" in CARDS[card].phases:
            wishes += chosen(view, side, card, whim)
    if side == EMPIRE:
        wishes += [
            Protect(country.id, card)
            for country in COUNTRIES.values()
            if country.protectorate_possible and not diplomacy.protect_problem(view, country.id)[0]
            for card in hand
            if CARDS[card].value >= 2 and not kept(view, card)
        ]
    wishes += approaches
    most = 2 if len(hand) > 7 or any(for_the_end(view, card) for card in hand) else 1
    return fitting(view, question, wishes, most=free + most, refusals=40)


def _for_nothing(view: State, side: str) -> list[Order]:
    """9.1.3e: great powers, those in forced peace or alliance first, then minors of the other side's unions."""
    able = [
        c
        for c in COUNTRIES.values()
        if not diplomacy.target_problem(view, side, c.id, minors_only=False, free=True)[0]
    ]
    able.sort(key=lambda c: (not bound(view, c.id), not c.major, not for_a_union(view, c.marks), c.id))
    return [FreeTalk(country.id) for country in able]


def _approaches(view: State, side: str, hand: list[str]) -> list[Negotiate]:
    def chance(country: str) -> float:
        record = COUNTRIES[country]
        total = float(record.bonus.get(side, 0) + diplomacy.history(view, side, country))
        if side == EMPIRE and for_a_union(view, record.marks):
            total += 1.5
        return total + (
            1.0 if record.major else 0.5 if record.protectorate_possible and side == EMPIRE else 0.0
        )

    targets = [
        c.id
        for c in COUNTRIES.values()
        if not diplomacy.target_problem(view, side, c.id, minors_only=False)[0]
        and not (side == EMPIRE and _to_be_beaten(view, c.id))
    ]
    targets.sort(key=lambda c: (-chance(c), c))
    found: list[Negotiate] = []
    for country in targets[:3]:
        needed = diplomacy.min_card(country)
        able = [c for c in hand if CARDS[c].value >= needed and not kept(view, c)]
        record = COUNTRIES[country]
        pressing = record.major or (side == EMPIRE and could_found(view) and for_a_union(view, record.marks))
        if able and chance(country) >= 1 and (pressing or len(hand) > 6):
            found.append(Negotiate(country, min(able, key=lambda c: (CARDS[c].value, price(view, c), c))))
    return found


def _to_be_beaten(view: State, country: str) -> bool:
    """9.3.1: whether a power has to be beaten before there is a Confédération du Rhin: it is not wanted as a friend."""
    union = "20F" in view.events
    return not union and country in ("autriche", "prusse") and not view.beaten[EMPIRE].get(country)


def terms(view: State, question: Terms) -> Answer:
    """Provinces where they make new states first, then any; a forced alliance where it can be had."""
    power, side = question.power, question.seat
    wishes: list[Order] = []
    far = tuple(
        f.name
        for f in view.of(side)
        if view.owner_of(f.zone) == power and f.general and not _near_home(view, f)
    )
    if far:
        wishes.append(GoHome(forces=far))
    if side == EMPIRE:
        wishes += [
            ClaimMinor(country.id)
            for country in COUNTRIES.values()
            if for_a_union(view, country.marks) and view.patron(country.id) == power
        ]
        wishes += [
            Annex("magdebourg_province", "france"),
            Annex("mazovie", "pologne"),
            Annex("tyrol", "baviere"),
            Annex("venetie", "royaume_italie"),
        ]
    to = "france" if side == EMPIRE else "angleterre"
    owned = [p.id for p in PROVINCES.values() if view.owner_of(p.zones[0]) == power]
    wishes += [Annex(province, to) for province in owned]
    if side == EMPIRE:
        wishes += [Annex(p, "pologne") for p in owned if "P" in PROVINCES[p].marks]
        wishes += [
            ForceAlliance(card)
            for card in sorted(cards_of(view, side), key=lambda c: (price(view, c), c))[:1]
            if not treasured(view, card)
        ]
    return fitting(view, question, wishes, most=8)


def _near_home(view: State, force: Force) -> bool:
    """11.3.10: whether a fortress of its own side is near enough to feed a force in a beaten country."""
    return any(
        ZONES[zone].fortress and view.home_side(zone) == force.side and view.controller(zone) == force.side
        for zone in board.near(force.zone, 2)
    )
