"""7.5.3, 7.5.3.1, 7.5.3.2, 7.5.3.3, 7.5.3.5, 7.5.4.1.3.1, 7.5.4.1.3.3, 7.5.4.2.1.1, 7.5.4.2.1.3, 7.5.4.2.2: sheets.

What differs between battle, limited and trivial combat, assault and sally.
"""

from __future__ import annotations

import msgspec

from pbem.games.eia import charts
from pbem.games.eia.charts import Combination, Tables

BATTLE, LIMITED, TRIVIAL, ASSAULT, SALLY = "battle", "limited", "trivial", "assault", "sally"


class Sheet(msgspec.Struct, frozen=True):
    """A kind of combat: its tables, what modifies them, who may be lost, how long it lasts."""

    what: str
    rule: str
    fixed: Tables | None = None
    """The tables of all rounds, where no chits are chosen."""
    ground: bool = True
    """7.5.2.7.3: whether terrain counts."""
    commanders: bool = True
    cavalry: bool = True
    guard: bool = True
    artillery: bool = True
    reinforcements: bool = True
    any_loss: bool = False
    """7.5.3.3, 7.5.4.1.3: whether militia may be lost whatever the morale."""
    days: int = 99
    pursuit: bool = True
    points: bool = True


_TRIVIAL = charts.raw()["trivial"]
_SIEGE = charts.raw()["siege"]
SHEETS = {
    sheet.what: sheet
    for sheet in (
        Sheet(BATTLE, "7.5.2"),
        Sheet(LIMITED, "7.5.4.2.3", days=1),
        Sheet(
            TRIVIAL,
            "7.5.3",
            Tables(_TRIVIAL["table_both"], _TRIVIAL["table_both"]),
            artillery=False,
            reinforcements=False,
            any_loss=True,
            points=False,
        ),
        Sheet(
            ASSAULT,
            "7.5.4.1.3",
            Tables(_SIEGE["assault_attacker_table"], _SIEGE["assault_defender_table"]),
            ground=False,
            commanders=False,
            cavalry=False,
            guard=False,
            artillery=False,
            reinforcements=False,
            any_loss=True,
            days=1,
            pursuit=False,
            points=False,
        ),
        Sheet(
            SALLY,
            "7.5.4.2",
            Tables(_SIEGE["sally_defender_table"], _SIEGE["sally_besieger_table"]),
            ground=False,
            commanders=False,
            cavalry=False,
            guard=False,
            artillery=False,
            reinforcements=False,
            any_loss=True,
            days=1,
            pursuit=False,
            points=False,
        ),
    )
}


def tables(
    sheet: Sheet, cell: Combination | None, round: int, terrain: str, *, arrived: bool, river: bool
) -> Tables:
    """7.5.2.7: the tables of a round, with terrain."""
    found = sheet.fixed if cell is None else cell.tables(round, arrived=arrived, river=river)
    if found is None:
        raise ValueError(f"{sheet.what} has no tables")
    return charts.on_ground(found, terrain) if sheet.ground else found
