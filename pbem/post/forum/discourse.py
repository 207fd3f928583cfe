"""Discourse: REST with an API key. One feed of all public posts, one list of private messages.

Its limits bite: posts have at least 20 characters (10 in private), accounts wait between posts, a post may be
`enqueued` for a moderator. An edit in the first minutes leaves a post's version as it is: texts are compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import httpx
import msgspec

from pbem.letters.posted import Place
from pbem.post.forum.board import Account, Changes, Facts, Post, PostQueued, PostRefused
from pbem.post.forum.pace import Pace
from pbem.post.forum.web import Web, decoded

FACTS = Facts(
    kind="discourse",
    fold="discourse",
    tables=True,
    longest=32_000,
    shortest=20,
    longest_title=255,
    interval=5.0,
    calls_a_minute=50,
)
_MOST_PAGES = 20
_PAGE = 20


class Discourse:
    """Our account on a Discourse."""

    def __init__(
        self,
        name: str,
        url: str,
        username: str,
        token: str,
        category: str = "",
        *,
        pace: Pace | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self.name = name
        self.facts = FACTS
        self.pace = pace or Pace(FACTS.calls_a_minute, FACTS.interval)
        headers = {"Api-Key": token, "Api-Username": username}
        self._web = Web(url, self.pace, headers=headers, transport=transport)
        self._username, self._category = username, category
        self._us: Account | None = None
        self._names: dict[str, str] = {}
        """The names of accounts, as they were last seen."""

    async def account(self) -> Account:
        """Who we are there."""
        if self._us is None:
            user = (await self._web.json(f"/u/{self._username}.json"))["user"]
            self._us = Account(str(user["id"]), user["username"])
        return self._us

    async def find_account(self, name: str) -> Account | None:
        """The account of that name."""
        answer = await self._web.call("GET", f"/u/{name}.json", missing=True)
        if answer.status_code == 404:
            return None
        user = decoded(answer)["user"]
        return Account(str(user["id"]), user["username"])

    async def changes(self, mark: str) -> Changes:
        """The public posts since the mark, and the private topics in which somebody has written since."""
        us = await self.account()
        public, _, private = mark.partition(" ")
        posts: list[Post] = []
        newest, before = int(public or 0), ""
        for _ in range(_MOST_PAGES):
            page = (await self._web.json(f"/posts.json{before}"))["latest_posts"]
            newest = max([newest, *(one["id"] for one in page)])
            posts += [
                self._post(one, Place(str(one["topic_id"]))) for one in page if one["id"] > int(public or 0)
            ]
            if not mark or not page or page[-1]["id"] <= int(public):
                break
            before = f"?before={page[-1]['id']}"
        stamp = private
        listed = await self._web.json(f"/topics/private-messages/{us.name}.json")
        for topic in listed["topic_list"]["topics"]:
            stamp = max(stamp, topic["last_posted_at"])
            if mark and topic["last_posted_at"] > private:
                place = Place(str(topic["id"]), True)
                for one in await self._topic_posts(place):
                    if one["created_at"] > private:
                        posts.append(self._post(one, place))
        mine = [post for post in posts if post.author != us.id] if mark else []
        return Changes(
            tuple(sorted(mine, key=lambda post: int(post.id))), f"{newest} {stamp}", self._web.skew
        )

    async def again(self, place: Place, posts: Sequence[str]) -> list[Post]:
        """These posts as they are now."""
        found = []
        for id in posts:
            answer = await self._web.call("GET", f"/posts/{id}.json", missing=True)
            if answer.status_code == 404:
                found.append(Post(id, place, "", "", datetime.fromtimestamp(0, UTC), gone=True))
                continue
            one = decoded(answer)
            post = self._post(one, place)
            if one["version"] > 1:
                post = msgspec.structs.replace(post, raw=True, editor=await self._editor(post))
            found.append(post)
        return found

    async def write(self, place: Place, text: str, key: str) -> str:
        """Reply to a topic."""
        return str((await self._create(topic_id=int(place.id), raw=text))["id"])

    async def rewrite(self, place: Place, post: str, text: str) -> None:
        """Put another text into a post of ours."""
        body = {"post": {"raw": text, "edit_reason": "kept up to date"}}
        await self._web.call("PUT", f"/posts/{post}.json", json=body, refusing=True)

    async def open(self, title: str, text: str, to: Sequence[Account], key: str) -> tuple[Place, str]:
        """A new topic, or a private message."""
        body: dict[str, Any] = {"title": title, "raw": text}
        if to:
            names = [one.name or await self._name(one.id) for one in to]
            body |= {"archetype": "private_message", "target_recipients": ",".join(names)}
        elif self._category:
            body["category"] = int(self._category)
        made = await self._create(**body)
        return Place(str(made["topic_id"]), bool(to)), str(made["id"])

    async def upload(self, place: Place | None, name: str, data: bytes) -> str:
        """Put a picture there."""
        answer = await self._web.post(
            "/uploads.json",
            data={"upload_type": "composer", "synchronous": "true"},
            files={"file": (name, data, "image/png")},
            refusing=True,
        )
        return str(decoded(answer)["short_url"])

    async def top(self, place: Place) -> str:
        """The last post of a topic."""
        return str((await self._web.json(f"/t/{place.id}.json"))["post_stream"]["stream"][-1])

    async def find(self, place: Place, marker: str, floor: str) -> str:
        """Our post with that marker."""
        us = await self.account()
        stream = (await self._web.json(f"/t/{place.id}.json"))["post_stream"]["stream"]
        wanted = [id for id in stream if id > int(floor or 0)]
        while wanted:
            wanted, page = wanted[:-_PAGE], wanted[-_PAGE:]
            for one in reversed(await self._some(place, page)):
                if str(one["user_id"]) == us.id and marker in (one.get("raw") or one["cooked"]):
                    return str(one["id"])
        return ""

    async def find_topic(self, title: str, private: bool) -> tuple[Place, str] | None:
        """A topic of ours with that title among the newest."""
        us = await self.account()
        path = f"/topics/private-messages-sent/{us.name}" if private else f"/topics/created-by/{us.name}"
        for topic in (await self._web.json(f"{path}.json"))["topic_list"]["topics"]:
            if topic["title"] == title:
                place = Place(str(topic["id"]), private)
                stream = (await self._web.json(f"/t/{place.id}.json"))["post_stream"]["stream"]
                return place, str(stream[0])
        return None

    def link(self, place: Place, post: str) -> str:
        """The address of a post for a browser."""
        return f"{self._web.url}/p/{post}"

    async def check(self) -> list[tuple[str, bool, str]]:
        """Login, rights, what can be read."""
        us = await self.account()
        user = (await self._web.json(f"/u/{us.name}.json"))["user"]
        level = user.get("trust_level", 0)
        pages = (await self._web.json("/posts.json"))["latest_posts"]
        return [
            ("login", True, f"as {us.name}, account {us.id}"),
            (
                "trust level",
                level >= 1,
                f"{level}; a new account may not write in private: make it 1 or more",
            ),
            ("raw text", not pages or "raw" in pages[0], "of others' posts"),
            (
                "settings of the board",
                True,
                "exempt the account from max_consecutive_replies; min_post_length 20 holds for players too",
            ),
        ]

    async def close(self) -> None:
        """Let go of connections."""
        await self._web.close()

    async def _create(self, **body: Any) -> Any:
        await self.account()
        await self.pace.post()
        made = decoded(await self._web.post("/posts.json", json=body, refusing=True))
        if made.get("action") == "enqueued":
            raise PostQueued(str(made.get("pending_post", {}).get("id", "")))
        return made.get("post", made)

    async def _some(self, place: Place, ids: Sequence[int]) -> list[Any]:
        params = [("post_ids[]", str(id)) for id in ids] + [("include_raw", "true")]
        found = await self._web.json(f"/t/{place.id}/posts.json", params=params)
        posts: list[Any] = found["post_stream"]["posts"]
        return sorted(posts, key=lambda one: int(one["id"]))

    async def _topic_posts(self, place: Place) -> list[Any]:
        stream = (await self._web.json(f"/t/{place.id}.json"))["post_stream"]["stream"]
        return await self._some(place, stream[-_PAGE:])

    async def _name(self, id: str) -> str:
        if id not in self._names:
            answer = await self._web.call("GET", f"/admin/users/{id}.json", missing=True, refusing=True)
            if answer.status_code == 404:
                raise PostRefused(f"there is no account {id}")
            self._names[id] = decoded(answer)["username"]
        return self._names[id]

    async def _editor(self, post: Post) -> str:
        """Who has changed a post last; empty where the board keeps that to itself."""
        try:
            answer = await self._web.call(
                "GET", f"/posts/{post.id}/revisions/latest.json", missing=True, refusing=True
            )
        except PostRefused:
            return ""
        name = decoded(answer).get("username", "") if answer.status_code == 200 else ""
        return post.author if name == post.name else name

    def _post(self, one: dict[str, Any], place: Place) -> Post:
        author = str(one["user_id"])
        self._names[author] = one["username"]
        return Post(
            id=str(one["id"]),
            place=place,
            author=author,
            name=one["username"],
            at=datetime.fromisoformat(one["created_at"].replace("Z", "+00:00")),
            text=one.get("raw") or "",
            # Who has edited it is asked when it is looked at again.
            raw="raw" in one and one["version"] == 1,
            version=f"{one['version']} {one['updated_at']}",
            gone=bool(one.get("deleted_at") or one.get("user_deleted") or one.get("hidden")),
            machine=int(author) < 0,
        )
