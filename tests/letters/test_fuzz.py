"""Whatever bytes come in, a Letter comes out."""

import random
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.letters.letter import Letter, Limits
from pbem.letters.reading import read

CORPUS = [path.read_bytes() for path in sorted((Path(__file__).parent / "corpus").glob("*.eml"))]
OWN = "moderator@pbem.example"
SPICE = [
    b"\x00",
    b"\xff\xfe",
    b"\r",
    b"\n\n",
    b"=?utf-8?b?",
    b"--",
    b"[[orders a b #00000000]]",
    b"[[end]]",
    b">",
    b"Content-Type: multipart/mixed; boundary=",
    b"Content-Transfer-Encoding: base64\n",
    b"charset=punycode",
    b"<div>",
    b"\xed\xa0\x80",
    b"\xf0\x9f\x92\xa9",
]


def check(raw: bytes) -> None:
    got = read(raw, own_address=OWN)
    limits = Limits()
    assert isinstance(got, Letter)
    assert "unreadable" not in [trouble.code for trouble in got.troubles]
    assert len(got.lines) <= limits.lines
    assert got == read(raw, own_address=OWN)
    for text in (
        *got.lines,
        got.subject,
        got.sender_name,
        *(line for form in got.forms for line in form.lines),
    ):
        assert "\n" not in text
        assert "\r" not in text
        assert "\x00" not in text
    if got.blocked:
        assert got.lines == ()
        assert got.forms == ()


def mutate(raw: bytes, dice: random.Random) -> bytes:
    data = bytearray(raw)
    for _ in range(dice.randint(1, 12)):
        place = dice.randrange(len(data) + 1)
        what = dice.randrange(5)
        if what == 0 and data:
            data[place % len(data)] = dice.randrange(256)
        elif what == 1:
            data[place:place] = dice.choice(SPICE)
        elif what == 2:
            del data[place : place + dice.randint(1, 200)]
        elif what == 3:
            data = data[:place]
        else:
            other = dice.choice(CORPUS)
            start = dice.randrange(len(other))
            data[place:place] = other[start : start + 300]
    return bytes(data)


def test_mutated_letters_never_raise() -> None:
    dice = random.Random(1813)
    for number in range(500):
        check(mutate(CORPUS[number % len(CORPUS)], dice))


@given(st.binary(max_size=600))
def test_any_bytes(raw: bytes) -> None:
    check(raw)


@settings(max_examples=60)
@given(
    st.sampled_from(
        [
            "text/plain",
            "text/html",
            "multipart/mixed; boundary=b",
            "message/rfc822",
            "text/plain; format=flowed",
        ]
    ),
    st.sampled_from(["7bit", "base64", "quoted-printable", "x-uuencode"]),
    st.binary(max_size=400),
)
def test_any_body_under_a_proper_head(kind: str, encoding: str, body: bytes) -> None:
    head = f"From: a@b.example\nContent-Type: {kind}\nContent-Transfer-Encoding: {encoding}\n\n"
    check(head.encode() + body)
