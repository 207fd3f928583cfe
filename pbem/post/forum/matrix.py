"""Matrix: rooms as topics, a sync as the poll. Edits are events of their own, redactions empty a post for good.

A message sent again with the same key and the same access token is the same message; the token is therefore kept
and never asked for anew. Rooms with encryption cannot be read, and are told so.
"""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

import httpx
import msgspec
from markdown_it import MarkdownIt

from pbem.letters.posted import Place
from pbem.post.forum.board import Account, Changes, Facts, Post
from pbem.post.forum.pace import Pace
from pbem.post.forum.web import Web, decoded

FACTS = Facts(
    kind="matrix",
    fold="details",
    longest=14_000,
    longest_title=200,
    tells_edits=True,
    idempotent=True,
    calls_a_minute=600,
)
_CLIENT = "/_matrix/client/v3"
_FILTER = '{"presence":{"not_types":["*"]},"account_data":{"not_types":["*"]},"room":{"ephemeral":{"not_types":["*"]},'
_FIRST = _FILTER + '"not_rooms":["!%s:first.invalid"],"timeline":{"limit":1},"state":{"not_types":["*"]}}}'
"""With a name of chance in it: a server may answer the same first question as it did minutes ago."""
_LATER = _FILTER + '"timeline":{"limit":100},"state":{"lazy_load_members":true}}}'
_MOST_PAGES = 40
_HTML = MarkdownIt("commonmark", {"html": True, "breaks": True})
_UNREADABLE = "This room is encrypted, and I cannot read it. Please open one without encryption."


class Matrix:
    """Our account on a homeserver."""

    def __init__(
        self,
        name: str,
        url: str,
        token: str = "",
        username: str = "",
        password: str = "",
        *,
        pace: Pace | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self.name = name
        self.facts = FACTS
        self.pace = pace or Pace(FACTS.calls_a_minute)
        self._web = Web(url, self.pace, transport=transport)
        self._username, self._password = username, password
        self._us: Account | None = None
        self._private: dict[str, bool] = {}
        self._told: set[str] = set()
        """Encrypted rooms that have been told so."""
        if token:
            self._bear(token)

    async def account(self) -> Account:
        """Who we are there."""
        if self._us is None:
            if "Authorization" not in self._web.client.headers:
                who = {"type": "m.id.user", "user": self._username}
                body = {"type": "m.login.password", "identifier": who, "password": self._password}
                answer = await self._web.post(f"{_CLIENT}/login", json=body)
                self._bear(decoded(answer)["access_token"])
            found = await self._web.json(f"{_CLIENT}/account/whoami")
            self._us = Account(found["user_id"], _short(found["user_id"]))
        return self._us

    async def find_account(self, name: str) -> Account | None:
        """The account of that name, on our own server where it names none."""
        us = await self.account()
        id = name if name.startswith("@") else f"@{name}:{us.id.partition(':')[2]}"
        answer = await self._web.call("GET", f"{_CLIENT}/profile/{quote(id)}", missing=True)
        return Account(id, _short(id)) if answer.status_code == 200 else None

    async def changes(self, mark: str) -> Changes:
        """The messages, edits and redactions since the mark; whoever invites us is visited."""
        us = await self.account()
        params = {"timeout": "0", "filter": _LATER if mark else _FIRST % uuid.uuid4().hex}
        if mark:
            params["since"] = mark
        found = await self._web.json(f"{_CLIENT}/sync", params=params)
        rooms = found.get("rooms", {})
        for room in rooms.get("invite", {}):
            await self._web.post(f"{_CLIENT}/join/{quote(room)}", json={})
        posts: list[Post] = []
        for room, said in rooms.get("join", {}).items() if mark else ():
            timeline = said.get("timeline", {})
            events = list(timeline.get("events", []))
            if timeline.get("limited"):
                events = [*await self._before(room, timeline["prev_batch"], mark), *events]
            place = Place(room, await self._is_private(room))
            for event in events:
                if event["type"] == "m.room.encrypted":
                    await self._refuse_encryption(room)
                post = self._told_by(event, place)
                if post is not None and post.author != us.id:
                    posts.append(post)
        first, mark = not mark, found["next_batch"]
        if rooms.get("invite"):
            later = await self.changes(mark)
            posts += () if first else later.posts
            mark = later.mark
        return Changes(tuple(posts), mark, self._web.skew)

    async def again(self, place: Place, posts: Sequence[str]) -> list[Post]:
        """These messages as they are now."""
        found = []
        for id in posts:
            answer = await self._web.call(
                "GET", f"{_CLIENT}/rooms/{quote(place.id)}/event/{quote(id)}", missing=True
            )
            if answer.status_code in (404, 410):
                found.append(Post(id, place, "", "", datetime.fromtimestamp(0, UTC), gone=True))
                continue
            found.append(_post(decoded(answer), place))
        return found

    async def write(self, place: Place, text: str, key: str) -> str:
        """A message into a room; with the same key it is the same message."""
        return await self._send(place, _content(text), key)

    async def rewrite(self, place: Place, post: str, text: str) -> None:
        """Another text for a message of ours."""
        content = _content(text)
        content["m.new_content"] = dict(content)
        content["m.relates_to"] = {"rel_type": "m.replace", "event_id": post}
        await self._send(place, content, f"{post}-{hashlib.sha256(text.encode()).hexdigest()[:12]}")

    async def open(self, title: str, text: str, to: Sequence[Account], key: str) -> tuple[Place, str]:
        """A new room: private, where it is for somebody. Their ids fit into an address in this version of rooms."""
        await self.account()
        body: dict[str, Any] = {
            "name": title,
            "preset": "private_chat" if to else "public_chat",
            "visibility": "private" if to else "public",
            "invite": [one.id for one in to],
            "is_direct": bool(to),
            "room_version": "11",
        }
        room = decoded(await self._web.call("POST", f"{_CLIENT}/createRoom", json=body, refusing=True))
        place = Place(room["room_id"], bool(to))
        self._private[place.id] = place.private
        return place, await self.write(place, text, key)

    async def upload(self, place: Place | None, name: str, data: bytes) -> str:
        """Put a picture there."""
        await self.account()
        answer = await self._web.call(
            "POST",
            "/_matrix/media/v3/upload",
            params={"filename": name},
            content=data,
            headers={"Content-Type": "image/png"},
            refusing=True,
        )
        return str(decoded(answer)["content_uri"])

    async def top(self, place: Place) -> str:
        """The last event of a room."""
        await self.account()
        events = (await self._messages(place.id, {"limit": "1"}))["chunk"]
        return str(events[0]["event_id"]) if events else ""

    async def find(self, place: Place, marker: str, floor: str) -> str:
        """Our message with that marker."""
        us = await self.account()
        params: dict[str, str] = {"limit": "100"}
        for _ in range(_MOST_PAGES):
            page = await self._messages(place.id, params)
            for event in page["chunk"]:
                body = _latest(event).get("body", "")
                if event["sender"] == us.id and marker in body and not _replaces(event):
                    return str(event["event_id"])
                if floor and event["event_id"] == floor:
                    return ""
            if not page["chunk"] or "end" not in page:
                break
            params["from"] = page["end"]
        return ""

    async def find_topic(self, title: str, private: bool) -> tuple[Place, str] | None:
        """A room of ours with that name."""
        us = await self.account()
        for room in reversed((await self._web.json(f"{_CLIENT}/joined_rooms"))["joined_rooms"]):
            path = f"{_CLIENT}/rooms/{quote(room)}/state/m.room.name"
            answer = await self._web.call("GET", path, missing=True)
            if answer.status_code != 200 or decoded(answer).get("name") != title:
                continue
            place = Place(room, await self._is_private(room))
            found = (await self._messages(room, {"dir": "f", "limit": "50"}))["chunk"]
            ours = [one for one in found if one["type"] == "m.room.message" and one["sender"] == us.id]
            if place.private is private and ours:
                return place, ours[0]["event_id"]
        return None

    def link(self, place: Place, post: str) -> str:
        """The address of a message for a browser."""
        return f"https://matrix.to/#/{place.id}/{post}"

    async def check(self) -> list[tuple[str, bool, str]]:
        """Login and upload; what the server says of itself."""
        us = await self.account()
        answer = await self._web.call("GET", "/_matrix/client/v1/media/config", missing=True)
        largest = decoded(answer).get("m.upload.size", 0) if answer.status_code == 200 else 0
        return [
            ("login", True, f"as {us.id}"),
            (
                "access token",
                not self._password,
                "kept by the host"
                if not self._password
                else "give a token instead of a password: it must stay",
            ),
            ("upload", largest >= 1024 * 1024, f"{largest // 1024} kB a file; a map needs up to 1 MB"),
            ("private topics", True, "rooms without encryption; other rooms cannot be read"),
        ]

    async def close(self) -> None:
        """Let go of connections."""
        await self._web.close()

    def _bear(self, token: str) -> None:
        self._web.client.headers["Authorization"] = f"Bearer {token}"

    async def _send(self, place: Place, content: dict[str, Any], key: str) -> str:
        await self.account()
        await self.pace.post()
        path = f"{_CLIENT}/rooms/{quote(place.id)}/send/m.room.message/{quote(key, safe='')}"
        answer = await self._web.call("PUT", path, json=content)
        return str(decoded(answer)["event_id"])

    async def _messages(self, room: str, params: dict[str, str]) -> Any:
        return await self._web.json(f"{_CLIENT}/rooms/{quote(room)}/messages", params={"dir": "b", **params})

    async def _before(self, room: str, start: str, since: str) -> list[dict[str, Any]]:
        """What a sync has left out because it was too much, oldest first."""
        found: list[dict[str, Any]] = []
        params = {"from": start, "to": since, "limit": "100"}
        for _ in range(_MOST_PAGES):
            page = await self._messages(room, params)
            found += page["chunk"]
            if not page["chunk"] or "end" not in page:
                break
            params["from"] = page["end"]
        return found[::-1]

    async def _is_private(self, room: str) -> bool:
        if room not in self._private:
            path = f"{_CLIENT}/rooms/{quote(room)}/state/m.room.join_rules"
            answer = await self._web.call("GET", path, missing=True)
            rule = decoded(answer).get("join_rule") if answer.status_code == 200 else ""
            self._private[room] = rule != "public"
        return self._private[room]

    async def _refuse_encryption(self, room: str) -> None:
        if room not in self._told:
            self._told.add(room)
            await self._send(Place(room), {"msgtype": "m.notice", "body": _UNREADABLE}, f"encrypted-{room}")

    def _told_by(self, event: dict[str, Any], place: Place) -> Post | None:
        """The post that an event is, or that it changes."""
        if event["type"] == "m.room.redaction":
            id = event.get("redacts") or event["content"].get("redacts", "")
            return Post(id, place, event["sender"], _short(event["sender"]), _at(event), gone=True)
        if event["type"] != "m.room.message" or event["content"].get("msgtype") not in ("m.text", "m.emote"):
            return None
        replaced = _replaces(event)
        post = _post(event, place)
        if not replaced:
            return post
        return msgspec.structs.replace(post, id=replaced, text=_latest(event).get("body", ""), raw=False)


def _post(event: dict[str, Any], place: Place) -> Post:
    content = _latest(event)
    edit = event.get("unsigned", {}).get("m.relations", {}).get("m.replace", {})
    return Post(
        id=event["event_id"],
        place=place,
        author=event["sender"],
        name=_short(event["sender"]),
        at=_at(event),
        text=content.get("body", ""),
        version=edit.get("event_id", ""),
        editor=edit.get("sender", ""),
        gone="body" not in content,
        machine=content.get("msgtype") == "m.notice",
    )


def _latest(event: dict[str, Any]) -> dict[str, Any]:
    """The content of an event, or of its last edit."""
    edit = event.get("unsigned", {}).get("m.relations", {}).get("m.replace", {})
    content: dict[str, Any] = edit.get("content") or event.get("content", {})
    newest: dict[str, Any] = content.get("m.new_content") or content
    return newest


def _replaces(event: dict[str, Any]) -> str:
    relation = event.get("content", {}).get("m.relates_to", {})
    return str(relation.get("event_id", "")) if relation.get("rel_type") == "m.replace" else ""


def _content(text: str) -> dict[str, Any]:
    return {
        "msgtype": "m.text",
        "body": text,
        "format": "org.matrix.custom.html",
        "formatted_body": _HTML.render(text),
    }


def _at(event: dict[str, Any]) -> datetime:
    return datetime.fromtimestamp(event["origin_server_ts"] / 1000, UTC)


def _short(id: str) -> str:
    return id.partition(":")[0].removeprefix("@")
