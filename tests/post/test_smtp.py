"""Letters out: what is taken, what is tried again, what is given up."""

import asyncio

import msgspec
import pytest

from pbem.post.embedded import EmbeddedPost, Fault
from pbem.post.settings import Security, SmtpSettings
from pbem.post.smtp import Deferred, Refused, Sent, SmtpOutlet
from tests.post.conftest import ALICE, MODERATOR

RAW = b"From: alice@pbem.example\r\nSubject: hi\r\n\r\npass\r\n.hidden dot\r\n"


def bodies(post: EmbeddedPost, address: str = MODERATOR) -> list[bytes]:
    return [raw.partition(b"\r\n\r\n")[2] for raw in post.messages(address)]


async def test_letter_arrives_whole(post: EmbeddedPost) -> None:
    async with SmtpOutlet(post.smtp_settings(ALICE)) as outlet:
        assert isinstance(await outlet.send(RAW, ALICE, [MODERATOR]), Sent)
    assert bodies(post) == [b"pass\r\n.hidden dot\r\n"]


async def test_starttls_and_login(tls_post: EmbeddedPost) -> None:
    async with SmtpOutlet(tls_post.smtp_settings(ALICE)) as outlet:
        assert isinstance(await outlet.send(RAW, ALICE, ["moderator+leipzig-7.abc@pbem.example"]), Sent)
    (raw,) = tls_post.messages(MODERATOR)
    assert b"Delivered-To: moderator+leipzig-7.abc@pbem.example\r\n" in raw


async def test_certificate_is_checked(tls_post: EmbeddedPost) -> None:
    settings = msgspec.structs.replace(tls_post.smtp_settings(ALICE), ca_file="")
    async with SmtpOutlet(settings) as outlet:
        outcome = await outlet.send(RAW, ALICE, [MODERATOR])
    assert isinstance(outcome, Deferred)
    assert "certificate" in outcome.reason.lower()
    assert tls_post.messages(MODERATOR) == []


async def test_connection_is_used_again_and_replaced_when_dead(post: EmbeddedPost) -> None:
    async with SmtpOutlet(post.smtp_settings(ALICE)) as outlet:
        for _ in range(3):
            assert isinstance(await outlet.send(RAW, ALICE, [MODERATOR]), Sent)
        assert len(post._smtp_transports) == 1
        post.drop_connections()
        assert isinstance(await outlet.send(RAW, ALICE, [MODERATOR]), Sent)
    assert len(post.messages(MODERATOR)) == 4


async def test_many_at_once_share_few_connections(post: EmbeddedPost) -> None:
    async with SmtpOutlet(post.smtp_settings(ALICE)) as outlet:
        outcomes = await asyncio.gather(*(outlet.send(RAW, ALICE, [MODERATOR]) for _ in range(20)))
        assert len(post._smtp_transports) <= 2
    assert all(isinstance(outcome, Sent) for outcome in outcomes)
    assert len(post.messages(MODERATOR)) == 20


@pytest.mark.parametrize("stage", ["MAIL", "RCPT", "DATA"])
@pytest.mark.parametrize(
    ("reply", "kind", "code"),
    [
        ("451 4.7.1 Greylisted", Deferred, 451),
        ("554 5.7.1 Spam", Refused, 554),
        ("421 4.3.2 Closing", Deferred, 421),
    ],
)
async def test_temporary_and_permanent_refusals(
    post: EmbeddedPost, stage: str, reply: str, kind: type[Deferred | Refused], code: int
) -> None:
    post.faults.append(Fault(stage=stage, reply=reply))
    async with SmtpOutlet(post.smtp_settings(ALICE)) as outlet:
        outcome = await outlet.send(RAW, ALICE, [MODERATOR])
        assert isinstance(outcome, kind)
        assert outcome.code == code
        assert outcome.reason == reply[4:]
        assert isinstance(await outlet.send(RAW, ALICE, [MODERATOR]), Sent)
    assert len(post.messages(MODERATOR)) == 1


async def test_unknown_recipient_is_refused_for_good(post: EmbeddedPost) -> None:
    async with SmtpOutlet(post.smtp_settings(ALICE)) as outlet:
        outcome = await outlet.send(RAW, ALICE, ["nobody@pbem.example"])
        assert isinstance(outcome, Refused)
        assert outcome.code == 550
        assert isinstance(await outlet.send(RAW, ALICE, []), Refused)


async def test_one_bad_recipient_does_not_stop_the_others(post: EmbeddedPost) -> None:
    async with SmtpOutlet(post.smtp_settings(ALICE)) as outlet:
        outcome = await outlet.send(RAW, ALICE, ["nobody@pbem.example", MODERATOR])
    assert isinstance(outcome, Sent)
    assert [(address, code) for address, code, _ in outcome.refused] == [("nobody@pbem.example", 550)]
    assert len(post.messages(MODERATOR)) == 1


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


async def test_wrong_password_defers_and_says_so(post: EmbeddedPost) -> None:
    settings = msgspec.structs.replace(post.smtp_settings(ALICE), password="wrong")
    async with SmtpOutlet(settings) as outlet:
        outcome = await outlet.send(RAW, ALICE, [MODERATOR])
    assert isinstance(outcome, Deferred)
    assert "535" in outcome.reason


async def test_without_login_nothing_is_taken(post: EmbeddedPost) -> None:
    settings = msgspec.structs.replace(post.smtp_settings(ALICE), username="", password="")
    async with SmtpOutlet(settings) as outlet:
        outcome = await outlet.send(RAW, ALICE, [MODERATOR])
    assert isinstance(outcome, Deferred)
    assert outcome.code == 530


async def test_no_server_defers(unused_tcp_port: int) -> None:
    settings = SmtpSettings(host="127.0.0.1", port=unused_tcp_port, security=Security.PLAIN, timeout=2)
    async with SmtpOutlet(settings) as outlet:
        assert isinstance(await outlet.send(RAW, ALICE, [MODERATOR]), Deferred)
    assert isinstance(await outlet.send(RAW, ALICE, [MODERATOR]), Deferred)


async def test_unusable_address_is_refused_and_the_next_letter_goes_out(post: EmbeddedPost) -> None:
    async with SmtpOutlet(post.smtp_settings(ALICE)) as outlet:
        for bad in ("b\u00fccher@pbem.example", "a@b.example>\r\nDATA", ""):
            assert isinstance(await outlet.send(RAW, ALICE, [bad]), Refused)
        assert isinstance(await outlet.send(RAW, ALICE, [MODERATOR]), Sent)
    assert len(post.messages(MODERATOR)) == 1


async def test_check_tells_of_a_wrong_password(post: EmbeddedPost) -> None:
    import aiosmtplib

    async with SmtpOutlet(post.smtp_settings(ALICE)) as outlet:
        assert await outlet.check()
    async with SmtpOutlet(msgspec.structs.replace(post.smtp_settings(ALICE), password="wrong")) as outlet:
        with pytest.raises(aiosmtplib.SMTPException, match="535"):
            await outlet.check()
