"""The boards that the contract is tried on: each with an account of ours and some members, real or fake."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from urllib.parse import quote

import httpx

from pbem.letters.posted import Place
from pbem.post.forum.board import Account, Board
from pbem.post.forum.discourse import Discourse
from pbem.post.forum.forms import FormPage, Forms
from pbem.post.forum.matrix import Matrix
from pbem.post.forum.misago import Misago
from pbem.post.forum.nodebb import NodeBB
from pbem.post.forum.pace import Pace
from tests.forum.discourse_fake import DiscourseFake
from tests.forum.memory import Forum, MemoryBoard
from tests.forum.nodebb_fake import NodeBBFake
from tests.servers import fossil as fossil_server
from tests.servers import misago as misago_server
from tests.servers import synapse as synapse_server

EDIT, DELETE, PRIVATE, UPLOAD, MODERATE, LONG = "edit", "delete", "private", "upload", "moderate", "long"
ALL = frozenset({EDIT, DELETE, PRIVATE, UPLOAD, MODERATE, LONG})


class Site:
    """A board with people on it."""

    name = ""
    can = ALL

    def __init__(self) -> None:
        self.stack = AsyncExitStack()
        self.boards: dict[str, Board] = {}

    def make(self, name: str) -> Board:
        """The board as somebody sees it."""
        raise NotImplementedError

    def as_(self, name: str) -> Board:
        """The same, kept for the test."""
        if name not in self.boards:
            self.boards[name] = self.make(name)
            self.stack.push_async_callback(self.boards[name].close)
        return self.boards[name]

    @property
    def robot(self) -> Board:
        """We."""
        return self.as_("pbem")

    async def delete(self, place: Place, post: str, author: str) -> None:
        """A post goes, as it goes on such a board."""
        raise NotImplementedError

    async def moderate(self, place: Place, post: str, text: str) -> None:
        """A moderator of the board changes a member's post."""
        raise NotImplementedError

    async def meet(self, who: str, place: Place) -> None:
        """Somebody goes to a topic, where that takes more than to read it."""

    async def us(self) -> Account:
        """Our account as another member finds it."""
        return await self.robot.account()


class MemorySite(Site):
    """In memory."""

    name = "memory"

    def __init__(self) -> None:
        super().__init__()
        self.forum = Forum()

    def make(self, name: str) -> Board:
        return MemoryBoard(self.forum, name)

    async def delete(self, place: Place, post: str, author: str) -> None:
        topic = self.forum.topics[int(place.id)]
        topic.posts = [one for one in topic.posts if str(one.id) != post]

    async def moderate(self, place: Place, post: str, text: str) -> None:
        entry = self.forum.entry(post)
        entry.text, entry.edits, entry.editor = text, entry.edits + 1, self.forum.member("warden")


class MisagoSite(Site):
    """A real Misago."""

    name = "misago"

    def __init__(self, server: misago_server.Misago) -> None:
        super().__init__()
        self.server = server

    def make(self, name: str) -> Board:
        board = Misago("consim", self.server.url, name, misago_server.PASSWORD)
        # Members have to keep three seconds between posts; the tests have not the time.
        board.pace.keep_apart = lambda seconds: None  # type: ignore[method-assign]
        return board

    async def delete(self, place: Place, post: str, author: str) -> None:
        path = "private-threads" if place.private else "threads"
        await self._warden("DELETE", f"/api/{path}/{place.id}/posts/{post}/")

    async def moderate(self, place: Place, post: str, text: str) -> None:
        path = "private-threads" if place.private else "threads"
        await self._warden("PUT", f"/api/{path}/{place.id}/posts/{post}/", json={"post": text})

    async def _warden(self, method: str, path: str, **how: object) -> None:
        warden = self.as_(misago_server.MODERATOR)
        assert isinstance(warden, Misago)
        await warden.account()
        await warden._web.call(method, path, **how)


class SynapseSite(Site):
    """A real Matrix homeserver. Nobody can change another's message there."""

    name = "matrix"
    can = ALL - {MODERATE}

    def __init__(self, server: synapse_server.Synapse) -> None:
        super().__init__()
        self.server = server

    def make(self, name: str) -> Board:
        return Matrix("consim", self.server.url, self.server.tokens[name])

    async def meet(self, who: str, place: Place) -> None:
        board = self.as_(who)
        assert isinstance(board, Matrix)
        await board._web.post(f"/_matrix/client/v3/join/{quote(place.id)}", json={})

    async def delete(self, place: Place, post: str, author: str) -> None:
        board = self.as_(author)
        assert isinstance(board, Matrix)
        path = f"/_matrix/client/v3/rooms/{quote(place.id)}/redact/{quote(post)}/x{time.time_ns()}"
        await board._web.call("PUT", path, json={})


DELETED = FormPage(
    "",
    "/forume2",
    {
        "fpid": "{post}",
        "nullout": "1",
        "edit": "1",
        "mimetype": "text/x-markdown",
        "content": "",
        "submit": "Submit",
    },
    "/forumpost/",
)


class FossilSite(Site):
    """A real fossil: a board without an interface for programs, without private topics and pictures."""

    name = "fossil"
    can = frozenset({EDIT, DELETE, LONG})

    def __init__(self, server: fossil_server.Fossil) -> None:
        super().__init__()
        self.server = server

    def make(self, name: str) -> Board:
        return Forms("consim", self.server.url, name, fossil_server.PASSWORD, pace=Pace(60_000))

    async def delete(self, place: Place, post: str, author: str) -> None:
        board = self.as_(author)
        assert isinstance(board, Forms)
        await board.account()
        (present,) = [one for one in await board._thread(place) if one.first == post]
        # As the button «Delete» does it: a submit without text alone is taken for a preview.
        await board._submit(DELETED, post=present.id)


class DiscourseSite(Site):
    """A Discourse in memory, whose requests and answers are checked against its OpenAPI."""

    name = "discourse"

    def __init__(self) -> None:
        super().__init__()
        self.fake = DiscourseFake()
        for name in ("pbem", "alice", "bob", "warden"):
            self.fake.forum.member(name)

    def make(self, name: str) -> Board:
        transport = httpx.ASGITransport(app=self.fake.app)
        return Discourse(
            "consim", "http://discourse.test", name, "key", pace=Pace(60_000), transport=transport
        )

    async def delete(self, place: Place, post: str, author: str) -> None:
        topic = self.fake.forum.topics[int(place.id)]
        topic.posts = [one for one in topic.posts if str(one.id) != post]

    async def moderate(self, place: Place, post: str, text: str) -> None:
        await self.as_("warden").rewrite(place, post, text)


class NodeBBSite(Site):
    """A NodeBB in memory, unchecked by any schema."""

    name = "nodebb"

    def __init__(self) -> None:
        super().__init__()
        self.fake = NodeBBFake()
        for name in ("pbem", "alice", "bob", "warden"):
            self.fake.forum.member(name)

    def make(self, name: str) -> Board:
        transport = httpx.ASGITransport(app=self.fake.app)
        return NodeBB("consim", "http://nodebb.test", name, pace=Pace(600_000), transport=transport)

    async def delete(self, place: Place, post: str, author: str) -> None:
        topic = self.fake.forum.topics[int(place.id)]
        topic.posts = [one for one in topic.posts if str(one.id) != post]

    async def moderate(self, place: Place, post: str, text: str) -> None:
        await self.as_("warden").rewrite(place, post, text)


@asynccontextmanager
async def opened(make: Callable[[], Site]) -> AsyncIterator[Site]:
    """A site for one test."""
    site = make()
    async with site.stack:
        yield site
