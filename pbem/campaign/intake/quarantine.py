"""Letters put aside for a person: those that the program could not handle, and those that ended it."""

from __future__ import annotations

import hashlib

from pbem.campaign.campaign import Campaign
from pbem.campaign.intake.moderator import Handled
from pbem.campaign.outgoing.dispatch import STRANGER, Dispatch, Note
from pbem.letters.message import Message
from pbem.store.journal import Journal
from pbem.store.records import Sending

POISON, FAULT = "poison", "fault"
_PHRASES = {POISON: "letter_ended_me", FAULT: "letter_beyond_me"}


def put_aside(
    campaign: Campaign, message: Message, *, letter_id: int | None = None, why: str = POISON
) -> Handled:
    """Keep a letter that has ended the program, or that it cannot even keep otherwise, unread. The host is told."""
    with campaign.transaction(None) as journal:
        if letter_id is None:
            letter_id = journal.receive(message, digest=hashlib.sha256(message.raw).hexdigest()).id
        journal.handled(letter_id, "refused", note=why)
        _tell(journal, campaign, letter_id, why)
    return Handled(why, letter=letter_id)


def tell_host(campaign: Campaign, letter_id: int, why: str) -> None:
    """Write to the host, if there is an address, about a letter that was put aside."""
    with campaign.transaction(None) as journal:
        _tell(journal, campaign, letter_id, why)


def _tell(journal: Journal, campaign: Campaign, letter_id: int, why: str) -> None:
    settings = campaign.settings
    if not settings.keeper or campaign.silenced(settings.keeper, journal.at):
        return
    note = Note(_PHRASES[why], {"n": letter_id})
    identifier = f"<aside.{letter_id}.{why}@{settings.host}>"
    dispatch = Dispatch(STRANGER, notes=(note,), lang=settings.lang)
    journal.dispatch(Sending(settings.keeper, STRANGER, identifier, dispatch))
