"""Letters out: what is taken, what is tried again, what is given up."""

import asyncio

import msgspec
import pytest

from pbem.letters.message import Cursor
from pbem.post.embedded import EmbeddedPost, Fault
from pbem.post.imap import ImapInbox
from pbem.post.outcome import Deferred, Rejected, Sent
from pbem.post.settings import Security, SmtpSettings
from pbem.post.smtp import SmtpOutlet
from tests.post.conftest import ALICE, MODERATOR, AnyPost, arrived
from tests.servers.mail import RealPost

RAW = b"From: alice@pbem.example\r\nSubject: hi\r\n\r\npass\r\n.hidden dot\r\n"


def body(raw: bytes) -> bytes:
    return raw.replace(b"\r\n", b"\n").partition(b"\n\n")[2]


async def test_letter_arrives_whole_at_a_plus_address(any_post: AnyPost) -> None:
    async with SmtpOutlet(any_post.smtp_settings(ALICE)) as outlet:
        assert isinstance(await outlet.send(RAW, ALICE, ["moderator+leipzig-7.abc@pbem.example"]), Sent)
    (raw,) = await arrived(any_post, MODERATOR, 1)
    assert body(raw) == b"pass\n.hidden dot\n"
    assert b"\nDelivered-To: moderator+leipzig-7.abc@pbem.example" in raw


@pytest.mark.xdist_group("mail")
async def test_implicit_tls(real_post: RealPost) -> None:
    async with SmtpOutlet(real_post.smtp_settings(ALICE, Security.TLS)) as outlet:
        assert isinstance(await outlet.send(RAW, ALICE, [MODERATOR]), Sent)
    await real_post.arrived(MODERATOR, 1)
    async with ImapInbox(real_post.imap_settings(MODERATOR, Security.TLS)) as inbox:
        assert [body(letter.raw) async for letter in inbox.letters(Cursor())] == [b"pass\n.hidden dot\n"]


@pytest.mark.xdist_group("mail")
async def test_server_that_restarts_between_two_letters(real_post: RealPost) -> None:
    async with SmtpOutlet(real_post.smtp_settings(ALICE)) as outlet:
        assert isinstance(await outlet.send(RAW, ALICE, [MODERATOR]), Sent)
        await asyncio.to_thread(real_post.postfix.restart)
        assert isinstance(await outlet.send(RAW, ALICE, [MODERATOR]), Sent)
    assert len(await real_post.arrived(MODERATOR, 2)) == 2


async def test_certificate_is_checked(any_post: AnyPost) -> None:
    settings = msgspec.structs.replace(any_post.smtp_settings(ALICE), ca_file="")
    async with SmtpOutlet(settings) as outlet:
        outcome = await outlet.send(RAW, ALICE, [MODERATOR])
    assert isinstance(outcome, Deferred)
    assert "certificate" in outcome.reason.lower()
    assert not [raw for raw in any_post.messages(MODERATOR) if b".hidden dot" in raw]


async def test_connection_is_used_again_and_replaced_when_dead(post: EmbeddedPost) -> None:
    async with SmtpOutlet(post.smtp_settings(ALICE)) as outlet:
        for _ in range(3):
            assert isinstance(await outlet.send(RAW, ALICE, [MODERATOR]), Sent)
        assert len(post._smtp_transports) == 1
        post.drop_connections()
        assert isinstance(await outlet.send(RAW, ALICE, [MODERATOR]), Sent)
    assert len(post.messages(MODERATOR)) == 4


async def test_many_at_once_share_few_connections(any_post: AnyPost) -> None:
    async with SmtpOutlet(any_post.smtp_settings(ALICE)) as outlet:
        outcomes = await asyncio.gather(*(outlet.send(RAW, ALICE, [MODERATOR]) for _ in range(20)))
    assert all(isinstance(outcome, Sent) for outcome in outcomes)
    assert len(await arrived(any_post, MODERATOR, 20)) == 20


@pytest.mark.parametrize("stage", ["MAIL", "RCPT", "DATA"])
@pytest.mark.parametrize(
    ("reply", "kind", "code"),
    [
        ("451 4.7.1 Greylisted", Deferred, 451),
        ("554 5.7.1 Spam", Rejected, 554),
        ("421 4.3.2 Closing", Deferred, 421),
    ],
)
async def test_temporary_and_permanent_refusals(
    post: EmbeddedPost, stage: str, reply: str, kind: type[Deferred | Rejected], code: int
) -> None:
    post.faults.append(Fault(stage=stage, reply=reply))
    async with SmtpOutlet(post.smtp_settings(ALICE)) as outlet:
        outcome = await outlet.send(RAW, ALICE, [MODERATOR])
        assert isinstance(outcome, kind)
        assert outcome.code == code
        assert outcome.reason == reply[4:]
        assert isinstance(await outlet.send(RAW, ALICE, [MODERATOR]), Sent)
    assert len(post.messages(MODERATOR)) == 1


async def test_unknown_recipient_is_refused_for_good(any_post: AnyPost) -> None:
    async with SmtpOutlet(any_post.smtp_settings(ALICE)) as outlet:
        outcome = await outlet.send(RAW, ALICE, ["nobody@pbem.example"])
        assert isinstance(outcome, Rejected)
        assert outcome.code == 550
        assert isinstance(await outlet.send(RAW, ALICE, []), Rejected)


async def test_one_bad_recipient_does_not_stop_the_others(any_post: AnyPost) -> None:
    async with SmtpOutlet(any_post.smtp_settings(ALICE)) as outlet:
        outcome = await outlet.send(RAW, ALICE, ["nobody@pbem.example", MODERATOR])
    assert isinstance(outcome, Sent)
    assert [(address, code) for address, code, _ in outcome.refused] == [("nobody@pbem.example", 550)]
    assert len(await arrived(any_post, MODERATOR, 1)) == 1


@pytest.mark.parametrize("stage", ["MAIL", "RCPT", "DATA"])
async def test_cut_line_defers(post: EmbeddedPost, stage: str) -> None:
    post.faults.append(Fault(stage=stage, drop=True))
    async with SmtpOutlet(post.smtp_settings(ALICE)) as outlet:
        assert isinstance(await outlet.send(RAW, ALICE, [MODERATOR]), Deferred)
        assert post.messages(MODERATOR) == []
        assert isinstance(await outlet.send(RAW, ALICE, [MODERATOR]), Sent)


async def test_answer_lost_after_the_letter_was_taken_defers_without_a_second_copy(
    post: EmbeddedPost,
) -> None:
    async with SmtpOutlet(post.smtp_settings(ALICE)) as outlet:
        assert isinstance(await outlet.send(RAW, ALICE, [MODERATOR]), Sent)
        post.faults.append(Fault(stage="AFTER", drop=True))
        assert isinstance(await outlet.send(RAW, ALICE, [MODERATOR]), Deferred)
    assert len(post.messages(MODERATOR)) == 2


async def test_wrong_password_defers_and_says_so(any_post: AnyPost) -> None:
    settings = msgspec.structs.replace(any_post.smtp_settings(ALICE), password="wrong")
    async with SmtpOutlet(settings) as outlet:
        outcome = await outlet.send(RAW, ALICE, [MODERATOR])
    assert isinstance(outcome, Deferred)
    assert "535" in outcome.reason


async def test_without_login_nothing_is_taken(any_post: AnyPost) -> None:
    settings = msgspec.structs.replace(any_post.smtp_settings(ALICE), username="", password="")
    async with SmtpOutlet(settings) as outlet:
        outcome = await outlet.send(RAW, ALICE, [MODERATOR])
    assert isinstance(outcome, Deferred)
    assert outcome.code in (530, 554)


async def test_no_server_defers(unused_tcp_port: int) -> None:
    settings = SmtpSettings(host="127.0.0.1", port=unused_tcp_port, security=Security.PLAIN, timeout=2)
    async with SmtpOutlet(settings) as outlet:
        assert isinstance(await outlet.send(RAW, ALICE, [MODERATOR]), Deferred)
    assert isinstance(await outlet.send(RAW, ALICE, [MODERATOR]), Deferred)


async def test_unusable_address_is_refused_and_the_next_letter_goes_out(any_post: AnyPost) -> None:
    async with SmtpOutlet(any_post.smtp_settings(ALICE)) as outlet:
        for bad in ("b\u00fccher@pbem.example", "a@b.example>\r\nDATA", ""):
            assert isinstance(await outlet.send(RAW, ALICE, [bad]), Rejected)
        assert isinstance(await outlet.send(RAW, ALICE, [MODERATOR]), Sent)
    assert len(await arrived(any_post, MODERATOR, 1)) == 1


async def test_check_tells_of_a_wrong_password(any_post: AnyPost) -> None:
    import aiosmtplib

    async with SmtpOutlet(any_post.smtp_settings(ALICE)) as outlet:
        assert await outlet.check()
    async with SmtpOutlet(msgspec.structs.replace(any_post.smtp_settings(ALICE), password="wrong")) as outlet:
        with pytest.raises(aiosmtplib.SMTPException, match="535"):
            await outlet.check()
