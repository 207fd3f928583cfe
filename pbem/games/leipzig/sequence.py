"""The sequence of play: set-up, turns of five actions, battles, the end, and the second game of a match."""

from __future__ import annotations

from pbem.games.leipzig.actions import act
from pbem.games.leipzig.battle import fight
from pbem.games.leipzig.board import BOARD, DISTRICTS, kind_of
from pbem.games.leipzig.cards import deal_hands, discard_excess, refill_row
from pbem.games.leipzig.charts import battles_due, date_of, ended, next_date, steps_to_next
from pbem.games.leipzig.choices import single_orders
from pbem.games.leipzig.events import (
    ActionsLost,
    DistrictsDrawn,
    GameBegins,
    GameScored,
    GameWon,
    HandDealt,
    MatchDecided,
    MissionsDealt,
    MissionsKept,
    OrderFailed,
    RowDealt,
    SidesExchanged,
    TurnBegins,
    TurnEnds,
)
from pbem.games.leipzig.orders import KeepMissions
from pbem.games.leipzig.plan import Actions, facts
from pbem.games.leipzig.questions import Contact, Keep, Support
from pbem.games.leipzig.scoring import open_choices, opponents, score_missions, supporters
from pbem.games.leipzig.state import (
    ACTIONS_A_TURN,
    Result,
    State,
    actions_left,
    fresh,
    other,
    seat_of,
    turn_key,
)
from pbem.games.leipzig.track import mission_label
from pbem.kernel.order import Answer, Order
from pbem.kernel.plan import Plan, Refused
from pbem.kernel.rules import Outcome
from pbem.kernel.table import Table

CARDS_EACH = 4


async def play(table: Table[State]) -> None:
    """The whole game; it can be entered anew at every turn."""
    while table.state.phase != "over":
        if table.state.phase == "setup":
            await set_up(table)
        else:
            await turn(table)
        await table.bulletin()


async def set_up(table: Table[State]) -> None:
    """2: missions, hands and the row."""
    state = table.state
    napoleon = seat_of(state, "french")
    table.tell(GameBegins(game=state.game, napoleon=napoleon, rule="2"))
    await _deal_missions(table, napoleon)
    label = f"g{state.game}/actions"
    hands = deal_hands(table, BOARD.cards, label, CARDS_EACH)
    for side, cards in hands.items():
        table.tell(
            HandDealt(side=side, cards=tuple(cards), rule="2.3", draws=(label,)), to=(seat_of(state, side),)
        )
    table.tell(RowDealt(cards=tuple(kind_of(card) for card in state.row), rule="2.3", draws=(label,)))
    await _keep_missions(table, napoleon)
    state.phase = "turn"


async def _deal_missions(table: Table[State], napoleon: str) -> None:
    """2.2: one mission of each district, a second one of two districts, which the moderator draws."""
    state = table.state
    which = f"g{state.game}/districts"
    doubled = table.shuffle(which, DISTRICTS, rule="2.2", secret=False)[:2]
    dealt: list[str] = []
    for district in DISTRICTS:
        label = mission_label(state, district)
        deck = [mission.id for mission in BOARD.missions.values() if mission.district == district]
        deck = table.shuffle(label, deck, rule="2.2", secret=True)
        number = 2 if district in doubled else 1
        for position in range(number):
            table.deal(label, position, to=napoleon)
            state.places[deck[position]] = position
        if number == 2:
            state.offered.append(deck[:2])
        else:
            state.missions.append(deck[0])
        dealt += deck[:number]
    table.tell(DistrictsDrawn(districts=tuple(doubled), rule="2.2", draws=(which,)))
    pairs = tuple(tuple(pair) for pair in state.offered)
    table.tell(MissionsDealt(missions=tuple(state.missions), pairs=pairs, rule="2.2"), to=(napoleon,))


async def _keep_missions(table: Table[State], napoleon: str) -> None:
    """2.2: Napoléon keeps one mission of each pair; the others leave the game."""
    state = table.state
    (order,) = await table.ask(Keep(key=f"g{state.game}/keep", seat=napoleon, rule="2.2"))
    assert isinstance(order, KeepMissions)
    state.missions += order.missions
    for pair in state.offered:
        for mission in pair:
            if mission not in order.missions:
                del state.places[mission]
    state.offered = []
    table.tell(MissionsKept(missions=tuple(state.missions), rule="2.2"), to=(napoleon,))


async def turn(table: Table[State]) -> None:
    """3: five actions; then discards, the row, perhaps a battle, perhaps the end."""
    state = table.state
    table.tell(TurnBegins(turn=state.turn, side=state.side, rule="3"))
    await _five_actions(table)
    await discard_excess(table)
    refill_row(table)
    table.tell(
        TurnEnds(
            side=state.side,
            date=date_of(state.time),
            next=next_date(state.time),
            steps=steps_to_next(state.time),
            rule="4.1",
        )
    )
    for date in battles_due(state.time, state.fought):
        await fight(table, date)
    if ended(state.time):
        await finish(table)
    else:
        _pass_on(state)


def _pass_on(state: State) -> None:
    if state.side == "allied":
        state.turn += 1
    state.side = other(state.side)
    state.done, state.drawn = 0, ""
    state.drew_pile = state.drew_row = False
    state.steps = []


async def _five_actions(table: Table[State]) -> None:
    """3: ask until five actions are done, or nothing at all is legal."""
    state = table.state
    asked: dict[int, int] = {}
    while left := actions_left(state):
        if next(iter(single_orders(state)), None) is None:
            table.tell(ActionsLost(side=state.side, count=left, rule="3"))
            state.done = ACTIONS_A_TURN
            return
        key = f"{turn_key(state)}/actions/{state.done}"
        again = asked.get(state.done, 0)
        asked[state.done] = again + 1
        question = Actions(
            key=f"{key}/{again}" if again else key,
            seat=seat_of(state, state.side),
            left=left,
            turn=state.turn,
            rule="3",
        )
        await carry_out(table, await table.ask(question))


async def carry_out(table: Table[State], answer: Answer) -> None:
    """3: the steps of a plan one after the other; the first that can no longer be done stops it."""
    state, plan = table.state, Plan(enumerate(answer, 1))

    async def step(order: Order) -> None:
        await act(table, order)
        if not actions_left(state):
            plan.stop()

    def failed(number: int, order: Order, refused: Refused) -> None:
        code, rule = refused.problem.code, refused.problem.rule
        event = OrderFailed(side=state.side, number=number, code=code, rule=rule)
        table.tell(event, to=(seat_of(state, state.side),))
        plan.stop()

    await plan.run(step, failed, lambda order: order.chosen(facts(state, state.side)))


async def finish(table: Table[State]) -> None:
    """6: the last sealed choices, the missions, the points, and the second game of a match."""
    state = table.state
    tiles_placed = dict(state.points)
    french, allied = open_choices(supporters(state)), open_choices(opponents(state))
    questions: list[Support | Contact] = []
    if french:
        key, seat = f"g{state.game}/scoring/french", seat_of(state, "french")
        questions.append(Support(key=key, seat=seat, choices=french, sealed=True, rule="6.1"))
    if allied:
        key, seat = f"g{state.game}/scoring/allied", seat_of(state, "allied")
        questions.append(Contact(key=key, seat=seat, choices=allied, sealed=True, rule="8.5"))
    answers = await table.ask_all(questions)
    chosen: dict[str, dict[str, str]] = {"french": {}, "allied": {}}
    for question in questions:
        chosen[state.roles[question.seat]] = question.chosen(state, answers[question.seat])
    won = {"french": 0, "allied": 0}
    for scored in score_missions(state, chosen["french"], chosen["allied"]):
        won[scored.winner] += scored.points
        state.points[scored.winner] += scored.points
        table.tell(scored)
    table.tell(
        GameScored(
            french=state.points["french"],
            allied=state.points["allied"],
            french_missions=won["french"],
            allied_missions=won["allied"],
            french_tiles=tiles_placed["french"],
            allied_tiles=tiles_placed["allied"],
            rule="6.4",
        )
    )
    side = "french" if state.points["french"] > state.points["allied"] else "allied"
    table.tell(GameWon(side=side, seat=seat_of(state, side), rule="6.4"))
    state.results.append(Result(seat_of(state, "french"), state.points["french"], state.points["allied"]))
    _next_game(table)


def _next_game(table: Table[State]) -> None:
    """6.5: in a match the sides are exchanged for a second game; who scored more as Napoléon wins."""
    state = table.state
    if state.match and state.game == 1:
        again = fresh(advanced=state.advanced, match=True)
        again.game = 2
        again.roles = {seat: other(side) for seat, side in state.roles.items()}
        again.results = state.results
        table.state = again
        table.tell(
            SidesExchanged(napoleon=seat_of(again, "french"), target=again.results[0].french, rule="6.5")
        )
        return
    state.phase = "over"
    if state.match:
        ended_match = outcome(state)
        assert ended_match is not None
        table.tell(
            MatchDecided(
                winner=ended_match.winners[0] if ended_match.winners else "",
                first=state.results[0].french,
                second=state.results[1].french,
                rule="6.5",
            )
        )


def outcome(state: State) -> Outcome | None:
    """6.4, 6.5: who won; nothing while the game is on."""
    if state.phase != "over":
        return None
    if not state.match:
        points = {seat: state.points[side] for seat, side in state.roles.items()}
        winner = "french" if state.points["french"] > state.points["allied"] else "allied"
        return Outcome((seat_of(state, winner),), points)
    points = {result.napoleon: result.french for result in state.results}
    best = max(points.values())
    winners = tuple(seat for seat, value in points.items() if value == best)
    return Outcome(winners if len(winners) == 1 else (), points)
