"""What the map shows of a turn: every move, fight and loss leaves a trace until the next letter is carried out."""

from __future__ import annotations

from pbem.games.ccn.board import OFF
from pbem.games.ccn.events import (
    Destroyed,
    Fired,
    GroundTaken,
    LeaderKilled,
    LeaderMoved,
    LeaderRode,
    MeleeFought,
    Moved,
    Retired,
    Retreated,
    SentBack,
)
from pbem.games.ccn.state import State, Trace
from pbem.kernel.event import Event
from pbem.kernel.table import Table

MOVE, RETREAT, FIRE, MELEE, LOSS = "move", "retreat", "fire", "melee", "loss"


def tell(table: Table[State], event: Event) -> None:
    """Say that something happened, and leave its trace on the map."""
    table.tell(event)
    trace = _trace(event)
    if trace is not None and len(trace.hexes) > 1 - (trace.kind == LOSS):
        table.state.trail.append(trace)


def _trace(event: Event) -> Trace | None:
    if isinstance(event, (Moved, GroundTaken)):
        return Trace(MOVE, _way(event.hex, event.path), event.unit)
    if isinstance(event, LeaderMoved):
        return Trace(MOVE, _way(event.hex, event.path), event.leader)
    if isinstance(event, (Retreated, Retired)):
        return Trace(RETREAT, _way(event.hex, event.path), event.unit)
    if isinstance(event, LeaderRode):
        return Trace(RETREAT, _way(event.hex, event.path), event.leader)
    if isinstance(event, SentBack):
        return Trace(RETREAT, (event.hex, event.to), event.unit)
    if isinstance(event, Fired):
        return Trace(FIRE, (event.hex, event.target_hex), event.unit, f"{event.hits}")
    if isinstance(event, MeleeFought):
        return Trace(MELEE, (event.hex, event.target_hex), event.unit, f"{event.hits}")
    if isinstance(event, Destroyed):
        return Trace(LOSS, (event.hex,), event.unit)
    return Trace(LOSS, (event.hex,), event.leader) if isinstance(event, LeaderKilled) else None


def _way(start: str, path: tuple[str, ...]) -> tuple[str, ...]:
    return (start, *(hex for hex in path if hex != OFF))
