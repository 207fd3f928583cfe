"""4.4.4, 4.4.5: a commander is dismissed by an event; his owner may send another from the reserve."""

from __future__ import annotations

from pbem.games.nce import command
from pbem.games.nce.cards.reaction_cards import Choice
from pbem.games.nce.charts import GENERALS
from pbem.games.nce.desk import Desk
from pbem.games.nce.events_field import GeneralDismissed
from pbem.games.nce.events_powers import PieceBuilt
from pbem.games.nce.replies import Choose
from pbem.games.nce.state import MAP, POOL, SEATS, Force


async def dismiss(desk: Desk, force: Force, card: str) -> None:
    """29C: he waits for the next budget; of those present the highest in rank takes over (4.4.4)."""
    state, general = desk.state, force.general
    reserve = command.replacements(state, GENERALS[general].power)
    chosen = ""
    if reserve and force.side in SEATS:
        (order,) = await desk.ask(
            Choice(
                key=desk.label("replace", general),
                seat=force.side,
                rule="4.4.5",
                card=card,
                what="replace",
                number=1,
                choices=tuple(reserve),
                usual=() if force.subs else (reserve[0],),
            )
        )
        chosen = order.pieces[0] if isinstance(order, Choose) else ""
    present = bool(force.subs)
    command.general_home(state, general)
    desk.tell(GeneralDismissed(general=general, rule="7.5"))
    if chosen:
        _take_over(desk, force, chosen, present=present)


def _take_over(desk: Desk, force: Force, general: str, *, present: bool) -> None:
    """The general of the reserve commands, or serves where a higher one is present."""
    state, head = desk.state, force.general
    if head == general:
        return
    if not present or GENERALS[general].rank < GENERALS[head].rank:
        force.general = general
        state.generals[general] = MAP
        state.generals[head] = POOL
        if present and force.army and len(force.subs) < command.MOST_SUBS:
            force.subs.append(head)
            state.generals[head] = MAP
    elif force.army and len(force.subs) < command.MOST_SUBS:
        force.subs.append(general)
        state.generals[general] = MAP
    else:
        return
    desk.tell(PieceBuilt(power=GENERALS[general].power, piece=general, zone=force.zone, rule="4.4.5"))
