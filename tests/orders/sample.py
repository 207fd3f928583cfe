"""A vocabulary and some orders for the tests of reading: villages and armies, and hexes."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.kernel.order import Answer, Fact, Name, Names, Number, Order, Vocabulary, Word
from pbem.kernel.question import Question

ROWS = "ABCDEFGHI"

VOCABULARY = Vocabulary(
    {
        "zone": [
            Word("wachau", "Wachau", "Wachau"),
            Word("mockern", "Möckern", "Möckern"),
            Word("mockau", "Mockau", "Mockau"),
            Word("klein_wiederitzsch", "Klein-Wiederitzsch", "Klein-Wiederitzsch"),
            Word("gross_wiederitzsch", "Groß-Wiederitzsch", "Groß-Wiederitzsch"),
            Word("probstheida", "Probstheida", "Probstheida", ("Monarchs' Hill",)),
            Word("haye_sainte", "La Haye Sainte", "La Haye-Sainte"),
        ],
        "army": [
            Word("yorck", "Yorck", "Yorck", ("York",)),
            Word("ney", "Ney", "Ney"),
            Word("napoleon", "Napoléon", "Napoléon", ("the Emperor", "l'Empereur")),
            Word("derlon", "D'Erlon", "d'Erlon"),
        ],
        "terrain": [Word("hill", "hill", "colline"), Word("plain", "plain", "plaine")],
        "card": [Word("hill", "hill", "colline"), Word("grande", "La Grande Manœuvre", "La Grande Manœuvre")],
        "hex": [Word(f"{row}{n}", f"{row}{n}", f"{row}{n}") for row in ROWS for n in range(1, 14)],
        "unit": [
            Word("light_cavalry_3", "Light Cavalry 3", "Cavalerie légère 3"),
            Word("light_infantry_3", "Light Infantry 3", "Infanterie légère 3"),
            Word("line_12", "Line 12", "Ligne 12"),
            Word("line_1", "Line 1", "Ligne 1"),
        ],
        "fact": [
            Word("time", "time", "temps"),
            Word("drawn", "drawn", "piochée", ("it", "drawn card")),
            Word("enemy_corps", "enemy corps", "corps ennemis"),
            Word("rain", "rain", "pluie"),
        ],
        "value": [Word("none", "none", "aucun")],
        "question": [
            Word("acting", "actions", "actions"),
            Word("revealing", "reveal", "révélation"),
        ],
    },
    compared=("value", "card", "terrain", "army", "zone"),
)


class Move(Order, frozen=True):
    army: str
    to: str
    start: str = ""
    words = {
        "en": ("move {army} [from {start}] to {to}",),
        "fr": ("déplacer {army} [de {start}] vers {to}",),
    }
    slots = {"army": Name("army"), "to": Name("zone"), "start": Name("zone")}
    example = {"en": "move Yorck from Wachau to Mockau", "fr": "déplacer Yorck de Wachau vers Mockau"}


class Play(Order, frozen=True):
    card: str
    words = {"en": ("play {card}",), "fr": ("jouer {card}",)}
    slots = {"card": Name("card")}


class Place(Order, frozen=True):
    army: str
    words = {"en": ("place {army} [first]",), "fr": ("placer {army} [d'abord]",)}
    slots = {"army": Name("army")}


class Draw(Order, frozen=True):
    words = {"en": ("draw pile", "draw from the pile"), "fr": ("piocher",)}


class Row(Order, frozen=True):
    number: int
    words = {"en": ("draw row {number}",), "fr": ("piocher rangée {number}",)}
    slots = {"number": Number(1, 4)}


class Fire(Order, frozen=True):
    unit: str
    target: str
    words = {"en": ("{unit} fires at {target}",), "fr": ("{unit} tire sur {target}",)}
    slots = {"unit": Name("unit"), "target": Name("hex")}


class March(Order, frozen=True):
    start: str
    path: tuple[str, ...]
    words = {"en": ("march {start} by {path}",), "fr": ("marche {start} par {path}",)}
    slots = {"start": Name("hex"), "path": Names("hex")}


class Reveal(Order, frozen=True):
    zone: str
    words = {"en": ("reveal {zone}",), "fr": ("révéler {zone}",)}
    slots = {"zone": Name("zone")}


class RevealOrder(Order, frozen=True):
    zones: tuple[str, ...]
    words = {"en": ("reveal order: {zones}",), "fr": ("ordre de révélation : {zones}",)}
    slots = {"zones": Names("zone")}


ACTIONS: tuple[type[Order], ...] = (Move, Play, Place, Draw, Row, Fire, March)
ALL: tuple[type[Order], ...] = (*ACTIONS, Reveal)


class Acting(Question, frozen=True):
    """Up to five actions, which may be a plan."""

    orders = ACTIONS
    plans = True

    def count(self, view: object) -> tuple[int, int]:
        return (1, 5)

    def legal(self, view: object) -> Iterator[Answer]:
        yield (Draw(),) * 2
        yield (Row(2),)
        yield (Move("yorck", "mockau", "wachau"),)

    def facts(self, view: object) -> dict[str, Fact]:
        return {"time": 17}


class Revealing(Question, frozen=True):
    """One village."""

    orders = (Reveal,)
    standing = (RevealOrder,)

    def legal(self, view: object) -> Iterator[Answer]:
        yield (Reveal("wachau"),)
        yield (Reveal("mockau"),)


QUESTIONS: tuple[type[Question], ...] = (Acting, Revealing)
