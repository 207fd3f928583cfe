"""The names of things, in English and French, and the other names that are understood."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.games.leipzig.board import BOARD, DATES
from pbem.kernel import words
from pbem.kernel.order import Vocabulary, Word

_ARMY_NICKNAMES = {
    "napoleon": ("Nap", "the Emperor", "l'Empereur", "Bonaparte"),
    "schwarzenberg": ("Schwarz", "Schw"),
    "platow": ("Platov",),
    "macdonald": ("Mac Donald",),
    "poniatowski": ("Ponia", "Ponyatovski"),
    "friedrich": ("Frederick", "Frédéric"),
    "bennigsen": ("Benningsen",),
    "yorck": ("York",),
    "gyulai": ("Giulay", "Gyulay"),
}
_ZONE_NICKNAMES = {
    "probstheida": ("Monarchs' Hill", "Monarchenhügel", "colline des Monarques"),
    "klein_wiederitzsch": ("Kl Wiederitzsch", "Wiederitzsch"),
    "klein_posna": ("Kl Pösna",),
    "grosspossna": ("Grosspösna", "Gr Pösna"),
    "plaussig": ("Plaussig",),
}
_TERRAINS = (
    Word("river", "river", "rivière", ("riv",)),
    Word("hill", "hill", "colline", ("col",)),
    Word("forest", "forest", "forêt", ("wood", "bois")),
    Word("plain", "plain", "plaine", ("plains",)),
)
_ARMS = (
    Word("infantry", "infantry", "infanterie", ("inf", "foot")),
    Word("cavalry", "cavalry", "cavalerie", ("cav", "horse")),
    Word("artillery", "artillery", "artillerie", ("art", "guns")),
)
_SHORT = {"infantry": "inf", "cavalry": "cav", "artillery": "art"}
_DISTRICTS = (
    Word("north", "north", "nord"),
    Word("south", "south", "sud"),
    Word("east", "east", "est"),
    Word("west", "west", "ouest"),
    Word("centre", "centre", "centre", ("center",)),
)
_FACTS = (
    Word("turn", "turn", "tour"),
    Word("time", "time", "temps", ("clock", "horloge")),
    Word("day", "day", "jour", ("date",)),
    Word("points", "points", "points", ("my points", "mes points")),
    Word("enemy_points", "enemy points", "points ennemis", ("his points", "ses points")),
    Word("scouts", "scouts", "éclaireurs", ("my scouts",)),
    Word("enemy_scouts", "enemy scouts", "éclaireurs ennemis"),
    Word("supply", "scout supply", "réserve d'éclaireurs", ("supply", "réserve")),
    Word("hand", "hand", "main", ("cards", "cartes")),
    Word("enemy_hand", "enemy hand", "main ennemie", ("enemy cards",)),
    Word("my_turn", "my turn", "mon tour"),
    Word("actions", "actions", "actions", ("actions left", "actions restantes")),
    Word(
        "drawn",
        "drawn",
        "piochée",
        ("it", "drawn card", "carte piochée", "elle", "pioche", "card drawn", "card I draw", "card", "carte"),
    ),
    Word("drawn_type", "drawn type", "type pioché", ("its type", "son type")),
    Word("tiles", "tiles", "tuiles", ("my tiles", "mes tuiles")),
    Word("enemy_tiles", "enemy tiles", "tuiles ennemies"),
    Word("river", "river cards", "cartes rivière", ("rivers", "rivières")),
    Word("hill", "hill cards", "cartes colline", ("hills", "collines")),
    Word("forest", "forest cards", "cartes forêt", ("forests", "forêts")),
    Word("plain", "plain cards", "cartes plaine", ("plains", "plaines")),
    Word("infantry", "infantry cards", "cartes infanterie"),
    Word("cavalry", "cavalry cards", "cartes cavalerie"),
    Word("artillery", "artillery cards", "cartes artillerie"),
    Word("time_cards", "time cards", "cartes temps"),
    Word("terrain_cards", "terrain cards", "cartes terrain"),
    Word("movement_cards", "movement cards", "cartes mouvement"),
    Word("unknown_cards", "unknown cards", "cartes inconnues"),
    Word("row1", "row 1", "rangée 1"),
    Word("row2", "row 2", "rangée 2"),
    Word("row3", "row 3", "rangée 3"),
    Word("row4", "row 4", "rangée 4"),
    Word("army", "army", "armée"),
    Word("terrain", "terrain", "terrain"),
    Word("excess", "excess", "excédent"),
)
_VALUES = (
    Word("none", "none", "aucune", ("nobody", "personne", "aucun", "empty", "vide", "free", "libre")),
    Word("french", "French", "français", ("France",)),
    Word("allied", "allied", "allié", ("allies", "alliés", "alliée")),
    Word("terrain", "terrain", "terrain", ("terrain card", "carte terrain")),
    Word("movement", "movement", "mouvement", ("movement card", "carte mouvement")),
)
_QUESTIONS = (
    Word("keep", "keep missions", "missions gardées", ("keep", "garder")),
    Word("actions", "actions", "actions", ("turn", "tour")),
    Word("cascade", "cascade", "cascade", ("tiles", "tuiles")),
    Word("arm", "arm", "arme"),
    Word("reveal", "reveal", "révélation", ("révéler",)),
    Word("discard", "discard", "défausse", ("défausser",)),
    Word("allocate", "damage", "dégâts", ("allocate", "battle", "bataille", "sacrifice")),
    Word("support", "support", "soutien", ("soutenir",)),
    Word("contact", "contact", "contact", ("engage", "engager")),
)
_SIDES = (Word("french", "French", "Français"), Word("allied", "Allies", "Alliés"))
_SEATS = (
    Word("french", "Napoléon", "Napoléon", ("French", "Français", "France", "blue", "bleu")),
    Word("allied", "Schwarzenberg", "Schwarzenberg", ("allied", "allies", "Alliés", "allié", "red", "rouge")),
)


def _movement(kind: str) -> Word:
    if kind in BOARD.armies:
        army = BOARD.armies[kind]
        return Word(kind, army.name, army.name, (f"{army.name} card", f"carte {army.name}"))
    by_arm = {word.id: word for word in _ARMS}
    arms = kind.split("_or_")
    en, fr = "-".join(by_arm[arm].en for arm in arms), "-".join(by_arm[arm].fr for arm in arms)
    if len(arms) == 1:
        return Word(kind, en, fr, by_arm[kind].also)
    first, second = arms
    also = [f"{by_arm[second].en}-{by_arm[first].en}", f"{by_arm[second].fr}-{by_arm[first].fr}"]
    also += [f"{by_arm[first].en} or {by_arm[second].en}", f"{by_arm[second].en} or {by_arm[first].en}"]
    also += [f"{by_arm[first].fr} ou {by_arm[second].fr}", f"{by_arm[second].fr} ou {by_arm[first].fr}"]
    also += [f"{_SHORT[first]}-{_SHORT[second]}", f"{_SHORT[second]}-{_SHORT[first]}"]
    return Word(kind, en, fr, tuple(also))


def _cards() -> Iterator[Word]:
    yield from _TERRAINS
    yield from (_movement(kind) for kind in BOARD.movement_cards)
    yield Word("time", "time", "temps")
    yield Word("scout", "scout", "éclaireur", ("scouts", "éclaireurs"))
    yield Word("?", "unknown", "inconnue")


def _zones() -> Iterator[Word]:
    for zone in BOARD.zones.values():
        yield Word(zone.id, zone.name, zone.name, _ZONE_NICKNAMES.get(zone.id, ()))


def _armies() -> Iterator[Word]:
    for army in BOARD.armies.values():
        yield Word(army.id, army.name, army.name, _ARMY_NICKNAMES.get(army.id, ()))


def _missions() -> Iterator[Word]:
    for mission in BOARD.missions.values():
        name = BOARD.zones[mission.zone].name
        yield Word(mission.id, name, name, _ZONE_NICKNAMES.get(mission.zone, ()))


def _dates() -> Iterator[Word]:
    yield Word("", "the clock face", "le cadran")
    for date in DATES:
        day = date[:2]
        yield Word(date, f"{day} October", f"{day} octobre")


def _conditions() -> Iterator[Word]:
    """Conditions as people say them: «if I draw a hill»."""
    for card in _cards():
        if card.id == "?":
            continue
        yield Word(
            f"drawn = {card.id}",
            f"I draw {card.en}",
            f"je pioche {card.fr}",
            (
                *(
                    f"{said} {card.en}"
                    for said in ("I draw a", "I draw an", "it is a", "the card is a", "I get a")
                ),
                *(f"{said} {card.en}" for said in ("I get", "we draw a", "it s a", "it turns out to be a")),
                *(f"{said} {card.fr}" for said in ("je pioche une", "c est une", "je tire une", "c est un")),
                *(
                    f"{said} {card.fr}"
                    for said in ("je pioche un", "je tire un", "je prends une", "la carte est une")
                ),
            ),
        )


VOCABULARY = Vocabulary(
    {
        "condition": _conditions(),
        "zone": _zones(),
        "army": _armies(),
        "terrain": _TERRAINS,
        "arm": _ARMS,
        "card": _cards(),
        "mission": _missions(),
        "seat": _SEATS,
        "side": _SIDES,
        "district": _DISTRICTS,
        "date": _dates(),
        "fact": (*_FACTS, *_zones(), *_armies()),
        "value": _VALUES,
        "question": _QUESTIONS,
    },
    words.load("leipzig").verbs,
)
