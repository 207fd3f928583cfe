"""Long reports made short: one's own affairs in full, others' battles in a line each, the quiet in one line.

made = Digest(told, lambda event: event.power in mine, lambda event: isinstance(event, Battle))
return made.lines([Quiet(powers=…)])
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence

from pbem.kernel.event import Event, Told


class Digest:
    """The events of a report that are kept, in their order and with their numbers."""

    def __init__(
        self,
        told: Sequence[Told],
        mine: Callable[[Event], object],
        others: Callable[[Event], bool],
    ) -> None:
        """`mine` says whether an event is the reader's own affair; `others`, whether it is kept all the same."""
        self._kept = [
            one for one in told if mine(one.event) or one.to is not None or one.strikes or others(one.event)
        ]
        self._last = told[-1].n if told else 0

    def named(self, of: Callable[[Event], Collection[str]]) -> set[str]:
        """Whatever the events kept are about."""
        return {name for one in self._kept for name in of(one.event)}

    def lines(self, more: Iterable[Event] = ()) -> list[Told]:
        """What is kept, and what is said at its end of all the rest."""
        return [*self._kept, *(Told(self._last, event) for event in more)]
