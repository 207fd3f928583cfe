"""How the sensible robot appraises its cards: what is kept, what an event is worth now, how it is played."""

from __future__ import annotations

import random
from collections.abc import Iterable

from pbem.games.nce import board
from pbem.games.nce.cards.conditions import bound
from pbem.games.nce.cards.loyalty import has_the_senate
from pbem.games.nce.charts import CARDS, COUNTRIES, POWERS, ZONES
from pbem.games.nce.orders import PlayEvent
from pbem.games.nce.powers import diplomacy
from pbem.games.nce.robot.whim import event
from pbem.games.nce.state import COALITION, EMPIRE, HIDDEN, NEUTRAL, PEACE, State
from pbem.kernel.order import Order

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
UNIONS = {"20F": "R", "45F": "W"}
"""9.3.1, 9.3.2: events that found a union, and the mark of its minors."""
CROWNERS = tuple(c.id for c in CARDS.values() for e in c.effect if e["op"] == "fetch" and e["card"] == "45F")
"""Events that look for 45F."""
TRAITORS = tuple(c.id for c in CARDS.values() for e in c.effect if e["op"] == "fetch" and e["card"] == "35C")
"""Events that look for 35C."""
THE_END = {"35C": "decheance", "50F": "corps_francs", "53F": "corps_francs"}
"""Cards that are kept for the last year, with what they bring about at its end."""
LAST_BLOWS = ("14C", "42C")
"""17.2: events of the Coalition that are kept for the last round, which the Empire cannot answer."""
DECISIVE = 300.0
"""What an event is worth that ends the war."""
FREEDOM = {"45C": "prusse", "47C": "autriche"}
"""9.1.3f, 9.1.4: events that bring a beaten power back."""


def cards_of(view: State, side: str) -> list[str]:
    """The hand that the seat can see."""
    return [card for card in view.hands[side] if card != HIDDEN]


def waits(view: State, card: str) -> bool:
    """Whether a card is one of the last blows, and its round has not come."""
    last_year = view.year >= view.end_year and view.phase == "rounds"
    if card not in LAST_BLOWS or not last_year or (card in TRAITORS and _wants_a_traitor(view)):
        return False
    return view.round < view.last_round


def _wants_a_traitor(view: State) -> bool:
    """Whether Trahison is still to be found."""
    return "35C" not in cards_of(view, COALITION) and not view.flag("decheance")


def treasured(view: State, card: str) -> bool:
    """Whether a card is to be spent on nothing but its event: not where the last year leaves no time for that."""
    if card not in TREASURES:
        return waits(view, card) or for_the_end(view, card)
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
    return for_the_end(view, card) or (card in HELD and (card not in TREASURES or treasured(view, card)))


def for_the_end(view: State, card: str) -> bool:
    """Whether a card is to decide the last year: Trahison, or the Marie-Louise for an Emperor who has his Europe."""
    if card not in THE_END or view.flag(THE_END[card]):
        return False
    crowned = bool({"45F"} & {*view.events, *cards_of(view, EMPIRE)})
    return view.period == "chatiments" and (CARDS[card].side == COALITION or crowned)


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
        "5F": [PlayEvent("5F", country=country) for country in _to_be_won(view)],
        "7C": [PlayEvent("7C", country=power) for power in _neutrals(view)],
        "51C": [PlayEvent("51C", option="b"), PlayEvent("51C", option="a")],
        "41F": [
            *(PlayEvent("41F", option="b", country=country) for country in _last_wanted(view)),
            PlayEvent("41F", option="a"),
        ],
        "50F": [PlayEvent("50F", zones=zones) for zones in _unguarded(view)],
        "35C": [
            *([PlayEvent("35C", option="c")] if for_the_end(view, "35C") else []),
            *(PlayEvent("35C", option="b", zones=zones) for zones in _open_towns(view)),
            PlayEvent("35C", option="a"),
        ],
    }
    return wise.get(card) or [event(view, side, card, whim) for _ in range(2)]


def _to_be_won(view: State) -> list[str]:
    """Minors that are wanting for a union of the Empire's, and could be won."""
    return [
        country.id
        for country in COUNTRIES.values()
        if for_a_union(view, country.marks) and view.side_of(country.id) != EMPIRE
        if not diplomacy.target_problem(view, EMPIRE, country.id, minors_only=True)[0]
    ]


def _last_wanted(view: State) -> list[str]:
    """The same, where nothing else is wanting any more."""
    return _to_be_won(view) if could_found(view) and view.phase != "budget" else []


def _neutrals(view: State) -> list[str]:
    """Great powers that the Coalition could win."""
    return [
        power
        for power in GREAT_POWERS
        if view.phase == "diplomacy"
        and not diplomacy.target_problem(view, COALITION, power, minors_only=False)[0]
    ]


def _unguarded(view: State) -> list[tuple[str, ...]]:
    """50F: French key zones that stand empty, the open ones first; then any place."""
    bare = [zone for zone in POWERS["france"].key_zones if not view.at(zone, inside=None)]
    bare.sort(key=lambda zone: ZONES[zone].fortress)
    return [tuple(bare[:2]), *((zone,) for zone in bare), ()]


def _open_towns(view: State) -> list[tuple[str, ...]]:
    """35C: French key zones that could open their gates."""
    towns = [
        zone
        for zone in POWERS["france"].key_zones
        if view.controller(zone) == EMPIRE and not view.at(zone, inside=None)
    ]
    near = [z for z in towns if any(view.control.get(n) == COALITION for n in board.neighbours(z))]
    return [tuple(near), *((zone,) for zone in near)] if near else []


def event_worth(view: State, card: str) -> float:
    """What the event of a card is worth now: the Spanish adventure only where it opens the way to victory."""
    if waits(view, card):
        return 0.0
    late = view.period == "chatiments" or view.year >= 1809
    if card == "24F" and not (late or {"20F", "25F"} & {*view.events} or view.escalation >= 10):
        return 0.0
    if card in ("5F", "41F") and _last_wanted(view):
        return 20.0
    if card == "5F":
        return 0.0
    if card == "7C":
        return 15.0 if _neutrals(view) else 0.0
    if card == "18F" and _wants_erfurt(view):
        return 40.0
    if card in TRAITORS and view.year >= view.end_year - 1 and _wants_a_traitor(view):
        return 30.0
    if card == "25F" and not (view.beaten[EMPIRE] and {"24F"} & {*view.events, *view.hands[EMPIRE]}):
        return 0.0
    if card in CROWNERS and not {"45F"} & {*view.events, *cards_of(view, EMPIRE)}:
        return 50.0
    if card == "49C":
        return 60.0 if any(bound(view, power) for power in GREAT_POWERS) else 0.0
    if card == "45C" and not bound(view, "prusse"):
        return 5.0 if view.year >= view.end_year - 1 else 0.0
    if for_the_end(view, card):
        if view.year < view.end_year:
            return 0.0
        if view.phase == "rounds" and view.round >= view.last_round:
            ripe = has_the_senate(view) if card == "35C" else view.controller("paris") == EMPIRE
            return DECISIVE if ripe else 0.0
        if (
            view.scenario == "1815"
        ):  # 18: it costs an action; after the last round but one there is a last blow
            return DECISIVE if view.round == view.last_round - 1 else 0.0
        return 60.0
    if card == "35C" and _open_towns(view):
        return 12.0
    return EVENTS.get(card, 0.0)


def _wants_erfurt(view: State) -> bool:
    """Whether Triomphe d'Erfurt is still to be found, and could be played."""
    return could_found(view) and not {"20F"} & {*view.events, *cards_of(view, EMPIRE)}


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


def for_a_union(view: State, marks: Iterable[str]) -> bool:
    """9.3.1, 9.3.2: whether a minor is wanted for the Confédération du Rhin, or then for the Westphalie."""
    return any(mark in marks and card not in view.events for card, mark in UNIONS.items())


def minors_wanting(view: State) -> int:
    """9.3.1, 9.3.2: how many minors are wanting for the next union."""
    card = "20F" if "20F" not in view.events else "45F"
    needed = max(int(c["min"]) for c in CARDS[card].requires if c["cond"] == "minors_allied")
    mine = sum(UNIONS[card] in c.marks and view.side_of(c.id) == EMPIRE for c in COUNTRIES.values())
    return max(0, needed - mine)


def could_found(view: State) -> bool:
    """9.3.1: whether both German powers have been beaten, so that minors alone are wanting."""
    return not unbeaten(view)


def unbeaten(view: State) -> list[str]:
    """9.3.1: the German powers that the Empire has still to beat before there is a Confédération du Rhin."""
    return [power for power in ("autriche", "prusse") if not view.beaten[EMPIRE].get(power)]
