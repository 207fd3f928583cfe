"""What can happen between powers: wars, talks, budgets, conquests, peace."""

from __future__ import annotations

from pbem.kernel.event import Event


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


class Regrouped(Event, frozen=True):
    power: str
    piece: str
    to: str


class PeaceTested(Event, frozen=True):
    power: str
    die: int
    total: int
    ended: bool
