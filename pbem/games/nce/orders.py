"""The orders that a player can write, and their words.

A force is called by its general, or by its unit. A round's letter begins with the action (`play 4F`, `no card`,
`event 1F …`), then come activations, each with its steps in order.
"""

from __future__ import annotations

from pbem.kernel.order import Name, Names, Number, Order


class Play(Order, frozen=True):
    """8.1.1: play a card for its activation points."""

    card: str
    bare = True
    opens = True
    words = {"en": ("play {card}", "card {card}"), "fr": ("jouer {card}", "carte {card}")}
    slots = {"card": Name("card")}
    example = {"en": "play 4F", "fr": "jouer 4F"}


class PlayEvent(Order, frozen=True):
    """8.1.2: play a card as event, with the choices that it leaves."""

    card: str
    option: str = ""
    country: str = ""
    force: str = ""
    other: str = ""
    to: str = ""
    zones: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    opens = True
    words = {
        "en": (
            "event {card} [option {option}] [country {country}] [force {force}] [and {other}] [to {to}] "
            "[zones {zones}] [units {units}]",
            "event {card} [option {option}] [country {country}] [units {units}] [zones {zones}] [force {force}] "
            "[and {other}] [to {to}]",
        ),
        "fr": (
            "événement {card} [option {option}] [pays {country}] [force {force}] [et {other}] [vers {to}] "
            "[zones {zones}] [unités {units}]",
            "événement {card} [option {option}] [pays {country}] [unités {units}] [zones {zones}] [force {force}] "
            "[et {other}] [vers {to}]",
        ),
    }
    slots = {
        "card": Name("card"),
        "option": Name("option"),
        "country": Name("country"),
        "force": Name("force"),
        "other": Name("force"),
        "to": Name("zone"),
        "zones": Names("place"),
        "units": Names("event_piece"),
    }
    example = {"en": "event 1F option b", "fr": "événement 1F option b"}


class NoCard(Order, frozen=True):
    """8.1.3, 8.1.4: one point without a card; what is not spent goes to the reserve."""

    opens = True
    words = {
        "en": ("no card", "one point", "reserve"),
        "fr": ("sans carte", "un point", "réserve"),
    }
    example = {"en": "no card", "fr": "sans carte"}


class PassTurn(Order, frozen=True):
    """8.1.6: nothing."""

    words = {"en": ("pass",), "fr": ("passer",)}
    example = {"en": "pass", "fr": "passer"}


class Negotiate(Order, frozen=True):
    """9.2: a diplomatic action on a country, with a card."""

    country: str
    card: str
    zones: tuple[str, ...] = ()
    """9.2.8: where its forces, and those it brings along, shall stand if it joins."""
    words = {
        "en": (
            "negotiate with {country} using {card} [deploying at {zones}]",
            "diplomacy {country} {card} [deploying at {zones}]",
        ),
        "fr": (
            "négocier avec {country} par {card} [en déployant à {zones}]",
            "diplomatie {country} {card} [en déployant à {zones}]",
        ),
    }
    slots = {
        "country": Name("country", role="what"),
        "card": Name("card", role="with"),
        "zones": Names("zone"),
    }
    example = {"en": "negotiate with Prusse using 5F", "fr": "négocier avec Prusse par 5F"}


class Protect(Order, frozen=True):
    """9.1.5: make an allied minor a protectorate, discarding a card."""

    country: str
    card: str
    words = {
        "en": ("protectorate {country} using {card}",),
        "fr": ("protectorat {country} par {card}",),
    }
    slots = {"country": Name("country"), "card": Name("card")}
    example = {"en": "protectorate Naples using 5F", "fr": "protectorat Naples par 5F"}


class EndWar(Order, frozen=True):
    """7.4.3: try to end a foreign war with a card of any value."""

    war: str
    card: str
    words = {
        "en": ("end war {war} using {card}",),
        "fr": ("finir la guerre {war} par {card}",),
    }
    slots = {"war": Name("card"), "card": Name("card")}
    example = {"en": "end war 4F using 7C", "fr": "finir la guerre 4F par 7C"}


class Activate(Order, frozen=True):
    """8.3, 10.2: activate a force, with a forced march of up to three points; a subordinate with units of his army;
    an army with the general of another army beside it (8.3.2).
    """

    force: str
    march: int = 0
    units: tuple[str, ...] = ()
    words = {
        "en": (
            "activate {force} [forced march {march}] [with {units}]",
            "activate {force} [march {march}] [with {units}]",
            "activate {force} with {units} [forced march {march}]",
        ),
        "fr": (
            "activer {force} [marche forcée {march}] [avec {units}]",
            "activer {force} [marche {march}] [avec {units}]",
            "activer {force} avec {units} [marche forcée {march}]",
        ),
    }
    slots = {
        "force": Name("force", own=True, role="who"),
        "march": Number(0, 9),
        "units": Names("piece", own=True),
    }
    example = {"en": "activate Napoléon forced march 2", "fr": "activer Napoléon marche forcée 2"}


class PickUp(Order, frozen=True):
    """8.4: an activated army gathers forces of adjacent zones."""

    forces: tuple[str, ...]
    led_by = "activate"
    words = {"en": ("pick up {forces}",), "fr": ("ramasser {forces}",)}
    slots = {"forces": Names("force", own=True)}
    example = {"en": "pick up Marmont", "fr": "ramasser Marmont"}


class Go(Order, frozen=True):
    """10.1: move along zones; where they do not touch, by the cheapest way."""

    path: tuple[str, ...]
    bare = True
    led_by = "activate"
    words = {
        "en": ("go to {path}", "to {path}", "move to {path}", "march to {path}"),
        "fr": (
            "aller à {path}",
            "vers {path}",
            "aller vers {path}",
            "marcher sur {path}",
            "marcher vers {path}",
        ),
    }
    slots = {"path": Names("zone")}
    example = {"en": "go to Strasbourg, Bade, Ulm", "fr": "aller à Strasbourg, Bade, Ulm"}


class Besiege(Order, frozen=True):
    """13.2: siege attempts, up to so many."""

    times: int = 1
    led_by = "activate"
    words = {
        "en": ("siege [up to {times} times]", "siege {times} times", "besiege [up to {times} times]"),
        "fr": ("siège [jusqu'à {times} fois]", "siège {times} fois", "assiéger [jusqu'à {times} fois]"),
    }
    slots = {"times": Number(1, 6)}
    example = {"en": "siege up to 2 times", "fr": "siège jusqu'à 2 fois"}


class Mark(Order, frozen=True):
    """3.2.3: place a control marker for one point."""

    led_by = "activate"
    words = {"en": ("take control", "control"), "fr": ("prendre le contrôle", "contrôle")}
    example = {"en": "take control", "fr": "prendre le contrôle"}


class Leave(Order, frozen=True):
    """4.5.1: leave units, or a subordinate with units, alone or with a force; they may cover a fortress (13.1.3)."""

    pieces: tuple[str, ...]
    force: str = ""
    led_by = "activate"
    words = {
        "en": ("leave {pieces} [with {force}]", "drop {pieces} [with {force}]"),
        "fr": ("laisser {pieces} [avec {force}]", "déposer {pieces} [avec {force}]"),
    }
    slots = {"pieces": Names("piece", own=True), "force": Name("force", own=True)}
    example = {"en": "leave XII CORPS France", "fr": "laisser XII CORPS France"}


class Take(Order, frozen=True):
    """4.5.1: take units of the zone into the force; without names, the whole force that stands there."""

    pieces: tuple[str, ...] = ()
    led_by = "activate"
    words = {
        "en": ("take [units {pieces}]", "take {pieces}", "absorb [{pieces}]"),
        "fr": ("prendre [unités {pieces}]", "prendre {pieces}", "absorber [{pieces}]"),
    }
    slots = {"pieces": Names("piece", own=True)}
    example = {"en": "take units VI CORPS France", "fr": "prendre unités VI CORPS France"}


class SendBack(Order, frozen=True):
    """4.4.2: a subordinate goes back to the reserve during the activation of his army."""

    general: str
    words = {"en": ("send back {general}",), "fr": ("renvoyer {general}",)}
    slots = {"general": Name("general")}
    example = {"en": "send back Ney", "fr": "renvoyer Ney"}


class Rally(Order, frozen=True):
    """12.11.5: try to rally, 2 points each."""

    times: int = 1
    led_by = "activate"
    words = {"en": ("rally [up to {times} times]",), "fr": ("rallier [jusqu'à {times} fois]",)}
    slots = {"times": Number(1, 3)}
    example = {"en": "rally", "fr": "rallier"}


class FixDepot(Order, frozen=True):
    """11.4: a mobile depot becomes fixed."""

    led_by = "activate"
    words = {"en": ("fix depot",), "fr": ("fixer dépôt",)}
    example = {"en": "fix depot", "fr": "fixer dépôt"}


class CarryDepot(Order, frozen=True):
    """11.4: a fixed depot becomes mobile."""

    led_by = "activate"
    words = {"en": ("carry depot",), "fr": ("emporter dépôt",)}
    example = {"en": "carry depot", "fr": "emporter dépôt"}


class Garrison(Order, frozen=True):
    """13.4.2: reactivate the fortress just taken, with a depot or a step."""

    by: str = "depot"
    words = {"en": ("garrison with {by}",), "fr": ("garnison avec {by}",)}
    slots = {"by": Name("garrison")}
    example = {"en": "garrison with depot", "fr": "garnison avec dépôt"}


class SpendDepot(Order, frozen=True):
    """11.4: spend a depot in the attrition test of this activation."""

    led_by = "activate"
    words = {"en": ("depot against attrition",), "fr": ("dépôt contre l'attrition",)}
    example = {"en": "depot against attrition", "fr": "dépôt contre l'attrition"}


class AtOnce(Order, frozen=True):
    """10.7.1: in a Campagne majeure this force fights at once, without waiting for those who come after it."""

    led_by = "activate"
    words = {"en": ("fight at once",), "fr": ("combattre aussitôt",)}
    example = {"en": "fight at once", "fr": "combattre aussitôt"}


class Lead(Order, frozen=True):
    """12.6.4: the elite corps that leads the assault."""

    unit: str
    led_by = "activate"
    words = {"en": ("lead with {unit}",), "fr": ("en tête {unit}",)}
    slots = {"unit": Name("piece", own=True)}
    example = {"en": "lead with GARDE France", "fr": "en tête GARDE France"}


class Engage(Order, frozen=True):
    """12.6.4: special units that are engaged."""

    units: tuple[str, ...]
    words = {"en": ("engage {units}",), "fr": ("engager {units}",)}
    slots = {"units": Names("piece", own=True)}
    example = {"en": "engage Uxbridge", "fr": "engager Uxbridge"}


class Second(Order, frozen=True):
    """12.6.5: the subordinate who adds his value; `nobody` where none shall."""

    general: str
    words = {"en": ("subordinate {general}",), "fr": ("subordonné {general}",)}
    slots = {"general": Name("subordinate")}
    example = {"en": "subordinate Soult", "fr": "subordonné Soult"}


class Spirit(Order, frozen=True):
    """12.5.1: the morale that counts where as many steps have one as another."""

    morale: int
    words = {"en": ("morale {morale}",), "fr": ("moral {morale}",)}
    slots = {"morale": Number(1, 6)}
    example = {"en": "morale 4", "fr": "moral 4"}


class CombatCards(Order, frozen=True):
    """7.5: combat cards of this battle, each at its moment, opened together with the enemy's; 55C on a corps."""

    cards: tuple[str, ...]
    on: str = ""
    words = {"en": ("combat cards {cards} [on {on}]",), "fr": ("cartes de combat {cards} [sur {on}]",)}
    slots = {"cards": Names("card"), "on": Name("unit")}
    example = {"en": "combat cards 8F, 2F", "fr": "cartes de combat 8F, 2F"}


class LossOrder(Order, frozen=True):
    """12.9, 12.10: D9, D12: who takes losses first, `depots` among them for a pursuit; it may stand, for one
    general or all.
    """

    pieces: tuple[str, ...]
    force: str = ""
    words = {"en": ("losses {pieces} [for {force}]",), "fr": ("pertes {pieces} [pour {force}]",)}
    slots = {"pieces": Names("loss", own=True), "force": Name("force", own=True)}
    example = {"en": "losses X CORPS France, depots", "fr": "pertes X CORPS France, dépôts"}
    about = ("force",)


class RetreatTo(Order, frozen=True):
    """12.12: D11: where a beaten force goes, in order of preference; it may stand, for one general or all."""

    zones: tuple[str, ...]
    force: str = ""
    led_by = "activate"
    words = {
        "en": ("retreat to {zones} [for {force}]",),
        "fr": ("retraite vers {zones} [pour {force}]",),
    }
    slots = {"zones": Names("zone"), "force": Name("force", own=True)}
    example = {"en": "retreat to Vienne, Salzbourg", "fr": "retraite vers Vienne, Salzbourg"}
    about = ("force",)


class Sail(Order, frozen=True):
    """15.2: fleets of one place sail over seas, to a sea, a port or a blockade."""

    fleets: tuple[str, ...]
    path: tuple[str, ...]
    words = {
        "en": ("sail {fleets} to {path}",),
        "fr": ("naviguer {fleets} vers {path}", "appareiller {fleets} vers {path}"),
    }
    slots = {"fleets": Names("fleet", own=True, role="who"), "path": Names("place")}
    example = {"en": "sail Keith to Manche, Londres", "fr": "naviguer Keith vers Manche, Londres"}


class Carry(Order, frozen=True):
    """15.7: the squadron takes a force, or units of one, on board at its port."""

    pieces: tuple[str, ...]
    words = {"en": ("embark {pieces}",), "fr": ("embarquer {pieces}",)}
    slots = {"pieces": Names("piece", own=True)}
    example = {"en": "embark Moore", "fr": "embarquer Moore"}


class Blockade(Order, frozen=True):
    """15.6: the squadron enters the blockade box of an enemy port."""

    port: str
    words = {"en": ("blockade {port}",), "fr": ("bloquer {port}",)}
    slots = {"port": Name("zone")}
    example = {"en": "blockade Brest", "fr": "bloquer Brest"}


class Land(Order, frozen=True):
    """15.8: the squadron attacks an enemy port: its fleets, then a landing of what is on board."""

    port: str
    words = {"en": ("assault {port}", "land at {port}"), "fr": ("assaut {port}", "débarquer à {port}")}
    slots = {"port": Name("zone")}
    example = {"en": "assault Naples", "fr": "assaut Naples"}


class Attack(Order, frozen=True):
    """15.4.3: the squadron attacks the enemy squadron at sea in its zone, or one that blockades a port there."""

    port: str = ""
    words = {"en": ("attack fleets [before {port}]",), "fr": ("attaquer les flottes [devant {port}]",)}
    slots = {"port": Name("zone")}
    example = {"en": "attack fleets", "fr": "attaquer les flottes"}


class Hunt(Order, frozen=True):
    """15.9: a fleet goes to the box of the corsairs, or home from it."""

    fleet: str
    port: str = ""
    words = {
        "en": ("hunt corsairs with {fleet} [back to {port}]",),
        "fr": ("chasser les corsaires avec {fleet} [retour à {port}]",),
    }
    slots = {"fleet": Name("fleet", own=True), "port": Name("zone")}
    example = {"en": "hunt corsairs with Keith", "fr": "chasser les corsaires avec Keith"}


ACTIONS: tuple[type[Order], ...] = (Play, PlayEvent, NoCard, PassTurn, Negotiate, Protect, EndWar)
STEPS: tuple[type[Order], ...] = (
    PickUp,
    Go,
    Besiege,
    Mark,
    Leave,
    Take,
    SendBack,
    Rally,
    FixDepot,
    CarryDepot,
    Garrison,
    SpendDepot,
    AtOnce,
)
BATTLE: tuple[type[Order], ...] = (Lead, Engage, Second, Spirit, CombatCards, LossOrder, RetreatTo)
NAVAL: tuple[type[Order], ...] = (Sail, Carry, Blockade, Land, Attack, Hunt)
MARCHES: tuple[type[Order], ...] = (Activate, *STEPS, *BATTLE)
"""Activations and their steps, where an event gives one outside the rounds."""
LETTER: tuple[type[Order], ...] = (*ACTIONS, Activate, *STEPS, *BATTLE, *NAVAL)
