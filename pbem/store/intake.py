"""Letters shared by several workers: recorded by the one that reads the mailbox, handled by whoever is free.

PostgreSQL only. Who reads the mailbox, and who is at a game, is settled by locks of the database that end with
the connection of their holder: a worker that dies leaves nothing behind, and the next one takes over.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING

import msgspec
import sqlalchemy as sa
from sqlalchemy.engine import Connection
from sqlalchemy.exc import DBAPIError
from sqlmodel import col, select

from pbem.store.engine import Unavailable, plain
from pbem.store.tables import GameRow, LetterRow

if TYPE_CHECKING:
    from pbem.store.store import Store

_TRY = sa.text("SELECT pg_try_advisory_lock(hashtextextended(:name, 0))")
_ALIVE = sa.text("SELECT :name <> ''")
_FREE = sa.text("SELECT pg_advisory_unlock(hashtextextended(:name, 0))")


class Recording(msgspec.Struct, frozen=True):
    """A letter to be kept until somebody handles it; `game` is the one that it says it is about."""

    raw: bytes
    digest: str
    message_id: str
    game: str
    uidvalidity: int | None = None
    uid: int | None = None


class Intake:
    """Letters that wait, and the locks of those who see to them."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._connection: Connection | None = None
        self._held: set[str] = set()

    def record(self, letters: Sequence[Recording], source: str, at: datetime) -> None:
        """Keep letters in one transaction, with how far the mailbox has been read. Known ones are passed over."""
        claimed = {letter.game for letter in letters if letter.game}
        with self._store.reading() as session:
            known = set(session.exec(select(GameRow.id).where(col(GameRow.id).in_(claimed))))
        sql, where = self._store.sql, plain(source)
        with self._store.writing() as (_, cursor):
            for letter in letters:
                game = letter.game if letter.game in known else None
                name = plain(letter.message_id, 500)
                at_uid = (letter.uidvalidity, letter.uid)
                row = (where, *at_uid, name, letter.digest, sql.stamp(at), letter.raw, "new", game, None, "")
                cursor.execute(sql["letter"], row)
            last = letters[-1]
            if last.uid is not None and last.uidvalidity is not None:
                cursor.execute(sql["cursor"], (where, last.uidvalidity, last.uid))

    def waiting(self, limit: int = 100) -> list[tuple[int, str | None]]:
        """Letters that nobody has handled: the first of each game, and those that are about none."""
        first = sa.func.min(LetterRow.id)
        of_games = (
            select(first, LetterRow.game_id)
            .where(LetterRow.status == "new", col(LetterRow.game_id).is_not(None))
            .group_by(col(LetterRow.game_id))
            .order_by(first)
            .limit(limit)
        )
        of_none = (
            select(LetterRow.id, LetterRow.game_id)
            .where(LetterRow.status == "new", col(LetterRow.game_id).is_(None))
            .order_by(col(LetterRow.id))
            .limit(limit)
        )
        with self._store.reading() as session:
            found = [*session.exec(of_games), *session.exec(of_none)]
        return sorted((id, game) for id, game in found if id is not None)

    @contextmanager
    def alone(self, name: str) -> Iterator[bool]:
        """Whether nobody else is at that name; if so, it is ours until the `with` ends."""
        mine = self.take(name)
        try:
            yield mine
        finally:
            if mine:
                self.leave(name)

    def take(self, name: str) -> bool:
        """Take a lock, if nobody has it. It is lost with the connection. Raises Unavailable."""
        return self._ask(_TRY, name)

    def holds(self, name: str) -> bool:
        """Whether a lock is ours for as long as the connection lives; taken, if nobody has it."""
        if name not in self._held and self.take(name):
            self._held.add(name)
        # The connection may have died since, and the lock with it.
        return name in self._held and self._ask(_ALIVE, name)

    def leave(self, name: str) -> None:
        """Give a lock back. Without a connection it is free already."""
        if self._connection is not None:
            self._ask(_FREE, name)

    def close(self) -> None:
        """Give everything back."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def _ask(self, question: sa.TextClause, name: str) -> bool:
        try:
            if self._connection is None:
                engine = self._store.engine.execution_options(isolation_level="AUTOCOMMIT")
                self._connection = engine.connect()
            return bool(self._connection.execute(question, {"name": name}).scalar_one())
        except DBAPIError as error:
            connection, self._connection = self._connection, None
            self._held.clear()
            if connection is not None:
                connection.invalidate()
                connection.close()
            raise Unavailable(str(error.orig or error).split("\n", 1)[0]) from error
