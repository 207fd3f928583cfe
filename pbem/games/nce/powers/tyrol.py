"""9.3.3: the rising of Tyrol against the kingdom of Bavaria."""

from __future__ import annotations

from pbem.games.nce import command
from pbem.games.nce.charts import COUNTRIES
from pbem.games.nce.desk import Desk
from pbem.games.nce.events_field import ControlTaken, ForceDestroyed
from pbem.games.nce.land import aftermath
from pbem.games.nce.land.encounter import Entry, set_upon
from pbem.games.nce.land.march import March
from pbem.games.nce.land.tempo import Grant
from pbem.games.nce.powers import diplomacy
from pbem.games.nce.state import COALITION, EMPIRE

CORPS, REVOLT = "tyrol", "tyroliens"


async def rises(desk: Desk) -> None:
    """18C: the corps appears at Innsbruck, its source; Empire troops there may evade, else they fight."""
    state = desk.state
    zone = COUNTRIES[REVOLT].capital
    for friend in state.at(zone, COALITION, inside=None):
        if not friend.general:
            desk.tell(ForceDestroyed(force=friend.name, zone=zone, side=COALITION, rule="4.1.1"))
            command.dissolve(state, friend)
    state.status[REVOLT] = "revolt"
    state.siege.pop(zone, None)
    if zone in state.empty:
        state.empty.remove(zone)
    if state.controller(zone) != COALITION:
        if state.home_side(zone) == COALITION:
            del state.control[zone]
        else:
            state.control[zone] = COALITION
        desk.tell(ControlTaken(zone=zone, side=COALITION, rule="9.3.3"))
    force = diplomacy.place(desk, CORPS, zone, COALITION)
    aftermath.settle(desk, zone, COALITION)
    for guest in state.at(zone, EMPIRE, inside=True):
        guest.inside = False
    if not desk.dry and force.id in state.forces and state.at(zone, EMPIRE):
        await set_upon(desk, Entry(March(desk, force, 0, Grant()), zone, ""))
