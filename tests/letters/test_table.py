"""The letters of the table, read: kept lines, kind of machine, failed addresses."""

from __future__ import annotations

import pytest

from pbem.letters.reading import read
from tests.letters.table import LETTERS, OURS, OWN, SENDER, TABLE, Made


def test_there_are_enough_of_them() -> None:
    assert len(LETTERS) >= 400
    assert len({letter.raw for letter in LETTERS}) == len(LETTERS) == len({letter.name for letter in LETTERS})


@pytest.mark.parametrize("made", LETTERS, ids=lambda made: made.name)
def test_a_letter_of_the_table(made: Made) -> None:
    letter = read(made.raw, own_address=OWN)
    assert (str(letter.auto.kind) if letter.auto else None) == made.kind
    if made.kind is None:
        assert letter.sender == SENDER
        assert [trouble.code for trouble in letter.troubles] == made.troubles
        assert letter.doubt is None
    if made.lines is not None:
        assert list(letter.lines) == made.lines
    if made.bounce is not None:
        assert letter.auto is not None
        (bounce,) = letter.auto.bounces
        assert bounce.address in (SENDER, "")
        assert bool(bounce.address) is ("only-our-id" not in made.name)
        assert bounce.action == made.bounce[0]
        assert bounce.status.startswith(made.bounce[1])
        assert bounce.message_id == OURS
        assert bounce.permanent is (made.bounce == ("failed", made.bounce[1]) and made.bounce[1] != "4")


@pytest.mark.parametrize("ends", [b"\r\n", b"\r"])
def test_line_ends_do_not_matter(ends: bytes) -> None:
    for made in LETTERS:
        if b"base64" not in made.raw[:600] and b"utf-16" not in made.raw[:700]:
            plain, other = (read(raw, own_address=OWN) for raw in (made.raw, made.raw.replace(b"\n", ends)))
            assert (other.lines, other.auto, other.sender) == (plain.lines, plain.auto, plain.sender), (
                made.name
            )


def test_every_head_is_also_known_in_html() -> None:
    for name, head in TABLE["heads"]:
        body = "<br>".join(f"keep Taucha\n\n{head}\n\nRESIGN leipzig-7".replace("<", "&lt;").split("\n"))
        raw = f"From: {SENDER}\nContent-Type: text/html; charset=utf-8\n\n<div>{body}</div>".encode()
        if name != "orange":
            assert read(raw, own_address=OWN).lines == ("keep Taucha",), name
