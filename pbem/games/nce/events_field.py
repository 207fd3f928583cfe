"""What can happen on land and sea: marches, battles, sieges, fleets."""

from __future__ import annotations

from pbem.kernel.event import Event, Modifier


class Activated(Event, frozen=True):
    side: str
    force: str
    zone: str
    cost: int
    movement: int
    march: int = 0
    steps: int = 0
    supplied: bool = False
    """In a report, where supply was found at once; else a line of its own says so."""


class PickedUp(Event, frozen=True):
    force: str
    other: str
    zone: str


class Moved(Event, frozen=True):
    force: str
    start: str
    to: str
    cost: int
    left: int


class UnitsLeft(Event, frozen=True):
    force: str
    pieces: tuple[str, ...]
    zone: str


class UnitsTaken(Event, frozen=True):
    force: str
    pieces: tuple[str, ...]
    zone: str


class ForcesJoined(Event, frozen=True):
    zone: str
    force: str
    spare: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()


class ControlTaken(Event, frozen=True):
    zone: str
    side: str


class DepotChanged(Event, frozen=True):
    zone: str
    power: str
    what: str


class SupplyLost(Event, frozen=True):
    force: str
    zone: str


class SupplyFound(Event, frozen=True):
    force: str
    zone: str


class AttritionTested(Event, frozen=True):
    force: str
    zone: str
    steps: int
    die: int
    total: int
    losses: int
    star: int = 0


class TestCancelled(Event, frozen=True):
    force: str
    card: str


class StepsLost(Event, frozen=True):
    force: str
    zone: str
    pieces: tuple[str, ...]
    gone: tuple[str, ...] = ()
    steps: int = 0
    """1.9: how many, where the reader may not know whose."""
    why: str = ""
    """What cost them, where nothing told before says so."""


class ForceDestroyed(Event, frozen=True):
    force: str
    zone: str
    side: str


class InterceptionTried(Event, frozen=True):
    force: str
    zone: str
    die: int
    total: int
    success: bool


class EvasionTried(Event, frozen=True):
    force: str
    zone: str
    to: str
    die: int
    total: int
    success: bool


class Evaded(Event, frozen=True):
    force: str
    zone: str
    to: str


class EnteredFortress(Event, frozen=True):
    force: str
    zone: str


class CountermarchTried(Event, frozen=True):
    force: str
    zone: str
    die: int
    total: int
    success: bool


class BattleFought(Event, frozen=True):
    zone: str
    attacker: str
    defender: str
    attacking: int
    defending: int
    odds: str
    size: str
    attacker_dice: int
    defender_dice: int
    attacker_total: int
    defender_total: int
    inflicted: int
    suffered: int
    winner: str
    attacker_modifiers: tuple[Modifier, ...] = ()
    defender_modifiers: tuple[Modifier, ...] = ()


class Overrun(Event, frozen=True):
    zone: str
    winner: str
    loser: str
    odds: str


class DepotTaken(Event, frozen=True):
    zone: str
    side: str


class WoundTested(Event, frozen=True):
    general: str
    die: int
    wounded: bool
    gone: bool = False


class MoraleTested(Event, frozen=True):
    force: str
    die: int
    threshold: int
    demoralised: bool


class Pursued(Event, frozen=True):
    force: str
    die: int
    total: int
    losses: int


class Retreated(Event, frozen=True):
    force: str
    start: str
    to: str


class Rallied(Event, frozen=True):
    force: str
    die: int
    success: bool


class GeneralDismissed(Event, frozen=True):
    general: str
    gone: bool = False


class TakenOver(Event, frozen=True):
    """40F: a corps of a forced ally serves with an Empire force."""

    unit: str
    force: str
    zone: str


class SiegeTried(Event, frozen=True):
    force: str
    zone: str
    die: int
    total: int
    result: str
    marker: int


class SiegeLaid(Event, frozen=True):
    force: str
    zone: str


class SiegeRaised(Event, frozen=True):
    zone: str


class FortressTaken(Event, frozen=True):
    zone: str
    side: str
    result: str


class FortressActive(Event, frozen=True):
    zone: str
    side: str
    by: str = ""


class FleetsMoved(Event, frozen=True):
    fleets: tuple[str, ...]
    to: str


class NavalInterception(Event, frozen=True):
    fleets: tuple[str, ...]
    sea: str
    die: int
    total: int
    success: bool


class NavalEvasion(Event, frozen=True):
    fleets: tuple[str, ...]
    sea: str
    die: int
    total: int
    success: bool


class NavalBattle(Event, frozen=True):
    place: str
    attackers: tuple[str, ...]
    defenders: tuple[str, ...]
    attacker_dice: tuple[int, ...]
    defender_dice: tuple[int, ...]
    attacker_total: int
    defender_total: int
    winner: str
    lost: tuple[str, ...] = ()


class AdmiralTested(Event, frozen=True):
    """10C: Nelson after his battle: fleet and card may leave the game."""

    fleet: str
    die: int
    total: int
    gone: bool


class FleetGone(Event, frozen=True):
    """A fleet leaves the game: by 10C after a die, by 17C without."""

    fleet: str
    die: int = 0
    gone: bool = True


class FleetsLost(Event, frozen=True):
    """15.2.4: no port within reach."""

    fleets: tuple[str, ...]
    sea: str


class BlockadeSet(Event, frozen=True):
    port: str
    fleets: tuple[str, ...]


class Landed(Event, frozen=True):
    force: str
    zone: str
    success: bool


class PortAttacked(Event, frozen=True):
    """15.8.2: a fortress without fleets against the squadron."""

    zone: str
    fleet_total: int
    port_total: int
    success: bool
