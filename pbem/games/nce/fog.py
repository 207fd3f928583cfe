"""1.9: the fog of war: of enemy fleets only the front shows, flag, initiative and movement; of stacks the commander."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.games.nce.charts import FLEETS, GENERALS, UNITS
from pbem.games.nce.state import SEATS, Force, State


def front(fleet: str) -> str:
    """What the front of a fleet shows, as an identifier; fleets that look alike share it."""
    record = FLEETS[fleet]
    return f"front_{record.power}_{record.initiative}_{record.movement}"


def owner(state: State, piece: str) -> str:
    """The seat that moves a fleet, or a force by its name."""
    force = state.force_with(piece) if piece not in FLEETS else None
    if force is not None and force.side in SEATS:
        return force.side
    record = FLEETS.get(piece) or GENERALS.get(piece) or UNITS[piece]
    return state.manager(state.patron(record.power))


def veiled(state: State, force: Force, seat: str | None) -> bool:
    """Whether a seat does not know what a force holds."""
    return bool(force.general) and state.on("fog") and owner(state, force.name) != seat


def strength(state: State, forces: Iterable[Force], seat: str | None) -> int:
    """The steps of forces as a seat may know them; none where it does not."""
    found = list(forces)
    return 0 if any(veiled(state, force, seat) for force in found) else sum(f.strength for f in found)


def shown(state: State, fleets: Iterable[str], seat: str | None) -> tuple[str, ...]:
    """1.9: fleets as a seat may call them: by name, or in the fog those of others by their front."""
    if not state.on("fog"):
        return tuple(fleets)
    return tuple(fleet if owner(state, fleet) == seat else front(fleet) for fleet in fleets)


def others(state: State, piece: str) -> tuple[str, ...]:
    """The seats that see only the front of a fleet, or the commander of a force."""
    return tuple(seat for seat in SEATS if seat != owner(state, piece))


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
