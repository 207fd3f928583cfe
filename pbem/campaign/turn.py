"""A turn: what one letter, or one stroke of the clock, brings about in a game, written down together."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

import msgspec

from pbem.campaign import desk
from pbem.campaign.dispatch import OVER, REPLY, REPORT, Dispatch, Receipt, Settled
from pbem.campaign.errands import Outcome, last_report
from pbem.campaign.live import Live, Person
from pbem.dice import log as dicelog
from pbem.dice.croupier import Sealed
from pbem.dice.receipts import Leaf, opened_orders
from pbem.kernel.game import LETTER, ONLY, STANDING, Given
from pbem.kernel.order import answer_to_data
from pbem.letters.letter import Letter
from pbem.reports.catalogue import catalogue
from pbem.store.journal import Journal
from pbem.store.records import Sending

if TYPE_CHECKING:
    from pbem.campaign.moderator import Moderator


class Turn:
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
