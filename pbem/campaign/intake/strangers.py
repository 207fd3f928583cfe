"""Letters of nobody that we know: one polite answer that tells nothing, and only so many an hour."""

from __future__ import annotations

import hashlib

from pbem.campaign.campaign import Campaign
from pbem.campaign.outgoing.dispatch import STRANGER, Dispatch, Note
from pbem.letters.letter import Letter
from pbem.store.journal import Journal
from pbem.store.records import Sending

_FRENCH = frozenset({"bonjour", "je", "est", "une", "aide", "merci", "partie"})


def answer_stranger(
    campaign: Campaign, journal: Journal, letter: Letter, letter_id: int, *, doubtful: bool
) -> None:
    """Refuse a letter, and say so to its sender: unless it may not be his, or he has had enough letters for now."""
    journal.handled(letter_id, "refused", note="unknown")
    if not doubtful and not campaign.silenced_stranger(letter.sender, journal.at):
        write_to_stranger(campaign, journal, letter, letter_id, "unknown_sender")


def write_to_stranger(
    campaign: Campaign, journal: Journal, letter: Letter, letter_id: int, code: str
) -> None:
    """A note to the sender of a letter, whoever that is."""
    settings = campaign.settings
    digest = hashlib.sha256(f"{letter_id}|{letter.digest}".encode()).hexdigest()
    dispatch = Dispatch(STRANGER, notes=(Note(code),), lang=language(letter, settings.lang))
    identifier = f"<stranger.0.{digest[:16]}@{settings.host}>"
    journal.dispatch(Sending(letter.answer_to, STRANGER, identifier, dispatch, None, letter.message_id))


def language(letter: Letter, otherwise: str) -> str:
    """French where the letter looks French."""
    words = set(letter.text.lower().split()) | set(letter.subject.lower().split())
    return "fr" if words & _FRENCH else otherwise
