"""How things stand: the lines of STATUS and of the end of a report."""

from __future__ import annotations

from pbem.kernel.event import Event


class StandsMonth(Event, frozen=True, kw_only=True):
    """The month."""

    month: str
    turn: int
    end: str
    winter: bool
    phase: str


class StandsPower(Event, frozen=True, kw_only=True):
    """A power: its corps, its factors as far as they are known, its money, what it has lost in combat."""

    power: str
    side: str
    corps: int
    garrisons: int
    losses: int
    factors: int = 0
    money: float | None = None


class StandsCity(Event, frozen=True, kw_only=True):
    """13.1.7: who holds a city that decides."""

    area: str
    holder: str


class StandsTitle(Event, frozen=True, kw_only=True):
    """A title."""

    heading = True
    what: str
    power: str


class StandsCorps(Event, frozen=True, kw_only=True):
    """An own corps: its factors, leaders and supply."""

    corps: str
    area: str
    factors: str
    inside: bool = False
    besieged: bool = False
    leaders: tuple[str, ...] = ()
    price: float = 0
    depot: str = ""


class StandsGarrison(Event, frozen=True, kw_only=True):
    """A garrison."""

    area: str
    nation: str
    factors: str
    depot: bool = False


class StandsDepots(Event, frozen=True, kw_only=True):
    """7.2: the depots of a power: on a chain, and cut off."""

    power: str
    good: tuple[str, ...]
    cut: tuple[str, ...]
    counters: int


class StandsEnemy(Event, frozen=True, kw_only=True):
    """2.4.2: corps of others as they are seen."""

    power: str
    area: str
    infantry: int
    cavalry: int
    leaders: tuple[str, ...] = ()
    garrison: int = 0


class StandsSiege(Event, frozen=True, kw_only=True):
    """7.5.4: a siege."""

    area: str
    by: str
    corps: int
    inside: int
    since: str


VIEWS: tuple[type[Event], ...] = (
    StandsMonth,
    StandsPower,
    StandsCity,
    StandsTitle,
    StandsCorps,
    StandsGarrison,
    StandsDepots,
    StandsEnemy,
    StandsSiege,
)
