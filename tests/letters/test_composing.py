"""Our letters: what other programs make of them, and what cannot be smuggled into them."""

import email
import email.policy
from datetime import UTC, datetime
from email.message import EmailMessage

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.letters.composing import Attachment, ComposeError, Outgoing, Picture, compose, reply_address
from pbem.letters.forms import write_form
from pbem.letters.reading import read

FORM = write_form("leipzig-7", "t3/actions", ["1: draw pile", "2: " + "march far " * 12], "en")
PLAIN = Outgoing(
    sender="moderator@pbem.example",
    sender_name="The moderator",
    recipient="alice@mail.example",
    subject="[Leipzig 7] Turn 3",
    message_id="<leipzig-7.t3.france@pbem.example>",
    date=datetime(2025, 3, 3, 17, 2, tzinfo=UTC),
    text="Turn 3.\n\n" + "\n".join(FORM) + "\n",
    token="leipzig-7.k3x9qa",
)
RICH = msgspec.structs.replace(
    PLAIN,
    text="Zug 3: Bl\u00fccher r\u00fcckt vor.\n" + "word " * 40,
    html='<p>Bl\u00fccher</p><img src="cid:map">',
    pictures=(Picture("map", "map of t\u00eate-de-pont.png", b"\x89PNG" + bytes(1000)),),
    attachments=(Attachment("log.jsonl", b'{"a":1}\n', "application/jsonl"),),
    in_reply_to="<x@mail.example>",
    references=("<a@pbem.example>",),
    list_id="leipzig-7.pbem.example",
    list_name="Leipzig, game 7",
    replied=True,
)


def parse(raw: bytes) -> EmailMessage:
    message = email.message_from_bytes(raw, policy=email.policy.default)
    assert isinstance(message, EmailMessage)
    assert [part.defects for part in message.walk() if part.defects] == []
    return message


def shape(message: EmailMessage) -> object:
    kind = message.get_content_type()
    if not message.is_multipart():
        return kind
    return (kind.removeprefix("multipart/"), *(shape(part) for part in message.iter_parts()))


def test_plain_letter() -> None:
    message = parse(compose(PLAIN))
    assert shape(message) == "text/plain"
    assert message["Reply-To"] == "moderator+leipzig-7.k3x9qa@pbem.example"
    assert message["Auto-Submitted"] == "auto-generated"
    assert message["X-Pbem-Loop"] == "moderator@pbem.example"
    assert message["Date"].datetime == PLAIN.date
    assert message["From"].addresses[0].display_name == "The moderator"
    assert message["Message-ID"] == PLAIN.message_id


def test_rich_letter_nests_so_that_all_programs_show_the_map_in_place() -> None:
    message = parse(compose(RICH))
    assert shape(message) == (
        "mixed",
        ("alternative", "text/plain", ("related", "text/html", "image/png")),
        "image/png",
        "application/jsonl",
    )
    inline, attached, log = [part for part in message.walk() if part.get_filename()]
    assert inline["Content-ID"] == "<map>"
    assert inline.get_content_disposition() == "inline"
    assert attached.get_content_disposition() == "attachment"
    assert inline.get_content() == attached.get_content() == RICH.pictures[0].data
    assert attached.get_filename() == "map of t\u00eate-de-pont.png"
    assert (log.get_filename(), log.get_content()) == ("log.jsonl", b'{"a":1}\n')
    html = message.get_body(("html",))
    assert html is not None
    assert html.get_content().rstrip() == RICH.html


def test_threading_and_list_fields() -> None:
    message = parse(compose(RICH))
    assert message["In-Reply-To"] == "<x@mail.example>"
    assert message["References"] == "<a@pbem.example> <x@mail.example>"
    assert message["Auto-Submitted"] == "auto-replied"
    assert message["List-Id"] == '"Leipzig, game 7" <leipzig-7.pbem.example>'


def test_text_lines_fit_but_form_lines_stay_whole() -> None:
    body = parse(compose(RICH)).get_body(("plain",))
    assert body is not None
    assert max(map(len, body.get_content().splitlines())) <= 78
    plain = parse(compose(PLAIN)).get_content()
    assert FORM[2] in plain.splitlines()


def test_wire_is_seven_bit_with_short_lines() -> None:
    raw = compose(RICH)
    assert raw.isascii()
    assert max(map(len, raw.split(b"\r\n"))) <= 100
    assert b"\n" not in raw.replace(b"\r\n", b"")


def test_same_letter_same_bytes() -> None:
    assert compose(RICH) == compose(msgspec.structs.replace(RICH))


def test_token_in_the_subject_where_plus_addresses_do_not_work() -> None:
    raw = compose(msgspec.structs.replace(PLAIN, plus_address=False))
    message = parse(raw)
    assert message["Reply-To"] == "moderator@pbem.example"
    assert message["Subject"] == "[Leipzig 7] Turn 3 [leipzig-7.k3x9qa]"
    assert read(raw, own_address="moderator@pbem.example").token == "leipzig-7.k3x9qa"


def test_reply_address() -> None:
    assert reply_address("m@p.example", "") == "m@p.example"
    assert reply_address("m@p.example", "g.t") == "m+g.t@p.example"


def test_form_comes_through_our_own_reader_untouched() -> None:
    letter = read(compose(PLAIN), own_address="someone@else.example")
    assert [(form.edited, form.closed) for form in letter.forms] == [(False, True)]
    assert letter.lines == ("Turn 3.",)


EVIL = st.text(st.sampled_from('abé \r\n\t\x00\x0b\x85\u2028:<>"\\@=?,;'), max_size=40)


@given(subject=EVIL, name=EVIL, list_name=EVIL, file=EVIL)
def test_no_field_can_be_smuggled_in(subject: str, name: str, list_name: str, file: str) -> None:
    inject = "\r\nBcc: eve@mail.example\r\n\r\n"
    letter = msgspec.structs.replace(
        RICH,
        subject=subject + inject,
        sender_name=name + inject,
        recipient_name=inject + name,
        list_name=list_name + inject,
        attachments=(Attachment(file + inject, b"x"),),
    )
    message = email.message_from_bytes(compose(letter))
    plain = email.message_from_bytes(compose(RICH))
    assert message.keys() == plain.keys()
    assert len(list(message.walk())) == len(list(plain.walk()))


@pytest.mark.parametrize(
    "change",
    [
        {"recipient": "a@b.example\r\nBcc: c@d.example"},
        {"recipient": "a@b.example, c@d.example"},
        {"sender": "no address"},
        {"message_id": "<a@b>\r\nX: y"},
        {"message_id": "no brackets"},
        {"token": "a b"},
        {"token": "x@evil.example>"},
        {"list_id": "a>b"},
        {"date": datetime(2025, 3, 3)},
        {"pictures": (Picture('a"b', "x.png", b""),), "html": "<p>"},
        {"attachments": (Attachment("x", b"", "text/plain\r\nX: y"),)},
    ],
)
def test_unusable_fields_are_refused(change: dict[str, object]) -> None:
    with pytest.raises(ComposeError):
        compose(msgspec.structs.replace(PLAIN, **change))


@pytest.mark.parametrize(
    "foreign", ["<a b@c>", "<a@b>\r\nBcc: c@d.example", "no brackets", "<cut@off", "<\u00fc@x>"]
)
def test_other_peoples_ids_that_cannot_stand_in_a_head_are_left_out(foreign: str) -> None:
    raw = compose(
        msgspec.structs.replace(PLAIN, in_reply_to=foreign, references=("<good@x.example>", foreign))
    )
    head = raw.partition(b"\r\n\r\n")[0]
    assert b"In-Reply-To" not in head
    assert b"References: <good@x.example>\r\n" in head
    assert b"Bcc" not in head
