"""A board as an outlet: a letter of ours becomes a post, once, whatever dies or stays silent meanwhile.

Every post carries a marker made of its letter's Message-ID. Before a letter is offered for the first time the last
post of its topic is noted, the floor; a letter that has a floor was perhaps posted already, and is looked for from
the topic's end back to there before it is posted again.
"""

from __future__ import annotations

import asyncio
import email
import email.policy
import hashlib
import re
from collections.abc import Callable, Sequence
from email.message import EmailMessage
from typing import Protocol

import msgspec

from pbem.letters.posted import GAME, INDEX, THREAD, TITLE, Address, Place, parse
from pbem.post.forum.board import Account, Board, BoardTrouble, PostQueued, PostRefused
from pbem.post.outcome import Deferred, Outcome, Rejected, Sent

NEW = "new"
"""The floor of a letter whose topic has still to be opened."""
QUEUED = "queued:"
"""Before the floor of a letter that the board keeps back: it is only looked for."""
DONE = "post:"
"""Before the number of the post that a letter has become."""
_PICTURE = re.compile(r"cid:([A-Za-z0-9._-]+)")
_NO_PICTURE = re.compile(r"(?m)^(?:!\[[^\]\n]*\]\(cid:[^)\n]*\)|\[img\]cid:[^\[\n]*\[/img\])\n?")
_QUEUE_WAIT = 1800.0
_MOST_UPLOADS = 200
MARKUP = ("text/markdown", "text/x-bbcode")


class Home(msgspec.Struct, frozen=True):
    """The topic of an account about a game, or the game's thread; and our first post in it."""

    place: Place
    first: str = ""


class Ledger(Protocol):
    """What has to be known after a crash; each note is on the disk when the call returns."""

    def floor(self, message_id: str) -> str:
        """What was noted before a letter was first offered; empty: it never was."""
        ...

    def note_floor(self, message_id: str, floor: str) -> None:
        """Note it."""
        ...

    def home(self, board: str, game: str, account: str) -> Home | None:
        """The topic of an account about a game; of «thread», the game's public one."""
        ...

    def note_home(self, board: str, game: str, account: str, home: Home) -> None:
        """Note it."""
        ...


class ForumOutlet:
    """Posts letters on one board, one after the other."""

    def __init__(self, board: Board, ledger: Ledger, taken: Callable[[bytes], None] | None = None) -> None:
        self.board = board
        self._ledger = ledger
        self._taken = taken
        """Told of each letter as soon as the board has it."""
        self._lock = asyncio.Lock()
        self._uploads: dict[tuple[str, str], str] = {}
        """Where pictures of a name and of those bytes are already; private ones have names of chance."""
        self._indexes: dict[Place, str] = {}
        """The index of each thread as it was last written."""
        self._newest: dict[Place, str] = {}
        """The last post of a topic that we know of."""

    async def send(self, raw: bytes, sender: str, recipients: Sequence[str]) -> Outcome:
        """Offer a letter once. Never raises for what a board or the net may do."""
        address = parse(recipients[0]) if recipients else None
        if address is None:
            return Rejected("no address on a board")
        try:
            async with self._lock:
                return await self._send(raw, address)
        except PostQueued as queued:
            return Deferred(
                f"the board keeps the post back until a person lets it through: {queued}", wait=_QUEUE_WAIT
            )
        except PostRefused as refused:
            return Rejected(str(refused))
        except BoardTrouble as trouble:
            return Deferred(trouble.reason, wait=trouble.wait)

    async def close(self) -> None:
        """The board is let go of by whoever reads it."""

    async def _send(self, raw: bytes, address: Address) -> Outcome:
        letter = email.message_from_bytes(raw, policy=email.policy.default)
        assert isinstance(letter, EmailMessage)
        name = str(letter.get("Message-ID", "")).strip()
        text = _markup(letter)
        if not text:
            return Rejected("the letter has no text for a board")
        home = self._home(letter, address)
        if letter.get(INDEX):
            return await self._rewrite_index(letter, address, text, home)
        parts = split(text, self._longest(address))
        begun = self._ledger.floor(name)
        if begun.startswith(DONE):
            return Sent(begun.removeprefix(DONE))
        if not begun:
            floor = await self._floor(home)
            self._ledger.note_floor(name, floor)
        else:
            floor = begun.removeprefix(QUEUED)
        post = ""
        for n, part in enumerate(parts, 1):
            mark = marker(name, n)
            if begun:
                home, post = await self._posted(letter, address, home, mark, floor)
                if post:
                    continue
            if begun.startswith(QUEUED):
                return Deferred("the board still keeps the post back", wait=_QUEUE_WAIT)
            if len(parts) > 1:
                part = f"{part}\n\n{n}/{len(parts)}"
            part = await self._with_pictures(part, letter, home.place if home else None)
            try:
                home, post = await self._write(letter, address, name, home, f"{part}\n\n`{mark}`", mark)
            except PostQueued:
                self._ledger.note_floor(name, QUEUED + floor)
                raise
        if self._taken is not None:
            self._taken(raw)
        self._ledger.note_floor(name, DONE + post)
        return Sent(post)

    async def _write(
        self, letter: EmailMessage, address: Address, name: str, home: Home | None, text: str, mark: str
    ) -> tuple[Home, str]:
        if home is None:
            return await self._open(letter, address, name, text, mark)
        post = await self.board.write(home.place, text, mark)
        self._newest[home.place] = post
        return home, post

    async def _open(
        self, letter: EmailMessage, address: Address, name: str, text: str, mark: str
    ) -> tuple[Home, str]:
        """The topic of this letter's seat, with the letter as its first post; of a thread, an empty index before it."""
        if address.thread:
            home = await self._open_thread(letter, address, name)
            post = await self.board.write(home.place, text, mark)
        else:
            to = [Account(address.account, "")] if address.account else []
            place, post = await self.board.open(self._title(letter), text, to, mark)
            home = Home(place, post)
            self._remember(letter, address, home)
        self._newest[home.place] = post
        return home, post

    async def _open_thread(self, letter: EmailMessage, address: Address, name: str) -> Home:
        """The public thread of a game: its first post will be the index."""
        title, mark = self._title(letter), marker(name, 0)
        text = f"**{title}**\n\n`{mark}`"
        home = Home(*await self.board.open(title, text, (), mark))
        self._remember(letter, address, home)
        return home

    async def _rewrite_index(
        self, letter: EmailMessage, address: Address, text: str, home: Home | None
    ) -> Outcome:
        """The index is edited in place; done twice it is still the same. It is the first post of its thread."""
        name = str(letter.get("Message-ID", "")).strip()
        if home is None:
            if self._ledger.floor(name):
                home = await self._opened(letter, address, name)
            else:
                self._ledger.note_floor(name, NEW)
            home = home or await self._open_thread(letter, address, name)
        if not home.first:
            return Rejected("the thread was not begun by us, so it has no index")
        if self._indexes.get(home.place) != text:
            # How often a post was edited is shown by most boards, and would tell of what is private.
            await self.board.rewrite(home.place, home.first, text)
            self._indexes[home.place] = text
        return Sent(home.first)

    def _home(self, letter: EmailMessage, address: Address) -> Home | None:
        """Where a letter goes; None where that topic has still to be opened."""
        if address.place is not None:
            return Home(address.place)
        return self._ledger.home(address.board, str(letter.get(GAME, "")).strip(), address.account or THREAD)

    def _remember(self, letter: EmailMessage, address: Address, home: Home) -> None:
        game = str(letter.get(GAME, "")).strip()
        if game:
            self._ledger.note_home(self.board.name, game, address.account or THREAD, home)

    async def _floor(self, home: Home | None) -> str:
        if home is None:
            return NEW
        known = self._newest.get(home.place)
        return known if known is not None else await self.board.top(home.place)

    async def _posted(
        self, letter: EmailMessage, address: Address, home: Home | None, mark: str, floor: str
    ) -> tuple[Home | None, str]:
        """A part that was perhaps posted before: its topic, where that has been opened, and its post, where it is."""
        if home is None:
            name = str(letter.get("Message-ID", "")).strip()
            home = await self._opened(letter, address, name)
            if home is None:
                return None, ""
            if not address.thread:
                return home, home.first
        return home, await self.board.find(home.place, mark, "" if floor == NEW else floor)

    async def _opened(self, letter: EmailMessage, address: Address, name: str) -> Home | None:
        """The topic that somebody has opened for this letter before he died."""
        found = await self.board.find_topic(self._title(letter), private=not address.thread)
        if found is None or not await self.board.find(found[0], marker(name, 0 if address.thread else 1), ""):
            return None
        home = Home(*found)
        self._remember(letter, address, home)
        return home

    def _title(self, letter: EmailMessage) -> str:
        title = " ".join(str(letter.get(TITLE) or letter.get("Subject", "pbem")).split())
        return title[: self.board.facts.longest_title]

    def _longest(self, address: Address) -> int:
        facts = self.board.facts
        private = address.account or (address.place is not None and address.place.private)
        longest = facts.longest_private if private and facts.longest_private else facts.longest
        return longest - 100

    async def _uploaded(self, place: Place | None, name: str, data: bytes) -> str:
        known = (name, hashlib.sha256(data).hexdigest())
        if known not in self._uploads:
            try:
                self._uploads[known] = await self.board.upload(place, name, data)
            except PostRefused:
                return ""
            while len(self._uploads) > _MOST_UPLOADS:
                del self._uploads[next(iter(self._uploads))]
        return self._uploads[known]

    async def _with_pictures(self, text: str, letter: EmailMessage, place: Place | None) -> str:
        """The text with its pictures on the board; without them where they cannot be there."""
        for cid in dict.fromkeys(_PICTURE.findall(text)):
            where = ""
            for part in letter.walk() if self.board.facts.uploads else ():
                if part.get("Content-ID", "").strip("<> ") == cid:
                    data = part.get_payload(decode=True)
                    assert isinstance(data, bytes)
                    where = await self._uploaded(place, part.get_filename() or "map.png", data)
            if where:
                text = text.replace(f"cid:{cid}", where)
        return _NO_PICTURE.sub("", text)


def marker(message_id: str, part: int = 1) -> str:
    """What a post of ours is found by: no dots in it, for boards make links of them."""
    name = message_id if part == 1 else f"{message_id}/{part}"
    return f"pbem-{hashlib.sha256(name.encode()).hexdigest()[:16]}"


def split(text: str, longest: int) -> list[str]:
    """A text in parts that a board takes, cut between paragraphs where that goes, never within a code block."""
    if len(text) <= longest:
        return [text]
    parts: list[str] = []
    part = ""
    for block in _blocks(text):
        while len(block) > longest:
            cut = max(block.rfind("\n", 0, longest), block.rfind(" ", 0, longest))
            cut = cut if cut > longest // 2 else longest
            if part:
                parts.append(part)
            parts.append(block[:cut].rstrip())
            part, block = "", block[cut:].lstrip()
        joined = f"{part}\n\n{block}" if part else block
        if len(joined) > longest:
            parts.append(part)
            joined = block
        part = joined
    return [one for one in (*parts, part) if one.strip()]


def _blocks(text: str) -> list[str]:
    """Paragraphs; what is fenced or folded stays in one piece with its fence."""
    blocks: list[str] = []
    depth = 0
    for paragraph in text.split("\n\n"):
        if depth and blocks:
            blocks[-1] += "\n\n" + paragraph
        else:
            blocks.append(paragraph)
        fences = len(re.findall(r"(?m)^```", paragraph)) % 2
        opened = len(re.findall(r"(?m)^(?:<details|\[(?:details|spoiler|code)\b)", paragraph))
        closed = len(re.findall(r"(?:</details>|\[/(?:details|spoiler|code)\])", paragraph))
        depth = max(0, depth + opened - closed) ^ fences
    return blocks


def _markup(letter: EmailMessage) -> str:
    for part in letter.walk():
        if part.get_content_type() in MARKUP:
            data = part.get_payload(decode=True)
            assert isinstance(data, bytes)
            return data.decode("utf-8", "replace").replace("\r\n", "\n").strip()
    return ""
