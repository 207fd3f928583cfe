"""What can happen in a month besides battles. Factors are written as on the counters: «3 I, 1 C»."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.games.eia.board import KINDS
from pbem.kernel.event import Event


def said(bag: Mapping[str, int]) -> str:
    """Factors as the game's own marks say them."""
    return ", ".join(f"{bag[kind]} {kind}" for kind in KINDS if bag.get(kind))


class GameBegins(Event, frozen=True, kw_only=True):
    """The scenario."""

    scenario: str
    month: str


class MonthBegins(Event, frozen=True, kw_only=True):
    """9.0: a month."""

    month: str
    turn: int
    winter: bool = False


class OrderFailed(Event, frozen=True, kw_only=True):
    """To its player alone: an order of his letter that could not be carried out, and why."""

    number: int
    code: str
    order: dict[str, Any]
    params: dict[str, Any]


class MoneyCame(Event, frozen=True, kw_only=True):
    """5.2.5: money arrives; in points."""

    power: str
    points: float
    now: float


class FactorsCame(Event, frozen=True, kw_only=True):
    """5.2.2: factors arrive, in a corps or as a garrison."""

    power: str
    factors: str
    area: str
    corps: str = ""


class FactorsUnplaced(Event, frozen=True, kw_only=True):
    """5.2.2: factors for which there was no room are lost."""

    power: str
    factors: str
    area: str = ""


class CorpsRaised(Event, frozen=True, kw_only=True):
    """5.2.1: a corps counter comes onto the map."""

    power: str
    area: str
    corps: str = ""
    factors: str = ""


class CorpsGone(Event, frozen=True, kw_only=True):
    """7.5.5: a corps leaves the map."""

    power: str
    corps: str
    area: str


class FactorsTransferred(Event, frozen=True, kw_only=True):
    """5.2.3, 7.3.3: factors go from one corps to another, or between a corps and a garrison."""

    power: str
    factors: str
    area: str
    giver: str = ""
    taker: str = ""


class Disbanded(Event, frozen=True, kw_only=True):
    """5.2.4: factors are demobilised."""

    power: str
    factors: str
    area: str


class LeaderPosted(Event, frozen=True, kw_only=True):
    """5.3: a leader joins a corps, or leaves the map."""

    leader: str
    area: str = ""
    corps: str = ""


class PolesDeserted(Event, frozen=True, kw_only=True):
    """13.3.6.C: one Austrian factor for two Polish ones."""

    corps: str
    area: str


class DepotPlaced(Event, frozen=True, kw_only=True):
    """7.2: a depot is bought."""

    power: str
    area: str


class DepotGone(Event, frozen=True, kw_only=True):
    """7.2, 7.3.6: a depot is lifted, burnt, destroyed or captured: `how`."""

    power: str
    area: str
    how: str
    by: str = ""


class Marched(Event, frozen=True, kw_only=True):
    """7.3: corps move; of enemy corps how many of which look."""

    power: str
    way: tuple[str, ...]
    corps: tuple[str, ...] = ()
    infantry: int = 0
    cavalry: int = 0
    leaders: tuple[str, ...] = ()
    forced: bool = False
    spent: int = 0
    move: int = 0


class Foraged(Event, frozen=True, kw_only=True):
    """7.4.1: a corps lives off the land."""

    power: str
    area: str
    die: int
    value: int
    total: int
    lost: int
    corps: str = ""
    factors: str = ""


class SupplyPaid(Event, frozen=True, kw_only=True):
    """7.4.2: what a power paid for the supply of its corps, and how many; in points."""

    power: str
    points: float
    corps: tuple[str, ...] = ()
    left: float = 0


class BesiegedForaged(Event, frozen=True, kw_only=True):
    """7.4.5: a besieged city goes hungry."""

    area: str
    power: str
    die: int
    value: int
    total: int
    lost: int
    factors: str = ""


class SiegeBegun(Event, frozen=True, kw_only=True):
    """7.5.4: a city is besieged."""

    area: str
    by: str


class SiegeLifted(Event, frozen=True, kw_only=True):
    """7.5.4: no besieger is left."""

    area: str


class CityEntered(Event, frozen=True, kw_only=True):
    """7.3.3, 7.5.1.3: a city changes hands, or is garrisoned."""

    area: str
    power: str
    factors: str = ""


class CalledUp(Event, frozen=True, kw_only=True):
    """10.1.4, 10.1.5: the insurrection, or the Tyrol, rises."""

    corps: str
    area: str


class LetterAsked(Event, frozen=True, kw_only=True):
    """A plan is looked at again, because the enemy has struck."""

    power: str
    kept: bool


class WarJoined(Event, frozen=True, kw_only=True):
    """7.3.8.3: a power declares war to stand by an ally that is attacked."""

    power: str
    against: str
    area: str


class NeutralLeaves(Event, frozen=True, kw_only=True):
    """7.3.8.4: forces of a third party leave an area that is attacked."""

    power: str
    area: str
    to: str


class ArtilleryFound(Event, frozen=True, kw_only=True):
    """13.3.6.B: the arsenal of Venice."""

    corps: str
    factors: str


class GameEnds(Event, frozen=True, kw_only=True):
    """13.1.7: the end, by which condition, and who won."""

    month: str
    condition: int
    winner: str = ""


class ForecastMarch(Event, frozen=True, kw_only=True):
    """CHECK: a march: its way, its cost."""

    corps: str
    way: tuple[str, ...]
    cost: int
    move: int
    forced: bool = False


class ForecastSupply(Event, frozen=True, kw_only=True):
    """CHECK: the supply of a corps: by a depot at a price, in points, or off the land with the losses to expect."""

    corps: str
    area: str
    how: str
    depot: str = ""
    price: float = 0
    value: int = 0
    modifier: int = 0
    mean: float = 0
    worst: int = 0


class ForecastMoney(Event, frozen=True, kw_only=True):
    """CHECK: what the orders cost, and what is left, in points."""

    power: str
    depots: float
    supply: float
    left: float


EVENTS: tuple[type[Event], ...] = (
    GameBegins,
    MonthBegins,
    OrderFailed,
    MoneyCame,
    FactorsCame,
    FactorsUnplaced,
    CorpsRaised,
    CorpsGone,
    FactorsTransferred,
    Disbanded,
    LeaderPosted,
    PolesDeserted,
    DepotPlaced,
    DepotGone,
    Marched,
    Foraged,
    SupplyPaid,
    BesiegedForaged,
    SiegeBegun,
    SiegeLifted,
    CityEntered,
    CalledUp,
    LetterAsked,
    WarJoined,
    NeutralLeaves,
    ArtilleryFound,
    GameEnds,
    ForecastMarch,
    ForecastSupply,
    ForecastMoney,
)
