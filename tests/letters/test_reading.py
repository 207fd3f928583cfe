"""The reader's limits and the fields of a letter's head."""

import msgspec
import pytest

from pbem.letters.letter import AutoKind, Letter, Limits, Trouble
from pbem.letters.reading import read

OWN = "moderator@pbem.example"


def letter(head: str = "", body: str | bytes = "pass\n", limits: Limits | None = None) -> Letter:
    """A letter from Ida with more head and a body."""
    raw = ("From: Ida <ida@mail.example>\n" + head + "\n").encode()
    raw += body.encode() if isinstance(body, str) else body
    return read(raw, own_address=OWN, limits=limits or Limits())


def codes(read_letter: Letter) -> list[str]:
    return [trouble.code for trouble in read_letter.troubles]


def test_five_megabytes_attached_are_refused_but_the_head_is_read() -> None:
    attachment = b"QUFB" * (5 * 1024 * 1024 // 4)
    body = (
        b'--b\nContent-Type: text/plain\n\nmarch\n--b\nContent-Type: image/jpeg; name="x.jpg"\n'
        b"Content-Transfer-Encoding: base64\n\n" + attachment + b"\n--b--\n"
    )
    head = 'Subject: Turn 3\nMessage-ID: <big@mail.example>\nContent-Type: multipart/mixed; boundary="b"\n'
    got = letter(head, body)
    assert codes(got) == ["too-large"]
    assert got.blocked
    assert got.lines == ()
    assert (got.sender, got.message_id, got.topic) == ("ida@mail.example", "<big@mail.example>", "Turn 3")
    assert str(Limits().size) in got.troubles[0].text("en")
    assert "pièce jointe" in got.troubles[0].text("fr")


def test_one_megabyte_attached_is_fine() -> None:
    body = (
        b"--b\nContent-Type: text/plain\n\nmarch\n--b\nContent-Type: image/jpeg\n"
        b"Content-Transfer-Encoding: base64\n\n"
        + b"QUFB" * 19
        + b"\n" * 100
        + b"QUFB" * 250_000
        + b"\n--b--\n"
    )
    got = letter('Content-Type: multipart/mixed; boundary="b"\n', body)
    assert got.lines == ("march",)
    assert got.troubles == ()


@pytest.mark.parametrize(
    ("code", "head", "body"),
    [
        ("header-too-long", "Subject: " + "x" * 9_000 + "\n", "pass"),
        ("header-too-long", "X-Y: z\n" * 11_000, "pass"),
        ("too-many-lines", "", "march\n" * 1_001),
        ("too-many-lines", "", "> march\n" * 20_001),
        ("too-much-text", "", ("x" * 999 + "\n") * 401),
        ("line-too-long", "", "x" * 10_001),
        ("html-too-complex", "Content-Type: text/html\n", "<div>" * 1_000),
        ("too-many-parts", 'Content-Type: multipart/mixed; boundary="b"\n', "--b\n\nx\n" * 60 + "--b--\n"),
        ("too-many-parts", 'Content-Type: multipart/mixed; boundary="b"\n', "--b\n\nx\n" * 9_000),
        (
            "too-deep",
            "",
            "".join(f"Content-Type: multipart/mixed; boundary={n}\n\n--{n}\n" for n in range(100)),
        ),
    ],
)
def test_beyond_a_limit_nothing_is_read(code: str, head: str, body: str) -> None:
    if code == "too-deep":
        head, _, body = body.partition("\n")
        head += "\n"
        body = body.removeprefix("\n")
    got = letter(head, body)
    assert code in codes(got)
    assert got.blocked
    assert got.lines == ()
    assert got.forms == ()
    assert got.sender == "ida@mail.example"


def test_limits_can_be_given() -> None:
    got = letter(body="one\ntwo\nthree\n", limits=Limits(lines=2))
    assert got.troubles == (Trouble("too-many-lines", 3, 2),)


def test_long_trace_headers_are_no_trouble() -> None:
    got = letter("ARC-Seal: " + "x" * 9_000 + "\n")
    assert got.troubles == ()


def test_copies_of_a_letter_have_one_digest_whatever_way_they_came() -> None:
    head = b"From: a@b.example\nDate: Mon, 3 Mar 2025 18:20:19 +0100\nMessage-ID: <1@b.example>\n"
    body = b"Subject: x\n\npass\n"
    first = read(b"Received: by one\nDelivered-To: x@y\n" + head + body, own_address=OWN)
    second = read(
        (b"Received: by two\nX-Spam: no\n" + head + body + b"\n").replace(b"\n", b"\r\n"), own_address=OWN
    )
    assert first.digest == second.digest
    assert first.size != second.size
    for changed in (body.replace(b"pass", b"draw"), body.replace(b": x", b": y")):
        assert read(head + changed, own_address=OWN).digest != first.digest
    assert read(head.replace(b"18:20", b"18:21") + body, own_address=OWN).digest != first.digest


@pytest.mark.parametrize(
    ("head", "token"),
    [
        ("To: moderator+leipzig-7.abc123@pbem.example\n", "leipzig-7.abc123"),
        ("To: Moderator <Moderator+Leipzig-7.ABC123@PBEM.example>\n", "leipzig-7.abc123"),
        ("To: x@y.example\nCc: moderator+g.t@pbem.example\n", "g.t"),
        ("To: moderator@pbem.example\nDelivered-To: moderator+g.t@pbem.example\n", "g.t"),
        ("To: moderator@pbem.example\nX-Original-To: moderator+g.t@pbem.example\n", "g.t"),
        ("To: moderator+g.t@alias.example\n", "g.t"),
        ("To: moderator@pbem.example\nSubject: Re: [leipzig-7.abc123] Turn\n", "leipzig-7.abc123"),
        ("To: moderator+a.b@pbem.example\nSubject: [c.d] Turn\n", "a.b"),
        ("To: other+a.b@pbem.example\nSubject: [Leipzig 7] [v1] Turn\n", ""),
    ],
)
def test_token(head: str, token: str) -> None:
    assert letter(head).token == token


@pytest.mark.parametrize(
    ("subject", "topic"),
    [
        ("Re: Turn 3", "Turn 3"),
        ("RE: TR: AW: Fwd: FW: WG: Turn 3", "Turn 3"),
        ("Réf : Rép : Turn 3", "Turn 3"),
        ("Re[2]: Re(3): Turn 3", "Turn 3"),
        ("Re : Turn 3: retreat", "Turn 3: retreat"),
        ("Retreat: now", "Retreat: now"),
        ("Tr\u00e9sor", "Trésor"),
        ("Re: [leipzig-7.abc123] Turn 3", "Turn 3"),
        ("[leipzig-7.abc123] Re: Turn 3", "Turn 3"),
        ("", ""),
    ],
)
def test_topic(subject: str, topic: str) -> None:
    assert letter(f"Subject: {subject}\n").topic == topic


@pytest.mark.parametrize(
    ("sender", "address", "name"),
    [
        ("alice@x.example", "alice@x.example", ""),
        ("<Alice@X.example>", "alice@x.example", ""),
        ('"Moreau, Alice" <alice@x.example>', "alice@x.example", "Moreau, Alice"),
        ("=?iso-8859-1?q?Andr=E9?= <a@x.example>", "a@x.example", "André"),
        ("=?utf-8?b?QW5k?=\n =?utf-8?b?csOp?= <a@x.example>", "a@x.example", "André"),
        ("=?nonsense?x?y?= <a@x.example>", "a@x.example", "=?nonsense?x?y?="),
        ("a@x.example (Alice)", "a@x.example", "Alice"),
        ('"evil\\" <b@y.example>" <a@x.example>', "a@x.example", 'evil" <b@y.example>'),
    ],
)
def test_sender(sender: str, address: str, name: str) -> None:
    got = read(f"From: {sender}\n\npass\n".encode(), own_address=OWN)
    assert (got.sender, got.sender_name) == (address, name)
    assert got.troubles == ()


def test_two_from_fields_are_said() -> None:
    assert "several-senders" in codes(letter("From: eve@mail.example\n"))


def test_threading_fields() -> None:
    got = letter("In-Reply-To: <a@b>\nReferences: <x@y>\n\t<a@b>\nMessage-ID: <m@n>\n")
    assert (got.message_id, got.in_reply_to, got.references) == ("<m@n>", "<a@b>", ("<x@y>", "<a@b>"))


def test_authentication_results_are_kept_in_order() -> None:
    got = letter("Authentication-Results: mx; dkim=pass\nAuthentication-Results: evil; dkim=pass\n")
    assert got.authentication_results == ("mx; dkim=pass", "evil; dkim=pass")


def test_message_of_ours_is_a_loop_even_when_it_looks_like_a_report() -> None:
    got = letter("X-Pbem-Loop: x\nContent-Type: multipart/report; report-type=delivery-status; boundary=b\n")
    assert got.auto is not None
    assert got.auto.kind is AutoKind.LOOP


def test_a_letter_is_a_plain_record() -> None:
    got = letter()
    assert msgspec.json.decode(msgspec.json.encode(got), type=Letter) == got


@pytest.mark.parametrize(
    "text",
    [
        "Hello,\n\nplease confirm that you are human: https://filter.example/x\n\nkeep Taucha, Eutritzsch",
        "##- Please type your reply above this line -##\n\nkeep Taucha, Eutritzsch",
        "Merci de prouver que vous êtes une personne.",
    ],
)
def test_who_asks_whether_we_are_human_is_a_machine(text: str) -> None:
    raw = f"From: a@b.example\nSubject: Re: orders\nContent-Type: text/plain; charset=utf-8\n\n{text}\n".encode()
    letter = read(raw, own_address=OWN)
    assert letter.auto is not None
    assert letter.auto.kind == "auto-submitted"


@pytest.mark.parametrize(
    "subject",
    [
        "Re: [leipzig-7] Your orders",
        "Request for peace",
        "Re: Turn 12 received",
        "[leipzig-7] case 12",
        "Demande 1813",
    ],
)
def test_a_person_is_no_desk(subject: str) -> None:
    raw = f"From: a@b.example\nSubject: {subject}\n\nkeep Taucha, Eutritzsch\n".encode()
    assert read(raw, own_address=OWN).auto is None


@pytest.mark.parametrize(
    ("written", "subject"),
    [
        ("=?utf-8?q?Re: Vos ordres =C3=A9t=C3=A9?=", "Re: Vos ordres été"),
        ("=?iso-8859-1?Q?M=F6lkau_a?= =?utf-8?b?w6k=?=", "Mölkau aé"),
    ],
)
def test_encoded_words_with_spaces_in_them(written: str, subject: str) -> None:
    assert read(f"From: a@b.example\nSubject: {written}\n\nx\n".encode(), own_address=OWN).subject == subject
