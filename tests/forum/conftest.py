"""Boards for the tests of forums, real ones started once for all tests that need them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest

from tests.forum.sites import MemorySite, MisagoSite, Site, opened
from tests.servers import misago as misago_server

KINDS = ("memory", "misago")


@pytest.fixture(scope="session")
def misago() -> Iterator[misago_server.Misago]:
    """A real Misago."""
    with misago_server.server() as server:
        yield server


@pytest.fixture(params=[pytest.param(kind, marks=pytest.mark.xdist_group(kind)) for kind in KINDS])
async def site(request: pytest.FixtureRequest) -> AsyncIterator[Site]:
    """Each board in turn."""
    make = {
        "memory": lambda: MemorySite(),
        "misago": lambda: MisagoSite(request.getfixturevalue("misago")),
    }[request.param]
    async with opened(make) as found:
        yield found
