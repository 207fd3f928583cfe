"""Who may take a seat: nobody who has another one in the game, or who has seen what another side may see.

Addresses are compared as mailboxes, and all of them: the first, the second and the substitute's of every seat.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.campaign.deadlines.calendar import Refused
from pbem.campaign.table.tables import OBSERVER, Live
from pbem.letters.addresses import can_be_written_to, mailbox

if TYPE_CHECKING:
    from pbem.store.store import Store


def check(store: Store, live: Live, seat: str, address: str) -> None:
    """Whether whoever reads that address may be given what a seat may see. Raises Refused."""
    if not can_be_written_to(address):
        raise Refused("address_what")
    wanted = mailbox(address)
    if wanted in {mailbox(one) for other in live.people if other != seat for one in live.addresses(other)}:
        raise Refused("address_opponent")
    for other, reader in store.readers(live.id):
        if other != seat and mailbox(reader) == wanted and _tells(live, other):
            raise Refused("address_has_seen", seat=other if other in live.seats else "")


def _tells(live: Live, seat: str) -> bool:
    """Whether letters to a place hold what not everyone may see; of a game master who has left nobody can say."""
    if seat in live.seats:
        return True
    if seat.startswith(OBSERVER):
        return False
    return seat not in live.staff or not live.person(seat).blind
