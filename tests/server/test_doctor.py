"""The doctor finds the usual mistakes, and says what to do about each."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from pbem.campaign.intake import quarantine
from pbem.letters.message import Message
from pbem.post.embedded import EmbeddedPost, Fault
from pbem.post.settings import ImapSettings, Security, SmtpSettings
from pbem.server import config as configs
from pbem.server import wiring
from pbem.server.doctor import Finding, examine, remedy_for

MODERATOR = "moderator@pbem.example"


@pytest.fixture
async def post() -> AsyncIterator[EmbeddedPost]:
    async with EmbeddedPost({MODERATOR: "tambour"}) as running:
        yield running


def write(folder: Path, post: EmbeddedPost, more: str = "", **change: Any) -> Path:
    file = folder / "pbem.toml"
    imap = {"port": post.imap_port, "password": "tambour", **change}
    file.write_text(
        f'''
[moderator]
address = "{MODERATOR}"
[store]
url = "sqlite:///{folder}/var/pbem.db"
[imap]
host = "127.0.0.1"
port = {imap["port"]}
security = "plain"
username = "{MODERATOR}"
password = "{imap["password"]}"
[smtp]
host = "127.0.0.1"
port = {post.smtp_port}
security = "plain"
username = "{MODERATOR}"
password = "{imap["password"]}"
{more}
'''
    )
    file.chmod(0o600)
    return file


async def found(file: Path) -> dict[str, Finding]:
    return {finding.what: finding for finding in await examine(file)}


async def test_a_sound_installation(post: EmbeddedPost, tmp_path: Path) -> None:
    findings = await found(write(tmp_path, post))
    assert [finding.text for finding in findings.values() if not finding.ok] == []
    assert "not there yet" in findings["database"].text
    assert not (tmp_path / "var").exists(), "the doctor makes nothing: he may be another user than the daemon"


async def test_a_database_that_is_there(post: EmbeddedPost, tmp_path: Path) -> None:
    file = write(tmp_path, post)
    wiring.moderator(configs.load(file)).store.close()
    findings = await found(file)
    assert "up to date" in findings["database"].text
    assert findings["privacy"].ok


async def test_a_folder_in_which_no_database_can_be_made(
    post: EmbeddedPost, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    finding = (await found(write(tmp_path, post)))["database"]
    assert not finding.ok
    assert "cannot make it" in finding.text


async def test_letters_that_wait_for_a_person(post: EmbeddedPost, tmp_path: Path) -> None:
    file = write(tmp_path, post)
    running = wiring.moderator(configs.load(file))
    quarantine.put_aside(running.campaign, Message(b"whatever it was"))
    running.store.close()
    finding = (await found(file))["database"]
    assert finding.ok
    assert "person: 1" in finding.text


async def test_a_wrong_password(post: EmbeddedPost, tmp_path: Path) -> None:
    findings = await found(write(tmp_path, post, password="wrong"))
    for what in ("letters in", "letters out"):
        assert not findings[what].ok
        assert "password" in findings[what].remedy


async def test_a_configuration_with_a_password_that_others_can_read(
    post: EmbeddedPost, tmp_path: Path
) -> None:
    file = write(tmp_path, post)
    file.chmod(0o644)
    findings = await found(file)
    assert "chmod 600" in findings["configuration"].text


async def test_a_database_that_others_can_read(post: EmbeddedPost, tmp_path: Path) -> None:
    file = write(tmp_path, post)
    wiring.moderator(configs.load(file)).store.close()
    (tmp_path / "var" / "pbem.db").chmod(0o644)
    assert "chmod 600" in (await found(file))["privacy"].remedy


async def test_an_account_that_may_not_send_as_the_moderator(post: EmbeddedPost, tmp_path: Path) -> None:
    post.faults.append(Fault(stage="MAIL", reply="553 5.7.1 Sender address rejected: not owned by user"))
    finding = (await found(write(tmp_path, post)))["letters out"]
    assert not finding.ok
    assert "may not send as" in finding.remedy


async def test_the_servers_own_word_on_origins_is_pointed_out(post: EmbeddedPost, tmp_path: Path) -> None:
    raw = b"Authentication-Results: mx.pbem.example; dmarc=pass\r\nFrom: a@b.example\r\n\r\nx\r\n"
    await post.deliver(raw, MODERATOR)
    origin = (await found(write(tmp_path, post)))["origin"]
    assert origin.ok
    assert "authserv_id" in origin.remedy
    wrong = write(tmp_path, post, '[authentication]\nauthserv_id = "mail.pbem.example"\n')
    assert "mx.pbem.example" in (await found(wrong))["origin"].remedy
    assert not (await found(wrong))["origin"].ok


async def test_a_signing_key_that_is_no_key(post: EmbeddedPost, tmp_path: Path) -> None:
    key = tmp_path / "key.pem"
    key.write_text("no key")
    key.chmod(0o600)
    section = f'[dkim]\ndomain = "pbem.example"\nselector = "s1"\nkey_file = "{key}"\n'
    assert "not a key" in (await found(write(tmp_path, post, section)))["signature"].text
    elsewhere = section.replace("pbem.example", "other.example")
    assert "sign with the domain" in (await found(write(tmp_path, post, elsewhere)))["signature"].remedy


@pytest.mark.parametrize(
    ("server", "reason", "says"),
    [
        (ImapSettings(host="x", port=993, security=Security.STARTTLS), "timed out", "port 993"),
        (ImapSettings(host="x", port=143, security=Security.TLS), "wrong version number", "port 143"),
        (SmtpSettings(host="x", port=587, security=Security.TLS), "wrong version number", "starttls"),
        (SmtpSettings(host="x", port=465, security=Security.STARTTLS), "timed out", 'security = "tls"'),
        (ImapSettings(host="x"), "certificate verify failed: Hostname mismatch", "ca_file"),
        (ImapSettings(host="imap.gmail.com"), "refused the login", "application password"),
        (ImapSettings(host="outlook.office365.com"), "AUTHENTICATE failed", "oauth"),
        (ImapSettings(host="x"), "refused the login", "whole address"),
        (ImapSettings(host="x"), "refused to renew the token: give consent anew", "refresh token"),
        (ImapSettings(host="x"), "Name or service not known", "network"),
    ],
)
def test_remedies(server: ImapSettings | SmtpSettings, reason: str, says: str) -> None:
    assert says in remedy_for(server, reason)
