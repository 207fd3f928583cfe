"""9.1.4, 16.6: forces that must leave: into the fortress, to the next free zone, or off the map."""

from __future__ import annotations

from pbem.games.nce import board, command
from pbem.games.nce.charts import ZONES
from pbem.games.nce.desk import Desk
from pbem.games.nce.events_field import EnteredFortress, ForceDestroyed, Retreated
from pbem.games.nce.land import aftermath
from pbem.games.nce.reactions import may_stand
from pbem.games.nce.state import Force, State, enemy


def give_way(desk: Desk, force: Force) -> None:
    """D19: the fortress of the zone if it is one's own, else the nearest free zone, else lost."""
    state = desk.state
    zone = force.zone
    own = bool(state.fortress(zone)) and state.controller(zone) == force.side
    if own and not state.at(zone, force.side, inside=True):
        force.inside = True
        desk.tell(EnteredFortress(force=force.name, zone=zone, rule="9.1.4"))
        return
    goal = nearest_free(state, force, force.movement + 2)
    if not goal:
        desk.tell(ForceDestroyed(force=force.name, zone=zone, side=force.side, rule="9.2.9"))
        command.dissolve(state, force)
        return
    move(desk, force, goal)


def nearest_free(state: State, force: Force, most: int, *, fortress: bool = False, wanted: str = "") -> str:
    """The nearest zone of the force's side without enemies, where it can stand; the wanted one among equals."""
    side = force.side
    far = board.distances(force.zone, most).cost
    good = []
    for zone, points in far.items():
        if zone == force.zone or state.at(zone, enemy(side)) or state.controller(zone) != side:
            continue
        if state.hostile_fortress(zone, side) or not may_stand(state, zone, side):
            continue
        if fortress and not ZONES[zone].fortress:
            continue
        if command.stuck_at_home(state, force, zone):
            continue
        friends = state.at(zone, side)
        crowded = any(command.may_join(other, force)[0] not in ("", "two_armies") for other in friends)
        good.append((crowded or len(friends) > 1, points, zone != wanted, zone))
    return min(good)[3] if good else ""


def move(desk: Desk, force: Force, goal: str) -> None:
    """Put a force somewhere else, and make one stack of those who meet."""
    start = force.zone
    force.zone, force.inside = goal, False
    desk.tell(Retreated(force=force.name, start=start, to=goal, rule="16.6"))
    aftermath.settle(desk, goal, force.side)
