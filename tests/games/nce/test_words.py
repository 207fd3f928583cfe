"""Every order can be written in both languages, and its canonical text reads back as itself."""

from __future__ import annotations

import re
from pathlib import Path

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


def test_the_standing_orders_of_the_players_page_can_be_read() -> None:
    page = (Path(__file__).parents[3] / "docs" / "nce.md").read_text("utf-8")
    rows = [line.split("|")[2] for line in page.splitlines() if re.match(r"\| (D\d|interphase)", line)]
    texts = [text for row in rows for text in re.findall("`([^`]*)`", row) if not text.startswith(("…", "["))]
    assert len(texts) > 25
    for text in texts:
        for written in (re.sub(r" \[[^\]]*\]", "", text), text.replace("[", "").replace("]", "")):
            read = parse_standing(written, RULES.standing, RULES.vocabulary, RULES.questions)
            assert isinstance(read, Order), written


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_blanks_of_the_help_have_names(lang: str) -> None:
    kinds = {
        slot.vocabulary for kind in RULES.orders for slot in kind.slots.values() if slot.kind != "number"
    }
    named = RULES.vocabulary.kinds["kind"]
    assert not kinds - set(named)
    assert all("_" not in named[kind].name(lang) for kind in kinds)
