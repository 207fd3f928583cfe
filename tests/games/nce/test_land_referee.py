"""A second referee of the land war: supply, marches, attrition and battles counted again from the bare tables, on
random positions, without any of the engine's own code for them.
"""

from __future__ import annotations

import math
import random
import tomllib
from itertools import pairwise
from typing import Any

import msgspec
import pytest

from pbem import paths
from pbem.games.nce import RULES
from pbem.games.nce.events_field import AttritionTested, BattleFought, MoraleTested, Moved, Overrun, Pursued
from pbem.games.nce.land.supply import supplied
from pbem.games.nce.state import Force, State
from pbem.kernel.event import Event
from pbem.kernel.game import LETTER, Checkpoint, Game, Given
from pbem.orders.reading import read_answer
from tests.games.nce.play import Pseudo, position


def table(name: str) -> dict[str, Any]:
    return tomllib.loads((paths.scenarios() / "nce" / f"{name}.toml").read_text("utf-8"))


def rows(name: str, key: str) -> dict[str, dict[str, Any]]:
    return {row["id"]: row for row in table(name)[key]}


ZONES, UNITS, GENERALS = rows("zones", "zone"), rows("units", "unit"), rows("generals", "general")
COUNTRIES, POWERS = rows("countries", "country"), rows("powers", "power")
TABLES = table("tables")
BORDER = {"clear": 0, "bridge": 0, "river": 1, "pass": 1, "mountain": 2, "strait": 1}
FIGHT = {"clear": 0, "bridge": -1, "river": -2, "pass": -1, "mountain": -2}
FRONT = (
    "france",
    "autriche",
    "baviere",
    "royaume_italie",
    "wurtemberg",
    "bade",
    "russie",
    "suisse",
    "hollande",
)
GROUND = [zone for zone in ZONES if ZONES[zone]["country"] in FRONT]
PORTS = [zone for zone in ZONES if ZONES[zone].get("port")]
TOWNS = [zone for zone in GROUND if ZONES[zone]["city"]]
ARMY = {"france": "grande_armee", "autriche": "armee_allemagne", "russie": "iere_armee"}
FOE = {"empire": "coalition", "coalition": "empire"}


def cost(here: str, there: str) -> int:
    """10.1.2: the zone and the border."""
    return (2 if ZONES[there]["terrain"] == "marsh" else 1) + BORDER[ZONES[here]["neighbours"][there]]


class Lines:
    """11: lines on a map without fleets; in the zone of a battle enemies do not cut one, a zone that is closed does."""

    def __init__(self, state: State, force: Force, *, battle: str = "", closed: str = "") -> None:
        self.state, self.side, self.power = state, force.side, force.power
        self.foes = {f.zone for f in state.forces.values() if f.side == FOE[self.side]} - {battle}
        self.foes |= {closed} if closed else set()

    def holder(self, zone: str) -> str:
        return self.state.control.get(zone) or self.state.side_of(self.state.owner_of(zone))

    def active(self, zone: str) -> bool:
        return bool(ZONES[zone]["fortress"]) and zone not in self.state.empty

    def shut(self, zone: str) -> bool:
        foe = FOE[self.side]
        if zone in self.foes or self.state.control.get(zone) == foe:
            return True
        owner = self.state.side_of(self.state.owner_of(zone))
        return owner not in FOE or (self.active(zone) and self.holder(zone) == foe)

    def relay(self, zone: str) -> bool:
        return (self.active(zone) and self.holder(zone) == self.side) or self.power in self.state.fixed.get(
            zone, ()
        )

    def source(self, zone: str) -> bool:
        if self.holder(zone) != self.side:
            return False
        if zone in POWERS[self.power]["capitals"]:
            return True
        minor = ZONES[zone].get("capital_of")
        allied = (
            bool(minor) and COUNTRIES[minor]["kind"] == "minor" and self.state.side_of(minor) == self.side
        )
        return self.active(zone) and (self.state.owner_of(zone) == self.power or allied)

    def reach(self, start: str, points: int = 2, *, without: str = "") -> set[str]:
        best, todo = {start: 0}, [start]
        while todo:
            here = todo.pop()
            for there, border in ZONES[here]["neighbours"].items():
                if border in ("mountain", "strait", "full") or self.shut(there) or there == without:
                    continue
                spent = best[here] + cost(here, there)
                if spent <= points and spent < best.get(there, 9):
                    best[there] = spent
                    todo.append(there)
        return set(best)

    def sea(self, zone: str) -> set[str]:
        """11.3.3: from one relay port to every other."""
        if not ZONES[zone].get("port") or not (self.relay(zone) or self.source(zone)):
            return set()
        return {z for z in PORTS if (self.relay(z) or self.source(z)) and not self.shut(z)}

    def fed(self, zone: str, *, via: str = "") -> bool:
        if via:
            if cost(zone, via) > 2 or self.shut(via):
                return False
            first = self.reach(via, 2 - cost(zone, via), without=zone)
        else:
            first = self.reach(zone) | self.sea(zone)
        seen: set[str] = set()
        todo = [first]
        while todo:
            near = todo.pop()
            if any(self.source(one) for one in near):
                return True
            for one in near - seen:
                if self.relay(one):
                    seen.add(one)
                    todo.append(self.reach(one) | self.sea(one))
        return False


class Army:
    """A random force, and the line that builds it."""

    def __init__(self, chance: random.Random, side: str, *, allies: bool = False) -> None:
        self.side, self.power = side, "france" if side == "empire" else chance.choice(["autriche", "russie"])
        generals = [g for g, row in GENERALS.items() if row["power"] == self.power]
        chance.shuffle(generals)
        self.general, self.army = generals[0], chance.random() < 0.5
        room = GENERALS[self.general]["command"] * (2 if self.army else 1)
        units = [u for u, row in UNITS.items() if row["power"] == self.power and row["type"] == "corps"]
        units = [u for u in units if not UNITS[u].get("mark")]
        chance.shuffle(units)
        if allies and self.power == "france":
            units = [units[0], *chance.sample([*units[1:8], "baviere", "wurtemberg", "italie_1"], 8)]
        self.units: dict[str, int] = {}
        for unit in units[: chance.randint(1, 9)]:
            steps = chance.randint(1, UNITS[unit]["steps"])
            if sum(self.units.values()) + steps <= room:
                self.units[unit] = steps
        self.subs: list[str] = []
        if self.army:
            horse = {"france": "fr_res_cav", "autriche": "au_res_cav", "russie": "ru_res_cav"}[self.power]
            if chance.random() < 0.6 and self.steps < room:
                self.units[horse] = 1
            rank = GENERALS[self.general]["rank"]
            self.subs = [g for g in generals[1:] if GENERALS[g]["rank"] > rank][: chance.randint(0, 3)]
        stars = [u for u in self.units if UNITS[u]["stars"]]
        self.lead = chance.choice(stars) if stars and chance.random() < 0.6 else ""
        self.second = chance.choice(self.subs) if self.subs and chance.random() < 0.7 else "nobody"

    @property
    def steps(self) -> int:
        return sum(self.units.values())

    def line(self, zone: str, words: str = "") -> str:
        marker = ARMY[self.power] if self.army else ""
        units = ", ".join(f"{unit} {steps}" for unit, steps in self.units.items())
        subs = f"; subs {', '.join(self.subs)}" if self.subs else ""
        return f"{self.side} {zone} {self.general} {marker} {words}: {units}{subs}"

    @property
    def plan(self) -> str:
        return f"subordinate {self.second}" + (f"\nlead with {self.lead}" if self.lead else "")

    def horse(self) -> int:
        """10.5: steps and generals with a C."""
        steps = sum(n for unit, n in self.units.items() if UNITS[unit].get("cavalry"))
        return steps + sum(GENERALS[g]["cavalry"] for g in (self.general, *self.subs))

    def values(self, role: str) -> int:
        """12.6.4, 12.6.5: commander, subordinate and lead."""
        used = [self.general, *([self.second] if self.second != "nobody" else [])]
        return sum(GENERALS[g][role] for g in used) + (UNITS[self.lead]["stars"] if self.lead else 0)


class Play:
    """A position played by letters."""

    def __init__(self, seed: int, state: State) -> None:
        self.game: Game[State] = Game(RULES, Checkpoint(0, 0, msgspec.json.encode(state)), Pseudo(seed))
        self.game.settle(lambda seat: [])

    def asked(self, seat: str) -> str:
        open_ = [
            q for key, q in self.game.questions.items() if q.seat == seat and not self.game.answered(key)
        ]
        return open_[0].kind() if open_ else ""

    def give(self, seat: str, text: str) -> bool:
        """A letter; false where it is refused."""
        question = next(
            q for key, q in self.game.questions.items() if q.seat == seat and not self.game.answered(key)
        )
        view = self.game.view(seat)
        own = RULES.owned(view, seat)
        reading = read_answer(
            text.splitlines(), question, view, RULES.vocabulary, others=RULES.orders, own=own
        )
        if reading.problems or question.check(view, reading.orders):
            return False
        self.game.give(Given(question.key, seat, reading.orders, LETTER))
        self.game.settle(lambda seat: [])
        return True

    def told(self) -> list[Event]:
        return [told.event for told in self.game.take_told()]


def marked(chance: random.Random, most: int) -> dict[str, str]:
    return {zone: chance.choice(list(FOE)) for zone in chance.sample(TOWNS, chance.randint(0, most))}


@pytest.mark.parametrize("seed", range(60))
def test_supply(seed: int) -> None:  # rule 11.2, 11.3.1, 11.3.2, 11.3.3, 11.3.4
    chance = random.Random(seed)
    zones = chance.sample(GROUND, 6)
    corps = ["fr_ii_corps", "fr_iii_corps", "fr_iv_corps", "au_i_corps", "au_ii_corps", "ru_i_corps"]
    state = position(
        forces=[
            f"{'empire' if u.startswith('fr') else 'coalition'} {z}: {u}"
            for u, z in zip(corps, zones, strict=True)
        ],
        control=marked(chance, 40),
        empty=[zone for zone in GROUND if ZONES[zone]["fortress"] and chance.random() < 0.2],
        fixed={chance.choice(GROUND): ["france"], chance.choice(GROUND): ["autriche"]},
    )
    for force in state.forces.values():
        assert supplied(state, force) == Lines(state, force).fed(force.zone), (force.power, force.zone)


def _column(steps: int) -> int:
    tops = (1, 3, 5, 8, 11, 14)
    return sum(steps > top for top in tops)


def _nation(units: dict[str, int]) -> int:
    """11.6: all French, mostly French, all Russian."""
    steps = sum(units.values())
    french = sum(n for unit, n in units.items() if UNITS[unit]["power"] == "france")
    if french == steps:
        return -2
    if french * 2 > steps:
        return -1
    return -1 if all(UNITS[unit]["power"] == "russie" for unit in units) else 0


@pytest.mark.parametrize("seed", range(150))
def test_marches_and_their_attrition(seed: int) -> None:  # rule 10.1.2, 10.2.2, 11.6.1, 11.6.2, 11.6.4, 14.1
    chance = random.Random(seed)
    side = chance.choice(list(FOE))
    army, start = Army(chance, side, allies=True), chance.choice(GROUND)
    round_, forced = chance.choice([2, 5, 6]), chance.randint(0, 3)
    control = marked(chance, 30)
    state = position(
        active=side,
        round=round_,
        forces=[army.line(start)],
        control=control,
        hands={"empire": [], "coalition": []},
        reserve={side: 3},
    )
    force = state.force_with(army.general)
    assert force is not None
    lines = Lines(state, force)
    left = min(UNITS[unit]["movement"] for unit in army.units) - (round_ >= 5) + forced
    path: list[str] = []
    here, legal = start, True
    for _ in range(chance.randint(0, 4)):
        ways = [z for z, border in ZONES[here]["neighbours"].items() if border in FIGHT]
        if not ways or not legal:
            break
        there = chance.choice(ways)
        holds = here in path and lines.active(here) and lines.holder(here) == FOE[side]
        closed = lines.state.side_of(lines.state.owner_of(there)) not in FOE
        iberian = ZONES[there]["country"] in ("espagne", "portugal")
        legal = not (holds or closed or iberian) and cost(here, there) <= left
        path.append(there)
        if legal:
            left, here = left - cost(here, there), there
    text = f"no card\nactivate {army.general}" + (f" forced march {forced}" if forced else "")
    play = Play(seed, state)
    assert play.give(side, text + (f"\ngo to {', '.join(path)}" if path else "")) == legal, (start, path)
    if not legal:
        return
    told = play.told()
    moved = [event for event in told if isinstance(event, Moved)]
    assert not path or (moved[-1].to, moved[-1].left) == (here, left)
    fed = lines.fed(start)
    tests = [e for e in told if isinstance(e, AttritionTested) and "/end/" not in e.draws[0]]
    assert bool(tests) == (bool(forced) or not fed)
    for test in tests:
        way = [start, *path]
        crossed = [ZONES[a]["neighbours"][b] for a, b in pairwise(way)]
        poor = [zone for zone in path if ZONES[zone]["poor"]]
        home = all(state.owner_of(zone) == army.power for zone in path or [start])
        total = test.die + forced + ("mountain" in crossed) + 2 * bool(poor)
        total += any(ZONES[zone]["terrain"] == "marsh" for zone in poor)
        total += 2 * (round_ == 6) + 3 * (not fed) - 2 * home + _nation(army.units)
        assert (test.steps, test.total) == (army.steps, total), test.modifiers
        cell = TABLES["attrition"]["row"][max(0, min(8, total))]["cells"][_column(army.steps)]
        losses = int(cell.rstrip("*") or 0) + (cell.endswith("*") and test.star >= 4)
        assert test.losses == min(losses, army.steps)


def _cell(total: int, size: str) -> dict[str, Any]:
    cell: dict[str, Any] = TABLES["battle"]["row"][max(0, min(16, total))][size]
    return cell


@pytest.mark.parametrize("seed", range(150))
def test_battles(seed: int) -> None:  # rule 12.3, 12.4, 12.5.1, 12.6, 12.7, 12.10.1, 12.10.2, 11.3.8
    chance = random.Random(seed)
    side = chance.choice(list(FOE))
    other = FOE[side]
    zone = chance.choice([z for z in GROUND if set(ZONES[z]["neighbours"]) & set(GROUND)])
    ways = [z for z, border in ZONES[zone]["neighbours"].items() if z in GROUND and border in FIGHT]
    came = chance.choice(ways)
    attack, defence = Army(chance, side), Army(chance, other)
    control = marked(chance, 12) | ({zone: chance.choice(list(FOE))} if ZONES[zone]["city"] else {})
    common: dict[str, Any] = {"control": control, "hands": {"empire": [], "coalition": []}, "year": 1809}
    state = position(active=side, forces=[attack.line(came), defence.line(zone)], reserve={side: 3}, **common)
    mover = state.force_with(attack.general)
    assert mover is not None
    if not Lines(state, mover).fed(came):
        return
    play = Play(seed, state)
    if not play.give(side, f"no card\nactivate {attack.general}\ngo to {zone}\n{attack.plan}"):
        return
    while play.asked(other) in ("response", "fight"):
        plan = defence.plan if play.asked(other) == "fight" else "stay"
        assert play.give(other, plan)
    told = play.told()
    met = position(forces=[attack.line(zone), defence.line(zone)], **common)
    mine, theirs = met.force_with(attack.general), met.force_with(defence.general)
    assert mine is not None
    assert theirs is not None
    fed = Lines(met, mine).fed(zone, via=came)
    tests = [e for e in told if isinstance(e, AttritionTested) and "/end/" not in e.draws[0]]
    assert bool(tests) == (not fed), "who is found short tests before its first battle"
    for test in tests:
        poor = bool(ZONES[zone]["poor"])
        total = test.die + 3 + (ZONES[came]["neighbours"][zone] == "mountain") + 2 * poor
        total += (poor and ZONES[zone]["terrain"] == "marsh") + _nation(attack.units)
        total -= 2 * (met.owner_of(zone) == attack.power)
        assert (test.steps, test.total) == (attack.steps, total), test.modifiers
        if test.losses:
            return
    strong, weak = max(attack.steps, defence.steps), min(attack.steps, defence.steps)
    ratio = math.floor(strong / weak + 0.5)
    if ratio >= 5:
        assert any(isinstance(event, Overrun) for event in told)
        return
    (battle,) = (event for event in told if isinstance(event, BattleFought))
    total = attack.steps + defence.steps
    size = "skirmish" if total <= 7 else "major" if total >= 22 and weak >= 10 else "minor"
    assert battle.size == size
    border = ZONES[came]["neighbours"][zone]
    bonus = attack.values("attack") + FIGHT[border] + (border == "river" and attack.army)
    bonus += (ratio - 1) if attack.steps > defence.steps else 1 - ratio
    bonus -= ZONES[zone]["terrain"] == "marsh"
    bonus += attack.horse() > defence.horse()
    bonus -= 0 if fed else 3
    assert battle.attacker_total == battle.attacker_dice + bonus, battle.attacker_modifiers
    guard = defence.values("defence") + (defence.horse() > attack.horse())
    guard -= 0 if Lines(met, theirs, battle=zone, closed=came).fed(zone) else 3
    assert battle.defender_total == battle.defender_dice + guard, battle.defender_modifiers
    blow, answer = _cell(battle.attacker_total, size), _cell(battle.defender_total, size)
    inflicted, suffered = min(blow["losses"], attack.steps), min(answer["losses"], defence.steps)
    won = blow["losses"] > answer["losses"]
    won = won or (blow["losses"] == answer["losses"] and blow["plus"] and not answer["plus"])
    assert (battle.inflicted, battle.suffered) == (inflicted, suffered)
    assert battle.winner == (side if won else other)
    shaken = [event for event in told if isinstance(event, MoraleTested)]
    assert not shaken or size != "skirmish"
    assert all(test.demoralised == (test.die > test.threshold) for test in shaken)
    assert len([e for e in told if isinstance(e, Pursued)]) == sum(test.demoralised for test in shaken)
