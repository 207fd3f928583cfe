"""Robots: one that does anything legal, and one that plays to win."""

from __future__ import annotations

import random
from collections.abc import Iterator

from pbem.games.leipzig.actions import act, uncommitted
from pbem.games.leipzig.board import BOARD
from pbem.games.leipzig.choices import army_cards, kinds_in_hand, moves, removals, single_orders
from pbem.games.leipzig.judgement import DISTANCE, Judge, mission_weights
from pbem.games.leipzig.orders import (
    BluffMove,
    BluffTerrain,
    DrawPile,
    DrawRow,
    KeepMissions,
    Move,
    PlayTime,
    RevealMission,
    Sacrifice,
    Wait,
)
from pbem.games.leipzig.plan import Actions, assume
from pbem.games.leipzig.questions import Allocate, Cascade, Keep, Reveal, easiness
from pbem.games.leipzig.state import State, actions_left, copy, tiles
from pbem.games.leipzig.tiles import place
from pbem.kernel.order import Answer, Condition, If, Order, Test
from pbem.kernel.plan import Rehearsal, rehearse
from pbem.kernel.question import Question


def at_random(view: State, question: Question[State], whim: random.Random) -> Answer:
    """Any legal answer; for the actions now several orders in one letter, now a plan with an IF."""
    if not isinstance(question, Actions):
        return whim.choice(list(question.legal(view)))
    style = whim.random()
    if style < 0.15:
        return _plan(view, question, whim)
    number = 1 if style < 0.5 else whim.randint(1, question.left)
    return _random_orders(view, whim, number)


def _random_orders(view: State, whim: random.Random, number: int) -> Answer:
    table = Rehearsal(copy(view))
    chosen: list[Order] = []
    while len(chosen) < number and actions_left(table.state):
        legal = list(single_orders(table.state))
        if not legal:
            break
        kind = whim.choice(sorted({type(order) for order in legal}, key=lambda kind: kind.__name__))
        order = whim.choice([order for order in legal if type(order) is kind])
        rehearse(act(table, order))
        chosen.append(order)
    return tuple(chosen)


def _plan(view: State, question: Actions, whim: random.Random) -> Answer:
    """Draw, and play the card at once where it is of a terrain that helps."""
    if question.left < 2 or not view.pile:
        return _random_orders(view, whim, 1)
    terrain = whim.choice(sorted(BOARD.terrain_cards))
    condition = Condition((Test("drawn", "=", terrain),))
    after = copy(view)
    rehearse(act(Rehearsal(after), DrawPile()))
    assume(after, after.side, condition)
    then = [order for order in single_orders(after) if getattr(order, "terrain", "") == terrain]
    if not then:
        return (DrawPile(),)
    plan = If(condition, (whim.choice(then),), (DrawPile(),))
    return (DrawPile(), plan)


def sensible(view: State, question: Question[State], whim: random.Random) -> Answer:
    """An answer that looks best one action ahead; a whole turn is one letter."""
    if isinstance(question, Actions):
        return _best_turn(view, whim)
    if isinstance(question, Keep):
        return (KeepMissions(tuple(max(pair, key=_promise) for pair in view.offered)),)
    if isinstance(question, Reveal):
        return (RevealMission(_least_harm(view)),)
    if isinstance(question, Allocate):
        return _spare_the_missions(view, question)
    if isinstance(question, Cascade):
        return _best_cascade(view, question)
    return question.default(view)


def _best_turn(view: State, whim: random.Random) -> Answer:
    side = view.side
    judge = Judge(view, side)
    table = Rehearsal(copy(view))
    chosen: list[Order] = []
    while actions_left(table.state):
        before = judge.value(table.state)
        best: tuple[float, Order, State] | None = None
        for order in _candidates(table.state, judge):
            after = copy(table.state)
            rehearse(act(Rehearsal(after), order))
            gain = judge.value(after) - before + _clock(view, judge, before, after.time - table.state.time)
            gain += whim.random() * 0.02
            if best is None or gain > best[0]:
                best = (gain, order, after)
        if best is None:
            break
        chosen.append(best[1])
        table = Rehearsal(best[2])
    return tuple(chosen)


def _clock(view: State, judge: Judge, value: float, ticks: int) -> float:
    """Near the end a side that is ahead likes time to pass, and one that is behind does not."""
    if not ticks or judge.left > 0.5:
        return 0.0
    return ticks * 0.12 * max(-1.0, min(1.0, value / 6))


def _candidates(state: State, judge: Judge) -> Iterator[Order]:
    kinds = kinds_in_hand(state, state.side)
    if state.pile or state.discard:
        yield DrawPile()
    seen: set[str] = set()
    for number, card in enumerate(state.row, 1):
        kind = card.rpartition("-")[0]
        if card and kind not in seen:
            seen.add(kind)
            yield DrawRow(number)
    yield from army_cards(state)
    yield from _once(removals(state, kinds))
    goals = [BOARD.missions[mission].zone for mission, weight in judge.weights.items() if weight == 1.0]
    for order in _once(moves(state, kinds)):
        assert isinstance(order, Move | BluffMove)
        if any(DISTANCE[goal][order.to] <= min(1, DISTANCE[goal][order.start]) for goal in goals):
            yield order
    if kinds["time"]:
        yield PlayTime()
    if not uncommitted(state):
        yield Wait()


def _once(orders: Iterator[Order]) -> Iterator[Order]:
    """One way to do each thing: plain cards before bluffs, the first card that serves."""
    done: set[tuple[str, str, str]] = set()
    for order in orders:
        start, to = getattr(order, "start", ""), getattr(order, "to", "") or getattr(order, "zone", "")
        key = (getattr(order, "army", ""), start, to)
        bluff = isinstance(order, BluffTerrain | BluffMove)
        if bluff and key in done:
            continue
        if isinstance(order, Move) and key in done:
            continue
        done.add(key)
        yield order


def _promise(mission: str) -> float:
    card = BOARD.missions[mission]
    distance = easiness(mission)[0]
    return (0.62, 0.45, 0.28, 0.15)[min(distance, 3)] * (card.french_points + card.allied_points)


def _least_harm(view: State) -> str:
    """A mission that is held already, or lost already; otherwise the cheapest."""
    at = tiles(view)

    def harm(mission: str) -> tuple[int, int]:
        card = BOARD.missions[mission]
        return (0 if card.zone in at else 1, card.french_points + card.allied_points)

    return min(view.missions, key=harm)


def _spare_the_missions(view: State, question: Allocate) -> Answer:
    """Armies on mission zones suffer last; no army dies while another can bear it."""
    goals = {BOARD.missions[m].zone for m, weight in mission_weights(view).items() if weight == 1.0}
    left = {id: army.strength for id, army in view.armies.items()}
    chosen: list[Order] = []
    for enemy, candidates in question.choices.items():
        army = max(candidates, key=lambda id: (left[id] > 1, view.armies[id].zone not in goals, left[id]))
        left[army] -= 1
        chosen.append(Sacrifice(army, enemy))
    return tuple(chosen)


def _best_cascade(view: State, question: Cascade) -> Answer:
    judge = Judge(view, view.roles[question.seat])

    def worth(answer: Answer) -> float:
        after = copy(view)
        rehearse(place(Rehearsal(after), answer[0].army))  # type: ignore[attr-defined]
        return judge.value(after)

    return max(question.legal(view), key=worth)
