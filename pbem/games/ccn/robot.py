"""Robots: one that does anything legal, and one that plays sensibly."""

from __future__ import annotations

import random

from pbem.games.ccn import battle, board, cards, effects, movement, squares
from pbem.games.ccn.charts import FIRE, MELEE
from pbem.games.ccn.orders import (
    Fire,
    Keep,
    LeaderMove,
    LeaveSquare,
    Melee,
    Move,
    Play,
    Rank,
    SendBack,
)
from pbem.games.ccn.plan import TurnPlan
from pbem.games.ccn.questions import Turn
from pbem.games.ccn.state import State, Unit, copy
from pbem.kernel.order import Answer, Condition, If, Order, Test
from pbem.kernel.question import Question


def targets(state: State, unit: Unit) -> list[Order]:
    """The combats that a unit could make where it stands."""
    found: list[Order] = []
    may_fire = battle.why_no_battle(state, unit, FIRE) is None
    may_melee = battle.why_no_battle(state, unit, MELEE) is None
    for piece in state.pieces():
        if not piece.hex or piece.side == unit.side or (not may_fire and not may_melee):
            continue
        near = board.DISTANCE[piece.hex][unit.hex]
        if near == 1 and may_melee and battle.why_no_melee(state, unit, piece.hex, []) is None:
            found.append(Melee(unit.hex, (piece.hex,)))
        if 1 < near <= 5 and may_fire and battle.why_no_fire(state, unit, piece.hex) is None:
            found.append(Fire(unit.hex, (piece.hex,)))
    return list(dict.fromkeys(found))


def any_turn(view: State, seat: str, whim: random.Random) -> Answer:
    """A whole plan at random: a card, and for some of its units a move or a combat or both."""
    hand = [item.card for item in view.hands[seat]]
    card = whim.choice(hand)
    lines: list[Order] = [Play(card)]
    plan = TurnPlan(copy(view), seat, tuple(lines))
    plan.lay(Play(card))
    state = plan.state
    fights: list[Order] = []
    units = list(state.army(seat))
    whim.shuffle(units)
    room = whim.randint(2, 8)
    for unit in units:
        if room and plan.claims.order(unit) is None:
            fights += _any_unit(plan, unit, lines, whim)
            room -= 1
    for leader in list(state.staff(seat)):
        if whim.random() < 0.15 and not leader.moved and plan.claims.order_leader(leader) is None:
            ways = movement.leader_reachable(state, leader, plan.claims.force.leader_reach())
            if ways and state.leader_at(leader.hex) is leader:
                name = leader.id
                path = ways[whim.choice(sorted(ways))]
                movement.move_leader(state, leader, path)
                lines.append(LeaderMove(name, path))
    if state.command is not None and state.command.card == cards.SUPPLY:
        lines.append(SendBack(whim.choice(sorted(u.hex for u in view.units.values() if u.hex))))
    if plan.claims.force.by_dice:
        lines.append(Rank(tuple(unit.hex for unit in view.units.values() if unit.side == seat and unit.hex)))
    if whim.random() < 0.7:
        lines.append(Keep(tuple(whim.sample(hand, len(hand)))))
    answer = (*lines, *fights)
    return answer if not Turn(key="", seat=seat).check(view, answer) else (Play(card),)


def _any_unit(plan: TurnPlan, unit: Unit, lines: list[Order], whim: random.Random) -> list[Order]:
    state = plan.state
    if unit.square and squares.why_not_leave(state, unit) is None and whim.random() < 0.5:
        lines.append(LeaveSquare(unit.hex))
        squares.leave(state, unit)
    if whim.random() < 0.7 and movement.why_no_move(state, unit) is None:
        most, _ = effects.in_force(state).reach(state, unit)
        ways = movement.reachable(state, unit, most)
        if ways:
            path = ways[whim.choice(sorted(ways))]
            lines.append(Move(unit.hex, path))
            movement.move_unit(state, unit, path)
    fights = targets(state, unit)
    if not fights or whim.random() < 0.1:
        return []
    fight = whim.choice(fights)
    if isinstance(fight, Melee) and whim.random() < 0.6:
        guns = _any_guns(plan, unit, fight.targets[0])
        fight = Melee(fight.unit, fight.targets, guns, advance="take_ground", bonus=fight.targets)
    if whim.random() < 0.1 and isinstance(fight, (Fire, Melee)):
        return [If(Condition((Test(fight.targets[0], "=", "enemy"),)), (fight,))]
    return [fight]


def _any_guns(plan: TurnPlan, unit: Unit, target: str) -> tuple[str, ...]:
    """8.3: the batteries that could join, if they have not been used yet."""
    guns = [] if unit.arm == "artillery" else [gun for gun in plan.state.army(unit.side) if gun.ordered]
    return tuple(gun.hex for gun in guns if battle.why_no_gun(plan.state, gun, target) is None)


def anything(view: State, question: Question[State], whim: random.Random) -> Answer:
    """Any legal answer."""
    if isinstance(question, Turn):
        return any_turn(view, question.seat, whim)
    return whim.choice(list(question.legal(view)))
