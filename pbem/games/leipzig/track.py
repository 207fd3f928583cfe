"""4: time and the missions that it brings to light."""

from __future__ import annotations

from pbem.games.leipzig.board import BOARD, REVEALS, UNKNOWN
from pbem.games.leipzig.events import DateReached, MissionRevealed
from pbem.games.leipzig.orders import RevealMission
from pbem.games.leipzig.questions import Reveal
from pbem.games.leipzig.state import State, seat_of
from pbem.kernel.table import Table


async def advance(table: Table[State]) -> None:
    """4.1: the time marker goes on by one step."""
    state = table.state
    state.time += 1
    date = BOARD.steps.get(state.time)
    if date is not None:
        table.tell(DateReached(date=date, rule="4.1"))
        if date in REVEALS and state.missions:
            await reveal(table, date)


async def reveal(table: Table[State], date: str) -> None:
    """4.2: Napoléon reveals a mission of his choice."""
    state = table.state
    key = f"g{state.game}/reveal/{date}"
    (order,) = await table.ask(Reveal(key=key, seat=seat_of(state, "french"), date=date, rule="4.2"))
    assert isinstance(order, RevealMission)
    state.missions.remove(order.mission)
    state.revealed.append(order.mission)
    if order.mission == UNKNOWN:
        return
    mission = BOARD.missions[order.mission]
    if order.mission in state.places:
        table.deal(mission_label(state, mission.district), state.places[order.mission], to=None)
    table.tell(
        MissionRevealed(
            mission=mission.id,
            zone=mission.zone,
            french_points=mission.french_points,
            allied_points=mission.allied_points,
            rule="4.2",
        )
    )


def mission_label(state: State, district: str) -> str:
    """The label of the deck of a district's missions."""
    return f"g{state.game}/missions/{district}"
