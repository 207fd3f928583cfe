"""The orders that a player can write for a month, and their words. Those of battles and sieges stand with these.

A month is one letter: reinforcements, depots, marches with what is left and taken on the way, supply, sieges; they are
carried out in the order of the rules, and within a phase as they are written.
"""

from __future__ import annotations

from pbem.games.eia import battle_orders
from pbem.games.eia.battle_orders import PLAN
from pbem.kernel.order import Name, Names, Number, Order


class Post(Order, frozen=True):
    """13.1.1: set-up: a corps at a place, with its factors."""

    corps: str
    area: str
    infantry: int = 0
    militia: int = 0
    cavalry: int = 0
    guard: int = 0
    artillery: int = 0
    words = {
        "en": (
            "post {corps} at {area} [{infantry} infantry] [{militia} militia] [{cavalry} cavalry] [{guard} guard] "
            "[{artillery} artillery]",
        ),
        "fr": (
            "poster {corps} à {area} [{infantry} infanterie] [{militia} milice] [{cavalry} cavalerie] [{guard} garde] "
            "[{artillery} artillerie]",
        ),
    }
    slots = {
        "corps": Name("corps", own=True),
        "area": Name("area", role="at"),
        "infantry": Number(0, 40),
        "militia": Number(0, 40),
        "cavalry": Number(0, 20),
        "guard": Number(0, 20),
        "artillery": Number(0, 20),
    }
    example = {
        "en": "post French III Corps at Mainz 12 infantry 1 cavalry",
        "fr": "poster III Corps français à Mayence 12 infanterie 1 cavalerie",
    }

    @property
    def bag(self) -> dict[str, int]:
        """Its factors."""
        numbers = (self.infantry, self.militia, self.cavalry, self.guard, self.artillery)
        return {kind: n for kind, n in zip(("I", "M", "C", "Gd", "A"), numbers, strict=True) if n}


class Man(Order, frozen=True):
    """13.1.1.2: set-up: factors as the garrison of a city."""

    area: str
    nation: str
    infantry: int = 0
    militia: int = 0
    words = {
        "en": ("man {area} for {nation} [{infantry} infantry] [{militia} militia]",),
        "fr": ("garnir {area} pour {nation} [{infantry} infanterie] [{militia} milice]",),
    }
    slots = {
        "area": Name("area", role="at"),
        "nation": Name("nation"),
        "infantry": Number(0, 40),
        "militia": Number(0, 40),
    }
    example = {"en": "man Vienna for Austria 4 infantry", "fr": "garnir Vienne pour Autriche 4 infanterie"}


class Attach(Order, frozen=True):
    """5.3, 13.1.1: a leader joins a corps."""

    leader: str
    corps: str
    words = {
        "en": ("leader {leader} with {corps}", "attach {leader} to {corps}", "put {leader} with {corps}"),
        "fr": ("chef {leader} avec {corps}", "attacher {leader} à {corps}", "mettre {leader} avec {corps}"),
    }
    slots = {"leader": Name("leader", role="who"), "corps": Name("corps", own=True, role="with")}
    example = {
        "en": "leader Napoleon with French Guard",
        "fr": "chef Napoléon avec Garde française",
    }


class Recall(Order, frozen=True):
    """5.3: a leader leaves the map, to come back in a later month."""

    leader: str
    words = {"en": ("recall {leader}",), "fr": ("rappeler {leader}",)}
    slots = {"leader": Name("leader")}
    example = {"en": "recall Murat", "fr": "rappeler Murat"}


class Place(Order, frozen=True):
    """5.2.2: reinforcements due now, into a corps or the garrison of a city."""

    number: int
    factor: str
    corps: str = ""
    area: str = ""
    words = {
        "en": ("place {number} {factor} [in {corps}] [at {area}]",),
        "fr": ("placer {number} {factor} [dans {corps}] [à {area}]",),
    }
    slots = {
        "number": Number(1, 40),
        "factor": Name("factor", role="what"),
        "corps": Name("corps", own=True),
        "area": Name("area", role="at"),
    }
    example = {"en": "place 3 infantry at Vienna", "fr": "placer 3 infanterie à Vienne"}


class Raise(Order, frozen=True):
    """5.2.1: a corps counter comes onto the map, and takes factors due now, or of the corps and garrison there."""

    corps: str
    area: str
    words = {"en": ("raise {corps} at {area}",), "fr": ("lever {corps} à {area}",)}
    slots = {"corps": Name("corps", own=True), "area": Name("area", role="at")}
    example = {"en": "raise Austrian V Corps at Vienna", "fr": "lever V Corps autrichien à Vienne"}


class Transfer(Order, frozen=True):
    """5.2.3: factors from one corps to another of its nation in the same area."""

    number: int
    factor: str
    giver: str
    taker: str
    words = {
        "en": ("transfer {number} {factor} from {giver} to {taker}",),
        "fr": ("transférer {number} {factor} de {giver} à {taker}",),
    }
    slots = {
        "number": Number(1, 40),
        "factor": Name("factor", role="what"),
        "giver": Name("corps", own=True, role="from"),
        "taker": Name("corps", own=True, role="to"),
    }
    example = {
        "en": "transfer 2 cavalry from French I Cavalry to French Guard",
        "fr": "transférer 2 cavalerie de I Cavalerie française à Garde française",
    }


class Disband(Order, frozen=True):
    """5.2.4, 10.1.4.2: a corps leaves the map with all its factors."""

    corps: str
    words = {"en": ("disband {corps}",), "fr": ("licencier {corps}",)}
    slots = {"corps": Name("corps", own=True)}
    example = {"en": "disband Austrian V Corps", "fr": "licencier V Corps autrichien"}


class Dismiss(Order, frozen=True):
    """5.2.4: factors of a garrison go home."""

    number: int
    factor: str
    area: str
    to: str = "city"
    words = {
        "en": ("dismiss {number} {factor} at {area} [from {to}]",),
        "fr": ("renvoyer {number} {factor} à {area} [depuis {to}]",),
    }
    slots = {
        "number": Number(1, 40),
        "factor": Name("factor", role="what"),
        "area": Name("area", role="at"),
        "to": Name("post", role="from"),
    }
    example = {"en": "dismiss 2 militia at Ulm", "fr": "renvoyer 2 milice à Ulm"}


class Desertion(Order, frozen=True):
    """13.3.6.C: an Austrian factor is given for two Polish ones."""

    corps: str
    words = {
        "en": ("Polish desertion for a factor of {corps}",),
        "fr": ("désertion polonaise pour un facteur de {corps}",),
    }
    slots = {"corps": Name("corps", own=True)}
    example = {
        "en": "Polish desertion for a factor of Austrian V Corps",
        "fr": "désertion polonaise pour un facteur de V Corps autrichien",
    }


class BuildDepot(Order, frozen=True):
    """7.2: depots at these places, in their order."""

    areas: tuple[str, ...]
    power: str = ""
    words = {
        "en": ("depot at {areas} [for {power}]", "build depot at {areas} [for {power}]"),
        "fr": ("dépôt à {areas} [pour {power}]", "établir dépôt à {areas} [pour {power}]"),
    }
    slots = {"areas": Names("area", role="at"), "power": Name("power", role="for")}
    example = {"en": "depot at Ulm, Augsburg", "fr": "dépôt à Ulm, Augsbourg"}


class LiftDepot(Order, frozen=True):
    """7.2: depots there are taken off the map."""

    areas: tuple[str, ...]
    words = {"en": ("lift depot {areas}",), "fr": ("lever dépôt {areas}",)}
    slots = {"areas": Names("area", role="at")}
    example = {"en": "lift depot Mainz", "fr": "lever dépôt Mayence"}


class Chain(Order, frozen=True):
    """7.2.3: a chain of depots along a way: each month the next that may be built."""

    way: tuple[str, ...]
    power: str = ""
    words = {
        "en": ("chain {way} [for {power}]", "chain of depots {way} [for {power}]"),
        "fr": ("chaîne {way} [pour {power}]", "chaîne de dépôts {way} [pour {power}]"),
    }
    slots = {"way": Names("area", role="via"), "power": Name("power", role="for")}
    example = {"en": "chain Strasbourg, Vienna", "fr": "chaîne Strasbourg, Vienne"}
    about = ("power",)


class Army(Order, frozen=True):
    """A name for several corps, by which later orders, of later months too, call them together."""

    name: str
    corps: tuple[str, ...]
    words = {"en": ("army {name} is {corps}",), "fr": ("armée {name} est {corps}",)}
    slots = {"name": Name("army", role="who"), "corps": Names("corps", own=True, role="what")}
    example = {
        "en": "army Napoleon is French III Corps, French IV Corps, French Guard",
        "fr": "armée Napoléon est III Corps français, IV Corps français, Garde française",
    }


class March(Order, frozen=True):
    """7.3: corps march along areas; where these do not touch, by the cheapest way."""

    who: tuple[str, ...]
    way: tuple[str, ...]
    how: str = ""
    bare = True
    words = {
        "en": (
            "march {who} to {way} [{how}]",
            "move {who} to {way} [{how}]",
            "{who} to {way} [{how}]",
            "{who} > {way} [{how}]",
        ),
        "fr": (
            "marcher {who} vers {way} [{how}]",
            "déplacer {who} vers {way} [{how}]",
            "{who} vers {way} [{how}]",
            "{who} > {way} [{how}]",
        ),
    }
    slots = {
        "who": Names("mover", own=True, role="who"),
        "way": Names("area", role="to"),
        "how": Name("pace"),
    }
    example = {
        "en": "march French III Corps to Stuttgart, Ulm forced",
        "fr": "marcher III Corps français vers Stuttgart, Ulm forcée",
    }


class Toward(Order, frozen=True):
    """7.3: corps march as far towards a place as their points carry them, and no farther than to the enemy."""

    who: tuple[str, ...]
    area: str
    how: str = ""
    words = {
        "en": (
            "head {who} towards {area} [{how}]",
            "{who} towards {area} [{how}]",
            "{who} toward {area} [{how}]",
        ),
        "fr": ("diriger {who} en direction de {area} [{how}]", "{who} en direction de {area} [{how}]"),
    }
    slots = {
        "who": Names("mover", own=True, role="who"),
        "area": Name("area", role="to"),
        "how": Name("pace"),
    }
    example = {
        "en": "head French III Corps towards Vienna",
        "fr": "diriger III Corps français en direction de Vienne",
    }


class Detach(Order, frozen=True):
    """7.3.3: a corps leaves factors in a city, or on a depot; where an enemy bars it, after the battle (7.5.1.3)."""

    number: int
    factor: str
    corps: str
    area: str = ""
    to: str = "city"
    words = {
        "en": (
            "detach {number} {factor} from {corps} [at {area}] [on {to}]",
            "leave {number} {factor} of {corps} [at {area}] [on {to}]",
            "garrison {area} with {number} {factor} of {corps}",
            "garrison {area} with {number} {factor} from {corps}",
        ),
        "fr": (
            "détacher {number} {factor} de {corps} [à {area}] [sur {to}]",
            "laisser {number} {factor} de {corps} [à {area}] [sur {to}]",
            "garnir {area} avec {number} {factor} de {corps}",
        ),
    }
    slots = {
        "number": Number(1, 40),
        "factor": Name("factor", role="what"),
        "corps": Name("corps", own=True, role="from"),
        "area": Name("area", role="at"),
        "to": Name("post"),
    }
    example = {
        "en": "detach 2 infantry from French III Corps at Ulm",
        "fr": "détacher 2 infanterie de III Corps français à Ulm",
    }


class Absorb(Order, frozen=True):
    """7.3.3: a corps takes factors of a garrison with it."""

    number: int
    factor: str
    corps: str
    area: str = ""
    to: str = "city"
    words = {
        "en": ("absorb {number} {factor} into {corps} [at {area}] [from {to}]",),
        "fr": ("absorber {number} {factor} dans {corps} [à {area}] [depuis {to}]",),
    }
    slots = {
        "number": Number(1, 40),
        "factor": Name("factor", role="what"),
        "corps": Name("corps", own=True, role="to"),
        "area": Name("area", role="at"),
        "to": Name("post", role="from"),
    }
    example = {
        "en": "absorb 2 infantry into French III Corps at Ulm",
        "fr": "absorber 2 infanterie dans III Corps français à Ulm",
    }


class Enter(Order, frozen=True):
    """7.3.3.3.1: corps go into the city of their area, at the end of their march or after the battle."""

    corps: tuple[str, ...]
    words = {"en": ("enter city with {corps}",), "fr": ("entrer en ville avec {corps}",)}
    slots = {"corps": Names("corps", own=True, role="with")}
    example = {"en": "enter city with French III Corps", "fr": "entrer en ville avec III Corps français"}


class CallUp(Order, frozen=True):
    """10.1.5: the Tyrol corps rises."""

    corps: str
    area: str
    words = {"en": ("call up {corps} at {area}",), "fr": ("appeler {corps} à {area}",)}
    slots = {"corps": Name("corps", own=True), "area": Name("area", role="at")}
    example = {"en": "call up Tyrol Corps at Innsbruck", "fr": "appeler Corps du Tyrol à Innsbruck"}


class Besiege(Order, frozen=True):
    """7.5.4: the cities there are besieged by whoever stands there; said before the first forage die (7.3.7.1)."""

    areas: tuple[str, ...]
    words = {"en": ("besiege {areas}", "siege of {areas}"), "fr": ("assiéger {areas}", "siège de {areas}")}
    slots = {"areas": Names("area", role="at")}
    example = {"en": "besiege Ulm", "fr": "assiéger Ulm"}


class Lift(Order, frozen=True):
    """7.5.4: sieges are given up."""

    areas: tuple[str, ...]
    words = {"en": ("lift siege of {areas}",), "fr": ("abandonner siège de {areas}",)}
    slots = {"areas": Names("area", role="at")}
    example = {"en": "lift siege of Ulm", "fr": "abandonner siège d'Ulm"}


class Forage(Order, frozen=True):
    """7.4.1: corps live off the land, though a depot could feed them; all, where none is named."""

    who: tuple[str, ...] = ()
    words = {"en": ("forage [with {who}]",), "fr": ("fourrager [avec {who}]",)}
    slots = {"who": Names("mover", own=True, role="with")}
    example = {"en": "forage with French III Corps", "fr": "fourrager avec III Corps français"}


class Pay(Order, frozen=True):
    """7.4.2: corps are fed by depots, in this order before the others; all that are not to forage, where none is named.

    `points` is the most that is spent on supply.
    """

    who: tuple[str, ...] = ()
    points: int = 0
    words = {
        "en": ("pay supply [for {who}] [up to {points} points]",),
        "fr": ("payer ravitaillement [pour {who}] [jusqu'à {points} points]",),
    }
    slots = {"who": Names("mover", own=True, role="for"), "points": Number(0, 99)}
    example = {
        "en": "pay supply for French Guard, French III Corps up to 6 points",
        "fr": "payer ravitaillement pour Garde française, III Corps français jusqu'à 6 points",
    }


class Lend(Order, frozen=True):
    """7.4.2.2: an ally's corps may be fed by one's own depots, at one's own expense, up to so many points."""

    power: str
    points: int
    words = {
        "en": ("let {power} use depots up to {points} points",),
        "fr": ("laisser {power} user des dépôts jusqu'à {points} points",),
    }
    slots = {"power": Name("power", role="who"), "points": Number(1, 99)}
    example = {
        "en": "let Russia use depots up to 3 points",
        "fr": "laisser Russie user des dépôts jusqu'à 3 points",
    }


class FightFirst(Order, frozen=True):
    """7.5.1.3: the order in which battles are fought, and cities attacked."""

    areas: tuple[str, ...]
    words = {"en": ("fight first at {areas}",), "fr": ("combattre d'abord à {areas}",)}
    slots = {"areas": Names("area", role="at")}
    example = {"en": "fight first at Ulm, Linz", "fr": "combattre d'abord à Ulm, Linz"}


class AsLastMonth(Order, frozen=True):
    """The orders of the month before, here once more: marches go on towards their ends."""

    words = {"en": ("as last month",), "fr": ("comme le mois dernier",)}
    example = {"en": "as last month", "fr": "comme le mois dernier"}


class Nothing(Order, frozen=True):
    """No order: corps stay and are fed, reinforcements go where they are due."""

    words = {"en": ("no orders", "hold"), "fr": ("aucun ordre", "tenir")}
    example = {"en": "no orders", "fr": "aucun ordre"}


class Ready(Order, frozen=True):
    """Set-up as the template says."""

    words = {"en": ("as listed",), "fr": ("comme indiqué",)}
    example = {"en": "as listed", "fr": "comme indiqué"}


class KeepPlan(Order, frozen=True):
    """An answer and a standing order: the orders of the month hold, whatever the enemy did before."""

    words = {"en": ("keep plan",), "fr": ("garder le plan",)}
    example = {"en": "keep plan", "fr": "garder le plan"}


class BurnDepot(Order, frozen=True):
    """7.3.6.2: an answer and a standing order: the depot is burnt when the enemy comes; everywhere, without a name."""

    area: str = ""
    words = {"en": ("burn depot [at {area}]",), "fr": ("brûler dépôt [à {area}]",)}
    slots = {"area": Name("area", role="at")}
    example = {"en": "burn depot at Ulm", "fr": "brûler dépôt à Ulm"}
    about = ("area",)


class GuardDepot(Order, frozen=True):
    """7.3.6.2: an answer and a standing order: the depot is held by its garrison."""

    area: str = ""
    words = {"en": ("hold depot [at {area}]",), "fr": ("tenir dépôt [à {area}]",)}
    slots = {"area": Name("area", role="at")}
    example = {"en": "hold depot at Ulm", "fr": "tenir dépôt à Ulm"}
    about = ("area",)


class Rise(Order, frozen=True):
    """10.1.4.1: an answer and a standing order: insurrection corps appear where the enemy comes, or at a place."""

    number: int = 2
    area: str = ""
    words = {
        "en": ("insurrection {number} corps [at {area}]",),
        "fr": ("insurrection {number} corps [à {area}]",),
    }
    slots = {"number": Number(1, 2), "area": Name("area", role="at")}
    example = {"en": "insurrection 2 corps at Pressburg", "fr": "insurrection 2 corps à Presbourg"}


class StayHome(Order, frozen=True):
    """10.1.4.1: an answer and a standing order: no insurrection corps appears."""

    words = {"en": ("no insurrection",), "fr": ("pas d'insurrection",)}
    example = {"en": "no insurrection", "fr": "pas d'insurrection"}


class ForageOrder(Order, frozen=True):
    """7.4.1.3: which factors are lost first for want of bread."""

    factors: tuple[str, ...]
    words = {"en": ("hunger takes {factors}",), "fr": ("la faim prend {factors}",)}
    slots = {"factors": Names("factor", role="what")}
    example = {"en": "hunger takes militia, infantry", "fr": "la faim prend milice, infanterie"}


class JoinWar(Order, frozen=True):
    """7.3.8.3: an answer and a standing order: war on whoever attacks an ally beside one's own forces."""

    words = {"en": ("join the defence",), "fr": ("se joindre à la défense",)}
    example = {"en": "join the defence", "fr": "se joindre à la défense"}


class StayOut(Order, frozen=True):
    """7.3.8.3: an answer and a standing order: no war for an attacked ally."""

    words = {"en": ("stay out of the fight",), "fr": ("rester hors du combat",)}
    example = {"en": "stay out of the fight", "fr": "rester hors du combat"}


class LeaveTo(Order, frozen=True):
    """7.3.8.4: where neutral forces go that must leave an area."""

    area: str
    words = {"en": ("give way to {area}",), "fr": ("céder la place vers {area}",)}
    slots = {"area": Name("area", role="to")}
    example = {"en": "give way to Linz", "fr": "céder la place vers Linz"}


SETUP: tuple[type[Order], ...] = (Post, Man, Attach, BuildDepot, Ready)
REINFORCE: tuple[type[Order], ...] = (Place, Raise, Transfer, Attach, Recall, Disband, Dismiss, Desertion)
DEPOTS: tuple[type[Order], ...] = (BuildDepot, LiftDepot, Chain)
MOVES: tuple[type[Order], ...] = (March, Toward, Detach, Absorb, Enter, CallUp)
INTENTS: tuple[type[Order], ...] = (Besiege, Lift, Forage, Pay, Lend, FightFirst, ForageOrder, Army)
MONTH: tuple[type[Order], ...] = (*REINFORCE, *DEPOTS, *MOVES, *INTENTS, *PLAN, AsLastMonth, Nothing)
STANDING: tuple[type[Order], ...] = (
    KeepPlan,
    BurnDepot,
    GuardDepot,
    Rise,
    StayHome,
    JoinWar,
    StayOut,
    LeaveTo,
    *PLAN,
)
DEFAULTS: tuple[Order, ...] = (KeepPlan(), BurnDepot(), Rise(2), *battle_orders.DEFAULTS)
ORDERS: tuple[type[Order], ...] = tuple(dict.fromkeys((*SETUP, *MONTH, *STANDING)))
