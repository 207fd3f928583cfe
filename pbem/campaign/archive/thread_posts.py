"""A public thread as evidence: its posts, with the board's own stamps, as letters that an audit can read.

A thread is a saved page, or what a board's interface for programs answers, from a file or from its address. Every
head of the log in it was published at the latest when the board says; a board is a third party.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import httpx
import msgspec

_LARGEST = 32 * 1024 * 1024
_STAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:Z|[+-]\d\d:?\d\d)")
_HEAD = re.compile(r"log\s+#\d{1,12}\s+head=[0-9a-f]{16,64}")
_TAG = re.compile(r"<[^<>]{0,2000}>")
_TEXTS = ("raw", "content", "cooked", "body", "post", "message")
_STAMPS = ("posted_on", "created_at", "timestampISO", "published", "datetime")
_CHANGES = ("updated_on", "updated_at", "edited")
_SETTLED = 300.0


class ThreadPost(msgspec.Struct, frozen=True):
    """A post in which heads of the log stand."""

    at: datetime | None
    text: str
    edited: bool = False


def read_thread(where: str) -> list[ThreadPost]:
    """The posts of a thread, from a file or an address. Raises OSError."""
    if re.match(r"https?://", where):
        try:
            answer = httpx.get(
                where, follow_redirects=True, timeout=30, headers={"Accept": "text/html, application/json"}
            )
            answer.raise_for_status()
        except httpx.HTTPError as error:
            raise OSError(f"{where}: {error}") from error
        text = answer.text
    else:
        path = Path(where)
        if path.stat().st_size > _LARGEST:
            raise OSError(f"{where} is larger than {_LARGEST} bytes")
        text = path.read_text(encoding="utf-8", errors="replace")
    return posts_in(text)


def posts_in(text: str) -> list[ThreadPost]:
    """The posts with heads in a page or in JSON."""
    try:
        data = json.loads(text)
    except ValueError:
        return list(_in_page(text))
    return list(_in_data(data))


def as_letters(posts: Sequence[ThreadPost], folder: Path) -> list[Path]:
    """The posts as files that an audit reads: received when the board says that they were posted."""
    made = []
    for n, post in enumerate(posts):
        head = f"Received: by the board; {format_datetime(post.at)}\n" if post.at is not None else ""
        path = folder / f"{n:06}.eml"
        path.write_text(f"{head}Content-Type: text/plain; charset=utf-8\n\n{post.text}\n", encoding="utf-8")
        made.append(path)
    return made


def _in_page(text: str) -> Iterator[ThreadPost]:
    """In a page a post's stamp stands above it, in some attribute."""
    at: datetime | None = None
    position = 0
    for match in re.finditer(f"{_STAMP.pattern}|(?P<head>{_HEAD.pattern})", text):
        if match["head"]:
            yield ThreadPost(at, match["head"])
        elif _inside_tag(text, match.start(), position):
            at = _time(match[0])
        position = match.end()


def _inside_tag(text: str, at: int, since: int) -> bool:
    opened = text.rfind("<", since, at)
    return opened >= 0 and ">" not in text[opened:at]


def _in_data(data: Any) -> Iterator[ThreadPost]:
    waiting = [data]
    while waiting:
        item = waiting.pop()
        if isinstance(item, list):
            waiting += reversed(item)
        elif isinstance(item, dict):
            post = _post(item)
            if post is not None:
                yield post
            else:
                waiting += [
                    value for value in reversed(list(item.values())) if isinstance(value, dict | list)
                ]


def _post(item: dict[str, Any]) -> ThreadPost | None:
    said = next((item[key] for key in _TEXTS if isinstance(item.get(key), str)), "")
    heads = _HEAD.findall(_TAG.sub(" ", said))
    if not heads:
        return None
    at = next((_time(item[key]) for key in _STAMPS if isinstance(item.get(key), str)), None)
    if at is None and isinstance(item.get("origin_server_ts"), int):
        at = datetime.fromtimestamp(item["origin_server_ts"] / 1000, UTC)
    changed = next((_time(item[key]) for key in _CHANGES if isinstance(item.get(key), str)), None)
    later = at is not None and changed is not None and (changed - at).total_seconds() > _SETTLED
    return ThreadPost(at, "\n".join(heads), bool(item.get("edits")) or later)


def _time(text: str) -> datetime | None:
    try:
        at = datetime.fromisoformat(text.replace("Z", "+00:00"))
    except ValueError:
        return None
    return at if at.tzinfo is not None else at.replace(tzinfo=UTC)
