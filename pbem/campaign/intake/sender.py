"""The desk: whose letter is it?

A letter counts as a seat's own when it carries the seat's token *and* comes from its registered address. With
one of the two it is held, and the registered address is asked; with neither it gets one polite answer that
tells nothing. Machines get silence (MAIL 2).
"""

from __future__ import annotations

import re

import msgspec

from pbem.campaign.intake import tokens
from pbem.letters.addresses import can_be_written_to
from pbem.letters.letter import Letter
from pbem.orders.commands import Command
from pbem.store.store import Store

SILENCE, UNKNOWN, CLAIM, JOINS, POSTED = "silence", "unknown", "claim", "joins", "posted"

_OUR_ID = re.compile(r"<([a-z0-9-]+)\.([a-z0-9_-]+)\.\d+\.[0-9a-f]+@")


class Sender(msgspec.Struct, frozen=True):
    """Who a letter says it is from: a claim to a seat still has to be checked against the seat's row."""

    kind: str
    game: str = ""
    seat: str = ""
    token: tokens.Token | None = None
    reason: str = ""
    commands: tuple[Command, ...] = ()
    """What somebody without a seat asks for: JOIN, LIST, LANGUAGE, RULES."""
    doubtful: bool = False
    """Its server, or its signature, says that it does not come from there."""


def identify(letter: Letter, store: Store) -> Sender:
    """Whose letter it claims to be."""
    if letter.posted is not None:
        topic = store.whose_topic(letter.posted.board, letter.posted.place.id)
        return Sender(POSTED, topic[0]) if topic is not None else Sender(UNKNOWN)
    if letter.auto is not None:
        return Sender(SILENCE, reason=str(letter.auto.kind))
    if not can_be_written_to(letter.sender):
        return Sender(SILENCE, reason="no sender that could be answered")
    token = tokens.parse(letter.token) if letter.token else None
    if token is not None:
        return Sender(CLAIM, token.game, token.seat, token)
    return _by_address(letter, store)


def _by_address(letter: Letter, store: Store) -> Sender:
    """Without a token: the thread the letter belongs to, the game its subject names, or the only seat."""
    seats = store.seats_at(letter.sender)
    for message_id in (letter.in_reply_to, *reversed(letter.references)):
        match = _OUR_ID.match(message_id)
        if match and any((row.game_id, row.seat) == (match[1], match[2]) for row in seats):
            return Sender(CLAIM, match[1], match[2])
    words = set(re.findall(r"[a-z0-9-]+", letter.subject.lower()))
    named = [row for row in seats if row.game_id in words]
    chosen = named or seats
    if len(chosen) == 1:
        return Sender(CLAIM, chosen[0].game_id, chosen[0].seat)
    return Sender(UNKNOWN)


def message_id(game: str, seat: str, digest: str, host: str) -> str:
    """The Message-ID of one of our letters; it tells the thread, and is the same however often it is made.

    It has no number that counts: a player could read from it how many letters others write.
    """
    return f"<{game}.{seat}.0.{digest[:12]}@{host}>"
