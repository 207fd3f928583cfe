"""10.3, 10.4: what CHECK foresees of the reactions to a march: who may intercept or evade, and how likely; and for
whoever is attacked, what becomes of him if he stays or evades.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.games.nce import board, command, fog
from pbem.games.nce.desk import Desk, rehearse
from pbem.games.nce.events_views import (
    ForecastBattle,
    ForecastDefence,
    ForecastEvasion,
    ForecastInterception,
)
from pbem.games.nce.reactions import initiative, interceptors, open_for_evasion
from pbem.games.nce.replies import Evade, Stand
from pbem.games.nce.state import Force, State, enemy
from pbem.kernel.event import Event
from pbem.kernel.order import Answer

if TYPE_CHECKING:
    from pbem.games.nce.land.encounter import Entry

SUCCESS, SIDES = 5, 6


def percent(bonus: int) -> int:
    """The chance that a die and its modifiers come to five."""
    good = sum(die + bonus >= SUCCESS for die in range(1, SIDES + 1))
    return round(100 * good / SIDES)


def reactions(desk: Desk, entry: Entry) -> None:
    """10.3.3, 10.4.3: from what is known, before cards; one interception alone may be tried."""
    state, mover = desk.state, entry.march.force
    if state.hands[entry.other] and not state.flag("truce"):
        for force in interceptors(state, entry.other, entry.zone, mover.name):
            low, high = (
                bonus - board.difficult(force.zone, entry.zone) for bonus in _faster(desk, force, entry)
            )
            desk.note(
                ForecastInterception(
                    force=force.name,
                    start=force.zone,
                    zone=entry.zone,
                    steps=fog.strength(state, [force], entry.march.side),
                    chance=percent(low),
                    most=percent(high),
                    rule="10.3.3",
                )
            )
    for force in state.at(entry.zone, entry.other):
        if not (force.general or force.demoralised) or not open_for_evasion(state, force, entry.came):
            continue
        low, high = (percent(bonus + entry.difficult) for bonus in _faster(desk, force, entry))
        if force.demoralised:
            low = high = 100
        desk.note(ForecastEvasion(force=force.name, zone=entry.zone, chance=low, most=high, rule="10.4.3"))


def _faster(desk: Desk, force: Force, entry: Entry) -> tuple[int, int]:
    """10.5, 10.3.3: cavalry superiority, and the better initiative; the least and the most where the fog hides what
    horse a stack has (1.9).
    """
    state = desk.state
    rain = state.flag(f"rain_{state.round}")
    horse = not rain and command.cavalry([force]) > command.cavalry(entry.march.forces)
    quicker = initiative(force) < initiative(entry.march.force)
    if fog.veiled(state, force, entry.march.side):
        return int(quicker), int(quicker) + int(not rain)
    return int(horse) + int(quicker), int(horse) + int(quicker)


def attacked(state: State, seat: str, answer: Answer) -> list[Event]:
    """10.4.3, 12.7: for whoever is asked what to do about an enemy in his zone: the chance to evade, and of the
    battle, before cards; in the fog (1.9) nobody knows what has come.
    """
    came, zone, side = state.moves[-1] if state.moves else ("", "", "")
    mine, theirs = state.at(zone, seat), state.at(zone, enemy(seat))
    if side != enemy(seat) or came == zone or not mine or not theirs:
        return []
    force, found = command.lead(mine), list[Event]()
    if any(isinstance(order, Evade) for order in answer):
        horse = command.cavalry(mine) > command.cavalry(theirs) and not state.flag(f"rain_{state.round}")
        bonus = int(initiative(force) < initiative(command.lead(theirs))) + int(board.difficult(came, zone))
        unknown = state.on("fog")
        low = 100 if force.demoralised else percent(bonus + int(horse and not unknown))
        high = 100 if force.demoralised else percent(bonus + int(horse or unknown))
        found.append(ForecastEvasion(force=force.name, zone=zone, chance=low, most=high, rule="10.4.3"))
    if state.on("fog") or not any(isinstance(order, (Stand, Evade)) for order in answer):
        return found
    return [*found, *_defence(state, zone, theirs, mine, came)]


def _defence(state: State, zone: str, theirs: list[Force], mine: list[Force], came: str) -> list[Event]:
    from pbem.games.nce.land import battle

    desk = Desk(state, None, "rehearsal")
    rehearse(battle.fight(desk, zone, theirs, mine, came=came))
    return [
        ForecastDefence(
            zone=zone,
            force=odds.force,
            win=odds.win,
            lost=odds.inflicted,
            inflicted=odds.suffered,
            rule="12.7",
        )
        for odds in desk.notes
        if isinstance(odds, ForecastBattle)
    ]
