"""A board in memory: everything that boards do, and every way in which they misbehave, at a switch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import count

from pbem.letters.posted import Place
from pbem.post.forum.board import (
    MARKDOWN,
    Account,
    BoardTrouble,
    Changes,
    Facts,
    Post,
    PostQueued,
    PostRefused,
)

PAGE = 10


@dataclass
class Entry:
    """A post on it."""

    id: int
    author: str
    at: datetime
    text: str
    edits: int = 0
    editor: str = ""
    gone: bool = False
    hidden: bool = False
    """Kept back until a person lets it through."""


@dataclass
class Topic:
    """A topic on it; `members` of a private one."""

    id: int
    title: str
    starter: str
    members: frozenset[str] = frozenset()
    posts: list[Entry] = field(default_factory=list)


class Forum:
    """What all accounts share."""

    def __init__(self, clock: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self.clock = clock
        self.accounts: dict[str, str] = {}
        self.topics: dict[int, Topic] = {}
        self.files: dict[str, tuple[str, bytes]] = {}
        self.numbers = count(1)
        self.calls = 0
        self.fail_next: list[Exception] = []
        """What the next calls raise before anything happens."""
        self.fail_after_write: list[Exception] = []
        """What the next writes raise after the post stands."""
        self.queue = False
        """Whether posts are kept back for a person."""

    def member(self, name: str) -> str:
        """The id of an account, made where it is not there."""
        for id, known in self.accounts.items():
            if known == name:
                return id
        id = str(len(self.accounts) + 1)
        self.accounts[id] = name
        return id

    def post(self, topic: Topic, author: str, text: str) -> Entry:
        """A post into a topic."""
        entry = Entry(next(self.numbers), author, self.clock(), text)
        topic.posts.append(entry)
        return entry

    def entry(self, id: str) -> Entry:
        """A post by its id."""
        return next(one for topic in self.topics.values() for one in topic.posts if str(one.id) == id)

    def texts(self, private: bool | None = None) -> list[str]:
        """The texts of all posts, oldest first."""
        posts = [
            one
            for topic in self.topics.values()
            if private is None or bool(topic.members) is private
            for one in topic.posts
        ]
        return [one.text for one in sorted(posts, key=lambda one: one.id)]


class MemoryBoard:
    """An account on a board in memory."""

    def __init__(self, forum: Forum, name: str = "pbem", board: str = "consim", **facts: object) -> None:
        self.forum = forum
        self.name = board
        self.facts = Facts(kind="memory", **({"dialect": MARKDOWN} | facts))  # type: ignore[arg-type]
        self._id = forum.member(name)

    async def account(self) -> Account:
        return Account(self._id, self.forum.accounts[self._id])

    async def find_account(self, name: str) -> Account | None:
        self._call()
        found = [id for id, known in self.forum.accounts.items() if known.lower() == name.lower()]
        return Account(found[0], self.forum.accounts[found[0]]) if found else None

    async def changes(self, mark: str) -> Changes:
        self._call()
        newest = max((one.id for topic in self.forum.topics.values() for one in topic.posts), default=0)
        found = [
            self._post(one, topic)
            for topic in self._visible()
            for one in topic.posts
            if mark and one.id > int(mark) and one.author != self._id and not one.hidden
        ]
        return Changes(tuple(sorted(found, key=lambda post: int(post.id))), str(newest))

    async def again(self, place: Place, posts: Sequence[str]) -> list[Post]:
        self._call()
        topic = self._topic(place)
        known = {str(one.id): one for one in topic.posts}
        return [
            self._post(known[id], topic)
            if id in known
            else Post(id, place, "", "", datetime.fromtimestamp(0, UTC), gone=True)
            for id in posts
        ]

    async def write(self, place: Place, text: str, key: str) -> str:
        self._call()
        longest = self.facts.longest_private if place.private and self.facts.longest_private else 0
        if len(text) > (longest or self.facts.longest):
            raise PostRefused("too long")
        return self._done(self.forum.post(self._topic(place), self._id, text))

    async def rewrite(self, place: Place, post: str, text: str) -> None:
        self._call()
        entry = next(one for one in self._topic(place).posts if str(one.id) == post)
        entry.text, entry.edits, entry.editor = text, entry.edits + 1, self._id

    async def open(self, title: str, text: str, to: Sequence[Account], key: str) -> tuple[Place, str]:
        self._call()
        if to and not self.facts.private:
            raise PostRefused("there are no private topics")
        members = frozenset({self._id, *(one.id for one in to)}) if to else frozenset()
        topic = Topic(len(self.forum.topics) + 1, title, self._id, members)
        self.forum.topics[topic.id] = topic
        entry = self.forum.post(topic, self._id, text)
        return Place(str(topic.id), bool(to)), self._done(entry)

    async def upload(self, place: Place | None, name: str, data: bytes) -> str:
        self._call()
        where = f"/files/{len(self.forum.files) + 1}/{name}"
        self.forum.files[where] = (name, data)
        return where

    async def top(self, place: Place) -> str:
        self._call()
        return str(self._topic(place).posts[-1].id)

    async def find(self, place: Place, marker: str, floor: str) -> str:
        posts = self._topic(place).posts
        for start in range((len(posts) - 1) // PAGE * PAGE, -1, -PAGE):
            self._call()
            page = posts[start : start + PAGE]
            for one in reversed(page):
                if one.author == self._id and marker in one.text and not one.hidden:
                    return str(one.id)
            if page[0].id <= int(floor or 0):
                break
        return ""

    async def find_topic(self, title: str, private: bool) -> tuple[Place, str] | None:
        self._call()
        for topic in reversed(self._visible()):
            if (topic.title, topic.starter, bool(topic.members)) == (title, self._id, private):
                return Place(str(topic.id), private), str(topic.posts[0].id)
        return None

    def link(self, place: Place, post: str) -> str:
        return f"http://forum.test/t/{place.id}/{post}"

    async def check(self) -> list[tuple[str, bool, str]]:
        return [("login", True, "in memory")]

    async def close(self) -> None:
        """Nothing to let go of."""

    def _call(self) -> None:
        self.forum.calls += 1
        if self.forum.fail_next:
            raise self.forum.fail_next.pop(0)

    def _done(self, entry: Entry) -> str:
        if self.forum.fail_after_write:
            raise self.forum.fail_after_write.pop(0)
        if self.forum.queue:
            entry.hidden = True
            raise PostQueued(str(entry.id))
        return str(entry.id)

    def _visible(self) -> list[Topic]:
        return [
            topic for topic in self.forum.topics.values() if not topic.members or self._id in topic.members
        ]

    def _topic(self, place: Place) -> Topic:
        topic = self.forum.topics.get(int(place.id))
        if topic is None or (topic.members and self._id not in topic.members):
            raise BoardTrouble("404", permanent=True)
        return topic

    def _post(self, one: Entry, topic: Topic) -> Post:
        return Post(
            id=str(one.id),
            place=Place(str(topic.id), bool(topic.members)),
            author=one.author,
            name=self.forum.accounts[one.author],
            at=one.at,
            text="" if one.gone else one.text,
            version=str(one.edits),
            editor=one.editor,
            gone=one.gone,
        )
