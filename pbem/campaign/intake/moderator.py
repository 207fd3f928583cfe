"""The moderator: the way of a letter, from the bytes of a message to the letters that answer it.

`handle` reads a message, decides what is to be done, does it, and puts the answers into words, in one transaction:
the letter as processed, its answers, draws, log entries, events and checkpoints, and the letters out, all or nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta
from functools import partial

import msgspec

from pbem.campaign.campaign import Campaign, Clock, Settings
from pbem.campaign.deadlines.tick import PULSE, Timekeeper
from pbem.campaign.intake import held_letters
from pbem.campaign.intake import sender as senders
from pbem.campaign.intake.authenticity import Authenticity
from pbem.campaign.intake.carrying_out import SeatLetters
from pbem.campaign.intake.posts import Posts
from pbem.campaign.intake.strangers import answer_stranger, language, write_to_stranger
from pbem.campaign.intake.tokens import Token
from pbem.campaign.outgoing.dispatch import Note
from pbem.campaign.signup.asking import request_to_join, requests
from pbem.campaign.signup.joining import Joining, named_game
from pbem.campaign.signup.new_game import BadGame, Player
from pbem.campaign.signup.opening import Opening
from pbem.campaign.table.tables import SUBSTITUTE_ACTS, Live, Person
from pbem.dice.beacon.rounds import QUICKNET, Network
from pbem.dice.draw.seeds import new_root
from pbem.letters.addresses import can_be_written_to
from pbem.letters.letter import Letter
from pbem.letters.message import Message
from pbem.letters.posted import board_of
from pbem.letters.reading import read
from pbem.orders.commands import Command
from pbem.store.journal import Journal
from pbem.store.store import Store
from pbem.store.tables import SeatRow

_SOFT_BOUNCE = timedelta(hours=6)


class Handled(msgspec.Struct, frozen=True):
    """What became of a letter."""

    status: str
    game: str = ""
    seat: str = ""
    letter: int = 0
    bounced: tuple[str, ...] = ()
    """Addresses at which letters of ours do not arrive."""
    again: tuple[str, ...] = ()
    """Message-IDs of letters of ours that did not arrive for now."""


class Moderator:
    """Runs the games of a store."""

    def __init__(
        self,
        store: Store,
        settings: Settings,
        clock: Clock,
        *,
        entropy: Callable[[], bytes] = new_root,
        authenticity: Authenticity | None = None,
        networks: Sequence[Network] = (QUICKNET,),
    ) -> None:
        self.campaign = Campaign(store, settings, clock, entropy=entropy, networks=networks)
        self.store, self.settings, self.tables = store, settings, self.campaign.tables
        self.opening = Opening(self.campaign)
        self.timekeeper = Timekeeper(self.campaign)
        self.seat_letters = SeatLetters(self.campaign, self.read)
        self._posts = Posts(self.campaign, self.seat_letters)
        self._joining = Joining(self.campaign)
        self._authenticity = authenticity
        self.reader: Callable[..., Letter] | None = None
        """Who reads raw letters within a budget; without one they are read here."""

    def read(self, raw: bytes) -> Letter:
        """A raw letter, read."""
        return (self.reader or read)(raw, own_address=self.settings.address)

    def handle(self, message: Message) -> Handled:
        """The whole way of a letter: all of it happens, or nothing.

        Bad letters never raise. Raises StoreError where the store is in trouble, and whatever a fault of ours raises.
        """
        # Read: what the message says, and whose it claims to be.
        letter = self.read(message.raw)
        sender = self._sender(message, letter)
        # Transaction: on the game that it is about, which nobody else changes meanwhile.
        with self.campaign.transaction(sender.game or None) as journal:
            received = journal.receive(message, digest=letter.digest, message_id=letter.message_id)
            if received.status != "new":
                return Handled("duplicate", letter=received.id)
            # Decide: nothing has been changed before `carry_out` is called.
            carry_out = self._decide(journal, letter, sender, received.id)
            handled = carry_out()
            # Render: as the block ends its letters are put into words. Then it is committed.
        self._undelivered(handled)
        return handled

    def keep(self, message: Message) -> Handled:
        """Keep a letter whose processing failed by a fault of ours, and tell its sender so."""
        letter = self.read(message.raw)
        with self.campaign.transaction(None) as journal:
            received = journal.receive(message, digest=letter.digest, message_id=letter.message_id)
            if received.status != "new":
                return Handled("duplicate", letter=received.id)
            journal.handled(received.id, "refused", note="fault")
            known = can_be_written_to(letter.sender) and letter.auto is None
            silent = self.campaign.silenced(letter.sender, journal.at)
            if known and not silent and not self._doubtful(message, letter):
                write_to_stranger(self.campaign, journal, letter, received.id, Note("internal_error"))
        return Handled("fault", letter=received.id)

    def _plays(self, letter: Letter) -> bool:
        """Whether a letter comes with the token of a game that is being played."""
        sender = senders.identify(letter, self.store)
        if sender.kind != senders.CLAIM or sender.token is None or not self.campaign.has_game(sender.game):
            return False
        return self.store.game(sender.game).status in ("running", "paused")

    def _sender(self, message: Message, letter: Letter) -> senders.Sender:
        """Whose letter it claims to be, and about which game. There is a game of that name."""
        if letter.posted is not None or board_of(letter.sender):
            return self._poster(message, letter)
        doubtful = letter.auto is None and self._doubtful(message, letter)
        joining = request_to_join(letter)
        if joining is not None and joining.name == "list" and self._plays(letter):
            # It lists what binds him, too.
            joining = None
        if joining is not None and doubtful:
            return senders.Sender(senders.UNKNOWN, doubtful=True)
        if joining is not None:
            # A LANGUAGE or another JOIN further down is part of it.
            more = [item for item in requests(letter, self.campaign.has_game) if item != joining]
            return self._joiner((joining, *more))
        sender = senders.identify(letter, self.store)
        asked = () if sender.token is not None or doubtful else requests(letter, self.campaign.has_game)
        if asked and (sender.kind == senders.UNKNOWN or _joins_another(asked, sender.game)):
            return self._joiner(asked)
        sender = msgspec.structs.replace(sender, doubtful=doubtful)
        if sender.kind != senders.CLAIM:
            return sender
        if not self.campaign.has_game(sender.game):
            # A token of a game that does not exist is answered like no token at all.
            return senders.Sender(senders.UNKNOWN, doubtful=doubtful)
        return sender

    def _joiner(self, asked: Sequence[Command]) -> senders.Sender:
        """Somebody who asks for a seat, the games, a language or a rule."""
        join = next((item for item in asked if item.name == "join"), None)
        game = named_game(self.store, join) if join is not None else ""
        return senders.Sender(senders.JOINS, game, commands=tuple(asked))

    def _doubtful(self, message: Message, letter: Letter) -> bool:
        """Whether a letter may not come from where it says; such a letter is never answered at its own address."""
        return self._authenticity is not None and self._authenticity.doubtful(message.raw, letter)

    def _poster(self, message: Message, letter: Letter) -> senders.Sender:
        """Whose post it is. Only the board vouches for that: a mail that pretends to come from there is dropped."""
        posted = letter.posted
        if posted is None or message.source != posted.source:
            return senders.Sender(senders.SILENCE, reason="no board vouches for it")
        topic = self.store.whose_topic(posted.board, posted.place.id)
        joining = request_to_join(letter) if posted.change is None else None
        if joining is not None:
            game = named_game(self.store, joining) if joining.name == "join" else ""
            if joining.name == "join" and not game and topic is not None:
                game = topic[0]
                joining = msgspec.structs.replace(joining, argument=f"{game} {joining.argument}".strip())
            return senders.Sender(senders.JOINS, game, commands=(joining,))
        if topic is not None and self.campaign.has_game(topic[0]):
            return senders.Sender(senders.POSTED, topic[0])
        speaks_to_us = posted.mention and posted.change is None
        return senders.Sender(senders.UNKNOWN if speaks_to_us else senders.SILENCE, reason="not for us")

    def _decide(
        self, journal: Journal, letter: Letter, sender: senders.Sender, letter_id: int
    ) -> Callable[[], Handled]:
        """What is to be done with a letter: the function that does it."""
        if sender.kind == senders.JOINS:
            return partial(self._join, journal, letter, sender, letter_id)
        if sender.kind == senders.SILENCE:
            return partial(self._say_nothing, journal, letter, sender, letter_id)
        if sender.kind == senders.UNKNOWN:
            return partial(self._refuse, journal, letter, sender, letter_id)
        if sender.kind == senders.POSTED and journal.position.status != "open":
            return partial(self._posted, journal, letter, sender, letter_id)
        if journal.position.status == "open":
            return partial(self._confirm_seat, journal, letter, sender, letter_id)
        if sender.token is not None and sender.token.seat.startswith("join-") and not sender.doubtful:
            return partial(self._let_in, journal, letter, sender.token, sender, letter_id)
        live = self.tables.table(sender.game, journal)
        row = live.people.get(sender.seat)
        right_token = sender.token is not None and live.knows(sender.token)
        right_address = row is not None and letter.sender in _addresses(row)
        if row is None or not (right_token or right_address):
            return partial(self._refuse, journal, letter, sender, letter_id)
        vouched = not sender.doubtful or held_letters.vouched_for(self.store, live.id, row.seat, letter)
        if not (vouched and right_token and right_address):
            code = "held_no_token" if not right_token else "held" if not right_address else "held_doubtful"
            return partial(self._hold, journal, live, row, letter, letter_id, code)
        return partial(self._take, journal, live, row.seat, letter, letter_id)

    def _join(self, journal: Journal, letter: Letter, sender: senders.Sender, letter_id: int) -> Handled:
        """A letter that begins with JOIN or LIST, from whomever."""
        row = self.store.game(sender.game) if sender.game else None
        lang = language(letter, self.store, self.settings.lang, sender.commands)
        status = self._joining.take(journal, row, letter, sender.commands, lang)
        journal.handled(letter_id, "done" if status == "done" else "refused", note=sender.commands[0].name)
        return Handled(status, sender.game, letter=letter_id)

    def _say_nothing(
        self, journal: Journal, letter: Letter, sender: senders.Sender, letter_id: int
    ) -> Handled:
        """A letter from a machine. A delivery report says which addresses and letters of ours are concerned."""
        journal.handled(letter_id, "ignored", note=sender.reason)
        given_up: dict[str, None] = {}
        again: dict[str, None] = {}
        for bounce in letter.auto.bounces if letter.auto is not None else ():
            address = self.store.addressee(bounce.message_id)
            if not address or bounce.address.lower() not in ("", address):
                continue
            if bounce.permanent:
                given_up.setdefault(address)
            elif bounce.action == "failed":
                # What is merely delayed is its server's business.
                again.setdefault(bounce.message_id)
        return Handled("ignored", letter=letter_id, bounced=tuple(given_up), again=tuple(again))

    def _posted(self, journal: Journal, letter: Letter, sender: senders.Sender, letter_id: int) -> Handled:
        """A post in a topic that belongs to a game."""
        live = self.tables.table(sender.game, journal)
        status, seat = self._posts.take(journal, live, letter, letter_id)
        return Handled(status, sender.game, seat, letter_id)

    def _undelivered(self, handled: Handled) -> None:
        """Addresses given up for good, and letters to send once more."""
        for address in handled.bounced:
            self.timekeeper.came_back(address)
        for message_id in handled.again:
            self.store.outbox.again(message_id, self.campaign.clock() + _SOFT_BOUNCE, "came back for now")

    def _refuse(self, journal: Journal, letter: Letter, sender: senders.Sender, letter_id: int) -> Handled:
        answer_stranger(self.campaign, journal, letter, letter_id, doubtful=sender.doubtful)
        return Handled("unknown", letter=letter_id)

    def _let_in(
        self, journal: Journal, letter: Letter, token: Token, sender: senders.Sender, letter_id: int
    ) -> Handled:
        """An answer to our letter about a JOIN."""
        status = self._joining.confirm_join(journal, self.store.game(token.game), letter, token)
        if status == "unknown":
            return self._refuse(journal, letter, sender, letter_id)
        journal.handled(letter_id, "done" if status == "done" else "refused", note="join")
        return Handled(status, token.game, letter=letter_id)

    def _confirm_seat(
        self, journal: Journal, letter: Letter, sender: senders.Sender, letter_id: int
    ) -> Handled:
        """A letter about a game that has not begun."""
        status = self._joining.confirm(journal, self.store.game(sender.game), letter, sender.token)
        if status == "unknown":
            answer_stranger(self.campaign, journal, letter, letter_id, doubtful=sender.doubtful)
        else:
            journal.handled(letter_id, "done", seat=sender.seat)
        return Handled(status, sender.game, sender.seat, letter_id)

    def _hold(
        self, journal: Journal, live: Live, row: SeatRow, letter: Letter, letter_id: int, code: str
    ) -> Handled:
        held_letters.hold(self.campaign, journal, live, row, letter, letter_id, code)
        return Handled("held", live.id, row.seat, letter_id)

    def _take(self, journal: Journal, live: Live, seat: str, letter: Letter, letter_id: int) -> Handled:
        """A letter that is a seat's own: do what it says, and answer it."""
        taken = self.seat_letters.take(journal, live, seat, letter, letter_id)
        note = held_letters.part_held(live, seat) if taken.held else ""
        journal.handled(letter_id, "done", seat=seat, note=note)
        return Handled("done", live.id, seat, letter_id)


def _joins_another(asked: Sequence[Command], game: str) -> bool:
    """Whether a letter of a player, without his token, asks to join some other game than his own."""
    return any(item.name == "join" and not item.argument.lower().startswith(game) for item in asked)


def _addresses(row: SeatRow) -> set[str]:
    """From where letters of a seat may come: its player's addresses, and the acting substitute's."""
    person = row.read(Person)
    acting = person.substitute if person.acting == SUBSTITUTE_ACTS else ""
    return {row.address, person.second, acting} - {""}


__all__ = ["PULSE", "BadGame", "Handled", "Moderator", "Player", "Settings"]
