"""7.5.2.7 to 7.5.2.10: one round of a combat: guard, bombardment, fire of both sides at once, losses, who breaks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import msgspec

from pbem.games.eia import charts
from pbem.games.eia.battle_events import RoundFought
from pbem.games.eia.charts import Cell, Combination
from pbem.games.eia.land import losses, sheets
from pbem.games.eia.land.losses import Lost
from pbem.games.eia.land.sheets import Sheet
from pbem.games.eia.land.sides import ARTILLERY, Command, Side, superior_cavalry
from pbem.kernel.event import Event, Expected, Modifier

BOMBARD = "5-5"


class Dice(Protocol):
    """Where a combat's dice come from: named by what they are for."""

    def __call__(self, what: str, rule: str, side: str) -> int:
        """One die."""


class Ground(msgspec.Struct, frozen=True):
    """What the place and the optional rules are to a combat."""

    terrain: str = "clear"
    river: bool = False
    superiority: bool = True
    """12.3.3.1."""
    guard: bool = True
    """12.3.4."""
    artillery: bool = True
    """12.3.5."""
    by_nation: bool = True
    """12.3.6."""
    method: int = 1
    """7.5.2.6: how morale is reckoned."""


class Fire(msgspec.Struct, frozen=True, omit_defaults=True):
    """What one side did in a round."""

    table: str = ""
    die: int = 0
    modifiers: tuple[Modifier, ...] = ()
    factors: int = 0
    percent: int = 0
    morale: int = 0
    """Taken from the other side, in tenths."""
    guard: int = 0
    """12.3.4: by how much the guard was committed."""
    guard_die: int = 0
    guard_lost: int = 0
    bombard_die: int = 0
    bombarded: int = 0
    """12.3.5: factors that fell to its guns."""


class Round(msgspec.Struct, frozen=True, omit_defaults=True):
    """One round, for the report: what each side did, lost, and has left."""

    day: int
    round: int
    attacker: Fire
    defender: Fire
    attacker_lost: dict[str, int] = {}
    defender_lost: dict[str, int] = {}
    attacker_left: int = 0
    """Factors that still fight."""
    defender_left: int = 0
    attacker_morale: int = 0
    """Morale left, in tenths."""
    defender_morale: int = 0
    joined: tuple[tuple[str, int, int], ...] = ()
    """After the round: attacker or defender, by 1 reinforcement or 2 round the flank, and how many factors came."""


class Clash(msgspec.Struct):
    """A combat under way."""

    area: str
    sheet: Sheet
    ground: Ground
    attack: Side
    defence: Side
    cell: Combination | None = None
    commands: dict[str, Command] = {}
    day: int = 1
    round: int = 0
    record: list[Round] = []
    rows: list[RoundFought] = []
    """The rounds of the day, for the report."""
    luck: list[Expected] = []
    draws: list[str] = []
    later: list[Event] = []
    """What is told after the rounds of the day: who came, and who did not."""

    @property
    def sides(self) -> tuple[Side, Side]:
        """Attacker and defender."""
        return self.attack, self.defence

    def other(self, side: Side) -> Side:
        """The side across."""
        return self.defence if side is self.attack else self.attack


class Commit(msgspec.Struct, frozen=True):
    """12.3.4: that a side commits the guard of a power, and by how much."""

    power: str
    shift: int


def guard_ready(clash: Clash, side: Side) -> Commit | None:
    """12.3.4.3: the strongest commitment that a side may make."""
    if not (clash.sheet.guard and clash.ground.guard) or side.guard_spent:
        return None
    best: Commit | None = None
    for power in side.powers():
        guards = sum(body.factors.get("Gd", 0) for body in side.fighting if body.nation == power)
        shift = charts.guard_shift(power, guards)
        if shift and (best is None or shift > best.shift):
            best = Commit(power, shift)
    return best


def play(
    clash: Clash,
    dice: Dice,
    commits: Sequence[Commit | None] = (None, None),
    settle: losses.Settle = losses.in_turn,
) -> Round:
    """7.5.2.7 to 7.5.2.10: one round; both sides fire at once. Marks who has broken."""
    clash.round += 1
    guards = [_commit(clash, side, commit, dice) for side, commit in zip(clash.sides, commits, strict=True)]
    bombards = _bombard(clash, dice, settle)
    fires = [
        _fire(clash, side, clash.other(side), guard, dice)
        for side, guard in zip(clash.sides, guards, strict=True)
    ]
    lost = [
        _suffer(clash, side, fire, bombarded[1], settle)
        for side, fire, bombarded in zip(clash.sides, reversed(fires), reversed(bombards), strict=True)
    ]
    _breaking(clash, commits)
    shown = [
        msgspec.structs.replace(
            fire,
            guard=commit.shift if commit else 0,
            guard_die=guard[0],
            guard_lost=guard[1],
            bombard_die=bombard[0],
            bombarded=sum(bombard[1].values()),
        )
        for fire, guard, bombard, commit in zip(fires, guards, bombards, commits, strict=True)
    ]
    round = Round(
        clash.day,
        clash.round,
        shown[0],
        shown[1],
        attacker_lost=lost[0],
        defender_lost=lost[1],
        attacker_left=clash.attack.factors,
        defender_left=clash.defence.factors,
        attacker_morale=max(0, clash.attack.left),
        defender_morale=max(0, clash.defence.left),
    )
    clash.record.append(round)
    return round


def _commit(clash: Clash, side: Side, commit: Commit | None, dice: Dice) -> tuple[int, int, int]:
    """12.3.4.4, 12.3.4.5: die, guard factors lost at once, and the shift; a side without guard left has broken."""
    if commit is None:
        return 0, 0, 0
    side.guard_spent = True
    die = dice("guard", "12.3.4.4", side.role)
    number = charts.guard_losses(commit.shift, die)
    guards = [body for body in side.fighting if body.nation == commit.power and body.factors.get("Gd")]
    lost = 0
    for body in guards:
        some = min(number - lost, body.factors["Gd"])
        if some > 0:
            body.take("Gd", some)
            lost += some
    if not any(body.factors.get("Gd") for body in guards):
        side.broken = True
    return die, lost, commit.shift


def _bombard(clash: Clash, dice: Dice, settle: losses.Settle) -> list[tuple[int, Lost]]:
    """12.3.5, 12.3.5.1, 12.3.5.2, 12.3.5.3, 12.3.5.4: the guns of both sides: die, and losses."""
    if not (clash.sheet.artillery and clash.ground.artillery) or clash.ground.terrain == "marsh":
        return [(0, {}), (0, {})]
    guns = [
        sum(body.factors.get("A", 0) for body in side.fighting if body.kind == ARTILLERY)
        for side in clash.sides
    ]
    found: list[tuple[int, Lost]] = []
    hits: list[int] = []
    for side, number in zip(clash.sides, guns, strict=True):
        die = dice("guns", "12.3.5.1", side.role) if number else 0
        hits.append(charts.losses(charts.result(BOMBARD, die).percent, number) if number else 0)
        found.append((die, {}))
    for n, side in enumerate(clash.sides):
        target = clash.other(side)
        if hits[n]:
            free = target.morale_lost < losses.FREE_BELOW or clash.sheet.any_loss
            taken = losses.lose(target, hits[n], free=free, by_nation=clash.ground.by_nation, settle=settle)
            found[n] = (found[n][0], taken)
    return found


def modifiers(clash: Clash, side: Side) -> list[Modifier]:
    """7.5.2.9.1, 7.5.2.9.1.2: what is added to a side's die: commanders, cavalry, the tactical chart."""
    other = clash.other(side)
    found: list[Modifier] = []
    commanders = clash.sheet.commanders and (clash.cell is None or clash.cell.use_commander_chart)
    if commanders:
        attacker, defender = (clash.commands[one.role].tactical for one in clash.sides)
        pair = charts.commander_dice(attacker, defender)
        found.append(Modifier("commanders", pair[0 if side is clash.attack else 1], "7.5.2.9.1"))
    if clash.sheet.cavalry and clash.ground.superiority and superior_cavalry(side, other):
        found.append(Modifier("cavalry", 1, "12.3.3.1"))
    if clash.cell is not None and side is clash.attack and clash.commands[side.role].power == "austria":
        found.append(Modifier("austrian_commander", clash.cell.austrian_commander_die, "7.5.2.6.2"))
    return [modifier for modifier in found if modifier.value]


def table_of(clash: Clash, side: Side, shift: int = 0) -> str:
    """7.5.2.7, 7.5.2.7.2, 12.3.4.2: the table on which a side fires in this round; none where it does not fire."""
    arrived = any(one.arrived for one in clash.sides)
    pair = sheets.tables(
        clash.sheet,
        clash.cell,
        clash.round,
        clash.ground.terrain,
        arrived=arrived,
        river=clash.ground.river and clash.day == 1,
    )
    table = pair.attacker if side is clash.attack else pair.defender
    return charts.shifted(table, morale=shift) if table and shift else table


def _fire(clash: Clash, side: Side, other: Side, guard: tuple[int, int, int], dice: Dice) -> Fire:
    table = table_of(clash, side, guard[2])
    if side.broken or not side.factors or not table:
        return Fire(table, factors=side.factors)
    die = dice("fire", "7.5.2.9", side.role)
    found = modifiers(clash, side)
    cell = cell_of(table, die, found)
    return Fire(table, die, tuple(found), side.firing, cell.percent, cell.morale)


def cell_of(table: str, die: int, found: Sequence[Modifier]) -> Cell:
    """7.5.2.9: what a die gives; all modifiers together never move it by more than one."""
    total = sum(modifier.value for modifier in found)
    return charts.result(table, die + max(-1, min(1, total)))


def _suffer(clash: Clash, side: Side, fire: Fire, bombarded: Lost, settle: losses.Settle) -> Lost:
    """7.5.2.9.2, 7.5.2.9.3, 7.5.2.10.1.2.2: the other side's fire: morale and factors, at the end of the round."""
    side.morale_lost += fire.morale
    number = charts.losses(fire.percent, fire.factors)
    excess = number - side.factors
    breaks = side.morale_lost >= side.level
    free = side.morale_lost < losses.FREE_BELOW or clash.sheet.any_loss
    taken = losses.lose(
        side,
        number,
        free=free,
        cavalry=breaks and clash.sheet.pursuit,
        by_nation=clash.ground.by_nation,
        settle=settle,
    )
    if excess > 0 and side.away:
        # 7.5.2.10.1.2.2: the pinning force is gone; what is left falls on those on their way round.
        more = losses.lose(
            side, excess, bodies=side.away, free=free, by_nation=clash.ground.by_nation, settle=settle
        )
        taken = {kind: taken.get(kind, 0) + more.get(kind, 0) for kind in (*taken, *more)}
    return {kind: taken.get(kind, 0) + bombarded.get(kind, 0) for kind in dict.fromkeys((*taken, *bombarded))}


def _breaking(clash: Clash, commits: Sequence[Commit | None]) -> None:
    """7.5.2.10, 7.5.2.10.1.2, 7.5.2.10.1.2.1, 12.3.4.6, 12.3.5.5: who has broken."""
    for side in clash.sides:
        if side.morale_lost >= side.level or side.eliminated() or side.artillery_alone():
            side.broken = True
        if side.eliminated():
            side.captured = [chief.id for chief in side.chiefs]
    before = [side.broken for side in clash.sides]
    for n, (side, commit) in enumerate(zip(clash.sides, commits, strict=True)):
        if commit is not None and not before[1 - n]:
            side.broken = True


def winner(clash: Clash) -> Side | None:
    """7.5.2.10.1, 7.5.2.10.1.1, 7.5.2.10.4, 7.5.2.10.4.1: the side that has won.

    Nobody, where both have broken, or nobody has. Who breaks while he eliminates the enemy wins all the same.
    """
    attack, defence = clash.sides
    if attack.broken and defence.broken:
        gone = [side.eliminated() for side in clash.sides]
        if gone == [False, True]:
            return attack
        return defence if gone == [True, False] else None
    if attack.broken:
        return defence
    return attack if defence.broken else None


def over(clash: Clash) -> bool:
    """Whether somebody has broken."""
    return clash.attack.broken or clash.defence.broken
