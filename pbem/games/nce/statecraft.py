"""How the sensible robot rules: cards and their price, declarations, diplomacy, peace."""

from __future__ import annotations

import random
from collections.abc import Iterable

from pbem.games.nce import board, diplomacy
from pbem.games.nce.charts import CARDS, COUNTRIES, POWERS, PROVINCES, ZONES
from pbem.games.nce.conditions import bound
from pbem.games.nce.hands import KEPT
from pbem.games.nce.orders import Negotiate, PlayEvent, Protect
from pbem.games.nce.questions import Hand, Talks, Terms, War
from pbem.games.nce.replies import Annex, Declare, Discard, Done, ForceAlliance, GoHome
from pbem.games.nce.robot import event
from pbem.games.nce.state import COALITION, EMPIRE, HIDDEN, NEUTRAL, PEACE, Force, State
from pbem.kernel.order import Answer, Order
from pbem.kernel.question import Question

EVENTS: dict[str, float] = {
    "20F": 200,
    "24F": 100,
    "45F": 250,
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
    "19C": 100,
    "45C": 100,
    "47C": 100,
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
HELD = ("20F", "45F", "24F", "25F", "22F", "38F", "49F", "26F", "27C", "19C", "45C", "47C", "49C")
"""Cards that are worth waiting for."""


TREASURES = ("20F", "45F", "24F", "19C", "45C", "47C", "49C")
"""Cards that are not spent on anything but their events, as long as these can still come to pass."""

GREAT_POWERS = ("autriche", "prusse", "russie")
CROWNERS = ("37F", "38F", "39F", "49F")
"""Events that look for 45F."""
LAST_BLOWS = ("14C", "42C", "35C")
"""17.2: events of the Coalition that are kept for the last round, which the Empire cannot answer."""
FREEDOM = {"45C": "prusse", "47C": "autriche"}
"""9.1.3f, 9.1.4: events that bring a beaten power back."""


def cards_of(view: State, side: str) -> list[str]:
    """The hand that the seat can see."""
    return [card for card in view.hands[side] if card != HIDDEN]


def waits(view: State, card: str) -> bool:
    """Whether a card is one of the last blows, and its round has not come."""
    last_year = view.year >= view.end_year and view.phase == "rounds"
    return card in LAST_BLOWS and last_year and view.round < view.last_round


def treasured(view: State, card: str) -> bool:
    """Whether a card is to be spent on nothing but its event: not where the last year leaves no time for that."""
    if card not in TREASURES:
        return waits(view, card)
    last, beaten = view.year >= view.end_year, view.beaten[EMPIRE]
    if card in FREEDOM:
        return bound(view, FREEDOM[card]) or bool(beaten.get(FREEDOM[card]) and not last)
    if card == "49C":
        return any(view.side_of(power) == PEACE for power in GREAT_POWERS) and not (
            last and view.phase == "rounds"
        )
    union = "20F" in view.events or all(beaten.get(power) for power in ("autriche", "prusse"))
    return union or not last or card not in ("20F", "45F")


def kept(view: State, card: str) -> bool:
    """Whether a card is worth waiting for."""
    return card in HELD and (card not in TREASURES or treasured(view, card))


def price(view: State, card: str) -> float:
    """What is given up with a card besides its points."""
    record = CARDS[card]
    return (1.2 if record.cc == "land" else 0.0) + _hope(view, card) + 0.2 * min(5, EVENTS.get(card, 0))


def chosen(view: State, side: str, card: str, whim: random.Random) -> list[Order]:
    """A card as event, as a player would choose where there is a choice; otherwise by whim, twice."""
    allies = [power for power in ("autriche", "prusse", "russie") if view.side_of(power) == COALITION]
    beaten = [power for power in ("autriche", "prusse") if view.beaten[EMPIRE].get(power)]
    courted = [power for power in GREAT_POWERS if view.side_of(power) == PEACE and bound(view, power)]
    courted += [power for power in GREAT_POWERS if view.side_of(power) in (NEUTRAL, PEACE)]
    wise: dict[str, list[Order]] = {
        "22C": [PlayEvent("22C", country=power) for power in allies],
        "3C": [PlayEvent("3C", option=option) for option in ("c", "b", "a")],
        "46C": [PlayEvent("46C", country=power) for power in beaten],
        "49C": [PlayEvent("49C", country=power) for power in courted],
        "39F": [PlayEvent("39F", option="c")],
        "35C": [
            *(PlayEvent("35C", option="b", zones=zones) for zones in _open_towns(view)),
            PlayEvent("35C", option="a"),
        ],
    }
    return wise.get(card) or [event(view, side, card, whim) for _ in range(2)]


def _open_towns(view: State) -> list[tuple[str, ...]]:
    """35C: French key zones that could open their gates."""
    towns = [
        zone
        for zone in POWERS["france"].key_zones
        if not ZONES[zone].fortress and view.controller(zone) == EMPIRE and not view.at(zone)
    ]
    near = [z for z in towns if any(view.control.get(n) == COALITION for n in board.neighbours(z))]
    return [tuple(near), *((zone,) for zone in near)] if near else []


def event_worth(view: State, card: str) -> float:
    """What the event of a card is worth now: the Spanish adventure only where it opens the way to victory."""
    if waits(view, card):
        return 0.0
    late = view.period == "chatiments" or view.year >= 1809
    if card == "24F" and not ("20F" in view.events or late or view.escalation >= 10):
        return 0.0
    if card == "25F" and not view.beaten[EMPIRE]:
        return 0.0
    if card in CROWNERS and not {"45F"} & {*view.events, *cards_of(view, EMPIRE)}:
        return 50.0
    if card == "49C":
        return 60.0 if any(bound(view, power) for power in GREAT_POWERS) else 0.0
    if card == "45C" and not bound(view, "prusse"):
        return 5.0 if view.year >= view.end_year - 1 else 0.0
    if card == "35C" and _open_towns(view):
        return 40.0 if view.year >= view.end_year - 1 else 12.0
    return EVENTS.get(card, 0.0)


def _hope(view: State, card: str) -> float:
    """What keeping a card promises, as its conditions stand."""
    if not kept(view, card):
        return 0.0
    beaten = sum(power in view.beaten[EMPIRE] for power in ("autriche", "prusse"))
    falling = any(
        view.controller(zone) == EMPIRE
        for power in view.majors(COALITION)
        for zone in POWERS[power].key_zones
    )
    return {
        "20F": 12.0 + 8.0 * beaten,
        "45F": 30.0,
        "24F": 8.0,
        "25F": 6.0,
        "22F": 4.0 if view.controller("varsovie") == EMPIRE else 0.5,
        "38F": 6.0,
        "49F": 6.0,
        "26F": 3.0 if falling else 0.5,
        "27C": 6.0 if falling else 1.5,
        "19C": 6.0,
        "45C": 3.0,
        "47C": 3.0,
        "49C": 3.0,
    }.get(card, 0.0)


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
    for card in sorted((c for c in hand if event_worth(view, c) >= 3), key=lambda c: -event_worth(view, c)):
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
        able = [c for c in hand if CARDS[c].value >= needed and not kept(view, c)]
        if able and chance(country) >= 1 and (COUNTRIES[country].major or len(hand) > 6):
            found.append(Negotiate(country, min(able, key=lambda c: (CARDS[c].value, price(view, c), c))))
    return found


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
        wishes += [Annex("mazovie", "pologne"), Annex("tyrol", "baviere"), Annex("venetie", "royaume_italie")]
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
