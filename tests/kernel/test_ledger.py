"""Accounts with reasons."""

from __future__ import annotations

import msgspec
import pytest

from pbem.kernel.event import Modifier
from pbem.kernel.ledger import Entry, Ledger, Overdrawn, reasons


def test_every_amount_is_entered_with_its_reason() -> None:
    book = Ledger({"france": 20})
    assert book.add("france", 12, "taxes", "8.2.1") == 32
    assert book.add("austria", 9, "taxes", "8.2.1") == 9
    assert book.of("france") == [Entry("france", 12, "taxes", "8.2.1")]
    assert book.have("turkey") == 0


def test_nought_is_not_entered() -> None:
    book = Ledger()
    assert book.add("france", 0, "taxes") == 0
    assert book.entries == []
    assert book.balance == {}


def test_nobody_spends_what_he_has_not() -> None:
    book = Ledger({"france": 5})
    with pytest.raises(Overdrawn):
        book.move("france", "austria", 6, "gift")
    assert book == Ledger({"france": 5})
    book.move("france", "austria", 5, "gift")
    assert book.balance == {"france": 0, "austria": 5}


@pytest.mark.parametrize(("holds", "then"), [(3, 3), (-2, 0), (15, 10)])
def test_an_account_is_brought_back_within_its_bounds(holds: int, then: int) -> None:
    book = Ledger({"points": holds})
    assert book.clamp("points", 0, 10, "limit") == then
    assert sum(entry.amount for entry in book.entries) == then - holds


def test_closing_forgets_the_entries_and_keeps_the_balances() -> None:
    book = Ledger()
    book.add("france", 3, "taxes")
    assert book.close() == [Entry("france", 3, "taxes")]
    assert book == Ledger({"france": 3})


def test_equal_reasons_are_one_line() -> None:
    book = Ledger()
    for amount, reason in ((3, "taxes"), (-2, "corps"), (4, "taxes"), (1, "gift"), (-1, "gift")):
        book.add("france", amount, reason, "8.2")
    assert reasons(book.entries) == (Modifier("taxes", 7, "8.2"), Modifier("corps", -2, "8.2"))


def test_a_ledger_is_plain_data() -> None:
    book = Ledger({"france": 1})
    book.add("france", 1, "taxes", what="paris")
    assert msgspec.json.decode(msgspec.json.encode(book), type=Ledger) == book
