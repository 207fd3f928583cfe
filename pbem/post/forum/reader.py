"""A board as a source of letters: posts that speak to us, after a settling time, and what became of them later.

What counts is the text as it was first read. A post is read when it has settled: typing errors are put right in the
first minutes. Afterwards it is watched for a while; a change or a deletion is told once, as another reading of the
same post. How far everything has come stands in the mark, which the caller keeps with the letters.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from datetime import UTC, datetime

import msgspec

from pbem.letters.message import Cursor, Message
from pbem.letters.posted import SOURCE, Change, Place
from pbem.post.forum.board import Account, Board, BoardTrouble, Changes, Post
from pbem.post.forum.envelope import wrap
from pbem.post.inbox import InboxTrouble

_READY = re.compile(r"(?im)^\W*(?:ready|final|pr[êe]te?|d[ée]finitif)\b")
_BLOCK = re.compile(r"\[\[?(?:orders|ordres)\b", re.IGNORECASE)
_MOST_WATCHED = 200
_MOST_WAITING = 500
_TOGETHER = 20


class Waiting(msgspec.Struct, frozen=True, array_like=True):
    """A post that has not settled yet."""

    id: str
    place: str
    private: bool
    due: float


class Watched(msgspec.Struct, frozen=True, array_like=True):
    """A post that has been read: which reading that was, and what it said."""

    id: str
    place: str
    private: bool
    reading: int
    print: str
    at: float
    gone: bool = False


class Mark(msgspec.Struct, frozen=True):
    """How far a board has been read."""

    board: str = ""
    waiting: tuple[Waiting, ...] = ()
    watched: tuple[Watched, ...] = ()
    turn: int = 0
    """Which topic's posts are looked at next for changes."""


class ForumInbox:
    """The posts of a board that are for us."""

    def __init__(
        self,
        board: Board,
        *,
        settle: float = 120.0,
        poll: float = 60.0,
        watch: float = 7 * 86_400.0,
        rescan: float = 60.0,
        clock: Callable[[], float] = time.time,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.board = board
        self.source = SOURCE + board.name
        """As its letters name it: who is to be believed about who wrote them."""
        self.hurry = False
        """A deadline has struck: what has been posted by now is read as it is, settled or not."""
        self.mark = ""
        """Where to go on after the last poll; to be kept even when no letter came of it."""
        self._settle, self._poll, self._watch = settle, poll, watch
        self._clock, self._sleep = clock, sleep
        self._closed = asyncio.Event()
        self._at: Mark = Mark()
        self._rescan, self._rescanned = rescan, -rescan
        """How often posts that were read are looked at again, and when that was last done."""

    @property
    def sorts(self) -> bool:
        """A board has no folders."""
        return False

    async def letters(self, cursor: Cursor) -> AsyncIterator[Message]:
        """The posts for us that have settled, and the changes of those read before. Raises InboxTrouble."""
        self._at = _decode(cursor.mark)
        self.mark = cursor.mark
        try:
            us = await self.board.account()
            changes = await self.board.changes(self._at.board)
            fresh = self._take_note(changes, us)
            due = await self._due(fresh)
            again = await self._changed(changes)
        except BoardTrouble as trouble:
            raise InboxTrouble(trouble.reason, trouble.permanent) from trouble
        now, mark = self._clock(), self._at
        for post in due:
            waiting = tuple(one for one in mark.waiting if one.id != post.id)
            watched = mark.watched
            if _legitimate(post):
                seen = Watched(post.id, post.place.id, post.place.private, 0, _print(post), now)
                watched = (*watched, seen)[-_MOST_WATCHED:]
            mark = msgspec.structs.replace(mark, waiting=waiting, watched=watched)
            self.mark = _encode(mark)
            if _legitimate(post):
                yield self._fetched(post, changes.skew, us)
        for before, post, change in again:
            after = msgspec.structs.replace(
                before, reading=before.reading + 1, print=_print(post), gone=change is Change.DELETED
            )
            watched = tuple(after if one.id == before.id else one for one in mark.watched)
            mark = msgspec.structs.replace(mark, watched=watched)
            self.mark = _encode(mark)
            yield self._fetched(post, changes.skew, us, after.reading, change)
        self.mark = _encode(mark)

    async def acknowledge(self, messages: Sequence[Message], *, refused: bool = False) -> None:
        """A board is not told what became of its posts."""

    async def wait(self, seconds: float) -> bool:
        """Until the next poll, or until a post has settled."""
        settles = min((one.due - self._clock() for one in self._at.waiting), default=self._poll)
        pause = max(0.0, min(seconds, self._poll, max(settles, 1.0)))
        waiter = asyncio.ensure_future(self._closed.wait())
        sleeper = asyncio.ensure_future(self._sleep(pause))
        await asyncio.wait({waiter, sleeper}, return_when=asyncio.FIRST_COMPLETED)
        for task in (waiter, sleeper):
            task.cancel()
        return not self._closed.is_set()

    async def close(self) -> None:
        """A running wait ends."""
        self._closed.set()
        await self.board.close()

    def _take_note(self, changes: Changes, us: Account) -> dict[str, Post]:
        """Note the new posts that speak to us; those whose text is at hand."""
        known = {one.id for one in self._at.watched} | {one.id for one in self._at.waiting}
        fresh: dict[str, Post] = {}
        waiting = list(self._at.waiting)
        for post in changes.posts:
            # Told a second time in the same round it was changed or taken back since: it has to be read again.
            fresh.pop(post.id, None)
            ours = post.author == us.id or not post.author
            if ours or post.machine or post.gone or post.id in known or not speaks_to(post, us):
                continue
            # A board whose clock is ahead of ours would make everybody wait; its stamp is taken as ours.
            posted = min(post.at.timestamp() - changes.skew, self._clock())
            due = posted if _READY.search(post.text) else posted + self._settle
            waiting.append(Waiting(post.id, post.place.id, post.place.private, due))
            fresh[post.id] = post
            known.add(post.id)
        oldest = self._clock() - self._watch
        watched = tuple(one for one in self._at.watched if one.at > oldest)
        self._at = msgspec.structs.replace(
            self._at, board=changes.mark, waiting=tuple(waiting[:_MOST_WAITING]), watched=watched
        )
        return fresh

    async def _due(self, fresh: dict[str, Post]) -> list[Post]:
        """The posts that have settled, as they are now, in the order of their stamps."""
        now = self._clock()
        due = [one for one in self._at.waiting if self.hurry or one.due <= now]
        found = [fresh[one.id] for one in due if one.id in fresh and fresh[one.id].raw]
        at_hand = {post.id for post in found}
        found += await self._read_again(one for one in due if one.id not in at_hand)
        return sorted(found, key=lambda post: (post.at, post.id))

    async def _read_again(self, those: Iterable[Waiting | Watched]) -> list[Post]:
        places: dict[Place, list[str]] = {}
        for one in those:
            places.setdefault(Place(one.place, one.private), []).append(one.id)
        found: list[Post] = []
        for place, ids in places.items():
            for start in range(0, len(ids), _TOGETHER):
                found += await self.board.again(place, ids[start : start + _TOGETHER])
        return found

    async def _changed(self, changes: Changes) -> list[tuple[Watched, Post, Change]]:
        """What has become of posts that were read before; a topic each poll, where the board does not tell."""
        watched = {one.id: one for one in self._at.watched if not one.gone}
        if self.board.facts.tells_edits:
            told = [watched[post.id] for post in changes.posts if post.id in watched]
        else:
            places = list(dict.fromkeys((one.place, one.private) for one in watched.values()))
            if not places or self._clock() - self._rescanned < self._rescan:
                return []
            self._rescanned = self._clock()
            chosen = places[self._at.turn % len(places)]
            self._at = msgspec.structs.replace(self._at, turn=(self._at.turn + 1) % len(places))
            told = [one for one in watched.values() if (one.place, one.private) == chosen]
        found = []
        for post in await self._read_again(told):
            before = watched[post.id]
            if post.gone:
                found.append((before, post, Change.DELETED))
            elif _print(post) != before.print:
                found.append((before, post, Change.EDITED if _legitimate(post) else Change.OTHERS))
        return found

    def _fetched(
        self, post: Post, skew: float, us: Account, reading: int = 0, change: Change | None = None
    ) -> Message:
        raw = wrap(
            self.board.name,
            self.board.facts,
            post,
            reading=reading,
            change=change,
            mention=mentions(post.text, us),
        )
        at = min(datetime.fromtimestamp(post.at.timestamp() - skew, UTC), self._now())
        received = at if change is None else self._now()
        return Message(raw, self.source, internal_date=received, mark=self.mark)

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self._clock(), UTC)


def speaks_to(post: Post, us: Account) -> bool:
    """Whether a post is for us: in private, with our name, or with a block of orders."""
    return post.place.private or mentions(post.text, us) or _BLOCK.search(post.text) is not None


def mentions(text: str, us: Account) -> bool:
    """Whether a text calls us by our name."""
    name = us.name.lower()
    text = text.lower()
    if f"@{name}" not in text:
        return False
    return re.search(rf"(?<![\w@/])@{re.escape(name)}(?![\w-])", text) is not None


def _legitimate(post: Post) -> bool:
    """Whether a post is its author's own: what a moderator of the board has changed is nobody's orders."""
    return not post.gone and post.editor in ("", post.author)


def _print(post: Post) -> str:
    return hashlib.sha256(f"{post.editor}|{post.gone}|{post.text}".encode()).hexdigest()[:16]


def _decode(mark: str) -> Mark:
    try:
        return msgspec.json.decode(mark, type=Mark) if mark else Mark()
    except msgspec.DecodeError:
        return Mark()


def _encode(mark: Mark) -> str:
    return msgspec.json.encode(mark).decode()
