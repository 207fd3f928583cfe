"""A small mail server on loopback, SMTP and IMAP in the running event loop: for the demo and for tests."""

from __future__ import annotations

import asyncio
import hmac
import importlib
import logging
import ssl
import weakref
from argparse import Namespace
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from pbem.post.certificate import loopback_certificate
from pbem.post.settings import ImapSettings, Security, SmtpSettings

_HOST = "127.0.0.1"
_LARGEST_LETTER = 32 * 1024 * 1024


class MissingExtra(ImportError):
    """The embedded server's libraries are not installed."""


class Fault(msgspec.Struct, kw_only=True):
    """Something to go wrong on purpose, so many times: an answer such as "451 later", or a cut line."""

    stage: str
    reply: str = ""
    drop: bool = False
    times: int = 1
    recipient: str = ""


class EmbeddedPost:
    """Accounts with a password each; plus-addresses reach the account before the plus.

    With a `folder` both services demand STARTTLS with a self-signed certificate kept there, or, with
    `plain_too`, only offer it; without, they are plain, so that a mail program on this machine connects
    without a question.
    """

    def __init__(
        self,
        accounts: Mapping[str, str],
        folder: Path | None = None,
        *,
        smtp_port: int = 0,
        imap_port: int = 0,
        plain_too: bool = False,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self.accounts = {address.lower(): password for address, password in accounts.items()}
        self.faults: list[Fault] = []
        self.smtp_port = smtp_port
        self.imap_port = imap_port
        self._folder = folder
        self._plain_too = plain_too
        self._clock = clock
        self._letters: dict[str, list[bytes]] = {address: [] for address in self.accounts}
        self._boxes: dict[str, Any] = {}
        self._imap_writers: dict[asyncio.StreamWriter, asyncio.Task[Any] | None] = {}
        self._smtp_transports: weakref.WeakSet[Any] = weakref.WeakSet()
        self._stack = AsyncExitStack()
        self._certificate: Path | None = None

    async def __aenter__(self) -> EmbeddedPost:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    async def start(self) -> None:
        """Open both services on loopback. Raises MissingExtra when the extra is not installed."""
        _need_extra()
        context: ssl.SSLContext | None = None
        if self._folder is not None:
            self._certificate, key = loopback_certificate(self._folder, self._clock())
            context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
            context.load_cert_chain(self._certificate, key)
        try:
            await self._start_imap(context)
            await self._start_smtp(context)
        except BaseException:
            await self.stop()
            raise

    async def stop(self) -> None:
        """Close both services and every connection."""
        await self._stack.aclose()
        serving = [task for task in self._imap_writers.values() if task is not None]
        self.drop_connections()
        for task in serving:
            task.cancel()
        await asyncio.gather(*serving, return_exceptions=True)

    @property
    def certificate(self) -> Path | None:
        """The certificate that STARTTLS shows, for mail programs to trust."""
        return self._certificate

    def imap_settings(self, address: str) -> ImapSettings:
        """How an account's mailbox is read."""
        return ImapSettings(
            host="localhost" if self._certificate else _HOST,
            port=self.imap_port,
            username=address,
            password=self.accounts[address],
            security=Security.STARTTLS if self._certificate else Security.PLAIN,
            ca_file=str(self._certificate or ""),
        )

    def smtp_settings(self, address: str) -> SmtpSettings:
        """How an account's letters are sent."""
        return SmtpSettings(
            host="localhost" if self._certificate else _HOST,
            port=self.smtp_port,
            username=address,
            password=self.accounts[address],
            security=Security.STARTTLS if self._certificate else Security.PLAIN,
            ca_file=str(self._certificate or ""),
        )

    def messages(self, address: str) -> list[bytes]:
        """Every letter that ever reached an account, oldest first, deleted ones too."""
        return list(self._letters[address.lower()])

    def account_of(self, address: str) -> str | None:
        """The account that an address belongs to, without its plus part."""
        local, _, host = address.lower().rpartition("@")
        account = f"{local.partition('+')[0]}@{host}"
        return account if account in self.accounts else None

    async def deliver(self, raw: bytes, recipient: str, sender: str = "") -> None:
        """Put a letter into an account's mailbox, as the SMTP service does."""
        from pymap.parsing.message import AppendMessage

        account = self.account_of(recipient)
        if account is None:
            raise KeyError(recipient)
        head = f"Return-Path: <{sender}>\r\nDelivered-To: {recipient}\r\n"
        data = head.encode("utf-8") + raw
        await self._boxes[account].append(AppendMessage(data, self._clock(), frozenset()), recent=True)
        self._letters[account].append(data)

    def drop_connections(self) -> None:
        """Cut every open connection without a word."""
        for writer in list(self._imap_writers):
            writer.transport.abort()
        for transport in list(self._smtp_transports):
            transport.abort()

    def fault(self, stage: str, recipient: str = "") -> Fault | None:
        """The fault that is due at a stage of the SMTP dialogue, used up once."""
        for fault in self.faults:
            if fault.stage == stage and fault.recipient in ("", recipient) and fault.times > 0:
                fault.times -= 1
                return fault
        return None

    async def _start_imap(self, context: ssl.SSLContext | None) -> None:
        from proxyprotocol.reader import ProxyProtocolReader
        from pymap.backend.dict import Config, DictBackend, Identity, Login
        from pymap.concurrent import Subsystem
        from pymap.imap import IMAPServer
        from pymap.user import UserMetadata
        from pysasl.hashing import Cleartext

        arguments = Namespace(
            host=_HOST,
            port=self.imap_port,
            debug=False,
            cert=None,
            key=None,
            tls=context is not None,
            proxy_protocol=None,
            passlib_cfg=None,
            demo_data=False,
            demo_user="",
            demo_password="",
        )
        pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="pymap")
        self._stack.callback(pool.shutdown, wait=False)
        config = Config.from_args(
            arguments,
            ssl_context=context or ssl.create_default_context(ssl.Purpose.CLIENT_AUTH),
            reject_dnsbl=False,
            hash_context=Cleartext(),
            cpu_subsystem=Subsystem.for_threading(pool),
        )
        config.apply_context()
        login = Login(config)
        for address, password in self.accounts.items():
            identity = Identity(address, login, None, frozenset())
            await identity.set(UserMetadata(config, address, password=password))
            async with identity.new_session() as session:
                self._boxes[address] = await session.mailbox_set.get_mailbox("INBOX")
                _tell_what_came_before_idle(self._boxes[address])
        serve = IMAPServer(DictBackend(login, config).login, config)

        async def connected(reader: Any, writer: asyncio.StreamWriter, info: Any) -> None:
            self._imap_writers[writer] = asyncio.current_task()
            try:
                await serve(reader, writer, info)
            except (ConnectionError, EOFError, ssl.SSLError, asyncio.CancelledError):
                pass
            finally:
                self._imap_writers.pop(writer, None)

        callback = ProxyProtocolReader(config.proxy_protocol).get_callback(connected)
        server = await asyncio.start_server(callback, _HOST, self.imap_port)
        self._stack.callback(server.close)
        self.imap_port = server.sockets[0].getsockname()[1]

    async def _start_smtp(self, context: ssl.SSLContext | None) -> None:
        from aiosmtpd.smtp import SMTP

        logging.getLogger("mail.log").addFilter(_not_deprecation)
        loop = asyncio.get_running_loop()
        handler = _Handler(self)

        def service() -> Any:
            return SMTP(
                handler,
                hostname="localhost",
                ident="pbem",
                data_size_limit=_LARGEST_LETTER,
                tls_context=context,
                require_starttls=context is not None and not self._plain_too,
                auth_require_tls=context is not None and not self._plain_too,
                authenticator=handler.authenticate,
                loop=loop,
            )

        server = await loop.create_server(service, _HOST, self.smtp_port)
        self._stack.callback(server.close)
        self.smtp_port = server.sockets[0].getsockname()[1]


class _Handler:
    """What aiosmtpd asks while a letter is handed in."""

    def __init__(self, post: EmbeddedPost) -> None:
        self._post = post

    def authenticate(self, server: Any, session: Any, envelope: Any, mechanism: str, data: Any) -> Any:
        from aiosmtpd.smtp import AuthResult, LoginPassword

        if not isinstance(data, LoginPassword):
            return AuthResult(success=False, handled=False)
        expected = self._post.accounts.get(data.login.decode("utf-8", "replace").lower(), "")
        right = bool(expected) and hmac.compare_digest(expected.encode(), data.password)
        return AuthResult(success=right, handled=right)

    async def handle_EHLO(
        self, server: Any, session: Any, envelope: Any, hostname: str, responses: list[str]
    ) -> list[str]:
        session.host_name = hostname
        self._post._smtp_transports.add(server.transport)
        return responses

    async def handle_MAIL(
        self, server: Any, session: Any, envelope: Any, address: str, options: list[str]
    ) -> str:
        if not session.authenticated:
            return "530 5.7.0 Authentication required"
        fault = self._fault(server, "MAIL")
        if fault:
            return fault
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return "250 2.1.0 OK"

    async def handle_RCPT(
        self, server: Any, session: Any, envelope: Any, address: str, options: list[str]
    ) -> str:
        fault = self._fault(server, "RCPT", address)
        if fault:
            return fault
        if self._post.account_of(address) is None:
            return "550 5.1.1 No such account here"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        fault = self._fault(server, "DATA")
        if fault:
            return fault
        for recipient in envelope.rcpt_tos:
            await self._post.deliver(envelope.content, recipient, envelope.mail_from or "")
        # Taken, but the answer gets lost: what makes a letter arrive twice under one Message-ID.
        return self._fault(server, "AFTER") or "250 2.0.0 OK"

    def _fault(self, server: Any, stage: str, recipient: str = "") -> str:
        fault = self._post.fault(stage, recipient)
        if fault is None:
            return ""
        if fault.drop:
            with suppress(Exception):
                server.transport.abort()
        return fault.reply or "421 4.3.0 Closing"


def _tell_what_came_before_idle(box: Any) -> None:
    """pymap's IDLE waits for the next change even when one is due already; a client would sleep over it."""
    update = box.update_selected

    async def update_selected(selected: Any, *, wait_on: Any = None) -> Any:
        due = selected.mod_sequence != box._mod_sequences.highest
        return await update(selected, wait_on=None if due else wait_on)

    box.update_selected = update_selected


def _not_deprecation(record: logging.LogRecord) -> bool:
    return "login_data is deprecated" not in record.getMessage()


def _need_extra() -> None:
    try:
        for module in ("aiosmtpd.smtp", "pymap.backend.dict", "cryptography.x509"):
            importlib.import_module(module)
    except ImportError as error:
        raise MissingExtra(
            f"the embedded mail server needs the package {error.name!r}: install pbem[demo]", name=error.name
        ) from error
