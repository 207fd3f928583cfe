"""Letters of nobody that we know: one polite answer that tells nothing, and only so many an hour."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from pbem.campaign.campaign import Campaign
from pbem.campaign.commands.preferences import language_named
from pbem.campaign.outgoing.dispatch import STRANGER, Dispatch, Note
from pbem.campaign.signup.asking import french
from pbem.campaign.signup.joining import Joining
from pbem.letters.letter import Letter
from pbem.orders.commands import Command
from pbem.store.journal import Journal
from pbem.store.records import Sending
from pbem.store.store import Store

_FRENCH = frozenset(
    (
        *(
            "bonjour",
            "bonsoir",
            "salut",
            "je",
            "j'aimerais",
            "est",
            "une",
            "aide",
            "merci",
            "partie",
            "parties",
        ),
        *("jouer", "voudrais", "puis-je", "peut-on", "cordialement", "rejoindre", "français", "française"),
    )
)


def answer_stranger(
    campaign: Campaign, journal: Journal, letter: Letter, letter_id: int, *, doubtful: bool
) -> None:
    """Refuse a letter, and tell its sender what this is and how to play.

    Unless it may not be his, or he has had enough letters for now.
    """
    journal.handled(letter_id, "refused", note="unknown")
    if not doubtful and not campaign.silenced_stranger(letter.sender, journal.at):
        lang = language(letter, campaign.store, campaign.settings.lang)
        games = Joining(campaign).listed("", lang)
        write_to_stranger(campaign, journal, letter, letter_id, Note("unknown_sender"), *games)


def write_to_stranger(
    campaign: Campaign, journal: Journal, letter: Letter, letter_id: int, *notes: Note
) -> None:
    """A note to the sender of a letter, whoever that is."""
    settings = campaign.settings
    digest = hashlib.sha256(f"{letter_id}|{letter.digest}".encode()).hexdigest()
    dispatch = Dispatch(STRANGER, notes=notes, lang=language(letter, campaign.store, settings.lang))
    identifier = f"<stranger.0.{digest[:16]}@{settings.host}>"
    journal.dispatch(Sending(letter.answer_to, STRANGER, identifier, dispatch, None, letter.message_id))


def language(letter: Letter, store: Store, otherwise: str, items: Sequence[Command] = ()) -> str:
    """In which language to answer: as LANGUAGE says, else French where the letter is, else as we last wrote there."""
    for item in items:
        chosen = language_named(item.argument) if item.name == "language" else ""
        if chosen:
            return chosen
    words = {word.strip(".,;:!?") for word in f"{letter.text} {letter.subject}".lower().split()}
    if words & _FRENCH or french(items):
        return "fr"
    return store.language_of(letter.sender) or otherwise
