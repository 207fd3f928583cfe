"""A line that begins with a name which looks like a word that says nothing."""

from __future__ import annotations

from pbem import games
from pbem.games.eia.orders import March
from pbem.orders.parser import parse_orders


def test_the_first_cavalry_is_no_pronoun() -> None:
    rules = games.load("eia")
    own = ["fr_1c", "fr_3"]
    read = parse_orders("I Cavalry to Augsburg", (March,), rules.vocabulary, own=own)
    assert read.orders == (March(("fr_1c",), ("augsburg",)),)


def test_what_is_no_name_is_said_for_nothing() -> None:
    rules = games.load("eia")
    read = parse_orders("I march French III Corps to Augsburg", (March,), rules.vocabulary, own=["fr_3"])
    assert read.orders == (March(("fr_3",), ("augsburg",)),)
