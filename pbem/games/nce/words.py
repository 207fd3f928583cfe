"""The names of things in English and French."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from pbem.games.nce import exonyms
from pbem.games.nce.charts import (
    ARMIES,
    CARDS,
    COUNTRIES,
    FLEETS,
    GENERALS,
    PROVINCES,
    SEAS,
    SPECIALS,
    UNITS,
    ZONES,
    read,
)
from pbem.games.nce.fog import front
from pbem.games.nce.orders import LETTER
from pbem.games.nce.rephrase import FACT, KIND, QUESTION, SMALL
from pbem.kernel.order import Vocabulary, Word
from pbem.kernel.words import load


def _plain(name: str) -> str:
    return " ".join(re.sub(r"[()!?,]", " ", name).split())


def _other(id: str) -> tuple[str, ...]:
    spaced = id.replace("_", " ")
    return (id, spaced) if spaced != id else (id,)


def _named(id: str, english: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """Its identifier and its English names."""
    return (*_other(id), *english.get(id, ()))


def _titled(name: str) -> str:
    """Capitals as in a title, numerals left as they are."""
    return " ".join(word if re.fullmatch("[IVX]+", word) else word.title() for word in name.split())


def unit_name(id: str) -> str:
    """A unit with its country, so that no two are called alike."""
    record = UNITS[id]
    country = COUNTRIES[record.power]
    if not country.major:
        name = _plain(record.name)
        return f"corps {_plain(country.name) if name.lower() == country.id else _titled(name)}"
    return f"{_plain(record.name)} {country.name}"


_ROMAN = {"I": 1, "V": 5, "X": 10}


def _numbered(name: str) -> tuple[str, ...]:
    """`VII CORPS France` as people write it too: 7e corps, 7th corps."""
    numeral, _, rest = name.partition(" ")
    if not rest or not re.fullmatch("[IVX]+", numeral):
        return ()
    values = [_ROMAN[letter] for letter in numeral]
    number = sum(-n if n < max(values[i:]) else n for i, n in enumerate(values))
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number, "th")
    return f"{number}e {rest}", f"{number}{ending} {rest}"


def _units() -> list[Word]:
    def others(id: str, name: str) -> tuple[str, ...]:
        return (*_named(id, exonyms.UNITS), *_numbered(name), *_bare(id))

    return [Word(id, name := unit_name(id), name, others(id, name)) for id in UNITS]


def _bare(id: str) -> tuple[str, ...]:
    """A unit of a great power without its country: `Garde` is not `Garde Nationale`."""
    return (_plain(UNITS[id].name),) if COUNTRIES[UNITS[id].power].major else ()


def _generals() -> list[Word]:
    return [
        Word(g.id, _plain(g.name), _plain(g.name), _short(g.id, _plain(g.name))) for g in GENERALS.values()
    ]


def _short(id: str, name: str) -> tuple[str, ...]:
    saint = (name.replace("Saint-", "St "),) if "Saint-" in name else ()
    return (*_named(id, exonyms.GENERALS), *saint)


def _specials() -> list[Word]:
    names = {
        "cavalerie_garde": ("Guard Cavalry", "Cavalerie de la Garde"),
        "chevaliers_gardes": ("Chevalier Guards", "Chevaliers Gardes"),
        "uxbridge": ("Uxbridge", "Uxbridge"),
        "kgl": ("KGL", "KGL"),
    }
    return [Word(id, *names[id], _other(id)) for id in SPECIALS]


def _zones() -> list[Word]:
    aliases: dict[str, list[str]] = {}
    for row in read("aliases")["alias"]:
        if row["name"] not in ZONES:
            aliases.setdefault(row["zone"], []).extend(_other(row["name"]))
    return [
        Word(z.id, name := _plain(z.name), name, (*_named(z.id, exonyms.ZONES), *aliases.get(z.id, ())))
        for z in ZONES.values()
    ]


def _seas() -> list[Word]:
    return [Word(s.id, _plain(s.name), _plain(s.name), _named(s.id, exonyms.SEAS)) for s in SEAS.values()]


def _said(sea: Word, en: str, fr: str) -> Word:
    """A sea in a sentence."""
    return Word(sea.id, en.format(sea.en), fr.format(exonyms.sea_with_article(sea.fr)))


def _countries() -> list[Word]:
    return [
        Word(c.id, exonyms.COUNTRIES.get(c.id, _plain(c.name)), _plain(c.name), _other(c.id))
        for c in COUNTRIES.values()
    ]


def _annexable(country: str) -> bool:
    """Countries that are annexed whole; a great power gives provinces, and may share a name with one."""
    return country not in PROVINCES and not COUNTRIES[country].major


def _fleets() -> list[Word]:
    found = []
    for fleet in FLEETS.values():
        en = fr = _plain(fleet.name)
        if fleet.id.startswith("fleet_"):
            home = COUNTRIES[fleet.power]
            en, fr = f"{exonyms.COUNTRIES.get(home.id, home.name)} fleet", f"flotte {home.name}"
            en, fr = en.removeprefix("Kingdom of "), fr.replace("Royaume de ", "")
        found.append(Word(fleet.id, en, fr, _other(fleet.id)))
    return found


def _fronts() -> list[Word]:
    """1.9: fleets of which only the front is known."""
    found = {}
    for fleet in FLEETS.values():
        home = COUNTRIES[fleet.power]
        face = f"{fleet.initiative}-{fleet.movement}"
        en = f"a fleet of {exonyms.COUNTRIES.get(home.id, home.name)} {face}"
        found[front(fleet.id)] = Word(front(fleet.id), en, f"une flotte {face} ({home.name})")
    return list(found.values())


def _cards() -> list[Word]:
    return [
        Word(c.id, f"{c.id} {_plain(c.name)}", f"{c.id} {_plain(c.name)}", _card_names(c.id))
        for c in CARDS.values()
    ]


def _card_names(id: str) -> tuple[str, ...]:
    """A card by its number, and by its name where only one bears it."""
    name = _plain(CARDS[id].name)
    alone = sum(_plain(card.name) == name for card in CARDS.values()) == 1
    return (id, id.lower(), name) if alone else (id, id.lower())


def _small(kind: Mapping[str, tuple[str, str]]) -> list[Word]:
    return [Word(id, en, fr) for id, (en, fr) in kind.items()]


def vocabulary() -> Vocabulary:
    """All names by kind."""
    for kind, ids in (
        ("zone", ZONES),
        ("sea", SEAS),
        ("general", GENERALS),
        ("unit", UNITS),
        ("country", COUNTRIES),
    ):
        load("nce").known(kind, ids, "scenarios/nce/words.toml")
    units, generals, specials = _units(), _generals(), _specials()
    zones, seas, fleets = _zones(), _seas(), _fleets()
    armies = [Word(a.id, a.name, a.name, _other(a.id)) for a in ARMIES.values()]
    provinces = [
        Word(p.id, _plain(p.name), _plain(p.name), _named(p.id, exonyms.PROVINCES))
        for p in PROVINCES.values()
    ]
    depots = Word("depots", "depots", "dépôts", ("depot", "dépôt"))
    nobody = Word("nobody", "nobody", "personne")
    kinds: dict[str, Iterable[Word]] = {
        "card": _cards(),
        "country": _countries(),
        "zone": zones,
        "sea": seas,
        "place": [*zones, *(word for word in seas if word.id not in ZONES)],
        "general": generals,
        "subordinate": [*generals, nobody],
        "unit": units,
        "force": [*generals, *units],
        "piece": [*generals, *units, *specials],
        "event_piece": [*generals, *units, *specials, *fleets],
        "loss": [*units, *specials, depots],
        "any_piece": [*generals, *units, *fleets],
        "counter": [*generals, *units, *specials, *fleets, *armies, Word("depot", "a depot", "un dépôt")],
        "fleet": fleets,
        "seen_fleet": [*fleets, *_fronts()],
        "army": armies,
        "province": [*provinces, *(word for word in _countries() if _annexable(word.id))],
        "site": [*zones, *(word for word in generals if word.id not in ZONES)],
    }
    kinds["seat"] = _small(
        {"empire": ("the Empire", "l'Empire"), "coalition": ("the Coalition", "la Coalition")}
    )
    kinds["side_first"] = _small(
        {"empire": ("The Empire", "L'Empire"), "coalition": ("The Coalition", "La Coalition")}
    )
    kinds["the_country"] = [
        Word(word.id, word.en, exonyms.with_article(word.id, word.fr)) for word in _countries()
    ]
    kinds["aim"] = [*zones, *_cards()]
    kinds["the_place"] = [*zones, *(_said(word, "{}", "{}") for word in seas if word.id not in ZONES)]
    kinds["by_place"] = [
        *(Word(word.id, f"at {word.en}", exonyms.at_town(word.fr)) for word in zones),
        *(_said(word, "in {}", "dans {}") for word in seas if word.id not in ZONES),
    ]
    kinds["about"] = [*_countries(), *_cards()]
    for name, words in SMALL.items():
        kinds[name] = _small(words)
    kinds["score"] = [
        *_small(SMALL["score"]),
        *(
            Word(f"card_{c.id}", f"{c.id} {_plain(c.name)}", f"{c.id} {_plain(c.name)}")
            for c in CARDS.values()
        ),
    ]
    kinds["condition"] = load("nce").kind("condition")
    kinds["fact"] = _small(FACT)
    kinds["question"] = _small(QUESTION)
    kinds["kind"] = _small(KIND)
    kinds["order"] = [Word(order.kind(), order.kind(), order.kind()) for order in LETTER]
    return Vocabulary(kinds, load("nce").verbs, ("value", "card", "army", "zone"))


VOCABULARY = vocabulary()
