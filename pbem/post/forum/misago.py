"""Misago: JSON with a session. Its lists tell the number of each topic's last post, so an idle poll is two calls.

Posts come as HTML; what the author wrote is what the editor would quote. Edits show in the posts' own counters only,
and a deleted post is simply gone. Pictures in private topics can be seen by whoever has their address.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import datetime
from typing import Any

import httpx
import msgspec

from pbem.letters.html import to_text
from pbem.letters.posted import Place
from pbem.post.forum.board import Account, BoardTrouble, Changes, Facts, Post, PostQueued, PostRefused
from pbem.post.forum.pace import Pace
from pbem.post.forum.web import Web, decoded

FACTS = Facts(
    kind="misago",
    fold="spoiler",
    longest=60_000,
    shortest=5,
    longest_title=90,
    interval=3.2,
    calls_a_minute=240,
)
_MOST_PAGES = 40
_QUICKLY = 10.0


class Misago:
    """Our account on a Misago."""

    def __init__(
        self,
        name: str,
        url: str,
        username: str,
        password: str,
        category: str = "",
        *,
        pace: Pace | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self.name = name
        self.facts = FACTS
        self._username, self._password, self._category = username, password, category
        self.pace = pace or Pace(FACTS.calls_a_minute)
        self._web = Web(url, self.pace, transport=transport)
        self._us: Account | None = None
        self._rights: dict[str, Any] = {}
        self._login = asyncio.Lock()
        self._seen: dict[str, dict[str, Any]] = {}
        """The posts that the last poll has brought: they need not be listed again."""
        self._pages: dict[Place, int] = {}
        """How many pages topics had when they were last looked at."""
        self._raw: dict[tuple[str, int], str] = {}
        self._uploads: dict[str, int] = {}

    async def account(self) -> Account:
        """Who we are there."""
        async with self._login:
            if self._us is None:
                await self._web.get("/")
                self._show_token()
                answer = await self._web.post(
                    "/api/auth/", json={"username": self._username, "password": self._password}, refusing=True
                )
                user = decoded(answer)
                self._show_token()
                self._rights = (await self._web.json("/api/auth/"))["acl"]
                if not self._rights["can_omit_flood_protection"]:
                    self.pace.keep_apart(FACTS.interval)
                self._us = Account(str(user["id"]), user["username"])
            return self._us

    async def find_account(self, name: str) -> Account | None:
        """The account of that name."""
        for provider in await self._json("/api/search/", params={"q": name}):
            for user in provider["results"]["results"] if provider["id"] == "users" else ():
                if user["username"].lower() == name.lower():
                    return Account(str(user["id"]), user["username"])
        return None

    async def changes(self, mark: str) -> Changes:
        """The posts since the mark: of the public topics and of our private ones."""
        public, _, private = mark.partition(" ")
        us = await self.account()
        self._seen.clear()
        posts: list[Post] = []
        marks = []
        for path, since in (("threads", public), ("private-threads", private)):
            newest = int(since or 0)
            for topic in await self._topics(path, int(since) if since else None):
                newest = max(newest, topic["last_post"])
                if since and topic["last_post"] > int(since):
                    place = Place(str(topic["id"]), path != "threads")
                    found = await self._back_to(place, int(since), topic["pages"])
                    posts += [self._post(one, place) for one in found if one["id"] > int(since)]
            marks.append(str(newest))
        mine = [post for post in posts if post.author != us.id]
        return Changes(tuple(sorted(mine, key=lambda post: int(post.id))), " ".join(marks), self._web.skew)

    async def again(self, place: Place, posts: Sequence[str]) -> list[Post]:
        """These posts as they are now."""
        known = {id: self._seen[id] for id in posts if id in self._seen}
        if len(known) < len(posts):
            listed = await self._back_to(place, min(map(int, posts)) - 1)
            known = {str(one["id"]): one for one in listed}
        found = []
        for id in posts:
            one = known.get(id)
            self._seen.pop(id, None)
            if one is None:
                gone = Post(id, place, "", "", datetime.fromtimestamp(0).astimezone(), gone=True)
                found.append(gone)
                continue
            post = self._post(one, place)
            found.append(post if post.gone else await self._written(post, one))
        return found

    async def write(self, place: Place, text: str, key: str) -> str:
        """Post into a topic."""
        answer = await self._send("POST", f"{_path(place)}/{place.id}/posts/", text)
        if answer.get("is_unapproved"):
            raise PostQueued(f"post {answer['id']}")
        return str(answer["id"])

    async def rewrite(self, place: Place, post: str, text: str) -> None:
        """Put another text into a post of ours."""
        await self._send("PUT", f"{_path(place)}/{place.id}/posts/{post}/", text)

    async def open(self, title: str, text: str, to: Sequence[Account], key: str) -> tuple[Place, str]:
        """A new topic with its first post."""
        await self.account()
        if to:
            names = [one.name or (await self._json(f"/api/users/{one.id}/"))["username"] for one in to]
            opened = await self._send("POST", "/api/private-threads/", text, title=title, to=names)
        else:
            category = int(self._category or self._rights_category())
            opened = await self._send("POST", "/api/threads/", text, title=title, category=category)
        place = Place(str(opened["id"]), bool(to))
        listed = await self._json(f"{_path(place)}/{place.id}/posts/")
        return place, str(listed["post_set"]["results"][0]["id"])

    async def upload(self, place: Place | None, name: str, data: bytes) -> str:
        """Put a picture there; it belongs to the next post that shows it."""
        await self.account()
        answer = decoded(
            await self._web.post(
                "/api/attachments/", files={"upload": (name, data, "image/png")}, refusing=True
            )
        )
        where = str(answer["url"]["index"])
        self._uploads[where] = answer["id"]
        return where

    async def top(self, place: Place) -> str:
        """The last post of a topic."""
        return str((await self._json(f"{_path(place)}/{place.id}/"))["last_post"])

    async def find(self, place: Place, marker: str, floor: str) -> str:
        """Our post with that marker."""
        us = await self.account()
        for one in reversed(await self._back_to(place, int(floor or 0))):
            ours = one["poster"] is not None and str(one["poster"]["id"]) == us.id
            if ours and marker in (one["content"] or ""):
                return str(one["id"])
        return ""

    async def find_topic(self, title: str, private: bool) -> tuple[Place, str] | None:
        """A topic of ours with that title among the newest."""
        us = await self.account()
        for topic in await self._topics("private-threads" if private else "threads", None):
            if topic["title"] == title and topic["starter_name"] == us.name:
                place = Place(str(topic["id"]), private)
                listed = await self._json(f"{_path(place)}/{place.id}/posts/")
                return place, str(listed["post_set"]["results"][0]["id"])
        return None

    def link(self, place: Place, post: str) -> str:
        """The address of a post for a browser."""
        return f"{self._web.url}/{'p' if place.private else 't'}/x/{place.id}/post/{post}/"

    async def check(self) -> list[tuple[str, bool, str]]:
        """Login, rights, flood limit, upload, private topics; the raw text of others' posts."""
        us = await self.account()
        rights = self._rights
        category = self._category or self._rights_category()
        mine: dict[str, Any] = next((one for one in rights["categories"] if str(one["id"]) == category), {})
        flood = rights["can_omit_flood_protection"]
        size = rights["max_attachment_size"]
        topics = await self._topics("threads", None)
        return [
            ("login", True, f"as {us.name}, account {us.id}"),
            (
                "category",
                bool(mine.get("can_start_threads") and mine.get("can_reply_threads")),
                f"category {category}: give the account's role the right to start threads and to reply there",
            ),
            (
                "private topics",
                bool(rights["can_start_private_threads"]),
                "the account's role needs «can start private threads»",
            ),
            (
                "flood limit",
                bool(flood),
                "none" if flood else "3 seconds between posts: give the role «can omit flood protection»",
            ),
            ("upload", size >= 1024, f"{size} kB a file; a map needs up to 1 MB"),
            ("raw text", bool(mine.get("can_reply_threads")), f"{len(topics)} topics can be read"),
        ]

    async def close(self) -> None:
        """Let go of connections."""
        await self._web.close()

    def _show_token(self) -> None:
        client = self._web.client
        client.headers["X-CSRFToken"] = client.cookies.get("csrftoken") or ""
        client.headers["Referer"] = f"{self._web.url}/"

    def _rights_category(self) -> str:
        open_to_us = [one for one in self._rights.get("categories", ()) if one["can_start_threads"]]
        if not open_to_us:
            raise PostRefused("there is no category in which the account may start a thread")
        return str(open_to_us[0]["id"])

    async def _json(self, path: str, **how: Any) -> Any:
        await self.account()
        return await self._web.json(path, **how)

    async def _topics(self, path: str, since: int | None) -> list[dict[str, Any]]:
        """The topics in which somebody has posted since then, or the newest."""
        found: list[dict[str, Any]] = []
        params: dict[str, Any] = {"category": self._category} if self._category and path == "threads" else {}
        for _ in range(_MOST_PAGES):
            page = await self._json(f"/api/{path}/", params=params)
            found += page["results"]
            old = since is None or any(
                one["last_post"] <= since and not one["weight"] for one in page["results"]
            )
            if old or not page["next"]:
                break
            params["start"] = page["next"]
        return found

    async def _back_to(self, place: Place, floor: int, pages: int = 0) -> list[dict[str, Any]]:
        """The posts of a topic above the floor, from its last page back; oldest first."""
        path = f"{_path(place)}/{place.id}/posts/"
        pages = pages or self._pages.get(place, 0)
        pages = pages or int((await self._json(f"{_path(place)}/{place.id}/"))["pages"])
        found: dict[int, dict[str, Any]] = {}
        page = pages
        while page >= 1:
            try:
                listed = (await self._json(path, params={"page": page}))["post_set"]
            except BoardTrouble:
                # Posts may have been deleted, and the page with them.
                self._pages.pop(place, None)
                raise
            for one in listed["results"]:
                found[one["id"]] = one
            # Others may have posted meanwhile, onto a page that was not there yet.
            self._pages[place] = listed["pages"]
            page = listed["pages"] if listed["pages"] > pages else page - 1
            pages = max(pages, listed["pages"])
            if any(one["id"] <= floor for one in listed["results"]):
                break
        self._seen.update((str(id), one) for id, one in found.items() if id > floor)
        return [found[id] for id in sorted(found)]

    def _post(self, one: dict[str, Any], place: Place) -> Post:
        poster = one["poster"]
        return Post(
            id=str(one["id"]),
            place=place,
            author=str(poster["id"]) if poster else "",
            name=one["poster_name"],
            at=datetime.fromisoformat(one["posted_on"]),
            text=to_text(one["content"] or ""),
            raw=False,
            version=str(one["edits"]),
            editor=str(one["last_editor"] or ""),
            gone=bool(one["is_hidden"]),
            machine=bool(one["is_event"]),
        )

    async def _written(self, post: Post, one: dict[str, Any]) -> Post:
        """The post with what its author wrote."""
        key = (post.id, one["edits"])
        if key not in self._raw:
            path = f"{_path(post.place)}/{post.place.id}/posts/reply_editor/"
            answer = await self._web.call("GET", path, params={"reply": post.id}, missing=True, refusing=True)
            if answer.status_code in (404, 410):
                return msgspec.structs.replace(post, gone=True)
            if len(self._raw) > 1000:
                self._raw.clear()
            self._raw[key] = decoded(answer)["post"]
        return msgspec.structs.replace(post, text=self._raw[key], raw=True)

    async def _send(self, method: str, path: str, text: str, **more: Any) -> Any:
        await self.account()
        if method == "POST":
            await self.pace.post()
        shown = [id for where, id in self._uploads.items() if where in text]
        body = {"post": text, **more} | ({"attachments": shown} if shown else {})
        try:
            answer = await self._web.call(method, path, json=body, refusing=True)
        except PostRefused as refused:
            if " 403 " in str(refused):
                # Too quick, or not allowed: either can be cured, and neither is the letter's fault.
                raise BoardTrouble(str(refused), wait=_QUICKLY) from refused
            raise
        for where in [where for where, id in self._uploads.items() if id in shown]:
            del self._uploads[where]
        return decoded(answer)


def _path(place: Place) -> str:
    return "/api/private-threads" if place.private else "/api/threads"
