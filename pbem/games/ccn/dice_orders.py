"""4.6, 10.3.5, 10.3.12: ELAN and RALLY: the dice first, then their results as their player says."""

from __future__ import annotations

from pbem.games.ccn import assign, cards
from pbem.games.ccn.events import CommandRolled, DiceAssigned, Rallied
from pbem.games.ccn.leaders import roll
from pbem.games.ccn.plan import TurnPlan
from pbem.games.ccn.questions import Assign
from pbem.games.ccn.state import State
from pbem.kernel.table import Table

RULES = {cards.ELAN: "10.3.5", cards.RALLY: "10.3.12"}


async def by_dice(table: Table[State], plan: TurnPlan, card: str) -> None:
    """4.6: roll; a plan that leaves it open is gone on with now; then the results are assigned."""
    state, rule = table.state, RULES[card]
    label = f"t{state.turn}/{card}"
    shown = roll(table, label, state.strength, rule=rule, seat=state.active)
    table.tell(CommandRolled(seat=state.active, card=card, faces=shown, rule=rule, draws=(label,)))
    if assign.leaves_open(plan.answer):
        question = Assign(key=f"t{state.turn}/assign", seat=state.active, card=card, faces=shown, rule="4.6")
        answer = await table.ask(question)
        plan.extend(() if answer == assign.NOBODY else answer)
    plan.grant(_elan(table, plan, shown) if card == cards.ELAN else _rally(table, plan, shown))


def _elan(table: Table[State], plan: TurnPlan, faces: tuple[str, ...]) -> list[str]:
    granted = assign.elan(plan, faces)
    hexes = tuple(piece.hex for id in granted for piece in table.state.pieces() if piece.id == id)
    table.tell(DiceAssigned(seat=plan.seat, hexes=hexes, rule="10.3.5"))
    return granted


def _rally(table: Table[State], plan: TurnPlan, faces: tuple[str, ...]) -> list[str]:
    gained = assign.rally(plan, faces)
    for id, number in gained.items():
        unit = table.state.units[id]
        table.tell(
            Rallied(
                seat=unit.side,
                unit=unit.type,
                hex=unit.hex,
                gained=number,
                blocks=unit.blocks,
                rule="10.3.12",
            )
        )
    return list(gained)
