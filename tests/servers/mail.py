"""Dovecot and Postfix together, in the shape of the embedded server, so that a test can run on either."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import imapclient

from pbem.post.certificate import loopback_certificate
from pbem.post.settings import ImapSettings, Security, SmtpSettings
from tests.servers import dovecot, local, postfix
from tests.servers.dovecot import Dovecot
from tests.servers.postfix import Postfix


class RealPost:
    """Accounts on a Dovecot, reached by SMTP through a Postfix."""

    def __init__(self, folder: Path, accounts: Mapping[str, str], introspection: str = "") -> None:
        self.accounts = dict(accounts)
        self.folder = folder
        self.certificate, key = loopback_certificate(folder / "tls", datetime.now(UTC))
        self.dovecot = Dovecot(folder / "d", self.certificate, key, introspection)
        self.postfix = Postfix(folder / "p", self.dovecot, self.certificate, key)

    def start(self) -> None:
        """Run both."""
        folder = self.folder / "tls"
        user = local.unprivileged()
        local.give(folder, user)
        folder.chmod(0o755)
        self.dovecot.start(self.accounts)
        self.postfix.start(self.accounts)

    def stop(self) -> None:
        """End both."""
        self.postfix.stop()
        self.dovecot.stop()

    def imap_settings(self, address: str, security: Security = Security.STARTTLS) -> ImapSettings:
        """How an account's mailbox is read."""
        ports = {Security.TLS: self.dovecot.imaps}
        return ImapSettings(
            host="localhost",
            port=ports.get(security, self.dovecot.imap),
            username=address,
            password=self.accounts[address],
            security=security,
            ca_file=str(self.certificate),
        )

    def smtp_settings(self, address: str, security: Security = Security.STARTTLS) -> SmtpSettings:
        """How an account's letters are sent."""
        ports = {Security.TLS: self.postfix.submissions, Security.STARTTLS: self.postfix.submission}
        return SmtpSettings(
            host="localhost",
            port=ports[security],
            username=address,
            password=self.accounts[address],
            security=security,
            ca_file=str(self.certificate),
        )

    async def deliver(self, raw: bytes, recipient: str, sender: str = "") -> None:
        """Put a letter into a mailbox."""
        await asyncio.to_thread(self.dovecot.deliver, raw, recipient, sender)

    def messages(self, address: str) -> list[bytes]:
        """What lies in a mailbox."""
        return self.dovecot.messages(address)

    async def arrived(self, address: str, number: int) -> list[bytes]:
        """The letters in a mailbox once there are so many; Postfix takes its time."""
        await asyncio.to_thread(
            local.until, lambda: len(self.messages(address)) >= number, f"{number} letters to {address}"
        )
        return self.messages(address)

    def drop_connections(self) -> None:
        """Cut every open IMAP session."""
        self.dovecot.drop_connections()

    def empty(self) -> None:
        """Every mailbox as if new."""
        for address, password in self.accounts.items():
            if not self.messages(address):
                continue
            with imapclient.IMAPClient(local.HOST, self.dovecot.imap, ssl=False) as client:
                client.login(address, password)
                for _, _, name in client.list_folders():
                    client.select_folder(name)
                    if found := client.search():
                        client.delete_messages(found, silent=True)
                        client.expunge()
                    client.unselect_folder()
                    if name != "INBOX":
                        client.delete_folder(name)


def missing() -> str:
    """What has to be installed; empty when all is there."""
    return dovecot.missing() or postfix.missing()


@contextmanager
def servers(accounts: Mapping[str, str], introspection: str = "") -> Iterator[RealPost]:
    """Dovecot and Postfix running in a folder of their own; without their programs the test ends."""
    if reason := missing():
        local.lacking(reason)
    folder = Path(tempfile.mkdtemp(prefix="pbem-mail-"))
    folder.chmod(0o755)
    post = RealPost(folder, accounts, introspection)
    try:
        post.start()
        yield post
    finally:
        post.stop()
        shutil.rmtree(folder, ignore_errors=True)
