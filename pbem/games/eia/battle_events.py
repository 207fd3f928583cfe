"""What happens in battles and sieges. Factors are written as on the counters: «3 I, 1 C»; morale is in points."""

from __future__ import annotations

import msgspec

from pbem.kernel.event import Event, Modifier


class Shown(msgspec.Struct, frozen=True, omit_defaults=True):
    """7.5.2.6.3: a corps or a garrison as a battle reveals it."""

    power: str
    factors: str
    size: int
    corps: str = ""
    """The corps; else what it is: `kind`."""
    kind: str = ""
    outflanks: bool = False


class Volley(msgspec.Struct, frozen=True, omit_defaults=True):
    """What one side did in a round, and what it cost the other."""

    power: str
    table: str = ""
    die: int = 0
    modifiers: tuple[Modifier, ...] = ()
    factors: int = 0
    percent: int = 0
    morale: float = 0.0
    guard: int = 0
    guard_die: int = 0
    guard_lost: int = 0
    guns_die: int = 0
    guns: int = 0
    lost: str = ""
    """What this side lost itself."""
    lost_factors: int = 0
    left: int = 0
    morale_left: float = 0.0


class CombatOpened(Event, frozen=True, kw_only=True):
    """7.5.2.6.3: both sides show their forces; what is a word of `SHEETS`."""

    area: str
    what: str
    day: int
    attacker: str
    defender: str
    attackers: tuple[Shown, ...]
    defenders: tuple[Shown, ...]
    attacker_leader: str = ""
    defender_leader: str = ""
    attacker_tactical: int = 0
    defender_tactical: int = 0
    attacker_chit: str = ""
    defender_chit: str = ""
    attacker_level: float = 0.0
    defender_level: float = 0.0
    attacker_reasons: tuple[Modifier, ...] = ()
    """What changes the morale levels, in tenths."""
    defender_reasons: tuple[Modifier, ...] = ()
    terrain: str = "clear"
    river: bool = False
    outflanks: str = ""
    """7.5.2.3: the power that goes round the flank."""
    disputed: bool = False
    """The copies of the published chart differ in this pair of chits."""


class RoundFought(msgspec.Struct, frozen=True, omit_defaults=True):
    """7.5.2.9: one round; `silent`: neither side has a table in it (7.5.2.4)."""

    round: int
    attacker: Volley
    defender: Volley
    silent: bool = False


class DayFought(Event, frozen=True, kw_only=True):
    """7.5.2.9: the rounds of a day."""

    area: str
    what: str
    day: int
    rounds: tuple[RoundFought, ...]


class WithdrawTried(Event, frozen=True, kw_only=True):
    """7.5.2.5: a defender slips away, all of him or some corps, or fails to."""

    area: str
    power: str
    rating: int
    die: int = 0
    corps: int = 0
    success: bool = False


class OutflankTried(Event, frozen=True, kw_only=True):
    """7.5.2.12: whether the outflanking force arrives."""

    area: str
    power: str
    round: int
    die: int
    rating: int
    success: bool


class ReinforcementTried(Event, frozen=True, kw_only=True):
    """7.5.2.11: whether those who march to the guns arrive."""

    area: str
    start: str
    power: str
    round: int
    die: int
    rating: int
    success: bool
    corps: int = 1
    factors: int = 0


class NightFalls(Event, frozen=True, kw_only=True):
    """7.5.2.13: an undecided day, and who stays."""

    area: str
    day: int
    attacker: str
    defender: str
    attacker_stays: bool
    defender_stays: bool


class CombatEnds(Event, frozen=True, kw_only=True):
    """7.5.2.10: who has won, and the political points of both, by power."""

    area: str
    what: str
    winner: str = ""
    loser: str = ""
    how: str = "broken"
    points: tuple[tuple[str, int], ...] = ()
    captured: tuple[str, ...] = ()
    """10.6.3: leaders taken."""


class Pursued(Event, frozen=True, kw_only=True):
    """7.5.2.10.2: a pursuit; no die where the class is below 1."""

    area: str
    power: str
    loser: str
    grade: int
    die: int = 0
    percent: int = 0
    cavalry: int = 0
    equivalents: int = 0
    lost: str = ""
    lost_factors: int = 0
    mark: str = "reconstructed"


class Retreated(Event, frozen=True, kw_only=True):
    """7.5.2.10.3: a force goes, or finds no way and is taken."""

    power: str
    way: tuple[str, ...]
    corps: int
    factors: int = 0
    captured: bool = False
    leaders: tuple[str, ...] = ()


class LeaderTested(Event, frozen=True, kw_only=True):
    """12.7: whether a leader is hit."""

    area: str
    power: str
    dice: tuple[int, ...]
    leader: str = ""
    months: int = 0
    dead: bool = False


class TakenShelter(Event, frozen=True, kw_only=True):
    """7.5.1.1: forces retire into the city."""

    area: str
    power: str
    corps: int
    garrison: int = 0


class HorseRode(Event, frozen=True, kw_only=True):
    """10.1.2.2.3: light horse that is attacked alone rides away, or is caught."""

    area: str
    power: str
    number: int
    to: str = ""
    die: int = 0


class SiegeTried(Event, frozen=True, kw_only=True):
    """7.5.4.1: an attempt on the walls."""

    area: str
    power: str
    die: int
    total: int
    result: str
    mark: str = "reconstructed"


class SortieMade(Event, frozen=True, kw_only=True):
    """7.5.4.2.1: a sortie: who loses a factor."""

    area: str
    power: str
    die: int
    loser: str
    lost: str = ""


class CityFalls(Event, frozen=True, kw_only=True):
    """7.5.4: a city is lost: stormed, surrendered, left with the honours of war, or starved; `to`: where they went."""

    area: str
    power: str
    winner: str
    how: str
    factors: int = 0
    to: tuple[str, ...] = ()
    points: tuple[tuple[str, int], ...] = ()
    captured: tuple[str, ...] = ()


class CityHolds(Event, frozen=True, kw_only=True):
    """7.5.4.1.4: an assault has failed."""

    area: str
    power: str
    points: tuple[tuple[str, int], ...] = ()


class HonoursRefused(Event, frozen=True, kw_only=True):
    """7.5.4.1.2.3.1: the besieger grants no honours of war."""

    area: str
    power: str


class SiegeResumes(Event, frozen=True, kw_only=True):
    """7.5.4.2.3: relief, or a sally, has failed."""

    area: str
    power: str


class Against(msgspec.Struct, frozen=True, omit_defaults=True):
    """What comes of a day against one chit: ends in hundredths, losses on average and in one day of twenty."""

    chit: str
    win: int
    lose: int
    both: int
    open: int
    my_loss: float
    his_loss: float
    my_worst: int
    breaks: tuple[int, ...] = ()
    """How often of a hundred he breaks in each round."""
    away: int = 0
    """How often he slips away beforehand."""


class ForecastBattle(Event, frozen=True, kw_only=True):
    """CHECK: the first day of a battle by the charts, against what may be known of the enemy."""

    area: str
    role: str
    mine: int
    his: int
    supposed: bool
    """Whether his strength is not known but supposed."""
    my_chit: str
    against: tuple[Against, ...]
    my_level: float
    his_level: float


class ForecastSiege(Event, frozen=True, kw_only=True):
    """CHECK: a siege: how often of a hundred the walls are open after so many months, and the storm won."""

    area: str
    breach: tuple[int, ...]
    storm: int
    garrison: int
    mark: str = "reconstructed"


EVENTS: tuple[type[Event], ...] = (
    CombatOpened,
    DayFought,
    WithdrawTried,
    OutflankTried,
    ReinforcementTried,
    NightFalls,
    CombatEnds,
    Pursued,
    Retreated,
    LeaderTested,
    TakenShelter,
    HorseRode,
    SiegeTried,
    SortieMade,
    CityFalls,
    CityHolds,
    HonoursRefused,
    SiegeResumes,
    ForecastBattle,
    ForecastSiege,
)
