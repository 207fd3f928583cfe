"""10: what each command card does: whom it orders, how they move, what it adds to their dice."""

from __future__ import annotations

from functools import cache

from pbem.games.ccn import board, charts, terrain
from pbem.games.ccn.charts import FIRE, MELEE
from pbem.games.ccn.state import Played, State, Unit
from pbem.kernel.event import Modifier

HORSE = "horse"
LIGHT_MARCHERS = ("light", "rifle", "grenadier", "guard_light")
SCOUT = "scout"


class Effect:
    """10.1, 4.8, 4.9: a card that changes nothing: one unit of choice by the normal rules (R08, R09)."""

    most = 1
    """How many units it orders at most."""
    leaders = False
    """4.4: whether leaders may be ordered by themselves (the cards with a bicorne)."""
    everyone = False
    """Whether all whom it finds are ordered, without being named."""
    moves = True
    battles = True
    by_dice = False
    rule = "4.8"

    def finds(self, state: State, unit: Unit) -> bool:
        """Whether the card can order this unit."""
        return True

    def reach(self, state: State, unit: Unit) -> tuple[int, int]:
        """5.8: hexes it may move at most, and hexes after which it may still battle."""
        kind = unit.kind
        if kind.arm == "artillery" and kind.troop == HORSE and unit.blocks == 1:
            return kind.move_max, 0
        return kind.move_max, kind.move_battle

    def leader_reach(self) -> int:
        """5.9.1: hexes that a leader may move."""
        return 3

    def allows(self, state: State, unit: Unit, how: str) -> bool:
        """Whether the card lets the unit fire, or melee."""
        return self.battles

    def dice(self, state: State, unit: Unit, target: str, how: str, bonus: bool) -> int:
        """Dice that the card adds."""
        return 0


class Section(Effect):
    """10.2: so many units and leaders in each section; leaders may detach."""

    leaders = True
    rule = "10.2"

    def __init__(self, quotas: dict[str, int]) -> None:
        self.quotas = quotas
        self.most = sum(quotas.values())


class BayonetCharge(Effect):
    """10.3.1: up to four infantry units: move two and melee, no fire; guards one more die."""

    most = 4
    rule = "10.3.1"

    def finds(self, state: State, unit: Unit) -> bool:
        return unit.arm == "infantry"

    def reach(self, state: State, unit: Unit) -> tuple[int, int]:
        return 2, 2

    def allows(self, state: State, unit: Unit, how: str) -> bool:
        return how == MELEE

    def dice(self, state: State, unit: Unit, target: str, how: str, bonus: bool) -> int:
        return int(unit.kind.guard)


class Bombard(Effect):
    """10.3.2: up to four batteries: move three, or battle with two more dice, the guard three (R48)."""

    most = 4
    rule = "10.3.2"

    def finds(self, state: State, unit: Unit) -> bool:
        return unit.arm == "artillery"

    def reach(self, state: State, unit: Unit) -> tuple[int, int]:
        return 3, 0

    def dice(self, state: State, unit: Unit, target: str, how: str, bonus: bool) -> int:
        return 3 if unit.kind.guard else 2


class CavalryCharge(Effect):
    """10.3.3: up to four cavalry units and horse batteries; cavalry one more die, guards two."""

    most = 4
    rule = "10.3.3"

    def finds(self, state: State, unit: Unit) -> bool:
        return unit.arm == "cavalry" or unit.kind.troop == HORSE

    def reach(self, state: State, unit: Unit) -> tuple[int, int]:
        return (3, 3) if unit.arm == "cavalry" else super().reach(state, unit)

    def dice(self, state: State, unit: Unit, target: str, how: str, bonus: bool) -> int:
        if unit.arm != "cavalry" or terrain.charge_denied(state, unit.hex, target):
            return 0
        return 2 if unit.kind.guard else 1


class Elan(Effect):
    """10.3.5: the dice say who is ordered; all of them one more die."""

    leaders = True
    by_dice = True
    rule = "10.3.5"

    def dice(self, state: State, unit: Unit, target: str, how: str, bonus: bool) -> int:
        return 1


class FireAndHold(Effect):
    """10.3.6: up to four infantry units and batteries away from the enemy: fire with one more die (R50)."""

    most = 4
    moves = False
    rule = "10.3.6"

    def finds(self, state: State, unit: Unit) -> bool:
        return unit.arm != "cavalry" and not state.near_enemy_unit(unit)

    def reach(self, state: State, unit: Unit) -> tuple[int, int]:
        return 0, 0

    def allows(self, state: State, unit: Unit, how: str) -> bool:
        return how == FIRE

    def dice(self, state: State, unit: Unit, target: str, how: str, bonus: bool) -> int:
        return 1


class FirstStrike(Effect):
    """10.3.7: in the command phase it orders nothing (R06)."""

    most = 0
    rule = "10.3.7"

    def finds(self, state: State, unit: Unit) -> bool:
        return False


class ForceMarch(Effect):
    """10.3.8: all infantry of one section; some march two hexes and battle."""

    everyone = True
    rule = "10.3.8"

    def __init__(self, section: str) -> None:
        self.section = section

    def finds(self, state: State, unit: Unit) -> bool:
        place = state.place(unit.side)
        return unit.arm == "infantry" and self.section in board.sections(unit.hex, place)

    def reach(self, state: State, unit: Unit) -> tuple[int, int]:
        kind = unit.kind
        swift = kind.guard or kind.light_type or kind.troop in LIGHT_MARCHERS
        return (2, 2) if swift or state.leader_of(unit) else (2, 1)


class ColdSteel(Effect):
    """10.3.9: all units in contact: melee with one more die, no move before (R51: a lone leader counts)."""

    everyone = True
    moves = False
    rule = "10.3.9"

    def finds(self, state: State, unit: Unit) -> bool:
        return any(
            other.hex and other.side != unit.side and board.DISTANCE[other.hex][unit.hex] == 1
            for other in state.pieces()
        )

    def reach(self, state: State, unit: Unit) -> tuple[int, int]:
        return 0, 0

    def allows(self, state: State, unit: Unit, how: str) -> bool:
        return how == MELEE

    def dice(self, state: State, unit: Unit, target: str, how: str, bonus: bool) -> int:
        return 0 if bonus else 1


class Leadership(Effect):
    """10.3.10: all leaders, and the units with whom they stay; these one more die (R52)."""

    leaders = True
    everyone = True
    rule = "10.3.10"

    def finds(self, state: State, unit: Unit) -> bool:
        return state.leader_of(unit) is not None

    def dice(self, state: State, unit: Unit, target: str, how: str, bonus: bool) -> int:
        return 1


class GrandeManoeuvre(Effect):
    """10.3.11: up to four units and leaders move four hexes and do not battle (R53)."""

    most = 4
    leaders = True
    battles = False
    rule = "10.3.11"

    def finds(self, state: State, unit: Unit) -> bool:
        return not unit.square

    def reach(self, state: State, unit: Unit) -> tuple[int, int]:
        return 4, 0

    def leader_reach(self) -> int:
        return 4


class Rally(Effect):
    """10.3.12: units that regained a block may be ordered, by the normal rules."""

    by_dice = True
    rule = "10.3.12"

    def finds(self, state: State, unit: Unit) -> bool:
        return unit.blocks < unit.kind.blocks


class ShortSupply(Effect):
    """10.3.13: nobody is ordered (R55)."""

    most = 0
    rule = "10.3.13"

    def finds(self, state: State, unit: Unit) -> bool:
        return False


TACTICS: dict[str, Effect] = {
    "bayonet_charge": BayonetCharge(),
    "bombard": Bombard(),
    "cavalry_charge": CavalryCharge(),
    "elan": Elan(),
    "fire_and_hold": FireAndHold(),
    "first_strike": FirstStrike(),
    "give_them_the_cold_steel": ColdSteel(),
    "leadership": Leadership(),
    "la_grande_manoeuvre": GrandeManoeuvre(),
    "rally": Rally(),
    "short_supply": ShortSupply(),
}
ONE_UNIT = Effect()
NOTHING = FirstStrike()


@cache
def effect(card: str, section: str, strength: int) -> Effect:
    """10: the effect of a card; `strength` is the command of 3.4, for the cards that count it."""
    if card == "force_march":
        return ForceMarch(section)
    if card in TACTICS:
        return TACTICS[card]
    if card not in charts.cards() or charts.cards()[card].kind != "section":
        return NOTHING
    orders = charts.cards()[card].orders
    return Section({name: strength if n == "command" else int(n) for name, n in orders.items()})


def in_force(state: State) -> Effect:
    """The effect of the card played this turn."""
    if state.command is None:
        return NOTHING
    if state.fallback:
        return ONE_UNIT
    return effect(state.command.card, state.command.section, state.strength)


def finds_nobody(state: State, seat: str, played: Played) -> bool:
    """4.8: whether a card finds nobody of its kind, so that it orders one unit of choice instead."""
    army = list(state.army(seat))
    if played.card in ("bayonet_charge", "force_march"):
        return not any(unit.arm == "infantry" for unit in army)
    if played.card == "bombard":
        return not any(unit.arm == "artillery" for unit in army)
    if played.card == "cavalry_charge":
        return not any(unit.arm == "cavalry" or unit.kind.troop == HORSE for unit in army)
    if played.card == "fire_and_hold":
        return not any(unit.arm != "cavalry" for unit in army)
    if played.card == "leadership":
        return not any(True for _ in state.staff(seat))
    return False


def card_dice(state: State, unit: Unit, target: str, how: str, bonus: bool) -> list[Modifier]:
    """6.1.3, 6.7.5, 8.3.7: dice that the turn's card adds to an ordered unit of the active player."""
    if not (unit.ordered and unit.side == state.active):
        return []
    force = in_force(state)
    extra = force.dice(state, unit, target, how, bonus)
    return [Modifier("card", extra, force.rule)] if extra else []
