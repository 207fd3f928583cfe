"""3.0: the sequence of play of a scenario: reinforcement, then the land slots, month after month."""

from __future__ import annotations

import msgspec

from pbem.games.eia import deployment, reinforce, victory
from pbem.games.eia.board import MARKED
from pbem.games.eia.desk import Desk
from pbem.games.eia.events import GameBegins, LetterAsked, MonthBegins, SiegeLifted
from pbem.games.eia.land import siege
from pbem.games.eia.land.phase import land_combat
from pbem.games.eia.orders import KeepPlan
from pbem.games.eia.questions import (
    Campaign,
    Letter,
    Month,
    Muster,
    Revise,
    SetUp,
    last_letter,
    muster,
)
from pbem.games.eia.reactions import send_home
from pbem.games.eia.setup import data
from pbem.games.eia.slot import Slot, expanded, letter_of
from pbem.games.eia.state import MAP, OFF, State
from pbem.kernel.order import Answer, answer_to_data
from pbem.kernel.table import Table

STRICT, BLITZ = "strict", "blitz"


async def play(table: Table[State]) -> None:
    """3.0: month after month; it can be entered anew at every checkpoint."""
    state = table.state
    if state.phase == "setup" or "begun" not in state.done:
        await begin(table)
    while not state.over:
        if state.phase == "orders":
            await table.checkpoint()
            await letters(table)
            reinforcement(table)
            state.phase, state.slot = "land", 0
        elif state.slot < len(state.slots):
            await table.checkpoint()
            await land_slot(table)
            state.slot += 1
        else:
            month_ends(table)


async def begin(table: Table[State]) -> None:
    """13.1.1: the sides set up in the order of the scenario, where they may vary it."""
    state = table.state
    if "begun" not in state.done:
        state.done.append("begun")
        table.tell(GameBegins(scenario=state.scenario, month=state.month, rule="13.1"))
    order = [power for power in data(state).setup_order if power in state.powers]
    for seat in dict.fromkeys(state.seat_of(power) for power in order):
        if state.phase != "setup" or f"setup:{seat}" in state.done:
            continue
        answer = await table.ask(SetUp(key=f"setup/{seat}", seat=seat, rule="13.1.1"))
        for power in state.of_seat(seat):
            deployment.put(state, power, deployment.merged(state, power, answer))
        state.done.append(f"setup:{seat}")
        await table.checkpoint()
    eugene = state.leaders.get("eugene")
    if eugene is not None and eugene.corps:
        state.done.append(f"eugene:{eugene.corps}")
    state.phase = "orders"


def seats(state: State) -> list[str]:
    """The seats in the order of their slots."""
    return list(dict.fromkeys(state.seat_of(power) for slot in state.slots for power in slot))


async def letters(table: Table[State]) -> None:
    """3.2, 3.4: the sealed orders of all; in tempo strict only what becomes of the reinforcements."""
    state = table.state
    table.tell(MonthBegins(month=state.month, turn=state.turn, winter=state.winter, rule="9.0"))
    state.arrows, state.struck, state.letters = [], [], {}
    kind: type[Letter] = Muster if state.options.get("tempo") == STRICT else Month
    questions = [
        kind(key=f"{state.month}/{kind.kind()}/{seat}", seat=seat, rule="3.2", month=state.month, sealed=True)
        for seat in seats(state)
    ]
    answers = await table.ask_all(questions)
    for seat, answer in answers.items():
        keep(state, seat, expanded(state, seat, answer, last_letter(state, seat)))


def keep(state: State, seat: str, letter: Answer) -> None:
    """Keep a seat's orders of the month."""
    state.letters[seat] = msgspec.json.encode(answer_to_data(letter)).decode()


def reinforcement(table: Table[State]) -> None:
    """5.2: money and reinforcements, power by power in the order of 5.2."""
    state = table.state
    desk = Desk(state, table, f"{state.month}/reinforcement")
    reinforce.leaders_due(state)
    reinforce.money(desk, state.powers)
    order = [power for power in REINFORCEMENT if power in state.powers]
    for seat in dict.fromkeys(state.seat_of(power) for power in order):
        muster(desk, seat, letter_of(state, seat))
    state.fought = []


REINFORCEMENT = ("spain", "great_britain", "prussia", "austria", "turkey", "russia", "france")
"""5.2: the order of powers."""


async def land_slot(table: Table[State]) -> None:
    """7.1.3: the powers of a slot: depots, movement, supply, combat."""
    state = table.state
    powers = state.slots[state.slot]
    name = state.side_of(powers[0])
    desk = Desk(state, table, f"{state.month}/land/{name}")
    own = list(dict.fromkeys(state.seat_of(power) for power in powers))
    for seat in own:
        await _last_word(table, seat)
    slot = Slot(desk, powers, {seat: letter_of(state, seat) for seat in own})
    before = _standing(state)
    lift(desk, slot)
    slot.depots()
    await slot.moves()
    for area in sorted(slot.intents.besiege):
        siege.begin(desk, area, powers)
    slot.supply()
    await combat(desk, slot)
    slot.in_vain()
    settled(desk)
    for seat, stood in before.items():
        if seat not in own and stood != _standing(state)[seat] and seat not in state.struck:
            state.struck.append(seat)
    victory.during(table)


async def _last_word(table: Table[State], seat: str) -> None:
    """7.1.3: tempo strict asks for the orders now; else who was struck may change his, if he wants to be asked."""
    state = table.state
    tempo = state.options.get("tempo")
    if tempo == STRICT:
        question: Letter = Campaign(
            key=f"{state.month}/campaign/{seat}", seat=seat, rule="7.1.3", month=state.month
        )
        answer = await table.ask(question)
        keep(state, seat, expanded(state, seat, answer, last_letter(state, seat)))
        return
    if tempo == BLITZ or state.slot == 0 or seat not in state.struck:
        return
    question = Revise(key=f"{state.month}/revise/{seat}", seat=seat, rule="7.1.3", month=state.month)
    answer = await table.ask(question)
    kept = any(isinstance(order, KeepPlan) for order in answer)
    if not kept:
        keep(state, seat, expanded(state, seat, answer, last_letter(state, seat)))
        table.tell(LetterAsked(power=state.of_seat(seat)[0], kept=False, rule="7.1.3"), to=(seat,))


def _standing(state: State) -> dict[str, tuple[int, int, int, tuple[str, ...]]]:
    """What the enemy may strike, by seat: factors, corps, depots, places under siege."""
    found = {}
    for seat in seats(state):
        powers = state.of_seat(seat)
        corps = [one for one in state.corps.values() if one.power in powers]
        size = sum(one.size for one in corps) + sum(g.size for g in state.garrisons if g.power in powers)
        depots = sum(depot.power in powers for depot in state.depots)
        besieged = tuple(sorted(area for area in state.sieges if state.city_holder(area) in powers))
        found[seat] = (size, len(corps), depots, besieged)
    return found


def lift(desk: Desk, slot: Slot) -> None:
    """7.5.4: a siege that its besieger gives up."""
    state = desk.state
    for area in sorted(slot.intents.lift):
        held = state.sieges.get(area)
        if held is not None and set(held.by) & set(slot.powers):
            del state.sieges[area]
            desk.tell(SiegeLifted(area=area, rule="7.5.4"))


async def combat(desk: Desk, slot: Slot) -> None:
    """7.5: battles, then sieges; cities occupied after them."""
    await land_combat(desk, slot.powers, slot.intents.first, slot.after_battle)


def settled(desk: Desk) -> None:
    """10.1.4.3, 10.6: an insurrection corps that was forced out goes home; leaders left alone leave the map."""
    state = desk.state
    for corps in list(state.corps.values()):
        if corps.type == "insurrection" and corps.area not in MARKED["insurrection"]:
            send_home(state, corps)
    for leader in state.leaders.values():
        if leader.where == MAP and leader.area and leader.area not in state.sieges:
            leader.where, leader.area, leader.since = OFF, "", state.month
    state.tidy()


def month_ends(table: Table[State]) -> None:
    """9.0: the month is over; victory, or the next one."""
    state = table.state
    victory.at_end(table)
    state.last = dict(state.letters)
    state.letters = {}
    if state.over:
        return
    state.month = state.next_month()
    state.turn += 1
    state.phase, state.slot = "orders", 0
