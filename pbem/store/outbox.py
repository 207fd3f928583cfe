"""The outbox: dispatches on their way out. A dispatch keeps its Message-ID whatever happens to it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING, Any

from sqlmodel import col, func, select

from pbem.store.engine import plain
from pbem.store.statements import CLAIMED
from pbem.store.tables import OPEN_DISPATCH, DispatchRow

if TYPE_CHECKING:
    from pbem.store.store import Store

_MOST_RETURNS = 12
"""After so many attempts a letter that came back is not sent again."""


class Outbox:
    """What waits to be sent."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def due(self, now: datetime, limit: int = 100) -> list[DispatchRow]:
        """The dispatches to send now, the longest waiting first."""
        query = (
            select(DispatchRow)
            .where(OPEN_DISPATCH, DispatchRow.next_at <= now)
            .order_by(col(DispatchRow.next_at), col(DispatchRow.id))
            .limit(limit)
        )
        with self._store.reading() as session:
            return list(session.exec(query))

    def next_due(self) -> datetime | None:
        """When the next dispatch is to be sent, if there is one."""
        query = select(func.min(DispatchRow.next_at)).where(OPEN_DISPATCH)
        with self._store.reading() as session:
            return session.exec(query).one()

    def claim(self, now: datetime, until: datetime, limit: int = 20) -> list[DispatchRow]:
        """Take due dispatches to send them; no other worker gets them before `until`.

        Each claim counts as an attempt, so that a dispatch that kills its sender cannot be tried for ever.
        """
        sql = self._store.sql
        found = self._store.do("claim", sql.stamp(until), sql.stamp(now), limit)
        return [self._row(values) for values in sorted(found, key=lambda values: int(values[0]))]

    def _row(self, values: tuple[Any, ...]) -> DispatchRow:
        named = dict(zip(CLAIMED, values, strict=True))
        for when in ("next_at", "created_at", "sent_at"):
            if named[when] is not None:
                named[when] = self._store.sql.unstamp(named[when])
        return DispatchRow(**named)

    def hasten(self, now: datetime, latest: datetime) -> None:
        """Make due now what would wait beyond `latest`, longer than anything may: the clock has been set back."""
        stamp = self._store.sql.stamp
        self._run("hasten", stamp(now), stamp(latest))

    def rendered(self, id: int, raw: bytes) -> None:
        """Keep the letter as rendered, so that a retry sends the same bytes."""
        self.all_rendered([(id, raw)])

    def all_rendered(self, letters: Iterable[tuple[int, bytes]]) -> None:
        """Keep letters as rendered, in one transaction."""
        rows = [(raw, id) for id, raw in letters]
        if rows:
            with self._store.writing() as (_, cursor):
                cursor.executemany(self._store.sql["rendered"], rows)

    def mark_sent(self, id: int, at: datetime, *, keep_raw: bool = False) -> None:
        """It has been handed over to the mail server; with its pictures it need not be kept here as well."""
        self.all_sent([id], at, keep_raw=keep_raw)

    def all_sent(self, ids: Iterable[int], at: datetime, *, keep_raw: bool = False) -> None:
        """They have been handed over, noted in one transaction."""
        stamp, sql = self._store.sql.stamp(at), self._store.sql
        name = "sent, raw kept" if keep_raw else "sent"
        if sql.sqlite:
            with self._store.writing() as (_, cursor):
                cursor.executemany(sql[name], [(stamp, id) for id in ids])
        else:
            self._store.do(name, stamp, list(ids))

    def sent_by_name(self, message_ids: Iterable[str], at: datetime) -> None:
        """Letters of these Message-IDs have been handed over, as their sender noted before he died."""
        stamp = self._store.sql.stamp(at)
        with self._store.writing() as (_, cursor):
            cursor.executemany(
                self._store.sql["sent by name"], [(stamp, plain(name, 500)) for name in message_ids]
            )

    def mark_deferred(self, id: int, next_at: datetime, error: str) -> None:
        """It could not be sent; try again then."""
        self._run("deferred", self._store.sql.stamp(next_at), plain(error), id)

    def again(self, message_id: str, next_at: datetime, error: str) -> None:
        """It was taken and came back for now: send it once more then, the same letter, a few times at most."""
        self._run(
            "again", self._store.sql.stamp(next_at), plain(error), plain(message_id, 500), _MOST_RETURNS
        )

    def mark_refused(self, id: int, error: str) -> None:
        """It can never be sent."""
        self._run("refused", plain(error), id)

    def _run(self, name: str, *values: Any) -> None:
        self._store.do(name, *values)
