"""CHECK: what may come of a battle or a siege, reckoned from the charts: every die of both sides, round by round."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from pbem.games.eia import charts
from pbem.games.eia.battle_events import Against, ForecastBattle, ForecastSiege
from pbem.games.eia.battle_orders import DEFAULTS, PLAN, AttackBy, DefendBy
from pbem.games.eia.board import borders, city
from pbem.games.eia.charts import ATTACKER, ROUNDS, Role
from pbem.games.eia.land import day, morale, muster, plan, sheets, sides
from pbem.games.eia.land.phase import contested
from pbem.games.eia.land.rounds import cell_of
from pbem.games.eia.land.sides import CAVALRY, Body, Side
from pbem.games.eia.state import Corps, State, copied
from pbem.kernel.event import Event, Modifier
from pbem.kernel.order import If, Order

SUPPOSED = {"infantry": {"I": 10}, "cavalry": {"C": 6}}
"""2.4.2: what an enemy corps is taken for that is only seen."""
FIRST = 20
"""One day of so many is worse than the worst that is told."""
SIEGE_MONTHS = 3


class Force(NamedTuple):
    """A side as the reckoning needs it."""

    foot: int
    """The factors in front that are not cavalry; they fall first."""
    riders: int
    level: int
    modifier: int
    """What commanders and the tactical chart add to its die."""
    round_flank: int = 0
    arrives: int = 0
    """7.5.2.12: the die that brings the outflanking force after round 1; two more after round 2."""

    @property
    def front(self) -> int:
        """The factors that fight at first."""
        return self.foot + self.riders


class Days(NamedTuple):
    """What comes of a day."""

    win: float
    """For the attacker."""
    lose: float
    both: float
    open: float
    attacker_lost: tuple[float, ...]
    """How likely it is to lose so many factors."""
    defender_lost: tuple[float, ...]
    attacker_breaks: tuple[float, ...]
    defender_breaks: tuple[float, ...]


Place = tuple[int, int, int, int, bool]
"""Factors lost by both, morale lost by both, whether those round the flank have come."""


@lru_cache(256)
def reckon(
    attack: Force,
    defence: Force,
    attack_chit: str,
    defence_chit: str,
    terrain: str,
    river: bool,
    superiority: bool,
) -> Days:
    """7.5.2.7 to 7.5.2.10: the first day, all dice of both sides. The guard stays back, nobody joins."""
    cell = charts.combination(attack_chit, defence_chit)
    reckoning = _Reckoning(attack, defence, superiority)
    for round in range(1, ROUNDS + 1):
        pairs = {
            arrived: charts.on_ground(cell.tables(round, arrived=arrived, river=river), terrain)
            for arrived in {place[4] for place in reckoning.now}
        }
        reckoning.play(round, pairs)
        if round < ROUNDS:
            reckoning.now = _arrivals(reckoning.now, attack, defence, round)
    return reckoning.days()


class _Reckoning:
    """A day under way: how likely each position is, and what has ended."""

    def __init__(self, attack: Force, defence: Force, superiority: bool) -> None:
        self.forces = (attack, defence)
        self.superiority = superiority
        self.now: dict[Place, float] = {(0, 0, 0, 0, False): 1.0}
        self.lost: tuple[dict[int, float], dict[int, float]] = (defaultdict(float), defaultdict(float))
        self.ends = {"win": 0.0, "lose": 0.0, "both": 0.0, "open": 0.0}
        self.breaks = ([0.0] * ROUNDS, [0.0] * ROUNDS)

    def play(self, round: int, pairs: Mapping[bool, charts.Tables]) -> None:
        """One round from every position; what each side does to the other is independent of what it suffers."""
        then: dict[Place, float] = defaultdict(float)
        for here, chance in self.now.items():
            arrived = here[4]
            suffered = [self._suffers(n, here, pairs[arrived]) for n in (0, 1)]
            if round == ROUNDS:
                self._last(here, chance, suffered)
                continue
            for a_lost, a_morale, a_fate, p in suffered[0]:
                for d_lost, d_morale, d_fate, q in suffered[1]:
                    part = chance * p * q
                    if not a_fate and not d_fate:
                        then[(a_lost, d_lost, a_morale, d_morale, arrived)] += part
                        continue
                    self.lost[0][a_lost] += part
                    self.lost[1][d_lost] += part
                    self._note(round, a_fate, d_fate, part)
        self.now = then

    def _suffers(self, n: int, here: Place, pair: charts.Tables) -> list[tuple[int, int, int, float]]:
        """What becomes of one side: factors and morale lost, fate (0 whole, 1 broken, 2 gone), and the chance."""
        own, other = self.forces[n], self.forces[1 - n]
        strength = _strength(own, here[4])
        own_left, his_left = own.front - here[n], other.front - here[1 - n]
        riders, his_riders = max(0, min(own.riders, own_left)), max(0, min(other.riders, his_left))
        outcomes = _outcomes(
            pair[1 - n], other, his_left, his_riders, riders, own_left, here[4], self.superiority
        )
        found = []
        for hit, shock, p in outcomes:
            lost, morale_lost = min(here[n] + hit, strength), here[2 + n] + shock
            fate = 2 if lost >= strength else 1 if morale_lost >= own.level else 0
            found.append((lost, morale_lost, fate, p))
        return found

    def _last(self, here: Place, chance: float, suffered: list[list[tuple[int, int, int, float]]]) -> None:
        fates = [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
        for n in (0, 1):
            for lost, _, fate, p in suffered[n]:
                self.lost[n][lost] += chance * p
                fates[n][fate] += p
        for a_fate, p in enumerate(fates[0]):
            for d_fate, q in enumerate(fates[1]):
                if p and q:
                    self._note(ROUNDS, a_fate, d_fate, chance * p * q)

    def _note(self, round: int, a_fate: int, d_fate: int, part: float) -> None:
        self.ends[_end(a_fate, d_fate)] += part
        for n, fate in enumerate((a_fate, d_fate)):
            self.breaks[n][round - 1] += part if fate else 0.0

    def days(self) -> Days:
        """What comes of it."""
        return Days(
            self.ends["win"],
            self.ends["lose"],
            self.ends["both"],
            self.ends["open"],
            _spread(self.lost[0]),
            _spread(self.lost[1]),
            tuple(self.breaks[0]),
            tuple(self.breaks[1]),
        )


def _strength(force: Force, arrived: bool) -> int:
    return force.front + (force.round_flank if arrived else 0)


def _end(attacker: int, defender: int) -> str:
    """7.5.2.10.4: who has won, by the fates of both: 0 whole, 1 broken, 2 gone."""
    if attacker and defender:
        return "both" if attacker == defender else "win" if defender > attacker else "lose"
    if attacker:
        return "lose"
    return "win" if defender else "open"


@lru_cache(4096)
def _outcomes(
    table: str,
    force: Force,
    left: int,
    riders: int,
    his_riders: int,
    his_left: int,
    arrived: bool,
    superiority: bool,
) -> list[tuple[int, int, float]]:
    """Losses, morale and chance of each die; alike ones together."""
    firing = left + (2 * force.round_flank if arrived else 0)
    if not table or firing <= 0:
        return [(0, 0, 1.0)]
    found = [Modifier("commanders", force.modifier)] if force.modifier else []
    all_ride = riders == left and his_riders == his_left
    if superiority and riders and riders >= 2 * his_riders and not all_ride:
        found.append(Modifier("cavalry", 1))
    seen: dict[tuple[int, int], float] = defaultdict(float)
    for die in range(1, 7):
        cell = cell_of(table, die, found)
        seen[charts.losses(cell.percent, firing), cell.morale] += 1 / 6
    return [(hit, shock, p) for (hit, shock), p in seen.items()]


def _arrivals(places: dict[Place, float], attack: Force, defence: Force, round: int) -> dict[Place, float]:
    """7.5.2.12: whether those round the flank have come."""
    force = attack if attack.round_flank else defence
    if not force.round_flank:
        return dict(places)
    comes = max(0, min(6, force.arrives + (2 if round > 1 else 0))) / 6
    found: dict[Place, float] = defaultdict(float)
    for place, chance in places.items():
        if place[4]:
            found[place] += chance
            continue
        found[(*place[:4], True)] += chance * comes
        found[place] += chance * (1 - comes)
    return {place: chance for place, chance in found.items() if chance}


def _spread(lost: dict[int, float]) -> tuple[float, ...]:
    most = max(lost, default=0)
    return tuple(lost.get(n, 0.0) for n in range(most + 1))


def mean(spread: Sequence[float]) -> float:
    """The mean of a distribution."""
    return sum(number * chance for number, chance in enumerate(spread))


def worst(spread: Sequence[float]) -> int:
    """What is lost in the worst day of twenty."""
    beyond = 0.0
    for number in range(len(spread) - 1, -1, -1):
        beyond += spread[number]
        if beyond >= 1 / FIRST:
            return number
    return 0


# From what a seat sees


def supposed(state: State, corps: Corps) -> Body:
    """An enemy corps as it is taken to be."""
    body = muster.of_corps(state, corps)
    body.factors = dict(SUPPOSED[corps.looks])
    return body


def _seen(state: State, role: Role, area: str, powers: Sequence[str]) -> tuple[Side, bool]:
    """A side as a view shows it, and whether something of it is supposed."""
    side = muster.field(state, role, area, powers)
    hidden = {corps.id: corps for corps in state.at(area, powers) if corps.hidden}
    side.bodies = [supposed(state, hidden[body.id]) if body.id in hidden else body for body in side.bodies]
    return side, bool(hidden)


def _force(
    state: State, side: Side, cell: charts.Combination, modifier: int, chosen: Sequence[str], terrain: str
) -> Force:
    """A side with one pair of chits."""
    command = sides.commander(side, corps_leaders=state.on("12.3.7.1"))
    leader = command.power if command.leader else ""
    method = 2 if state.options.get("morale") == "base" else 1
    level = morale.level(side, method) + sum(m.value for m in morale.modifiers(side, cell, leader, 1))
    away = [body for body in side.bodies if body.id in chosen]
    front = [body for body in side.bodies if body.id not in chosen]
    riders = sum(body.factors.get(kind, 0) for body in front for kind in CAVALRY)
    rating = command.strategic - (1 if terrain in day.ROUGH else 0)
    if side.role == ATTACKER:
        rating += cell.outflank_rating_mod
    foot = sum(body.size for body in front) - riders
    return Force(foot, riders, level, modifier, sum(body.size for body in away), rating)


def against(
    state: State, mine: Side, his: Side, my_chit: str, his_chit: str, chosen: Sequence[str]
) -> Against:
    """What comes of one pair of chits."""
    attack, defence = (mine, his) if mine.role == ATTACKER else (his, mine)
    chits = (my_chit, his_chit) if mine.role == ATTACKER else (his_chit, my_chit)
    cell = charts.combination(*chits)
    area = next(state.corps[body.id].area for body in mine.bodies if body.id in state.corps)
    ground = day.ground(state, area, attack)
    commands = [sides.commander(side, corps_leaders=state.on("12.3.7.1")) for side in (attack, defence)]
    mods = (
        charts.commander_dice(commands[0].tactical, commands[1].tactical)
        if cell.use_commander_chart
        else (0, 0)
    )
    austrian = cell.austrian_commander_die if commands[0].power == "austria" else 0
    both = chits == (plan.OUTFLANK, plan.OUTFLANK)
    cancelled = both or (chits[0] == plan.OUTFLANK and chits[1] == "cordon")
    flanks = [
        ()
        if cancelled or chit != plan.OUTFLANK
        else (chosen if side is mine and chosen else sides.usual_split(side))
        for side, chit in zip((attack, defence), chits, strict=True)
    ]
    forces = [
        _force(state, side, cell, mod, flank, ground.terrain)
        for side, mod, flank in zip((attack, defence), (mods[0] + austrian, mods[1]), flanks, strict=True)
    ]
    days = reckon(forces[0], forces[1], *chits, ground.terrain, ground.river, ground.superiority)
    away = 0.0
    if chits[1] == plan.WITHDRAW:
        rating = commands[1].strategic + cell.withdraw_rating_mod
        away = 1.0 if cell.withdraw_auto else max(0, min(6, rating)) / 6
    stay = 1 - away
    first = mine.role == ATTACKER
    lost = (days.attacker_lost, days.defender_lost) if first else (days.defender_lost, days.attacker_lost)
    his_breaks = days.defender_breaks if first else days.attacker_breaks
    return Against(
        his_chit,
        win=round(100 * stay * (days.win if first else days.lose)),
        lose=round(100 * stay * (days.lose if first else days.win)),
        both=round(100 * stay * days.both),
        open=round(100 * stay * days.open),
        my_loss=round(stay * mean(lost[0]), 1),
        his_loss=round(stay * mean(lost[1]), 1),
        my_worst=worst(lost[0]) if stay else 0,
        breaks=tuple(round(100 * stay * chance) for chance in his_breaks),
        away=round(100 * away),
    )


def battle(
    state: State, area: str, role: Role, powers: Sequence[str], lines: Sequence[Order]
) -> ForecastBattle | None:
    """What a plan promises against each chit that the enemy may have; nothing where there is no battle with corps.

    `state` is a view with one's own marches done.
    """
    enemies = sorted({other for power in powers for other in state.enemies(power)})
    other: Role = "defender" if role == ATTACKER else "attacker"
    mine, _ = _seen(state, role, area, powers)
    his, guessed = _seen(state, other, area, enemies)
    if not mine.corps or not his.corps:
        return None
    odds = 100 * len(mine.corps) // len(his.corps)
    leaders = [chief.id for chief in mine.chiefs]
    may = sides.may_outflank(mine)

    def legal(line: Order) -> bool:
        return may or not (isinstance(line, (AttackBy, DefendBy)) and line.chit == plan.OUTFLANK)

    plain = plan.unfolded([*lines, *DEFAULTS], {"odds": odds, "corps": len(mine.corps)}, "fight")
    mine_plan = plan.of(plan.composed(plain, role, area, leaders, odds, legal), role)
    chits = [
        chit for chit in charts.charts().chits[other] if chit != plan.OUTFLANK or sides.may_outflank(his)
    ]
    found = [against(state, mine, his, mine_plan.chit, chit, mine_plan.outflank) for chit in chits]
    method = 2 if state.options.get("morale") == "base" else 1
    return ForecastBattle(
        area=area,
        role=role,
        mine=mine.total,
        his=his.total,
        supposed=guessed,
        my_chit=mine_plan.chit,
        against=tuple(found),
        my_level=morale.level(mine, method) / 10,
        his_level=morale.level(his, method) / 10,
        rule="7.5.2",
    )


def siege(state: State, area: str, powers: Sequence[str]) -> ForecastSiege | None:
    """7.5.4.1: the chances of a breach over months, and of a storm, against the garrison that is seen."""
    place = city(area)
    garrison = muster.city(state, "defender", area)
    besieging = muster.side(state, "attacker", area, state.at(area, powers))
    if place is None or not garrison.bodies or not besieging.bodies:
        return None
    hidden = {corps.id: corps for corps in state.at(area, inside=True) if corps.hidden}
    garrison.bodies = [
        supposed(state, hidden[body.id]) if body.id in hidden else body for body in garrison.bodies
    ]
    small = charts.small_garrison(garrison.total, place.room)
    dice = [charts.siege_result(die, place.fortress, small=small) for die in range(1, 7)]
    once = dice.count("breach") / 6
    return ForecastSiege(
        area=area,
        breach=tuple(round(100 * (1 - (1 - once) ** months)) for months in range(1, SIEGE_MONTHS + 1)),
        storm=round(100 * storm(besieging, garrison)),
        garrison=garrison.total,
        mark=charts.charts().status["siege"],
        rule="7.5.4.1",
    )


def storm(attack: Side, defence: Side) -> float:
    """7.5.4.1.3: how likely an assault is to take a city."""
    sheet = sheets.SHEETS[sheets.ASSAULT]
    assert sheet.fixed is not None
    forces = [Force(side.total, 0, morale.level(side, 1), 0) for side in (attack, defence)]
    reckoning = _Reckoning(forces[0], forces[1], superiority=False)
    for round in range(1, ROUNDS + 1):
        reckoning.play(round, {False: sheet.fixed})
    return reckoning.ends["win"]


def defence(state: State, area: str, powers: Sequence[str], lines: Sequence[Order]) -> ForecastBattle | None:
    """What a plan promises to a defender, if all enemies beside his area come at once; nothing where none can."""
    near = [other for other, _ in borders(area)]
    enemies = {other for power in powers for other in state.enemies(power)}
    moved = copied(state)
    for corps in moved.corps.values():
        if corps.area in near and corps.power in enemies and not corps.inside:
            corps.area, corps.came = area, ""
    return battle(moved, area, "defender", powers, lines)


def forecasts(state: State, seat: str, lines: Sequence[Order]) -> list[Event]:
    """What CHECK tells of the combats to which a letter leads; `state` is a view with the letter's marches done."""
    powers = state.of_seat(seat)
    mine = [line for line in lines if isinstance(line, (*PLAN, If))]
    found: list[Event | None] = [
        battle(state, area, "attacker", powers, mine) for area in contested(state, powers)
    ]
    held = {line.place for line in mine if isinstance(line, DefendBy) and line.place}
    found += [defence(state, area, powers, mine) for area in sorted(held) if state.at(area, powers)]
    found += [
        siege(state, area, powers) for area, one in sorted(state.sieges.items()) if set(one.by) & set(powers)
    ]
    return [event for event in found if event is not None]
