"""Courtesies around orders."""

from __future__ import annotations

import pytest

from pbem.orders.courtesy import closes, courteous, letterhead, reached, signature, telephone

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


def test_without_a_closing_a_signature_says_where_its_writer_is_reached() -> None:
    orders = {"draw pile", "keep 1"}

    def signed(*written: str) -> list[str]:
        plain = lambda line: "move" not in line  # noqa: E731
        found = letterhead(written, lambda _: True, orders.__contains__, plain, ("Anne Dupont",))
        return [written[at] for at in found]

    company = ["A. Moreau", "Head of Logistics", "Move Managers Ltd", "04109 Leipzig"]
    assert signed("draw pile", "", *company) == company
    assert signed("draw pile", "Anne Dupont", "Head of Logistics") == ["Anne Dupont", "Head of Logistics"]
    assert signed("draw pile", "move on", *company) == company, "a mistyped order is none of it"
    assert signed("draw pile", "some", "words") == [], "nothing says who or where"
    assert signed("drwa piel", *company) == [], "nothing above it can be read"
    assert signed("draw pile", *company, "keep 1") == [], "an order below it"


@pytest.mark.parametrize(
    "line",
    [
        "ACME GmbH",
        "12 rue des Lilas",
        "Tel.: 123",
        "www.acme.example",
        "75001 Paris",
        "A | B | C",
        "ACME Corp.",
    ],
)
def test_where_somebody_is_reached(line: str) -> None:
    assert reached(line)


@pytest.mark.parametrize(
    "line",
    [
        *(
            "1 2 3",
            "12 14",
            "army Murat 3",
            "move a | b",
            "draw row 1",
            "attack 2 to 3",
            "limited access Austria",
        ),
        *("II corp to Halle", "3 place garrison Paris", "lend 1000 to Spain", "company of Ney to Paris"),
    ],
)
def test_an_order_is_no_address(line: str) -> None:
    assert not reached(line)
