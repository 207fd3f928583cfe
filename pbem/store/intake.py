"""Letters shared by several workers: recorded by the one that reads the mailbox, handled by whoever is free.

PostgreSQL only. Who reads the mailbox, and who is at a game, is settled by locks of the database that end with
the connection of their holder: a worker that dies leaves nothing behind, and the next one takes over.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Any

import msgspec
from sqlalchemy.engine import Connection
from sqlalchemy.exc import DBAPIError

from pbem.letters.message import Message
from pbem.store.engine import Unavailable, plain

if TYPE_CHECKING:
    from pbem.store.store import Store

_TRY = "SELECT pg_try_advisory_lock(hashtextextended(%s, 0))"
_ALIVE = "SELECT %s <> ''"
_TRY_ALL = "SELECT name FROM unnest(%s::text[]) AS name WHERE pg_try_advisory_lock(hashtextextended(name, 0))"
_FREE_ALL = "SELECT pg_advisory_unlock(hashtextextended(name, 0)) FROM unnest(%s::text[]) AS name"
_GAMES = "SELECT id FROM game WHERE id = ANY (%s)"
_WAITING = """
(SELECT id, game_id, tries, octet_length(raw) FROM letter WHERE id IN (
    SELECT min(id) FROM letter WHERE status = 'new' AND game_id IS NOT NULL GROUP BY game_id
    ORDER BY min(id) LIMIT %(limit)s))
UNION ALL
(SELECT id, game_id, tries, octet_length(raw) FROM letter WHERE status = 'new' AND game_id IS NULL
    ORDER BY id LIMIT %(limit)s)
ORDER BY id
"""
_TAKE = "SELECT id, raw, tries, source FROM letter WHERE id = ANY (%s) AND status = 'new'"
_BEGIN = "UPDATE letter SET tries = tries + 1 WHERE id = %s"
_UNFILED = (
    "SELECT id, uidvalidity, uid, note IN ('unknown', 'fault', 'poison') "
    "OR (status = 'ignored' AND note NOT LIKE 'held:%%') "
    "FROM letter WHERE source = %s AND NOT filed AND status <> 'new' ORDER BY id LIMIT %s"
)
_FILED = "UPDATE letter SET filed = TRUE WHERE id = ANY (%s)"
_ANY_UNFILED = "SELECT EXISTS (SELECT 1 FROM letter WHERE source = %s AND NOT filed)"


class Recording(msgspec.Struct, frozen=True):
    """A letter to be kept until somebody handles it; `game` is the one that it says it is about."""

    message: Message
    digest: str
    message_id: str
    game: str


class Waiting(msgspec.Struct, frozen=True):
    """A letter that nobody has handled; with `tries` somebody has begun to, and did not get to the end."""

    id: int
    game: str | None
    tries: int
    size: int

    @property
    def lock(self) -> str:
        """Whoever holds it is at the letter's game, or at the letter, if it is about none."""
        return f"pbem-game/{self.game}" if self.game else f"pbem-letter/{self.id}"


class Begun(msgspec.Struct, frozen=True):
    """A letter in a worker's hands."""

    id: int
    raw: bytes
    tries: int
    source: str


class Unfiled(msgspec.Struct, frozen=True):
    """A handled letter that its mailbox has not been told of."""

    id: int
    uidvalidity: int | None
    uid: int | None
    refused: bool


class Intake:
    """Letters that wait, and the locks of those who see to them."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._connection: Connection | None = None
        self._held: set[str] = set()

    def record(self, letters: Sequence[Recording], at: datetime, *, filed: bool = True) -> None:
        """Keep letters in one transaction, with how far the mailbox has been read. Known ones are passed over.

        Unless they are `filed`, the mailbox is still to be told what became of them.
        """
        claimed = list({plain(letter.game) for letter in letters if letter.game})
        known = {row[0] for row in self._ask(_GAMES, claimed)} if claimed else set()
        sql, stamp = self._store.sql, self._store.sql.stamp(at)
        rows = [
            (
                *(plain(letter.message.source), *letter.message.numbers, plain(letter.message_id, 500)),
                *(letter.digest, stamp, letter.message.raw, "new"),
                *(letter.game if letter.game in known else None, None, "", filed),
            )
            for letter in letters
        ]
        with self._store.writing() as (_, cursor):
            cursor.executemany(sql["letter"], rows)
            last = letters[-1].message
            if last.moves_cursor:
                where = (plain(last.source), last.uidvalidity, last.uid, last.mark)
                cursor.execute(sql["cursor"], where)

    def waiting(self, limit: int = 100) -> list[Waiting]:
        """Letters that nobody has handled: the first of each game, and those that are about none."""
        return [Waiting(*row) for row in self._ask(_WAITING, limit=limit)]

    @contextmanager
    def alone(self, letters: Sequence[Waiting]) -> Iterator[list[Begun]]:
        """Those of the letters that nobody else is at and that still wait; they are ours until the `with` ends."""
        by_lock = {letter.lock: letter.id for letter in letters}
        mine = [row[0] for row in self._ask(_TRY_ALL, list(by_lock))]
        try:
            begun = self._ask(_TAKE, [by_lock[name] for name in mine]) if mine else []
            yield sorted((Begun(*row) for row in begun), key=lambda one: one.id)
        finally:
            # Without a connection they are free already.
            if mine and self._connection is not None:
                self._ask(_FREE_ALL, mine)

    def begin(self, letter: Begun) -> None:
        """Note that a letter is being handled from now on: only then can it be what ends the program."""
        self._ask(_BEGIN, letter.id)

    def unfiled(self, source: str, limit: int = 200) -> list[Unfiled]:
        """Handled letters of which the mailbox is still to be told, the oldest first."""
        return [Unfiled(*row) for row in self._ask(_UNFILED, plain(source), limit)]

    def filed(self, letters: Sequence[Unfiled]) -> None:
        """The mailbox has been told."""
        self._ask(_FILED, [letter.id for letter in letters])

    def any_unfiled(self, source: str) -> bool:
        """Whether the mailbox is to be told of any letter, now or when it is handled."""
        return bool(self._ask(_ANY_UNFILED, plain(source))[0][0])

    def holds(self, name: str) -> bool:
        """Whether a lock is ours for as long as the connection lives; taken, if nobody has it."""
        if name not in self._held and self._ask(_TRY, name)[0][0]:
            self._held.add(name)
        # The connection may have died since, and the lock with it.
        return name in self._held and bool(self._ask(_ALIVE, name)[0][0])

    def close(self) -> None:
        """Give everything back."""
        connection, self._connection = self._connection, None
        self._held.clear()
        if connection is not None:
            # Its locks end with the line itself; in the pool it would keep them.
            connection.invalidate()
            connection.close()

    def _ask(self, statement: str, *values: Any, **named: Any) -> list[Any]:
        try:
            if self._connection is None:
                engine = self._store.engine.execution_options(isolation_level="AUTOCOMMIT")
                self._connection = engine.connect()
            driver: Any = self._connection.connection.driver_connection
            found = driver.execute(statement, named or values)
            return found.fetchall() if found.description is not None else []
        except (DBAPIError, self._store.driver_error) as error:
            connection, self._connection = self._connection, None
            self._held.clear()
            if connection is not None:
                connection.invalidate()
                connection.close()
            raise Unavailable(str(error).split("\n", 1)[0]) from error
