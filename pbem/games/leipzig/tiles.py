"""3.8: placing army tiles, and the cascades that follow."""

from __future__ import annotations

from pbem.games.leipzig.board import BOARD
from pbem.games.leipzig.charts import terrain_value
from pbem.games.leipzig.events import ArmChosen, ArmyEliminated, TerrainCounts, TilePlaced
from pbem.games.leipzig.orders import AsArm, PlaceFirst
from pbem.games.leipzig.questions import Arm, Cascade
from pbem.games.leipzig.state import LOST, MARCHING, PLACED, State, seat_of, side_of, turn_key
from pbem.games.leipzig.track import advance
from pbem.kernel.table import Table


def due(state: State) -> list[str]:
    """3.8: the armies with exactly one marker, as listed on the board."""
    return [id for id, army in state.armies.items() if len(army.markers) == 1]


async def place_due(table: Table[State]) -> None:
    """3.8: place the tile of every army with one marker left, and of those that this leaves with one."""
    state = table.state
    while armies := due(state):
        army = armies[0]
        if len(armies) > 1:
            (order,) = await table.ask(
                Cascade(
                    key=f"{turn_key(state)}/cascade/{state.done}/{'.'.join(armies)}",
                    seat=seat_of(state, state.side),
                    due=tuple(armies),
                    rule="3.8",
                )
            )
            assert isinstance(order, PlaceFirst)
            army = order.army
        await place(table, army)


async def place(table: Table[State], id: str) -> None:
    """3.8: exchange the last marker of an army for its tile; all other markers leave the zone."""
    state = table.state
    army = state.armies[id]
    (zone,) = army.markers
    army.markers, army.zone, army.status = [], zone, PLACED
    army.arm = BOARD.armies[id].arms[0]
    swept = [other for other, there in state.armies.items() if zone in there.markers]
    for other in swept:
        state.armies[other].markers.remove(zone)
    own = side_of(id) == state.side
    scout = own and state.supply > 0
    if own:
        state.points[state.side] += 1
    if scout:
        state.supply -= 1
        state.scouts[state.side] += 1
    table.tell(
        TilePlaced(
            side=side_of(id),
            army=id,
            zone=zone,
            strength=army.strength,
            swept=tuple(swept),
            own=own,
            scout=scout,
            rule="3.8",
        )
    )
    for other in swept:
        if not state.armies[other].markers:
            state.armies[other].status = LOST
            table.tell(ArmyEliminated(side=side_of(other), army=other, zone=zone, rule="3.8"))
    await _choose_arm(table, id)
    if own:
        await advance(table)


async def _choose_arm(table: Table[State], id: str) -> None:
    """1.3, 7: an army of all arms becomes one of them; the advanced game shows its terrain value."""
    state, army = table.state, table.state.armies[id]
    if len(BOARD.armies[id].arms) > 1:
        question = Arm(
            key=f"g{state.game}/arm/{id}",
            seat=seat_of(state, side_of(id)),
            army=id,
            zone=army.zone,
            rule="1.3",
        )
        (order,) = await table.ask(question)
        assert isinstance(order, AsArm)
        army.arm = order.arm
        table.tell(ArmChosen(army=id, arm=order.arm, rule="1.3"))
    value = terrain_value(army.arm, army.zone)
    if state.advanced and value:
        terrain = BOARD.zones[army.zone].terrain
        table.tell(
            TerrainCounts(army=id, zone=army.zone, terrain=terrain, arm=army.arm, value=value, rule="7")
        )


def marching(state: State, side: str) -> list[str]:
    """The armies of a side that have markers on the board."""
    return [id for id in BOARD.of(side) if state.armies[id].status == MARCHING]
