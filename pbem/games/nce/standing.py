"""21: standing orders: what a player leaves once and for all, for a force, a squadron, a card or a power.

Orders of the plan may stand as well: losses, retreats, declarations, peace terms. `DEFAULTS` stand behind those of
the player and answer whatever a round may ask, so that only who wants to be asked (`ask me …`) is asked. The terms of
a peace, a few times in a campaign, are the player's own: he is asked, unless he has written them beforehand.
"""

from __future__ import annotations

from pbem.games.nce.orders import LossOrder, RetreatTo
from pbem.games.nce.replies import (
    AgainstEvasion,
    AgainstInterception,
    Annex,
    ClaimMinor,
    Declare,
    ForceAlliance,
    GoHome,
    Helped,
    Refuse,
    Spoils,
    Tilsit,
)
from pbem.kernel.order import Name, Names, Number, Order


class EvadePolicy(Order, frozen=True):
    """10.4: D2: this force evades to these zones, in their order; else into the fortress, else it stays."""

    force: str
    zones: tuple[str, ...] = ()
    steps: int = 0
    help: str = ""
    words = {
        "en": ("{force} evades [to {zones}] [against {steps} steps] [using {help}]",),
        "fr": ("{force} esquive [vers {zones}] [contre {steps} pas] [par {help}]",),
    }
    slots = {
        "force": Name("force", own=True),
        "zones": Names("zone"),
        "steps": Number(1, 60),
        "help": Name("card"),
    }
    example = {"en": "Mack evades to Vienne against 8 steps", "fr": "Mack esquive vers Vienne contre 8 pas"}
    about = ("force",)


class FortressPolicy(Order, frozen=True):
    """10.4.2: D2: into the fortress of the zone where there is one, for one force or all."""

    force: str = ""
    steps: int = 0
    words = {
        "en": ("fortresses first [for {force}] [against {steps} steps]",),
        "fr": ("forteresses d'abord [pour {force}] [contre {steps} pas]",),
    }
    slots = {"force": Name("force", own=True), "steps": Number(1, 60)}
    example = {"en": "fortresses first", "fr": "forteresses d'abord"}
    about = ("force",)


class HoldPolicy(Order, frozen=True):
    """10.4: D2: stay and fight, for one force or all."""

    force: str = ""
    words = {"en": ("hold positions [for {force}]",), "fr": ("tenir les positions [pour {force}]",)}
    slots = {"force": Name("force", own=True)}
    example = {"en": "hold positions for Massena", "fr": "tenir les positions pour Masséna"}
    about = ("force",)


class InterceptPolicy(Order, frozen=True):
    """10.3: D1: a force intercepts at most so many steps, paying with a card of at most that value."""

    force: str
    steps: int
    value: int
    help: str = ""
    words = {
        "en": ("{force} intercepts up to {steps} steps with value {value} [and {help}]",),
        "fr": ("{force} intercepte jusqu'à {steps} pas avec valeur {value} [et {help}]",),
    }
    slots = {
        "force": Name("force", own=True),
        "steps": Number(1, 40),
        "value": Number(1, 6),
        "help": Name("card"),
    }
    example = {
        "en": "Charles intercepts up to 6 steps with value 2",
        "fr": "Charles intercepte jusqu'à 6 pas avec valeur 2",
    }
    about = ("force",)


class PassPolicy(Order, frozen=True):
    """10.3: D1: never intercept, neither on land nor on the seas."""

    words = {"en": ("never intercept",), "fr": ("ne jamais intercepter",)}
    example = {"en": "never intercept", "fr": "ne jamais intercepter"}


class BattlePolicy(Order, frozen=True):
    """12: D7: fight with everything, with lead and subordinate, with the best subordinate, or plainly."""

    how: str
    force: str = ""
    words = {"en": ("battles {how} [for {force}]",), "fr": ("batailles {how} [pour {force}]",)}
    slots = {"how": Name("battle_how"), "force": Name("force", own=True)}
    example = {"en": "battles with everything", "fr": "batailles avec tout"}
    about = ("force",)


class CardPolicy(Order, frozen=True):
    """7.5: D8, D10: a sealed list: these combat cards in battles against so many steps, or that general."""

    cards: tuple[str, ...]
    steps: int = 0
    general: str = ""
    force: str = ""
    words = {
        "en": ("sealed cards {cards} [from {steps} enemy steps] [against {general}] [for {force}]",),
        "fr": ("cartes scellées {cards} [dès {steps} pas ennemis] [contre {general}] [pour {force}]",),
    }
    slots = {
        "cards": Names("card"),
        "steps": Number(1, 60),
        "general": Name("general"),
        "force": Name("force", own=True),
    }
    example = {
        "en": "sealed cards 8F, 2F from 6 enemy steps",
        "fr": "cartes scellées 8F, 2F dès 6 pas ennemis",
    }
    about = ("cards",)


class MarchPolicy(Order, frozen=True):
    """12.2: D5: these generals march to the guns of a battle beside them."""

    forces: tuple[str, ...]
    card: str = ""
    words = {
        "en": ("to the guns {forces} [using {card}]",),
        "fr": ("au canon {forces} [par {card}]",),
    }
    slots = {"forces": Names("force", own=True), "card": Name("card")}
    example = {"en": "to the guns Jean, Charles", "fr": "au canon Jean, Charles"}


class LinesPolicy(Order, frozen=True):
    """10.7.4: D4: interior lines with a card, when so many forces attack together."""

    card: str
    forces: int = 0
    words = {
        "en": ("interior lines with {card} [against {forces} forces]",),
        "fr": ("lignes intérieures avec {card} [contre {forces} forces]",),
    }
    slots = {"card": Name("card"), "forces": Number(2, 6)}
    example = {"en": "interior lines with 15C", "fr": "lignes intérieures avec 15C"}
    about = ("card",)


class TestPolicy(Order, frozen=True):
    """11.4: D6: depots or cards in attrition tests, or neither."""

    __test__ = False
    what: str
    force: str = ""
    words = {
        "en": ("attrition with {what} [for {force}]",),
        "fr": ("attrition avec {what} [pour {force}]",),
    }
    slots = {"what": Name("test_help"), "force": Name("force", own=True)}
    example = {"en": "attrition with depot", "fr": "attrition avec dépôt"}
    about = ("force",)


class GarrisonPolicy(Order, frozen=True):
    """13.4.2: D13: a fortress just taken is made active with a depot, with a step, or not at all."""

    by: str
    words = {"en": ("garrisons {by}",), "fr": ("garnisons {by}",)}
    slots = {"by": Name("garrison_how")}
    example = {"en": "garrisons always with depot", "fr": "garnisons toujours avec dépôt"}


class FleetPolicy(Order, frozen=True):
    """15: D14-D16: what fleets do when a squadron comes; for one fleet's squadron, or at one place."""

    what: str
    fleet: str = ""
    place: str = ""
    words = {
        "en": ("always fleets {what} [with {fleet}] [at {place}]",),
        "fr": ("toujours flottes {what} [avec {fleet}] [à {place}]",),
    }
    slots = {"what": Name("fleet_reply"), "fleet": Name("fleet", own=True), "place": Name("place")}
    example = {"en": "always fleets intercept", "fr": "toujours flottes interceptent"}
    about = ("what", "fleet", "place")


class PolicePolicy(Order, frozen=True):
    """7.3: D21: 55F against Coalition diplomacy, for one country or all."""

    country: str = ""
    words = {"en": ("secret police [for {country}]",), "fr": ("police secrète [pour {country}]",)}
    slots = {"country": Name("country")}
    example = {"en": "secret police for Bavaria", "fr": "police secrète pour Bavière"}
    about = ("country",)


class KeepPolicy(Order, frozen=True):
    """6.2.1: P2: the cards to keep; the others are discarded."""

    cards: tuple[str, ...]
    words = {"en": ("keep only {cards}",), "fr": ("garder seulement {cards}",)}
    slots = {"cards": Names("card")}
    example = {"en": "keep only 1F, 3F, 8F", "fr": "garder seulement 1F, 3F, 8F"}


class QuietPolicy(Order, frozen=True):
    """6: P1-P6: nothing in this part of the interphase."""

    what: str
    words = {"en": ("no {what}",), "fr": ("pas de {what}",)}
    slots = {"what": Name("quiet")}
    example = {"en": "no declarations", "fr": "pas de déclarations"}
    about = ("what",)


class PeacePolicy(Order, frozen=True):
    """16.5.7: the terms of a peace are left to what silence would mean."""

    words = {"en": ("peace as usual",), "fr": ("paix comme d'habitude",)}
    example = {"en": "peace as usual", "fr": "paix comme d'habitude"}


class UsualPolicy(Order, frozen=True):
    """21: whatever else comes up in a round or at its end, but not a peace: what silence would mean."""

    words = {"en": ("otherwise as usual",), "fr": ("sinon comme d'habitude",)}
    example = {"en": "otherwise as usual", "fr": "sinon comme d'habitude"}


STANDING: tuple[type[Order], ...] = (
    EvadePolicy,
    FortressPolicy,
    HoldPolicy,
    InterceptPolicy,
    PassPolicy,
    BattlePolicy,
    CardPolicy,
    MarchPolicy,
    AgainstEvasion,
    AgainstInterception,
    Helped,
    LossOrder,
    RetreatTo,
    LinesPolicy,
    TestPolicy,
    GarrisonPolicy,
    FleetPolicy,
    PolicePolicy,
    Refuse,
    Tilsit,
    Annex,
    ClaimMinor,
    Spoils,
    GoHome,
    ForceAlliance,
    Declare,
    KeepPolicy,
    QuietPolicy,
    PeacePolicy,
    UsualPolicy,
)
DEFAULTS: tuple[Order, ...] = (
    PassPolicy(),
    HoldPolicy(),
    BattlePolicy("subordinate"),
    TestPolicy("nothing"),
    GarrisonPolicy("never"),
    UsualPolicy(),
)
"""21: what silence means; a player's own orders stand before them."""
