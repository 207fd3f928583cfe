"""Lines of a report that only go on with the line before: the steps of one march, of one voyage, the supply of a force
that is activated.
"""

from __future__ import annotations

import msgspec

from pbem.games.nce.events_field import Activated, FleetsMoved, Moved, SupplyFound
from pbem.games.nce.events_views import Marched, Sailed
from pbem.kernel.event import Event


def joined(first: Event, second: Event) -> Event | None:
    """Both as one; nothing where they are two things, or dice decided the second."""
    if second.draws:
        return None
    if isinstance(first, Activated) and isinstance(second, SupplyFound) and first.force == second.force:
        return msgspec.structs.replace(first, supplied=True)
    if isinstance(second, Moved) and isinstance(first, (Moved, Marched)) and first.force == second.force:
        path = first.path if isinstance(first, Marched) else (first.start, first.to)
        if path[-1] != second.start:
            return None
        way, cost = (*path, second.to), first.cost + second.cost
        return Marched(force=second.force, path=way, cost=cost, left=second.left, rule=second.rule)
    if isinstance(second, FleetsMoved) and isinstance(first, (FleetsMoved, Sailed)):
        path = first.path if isinstance(first, Sailed) else (first.to,)
        if first.fleets == second.fleets and path[-1] and second.to:
            return Sailed(fleets=second.fleets, path=(*path, second.to), rule=second.rule)
    return None
