"""An outlet in a thread of its own: letters go out while others are read and answered."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, Protocol, TypeVar

from pbem.post.outcome import Outcome

_T = TypeVar("_T")


class Outlet(Protocol):
    """Where letters are offered, once each."""

    async def send(self, raw: bytes, sender: str, recipients: Sequence[str]) -> Outcome:
        """Offer a letter once. Never raises for what a server or the net may do."""
        ...

    async def close(self) -> None:
        """Say goodbye."""
        ...


class Beside:
    """Another outlet, at work in its own thread, which begins with the first letter."""

    def __init__(self, make: Callable[[], Outlet]) -> None:
        self._outlet = make()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._closed = False

    async def send(self, raw: bytes, sender: str, recipients: Sequence[str]) -> Outcome:
        """Offer a letter once. Never raises for what a server or the net may do."""
        if self._closed:
            return await self._outlet.send(raw, sender, recipients)
        return await self._there(self._outlet.send(raw, sender, recipients))

    async def close(self) -> None:
        """Say goodbye, and end the thread."""
        if self._closed:
            return
        self._closed = True
        if self._loop is None or self._thread is None:
            await self._outlet.close()
            return
        await self._there(self._outlet.close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        await asyncio.to_thread(self._thread.join)

    async def _there(self, work: Coroutine[Any, Any, _T]) -> _T:
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            self._thread = threading.Thread(target=self._run, args=(self._loop,), name="outlet", daemon=True)
            self._thread.start()
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, self._loop))

    @staticmethod
    def _run(loop: asyncio.AbstractEventLoop) -> None:
        asyncio.set_event_loop(loop)
        try:
            loop.run_forever()
        finally:
            loop.close()
