"""Migrations: bringing a database up to date, and knowing whether it is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Literal

from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import inspect, text
from sqlalchemy.engine import Connection, Engine

from pbem.store.engine import IMMEDIATE
from pbem.store.tables import Base

Progress = Callable[[int, int, str], None]
"""Called after each migration: how many are done, of how many, and what it was."""

SchemaState = Literal["empty", "old", "current", "newer", "foreign"]
"""`newer`: made by a later version of the program. `foreign`: tables of something else."""

_FOLDER = Path(__file__).parent / "migrations"
_LOCK = 0x7062656D


def migrate(engine: Engine, progress: Progress | None = None) -> None:
    """Bring the database up to date, in one transaction; two that try at once wait for each other."""
    with engine.execution_options(**{IMMEDIATE: True}).begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(text(f"SELECT pg_advisory_xact_lock({_LOCK})"))
        config = _config(connection)
        script = ScriptDirectory.from_config(config)
        steps = list(script.iterate_revisions("heads", _current(connection) or "base"))
        names = {revision.revision: revision.doc for revision in steps}
        done: list[str] = []

        def applied(revision: str) -> None:
            done.append(revision)
            if progress is not None:
                progress(len(done), len(names), names.get(revision, ""))

        config.attributes["applied"] = applied
        command.upgrade(config, "head")


def state(engine: Engine) -> SchemaState:
    """Whether the database fits this version of the program."""
    script = ScriptDirectory.from_config(_config(None))
    with engine.connect() as connection:
        current = _current(connection)
        if current is None:
            known = set(inspect(connection).get_table_names()) - {"alembic_version"}
            return "foreign" if known else "empty"
    if current == script.get_current_head():
        return "current"
    known_revisions = {revision.revision for revision in script.walk_revisions()}
    return "old" if current in known_revisions else "newer"


def drift(engine: Engine) -> list[str]:
    """How the tables of the database differ from the program's; not at all, if the migrations are right."""
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        return [repr(difference) for difference in compare_metadata(context, Base.metadata)]


def draft(engine: Engine, message: str, revision: str) -> None:
    """For developers: write the migration that leads from this database to the tables as they are now."""
    with engine.begin() as connection:
        command.revision(_config(connection), message, autogenerate=True, rev_id=revision)


def _config(connection: Connection | None) -> Config:
    config = Config()
    config.set_main_option("script_location", str(_FOLDER).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    return config


def revision(connection: Connection) -> str:
    """The last migration that the database has seen; empty where there was none."""
    return _current(connection) or ""


def _current(connection: Connection) -> str | None:
    return MigrationContext.configure(connection).get_current_revision()
