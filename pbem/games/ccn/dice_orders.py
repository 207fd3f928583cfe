"""4.6, 10.3.5, 10.3.12: ELAN and RALLY: the dice first, then their results by the letter's ranking."""

from __future__ import annotations

from pbem.games.ccn import letter
from pbem.games.ccn.charts import ARMS
from pbem.games.ccn.events import CommandRolled, DiceAssigned, Rallied
from pbem.games.ccn.leaders import roll
from pbem.games.ccn.letter import Sheet
from pbem.games.ccn.orders import Rank
from pbem.games.ccn.state import State
from pbem.kernel.table import Table


def _roll(table: Table[State], card: str, rule: str) -> tuple[str, ...]:
    state = table.state
    label = f"t{state.turn}/{card}"
    shown = roll(table, label, state.strength, rule=rule, seat=state.active)
    table.tell(CommandRolled(seat=state.active, card=card, faces=shown, rule=rule, draws=(label,)))
    return shown


def _priorities(sheet: Sheet) -> list[str]:
    """The units of the priority list; one that is named twice stands there twice."""
    units = [
        sheet.state.unit_at(hex)
        for order in sheet.answer
        for hex in (order.units if isinstance(order, Rank) else ())
    ]
    return [unit.id for unit in units if unit is not None and unit.side == sheet.seat]


def _ranking(sheet: Sheet) -> list[str]:
    """The units of the priority list, then all whom the letter uses, in its order; leaders among them."""
    return list(dict.fromkeys([*_priorities(sheet), *letter.wishes(sheet)]))


def elan(table: Table[State], sheet: Sheet) -> list[str]:
    """10.3.5: an arm's face orders a unit of that arm, a flag any unit or leader; sabres nothing."""
    state = table.state
    shown = _roll(table, "elan", "10.3.5")
    left = {face: shown.count(face) for face in (*ARMS, "flag")}
    ranking, granted = _ranking(sheet), []
    for id in ranking:
        unit = state.units.get(id)
        if unit is not None and left[unit.arm]:
            left[unit.arm] -= 1
            granted.append(id)
    for id in ranking:
        if id not in granted and left["flag"]:
            left["flag"] -= 1
            granted.append(id)
    hexes = tuple(piece.hex for id in granted for piece in state.pieces() if piece.id == id)
    table.tell(DiceAssigned(seat=state.active, hexes=hexes, rule="10.3.5"))
    return granted


def rally(table: Table[State], sheet: Sheet) -> list[str]:
    """10.3.12: each face of an arm gives a block back to a unit of that arm, up to its strength (R54)."""
    state = table.state
    shown = _roll(table, "rally", "10.3.12")
    ranking = _ranking(sheet)
    weakest = sorted(state.army(state.active), key=lambda unit: (unit.blocks - unit.kind.blocks, unit.hex))
    ranking += [unit.id for unit in weakest if unit.id not in ranking]
    first = _priorities(sheet)
    rounds = [first + [id for id in ranking if id not in first]] + [ranking] * len(shown)
    gained: dict[str, int] = {}
    for arm in ARMS:
        left = shown.count(arm)
        for unit in (state.units[id] for ids in rounds for id in ids if id in state.units):
            if left and unit.arm == arm and unit.blocks < unit.kind.blocks:
                unit.blocks += 1
                gained[unit.id] = gained.get(unit.id, 0) + 1
                left -= 1
    for id, number in gained.items():
        unit = state.units[id]
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
