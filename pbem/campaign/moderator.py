"""The moderator: the way of a letter through desk, table and journal, in one transaction.

`handle` takes a raw letter and leaves behind, all or nothing: the letter as processed, its answers, draws, log
entries, events and checkpoints, and the dispatches that answer it. `open_game` begins a game the same way.
"""

from __future__ import annotations

import hashlib
import hmac
import logging
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta

import msgspec

import pbem
from pbem import games
from pbem.campaign import desk
from pbem.campaign.dispatch import (
    NOTICE,
    OVER,
    REPLY,
    REPORT,
    START,
    STRANGER,
    Dispatch,
    Note,
    Receipt,
    Settled,
)
from pbem.campaign.errands import Errands, Outcome, last_report
from pbem.campaign.live import Affairs, Live, Person, Tables
from pbem.dice import log as dicelog
from pbem.dice.croupier import Croupier, Sealed
from pbem.dice.receipts import Leaf, opened_orders
from pbem.dice.seeds import STEPS, new_root, seeds_of
from pbem.kernel.game import LETTER, ONLY, STANDING, Game, Given, state_bytes
from pbem.kernel.order import answer_to_data
from pbem.letters.letter import Letter
from pbem.letters.reading import read
from pbem.reports.catalogue import catalogue
from pbem.store.engine import NoSuchGame
from pbem.store.journal import Journal
from pbem.store.records import Received, Roots, Sending
from pbem.store.store import Store
from pbem.store.tables import GameRow, SeatRow

logger = logging.getLogger(__name__)

Clock = Callable[[], datetime]
HELD_NOTE = "held: "


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the moderator presents itself."""

    address: str
    name: str = "pbem"
    plus_address: bool = True
    lang: str = "en"
    letters_per_hour: int = 60

    @property
    def host(self) -> str:
        """The domain of our Message-IDs."""
        return self.address.partition("@")[2] or "localhost"


class Player(msgspec.Struct, frozen=True):
    """Who sits down."""

    name: str
    address: str
    lang: str = "en"


class BadGame(ValueError):
    """A game that cannot be opened as asked; the text says why."""


class Handled(msgspec.Struct, frozen=True):
    """What became of a letter."""

    status: str
    game: str = ""
    seat: str = ""
    letter: int = 0


class Moderator:
    """Runs the games of a store."""

    def __init__(
        self, store: Store, settings: Settings, clock: Clock, *, entropy: Callable[[], bytes] = new_root
    ) -> None:
        self.store = store
        self.settings = settings
        self.clock = clock
        self.tables = Tables(store)
        self._entropy = entropy

    def open_game(
        self,
        name: str,
        scenario: str,
        options: Mapping[str, str],
        players: Mapping[str, Player],
        game_id: str = "",
    ) -> str:
        """Begin a game and write to its players; the game's name. Raises BadGame."""
        rules = games.load(name)
        chosen = check_setup(name, scenario, options, players)
        game_id = game_id or self._next_id(name)
        now = self.clock()
        roots = Roots(self._entropy(), self._entropy())
        seeds = seeds_of(game_id, roots.root, roots.zroot, STEPS)
        affairs = Affairs(steps=STEPS)
        row = GameRow(
            id=game_id,
            rules=name,
            scenario=scenario,
            options=msgspec.json.encode(chosen).decode(),
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
        croupier = Croupier(seeds)
        with self.store.journal(None, now) as journal:
            journal.create(row, seats.values(), root=roots.root, zroot=roots.zroot)
            setup: dict[str, object] = {"game": name, "scenario": scenario, "options": chosen}
            genesis = dicelog.genesis(seeds, rules=rules_digest(name), engine=pbem.__version__, setup=setup)
            entry = dicelog.append(None, "genesis", stamp(now), genesis)
            journal.entries([entry])
            croupier.begin()
            game = Game.start(rules, scenario, chosen, croupier)
            journal.checkpoint(game.last_checkpoint, rules.moment(game.state))
            live = Live(game_id, scenario, rules, game, croupier, roots, seats, {}, entry, affairs, "running")
            turn = _Turn(self, journal, live, letter_id=None)
            turn.go_on()
            for seat in seats:
                turn.say(seat, Dispatch(START, form=True, picture=True, notes=(_genesis_note(genesis),)))
            turn.write()
        self.tables.put(live)
        return game_id

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
        sender = desk.identify(letter, self.store)
        game_id = sender.game or None
        try:
            with self.store.journal(None if sender.kind != desk.CLAIM else game_id, self.clock()) as journal:
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
                if received.status != "new":
                    return Handled("duplicate", letter=received.id)
                return self._place(journal, letter, sender, received)
        except NoSuchGame:
            return self._stranger(raw, letter, source, uidvalidity, uid)
        except Exception:
            self.tables.drop(game_id)
            raise

    def _place(self, journal: Journal, letter: Letter, sender: desk.Sender, received: Received) -> Handled:
        if sender.kind == desk.SILENCE:
            journal.handled(received.id, "ignored", note=sender.reason)
            return Handled("ignored", letter=received.id)
        if sender.kind == desk.UNKNOWN:
            self._answer_stranger(journal, letter, received.id)
            return Handled("unknown", letter=received.id)
        live = self.tables.table(sender.game, journal)
        seat = live.seats.get(sender.seat)
        right_token = sender.token is not None and live.knows(sender.token)
        right_address = seat is not None and letter.sender == seat.address
        if seat is None or not (right_token or right_address):
            self._answer_stranger(journal, letter, received.id)
            return Handled("unknown", letter=received.id)
        if not (right_token and right_address):
            self._hold(journal, live, seat, letter, received.id, right_token)
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
            journal.handled(received.id, "refused", note="fault")
            if letter.sender and letter.auto is None:
                self._write_to_stranger(journal, letter, received.id, "internal_error")
        return Handled("fault", letter=received.id)

    def take(self, journal: Journal, live: Live, seat: str, letter: Letter, letter_id: int) -> None:
        """A letter that is a seat's own: do what it says, and answer it."""
        errands = Errands(self.store, live, seat)
        outcome = errands.run(letter)
        turn = _Turn(self, journal, live, letter_id)
        if outcome.confirmed:
            errands = self._confirmed(journal, live, seat, outcome.confirmed)
            outcome = errands.outcome
        turn.change(seat, outcome)
        if outcome.givens:
            turn.order(seat, letter, outcome.givens)
            while outcome.later and errands.follow_up():
                turn.order(seat, letter, outcome.givens)
        elif outcome.resigned:
            turn.resign(seat)
        for n, note in enumerate(outcome.notes):
            if note.code == "sealed" and note.params.get("key") not in live.game.questions:
                outcome.notes[n] = msgspec.structs.replace(note, code="taken")
        if outcome.later:
            outcome.notes.append(Note("nothing_open", {"lines": "; ".join(outcome.later[:5])}))
        turn.answer(seat, letter, outcome)
        turn.write()

    def _confirmed(self, journal: Journal, live: Live, seat: str, number: int) -> Errands:
        """A held letter that its player has vouched for takes the place of the letter that vouches."""
        errands = Errands(self.store, live, seat)
        row = self.store.letter(number)
        if row is None or row.note != f"{HELD_NOTE}{live.id}.{seat}":
            errands.outcome.notes.append(Note("held_what", {"n": number}))
            return errands
        journal.handled(number, "done", seat=seat, note="confirmed")
        errands.outcome.notes.append(Note("confirmed", {"n": number}))
        errands.run(read(row.raw, own_address=self.settings.address))
        errands.outcome.confirmed = 0
        return errands

    def _hold(
        self, journal: Journal, live: Live, seat: SeatRow, letter: Letter, letter_id: int, right_token: bool
    ) -> None:
        journal.handled(letter_id, "ignored", seat=seat.seat, note=f"{HELD_NOTE}{live.id}.{seat.seat}")
        code = "held" if right_token else "held_no_token"
        params: dict[str, str | int] = {"n": letter_id}
        if right_token:
            params["sender"] = letter.sender
        turn = _Turn(self, journal, live, letter_id)
        if not self._silenced(seat.address, journal.at):
            turn.say(seat.seat, Dispatch(NOTICE, notes=(Note(code, params),)))
        turn.write()

    def _answer_stranger(self, journal: Journal, letter: Letter, letter_id: int) -> None:
        journal.handled(letter_id, "refused", note="unknown")
        if not self._silenced(letter.sender, journal.at):
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
            if received.status != "new":
                return Handled("duplicate", letter=received.id)
            self._answer_stranger(journal, letter, received.id)
            return Handled("unknown", letter=received.id)

    def _silenced(self, address: str, now: datetime) -> bool:
        """Whether an address has had as many letters in an hour as it may have (MAIL 2)."""
        return self.store.sent_to(address, now - timedelta(hours=1)) >= self.settings.letters_per_hour

    def _next_id(self, name: str) -> str:
        numbers = [
            int(row.id.rpartition("-")[2])
            for row in self.store.games()
            if row.id.startswith(f"{name}-") and row.id.rpartition("-")[2].isdigit()
        ]
        return f"{name}-{max(numbers, default=0) + 1}"


class _Turn:
    """What one letter brings about in a game, collected and then written down together."""

    def __init__(self, moderator: Moderator, journal: Journal, live: Live, letter_id: int | None) -> None:
        self.moderator = moderator
        self.journal = journal
        self.live = live
        self.letter_id = letter_id
        self.receipt: Receipt | None = None
        self.settled: list[tuple[Given, str]] = []
        self.boundary = False
        self.step = 0
        self.moved = False
        self.over_before = live.over
        self._drawn = 0
        self.dispatches: dict[str, Dispatch] = {}
        self.in_reply_to: dict[str, str] = {}

    def log(self, kind: str, body: dicelog.Body) -> dicelog.Entry:
        """One more entry of the log."""
        entry = dicelog.append(self.live.last_entry, kind, stamp(self.journal.at), body)
        self.journal.entries([entry])
        self.live.last_entry = entry
        return entry

    def change(self, seat: str, outcome: Outcome) -> None:
        """Changes of the seat itself: standing orders, SALT word, token."""
        live = self.live
        if outcome.standing is not None:
            live.standing[seat] = list(outcome.standing)
            words = catalogue("en", live.rules)
            texts = [words.order(order) for order in outcome.standing]
            self.journal.standing(seat, list(zip(outcome.standing, texts, strict=True)))
            salt = self._salt(f"standing|{live.last_entry.n + 1}")
            leaf = Leaf(seat, salt, "\n".join(texts)).digest.hex()
            self.log("act", dicelog.act(seat, "standing", leaf=leaf))
        row = live.seats[seat]
        if outcome.salt:
            row.salt = outcome.salt
        if outcome.new_token:
            person = row.read(Person)
            person.generation += 1
            row.data = msgspec.json.encode(person).decode()
        if outcome.salt or outcome.new_token:
            self.journal.set_seat(row)
            self.log("act", dicelog.act(seat, "salt" if outcome.salt else "token"))

    def order(self, seat: str, letter: Letter, givens: Sequence[Given]) -> None:
        """The letter's orders: receipt, answers, and whatever follows from them."""
        live, journal = self.live, self.journal
        n = live.last_entry.n + 1
        salt = self._salt(f"leaf|{n}")
        leaf = Leaf(seat, salt, orders_text(givens))
        body: dicelog.Body = {"player": seat, "letter": letter.digest, "leaf": leaf.digest.hex()}
        self.log("receipt", body)
        self.receipt = Receipt(n, leaf.digest.hex(), salt)
        live.affairs.pending.append(leaf.digest.hex())
        salts = {row.seat: row.salt for row in live.seats.values() if row.salt}
        self._drawn = 0
        live.croupier.begin([Sealed(bytes.fromhex(digest)) for digest in live.affairs.pending], salts)
        for given in givens:
            named = msgspec.structs.replace(given, by=f"receipt:{n}")
            live.game.give(named)
            self._record(journal.answer(named, letter_id=self.letter_id))
        self.go_on()

    def _record(self, answer: int) -> None:
        """What an answer brought about: its events and its draws."""
        told = self.live.game.take_told()
        self.journal.events(told, answer=answer)
        self.moved = self.moved or bool(told)
        drawn = self.live.croupier.draws
        self.journal.draws(drawn[self._drawn :], answer=answer)
        self._drawn = len(drawn)

    def go_on(self) -> None:
        """Settle what needs nobody, and write down what happened."""
        live, journal, game = self.live, self.journal, self.live.game
        kinds: dict[str, str] = {}

        def standing(seat: str) -> list[object]:
            kinds.update((key, question.kind()) for key, question in game.questions.items())
            return list(live.standing.get(seat, ()))

        def note(given: Given) -> None:
            self._record(journal.answer(given))
            self.settled.append((given, kinds[given.key]))
            live.affairs.saved += given.origin == STANDING

        self._record(journal.position.answers)
        game.settle(standing, note=note)
        self.moved = self.moved or bool(self.settled)
        for checkpoint in game.take_checkpoints():
            journal.checkpoint(checkpoint, live.rules.moment(game.state))
            self.boundary = True
        croupier = live.croupier
        for kind, body in croupier.finish(game.hash()):
            self.log(kind, body)
            if kind == "close":
                live.affairs.pending.clear()
                self.step = croupier.last_step
        journal.proofs(croupier.proofs)
        for dealt in croupier.proofs:
            if dealt.to is not None:
                card = (dealt.label, dealt.step, dealt.position)
                live.affairs.proofs.setdefault(dealt.to, []).append(card)
        if game.over:
            self._close_log()

    def resign(self, seat: str) -> None:
        """A seat gives the game up."""
        self.live.affairs.resigned = seat
        self.log("act", dicelog.act(seat, "resign"))
        self.moved = True
        self._close_log()

    def _close_log(self) -> None:
        """Open all sealed orders and both seeds, so that anyone can audit and replay the whole game."""
        live = self.live
        self.journal.flush()
        answers = self.journal.answers()
        by_receipt: dict[int, list[Given]] = {}
        journal: list[dict[str, object]] = []
        for row in answers:
            given = row.given(live.rules.orders)
            journal.append(
                {
                    "key": given.key,
                    "seat": given.seat,
                    "answer": answer_to_data(given.answer),
                    "origin": given.origin,
                    "by": given.by,
                }
            )
            if given.origin == LETTER and given.by.startswith("receipt:"):
                by_receipt.setdefault(int(given.by.partition(":")[2]), []).append(given)
        leaves = [
            Leaf(givens[0].seat, self._salt(f"leaf|{n}"), orders_text(givens))
            for n, givens in by_receipt.items()
        ]
        self.log("opened", opened_orders(leaves))
        self.log("act", dicelog.act("moderator", "journal", answers=journal, state=live.game.hash()))
        self.log("end", live.croupier.end())
        live.status = "over"

    def answer(self, seat: str, letter: Letter, outcome: Outcome) -> None:
        """Dispatches: the reply to the letter's seat, and reports to the others when the game has gone on."""
        live = self.live
        ended = live.over and not self.over_before
        reply = Dispatch(
            OVER if ended else REPLY,
            replies=tuple(outcome.replies),
            notes=tuple(outcome.notes),
            sections=tuple(outcome.sections),
            picture=outcome.picture or self.moved,
            form=self.asked(seat) and not outcome.trial,
            log=live.last_entry.n if ended or outcome.dice else 0,
            receipt=self.receipt,
        )
        if outcome.resend:
            last = last_report(self.moderator.store, live.id, seat)
            if last is not None:
                live.affairs.reported[seat] = last.after
        self.in_reply_to[seat] = letter.message_id
        self.say(seat, reply)
        for other in live.seats:
            if other == seat or not self.moved:
                continue
            if ended:
                self.say(other, Dispatch(OVER, picture=True, log=live.last_entry.n))
            elif self.asked(other) or (self.boundary and len(live.seats) > 2):
                self.say(other, Dispatch(REPORT, picture=True, form=self.asked(other)))

    def asked(self, seat: str) -> bool:
        """Whether a seat is asked something that it has not answered."""
        game = self.live.game
        return not self.live.over and any(not game.answered(q.key) for q in game.open_to(seat))

    def say(self, seat: str, dispatch: Dispatch) -> None:
        """A letter to a seat, with everything it has not been told yet."""
        live = self.live
        after = live.affairs.reported.get(seat, 0)
        self.dispatches[seat] = msgspec.structs.replace(
            dispatch,
            after=after,
            upto=self.journal.position.events,
            answers=live.game.answers,
            settled=tuple(
                Settled(kind, answer_to_data(given.answer), given.origin, given.by)
                for given, kind in self.settled
                if given.seat == seat and given.origin != ONLY
            ),
            step=self.step,
            proofs=tuple(live.affairs.proofs.pop(seat, ())),
            saved=live.affairs.saved,
            resigned=live.affairs.resigned,
        )
        live.affairs.reported[seat] = self.journal.position.events

    def write(self) -> None:
        """Put the dispatches into the outbox and the game's row up to date."""
        live, journal = self.live, self.journal
        head = live.last_entry.head
        for seat, dispatch in self.dispatches.items():
            row = live.seats[seat]
            number = self.letter_id or 0
            secret = hmac.new(
                live.roots.root, f"message|{seat}|{number}".encode(), hashlib.sha256
            ).hexdigest()
            identifier = desk.message_id(live.id, seat, number, secret, self.moderator.settings.host)
            said = msgspec.structs.replace(dispatch, head=head)
            reply_to = self.in_reply_to.get(seat, "")
            journal.dispatch(Sending(row.address, dispatch.kind, identifier, said, seat, reply_to))
        journal.update(
            status="over" if live.over else "running", steps=live.croupier.last_step, data=live.affairs
        )

    def _salt(self, what: str) -> str:
        return hmac.new(
            self.live.roots.root, f"pbem-leaf/1|{self.live.id}|{what}".encode(), hashlib.sha256
        ).hexdigest()[:32]


def orders_text(givens: Sequence[Given]) -> str:
    """A letter's answers as canonical text: what its leaf seals."""
    answers = [[given.key, answer_to_data(given.answer)] for given in givens]
    return dicelog.canonical(answers).decode()


def stamp(at: datetime) -> str:
    """A time as the log writes it."""
    return at.strftime("%Y-%m-%dT%H:%M:%SZ")


def rules_digest(name: str) -> str:
    """The digest of a game's rules as printed in genesis: of its words, options and scenarios."""
    rules = games.load(name)
    kinds = {kind: sorted(words) for kind, words in rules.vocabulary.kinds.items()}
    orders = sorted(order.kind() for order in rules.orders)
    scenarios = {
        scenario: hashlib.sha256(state_bytes(rules.setup(scenario, default_options(name)))).hexdigest()
        for scenario in rules.scenarios
    }
    return hashlib.sha256(dicelog.canonical([name, kinds, orders, scenarios])).hexdigest()


def default_options(name: str) -> dict[str, str]:
    """The options of a game as they are unless chosen otherwise."""
    return {option.name: option.values[0] for option in games.load(name).options}


def check_setup(
    name: str, scenario: str, options: Mapping[str, str], players: Mapping[str, Player]
) -> dict[str, str]:
    """All options of a game to be opened. Raises BadGame."""
    rules = games.load(name)
    if scenario not in rules.scenarios:
        raise BadGame(f"{name} has no scenario {scenario!r}; it has: {', '.join(rules.scenarios)}")
    chosen = default_options(name)
    for option, value in options.items():
        values = next((known.values for known in rules.options if known.name == option), None)
        if values is None:
            raise BadGame(f"{name} has no option {option!r}; it has: {', '.join(chosen) or 'none'}")
        if value not in values:
            raise BadGame(f"option {option} is one of {', '.join(values)}, not {value!r}")
        chosen[option] = value
    seats = rules.scenarios[scenario].seats
    if set(players) != set(seats):
        raise BadGame(f"{scenario} has the seats {', '.join(seats)}; given: {', '.join(players) or 'none'}")
    addresses = [player.address.strip().lower() for player in players.values()]
    if any("@" not in address for address in addresses):
        raise BadGame("every seat needs an address")
    return chosen


def _genesis_note(genesis: dicelog.Body) -> Note:
    return Note(
        "genesis",
        {
            "anchor": str(genesis["anchor"]),
            "secret_anchor": str(genesis["secret_anchor"]),
            "steps": int(str(genesis["steps"])),
        },
    )


def _language(letter: Letter, otherwise: str) -> str:
    """French where the letter looks French."""
    words = set(letter.text.lower().split()) | set(letter.subject.lower().split())
    return "fr" if words & {"bonjour", "je", "est", "une", "aide", "merci", "partie"} else otherwise


__all__ = ["BadGame", "Handled", "Moderator", "Player", "Settings"]
