"""The names of things, in English and French, and the other names that are understood."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.games.leipzig.board import BOARD, DATES
from pbem.kernel import words
from pbem.kernel.order import Vocabulary, Word

_WORDS = words.load("leipzig")
_ARMY_NICKNAMES = _WORDS.also["army"]
_ZONE_NICKNAMES = _WORDS.also["zone"]
_TERRAINS = _WORDS.kind("terrain")
_ARMS = _WORDS.kind("arm")
_SHORT = {"infantry": "inf", "cavalry": "cav", "artillery": "art"}
_DISTRICTS = _WORDS.kind("district")
_FACTS = _WORDS.kind("fact")
_VALUES = _WORDS.kind("value")
_QUESTIONS = _WORDS.kind("question")
_SIDES = _WORDS.kind("side")
_SEATS = _WORDS.kind("seat")


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
    _WORDS.verbs,
    ("value", "card", "terrain", "arm", "army", "zone"),
)
