"""The journal: everything that a letter brings about, in one transaction.

Rows are collected and written together at the end, so that a letter costs one commit and a handful of
statements. While a journal is open nobody else writes to its game: on PostgreSQL the game's row is locked,
on SQLite the database takes one writer at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from datetime import datetime
from typing import TYPE_CHECKING, Any

import msgspec
from sqlalchemy.engine import Connection
from sqlmodel import Session, col, select

from pbem.dice.draw.croupier import DealtCard, Drawn
from pbem.dice.log.entries import Entry, canonical
from pbem.kernel.event import Told
from pbem.kernel.game import Checkpoint, Given
from pbem.kernel.order import Seat
from pbem.letters.message import Message
from pbem.store.engine import Conflict, NoSuchGame, OutOfStep, Statements, plain
from pbem.store.records import Card, Loaded, Position, Received, Sending, deflate, read_proofs, read_told
from pbem.store.statements import INSERTS
from pbem.store.tables import KEPT, LIVE, UNDONE, AnswerRow, GameRow, GameStatus, LetterStatus, SeatRow

if TYPE_CHECKING:
    from pbem.store.store import Store

_ENCODE = msgspec.json.Encoder().encode
_RAW = INSERTS["dispatch"].index("raw")
_ORDER = [*(name for name in INSERTS if name not in ("letter", "game")), "letter done", "position"]


class Journal:
    """One transaction. Made by `Store.journal`; commits when its `with` ends, unless that raised."""

    def __init__(self, store: Store, connection: Connection, game_id: str | None, at: datetime) -> None:
        self.game_id = game_id
        self.at = at
        self.sql: Statements = store.sql
        self._store = store
        self._connection = connection
        driver = connection.connection.driver_connection
        assert driver is not None
        self._driver: Any = driver
        self._cursor: Any = self._driver.cursor()
        self._at = self.sql.stamp(at)
        self._rows: dict[str, list[tuple[Any, ...]]] = {}
        self._sendings: list[Sending] = []
        """Whose rows are not written yet."""
        self._told: list[Told] = []
        self._position: Position | None = None
        if game_id is not None:
            self._lock(game_id)

    @property
    def position(self) -> Position:
        """How far the game has come, what is written here included."""
        if self._position is None:
            raise NoSuchGame("this journal is about no game")
        return self._position

    def _lock(self, game_id: str) -> None:
        with self._together():
            self._run("lock", game_id)
        found = self._cursor.fetchone()
        if found is None:
            raise NoSuchGame(game_id)
        self._position = Position(*found)

    def create(self, game: GameRow, seats: Iterable[SeatRow], *, root: bytes, zroot: bytes) -> None:
        """A new game with its seats and seeds; the rest of this journal is about it."""
        if self.game_id is not None:
            raise Conflict(f"this journal is about {self.game_id}")
        self._run(
            "game",
            *(game.id, game.rules, game.scenario, game.options, game.mode, game.status, game.lang),
            *(self.sql.stamp(game.created_at), 0, 0, 0, 0, "", game.data),
        )
        self.game_id = game.id
        self._position = Position(0, 0, 0, 0, "", game.status, game.data, game.lang)
        self._add("secret", (game.id, root, zroot))
        for seat in seats:
            self._add("seat", (game.id, *_seat_columns(seat)))

    def set_seat(self, row: SeatRow) -> None:
        """Put a seat as it is now: another player, address, language, token or SALT word."""
        self._add("seat", (self._game(), *_seat_columns(row)))

    def receive(
        self,
        message: Message,
        *,
        digest: str,
        message_id: str = "",
    ) -> Received:
        """Keep a message, and how far its mailbox has been read. A second copy changes nothing (`is_new`)."""
        name, source = plain(message_id, 500), plain(message.source)
        uidvalidity, uid = message.numbers
        if message.moves_cursor:
            self._add("cursor", (source, message.uidvalidity, message.uid, message.mark))
        row = (source, uidvalidity, uid, name, digest, self._at, message.raw, "new", None, None, "", True)
        if self.sql.sqlite:
            found = self._one("letter", *row)
            if found is not None:
                return Received(found[0], True, "new")
        else:
            found = self._one("letter or known", *row, name, digest)
            if found is not None:
                return Received(*found)
        # On PostgreSQL only when somebody else was faster by a hair.
        known = self._one("letter known", name, digest)
        assert known is not None
        return Received(known[0], False, known[1])

    def handled(
        self, letter_id: int, status: LetterStatus, *, seat: Seat | None = None, note: str = ""
    ) -> None:
        """Note what became of a letter, and whose it was."""
        self._add("letter done", (status, self.game_id, seat, plain(note), letter_id))

    def answer(self, given: Given, *, letter_id: int | None = None, kind: str = "") -> int:
        """The next answer; its number."""
        position = self._change()
        position.answers += 1
        data = _ENCODE(given.answer).decode()
        self._add(
            "answer",
            (
                *(self.game_id, position.answers, given.key, kind, given.seat, given.origin, given.by),
                *(data, letter_id, self._at),
            ),
        )
        return position.answers

    def draws(self, draws: Iterable[Drawn], *, answer: int | None = None) -> None:
        """What the croupier drew on answer number `answer` (the last one). A label that counts is refused.

        The number says whether a rollback undoes the draw: in a journal of several answers, give each
        answer's draws and events before the next answer, or with its number.
        """
        position = self.position
        on = position.answers if answer is None else answer
        for drawn in draws:
            data = _ENCODE(drawn).decode()
            key = (self.game_id, drawn.label)
            self._add("draw", (*key, drawn.step, on, LIVE, data, *key))

    def entries(self, entries: Iterable[Entry]) -> None:
        """The next entries of the log."""
        position = self._change()
        for entry in entries:
            if entry.n != position.log_n + 1 or (position.log_n and entry.prev != position.log_hash):
                raise OutOfStep(f"entry {entry.n} of {self.game_id} does not follow entry {position.log_n}")
            body = canonical(entry.body).decode()
            self._add("entry", (self.game_id, entry.n, entry.kind, entry.at, body, entry.prev, entry.hash))
            position.log_n, position.log_hash = entry.n, entry.hash

    def events(self, told: Iterable[Told], *, answer: int | None = None) -> None:
        """What happened on answer number `answer` (the last one)."""
        position = self._change()
        on = position.answers if answer is None else answer
        for one in told:
            if one.n != position.events + 1:
                raise OutOfStep(f"event {one.n} of {self.game_id} does not follow event {position.events}")
            position.events = one.n
            to = None if one.to is None else _ENCODE(one.to).decode()
            data = _ENCODE(one.event).decode()
            self._add("event", (self.game_id, one.n, data, to, on, self._at))
            self._told.append(one)

    def told(self, after: int, upto: int, events: msgspec.json.Decoder[Any]) -> list[Told]:
        """The events above `after` up to `upto`, those of this transaction included; see `EventRow.told`."""
        if after >= upto:
            return []
        here = self._told
        if not here or here[0].n > after + 1:
            self.flush()
            return read_told(self._cursor.execute(self.sql["told"], (self._game(), after, upto)), events)
        return [one for one in here if after < one.n <= upto]

    def checkpoint(self, checkpoint: Checkpoint, moment: str = "") -> None:
        """A position to take the game up from. Of several at the same answer the last one stands."""
        if checkpoint.answers > self.position.answers:
            raise OutOfStep(f"a checkpoint of {self.game_id} lies ahead of its answers")
        self._add(
            "checkpoint",
            (
                *(self._game(), checkpoint.answers, checkpoint.events, deflate(checkpoint.state)),
                *(plain(moment), self._at),
            ),
        )

    def standing(self, seat: Seat, orders: Sequence[tuple[Any, str]]) -> None:
        """The standing orders of a seat from now on: the record of each and its text."""
        self.flush()
        self._run("standing gone", self._game(), seat)
        for n, (order, text) in enumerate(orders, 1):
            self._add("standing", (self.game_id, seat, n, _ENCODE(order).decode(), plain(text), self._at))

    def proofs(self, dealt: Iterable[DealtCard]) -> None:
        """Cards shown to single seats. What is shown to everyone stands in the log."""
        for card in dealt:
            if card.to is not None:
                data = _ENCODE(card).decode()
                self._add("proof", (self._game(), card.to, card.label, card.step, card.position, data))

    def proof_lines(self, seat: Seat, cards: Collection[Card]) -> list[str]:
        """The proofs of cards dealt to a seat, in this transaction or before."""
        self.flush()
        since = min(step for _, step, _ in cards)
        return read_proofs(self._cursor.execute(self.sql["proofs"], (self._game(), seat, since)), cards)

    def dispatch(self, sending: Sending, *, next_at: datetime | None = None) -> None:
        """Put a letter into the outbox, to be sent at once or not before `next_at`."""
        due = self._at if next_at is None else self.sql.stamp(next_at)
        self._sendings.append(sending)
        self._add(
            "dispatch",
            (
                *(self.game_id, sending.seat, plain(sending.address), sending.kind),
                *(plain(sending.message_id, 500), plain(sending.in_reply_to), _ENCODE(sending.data).decode()),
                *(sending.raw, "waiting", 0, due, self._at, ""),
            ),
        )

    def replace_index(self) -> None:
        """An index of the public thread that is not on its way yet is not sent: a newer one follows."""
        self.flush()
        self._run("index replaced", self._game())

    def withdraw(self, seat: Seat, reason: str) -> None:
        """Letters to a seat that are not on their way yet are not sent: they were for somebody else."""
        self.flush()
        self._run("letters withdrawn", plain(reason), self._game(), seat)

    def update(
        self,
        *,
        status: GameStatus | None = None,
        steps: int | None = None,
        lang: str | None = None,
        data: Any = msgspec.UNSET,
        next_at: datetime | msgspec.UnsetType | None = msgspec.UNSET,
    ) -> None:
        """Change the game's row."""
        position = self._change()
        if status is not None:
            position.status = status
        if steps is not None:
            if steps < position.steps:
                raise OutOfStep(f"{self.game_id} has used step {position.steps} already")
            position.steps = steps
        if lang is not None:
            position.lang = lang
        if data is not msgspec.UNSET:
            position.data = _ENCODE(data).decode()
        if next_at is not msgspec.UNSET:
            position.next_at = None if next_at is None else self.sql.stamp(next_at)

    def act(self, by: str, kind: str, data: Any = None) -> int:
        """Something that was done to the game, other than by playing it; its number."""
        self.flush()
        found = self._one("acts", self._game())
        assert found is not None
        n: int = found[0] + 1
        self._add("act", (self.game_id, n, self._at, plain(by), kind, _ENCODE(data).decode()))
        return n

    def rollback_to(self, *, answers: int, by: str, reason: str, keep: bool = True) -> int:
        """Take the game back to where that many answers had been given; the number of the act.

        Later answers, events and checkpoints go; the log and the letters stay. With `keep` the draws undone
        wait for their labels to be asked for again, without they only stay for the audit.
        """
        position = self._change()
        if not 0 <= answers <= position.answers:
            raise OutOfStep(f"{self.game_id} has {position.answers} answers, not {answers}")
        self.flush()
        game_id = self._game()
        before = {"from": position.answers, "to": answers, "reason": reason, "keep": keep}
        left = self._one("events left", game_id, answers)
        events: int = 0 if left is None else left[0]
        self._run("events back", game_id, events)
        self._told.clear()
        self._run("answers back", game_id, answers)
        self._run("checkpoints back", game_id, answers)
        if not keep:
            self._run("draws undone", game_id)
        self._run("draws back", KEPT if keep else UNDONE, game_id, answers)
        position.answers, position.events = answers, events
        position.changed = True
        return self.act(by, "rollback", before)

    def put_into_words(self, write: Callable[[Journal, Sending], bytes | None]) -> None:
        """Give every letter of this transaction its bytes, where `write` has them already."""
        if not self._sendings:
            return
        # Taken out meanwhile, for the writer may have to read what is not written yet.
        sendings, rows = self._sendings, self._rows.pop("dispatch")
        self._rows["dispatch"] = [
            row if sending.raw is not None else (*row[:_RAW], write(self, sending), *row[_RAW + 1 :])
            for row, sending in zip(rows, sendings, strict=True)
        ]

    def close(self) -> None:
        """Write the rest; then it is over."""
        self.flush(last=True)
        self._cursor.close()

    def answers(self) -> list[AnswerRow]:
        """All answers of the game, those of this transaction included."""
        self.flush()
        query = select(AnswerRow).where(AnswerRow.game_id == self._game()).order_by(col(AnswerRow.n))
        with Session(self._connection, expire_on_commit=False) as session:
            return list(session.exec(query))

    def load(self, *, at_answer: int | None = None) -> Loaded:
        """The game as it stands in this transaction."""
        self.flush()
        return self._store.load_with(self._connection, self._game(), at_answer)

    def flush(self, *, last: bool = False) -> None:
        """Write what has been collected. On PostgreSQL the commit goes out together with the last of it."""
        rows, self._rows = self._rows, {}
        self._sendings = []
        position = self._position
        if position is not None and position.changed:
            position.changed = False
            rows["position"] = [
                (
                    *(position.answers, position.events, position.steps, position.log_n, position.log_hash),
                    *(position.status, position.data, position.lang, position.next_at, self.game_id),
                )
            ]
        if not rows:
            return
        draws = rows.pop("draw", [])
        if draws:
            with self._together():
                self._write("draw", draws)
            if self._cursor.rowcount != len(draws):
                raise Conflict(f"a draw of {self.game_id} is on record already: {[row[1] for row in draws]}")
        with self._together():
            for name in _ORDER:
                if name in rows:
                    self._write(name, rows[name])
            if last and not self.sql.sqlite:
                self._driver.commit()

    def _write(self, name: str, rows: list[tuple[Any, ...]]) -> None:
        if len(rows) == 1:
            self._cursor.execute(self.sql[name], rows[0])
        else:
            self._cursor.executemany(self.sql[name], rows)

    def _together(self) -> AbstractContextManager[object]:
        """On PostgreSQL the statements within go out together, and their answers are waited for once."""
        pipeline: AbstractContextManager[object] = (
            nullcontext() if self.sql.sqlite else self._driver.pipeline()
        )
        return pipeline

    def _add(self, name: str, row: tuple[Any, ...]) -> None:
        found = self._rows.get(name)
        if found is None:
            self._rows[name] = [row]
        else:
            found.append(row)

    def _run(self, name: str, *values: Any) -> None:
        self._cursor.execute(self.sql[name], values)

    def _one(self, name: str, *values: Any) -> tuple[Any, ...] | None:
        found: tuple[Any, ...] | None = self._cursor.execute(self.sql[name], values).fetchone()
        return found

    def _game(self) -> str:
        if self.game_id is None:
            raise NoSuchGame("this journal is about no game")
        return self.game_id

    def _change(self) -> Position:
        position = self.position
        position.changed = True
        return position


def _seat_columns(row: SeatRow) -> tuple[Any, ...]:
    return (
        row.seat,
        plain(row.name),
        plain(row.address),
        row.lang,
        row.token_hash,
        plain(row.salt),
        row.data,
    )
