"""The orders of reactions, of the interphase and of the peace."""

from __future__ import annotations

from pbem.kernel.order import Name, Names, Number, Order


class Intercept(Order, frozen=True):
    """10.3: a force intercepts, paying with a card; units may stay behind, or a second army of the zone come along;
    a second card may help the die.
    """

    force: str
    card: str
    help: str = ""
    stay: tuple[str, ...] = ()
    also: str = ""
    words = {
        "en": ("intercept with {force} using {card} [and {help}] [together with {also}] [leaving {stay}]",),
        "fr": (
            "intercepter avec {force} par {card} [et {help}] [ensemble avec {also}] [en laissant {stay}]",
        ),
    }
    slots = {
        "force": Name("force", own=True),
        "card": Name("card"),
        "help": Name("card"),
        "stay": Names("piece", own=True),
        "also": Name("general"),
    }
    example = {"en": "intercept with Massena using 2F", "fr": "intercepter avec Masséna par 2F"}


class LetPass(Order, frozen=True):
    """10.3.1: no interception."""

    words = {"en": ("let pass", "no interception"), "fr": ("laisser passer", "pas d'interception")}
    example = {"en": "let pass", "fr": "laisser passer"}


class Stand(Order, frozen=True):
    """10.4: stay and fight."""

    words = {"en": ("stay", "stand"), "fr": ("rester", "tenir")}
    example = {"en": "stay", "fr": "rester"}


class IntoFortress(Order, frozen=True):
    """10.4.2: go into the fortress of the zone; with names, only those units (10.4.6)."""

    units: tuple[str, ...] = ()
    words = {
        "en": ("into fortress [with {units}]",),
        "fr": ("dans la forteresse [avec {units}]",),
    }
    slots = {"units": Names("piece", own=True)}
    example = {"en": "into fortress", "fr": "dans la forteresse"}


class Evade(Order, frozen=True):
    """10.4: try to evade to the first of these zones that is open; a card may help."""

    zones: tuple[str, ...] = ()
    help: str = ""
    words = {"en": ("evade [to {zones}] [using {help}]",), "fr": ("esquiver [vers {zones}] [par {help}]",)}
    slots = {"zones": Names("zone"), "help": Name("card")}
    example = {"en": "evade to Vienne, Salzbourg", "fr": "esquiver vers Vienne"}


class CounterMarch(Order, frozen=True):
    """12.2: adjacent generals march to the battle, with these units alone where some are named; a card may spare
    one the die.
    """

    forces: tuple[str, ...]
    card: str = ""
    units: tuple[str, ...] = ()
    words = {
        "en": ("countermarch {forces} [with {units}] [using {card}]",),
        "fr": ("contremarche {forces} [avec {units}] [par {card}]",),
    }
    slots = {"forces": Names("force", own=True), "card": Name("card"), "units": Names("piece", own=True)}
    example = {"en": "countermarch Jean", "fr": "contremarche Jean"}


class AgainstEvasion(Order, frozen=True):
    """10.4: D3: a card when the enemy tries to evade, or only when that force does; it may stand."""

    card: str
    force: str = ""
    words = {
        "en": ("against evasion {card} [of {force}]",),
        "fr": ("contre l'esquive {card} [de {force}]",),
    }
    slots = {"card": Name("card"), "force": Name("force")}
    example = {"en": "against evasion 3F of Mack", "fr": "contre l'esquive 3F de Mack"}
    about = ("card", "force")


class AgainstInterception(Order, frozen=True):
    """10.3: a card when the enemy tries to intercept, or only when that force does; it may stand."""

    card: str
    force: str = ""
    words = {
        "en": ("against interception {card} [of {force}]",),
        "fr": ("contre l'interception {card} [de {force}]",),
    }
    slots = {"card": Name("card"), "force": Name("force")}
    example = {"en": "against interception 47F", "fr": "contre l'interception 47F"}
    about = ("card", "force")


class OnEntry(Order, frozen=True):
    """6F: a card when the activated force enters a zone with an enemy, whether or not he would evade."""

    card: str
    force: str = ""
    words = {"en": ("on entry {card} [against {force}]",), "fr": ("à l'entrée {card} [contre {force}]",)}
    slots = {"card": Name("card"), "force": Name("force")}
    example = {"en": "on entry 6F", "fr": "à l'entrée 6F"}


class Choose(Order, frozen=True):
    """7.3: what the owner chooses when an event leaves the choice to him."""

    pieces: tuple[str, ...]
    words = {"en": ("choose {pieces}",), "fr": ("choisir {pieces}",)}
    slots = {"pieces": Names("event_piece")}
    example = {"en": "choose VII CORPS Russie", "fr": "choisir VII CORPS Russie"}


class Helped(Order, frozen=True):
    """7.3: a card that helps the next siege die of this activation; it may stand, for dice out of one's letter."""

    card: str
    words = {"en": ("siege card {card}",), "fr": ("carte de siège {card}",)}
    slots = {"card": Name("card")}
    example = {"en": "siege card 21F", "fr": "carte de siège 21F"}


class Done(Order, frozen=True):
    """Nothing (more)."""

    words = {"en": ("nothing", "done"), "fr": ("rien", "fini")}
    example = {"en": "nothing", "fr": "rien"}


class FleetReply(Order, frozen=True):
    """15.4, 15.5, 15.6: what fleets do when a squadron comes: intercept, evade, sortie, or nothing."""

    what: str
    fleets: tuple[str, ...] = ()
    to: str = ""
    words = {
        "en": ("fleets {what} [with {fleets}] [to {to}]",),
        "fr": ("flottes {what} [avec {fleets}] [vers {to}]",),
    }
    slots = {"what": Name("fleet_reply"), "fleets": Names("fleet", own=True), "to": Name("place")}
    example = {"en": "fleets intercept", "fr": "flottes interceptent"}


class SpendOn(Order, frozen=True):
    """11.4: in a test out of one's own activation: spend a depot, or a card that cancels the test."""

    what: str
    words = {"en": ("test with {what}",), "fr": ("test avec {what}",)}
    slots = {"what": Name("test_help")}
    example = {"en": "test with depot", "fr": "test avec dépôt"}


class Declare(Order, frozen=True):
    """6.1: declare war."""

    country: str
    words = {"en": ("declare war on {country}",), "fr": ("déclarer la guerre à {country}",)}
    slots = {"country": Name("country")}
    example = {"en": "declare war on Hanse", "fr": "déclarer la guerre à Hanse"}
    about = ("country",)


class Discard(Order, frozen=True):
    """6.2.1: cards to discard."""

    cards: tuple[str, ...]
    words = {"en": ("discard {cards}",), "fr": ("défausser {cards}",)}
    slots = {"cards": Names("card")}
    example = {"en": "discard 10F, 12F", "fr": "défausser 10F, 12F"}


class Build(Order, frozen=True):
    """6.3.4, 6.3.6: build a unit of the pool, with so many steps (all unless said), at a place or with a general."""

    unit: str
    at: str
    steps: int = 0
    words = {
        "en": ("build {unit} at {at} [with {steps} steps]",),
        "fr": ("construire {unit} à {at} [avec {steps} pas]",),
    }
    slots = {"unit": Name("piece", own=True), "at": Name("site"), "steps": Number(1, 9)}
    example = {"en": "build V CORPS France at Paris", "fr": "construire V CORPS France à Paris"}


class Restore(Order, frozen=True):
    """6.3.4: restore a reduced unit."""

    unit: str
    words = {"en": ("restore {unit}",), "fr": ("recompléter {unit}",)}
    slots = {"unit": Name("piece", own=True)}
    example = {"en": "restore GARDE France", "fr": "recompléter GARDE France"}


class BuyDepot(Order, frozen=True):
    """6.3.9: a mobile depot for an army, or for a force on a reinforcement zone."""

    force: str
    words = {"en": ("depot for {force}",), "fr": ("dépôt pour {force}",)}
    slots = {"force": Name("force", own=True)}
    example = {"en": "depot for Napoléon", "fr": "dépôt pour Napoléon"}


class CreateArmy(Order, frozen=True):
    """6.3.8: give a force an army marker; with a general of the reserve where it has none."""

    force: str
    general: str = ""
    words = {
        "en": ("army for {force} [under {general}]",),
        "fr": ("armée pour {force} [sous {general}]",),
    }
    slots = {"force": Name("force", own=True), "general": Name("general")}
    example = {"en": "army for Charles", "fr": "armée pour Charles"}


class Assign(Order, frozen=True):
    """6.3.10: a general of the reserve joins units."""

    general: str
    at: str
    words = {"en": ("general {general} at {at}",), "fr": ("général {general} à {at}",)}
    slots = {"general": Name("general"), "at": Name("site")}
    example = {"en": "general Soult at Lille", "fr": "général Soult à Lille"}


class BuildFleet(Order, frozen=True):
    """6.3.5: build a fleet at a home port; Angleterre may have one free."""

    fleet: str
    port: str
    words = {"en": ("fleet {fleet} at {port}",), "fr": ("flotte {fleet} à {port}",)}
    slots = {"fleet": Name("fleet", own=True), "port": Name("zone")}
    example = {"en": "fleet Gambier at Londres", "fr": "flotte Gambier à Londres"}


class BuySpecial(Order, frozen=True):
    """2.2.5: rebuild a special unit in an army."""

    unit: str
    army: str
    words = {"en": ("rebuild {unit} with {army}",), "fr": ("reconstituer {unit} avec {army}",)}
    slots = {"unit": Name("piece", own=True), "army": Name("general")}
    example = {"en": "rebuild Uxbridge with Wellington", "fr": "reconstituer Uxbridge avec Wellington"}


class Send(Order, frozen=True):
    """6.3.3: resources for an ally."""

    amount: int
    giver: str
    taker: str
    words = {
        "en": ("send {amount} from {giver} to {taker}",),
        "fr": ("envoyer {amount} de {giver} à {taker}",),
    }
    slots = {"amount": Number(1, 99), "giver": Name("country"), "taker": Name("country")}
    example = {"en": "send 4 from Angleterre to Autriche", "fr": "envoyer 4 de Angleterre à Autriche"}


class BuyCard(Order, frozen=True):
    """6.3.5: an English card: instead of the free fleet, or for 4 resources."""

    how: str
    words = {"en": ("card {how}",), "fr": ("carte {how}",)}
    slots = {"how": Name("card_how")}
    example = {"en": "card instead of fleet", "fr": "carte au lieu de flotte"}


class Spoils(Order, frozen=True):
    """6.2.6, 16.5.6: 4 resources instead of a card for a beaten power."""

    words = {"en": ("spoils as resources",), "fr": ("butin en ressources",)}
    example = {"en": "spoils as resources", "fr": "butin en ressources"}


class Withdraw(Order, frozen=True):
    """6.3.11: take counters off the map."""

    pieces: tuple[str, ...]
    words = {"en": ("withdraw {pieces}",), "fr": ("retirer {pieces}",)}
    slots = {"pieces": Names("any_piece", own=True)}
    example = {"en": "withdraw Mack", "fr": "retirer Mack"}


class DropDepot(Order, frozen=True):
    """6.3.11: take a depot off the map, of a force or one that stands fixed in a zone."""

    at: str
    words = {"en": ("give up depot at {at}",), "fr": ("abandonner le dépôt à {at}",)}
    slots = {"at": Name("site")}
    example = {"en": "give up depot at Ulm", "fr": "abandonner le dépôt à Ulm"}


class Redeploy(Order, frozen=True):
    """6.5, 6.6: a force moves before the rounds, takes up units on its way, leaves some behind; at its goal it
    joins whom it finds."""

    force: str
    path: tuple[str, ...]
    take: tuple[str, ...] = ()
    leave: tuple[str, ...] = ()
    words = {
        "en": ("redeploy {force} to {path} [taking {take}] [leaving {leave}]",),
        "fr": ("redéployer {force} vers {path} [en prenant {take}] [en laissant {leave}]",),
    }
    slots = {
        "force": Name("force", own=True),
        "path": Names("zone"),
        "take": Names("piece", own=True),
        "leave": Names("piece", own=True),
    }
    example = {"en": "redeploy Castanos to Leon", "fr": "redéployer Castanos vers Léon"}


class MoveFleet(Order, frozen=True):
    """6.5.2: a neutral's fleet moves to a home port or the sea beside one."""

    fleet: str
    to: str
    words = {"en": ("station {fleet} at {to}",), "fr": ("poster {fleet} à {to}",)}
    slots = {"fleet": Name("fleet", own=True), "to": Name("place")}
    example = {"en": "station Kapudan Pacha at Smyrne", "fr": "poster Kapudan Pacha à Smyrne"}


class Station(Order, frozen=True):
    """18: a piece of the set-up, with its force, at another place that the scenario allows."""

    piece: str
    to: str
    words = {"en": ("place {piece} at {to}",), "fr": ("placer {piece} à {to}",)}
    slots = {"piece": Name("any_piece", own=True), "to": Name("place")}
    example = {"en": "place corps Baviere at Munich", "fr": "placer corps Baviere à Munich"}


class Instead(Order, frozen=True):
    """18: another general of the reserve in the set-up."""

    new: str
    old: str
    words = {"en": ("{new} instead of {old}",), "fr": ("{new} au lieu de {old}",)}
    slots = {"new": Name("general"), "old": Name("general")}
    example = {"en": "Cathcart instead of Moore", "fr": "Cathcart au lieu de Moore"}


class SendAbroad(Order, frozen=True):
    """7.4.2: the units that a foreign war takes."""

    pieces: tuple[str, ...]
    words = {"en": ("send abroad {pieces}",), "fr": ("envoyer au loin {pieces}",)}
    slots = {"pieces": Names("any_piece", own=True)}
    example = {"en": "send abroad VII CORPS Russie", "fr": "envoyer au loin VII CORPS Russie"}


class LoseFleets(Order, frozen=True):
    """15.10.2: the fleets that are lost."""

    fleets: tuple[str, ...]
    words = {"en": ("lose fleets {fleets}",), "fr": ("perdre les flottes {fleets}",)}
    slots = {"fleets": Names("fleet", own=True)}
    example = {"en": "lose fleets Keith", "fr": "perdre les flottes Keith"}


class AtOdds(Order, frozen=True):
    """9.1.4: where a broken alliance leaves both sides in a zone: into the fortress, away, or a battle."""

    zone: str
    how: str
    to: str = ""
    words = {"en": ("at {zone} {how} [to {to}]",), "fr": ("à {zone} {how} [vers {to}]",)}
    slots = {"zone": Name("zone"), "how": Name("odds_how"), "to": Name("zone")}
    example = {"en": "at Vienne leave to Ulm", "fr": "à Vienne partir vers Ulm"}


class FreeTalk(Order, frozen=True):
    """9.1.3e: one of the attempts that a broken peace gives, without a card."""

    country: str
    words = {"en": ("free talks with {country}",), "fr": ("pourparlers gratuits avec {country}",)}
    slots = {"country": Name("country")}
    example = {"en": "free talks with Prussia", "fr": "pourparlers gratuits avec Prusse"}


class LiftDepot(Order, frozen=True):
    """6.6.6: before the rounds a fixed depot becomes mobile again, with the force that stands there."""

    force: str
    words = {"en": ("lift depot with {force}",), "fr": ("lever le dépôt avec {force}",)}
    slots = {"force": Name("force", own=True)}
    example = {"en": "lift depot with Napoléon", "fr": "lever le dépôt avec Napoléon"}


class Refuse(Order, frozen=True):
    """16.4.2: Tambours de guerre: the power fights on."""

    power: str
    words = {"en": ("refuse peace for {power}",), "fr": ("refuser la paix pour {power}",)}
    slots = {"power": Name("country")}
    example = {"en": "refuse peace for Autriche", "fr": "refuser la paix pour Autriche"}
    about = ("power",)


class Tilsit(Order, frozen=True):
    """16.4.2: a peace without conquest (26F)."""

    power: str
    words = {"en": ("Tilsit with {power}",), "fr": ("Tilsit avec {power}",)}
    slots = {"power": Name("country")}
    example = {"en": "Tilsit with Russie", "fr": "Tilsit avec Russie"}
    about = ("power",)


class Annex(Order, frozen=True):
    """16.5: a province of the loser, and who gets it."""

    province: str
    to: str
    words = {"en": ("annex {province} to {to}",), "fr": ("annexer {province} à {to}",)}
    slots = {"province": Name("province"), "to": Name("country")}
    example = {"en": "annex Tyrol to Bavière", "fr": "annexer Tyrol à Bavière"}
    about = ("province",)


class ClaimMinor(Order, frozen=True):
    """16.5.3, 16.3.4: a minor, as an ally or annexed."""

    country: str
    fate: str = "ally"
    words = {"en": ("{country} becomes {fate}",), "fr": ("{country} devient {fate}",)}
    slots = {"country": Name("country"), "fate": Name("fate")}
    example = {"en": "Thuringe becomes ally", "fr": "Thuringe devient allié"}
    about = ("country",)


class GoHome(Order, frozen=True):
    """16.6.1: the conqueror's units leave, or those of some forces, to this zone where several are as near;
    without it they stay."""

    to: str = ""
    forces: tuple[str, ...] = ()
    words = {
        "en": ("leave the country [for {to}] [with {forces}]",),
        "fr": ("quitter le pays [pour {to}] [avec {forces}]",),
    }
    slots = {"to": Name("zone"), "forces": Names("force", own=True)}
    example = {"en": "leave the country", "fr": "quitter le pays"}


class ForceAlliance(Order, frozen=True):
    """9.1.4: impose a forced alliance, discarding a card."""

    card: str
    words = {"en": ("forced alliance using {card}",), "fr": ("alliance forcée par {card}",)}
    slots = {"card": Name("card")}
    example = {"en": "forced alliance using 12F", "fr": "alliance forcée par 12F"}


REACTIONS: tuple[type[Order], ...] = (
    Intercept,
    LetPass,
    Stand,
    IntoFortress,
    Evade,
    CounterMarch,
    AgainstEvasion,
    AgainstInterception,
    OnEntry,
    Choose,
    Helped,
    Done,
    FleetReply,
    LoseFleets,
    SendAbroad,
    AtOdds,
    SpendOn,
)
BUDGET: tuple[type[Order], ...] = (
    Build,
    Restore,
    BuyDepot,
    CreateArmy,
    Assign,
    BuildFleet,
    BuySpecial,
    Send,
    BuyCard,
    Withdraw,
    DropDepot,
    Done,
)
INTERPHASE: tuple[type[Order], ...] = (
    Station,
    Instead,
    Declare,
    Discard,
    *BUDGET,
    FreeTalk,
    Redeploy,
    MoveFleet,
    LiftDepot,
)
PEACE_TERMS: tuple[type[Order], ...] = (Refuse, Tilsit, Annex, ClaimMinor, Spoils, GoHome, ForceAlliance)
