"""Battles: all of them at once, both sides sealed."""

from __future__ import annotations

from pbem.games.crowns.board import NEIGHBOURS
from pbem.games.crowns.events import BattleFought, BattleStrength, Withdrew
from pbem.games.crowns.orders import Retire
from pbem.games.crowns.questions import Battle
from pbem.games.crowns.state import Contest, State
from pbem.kernel.order import Answer
from pbem.kernel.table import Table


async def fight(table: Table[State]) -> None:
    """4: who stands before a province of another fights for it, or goes back."""
    state = table.state
    questions = [
        Battle(
            key=f"t{state.turn}/battle/{one.area}/{power}",
            seat=state.hand(power),
            power=power,
            area=one.area,
            attacking=power == one.power,
            sealed=True,
            rule="4",
        )
        for one in state.contests
        for power in (one.power, state.owner[one.area])
        if power and state.hand(power)
    ]
    answers = await table.ask_each(questions)
    stances = {(question.area, question.attacking): answers[question.key] for question in questions}
    for one in state.contests:
        _battle(table, one, stances)
    state.contests = []


def _battle(table: Table[State], one: Contest, stances: dict[tuple[str, bool], Answer]) -> None:
    state = table.state
    owner = state.owner[one.area]
    defenders = state.troops[one.area]
    if (Retire(),) == stances.get((one.area, True)):
        _go_back(state, one)
        table.tell(Withdrew(power=one.power, area=one.area, attacker=True, rule="4.1"))
        return
    if (Retire(),) == stances.get((one.area, False)) or not defenders:
        _give_way(state, one.area, owner)
        state.owner[one.area], state.troops[one.area] = one.power, one.regiments
        table.tell(Withdrew(power=owner, area=one.area, attacker=False, rule="4.1"))
        return
    label = f"t{state.turn}/battle/{one.area}"
    mine, theirs = table.roll(label, 2, 6, rule="4.2")
    won = one.regiments + mine > defenders + theirs
    if won:
        left = max(1, one.regiments - defenders // 2)
        state.owner[one.area], state.troops[one.area] = one.power, left
    else:
        left = max(1, defenders - one.regiments // 2)
        state.troops[one.area] = left
    fought = BattleFought(
        area=one.area,
        attacker=one.power,
        defender=owner,
        won=won,
        dice=(mine, theirs),
        rule="4.2",
        draws=(label,),
    )
    seats = {state.hand(one.power), state.hand(owner) if owner else ""} - {""}
    table.tell(fought, strikes=sorted(seats))
    strength = BattleStrength(
        area=one.area, attackers=one.regiments, defenders=defenders, left=left, rule="4.2"
    )
    table.tell(strength, sorted(seats))


def _go_back(state: State, one: Contest) -> None:
    """4.1: to where they came from; if that is lost meanwhile, they are lost too."""
    if state.owner[one.start] == one.power:
        state.troops[one.start] += one.regiments


def _give_way(state: State, area: str, owner: str) -> None:
    """4.1: to the strongest of its provinces beside; without one they lay down their arms."""
    own = [near for near in NEIGHBOURS[area] if owner and state.owner[near] == owner]
    if own:
        state.troops[max(own, key=lambda near: (state.troops[near], near))] += state.troops[area]
