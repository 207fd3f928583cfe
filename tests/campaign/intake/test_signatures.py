"""What people have below their orders: no signature stops a turn, and nothing is taken for one silently."""

from __future__ import annotations

import pytest

from tests.campaign.conftest import Desk

FOOTER = """Anne Dupont
Head of Logistics
ACME Drawing Boards GmbH
Karl-Liebknecht-Str. 12, 04109 Leipzig
Tel. +49 341 1234567
www.acme.example
This message is confidential. If you are not its addressee, please tell us and delete it; do not move or keep it."""


@pytest.mark.parametrize(
    "below",
    [
        "Cordialement\nAnne D.",
        "Best regards,\nAnne",
        "A+\nNaneh",
        "A+",
        "Zoë",
        "06 12 34 56 78",
        "555-123-4567",
        "Best wishes, Anne Dupont\n06 12 34 56 78",
        f"Mit freundlichen Grüßen\n\n{FOOTER}",
        "Bonne soirée\nJ.-P.\n12 rue des Lilas\n75001 Paris",
    ],
)
def test_a_signature_never_stops_a_turn(desk: Desk, below: str) -> None:
    before = desk.answers()
    desk.send("french", f"1\n\n{below}")
    assert desk.answers() > before, desk.words("french")


COMPANIES = [
    "Anne Moreau\nHead of Logistics\nACME Drawing Boards GmbH",
    "Anne Moreau\nHead of Logistics\nACME Drawing Boards GmbH\nLeipzig",
    "ACME Drawing Boards GmbH\nKarl-Liebknecht-Str. 12\n04109 Leipzig",
    "Anne Moreau | Senior Engineer | ACME\nTel. +49 341 1234567\nwww.acme.example",
    "Anne Moreau\nSenior Engineer\nACME Corp.\nPhone: 555-1234",
    "Anne Moreau\nACME SARL\n12 rue des Lilas\n75001 Paris",
    "Anne Moreau\nUniversity of Leipzig\nDepartment of History",
    "Anne\n\nAnne Moreau\nMove Managers Ltd\n1 Keep Street, Leipzig",
    "Anne Moreau, PhD\nDirector, Maps and Charts\n+1 555 123 4567\nanne@players.example",
]


@pytest.mark.parametrize("order", ["1", "keep Mölkau, Eutritzsch"])
@pytest.mark.parametrize("gap", ["\n", "\n\n"])
@pytest.mark.parametrize("below", COMPANIES)
def test_nor_does_that_of_a_company_without_a_closing(desk: Desk, below: str, gap: str, order: str) -> None:
    before = desk.answers()
    desk.send("french", f"{order}{gap}{below}")
    assert desk.answers() > before, desk.words("french")


def test_a_mistyped_order_above_a_company_is_no_part_of_its_name(desk: Desk) -> None:
    desk.send("french", "1")
    before = desk.answers()
    desk.send("french", "draw pile\n\nmove Murat to nowhere\nACME GmbH\nwww.acme.example")
    assert desk.answers() == before
    assert "move Murat to nowhere" in desk.words("french")


def test_a_vote_above_a_company_still_waits_for_one_word(desk: Desk) -> None:
    desk.send("french", f"resign {desk.game}\n\nAnne Moreau\nHead of Logistics\nACME GmbH")
    assert not desk.live.over
    assert "CONFIRM" in desk.words("french")


def test_whatever_was_taken_for_a_signature_is_named(desk: Desk) -> None:
    desk.send("french", f"1\n\nRegards\n{FOOTER}")
    assert (
        "Taken as your signature: «Anne Dupont / Head of Logistics / ACME Drawing Boards GmbH / …»"
        in desk.words("french")
    )


def test_lines_behind_the_last_order_that_say_nothing_are_reported_not_refused(desk: Desk) -> None:
    before = desk.answers()
    desk.send("french", "1\nUnrelated blether follows\nquoth somebody")
    assert desk.answers() > before
    assert "left it out: «Unrelated blether follows / quoth somebody»" in desk.words("french")


@pytest.mark.parametrize("wrong", ["draw pyle five tmes zz", "move Murat to nowhere", "jump over"])
def test_a_line_with_words_of_the_game_is_an_order_all_the_same(desk: Desk, wrong: str) -> None:
    desk.send("french", "1")
    before = desk.answers()
    desk.send("french", f"draw pile\n{wrong}")
    assert desk.answers() == before, "the orders for one question stand together"
    assert "left it out" not in desk.words("french")


def test_an_order_below_a_closing_is_an_order(desk: Desk) -> None:
    desk.send("french", "1")
    before = desk.answers()
    desk.send("french", "draw pile\nThanks,\ndraw pile 2 times")
    assert desk.answers() > before
    assert "draw pile 2 times" in desk.words("french")
    assert "signature" not in desk.words("french")


def test_a_letter_of_nothing_readable_is_still_refused(desk: Desk) -> None:
    before = desk.answers()
    desk.send("french", "blether blether\nquoth somebody")
    assert desk.answers() == before
    assert "cannot read" in desk.words("french")
