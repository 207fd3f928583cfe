"""7.5.2: one day of a combat, from the chits to dusk."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.eia import charts
from pbem.games.eia.battle_events import (
    CombatOpened,
    DayFought,
    OutflankTried,
    RoundFought,
    Shown,
    Volley,
    WithdrawTried,
)
from pbem.games.eia.board import AREAS
from pbem.games.eia.charts import ATTACKER, DEFENDER, ROUNDS
from pbem.games.eia.desk import Desk
from pbem.games.eia.land import joining, morale, muster, retreat, rounds, sheets, sides
from pbem.games.eia.land.plan import OUTFLANK, WITHDRAW, Plan
from pbem.games.eia.land.rounds import Clash, Commit, Fire, Ground, Round
from pbem.games.eia.land.sides import Body, Command, Side
from pbem.games.eia.state import State
from pbem.kernel.event import Expected

SHORT = {ATTACKER: "att", DEFENDER: "def"}
ROUGH = ("forest", "mountain", "marsh")
CAUGHT_ABOVE = 4
"""10.1.2.2.3: light horse before enemy cavalry gets away on a die of 4 or less."""


class DeskDice:
    """Dice of a combat at a desk: named by place, day and round, and by what they are for."""

    def __init__(self, desk: Desk, clash: Clash) -> None:
        self.desk = desk
        self.clash = clash
        self.labels: list[str] = []
        """Those thrown since they were last taken."""

    def __call__(self, what: str, rule: str, side: str) -> int:
        parts = [SHORT.get(side, side)] if what == "fire" else [what, SHORT.get(side, side)]
        label, dice = self.desk.roll(*place(self.clash), *parts, rule=rule)
        self.labels.append(label)
        return dice[0]

    def taken(self) -> tuple[str, ...]:
        """The labels since the last time."""
        labels, self.labels = self.labels, []
        return tuple(labels)


def place(clash: Clash) -> tuple[str, ...]:
    """How draws of this round are named."""
    kind = "" if clash.sheet.what in (sheets.BATTLE, sheets.LIMITED) else clash.sheet.what
    day = f"d{clash.day}" if clash.day > 1 else ""
    return (clash.area, kind, day, f"r{clash.round}" if clash.round else "")


def ground(state: State, area: str, attack: Side) -> Ground:
    """The place and the optional rules."""
    crossings = {
        body.id: crosses(area, body.came) for body in attack.bodies if body.came and body.came != area
    }
    return Ground(
        terrain=AREAS[area].terrain if AREAS[area].terrain in charts.TERRAINS else "clear",
        river=any(crossings.values()),
        superiority=state.on("12.3.3.1"),
        guard=state.on("12.3.4"),
        artillery=state.on("12.3.5"),
        by_nation=state.on("12.3.6"),
        method=2 if state.options.get("morale") == "base" else 1,
    )


def crosses(area: str, came: str) -> bool:
    """7.5.2.7.1: whether a river or a strait lies between."""
    return AREAS[area].neighbours.get(came, "") in ("river", "strait", "strait_option")


def take_command(state: State, clash: Clash) -> None:
    """10.6.1, 7.5.2.9.1.1: commanders of both sides, anew."""
    for side in clash.sides:
        kept = clash.commands.get(side.role)
        power = kept.power if kept else ""
        clash.commands[side.role] = sides.commander(side, corps_leaders=state.on("12.3.7.1"), power=power)


async def fight(desk: Desk, clash: Clash, plans: dict[str, Plan]) -> None:
    """7.5.2, 7.5.2.13.2.1, 7.5.2.13.2.2: one day; who has broken is marked, who has slipped away is gone."""
    attack, defence = clash.sides
    if not attack.bodies or not defence.bodies:
        return
    for side in clash.sides:
        plan = plans[side.role]
        side.chit, side.order, side.broken = plan.chit, plan.order, False
        side.morale_lost_before += side.morale_lost
        side.morale_lost, side.arrived, side.guard_spent = 0, False, False
        for body in side.bodies:
            body.outflanks = body.doubled = False
    clash.round = 0
    clash.cell = None if clash.sheet.fixed is not None else charts.combination(attack.chit, defence.chit)
    _split(clash, plans)
    _set_morale(clash)
    if clash.cell is not None and defence.chit == WITHDRAW and await _withdraw(desk, clash, plans[DEFENDER]):
        return
    if clash.day == 1 and not attack.engaged:
        for side in clash.sides:
            side.engaged = sides.stakes(side)
    _show(desk, clash)
    dice = DeskDice(desk, clash)
    while clash.round < ROUNDS:
        await _round(desk, clash, plans, dice)
        if rounds.over(clash):
            break
        if await _after_round(desk, clash, plans):
            return
    _report(desk, clash)


def _report(desk: Desk, clash: Clash) -> None:
    """The rounds of the day so far, and who came."""
    if clash.rows:
        desk.tell(
            DayFought(
                area=clash.area,
                what=clash.sheet.what,
                day=clash.day,
                rounds=tuple(clash.rows),
                draws=tuple(clash.draws),
                luck=tuple(clash.luck),
                rule="7.5.2.9" if clash.sheet.fixed is None else clash.sheet.rule,
            )
        )
    for event in clash.later:
        desk.tell(event)
    clash.rows, clash.draws, clash.luck, clash.later = [], [], [], []


def _split(clash: Clash, plans: dict[str, Plan]) -> None:
    """7.5.2.2, 7.5.2.3: who goes round the flank: nobody where both would, or the attacker against a cordon."""
    if clash.cell is None:
        return
    attack, defence = clash.sides
    if attack.chit == OUTFLANK and defence.chit in (OUTFLANK, "cordon"):
        return
    for side in clash.sides:
        if side.chit == OUTFLANK:
            chosen = plans[side.role].outflank or sides.usual_split(side)
            sides.split(side, chosen)


def _set_morale(clash: Clash) -> None:
    """7.5.2.6."""
    for side in clash.sides:
        found = morale.modifiers(side, clash.cell, _power_of_leader(clash.commands[side.role]), clash.day)
        side.level = morale.level(side, clash.ground.method) + sum(modifier.value for modifier in found)


def _power_of_leader(command: Command) -> str:
    """7.5.2.6.2: whose commander leads; nobody's, where there is no leader."""
    return command.power if command.leader else ""


async def _withdraw(desk: Desk, clash: Clash, plan: Plan) -> bool:
    """7.5.2.5, 7.5.2.5.1, 7.5.2.5.2, 7.5.2.5.2.1, 7.5.2.5.2.2: who slips away; whether all have."""
    defence, cell = clash.defence, clash.cell
    assert cell is not None
    command = clash.commands[DEFENDER]
    mounted = desk.state.on("12.3.3.2") and morale.is_mounted(defence) and not morale.is_mounted(clash.attack)
    bonus = cell.withdraw_rating_mod
    movers = [body for body in defence.bodies if body.corps]
    gone: list[Body] = []
    if cell.withdraw_auto:
        gone = movers
        desk.tell(_withdrawn(clash, 0, 0, len(movers), success=True))
    elif command.leader:
        rating = command.strategic + bonus + (1 if mounted and command.strategic < 5 else 0)
        label, dice = desk.roll(*place(clash), "withdraw", rule="7.5.2.5.2")
        gone = movers if dice[0] <= rating else []
        desk.tell(_withdrawn(clash, rating, dice[0], len(gone), success=bool(gone), draws=(label,)))
    else:
        for number, body in enumerate(movers, 1):
            rating = body.strategic + bonus + (1 if mounted and body.strategic < 5 else 0)
            label, dice = desk.roll(*place(clash), "withdraw", number, rule="7.5.2.5.2.2")
            success = dice[0] <= rating
            gone += [body] if success else []
            desk.tell(
                _withdrawn(clash, rating, dice[0], 1 if success else 0, success=success, draws=(label,))
            )
    if gone:
        gone += _horse_goes_along(desk, clash)
        leave(desk, clash, defence, gone, plan.retreat)
    return not defence.bodies


def slip_away(desk: Desk, clash: Clash, plan: Plan) -> None:
    """12.3.10: an outnumbered defender tries to withdraw before a trivial combat, all together or not at all."""
    command = clash.commands[DEFENDER]
    label, dice = desk.roll(*place(clash), "withdraw", rule="12.3.10")
    success = dice[0] <= command.strategic
    movers = [body for body in clash.defence.bodies if body.corps or body.kind in sides.LIGHT_HORSE]
    told = _withdrawn(
        clash, command.strategic, dice[0], len(movers) if success else 0, success=success, draws=(label,)
    )
    desk.tell(told)
    if success:
        leave(desk, clash, clash.defence, movers, plan.retreat)


def _withdrawn(
    clash: Clash, rating: int, die: int, corps: int, *, success: bool, draws: tuple[str, ...] = ()
) -> WithdrawTried:
    return WithdrawTried(
        area=clash.area,
        power=clash.commands[DEFENDER].power,
        rating=rating,
        die=die,
        corps=corps,
        success=success,
        draws=draws,
        rule="7.5.2.5",
    )


def _horse_goes_along(desk: Desk, clash: Clash) -> list[Body]:
    """7.5.2.5.2.2, 10.1.2.2.3: cossacks and freikorps with those that slip away."""
    horse = [body for body in clash.defence.bodies if body.kind in sides.LIGHT_HORSE]
    if not horse or not clash.attack.cavalry:
        return horse
    _, dice = desk.roll(*place(clash), "withdraw", "horse", rule="10.1.2.2.3")
    return horse if dice[0] <= CAUGHT_ABOVE else []


def leave(desk: Desk, clash: Clash, side: Side, gone: Sequence[Body], wish: Sequence[str]) -> None:
    """7.5.2.5.2.3: bodies go by their owner's choice; they are out of this combat, and their leaders with them."""
    ids = {body.id for body in gone}
    leaders = [leader.id for leader in desk.state.leaders_with(ids)]
    side.bodies = [body for body in side.bodies if body.id not in ids]
    side.chiefs = [chief for chief in side.chiefs if chief.id not in leaders]
    retreat.go(desk, clash.area, list(gone), wish, enemies=_foes(clash, side))
    if side.bodies:
        take_command(desk.state, clash)


def _foes(clash: Clash, side: Side) -> list[str]:
    return clash.other(side).powers()


def _show(desk: Desk, clash: Clash) -> None:
    """7.5.2.6.3: both sides show what they have."""
    attack, defence = clash.sides
    commands: dict[str, Command] = clash.commands
    flank = next((side for side in clash.sides if side.away), None)
    attacker_reasons, defender_reasons = (
        tuple(morale.modifiers(side, clash.cell, _power_of_leader(commands[side.role]), clash.day))
        for side in clash.sides
    )
    desk.tell(
        CombatOpened(
            area=clash.area,
            what=clash.sheet.what,
            day=clash.day,
            attacker=attack.powers()[0],
            defender=defence.powers()[0],
            attackers=_shown(attack),
            defenders=_shown(defence),
            attacker_leader=commands[ATTACKER].leader,
            defender_leader=commands[DEFENDER].leader,
            attacker_tactical=commands[ATTACKER].tactical,
            defender_tactical=commands[DEFENDER].tactical,
            attacker_chit=attack.chit if clash.cell is not None else "",
            defender_chit=defence.chit if clash.cell is not None else "",
            attacker_level=attack.level / 10,
            defender_level=defence.level / 10,
            attacker_reasons=attacker_reasons,
            defender_reasons=defender_reasons,
            terrain=clash.ground.terrain if clash.sheet.ground else "clear",
            river=clash.ground.river and clash.day == 1 and bool(clash.cell and clash.cell.a_river),
            outflanks=flank.powers()[0] if flank else "",
            disputed=clash.cell is not None and charts.disputed(attack.chit, defence.chit),
            rule=clash.sheet.rule,
        )
    )


def _shown(side: Side) -> tuple[Shown, ...]:
    return tuple(
        Shown(
            body.power,
            muster.said(body.factors),
            body.size,
            corps=body.id if body.corps else "",
            kind="" if body.corps else body.kind,
            outflanks=body.outflanks,
        )
        for body in side.bodies
        if body.size
    )


async def _round(desk: Desk, clash: Clash, plans: dict[str, Plan], dice: DeskDice) -> None:
    """7.5.2.8, 7.5.2.9: one round, told to everyone."""
    clash.round += 1
    silent = not any(rounds.table_of(clash, side) for side in clash.sides)
    clash.round -= 1
    if silent:
        clash.round += 1
        quiet = [
            Volley(side.powers()[0], left=side.factors, morale_left=side.left / 10) for side in clash.sides
        ]
        clash.rows.append(RoundFought(clash.round, quiet[0], quiet[1], silent=True))
        return
    commits = (_commits(clash, clash.attack, plans), _commits(clash, clash.defence, plans))

    def settle(nations: Sequence[str], number: int) -> Sequence[str]:
        """12.3.6: who loses, where claims are equal: a die each, the lowest first."""
        left = list(nations)
        chosen: list[str] = []
        while len(chosen) < number:
            label, value = desk.roll(*place(clash), "share", len(chosen) + 1, rule="12.3.6")
            dice.labels.append(label)
            chosen.append(left.pop((value[0] - 1) % len(left)))
        return chosen

    record = rounds.play(clash, dice, commits, settle)
    for side in clash.sides:
        muster.settle(desk.state, side, clash.area, "combat")
    _note(clash, record, dice.taken())


def _commits(clash: Clash, side: Side, plans: dict[str, Plan]) -> Commit | None:
    """12.3.4.1: whether the plan commits the guard in the round that comes."""
    wish, ready = plans[side.role].guard, rounds.guard_ready(clash, side)
    if wish is None or ready is None or clash.round + 1 < wish.round:
        return None
    if wish.left and clash.other(side).left > wish.left:
        return None
    return Commit(ready.power, min(ready.shift, wish.shift))


def _note(clash: Clash, record: Round, draws: tuple[str, ...]) -> None:
    attack, defence = clash.sides
    clash.draws += draws
    clash.luck += [
        _luck(side, fire)
        for side, fire in ((attack, record.attacker), (defence, record.defender))
        if fire.die
    ]
    clash.rows.append(
        RoundFought(
            record.round,
            _volley(attack, record.attacker, record.attacker_lost),
            _volley(defence, record.defender, record.defender_lost),
        )
    )


def _luck(side: Side, fire: Fire) -> Expected:
    """What the die gave, beside its mean."""
    values = [rounds.cell_of(fire.table, die, fire.modifiers) for die in range(1, 7)]
    hits = [charts.losses(cell.percent, fire.factors) for cell in values]
    mean = sum(hits) / 6
    return Expected(
        side.bodies[0].seat if side.bodies else "",
        "hits",
        charts.losses(fire.percent, fire.factors),
        mean,
        sum((hit - mean) ** 2 for hit in hits) / 6,
    )


def _volley(side: Side, fire: Fire, lost: dict[str, int]) -> Volley:
    return Volley(
        power=side.powers()[0],
        table=fire.table,
        die=fire.die,
        modifiers=fire.modifiers,
        factors=fire.factors,
        percent=fire.percent,
        morale=fire.morale / 10,
        guard=fire.guard,
        guard_die=fire.guard_die,
        guard_lost=fire.guard_lost,
        guns_die=fire.bombard_die,
        guns=fire.bombarded,
        lost=muster.said(lost),
        lost_factors=sum(lost.values()),
        left=side.factors,
        morale_left=max(0, side.left) / 10,
    )


async def _after_round(desk: Desk, clash: Clash, plans: dict[str, Plan]) -> bool:
    """7.5.2.11a, 7.5.2.12, 7.5.2.12.2: who comes; whether the defender has slipped away."""
    if clash.sheet.reinforcements:
        for side in clash.sides:
            joining.reinforce(desk, clash, side, plans[side.role])
    for side in clash.sides:
        if side.away and clash.round < ROUNDS:
            _arrive(desk, clash, side)
    missed = clash.attack.away and clash.defence.chit == WITHDRAW and clash.round == 1
    if missed and clash.cell is not None:
        # 7.5.2.12.2: the rest of those who wanted to withdraw does so.
        movers = [body for body in clash.defence.bodies if body.corps or body.kind in sides.LIGHT_HORSE]
        _report(desk, clash)
        desk.tell(_withdrawn(clash, 0, 0, len(movers), success=True))
        leave(desk, clash, clash.defence, movers, plans[DEFENDER].retreat)
        return not clash.defence.bodies
    return False


def _arrive(desk: Desk, clash: Clash, side: Side) -> None:
    """7.5.2.12, 7.5.2.12.1, 7.5.2.12.1.1, 7.5.2.12.1.2, 7.5.2.12.1.3: the outflanking force comes, or not."""
    command, cell = clash.commands[side.role], clash.cell
    rating = command.strategic + (2 if clash.round > 1 else 0)
    rating -= 1 if clash.ground.terrain in ROUGH else 0
    if cell is not None and side is clash.attack:
        rating += cell.outflank_rating_mod
    label, dice = desk.roll(*place(clash), "outflank", SHORT[side.role], rule="7.5.2.12")
    success = dice[0] <= rating
    if success:
        side.arrived = True
        for body in side.bodies:
            body.doubled, body.outflanks = body.outflanks, False
    clash.later.append(
        OutflankTried(
            area=clash.area,
            power=command.power,
            round=clash.round,
            die=dice[0],
            rating=rating,
            success=success,
            draws=(label,),
            rule="7.5.2.12",
        )
    )
