"""The moderator: the way of a letter through desk, table and journal, in one transaction.

`handle` takes a raw letter and leaves behind, all or nothing: the letter as processed, its answers, draws, log
entries, events and checkpoints, and the dispatches that answer it. `open_game` begins a game the same way.
"""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

import msgspec

from pbem.campaign.commands.attendance import PLAYERS
from pbem.campaign.commands.game_master.by_letter import MASTERS
from pbem.campaign.commands.game_master.objections import OBJECTIONS
from pbem.campaign.commands.history import LOOKING_BACK
from pbem.campaign.commands.press import PRESS
from pbem.campaign.commands.standing import STANDING
from pbem.campaign.commands.votes import VOTES
from pbem.campaign.commands.why import REASONS
from pbem.campaign.context import Clock, Settings
from pbem.campaign.deadlines import clock, missed
from pbem.campaign.deadlines.tick import PULSE, Timekeeping
from pbem.campaign.intake import held as held_letters
from pbem.campaign.intake import sender as senders
from pbem.campaign.intake import tokens
from pbem.campaign.intake.authenticity import Authenticity
from pbem.campaign.intake.letter_result import Outcome
from pbem.campaign.intake.seat_letter import Errands
from pbem.campaign.outgoing.dispatch import NOTICE, STRANGER, Dispatch, Note
from pbem.campaign.signup import joining as signups
from pbem.campaign.signup.new_game import BadGame, Player
from pbem.campaign.table.tables import SUBSTITUTE_ACTS, Live, Person
from pbem.campaign.table.transaction import Turn
from pbem.dice.beacon.rounds import QUICKNET, Network
from pbem.dice.draw.seeds import new_root
from pbem.kernel.game import SUBSTITUTE
from pbem.letters.addresses import can_be_written_to
from pbem.letters.letter import Letter
from pbem.letters.reading import read
from pbem.orders.commands import Command
from pbem.store.engine import NoSuchGame
from pbem.store.journal import Journal
from pbem.store.records import Received, Sending
from pbem.store.store import Store
from pbem.store.tables import SeatRow

REQUESTS = PLAYERS | MASTERS | LOOKING_BACK | REASONS | PRESS | STANDING | OBJECTIONS | VOTES
HELD_NOTE = "held: "
PART_NOTE = "part held: "
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


class Moderator(Timekeeping):
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
        super().__init__(store, settings, clock, entropy=entropy, networks=networks)
        self._authenticity = authenticity
        self.reader: Callable[..., Letter] | None = None
        """Who reads raw letters within a budget; without one they are read here."""
        self._answered: dict[str, deque[datetime]] = {}
        """When letters that moved nothing were last answered, by address."""

    def read(self, raw: bytes) -> Letter:
        """A raw letter, read."""
        return (self.reader or read)(raw, own_address=self.settings.address)

    def handle(
        self,
        raw: bytes,
        *,
        source: str = "",
        uidvalidity: int | None = None,
        uid: int | None = None,
    ) -> Handled:
        """Process one raw letter, all or nothing. Bad letters never raise; a broken store does."""
        letter = self.read(raw)
        joining = signups.request(letter)
        doubtful = letter.auto is None and self._doubtful(raw, letter)
        if joining is not None and doubtful:
            return self._stranger(raw, letter, source, uidvalidity, uid, doubtful)
        if joining is not None:
            return self._join(raw, letter, joining, source, uidvalidity, uid)
        sender = senders.identify(letter, self.store)
        sender = msgspec.structs.replace(sender, doubtful=doubtful)
        game_id = sender.game or None
        try:
            with self.transaction(None if sender.kind != senders.CLAIM else game_id) as journal:
                received = _receive(journal, raw, letter, source, uidvalidity, uid)
                if received.status != "new":
                    return Handled("duplicate", letter=received.id)
                handled = self._place(journal, letter, sender, received)
            for address in handled.bounced:
                self.came_back(address)
            for message_id in handled.again:
                self.store.outbox.again(message_id, self.clock() + _SOFT_BOUNCE, "came back for now")
            return handled
        except NoSuchGame:
            return self._stranger(raw, letter, source, uidvalidity, uid, doubtful)
        except Exception:
            self.tables.drop(game_id)
            raise

    def _doubtful(self, raw: bytes, letter: Letter) -> bool:
        """Whether a letter may not come from where it says; such a letter is never answered at its own address."""
        return self._authenticity is not None and self._authenticity.doubtful(raw, letter)

    def _join(
        self,
        raw: bytes,
        letter: Letter,
        item: Command,
        source: str,
        uidvalidity: int | None,
        uid: int | None,
    ) -> Handled:
        """A letter that begins with JOIN or LIST, from whomever."""
        office = signups.Desk(self)
        game_id = signups.named_game(office, item) if item.name == "join" else ""
        try:
            with self.transaction(game_id or None) as journal:
                received = _receive(journal, raw, letter, source, uidvalidity, uid)
                if received.status != "new":
                    return Handled("duplicate", letter=received.id)
                row = self.store.game(game_id) if game_id else None
                status = office.take(journal, row, letter, item, _language(letter, self.settings.lang))
                journal.handled(received.id, "done" if status == "done" else "refused", note=item.name)
                return Handled(status, game_id, letter=received.id)
        except Exception:
            self.tables.drop(game_id)
            raise

    def _place(self, journal: Journal, letter: Letter, sender: senders.Sender, received: Received) -> Handled:
        if sender.kind == senders.SILENCE:
            journal.handled(received.id, "ignored", note=sender.reason)
            return self._bounced(letter, received)
        if sender.kind == senders.UNKNOWN:
            self._answer_stranger(journal, letter, received.id, sender.doubtful)
            return Handled("unknown", letter=received.id)
        if journal.position.status == "open":
            status = signups.Desk(self).confirm(journal, self.store.game(sender.game), letter, sender.token)
            if status == "unknown":
                self._answer_stranger(journal, letter, received.id, sender.doubtful)
            else:
                journal.handled(received.id, "done", seat=sender.seat)
            return Handled(status, sender.game, sender.seat, received.id)
        if sender.token is not None and sender.token.seat.startswith("join-") and not sender.doubtful:
            return self._let_in(journal, letter, sender.token, received)
        live = self.tables.table(sender.game, journal)
        seat = live.people.get(sender.seat)
        right_token = sender.token is not None and live.knows(sender.token)
        right_address = seat is not None and letter.sender in _addresses(seat)
        if seat is None or not (right_token or right_address):
            self._answer_stranger(journal, letter, received.id, sender.doubtful)
            return Handled("unknown", letter=received.id)
        doubtful = sender.doubtful and not self._vouched(live.id, seat.seat, letter)
        if doubtful or not (right_token and right_address):
            code = "held_no_token" if not right_token else "held" if not right_address else "held_doubtful"
            self._hold(journal, live, seat, letter, received.id, code)
            return Handled("held", sender.game, sender.seat, received.id)
        held = self.take(journal, live, seat.seat, letter, received.id)
        note = f"{PART_NOTE}{live.id}.{seat.seat}" if held else ""
        journal.handled(received.id, "done", seat=seat.seat, note=note)
        return Handled("done", sender.game, sender.seat, received.id)

    def _let_in(self, journal: Journal, letter: Letter, token: tokens.Token, received: Received) -> Handled:
        """An answer to our letter about a JOIN."""
        status = signups.Desk(self).confirm_join(journal, self.store.game(token.game), letter, token)
        if status == "unknown":
            self._answer_stranger(journal, letter, received.id)
        else:
            journal.handled(received.id, "done" if status == "done" else "refused", note="join")
        return Handled(status, token.game, letter=received.id)

    def keep(
        self, raw: bytes, *, source: str = "", uidvalidity: int | None = None, uid: int | None = None
    ) -> Handled:
        """Keep a letter whose processing failed by a fault of ours, and tell its sender so."""
        letter = self.read(raw)
        with self.transaction(None) as journal:
            received = _receive(journal, raw, letter, source, uidvalidity, uid)
            if received.status != "new":
                return Handled("duplicate", letter=received.id)
            journal.handled(received.id, "refused", note="fault")
            known = can_be_written_to(letter.sender) and letter.auto is None
            if known and not self._doubtful(raw, letter) and not self.silenced(letter.sender, journal.at):
                self._write_to_stranger(journal, letter, received.id, "internal_error")
        return Handled("fault", letter=received.id)

    def _bounced(self, letter: Letter, received: Received) -> Handled:
        """What a delivery report says of letters of ours: addresses given up for good, letters to send once more.

        What is merely delayed is its server's business.
        """
        given_up: dict[str, None] = {}
        again: dict[str, None] = {}
        for bounce in letter.auto.bounces if letter.auto is not None else ():
            address = self.store.addressee(bounce.message_id)
            if not address or bounce.address.lower() not in ("", address):
                continue
            if bounce.permanent:
                given_up.setdefault(address)
            elif bounce.action == "failed":
                again.setdefault(bounce.message_id)
        return Handled("ignored", letter=received.id, bounced=tuple(given_up), again=tuple(again))

    def take(self, journal: Journal, live: Live, seat: str, letter: Letter, letter_id: int) -> bool:
        """A letter that is a seat's own: do what it says, and answer it; whether a part of it is held."""
        errands = Errands(self.store, live, seat, journal.at, REQUESTS)
        outcome = errands.run(letter)
        turn = Turn(self, journal, live, letter_id)
        by_substitute = letter.sender == live.person(seat).substitute
        if not by_substitute and seat in live.seats:
            missed.heard(turn, seat)
        if letter.sender != live.people[seat].address and not by_substitute:
            turn.copies[seat] = letter.sender
        held = outcome.held
        if held:
            outcome.notes.append(Note("held_commands", {"n": letter_id, "commands": held}))
        if outcome.confirmed:
            errands = self._confirmed(journal, live, seat, outcome.confirmed)
            outcome = errands.outcome
        if live.affairs.awaited is not None:
            self._hold_back(turn, seat, letter, outcome)
        turn.change(seat, outcome)
        for deed in outcome.deeds:
            deed(turn)
        live = turn.live
        if by_substitute:
            outcome.givens = [msgspec.structs.replace(given, origin=SUBSTITUTE) for given in outcome.givens]
        waits = seat in live.affairs.waiting if outcome.wait is None else outcome.wait
        if outcome.givens and waits:
            turn.keep(seat, letter.digest, outcome.givens)
            due = clock.deadline_of(live, seat)
            outcome.notes.append(Note("kept_back" if due is not None else "kept_back_open"))
        elif outcome.givens:
            turn.order(seat, letter.digest, outcome.givens)
            while outcome.later and live.affairs.awaited is None and errands.follow_up():
                turn.order(seat, letter.digest, outcome.givens)
        elif outcome.resigned:
            turn.resign(seat)
        for n, note in enumerate(outcome.notes):
            if note.code == "sealed" and note.params.get("key") not in live.game.questions:
                outcome.notes[n] = msgspec.structs.replace(note, code="taken")
        if outcome.later:
            outcome.notes.append(Note("nothing_open", {"lines": "; ".join(outcome.later[:5])}))
        if turn.moved or turn.receipt is not None or self._patient(letter.sender, journal.at, outcome):
            turn.answer(seat, letter, outcome)
        turn.write()
        return bool(held)

    def _patient(self, address: str, now: datetime, outcome: Outcome) -> bool:
        """Whether a letter that moves nothing is answered: so many an hour, the last with a word of warning."""
        times = self._answered.setdefault(address, deque(maxlen=self.settings.letters_per_hour + 1))
        while times and times[0] <= now - timedelta(hours=1):
            times.popleft()
        times.append(now)
        if len(times) == self.settings.letters_per_hour:
            outcome.notes.append(Note("too_many_letters"))
        return len(times) <= self.settings.letters_per_hour

    def _hold_back(self, turn: Turn, seat: str, letter: Letter, outcome: Outcome) -> None:
        """While dice wait for their round nobody can change anything: orders are kept until they are drawn."""
        if outcome.givens:
            turn.keep(seat, letter.digest, outcome.givens)
            outcome.notes.append(Note("awaiting_kept"))
        if outcome.standing is not None or outcome.resigned:
            outcome.notes = [note for note in outcome.notes if note.code not in ("standing_set", "resigned")]
            outcome.notes.append(Note("awaiting_busy"))
        outcome.givens, outcome.standing, outcome.resigned = [], None, False

    def _confirmed(self, journal: Journal, live: Live, seat: str, number: int) -> Errands:
        """A held letter that its player has vouched for takes the place of the letter that vouches."""
        errands = Errands(self.store, live, seat, journal.at, REQUESTS)
        row = self.store.letter(number)
        part = row is not None and row.note == f"{PART_NOTE}{live.id}.{seat}"
        if row is None or not (part or row.note == f"{HELD_NOTE}{live.id}.{seat}"):
            errands.outcome.notes.append(Note("held_what", {"n": number}))
            return errands
        journal.handled(number, "done", seat=seat, note="confirmed")
        errands.outcome.notes.append(Note("confirmed", {"n": number}))
        errands.freed = not part
        errands.run(self.read(row.raw), vouched=part)
        errands.outcome.confirmed = 0
        return errands

    def _vouched(self, game_id: str, seat: str, letter: Letter) -> bool:
        """Whether a doubtful letter answers our own notice about one: only the registered address has that."""
        rows = self.store.dispatches(game_id, seat) if letter.in_reply_to else []
        found = [row for row in rows if row.message_id == letter.in_reply_to and row.kind == NOTICE]
        return any(note.code.startswith("held") for row in found for note in row.read(Dispatch).notes)

    def _hold(
        self, journal: Journal, live: Live, seat: SeatRow, letter: Letter, letter_id: int, code: str
    ) -> None:
        journal.handled(letter_id, "ignored", seat=seat.seat, note=f"{HELD_NOTE}{live.id}.{seat.seat}")
        errands = Errands(self.store, live, seat.seat, journal.at, REQUESTS)
        params: dict[str, str | int] = {"n": letter_id, "at": clock.when(live, journal.at)}
        params |= held_letters.quoted(errands, letter)
        if code == "held":
            params["sender"] = letter.sender
        turn = Turn(self, journal, live, letter_id)
        if not self.silenced_notice(seat.address, journal.at):
            turn.say(seat.seat, Dispatch(NOTICE, notes=(Note(code, params),)))
        turn.write()

    def _answer_stranger(
        self, journal: Journal, letter: Letter, letter_id: int, doubtful: bool = False
    ) -> None:
        journal.handled(letter_id, "refused", note="unknown")
        if not doubtful and not self.silenced_stranger(letter.sender, journal.at):
            self._write_to_stranger(journal, letter, letter_id, "unknown_sender")

    def _write_to_stranger(self, journal: Journal, letter: Letter, letter_id: int, code: str) -> None:
        digest = hashlib.sha256(f"{letter_id}|{letter.digest}".encode()).hexdigest()
        dispatch = Dispatch(STRANGER, notes=(Note(code),), lang=_language(letter, self.settings.lang))
        identifier = f"<stranger.{letter_id}.{digest[:12]}@{self.settings.host}>"
        journal.dispatch(Sending(letter.sender, STRANGER, identifier, dispatch, None, letter.message_id))

    def _stranger(
        self,
        raw: bytes,
        letter: Letter,
        source: str,
        uidvalidity: int | None,
        uid: int | None,
        doubtful: bool,
    ) -> Handled:
        """A token of a game that does not exist is answered like no token at all."""
        with self.transaction(None) as journal:
            received = _receive(journal, raw, letter, source, uidvalidity, uid)
            if received.status != "new":
                return Handled("duplicate", letter=received.id)
            self._answer_stranger(journal, letter, received.id, doubtful)
            return Handled("unknown", letter=received.id)


def _receive(
    journal: Journal, raw: bytes, letter: Letter, source: str, uidvalidity: int | None, uid: int | None
) -> Received:
    """Keep a raw letter, and note how far its mailbox has been read."""
    received = journal.receive(
        raw,
        source=source,
        digest=letter.digest,
        message_id=letter.message_id,
        uidvalidity=uidvalidity,
        uid=uid,
    )
    if uid is not None and uidvalidity is not None:
        journal.cursor(source, uidvalidity, uid)
    return received


def _addresses(row: SeatRow) -> set[str]:
    """From where letters of a seat may come: its player's addresses, and the acting substitute's."""
    person = row.read(Person)
    acting = person.substitute if person.acting == SUBSTITUTE_ACTS else ""
    return {row.address, person.second, acting} - {""}


def _language(letter: Letter, otherwise: str) -> str:
    """French where the letter looks French."""
    words = set(letter.text.lower().split()) | set(letter.subject.lower().split())
    return "fr" if words & {"bonjour", "je", "est", "une", "aide", "merci", "partie"} else otherwise


__all__ = ["PULSE", "BadGame", "Handled", "Moderator", "Player", "Settings"]
