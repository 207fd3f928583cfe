"""Run by Alembic; `pbem.store.schema` hands over the connection."""

from __future__ import annotations

from typing import Any, Literal

from alembic import context
from sqlmodel.sql.sqltypes import AutoString, UTCDateTime

from pbem.store.tables import Base

_applied = context.config.attributes.get("applied")


def _noted(_context: Any = None, step: Any = None, *_: Any, **_rest: Any) -> None:
    if _applied is not None:
        _applied(step.up_revision_id)


def _plainly(kind: str, item: Any, _context: Any) -> str | Literal[False]:
    # A migration must go on meaning the same when SQLModel's types change.
    if kind == "type" and isinstance(item, AutoString):
        return "sa.String()"
    if kind == "type" and isinstance(item, UTCDateTime):
        return "sa.DateTime(timezone=True)"
    return False


context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    render_as_batch=True,
    compare_type=True,
    # Both databases take DDL back; SQLite's driver is told not to commit behind our back.
    transactional_ddl=True,
    render_item=_plainly,
    on_version_apply=_noted,
)
with context.begin_transaction():
    context.run_migrations()
