"""Not too fast: calls in a bucket, posts at a distance, and what a board says about waiting."""

from __future__ import annotations

import asyncio
import email.utils
import time
from collections.abc import Awaitable, Callable

from pbem.post.forum.board import BoardTrouble

PATIENCE = 10.0
"""So many seconds are waited in place; what takes longer is left for later."""


class Pace:
    """How fast one board may be called; one for each board, whatever the number of games on it."""

    def __init__(
        self,
        calls_a_minute: float,
        interval: float = 0.0,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._rate = calls_a_minute / 60.0
        self._most = max(5.0, calls_a_minute / 3.0)
        self._interval = interval
        self._clock, self._sleep = clock, sleep
        self._level = self._most
        self._filled = clock()
        self._not_before = 0.0
        self._next_post = 0.0
        self.calls = 0
        """How many there have been."""

    async def call(self) -> None:
        """Wait for the turn of one call. Raises BoardTrouble where that would take long."""
        now = self._clock()
        self._level = min(self._most, self._level + (now - self._filled) * self._rate)
        self._filled = now
        self._level -= 1.0
        wait = max(self._not_before - now, -self._level / self._rate)
        if wait > PATIENCE:
            self._level += 1.0
            raise BoardTrouble("the board is to be left alone for a while", wait=wait)
        self.calls += 1
        if wait > 0:
            await self._sleep(wait)

    async def post(self) -> None:
        """Wait until another post of ours may follow the last one."""
        now = self._clock()
        at = max(now, self._next_post)
        if at - now > PATIENCE:
            raise BoardTrouble("there is a queue of our own posts", wait=at - now)
        self._next_post = at + self._interval
        if at > now:
            await self._sleep(at - now)

    def keep_apart(self, seconds: float) -> None:
        """So many seconds between two posts of ours from now on."""
        self._interval = seconds

    def hold(self, seconds: float) -> None:
        """Let the board alone for so long: it has asked for it."""
        self._not_before = max(self._not_before, self._clock() + seconds)


def retry_after(value: str, now: float) -> float:
    """The seconds of a Retry-After header, a number or a date; 0 where it says nothing."""
    value = value.strip()
    try:
        return max(0.0, min(float(value), 86_400.0))
    except ValueError:
        pass
    try:
        at = email.utils.parsedate_to_datetime(value).timestamp()
    except (ValueError, TypeError):
        return 0.0
    return max(0.0, min(at - now, 86_400.0))
