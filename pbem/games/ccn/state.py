"""The position: plain typed records, the same type for the table and for what a seat may know of it."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from pbem.games.ccn import board, charts
from pbem.games.ccn.charts import Kind

HIDDEN = "?"
FRENCH, ALLIED = "french", "allied"
SEATS = (ALLIED, FRENCH)


class Over(Exception):
    """2.9: a side has its banners; whatever was going on stops at this very instant."""


class Unit(msgspec.Struct):
    """1.6: blocks of one type in one hex; without a hex it is no longer on the board."""

    id: str
    side: str
    type: str
    hex: str
    blocks: int
    square: int = 0
    """8.2.3: the number of its square marker; 0 in line or column."""
    ordered: bool = False
    moved: int = 0
    battled: bool = False
    stopped: bool = False
    """It entered stop terrain, or a leader's hex, this turn."""
    barred: bool = False
    """Something it did this turn forbids it to battle."""
    joined: bool = False
    """5.9.7: a leader has come to it this turn: it cannot move any more."""

    @property
    def kind(self) -> Kind:
        """Its line of the national card."""
        return charts.kinds()[self.type]

    @property
    def arm(self) -> str:
        """Infantry, cavalry or artillery."""
        return charts.kinds()[self.type].arm


class Leader(msgspec.Struct):
    """1.7: one block that is no unit. Without a hex he was killed or has left the board."""

    id: str
    side: str
    nation: str
    hex: str
    killed: bool = False
    ordered: bool = False
    moved: bool = False


class Held(msgspec.Struct, frozen=True):
    """A command card and where it came from: its place in a shuffled pile, for the proof."""

    card: str
    pile: str = ""
    place: int = 0


class Objective(msgspec.Struct, frozen=True):
    """2.8: banners for ground: while held since the start of the side's turn, or once and for all."""

    hexes: tuple[str, ...]
    side: str
    banners: int = 1
    kind: str = "temporary"


class Trace(msgspec.Struct, frozen=True):
    """Something of the last turn that the map shows: a way, a fight or a loss."""

    kind: str
    hexes: tuple[str, ...]
    piece: str
    label: str = ""


class Played(msgspec.Struct, frozen=True):
    """3.1: the card of a command phase as it took effect; the section is the one of a forced march."""

    card: str
    section: str = ""


class State(msgspec.Struct):
    """A battle."""

    scenario: str
    options: dict[str, str]
    bottom: str
    """The seat whose baseline is row A."""
    first: str
    goal: int
    cards: dict[str, int]
    terrain: dict[str, str]
    works: dict[str, list[str]]
    """11.2: fieldworks: for a hex, the neighbours that its works face."""
    units: dict[str, Unit]
    leaders: dict[str, Leader]
    objectives: list[Objective]
    exits: dict[str, list[str]] = {}
    turn: int = 0
    active: str = ""
    hands: dict[str, list[Held]] = {}
    tracks: dict[str, dict[str, Held]] = {}
    """8.2.3: the cards beside the square markers, by number."""
    pile: list[str] = []
    pile_label: str = ""
    dealt: int = 0
    discards: list[str] = []
    table: list[Held] = []
    """Cards played this turn that are not yet discarded."""
    drawn: list[Held] = []
    """9.2: the two cards of a Scout draw, before one is kept."""
    command: Played | None = None
    """The card in force this turn; a COUNTER-ATTACK is the card that it copies."""
    fallback: bool = False
    """4.9: the card found nobody and orders one unit by the normal rules."""
    strength: int = 0
    """3.4: the command of the active player, counted when he plays his card."""
    last: dict[str, Played] = {}
    won: dict[str, list[str]] = {}
    """Banners for enemy units and leaders, by their ids."""
    held: dict[str, list[int]] = {}
    """Objectives in force, by their number."""
    exited: dict[str, list[str]] = {}
    struck: list[str] = []
    """8.5.5: who has played FIRST STRIKE this turn, once for each card."""
    winner: str = ""
    trail: list[Trace] = []
    """What the turn last carried out has left on the map."""

    def place(self, seat: str) -> str:
        """At which edge of the board a seat has its baseline."""
        return board.BOTTOM if seat == self.bottom else board.TOP

    def enemy(self, seat: str) -> str:
        """The other seat."""
        return FRENCH if seat == ALLIED else ALLIED

    def rear(self, seat: str, hex: str) -> tuple[str, ...]:
        """7.5.2: the hexes behind a hex, for a seat."""
        return board.REAR[self.place(seat)][hex]

    def on_baseline(self, seat: str, hex: str) -> bool:
        """Whether a hex is on the seat's own baseline."""
        return hex[0] == board.BASELINE[self.place(seat)]

    def unit_at(self, hex: str) -> Unit | None:
        """The unit in a hex."""
        for unit in self.units.values():
            if unit.hex == hex:
                return unit
        return None

    def leader_at(self, hex: str) -> Leader | None:
        """The leader in a hex."""
        for leader in self.leaders.values():
            if leader.hex == hex:
                return leader
        return None

    def leader_of(self, unit: Unit) -> Leader | None:
        """The leader attached to a unit."""
        return self.leader_at(unit.hex) if unit.hex else None

    def army(self, seat: str) -> Iterator[Unit]:
        """The units of a seat on the board."""
        return (unit for unit in self.units.values() if unit.side == seat and unit.hex)

    def staff(self, seat: str) -> Iterator[Leader]:
        """The leaders of a seat on the board."""
        return (leader for leader in self.leaders.values() if leader.side == seat and leader.hex)

    def pieces(self) -> list[Unit | Leader]:
        """All units and leaders on the board."""
        found: list[Unit | Leader] = [unit for unit in self.units.values() if unit.hex]
        found += [leader for leader in self.leaders.values() if leader.hex]
        return found

    def ground(self, hex: str) -> str:
        """The terrain of a hex; fieldworks lie on its sides."""
        return self.terrain.get(hex, "clear")

    def near_enemy_unit(self, unit: Unit) -> bool:
        """Whether an enemy unit is adjacent."""
        far, side = board.DISTANCE[unit.hex], unit.side
        units = self.units.values()
        return any(other.side != side and other.hex and far[other.hex] == 1 for other in units)

    def banners(self, seat: str) -> int:
        """2.8: units and leaders eliminated, and objectives in force."""
        ground = sum(self.objectives[number].banners for number in self.held.get(seat, ()))
        gone = sum(
            objective.banners * len(self.exited.get(seat, ()))
            for objective in self.objectives
            if objective.kind == "exit" and objective.side in (seat, "both")
        )
        return len(self.won.get(seat, ())) + ground + gone

    def on(self, switch: str) -> bool:
        """Whether a switch is set to yes."""
        return self.options.get(switch) == "yes"


def copy(state: State) -> State:
    """A copy whose pieces can be moved without touching the original; hands and pile are shared."""
    pieces = {id: msgspec.structs.replace(unit) for id, unit in state.units.items()}
    staff = {id: msgspec.structs.replace(leader) for id, leader in state.leaders.items()}
    return msgspec.structs.replace(
        state,
        units=pieces,
        leaders=staff,
        hands={seat: list(hand) for seat, hand in state.hands.items()},
        tracks={seat: dict(track) for seat, track in state.tracks.items()},
        won={seat: list(ids) for seat, ids in state.won.items()},
        held={seat: list(numbers) for seat, numbers in state.held.items()},
        exited={seat: list(ids) for seat, ids in state.exited.items()},
    )


def view(state: State, seat: str | None) -> State:
    """1.10: what a seat may know: everything but the pile, the other hand and the other square track."""

    def hide(held: Held) -> Held:
        return Held(HIDDEN)

    return msgspec.structs.replace(
        state,
        pile=[HIDDEN] * len(state.pile),
        drawn=state.drawn if state.active == seat else [hide(held) for held in state.drawn],
        hands={
            owner: hand if owner == seat else [hide(held) for held in hand]
            for owner, hand in state.hands.items()
        },
        tracks={
            owner: track if owner == seat else {number: hide(held) for number, held in track.items()}
            for owner, track in state.tracks.items()
        },
    )


def invariants(state: State) -> list[str]:
    """What no play may reach: two units in a hex, lost blocks or cards, banners without a reason."""
    wrong: list[str] = []
    hexes = [unit.hex for unit in state.units.values() if unit.hex]
    if len(set(hexes)) != len(hexes):
        wrong.append("two units in one hex")
    posts = [leader.hex for leader in state.leaders.values() if leader.hex]
    if len(set(posts)) != len(posts):
        wrong.append("two leaders in one hex")
    for unit in state.units.values():
        if unit.hex and not 1 <= unit.blocks <= unit.kind.blocks:
            wrong.append(f"{unit.id} has {unit.blocks} blocks")
        if not unit.hex and unit.blocks and unit.id not in state.exited.get(unit.side, ()):
            wrong.append(f"{unit.id} has blocks and no hex")
        if unit.hex and unit.hex not in board.ROW:
            wrong.append(f"{unit.id} is off the board at {unit.hex}")
        ground = charts.grounds()[state.ground(unit.hex)]
        if unit.hex and (not ground.passable or unit.arm in ground.impassable_for):
            wrong.append(f"{unit.id} stands on impassable ground")
        if unit.square and str(unit.square) not in state.tracks.get(unit.side, {}):
            wrong.append(f"{unit.id} is in square without a card")
    for leader in state.leaders.values():
        with_him = state.unit_at(leader.hex) if leader.hex else None
        if with_him is not None and with_him.side != leader.side:
            wrong.append(f"{leader.id} is among the enemy")
    if state.turn:
        wrong += _cards(state)
    for seat in SEATS:
        fallen = [unit.id for unit in state.units.values() if unit.side != seat and unit.blocks == 0]
        fallen += [leader.id for leader in state.leaders.values() if leader.side != seat and leader.killed]
        if sorted(fallen) != sorted(state.won.get(seat, ())):
            wrong.append(f"the banners of {seat} do not match what was eliminated")
    return wrong


def _cards(state: State) -> list[str]:
    markers = {(unit.side, str(unit.square)) for unit in state.units.values() if unit.hex and unit.square}
    tracks = {(seat, number) for seat, track in state.tracks.items() for number in track}
    wrong = [] if markers == tracks else ["square markers and square tracks differ"]
    held = [item.card for hand in state.hands.values() for item in hand]
    held += [item.card for track in state.tracks.values() for item in track.values()]
    held += [item.card for item in (*state.table, *state.drawn)]
    if sorted(held + state.pile + state.discards) != list(charts.deck()):
        wrong.append("the cards are not the seventy of the deck")
    return wrong
