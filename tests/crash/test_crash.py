"""Killed at every point of its work, the daemon ends up where an undisturbed one does (the long run: __main__)."""

from __future__ import annotations

import random
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from pbem.post.embedded import EmbeddedPost
from tests.crash.campaign import ACCOUNTS, End, Kill, campaign, rehearse
from tests.crash.life import POINTS
from tests.servers import postgres
from tests.servers.mail import RealPost, servers
from tests.store.conftest import _create

pytestmark = pytest.mark.xdist_group("crash")
LETTERS = 26


@pytest.fixture(scope="module")
def letters() -> list[bytes]:
    with tempfile.TemporaryDirectory() as folder:
        return rehearse(Path(folder), LETTERS)


@pytest.fixture
async def embedded(tmp_path: Path) -> AsyncIterator[EmbeddedPost]:
    async with EmbeddedPost(ACCOUNTS) as running:
        yield running


@pytest.fixture(scope="module")
def real() -> Iterator[RealPost]:
    with servers(ACCOUNTS) as running:
        yield running


@pytest.fixture(scope="module")
def database() -> Iterator[str]:
    with postgres.server() as address:
        yield address


def kills(seed: int) -> list[Kill]:
    """Every point once, and a few moments nobody chose."""
    dice = random.Random(seed)
    named: list[Kill] = [(point, 1) for point in POINTS]
    chosen: list[Kill] = [*named, *(dice.uniform(0.05, 0.4) for _ in range(3))]
    dice.shuffle(chosen)
    return chosen


def same(disturbed: End, calm: End) -> None:
    assert disturbed.unsent == calm.unsent == 0
    assert (disturbed.answers, disturbed.state) == (calm.answers, calm.state)
    assert disturbed.draws == calm.draws
    assert disturbed.log == calm.log
    assert disturbed.words() == calm.words()


async def test_sqlite_and_the_embedded_server(
    letters: list[bytes], embedded: EmbeddedPost, tmp_path: Path
) -> None:
    calm = await campaign(embedded, f"sqlite:///{tmp_path}/calm.db", letters)
    assert calm.copies == 0
    async with EmbeddedPost(ACCOUNTS) as another:
        disturbed = await campaign(another, f"sqlite:///{tmp_path}/disturbed.db", letters, kills(1))
    assert disturbed.kills >= len(POINTS)
    same(disturbed, calm)
    assert disturbed.boxes == calm.boxes


async def test_a_letter_that_the_server_has_taken_is_not_sent_again(
    letters: list[bytes], embedded: EmbeddedPost, tmp_path: Path
) -> None:
    killed = await campaign(embedded, f"sqlite:///{tmp_path}/taken.db", letters[:12], [("taken", 1)] * 5)
    assert killed.kills == 5
    assert killed.copies == 0


async def test_postgresql_and_real_servers(letters: list[bytes], real: RealPost, database: str) -> None:
    for name in ("calm", "disturbed"):
        _create(database, name)
    real.empty()
    calm = await campaign(real, database + "calm", letters)
    assert calm.copies == 0
    real.empty()
    disturbed = await campaign(real, database + "disturbed", letters, kills(2))
    assert disturbed.kills >= len(POINTS)
    same(disturbed, calm)
