"""7.5.2, 7.5.3: a field combat from its first day to the retreat of the beaten."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from pbem.games.eia import charts
from pbem.games.eia.battle_events import CombatEnds, LeaderTested, NightFalls, Pursued
from pbem.games.eia.battle_questions import Fight
from pbem.games.eia.charts import ATTACKER, DEFENDER
from pbem.games.eia.desk import Desk
from pbem.games.eia.land import day, losses, muster, retreat, rounds, sheets, sides
from pbem.games.eia.land.plan import USUAL, Plan
from pbem.games.eia.land.rounds import Clash
from pbem.games.eia.land.sheets import SHEETS
from pbem.games.eia.land.sides import CAVALRY, LIGHT_HORSE, Side
from pbem.games.eia.state import DEAD, LATER, MAP, Arrow, State, after
from pbem.kernel.event import Modifier

OVERWHELMING = 5
NAPOLEON = "napoleon"
DECISIVE = {
    True: charts.raw()["field"]["pp_napoleon_wins_extra"],
    False: charts.raw()["field"]["pp_napoleon_loses_extra"],
}
"""7.5.2.10.1.3.1, 7.5.2.10.1.3.2: what his victory or defeat adds."""


class Result(msgspec.Struct):
    """How a combat ended."""

    winner: str = ""
    """attacker or defender; nobody, where it was not decided."""
    attackers_gone: bool = False
    defenders_gone: bool = False


async def one_day(desk: Desk, area: str, attack: Side, defence: Side, what: str) -> Side | None:
    """7.5.4.1.3, 7.5.4.2: an assault or a sally, of three rounds at most; who has won it."""
    clash = Clash(area, SHEETS[what], day.ground(desk.state, area, attack), attack, defence)
    day.take_command(desk.state, clash)
    plans = await _plans(desk, clash)
    await day.fight(desk, clash, plans)
    winner = rounds.winner(clash)
    if winner is not None:
        loser = clash.other(winner)
        muster.take_leaders(desk.state, loser.captured, clash.commands[winner.role].power)
    return winner


async def combat(desk: Desk, area: str, attack: Side, defence: Side, what: str = sheets.BATTLE) -> Result:
    """7.5.2, 7.5.3: a combat, day after day, until somebody has won or left."""
    state = desk.state
    if what == sheets.BATTLE and sides.trivial(attack, defence):
        what = sheets.TRIVIAL
    clash = Clash(area, SHEETS[what], day.ground(state, area, attack), attack, defence)
    _mark_fought(state, clash)
    await _decide_power(desk, clash)
    for side in clash.sides:
        side.morale_lost = side.morale_lost_before = 0
    while True:
        day.take_command(state, clash)
        plans = await _plans(desk, clash)
        if clash.day == 1:
            _become_trivial(desk, clash, plans)
        await day.fight(desk, clash, plans)
        result = _end_of_day(desk, clash, plans)
        if result is not None:
            break
        clash.day += 1
        for side in clash.sides:
            side.bodies = [body for body in side.bodies if body.size]
        state.tidy()
        for side in clash.sides:
            side.chiefs = [chief for chief in side.chiefs if state.leaders[chief.id].where == MAP]
    _mark_fought(state, clash)
    _leader_losses(desk, clash)
    state.tidy()
    return result


def _mark_fought(state: State, clash: Clash) -> None:
    """7.5.2.11.1.2: who has fought; trivial combats do not count."""
    if clash.sheet.what == sheets.TRIVIAL:
        return
    known = {
        body.id for side in clash.sides for body in side.bodies if body.corps or body.kind in LIGHT_HORSE
    }
    state.fought = sorted({*state.fought, *(id for id in known if id in state.corps or id in state.horse)})


async def _decide_power(desk: Desk, clash: Clash) -> None:
    """10.6.1.1.1: a die decides which of two equal powers commands."""
    for side in clash.sides:
        if not side.chiefs:
            continue
        strongest = sides.leading_powers(side)
        if len(strongest) > 1:
            label = (clash.area, "command", day.SHORT[side.role])
            _, dice = desk.roll(*label, rule="10.6.1.1.1")
            chosen = strongest[(dice[0] - 1) * len(strongest) // 6]
            clash.commands[side.role] = sides.commander(side, power=chosen)


async def _plans(desk: Desk, clash: Clash) -> dict[str, Plan]:
    """7.5.2.1: the sealed plans of both sides; allies of a commander say only what they lose."""
    questions: list[Fight] = []
    for side in clash.sides:
        other = clash.other(side)
        command = clash.commands[side.role]
        chief = desk.state.seat_of(command.power)
        ready = rounds.guard_ready(clash, side)
        for seat in dict.fromkeys([chief, *(body.seat for body in side.bodies)]):
            if not seat:
                continue
            questions.append(
                Fight(
                    key=desk.label("ask", clash.area, f"d{clash.day}", day.SHORT[side.role], seat),
                    seat=seat,
                    rule=clash.sheet.rule,
                    sealed=True,
                    area=clash.area,
                    role=side.role,
                    mine=tuple(sorted(body.id for body in side.corps if body.seat == seat)),
                    enemy_corps=len(other.corps),
                    day=clash.day,
                    trivial=clash.sheet.fixed is not None,
                    command=seat == chief,
                    leaders=tuple(one.id for one in side.chiefs),
                    enemy_leader=clash.commands[other.role].leader,
                    own_factors=side.total
                    if clash.day > 1
                    else sum(b.size for b in side.bodies if b.seat == seat),
                    enemy_factors=other.total if clash.day > 1 else 0,
                    may_outflank=sides.may_outflank(side),
                    guard=ready.shift if ready else 0,
                )
            )
    answers = await desk.ask_each(questions)
    plans: dict[str, Plan] = {}
    for question in questions:
        plan = question.plan(answers[question.key])
        side = clash.attack if question.role == ATTACKER else clash.defence
        side.orders[question.seat] = plan.order
        if question.command:
            plans[question.role] = plan
    for side in clash.sides:
        plans.setdefault(side.role, Plan(USUAL[side.role]))
    return plans


def _become_trivial(desk: Desk, clash: Clash, plans: dict[str, Plan]) -> None:
    """7.5.3, 12.3.10: both want it so, or the odds are overwhelming, when the weaker defender may first withdraw."""
    if clash.sheet.fixed is not None:
        return
    agreed = plans[ATTACKER].skirmish and plans[DEFENDER].skirmish
    if agreed:
        # 7.5.3.1, 7.5.3.5: an agreed one has reinforcements and political points as a battle.
        sheet = msgspec.structs.replace(SHEETS[sheets.TRIVIAL], reinforcements=True, points=True)
        clash.sheet = msgspec.structs.replace(sheet, days=clash.sheet.days)
        return
    if not desk.state.on("12.3.10") or not sides.overwhelming(clash.attack, clash.defence, OVERWHELMING):
        return
    if plans[DEFENDER].chit == "withdraw" and clash.defence.factors < clash.attack.factors:
        day.slip_away(desk, clash, plans[DEFENDER])
    clash.sheet = msgspec.structs.replace(SHEETS[sheets.TRIVIAL], days=clash.sheet.days)


def _end_of_day(desk: Desk, clash: Clash, plans: dict[str, Plan]) -> Result | None:
    """7.5.2.10, 7.5.2.13, 7.5.2.13.1, 7.5.2.13.2: who has won, or stays at dusk; None where it goes on."""
    attack, defence = clash.sides
    if not defence.bodies or not attack.bodies:
        return Result(ATTACKER if attack.bodies else "", defenders_gone=not defence.bodies)
    if rounds.over(clash):
        return _decided(desk, clash, plans)
    if clash.day >= clash.sheet.days:
        if clash.sheet.what == sheets.LIMITED:
            retreat.back(desk, clash.area, [body for body in attack.bodies if not body.inside])
        return Result("", attackers_gone=clash.sheet.what == sheets.LIMITED)
    stays = [_stays(clash, side, plans[side.role]) for side in clash.sides]
    desk.tell(
        NightFalls(
            area=clash.area,
            day=clash.day,
            attacker=clash.commands[ATTACKER].power,
            defender=clash.commands[DEFENDER].power,
            attacker_stays=stays[0],
            defender_stays=stays[1],
            rule="7.5.2.13",
        )
    )
    if all(stays):
        return None
    for side, stay in zip(clash.sides, stays, strict=True):
        if stay:
            continue
        other = clash.other(side)
        side.withdrew = True
        if not other.withdrew and stays != [False, False] and plans[other.role].pursue:
            _pursue(desk, clash, other, side, charts.raw()["pursuit"]["after_day_withdrawal_class"])
    gone = [not stay for stay in stays]
    for side, left in zip(clash.sides, gone, strict=True):
        if left:
            _go(desk, clash, side, plans[side.role].retreat)
    winner = "" if all(gone) else (DEFENDER if gone[0] else ATTACKER)
    if winner:
        state_arrow(desk, clash, winner)
    return Result(winner, attackers_gone=gone[0], defenders_gone=gone[1])


def _stays(clash: Clash, side: Side, plan: Plan) -> bool:
    """7.5.2.13: depot garrisons and the like cannot go; others by their plan."""
    if not any(body.corps or body.kind in LIGHT_HORSE for body in side.bodies):
        return True
    if plan.stay is None:
        return False
    return side.left - clash.other(side).left >= plan.stay


def state_arrow(desk: Desk, clash: Clash, winner: str) -> None:
    """The battle, for the map."""
    side = clash.attack if winner == ATTACKER else clash.defence
    power = side.powers()[0] if side.bodies else ""
    desk.state.arrows.append(Arrow("battle", power, (clash.area,), won=power))


def _go(desk: Desk, clash: Clash, side: Side, wish: Sequence[str]) -> None:
    """7.5.3.4: the side leaves the area; who cannot walk surrenders."""
    other = clash.other(side)
    enemies = other.powers() or _foes(desk.state, side)
    captor = enemies[0] if enemies else ""
    retreat.go(desk, clash.area, side.bodies, wish, enemies=enemies, captor=captor)
    rest = [body for body in side.bodies if body.size and not body.corps and body.kind not in LIGHT_HORSE]
    if rest:
        muster.surrender(desk.state, Side(side.role, rest), clash.area, "surrendered", captor)


def _foes(state: State, side: Side) -> list[str]:
    return sorted({enemy for body in side.bodies for enemy in state.enemies(body.power)})


def _decided(desk: Desk, clash: Clash, plans: dict[str, Plan]) -> Result:
    """7.5.2.10: victory with points, leaders taken, pursuit and retreat; or both have broken."""
    state = desk.state
    winner = rounds.winner(clash)
    if winner is None:
        # 7.5.2.10.4.2: nobody gains or loses; the attacker alone goes, by his own choice.
        desk.tell(CombatEnds(area=clash.area, what=clash.sheet.what, how="both", rule="7.5.2.10.4.2"))
        clash.attack.bodies = [body for body in clash.attack.bodies if not body.inside]
        if clash.attack.total:
            _go(desk, clash, clash.attack, plans[ATTACKER].retreat)
        state.arrows.append(Arrow("battle", clash.commands[ATTACKER].power, (clash.area,)))
        return Result("", attackers_gone=True)
    loser = clash.other(winner)
    captor = clash.commands[winner.role].power
    taken = muster.take_leaders(state, loser.captured, captor)
    points, reasons = _points(state, clash, winner, loser)
    for power, number in points.items():
        if power in state.powers:
            state.powers[power].pp += number
    desk.tell(
        CombatEnds(
            area=clash.area,
            what=clash.sheet.what,
            winner=captor,
            loser=clash.commands[loser.role].power,
            how="broken" if loser.total else "destroyed",
            points=tuple(sorted(points.items())),
            captured=tuple(taken),
            modifiers=tuple(reasons),
            rule="7.5.2.10",
        )
    )
    state.arrows.append(Arrow("battle", captor, (clash.area,), won=captor))
    loser.chiefs = [chief for chief in loser.chiefs if chief.id not in taken]
    # 7.5.4.2.3: a garrison goes back behind its walls, where nobody pursues it.
    loser.bodies = [body for body in loser.bodies if not body.inside]
    if loser.total and clash.sheet.pursuit and plans[winner.role].pursue:
        grade = charts.pursuit_class(
            winner.morale_lost + winner.morale_lost_before, 3 if clash.day > 1 else clash.round
        )
        _pursue(desk, clash, winner, loser, grade)
    if loser.total and clash.sheet.what == sheets.LIMITED and loser is clash.attack:
        retreat.back(desk, clash.area, loser.bodies)
    elif loser.total:
        _go(desk, clash, loser, plans[winner.role].retreat)
    return Result(
        winner.role,
        attackers_gone=winner is clash.defence,
        defenders_gone=winner is clash.attack,
    )


def _points(state: State, clash: Clash, winner: Side, loser: Side) -> tuple[dict[str, int], list[Modifier]]:
    """7.5.2.10.1.3, 7.5.2.10.1.3.2, 7.5.4.2.3.3: political points.

    Each winner gains for all corps of the losers, each loser pays for his own; Napoleon more.
    """
    if not clash.sheet.points:
        return {}, []
    found: dict[str, int] = {}
    reasons = [Modifier("corps_beaten", sides.points(sum(loser.engaged.values())), "7.5.2.10.1.3")]
    for power in winner.engaged or dict.fromkeys(winner.powers()):
        found[power] = sides.points(sum(loser.engaged.values()))
    for power, halves in loser.engaged.items():
        found[power] = -sides.points(halves)
    for side, won in ((winner, True), (loser, False)):
        if clash.commands[side.role].leader == NAPOLEON or (not won and NAPOLEON in side.captured):
            found["france"] = found.get("france", 0) + DECISIVE[won]
            reasons.append(Modifier(NAPOLEON, DECISIVE[won], "7.5.2.10.1.3"))
    return {power: number for power, number in found.items() if number}, reasons


def _pursue(desk: Desk, clash: Clash, winner: Side, loser: Side, grade: int) -> None:
    """7.5.2.10.2, 7.5.2.10.2.2, 7.5.4.2.3.1.2: the winner's cavalry after the beaten, by class, terrain and leader."""
    state = desk.state
    chasing = [body for body in winner.bodies if not body.inside]
    riders = winner.count(CAVALRY, chasing)
    reasons = [Modifier("pursuit_class", grade, "7.5.2.10.2.1")]
    mounted = {body.power for body in chasing if any(body.factors.get(kind) for kind in CAVALRY)}
    if any(chief.cavalry and chief.power in mounted for chief in winner.chiefs):
        reasons.append(Modifier("cavalry_leader", 1, rule="7.5.2.10.2.2.1"))
    terrain = charts.pursuit_shift(clash.ground.terrain)
    if terrain:
        reasons.append(Modifier(clash.ground.terrain, terrain, "7.5.2.10.2.2"))
    total = sum(reason.value for reason in reasons)
    if not riders or not loser.total:
        return
    event = Pursued(
        area=clash.area,
        power=clash.commands[winner.role].power,
        loser=clash.commands[loser.role].power,
        grade=total,
        cavalry=riders,
        modifiers=tuple(reasons),
        rule="7.5.2.10.2",
        mark=charts.charts().status["pursuit"],
    )
    if total < 1:
        desk.tell(event)
        return
    dark = f"d{clash.day}" if clash.day > 1 else ""
    label, dice = desk.roll(clash.area, dark, "pursuit", day.SHORT[winner.role], rule="7.5.2.10.2.3")
    percent = charts.pursuit_percent(total, dice[0])
    equivalents = charts.losses(percent, riders)
    lost = losses.pursued(loser, equivalents)
    leaders: list[str] = []
    if not loser.total:
        captor = clash.commands[winner.role].power
        leaders = muster.take_leaders(state, [chief.id for chief in loser.chiefs], captor)
    muster.settle(state, loser, clash.area, "pursuit")
    desk.tell(
        msgspec.structs.replace(
            event,
            die=dice[0],
            percent=percent,
            equivalents=equivalents,
            lost=muster.said(lost),
            lost_factors=sum(lost.values()),
            draws=(label,),
        )
    )
    if leaders:
        desk.tell(
            CombatEnds(
                area=clash.area,
                what="pursuit",
                winner=event.power,
                loser=event.loser,
                how="destroyed",
                captured=tuple(leaders),
                rule="7.5.2.10.2.3",
            )
        )


def _leader_losses(desk: Desk, clash: Clash) -> None:
    """12.7: two dice for each side with a leader; at 12 one of them is hit, chosen by a die."""
    state = desk.state
    if not state.on("12.7"):
        return
    for side in clash.sides:
        present = [chief for chief in side.chiefs if state.leaders[chief.id].where == MAP]
        if not present:
            continue
        short = day.SHORT[side.role]
        label, dice = desk.roll(clash.area, "casualty", short, rule="12.7", dice=2)
        if sum(dice) < charts.raw()["leader_casualties"]["hit"]:
            continue
        labels = [label]
        if len(present) > 1:
            label, which = desk.roll(clash.area, "casualty", short, "who", rule="12.7")
            labels.append(label)
            present = [present[(which[0] - 1) * len(present) // 6]]
        label, months = desk.roll(clash.area, "casualty", short, "months", rule="12.7")
        hit = state.leaders[present[0].id]
        hit.corps, hit.area = "", ""
        dead = months[0] == 6
        hit.where = DEAD if dead else LATER
        hit.since = state.month if dead else after(state.month, months[0])
        desk.tell(
            LeaderTested(
                area=clash.area,
                power=hit.power,
                dice=dice,
                leader=hit.id,
                months=0 if dead else months[0],
                dead=dead,
                draws=(*labels, label),
                rule="12.7",
            )
        )
