"""12: battle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from pbem.games.nce import board, charts, command, fog, luck
from pbem.games.nce.cards import combat_cards
from pbem.games.nce.cards.combat_cards import Side
from pbem.games.nce.charts import CROSSING, UNITS, ZONES
from pbem.games.nce.desk import Desk
from pbem.games.nce.events_field import BattleFought, Overrun, WoundTested
from pbem.games.nce.events_views import ForecastBattle, ForecastUnseen, Supposed
from pbem.games.nce.fight import NOBODY, Fight, special_bonus
from pbem.games.nce.land import aftermath, siege
from pbem.games.nce.land.countermarch import countermarch
from pbem.games.nce.land.supply import supplied
from pbem.games.nce.state import Force, State, enemy
from pbem.kernel.event import Modifier
from pbem.kernel.order import Answer

ANNIHILATION = 5
"""12.3: the odds at which the weaker side is wholly destroyed."""
SUPPOSED = (2, 4, 6, 8, 10, 14)
"""1.9: strengths against which CHECK tells the chances where nobody knows."""


class Outcome(msgspec.Struct):
    """How a battle ended for its attacker."""

    won: bool
    overrun: bool = False
    size: str = ""
    forces: list[str] = []
    """What is left of the attacker, as he was consolidated."""


async def fight(
    desk: Desk,
    zone: str,
    attackers: Sequence[Force],
    defenders: Sequence[Force],
    *,
    came: str = "",
    ways: Mapping[str, str] | None = None,
    prepared: Answer = (),
    interceptor_from: str = "",
    landing: bool = False,
    bridged: bool = False,
    caught: int = 0,
) -> Outcome:
    """12, 12.1: one battle, step by step. `ways` says from where each attacking force has come.

    A rehearsal hopes that the attacker wins without loss.
    """
    state = desk.state
    came = ways.get(command.lead(attackers).id, came) if ways else came
    if desk.dry:
        _foresee(desk, zone, attackers, defenders, came, prepared, landing=landing, bridged=bridged)
        return _hope(desk, attackers, defenders)
    attack = Side(desk, "attacker", list(attackers), came=came)
    attack.ways.update(ways or {})
    attack.apart = {force.id for force in state.at(zone, attack.seat)} - {force.id for force in attackers}
    defence = Side(desk, "defender", list(defenders), came=interceptor_from)
    attack.other, defence.other = defence, attack
    entered = {attack.role: attack.entries, defence.role: defence.entries}
    await _plans(desk, zone, attack, defence, prepared)
    await countermarch(desk, zone, attack)
    await countermarch(desk, zone, defence)
    _supply_check(attack, zone, entered[defence.role], landing=landing)
    _supply_check(defence, zone, entered[attack.role])
    for side in (attack, defence):
        # As in the printed example, steps beyond the command value still fight; they go after the battle.
        aftermath.settle(desk, zone, side.seat, strict=False, apart=side.apart)
        side.gather(zone)
    if attack.forces and defence.forces:
        combat_cards.open_lists(attack, defence)
        outcome = await _resolve(desk, zone, attack, defence, landing=landing, bridged=bridged, caught=caught)
    else:
        outcome = Outcome(bool(attack.forces))
    if not outcome.won:
        aftermath.bystanders_leave(desk, zone, attack)
        if defence.forces and not state.at(zone, attack.seat):
            siege.claim(desk, defence.commander)
    outcome.forces = [force.id for force in attack.forces if force.id in state.forces]
    return outcome


def _foresee(
    desk: Desk,
    zone: str,
    attackers: Sequence[Force],
    defenders: Sequence[Force],
    came: str,
    prepared: Answer,
    *,
    landing: bool,
    bridged: bool,
) -> None:
    """12.7: the odds with the attacker's plan, before cards and countermarches; the enemy with his best
    subordinate.
    """
    attack, defence = (
        Side(desk, "attacker", list(attackers), came=came),
        Side(desk, "defender", list(defenders)),
    )
    attack.other, defence.other = defence, attack
    attack.read(prepared)
    attack.fit()
    unseen = [force for force in defenders if fog.veiled(desk.state, force, attack.seat)]
    subs = [general for force in defenders if not unseen for general in force.subs]
    defence.second = max(subs, key=lambda general: (defence.value_of(general), general), default="")
    attack.ways.update({force.id: came for force in attackers})
    _supply_check(attack, zone, set(), landing=landing)
    _supply_check(defence, zone, {came} if came else set())
    superior = "" if unseen else _superior(desk.state, attack, defence)
    bonus = sum(m.value for m in (*_terrain(attack, zone, came, bridged=bridged), *_common(attack, superior)))
    bonus -= (ZONES[zone].terrain == "marsh") + (3 if landing else 0)
    guard = sum(m.value for m in _common(defence, superior))
    if unseen:
        supposed = tuple(
            Supposed(steps, round(100 * chances(int(attack.strength), steps, bonus, guard)["win"]))
            for steps in SUPPOSED
        )
        foe = command.lead(defenders).name
        desk.note(ForecastUnseen(zone=zone, force=attack.name, foe=foe, chances=supposed, rule="1.9"))
        return
    odds = chances(int(attack.strength), int(defence.strength), bonus, guard)
    desk.note(
        ForecastBattle(
            zone=zone,
            force=attack.name,
            win=round(100 * odds["win"]),
            inflicted=round(10 * odds["inflicted"]),
            suffered=round(10 * odds["suffered"]),
            rule="12.7",
        )
    )


def _hope(desk: Desk, attackers: Sequence[Force], defenders: Sequence[Force]) -> Outcome:
    for force in list(defenders):
        desk.state.forces.pop(force.id, None)
        for unit in force.units:
            desk.state.units[unit] = "pool"
    return Outcome(True, forces=[force.id for force in attackers])


async def _plans(desk: Desk, zone: str, attack: Side, defence: Side, prepared: Answer) -> None:
    """7.5.2, 12.6: both plans are sealed; of what the attacker's plan does not say his standing orders decide."""
    said = tuple(dict.fromkeys(order.kind() for order in prepared))
    questions = []
    for side in (attack, defence):
        questions.append(
            Fight(
                key=desk.label("battle", zone, side.role),
                seat=side.seat,
                rule="12",
                sealed=not prepared,
                zone=zone,
                role=side.role,
                mine=tuple(force.id for force in side.forces),
                theirs=tuple(force.id for force in side.other.forces),
                said=said if side is attack else (),
            )
        )
    answers = await desk.ask_all(questions)
    attack.read(tuple(order for order in answers[attack.seat] if order.kind() not in said))
    attack.read(prepared)
    defence.read(answers[defence.seat])


def _supply_check(side: Side, zone: str, enemies_from: set[str], *, landing: bool = False) -> None:
    """11.1, 11.3.4, 11.3.8, 11.3.9, 11.5: each force by the zone it entered from; half the steps short is short.

    Nobody's line goes through a zone from which an enemy moved in, countermarches not counted.
    """
    state = side.state
    forces = [force for force in state.at(zone, side.seat) if force.id not in side.apart]
    closed = enemies_from - side.entries
    short = 0
    for force in forces:
        via = side.ways.get(force.id, "") if side.role == "attacker" else ""
        force.unsupplied = not (landing or supplied(state, force, via=via, closed=closed))
        short += force.strength if force.unsupplied else 0
    side.supplied = short * 2 < sum(force.strength for force in forces)


async def _resolve(
    desk: Desk, zone: str, attack: Side, defence: Side, *, landing: bool, bridged: bool, caught: int
) -> Outcome:
    """12.1: odds, size, morale, modifiers, both rolls, and what follows from them."""
    ratio = charts.odds(attack.strength, defence.strength)
    if max(ratio) >= ANNIHILATION:
        return _annihilate(desk, zone, attack, defence, ratio)
    size = charts.battle_size(attack.strength, defence.strength)
    for side in (attack, defence):
        side.size = size
        side.settle_morale()
    superior = _superior(desk.state, attack, defence)
    attack_cards = combat_cards.before_roll(attack, zone)
    defence_cards = combat_cards.before_roll(defence, zone) if defence.forces else []
    if not attack.forces or not defence.forces:
        return Outcome(bool(attack.forces), size=size)
    attack_mods = [
        Modifier("odds", charts.odds_modifier(ratio), "12.6.1"),
        *_terrain(attack, zone, attack.came, bridged=bridged),
        Modifier("marsh", -1 if ZONES[zone].terrain == "marsh" else 0, "12.6.3"),
        Modifier("maritime_assault", -3 if landing else 0, "15.8.3"),
        *_common(attack, superior),
        *attack_cards,
    ]
    defence_mods = [
        *(_terrain(defence, zone, defence.came, bridged=False) if defence.came else ()),
        Modifier("interception", 1 if defence.came else 0, "10.3.4"),
        Modifier("march_column", caught, "7.3"),
        *_common(defence, superior),
        *defence_cards,
    ]
    if zone == "lisbonne" and desk.state.flag("torres_vedras") and defence.seat == "coalition":
        defence_mods.append(Modifier("torres_vedras", 2, "7.3"))
    attack_mods = [m for m in attack_mods if m.value]
    defence_mods = [m for m in defence_mods if m.value]
    a_label, a_dice = desk.roll("battle", zone, "attack", rule="12.7.1", seat=attack.seat, dice=2)
    d_label, d_dice = desk.roll("battle", zone, "defence", rule="12.7.1", seat=defence.seat, dice=2)
    a_total = sum(a_dice) + sum(m.value for m in attack_mods)
    d_total = sum(d_dice) + sum(m.value for m in defence_mods)
    a_cell, d_cell = charts.battle_result(a_total, size), charts.battle_result(d_total, size)
    inflicted = _inflicts(attack, a_cell.losses)
    suffered = _inflicts(defence, d_cell.losses)
    won = prevails(a_cell, d_cell)
    desk.tell(
        BattleFought(
            zone=zone,
            attacker=attack.name,
            defender=defence.name,
            attacking=int(attack.strength),
            defending=int(defence.strength),
            odds=f"{ratio[0]}/{ratio[1]}",
            size=size,
            attacker_dice=sum(a_dice),
            defender_dice=sum(d_dice),
            attacker_total=a_total,
            defender_total=d_total,
            inflicted=inflicted,
            suffered=suffered,
            winner=attack.seat if won else defence.seat,
            attacker_modifiers=tuple(attack_mods),
            defender_modifiers=tuple(defence_mods),
            draws=(a_label, d_label),
            luck=luck.battle(
                luck.Blow(attack.seat, a_total - sum(a_dice), size, int(attack.strength), inflicted),
                luck.Blow(defence.seat, d_total - sum(d_dice), size, int(defence.strength), suffered),
                won=won,
            ),
            rule="12.7.1",
        )
    )
    for side in (attack, defence):
        await _wounds(desk, side)
    attack.losses = aftermath.allocate(desk, attack, suffered, cavalry=d_cell.cav)
    defence.losses = aftermath.allocate(desk, defence, inflicted, cavalry=a_cell.cav)
    winner, loser = (attack, defence) if won else (defence, attack)
    desk.state.moves.append((zone, zone, winner.seat))
    winner.alive()
    loser.alive()
    _take_heart(winner.forces)
    await aftermath.follow_up(desk, zone, winner, loser, size, landing=landing and not won)
    aftermath.settle(desk, zone, winner.seat, apart=winner.apart)
    winner.alive()
    return Outcome(won and bool(attack.forces), size=size)


def _inflicts(side: Side, losses: int) -> int:
    """12.7.3: nobody inflicts more losses than he has combat steps."""
    return min(losses, int(side.strength))


def prevails(attack: charts.Cell, defence: charts.Cell) -> bool:
    """12.7.2: the higher result of the table wins, before 12.7.3 limits losses; on a tie the only plus, else the
    attacker has lost.
    """
    if attack.losses != defence.losses:
        return attack.losses > defence.losses
    return attack.plus and not defence.plus


def _take_heart(forces: Sequence[Force]) -> None:
    """12.11.6: a battle won rallies."""
    for force in forces:
        force.demoralised = False


def _annihilate(desk: Desk, zone: str, attack: Side, defence: Side, ratio: tuple[int, int]) -> Outcome:
    """12.3: at five to one the weaker side is wholly destroyed."""
    won = ratio[0] >= ANNIHILATION
    winner, loser = (attack, defence) if won else (defence, attack)
    desk.tell(
        Overrun(zone=zone, winner=winner.name, loser=loser.name, odds=f"{ratio[0]}/{ratio[1]}", rule="12.3")
    )
    desk.state.moves.append((zone, zone, winner.seat))
    aftermath.destroy(desk, loser)
    _take_heart(winner.forces)
    aftermath.settle(desk, zone, winner.seat, apart=winner.apart)
    winner.alive()
    return Outcome(won, overrun=True)


def storm_depot(
    desk: Desk, zone: str, attackers: Sequence[Force], value: float, *, came: str, prepared: Answer
) -> bool:
    """2.3.2, 12.7: a few steps against depots that stand alone: a skirmish in which depots inflict nothing."""
    side = Side(desk, "attacker", list(attackers), came=came)
    side.read(prepared)
    side.other = side
    side.apart = {force.id for force in desk.state.at(zone, side.seat)} - {force.id for force in attackers}
    _supply_check(side, zone, set())
    ratio = charts.odds(side.strength, value)
    mods = [
        Modifier("odds", charts.odds_modifier(ratio), "12.6.1"),
        *_terrain(side, zone, came, bridged=False),
        Modifier("marsh", -1 if ZONES[zone].terrain == "marsh" else 0, "12.6.3"),
        *_common(side, "attacker" if command.cavalry(attackers) else ""),
    ]
    a_label, a_dice = desk.roll("battle", zone, "attack", rule="12.7.1", seat=side.seat, dice=2)
    d_label, d_dice = desk.roll("battle", zone, "defence", rule="12.7.1", seat=enemy(side.seat), dice=2)
    total = sum(a_dice) + sum(m.value for m in mods)
    mine, theirs = charts.battle_result(total, "skirmish"), charts.battle_result(sum(d_dice), "skirmish")
    won = mine.losses > 0 or (mine.plus and not theirs.plus)
    desk.tell(
        BattleFought(
            zone=zone,
            attacker=side.name,
            defender="depot",
            attacking=int(side.strength),
            defending=0,
            odds=f"{ratio[0]}/{ratio[1]}",
            size="skirmish",
            attacker_dice=sum(a_dice),
            defender_dice=sum(d_dice),
            attacker_total=total,
            defender_total=sum(d_dice),
            inflicted=min(mine.losses, int(side.strength)),
            suffered=0,
            winner=side.seat if won else enemy(side.seat),
            attacker_modifiers=tuple(m for m in mods if m.value),
            draws=(a_label, d_label),
            luck=luck.battle(
                luck.Blow(
                    side.seat,
                    total - sum(a_dice),
                    "skirmish",
                    int(side.strength),
                    min(mine.losses, int(side.strength)),
                ),
                luck.Blow(enemy(side.seat), 0, "skirmish", 0, 0),
                won=won,
            ),
            rule="12.7.1",
        )
    )
    if won:
        _take_heart(attackers)
    else:
        aftermath.retreat(desk, side, zone, *aftermath.retreat_goal(desk.state, side, zone), 0)
    return won


def _superior(state: State, attack: Side, defence: Side) -> str:
    """10.5, 12.6.2: the role with more counters with a C."""
    if combat_cards.no_superiority(attack, defence) or state.rain:
        return ""
    mine, theirs = command.cavalry(attack.forces), command.cavalry(defence.forces)
    return "attacker" if mine > theirs else "defender" if theirs > mine else ""


def _terrain(side: Side, zone: str, came: str, *, bridged: bool) -> list[Modifier]:
    """12.6.3: the border that the side crossed."""
    if not came or not board.crossing(came, zone):
        return []
    kind = board.crossing(came, zone)
    if kind == "river" and bridged:
        kind = "bridge"
    value = int(CROSSING[kind]["combat"])
    if kind == "river" and any(force.army for force in side.forces):
        value = int(CROSSING[kind]["combat_if_army"])
    return [Modifier(kind, value, "12.6.3")]


def _common(side: Side, superior: str) -> list[Modifier]:
    """12.6.4, 12.6.5, 12.6.6: commander, subordinate, lead, special units, cavalry, supply, morale."""
    found = [Modifier("commander", side.tactical(), "12.6.5")]
    if side.second and side.second != NOBODY:
        found.append(Modifier("subordinate", side.value_of(side.second), "12.6.5"))
    if side.lead:
        found.append(Modifier("elite_lead", UNITS[side.lead].stars, "12.6.4"))
    found.append(Modifier("special_units", special_bonus(side.engaged), "12.6.4"))
    found.append(Modifier("cavalry_superiority", 1 if superior == side.role else 0, "12.6.2"))
    found.append(Modifier("unsupplied", 0 if side.supplied else -3, "12.6.6"))
    found.append(Modifier("demoralised", -1 if side.demoralised else 0, "12.6.6"))
    return found


async def _wounds(desk: Desk, side: Side) -> None:
    """12.8: a subordinate whose value was used leaves on a six; a card may test him harder (4C)."""
    if not side.second or side.second == NOBODY or not side.value_of(side.second):
        return
    label, (die,) = desk.roll("wound", side.second, rule="12.8", seat=side.seat)
    hurt, gone = die == 6, False
    desk.tell(WoundTested(general=side.second, die=die, wounded=hurt, draws=(label,), rule="12.8"))
    if not hurt and combat_cards.play_if_held(side.other, "general_test", "battle.after_roll"):
        label, (die,) = desk.roll("card-wound", side.second, rule="7.5", seat=side.other.seat)
        hurt, gone = die >= 3, die >= 5
        desk.tell(
            WoundTested(general=side.second, die=die, wounded=hurt, gone=gone, draws=(label,), rule="7.5")
        )
    if hurt:
        command.general_home(desk.state, side.second, gone=gone)


def chances(attacking: int, defending: int, attack: int, defence: int) -> dict[str, float]:
    """12.7: the exact chances of a battle from strengths and sums of modifiers: win, mean losses of each side."""
    ratio = charts.odds(attacking, defending)
    if max(ratio) >= ANNIHILATION:
        won = ratio[0] >= ANNIHILATION
        lost = {"inflicted": defending if won else 0, "suffered": 0 if won else attacking}
        return {"win": float(won), **{side: float(steps) for side, steps in lost.items()}}
    size = charts.battle_size(attacking, defending)
    dice = {total: (6 - abs(7 - total)) / 36 for total in range(2, 13)}
    win = inflicted = suffered = 0.0
    bonus = attack + charts.odds_modifier(ratio)
    for a, pa in dice.items():
        one = charts.battle_result(a + bonus, size)
        for d, pd in dice.items():
            two = charts.battle_result(d + defence, size)
            mine, theirs = min(one.losses, attacking), min(two.losses, defending)
            win += pa * pd * prevails(one, two)
            inflicted += pa * pd * mine
            suffered += pa * pd * theirs
    return {"win": win, "inflicted": inflicted, "suffered": suffered}
