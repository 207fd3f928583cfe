"""A position as a general looks at it: what is to be had, what has to be held, who is near and how strong."""

from __future__ import annotations

from functools import cache, lru_cache

import msgspec

from pbem.games.nce import board, charts, command
from pbem.games.nce.charts import COUNTRIES, GENERALS, POWERS, UNITS, ZONES
from pbem.games.nce.land import battle, siege
from pbem.games.nce.land.supply import Network, supplied, zone_supplied
from pbem.games.nce.reactions import may_stand
from pbem.games.nce.robot.appraisal import for_a_union, minors_wanting, unbeaten
from pbem.games.nce.robot.temper import temper
from pbem.games.nce.state import COALITION, EMPIRE, Force, State, enemy

RANGE = 5
"""Movement points within which an enemy counts as near."""
REMOTE = {"russie": 16.0, "espagne": 10.0, "turquie": 8.0, "angleterre": 8.0}
"""Powers that are far away, or small."""
FARTHEST = 40
"""Movement points beyond which nothing counts."""
PARIS = 1.6
"""35C, 50F, 53F: how much more than another key zone Paris counts in the last year."""
CAPITALS = ("paris", "vienne", "berlin", "mantoue")
"""Key zones that have to be held before others."""
HUNGRY, FAR_CUT = 4, 8
"""Steps from which a force is worth a way to it, and how far away the cut may be."""
UNION = (10.0, 25.0, 18.0, 12.0, 10.0)
"""A minor for a union of the Empire's, by how many are wanting."""
CROWN = (2.0, 4.0, 2.5, 2.0)
"""How much more Naples counts when so many are wanting for Europe Napoléonienne; the minors half as much."""
UNREADY = (1.0, 0.5, 0.0)
"""9.3.1: how much of that it is worth as long as so many powers have not been beaten."""
DEEP = 6
"""Movement points beyond supply at which a zone is out of reach."""
NEAR_AIM = 4
"""Movement points from a key zone of the power that is aimed at within which the main armies act."""
DESPERATE = (0.05, 0.2, 0.35)
"""The least chances in the last rounds of the last year, counted from the end."""
GREAT = 8.0
"""A prize that is worth a road."""
SHARE = (1.0, 0.5, 0.35, 0.25, 0.2)
"""What a key zone is worth of its power, by the key zones that are wanting after it."""


class Eye:
    """A position as a general looks at it."""

    def __init__(self, view: State, side: str) -> None:
        self.view, self.side, self.other = view, side, enemy(side)
        self.late = view.year >= view.end_year - 1
        self.crowned = "45F" in view.events
        """17.2: whether all hangs on the French key zones and Mantoue."""
        self.temper = temper(side, self.late, self.crowned or view.scenario == "1815")
        self.left = view.last_round - view.round if view.year >= view.end_year else FARTHEST
        """Rounds after this one, in the last year."""
        self.networks: dict[str, Network] = {}
        self._guards: dict[str, int] = {}
        self._fed: dict[tuple[str, str], bool] = {}
        self._depths: dict[str, dict[str, int]] = {}
        self.closed = frozenset(zone for zone in ZONES if not may_stand(view, zone, side))
        self.foes = [f for f in view.of(self.other) if not f.inside]
        self.friends = [f for f in view.of(side) if not f.inside]
        self.held = {f.zone for f in self.foes} | {z for z in ZONES if view.hostile_fortress(z, side)}
        """Zones that hold a march up."""
        self.aim = ""
        """The power that is to be beaten first."""
        self.ambition = self._ambitions()
        desperate = side == COALITION and 0 <= self.left < len(DESPERATE)
        self.courage = min(self.temper.courage, DESPERATE[self.left]) if desperate else self.temper.courage
        """The least chance at which it attacks: when the game ends, so does caution."""
        self.prizes = {
            zone: worth
            for zone in ZONES
            if ZONES[zone].city and view.controller(zone) == self.other and (worth := self.worth(zone))
        }
        self._stepping_stones()
        self.own_keys = [
            zone
            for power in view.majors(side)
            for zone in POWERS[power].key_zones
            if view.home_side(zone) == side and view.controller(zone) == side
        ]
        if self.crowned and side == EMPIRE and view.controller("mantoue") == side:
            self.own_keys.append("mantoue")
        self.stakes = self._stakes()
        self.starved = self._starved()
        """Key zones that have been taken, but are out of supply; what they are worth."""
        self.cuts = self._cuts()
        for zone, worth in self.cuts.items():
            if zone in self.prizes:
                self.prizes[zone] += worth / self.temper.scale

    def _ambitions(self) -> dict[str, float]:
        """16.4, 17: what beating each power of the enemy is worth; most where least is wanting."""
        view = self.view
        found: dict[str, float] = {}
        for power in view.majors(self.other):
            if power == "france":
                found[power] = self.temper.france
            elif power in REMOTE or self.side == COALITION:
                found[power] = REMOTE.get(power, self.temper.again)
            elif view.beaten[EMPIRE].get(power):
                found[power] = self.temper.again
            else:
                found[power] = self.temper.last if unbeaten(view) == [power] else self.temper.first
        if found:
            self.aim = max(found, key=lambda power: (found[power] / (1 + self.missing(power)), power))
            focus = self.temper.focus
            found = {power: worth * (1.0 if power == self.aim else focus) for power, worth in found.items()}
        return found

    def _stepping_stones(self) -> None:
        """11.3: a fortress near a great prize is wanted as a relay on the way there."""
        great = [(zone, worth) for zone, worth in self.prizes.items() if worth >= GREAT]
        for zone in self.prizes:
            if ZONES[zone].fortress and self.prizes[zone] < GREAT:
                far = board.all_distances(zone)
                self.prizes[zone] += max(
                    (self.temper.stone * worth / (1 + far[z]) for z, worth in great if far.get(z, 99) <= 4),
                    default=0.0,
                )

    def side_show(self, zone: str) -> bool:
        """Whether a prize is none of the main armies' business: neither of the power that is aimed at nor near it."""
        if not self.aim or self.view.home_side(zone) == self.side:
            return False
        return all(board.distance(key, zone) > NEAR_AIM for key in self.keys(self.aim))

    def keys(self, power: str) -> list[str]:
        """16.4: the key zones on which a power's conquest hangs."""
        view = self.view
        keys = [zone for zone in POWERS[power].key_zones if view.owner_of(zone) == power]
        return ["londres"] if power == "angleterre" else keys

    def missing(self, power: str, taken: str = "") -> int:
        """16.4.1: how many key zones are wanting for its conquest."""
        view, keys = self.view, self.keys(power)
        left = [zone for zone in keys if zone != taken and view.controller(zone) != self.side]
        if len(left) != 1 or any(zone in left for zone in POWERS[power].capitals) or power == "france":
            return len(left)
        army = any(
            f.army and f.power == power and not f.demoralised and view.national(f.zone, power)
            for f in self.foes
        )
        return len(left) if army else 0

    def _stakes(self) -> dict[str, float]:
        """What has to be held: one's own key zones, and those taken from a power that is still in the war."""
        view = self.view
        found = {zone: self.temper.hold * (1.25 if zone in CAPITALS else 1.0) for zone in self.own_keys}
        if "paris" in found and self.left < FARTHEST:
            found["paris"] *= PARIS
        for power, worth in self.ambition.items():
            wanting = self.missing(power)
            for zone in self.keys(power):
                if view.controller(zone) == self.side:
                    found[zone] = 3.0 + worth * SHARE[min(wanting, len(SHARE) - 1)]
        return found

    def worth(self, zone: str) -> float:
        """What taking a zone of the enemy is worth."""
        view, record = self.view, ZONES[zone]
        owner = view.owner_of(zone)
        value = 0.5 + (1.0 if record.fortress else 0.0)
        if zone == "mantoue" and self.crowned:
            value += 12.0
        if view.home_side(zone) == self.side:
            value += 1.5
        if record.key:
            value += self._key(zone, owner)
        elif owner in COUNTRIES and COUNTRIES[owner].kind == "minor" and view.home_side(zone) == self.other:
            value += self._minor(zone, owner)
        return value

    def _key(self, zone: str, owner: str) -> float:
        view = self.view
        if view.home_side(zone) == self.side:
            return 1.5 * self.temper.hold
        if owner not in self.ambition or zone not in self.keys(owner):
            return 1.0
        wanting = self.missing(owner, zone)
        worth = self.temper.denial + self.ambition[owner] * SHARE[min(wanting, len(SHARE) - 1)]
        if owner == "france" and self.left < FARTHEST:
            # 17.2: what counts is who holds it at the end: walls are held for long, an open town is taken last.
            worth *= 1.3 if ZONES[zone].fortress else 0.6 if self.left > 1 else 1.0
            worth *= PARIS if zone == "paris" else 1.0
        return worth

    def _minor(self, zone: str, owner: str) -> float:
        record = COUNTRIES[owner]
        if zone != record.capital and zone not in record.fortresses:
            return 0.0
        if owner == "naples":
            wanted = self._crown() if "20F" in self.view.events else 0.2 if self.view.year == 1805 else 1.0
            prize = self.temper.naples * wanted if self.side == EMPIRE else 4.0
            return prize if zone == record.capital else 0.0
        status = self.view.status[owner]
        prize = 6.0 if status == "protectorate" or record.protectorate_possible else 2.0
        if self.side == COALITION and status == "protectorate":
            prize = 10.0 if self.view.vp <= 6 else 6.0
        elif self.side == EMPIRE and for_a_union(self.view, record.marks):
            number = min(minors_wanting(self.view), len(UNION) - 1)
            ready = 0.5 * self._crown() if "20F" in self.view.events else UNREADY[len(unbeaten(self.view))]
            prize = max(prize, ready * UNION[number], 4.0)
        return prize / max(1, len({record.capital, *record.fortresses}))

    def _crown(self) -> float:
        """9.3.2, 16.3: how much more Naples and the minors count that are wanting for Europe Napoléonienne; what is
        conquered in the last year comes too late.
        """
        if self.left < FARTHEST or self.crowned:
            return 0.2
        wanting = minors_wanting(self.view) + (self.view.side_of("naples") != EMPIRE)
        return CROWN[min(wanting, len(CROWN) - 1)]

    def ways(self, zone: str) -> dict[str, int]:
        """How far a zone is from everywhere, on ground that is open to the side."""
        return _ways(zone, self.closed)

    def near(self, zone: str, forces: list[Force], points: int = RANGE) -> list[Force]:
        """The forces within so many movement points."""
        return [force for force in forces if board.distance(force.zone, zone) <= points]

    def guards(self, zone: str) -> int:
        """The enemy's steps in and next to a zone."""
        if zone not in self._guards:
            self._guards[zone] = sum(f.strength for f in self.near(zone, self.foes, 1))
        return self._guards[zone]

    def feeds(self, force: Force, zone: str) -> bool:
        """Whether the force would be in supply there."""
        key = (force.power, zone)
        found = self._fed.get(key)
        if found is None:
            if COUNTRIES[force.power].kind == "revolt":
                moved = msgspec.structs.replace(force, zone=zone, unsupplied=False, inside=False)
                found = supplied(self.view, moved, known=self.networks)
            else:
                found = self._network(force.power).supplies(zone)
            self._fed[key] = found
        return found

    def _network(self, power: str) -> Network:
        """The lines of one nation."""
        key = f"{self.side}/{power}"
        if key not in self.networks:
            self.networks[key] = Network(self.view, self.side, power)
        return self.networks[key]

    def docks(self, force: Force, zone: str) -> bool:
        """11.3.3: whether a depot of the force's would bring supply by sea into a port."""
        if not ZONES[zone].port or force.power not in force.depots:
            return False
        network = self._network(force.power)
        return not network.shut(zone) and network.finds(network.by_sea(zone))

    def _starved(self) -> dict[str, float]:
        """3.2.6: what is out of supply counts for nothing."""
        taken = [zone for zone in self.stakes if self.view.control.get(zone) == self.side]
        return {
            zone: self.stakes[zone]
            for zone in taken
            if not zone_supplied(self.view, zone, self.side, self.networks)
        }

    def _cuts(self) -> dict[str, float]:
        """11.3.4: where enemies, or fortresses of theirs, cut the supply of strong forces; what opening it is worth."""
        hungry = [f for f in self.friends if f.general and f.strength >= HUNGRY and not self.feeds(f, f.zone)]
        found: dict[str, float] = {}
        for force in sorted(hungry, key=lambda f: (-f.strength, f.id))[:2]:
            near = board.near(force.zone, FAR_CUT)
            idle = [zone for zone in self.stakes if zone in self.view.control and not self.feeds(force, zone)]
            worth = self.temper.hunger * force.strength + 0.5 * sum(self.stakes[zone] for zone in idle)
            for zone in sorted(self.held):
                if zone in near and zone != force.zone and self._opened(force, zone):
                    found[zone] = found.get(zone, 0.0) + worth
        return found

    def _opened(self, force: Force, zone: str) -> bool:
        """Whether a force would be in supply if the enemy were driven from a zone."""
        view = self.view
        forces = {id: f for id, f in view.forces.items() if f.zone != zone or f.side == self.side}
        control = view.control
        if view.hostile_fortress(zone, self.side) or view.controller(zone) == self.other:
            control = {**control, zone: self.side}
        siege = {place: marker for place, marker in view.siege.items() if place != zone}
        return supplied(msgspec.structs.replace(view, forces=forces, control=control, siege=siege), force)

    def depth(self, force: Force, zone: str) -> int:
        """How far beyond its supply a zone lies for a force."""
        key = force.power
        if key not in self._depths:
            fed = [place for place in ZONES if self.feeds(force, place)]
            found: dict[str, int] = dict.fromkeys(fed, 0)
            edge = [place for place in fed if any(near not in found for near in board.neighbours(place))]
            for place in edge:
                for other, points in board.near(place, DEEP).items():
                    if points < found.get(other, DEEP):
                        found[other] = points
            self._depths[key] = found
        return self._depths[key].get(zone, DEEP)

    def keeps_faith(self, force: Force) -> bool:
        """9.2.2: whether it is the only force on the soil of a minor that the enemy could talk round."""
        owner = self.view.owner_of(force.zone)
        if self.side != EMPIRE or force.general or COUNTRIES[owner].kind != "minor":
            return False
        if self.view.status[owner] == "protectorate" or self.view.period != "epopee":
            return False
        return not any(f.id != force.id and self.view.owner_of(f.zone) == owner for f in self.friends)

    def errand(self, force: Force) -> bool:
        """Whether a force under a general is near a prize that it can hope to take by itself."""
        if not force.general or force.strength < 2:
            return False
        return any(
            worth >= GREAT
            and self.ways(zone).get(force.zone, FARTHEST) <= RANGE
            and sum(f.strength for f in self.near(zone, self.foes, 1)) <= force.strength + 2
            for zone, worth in self.prizes.items()
        )

    def watches(self, force: Force) -> bool:
        """Whether it guards a key zone that is in danger, or besieges a fortress."""
        near = any(
            board.distance(force.zone, key) <= 1 and 2 * self.threat(key) >= force.strength
            for key in self.stakes
        )
        return near or force.zone in self.view.siege

    def beaten_by(self, force: Force, zone: str) -> float:
        """The chance that the worst enemy near a zone would beat the force there."""
        worst = 0.0
        friends = self.succour(zone, self.friends, force, "defender")
        for foe in self.foes:
            if foe.general and not foe.demoralised and board.distance(foe.zone, zone) <= foe.movement:
                helped = self.succour(zone, self.foes, foe, "attacker")
                worst = max(worst, clash(foe, [force], helped, friends)[0])
        return worst

    def succour(self, zone: str, forces: list[Force], but: Force, role: str) -> int:
        """12.2: the steps that may be hoped for from the strongest who could march to the guns."""
        best = 0.0
        for force in forces:
            if force.id == but.id or not force.general or force.demoralised or force.zone == zone:
                continue
            if board.crossing(force.zone, zone) in ("", "mountain", "strait"):
                continue
            best = max(best, force.strength * (2 + _tactical(force, role)) / 6)
        return int(best)

    def fight(self, force: Force, zone: str, foes: list[Force]) -> tuple[float, float, float]:
        """An attack in a zone with all who may come: the chance to win, steps taken, steps lost."""
        if not foes:
            return 1.0, 0.0, 0.0
        mine = self.succour(zone, self.friends, force, "attacker")
        theirs = self.succour(zone, self.foes, foes[0], "defender")
        return clash(force, foes, mine, theirs)

    def toll(self, force: Force, zone: str, march: int, starving: bool) -> float:
        """11.6: the steps that hunger and a forced march cost on the way to a zone."""
        if not march and not starving:
            return 0.0
        french = force.steps_of("france") * 2 > force.strength
        total = march + 3 * starving + 2 * (self.view.weather() == "winter") + 2 * ZONES[zone].poor
        return _toll(total - (2 if french else 0), force.steps)

    def threat(self, zone: str) -> int:
        """The strongest enemy force near one's own zone."""
        return max((f.strength for f in self.near(zone, self.foes, 4)), default=0)

    def danger(self, zone: str, without: Force, met: str = "") -> float:
        """The chance that a zone is lost once a force has left it, but for the enemies in a zone that it attacks."""
        there = self.view.at(zone, self.side, inside=None)
        return self.exposed(zone, sum(f.strength for f in there if f.id != without.id), met)

    def relief(self, zone: str, force: Force) -> float:
        """How much safer a zone of one's own would be with a force in it."""
        stay = sum(f.strength for f in self.view.at(zone, self.side, inside=None) if f.id != force.id)
        return self.exposed(zone, stay) - self.exposed(zone, stay + force.strength)

    def exposed(self, zone: str, garrison: int, met: str = "") -> float:
        """The chance that a zone is lost with so many steps in it."""
        view = self.view
        rounds = 1 if self.left == 0 or (self.left == 1 and self.side == COALITION) else 2
        worst = 0.0
        for foe in self.foes:
            if foe.zone == met or foe.demoralised or foe.strength < siege.steps_needed(view, zone):
                continue
            far = board.distance(foe.zone, zone)
            reach = foe.movement + (1 if foe.general else 0)
            chance = 0.7 if far <= reach else 0.35 if far <= rounds * reach else 0.0
            if not foe.general or (view.fortress(zone) and not foe.army):
                chance *= 0.6
            if garrison:
                chance *= foe.strength / (foe.strength + 2 * garrison)
            worst = max(worst, chance)
        return worst

    def boldness(self, zone: str) -> float:
        """How much a risk counts: less where friends are near in numbers, and less as the end draws near."""
        mine = sum(f.strength for f in self.near(zone, self.friends, 3))
        theirs = sum(f.strength for f in self.near(zone, self.foes, 3))
        late = 0.5 if self.late and self.side == COALITION else 1.0
        return late * min(1.0, theirs / max(1, mine))


def bonus(force: Force, role: str) -> int:
    """What commander, subordinate, lead and special units add to the dice."""
    value = _tactical(force, role)
    values = [GENERALS[g].attack if role == "attacker" else GENERALS[g].defence for g in force.subs]
    value += max(values, default=0) + max((UNITS[u].stars for u in force.units), default=0)
    return value + len(force.special) - (1 if force.demoralised else 0) - (3 if force.unsupplied else 0)


def odds(force: Force, foes: list[Force]) -> float:
    """The chance that an attack wins."""
    return clash(force, foes)[0]


def clash(force: Force, foes: list[Force], mine: int = 0, theirs: int = 0) -> tuple[float, float, float]:
    """The chance that an attack wins, and the steps that it would take and cost; with so many more on each side."""
    strength = sum(foe.strength for foe in foes) + theirs
    if not strength:
        return 1.0, 0.0, 0.0
    defence = max(bonus(foe, "defender") for foe in foes)
    horse = command.cavalry([force]) - command.cavalry(foes)
    attack = bonus(force, "attacker") + (horse > 0)
    return _clash(force.strength + mine, strength, attack, defence + (horse < 0))


@cache
def _clash(attacking: int, defending: int, attack: int, defence: int) -> tuple[float, float, float]:
    found = battle.chances(attacking, defending, attack, defence)
    return found["win"], found["inflicted"], found["suffered"]


@cache
def _toll(modifier: int, steps: int) -> float:
    column = charts.attrition_column(steps)
    results = [charts.attrition_result(die + modifier, column) for die in range(1, 7)]
    return sum(lost + 0.5 * star for lost, star in results) / 6


@lru_cache(maxsize=8192)
def _ways(zone: str, closed: frozenset[str]) -> dict[str, int]:
    return board.distances(zone, FARTHEST, lambda start, to: to not in closed).cost


def _tactical(force: Force, role: str) -> int:
    """12.6.5: the commander's value."""
    return GENERALS[force.general].value(role) if force.general else 0
