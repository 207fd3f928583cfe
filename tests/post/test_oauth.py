"""OAuth2: tokens are renewed in time and after a refusal, and both servers take them."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from pbem.letters.message import Cursor
from pbem.post.imap import ImapInbox
from pbem.post.inbox import InboxTrouble
from pbem.post.oauth import Mechanism, OAuthTrouble, TokenSource
from pbem.post.outcome import Deferred, Sent
from pbem.post.settings import SettingsError
from pbem.post.smtp import SmtpOutlet
from tests.post.conftest import ALICE, MODERATOR
from tests.servers.mail import RealPost
from tests.servers.oauth import TokenService, token_service

RAW = b"From: alice@pbem.example\r\nSubject: hi\r\n\r\npass\r\n"


@pytest.fixture
def alone() -> Iterator[TokenService]:
    with token_service() as service:
        yield service


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_token_is_kept_until_shortly_before_its_end(alone: TokenService) -> None:
    clock = Clock()
    source = TokenSource(alone.settings(ALICE), clock=clock)
    assert source.token() == source.token() == "access-1"
    clock.now = 3539.0
    assert source.token() == "access-1"
    clock.now = 3541.0
    assert source.token() == "access-2"
    source.forget()
    assert source.token() == "access-3"


def test_a_new_refresh_token_is_used_and_kept_in_its_file(alone: TokenService, tmp_path: Path) -> None:
    alone.rotate = True
    file = tmp_path / "refresh"
    file.write_text(f"consent-{ALICE}\n")
    settings = msgspec.structs.replace(alone.settings(ALICE), refresh_token_file=str(file))
    source = TokenSource(settings)
    source.token()
    assert file.read_text() == "rotated-1\n"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    alone.refresh_tokens.pop(f"consent-{ALICE}")
    source.forget()
    assert source.token() == "access-2"
    other = TokenSource(settings)
    assert other.token() == "access-3"


def test_withdrawn_consent_is_permanent_and_says_what_to_do(alone: TokenService) -> None:
    settings = alone.settings(ALICE)
    alone.refresh_tokens.clear()
    with pytest.raises(OAuthTrouble, match="consent") as caught:
        TokenSource(settings).token()
    assert caught.value.permanent
    with pytest.raises(OAuthTrouble, match="invalid_client"):
        TokenSource(msgspec.structs.replace(settings, client_secret="wrong")).token()


def test_no_token_service_is_not_permanent(unused_tcp_port: int, alone: TokenService) -> None:
    settings = msgspec.structs.replace(
        alone.settings(ALICE), token_url=f"http://127.0.0.1:{unused_tcp_port}/"
    )
    with pytest.raises(OAuthTrouble) as caught:
        TokenSource(settings).token()
    assert not caught.value.permanent


def test_secrets_do_not_show(alone: TokenService) -> None:
    assert "quiet" not in repr(alone.settings(ALICE))
    assert "consent" not in repr(alone.settings(ALICE))


def test_tokens_are_not_fetched_in_the_clear(alone: TokenService, tmp_path: Path) -> None:
    oauth = msgspec.structs.replace(alone.settings(ALICE), token_url="http://login.example/token")
    settings = msgspec.structs.replace(RealPost(tmp_path, {ALICE: "x"}).imap_settings(ALICE), oauth=oauth)
    with pytest.raises(SettingsError, match="https"):
        settings.check()


@pytest.mark.xdist_group("mail")
@pytest.mark.parametrize("mechanism", list(Mechanism))
async def test_both_servers_take_tokens(
    real_post: RealPost, tokens: TokenService, mechanism: Mechanism
) -> None:
    smtp = msgspec.structs.replace(
        real_post.smtp_settings(ALICE), password="", oauth=tokens.settings(ALICE, mechanism)
    )
    imap = msgspec.structs.replace(
        real_post.imap_settings(MODERATOR), password="", oauth=tokens.settings(MODERATOR, mechanism)
    )
    async with SmtpOutlet(smtp) as outlet, ImapInbox(imap) as inbox:
        assert isinstance(await outlet.send(RAW, ALICE, [MODERATOR]), Sent)
        await real_post.arrived(MODERATOR, 1)
        assert len([letter async for letter in inbox.letters(Cursor())]) == 1


@pytest.mark.xdist_group("mail")
async def test_a_token_that_the_server_refuses_is_replaced_at_the_next_attempt(
    real_post: RealPost, tokens: TokenService
) -> None:
    imap = msgspec.structs.replace(real_post.imap_settings(MODERATOR), oauth=tokens.settings(MODERATOR))
    smtp = msgspec.structs.replace(real_post.smtp_settings(ALICE), oauth=tokens.settings(ALICE))
    async with SmtpOutlet(smtp) as outlet, ImapInbox(imap) as inbox:
        assert inbox._tokens is not None
        assert outlet._tokens is not None
        for source in (inbox._tokens, outlet._tokens):
            tokens.good.pop(source.token())
        with pytest.raises(InboxTrouble, match="refused the login"):
            await inbox.check()
        assert isinstance(await outlet.send(RAW, ALICE, [MODERATOR]), Deferred)
        assert await inbox.check()
        assert isinstance(await outlet.send(RAW, ALICE, [MODERATOR]), Sent)
    # On the way it would come into the next test's mailbox.
    await real_post.arrived(MODERATOR, 1)
