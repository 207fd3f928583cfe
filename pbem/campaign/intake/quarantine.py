"""Letters put aside for a person: those that the program could not handle, and those that ended it."""

from __future__ import annotations

import hashlib

from pbem.campaign.intake.moderator import Handled, Moderator
from pbem.campaign.outgoing.dispatch import STRANGER, Dispatch, Note
from pbem.store.journal import Journal
from pbem.store.records import Sending

POISON, FAULT = "poison", "fault"
_PHRASES = {POISON: "letter_ended_me", FAULT: "letter_beyond_me"}


def put_aside(
    moderator: Moderator,
    raw: bytes,
    *,
    source: str = "",
    uidvalidity: int | None = None,
    uid: int | None = None,
    letter_id: int | None = None,
    why: str = POISON,
) -> Handled:
    """Keep a letter that has ended the program, or that it cannot even keep otherwise, unread. The host is told."""
    with moderator.transaction(None) as journal:
        if letter_id is None:
            digest = hashlib.sha256(raw).hexdigest()
            received = journal.receive(raw, source=source, digest=digest, uidvalidity=uidvalidity, uid=uid)
            letter_id = received.id
            if uid is not None and uidvalidity is not None:
                journal.cursor(source, uidvalidity, uid)
        journal.handled(letter_id, "refused", note=why)
        _tell(journal, moderator, letter_id, why)
    return Handled(why, letter=letter_id)


def tell_host(moderator: Moderator, letter_id: int, why: str) -> None:
    """Write to the host, if there is an address, about a letter that was put aside."""
    with moderator.transaction(None) as journal:
        _tell(journal, moderator, letter_id, why)


def _tell(journal: Journal, moderator: Moderator, letter_id: int, why: str) -> None:
    settings = moderator.settings
    if not settings.keeper or moderator.silenced(settings.keeper, journal.at):
        return
    note = Note(_PHRASES[why], {"n": letter_id})
    identifier = f"<aside.{letter_id}.{why}@{settings.host}>"
    dispatch = Dispatch(STRANGER, notes=(note,), lang=settings.lang)
    journal.dispatch(Sending(settings.keeper, STRANGER, identifier, dispatch))
