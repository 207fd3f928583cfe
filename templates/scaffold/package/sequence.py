"""The sequence of play: a coroutine that asks, rolls and tells."""

from __future__ import annotations

from NAME.events import Ended, Fought, Marched, Taken
from NAME.orders import March
from NAME.questions import Marching
from NAME.state import SEATS, State

from pbem.kernel.rules import Outcome
from pbem.kernel.table import Table


async def play(table: Table[State]) -> None:
    """1.2: turn after turn. It can be entered anew at every checkpoint."""
    state = table.state
    while state.turn <= state.last:
        answers = await table.ask_all(
            [Marching(key=f"t{state.turn}/{seat}", seat=seat, sealed=True, rule="2") for seat in SEATS]
        )
        start = dict(state.at)
        for seat in SEATS:
            (order,) = answers[seat]
            if isinstance(order, March):
                state.at[seat] = order.to
                table.tell(Marched(seat=seat, start=start[seat], to=order.to, rule="2.1"))
        if state.at["red"] == state.at["blue"]:
            fight(table, state.at["red"], start)
        for seat in SEATS:
            take(table, seat)
        state.turn += 1
        await table.checkpoint()
    state.over = True
    won = winner(state)
    table.tell(Ended(red=state.points("red"), blue=state.points("blue"), winner=won, rule="4.1"))


def fight(table: Table[State], town: str, start: dict[str, str]) -> None:
    """3.1, 3.2, 3.3: die and strength; the loser, or on a tie whoever came, goes back to where he came from."""
    state = table.state
    label = f"t{state.turn}/battle"
    sums: dict[str, int] = {}
    for seat in SEATS:
        (die,) = table.roll(f"{label}/{seat}", 1, 6, rule="3.1", seat=seat)
        sums[seat] = die + state.strength[seat]
    best = max(sums.values())
    losers = [seat for seat in SEATS if sums[seat] < best]
    for seat in losers:
        state.strength[seat] = max(0, state.strength[seat] - 1)
    comers = [seat for seat in SEATS if start[seat] != town]
    back = losers if losers and losers[0] in comers else comers
    for seat in back:
        state.at[seat] = start[seat]
    if losers and losers[0] not in back:
        # 3.3: whoever was there and is beaten changes places with the winner.
        state.at[losers[0]], state.at[back[0]] = start[back[0]], town
    won = next((seat for seat in SEATS if losers and seat not in losers), "")
    draws = tuple(f"{label}/{seat}" for seat in SEATS)
    table.tell(Fought(town=town, red=sums["red"], blue=sums["blue"], winner=won, rule="3.2", draws=draws))


def take(table: Table[State], seat: str) -> None:
    """2.4: a town belongs to whoever stood there last."""
    state = table.state
    town = state.at[seat]
    if state.holder.get(town) != seat:
        state.holder[town] = seat
        table.tell(Taken(seat=seat, town=town, rule="2.4"))


def winner(state: State) -> str:
    """4.1: who has more points; nobody where they are equal."""
    red, blue = state.points("red"), state.points("blue")
    return "" if red == blue else "red" if red > blue else "blue"


def outcome(state: State) -> Outcome | None:
    """4.1: how it ended."""
    won = winner(state)
    points = {seat: state.points(seat) for seat in SEATS}
    return Outcome((won,) if won else (), points) if state.over else None
