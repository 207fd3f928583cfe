"""6.2, 6.3, 6.4: ranged fire."""

from __future__ import annotations

from pbem.games.ccn import battle, board
from pbem.games.ccn.charts import faces
from pbem.games.ccn.events import Fired
from pbem.games.ccn.leaders import expected, roll
from pbem.games.ccn.retreat import Blow, suffer
from pbem.games.ccn.state import State, Unit
from pbem.games.ccn.trail import tell
from pbem.kernel.table import Table


async def fire(table: Table[State], unit: Unit, target: Unit, label: str) -> None:
    """6.2.4, 6.2.5, 6.2.6, 6.2.7, 7.4: one unit fires at one unit; nobody answers or takes ground."""
    state = table.state
    dice = battle.fire_dice(state, unit, target.hex)
    unit.battled = True
    shown = roll(table, label, dice.number, rule="6.2.5", seat=unit.side)
    hits, flags = shown.count(target.arm), shown.count("flag")
    if state.on("cuirass_saves_one_fire_hit") and target.kind.troop == "cuirassier":
        hits -= bool(hits and unit.arm == "infantry")
    tell(
        table,
        Fired(
            seat=unit.side,
            unit=unit.type,
            hex=unit.hex,
            target=target.type,
            target_hex=target.hex,
            distance=board.distance(unit.hex, target.hex),
            dice=dice.number,
            faces=shown,
            hits=hits,
            flags=flags,
            rule="6.2.5",
            draws=(label,),
            modifiers=dice.modifiers,
            luck=expected(unit.side, dice.number, faces().count(target.arm), hits),
        ),
    )
    firm = unit.square > 0 and target.arm == "cavalry"
    await suffer(table, Blow(label, target, unit.hex, hits=hits, flags=flags, firm=firm))
