"""1.9: fleets in the fog of war: an enemy sees their front, flag, initiative and movement, never who is on the back."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.games.nce.charts import FLEETS
from pbem.games.nce.state import SEATS, State


def front(fleet: str) -> str:
    """What the front of a fleet shows, as an identifier; fleets that look alike share it."""
    record = FLEETS[fleet]
    return f"front_{record.power}_{record.initiative}_{record.movement}"


def owner(state: State, fleet: str) -> str:
    """The seat that moves a fleet."""
    return state.manager(state.patron(FLEETS[fleet].power))


def shown(state: State, fleets: Iterable[str], seat: str | None) -> tuple[str, ...]:
    """1.9: fleets as a seat may call them: by name, or in the fog those of others by their front."""
    if not state.on("fog"):
        return tuple(fleets)
    return tuple(fleet if owner(state, fleet) == seat else front(fleet) for fleet in fleets)


def others(state: State, fleet: str) -> tuple[str, ...]:
    """The seats that see only the front of a fleet."""
    return tuple(seat for seat in SEATS if seat != owner(state, fleet))


def cover(seen: State, seat: str | None) -> None:
    """1.9: in a view, fleets of others that look alike change names by their places, whoever they are."""
    alike: dict[str, list[str]] = {}
    for fleet in FLEETS:
        if owner(seen, fleet) != seat:
            alike.setdefault(front(fleet), []).append(fleet)
            seen.flags.pop(f"corsairs_{fleet}", None)
    for fleets in alike.values():
        places = sorted((seen.fleets[fleet] for fleet in fleets), key=lambda place: (":" not in place, place))
        seen.fleets.update(zip(fleets, places, strict=True))
