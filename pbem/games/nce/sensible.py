"""A robot that plays to win: it marches on what it can take, fights when it is stronger, guards what it must keep."""

from __future__ import annotations

import random

from pbem.games.nce import muster, statecraft
from pbem.games.nce.charts import CARDS, GENERALS
from pbem.games.nce.crossings import crossings
from pbem.games.nce.eye import GREAT, Eye, clash, odds
from pbem.games.nce.generalship import Plan, battle_cards, plans, ranked, together
from pbem.games.nce.letter import austrian_duty, card_points
from pbem.games.nce.orders import CombatCards, NoCard, Play, PlayEvent
from pbem.games.nce.plans import Fight
from pbem.games.nce.questions import Budget, Hand, Redeployment, Refusal, Talks, Terms, Treaty, War
from pbem.games.nce.reactions import Interception, Response, countermarchers, interceptors, open_for_evasion
from pbem.games.nce.replies import (
    CounterMarch,
    Done,
    Evade,
    Intercept,
    IntoFortress,
    LetPass,
    Refuse,
    Stand,
    Tilsit,
)
from pbem.games.nce.rounds import Act
from pbem.games.nce.state import State
from pbem.games.nce.statecraft import cards_of, chosen, event_worth, price, treasured, waits
from pbem.kernel.order import Answer, Order
from pbem.kernel.question import Question

MOST_TRIED = 14
"""Plans that are rehearsed for a letter."""
CAMPAIGNS = ("14C", "19F")
LICENCES: dict[str, tuple[int, tuple[str, ...]]] = {
    "14C": (3, ()),
    "19F": (3, ()),
    "42C": (3, ()),
    "39C": (1, ("prusse",)),
    "43F": (1, ("france",)),
}
"""Events that activate forces: how many, and of which powers."""
A_POINT = 0.9
"""What a saved activation point is worth."""


def sensible(view: State, question: Question, whim: random.Random) -> Answer:
    """A legal answer that a player might give."""
    if isinstance(question, Act):
        return _act(view, question, whim)
    if isinstance(question, Fight):
        return _fight(view, question)
    if isinstance(question, Response):
        return _respond(view, question)
    if isinstance(question, Interception):
        return _intercept(view, question)
    if isinstance(question, War):
        return statecraft.declares(view, question)
    if isinstance(question, Hand):
        return statecraft.discards(view, question)
    if isinstance(question, Budget):
        return muster.spends(view, question, whim)
    if isinstance(question, Talks):
        return statecraft.talks(view, question, whim)
    if isinstance(question, Redeployment):
        return muster.redeploys(view, question)
    if isinstance(question, Terms):
        return statecraft.terms(view, question)
    if isinstance(question, (Refusal, Treaty)):
        return _keeps_fighting(view, question)
    return question.default(view)


def _act(view: State, question: Act, whim: random.Random) -> Answer:
    """The action with the best sum of plans; an event where it is worth more."""
    side = question.seat
    eye = Eye(view, side)
    bound = austrian_duty(view, side)
    wanted = ranked(eye, [*plans(eye), *(() if bound else crossings(eye))])
    choices: list[tuple[float, int, Answer]] = [(_total(wanted, 1 + view.reserve[side]), 1, (NoCard(),))]
    if not bound:
        choices += [(worth, 0, (order,)) for worth, order in _events(view, question, whim)]
        choices += _licences(eye, question, wanted)
    rounds = max(0, view.last_round - view.round)
    hand = cards_of(view, side)
    for card in hand:
        points = card_points(view, side, card)
        if points and not treasured(view, card):
            dear = price(view, card) + (0.5 * points if len(hand) <= rounds else 0.0)
            worth = _total(wanted, points + view.reserve[side]) + A_POINT * 0.3 * points - dear
            choices.append((worth, points, (Play(card),)))
    for _, points, letter in sorted(choices, key=lambda c: (-c[0], str(c[2])))[:4]:
        if not points:
            return letter
        if not question.check(view, letter):
            return _fill(view, question, letter, wanted, points + view.reserve[side])
    return (NoCard(),)


def _licences(eye: Eye, question: Act, wanted: list[Plan]) -> list[tuple[float, int, Answer]]:
    """Events that let several forces act whatever their generals cost: one attack, or each its own plan."""
    view, side = eye.view, eye.side
    found: list[tuple[float, int, Answer]] = []
    best = sorted(wanted, key=lambda plan: (-plan.value, plan.force, plan.goal))
    for card, (most, powers) in LICENCES.items():
        if card not in view.hands[side] or waits(view, card):
            continue
        for power in powers or ("",):
            able = [plan for plan in best if plan.fleetless and power in ("", _power(view, plan.force))]
            worth, letter = _several(eye, question, card, most, able)
            if worth:
                found.append((worth - price(view, card), 0, letter))
        if card in CAMPAIGNS:
            worth, attack = together(eye)
            letter = (PlayEvent(card), *attack, *battle_cards(view, side))
            if attack and not question.check(view, letter):
                found.append((worth - price(view, card), 0, letter))
    return found


def _several(eye: Eye, question: Act, card: str, most: int, best: list[Plan]) -> tuple[float, Answer]:
    """As many of the best plans as an event allows, and what they are worth."""
    letter: Answer = (PlayEvent(card),)
    worth, used, goals = 0.0, set[str](), set[str]()
    for plan in best[:MOST_TRIED]:
        if len(used) == most or plan.force in used or plan.goal in goals:
            continue
        if question.check(eye.view, (*letter, *plan.orders)):
            continue
        letter = (*letter, *plan.orders)
        worth += plan.value
        used.add(plan.force)
        goals.add(plan.goal)
    return worth, letter


def _power(view: State, piece: str) -> str:
    force = view.force_with(piece)
    return force.power if force is not None else ""


def _total(wanted: list[Plan], points: int, most: int = 9) -> float:
    """What the best plans for these points are worth together."""
    total, used, goals = 0.0, set[str](), set[str]()
    for plan in wanted:
        if plan.force in used or plan.goal in goals or plan.cost > points or len(used) >= most:
            continue
        points -= plan.cost if points < 99 else 0
        used.add(plan.force)
        goals.add(plan.goal)
        total += plan.value
    return total


def _fill(view: State, question: Act, letter: Answer, wanted: list[Plan], points: int) -> Answer:
    """Activations one after the other, as long as the points last and they can be rehearsed."""
    used, goals, tried = set[str](), set[str](), 0
    cards = battle_cards(view, question.seat)
    for plan in wanted:
        if plan.force in used or plan.goal in goals or plan.cost > points or tried >= MOST_TRIED:
            continue
        tried += 1
        orders = (*plan.orders, *(cards if plan.fights else ()))
        if question.check(view, (*letter, *orders)):
            continue
        letter = (*letter, *orders)
        points -= plan.cost
        cards = [] if plan.fights else cards
        used.add(plan.force)
        goals.add(plan.goal)
    return letter


def _events(view: State, question: Act, whim: random.Random) -> list[tuple[float, Order]]:
    """Events of the hand that can be played now, with their worth."""
    found: list[tuple[float, Order]] = []
    for card in cards_of(view, question.seat):
        if not event_worth(view, card) or "activation" not in CARDS[card].phases:
            continue
        for order in chosen(view, question.seat, card, whim):
            if not question.check(view, (order,)):
                found.append((event_worth(view, card), order))
                break
    return found


def _fight(view: State, question: Fight) -> Answer:
    """Everything at hand, and whoever can march to the guns."""
    answer: Answer = tuple(order for order in question.everything(view) if not isinstance(order, CombatCards))
    answer += tuple(battle_cards(view, question.seat, question.role))
    if question.check(view, answer):
        answer = question.everything(view)
    coming = [
        f.general
        for f in countermarchers(view, question.seat, question.zone, question.role)
        if f.strength >= 2
    ]
    if coming:
        longer = (CounterMarch(tuple(coming[:2])), *answer)
        if not question.check(view, longer):
            return longer
    return answer or (Done(),)


def _respond(view: State, question: Response) -> Answer:
    """Stay where the odds are fair, and longer where a key zone hangs on it; else the fortress for a few and for a
    key zone, the open road for an army.
    """
    force = view.forces[question.force]
    mover = view.force_with(question.mover)
    eye = Eye(view, question.seat)
    friends = eye.succour(force.zone, eye.friends, force, "defender")
    risk = clash(mover, [force], 0, friends)[0] if mover is not None else 0.5
    stake = eye.stakes.get(force.zone, 0.0)
    if risk < (0.7 if stake >= GREAT else 0.55):
        return (Stand(),)
    ways = open_for_evasion(view, force, question.came)
    friendly = [zone for zone in ways if view.controller(zone) == force.side] or ways
    friendly.sort(key=lambda zone: -sum(f.strength for f in view.at(zone, force.side)))
    evade: Answer = (Evade(tuple(friendly[:1])),)
    shelter: Answer = (IntoFortress(),)
    walls = force.strength < 5 or (stake >= GREAT and force.strength < 10)
    for answer in [shelter, evade] if walls else [evade, shelter]:
        if not question.check(view, answer):
            return answer
    return (Stand(),)


def _intercept(view: State, question: Interception) -> Answer:
    """A force that would hold against the mover, paid with a card to spare."""
    mover = view.force_with(question.mover)
    hand = cards_of(view, question.seat)
    if mover is None or len(hand) <= max(2, view.last_round - view.round):
        return (LetPass(),)
    for force in sorted(
        interceptors(view, question.seat, question.zone, question.mover), key=lambda f: -f.strength
    ):
        if odds(mover, [force]) > 0.35:
            continue
        for card in sorted(hand, key=lambda c: (price(view, c), CARDS[c].value, c)):
            if CARDS[card].value < GENERALS[force.general].initiative or price(view, card) > 1:
                continue
            answer: Answer = (Intercept(force.general, card),)
            if not question.check(view, answer):
                return answer
    return (LetPass(),)


def _keeps_fighting(view: State, question: Refusal | Treaty) -> Answer:
    """A refusal, or a treaty, where the card is held."""
    for answer in question.legal(view):
        if isinstance(answer[0], (Refuse, Tilsit)):
            return answer
    return (Done(),)
