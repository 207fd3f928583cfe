"""Agreements: signed by all they are in force; withdrawn, lapsed, ended and denounced they are not."""

from __future__ import annotations

import msgspec
import pytest

from pbem.kernel.agreement import (
    Agreement,
    AgreementBroken,
    AgreementLapsed,
    AgreementMade,
    Agreements,
    Clause,
    Denounce,
    Sign,
    Withdraw,
)
from pbem.kernel.order import answer_from_data, answer_to_data
from pbem.kernel.table import Table
from tests.kernel.toy import Go, Pseudo

PEACE = Agreement(
    1, ("red", "blue"), (Clause("peace"), Clause("go to the hill", '{"order":"go","place":"hill"}'))
)
KINDS = (Go,)


@pytest.fixture
def table() -> Table[Agreements]:
    return Table(Agreements(), Pseudo())


def test_an_agreement_is_in_force_when_all_have_signed_and_the_game_concludes(
    table: Table[Agreements],
) -> None:
    book = table.state
    book.deposit("red", Sign(PEACE))
    assert table.conclude(book) == []
    book.deposit("blue", Sign(PEACE))
    assert not book.between("red", "blue")
    assert table.conclude(book) == [PEACE]
    assert book.between("red", "blue") == [PEACE]
    assert [type(told.event) for told in table.told] == [AgreementMade]
    assert PEACE.orders(KINDS) == [Go("hill")]


def test_a_signature_is_the_whole_text_and_survives_the_journal() -> None:
    data = msgspec.json.decode(msgspec.json.encode(answer_to_data((Sign(PEACE),))))
    assert answer_from_data(data, KINDS) == (Sign(PEACE),)
    assert data[0]["agreement"]["clauses"][0]["text"] == "peace"


def test_a_withdrawn_signature_counts_no_more(table: Table[Agreements]) -> None:
    book = table.state
    book.deposit("red", Sign(PEACE))
    book.deposit("red", Withdraw(1))
    book.deposit("blue", Sign(PEACE))
    assert table.conclude(book) == []


def test_what_is_in_force_cannot_be_withdrawn_but_denounced(table: Table[Agreements]) -> None:
    book = table.state
    for seat in PEACE.parties:
        book.deposit(seat, Sign(PEACE))
    table.conclude(book)
    refused = book.problem("red", Withdraw(1))
    assert refused is not None
    assert refused.code == "agreement_in_force"
    book.deposit("red", Denounce(1))
    assert book.binding[0].denounced == ["red"]
    assert book.seen_by("blue").binding[0].denounced == []
    table.conclude(book)
    assert not book.binding
    last = table.told[-1].event
    assert isinstance(last, AgreementBroken)
    assert last.seat == "red"


def test_an_agreement_lapses_and_only_its_signers_hear_of_it(table: Table[Agreements]) -> None:
    book = table.state
    book.deposit("red", Sign(PEACE))
    table.conclude(book, patience=2)
    assert not table.told
    table.conclude(book, patience=2)
    (told,) = table.told
    assert isinstance(told.event, AgreementLapsed)
    assert told.to == ("red",)


def test_an_agreement_ends_with_its_term(table: Table[Agreements]) -> None:
    book = table.state
    short = msgspec.structs.replace(PEACE, term=2)
    for seat in short.parties:
        book.deposit(seat, Sign(short))
    bound = []
    for _ in range(4):
        table.conclude(book)
        bound.append(bool(book.binding))
    assert bound == [True, True, False, False]


def test_nobody_signs_for_others_or_another_text(table: Table[Agreements]) -> None:
    book = table.state
    foreign = book.problem("green", Sign(PEACE))
    assert foreign is not None
    assert foreign.code == "agreement_no_party"
    book.deposit("red", Sign(PEACE))
    changed = Sign(msgspec.structs.replace(PEACE, clauses=(Clause("war"),)))
    other = book.problem("blue", changed)
    assert other is not None
    assert other.code == "agreement_other_text"
    book.deposit("blue", changed)
    assert table.conclude(book) == []


def test_signatures_are_sealed_and_a_view_of_a_view_is_the_same() -> None:
    book = Agreements()
    book.deposit("red", Sign(PEACE))
    assert book.seen_by("red").offers
    assert not book.seen_by("blue").offers
    assert not book.seen_by(None).offers
    assert book.seen_by("red").seen_by("red") == book.seen_by("red")
    assert book.seen_by("red").seen_by(None) == book.seen_by(None)


def test_whoever_is_out_binds_nobody(table: Table[Agreements]) -> None:
    book = table.state
    for seat in PEACE.parties:
        book.deposit(seat, Sign(PEACE))
    table.conclude(book)
    table.conclude(book, dead=("blue",))
    assert not book.binding
