"""A turn: what one letter, or one stroke of the clock, brings about in a game, written down together."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence
from datetime import UTC, datetime

import msgspec

from pbem.campaign.campaign import Campaign
from pbem.campaign.deadlines import clock, vacancies
from pbem.campaign.intake import sender
from pbem.campaign.outgoing import couriers, press_delivery, thread, unchanged
from pbem.campaign.outgoing.dispatch import (
    NOTICE,
    OVER,
    REPLY,
    REPORT,
    START,
    Dispatch,
    Note,
    Receipt,
    Settled,
    Waits,
)
from pbem.campaign.table.tables import (
    SUBSTITUTE_ACTS,
    THREAD,
    Awaited,
    Draft,
    Live,
    Person,
    SealedText,
    Shown,
    Suspended,
    position,
)
from pbem.dice.draw.croupier import AwaitBeacon, Drawn, Round, Sealed
from pbem.dice.log import entries as dicelog
from pbem.dice.log.receipts import Leaf, opened_orders
from pbem.kernel.event import Told
from pbem.kernel.game import LETTER, ONLY, STANDING, Game, Given
from pbem.kernel.order import Order, answer_from_data, answer_to_data
from pbem.store.journal import Journal
from pbem.store.records import Sending
from pbem.store.tables import UNDONE, GameStatus, SeatRow

PIECE = 1000
"""So many answers, and so many opened letters, stand in one entry of the log at its end."""
AGREEMENT = "agreement"
"""What a signature answers: no question."""
_WEIGHT = {NOTICE: 0, REPORT: 1, REPLY: 2, START: 3, OVER: 4}
"""Of two letters to the same seat one is made, of the weightier kind."""
_OPEN = ("close", "result", "opened", "rollback", "source", "end")
"""Entries of the log of which everyone knows at once. Letters name no later ones: their number would tell what others
write for themselves."""


class _Played(msgspec.Struct, frozen=True):
    """What one answer brought about; `asked` says that a letter gave it, and nothing else."""

    given: Given | None
    kind: str
    told: list[Told]
    draws: tuple[Drawn, ...]
    asked: bool


class Turn:
    """What one letter brings about in a game, collected and then written down together."""

    def __init__(self, campaign: Campaign, journal: Journal, live: Live, letter_id: int | None) -> None:
        self.campaign = campaign
        self.journal = journal
        self.live = live
        self.letter_id = letter_id
        self.receipt: Receipt | None = None
        self.settled: list[tuple[Given, str]] = []
        self.written = journal.at
        """When the letter was written, as far as somebody vouches for that: a board does for its posts."""
        self.boundary = False
        """Whether a bulletin was passed: everyone gets a report."""
        self.struck: set[str] = set()
        """Who is to hear at once of what has happened."""
        self.step = 0
        self.moved = False
        self.over_before = live.over
        self._open_before = frozenset(live.game.questions)
        self.dispatches: dict[str, Dispatch] = {}
        self.in_reply_to: dict[str, str] = {}
        self.copies: dict[str, str] = {}
        """Another address that gets the letter to a seat as well."""
        self._notes: dict[str, list[Note]] = {}
        self._parting: list[str] = []
        self._log_before = live.last_entry.n
        self._vacated: list[str] = []
        self._dead_before = frozenset(live.rules.dead(live.game.state))

    def counted(self, what: str, times: int = 1) -> None:
        """Note for the statistics that something was done."""
        self.campaign.tally[what] += times

    def note(self, seat: str, note: Note) -> None:
        """Something that a seat has to be told, with whatever else it is told now."""
        notes = self._notes.setdefault(seat, [])
        if note not in notes:
            notes.append(note)

    def part_with(self, seat: str) -> None:
        """Somebody beside the table leaves; the letter of this turn is the last one."""
        self._parting.append(seat)
        self.log("act", dicelog.act(seat, "leave"))
        self.journal.act(seat, "leave")

    def _let_go(self, seat: str) -> None:
        """The place stays empty for ever, so that its old token never opens another's letters."""
        row = self.live.staff.pop(seat)
        person = row.read(Person)
        data = msgspec.json.encode(Person(generation=person.generation + 1, role=person.role)).decode()
        gone = SeatRow(game_id=self.live.id, seat=seat, name=row.name, lang=row.lang, data=data)
        self.journal.set_seat(gone)

    def log(self, kind: str, body: dicelog.Body) -> dicelog.Entry:
        """One more entry of the log."""
        # Whatever happens to our clock, the log never goes back in time.
        at = max(stamp(self.journal.at), self.live.last_entry.at)
        entry = dicelog.append(self.live.last_entry, kind, at, body)
        self.journal.entries([entry])
        self.live.last_entry = entry
        if kind in _OPEN:
            self.live.affairs.shown = Shown(entry.n, entry.head)
        return entry

    def seal_orders(self, seat: str, givens: Sequence[Given]) -> tuple[str, str]:
        """The leaf, in the next entry of the log, of a letter's or an act's orders; and its salt."""
        leaf, salt = self._seal(seat, orders_text(givens))
        self.live.affairs.pending.append(leaf)
        return leaf, salt

    def seal_text(self, author: str, text: str) -> tuple[str, str]:
        """The same of what is no answer: standing orders, a correction."""
        leaf, salt = self._seal(author, text)
        affairs = self.live.affairs
        affairs.pending.append(leaf)
        affairs.sealed.append(SealedText(self.live.last_entry.n + 1, author, text))
        return leaf, salt

    def _seal(self, author: str, text: str) -> tuple[str, str]:
        salt = self.salt(f"leaf|{self.live.last_entry.n + 1}")
        return Leaf(author, salt, text).digest.hex(), salt

    def receive(self, seat: str, digest: str, leaf: str, salt: str) -> int:
        """A receipt for a letter, in the log and for its player; the number of its entry."""
        n = self.log("receipt", {"player": seat, "letter": digest, "leaf": leaf}).n
        self.receipt = Receipt(self.live.affairs.shown.n, leaf, salt)
        return n

    def leaf_of(self, sealed: SealedText) -> str:
        """The leaf of what was sealed."""
        return Leaf(sealed.author, self.salt(f"leaf|{sealed.n}"), sealed.text).digest.hex()

    def read_strictly(self, seat: str, strict: bool) -> None:
        """Whether a player is asked about orders in his own words, from now on."""
        row = self.live.people[seat]
        person = row.read(Person)
        person.strict = strict
        row.data = msgspec.json.encode(person).decode()
        self.journal.set_seat(row)

    def order(
        self,
        seat: str,
        digest: str,
        givens: Sequence[Given],
        letter_id: int | None = None,
        *,
        came_early: bool = False,
    ) -> None:
        """A letter's orders: receipt, answers, and whatever follows from them."""
        self._punctual(seat, givens, came_early)
        n = self.receive(seat, digest, *self.seal_orders(seat, givens))
        self.give(
            [msgspec.structs.replace(given, by=f"receipt:{n}") for given in givens],
            letter_id or self.letter_id,
        )

    def give(self, givens: Sequence[Given], letter_id: int | None = None) -> None:
        """Answers, and whatever follows from them. Those without a letter are shown to their seats."""
        live = self.live
        salts = {row.seat: row.salt for row in live.seats.values() if row.salt}
        leaves = [Sealed(bytes.fromhex(digest)) for digest in live.affairs.pending]
        live.croupier.begin(leaves, salts, now=self._seconds())
        try:
            played = self._play(givens)
        except AwaitBeacon:
            self.wait(givens, letter_id)
            # The rules ended with the draw that could not be made.
            live.game = position(self.journal.load(), live.croupier)
        else:
            self._write_down(played, letter_id)

    def _seconds(self) -> int:
        """The time that the next entry of the log will bear, in seconds since 1970."""
        written = datetime.fromisoformat(self.live.last_entry.at).timestamp()
        return int(max(self.journal.at.timestamp(), written))

    def wait(self, givens: Sequence[Given], letter_id: int | None, *, start: bool = False) -> None:
        """The dice hang on a round that does not exist yet: what was ordered is closed, and waits for it."""
        live = self.live
        for kind, close in live.croupier.suspend():
            self.log(kind, close)
        live.affairs.pending.clear()
        awaited = live.croupier.awaited
        assert awaited is not None
        at = datetime.fromtimestamp(awaited.at, UTC)
        suspended = [
            Suspended(given.key, given.seat, answer_to_data(given.answer), given.origin, given.by)
            for given in givens
        ]
        live.affairs.awaited = Awaited(awaited.round, at, close, suspended, letter_id or 0, start)
        for seat in live.people:
            self.note(seat, Note("awaiting", {"round": awaited.round, "at": clock.when(live, at, seat)}))

    def draw(self, beacon: Round) -> bool:
        """The round of a closed step is there: play what was closed. Whether these were the first draws."""
        live = self.live
        awaited = live.affairs.awaited
        assert awaited is not None
        live.affairs.awaited = None
        live.croupier.take_up(awaited.close, beacon)
        if awaited.start:
            live.game = Game(live.rules, live.game.last_checkpoint, live.croupier)
        kinds = live.rules.orders
        givens = [
            Given(one.key, one.seat, answer_from_data(one.answer, kinds), one.origin, one.by)
            for one in awaited.givens
        ]
        self._write_down(self._play(givens), awaited.letter_id or None)
        for seat in dict.fromkeys(given.seat for given in givens):
            self.say(seat, Dispatch(REPORT, picture=True, form=self.asked(seat)))
        for seat in list(live.affairs.drafts):
            if live.affairs.awaited is None and seat not in live.affairs.waiting:
                self.release(seat)
        return awaited.start

    def _punctual(self, seat: str, givens: Sequence[Given], came_early: bool) -> None:
        """Whether a letter with orders kept its deadline; one that we kept waiting ourselves always did."""
        live = self.live
        dues = [due for given in givens if (due := live.affairs.dues.get(given.key)) is not None]
        if not dues:
            return
        record = live.record(seat)
        reached = live.person(seat).unreachable is None
        if reached and not came_early and all(due.at < self.written for due in dues):
            record.late += 1
            self.counted("late")
        else:
            record.on_time += 1
            self.counted("on_time")

    def keep(self, seat: str, digest: str, givens: Sequence[Given]) -> None:
        """The orders of a seat that waits: not final before its READY or the deadline."""
        drafts = {draft.key: draft for draft in self.live.affairs.drafts.get(seat, ())}
        for given in givens:
            drafts[given.key] = Draft(given.key, answer_to_data(given.answer), digest, self.letter_id or 0)
        self.live.affairs.drafts[seat] = list(drafts.values())

    def release(self, seat: str) -> bool:
        """The orders that a seat kept back are final now; whether there were any that still stand."""
        live = self.live
        live.affairs.waiting = [waits for waits in live.affairs.waiting if waits != seat]
        drafts = live.affairs.drafts.pop(seat, [])
        released = False
        for n, draft in enumerate(drafts):
            if live.affairs.awaited is not None:
                live.affairs.drafts[seat] = drafts[n:]
                break
            question = live.game.questions.get(draft.key)
            if question is None or live.game.answered(draft.key):
                continue
            answer = answer_from_data(draft.answer, live.rules.orders)
            if question.check(live.game.view(seat), answer):
                self.note(seat, Note("draft_illegal"))
                continue
            given = Given(draft.key, seat, answer, LETTER)
            self.order(seat, draft.letter, [given], draft.letter_id, came_early=True)
            released = True
        return released

    def go_on(self) -> None:
        """Settle what needs nobody, and write down what has happened."""
        self._write_down(self._play(()), None)

    def _play(self, givens: Sequence[Given]) -> list[_Played]:
        """Put answers into the game and settle what needs nobody; nothing is written down yet."""
        live, game = self.live, self.live.game
        kinds: dict[str, str] = {}
        drawn = 0

        def brought(given: Given | None, kind: str) -> _Played:
            nonlocal drawn
            new = tuple(live.croupier.draws[drawn:])
            drawn += len(new)
            return _Played(given, kind, game.take_told(), new, given in givens)

        def standing(seat: str) -> list[Order]:
            kinds.update((key, question.kind()) for key, question in game.questions.items())
            return [*live.standing.get(seat, ()), *live.rules.defaults]

        if live.affairs.customs.couriers is not None:
            couriers.provide(live.croupier, len(live.affairs.rides))
        played = [brought(None, "")]
        for given in givens:
            question = game.questions.get(given.key)
            kind = question.kind() if question is not None else AGREEMENT
            game.give(given)
            played.append(brought(given, kind))
        game.settle(standing, note=lambda given: played.append(brought(given, kinds[given.key])))
        return played

    def _write_down(self, played: Sequence[_Played], letter_id: int | None) -> None:
        """Answers, events, draws, checkpoints and log entries of what has been played."""
        live, journal, game, croupier = self.live, self.journal, self.live.game, self.live.croupier
        for one in played:
            answer = journal.position.answers
            if one.given is not None:
                answer = journal.answer(one.given, letter_id=letter_id if one.asked else None, kind=one.kind)
                if not one.asked or letter_id is None:
                    self.settled.append((one.given, one.kind))
                if one.given.origin == STANDING:
                    spared = live.affairs.spared
                    spared[one.given.seat] = spared.get(one.given.seat, 0) + 1
            journal.events(one.told, answer=answer)
            self.struck.update(seat for told in one.told for seat in told.strikes)
            journal.draws(one.draws, answer=answer)
            self.moved = self.moved or bool(one.told) or (one.given is not None and not one.asked)
        for checkpoint in game.take_checkpoints():
            journal.checkpoint(checkpoint, live.rules.moment(game.state))
            self.boundary = self.boundary or checkpoint.report
            if checkpoint.report:
                live.affairs.bulletins = [*live.affairs.bulletins[-1:], checkpoint.events]
        for kind, body in croupier.finish(game.hash()):
            self.log(kind, body)
            if kind == "close":
                live.affairs.pending.clear()
            if kind == "result":
                self.step = croupier.last_step
        journal.proofs(croupier.proofs)
        for dealt in croupier.proofs:
            if dealt.to is not None:
                card = (dealt.label, dealt.step, dealt.position)
                live.affairs.proofs.setdefault(dealt.to, []).append(card)
        if game.over:
            self._close_log()

    def resign(self, seat: str) -> None:
        """A seat gives the game up: it ends where only one is left, else a caretaker plays the seat at once."""
        self.log("act", dicelog.act(seat, "resign"))
        gone = [one for one in self.live.seats if one == seat or self.live.person(one).vacant]
        if vacancies.left_without(self.live, seat) > 1:
            vacancies.vacate(self, seat)
            self._vacated.append(seat)
            return
        self.live.affairs.resigned = " ".join(gone)
        self.moved = True
        self._close_log()

    def empty(self, seat: str) -> None:
        """Whoever is out of the game wants no more letters."""
        self.log("act", dicelog.act(seat, "leave"))
        self._vacated.append(seat)

    def agree(self, how: str) -> None:
        """The players end the game by a vote."""
        self.live.affairs.agreed = how
        self.log("act", dicelog.act("players", "agree", how=how))
        self.moved = True
        self._close_log()

    def _close_log(self) -> None:
        """Open all sealed orders and both seeds, so that anyone can audit and replay the whole game."""
        live = self.live
        self.journal.flush()
        answers = self.journal.answers()
        by_entry: dict[int, list[Given]] = {}
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
            cause, _, n = given.by.partition(":")
            if cause == "receipt" or (cause == "master" and live.affairs.edition > 1):
                by_entry.setdefault(int(n), []).append(given)
        texts = [SealedText(n, givens[0].seat, orders_text(givens)) for n, givens in by_entry.items()]
        texts += live.affairs.sealed
        leaves = [Leaf(one.author, self.salt(f"leaf|{one.n}"), one.text) for one in texts]
        for at in range(0, max(1, len(leaves)), PIECE):
            self.log("opened", opened_orders(leaves[at : at + PIECE]))
        last = (len(journal) - 1) // PIECE * PIECE if journal else 0
        for at in range(0, last, PIECE):
            self.log("act", dicelog.act("moderator", "answers", answers=journal[at : at + PIECE]))
        facts: dict[str, object] = {"answers": journal[last:], "state": live.game.hash()}
        if live.affairs.corrections:
            facts["corrections"] = msgspec.to_builtins(live.affairs.corrections)
        if live.affairs.rides:
            facts["couriers"] = msgspec.to_builtins(live.affairs.rides)
        self.log("act", dicelog.act("moderator", "journal", **facts))
        undone = self.campaign.store.draws(live.id, UNDONE)
        self.log("end", live.croupier.end(row.drawn() for row in undone))
        live.status = "over"

    def spread(self, but: str = "") -> None:
        """Reports to whoever is asked something now, or has to know that a turn, or the game, has ended."""
        live = self.live
        ended = live.over and not self.over_before
        for other in live.people:
            if other == but or not (self.moved or self._newly_asked(other)):
                continue
            if ended:
                self.say(other, Dispatch(OVER, picture=True, log=live.last_entry.n))
            elif other == THREAD:
                thread.tell(self)
            elif other in live.staff:
                if self.boundary:
                    self.say(other, Dispatch(REPORT, picture=True))
            elif self._concerned(other) or (self.boundary and len(live.seats) > 2):
                self.say(other, Dispatch(REPORT, picture=True, form=self.asked(other)))

    def _concerned(self, seat: str) -> bool:
        """Whether a seat gets a letter before the next bulletin: it is asked, struck, or was answered for."""
        return self.asked(seat) or seat in self.struck or self._answered_for(seat)

    def _answered_for(self, seat: str) -> bool:
        """Whether silence, or somebody else, has answered for a seat."""
        return any(given.seat == seat and given.origin not in (ONLY, STANDING) for given, _ in self.settled)

    def _newly_asked(self, seat: str) -> bool:
        """Whether this turn asks a seat something: the answer before may have had nothing to tell."""
        live = self.live
        return seat in live.seats and any(q.key not in self._open_before for q in live.open_to(seat))

    def asked(self, seat: str) -> bool:
        """Whether a seat is asked something that it has not answered."""
        live = self.live
        return not live.over and any(not live.game.answered(q.key) for q in live.open_to(seat))

    def say(self, seat: str, dispatch: Dispatch) -> None:
        """A letter to a seat; with what else is said to it in this turn it becomes one letter."""
        before = self.dispatches.get(seat)
        if before is not None:
            weightier = max(before, dispatch, key=lambda one: _WEIGHT[one.kind])
            dispatch = msgspec.structs.replace(
                weightier,
                replies=before.replies + dispatch.replies,
                notes=before.notes + dispatch.notes,
                sections=before.sections + dispatch.sections,
                whole=before.whole or dispatch.whole,
                whole_map=before.whole_map or dispatch.whole_map,
                picture=before.picture or dispatch.picture,
                form=before.form or dispatch.form,
                log=max(before.log, dispatch.log),
                topic=weightier.topic or before.topic or dispatch.topic,
            )
        self.dispatches[seat] = dispatch

    def _whole(self, seat: str, dispatch: Dispatch) -> Dispatch:
        """A letter with everything that its seat has not been told yet."""
        live = self.live
        after = live.affairs.reported.get(seat, 0)
        asked = self.asked(seat)
        due = clock.deadline_of(live, seat) if asked and not live.affairs.paused else None
        calendar = live.affairs.calendar
        late = due is not None and due <= self.journal.at and calendar is not None
        if late and due is not None and calendar is not None:
            due = calendar.silence(due, live.affairs.last_advance)
        if seat == THREAD and dispatch.kind not in thread.REPORTS:
            # What somebody asks between two reports takes nothing from the next.
            after = self.journal.position.events
        else:
            live.affairs.reported[seat] = self.journal.position.events
        said = msgspec.structs.replace(
            dispatch,
            notes=(*dispatch.notes, *self._notes.get(seat, ())),
            form=dispatch.form and asked and seat not in self._vacated,
            asked=asked,
            due=due,
            late=late,
            waits=() if asked or live.over or live.affairs.awaited is not None else self._on_turn(),
            players=self._players(seat) if dispatch.kind == START else (),
            zone=live.zone(seat),
            at=self.journal.at,
            after=after,
            upto=self.journal.position.events,
            answers=live.game.answers,
            settled=tuple(
                Settled(kind, answer_to_data(given.answer), given.origin, given.by)
                for given, kind in self.settled
                if given.seat == seat and given.origin != ONLY
            ),
            step=self.step,
            beacon=live.affairs.source is not None,
            proofs=tuple(live.affairs.proofs.pop(seat, ())),
            saved=live.affairs.spared.get(seat, 0),
            resigned=live.affairs.resigned,
            agreed=live.affairs.agreed,
            head=live.last_entry.head if live.over else live.affairs.shown.head,
        )
        seen = unchanged.noted(live, seat, said)
        return msgspec.structs.replace(said, unchanged=seen) if seen else said

    def _on_turn(self) -> tuple[Waits, ...]:
        """The seats that are asked for orders, each with its player and its deadline."""
        live = self.live
        return tuple(
            Waits(seat, live.seats[seat].name, None if live.affairs.paused else clock.deadline_of(live, seat))
            for seat in live.seats
            if self.asked(seat)
        )

    def _players(self, seat: str) -> tuple[tuple[str, str], ...]:
        """Who plays the other seats."""
        return tuple((other, row.name) for other, row in self.live.seats.items() if other != seat)

    def write(self) -> None:
        """Put the dispatches into the outbox and the game's row up to date."""
        live, journal = self.live, self.journal
        if vacancies.play(self):
            self.spread()
        vacancies.tell_the_dead(self, self._dead_before)
        if live.affairs.letterbox and (self.boundary or live.over):
            for seat, said in press_delivery.released(live):
                self.say(seat, said)
        for seat, said in press_delivery.arrivals(live, journal.at):
            self.say(seat, said)
        if live.over and not self.over_before:
            for seat, note in press_delivery.captures(live):
                self.note(seat, note)
        next_at = self._next_stroke()
        self._note_deadlines()
        if live.affairs.awaited is not None:
            next_at = live.affairs.awaited.at
        for seat in self._notes:
            self.dispatches.setdefault(seat, Dispatch(NOTICE))
        for seat, dispatch in self.dispatches.items():
            said = self._whole(seat, dispatch)
            reply_to = self.in_reply_to.get(seat, "")
            for address in self._addresses(seat):
                journal.dispatch(
                    Sending(address, dispatch.kind, self._message_id(seat, address), said, seat, reply_to)
                )
        for seat in self._parting:
            self._let_go(seat)
        for seat in self._vacated:
            vacancies.leave_empty(self, seat)
        if THREAD in live.staff and self._public_news():
            thread.write_index(self)
        status: GameStatus = "over" if live.over else "paused" if live.affairs.paused else "running"
        journal.update(status=status, steps=live.croupier.last_step, data=live.affairs, next_at=next_at)

    def _public_news(self) -> bool:
        """Whether anything has changed that the public thread may tell."""
        begins = any(dispatch.kind == START for dispatch in self.dispatches.values())
        return begins or self.moved or self.live.last_entry.n != self._log_before

    def _note_deadlines(self) -> None:
        """Put into the log until when each seat has time, so that no silence can be claimed before it."""
        live = self.live
        if live.affairs.calendar is None or live.over:
            return
        for seat in live.seats:
            until = clock.deadline_of(live, seat)
            if until is None or live.affairs.noted.get(seat) == until:
                continue
            live.affairs.noted[seat] = until
            grace = live.affairs.calendar.grace
            self.log("act", dicelog.act("moderator", "deadline", seat=seat, until=stamp(until), grace=grace))

    def _next_stroke(self) -> datetime | None:
        """When something is next to be done about the game, should nobody write."""
        live = self.live
        strokes = (
            clock.wind(live, self.journal.at),
            press_delivery.next_arrival(live),
            min((one.until for one in live.affairs.proposals if not one.objected), default=None),
            live.affairs.motion.until if live.affairs.motion is not None else None,
        )
        return min((at for at in strokes if at is not None), default=None)

    def _addresses(self, seat: str) -> list[str]:
        """Where a letter to a seat goes: to its player, and to whoever plays in his place."""
        row = self.live.people[seat]
        person = row.read(Person)
        acting = person.substitute if person.acting == SUBSTITUTE_ACTS else ""
        return list(dict.fromkeys(filter(None, (row.address, self.copies.get(seat, ""), acting))))

    def _message_id(self, seat: str, address: str) -> str:
        """The Message-ID of the letter to a seat: one for each letter of ours, whatever caused it."""
        live = self.live
        number = self.letter_id or 0
        name = f"message|{seat}|{number}"
        if not number:
            name += f"|{live.last_entry.n}|{self.journal.at.isoformat()}"
        if address != live.people[seat].address:
            name += f"|{address}"
        secret = hmac.new(live.roots.root, name.encode(), hashlib.sha256).hexdigest()
        return sender.message_id(live.id, seat, secret, self.campaign.settings.host)

    def extra_id(self, what: str) -> str:
        """The Message-ID of a letter that is not the turn's own letter to a seat."""
        name = f"{what}|{self.letter_id or 0}|{self.live.last_entry.n}|{self.journal.at.isoformat()}"
        secret = hmac.new(self.live.roots.root, name.encode(), hashlib.sha256).hexdigest()
        return sender.message_id(self.live.id, "extra", secret, self.campaign.settings.host)

    def salt(self, what: str) -> str:
        """A salt that nobody can guess, the same whenever it is made."""
        return hmac.new(
            self.live.roots.root, f"pbem-leaf/1|{self.live.id}|{what}".encode(), hashlib.sha256
        ).hexdigest()[:32]


def orders_data(orders: Sequence[Order]) -> list[object]:
    """Standing orders as plain data, as the log has them."""
    data: list[object] = msgspec.json.decode(msgspec.json.encode(list(orders)))
    return data


def orders_text(givens: Sequence[Given]) -> str:
    """A letter's answers as canonical text: what its leaf seals."""
    answers = [[given.key, answer_to_data(given.answer)] for given in givens]
    return dicelog.canonical(answers).decode()


def stamp(at: datetime) -> str:
    """A time as the log writes it."""
    return at.strftime("%Y-%m-%dT%H:%M:%SZ")
