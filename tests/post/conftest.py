"""The servers to test with: the embedded one, plain and with TLS, and Dovecot with Postfix."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pbem.post.embedded import EmbeddedPost
from tests.servers.mail import RealPost, servers
from tests.servers.oauth import TokenService, token_service

MODERATOR = "moderator@pbem.example"
ALICE = "alice@pbem.example"
ACCOUNTS = {MODERATOR: "tambour", ALICE: "major"}
REAL = pytest.param("real", marks=pytest.mark.xdist_group("mail"))

AnyPost = EmbeddedPost | RealPost


@pytest.fixture
async def post() -> AsyncIterator[EmbeddedPost]:
    async with EmbeddedPost(ACCOUNTS, clock=lambda: datetime(2025, 3, 3, 17, 2, tzinfo=UTC)) as running:
        yield running


@pytest.fixture
async def tls_post(tmp_path: Path) -> AsyncIterator[EmbeddedPost]:
    async with EmbeddedPost(ACCOUNTS, tmp_path / "tls") as running:
        yield running


@pytest.fixture(scope="session")
def tokens() -> Iterator[TokenService]:
    """Where the real servers ask whose an access token is."""
    with token_service() as service:
        yield service


@pytest.fixture(scope="session")
def real_servers(tokens: TokenService) -> Iterator[RealPost]:
    with servers(ACCOUNTS, f"{tokens.url}/introspect") as running:
        yield running


@pytest.fixture
def real_post(real_servers: RealPost) -> RealPost:
    real_servers.empty()
    return real_servers


@pytest.fixture(params=["embedded", REAL])
def any_post(request: pytest.FixtureRequest) -> AnyPost:
    """The same test on the embedded server and on Dovecot with Postfix, both with STARTTLS."""
    found: AnyPost = request.getfixturevalue("tls_post" if request.param == "embedded" else "real_post")
    return found


async def arrived(post: AnyPost, address: str, number: int) -> list[bytes]:
    """The letters in a mailbox once there are so many."""
    return post.messages(address) if isinstance(post, EmbeddedPost) else await post.arrived(address, number)
