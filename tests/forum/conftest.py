"""Boards for the tests of forums, real ones started once for all tests that need them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest

from tests.forum.sites import (
    DiscourseSite,
    FossilSite,
    MemorySite,
    MisagoSite,
    NodeBBSite,
    Site,
    SynapseSite,
    opened,
)
from tests.servers import fossil as fossil_server
from tests.servers import misago as misago_server
from tests.servers import synapse as synapse_server

KINDS = ("memory", "misago", "matrix", "fossil", "discourse", "nodebb")


@pytest.fixture(scope="session")
def misago() -> Iterator[misago_server.Misago]:
    """A real Misago."""
    with misago_server.server() as server:
        yield server


@pytest.fixture(scope="session")
def synapse() -> Iterator[synapse_server.Synapse]:
    """A real Matrix homeserver."""
    with synapse_server.server() as server:
        yield server


@pytest.fixture(scope="session")
def fossil() -> Iterator[fossil_server.Fossil]:
    """A real fossil."""
    with fossil_server.server() as server:
        yield server


@pytest.fixture(params=[pytest.param(kind, marks=pytest.mark.xdist_group(kind)) for kind in KINDS])
async def site(request: pytest.FixtureRequest) -> AsyncIterator[Site]:
    """Each board in turn."""
    make = {
        "memory": lambda: MemorySite(),
        "misago": lambda: MisagoSite(request.getfixturevalue("misago")),
        "matrix": lambda: SynapseSite(request.getfixturevalue("synapse")),
        "discourse": lambda: DiscourseSite(),
        "nodebb": lambda: NodeBBSite(),
        "fossil": lambda: FossilSite(request.getfixturevalue("fossil")),
    }[request.param]
    async with opened(make) as found:
        yield found
