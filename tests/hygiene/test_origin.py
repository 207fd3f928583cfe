"""Who is it: what the receiving server says of a letter, what its signature says, and what an attacker can do."""

from __future__ import annotations

from pathlib import Path

import dkim
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from pbem.campaign.intake.authenticity import AuthenticationSettings, Authenticity
from pbem.letters.authentication import Verdict, aligned, judge
from pbem.letters.reading import read
from pbem.post.dkim import DkimError, DkimSettings, Signer, Verifier
from tests.hygiene.conftest import ALICE, BOB, MODERATOR, Office

SERVER = "mx.pbem.example"


@pytest.mark.parametrize(
    ("field", "verdict"),
    [
        ("mx.pbem.example; dmarc=pass header.from=pbem.example", Verdict.PASS),
        ("mx.pbem.example; dkim=pass header.d=pbem.example", Verdict.PASS),
        ("mx.pbem.example; dkim=pass header.i=@pbem.example header.s=x", Verdict.PASS),
        ("MX.pbem.example 1; spf=pass smtp.mailfrom=alice@pbem.example", Verdict.PASS),
        ("mx.pbem.example; dkim=fail; spf=pass smtp.mailfrom=alice@pbem.example", Verdict.PASS),
        ("mx.pbem.example; dmarc=fail header.from=pbem.example; spf=none", Verdict.FAIL),
        ("mx.pbem.example; spf=softfail smtp.mailfrom=alice@pbem.example", Verdict.FAIL),
        ("mx.pbem.example; dkim=pass header.d=evil.example; dmarc=fail", Verdict.FAIL),
        ("mx.pbem.example; dkim=pass header.d=evil.example", Verdict.FAIL),
        ("mx.pbem.example; dkim=pass header.d=alice.pbem.example", Verdict.FAIL),
        ("mx.pbem.example; dkim=pass header.d=example", Verdict.FAIL),
        ("mx.pbem.example; none", Verdict.NONE),
        ("mx.pbem.example; spf=none; dkim=none; dmarc=none", Verdict.NONE),
        ("mx.pbem.example; spf=neutral smtp.mailfrom=alice@pbem.example", Verdict.NONE),
        ("mx.pbem.example; ((((", Verdict.FAIL),
        ("mx.pbem.example; " + "(" * 5000, Verdict.FAIL),
        ("mx.pbem.example; dmarc=pass header.from=pbem.example; x=", Verdict.FAIL),
        ("mx.pbem.example; dmarc=pass header.from=pbém.example", Verdict.FAIL),
        ("mx.pbem.example; dmarc=pass header.from=pbem.example\x00", Verdict.FAIL),
        ("mx.pbem.example; dmarc=temperror header.from=pbem.example", Verdict.FAIL),
        ("mx.pbem.example; dkim=temperror; spf=none", Verdict.FAIL),
        ("mx.pbem.example; dmarc=pass header.from=pbem.example; dmarc=fail", Verdict.FAIL),
        ("mx.pbem.example; dmarc=fail; dkim=pass header.d=pbem.example", Verdict.FAIL),
        ("mx.pbem.example; dmarc=pass header.from=evil.example", Verdict.FAIL),
        ("mx.pbem.example (x); dmarc=pass header.from=pbem.example", Verdict.FAIL),
        ("(x) mx.pbem.example; dmarc=pass header.from=pbem.example", Verdict.FAIL),
        ("mx.pbem.example\t; dmarc=pass header.from=pbem.example", Verdict.FAIL),
        ("\tmx.pbem.example; dmarc=pass header.from=pbem.example", Verdict.FAIL),
        ('"mx.pbem.example"; dmarc=pass header.from=pbem.example', Verdict.FAIL),
        ("\x00", Verdict.FAIL),
        ("mx.evil.example; dmarc=pass header.from=pbem.example", None),
        ("dmarc=pass header.from=pbem.example", None),
        ("", None),
    ],
)
def test_what_the_trusted_server_says(field: str, verdict: Verdict | None) -> None:
    assert judge([field], SERVER, ALICE) == verdict


def test_only_the_topmost_word_of_the_trusted_server_counts() -> None:
    forged = f"{SERVER}; dmarc=pass header.from=pbem.example"
    assert judge([f"{SERVER}; dmarc=fail", forged], SERVER, ALICE) is Verdict.FAIL
    assert judge(["mx.other.example; dmarc=fail", forged], SERVER, ALICE) is Verdict.PASS


def test_a_domain_speaks_for_itself_and_for_what_is_below_it() -> None:
    assert aligned("example.org", "a@example.org")
    assert aligned("example.org", "a@mail.example.org")
    assert not aligned("mail.example.org", "a@example.org")
    assert not aligned("ample.org", "a@example.org")
    assert not aligned("org", "a@example.org")


@pytest.fixture(scope="module")
def key() -> tuple[bytes, bytes]:
    """A key, and the record of its public half."""
    import base64

    made = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    private = made.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.TraditionalOpenSSL,
        serialization.NoEncryption(),
    )
    public = made.public_key().public_bytes(
        serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    return private, b"v=DKIM1; k=rsa; p=" + base64.b64encode(public)


def records(record: bytes, name: bytes = b"s1._domainkey.pbem.example.") -> Verifier:
    return Verifier(lambda asked, timeout=5: record if asked == name else None)


LETTER = b"From: alice@pbem.example\r\nTo: moderator@pbem.example\r\nSubject: x\r\n\r\npass\r\n"


def signed(key: bytes, raw: bytes = LETTER, domain: bytes = b"pbem.example", **how: object) -> bytes:
    signature: bytes = dkim.sign(raw, b"s1", domain, key, **how)
    return signature + raw


def test_signatures(key: tuple[bytes, bytes]) -> None:
    private, record = key
    verifier = records(record)
    good = signed(private)
    assert verifier.judge(good, ALICE) is Verdict.PASS
    assert verifier.judge(good.replace(b"\r\n", b"\n"), ALICE) is Verdict.PASS
    assert verifier.judge(good.replace(b"pass", b"draw"), ALICE) is Verdict.FAIL
    assert verifier.judge(good.replace(b"alice", b"carol"), "carol@pbem.example") is Verdict.FAIL
    assert verifier.judge(LETTER, ALICE) is Verdict.NONE
    assert verifier.judge(b"DKIM-Signature: v=1; d=pbem.example; rubbish\r\n" + LETTER, ALICE) is Verdict.FAIL
    foreign = signed(private, domain=b"evil.example")
    assert records(record, b"s1._domainkey.evil.example.").judge(foreign, ALICE) is Verdict.NONE


def test_a_signature_over_part_of_the_body_counts_for_nothing(key: tuple[bytes, bytes]) -> None:
    private, record = key
    partial = signed(private, length=True) + b"and resign\r\n"
    assert records(record).judge(partial, ALICE) is Verdict.NONE


def test_fields_too_long_or_too_many_are_doubts_and_not_nothing() -> None:
    good = "dmarc=pass header.from=pbem.example"
    long = f"Authentication-Results: {SERVER}; {good}; x=pass ({'y' * 9000})\r\n"
    many = "Authentication-Results: mx.other.example; none\r\n" * 30
    for head in (long, many):
        letter = read(head.encode() + LETTER, own_address=MODERATOR)
        assert judge(letter.authentication_results, SERVER, ALICE) is Verdict.FAIL


def test_a_signature_that_cannot_be_checked_is_a_doubt(key: tuple[bytes, bytes]) -> None:
    def silent(name: bytes, timeout: int = 5) -> bytes:
        raise dkim.DnsTimeoutError("no answer")

    assert Verifier(silent).judge(signed(key[0]), ALICE) is Verdict.FAIL
    assert records(b"", b"nowhere").judge(signed(key[0]), ALICE) is Verdict.FAIL


async def hand_in(office: Office, raw: bytes, results: str) -> str:
    head = f"Authentication-Results: {results}\r\n".encode() if results else b""
    await office.arrive(head + raw)
    (status,) = await office.round()
    return status


async def test_a_doubtful_letter_is_held_until_the_registered_address_answers(office: Office) -> None:
    await office.restart(authenticity=Authenticity(AuthenticationSettings(authserv_id=SERVER)))
    good, bad = f"{SERVER}; dmarc=pass header.from=pbem.example", f"{SERVER}; dmarc=fail"
    assert await hand_in(office, office.letter("french", "status"), good) == "done"
    assert await hand_in(office, office.letter("french", "status"), "") == "done"
    assert await hand_in(office, office.letter("french", "resign leipzig-1"), bad) == "held"
    assert office.store.game(office.game).status == "running"
    number = office.handled[0].letter
    assert f"CONFIRM {number}" in office.texts(ALICE)[-1]
    assert await hand_in(office, office.letter("french", f"CONFIRM {number}"), bad) == "held"
    first = next(row for row in office.store.dispatches(office.game, "french") if row.kind == "notice")
    answer = office.letter("french", f"CONFIRM {number}", In_Reply_To=first.message_id)
    assert await hand_in(office, answer, bad) == "done"
    assert "RESIGN of that letter was not carried out" in office.texts(ALICE)[-1]
    assert office.store.game(office.game).status == "running"
    anew = office.letter("french", "resign leipzig-1", In_Reply_To=first.message_id)
    assert await hand_in(office, anew, bad) == "done"
    assert office.store.game(office.game).status == "over"


@pytest.mark.parametrize("text", ["LIST", "JOIN leipzig-1 observer", "Hello?", "RESIGN leipzig-1"])
async def test_what_failed_is_never_answered_at_its_own_address(office: Office, text: str) -> None:
    """Backscatter: whoever stands in the From of a forged letter hears nothing of us."""
    await office.restart(authenticity=Authenticity(AuthenticationSettings(authserv_id=SERVER)))
    before = len(office.texts(BOB))
    bad = f"{SERVER}; dmarc=fail header.from=pbem.example"
    for to in (MODERATOR, "moderator+leipzig-9.french.aaaaaaaaaaaa@pbem.example"):
        raw = office.letter("french", text, to=to, From="major@pbem.example")
        assert await hand_in(office, raw, bad) == "unknown"
    assert office.open_dispatches() == 0
    assert len(office.texts(BOB)) == before


async def test_strict_holds_what_nobody_can_vouch_for(office: Office) -> None:
    settings = AuthenticationSettings(authserv_id=SERVER, strict=True)
    await office.restart(authenticity=Authenticity(settings))
    assert await hand_in(office, office.letter("french", "status"), "") == "held"
    forged = "mx.evil.example; dmarc=pass header.from=pbem.example"
    assert await hand_in(office, office.letter("french", "status"), forged) == "held"


async def test_our_own_verification_where_the_server_says_nothing(
    office: Office, key: tuple[bytes, bytes]
) -> None:
    authenticity = Authenticity(AuthenticationSettings(dkim=True), records(key[1]))
    await office.restart(authenticity=authenticity, prepare=authenticity.prepare)
    raw = office.letter("french", "status")
    assert await hand_in(office, signed(key[0], raw), "") == "done"
    broken = signed(key[0], office.letter("french", "status")).replace(b"status", b"resign")
    assert await hand_in(office, broken, "") == "held"


async def test_our_letters_are_signed(office: Office, key: tuple[bytes, bytes], tmp_path: Path) -> None:
    file = tmp_path / "dkim.pem"
    file.write_bytes(key[0])
    settings = DkimSettings(domain="pbem.example", selector="s1", key_file=str(file))
    file.chmod(0o644)
    with pytest.raises(DkimError, match="chmod"):
        Signer(settings)
    file.chmod(0o600)
    await office.restart(sign=Signer(settings).sign)
    await office.arrive(office.letter("french", "status"))
    await office.round()
    last = office.post.messages(ALICE)[-1]
    assert records(key[1]).judge(last, MODERATOR) is Verdict.PASS
    assert records(key[1]).judge(last.replace(b"moderator+", b"elsewhere+"), MODERATOR) is Verdict.FAIL
    file.write_text("no key")
    with pytest.raises(DkimError, match="not a key"):
        Signer(settings)


@pytest.mark.parametrize(
    "order", ["1", "resign leipzig-1", "status", "history", "resend", "NEWTOKEN", "CONFIRM 1"]
)
async def test_an_attacker_who_knows_both_addresses_can_neither_order_nor_read_nor_resign(
    office: Office, order: str
) -> None:
    """He has the addresses, the game's name, a public report with its log head, and can forge any header."""
    first = office.store.first_message_id(office.game, "french")
    public_id = first.rsplit(".", 2)[0] + ".0.000000000000@pbem.example>"
    eve = "eve@evil.example"
    office.post.accounts[eve] = "x"
    for head in (
        {"From": ALICE, "Subject": f"Re: [{office.game}] orders"},
        {"From": ALICE, "In_Reply_To": public_id, "Reply_To": eve},
        {"From": f'"{ALICE}" <{eve}>', "Sender": ALICE},
        {"From": f"{ALICE}, {eve}"},
    ):
        for to in (MODERATOR, f"moderator+{office.game}.french.aaaaaaaaaaaa@pbem.example"):
            await office.arrive(office.letter("french", order, to=to, **head), sender=eve)
    before = office.store.entries(office.game)
    statuses = await office.round()
    assert set(statuses) <= {"held", "unknown"}
    assert office.answers() == 0
    assert office.store.game(office.game).status == "running"
    assert [entry.hash for entry in office.store.entries(office.game)] == [entry.hash for entry in before]
    told = [row for row in office.store.outbox.due(office.now, 100) if row.address == eve]
    assert all(row.kind == "stranger" for row in told)
    assert len(office.texts(BOB)) == 1
