"""The orders that a player can write, and their words."""

from __future__ import annotations

from pbem.kernel.order import Name, Names, Number, Order


class PlayArmy(Order, frozen=True):
    """3.1: play an army card; the villages, where markers are short."""

    army: str
    villages: tuple[str, ...] = ()
    bare = True
    words = {
        "en": (
            "army {army} [on {villages}]",
            "army card {army} [on {villages}]",
            "play army {army} [on {villages}]",
            "deploy {army} [on {villages}]",
            "deploy {army} [at {villages}]",
            "play {army} [on {villages}]",
        ),
        "fr": (
            "armée {army} [sur {villages}]",
            "carte armée {army} [sur {villages}]",
            "jouer armée {army} [sur {villages}]",
            "déployer {army} [sur {villages}]",
            "déployer {army} [à {villages}]",
            "jouer {army} [sur {villages}]",
        ),
    }
    slots = {"army": Name("army", role="who"), "villages": Names("zone", role="at")}
    example = {"en": "army Langeron", "fr": "armée Langeron"}


class PlayTerrain(Order, frozen=True):
    """3.2: play a terrain card to remove an own marker."""

    army: str
    zone: str
    terrain: str = ""
    words = {
        "en": (
            "terrain [{terrain}] {army} at {zone}",
            "play {terrain} {army} at {zone}",
            "play {terrain} on {army} at {zone}",
            "play {terrain} remove {army} from {zone}",
            "remove {army} from {zone} [with {terrain}]",
            "remove {army} at {zone} [with {terrain}]",
        ),
        "fr": (
            "terrain [{terrain}] {army} à {zone}",
            "jouer {terrain} {army} à {zone}",
            "jouer {terrain} sur {army} à {zone}",
            "jouer {terrain} retirer {army} de {zone}",
            "retirer {army} de {zone} [avec {terrain}]",
            "retirer {army} à {zone} [avec {terrain}]",
        ),
    }
    slots = {"army": Name("army"), "zone": Name("zone", role="at"), "terrain": Name("terrain", role="with")}
    example = {"en": "terrain hill Yorck at Wachau", "fr": "terrain colline Yorck à Wachau"}


class Move(Order, frozen=True):
    """3.3: play a movement card to move an own marker to an adjacent zone."""

    army: str
    to: str
    start: str = ""
    card: str = ""
    bare = True
    words = {
        "en": (
            "move {army} [from {start}] to {to} [with {card}]",
            "move {army} {start} > {to} [with {card}]",
            "march {army} [from {start}] to {to} [with {card}]",
        ),
        "fr": (
            "déplacer {army} [de {start}] vers {to} [avec {card}]",
            "déplacer {army} [de {start}] à {to} [avec {card}]",
            "bouger {army} [de {start}] vers {to} [avec {card}]",
        ),
    }
    slots = {
        "army": Name("army", role="who"),
        "to": Name("zone"),
        "start": Name("zone"),
        "card": Name("card"),
    }
    example = {"en": "move Yorck from Wachau to Dölitz", "fr": "déplacer Yorck de Wachau vers Dölitz"}


class Jump(Order, frozen=True):
    """3.3: play two movement cards to move a marker over an own army tile; two actions."""

    army: str
    to: str
    over: str
    start: str = ""
    cards: tuple[str, ...] = ()
    words = {
        "en": (
            "jump {army} [from {start}] over {over} to {to} [with {cards}]",
            "jump {army} [from {start}] to {to} over {over} [with {cards}]",
        ),
        "fr": (
            "sauter {army} [de {start}] par-dessus {over} vers {to} [avec {cards}]",
            "sauter {army} [de {start}] par {over} vers {to} [avec {cards}]",
            "sauter {army} [de {start}] vers {to} par {over} [avec {cards}]",
        ),
    }
    slots = {
        "army": Name("army", role="who"),
        "to": Name("zone"),
        "over": Name("zone"),
        "start": Name("zone"),
        "cards": Names("card"),
    }
    example = {
        "en": "jump Yorck from Wachau over Dölitz to Connewitz",
        "fr": "sauter Yorck de Wachau par-dessus Dölitz vers Connewitz",
    }


class PlayScout(Order, frozen=True):
    """3.4: play a scout card to remove an own marker from any zone."""

    army: str
    zone: str
    words = {
        "en": ("scout {army} at {zone}", "scout {army} from {zone}", "play scout {army} at {zone}"),
        "fr": ("éclaireur {army} à {zone}", "éclaireur {army} de {zone}", "jouer éclaireur {army} à {zone}"),
    }
    slots = {"army": Name("army"), "zone": Name("zone", role="at")}
    example = {"en": "scout Yorck at Wachau", "fr": "éclaireur Yorck à Wachau"}


class BluffTerrain(Order, frozen=True):
    """3.5: two identical terrain cards as one of any terrain."""

    army: str
    zone: str
    pair: str
    shown: str = ""
    words = {
        "en": (
            "bluff terrain {pair} [as {shown}] {army} at {zone}",
            "bluff {pair} [as {shown}] {army} at {zone}",
            "bluff remove {army} from {zone} with {pair}",
        ),
        "fr": (
            "frime terrain {pair} [comme {shown}] {army} à {zone}",
            "frime {pair} [comme {shown}] {army} à {zone}",
            "frime retirer {army} de {zone} avec {pair}",
        ),
    }
    slots = {"army": Name("army"), "zone": Name("zone"), "pair": Name("terrain"), "shown": Name("terrain")}
    example = {
        "en": "bluff terrain hill as forest Yorck at Lindenthal",
        "fr": "frime terrain colline comme forêt Yorck à Lindenthal",
    }


class BluffMove(Order, frozen=True):
    """3.5: two identical movement cards as one of any kind."""

    army: str
    to: str
    pair: str
    start: str = ""
    words = {
        "en": (
            "bluff move {army} [from {start}] to {to} with {pair}",
            "bluff {pair} move {army} [from {start}] to {to}",
        ),
        "fr": (
            "frime déplacer {army} [de {start}] vers {to} avec {pair}",
            "frime {pair} déplacer {army} [de {start}] vers {to}",
        ),
    }
    slots = {
        "army": Name("army", role="who"),
        "to": Name("zone"),
        "pair": Name("card"),
        "start": Name("zone"),
    }
    example = {
        "en": "bluff move Yorck from Wachau to Dölitz with cavalry",
        "fr": "frime déplacer Yorck de Wachau vers Dölitz avec cavalerie",
    }


class PlayTime(Order, frozen=True):
    """3.6: play a time card."""

    words = {"en": ("time", "time card", "play time"), "fr": ("temps", "carte temps", "jouer temps")}
    example = {"en": "time", "fr": "temps"}


class DrawPile(Order, frozen=True):
    """3.7: draw from the hidden pile, once or several times."""

    times: int = 0
    words = {
        "en": (
            "draw pile [{times} times]",
            "draw from pile [{times} times]",
            "draw from the pile [{times} times]",
            "draw {times}",
            "draw {times} from pile",
            "draw {times} from the pile",
            "draw",
        ),
        "fr": (
            "piocher pioche [{times} fois]",
            "piocher dans la pioche [{times} fois]",
            "piocher caché [{times} fois]",
            "piocher {times} [fois]",
            "tirer pioche [{times} fois]",
            "piocher {times} dans la pioche",
            "piocher",
        ),
    }
    slots = {"times": Number(1, 5)}
    example = {"en": "draw pile", "fr": "piocher pioche"}


class DrawRow(Order, frozen=True):
    """3.7: draw one of the four face-up cards, by its place."""

    number: int
    words = {
        "en": ("draw row {number}", "draw from row {number}", "draw {number} from row", "row {number}"),
        "fr": (
            "piocher rangée {number}",
            "piocher dans la rangée {number}",
            "piocher visible {number}",
            "rangée {number}",
        ),
    }
    slots = {"number": Number(1, 4)}
    example = {"en": "draw row 2", "fr": "piocher rangée 2"}


class Take(Order, frozen=True):
    """3.7: draw a face-up card by its kind."""

    card: str
    words = {
        "en": ("take {card}", "draw {card} from row", "draw row {card}"),
        "fr": ("prendre {card}", "piocher {card} dans la rangée", "piocher rangée {card}"),
    }
    slots = {"card": Name("card")}
    example = {"en": "take hill", "fr": "prendre colline"}


class Wait(Order, frozen=True):
    """8.2: advance time by one and end the turn."""

    words = {"en": ("end turn", "wait"), "fr": ("finir le tour", "attendre")}
    example = {"en": "end turn", "fr": "finir le tour"}


class KeepMissions(Order, frozen=True):
    """2.2: the missions to keep, one of each pair."""

    missions: tuple[str, ...]
    words = {
        "en": ("keep {missions}", "keep missions {missions}"),
        "fr": ("garder {missions}", "garder missions {missions}"),
    }
    slots = {"missions": Names("mission")}
    example = {"en": "keep Wachau, Mockau", "fr": "garder Wachau, Mockau"}


class PlaceFirst(Order, frozen=True):
    """3.8: the army whose tile is placed first."""

    army: str
    words = {
        "en": ("place {army} [first]", "place {army} first", "first {army}"),
        "fr": ("placer {army} [d'abord]", "placer {army} d'abord", "d'abord {army}"),
    }
    slots = {"army": Name("army")}
    example = {"en": "place Yorck first", "fr": "placer Yorck d'abord"}


class AsArm(Order, frozen=True):
    """1.3: the arm of an army that has all three."""

    arm: str
    bare = True
    words = {
        "en": ("arm {arm}", "place as {arm}", "as {arm}"),
        "fr": ("arme {arm}", "placer comme {arm}", "en {arm}"),
    }
    slots = {"arm": Name("arm")}
    example = {"en": "arm cavalry", "fr": "arme cavalerie"}


class RevealMission(Order, frozen=True):
    """4.2: the mission to reveal."""

    mission: str
    words = {
        "en": ("reveal {mission}", "reveal mission {mission}"),
        "fr": ("révéler {mission}", "révéler mission {mission}"),
    }
    slots = {"mission": Name("mission")}
    example = {"en": "reveal Wachau", "fr": "révéler Wachau"}


class Sacrifice(Order, frozen=True):
    """5.1: the army that takes the damage of an enemy tile, or of all that touch it."""

    army: str
    enemy: str = ""
    words = {
        "en": (
            "sacrifice {army} [to {enemy}]",
            "{army} takes the damage of {enemy}",
            "loss {army} [from {enemy}]",
        ),
        "fr": ("sacrifier {army} [à {enemy}]", "{army} subit {enemy}", "perte {army} [par {enemy}]"),
    }
    slots = {"army": Name("army", role="who"), "enemy": Name("army")}
    example = {"en": "sacrifice Bertrand to Yorck", "fr": "sacrifier Bertrand à Yorck"}


class DiscardCards(Order, frozen=True):
    """3.7: the cards to discard."""

    cards: tuple[str, ...]
    words = {"en": ("discard {cards}",), "fr": ("défausser {cards}", "jeter {cards}")}
    slots = {"cards": Names("card")}
    example = {"en": "discard time, hill", "fr": "défausser temps, colline"}


class SupportWith(Order, frozen=True):
    """6.1: the mission that a French tile supports."""

    mission: str
    army: str
    words = {
        "en": ("support {mission} with {army}", "{army} supports {mission}"),
        "fr": ("soutenir {mission} avec {army}", "{army} soutient {mission}"),
    }
    slots = {"mission": Name("mission", role="what"), "army": Name("army", role="who")}
    example = {"en": "support Wachau with Ney", "fr": "soutenir Wachau avec Ney"}


class EngageWith(Order, frozen=True):
    """8.5: the mission against which an allied tile counts."""

    mission: str
    army: str
    words = {
        "en": ("engage {mission} with {army}", "{army} against {mission}"),
        "fr": ("engager {mission} avec {army}", "{army} contre {mission}"),
    }
    slots = {"mission": Name("mission", role="against"), "army": Name("army", role="who")}
    example = {"en": "engage Wachau with Yorck", "fr": "engager Wachau avec Yorck"}


class KeepRank(Order, frozen=True):
    """Standing order for 2.2."""

    missions: tuple[str, ...]
    words = {"en": ("keep rank {missions}",), "fr": ("ordre de garde {missions}",)}
    slots = {"missions": Names("mission")}
    example = {"en": "keep rank Wachau, Mockau", "fr": "ordre de garde Wachau, Mockau"}


class RevealOrder(Order, frozen=True):
    """Standing order for 4.2."""

    missions: tuple[str, ...]
    words = {"en": ("reveal order {missions}",), "fr": ("ordre de révélation {missions}",)}
    slots = {"missions": Names("mission")}
    example = {"en": "reveal order Wachau, Mockau", "fr": "ordre de révélation Wachau, Mockau"}


class CascadeRank(Order, frozen=True):
    """Standing order for 3.8."""

    armies: tuple[str, ...]
    words = {
        "en": ("cascade rank {armies}", "cascade order {armies}"),
        "fr": ("ordre de cascade {armies}",),
    }
    slots = {"armies": Names("army")}
    example = {"en": "cascade rank Yorck, Langeron", "fr": "ordre de cascade Yorck, Langeron"}


class FixedArm(Order, frozen=True):
    """Standing order for 1.3."""

    army: str
    arm: str
    words = {"en": ("fixed arm {army} {arm}",), "fr": ("arme fixe {army} {arm}",)}
    slots = {"army": Name("army"), "arm": Name("arm")}
    example = {"en": "fixed arm Napoléon cavalry", "fr": "arme fixe Napoléon cavalerie"}


class SacrificeOrder(Order, frozen=True):
    """Standing order for 5.1."""

    armies: tuple[str, ...]
    words = {
        "en": ("order of sacrifice {armies}", "sacrifice order {armies}"),
        "fr": ("ordre de sacrifice {armies}",),
    }
    slots = {"armies": Names("army")}
    example = {"en": "order of sacrifice Bertrand, Ney", "fr": "ordre de sacrifice Bertrand, Ney"}


class DiscardOrder(Order, frozen=True):
    """Standing order for 3.7."""

    cards: tuple[str, ...]
    words = {"en": ("discard order {cards}",), "fr": ("ordre de défausse {cards}",)}
    slots = {"cards": Names("card")}
    example = {"en": "discard order time, hill, scout", "fr": "ordre de défausse temps, colline, éclaireur"}


class MissionRank(Order, frozen=True):
    """Standing order for 6.1 and 8.5."""

    missions: tuple[str, ...]
    words = {"en": ("mission rank {missions}",), "fr": ("ordre des missions {missions}",)}
    slots = {"missions": Names("mission")}
    example = {"en": "mission rank Wachau, Mockau", "fr": "ordre des missions Wachau, Mockau"}


ACTIONS: tuple[type[Order], ...] = (
    PlayArmy,
    PlayTerrain,
    Move,
    Jump,
    PlayScout,
    BluffTerrain,
    BluffMove,
    PlayTime,
    DrawPile,
    DrawRow,
    Take,
    Wait,
)
ANSWERS: tuple[type[Order], ...] = (
    KeepMissions,
    PlaceFirst,
    AsArm,
    RevealMission,
    Sacrifice,
    DiscardCards,
    SupportWith,
    EngageWith,
)
STANDING: tuple[type[Order], ...] = (
    KeepRank,
    RevealOrder,
    CascadeRank,
    FixedArm,
    SacrificeOrder,
    DiscardOrder,
    MissionRank,
)
