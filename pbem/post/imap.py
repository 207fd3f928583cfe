"""Letters from an IMAP mailbox.

imapclient blocks, so everything runs in one thread of its own. Progress is the caller's cursor
(UIDVALIDITY and UID), for not every server keeps keywords; flags and folders only tidy up afterwards.
"""

from __future__ import annotations

import asyncio
import selectors
import socket
import ssl
import time
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any, TypeVar

import imapclient
import msgspec
from imapclient.exceptions import IMAPClientError, LoginError

from pbem.letters.message import Cursor, Message
from pbem.post.backoff import backoff
from pbem.post.inbox import InboxTrouble
from pbem.post.oauth import Mechanism, OAuthTrouble, TokenSource
from pbem.post.settings import ImapSettings, Security

_T = TypeVar("_T")
# imapclient is not typed.
_Client = Any
_SEEN = imapclient.SEEN
_FIRST_PAUSE = timedelta(seconds=1)
_LONGEST_PAUSE = timedelta(minutes=5)
_FIRST_IDLE = 0.5


class Facts(msgspec.Struct, frozen=True):
    """What a mailbox's server can do; `vouches` is its name in Authentication-Results, where it adds them."""

    idle: bool
    move: bool
    vouches: str


class ImapInbox:
    """A mailbox on an IMAP server. Connects when first needed, reconnects by itself."""

    def __init__(self, settings: ImapSettings) -> None:
        settings.check()
        self._tokens = TokenSource(settings.oauth, settings.timeout) if settings.oauth else None
        self._settings = settings
        self._tls = settings.tls_context()
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="imap")
        self._client: _Client | None = None
        self._uidvalidity = 0
        self._highest = 0
        self._failures = 0
        self._closing = False
        self._bell, self._ear = socket.socketpair()
        self._bell.setblocking(False)
        self._ear.setblocking(False)

    async def __aenter__(self) -> ImapInbox:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def letters(self, cursor: Cursor) -> AsyncIterator[Message]:
        """The letters after the cursor, oldest first; all of them when UIDVALIDITY has changed."""
        uidvalidity, uids = await self._call(partial(self._find, cursor))
        while uids:
            batch = await self._call(partial(self._fetch, uidvalidity, uids))
            for fetched in batch:
                yield fetched
            taken = batch[-1].uid if batch else uids[: self._settings.batch][-1]
            uids = [uid for uid in uids if uid > taken]

    async def acknowledge(self, fetched: Sequence[Message], *, refused: bool = False) -> None:
        """Flag the letters as seen and move them to the folder of their kind, if there is one."""
        settings = self._settings
        folder = (refused and settings.refused_folder) or settings.processed_folder
        mine = [letter for letter in fetched if letter.uid]
        for start in range(0, len(mine), self._settings.batch):
            chunk = mine[start : start + self._settings.batch]
            await self._call(partial(self._acknowledge, chunk, folder))

    @property
    def sorts(self) -> bool:
        """Whether refused letters go to a folder of their own."""
        return bool(self._settings.refused_folder)

    async def wait(self, seconds: float) -> bool:
        """Wait by IDLE, or by polling where the server has none; True when it is worth looking."""
        deadline = time.monotonic() + seconds
        if self._closing:
            return False
        if self._client is None and self._failures:
            pause = backoff(self._failures, first=_FIRST_PAUSE, cap=_LONGEST_PAUSE).total_seconds()
            if await self._in_thread(lambda: self._rest(min(pause, seconds))):
                return False
        try:
            return await self._call(partial(self._watch, deadline), again=False)
        except InboxTrouble:
            # The connection died while waiting: after the next connect everything is looked at again.
            return self._client is not None

    async def check(self) -> str:
        """Connect and log in; what the server says of itself. Raises InboxTrouble."""
        welcome: bytes = await self._call(lambda client: client.welcome)
        return welcome.decode("ascii", "replace")

    async def facts(self) -> Facts:
        """What the server can do, and what the newest letter tells about it. Raises InboxTrouble."""
        return await self._call(_facts)

    async def close(self) -> None:
        """Log out and end the thread; a running wait ends first."""
        if self._closing:
            return
        self._closing = True
        self._ring()
        await self._in_thread(self._disconnect)
        self._thread.shutdown(wait=False)
        self._bell.close()
        self._ear.close()

    async def _in_thread(self, work: Callable[[], _T]) -> _T:
        future = asyncio.get_running_loop().run_in_executor(self._thread, work)
        try:
            return await asyncio.shield(future)
        except asyncio.CancelledError:
            self._ring()
            with suppress(Exception):
                await future
            raise

    async def _call(self, work: Callable[[_Client], _T], again: bool = True) -> _T:
        """Do something with a live connection; a connection that has died is replaced once."""
        if self._closing:
            raise InboxTrouble("the mailbox is closed", permanent=True)
        return await self._in_thread(lambda: self._with_client(work, again))

    def _with_client(self, work: Callable[[_Client], _T], again: bool) -> _T:
        reused = self._client is not None
        try:
            client = self._client or self._connect()
            result = work(client)
        except InboxTrouble:
            raise
        except (IMAPClientError, OSError, ssl.SSLError, ValueError, IndexError, EOFError) as error:
            self._drop()
            if reused and again:
                return self._with_client(work, again=False)
            self._failures += 1
            raise InboxTrouble(f"{self._settings.host}: {error}") from error
        self._failures = 0
        return result

    def _connect(self) -> _Client:
        settings = self._settings
        client: _Client = imapclient.IMAPClient(
            settings.host,
            port=settings.port,
            ssl=settings.security is Security.TLS,
            ssl_context=self._tls if settings.security is Security.TLS else None,
            timeout=settings.timeout,
        )
        try:
            # Short commands must not wait for the acknowledgement of the one before.
            client.socket().setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if settings.security is Security.STARTTLS:
                client.starttls(self._tls)
            self._login(client)
            client.normalise_times = False
            selected = client.select_folder(settings.folder)
        except OAuthTrouble as trouble:
            _shut(client)
            self._failures += 1
            raise InboxTrouble(trouble.reason, permanent=trouble.permanent) from trouble
        except LoginError as error:
            _shut(client)
            self._failures += 1
            if self._tokens is not None:
                self._tokens.forget()
            raise InboxTrouble(f"{settings.host} refused the login: {error}", permanent=True) from error
        except BaseException:
            _shut(client)
            raise
        uidvalidity = int(selected.get(b"UIDVALIDITY", 0))
        if uidvalidity != self._uidvalidity:
            self._uidvalidity = uidvalidity
            self._highest = 0
        self._client = client
        return client

    def _login(self, client: _Client) -> None:
        settings = self._settings
        if self._tokens is None or settings.oauth is None:
            client.login(settings.username, settings.password)
        elif settings.oauth.mechanism is Mechanism.OAUTHBEARER:
            client.oauthbearer_login(settings.username, self._tokens.token())
        else:
            client.oauth2_login(settings.username, self._tokens.token())

    def _drop(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            _shut(client)

    def _disconnect(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            try:
                client.logout()
            except (IMAPClientError, OSError, EOFError):
                _shut(client)

    def _find(self, cursor: Cursor, client: _Client) -> tuple[int, list[int]]:
        after = cursor.uid if cursor.uidvalidity == self._uidvalidity else 0
        self._highest = max(self._highest, after)
        client.noop()
        return self._uidvalidity, _search_after(client, after)

    def _fetch(self, uidvalidity: int, uids: list[int], client: _Client) -> list[Message]:
        if uidvalidity != self._uidvalidity:
            raise InboxTrouble("the mailbox was rebuilt while it was read")
        chunk = uids[: self._settings.batch]
        sizes = client.fetch(chunk, ["RFC822.SIZE"])
        wanted: list[int] = []
        total = 0
        for uid in chunk:
            total += int(sizes.get(uid, {}).get(b"RFC822.SIZE", 0))
            if wanted and total > self._settings.batch_bytes:
                break
            wanted.append(uid)
        answers = client.fetch(wanted, ["BODY.PEEK[]", "INTERNALDATE"])
        letters = [
            Message(
                raw=bytes(answers[uid][b"BODY[]"]),
                internal_date=_aware(answers[uid].get(b"INTERNALDATE")),
                uidvalidity=uidvalidity,
                uid=uid,
            )
            for uid in wanted
            if answers.get(uid, {}).get(b"BODY[]") is not None
        ]
        self._highest = max(self._highest, wanted[-1])
        return letters

    def _acknowledge(self, letters: list[Message], folder: str, client: _Client) -> None:
        # UIDs of a mailbox that has been rebuilt since may now name other letters.
        uids = [letter.uid for letter in letters if letter.uidvalidity == self._uidvalidity]
        if not uids:
            return
        client.add_flags(uids, [_SEEN], silent=True)
        if not folder:
            return
        if not client.folder_exists(folder):
            client.create_folder(folder)
        if client.has_capability("MOVE"):
            client.move(uids, folder)
        elif client.has_capability("UIDPLUS"):
            client.copy(uids, folder)
            client.delete_messages(uids, silent=True)
            client.uid_expunge(uids)

    def _watch(self, deadline: float, client: _Client) -> bool:
        idle = self._settings.idle and client.has_capability("IDLE")
        # Not every server tells at the start of IDLE what came just before it. So the first IDLE is short
        # and each further one twice as long: such a letter is found soon, a quiet hour costs few commands.
        patience = min(_FIRST_IDLE, self._settings.idle_renewal)
        while True:
            # An EXISTS that came with the answer to another command never shows up in IDLE.
            _forget_counts(client)
            if _search_after(client, self._highest) or _counts(client):
                return True
            left = deadline - time.monotonic()
            if left <= 0 or self._closing:
                return False
            if idle:
                rung, found = self._idle(client, min(left, patience))
                patience = min(2 * patience, self._settings.idle_renewal)
            else:
                rung, found = self._rest(min(left, self._settings.poll_interval)), False
                client.noop()
            if found:
                return True
            if rung:
                return False

    def _idle(self, client: _Client, seconds: float) -> tuple[bool, bool]:
        """One IDLE: whether the bell rang, and whether the server told of new letters."""
        client.idle()
        rung = False
        if not _buffered(client):
            rung = self._ear in self._select([client.socket(), self._ear], seconds)
        _, responses = client.idle_done()
        return rung and self._hush(), any(len(answer) > 1 and answer[1] == b"EXISTS" for answer in responses)

    def _rest(self, seconds: float) -> bool:
        """Do nothing for a while; True when the bell rang."""
        return bool(self._select([self._ear], seconds)) and self._hush()

    def _select(self, sockets: list[Any], seconds: float) -> list[Any]:
        with selectors.DefaultSelector() as selector:
            for each in sockets:
                selector.register(each, selectors.EVENT_READ)
            return [key.fileobj for key, _ in selector.select(max(seconds, 0))]

    def _ring(self) -> None:
        with suppress(OSError):
            self._bell.send(b"!")

    def _hush(self) -> bool:
        with suppress(OSError):
            self._ear.recv(100)
        return True


def _facts(client: _Client) -> Facts:
    newest = client.search()[-1:]
    field = "BODY.PEEK[HEADER.FIELDS (AUTHENTICATION-RESULTS)]"
    answer = client.fetch(newest, [field]) if newest else {}
    head = (
        b"".join(value for key, value in answer.get(newest[0], {}).items() if b"HEADER" in key)
        if newest
        else b""
    )
    vouches = head.decode("ascii", "replace").partition(":")[2].partition(";")[0].strip()
    move = client.has_capability("MOVE") or client.has_capability("UIDPLUS")
    return Facts(client.has_capability("IDLE"), move, vouches)


def _search_after(client: _Client, uid: int) -> list[int]:
    # «n:*» names the last letter even when its UID is below n.
    return sorted(found for found in client.search(["UID", f"{uid + 1}:*"]) if found > uid)


def _buffered(client: _Client) -> bool:
    """True when an answer already lies in Python's read buffer, where no select can see it.

    imapclient's own idle_check() drops half-read lines; a peek loses nothing.
    """
    sock = client.socket()
    sock.setblocking(False)
    try:
        return bool(client._imap.file.peek(1))
    except (BlockingIOError, ssl.SSLWantReadError):
        return False
    finally:
        sock.setblocking(True)
        client._set_read_timeout()


def _forget_counts(client: _Client) -> None:
    client._imap.untagged_responses.pop("EXISTS", None)


def _counts(client: _Client) -> bool:
    return "EXISTS" in client._imap.untagged_responses


def _aware(moment: object) -> datetime:
    if not isinstance(moment, datetime):
        return datetime.fromtimestamp(0, UTC)
    return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)


def _shut(client: _Client) -> None:
    with suppress(Exception):
        client.shutdown()
