"""A robot that plays to win: it marches on what it can take, fights when it is stronger, guards what it must keep."""

from __future__ import annotations

import random

from pbem.games.nce.charts import CARDS, GENERALS
from pbem.games.nce.fight import Fight
from pbem.games.nce.orders import CombatCards, NoCard, Play, PlayEvent
from pbem.games.nce.plan import austrian_duty, card_points
from pbem.games.nce.powers.interphase_questions import Budget, Redeployment, Talks
from pbem.games.nce.questions import Hand, Refusal, Terms, Treaty, War
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
from pbem.games.nce.robot import muster, statecraft
from pbem.games.nce.robot.appraisal import cards_of, chosen, event_worth, price, treasured, waits
from pbem.games.nce.robot.crossings import crossings
from pbem.games.nce.robot.eye import GREAT, Eye, clash, odds
from pbem.games.nce.robot.generalship import Plan, battle_cards, plans, ranked, together
from pbem.games.nce.rounds import Act
from pbem.games.nce.state import State
from pbem.kernel.order import Answer, Order
from pbem.kernel.question import Question

MOST_TRIED = 14
"""Plans that are rehearsed for a letter."""
CAMPAIGNS = ("14C", "19F")
A_POINT = 0.9
"""What a saved activation point is worth."""


def sensible(view: State, question: Question[State], whim: random.Random) -> Answer:
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
        choices += _licences(eye, question, wanted, whim)
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


def _licences(
    eye: Eye, question: Act, wanted: list[Plan], whim: random.Random
) -> list[tuple[float, int, Answer]]:
    """Events that let forces act whatever their generals cost, or give points: one attack, or each its own plan."""
    view, side = eye.view, eye.side
    found: list[tuple[float, int, Answer]] = []
    best = sorted(wanted, key=lambda plan: (-plan.value, plan.force, plan.goal))
    for card in cards_of(view, side):
        if waits(view, card):
            continue
        for order in _marching_orders(view, side, card, whim):
            grants, points = licence(card, order.option)
            worth, letter = _several(eye, question, order, grants, points, best)
            if worth:
                found.append((worth + event_worth(view, card) - price(view, card), 0, letter))
        if card in CAMPAIGNS:
            worth, attack = together(eye)
            letter = (PlayEvent(card), *attack, *battle_cards(view, side))
            if attack and not question.check(view, letter):
                found.append((worth - price(view, card), 0, letter))
    return found


def licence(card: str, option: str = "") -> tuple[tuple[str, ...], int]:
    """The activations that an event gives, each by the power that it is for, and its points."""
    grants: list[str] = []
    points = 0
    for effect in CARDS[card].effect:
        if effect.get("option", option) != option:
            continue
        kind, _, power = str(effect.get("who", "own_force")).partition(":")
        if effect["op"] in ("activate", "campaign") and kind in ("own_force", "force"):
            grants += [power] * int(effect["count"])
        elif effect["op"] == "ap":
            points += int(effect["n"])
    return tuple(grants), points


def _marching_orders(view: State, side: str, card: str, whim: random.Random) -> list[PlayEvent]:
    """A card as an event that lets forces act, by each option that does."""
    options = [o for o in (CARDS[card].options or ("",)) if any(licence(card, o))]
    if not options:
        return []
    plain = [option for option in options if _asks_nothing(card, option)]
    if plain:
        return [PlayEvent(card, option=option) for option in plain]
    return [o for o in chosen(view, side, card, whim) if isinstance(o, PlayEvent) and o.option in options]


def _asks_nothing(card: str, option: str) -> bool:
    """Whether an event names nothing but the forces that act."""
    effects = [e for e in CARDS[card].effect if e.get("option", option) == option]
    return all(effect["op"] in ("activate", "campaign", "ap", "bridging", "fetch") for effect in effects)


def _several(
    eye: Eye, question: Act, event: PlayEvent, grants: tuple[str, ...], points: int, best: list[Plan]
) -> tuple[float, Answer]:
    """As many of the best plans as an event allows, and what they are worth."""
    letter: Answer = (event,)
    free = list(grants)
    worth, used, goals, tried = 0.0, set[str](), set[str](), 0
    for plan in best:
        if plan.force in used or plan.goal in goals or not plan.fleetless or tried >= MOST_TRIED:
            continue
        grant = next((power for power in free if power in ("", _power(eye.view, plan.force))), None)
        if grant is None and plan.cost > points:
            continue
        tried += 1
        if question.check(eye.view, (*letter, *plan.orders)):
            continue
        letter = (*letter, *plan.orders)
        worth += plan.value
        used.add(plan.force)
        goals.add(plan.goal)
        if grant is None:
            points -= plan.cost
        else:
            free.remove(grant)
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
    last = 0.95 if eye.left <= 1 else 0.7
    if risk < (last if stake >= GREAT else 0.55):
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
            if treasured(view, card):
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
