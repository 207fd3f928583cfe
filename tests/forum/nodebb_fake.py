"""A NodeBB in memory, written from what a running one answered: unchecked by any schema. Its limits are switches."""

from __future__ import annotations

import email
from datetime import UTC, datetime, timedelta
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tests.forum.memory import Entry, Forum, Topic

PAGE = 20


class Milliseconds:
    """A clock of whole milliseconds that never tells the same one twice: people do not write that fast."""

    def __init__(self) -> None:
        self.last = datetime.fromtimestamp(0, UTC)

    def __call__(self) -> datetime:
        now = datetime.now(UTC)
        whole = now.replace(microsecond=now.microsecond // 1000 * 1000)
        self.last = max(whole, self.last + timedelta(milliseconds=1))
        return self.last


class NodeBBFake:
    """The fake; a token is the name of its account."""

    def __init__(self) -> None:
        self.forum = Forum(Milliseconds())
        self.queue = False
        self.longest_message = 1000
        self.app = Starlette(
            routes=[
                Route("/api/self", self.me),
                Route("/api/user/username/{name}", self.user),
                Route("/api/category/{id}", self.category),
                Route("/api/recent", self.recent),
                Route("/api/topic/{id:int}", self.topic),
                Route("/api/v3/topics", self.create, methods=["POST"]),
                Route("/api/v3/topics/{id:int}", self.reply, methods=["POST"]),
                Route("/api/v3/posts/{id:int}", self.post, methods=["GET"]),
                Route("/api/v3/posts/{id:int}", self.edit, methods=["PUT"]),
                Route("/api/v3/posts/{id:int}/raw", self.raw),
                Route("/api/v3/chats", self.rooms, methods=["GET"]),
                Route("/api/v3/chats", self.open_room, methods=["POST"]),
                Route("/api/v3/chats/{id:int}", self.say, methods=["POST"]),
                Route("/api/v3/chats/{id:int}", self.rename, methods=["PUT"]),
                Route("/api/v3/chats/{id:int}/messages", self.messages),
                Route("/api/v3/chats/{id:int}/messages/{mid:int}/raw", self.message_raw),
                Route("/api/v3/chats/{id:int}/messages/{mid:int}", self.edit_message, methods=["PUT"]),
                Route("/api/post/upload", self.upload, methods=["POST"]),
            ]
        )

    async def me(self, request: Request) -> Response:
        id = self._me(request)
        return JSONResponse({"uid": int(id), "username": self.forum.accounts[id]})

    async def user(self, request: Request) -> Response:
        wanted = request.path_params["name"]
        id = next((id for id, name in self.forum.accounts.items() if name == wanted), "")
        if not id:
            return _missing()
        return JSONResponse({"uid": int(id), "username": wanted})

    async def category(self, request: Request) -> Response:
        return JSONResponse({"cid": 1})

    async def recent(self, request: Request) -> Response:
        topics = [one for one in self.forum.topics.values() if not one.members]
        shown = [
            {
                "tid": one.id,
                "title": one.title,
                "uid": int(one.starter),
                "mainPid": one.posts[0].id,
                "lastposttime": _ms(one.posts[-1]),
            }
            for one in sorted(topics, key=lambda one: -one.posts[-1].id)
        ]
        return JSONResponse({"topics": shown[:PAGE]})

    async def topic(self, request: Request) -> Response:
        topic = self.forum.topics[request.path_params["id"]]
        posts = [one for one in topic.posts if not one.hidden]
        pages = max(1, -(-len(posts) // PAGE))
        page = min(pages, int(request.query_params.get("page", 1)))
        shown = posts[(page - 1) * PAGE : page * PAGE]
        return JSONResponse(
            {"posts": [self._shown(one) for one in shown], "pagination": {"pageCount": pages}}
        )

    async def create(self, request: Request) -> Response:
        body, me = await request.json(), self._me(request)
        if len(body["content"]) < 8:
            return _refused("content-too-short")
        topic = Topic(len(self.forum.topics) + 1, body["title"], me)
        self.forum.topics[topic.id] = topic
        entry = self.forum.post(topic, me, body["content"])
        return _done({"tid": topic.id, "mainPid": entry.id})

    async def reply(self, request: Request) -> Response:
        body, me = await request.json(), self._me(request)
        if len(body["content"]) < 8:
            return _refused("content-too-short")
        entry = self.forum.post(self.forum.topics[request.path_params["id"]], me, body["content"])
        if self.queue:
            entry.hidden = True
            return _done({"queued": True})
        return _done({"pid": entry.id})

    async def post(self, request: Request) -> Response:
        entry = self._entry(request.path_params["id"])
        return _missing() if entry is None else _done(self._shown(entry))

    async def raw(self, request: Request) -> Response:
        entry = self._entry(request.path_params["id"])
        return _missing() if entry is None else _done({"content": entry.text})

    async def edit(self, request: Request) -> Response:
        return self._edited(request, request.path_params["id"], (await request.json())["content"])

    async def rooms(self, request: Request) -> Response:
        me = self._me(request)
        rooms = [
            {
                "roomId": one.id,
                "roomName": one.title,
                "teaser": {"timestamp": _ms(one.posts[-1])} if one.posts else None,
            }
            for one in self.forum.topics.values()
            if me in one.members
        ]
        return _done({"rooms": rooms})

    async def open_room(self, request: Request) -> Response:
        body, me = await request.json(), self._me(request)
        members = frozenset({me, *(str(uid) for uid in body["uids"])})
        topic = Topic(len(self.forum.topics) + 1, "", me, members)
        self.forum.topics[topic.id] = topic
        return _done({"roomId": topic.id})

    async def rename(self, request: Request) -> Response:
        self.forum.topics[request.path_params["id"]].title = (await request.json())["name"]
        return _done({})

    async def say(self, request: Request) -> Response:
        body, me = await request.json(), self._me(request)
        if len(body["message"]) > self.longest_message:
            return _refused("chat-message-too-long")
        entry = self.forum.post(self.forum.topics[request.path_params["id"]], me, body["message"])
        return _done({"mid": entry.id})

    async def messages(self, request: Request) -> Response:
        topic = self.forum.topics[request.path_params["id"]]
        if self._me(request) not in topic.members:
            return _missing()
        return _done(
            {
                "messages": [
                    {"messageId": one.id, "fromuid": int(one.author)} | self._shown(one)
                    for one in topic.posts
                ]
            }
        )

    async def message_raw(self, request: Request) -> Response:
        entry = self._entry(request.path_params["mid"])
        return _missing() if entry is None else _done({"content": entry.text})

    async def edit_message(self, request: Request) -> Response:
        return self._edited(request, request.path_params["mid"], (await request.json())["message"])

    async def upload(self, request: Request) -> Response:
        head = f"Content-Type: {request.headers['Content-Type']}\n\n".encode()
        part = list(email.message_from_bytes(head + await request.body()).walk())[-1]
        data = part.get_payload(decode=True)
        assert isinstance(data, bytes)
        where = f"/assets/uploads/{len(self.forum.files)}-{part.get_filename()}"
        self.forum.files[where] = (part.get_filename() or "", data)
        return _done({"images": [{"url": where}]})

    def _edited(self, request: Request, id: int, text: str) -> Response:
        entry, me = self._entry(id), self._me(request)
        if entry is None or (entry.author != me and self.forum.accounts[me] != "warden"):
            return _refused("no-privileges")
        entry.text, entry.edits, entry.editor = text, entry.edits + 1, me
        return _done({})

    def _me(self, request: Request) -> str:
        return self.forum.member(request.headers["Authorization"].removeprefix("Bearer "))

    def _entry(self, id: int) -> Entry | None:
        return next(
            (one for topic in self.forum.topics.values() for one in topic.posts if one.id == id), None
        )

    def _shown(self, one: Entry) -> dict[str, Any]:
        return {
            "pid": one.id,
            "uid": int(one.author),
            "user": {"username": self.forum.accounts[one.author]},
            "timestamp": _ms(one),
            "content": f"<p>{one.text}</p>",
            "edited": one.edits,
            "editor": int(one.editor) if one.editor else None,
            "deleted": one.gone,
        }


def _ms(one: Entry) -> int:
    """As the board gives it."""
    return round(one.at.timestamp() * 1000)


def _done(response: Any) -> Response:
    return JSONResponse({"status": {"code": "ok"}, "response": response})


def _refused(code: str) -> Response:
    return JSONResponse({"status": {"code": "bad-request", "message": code}, "response": {}}, 400)


def _missing() -> Response:
    return JSONResponse({"status": {"code": "not-found"}}, 404)
