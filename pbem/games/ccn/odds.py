"""Exact chances of a combat, computed from the faces of the dice, from what the asker may know."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache

import msgspec

from pbem.games.ccn import battle, board, charts, routes, squares, terrain
from pbem.games.ccn.events import Odds, Share
from pbem.games.ccn.orders import Fire, Melee
from pbem.games.ccn.plan import TurnPlan, rehearsed
from pbem.games.ccn.retreat import may_ignore
from pbem.games.ccn.state import State, Unit, copy
from pbem.kernel.order import Answer, Order
from pbem.kernel.problem import Problem

Result = tuple[int, int]
"""Hits and flags."""
TWO_SABRES = Fraction(1, 36)
SCALE = 10_000


@cache
def roll(dice: int, hit_faces: int) -> Mapping[Result, Fraction]:
    """1.5: how likely each pair of hits and flags is, when so many of the six faces hit and one is a flag."""
    sixth = Fraction(1, 6)
    found: dict[Result, Fraction] = {(0, 0): Fraction(1)}
    for _ in range(dice):
        more: dict[Result, Fraction] = {}
        for (hits, flags), chance in found.items():
            for result, faces in (
                ((hits + 1, flags), hit_faces),
                ((hits, flags + 1), 1),
                ((hits, flags), 5 - hit_faces),
            ):
                more[result] = more.get(result, Fraction(0)) + chance * faces * sixth
        found = more
    return found


def hit_faces(arm: str, sabres: bool) -> int:
    """6.2.5, 6.8.1: how many faces of a die hit an arm."""
    return charts.faces().count(arm) + sabres


class Fate:
    """What a roll may do to a unit: destroyed, driven off, or there with so many blocks."""

    def __init__(self) -> None:
        self.destroyed = Fraction(0)
        self.driven_off = Fraction(0)
        self.stays: dict[int, Fraction] = {}

    def add(self, state: State, unit: Unit, blocks: int, steps: int, chance: Fraction) -> None:
        """7.5: a unit with so many blocks has to go back so many hexes, by the safest way."""
        way: tuple[str, ...] = ()
        if steps:
            way = routes.safest(state, unit, steps, routes.retreats(state, unit, steps))
            blocks -= routes.missing(state, unit, steps, way)
        if blocks <= 0:
            self.destroyed += chance
        elif way:
            self.driven_off += chance
        else:
            self.stays[blocks] = self.stays.get(blocks, Fraction(0)) + chance


def fate(state: State, unit: Unit, attacker: str, results: Mapping[Result, Fraction], *, firm: bool) -> Fate:
    """6.1.4, 7.6: the fate of a unit that ignores all flags it can; its leader may fall first (6.9.2)."""
    found = Fate()
    leader = state.leader_of(unit) is not None
    most = 0 if firm else may_ignore(state, unit, attacker)
    each = unit.kind.retreat_per_flag
    for (hits, flags), chance in results.items():
        blocks = unit.blocks - hits
        if blocks <= 0:
            found.destroyed += chance
            continue
        falls = TWO_SABRES if leader and hits and most else Fraction(0)
        for ignored, share in ((most, 1 - falls), (most - 1, falls)):
            if share:
                found.add(state, unit, blocks, max(0, flags - ignored) * each, chance * share)
    return found


def _shares(chances: Mapping[int, Fraction]) -> tuple[Share, ...]:
    return tuple(Share(number, round(chances[number] * SCALE)) for number in sorted(chances))


def _marginal(results: Mapping[Result, Fraction], which: int, most: int) -> dict[int, Fraction]:
    found: dict[int, Fraction] = {}
    for result, chance in results.items():
        number = min(result[which], most)
        found[number] = found.get(number, Fraction(0)) + chance
    return found


def consult(view: State, seat: str, order: Order) -> Odds:
    """13: what CHECK says of a fire or melee order, seen from a seat: sight, range, dice, exact chances."""
    if not isinstance(order, (Fire, Melee)) or not order.targets:
        raise TypeError("only fire and melee have odds")
    state = copy(view)
    return _consult(state, seat, order, state.unit_at(order.unit))


def asked(view: State, seat: str, answer: Answer) -> list[Odds]:
    """13: the odds of combats that are asked about without a card; none where the answer is a whole plan."""
    if not answer or not all(isinstance(order, (Fire, Melee)) for order in answer) or _rolled(view, seat):
        return []
    return [consult(view, seat, order) for order in answer if isinstance(order, (Fire, Melee))]


def forecast(view: State, seat: str, answer: Answer) -> list[Odds]:
    """13: the odds of every combat of the plan of a turn, after its moves and with its card."""
    plan = rehearsed(view, seat, answer)
    if _rolled(view, seat):
        plan = TurnPlan(copy(view), seat, answer)
        plan.detaching = plan.detach_list()
        plan.carry_out(check=False)
    found = []
    for order in answer:
        if isinstance(order, (Fire, Melee)) and order.targets:
            unit = plan.fighter(order.unit)
            state = copy(plan.state)
            fighter = state.units[unit.id] if unit is not None else None
            found.append(_consult(state, seat, order, fighter))
    return found


def _rolled(view: State, seat: str) -> bool:
    """4.6: whether the seat's card is played and its dice are rolled, so that orders come without a card."""
    return view.active == seat and view.command is not None


def _consult(state: State, seat: str, order: Fire | Melee, unit: Unit | None) -> Odds:
    target = order.targets[0]
    here = unit.hex if unit is not None else order.unit
    kind = "fire" if isinstance(order, Fire) else "melee"
    enemy = state.unit_at(target)
    beyond = here not in board.ROW or target not in board.ROW
    odds = Odds(
        kind_of=kind,
        seat=seat,
        unit=unit.type if unit else "",
        hex=here,
        target=enemy.type if enemy else "",
        target_hex=target,
        distance=0 if beyond else board.distance(here, target),
        sight=unit is not None and not beyond and terrain.sees(state, unit, target),
        rule="13",
    )
    if beyond:
        return msgspec.structs.replace(odds, problem="not_on_board", rule="1.2")
    if unit is None:
        return msgspec.structs.replace(odds, problem="no_unit_there")
    if isinstance(order, Fire):
        return _fire(state, odds, unit, target)
    guns = [gun for hex in order.guns if (gun := state.unit_at(hex)) is not None and gun.side == unit.side]
    for gun in guns:
        gun.ordered = True
    return _melee(state, odds, unit, target, guns)


def _fire(state: State, odds: Odds, unit: Unit, target: str) -> Odds:
    problem = battle.why_no_fire(state, unit, target)
    if problem is not None:
        return _impossible(odds, problem)
    enemy = state.unit_at(target)
    assert enemy is not None
    dice = battle.fire_dice(state, unit, target)
    results = roll(dice.number, hit_faces(enemy.arm, False))
    if state.on("cuirass_saves_one_fire_hit") and enemy.kind.troop == "cuirassier" and unit.arm == "infantry":
        saved: dict[Result, Fraction] = {}
        for (hits, flags), chance in results.items():
            result = (max(0, hits - 1), flags)
            saved[result] = saved.get(result, Fraction(0)) + chance
        results = saved
    firm = unit.square > 0 and enemy.arm == "cavalry"
    end = fate(state, enemy, unit.hex, results, firm=firm)
    return _told(odds, dice.number, results, enemy.blocks, end, dice)


def _impossible(odds: Odds, problem: Problem) -> Odds:
    return msgspec.structs.replace(odds, problem=problem.code, rule=problem.rule)


def _told(
    odds: Odds, dice: int, results: Mapping[Result, Fraction], blocks: int, end: Fate, how: battle.Dice
) -> Odds:
    expected = sum((min(hits, blocks) * chance for (hits, _), chance in results.items()), Fraction(0))
    return msgspec.structs.replace(
        odds,
        dice=dice,
        modifiers=how.modifiers,
        hits=_shares(_marginal(results, 0, blocks)),
        flags=_shares(_marginal(results, 1, dice)),
        expected=round(expected * 100),
        destroyed=round(end.destroyed * SCALE),
        driven_off=round(end.driven_off * SCALE),
    )


def _melee(state: State, odds: Odds, unit: Unit, target: str, guns: list[Unit]) -> Odds:
    problem = battle.why_no_melee(state, unit, target, guns)
    if problem is not None:
        return _impossible(odds, problem)
    dice = battle.melee_dice(state, unit, target)
    total = dice.number + sum(battle.gun_dice(state, gun, target).number for gun in guns)
    enemy = state.unit_at(target)
    if enemy is None:
        return _hunt(odds, total, dice)
    sabres = battle.sabres_hit(state, unit.kind)
    results = roll(total, hit_faces(enemy.arm, sabres))
    firm = unit.square > 0 and enemy.arm == "cavalry"
    if enemy.square and unit.arm == "cavalry":
        return _against_square(state, odds, unit, enemy, total, results, dice)
    end = fate(state, enemy, unit.hex, results, firm=firm)
    odds = _told(odds, total, results, enemy.blocks, end, dice)
    answers = ["first_strike"] if state.hands[enemy.side] else []
    if squares.may_form(state, enemy, unit):
        answers.append("square")
    if enemy.arm == "cavalry" and unit.arm == "infantry" and routes.retires(state, enemy):
        answers.append("retire")
    return msgspec.structs.replace(_battle_back(state, odds, unit, enemy, end), answers=tuple(answers))


def _hunt(odds: Odds, total: int, dice: battle.Dice) -> Odds:
    """6.8.2: a lone leader dies of one sabre, or rides off."""
    spared = Fraction(5, 6) ** total
    return msgspec.structs.replace(
        odds,
        dice=total,
        modifiers=dice.modifiers,
        hits=_shares({0: spared, 1: 1 - spared}),
        expected=round((1 - spared) * 100),
        destroyed=round((1 - spared) * SCALE),
        driven_off=round(spared * SCALE),
    )


def _battle_back(state: State, odds: Odds, unit: Unit, enemy: Unit, end: Fate) -> Odds:
    """6.7: the defender that stays battles back with what it has left."""
    number: dict[int, Fraction] = {0: end.destroyed + end.driven_off}
    hits: dict[int, Fraction] = {0: end.destroyed + end.driven_off}
    flags: dict[int, Fraction] = {0: end.destroyed + end.driven_off}
    faces = hit_faces(unit.arm, battle.sabres_hit(state, enemy.kind))
    full = enemy.blocks
    for blocks, chance in end.stays.items():
        enemy.blocks = blocks
        dice = battle.melee_dice(state, enemy, unit.hex, back=True).number
        number[dice] = number.get(dice, Fraction(0)) + chance
        for (hit, flag), share in roll(dice, faces).items():
            lost = min(hit, unit.blocks)
            hits[lost] = hits.get(lost, Fraction(0)) + chance * share
            flags[flag] = flags.get(flag, Fraction(0)) + chance * share
    enemy.blocks = full
    return msgspec.structs.replace(
        odds, back_dice=_shares(number), back_hits=_shares(hits), back_flags=_shares(flags)
    )


def _against_square(
    state: State,
    odds: Odds,
    unit: Unit,
    square: Unit,
    total: int,
    results: Mapping[Result, Fraction],
    dice: battle.Dice,
) -> Odds:
    """8.2.5, 8.2.6: the square's die first; the cavalry rolls only if it is still there."""
    first = battle.melee_dice(state, square, unit.hex, back=True).number
    before = roll(first, hit_faces(unit.arm, battle.sabres_hit(state, square.kind)))
    there = sum(fate(state, unit, square.hex, before, firm=True).stays.values(), Fraction(0))
    mixed = {result: chance * there for result, chance in results.items()}
    mixed[(0, 0)] = mixed.get((0, 0), Fraction(0)) + 1 - there
    end = fate(state, square, unit.hex, mixed, firm=False)
    return msgspec.structs.replace(
        _told(odds, total, mixed, square.blocks, end, dice),
        back_dice=_shares({first: Fraction(1)}),
        back_hits=_shares(_marginal(before, 0, unit.blocks)),
        back_flags=_shares(_marginal(before, 1, first)),
    )
