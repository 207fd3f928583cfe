"""Calls to a board over HTTP: paced, counted, bounded, and every answer that is not a good one put into words."""

from __future__ import annotations

import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import Any

import httpx

from pbem.post.forum.board import BoardTrouble, PostRefused
from pbem.post.forum.pace import Pace, retry_after

_BUSY = 60.0
_LARGEST = 8 * 1024 * 1024


class Web:
    """A connection to one board."""

    def __init__(
        self,
        url: str,
        pace: Pace,
        *,
        timeout: float = 30.0,
        headers: Mapping[str, str] | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
        redirects: bool = True,
    ) -> None:
        self.pace = pace
        self.url = url.rstrip("/")
        self.client = httpx.AsyncClient(
            base_url=self.url,
            timeout=timeout,
            headers={"User-Agent": "pbem", **(headers or {})},
            transport=transport,
            follow_redirects=redirects,
        )
        self.skew = 0.0
        """Seconds by which the board's clock is ahead of ours, as far as its Date headers tell."""

    async def get(self, path: str, **how: Any) -> httpx.Response:
        """Read something."""
        return await self.call("GET", path, **how)

    async def json(self, path: str, **how: Any) -> Any:
        """Read something as JSON."""
        return decoded(await self.call("GET", path, **how))

    async def post(self, path: str, **how: Any) -> httpx.Response:
        """Send something."""
        return await self.call("POST", path, **how)

    async def call(
        self, method: str, path: str, *, missing: bool = False, refusing: bool = False, **how: Any
    ) -> httpx.Response:
        """One call. Raises BoardTrouble, and PostRefused where the board refuses what is being posted (`refusing`).

        `missing`: an answer «not there» is handed back.
        """
        await self.pace.call()
        try:
            answer = await self.client.request(method, path, **how)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise BoardTrouble(f"{self.url} does not answer: {type(error).__name__} {error}"[:300]) from error
        self._compare_clocks(answer)
        status = answer.status_code
        if status < 400 or (missing and status in (404, 410)):
            if len(answer.content) > _LARGEST:
                raise BoardTrouble(f"{self.url} answers with {len(answer.content)} bytes")
            return answer
        reason = f"{method} {path.partition('?')[0]}: {status} {words(answer)}"
        if status in (429, 503):
            wait = retry_after(answer.headers.get("Retry-After", ""), time.time()) or _BUSY
            self.pace.hold(wait)
            raise BoardTrouble(reason, wait=wait)
        if status == 401 or (status == 403 and not refusing):
            raise BoardTrouble(reason, permanent=True)
        if refusing and status in (400, 403, 404, 405, 409, 410, 413, 415, 422):
            raise PostRefused(reason)
        raise BoardTrouble(reason)

    async def close(self) -> None:
        """Let go of it."""
        await self.client.aclose()

    def _compare_clocks(self, answer: httpx.Response) -> None:
        said = answer.headers.get("Date")
        if said:
            try:
                self.skew = parsedate_to_datetime(said).timestamp() - time.time()
            except (ValueError, TypeError):
                return


def decoded(answer: httpx.Response) -> Any:
    """The JSON of an answer. Raises BoardTrouble."""
    try:
        return answer.json()
    except ValueError as error:
        raise BoardTrouble(f"an answer that is no JSON: {answer.text[:100]!r}") from error


def words(answer: httpx.Response) -> str:
    """What an answer says, in short."""
    return " ".join(answer.text.split())[:200]
