"""NodeBB, version 3 and later: REST with a bearer token. Private topics are chat rooms, whose messages are short.

A 200 can mean that a post waits for a moderator; an account waits seconds between posts. Written from what a running
NodeBB answered once; its interface has no schema that we may ship, so the fake in our tests is unchecked by one.
How far it has been read is a time in milliseconds, the only thing that its lists of topics and of chats share: a post
stamped in the very millisecond of the newest one, but listed only after it, would be missed.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import httpx
import msgspec

from pbem.letters.posted import Place
from pbem.post.forum.board import Account, BoardTrouble, Changes, Facts, Post, PostQueued, PostRefused
from pbem.post.forum.pace import Pace
from pbem.post.forum.web import Web, decoded

FACTS = Facts(
    kind="nodebb",
    longest=32_000,
    longest_private=1_000,
    shortest=8,
    longest_title=255,
    interval=10.0,
    calls_a_minute=120,
)
_PAGE = 20
_MOST_PAGES = 50
_MOST_WRITTEN = 5000


class NodeBB:
    """Our account on a NodeBB."""

    def __init__(
        self,
        name: str,
        url: str,
        token: str,
        category: str = "1",
        *,
        pace: Pace | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self.name = name
        self.facts = FACTS
        self.pace = pace or Pace(FACTS.calls_a_minute, FACTS.interval)
        self._web = Web(url, self.pace, headers={"Authorization": f"Bearer {token}"}, transport=transport)
        self._category = category or "1"
        self._us: Account | None = None
        self._written: dict[str, tuple[str, str]] = {}
        """What the author of a chat message wrote, with the rendering of which it was the source."""

    async def account(self) -> Account:
        """Who we are there."""
        if self._us is None:
            user = await self._web.json("/api/self")
            self._us = Account(str(user["uid"]), user["username"])
        return self._us

    async def find_account(self, name: str) -> Account | None:
        """The account of that name."""
        answer = await self._web.call("GET", f"/api/user/username/{name}", missing=True)
        if answer.status_code == 404:
            return None
        user = decoded(answer)
        return Account(str(user["uid"]), user["username"])

    async def changes(self, mark: str) -> Changes:
        """The posts since the mark, of the topics and of the chats in which somebody has written since."""
        us = await self.account()
        since = int(mark or 0)
        newest, posts = since, []
        for topic in (await self._web.json("/api/recent"))["topics"]:
            newest = max(newest, topic["lastposttime"])
            if mark and topic["lastposttime"] > since:
                posts += await self._topic_since(Place(str(topic["tid"])), since)
        for room in (await self._web.json("/api/v3/chats"))["response"]["rooms"]:
            last = room["teaser"]["timestamp"] if room.get("teaser") else 0
            newest = max(newest, last)
            if mark and last > since:
                place = Place(str(room["roomId"]), True)
                for one in await self._messages(place):
                    # Ours are many, and left out below: what they say is not asked for.
                    if one["timestamp"] > since and str(one["fromuid"]) != us.id:
                        posts.append(await self._message(place, one))
        mine = [post for post in posts if post.author != us.id]
        return Changes(
            tuple(sorted(mine, key=lambda post: (post.at, int(post.id)))), str(newest), self._web.skew
        )

    async def again(self, place: Place, posts: Sequence[str]) -> list[Post]:
        """These posts as they are now, with what their authors wrote."""
        if place.private:
            known = {str(one["messageId"]): one for one in await self._messages(place)}
            gone = datetime.fromtimestamp(0, UTC)
            return [
                await self._message(place, known[id])
                if id in known
                else Post(id, place, "", "", gone, gone=True)
                for id in posts
            ]
        found = []
        for id in posts:
            answer = await self._web.call("GET", f"/api/v3/posts/{id}", missing=True)
            one = decoded(answer)["response"] if answer.status_code == 200 else None
            if one is None or one["deleted"]:
                found.append(Post(id, place, "", "", datetime.fromtimestamp(0, UTC), gone=True))
                continue
            raw = (await self._web.json(f"/api/v3/posts/{id}/raw"))["response"]["content"]
            found.append(msgspec.structs.replace(_post(one, place), text=raw, raw=True))
        return found

    async def write(self, place: Place, text: str, key: str) -> str:
        """Post into a topic or a chat."""
        await self.pace.post()
        if place.private:
            said = await self._send("POST", f"/api/v3/chats/{place.id}", {"message": text})
            return str(said["mid"])
        return _posted(await self._send("POST", f"/api/v3/topics/{place.id}", {"content": text}))

    async def rewrite(self, place: Place, post: str, text: str) -> None:
        """Put another text into a post of ours."""
        if place.private:
            await self._send("PUT", f"/api/v3/chats/{place.id}/messages/{post}", {"message": text})
        else:
            await self._send("PUT", f"/api/v3/posts/{post}", {"content": text})

    async def open(self, title: str, text: str, to: Sequence[Account], key: str) -> tuple[Place, str]:
        """A new topic, or a chat room with a name."""
        if to:
            room = await self._send("POST", "/api/v3/chats", {"uids": [int(one.id) for one in to]})
            place = Place(str(room["roomId"]), True)
            await self._send("PUT", f"/api/v3/chats/{place.id}", {"name": title})
            return place, await self.write(place, text, key)
        await self.pace.post()
        body = {"cid": int(self._category), "title": title, "content": text}
        made = await self._send("POST", "/api/v3/topics", body)
        if made.get("queued"):
            raise PostQueued(title)
        return Place(str(made["tid"])), str(made["mainPid"])

    async def upload(self, place: Place | None, name: str, data: bytes) -> str:
        """Put a picture there."""
        files = {"files[]": (name, data, "image/png")}
        answer = decoded(await self._web.post("/api/post/upload", files=files, refusing=True))
        return str(answer["response"]["images"][0]["url"])

    async def top(self, place: Place) -> str:
        """The last post of a topic or chat."""
        if place.private:
            return str((await self._messages(place))[-1]["messageId"])
        return (await self._topic_page(place, -1))[-1].id

    async def find(self, place: Place, marker: str, floor: str) -> str:
        """Our post with that marker."""
        us = await self.account()
        if place.private:
            for message in reversed(await self._messages(place)):
                if str(message["fromuid"]) == us.id:
                    post = await self._message(place, message)
                    if marker in post.text:
                        return post.id
            return ""
        pages = (await self._web.json(f"/api/topic/{place.id}"))["pagination"]["pageCount"]
        for page in range(pages, 0, -1):
            posts = await self._topic_page(place, page)
            for one in reversed(posts):
                if one.author == us.id and marker in one.text:
                    return one.id
            if any(int(one.id) <= int(floor or 0) for one in posts):
                break
        return ""

    async def find_topic(self, title: str, private: bool) -> tuple[Place, str] | None:
        """A topic of ours with that title among the newest."""
        us = await self.account()
        if private:
            for room in (await self._web.json("/api/v3/chats"))["response"]["rooms"]:
                if room["roomName"] == title:
                    place = Place(str(room["roomId"]), True)
                    ours = [one for one in await self._messages(place) if str(one["fromuid"]) == us.id]
                    return (place, str(ours[0]["messageId"])) if ours else None
            return None
        for topic in (await self._web.json("/api/recent"))["topics"]:
            if topic["title"] == title and str(topic["uid"]) == us.id:
                return Place(str(topic["tid"])), str(topic["mainPid"])
        return None

    def link(self, place: Place, post: str) -> str:
        """The address of a post for a browser."""
        return f"{self._web.url}/message/{post}" if place.private else f"{self._web.url}/post/{post}"

    async def check(self) -> list[tuple[str, bool, str]]:
        """Login; what has to be set by hand."""
        us = await self.account()
        category = await self._web.call("GET", f"/api/category/{self._category}", missing=True)
        return [
            ("login", True, f"as {us.name}, account {us.id}"),
            ("category", category.status_code == 200, f"category {self._category}"),
            (
                "settings of the board",
                True,
                "no post queue for the account; postDelay and chatMessageDelay small; chats hold "
                f"{FACTS.longest_private} characters (maximumChatMessageLength)",
            ),
        ]

    async def close(self) -> None:
        """Let go of connections."""
        await self._web.close()

    async def _send(self, method: str, path: str, body: dict[str, Any]) -> Any:
        try:
            return decoded(await self._web.call(method, path, json=body, refusing=True))["response"]
        except PostRefused as refused:
            if "wait" in str(refused):
                raise BoardTrouble(str(refused), wait=FACTS.interval) from refused
            raise

    async def _topic_page(self, place: Place, page: int) -> list[Post]:
        if page < 0:
            page = (await self._web.json(f"/api/topic/{place.id}"))["pagination"]["pageCount"]
        found = await self._web.json(f"/api/topic/{place.id}", params={"page": page})
        return [_post(one, place) for one in found["posts"]]

    async def _topic_since(self, place: Place, since: int) -> list[Post]:
        page = (await self._web.json(f"/api/topic/{place.id}"))["pagination"]["pageCount"]
        found: list[Post] = []
        for number in range(page, max(0, page - _MOST_PAGES), -1):
            posts = await self._topic_page(place, number)
            found += [one for one in posts if _stamp(one.at) > since]
            if any(_stamp(one.at) <= since for one in posts):
                break
        return found

    async def _messages(self, place: Place) -> list[dict[str, Any]]:
        """The messages of a chat as the board lists them: rendered; what was written costs a call for each."""
        found = await self._web.json(f"/api/v3/chats/{place.id}/messages")
        return [one for one in found["response"]["messages"] if not one.get("system")]

    async def _message(self, place: Place, one: dict[str, Any]) -> Post:
        raw = await self._raw_message(place, one)
        return _post(one | {"pid": one["messageId"], "uid": one["fromuid"], "content": raw}, place)

    async def _raw_message(self, place: Place, one: dict[str, Any]) -> str:
        """What was written; asked for again only when the board shows something else than the last time."""
        id, shown = str(one["messageId"]), f"{one.get('edited') or ''} {one['content']}"
        known = self._written.get(id)
        if known is None or known[0] != shown:
            path = f"/api/v3/chats/{place.id}/messages/{id}/raw"
            known = shown, (await self._web.json(path))["response"]["content"]
            if len(self._written) >= _MOST_WRITTEN:
                self._written.clear()
            self._written[id] = known
        return known[1]


def _posted(made: Any) -> str:
    if made.get("queued"):
        raise PostQueued("the post waits for a moderator")
    return str(made["pid"])


def _stamp(at: datetime) -> int:
    return round(at.timestamp() * 1000)


def _post(one: dict[str, Any], place: Place) -> Post:
    return Post(
        id=str(one["pid"]),
        place=place,
        author=str(one["uid"]),
        name=(one.get("user") or one.get("fromUser") or {}).get("username", ""),
        at=datetime.fromtimestamp(one["timestamp"] / 1000, UTC),
        text=one["content"],
        raw=place.private,
        version=str(one.get("edited") or ""),
        editor=str(one.get("editor") or ""),
        gone=bool(one.get("deleted")),
    )
