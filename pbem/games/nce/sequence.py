"""5: the sequence of play."""

from __future__ import annotations

from pbem.games.nce import deployment, hundred_days, score
from pbem.games.nce.cards import hands
from pbem.games.nce.desk import Desk
from pbem.games.nce.events import GameBegins, RoundBegins
from pbem.games.nce.land.siege import raise_sieges, stand_before
from pbem.games.nce.plan import RoundPlan
from pbem.games.nce.powers import interphase
from pbem.games.nce.powers.conquest import conquest_phase, end_of_activations
from pbem.games.nce.rounds import Act
from pbem.games.nce.sea.exodus import leave_captured_ports
from pbem.games.nce.state import COALITION, EMPIRE, SEATS, State
from pbem.kernel.rules import Outcome
from pbem.kernel.table import Table


async def play(table: Table[State]) -> None:
    """1.3: year after year; it can be entered anew at every checkpoint."""
    state = table.state
    if not state.shuffles:
        first_hands(table)
    while not state.over:
        await table.bulletin()
        if state.phase == "setup":
            await deployment.choose(Desk(state, table, "setup"))
            state.phase = "rounds"
        elif state.phase == "rounds":
            await one_action(table)
        elif state.phase == "end":
            await year_end(table)
        else:
            desk = Desk(state, table, f"{state.year}/a")
            await interphase.interphase(desk)
            raise_sieges(desk)
            state.phase, state.round, state.active = "rounds", 1, EMPIRE


def first_hands(table: Table[State]) -> None:
    """18: the decks are shuffled and the first hands dealt."""
    state = table.state
    desk = Desk(state, table, "setup")
    hundred_days.clear_pool(state)
    table.tell(GameBegins(scenario=state.scenario, year=state.year, rule="18"))
    for side in SEATS:
        size = state.bonus_cards[side]
        state.bonus_cards[side] = 0
        hands.shuffle(desk, side, state.piles[side].cards)
        hands.draw(desk, side, size - len(state.hands[side]))


async def one_action(table: Table[State]) -> None:
    """8.1, 1.5: one side's action; the Empire opens each round (1.5)."""
    state = table.state
    side = state.active
    if side == EMPIRE or state.first == COALITION:
        state.first = EMPIRE
        table.tell(RoundBegins(year=state.year, round=state.round, weather=state.weather(), rule="1.4"))
    desk = Desk(state, table, f"{state.year}/r{state.round}/{side}")
    answer = await table.ask(
        Act(key=f"{desk.where}/act", seat=side, rule="8.1", year=state.year, round=state.round)
    )
    state.moves = []
    await RoundPlan(desk, side, answer).run()
    stand_before(desk)
    raise_sieges(desk)
    await leave_captured_ports(desk)
    score.note_emperor(state)
    if side == EMPIRE:
        state.active = COALITION
        return
    state.active = EMPIRE
    state.round += 1
    if state.round > state.last_round:
        state.phase = "end"


async def year_end(table: Table[State]) -> None:
    """16.1, 17.1: end of activations, conquests, victory; then the next year."""
    state = table.state
    state.round = min(state.round, 8)
    await end_of_activations(Desk(state, table, f"{state.year}/end"))
    desk = Desk(state, table, f"{state.year}/conquest")
    await conquest_phase(desk)
    score.victory_phase(desk)
    if state.over:
        return
    state.year += 1
    state.round, state.last_round, state.phase = 0, 6, "interphase"


def outcome(state: State) -> Outcome | None:
    """17: who won; nobody where both lose. The victory points are the Empire's; 1815 is won without any."""
    if not state.over:
        return None
    points = {} if state.scenario == "1815" else {EMPIRE: state.vp}
    return Outcome((state.winner,) if state.winner else (), points)
