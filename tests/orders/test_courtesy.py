"""Courtesies around orders."""

from __future__ import annotations

import pytest

from pbem.orders.courtesy import courteous

NAMES = ("Anne Dupont", "Bob")


@pytest.mark.parametrize(
    "line",
    [
        "Hello,",
        "Hi Bob!",
        "Dear moderator,",
        "Bonjour à tous,",
        "Merci d'avance.",
        "Cordialement, Anne",
        "Anne Dupont",
        "Here are my orders:",
        "Voici mes ordres :",
        "Thanks, all the best",
    ],
)
def test_courtesies_order_nothing(line: str) -> None:
    assert courteous(line, NAMES)


@pytest.mark.parametrize(
    "line",
    ["", "draw pile", "Hello, draw pile", "merci de piocher", "Clara", "all army Murat", "Bob 2", "1", "-- "],
)
def test_anything_more_may_be_an_order(line: str) -> None:
    assert not courteous(line, NAMES)
