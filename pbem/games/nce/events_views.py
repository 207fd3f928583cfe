"""How things stand and what may come, told on demand: STATUS, CHECK, HELP."""

from __future__ import annotations

from typing import ClassVar

import msgspec

from pbem.kernel.event import Event


class CardShown(Event, frozen=True):
    """HELP: a card's face: its points, when its event may be played, and what becomes of it."""

    card: str
    value: int
    phases: tuple[str, ...]
    windows: tuple[str, ...]
    leaves: bool
    once: bool


class Marched(Event, frozen=True):
    """In a report: the steps of a march in one line."""

    force: str
    path: tuple[str, ...]
    cost: int
    left: int


class Sailed(Event, frozen=True):
    """In a report: the steps of a voyage in one line."""

    fleets: tuple[str, ...]
    path: tuple[str, ...]


class GeneralShown(Event, frozen=True):
    """HELP: the counter of a general."""

    general: str
    country: str
    initiative: int
    attack: int
    defence: int
    command: int
    rank: int
    cavalry: bool


class UnitShown(Event, frozen=True):
    """HELP: the counter of a unit; stars make it elite."""

    unit: str
    steps: int
    morale: int
    movement: int
    stars: int
    cost: str
    cavalry: bool
    home: bool
    army: bool


class FleetShown(Event, frozen=True):
    """HELP: both sides of the counter of a fleet."""

    fleet: str
    country: str
    initiative: int
    tactical: int
    movement: int


class Border(msgspec.Struct, frozen=True):
    """A border of a zone, and what it costs to cross it; none where it takes all points."""

    to: str
    crossing: str
    cost: int


class ZoneShown(Event, frozen=True):
    """HELP: a zone as the board prints it."""

    zone: str
    country: str
    province: str
    fortress: int
    key: bool
    poor: bool
    marsh: bool
    port: str
    steps: tuple[Border, ...]


class SeaShown(Event, frozen=True):
    """HELP: a sea, the seas beside it, its ports."""

    sea: str
    seas: tuple[str, ...]
    ports: tuple[str, ...]
    ice: bool


class CountryShown(Event, frozen=True):
    """HELP: the capital, the key zones, and the least card for talks."""

    country: str
    capital: str
    keys: tuple[str, ...]
    units: tuple[str, ...]
    card: int


class StandsTitle(Event, frozen=True):
    """What the lines after it are about: budgets, hand, forces, enemies, fleets."""

    heading: ClassVar[bool] = True
    what: str


class StandsKeys(Event, frozen=True):
    """16.4: the key zones of a power that the enemy holds, and whether it would surrender if the year ended now."""

    power: str
    by: str
    held: tuple[str, ...]
    free: tuple[str, ...]
    falls: bool


class StandsClock(Event, frozen=True):
    year: int
    round: int
    phase: str
    side: str
    vp: int | None
    """None where the scenario counts no points."""
    escalation: int
    period: str


class Wanting(msgspec.Struct, frozen=True):
    """17.2: what a side lacks for its victory: key zones, events."""

    side: str
    aims: tuple[str, ...]


class StandsVictory(Event, frozen=True):
    """17.1, 17.2: what wins a campaign, and what each side lacks for it at the end of that year, the Empire first."""

    year: int
    wanting: tuple[Wanting, Wanting]
    par: int | None = None
    """With the option `on_points`: what the Empire has to do better than, where nobody wins."""


class StandsSide(Event, frozen=True):
    side: str
    powers: tuple[str, ...]
    cards: int
    reserve: int
    steps: int
    fleets: int
    minors: tuple[str, ...] = ()


class StandsPower(Event, frozen=True):
    """A power outside the war, or beaten out of it."""

    power: str
    status: str


class StandsCard(Event, frozen=True):
    card: str
    value: int


class StandsEnemy(Event, frozen=True):
    force: str
    zone: str
    steps: int
    army: str = ""
    subs: tuple[str, ...] = ()
    depots: int = 0
    supplied: bool = True
    demoralised: bool = False
    besieged: bool = False


class Squadron(msgspec.Struct, frozen=True):
    """Fleets that lie together; `how` is port, sea or box (a blockade)."""

    how: str
    place: str
    fleets: tuple[str, ...]


class StandsFleets(Event, frozen=True):
    side: str
    squadrons: tuple[Squadron, ...]


class StandsDuty(Event, frozen=True):
    """18: what the Coalition must do first in 1805."""


class Part(msgspec.Struct, frozen=True):
    """A counter of a force and its steps; a special unit has none of its own."""

    piece: str
    steps: int = 0


class StandsForce(Event, frozen=True):
    force: str
    zone: str
    steps: int
    points: int
    army: str = ""
    parts: tuple[Part, ...] = ()
    """What it holds; nothing where a unit stands alone under its own name."""
    subs: tuple[str, ...] = ()
    depots: int = 0
    supplied: bool = True
    source: str = ""
    """11.2: what feeds it, where that is not its own zone."""
    demoralised: bool = False
    besieged: bool = False


class ForecastBattle(Event, frozen=True):
    """CHECK: chances in percent, mean losses in tenths of a step."""

    zone: str
    force: str
    win: int
    inflicted: int
    suffered: int


class ForecastDefence(Event, frozen=True):
    """CHECK: who is attacked and stays: the chance in percent that the attacker wins, mean losses in tenths."""

    zone: str
    force: str
    win: int
    lost: int
    inflicted: int


class Supposed(msgspec.Struct, frozen=True):
    """The chance in percent to win against so many steps."""

    steps: int
    win: int


class ForecastUnseen(Event, frozen=True):
    """CHECK in the fog (1.9): nobody knows what the enemy stack holds; the chances against some strengths."""

    zone: str
    force: str
    foe: str
    chances: tuple[Supposed, ...]


class ForecastSiege(Event, frozen=True):
    """CHECK: the chance in percent that the fortress has fallen after each try."""

    zone: str
    force: str
    chances: tuple[int, ...]


class ForecastMarch(Event, frozen=True):
    """CHECK: the way of a force, what it costs, and where it ends if all goes well."""

    force: str
    zone: str
    left: int
    supplied: bool
    path: tuple[str, ...] = ()
    cost: int = 0


class ForecastInterception(Event, frozen=True):
    """CHECK: an enemy force that could intercept, and the chance in percent that it would arrive."""

    force: str
    start: str
    zone: str
    steps: int
    chance: int
    most: int
    """1.9: other than the chance where the fog hides what horse it has."""


class ForecastEvasion(Event, frozen=True):
    """CHECK: an enemy force that could evade, and the chance in percent."""

    force: str
    zone: str
    chance: int
    most: int


class ForecastNavalInterception(Event, frozen=True):
    """CHECK: an enemy squadron that could intercept, at sea or before a port that it blockades; the chance in percent
    that it would meet the movers, and the least and the most that they would win then.
    """

    foes: tuple[str, ...]
    sea: str
    chance: int
    low: int
    high: int
    port: str = ""


class ForecastNavalEvasion(Event, frozen=True):
    """CHECK: an enemy squadron at sea that could evade an attack, and the chance in percent."""

    foes: tuple[str, ...]
    sea: str
    chance: int


class ForecastNavalBattle(Event, frozen=True):
    """CHECK: chances in percent, mean losses in tenths of a fleet. `how` is sea, out, sortie or port; in the fog
    the chance has a least and a most.
    """

    place: str
    how: str
    foes: tuple[str, ...]
    low: int
    high: int
    lose: int
    lost: int
    sunk: int
    clear: int = 0
    """That no fleet is left in the port, so that a landing may follow."""
    guns: int = 0


class ForecastGuns(Event, frozen=True):
    """CHECK: the chance in percent that a landing comes through the guns of a port."""

    zone: str
    chance: int


class ForecastTalks(Event, frozen=True):
    """CHECK: the chance in percent that a country is won over, before cards of the enemy."""

    country: str
    chance: int


class StandsSiege(Event, frozen=True):
    zone: str
    marker: int


class Priced(msgspec.Struct, frozen=True):
    """A counter that may be raised, its steps, and what each costs."""

    piece: str
    steps: int
    cost: str


class StandsBudget(Event, frozen=True):
    """6.3.2: what a power has to spend, what it may raise with it, and where."""

    power: str
    have: str
    units: tuple[Priced, ...] = ()
    generals: tuple[str, ...] = ()
    fleets: tuple[str, ...] = ()
    zones: tuple[str, ...] = ()


class StandsMinors(Event, frozen=True):
    """6.3.12: the steps that allied minors may raise in all."""

    steps: str
    units: tuple[Priced, ...] = ()


class StandsPrices(Event, frozen=True):
    """6.3.4: what else can be bought."""

    depot: str
    army: str
    fleet: str
    extra_card: str
