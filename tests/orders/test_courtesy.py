"""Courtesies around orders."""

from __future__ import annotations

import pytest

from pbem.orders.courtesy import closes, courteous, signature, telephone

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


@pytest.mark.parametrize(
    "line",
    [
        "06 12 34 56 78",
        "+33 6 12 34 56 78",
        "Tel. 0341/123456",
        "Tél : 01.23.45.67.89",
        "(555) 123-4567",
        "M: 555 1234",
    ],
)
def test_a_telephone_number_is_no_choice_from_a_menu(line: str) -> None:
    assert telephone(line)
    assert courteous(line)


@pytest.mark.parametrize(
    "line", ["1 1 5", "12 34 56 78", "3", "0", "100 101 102", "mortar 3 5", "t3", "[2] [4]", "p 3"]
)
def test_numbers_that_may_be_choices(line: str) -> None:
    assert not telephone(line)


@pytest.mark.parametrize(
    "line", ["A+", "à+", "Cordialement,", "Best regards, Anne Dupont", "Bonne soirée !", "--thanks"]
)
def test_what_closes_a_letter(line: str) -> None:
    assert closes(line)


def test_below_a_closing_only_what_is_certainly_meant_is_no_signature() -> None:
    orders = {"draw pile", "keep 1"}
    lines = ["draw pile", "Regards,", "", "A. Dupont", "ACME Ltd, drawing boards", "04109 Leipzig"]

    def signed(*written: str) -> list[str]:
        return [written[at] for at in signature(written, lambda _: True, orders.__contains__)]

    assert signed(*lines) == lines[2:]
    assert signed(*lines, "keep 1") == [], "an order below it"
    assert signed("Thanks,", "drwa piel") == [], (
        "nothing above it that can be read: the order may be mistyped"
    )
