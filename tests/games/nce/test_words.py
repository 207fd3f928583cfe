"""Every order can be written in both languages, and its canonical text reads back as itself."""

from __future__ import annotations

import pytest

from pbem.games.nce import RULES
from pbem.kernel.order import Order
from pbem.orders.parser import parse_orders, parse_standing


def read(text: str, kind: type[Order]) -> object:
    if kind in RULES.standing:
        return parse_standing(text, RULES.standing, RULES.vocabulary, RULES.questions)
    parsed = parse_orders(text, (kind,), RULES.vocabulary)
    return parsed.orders[0] if parsed.orders else parsed


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("kind", RULES.orders, ids=[kind.kind() for kind in RULES.orders])
def test_examples_are_read_and_read_back(kind: type[Order], lang: str) -> None:
    order = read(kind.example[lang], kind)
    assert isinstance(order, kind), order
    for again in ("en", "fr"):
        assert read(order.text(RULES.vocabulary, again), kind) == order
