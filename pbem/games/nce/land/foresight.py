"""10.3, 10.4: what CHECK foresees of the reactions to a march: who may intercept or evade, and how likely; and for
whoever is attacked, what becomes of him if he stays or evades.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pbem.games.nce import board, command, fog, luck
from pbem.games.nce.desk import Desk
from pbem.games.nce.events_views import (
    ForecastBattle,
    ForecastDefence,
    ForecastEvasion,
    ForecastInterception,
)
from pbem.games.nce.land import battle
from pbem.games.nce.reactions import SUCCESS, interceptors, open_for_evasion, quicker, superiority
from pbem.games.nce.replies import Evade, Stand
from pbem.games.nce.state import Force, State, enemy
from pbem.kernel.event import Event
from pbem.kernel.order import Answer
from pbem.kernel.plan import rehearse

if TYPE_CHECKING:
    from pbem.games.nce.land.encounter import Entry


def reactions(desk: Desk, entry: Entry) -> None:
    """10.3.3, 10.4.3: from what is known, before cards; one interception alone may be tried."""
    state, march = desk.state, entry.march
    if state.hands[entry.other] and not state.flag("truce"):
        for force in interceptors(state, entry.other, entry.zone, march.force.name):
            low, high = _chances(
                state,
                [force],
                march.forces,
                -int(board.difficult(force.zone, entry.zone)),
                unseen=fog.veiled(state, force, march.side),
            )
            desk.note(
                ForecastInterception(
                    force=force.name,
                    start=force.zone,
                    zone=entry.zone,
                    steps=fog.strength(state, [force], march.side),
                    chance=low,
                    most=high,
                    rule="10.3.3",
                )
            )
    group = state.at(entry.zone, entry.other)
    if not group:
        return
    force = command.lead(group)
    if (force.general or force.demoralised) and open_for_evasion(state, force, entry.came):
        unseen = any(fog.veiled(state, one, march.side) for one in group)
        desk.note(_evasion(state, group, march.forces, difficult=entry.difficult, unseen=unseen))


def _evasion(
    state: State, group: Sequence[Force], movers: Sequence[Force], *, difficult: bool, unseen: bool
) -> ForecastEvasion:
    """10.4.3: of two armies together, by their commander's initiative and the cavalry of both."""
    force = command.lead(group)
    low, high = _chances(state, group, movers, int(difficult), unseen=unseen)
    if all(one.demoralised for one in group):
        low = high = 100
    return ForecastEvasion(force=force.name, zone=force.zone, chance=low, most=high, rule="10.4.3")


def _chances(
    state: State, group: Sequence[Force], movers: Sequence[Force], bonus: int, *, unseen: bool
) -> tuple[int, int]:
    """10.5, 10.3.3: with cavalry superiority and the better initiative; the least and the most where the fog hides
    what horse a stack has (1.9).
    """
    bonus += quicker(command.lead(group), command.lead(movers))
    if unseen:
        return percent(bonus), percent(bonus + int(not state.rain))
    sure = percent(bonus + superiority(state, group, movers))
    return sure, sure


def percent(bonus: int) -> int:
    """10.3.3, 10.4.3: the chance that a die and its modifiers are enough."""
    return luck.percent(SUCCESS, bonus)


def attacked(state: State, seat: str, answer: Answer) -> list[Event]:
    """10.4.3, 12.7: for whoever is asked what to do about an enemy in his zone: the chance to evade, and of the
    battle, before cards; in the fog (1.9) nobody knows what has come.
    """
    came, zone, side = state.moves[-1] if state.moves else ("", "", "")
    mine, theirs = state.at(zone, seat), state.at(zone, enemy(seat))
    if side != enemy(seat) or came == zone or not mine or not theirs:
        return []
    found: list[Event] = []
    if any(isinstance(order, Evade) for order in answer):
        found.append(
            _evasion(state, mine, theirs, difficult=board.difficult(came, zone), unseen=state.on("fog"))
        )
    if state.on("fog") or not any(isinstance(order, (Stand, Evade)) for order in answer):
        return found
    return [*found, *_defence(state, zone, theirs, mine, came)]


def _defence(state: State, zone: str, theirs: list[Force], mine: list[Force], came: str) -> list[Event]:
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
