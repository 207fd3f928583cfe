"""What can happen."""

from __future__ import annotations

from typing import Any

from pbem.kernel import agreement
from pbem.kernel.event import Event


class CipherGiven(Event, frozen=True):
    power: str
    cipher: str


class TurnBegan(Event, frozen=True):
    turn: int
    crown: bool


class Raised(Event, frozen=True):
    power: str
    n: int
    area: str


class Traded(Event, frozen=True):
    """What a power itself sold or bought."""

    power: str
    sold: int
    bought: int
    price: int


class MarketClosed(Event, frozen=True):
    price: int
    amount: int


class CrownSold(Event, frozen=True):
    power: str
    paid: int


class Paid(Event, frozen=True):
    payer: str
    payee: str
    amount: int
    due: int


class OrderSet(Event, frozen=True):
    powers: tuple[str, ...]


class Marched(Event, frozen=True):
    power: str
    start: str
    to: str


class Arrived(Event, frozen=True):
    """A province is taken without a fight."""

    power: str
    area: str


class Threatened(Event, frozen=True):
    power: str
    area: str
    owner: str


class NotDone(Event, frozen=True):
    """An order that could not be carried out any more."""

    power: str
    order: dict[str, Any]


class Withdrew(Event, frozen=True):
    power: str
    area: str
    attacker: bool


class BattleFought(Event, frozen=True):
    area: str
    attacker: str
    defender: str
    won: bool
    """Whether the attacker did."""
    dice: tuple[int, ...]


class BattleStrength(Event, frozen=True):
    """What those who fought know besides."""

    area: str
    attackers: int
    defenders: int
    left: int


class Income(Event, frozen=True):
    power: str
    gold: int
    grain: int
    deserted: int


class PowerFell(Event, frozen=True):
    power: str


class Quiet(Event, frozen=True):
    """Of these nothing else is to be told, in a long report."""

    powers: tuple[str, ...]


class GameWon(Event, frozen=True):
    seats: tuple[str, ...]
    points: int


class StandsTurn(Event, frozen=True):
    turn: int
    last: int
    crown: bool


class StandsPower(Event, frozen=True):
    power: str
    hand: str
    areas: tuple[str, ...]
    crowns: int
    out: bool


class StandsHoldings(Event, frozen=True):
    power: str
    gold: int
    grain: int
    cipher: str
    regiments: int


EVENTS: tuple[type[Event], ...] = (
    *(CipherGiven, TurnBegan, Raised, Traded, MarketClosed, CrownSold, Paid, OrderSet, Marched, Arrived),
    *(Threatened, NotDone, Withdrew, BattleFought, BattleStrength, Income, PowerFell, Quiet, GameWon),
    *(StandsTurn, StandsPower, StandsHoldings),
    *agreement.EVENTS,
)
