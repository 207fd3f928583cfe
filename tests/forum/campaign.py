"""A moderator with games on a board in memory, and people who post there."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from itertools import count

from pbem.campaign.deadlines.calendar import Calendar
from pbem.campaign.house_rules import Customs
from pbem.campaign.intake.moderator import Handled, Moderator, Player, Settings
from pbem.campaign.outgoing.rendering import Secretary
from pbem.campaign.table.tables import Live
from pbem.letters.posted import account_address
from pbem.post.exchange import Exchange
from pbem.post.forum.reader import ForumInbox
from pbem.post.forum.writer import ForumOutlet
from pbem.post.outcome import Outcome, Sent
from pbem.server.daemon import Daemon
from pbem.server.topics import Topics
from pbem.store.store import Store
from tests.forum.memory import Forum, MemoryBoard, Topic

MODERATOR = "moderator@pbem.test"


class Postman:
    """Mail, as far as these tests need it: what was sent."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, bytes]] = []

    async def send(self, raw: bytes, sender: str, recipients: list[str]) -> Outcome:
        self.sent.append((recipients[0], raw))
        return Sent()

    async def close(self) -> None:
        """Nothing to let go of."""


class Club:
    """A board, its members, a moderator, and the clock on the wall."""

    def __init__(self, url: str, *, settle: float = 0.0, **facts: object) -> None:
        self.now = datetime(2026, 1, 1, 12, tzinfo=UTC)
        self.url = url
        self.settle = settle
        self.forum = Forum(lambda: self.now)
        self.board = MemoryBoard(self.forum, **facts)
        self.mail = Postman()
        self.handled: list[Handled] = []
        self._entropy = count(1)
        self._drafts = count(1)
        self.daemon = self._daemon()

    def _daemon(self) -> Daemon:
        store = Store.open(self.url)
        store.migrate()
        moderator = Moderator(
            store,
            Settings(MODERATOR),
            lambda: self.now,
            entropy=lambda: next(self._entropy).to_bytes(32, "big"),
        )
        outlet = Exchange(self.mail, {"consim": ForumOutlet(self.board, Topics(store))})  # type: ignore[arg-type]
        inbox = ForumInbox(self.board, settle=self.settle, rescan=0, clock=lambda: self.now.timestamp())
        return Daemon(
            moderator,
            Secretary(moderator.campaign, None, boards={"consim": self.board}),
            None,
            outlet,
            boards=[inbox],
            clock=lambda: self.now,
            on_letter=self.handled.append,
        )

    def restart(self) -> None:
        """The daemon dies, and another takes its place."""
        self.store.close()
        self.daemon = self._daemon()

    @property
    def moderator(self) -> Moderator:
        return self.daemon.moderator

    @property
    def store(self) -> Store:
        return self.daemon.store

    def account(self, name: str) -> str:
        """The address of a member."""
        return account_address("consim", self.forum.member(name))

    async def open(
        self,
        game: str = "leipzig",
        scenario: str = "battle",
        *,
        seats: Mapping[str, str] | None = None,
        lang: str = "en",
        calendar: Calendar | None = None,
        thread: str = "consim",
        **customs: object,
    ) -> str:
        """A game whose players are members, with a public thread."""
        await self.round()
        seats = seats or {"french": "alice", "allied": "bob"}
        players = {
            seat: Player(name.title(), name if "@" in name else self.account(name), lang)
            for seat, name in seats.items()
        }
        made = self.moderator.opening.open_game(
            game,
            scenario,
            {},
            players,
            calendar=calendar,
            customs=Customs(thread=thread, **customs),  # type: ignore[arg-type]
        )
        await self.round()
        return made

    async def round(self) -> None:
        """Read what was posted, let the clock strike, send what is due."""
        self.now += timedelta(minutes=1)
        await self.daemon.fetch_posts()
        self.daemon.tick()
        while await self.daemon.send_due():
            pass

    def live(self, game: str) -> Live:
        with self.store.journal(game, self.now) as journal:
            return self.moderator.tables.table(game, journal)

    def thread(self, game: str) -> Topic:
        """The public thread of a game."""
        (row,) = [one for one in self.store.topics(game) if not one.private]
        return self.forum.topics[int(row.topic)]

    def private(self, game: str, name: str) -> Topic:
        """The private topic of a member about a game."""
        id = self.forum.member(name)
        (row,) = [one for one in self.store.topics(game) if one.private and one.account == id]
        return self.forum.topics[int(row.topic)]

    async def say(self, topic: Topic, name: str, text: str) -> str:
        """A member posts, and the moderator reads and answers; what we posted then."""
        before = {one.id for every in self.forum.topics.values() for one in every.posts}
        self.forum.post(topic, self.forum.member(name), text)
        await self.round()
        posted = [
            one
            for every in self.forum.topics.values()
            for one in every.posts
            if one.id not in before and one.author == self.forum.member("pbem")
        ]
        return "\n".join(one.text for one in posted)

    def words(self, topic: Topic) -> str:
        """Everything that we have said in a topic, on one line."""
        ours = self.forum.member("pbem")
        return " ".join(" ".join(one.text.split()) for one in topic.posts if one.author == ours)
