"""How to reach the mail servers."""

from __future__ import annotations

import ipaddress
import ssl
from enum import StrEnum
from urllib.parse import urlsplit

import msgspec

from pbem.post.oauth import OAuth


class Security(StrEnum):
    """How a connection is kept private. Plain is for loopback only."""

    TLS = "tls"
    STARTTLS = "starttls"
    PLAIN = "plain"


class SettingsError(ValueError):
    """Connection parameters that cannot be used; the message says what to change."""


class _Server(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    host: str
    port: int
    username: str = ""
    password: str = ""
    oauth: OAuth | None = None
    security: Security = Security.TLS
    ca_file: str = ""
    timeout: float = 30.0

    def __repr__(self) -> str:
        return (
            f"{type(self).__name__}({self.username or 'nobody'} at {self.host}:{self.port}, {self.security})"
        )

    def check(self) -> None:
        """Raise SettingsError when these parameters would send a password in the clear or cannot work."""
        if not 0 < self.port < 65536:
            raise SettingsError(f"port {self.port} does not exist")
        if self.timeout <= 0:
            raise SettingsError("the timeout must be above zero")
        if self.oauth is not None and not self.oauth.token_url.startswith("https://"):
            url = urlsplit(self.oauth.token_url)
            if url.scheme != "http" or not is_loopback(url.hostname or ""):
                raise SettingsError(f"oauth token_url: {self.oauth.token_url!r} does not begin with https://")
        if self.security is Security.PLAIN and not is_loopback(self.host):
            raise SettingsError(
                f"{self.host} is not this machine: set security to 'tls' or 'starttls', "
                "or the password would travel in the clear"
            )

    def tls_context(self) -> ssl.SSLContext | None:
        """What the connection is checked against; None on a plain one."""
        if self.security is Security.PLAIN:
            return None
        try:
            return ssl.create_default_context(cafile=self.ca_file or None)
        except (OSError, ssl.SSLError) as error:
            raise SettingsError(f"cannot use the certificate file {self.ca_file!r}: {error}") from error


class ImapSettings(_Server, frozen=True, kw_only=True):
    """An IMAP mailbox. `processed_folder` is where letters go once they are in the journal.

    `refused_folder` is where those go instead that were nobody's, or that could not be handled. Nothing is ever
    deleted; without folders letters stay where they are, marked as read.
    """

    port: int = 993
    folder: str = "INBOX"
    processed_folder: str = ""
    refused_folder: str = ""
    idle: bool = True
    # RFC 2177 allows 29 minutes; many routers forget a silent connection after ten.
    idle_renewal: float = 540.0
    poll_interval: float = 60.0
    batch: int = 100
    batch_bytes: int = 16 * 1024 * 1024


class SmtpSettings(_Server, frozen=True, kw_only=True):
    """An SMTP submission server."""

    port: int = 465
    connections: int = 2
    local_hostname: str = ""


def is_loopback(host: str) -> bool:
    """True for this very machine."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
