"""Letters out by SMTP. The outbox is the store's; here one letter is offered once and the answer told."""

from __future__ import annotations

import asyncio
import base64
import ssl
from collections.abc import Callable, Sequence

import aiosmtplib
from aiosmtplib import errors

from pbem.post.oauth import Mechanism, OAuthTrouble, TokenSource
from pbem.post.outcome import OUR_FAULT, Deferred, Outcome, Rejected, Sent
from pbem.post.settings import Security, SmtpSettings


class SmtpOutlet:
    """A submission server. Connections are kept and used again; a dead one is replaced unnoticed."""

    def __init__(self, settings: SmtpSettings, taken: Callable[[bytes], None] | None = None) -> None:
        settings.check()
        self._settings = settings
        self._taken = taken
        """Told of each letter as soon as the server has said that it has it."""
        self._tls = settings.tls_context()
        self._tokens = TokenSource(settings.oauth, settings.timeout) if settings.oauth else None
        self._idle: list[aiosmtplib.SMTP] = []
        self._places = asyncio.Semaphore(max(1, settings.connections))
        self._noting = asyncio.Lock()
        self._closed = False

    async def __aenter__(self) -> SmtpOutlet:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def send(self, raw: bytes, sender: str, recipients: Sequence[str]) -> Outcome:
        """Offer a letter once. Never raises for what a server or the net may do."""
        if self._closed:
            return Deferred("the outlet is closed")
        if not recipients:
            return Rejected("no recipient")
        async with self._places:
            client: aiosmtplib.SMTP | None = None
            try:
                client = await self._open(raw, sender)
                outcome = await self._offer(client, raw, recipients)
            except errors.SMTPResponseException as error:
                outcome = self._judge(error.code, error.message)
            except (errors.SMTPException, OSError, ssl.SSLError, TimeoutError) as error:
                outcome = Deferred(f"{self._settings.host}: {_words(error)}")
            except (UnicodeError, ValueError) as error:
                outcome = Rejected(f"not a usable address: {_words(error)}")
            except BaseException:
                if client is not None:
                    client.close()
                raise
            await self._keep(client, clean=isinstance(outcome, Sent))
            return outcome

    async def check(self, sender: str = "") -> str:
        """Connect, log in, name the sender; what the server answers. Raises aiosmtplib errors or OSError."""
        client = await self._connect()
        try:
            answer = (await client.noop()).message
            if sender:
                await client.mail(sender)
                await client.rset()
            return answer
        finally:
            client.close()

    async def close(self) -> None:
        """Say goodbye on every connection that is kept."""
        self._closed = True
        idle, self._idle = self._idle, []
        for client in idle:
            try:
                await client.quit(timeout=5)
            except (errors.SMTPException, OSError, TimeoutError):
                client.close()

    async def _connect(self) -> aiosmtplib.SMTP:
        settings = self._settings
        client = aiosmtplib.SMTP(
            hostname=settings.host,
            port=settings.port,
            username=None if self._bearer else settings.username or None,
            password=None if self._tokens else settings.password or None,
            oauth_token_generator=self._token if self._tokens and not self._bearer else None,
            use_tls=settings.security is Security.TLS,
            start_tls=settings.security is Security.STARTTLS,
            tls_context=self._tls,
            timeout=settings.timeout,
            local_hostname=settings.local_hostname or "localhost",
        )
        try:
            await client.connect()
            if self._bearer:
                await self._show_bearer(client)
        except errors.SMTPResponseException as error:
            client.close()
            if self._tokens is not None:
                self._tokens.forget()
            # A refusal before any letter was named says nothing about the letter.
            raise errors.SMTPConnectError(f"{error.code} {error.message}") from error
        except BaseException:
            client.close()
            raise
        return client

    @property
    def _bearer(self) -> bool:
        oauth = self._settings.oauth
        return oauth is not None and oauth.mechanism is Mechanism.OAUTHBEARER

    async def _show_bearer(self, client: aiosmtplib.SMTP) -> None:
        """RFC 7628, which aiosmtplib does not speak."""
        settings = self._settings
        where = f"host={settings.host}\x01port={settings.port}"
        shown = f"n,a={settings.username},\x01{where}\x01auth=Bearer {await self._token()}\x01\x01"
        response = await client.execute_command(b"AUTH", b"OAUTHBEARER", base64.b64encode(shown.encode()))
        if response.code == 334:
            response = await client.execute_command(b"AQ==")
        if response.code != 235:
            raise errors.SMTPAuthenticationError(response.code, response.message)

    async def _token(self) -> str:
        assert self._tokens is not None
        try:
            return await asyncio.to_thread(self._tokens.token)
        except OAuthTrouble as trouble:
            raise errors.SMTPConnectError(trouble.reason) from trouble

    async def _open(self, raw: bytes, sender: str) -> aiosmtplib.SMTP:
        """A connection on which the server has accepted the sender.

        A kept connection may have died meanwhile. Before MAIL is accepted nothing has been sent, so only
        here may a second connection be tried without the risk of a letter sent twice.
        """
        while self._idle:
            client = self._idle.pop()
            try:
                await self._mail(client, raw, sender)
            except errors.SMTPResponseException as error:
                if error.code != 421:
                    await self._keep(client, clean=False)
                    raise
                client.close()
            except (errors.SMTPServerDisconnected, errors.SMTPTimeoutError, OSError):
                client.close()
            else:
                return client
        client = await self._connect()
        try:
            await self._mail(client, raw, sender)
        except BaseException:
            client.close()
            raise
        return client

    async def _mail(self, client: aiosmtplib.SMTP, raw: bytes, sender: str) -> None:
        options = [f"SIZE={len(raw)}"] if client.supports_extension("size") else []
        await client.mail(sender, options=options)

    async def _offer(self, client: aiosmtplib.SMTP, raw: bytes, recipients: Sequence[str]) -> Outcome:
        refused: list[tuple[str, int, str]] = []
        for recipient in recipients:
            try:
                await client.rcpt(recipient)
            except errors.SMTPRecipientRefused as error:
                refused.append((recipient, error.code, error.message))
        if len(refused) == len(recipients):
            passing = [refusal for refusal in refused if 400 <= refusal[1] < 500]
            _, code, message = (passing or refused)[0]
            return self._judge(code, message)
        if self._taken is None:
            response = await client.data(raw)
        else:
            # One at a time between the letter's last dot and our note of it: whoever dies there sends one twice.
            async with self._noting:
                response = await client.data(raw)
                self._taken(raw)
        return Sent(response.message, tuple(refused))

    def _judge(self, code: int, message: str) -> Deferred | Rejected:
        reason = " ".join(message.split())[:500]
        # Servers differ in how they say «log in first»; a letter must not be lost by it.
        not_logged_in = not self._settings.username and reason.startswith("5.7.")
        if 500 <= code < 600 and code not in OUR_FAULT and not not_logged_in:
            return Rejected(reason, code)
        return Deferred(reason, code)

    async def _keep(self, client: aiosmtplib.SMTP | None, clean: bool) -> None:
        if client is None:
            return
        try:
            if not clean and client.is_connected:
                await client.rset()
        except (errors.SMTPException, OSError, TimeoutError):
            client.close()
        if client.is_connected and not self._closed:
            self._idle.append(client)
        else:
            client.close()


def _words(error: BaseException) -> str:
    return " ".join(str(error).split())[:300] or type(error).__name__
