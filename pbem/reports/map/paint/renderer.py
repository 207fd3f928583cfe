"""Who paints: this process, or others beside it, so that the daemon goes on listening meanwhile."""

from __future__ import annotations

import asyncio
import multiprocessing
import signal
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from pathlib import Path
from typing import Protocol

from pbem.kernel.drawing import Drawing
from pbem.reports.map.paint import raster
from pbem.reports.map.paint.picture import CROP_WIDTH, WIDTH, crop, png


class Renderer(Protocol):
    """Drawing in, PNG out; ValueError for a drawing that cannot be painted."""

    async def png(self, drawing: Drawing, width: int = WIDTH) -> bytes: ...

    async def crop(self, drawing: Drawing, areas: Iterable[str], width: int = CROP_WIDTH) -> bytes: ...

    def close(self) -> None: ...


class InlineRenderer:
    """Paints in this very process: for the command line and for tests."""

    def __init__(self, cache_dir: Path | None = None) -> None:
        self._cache_dir = cache_dir

    async def png(self, drawing: Drawing, width: int = WIDTH) -> bytes:
        return png(drawing, width, cache_dir=self._cache_dir)

    async def crop(self, drawing: Drawing, areas: Iterable[str], width: int = CROP_WIDTH) -> bytes:
        return crop(drawing, areas, width, cache_dir=self._cache_dir)

    def close(self) -> None:
        """Nothing to put away."""


def _begin() -> None:
    # An interrupt from the keyboard reaches all processes; only the daemon decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    raster.warm()


class PoolRenderer:
    """Paints in processes of its own, started at the first picture; a process that dies is replaced once."""

    def __init__(self, workers: int = 1, cache_dir: Path | None = None) -> None:
        self._workers = workers
        self._cache_dir = cache_dir
        self._pool: ProcessPoolExecutor | None = None

    async def png(self, drawing: Drawing, width: int = WIDTH) -> bytes:
        return await self._run(partial(png, drawing, width, cache_dir=self._cache_dir))

    async def crop(self, drawing: Drawing, areas: Iterable[str], width: int = CROP_WIDTH) -> bytes:
        return await self._run(partial(crop, drawing, tuple(areas), width, cache_dir=self._cache_dir))

    def close(self) -> None:
        """Ends the processes; the next picture would start new ones."""
        pool, self._pool = self._pool, None
        if pool is not None:
            pool.shutdown(wait=True, cancel_futures=True)

    def _running(self) -> ProcessPoolExecutor:
        if self._pool is None:
            spawn = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(self._workers, mp_context=spawn, initializer=_begin)
        return self._pool

    async def _run(self, paint: Callable[[], bytes]) -> bytes:
        pool = self._running()
        try:
            return await asyncio.wrap_future(pool.submit(paint))
        except BrokenProcessPool:
            if self._pool is pool:
                self.close()
            return await asyncio.wrap_future(self._running().submit(paint))
