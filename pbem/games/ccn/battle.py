"""6: who may battle whom, and with how many dice; the same for orders, play and odds."""

from __future__ import annotations

from pbem.games.ccn import board, charts, effects, terrain
from pbem.games.ccn.charts import FIRE, MELEE, Kind
from pbem.games.ccn.effects import HORSE
from pbem.games.ccn.state import State, Unit
from pbem.kernel.event import Modifier
from pbem.kernel.problem import Params, Problem


class Dice:
    """6.1.3: a number of dice and how it came about: base, type, card, terrain."""

    __slots__ = ("modifiers", "number")

    def __init__(self, modifiers: list[Modifier]) -> None:
        self.modifiers = tuple(modifiers)
        self.number = max(0, sum(modifier.value for modifier in modifiers))


def reach_of(state: State, kind: Kind) -> int:
    """6.2.3: how far a type fires (R62 by switch)."""
    if kind.id == "pt_light" and state.on("portuguese_light_are_rifles"):
        return 3
    return kind.range


def sabres_hit(state: State, kind: Kind) -> bool:
    """6.6.4: whether sabres count for a type (R62 by switch)."""
    if kind.id == "pt_light" and state.on("portuguese_light_are_rifles"):
        return False
    return kind.sabres_hit


def _fire_base(state: State, unit: Unit, distance: int) -> list[Modifier]:
    kind = unit.kind
    if kind.arm == "artillery":
        dice = [Modifier("battery", charts.gun_dice(kind.troop, unit.blocks == 1, distance), "6.4.6")]
        extra = kind.ranged_bonus_standing
        if kind.guard and kind.troop == "foot":
            extra = int(state.options.get("guard_foot_artillery_fire_bonus", "0"))
        return dice + ([Modifier("type", extra, "12")] if extra else [])
    extra = kind.ranged_bonus_moved if unit.moved else kind.ranged_bonus_standing
    if (
        kind.ranged_bonus_on_published_card is not None
        and state.options.get("grenadier_fire_bonus") == "card"
    ):
        extra = kind.ranged_bonus_on_published_card
    if unit.moved:
        up = charts.rounding(kind.nation) == "up"
        base = Modifier("blocks_moved", (unit.blocks + 1) // 2 if up else unit.blocks // 2, "6.4.1")
    else:
        base = Modifier("blocks", unit.blocks, "6.4.1")
    return [base] + ([Modifier("type", extra, "6.4.2")] if extra else [])


def _melee_base(unit: Unit, target: Unit | None) -> list[Modifier]:
    kind = unit.kind
    if kind.arm == "artillery":
        base = Modifier("battery", charts.gun_dice(kind.troop, unit.blocks == 1, 1), "6.6.3")
    else:
        base = Modifier("blocks", unit.blocks, "6.6.1" if kind.arm == "infantry" else "6.6.2")
    dice = [base]
    if kind.melee_bonus:
        dice.append(Modifier("type", kind.melee_bonus, base.rule))
    if kind.melee_bonus_vs_infantry and target is not None and target.arm == "infantry":
        dice.append(Modifier("against_infantry", kind.melee_bonus_vs_infantry, "6.6.1"))
    return dice


def _capped(dice: list[Modifier], cap: bool) -> list[Modifier]:
    """6.4.5, 8.2.4: at most one die for a square, and for cavalry against one."""
    total = sum(modifier.value for modifier in dice)
    return [*dice, Modifier("square", 1 - total, "8.2.4")] if cap and total > 1 else dice


def fire_dice(state: State, unit: Unit, target: str) -> Dice:
    """6.4.2, 6.4.3: dice of fire at a hex, moved or not, with type and card, less terrain."""
    distance = board.DISTANCE[unit.hex][target]
    dice = _fire_base(state, unit, distance) + effects.card_dice(state, unit, target, FIRE, False)
    dice = _capped(dice, bool(unit.square))
    return Dice(dice + terrain.reductions(state, unit.hex, target, unit.arm, FIRE))


def melee_dice(state: State, unit: Unit, target: str, *, bonus: bool = False, back: bool = False) -> Dice:
    """6.6.1, 6.6.2, 6.6.3: dice of a melee; `back` where the card in force does not count (6.7.5)."""
    enemy = state.unit_at(target)
    dice = _melee_base(unit, enemy)
    if not back:
        dice += effects.card_dice(state, unit, target, MELEE, bonus)
    against_square = unit.arm == "cavalry" and enemy is not None and enemy.square > 0
    dice = _capped(dice, bool(unit.square) or against_square)
    return Dice(dice + terrain.reductions(state, unit.hex, target, unit.arm, MELEE))


def gun_dice(state: State, gun: Unit, target: str, bonus: bool = False) -> Dice:
    """8.3.3: dice that a battery adds in combined arms: its melee number when adjacent, else its fire."""
    if board.DISTANCE[gun.hex][target] == 1:
        return melee_dice(state, gun, target, bonus=bonus)
    return fire_dice(state, gun, target)


def escape_dice(unit: Unit) -> int:
    """7.8.1: a unit through which a leader escapes: its melee dice without terrain or card; a square one."""
    return 1 if unit.square else sum(modifier.value for modifier in _melee_base(unit, None))


def why_no_battle(state: State, unit: Unit, how: str) -> Problem | None:
    """6.1.1: what keeps a unit from making a combat this turn."""
    here: Params = {"hex": unit.hex}
    if not unit.ordered:
        return Problem("not_ordered", "4.1", params=here)
    if unit.battled:
        return Problem("has_battled", "6.1.1", params=here)
    force = effects.in_force(state)
    if not force.allows(state, unit, how):
        return Problem("card_forbids_fire" if how == FIRE else "card_forbids_melee", force.rule, params=here)
    if unit.barred:
        ground = unit.moved and terrain.bars_battle(state, unit.hex, unit)
        return Problem("moved_too_far", "11" if ground else "5.8", params=here)
    return None


def why_no_fire(state: State, unit: Unit, target: str) -> Problem | None:
    """6.2.1, 6.2.2, 6.2.4: what keeps a unit from firing at a hex, apart from its orders."""
    params: Params = {"hex": unit.hex, "target": target}
    enemy = state.unit_at(target)
    if enemy is None or enemy.side == unit.side:
        return Problem("no_target", "6.2.1", params=params)
    longest = reach_of(state, unit.kind)
    if not longest:
        return Problem("cannot_fire", "6.2.1", params=params)
    distance = board.DISTANCE[unit.hex][target]
    if distance == 1:
        return Problem("target_adjacent", "6.2.2", params=params)
    if state.near_enemy_unit(unit):
        return Problem("pinned", "6.2.2", params=params)
    return why_out_of_reach(state, unit, target, longest)


def why_out_of_reach(state: State, unit: Unit, target: str, longest: int) -> Problem | None:
    """6.2.3, 6.3, 6.1.3: what keeps the fire of a unit that may fire from an enemy's hex."""
    params: Params = {"hex": unit.hex, "target": target}
    distance = board.DISTANCE[unit.hex][target]
    if unit.moved and unit.kind.troop == HORSE and unit.arm == "artillery":
        longest = min(longest, int(state.options.get("horse_artillery_moved_max_range", "3")))
    if distance > longest:
        return Problem("out_of_range", "6.2.3", params={**params, "distance": distance, "range": longest})
    if not terrain.sees(state, unit, target):
        return Problem("no_sight", "6.3", params=params)
    if fire_dice(state, unit, target).number == 0:
        return Problem("no_dice", "6.1.3", params=params)
    return None


def why_no_gun(state: State, gun: Unit, target: str) -> Problem | None:
    """8.3.1, 8.3.2: what keeps a battery from joining a combined-arms attack."""
    params: Params = {"hex": gun.hex, "target": target}
    if gun.arm != "artillery":
        return Problem("not_a_battery", "8.3.1", params=params)
    distance = board.DISTANCE[gun.hex][target]
    stuck = why_no_battle(state, gun, MELEE if distance == 1 else FIRE)
    if stuck is not None:
        return stuck
    if distance == 1:
        return None
    if state.near_enemy_unit(gun):
        return Problem("pinned", "8.3.2", params=params)
    longest = gun.kind.range
    if gun.moved:
        longest = min(longest, int(state.options.get("horse_artillery_moved_max_range", "3")))
    if distance > longest:
        return Problem("out_of_range", "8.3.2", params={**params, "distance": distance, "range": longest})
    if not terrain.sees(state, gun, target, over_friends=False):
        return Problem("no_sight", "8.3.2", params=params)
    return None


def why_no_melee(
    state: State, unit: Unit, target: str, guns: list[Unit], *, bonus: bool = False
) -> Problem | None:
    """6.5.1, 6.3.6: what keeps a unit from attacking a hex, apart from its orders (R21: it needs a die)."""
    params: Params = {"hex": unit.hex, "target": target}
    enemy = state.unit_at(target) or state.leader_at(target)
    if enemy is None or enemy.side == unit.side:
        return Problem("no_target", "6.5.1", params=params)
    if board.DISTANCE[unit.hex][target] != 1:
        return Problem("not_adjacent", "6.5.1", params=params)
    if guns and unit.arm == "artillery":
        return Problem("guns_cannot_lead", "8.3.1", params=params)
    for gun in guns:
        stuck = why_no_gun(state, gun, target)
        if stuck is not None:
            return stuck
    total = melee_dice(state, unit, target, bonus=bonus).number
    if total + sum(gun_dice(state, gun, target, bonus).number for gun in guns) == 0:
        return Problem("no_dice", "6.5.1", params=params)
    return None
