"""The store: games, letters and dispatches in a database, SQLite by default, PostgreSQL by URL."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any, get_args

import msgspec
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import DBAPIError
from sqlmodel import Session, col, func, select

from pbem.dice.draw.croupier import Drawn
from pbem.dice.log.entries import Entry
from pbem.kernel.event import Told
from pbem.kernel.order import Seat
from pbem.letters.message import Cursor, Message
from pbem.store import schema
from pbem.store.engine import (
    IMMEDIATE,
    Conflict,
    NoSuchGame,
    OutOfStep,
    StoreError,
    Unavailable,
    open_engine,
    plain,
)
from pbem.store.journal import Journal
from pbem.store.outbox import Outbox
from pbem.store.records import (
    Card,
    Draws,
    Loaded,
    Received,
    Roots,
    read_proofs,
    read_told,
    to_checkpoint,
    to_entry,
)
from pbem.store.statements import statements
from pbem.store.tables import (
    GOING_ON,
    KEPT,
    LIVE,
    ActRow,
    AnswerRow,
    CheckpointRow,
    CursorRow,
    DispatchRow,
    DrawRow,
    EntryRow,
    EventRow,
    GameRow,
    GameStatus,
    LetterRow,
    LetterStatus,
    ProofRow,
    SeatRow,
    SecretRow,
    StandingRow,
    TopicRow,
)

_BATCH = 500


class _Spoken(msgspec.Struct):
    """What a letter to somebody without a seat says of its language."""

    lang: str = ""


class Store:
    """A database of games."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.sql = statements(engine)
        self.outbox = Outbox(self)
        self._writer = engine.execution_options(**{IMMEDIATE: True})
        # Loading takes several statements, which must see the same moment; SQLite's transactions always do.
        self._snapshot = (
            engine if self.sql.sqlite else engine.execution_options(isolation_level="REPEATABLE READ")
        )
        # A single statement needs no transaction around it; on PostgreSQL that spares two thirds of its way.
        self._single = (
            self._writer if self.sql.sqlite else engine.execution_options(isolation_level="AUTOCOMMIT")
        )
        self._reader = engine if self.sql.sqlite else self._single
        self._dbapi: Any = engine.dialect.loaded_dbapi

    @classmethod
    def open(cls, url: str) -> Store:
        """The store at that URL; `migrate` makes its tables. Raises BadUrl."""
        return cls(open_engine(url))

    def close(self) -> None:
        """Give the connections back."""
        self.engine.dispose()

    def migrate(self, progress: schema.Progress | None = None) -> None:
        """Bring the tables up to date."""
        with self._explained():
            schema.migrate(self.engine, progress)

    def check(self) -> schema.SchemaState:
        """Whether the tables fit this version of the program; `current`, if all is well."""
        with self._explained():
            return schema.state(self.engine)

    @contextmanager
    def journal(self, game_id: str | None, at: datetime) -> Iterator[Journal]:
        """One transaction on a game (None: on none, or on one that is made in it), dated `at`.

        It commits when the `with` ends, and leaves nothing behind if that raised. Raises NoSuchGame,
        OutOfStep, Conflict or Unavailable.
        """
        with self._explained(), self._writer.connect() as connection, connection.begin():
            journal = Journal(self, connection, game_id, at)
            yield journal
            journal.close()

    def receive(self, message: Message, at: datetime, *, digest: str, message_id: str = "") -> Received:
        """Keep a message, in a transaction of its own; see `Journal.receive`."""
        with self.journal(None, at) as journal:
            return journal.receive(message, digest=digest, message_id=message_id)

    def games(self, status: GameStatus | None = None) -> list[GameRow]:
        """The games, the oldest first."""
        query = select(GameRow).order_by(col(GameRow.created_at), col(GameRow.id))
        with self.reading() as session:
            return list(session.exec(query if status is None else query.where(GameRow.status == status)))

    def games_going_on(self) -> list[GameRow]:
        """The games that are not over, the oldest first."""
        query = select(GameRow).where(GOING_ON).order_by(col(GameRow.created_at), col(GameRow.id))
        with self.reading() as session:
            return list(session.exec(query))

    def games_of(self, address: str, limit: int) -> list[GameRow]:
        """The last games with a seat registered for that address, the oldest of them first."""
        query = (
            select(GameRow)
            .where(col(GameRow.id).in_(select(SeatRow.game_id).where(SeatRow.address == plain(address))))
            .order_by(col(GameRow.created_at).desc(), col(GameRow.id).desc())
            .limit(limit)
        )
        with self.reading() as session:
            return list(reversed(session.exec(query).all()))

    def free_id(self, name: str) -> str:
        """A name for a new game: `name-1`, or with the number behind the last one that is taken."""
        with self.reading() as session:

            def taken(number: int) -> bool:
                return (
                    session.exec(select(GameRow.id).where(GameRow.id == f"{name}-{number}")).first()
                    is not None
                )

            free = 1
            while taken(free):
                free *= 2
            below = free // 2
            while free - below > 1:
                middle = (free + below) // 2
                below, free = (middle, free) if taken(middle) else (below, middle)
            return f"{name}-{free}"

    def game(self, game_id: str) -> GameRow:
        """A game's row. Raises NoSuchGame."""
        with self.reading() as session:
            return _game(session, game_id)

    def seats(self, game_id: str) -> dict[Seat, SeatRow]:
        """The seats of a game."""
        with self.reading() as session:
            return _seats(session, game_id)

    def seats_at(self, address: str) -> list[SeatRow]:
        """The seats registered for that address."""
        query = select(SeatRow).where(SeatRow.address == plain(address))
        with self.reading() as session:
            return list(session.exec(query.order_by(col(SeatRow.game_id), col(SeatRow.seat))))

    def secret(self, game_id: str) -> Roots:
        """The seeds of a game. Raises NoSuchGame."""
        with self.reading() as session:
            row = session.get(SecretRow, game_id)
            if row is None:
                raise NoSuchGame(game_id)
            return Roots(row.root, row.zroot)

    def load(self, game_id: str, *, at_answer: int | None = None) -> Loaded:
        """The game as it stands, or as it stood after that many answers: its checkpoint and what came since.

        The cost does not grow with the length of the game. Raises NoSuchGame, OutOfStep.
        """
        with self._explained(), self._snapshot.connect() as connection:
            return self.load_with(connection, game_id, at_answer)

    def load_with(self, connection: Connection, game_id: str, at_answer: int | None) -> Loaded:
        """`load` within a transaction."""
        with Session(connection, expire_on_commit=False) as session:
            game = _game(session, game_id)
            upto = game.answers if at_answer is None else at_answer
            if not 0 <= upto <= game.answers:
                raise OutOfStep(f"{game_id} has {game.answers} answers, not {upto}")
            row = session.exec(
                select(CheckpointRow)
                .where(CheckpointRow.game_id == game_id, CheckpointRow.answers <= upto)
                .order_by(col(CheckpointRow.answers).desc())
                .limit(1)
            ).first()
            since = 0 if row is None else row.answers
            answers = session.exec(
                select(AnswerRow)
                .where(AnswerRow.game_id == game_id, AnswerRow.n > since, AnswerRow.n <= upto)
                .order_by(col(AnswerRow.n))
            ).all()
            draws = session.exec(
                select(DrawRow).where(
                    DrawRow.game_id == game_id,
                    DrawRow.fate == LIVE,
                    DrawRow.answer >= since,
                    DrawRow.answer <= upto,
                )
            ).all()
            kept = session.exec(
                select(DrawRow)
                .where(DrawRow.game_id == game_id, DrawRow.fate == KEPT)
                .order_by(col(DrawRow.step))
            ).all()
            standing: dict[Seat, list[StandingRow]] = {}
            for order in session.exec(
                select(StandingRow)
                .where(StandingRow.game_id == game_id)
                .order_by(col(StandingRow.seat), col(StandingRow.n))
            ):
                standing.setdefault(order.seat, []).append(order)
            last = session.get(EntryRow, (game_id, game.log_n))
            return Loaded(
                game=game,
                seats=_seats(session, game_id),
                checkpoint=None if row is None else to_checkpoint(row),
                moment="" if row is None else row.moment,
                answers=list(answers),
                recorded=Draws(
                    {draw.label: draw.drawn() for draw in draws},
                    lambda label: self.draw(game_id, label),
                    lambda: {draw.label: draw.drawn() for draw in self.draws(game_id)},
                ),
                kept={draw.label: draw.drawn() for draw in kept},
                standing=standing,
                last_entry=None if last is None else to_entry(last),
            )

    def draw(self, game_id: str, label: str) -> Drawn | None:
        """The live draw of a label. Asked for each new draw, hence without a session."""
        found = self._ask("draw by label", game_id, label)
        return msgspec.json.decode(found[0][0], type=Drawn) if found else None

    def _ask(self, name: str, *values: Any) -> list[Any]:
        """The rows that a statement gives, from the driver directly."""
        if self.sql.sqlite:
            with self._explained():
                pooled = self.engine.raw_connection()
                try:
                    cursor: Any = pooled.cursor()
                    found: list[Any] = cursor.execute(self.sql[name], values).fetchall()
                finally:
                    pooled.close()
            return found
        return self.do(name, *values)

    def do(self, name: str, *values: Any) -> list[Any]:
        """A statement that is a transaction of its own; the rows that it gives."""
        with self._explained(), self._single.connect() as connection:
            driver: Any = connection.connection.driver_connection
            if not self.sql.sqlite:
                found = driver.execute(self.sql[name], values)
                return found.fetchall() if found.description is not None else []
            with connection.begin():
                rows: list[Any] = driver.execute(self.sql[name], values).fetchall()
            return rows

    def draws(self, game_id: str, fate: str | None = LIVE) -> list[DrawRow]:
        """The draws of a game that count, or those of another fate, or all (None), as they were drawn."""
        query = (
            select(DrawRow).where(DrawRow.game_id == game_id).order_by(col(DrawRow.step), col(DrawRow.label))
        )
        with self.reading() as session:
            return list(session.exec(query if fate is None else query.where(DrawRow.fate == fate)))

    def events(self, game_id: str, after: int = 0, upto: int | None = None) -> list[EventRow]:
        """The events with numbers above `after`, up to `upto`."""
        query = (
            select(EventRow).where(EventRow.game_id == game_id, EventRow.n > after).order_by(col(EventRow.n))
        )
        with self.reading() as session:
            return list(session.exec(query if upto is None else query.where(EventRow.n <= upto)))

    def told(self, game_id: str, after: int, upto: int, events: msgspec.json.Decoder[Any]) -> list[Told]:
        """The events above `after` up to `upto` as they were told; see `EventRow.told`."""
        return read_told(self._ask("told", game_id, after, upto), events) if after < upto else []

    def answers(self, game_id: str, after: int = 0, upto: int | None = None) -> list[AnswerRow]:
        """The answers with numbers above `after`, up to `upto`: the whole game, by default."""
        query = (
            select(AnswerRow)
            .where(AnswerRow.game_id == game_id, AnswerRow.n > after)
            .order_by(col(AnswerRow.n))
        )
        with self.reading() as session:
            return list(session.exec(query if upto is None else query.where(AnswerRow.n <= upto)))

    def entries(self, game_id: str, after: int = 0) -> Iterator[Entry]:
        """The entries of the log, read in batches, so that an export of any length takes little memory."""
        while True:
            query = (
                select(EntryRow)
                .where(EntryRow.game_id == game_id, EntryRow.n > after)
                .order_by(col(EntryRow.n))
                .limit(_BATCH)
            )
            with self.reading() as session:
                batch = [to_entry(row) for row in session.exec(query)]
            yield from batch
            if len(batch) < _BATCH:
                return
            after = batch[-1].n

    def checkpoints(self, game_id: str) -> list[tuple[int, str, datetime]]:
        """Where a game can be taken back to at no cost: answers given, moment, and when that was."""
        query = (
            select(CheckpointRow.answers, CheckpointRow.moment, CheckpointRow.at)
            .where(CheckpointRow.game_id == game_id)
            .order_by(col(CheckpointRow.answers))
        )
        with self.reading() as session:
            return [(answers, moment, at) for answers, moment, at in session.exec(query)]

    def acts(self, game_id: str) -> list[ActRow]:
        """What was done to a game other than by playing it."""
        with self.reading() as session:
            return list(session.exec(select(ActRow).where(ActRow.game_id == game_id).order_by(col(ActRow.n))))

    def proofs(self, game_id: str, seat: Seat) -> list[ProofRow]:
        """The cards dealt to a seat, with their proofs."""
        query = (
            select(ProofRow)
            .where(ProofRow.game_id == game_id, ProofRow.seat == seat)
            .order_by(col(ProofRow.step), col(ProofRow.label), col(ProofRow.position))
        )
        with self.reading() as session:
            return list(session.exec(query))

    def proof_lines(self, game_id: str, seat: Seat, cards: Collection[Card]) -> list[str]:
        """The proofs of cards dealt to a seat, a line each."""
        since = min(step for _, step, _ in cards)
        return read_proofs(self._ask("proofs", game_id, seat, since), cards)

    def due_games(self, now: datetime, limit: int = 100) -> list[str]:
        """The games about which something is to be done now, the longest waiting first."""
        return [row[0] for row in self._ask("games due", self.sql.stamp(now), limit)]

    def next_game_at(self) -> datetime | None:
        """When something is next to be done about a game, should nobody write."""
        ((found,),) = self._ask("next game")
        return None if found is None else self.sql.unstamp(found)

    def pulse(self, name: str) -> datetime | None:
        """When something was last seen to go on."""
        found = self._ask("pulse read", name)
        return self.sql.unstamp(found[0][0]) if found else None

    def beat(self, name: str, at: datetime) -> None:
        """Note that something goes on."""
        self.do("pulse", name, self.sql.stamp(at))

    def cursor(self, source: str) -> Cursor:
        """How far a source has been read."""
        with self.reading() as session:
            row = session.get(CursorRow, plain(source))
            return Cursor() if row is None else Cursor(row.uidvalidity, row.uid, row.mark)

    def set_cursor(self, source: str, cursor: Cursor) -> None:
        """Note how far a source has been read where no letter came of it."""
        self.do("cursor", plain(source), cursor.uidvalidity, cursor.uid, cursor.mark)

    def whose_topic(self, board: str, topic: str) -> tuple[str, str, bool] | None:
        """To which game a topic on a board belongs, and to whose account; and whether it is private."""
        found = self._ask("whose topic", board, topic)
        return (str(found[0][0]), str(found[0][1]), bool(found[0][2])) if found else None

    def topics(self, game_id: str) -> list[TopicRow]:
        """The topics of a game, on all boards."""
        names = ("board", "topic", "private", "game_id", "account", "first")
        return [TopicRow(**dict(zip(names, row, strict=True))) for row in self._ask("topics", game_id)]

    def attempt(self, source: str, digest: str) -> int:
        """Note that a letter of a mailbox is about to be read; how often that has been begun, this time included."""
        ((tries,),) = self.do("attempt", plain(source), digest)
        return int(tries)

    def survived(self, source: str) -> None:
        """The letter that was begun has been read and handled: it has ended nothing."""
        self.do("survived", plain(source))

    def known(self, message_id: str, digest: str) -> Received | None:
        """The letter of that Message-ID and digest, if it has come before."""
        query = select(LetterRow.id, LetterRow.status).where(
            LetterRow.message_id == plain(message_id, 500), LetterRow.digest == digest
        )
        with self.reading() as session:
            found = session.exec(query).first()
            return None if found is None or found[0] is None else Received(found[0], False, found[1])

    def letter(self, letter_id: int) -> LetterRow | None:
        """A letter as it came in."""
        with self.reading() as session:
            return session.get(LetterRow, letter_id)

    def letter_named(self, message_id: str) -> LetterRow | None:
        """The first letter of that Message-ID."""
        query = select(LetterRow).where(LetterRow.message_id == plain(message_id, 500))
        with self.reading() as session:
            return session.exec(query.order_by(col(LetterRow.id))).first()

    def aside(self, limit: int = 20) -> list[int]:
        """The numbers of letters that a person has to look at, the newest first."""
        return [row[0] for row in self._ask("aside", limit)]

    def unhandled(self, limit: int = 100) -> list[LetterRow]:
        """Letters that were received and not handled, in the order of their receipt."""
        query = select(LetterRow).where(LetterRow.status == "new").order_by(col(LetterRow.id)).limit(limit)
        with self.reading() as session:
            return list(session.exec(query))

    def letters(self, game_id: str) -> list[LetterRow]:
        """The letters of a game, in the order of their receipt."""
        query = (
            select(LetterRow)
            .where(col(LetterRow.status).in_(get_args(LetterStatus)), LetterRow.game_id == game_id)
            .order_by(col(LetterRow.id))
        )
        with self.reading() as session:
            return list(session.exec(query))

    def dispatches(self, game_id: str, seat: Seat | None = None) -> list[DispatchRow]:
        """What was or will be sent for a game, or to one of its seats."""
        query = select(DispatchRow).where(DispatchRow.game_id == game_id).order_by(col(DispatchRow.id))
        with self.reading() as session:
            return list(session.exec(query if seat is None else query.where(DispatchRow.seat == seat)))

    def readers(self, game_id: str) -> list[tuple[str, str]]:
        """Whom letters about a game that has begun were ever written to: seat and address."""
        query = (
            select(DispatchRow.seat, DispatchRow.address)
            .where(DispatchRow.game_id == game_id, col(DispatchRow.kind).not_in(("stranger", "muster")))
            .distinct()
        )
        with self.reading() as session:
            return [(seat, address) for seat, address in session.exec(query) if seat is not None]

    def language_of(self, address: str) -> str:
        """The language in which an address was last written to; empty where it never was."""
        query = select(DispatchRow).where(DispatchRow.address == plain(address))
        with self.reading() as session:
            row = session.exec(query.order_by(col(DispatchRow.id).desc()).limit(1)).first()
            if row is None:
                return ""
            if row.seat is not None and row.game_id is not None:
                seat = session.get(SeatRow, (row.game_id, row.seat))
                if seat is not None and seat.address == row.address:
                    return seat.lang
            return row.read(_Spoken).lang

    def sent_to(self, address: str, since: datetime) -> int:
        """How many letters have been written to an address since then."""
        query = select(func.count()).where(
            DispatchRow.address == plain(address), col(DispatchRow.created_at) >= since
        )
        with self.reading() as session:
            return session.exec(query).one()

    def sent_before(self, game_id: str, seat: Seat) -> Iterator[DispatchRow]:
        """What was written to a seat, the last first; read one by one."""
        query = (
            select(DispatchRow)
            .where(DispatchRow.game_id == game_id, DispatchRow.seat == seat)
            .order_by(col(DispatchRow.id).desc())
            .execution_options(yield_per=1)
        )
        with self.reading() as session:
            yield from session.exec(query)

    def dispatch(self, message_id: str) -> DispatchRow | None:
        """The letter of ours with that Message-ID."""
        query = select(DispatchRow).where(DispatchRow.message_id == plain(message_id, 500))
        with self.reading() as session:
            return session.exec(query).first()

    def unsent_since(self, game_id: str, seat: Seat) -> datetime | None:
        """Since when a letter to a seat has waited to be sent, if one does."""
        ((found,),) = self._ask("unsent", game_id, seat)
        return None if found is None else self.sql.unstamp(found)

    def wrote(self, message_id: str, address: str) -> bool:
        """Whether a letter of that Message-ID was written to that address."""
        return bool(self._ask("wrote", plain(message_id, 500), plain(address)))

    def addressee(self, message_id: str) -> str:
        """To whom a letter of that Message-ID was written; empty where there is none."""
        found = self._ask("addressee", plain(message_id, 500)) if message_id else []
        return str(found[0][0]) if found else ""

    def letter_of_ours(self, message_id: str, game_id: str, seat: Seat) -> str | None:
        """What a letter to a seat said, as data; None where there is no such letter."""
        found = self._ask("letter of ours", plain(message_id, 500), game_id, seat)
        return str(found[0][0]) if found else None

    def first_message_id(self, game_id: str, seat: Seat) -> str:
        """The Message-ID of the first letter to a seat, which holds the thread together."""
        found = self._ask("first letter", game_id, seat)
        return str(found[0][0]) if found else ""

    def result_entry(self, game_id: str, step: int) -> int:
        """The number of the log entry that reveals a draw step; 0 where there is none."""
        query = select(EntryRow.n).where(
            EntryRow.game_id == game_id,
            EntryRow.kind == "result",
            col(EntryRow.body).contains(f'"k":{step},'),
        )
        with self.reading() as session:
            return session.exec(query).first() or 0

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A session for queries; its rows stay usable afterwards."""
        with self._explained(), Session(self._reader, expire_on_commit=False) as session:
            yield session

    @contextmanager
    def snapshot(self) -> Iterator[Connection]:
        """A connection that sees one moment, however long it reads."""
        with self._explained(), self._snapshot.connect() as connection, connection.begin():
            yield connection

    @contextmanager
    def writing(self) -> Iterator[tuple[Connection, Any]]:
        """A transaction with the driver's cursor; on SQLite it is the only writer."""
        with self._explained(), self._writer.connect() as connection, connection.begin():
            driver: Any = connection.connection.driver_connection
            yield connection, driver.cursor()

    @property
    def driver_error(self) -> type[Exception]:
        """What the database's driver raises."""
        error: type[Exception] = self._dbapi.Error
        return error

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except DBAPIError as error:
            raise self._explain(error.orig or error) from error
        except self._dbapi.Error as error:
            raise self._explain(error) from error

    def _explain(self, error: BaseException) -> StoreError:
        # After its first line PostgreSQL quotes the values, which may be secret.
        words = str(error).split("\n", 1)[0]
        if isinstance(error, self._dbapi.IntegrityError):
            return Conflict(words)
        if isinstance(error, self._dbapi.OperationalError | self._dbapi.InterfaceError):
            return Unavailable(words)
        return StoreError(words)


def _game(session: Session, game_id: str) -> GameRow:
    row = session.get(GameRow, plain(game_id))
    if row is None:
        raise NoSuchGame(game_id)
    return row


def _seats(session: Session, game_id: str) -> dict[Seat, SeatRow]:
    query = select(SeatRow).where(SeatRow.game_id == game_id).order_by(col(SeatRow.seat))
    return {row.seat: row for row in session.exec(query)}
