"""English names of places and people, understood beside those of the map."""

from __future__ import annotations

from pbem.kernel.words import load

_ALSO = load("nce").also
ZONES: dict[str, tuple[str, ...]] = _ALSO["zone"]

UNITS: dict[str, tuple[str, ...]] = _ALSO["unit"]
"""Units as people call them; each side means its own."""

SEAS: dict[str, tuple[str, ...]] = _ALSO["sea"]

GENERALS: dict[str, tuple[str, ...]] = _ALSO["general"]

COUNTRIES: dict[str, str] = {id: names[0] for id, names in _ALSO["country"].items()}
"""What letters in English call them."""

PROVINCES: dict[str, tuple[str, ...]] = _ALSO["province"]

BARE = ("bade", "berg", "cleves", "corfou")
"""Countries that take no article in French."""
MASCULINE = (
    *("danemark", "hanovre", "maroc", "mecklembourg", "palatinat", "portugal", "wurtemberg"),
    *("royaume_italie", "royaume_baviere", "naples"),
)
PLURAL = ("tyroliens", "chouans", "serbes")


def with_article(id: str, name: str) -> str:
    """A country as French says it: la Prusse, l'Autriche, le Danemark."""
    if id in BARE:
        return name
    if id in PLURAL:
        return f"les {name}"
    if name[0] in "AEIOUÉ":
        return f"l'{name}"
    return f"le {name}" if id in MASCULINE else f"la {name}"


def sea_with_article(name: str) -> str:
    """A sea as French says it: le Golfe du Lion, l'Adriatique, la Manche."""
    if name[0] in "AEIOU":
        return f"l'{name}"
    return f"le {name}" if name.startswith(("Golfe", "Détroit")) else f"la {name}"


def at_town(name: str) -> str:
    """French `à` before a town: à Brest, au Caire."""
    return f"au {name[3:]}" if name.startswith("Le ") else f"à {name}"
