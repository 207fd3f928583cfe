"""How long to wait before the next attempt."""

from __future__ import annotations

from datetime import timedelta

_FIRST = timedelta(minutes=1)
_CAP = timedelta(hours=4)


def backoff(
    attempt: int, *, first: timedelta = _FIRST, cap: timedelta = _CAP, jitter: float = 0.0
) -> timedelta:
    """The pause after the given failed attempt (1, 2, …): doubled each time, never above the cap.

    `jitter` is a number between 0 and 1 that the caller may draw to spread attempts: it adds up to a
    quarter, within the cap.
    """
    doublings = min(max(attempt, 1) - 1, 40)
    pause = min(first * (1 << doublings), cap)
    return min(pause * (1 + min(max(jitter, 0.0), 1.0) / 4), cap)
