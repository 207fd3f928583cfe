"""Posts as players write them."""

from __future__ import annotations

import time

import pytest

from pbem.letters.letter import Letter
from pbem.letters.markup import plain
from pbem.letters.posted import Place
from pbem.letters.reading import read


def lines(text: str) -> list[str]:
    return [line for line in plain(text).split("\n") if line.strip()]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("@pbem MOVE Ney to Leipzig", ["MOVE Ney to Leipzig"]),
        ("@pbem:\nMOVE Ney to Leipzig", ["MOVE Ney to Leipzig"]),
        ("**MOVE** Ney to *Leipzig*", ["MOVE Ney to Leipzig"]),
        ("- MOVE Ney\n- MOVE Murat", ["MOVE Ney", "MOVE Murat"]),
        ("[list][*] MOVE Ney\n[*] MOVE Murat[/list]", ["MOVE Ney", "MOVE Murat"]),
        ("```\nMOVE Ney\n```", ["MOVE Ney"]),
        ("[code]\nMOVE Ney\n[/code]", ["MOVE Ney"]),
        ("[spoiler]MOVE Ney[/spoiler]", ["MOVE Ney"]),
        ("Hello all!\n[orders]\nMOVE Ney\n[/orders]\nSee you.", ["MOVE Ney"]),
        ("Bonjour\n[ordres]MOVE Ney[/ordres] à bientôt", ["MOVE Ney"]),
        ("@pbem [orders]2[/orders]", ["2"]),
        ("[orders]READY", ["READY"]),
        ('[quote="pbem"]MOVE Murat[/quote]\nMOVE Ney', ["MOVE Ney"]),
        ("[quote=a][quote=b]x[/quote]y[/quote]MOVE Ney", ["MOVE Ney"]),
        ("MOVE Ney\n[quote=a]never closed", ["MOVE Ney"]),
        ("MOVE \\[XI\\] to W\\*", ["MOVE [XI] to W*"]),
        ("# MOVE Ney", ["MOVE Ney"]),
        ("see [Leipzig](http://x/y) and ![map](http://x.png)", ["see Leipzig and "]),
        (
            "[[orders leipzig-7 t3.french]]\nMOVE Ney\n[[end]]",
            ["[[orders leipzig-7 t3.french]]", "MOVE Ney", "[[end]]"],
        ),
        ("MOVE Ney: Mayence -> Würzburg", ["MOVE Ney: Mayence -> Würzburg"]),
        ("VI_corps stays, 3*4 is 12", ["VI_corps stays, 3*4 is 12"]),
    ],
)
def test_what_a_post_says(text: str, wanted: list[str]) -> None:
    assert lines(text) == wanted


def test_hostile_markup_costs_no_more_than_its_length() -> None:
    def cost(size: int) -> float:
        began = time.perf_counter()
        for piece in ("[quote]", "**a", "[a](", "`", "[orders]", "![", "\\*", "> ", "__a"):
            plain(piece * (size // len(piece)))
        return time.perf_counter() - began

    cost(10_000)
    assert cost(200_000) < 60 * max(cost(10_000), 0.002)


def post(head: str = "", text: str = "MOVE Ney") -> Letter:
    raw = (
        "From: <u3@consim.board.pbem.invalid>\nTo: <t42@consim.board.pbem.invalid>\n"
        f"Message-ID: <p7.r0@consim.board.pbem.invalid>\nX-Pbem-Place: public 42\nX-Pbem-Name: Zoé\n{head}"
        f"Content-Type: text/markdown; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n{text}"
    )
    return read(raw.encode(), own_address="moderator@pbem.test")


def test_the_envelope_is_read() -> None:
    letter = post("X-Pbem-Mention: yes\n", "**MOVE** Ney")
    assert letter.posted is not None
    assert (letter.posted.board, letter.posted.place, letter.posted.mention) == ("consim", Place("42"), True)
    assert (letter.sender, letter.sender_name) == ("u3@consim.board.pbem.invalid", "Zoé")
    assert letter.answer_to == "t42@consim.board.pbem.invalid"
    assert letter.lines == ("MOVE Ney",)


def test_a_mail_has_no_envelope_of_a_post() -> None:
    raw = b"From: <anne@x.test>\nX-Pbem-Place: public 42\nX-Pbem-Name: Bob\n\nMOVE Ney"
    letter = read(raw, own_address="moderator@pbem.test")
    assert letter.posted is None
    assert letter.answer_to == "anne@x.test"
