"""What can happen, as typed records; the words are the catalogue's."""

from __future__ import annotations

import msgspec

from pbem.kernel.event import Event, Modifier


class GameBegins(Event, frozen=True):
    scenario: str
    year: int


class SetUpChanged(Event, frozen=True):
    """18: a piece stands elsewhere than the scenario has it."""

    piece: str
    to: str


class YearBegins(Event, frozen=True):
    year: int
    vp: int
    escalation: int


class RoundBegins(Event, frozen=True):
    year: int
    round: int
    weather: str


class CardsDrawn(Event, frozen=True):
    """To their owner alone."""

    cards: tuple[str, ...]


class HandGrew(Event, frozen=True):
    side: str
    count: int
    hand: int


class PileShuffled(Event, frozen=True):
    side: str
    count: int


class ChatimentsBegin(Event, frozen=True):
    escalation: int


class CardPlayed(Event, frozen=True):
    side: str
    card: str
    points: int


class EventPlayed(Event, frozen=True):
    side: str
    card: str
    option: str = ""


class CardSpent(Event, frozen=True):
    """For an interception, a diplomatic action, a reaction."""

    side: str
    card: str
    use: str


class CardRemoved(Event, frozen=True):
    side: str
    card: str


class CardReturned(Event, frozen=True):
    """14F: a card of the hand goes back into its draw pile; its points serve the other side."""

    side: str
    card: str
    points: int


class CardShown(Event, frozen=True):
    """HELP: a card's face: its points, when its event may be played, and what becomes of it."""

    card: str
    value: int
    phases: tuple[str, ...]
    windows: tuple[str, ...]
    leaves: bool
    once: bool


class CardsDiscarded(Event, frozen=True):
    side: str
    cards: tuple[str, ...]


class Passed(Event, frozen=True):
    side: str


class PointsKept(Event, frozen=True):
    side: str
    points: int
    reserve: int


class Activated(Event, frozen=True):
    side: str
    force: str
    zone: str
    cost: int
    movement: int
    march: int = 0
    steps: int = 0


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


class OrderFailed(Event, frozen=True):
    """To its player: an order of his letter could not be carried out any more."""

    number: int
    code: str


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


class WarDeclared(Event, frozen=True):
    side: str
    country: str


class CountryJoins(Event, frozen=True):
    country: str
    side: str
    status: str


class DiplomacyTried(Event, frozen=True):
    side: str
    country: str
    die: int
    total: int
    success: bool


class ProtectorateMade(Event, frozen=True):
    country: str


class StateCreated(Event, frozen=True):
    country: str


class ForeignWar(Event, frozen=True):
    card: str
    power: str
    units: tuple[str, ...]


class ForeignWarTested(Event, frozen=True):
    card: str
    die: int
    total: int
    success: bool


class BudgetSpent(Event, frozen=True):
    power: str
    income: str
    spent: str
    lost: str


class PieceBuilt(Event, frozen=True):
    power: str
    piece: str
    zone: str
    steps: int = 0


class DebtPaid(Event, frozen=True):
    """6.3.15: a power builds what an event asked of it, and gives it up."""

    power: str
    piece: str
    cost: str
    card: str


class PieceWithdrawn(Event, frozen=True):
    piece: str


class ResourcesChanged(Event, frozen=True):
    """An event gives or takes resources: `now`, or in the `next_budget`."""

    power: str
    amount: int
    when: str
    card: str


class ResourcesSent(Event, frozen=True):
    giver: str
    taker: str
    amount: int


class Redeployed(Event, frozen=True):
    force: str
    start: str
    to: str
    points: int


class MinorConquered(Event, frozen=True):
    country: str
    side: str
    fate: str


class MajorConquered(Event, frozen=True):
    power: str
    side: str
    refused: bool = False


class ProvinceTaken(Event, frozen=True):
    province: str
    loser: str
    to: str


class PeaceSigned(Event, frozen=True):
    power: str
    side: str
    alliance: bool = False


class PeaceTested(Event, frozen=True):
    power: str
    die: int
    total: int
    ended: bool


class Scored(Event, frozen=True):
    why: str
    vp: int
    escalation: int
    about: str = ""
    total_vp: int = 0
    total_escalation: int = 0


class EffectBegins(Event, frozen=True):
    name: str
    about: str = ""


class GameEnds(Event, frozen=True):
    winner: str
    vp: int
    why: str


class StandsClock(Event, frozen=True):
    year: int
    round: int
    phase: str
    side: str
    vp: int
    escalation: int
    period: str


class StandsSide(Event, frozen=True):
    side: str
    powers: tuple[str, ...]
    cards: int
    reserve: int
    steps: int
    fleets: int


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
    depots: int = 0
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


class StandsForce(Event, frozen=True):
    force: str
    zone: str
    steps: int
    points: int
    army: str = ""
    subs: tuple[str, ...] = ()
    depots: int = 0
    supplied: bool = True
    demoralised: bool = False
    besieged: bool = False


class ForecastBattle(Event, frozen=True):
    """CHECK: chances in percent, mean losses in tenths of a step."""

    zone: str
    force: str
    win: int
    inflicted: int
    suffered: int


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


class ForecastEvasion(Event, frozen=True):
    """CHECK: an enemy force that could evade, and the chance in percent."""

    force: str
    zone: str
    chance: int


class StandsSiege(Event, frozen=True):
    zone: str
    marker: int


EVENTS: tuple[type[Event], ...] = tuple(
    kind
    for kind in globals().values()
    if isinstance(kind, type) and issubclass(kind, Event) and kind is not Event
)
