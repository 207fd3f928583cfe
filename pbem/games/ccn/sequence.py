"""The sequence of play: the table of contents of the rulebook, as code."""

from __future__ import annotations

from pbem.games.ccn import cards, dice_orders, supply
from pbem.games.ccn.combat import combats
from pbem.games.ccn.events import (
    CardDiscarded,
    CardDrawn,
    CardKept,
    CardPlayed,
    CardsDrawn,
    NothingOrdered,
    SentBack,
    TurnBegan,
)
from pbem.games.ccn.movement import place_unit
from pbem.games.ccn.orders import Keep, SendBack, Settle
from pbem.games.ccn.plan import TurnPlan
from pbem.games.ccn.questions import Scout, SupplyHex, Turn
from pbem.games.ccn.state import Over, State
from pbem.games.ccn.trail import tell
from pbem.games.ccn.victory import check_end, drop_objectives, take_objectives
from pbem.kernel.order import Answer
from pbem.kernel.table import Table


async def play(table: Table[State]) -> None:
    """2, 3.0: the cards are dealt, then the players alternate until one has his banners."""
    state = table.state
    if state.turn == 0:
        cards.deal_hands(table)
        state.turn, state.active = 1, state.first
        await table.bulletin()
    while not state.winner:
        try:
            await turn(table)
        except Over:
            break
        await table.bulletin()


async def turn(table: Table[State]) -> None:
    """3.0, 9.4: command, orders, movement, combat, draw."""
    state = table.state
    seat = state.active
    table.tell(TurnBegan(turn=state.turn, seat=seat, rule="3.0"))
    take_objectives(table, seat)
    check_end(table)
    answer = await table.ask(Turn(key=f"t{state.turn}/turn", seat=seat, turn=state.turn, rule="3.1"))
    plan = command(table, answer)
    await order(table, plan)
    movement(table, plan)
    await combats(table, plan)
    await draw(table, plan)
    end_turn(state)


def command(table: Table[State], answer: Answer) -> TurnPlan:
    """3: phase 1: the card is played face up."""
    state = table.state
    state.trail = []
    plan = TurnPlan(state, state.active, answer)
    card = plan.play_card()
    assert card is not None
    plan.lay(card)
    cards.show(table, state.table[-1])
    assert state.command is not None
    copied = state.command.card if card.card == cards.COUNTER and state.command.card != "first_strike" else ""
    state.last[state.active] = state.command
    table.tell(
        CardPlayed(
            seat=state.active,
            card=card.card,
            as_card=copied,
            section=state.command.section,
            command=state.strength,
            rule="3.1",
        )
    )
    return plan


async def order(table: Table[State], plan: TurnPlan) -> None:
    """4: phase 2: the dice of ELAN and RALLY, the unit of SHORT SUPPLY; the rest is in the plan."""
    state = table.state
    assert state.command is not None
    card = "" if state.fallback else state.command.card
    if card in (cards.ELAN, cards.RALLY):
        await dice_orders.by_dice(table, plan, card)
    elif card == cards.SUPPLY:
        for line in plan.answer:
            if isinstance(line, SendBack):
                await short_supply(table, line)
                break


async def short_supply(table: Table[State], line: SendBack) -> None:
    """10.3.13: one unit goes back to its owner's baseline; an own one does not battle this turn."""
    state = table.state
    unit = state.unit_at(line.unit)
    if unit is None or unit.square:
        return
    start = unit.hex
    if unit.side == state.active and line.to in supply.hexes(state, unit):
        to = line.to
    else:
        question = SupplyHex(key=f"t{state.turn}/supply", seat=unit.side, unit=unit.id, rule="10.3.13")
        (chosen,) = await table.ask(question)
        assert isinstance(chosen, Settle)
        to = chosen.hex
    place_unit(state, unit, to)
    unit.barred = unit.side == state.active
    tell(table, SentBack(seat=unit.side, unit=unit.type, hex=start, to=to, rule="10.3.13"))
    drop_objectives(table)


def movement(table: Table[State], plan: TurnPlan) -> None:
    """5: phase 3: all moves, in the order of the plan; all of them before any combat."""
    plan.carry_out(check=False)
    for event in plan.events:
        tell(table, event)
    state = table.state
    ordered = [unit.ordered for unit in state.units.values()]
    ordered += [leader.ordered for leader in state.leaders.values()]
    if not any(ordered):
        table.tell(NothingOrdered(seat=state.active, rule="3.3"))
    drop_objectives(table)
    check_end(table)


async def draw(table: Table[State], plan: TurnPlan) -> None:
    """9.1, 8.5.5: phase 5: discard, shuffle if need be, draw; who played FIRST STRIKE draws first."""
    state = table.state
    scouting = cards.scouts(state)
    cards.discard_table(table)
    for seat in state.struck:
        cards.draw(table, seat)
    if scouting:
        await scout(table, plan)
    else:
        cards.draw(table, state.active)


async def scout(table: Table[State], plan: TurnPlan) -> None:
    """9.2: draw two, keep one; the wishes of the plan decide, else the player is asked."""
    state, seat = table.state, table.state.active
    state.drawn = [cards.take(table, seat), cards.take(table, seat)]
    names = tuple(item.card for item in state.drawn)
    hand = len(state.hands[seat]) + 1
    table.tell(CardDrawn(seat=seat, cards=names, hand=hand, rule="9.2"), to=[seat])
    table.tell(CardsDrawn(seat=seat, number=2, hand=hand, rule="9.2"), to=[state.enemy(seat)])
    wishes = plan.wishes
    if not wishes:
        (chosen,) = await table.ask(Scout(key=f"t{state.turn}/scout", seat=seat, rule="9.2"))
        assert isinstance(chosen, Keep)
        wishes = chosen.cards
    kept = cards.best_kept(list(names), wishes)
    index = names.index(kept)
    state.hands[seat].append(state.drawn[index])
    other = state.drawn[1 - index]
    state.drawn = []
    state.discards.append(other.card)
    cards.show(table, other)
    table.tell(CardKept(seat=seat, card=kept, rule="9.2"), to=[seat])
    table.tell(CardDiscarded(seat=seat, card=other.card, rule="9.2"))


def end_turn(state: State) -> None:
    """3.0: the turn passes to the other player; nothing of it is left on the pieces."""
    for unit in state.units.values():
        unit.ordered = unit.battled = unit.stopped = unit.barred = unit.joined = False
        unit.moved = 0
    for leader in state.leaders.values():
        leader.ordered = leader.moved = False
    state.command, state.fallback, state.strength, state.struck = None, False, 0, []
    state.turn += 1
    state.active = state.enemy(state.active)
