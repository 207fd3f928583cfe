"""The moderator: the way of a letter through desk, table and journal, in one transaction.

`handle` takes a raw letter and leaves behind, all or nothing: the letter as processed, its answers, draws, log
entries, events and checkpoints, and the dispatches that answer it. `open_game` begins a game the same way.
"""

from __future__ import annotations

import hashlib
import logging
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta

import msgspec

import pbem
from pbem import games
from pbem.campaign import clock, couriers, desk, life, objections, signup, silence, strokes, votes
from pbem.campaign.authenticity import Authenticity
from pbem.campaign.calendar import Calendar
from pbem.campaign.customs import Customs
from pbem.campaign.dispatch import (
    NOTICE,
    START,
    STRANGER,
    Dispatch,
    Note,
)
from pbem.campaign.errands import Errands
from pbem.campaign.live import SUBSTITUTE_ACTS, Affairs, Live, Person, Tables
from pbem.campaign.lookback import LOOKING_BACK
from pbem.campaign.masters_desk import MASTERS
from pbem.campaign.objections import OBJECTIONS
from pbem.campaign.opening import (
    BadGame,
    Player,
    check_calendar,
    check_customs,
    check_options,
    check_setup,
    genesis_note,
    rules_digest,
    staff_rows,
)
from pbem.campaign.outcome import Outcome
from pbem.campaign.press import PRESS
from pbem.campaign.reasons import REASONS
from pbem.campaign.requests import PLAYERS
from pbem.campaign.standing import STANDING
from pbem.campaign.turn import Turn, stamp
from pbem.campaign.votes import VOTES
from pbem.dice import log as dicelog
from pbem.dice.croupier import AwaitBeacon, Croupier, Round
from pbem.dice.rounds import QUICKNET, Network, Source
from pbem.dice.seeds import STEPS, new_root, seeds_of
from pbem.faults import places
from pbem.kernel.game import SUBSTITUTE, Game
from pbem.letters.letter import Letter
from pbem.letters.reading import read
from pbem.orders.commands import Command
from pbem.store.engine import NoSuchGame, StoreError
from pbem.store.journal import Journal
from pbem.store.records import Received, Roots, Sending
from pbem.store.store import Store
from pbem.store.tables import DispatchRow, GameRow, SeatRow

logger = logging.getLogger(__name__)

Clock = Callable[[], datetime]
REQUESTS = PLAYERS | MASTERS | LOOKING_BACK | REASONS | PRESS | STANDING | OBJECTIONS | VOTES
HELD_NOTE = "held: "
PULSE = "letters"
_BEAT = timedelta(minutes=1)
_SET_BACK = timedelta(minutes=5)
_ROUND_LATE = timedelta(seconds=30)
_LATER = timedelta(hours=1)


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the moderator presents itself."""

    address: str
    name: str = "pbem"
    plus_address: bool = True
    lang: str = "en"
    letters_per_hour: int = 60
    outage_minutes: int = 60
    """A longer time without letters taken in is given back to the players."""
    keeper: str = ""
    """The host's own address: who is told of letters that a person has to look at."""

    @property
    def outage(self) -> timedelta:
        """The same as a span of time."""
        return timedelta(minutes=self.outage_minutes)

    @property
    def host(self) -> str:
        """The domain of our Message-IDs."""
        return self.address.partition("@")[2] or "localhost"


class Handled(msgspec.Struct, frozen=True):
    """What became of a letter."""

    status: str
    game: str = ""
    seat: str = ""
    letter: int = 0
    bounced: tuple[str, ...] = ()
    """Addresses at which letters of ours do not arrive."""


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
        self.store = store
        self.settings = settings
        self.clock = clock
        self.tables = Tables(store, networks=networks)
        self.tally: Counter[str] = Counter()
        """How often what was done, since the start: reminders, defaults, letters on time and late."""
        self._entropy = entropy
        self._authenticity = authenticity
        self._answered: dict[str, deque[datetime]] = {}
        """When letters that moved nothing were last answered, by address."""

    def open_game(
        self,
        name: str,
        scenario: str,
        options: Mapping[str, str],
        players: Mapping[str, Player],
        game_id: str = "",
        calendar: Calendar | None = None,
        masters: Sequence[Player] = (),
        sighted: bool = False,
        source: Source | None = None,
        customs: Customs | None = None,
    ) -> str:
        """Begin a game and write to its players; the game's name. Raises BadGame.

        With a `source` its dice hang on rounds of that public beacon; the first letters follow the first round.
        """
        chosen = check_setup(name, scenario, options, players)
        check_calendar(calendar)
        customs = check_customs(customs)
        game_id = game_id or self.next_id(name)
        now = self.clock()
        roots = self.new_roots()
        affairs = Affairs(
            steps=STEPS,
            calendar=calendar,
            source=dict(source.body()) if source else None,
            customs=customs,
        )
        row = GameRow(
            id=game_id,
            rules=name,
            scenario=scenario,
            options=msgspec.json.encode(chosen).decode(),
            mode="beacon" if source else "chain",
            status="running",
            created_at=now,
            data=msgspec.json.encode(affairs).decode(),
        )
        seats = {
            seat: SeatRow(
                game_id=game_id,
                seat=seat,
                name=player.name,
                address=player.address.strip().lower(),
                lang=player.lang,
            )
            for seat, player in players.items()
        }
        playing = {row.address for row in seats.values()}
        staff = staff_rows(game_id, masters, playing, sighted)
        with self.store.journal(None, now) as journal:
            journal.create(row, (seats | staff).values(), root=roots.root, zroot=roots.zroot)
            live = self.begin(journal, row, seats, staff, roots, affairs, source)
        self.tables.put(live)
        return game_id

    def begin(
        self,
        journal: Journal,
        row: GameRow,
        seats: dict[str, SeatRow],
        staff: dict[str, SeatRow],
        roots: Roots,
        affairs: Affairs,
        source: Source | None = None,
    ) -> Live:
        """The first entry of the log, the set-up, and the first letters of a game whose players are known."""
        rules, chosen = games.load(row.rules), row.choices()
        seeds = seeds_of(row.id, roots.root, roots.zroot, STEPS)
        croupier = Croupier(seeds, source=source)
        setup: dict[str, object] = {"game": row.rules, "scenario": row.scenario, "options": chosen}
        custom = affairs.customs.couriers
        if custom is not None:
            setup["couriers"] = msgspec.structs.asdict(custom)
        genesis = dicelog.genesis(
            seeds, rules=rules_digest(row.rules), engine=pbem.__version__, setup=setup, source=source
        )
        entry = dicelog.append(None, "genesis", stamp(journal.at), genesis)
        journal.entries([entry])
        first = Game.first_checkpoint(rules, row.scenario, chosen)
        journal.checkpoint(first, rules.moment(Game.unbegun(rules, first, croupier).state))
        croupier.begin(now=int(journal.at.timestamp()))
        awaited = None
        try:
            if custom is not None:
                couriers.provide(croupier, 0)
            game = Game(rules, first, croupier)
        except AwaitBeacon as waits:
            awaited, game = waits, Game.unbegun(rules, first, croupier)
        live = Live(
            row.id, row.scenario, rules, game, croupier, roots, seats, {}, entry, affairs, "running", staff
        )
        turn = Turn(self, journal, live, letter_id=None)
        if awaited is None:
            turn.go_on()
            self._welcome(turn, genesis)
        else:
            turn.wait((), None, start=True)
            for seat in live.people:
                turn.note(seat, genesis_note(genesis))
        turn.write()
        return live

    def new_roots(self) -> Roots:
        """Fresh seeds."""
        return Roots(self._entropy(), self._entropy())

    def handle(
        self,
        raw: bytes,
        *,
        source: str = "",
        uidvalidity: int | None = None,
        uid: int | None = None,
    ) -> Handled:
        """Process one raw letter, all or nothing. Bad letters never raise; a broken store does."""
        letter = read(raw, own_address=self.settings.address)
        joining = signup.request(letter)
        if joining is not None:
            return self._join(raw, letter, joining, source, uidvalidity, uid)
        sender = desk.identify(letter, self.store)
        if sender.kind == desk.CLAIM and self._authenticity is not None:
            doubtful = self._authenticity.doubtful(raw, letter)
            sender = msgspec.structs.replace(sender, doubtful=doubtful)
        game_id = sender.game or None
        try:
            with self.store.journal(None if sender.kind != desk.CLAIM else game_id, self.clock()) as journal:
                received = _receive(journal, raw, letter, source, uidvalidity, uid)
                if received.status != "new":
                    return Handled("duplicate", letter=received.id)
                handled = self._place(journal, letter, sender, received)
            for address in handled.bounced:
                self.came_back(address)
            return handled
        except NoSuchGame:
            return self._stranger(raw, letter, source, uidvalidity, uid)
        except Exception:
            self.tables.drop(game_id)
            raise

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
        office = signup.Desk(self)
        game_id = signup.named_game(office, item) if item.name == "join" else ""
        try:
            with self.store.journal(game_id or None, self.clock()) as journal:
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

    def announce(
        self,
        name: str,
        scenario: str,
        options: Mapping[str, str],
        *,
        game_id: str = "",
        calendar: Calendar | None = None,
        invited: Sequence[str] = (),
        masters: Sequence[Player] = (),
        sighted: bool = False,
        customs: Customs | None = None,
    ) -> str:
        """Announce a game that looks for players, to all or to those invited; its name. Raises BadGame."""
        chosen = check_options(name, scenario, options)
        check_calendar(calendar)
        customs = check_customs(customs)
        if any("@" not in address for address in invited):
            raise BadGame("an invitation needs an address")
        now = self.clock()
        row = GameRow(
            id=game_id or self.next_id(name),
            rules=name,
            scenario=scenario,
            options=msgspec.json.encode(chosen).decode(),
            status="open",
            created_at=now,
        )
        with self.store.journal(None, now) as journal:
            signup.Desk(self).announce(
                journal,
                row,
                calendar=calendar,
                invited=invited,
                masters=[msgspec.to_builtins(one) for one in masters],
                sighted=sighted,
                steps=STEPS,
                customs=customs,
            )
        return row.id

    def start(self, game_id: str) -> None:
        """Begin an announced game without waiting for the rest of its muster. Raises Refused, NoSuchGame."""
        with self.store.journal(game_id, self.clock()) as journal:
            signup.Desk(self).start(journal, self.store.game(game_id))

    def _place(self, journal: Journal, letter: Letter, sender: desk.Sender, received: Received) -> Handled:
        if sender.kind == desk.SILENCE:
            journal.handled(received.id, "ignored", note=sender.reason)
            return Handled("ignored", letter=received.id, bounced=self._bounced(letter))
        if sender.kind == desk.UNKNOWN:
            self._answer_stranger(journal, letter, received.id)
            return Handled("unknown", letter=received.id)
        if journal.position.status == "open":
            status = signup.Desk(self).confirm(journal, self.store.game(sender.game), letter, sender.token)
            if status == "unknown":
                self._answer_stranger(journal, letter, received.id)
            else:
                journal.handled(received.id, "done", seat=sender.seat)
            return Handled(status, sender.game, sender.seat, received.id)
        live = self.tables.table(sender.game, journal)
        seat = live.people.get(sender.seat)
        right_token = sender.token is not None and live.knows(sender.token)
        right_address = seat is not None and letter.sender in _addresses(seat)
        if seat is None or not (right_token or right_address):
            self._answer_stranger(journal, letter, received.id)
            return Handled("unknown", letter=received.id)
        doubtful = sender.doubtful and not self._vouched(live.id, seat.seat, letter)
        if doubtful or not (right_token and right_address):
            code = "held_no_token" if not right_token else "held" if not right_address else "held_doubtful"
            self._hold(journal, live, seat, letter, received.id, code)
            return Handled("held", sender.game, sender.seat, received.id)
        self.take(journal, live, seat.seat, letter, received.id)
        journal.handled(received.id, "done", seat=seat.seat)
        return Handled("done", sender.game, sender.seat, received.id)

    def keep(
        self, raw: bytes, *, source: str = "", uidvalidity: int | None = None, uid: int | None = None
    ) -> Handled:
        """Keep a letter whose processing failed by a fault of ours, and tell its sender so."""
        letter = read(raw, own_address=self.settings.address)
        with self.store.journal(None, self.clock()) as journal:
            received = _receive(journal, raw, letter, source, uidvalidity, uid)
            if received.status != "new":
                return Handled("duplicate", letter=received.id)
            journal.handled(received.id, "refused", note="fault")
            if letter.sender and letter.auto is None:
                self._write_to_stranger(journal, letter, received.id, "internal_error")
        return Handled("fault", letter=received.id)

    def tick(self) -> int:
        """Do whatever is due about games, each in a transaction of its own; for how many games."""
        now = self.clock()
        due = self.store.due_games(now)
        for game_id in due:
            try:
                with self.store.journal(game_id, now) as journal:
                    if journal.position.status == "open":
                        signup.Desk(self).strike(journal, self.store.game(game_id))
                        continue
                    live = self.tables.table(game_id, journal)
                    if live.affairs.awaited is not None:
                        journal.update(next_at=max(now, live.affairs.awaited.at) + _ROUND_LATE)
                        continue
                    turn = Turn(self, journal, live, letter_id=None)
                    objections.fall_due(turn)
                    votes.lapse(turn)
                    strokes.strike(turn)
                    turn.write()
            except StoreError:
                self.tables.drop(game_id)
                raise
            except Exception as error:
                logger.error(
                    "the clock of %s struck, and something broke; it is tried again later: %s",
                    game_id,
                    places(error),
                )
                self.tables.drop(game_id)
                with self.store.journal(game_id, now) as journal:
                    journal.update(next_at=now + _LATER)
        return len(due)

    def _welcome(self, turn: Turn, genesis: dicelog.Body) -> None:
        """The first letter to everyone."""
        for seat, row in turn.live.people.items():
            sections = (life.customs_section(turn.live, row.lang),)
            notes = (genesis_note(genesis),)
            turn.say(seat, Dispatch(START, form=True, picture=True, notes=notes, sections=sections))

    def awaiting(self) -> list[tuple[str, int]]:
        """The games whose dice wait for a round that should be there by now, and the round of each."""
        found = []
        for game_id in self.store.due_games(self.clock()):
            awaited = self.store.game(game_id).read(Affairs).awaited
            if awaited is not None and awaited.at <= self.clock():
                found.append((game_id, awaited.round))
        return found

    def chain_of(self, game_id: str) -> str:
        """The chain hash of the beacon that a game's dice hang on; empty in `chain` mode."""
        source = self.store.game(game_id).read(Affairs).source
        return str(source["beacon"]["chain"]) if source else ""

    def draw(self, game_id: str, beacon: Round) -> bool:
        """The round that a game's dice wait for is there: draw, and go on. False where it waits for another."""
        try:
            with self.store.journal(game_id, self.clock()) as journal:
                live = self.tables.table(game_id, journal)
                awaited = live.affairs.awaited
                if awaited is None or awaited.round != beacon.number:
                    return False
                turn = Turn(self, journal, live, letter_id=None)
                if turn.draw(beacon):
                    genesis = next(self.store.entries(game_id)).body
                    self._welcome(turn, genesis)
                turn.spread()
                turn.write()
        except Exception:
            self.tables.drop(game_id)
            raise
        return True

    def wake(self) -> timedelta:
        """Note that letters can be taken in now; if they could not for a while, that time is given back.

        Called before the letters themselves, so that nobody is late by our fault. Returns the time given back.
        """
        now = self.clock()
        before = self.store.pulse(PULSE)
        lost = now - before if before is not None else timedelta()
        if lost <= -_SET_BACK:
            self._in_all_games(now, lambda turn: strokes.set_back(turn, -lost))
            logger.warning("the clock was set back by %s; no deadline moves", -lost)
        if lost < self.settings.outage:
            if before is None or lost < timedelta() or lost >= _BEAT:
                self.store.beat(PULSE, now)
            return timedelta()
        self._in_all_games(now, lambda turn: strokes.shift(turn, lost, "outage"))
        # Last: whoever dies before this gives time back twice rather than not at all.
        self.store.beat(PULSE, now)
        logger.warning("no letters could be taken in for %s; all deadlines move", lost)
        return lost

    def _in_all_games(self, now: datetime, deed: Callable[[Turn], None]) -> None:
        """Something about the clock that concerns every game with a calendar."""
        for row in self.store.games("running"):
            if row.read(Affairs).calendar is None:
                continue
            with self.store.journal(row.id, now) as journal:
                turn = Turn(self, journal, self.tables.table(row.id, journal), letter_id=None)
                deed(turn)
                turn.write()

    def _bounced(self, letter: Letter) -> tuple[str, ...]:
        """The addresses that a delivery report gives up for good, if it is about letters of ours."""
        bounces = letter.auto.bounces if letter.auto is not None else ()
        return tuple(
            dict.fromkeys(
                bounce.address.lower()
                for bounce in bounces
                if bounce.permanent and self.store.wrote(bounce.message_id, bounce.address.lower())
            )
        )

    def undeliverable(self, row: DispatchRow) -> None:
        """A letter of ours was refused for good by the server of its addressee."""
        self.came_back(row.address)

    def came_back(self, address: str) -> None:
        """Letters to an address do not arrive: its seats' clocks stand still, and everyone sees why."""
        now = self.clock()
        for row in self.store.seats_at(address):
            if self.store.game(row.game_id).status != "running":
                continue
            with self.store.journal(row.game_id, now) as journal:
                turn = Turn(self, journal, self.tables.table(row.game_id, journal), letter_id=None)
                strokes.unreachable(turn, row.seat)
                turn.write()

    def take(self, journal: Journal, live: Live, seat: str, letter: Letter, letter_id: int) -> None:
        """A letter that is a seat's own: do what it says, and answer it."""
        errands = Errands(self.store, live, seat, journal.at, REQUESTS)
        outcome = errands.run(letter)
        turn = Turn(self, journal, live, letter_id)
        by_substitute = letter.sender == live.person(seat).substitute
        if not by_substitute and seat in live.seats:
            silence.heard(turn, seat)
        if letter.sender != live.people[seat].address and not by_substitute:
            turn.copies[seat] = letter.sender
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
        if row is None or row.note != f"{HELD_NOTE}{live.id}.{seat}":
            errands.outcome.notes.append(Note("held_what", {"n": number}))
            return errands
        journal.handled(number, "done", seat=seat, note="confirmed")
        errands.outcome.notes.append(Note("confirmed", {"n": number}))
        errands.run(read(row.raw, own_address=self.settings.address))
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
        params: dict[str, str | int] = {"n": letter_id}
        if code == "held":
            params["sender"] = letter.sender
        turn = Turn(self, journal, live, letter_id)
        if not self.silenced(seat.address, journal.at):
            turn.say(seat.seat, Dispatch(NOTICE, notes=(Note(code, params),)))
        turn.write()

    def _answer_stranger(self, journal: Journal, letter: Letter, letter_id: int) -> None:
        journal.handled(letter_id, "refused", note="unknown")
        if not self.silenced(letter.sender, journal.at):
            self._write_to_stranger(journal, letter, letter_id, "unknown_sender")

    def _write_to_stranger(self, journal: Journal, letter: Letter, letter_id: int, code: str) -> None:
        digest = hashlib.sha256(f"{letter_id}|{letter.digest}".encode()).hexdigest()
        dispatch = Dispatch(STRANGER, notes=(Note(code),), lang=_language(letter, self.settings.lang))
        identifier = f"<stranger.{letter_id}.{digest[:12]}@{self.settings.host}>"
        journal.dispatch(Sending(letter.sender, STRANGER, identifier, dispatch, None, letter.message_id))

    def _stranger(
        self, raw: bytes, letter: Letter, source: str, uidvalidity: int | None, uid: int | None
    ) -> Handled:
        """A token of a game that does not exist is answered like no token at all."""
        with self.store.journal(None, self.clock()) as journal:
            received = _receive(journal, raw, letter, source, uidvalidity, uid)
            if received.status != "new":
                return Handled("duplicate", letter=received.id)
            self._answer_stranger(journal, letter, received.id)
            return Handled("unknown", letter=received.id)

    def silenced(self, address: str, now: datetime) -> bool:
        """Whether an address has had as many letters in an hour as it may have (MAIL 2)."""
        return self.store.sent_to(address, now - timedelta(hours=1)) >= self.settings.letters_per_hour

    def next_id(self, name: str) -> str:
        """A name for a new game."""
        numbers = [
            int(row.id.rpartition("-")[2])
            for row in self.store.games()
            if row.id.startswith(f"{name}-") and row.id.rpartition("-")[2].isdigit()
        ]
        return f"{name}-{max(numbers, default=0) + 1}"


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
