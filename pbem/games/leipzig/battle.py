"""5: the battles of 16.10 and 18.10."""

from __future__ import annotations

from pbem.games.leipzig.board import SIDES
from pbem.games.leipzig.events import BattleBegins, DamageTaken, NoContact, TileLost
from pbem.games.leipzig.questions import Allocate
from pbem.games.leipzig.state import LOST, State, contacts, seat_of, side_of
from pbem.kernel.event import Modifier
from pbem.kernel.table import Table


def choices(state: State, side: str) -> dict[str, tuple[str, ...]]:
    """5.1: the enemy tiles that touch several tiles of a side, with those tiles."""
    return {
        enemy: tuple(touched)
        for enemy, touched in contacts(state).items()
        if side_of(enemy) != side and len(touched) > 1
    }


async def fight(table: Table[State], date: str) -> None:
    """5.1–5.3: every tile in contact inflicts one point; both sides allocate sealed, on the same position."""
    state = table.state
    touching = {army: enemies for army, enemies in contacts(state).items() if enemies}
    state.fought.append(date)
    table.tell(BattleBegins(date=date, rule="4.3"))
    if not touching:
        table.tell(NoContact(date=date, rule="5.1"))
        return
    questions = [
        Allocate(
            key=f"g{state.game}/battle/{date}/{side}",
            seat=seat_of(state, side),
            date=date,
            choices=options,
            sealed=True,
            rule="5.1",
        )
        for side in SIDES
        if (options := choices(state, side))
    ]
    answers = await table.ask_all(questions)
    suffers = {enemy: touched[0] for enemy, touched in touching.items() if len(touched) == 1}
    for question in questions:
        suffers.update(question.allocation(state, answers[question.seat]))
    _strike(table, suffers)


def _strike(table: Table[State], suffers: dict[str, str]) -> None:
    """5.2, 5.3: all damage at once; a tile below strength 1 leaves the game."""
    state = table.state
    lost: list[str] = []
    for id, army in state.armies.items():
        by = tuple(enemy for enemy, victim in suffers.items() if victim == id)
        if not by:
            continue
        before = army.strength
        army.strength = max(0, before - len(by))
        table.tell(
            DamageTaken(
                side=side_of(id),
                army=id,
                zone=army.zone,
                before=before,
                after=army.strength,
                by=by,
                rule="5.1",
                modifiers=tuple(Modifier(f"struck_by_{enemy}", -1, "5.1") for enemy in by),
            )
        )
        if army.strength < 1:
            lost.append(id)
    for id in lost:
        army = state.armies[id]
        table.tell(TileLost(side=side_of(id), army=id, zone=army.zone, rule="5.2"))
        army.zone, army.status = "", LOST
