"""7.5: the two sides of a combat: bodies of factors under a commander, with what they have lost so far."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from pbem.games.eia.charts import DEFENDER, Role

CAVALRY = ("C", "FC", "CK", "FK")
"""7.5.2.9.2.2, 12.3.3.1: every sort of cavalry."""
LAST = ("M", "FI")
"""7.5.2.9.2.1: lost freely only while the morale lost is below 2.0; feudal infantry as in the long example."""
KINDS = ("M", "FI", "I", "A", "C", "FC", "CK", "FK", "Gr", "Gd")
"""7.5.2.9.2: all kinds of factors, in the order in which they are lost where nobody says otherwise."""
GARRISON = "garrison"
DEPOT = "depot"
LIGHT_HORSE = ("cossack", "freikorps")
NO_CORPS = (*LIGHT_HORSE, "guerrilla", DEPOT, GARRISON)
"""Bodies that are no corps: they have no ratings of their own and need no leader to be beaten trivially (7.5.3)."""
ARTILLERY = "artillery"


class Body(msgspec.Struct):
    """One counter or garrison in a combat."""

    id: str
    power: str
    """The major power that commands it."""
    nation: str
    """Whose factors they are: a major power or a minor."""
    kind: str
    """The type of the corps; or depot, garrison, cossack, freikorps, guerrilla."""
    factors: dict[str, int]
    morale: dict[str, int] = {}
    """In tenths, by kind of factor."""
    seat: str = ""
    strategic: int = 0
    tactical: int = 0
    """10.6.1: the intrinsic ratings."""
    start: int = 0
    """7.5.2.10.1.3: the factors with which it began the combat."""
    came: str = ""
    """The area from which it entered; for relievers and river crossings."""
    inside: bool = False
    """7.5.4.2.3: of a besieged garrison that helps its relief."""
    outflanks: bool = False
    """7.5.2.3.2: on the way round; it does not fight."""
    doubled: bool = False
    """7.5.2.7.2: arrived round the flank: counts twice when it fires."""
    lost: dict[str, int] = {}

    @property
    def size(self) -> int:
        """All its factors."""
        return sum(self.factors.values())

    @property
    def corps(self) -> bool:
        """Whether it is a corps."""
        return self.kind not in NO_CORPS

    def take(self, kind: str, number: int) -> None:
        """7.5.2.9.2.3: lose factors of a kind, for good."""
        self.factors[kind] -= number
        if not self.factors[kind]:
            del self.factors[kind]
        self.lost[kind] = self.lost.get(kind, 0) + number


class Chief(msgspec.Struct):
    """A leader present."""

    id: str
    power: str
    strategic: int
    tactical: int
    tactical_max: int
    seniority: str = "D"
    cavalry: bool = False


class Command(msgspec.Struct, frozen=True):
    """10.6.1: who commands, and with which ratings."""

    leader: str
    power: str
    strategic: int
    tactical: int
    over: int = 0
    """10.6.1.2.1: what the corps beyond his tactical maximum take from his tactical rating."""


class Side(msgspec.Struct):
    """One side of a combat."""

    role: Role
    bodies: list[Body]
    chiefs: list[Chief] = []
    level: int = 0
    """7.5.2.6: the morale level of the day, in tenths."""
    morale_lost: int = 0
    """In tenths, today."""
    morale_lost_before: int = 0
    """7.5.2.10.2.1: on the days before."""
    chit: str = ""
    broken: bool = False
    arrived: bool = False
    """7.5.2.12: the outflanking force has come."""
    guard_spent: bool = False
    """12.3.4: committed today."""
    captured: list[str] = []
    """10.6.3: leaders taken by the other side."""
    engaged: dict[str, int] = {}
    """7.5.2.10.1.3: halves of a political point at stake, by power."""
    strategic_bonus: int = 0
    """12.3.3.2: a mounted defender withdraws more easily."""
    order: tuple[str, ...] = KINDS
    """7.5.2.9.2: the order in which its factors are lost."""
    orders: dict[str, tuple[str, ...]] = {}
    """The same by seat, where an ally of the commander has said otherwise."""
    withdrew: bool = False
    """7.5.2.13.1: left after an undecided day."""

    @property
    def fighting(self) -> list[Body]:
        """The bodies that fight: all but outflankers on their way."""
        return [body for body in self.bodies if not body.outflanks and body.size]

    @property
    def away(self) -> list[Body]:
        """7.5.2.3.2: the outflanking force, until it arrives."""
        return [body for body in self.bodies if body.outflanks and body.size]

    @property
    def factors(self) -> int:
        """The factors that fight."""
        return sum(body.size for body in self.fighting)

    @property
    def total(self) -> int:
        """All factors, those on their way round included."""
        return sum(body.size for body in self.bodies)

    @property
    def firing(self) -> int:
        """7.5.2.7.2: the factors that fire: those that came round the flank count twice."""
        return sum(body.size * (2 if body.doubled else 1) for body in self.fighting)

    def count(self, kinds: Iterable[str], bodies: Iterable[Body] | None = None) -> int:
        """The factors of those kinds among the bodies that fight, or those given."""
        wanted = tuple(kinds)
        return sum(
            body.factors.get(kind, 0)
            for body in (self.fighting if bodies is None else bodies)
            for kind in wanted
        )

    @property
    def cavalry(self) -> int:
        """12.3.3.1: cavalry factors that fight."""
        return self.count(CAVALRY)

    @property
    def only_cavalry(self) -> bool:
        """12.3.3.1: whether every factor that fights is cavalry."""
        return self.cavalry == self.factors

    @property
    def corps(self) -> list[Body]:
        """All corps, those on their way included."""
        return [body for body in self.bodies if body.corps and body.size]

    @property
    def left(self) -> int:
        """The morale left before it breaks, in tenths."""
        return self.level - self.morale_lost

    def powers(self) -> list[str]:
        """The powers with bodies here, the strongest first."""
        total: dict[str, int] = {}
        for body in self.bodies:
            total[body.power] = total.get(body.power, 0) + body.size
        return sorted(total, key=lambda power: (-total[power], power))

    def eliminated(self) -> bool:
        """7.5.2.10: whether nobody is left to fight."""
        return not self.factors

    def artillery_alone(self) -> bool:
        """12.3.5.5: a side or a pinning force of artillery alone is broken."""
        return bool(self.fighting) and all(body.kind == ARTILLERY for body in self.fighting)


def commander(side: Side, *, corps_leaders: bool = True, power: str = "") -> Command:
    """10.6.1, 10.6.1.1, 10.6.1.1.2, 10.6.1.2, 12.3.7.1: the commander of a side.

    `power` decides between powers of the same strength (10.6.1.1.1). Without a leader the best ratings on the counters
    are used; with option 12.3.7.1 several corps without one fight as under a poor leader.
    """
    corps = side.corps
    if side.chiefs:
        strongest = leading_powers(side)
        chosen = power if power in strongest else strongest[0]
        candidates = [chief for chief in side.chiefs if chief.power == chosen]
        chief = min(candidates, key=lambda chief: (chief.seniority, -chief.tactical, chief.id))
        return _command(chief, len(corps))
    if corps_leaders and len(corps) > 1:
        return _command(Chief("", side.powers()[0], 1, 1, 1), len(corps))
    if not corps:
        return Command("", side.powers()[0] if side.bodies else "", 0, 0)
    best = max(corps, key=lambda body: (body.tactical, body.strategic, body.id))
    return Command("", best.power, max(body.strategic for body in corps), best.tactical)


def leading_powers(side: Side) -> list[str]:
    """10.6.1.1.1: the powers that may command: those with leaders, and among them those with most factors; more than
    one only where they are equal.
    """
    totals = {chief.power: 0 for chief in side.chiefs}
    for body in side.bodies:
        if body.power in totals:
            totals[body.power] += body.size
    most = max(totals.values())
    return sorted(power for power, total in totals.items() if total == most)


def _command(chief: Chief, corps: int) -> Command:
    over = 0
    if corps > 2 * chief.tactical_max:
        over = -2
    elif corps > chief.tactical_max:
        over = -1
    tactical = max(0, chief.tactical + over)
    return Command(chief.id, chief.power, chief.strategic, tactical, tactical - chief.tactical)


def under(side: Side, chief: Chief) -> Command:
    """10.6.1.2: the command of one leader, with all corps that are there now."""
    return _command(chief, len(side.corps))


def again(side: Side, command: Command) -> Command:
    """10.6.1.2.1: the same command with the corps that are there now."""
    chief = next((chief for chief in side.chiefs if chief.id == command.leader), None)
    return command if chief is None else under(side, chief)


def takes_over(side: Side, command: Command, newcomer: Chief) -> bool:
    """10.6.1.1.3: a newcomer commands only where there is no leader, or one of his power with a worse letter."""
    if not command.leader:
        return True
    present = next((chief for chief in side.chiefs if chief.id == command.leader), None)
    return present is not None and newcomer.power == present.power and newcomer.seniority < present.seniority


def superior_cavalry(side: Side, other: Side) -> bool:
    """12.3.3.1: at least twice the enemy's cavalry, and some at all; not where all on both sides ride."""
    if not side.cavalry or (side.only_cavalry and other.only_cavalry):
        return False
    return side.cavalry >= 2 * other.cavalry


def stakes(side: Side) -> dict[str, int]:
    """7.5.2.10.1.3: halves of a point by power: one a corps, two one of more than 20 factors."""
    found: dict[str, int] = {}
    for body in side.bodies:
        if body.corps and body.size:
            found[body.power] = found.get(body.power, 0) + (2 if body.size > 20 else 1)
    return found


def points(halves: int) -> int:
    """7.5.2.10.1.3: political points for so many halves: rounded up, three at most."""
    return min(3, -(-halves // 2))


def retreats_alone(attack: Side, defence: Side) -> Side | None:
    """7.5.2.10.4.2: where both break, the attacker alone goes."""
    return attack if attack.broken and defence.broken else None


def trivial(attack: Side, defence: Side) -> bool:
    """7.5.3: one side is nothing but depot garrisons, cossacks, freikorps and guerrillas."""
    return any(not side.corps for side in (attack, defence))


def overwhelming(attack: Side, defence: Side, ratio: int) -> bool:
    """12.3.10: odds of 5:1 or more make a combat trivial."""
    return attack.factors >= ratio * defence.factors or defence.factors >= ratio * attack.factors


def split(side: Side, chosen: Sequence[str]) -> None:
    """7.5.2.3, 7.5.2.3.1, 7.5.2.3.2: sends corps round the flank; light horse goes with them."""
    for body in side.bodies:
        body.outflanks = body.id in chosen or body.kind in LIGHT_HORSE


def may_outflank(side: Side) -> bool:
    """7.5.2.1: at least two corps that are not artillery, and a leader."""
    able = [body for body in side.corps if body.kind != ARTILLERY]
    return len(able) >= 2 and bool(side.chiefs)


def usual_split(side: Side) -> tuple[str, ...]:
    """7.5.2.3: the smallest force left in front that holds half the factors; the rest goes round."""
    able = sorted((body for body in side.corps if body.kind != ARTILLERY), key=lambda b: (-b.size, b.id))
    stays = sum(body.size for body in side.bodies if body not in able and body.kind not in LIGHT_HORSE)
    half = -(-side.total // 2)
    front: list[Body] = []
    for body in able[:-1]:
        if front and stays + sum(one.size for one in front) >= half:
            break
        front.append(body)
    return tuple(body.id for body in able if body not in front)


def ratings(side: Side, bodies: Iterable[Body] | None = None) -> Mapping[str, int]:
    """10.6.1: the strategic rating of each corps by itself."""
    return {body.id: body.strategic for body in (bodies or side.corps)}


def river_crossed(side: Side, crossings: Mapping[str, bool]) -> bool:
    """7.5.2.7.1: whether any of the attackers came over a river or a strait."""
    return side.role != DEFENDER and any(crossings.get(body.id, False) for body in side.bodies)
