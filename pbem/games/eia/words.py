"""The names of things in English and French: areas, corps, leaders, and what words.toml adds."""

from __future__ import annotations

import re
from collections.abc import Iterable

from pbem.games.eia.board import AREAS, COUNTERS, LEADERS, MINORS, POLES, POWERS, PROVINCES, Counter, read
from pbem.games.eia.state import COSSACK, FREIKORPS
from pbem.kernel.order import Vocabulary, Word
from pbem.kernel.words import load

_WORDS = load("eia")
_ENDINGS = {1: "st", 2: "nd", 3: "rd"}
_ROMAN = {"I": 1, "V": 5, "X": 10}
_MIDDLE = {
    "Corps": ("Corps", "corps"),
    "Cavalry Corps": ("Cavalry", "corps de cavalerie"),
    "Grenadier Corps": ("Grenadiers", "corps de grenadiers"),
    "Insurrection Corps": ("Insurrection", "corps d'insurrection"),
    "Janissary Corps": ("Janissaries", "corps de janissaires"),
}
_WHOLE = {
    "Imperial Guard": ("Guard", "Garde"),
    "Imperial Guard (V)": ("Guard", "Garde"),
    "Guard": ("Guard", "Garde"),
    "Artillery": ("Artillery", "Artillerie"),
    "Cavalry Corps": ("Cavalry", "Cavalerie"),
    "Light Corps": ("Light Corps", "corps léger"),
    "Tyrol Corps": ("Tyrol Corps", "corps du Tyrol"),
}
_FEMININE = ("Garde", "Artillerie", "Cavalerie")


def _spaced(id: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys((id, id.replace("_", " "))))


def _value(numeral: str) -> int:
    values = [_ROMAN[letter] for letter in numeral]
    return sum(-n if n < max(values[i:]) else n for i, n in enumerate(values))


def _corps(counter: Counter) -> Word:
    """A corps with its nation, so that no two are called alike; its owner may leave that out."""
    numeral, _, rest = counter.name.partition(" ")
    others: list[str] = [counter.id]
    if re.fullmatch("[IVX]+", numeral) and rest in _MIDDLE:
        en, fr = _MIDDLE[rest]
        number = _value(numeral)
        shorts = [f"{numeral} {en}", f"{numeral} {fr}", f"{number}{_ENDINGS.get(number, 'th')} {en}"]
        shorts += [f"{number}e {fr}", f"{number} {en}", counter.name]
        if rest == "Corps":
            shorts += [numeral, f"{number}e corps", f"{numeral}e corps"]
        en, fr, feminine = f"{numeral} {en}", f"{numeral} {fr}", False
    elif counter.name in _WHOLE:
        en, fr = _WHOLE[counter.name]
        shorts, feminine = [en, fr, counter.name.replace(" (V)", "")], fr in _FEMININE
    else:
        en = fr = counter.name
        shorts, feminine = [], False
    if counter.nation in POWERS:
        power = POWERS[counter.nation]
        masculine = power.adjective_fr
        adjective = _FEMALE.get(masculine, masculine) if feminine else masculine
        # «Tyrol Corps» and the insurrection are Austria's alone.
        if counter.id == "au_tyrol":
            return Word(counter.id, en, fr, _also(counter.id, [*others, *shorts]))
        return Word(
            counter.id, f"{power.adjective} {en}", f"{fr} {adjective}", _also(counter.id, [*others, *shorts])
        )
    if counter.nation == POLES:
        fr = "corps polonais" if counter.id == "poland_i" else "cavalerie polonaise"
        return Word(counter.id, counter.name, fr, _also(counter.id, others))
    minor = MINORS[counter.nation]
    numbered = f"{numeral} " if re.fullmatch("[IVX]+", numeral) else ""
    return Word(
        counter.id,
        f"{numbered}{minor.name} Corps",
        f"{numbered}corps {_of(minor.name_fr)}",
        _also(
            counter.id, [*others, minor.name_fr if not numbered else "", minor.name if not numbered else ""]
        ),
    )


_FEMALE = {
    "français": "française",
    "russe": "russe",
    "turc": "turque",
    "autrichien": "autrichienne",
    "prussien": "prussienne",
    "britannique": "britannique",
    "espagnol": "espagnole",
}


def _of(name: str) -> str:
    return f"d'{name}" if re.match(r"[aeéèêiouAEÉÈÊIOU]", name) else f"de {name}"


def _also(id: str, names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for name in (*names, *_WORDS.others("corps", id)) if name))


def _horse() -> list[Word]:
    cossacks = [
        Word(f"{COSSACK.lower()}_russia_{n}", f"Cossack {n}", f"Cosaque {n}", (f"cossacks {n}", f"CK {n}"))
        for n in range(1, read("units")["cossack"]["counters"] + 1)
    ]
    freikorps = [
        Word(
            f"{FREIKORPS.lower()}_{power}_{n}",
            f"{POWERS[power].adjective} Freikorps {n}",
            f"corps franc {POWERS[power].adjective_fr} {n}",
            (f"Freikorps {n}", f"corps franc {n}", f"FK {n}"),
        )
        for power, row in read("units")["freikorps"]["owners"].items()
        for n in range(1, row["counters"] + 1)
    ]
    return [*cossacks, *freikorps]


def _title(name: str) -> str:
    return " ".join(word.capitalize() for word in name.split())


_FRENCH = {
    "napoleon": "Napoléon",
    "massena": "Masséna",
    "eugene": "Eugène",
    "jerome": "Jérôme",
    "john": "Jean",
    "alexander": "Alexandre",
}
_LEADERS = {
    "massena": ("Massena",),
    "napoleon": ("the Emperor", "l'Empereur", "Bonaparte"),
    "kutusov": ("Kutuzov", "Koutouzov"),
}


def _leaders() -> list[Word]:
    return [
        Word(
            leader.id,
            _title(leader.name),
            _FRENCH.get(leader.id, _title(leader.name)),
            tuple(
                dict.fromkeys(
                    (leader.id, *(_title(name) for name in leader.aliases), *_LEADERS.get(leader.id, ()))
                )
            ),
        )
        for leader in LEADERS.values()
    ]


def _areas() -> list[Word]:
    return [
        Word(
            area.id,
            area.name,
            area.name_fr or area.name,
            tuple(dict.fromkeys((*_spaced(area.id), *area.aliases, *_WORDS.others("area", area.id)))),
        )
        for area in AREAS.values()
    ]


def _nations() -> list[Word]:
    poland = Word(POLES, "Poland", "Pologne", ("Poles", "Polonais"))
    minors = [Word(minor.id, minor.name, minor.name_fr) for minor in MINORS.values()]
    return [*_WORDS.kind("power"), *minors, poland]


def vocabulary() -> Vocabulary:
    """All names by kind."""
    areas, leaders = _areas(), _leaders()
    corps = [_corps(counter) for counter in COUNTERS.values()]
    _WORDS.known("area", AREAS, "scenarios/eia/words.toml")
    _WORDS.known("corps", COUNTERS, "scenarios/eia/words.toml")
    movers = [*corps, *_horse()]
    kinds: dict[str, Iterable[Word]] = {kind: _WORDS.kind(kind) for kind in _WORDS.names}
    enemies = [
        Word(f"enemies_{word.id}", f"enemy corps at {word.en}", f"corps ennemis à {word.fr}")
        for word in areas
    ]
    kinds |= {
        "area": areas,
        "corps": movers,
        "leader": leaders,
        "army": leaders,
        "mover": [*movers, *leaders],
        "nation": _nations(),
        "anyone": [*movers, *leaders, *_WORDS.kind("power")],
        "province": [Word(p.id, p.name, p.name_fr) for p in PROVINCES.values()],
        "fact": [*_WORDS.kind("fact"), *enemies],
    }
    return Vocabulary(kinds, _WORDS.verbs)


VOCABULARY = vocabulary()
