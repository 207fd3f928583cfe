"""The names of things in English and French."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pbem.games.ccn import board, charts
from pbem.games.ccn.setup import leader_names
from pbem.kernel import words
from pbem.kernel.order import Vocabulary, Word

_WORDS = words.load("ccn")
_KINDS = _WORDS.pairs("type")
_BRIEF = _WORDS.pairs("brief")
_NATIONS = {
    "fr": ("French", "française"),
    "br": ("British", "britannique"),
    "pt": ("Portuguese", "portugaise"),
}
_MASCULINE = ("grenadier", "rifle", "cuirassier", "guard_grenadier")
_PLURAL = {"fr": "français", "br": "britanniques", "pt": "portugais"}

_CARDS = _WORDS.pairs("card")
_ALSO_CARDS = _WORDS.also["card"]


def _kind_word(id: str) -> Word:
    nation, kind = id.split("_", 1)
    en, fr = _KINDS[kind]
    adjective = _PLURAL[nation] if kind in _MASCULINE else _NATIONS[nation][1]
    code = charts.kinds()[id].code
    return Word(id, f"{_NATIONS[nation][0]} {en}", f"{fr} {adjective}", (f"{nation.upper()}-{code}",))


def _brief_word(id: str) -> Word:
    """A type in a list of many: `British Line`."""
    nation, kind = id.split("_", 1)
    en, fr = _BRIEF.get(kind, _KINDS[kind])
    adjective = _PLURAL[nation] if kind in (*_MASCULINE, "light") else _NATIONS[nation][1]
    return Word(id, f"{_NATIONS[nation][0]} {en}", f"{fr} {adjective}")


def _words(
    names: dict[str, tuple[str, str]], also: Mapping[str, tuple[str, ...]] | None = None
) -> list[Word]:
    return [Word(id, en, fr, (also or {}).get(id, ())) for id, (en, fr) in names.items()]


def _hexes() -> list[Word]:
    return [Word(hex, hex, hex) for hex in board.HEXES]


def _written() -> list[Word]:
    """Hexes as they are written in orders, wrong ones too: the rules answer those better than a reader could."""
    hexes = [Word(hex, hex, hex, (f"{hex[1:]}{hex[0]}",)) for hex in board.HEXES]
    return [*hexes, *(Word(name, name, name) for name in board.BEYOND)]


OFF = Word(board.OFF, "off", "dehors", ("off the board", "hors du plateau", "leave", "sortir"))
SECTION = _WORDS.pairs("section")
_ALSO_SECTIONS = _WORDS.also["section"]
ARM = _WORDS.pairs("arm")
TROOP = _WORDS.pairs("troop")
NATION = _WORDS.pairs("nation")
TERRAIN = _WORDS.pairs("terrain")
FACE = _WORDS.pairs("face")
FACT = _WORDS.pairs("fact")
QUESTION = _WORDS.pairs("question")
_ALSO_QUESTIONS = _WORDS.also["question"]
VALUE = _WORDS.pairs("value")
KIND = _WORDS.pairs("kind")
ROLE = _WORDS.pairs("role")
ANSWER = _WORDS.pairs("answer")
REASON = _WORDS.pairs("reason")
_POLICIES = {
    kind.removeprefix("policy_"): _WORDS.pairs(kind) for kind in _WORDS.names if kind.startswith("policy_")
}
_ALSO_ADVANCE = _WORDS.also["advance"]


SEEN_AS: dict[str, tuple[str, ...]] = dict(_WORDS.also["seen_as"])
"""What units are called by their type or arm, where the board tells which."""
SEEN_WHERE: dict[str, tuple[str, ...]] = dict(_WORDS.also["seen_where"])
"""The sections as they tell units apart."""
NATIONS: dict[str, tuple[str, ...]] = dict(_WORDS.also["seen_nation"])
"""A type with its nation."""


def _whose() -> Iterable[Word]:
    taken: dict[str, Word] = {}
    kinds = [_kind_word(id) for id in charts.kinds()]
    for word in (*_words(ARM), *_words(TROOP), *_words(NATION), *kinds, *_hexes()):
        taken.setdefault(word.id, word)
    return taken.values()


def vocabulary() -> Vocabulary:
    """All names of the game."""
    leaders = [Word(id, name, name) for id, name in leader_names().items()]
    kinds: dict[str, Iterable[Word]] = {
        "hex": _written(),
        "way": [*_written(), OFF],
        "leader": [*leaders, *_written()],
        "kind": _words(KIND),
        "card": _words(_CARDS, _ALSO_CARDS),
        "section": _words(SECTION, _ALSO_SECTIONS),
        "unit": [_kind_word(id) for id in charts.kinds()],
        "block": [_brief_word(id) for id in charts.kinds()],
        "piece": [*(_kind_word(id) for id in charts.kinds()), *leaders],
        "arm": _words(ARM),
        "troop": _words(TROOP),
        "nation": _words(NATION),
        "terrain": _words(TERRAIN),
        "face": _words(FACE),
        "whose": _whose(),
        "reason": _words(REASON),
        "role": _words(ROLE),
        "answer": _words(ANSWER),
        "seat": [Word("allied", "Allies", "Alliés"), Word("french", "French", "Français")],
        "fact": [*_words(FACT), *_hexes()],
        "question": _words(QUESTION, _ALSO_QUESTIONS),
        "value": [*_words(VALUE), *_words(ARM), *_words(TERRAIN)],
    }
    for kind, names in _POLICIES.items():
        kinds[kind] = _words(names, _ALSO_ADVANCE if kind == "advance" else None)
    return Vocabulary(kinds, words.load("ccn").verbs, ("value", "card", "terrain", "arm"))
