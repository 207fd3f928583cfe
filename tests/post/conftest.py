"""The embedded server, plain and with TLS."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pbem.post.embedded import EmbeddedPost

MODERATOR = "moderator@pbem.example"
ALICE = "alice@pbem.example"
ACCOUNTS = {MODERATOR: "tambour", ALICE: "major"}


@pytest.fixture
async def post() -> AsyncIterator[EmbeddedPost]:
    async with EmbeddedPost(ACCOUNTS, clock=lambda: datetime(2025, 3, 3, 17, 2, tzinfo=UTC)) as running:
        yield running


@pytest.fixture
async def tls_post(tmp_path: Path) -> AsyncIterator[EmbeddedPost]:
    async with EmbeddedPost(ACCOUNTS, tmp_path / "tls") as running:
        yield running
