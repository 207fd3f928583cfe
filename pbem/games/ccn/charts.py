"""The printed tables, from data: unit types, terrain, command cards, dice and artillery strips."""

from __future__ import annotations

from functools import cache
from typing import Any, Literal

import msgspec

from pbem.kernel.data import Data

Arm = Literal["infantry", "cavalry", "artillery"]
ARMS: tuple[Arm, ...] = ("infantry", "cavalry", "artillery")
FIRE, MELEE = "ranged", "melee"


class Kind(msgspec.Struct, frozen=True):
    """1.6, 1.8, 12: a unit type of the national cards."""

    id: str
    nation: str
    arm: Arm
    troop: str
    code: str
    name_fr: str
    blocks: int
    units_in_box: int
    move_battle: int
    move_max: int
    range: int
    ranged_bonus_standing: int = 0
    ranged_bonus_moved: int = 0
    ranged_bonus_on_published_card: int | None = None
    melee_bonus: int = 0
    melee_bonus_vs_infantry: int = 0
    sabres_hit: bool = True
    flags_ignored: int = 0
    retreat_per_flag: int = 1
    light_type: bool = False
    heavy_type: bool = False
    guard: bool = False


class Card(msgspec.Struct, frozen=True):
    """10: a command card as printed; what a tactic card does stands in `cards`."""

    id: str
    name: str
    kind: str
    count: int
    orders: dict[str, int | str] = {}


class Ground(msgspec.Struct, frozen=True):
    """11: one line of the terrain table."""

    id: str
    name_fr: str
    passable: bool = True
    enter_stop: bool = False
    battle_on_entry: bool = True
    square_allowed: bool = True
    blocks_los: bool = False
    impassable_for: tuple[str, ...] = ()
    dice_into: dict[str, dict[str, int]] = {}
    dice_out_of: dict[str, dict[str, int]] = {}
    hill_to_hill: dict[str, dict[str, int]] = {}
    defender_may_ignore_flags: dict[str, int] = {}
    cavalry_charge_bonus_denied: bool = False


DATA = Data.of("ccn")


@cache
def table(name: str) -> dict[str, Any]:
    """One file of data."""
    return DATA.read(name)


@cache
def kinds() -> dict[str, Kind]:
    """12: the 29 unit types by id."""
    return {
        row["id"]: msgspec.convert({**row, "troop": row["class"]}, Kind) for row in table("units")["unit"]
    }


@cache
def cards() -> dict[str, Card]:
    """10: the kinds of command card by id."""
    rows = table("cards")["card"]
    return {
        row["id"]: Card(
            row["id"],
            row["name"],
            row["kind"],
            row["count"],
            row["orders"] if row["kind"] == "section" else {},
        )
        for row in rows
    }


@cache
def deck() -> tuple[str, ...]:
    """2.5: the 70 command cards, sorted by name."""
    return tuple(sorted(card.id for card in cards().values() for _ in range(card.count)))


@cache
def grounds() -> dict[str, Ground]:
    """11: terrain by id."""
    return DATA.records("terrain", "terrain", Ground)


@cache
def faces() -> tuple[str, ...]:
    """1.5: what the values 1 to 6 of a die show (index 0 is unused)."""
    numbers = table("dice")["d6_map"]
    return ("", *(numbers[str(value)] for value in range(1, 7)))


@cache
def rounding(nation: str) -> str:
    """6.4.1: how a nation halves the dice of infantry that has moved."""
    return next(str(row["moved_fire_rounding"]) for row in table("nations")["nation"] if row["id"] == nation)


@cache
def gun_dice(troop: str, single: bool, distance: int) -> int:
    """6.4.6: dice of a battery at a distance (1 is melee); none beyond its range."""
    strip = table("combat")["artillery"][troop]["blocks_1" if single else "blocks_2_or_3"]["dice"]
    return int(strip.get(str(distance), 0))
