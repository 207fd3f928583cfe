"""Every test of the store runs on both databases: each gets a fresh copy of one that was migrated once."""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from pbem.store import Store
from tests.servers import postgres

_numbers = itertools.count(1)
SQLITE = "sqlite"
POSTGRESQL = pytest.param("postgresql", marks=pytest.mark.xdist_group("postgresql"))


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    with postgres.server() as address:
        yield address


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("template") / "template.db"
    store = Store.open(f"sqlite:///{path}")
    store.migrate()
    store.close()
    return path


@pytest.fixture(scope="session")
def postgres_template(postgres_server: str) -> str:
    _create(postgres_server, "pbem_template")
    store = Store.open(postgres_server + "pbem_template")
    store.migrate()
    store.close()
    return "pbem_template"


@pytest.fixture(params=[SQLITE, POSTGRESQL])
def backend(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def empty_url(backend: str, request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a database without tables."""
    if backend == "sqlite":
        return f"sqlite:///{tmp_path}/var/pbem.db"
    return _fresh(request.getfixturevalue("postgres_server"))


@pytest.fixture
def url(backend: str, request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a database that is up to date."""
    if backend == "sqlite":
        path = tmp_path / "pbem.db"
        shutil.copy(request.getfixturevalue("sqlite_template"), path)
        return f"sqlite:///{path}"
    return _fresh(request.getfixturevalue("postgres_server"), request.getfixturevalue("postgres_template"))


@pytest.fixture
def reopen(url: str) -> Iterator[Callable[[], Store]]:
    """Opens the same database once more, as another process would."""
    opened: list[Store] = []

    def again() -> Store:
        opened.append(Store.open(url))
        return opened[-1]

    yield again
    for store in opened:
        store.close()


@pytest.fixture
def store(reopen: Callable[[], Store]) -> Store:
    return reopen()


def _fresh(server: str, template: str = "template0") -> str:
    name = f"pbem_{next(_numbers)}"
    _create(server, name, template)
    return server + name


def _create(server: str, name: str, template: str = "template0") -> None:
    engine = sa.create_engine(server + "postgres", isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(sa.text(f"CREATE DATABASE {name} TEMPLATE {template}"))
    engine.dispose()
