"""The position: forces, places of all pieces, control, statuses, cards and scores; and what a seat may know."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from pbem.games.nce.charts import (
    ARMIES,
    CARDS,
    COUNTRIES,
    FLEETS,
    GENERALS,
    MAJORS,
    SPECIALS,
    UNITS,
    ZONES,
)
from pbem.kernel.deck import Deck

EMPIRE, COALITION, NEUTRAL, PEACE = "empire", "coalition", "neutral", "peace"
SEATS = (EMPIRE, COALITION)
HIDDEN = "?"

MAP, POOL, WAIT, ASIDE, OUT, BOX = "map", "pool", "wait", "aside", "out", "abroad"
"""Places of a piece: on the map; to be built; back in the next budget; not yet in play; gone; a foreign war."""
RESERVE = POOL


def enemy(side: str) -> str:
    """1.1: the other side."""
    return COALITION if side == EMPIRE else EMPIRE


class Force(msgspec.Struct):
    """2.7, 2.3.4: a unit alone, a general with his units, or an army; two armies in a zone are two of these."""

    id: str
    side: str
    zone: str
    general: str = ""
    army: str = ""
    subs: list[str] = []
    units: dict[str, int] = {}
    special: list[str] = []
    depots: list[str] = []
    """2.3: mobile depots, by the power that owns each."""
    inside: bool = False
    """13.1: in the fortress of its zone."""
    demoralised: bool = False
    unsupplied: bool = False
    acted: int = 0
    """4.5.4: the round in which it was last activated."""
    freed: str = ""
    """13.3.3: the moment at which its besieger left, and which force that was."""
    covering: int = 0
    """13.1.3: the round in which it was left to cover a fortress."""

    @property
    def steps(self) -> int:
        """4.2.1: steps that count for command and attrition."""
        return sum(self.units.values()) + len(self.special)

    @property
    def strength(self) -> int:
        """12.3, 2.2.3: combat value."""
        return sum(self.units.values())

    @property
    def power(self) -> str:
        """4.3.5, 11.3.6: the nationality of its commander, or of its unit."""
        if self.general:
            return GENERALS[self.general].power
        return UNITS[next(iter(self.units))].power

    @property
    def generals(self) -> list[str]:
        """The commander, then his subordinates."""
        return [*([self.general] if self.general else []), *self.subs]

    @property
    def movement(self) -> int:
        """10.1.1, 2.3.5: the lowest factor among its units."""
        return min((UNITS[unit].movement for unit in self.units), default=0)

    @property
    def name(self) -> str:
        """How a player calls it: by its general, or by its unit."""
        return self.general or next(iter(self.units), self.id)

    def steps_of(self, power: str) -> int:
        """The combat steps of one country."""
        return sum(steps for unit, steps in self.units.items() if UNITS[unit].power == power)


class Peace(msgspec.Struct):
    """9.1.3, 16.6.5: a forced peace: its year, the tests made, tests to skip, and whether it lasts for good."""

    year: int
    by: str
    tests: int = 0
    skip: int = 0
    forever: bool = False


class War(msgspec.Struct):
    """7.4: a foreign war: its card and the units in the box."""

    card: str
    power: str
    units: dict[str, int] = {}
    fleets: list[str] = []
    owed: list[str] = []
    """6.3.15: what could not be sent, by kind; it is built and given up in the next budget."""


class Entry(msgspec.Struct, frozen=True):
    """17.3: one entry of the score."""

    year: int
    why: str
    vp: int = 0
    escalation: int = 0
    about: str = ""


class State(msgspec.Struct):
    """The position."""

    scenario: str
    options: dict[str, str]
    year: int
    round: int
    """0 in the interphase."""
    last_round: int
    end_year: int
    phase: str
    active: str
    period: str
    forces: dict[str, Force] = {}
    next_force: int = 1
    fixed: dict[str, list[str]] = {}
    """2.3: fixed depots by zone, each by its power."""
    units: dict[str, str] = {}
    generals: dict[str, str] = {}
    armies: dict[str, str] = {}
    specials: dict[str, str] = {}
    fleets: dict[str, str] = {}
    """`port:zone`, `sea:sea`, `box:zone` (a blockade), or a place of pieces that are not on the map."""
    returning: dict[str, int] = {}
    """6.3.13: units that come back free in the next budget, with their steps."""
    status: dict[str, str] = {}
    owner: dict[str, str] = {}
    """3.2.8: provinces that do not belong to the country that the board prints."""
    control: dict[str, str] = {}
    """3.2: control markers."""
    empty: list[str] = []
    """13.4.1: fortresses taken and not yet active again."""
    siege: dict[str, int] = {}
    beaten: dict[str, dict[str, int]] = {}
    """By which side a power was beaten, and how often."""
    peace: dict[str, Peace] = {}
    reforms: list[str] = []
    hands: dict[str, list[str]] = {}
    piles: dict[str, Deck] = {}
    played: dict[str, list[str]] = {}
    removed: dict[str, list[str]] = {}
    set_aside: dict[str, list[str]] = {}
    permanent: dict[str, list[str]] = {}
    """7.1.1: permanent cards that nobody holds now."""
    events: list[str] = []
    """Cards that were played as events."""
    flags: dict[str, int] = {}
    """Lasting effects, with the moment (year and round) after which each ends; 99999 for those that last."""
    wars: list[War] = []
    war_played: dict[str, int] = {}
    reserve: dict[str, int] = {}
    resources: dict[str, float] = {}
    next_resources: dict[str, int] = {}
    bonus_cards: dict[str, int] = {}
    talks: dict[str, int] = {}
    """8.1.8: the last round in which a side tried diplomacy."""
    free_talks: dict[str, int] = {}
    """9.1.3e: attempts without a card that a broken peace gives a side in the next diplomatic phase."""
    takers: dict[str, str] = {}
    """16.3.1: the power whose force took a zone, for the conqueror is who took the capital."""
    entries: list[Entry] = []
    vp: int = 0
    escalation: int = 0
    entered: list[str] = []
    """17: majors that have already counted for a first war or alliance."""
    shuffles: int = 0
    winner: str = ""
    over: bool = False
    first: str = EMPIRE
    spoiled: list[str] = []
    """18, 19: what is done for good: the Austrian duty of 1805, the first activation, the vigil of the Prussians."""
    moves: list[tuple[str, str, str]] = []
    """The moves of the last action, for the map: from, to, side; a battle stays where it is, and bears its winner."""

    def on(self, option: str) -> bool:
        """Whether an optional rule is in force (19)."""
        return self.options.get(option, "no") == "yes"

    def flag(self, name: str) -> bool:
        """Whether a lasting effect is in force."""
        return self.flags.get(name, 0) >= self.year * 10 + self.round

    def side_of(self, country: str) -> str:
        """9.1, 22.5: the side of a country: empire, coalition, neutral, or peace for a beaten power."""
        for _ in range(5):
            status = self.status.get(country, "absent")
            if status in ("empire", "protectorate", "created"):
                return EMPIRE
            if status in ("coalition", "revolt"):
                return COALITION
            if status in ("forced_peace", "forced_alliance"):
                return PEACE
            head, _, rest = status.partition("_")
            if head in ("ally", "annexed"):
                country = rest
            elif status.startswith("part_of_"):
                country = status[8:]
            else:
                return NEUTRAL
        return NEUTRAL

    def owner_of(self, zone: str) -> str:
        """3.2.8: the country to whose territory a zone belongs."""
        record = ZONES[zone]
        country = self.owner.get(record.province, record.country)
        status = self.status.get(country, "")
        return status[8:] if status[:8] in ("annexed_", "part_of_") else country

    def home_side(self, zone: str) -> str:
        """The side of a zone's owner."""
        return self.side_of(self.owner_of(zone))

    def controller(self, zone: str) -> str:
        """3.2, 3.2.2: the side that controls a zone."""
        return self.control.get(zone) or self.home_side(zone)

    def fortress(self, zone: str) -> int:
        """13.1.1: the level of an active fortress; 0 where there is none, or it lies empty."""
        return 0 if zone in self.empty else ZONES[zone].fortress

    def hostile_fortress(self, zone: str, side: str) -> bool:
        """Whether an active, unbesieged fortress of the other side bars the zone."""
        return bool(self.fortress(zone)) and self.controller(zone) == enemy(side) and zone not in self.siege

    def besieged(self, zone: str) -> bool:
        """13.2: whether the fortress of the zone is besieged."""
        return zone in self.siege

    def free_passage(self, zone: str) -> bool:
        """3.2.1: a zone that nobody can mark."""
        return not ZONES[zone].city

    def at(self, zone: str, side: str = "", *, inside: bool | None = False) -> list[Force]:
        """The forces of a side in a zone; `inside` None counts those in its fortress too."""
        return [
            force
            for force in self.forces.values()
            if force.zone == zone
            and (not side or force.side == side)
            and (inside is None or force.inside == inside)
        ]

    def of(self, side: str) -> list[Force]:
        """The forces of a side."""
        return [force for force in self.forces.values() if force.side == side]

    def force_with(self, piece: str) -> Force | None:
        """The force that holds a general, unit, special unit or army marker."""
        for force in self.forces.values():
            if piece == force.general or piece in force.units or piece in force.subs:
                return force
            if piece == force.army or piece in force.special or piece == force.id:
                return force
        return None

    def fleets_at(self, place: str, side: str = "") -> list[str]:
        """The fleets at a place, of a side."""
        return [
            fleet
            for fleet, where in self.fleets.items()
            if where == place and (not side or self.side_of(FLEETS[fleet].power) == side)
        ]

    def majors(self, side: str) -> list[str]:
        """1.2: the major powers in the war on a side."""
        return [power for power in MAJORS if self.side_of(power) == side]

    def at_war(self, power: str) -> bool:
        """Whether a power is in the war."""
        return self.side_of(power) in SEATS

    def minors(self, side: str) -> list[str]:
        """9.1.2: the minors of a side, protectorates and revolts with a home included."""
        return [
            country.id
            for country in COUNTRIES.values()
            if country.kind == "minor"
            and self.side_of(country.id) == side
            and not self.status[country.id].startswith(("annexed_", "part_of_"))
        ]

    def patron(self, country: str) -> str:
        """The major whose sources and relays a country uses (11.2); itself for a major."""
        if COUNTRIES[country].major:
            return country
        status = self.status.get(country, "")
        if status.startswith("ally_"):
            return status[5:]
        return "france" if self.side_of(country) == EMPIRE else "angleterre"

    def national(self, zone: str, power: str) -> bool:
        """3.3: whether a zone is national territory of a power (or of the minor itself)."""
        return self.owner_of(zone) == power

    def manager(self, power: str) -> str:
        """6.3.1, 6.5.3: the seat that manages a power's budget."""
        side = self.side_of(power)
        if side in SEATS:
            return side
        return EMPIRE if power in ("espagne", "turquie") else COALITION

    @property
    def rain(self) -> bool:
        """54C: whether an event has brought bad weather to this round."""
        return self.flag(f"rain_{self.round}")

    def weather(self) -> str:
        """14.1, 1.4: fair, bad or winter."""
        if self.round >= 6:
            return "winter"
        return "bad" if self.round == 5 or self.rain else "fair"

    def spend_card(self, side: str, card: str, *, removed: bool = False) -> None:
        """7.3.4: a card leaves the hand for the played pile, or the game."""
        self.hands[side].remove(card)
        (self.removed if removed else self.played)[side].append(card)

    def add(self, force: Force) -> Force:
        """A new force, with its name."""
        force.id = f"f{self.next_force}"
        self.next_force += 1
        self.forces[force.id] = force
        return force

    def score(self, why: str, vp: int = 0, escalation: int = 0, about: str = "") -> Entry:
        """17.1: markers move at once."""
        entry = Entry(self.year, why, vp, escalation, about)
        self.entries.append(entry)
        self.vp += vp
        self.escalation += escalation
        return entry


def copied(state: State) -> State:
    """A position to try things on."""
    return msgspec.json.decode(msgspec.json.encode(state), type=State)


def pieces_out(state: State) -> dict[str, list[str]]:
    """Where each counter of the forces stands: to see that nothing is in two places."""
    found: dict[str, list[str]] = {}
    for force in state.forces.values():
        for piece in (*force.generals, *force.units, *force.special, *([force.army] if force.army else ())):
            found.setdefault(piece, []).append(force.id)
    return found


def invariants(state: State) -> list[str]:
    """What no play may reach."""
    return [*_pieces(state), *_cards(state), *_places(state)]


def _pieces(state: State) -> Iterator[str]:
    standing = pieces_out(state)
    for piece, where in standing.items():
        if len(where) > 1:
            yield f"{piece} is in {', '.join(where)}"
    tables = (
        (state.units, UNITS),
        (state.generals, GENERALS),
        (state.armies, ARMIES),
        (state.specials, SPECIALS),
    )
    for places, records in tables:
        if set(places) != set(records):
            yield "a counter is lost"
        for piece, place in places.items():
            if (place == MAP) != (piece in standing):
                yield f"{piece} is {place} but {'stands on' if piece in standing else 'is off'} the map"
    for force in state.forces.values():
        if not force.units:
            yield f"{force.id} has no unit"
        for unit, steps in force.units.items():
            if not 1 <= steps <= UNITS[unit].steps:
                yield f"{unit} has {steps} steps"
        if (force.subs or force.special) and not force.army:
            yield f"{force.id} has subordinates or special units without an army"
        if len(force.units) > 1 and not force.general:
            yield f"{force.id} has several units without a general"
    if set(state.fleets) != set(FLEETS):
        yield "a fleet is lost"


def _cards(state: State) -> Iterator[str]:
    boxed = [war.card for war in state.wars]
    for side in SEATS:
        held = [
            *state.hands[side],
            *state.piles[side].cards,
            *state.played[side],
            *state.removed[side],
            *state.set_aside[side],
            *state.permanent[side],
            *(card for card in boxed if CARDS[card].side == side),
        ]
        wanted = sorted(card.id for card in CARDS.values() if card.side == side)
        if sorted(held) != wanted:
            yield f"the cards of {side} are not all there"


def _places(state: State) -> Iterator[str]:
    for force in state.forces.values():
        if force.zone not in ZONES:
            yield f"{force.id} stands nowhere"
        if force.inside and not ZONES[force.zone].fortress:
            yield f"{force.id} is in a fortress that is not there"
    for zone, side in state.control.items():
        if not ZONES[zone].city or side not in SEATS:
            yield f"{zone} cannot be marked by {side}"
    if state.vp != sum(entry.vp for entry in state.entries):
        yield "victory points differ from their entries"
    if state.escalation != sum(entry.escalation for entry in state.entries):
        yield "escalation differs from its entries"
    for fleet, place in state.fleets.items():
        kind, _, where = place.partition(":")
        if kind in ("port", "box") and not (where in ZONES and ZONES[where].port):
            yield f"{fleet} is at {place}"


def crowded(state: State) -> Iterator[str]:
    """4.1.1, 4.1.2: zones in which more forces stand than may at the end of a round."""
    for zone in {force.zone for force in state.forces.values()}:
        for side in (EMPIRE, COALITION):
            for inside in (False, True):
                stack = state.at(zone, side, inside=inside)
                if len(stack) > 1 and not (len(stack) == 2 and all(force.army for force in stack)):
                    yield f"{zone}: {len(stack)} forces of {side}"
        if state.at(zone, EMPIRE) and state.at(zone, COALITION):
            yield f"{zone}: both sides"
