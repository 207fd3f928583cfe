"""7.5: the battle plan and the policies of sieges: answers and standing orders in one.

A plan is made of lines, each for all battles, for a place, or for a leader's; the line that fits most narrowly counts.
They stand from month to month, or are written with the orders of one month.
"""

from __future__ import annotations

from pbem.kernel.order import Name, Names, Number, Order

_WHERE = {
    "place": Name("area", role="at"),
    "leader": Name("leader", own=True),
}


class AttackBy(Order, frozen=True):
    """7.5.2.1: the attacker's chit; perhaps only where the odds, in corps, are so good."""

    chit: str
    place: str = ""
    leader: str = ""
    odds: str = ""
    words = {
        "en": ("attack by {chit} [at {place}] [under {leader}] [from odds {odds}]",),
        "fr": ("attaquer par {chit} [à {place}] [sous {leader}] [dès rapport {odds}]",),
    }
    slots = {"chit": Name("attack_chit", role="with"), **_WHERE, "odds": Name("odds")}
    example = {
        "en": "attack by escalated assault at Ulm from odds 2-1",
        "fr": "attaquer par assaut croissant à Ulm dès rapport 2-1",
    }
    about = ("place", "leader", "odds")


class DefendBy(Order, frozen=True):
    """7.5.2.1: the defender's chit; perhaps only where the enemy's odds, in corps, are so good."""

    chit: str
    place: str = ""
    leader: str = ""
    odds: str = ""
    words = {
        "en": ("defend by {chit} [at {place}] [under {leader}] [against odds {odds}]",),
        "fr": ("défendre par {chit} [à {place}] [sous {leader}] [contre rapport {odds}]",),
    }
    slots = {"chit": Name("defence_chit", role="with"), **_WHERE, "odds": Name("odds")}
    example = {
        "en": "defend by withdraw under Mack against odds 2-1",
        "fr": "défendre par retrait sous Mack contre rapport 2-1",
    }
    about = ("place", "leader", "odds")


class OutflankWith(Order, frozen=True):
    """7.5.2.3: the corps that go round the flank, where the plan outflanks."""

    corps: tuple[str, ...]
    place: str = ""
    leader: str = ""
    words = {
        "en": ("outflank with {corps} [at {place}] [under {leader}]",),
        "fr": ("déborder avec {corps} [à {place}] [sous {leader}]",),
    }
    slots = {"corps": Names("corps", own=True, role="with"), **_WHERE}
    example = {
        "en": "outflank with French V Corps, French VI Corps",
        "fr": "déborder avec V Corps français, VI Corps français",
    }
    about = ("place", "leader")


class LoseFirst(Order, frozen=True):
    """7.5.2.9.2: which factors fall first."""

    factors: tuple[str, ...]
    place: str = ""
    leader: str = ""
    words = {
        "en": ("losses {factors} [at {place}] [under {leader}]",),
        "fr": ("pertes {factors} [à {place}] [sous {leader}]",),
    }
    slots = {"factors": Names("factor", role="what"), **_WHERE}
    example = {"en": "losses militia, infantry, cavalry", "fr": "pertes milice, infanterie, cavalerie"}
    about = ("place", "leader")


class CommitGuard(Order, frozen=True):
    """12.3.4: the guard goes in, from a round on, where the enemy has no more than so many tenths of morale left."""

    shift: int
    round: int = 1
    left: int = 0
    place: str = ""
    leader: str = ""
    words = {
        "en": (
            "commit the guard by {shift} [from round {round}] [below {left} tenths] [at {place}] [under {leader}]",
        ),
        "fr": (
            "engager la garde de {shift} [dès le tour {round}] [sous {left} dixièmes] [à {place}] [par {leader}]",
        ),
    }
    slots = {"shift": Number(1, 2), "round": Number(1, 3), "left": Number(1, 60), **_WHERE}
    example = {
        "en": "commit the guard by 2 from round 3 below 12 tenths",
        "fr": "engager la garde de 2 dès le tour 3 sous 12 dixièmes",
    }
    about = ("place", "leader")


class BringUp(Order, frozen=True):
    """7.5.2.11: reinforcements from these areas, or all, after that round and later ones."""

    areas: tuple[str, ...] = ()
    round: int = 1
    place: str = ""
    leader: str = ""
    words = {
        "en": ("bring up reinforcements [from {areas}] [after round {round}] [at {place}] [under {leader}]",),
        "fr": ("appeler des renforts [de {areas}] [après le tour {round}] [à {place}] [sous {leader}]",),
    }
    slots = {"areas": Names("area", role="from"), "round": Number(1, 3), **_WHERE}
    example = {
        "en": "bring up reinforcements from Linz after round 1",
        "fr": "appeler des renforts de Linz après le tour 1",
    }
    about = ("place", "leader")


class StayIf(Order, frozen=True):
    """7.5.2.13: stay after an undecided day, where one has so many tenths of morale more left than the enemy."""

    margin: int = 0
    place: str = ""
    leader: str = ""
    words = {
        "en": ("stay overnight [ahead by {margin} tenths] [at {place}] [under {leader}]",),
        "fr": ("rester la nuit [avec une avance de {margin} dixièmes] [à {place}] [sous {leader}]",),
    }
    slots = {"margin": Number(0, 60), **_WHERE}
    example = {"en": "stay overnight ahead by 5 tenths", "fr": "rester la nuit avec une avance de 5 dixièmes"}
    about = ("place", "leader")


class RetreatBy(Order, frozen=True):
    """7.5.2.10.3: where several areas are equally near, these first: for one's own retreat, or the beaten enemy's."""

    areas: tuple[str, ...]
    place: str = ""
    words = {
        "en": ("retreats go to {areas} [at {place}]",),
        "fr": ("les retraites vont vers {areas} [à {place}]",),
    }
    slots = {"areas": Names("area", role="to"), "place": Name("area", role="at")}
    example = {"en": "retreats go to Linz, Salzburg", "fr": "les retraites vont vers Linz, Salzbourg"}
    about = ("place",)


class Habit(Order, frozen=True):
    """7.5: one thing that is always done, or never: guard, reinforcements, dusk, pursuit, skirmish."""

    habit: str
    place: str = ""
    leader: str = ""
    words = {
        "en": ("in battle {habit} [at {place}] [under {leader}]",),
        "fr": ("en bataille {habit} [à {place}] [sous {leader}]",),
    }
    slots = {"habit": Name("battle_habit"), **_WHERE}
    example = {"en": "in battle keep the guard back", "fr": "en bataille garder la garde en réserve"}
    about = ("habit", "place", "leader")


class IntoCity(Order, frozen=True):
    """7.5.1.1: behind the walls, perhaps only against such odds in corps; `field` stays outside."""

    what: str = "city"
    place: str = ""
    odds: str = ""
    words = {
        "en": ("defenders {what} [at {place}] [against odds {odds}]",),
        "fr": ("défenseurs {what} [à {place}] [contre rapport {odds}]",),
    }
    slots = {"what": Name("shelter"), "place": Name("area", role="at"), "odds": Name("odds")}
    example = {
        "en": "defenders into the city at Ulm against odds 2-1",
        "fr": "défenseurs dans la ville à Ulm contre rapport 2-1",
    }
    about = ("place", "odds")


class HorseAway(Order, frozen=True):
    """10.1.2.2.3: cossacks and freikorps that are attacked alone ride away, or stand."""

    what: str
    areas: tuple[str, ...] = ()
    words = {
        "en": ("light horse {what} [to {areas}]",),
        "fr": ("cavalerie légère {what} [vers {areas}]",),
    }
    slots = {"what": Name("horse_habit"), "areas": Names("area", role="to")}
    example = {"en": "light horse rides away to Brno", "fr": "cavalerie légère s'éloigne vers Brno"}


class Storm(Order, frozen=True):
    """7.5.4.1: a besieger tries an assault, from such odds of factors on."""

    odds: str
    place: str = ""
    words = {"en": ("storm from odds {odds} [at {place}]",), "fr": ("assaut dès rapport {odds} [à {place}]",)}
    slots = {"odds": Name("odds"), "place": Name("area", role="at")}
    example = {"en": "storm from odds 3-1 at Ulm", "fr": "assaut dès rapport 3-1 à Ulm"}
    about = ("place",)


class Sortie(Order, frozen=True):
    """7.5.4.2.1: a garrison of at least so many factors makes a sortie when the die offers one."""

    factors: int
    place: str = ""
    words = {
        "en": ("sortie with at least {factors} factors [at {place}]",),
        "fr": ("sortie avec au moins {factors} facteurs [à {place}]",),
    }
    slots = {"factors": Number(1, 40), "place": Name("area", role="at")}
    example = {"en": "sortie with at least 4 factors", "fr": "sortie avec au moins 4 facteurs"}
    about = ("place",)


class Surrender(Order, frozen=True):
    """7.5.4.1.2: a garrison below so many factors surrenders at a breach; a stronger one fights."""

    factors: int
    place: str = ""
    words = {
        "en": ("surrender below {factors} factors [at {place}]",),
        "fr": ("capituler sous {factors} facteurs [à {place}]",),
    }
    slots = {"factors": Number(0, 40), "place": Name("area", role="at")}
    example = {"en": "surrender below 3 factors", "fr": "capituler sous 3 facteurs"}
    about = ("place",)


class Sally(Order, frozen=True):
    """7.5.4.2: the besieged attack in their own slot, from such odds of factors on; and when relief comes."""

    odds: str
    place: str = ""
    words = {"en": ("sally from odds {odds} [at {place}]",), "fr": ("sortir dès rapport {odds} [à {place}]",)}
    slots = {"odds": Name("odds"), "place": Name("area", role="at")}
    example = {"en": "sally from odds 2-1 at Ulm", "fr": "sortir dès rapport 2-1 à Ulm"}
    about = ("place",)


class SiegeHabit(Order, frozen=True):
    """7.5.4: honours of war asked or not, granted or not; no assault; no sortie; no surrender; no sally."""

    habit: str
    place: str = ""
    words = {"en": ("in sieges {habit} [at {place}]",), "fr": ("aux sièges {habit} [à {place}]",)}
    slots = {"habit": Name("siege_habit"), "place": Name("area", role="at")}
    example = {"en": "in sieges ask for honours", "fr": "aux sièges demander les honneurs"}
    about = ("habit", "place")


BATTLE: tuple[type[Order], ...] = (
    AttackBy,
    DefendBy,
    OutflankWith,
    LoseFirst,
    CommitGuard,
    BringUp,
    StayIf,
    RetreatBy,
    Habit,
)
SIEGE: tuple[type[Order], ...] = (Storm, Sortie, Surrender, Sally, SiegeHabit)
PLAN: tuple[type[Order], ...] = (*BATTLE, IntoCity, HorseAway, *SIEGE)
"""All lines of a plan: they stand, or come with the orders of a month."""
DEFAULTS: tuple[Order, ...] = (
    AttackBy("echelon"),
    DefendBy("defend"),
    IntoCity("city", odds="200"),
    HorseAway("away"),
    Storm("300"),
    Sortie(4),
    Surrender(3),
    SiegeHabit("ask_honours"),
    SiegeHabit("grant_honours"),
)
"""What silence means: with it a beginner can live. Echelon does best against a defence of which nothing is known; an
assault, which the charts punish, is for who has a reason."""
