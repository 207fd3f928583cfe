"""2: what a player can write. The first pattern of a language is the canonical text."""

from __future__ import annotations

from pbem.kernel.order import Name, Order


class March(Order, frozen=True):
    """2.1: along a road to the next town."""

    to: str
    words = {"en": ("march to {to}",), "fr": ("marcher vers {to}",)}
    slots = {"to": Name("town")}
    example = {"en": "march to Market", "fr": "marcher vers le Marché"}


class Hold(Order, frozen=True):
    """2.2: stay."""

    words = {"en": ("hold",), "fr": ("tenir",)}
