"""The embedded server as a player's mail program meets it."""

import asyncio
import builtins
import logging
import stat
from pathlib import Path
from typing import Any

import imapclient
import pytest

from pbem.post.embedded import EmbeddedPost, MissingExtra
from pbem.post.smtp import SmtpOutlet
from tests.post.conftest import ACCOUNTS, ALICE, MODERATOR


async def test_ports_are_free_ones_on_loopback(post: EmbeddedPost) -> None:
    async with EmbeddedPost(ACCOUNTS) as other:
        ports = {post.smtp_port, post.imap_port, other.smtp_port, other.imap_port}
    assert len(ports) == 4
    assert 0 not in ports


async def test_messages_are_listed_for_each_account(post: EmbeddedPost) -> None:
    await post.deliver(b"Subject: x\r\n\r\nhello\r\n", "Alice+token@PBEM.example", sender=MODERATOR)
    (raw,) = post.messages(ALICE)
    assert raw.startswith(
        b"Return-Path: <moderator@pbem.example>\r\nDelivered-To: Alice+token@PBEM.example\r\n"
    )
    assert post.messages(MODERATOR) == []
    with pytest.raises(KeyError):
        await post.deliver(b"", "nobody@pbem.example")


async def test_idle_begins_with_what_came_before_it(post: EmbeddedPost) -> None:
    settings = post.imap_settings(MODERATOR)
    loop = asyncio.get_running_loop()

    def program() -> bytes:
        with imapclient.IMAPClient(settings.host, port=settings.port, ssl=False, timeout=5) as client:
            client.login(settings.username, settings.password)
            client.select_folder("INBOX")
            letter = post.deliver(b"Subject: x\r\n\r\nhello\r\n", MODERATOR)
            asyncio.run_coroutine_threadsafe(letter, loop).result()
            client.idle()
            first: bytes = client._imap.readline()
            client.idle_done()
            return first

    assert b"EXISTS" in await asyncio.to_thread(program)


async def test_certificate_is_made_once_and_its_key_is_private(tmp_path: Path) -> None:
    async with EmbeddedPost(ACCOUNTS, tmp_path):
        first = (tmp_path / "cert.pem").read_bytes()
    async with EmbeddedPost(ACCOUNTS, tmp_path):
        assert (tmp_path / "cert.pem").read_bytes() == first
    assert stat.S_IMODE((tmp_path / "key.pem").stat().st_mode) == 0o600


async def test_login_logs_no_deprecation(post: EmbeddedPost, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    async with SmtpOutlet(post.smtp_settings(ALICE)) as outlet:
        await outlet.send(b"Subject: x\r\n\r\n", ALICE, [MODERATOR])
    assert [record.getMessage() for record in caplog.records if record.name == "mail.log"] == []


async def test_missing_library_is_named_with_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    import importlib

    real = importlib.import_module

    def without_pymap(name: str, *arguments: Any) -> Any:
        if name.startswith("pymap"):
            raise ModuleNotFoundError("No module named 'pymap'", name="pymap")
        return real(name, *arguments)

    monkeypatch.setattr(importlib, "import_module", without_pymap)
    with pytest.raises(MissingExtra, match=r"'pymap'.*pbem\[demo\]"):
        await EmbeddedPost(ACCOUNTS).start()


def test_importing_the_post_needs_no_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    import importlib
    import sys

    real = builtins.__import__

    def without_extra(name: str, *arguments: Any, **more: Any) -> Any:
        if name.partition(".")[0] in ("pymap", "aiosmtpd", "cryptography"):
            raise ModuleNotFoundError(name)
        return real(name, *arguments, **more)

    for module in [name for name in sys.modules if name.startswith("pbem.post.")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setattr(builtins, "__import__", without_extra)
    assert importlib.import_module("pbem.post.embedded").EmbeddedPost
