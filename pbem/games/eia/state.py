"""The position: powers, corps, garrisons, light horse, leaders, depots, sieges, control; and what stands where.

Corps, garrisons, light horse and leaders are records with one place each. Who fights whom follows from `wars`, so that
the two sides of a scenario and the seven powers of a campaign are one thing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import msgspec

from pbem.games.eia.board import AREAS, COUNTERS, MINORS, Counter, province
from pbem.games.eia.factors import Bag, add, take, total

HOME, CEDED, CONQUERED, FREE = "home", "ceded", "conquered", "free"
"""How a power holds a province (10.2)."""
MAP, OFF, CAPTURED, DEAD, LATER = "map", "off", "captured", "dead", "later"
"""Where a leader is: with a corps, off the map, prisoner, dead, or not yet come."""
COSSACK, FREIKORPS, GUERRILLA = "CK", "FK", "Gr"
HIDDEN = "?"
"""How the name of a corps begins of which only type and movement are seen (2.4.2)."""
UNKNOWN = -1


class March(msgspec.Struct):
    """7.3: what a corps did in this slot: the areas that it entered, the points spent, and what it asked for."""

    start: str
    entered: list[str] = []
    spent: int = 0
    forced: bool = False
    stopped: bool = False
    done: bool = False
    """Its move has ended: the forage die is thrown, or it waits for its depot."""
    forages: bool = False
    foraged: bool = False
    pays: bool = False
    plundered: str = ""
    """7.3.6.1: where it destroyed a depot, which feeds it if it ends its move there."""
    freed: int = 0
    """7.4.1.2.2.2: unused points that it took off its forage die; such a corps begins no siege."""
    detached: Bag = {}
    """7.4.1.3: what it left on the way, on which a foraging loss may fall too."""


class Corps(msgspec.Struct):
    """2.4.2, 7.3: a corps on the map."""

    id: str
    power: str
    """Who commands it; the nation is printed on its counter."""
    area: str
    factors: Bag = {}
    inside: bool = False
    """7.3.3.3.1: in the city of its area."""
    shown: str = ""
    """2.4.2: all that is seen of an enemy corps: infantry or cavalry."""
    minor: bool = False
    """Whether the counter that is seen is grey."""
    speed: int = 0
    """The movement of a corps that is only seen."""
    came: str = ""
    """From which area it entered, in this slot; empty where it did not move."""
    placed: str = ""
    """10.1.4.4, 10.1.5: the month in which it was called up, when it does not move."""
    march: March | None = None

    @property
    def hidden(self) -> bool:
        """Whether only its type and its movement are seen."""
        return self.id.startswith(HIDDEN)

    @property
    def counter(self) -> Counter:
        """Its counter. Raises KeyError where it is hidden."""
        return COUNTERS[self.id]

    @property
    def nation(self) -> str:
        """The nation of its factors; of a hidden corps its power, or nothing where the counter is grey."""
        if self.hidden:
            return "" if self.minor else self.power
        return COUNTERS[self.id].nation

    @property
    def type(self) -> str:
        """What it is: infantry, cavalry, guard, artillery, light…; of a hidden corps what it looks like."""
        return self.shown if self.hidden else COUNTERS[self.id].type

    @property
    def looks(self) -> str:
        """2.4.2: infantry or cavalry."""
        return self.shown if self.hidden else COUNTERS[self.id].shown

    @property
    def move(self) -> int:
        """7.3.1.1: its allowance; a minor's «(3)» is 4 under France."""
        if self.hidden:
            return self.speed
        counter = COUNTERS[self.id]
        return 4 if counter.move_4_under_france and self.power == "france" else counter.move

    @property
    def size(self) -> int:
        """All its factors; 0 of a hidden corps."""
        return total(self.factors)

    @property
    def fixed(self) -> bool:
        """7.3.3.1, 10.1.4.2: feudal and insurrection corps and artillery neither detach nor absorb."""
        return self.type in ("artillery", "feudal_infantry", "feudal_cavalry", "insurrection")


class Garrison(msgspec.Struct):
    """7.3.3.3: infantry and militia of one nation in a city, or on a depot."""

    area: str
    power: str
    nation: str
    factors: Bag = {}
    depot: bool = False

    @property
    def size(self) -> int:
        """All its factors."""
        return total(self.factors)


class Horse(msgspec.Struct):
    """10.1.2: a counter of cossacks or freikorps: one mounted factor."""

    id: str
    power: str
    kind: str
    area: str
    inside: bool = False
    came: str = ""
    moved: bool = False


class Leader(msgspec.Struct):
    """10.6: a leader: with a corps, in a besieged city whose corps is lost, or away."""

    id: str
    power: str
    where: str = OFF
    corps: str = ""
    area: str = ""
    """7.3.3.4: the city in which he stays after the loss of his corps; else empty."""
    captor: str = ""
    since: str = ""
    """The month in which he was taken off, or comes back."""


class Depot(msgspec.Struct):
    """7.2: a depot."""

    area: str
    power: str
    inside: bool = False
    """7.2.2.1: in the city of a besieged port."""
    since: str = ""
    """The month in which it was placed."""


class Siege(msgspec.Struct):
    """7.5.4: a city under siege."""

    area: str
    by: list[str]
    """The powers whose corps besiege it."""
    since: str
    tried: str = ""
    """The month of the last assault attempt."""


class Control(msgspec.Struct, frozen=True):
    """10.2: who holds a province, and how."""

    power: str
    how: str


class Power(msgspec.Struct):
    """A major power in play."""

    seat: str
    """Who gives its orders."""
    side: str
    money: int = 0
    """In half points; UNKNOWN where it is not known."""
    depots: int = 0
    """7.2: its depot counters."""
    pp: int = 0
    """Political points won and lost; scenarios do not use them."""


class Entry(msgspec.Struct, frozen=True):
    """One line of the books: what changed, by how much, and why."""

    month: str
    power: str
    what: str
    """money, pp, or the nation whose factors were lost."""
    why: str
    number: int = 0
    factors: dict[str, int] = {}
    area: str = ""


class Arrow(msgspec.Struct, frozen=True):
    """What a force did this month, for the map and for the report: march, retreat or fight."""

    kind: str
    power: str
    way: tuple[str, ...]
    corps: int = 1
    won: str = ""


class State(msgspec.Struct):
    """The position."""

    scenario: str
    options: dict[str, str]
    month: str
    """As 1805-09."""
    end: str
    turn: int = 1
    phase: str = "setup"
    """setup, orders, reinforcement, land, over."""
    slots: list[list[str]] = []
    """7.1: the powers that move together, in the order of the slots."""
    powers: dict[str, Power] = {}
    wars: list[str] = []
    """Pairs at war: «austria|france», in alphabetical order."""
    alliances: list[str] = []
    control: dict[str, Control] = {}
    """10.2: by province; what is missing is neutral, or out of play."""
    in_play: list[str] = []
    """13.1.3: the provinces that are used; all where it is empty."""
    entities: dict[str, list[str]] = {}
    """11: combinations in being: Poland with its provinces."""
    corps: dict[str, Corps] = {}
    garrisons: list[Garrison] = []
    horse: dict[str, Horse] = {}
    leaders: dict[str, Leader] = {}
    depots: list[Depot] = []
    sieges: dict[str, Siege] = {}
    available: dict[str, list[str]] = {}
    """5.2.1: by power, corps counters off the map that may come into play."""
    levies: dict[str, Bag] = {}
    """10.1.4, 10.1.5: corps of the insurrection and of the Tyrol that may be called up, with their factors."""
    fought: list[str] = []
    """7.5.2.11.1.2: corps and light horse that have fought in this land sequence."""
    slot: int = 0
    """Whose land slot it is: the number in `slots`."""
    letters: dict[str, str] = {}
    """The sealed orders of the month, by seat, as JSON; battle plans in them hold all month."""
    last: dict[str, str] = {}
    """The orders of the month before, for «as last month»; as JSON, by seat."""
    struck: list[str] = []
    """Seats that the enemy has struck since they wrote their orders."""
    armies: dict[str, dict[str, list[str]]] = {}
    """By seat: armies that its orders have named, with their corps."""
    books: list[Entry] = []
    losses: dict[str, int] = {}
    """13.1.6.2: combat losses by power, in factors."""
    arrows: list[Arrow] = []
    done: list[str] = []
    """What happens once and has happened: dated events, special rules."""
    winner: str = ""
    over: bool = False

    def on(self, option: str) -> bool:
        """Whether an optional rule is in force."""
        return self.options.get(option, "no") == "yes"

    @property
    def year(self) -> int:
        """The year."""
        return int(self.month[:4])

    @property
    def month_number(self) -> int:
        """1 to 12."""
        return int(self.month[5:])

    @property
    def winter(self) -> bool:
        """9.1: whether it is winter."""
        return self.month_number in (12, 1, 2)

    # Who is with whom

    def at_war(self, one: str, other: str) -> bool:
        """Whether two powers are at war."""
        return pair(one, other) in self.wars

    def allied(self, one: str, other: str) -> bool:
        """Whether two powers are one, or allies."""
        return one == other or pair(one, other) in self.alliances

    def seat_of(self, power: str) -> str:
        """Who gives a power's orders; nobody's where it is not in play."""
        return self.powers[power].seat if power in self.powers else ""

    def of_seat(self, seat: str) -> list[str]:
        """The powers of a seat."""
        return [power for power, record in self.powers.items() if record.seat == seat]

    def side_of(self, power: str) -> str:
        """The side of a power."""
        return self.powers[power].side if power in self.powers else ""

    def with_seat(self, seat: str) -> list[str]:
        """The powers whose secrets a seat knows: its own, and those of its side."""
        sides = {record.side for record in self.powers.values() if record.seat == seat}
        return [power for power, record in self.powers.items() if record.side in sides]

    def enemies(self, power: str) -> list[str]:
        """The powers with which it is at war."""
        return [other for other in self.powers if self.at_war(power, other)]

    # Territory

    def holder(self, area: str) -> Control | None:
        """10.2: who holds the province of an area."""
        return self.control.get(AREAS[area].province)

    def controls(self, power: str, area: str) -> bool:
        """7.2.1: whether an area lies in a power's own territory."""
        held = self.control.get(AREAS[area].province)
        return held is not None and held.power == power

    def plays(self, area: str) -> bool:
        """13.1.3: whether an area is in play."""
        return not self.in_play or AREAS[area].province in self.in_play

    def home(self, nation: str, area: str) -> bool:
        """Whether an area lies in the home nation of a major, unceded, or in a minor's own country."""
        found = province(area)
        if nation in self.entities:
            return found.id in self.entities[nation]
        if found.owner != nation:
            return False
        held = self.control.get(found.id)
        return nation in MINORS or (held is not None and held.power == nation and held.how == HOME)

    def city_holder(self, area: str) -> str:
        """10.3.2: who controls the city of an area: its garrison, or the holder of the territory."""
        inside = {thing.power for thing in self.inside(area)}
        held = self.control.get(AREAS[area].province)
        owner = held.power if held else ""
        if not inside or owner in inside:
            return owner
        return min(inside)

    # What stands where

    def at(
        self, area: str, powers: Iterable[str] | None = None, *, inside: bool | None = False
    ) -> list[Corps]:
        """The corps in an area, of some powers; `inside` None counts those in its city too."""
        return [
            corps
            for corps in self.corps.values()
            if corps.area == area
            and (inside is None or corps.inside == inside)
            and (powers is None or corps.power in powers)
        ]

    def of(self, power: str) -> list[Corps]:
        """The corps that a power commands."""
        return [corps for corps in self.corps.values() if corps.power == power]

    def horse_at(
        self, area: str, powers: Iterable[str] | None = None, *, inside: bool | None = False
    ) -> list[Horse]:
        """The cossacks and freikorps in an area."""
        return [
            horse
            for horse in self.horse.values()
            if horse.area == area
            and (inside is None or horse.inside == inside)
            and (powers is None or horse.power in powers)
        ]

    def garrisons_at(self, area: str, *, depot: bool = False) -> list[Garrison]:
        """The garrisons of a city, or of the depots of an area."""
        return [found for found in self.garrisons if found.area == area and found.depot == depot]

    def depot_at(self, area: str, power: str = "") -> Depot | None:
        """The depot of an area, of a power."""
        for depot in self.depots:
            if depot.area == area and (not power or depot.power == power):
                return depot
        return None

    def leaders_at(self, area: str, power: str = "") -> list[Leader]:
        """The leaders in an area: with its corps, or alone in its city."""
        return [
            leader
            for leader in self.leaders.values()
            if leader.where == MAP
            and (leader.area or self.corps[leader.corps].area) == area
            and (not power or leader.power == power)
        ]

    def leaders_with(self, corps: Iterable[str]) -> list[Leader]:
        """The leaders that are with some corps."""
        wanted = set(corps)
        return [leader for leader in self.leaders.values() if leader.where == MAP and leader.corps in wanted]

    def inside(self, area: str) -> list[Corps | Garrison | Horse]:
        """All that stands in the city of an area."""
        return [
            *(corps for corps in self.corps.values() if corps.area == area and corps.inside),
            *self.garrisons_at(area),
            *(horse for horse in self.horse.values() if horse.area == area and horse.inside),
        ]

    def in_city(self, area: str) -> int:
        """7.3.3.4: the factors in the city of an area."""
        return sum(1 if isinstance(thing, Horse) else thing.size for thing in self.inside(area))

    def enemy_city(self, area: str, power: str) -> bool:
        """Whether enemies stand in the city."""
        return any(self.at_war(power, thing.power) for thing in self.inside(area))

    def besieged(self, area: str) -> bool:
        """7.5.4: whether the city of an area is besieged."""
        return area in self.sieges

    def free(self, corps: Corps) -> bool:
        """Whether a corps is not besieged."""
        return not (corps.inside and corps.area in self.sieges)

    def field_enemies(self, area: str, power: str) -> list[Corps]:
        """7.3.2: the enemy corps of a power in the field of an area."""
        return [corps for corps in self.at(area) if self.at_war(power, corps.power)]

    # Changes

    def garrison(
        self, area: str, power: str, nation: str, factors: Mapping[str, int], *, depot: bool = False
    ) -> Garrison:
        """Put factors into a garrison."""
        for found in self.garrisons_at(area, depot=depot):
            if (found.power, found.nation) == (power, nation):
                add(found.factors, factors)
                return found
        made = Garrison(area, power, nation, {}, depot)
        add(made.factors, factors)
        self.garrisons.append(made)
        return made

    def tidy(self) -> list[str]:
        """7.5.5: take off garrisons and corps without factors, and sieges without besiegers or besieged; the corps."""
        self.garrisons = [found for found in self.garrisons if found.size]
        gone = [corps for corps in self.corps.values() if not corps.hidden and not corps.size]
        for corps in gone:
            self.remove(corps.id)
        for area, siege in list(self.sieges.items()):
            siege.by = sorted({corps.power for corps in self.at(area, siege.by)})
            if not siege.by or not self.inside(area):
                del self.sieges[area]
        return [corps.id for corps in gone]

    def remove(self, corps: str) -> Corps:
        """Take a corps off the map; its leaders stay in a besieged city, or leave the map (10.6)."""
        found = self.corps.pop(corps)
        for leader in self.leaders_with([corps]):
            leader.corps = ""
            others = self.at(found.area, [found.power], inside=found.inside)
            if others:
                leader.corps = others[0].id
            elif found.inside and found.area in self.sieges:
                leader.area = found.area
            else:
                leader.where, leader.since = OFF, self.month
        if corps in COUNTERS and not COUNTERS[corps].full:
            self.available.setdefault(found.power, []).append(corps)
        if corps in self.fought:
            self.fought.remove(corps)
        return found

    def lose(
        self,
        owner: Corps | Garrison,
        factors: Mapping[str, int],
        why: str,
        *,
        combat: bool = True,
        area: str = "",
    ) -> None:
        """Take factors out of the game, with the reason; combat losses count for victory (13.1.6.2)."""
        take(owner.factors, factors)
        self.lost(owner.power, owner.nation, factors, why, combat=combat, area=area or owner.area)

    def lost(
        self,
        power: str,
        nation: str,
        factors: Mapping[str, int],
        why: str,
        *,
        combat: bool = True,
        area: str = "",
    ) -> None:
        """Enter factors that have left the game in the books."""
        number = total(factors)
        if not number:
            return
        self.books.append(Entry(self.month, power, nation, why, -number, dict(factors), area))
        if combat:
            self.losses[power] = self.losses.get(power, 0) + number

    def pay(self, power: str, halves: int, why: str, area: str = "") -> None:
        """Change a power's treasury, in half points, with the reason."""
        self.powers[power].money += halves
        if halves:
            self.books.append(Entry(self.month, power, "money", why, halves, area=area))

    def next_month(self) -> str:
        """9.0: the month after this one."""
        return after(self.month)


def pair(one: str, other: str) -> str:
    """Two powers, in alphabetical order."""
    return "|".join(sorted((one, other)))


def after(month: str, number: int = 1) -> str:
    """So many months later."""
    count = int(month[:4]) * 12 + int(month[5:]) - 1 + number
    return f"{count // 12:04d}-{count % 12 + 1:02d}"


def copied(state: State) -> State:
    """A position to try things on."""
    return msgspec.json.decode(msgspec.json.encode(state), type=State)


def places(state: State) -> Iterator[tuple[str, str]]:
    """Each counter with its place, to see that nothing is in two places."""
    for corps in state.corps.values():
        yield corps.id, corps.area
    for horse in state.horse.values():
        yield horse.id, horse.area
    for leader in state.leaders.values():
        if leader.where == MAP:
            yield leader.id, leader.area or leader.corps
    for power, counters in state.available.items():
        for counter in counters:
            yield counter, f"off:{power}"
