"""A board without an interface for programs: its own forms, filled in as a browser does, by a description.

The description says where the forms are, how they look, and how the pages and the feed are read. «fossil» is tried
against a real one. «phpbb» is written from that board's documentation and has never met a real one: untested.
A submit that answers anything but what the description expects is no success, whatever its status says.
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from urllib.parse import urlsplit

import httpx
import msgspec
from selectolax.lexbor import LexborHTMLParser

from pbem.letters.posted import Place
from pbem.post.forum.board import (
    BBCODE,
    Account,
    BoardTrouble,
    Changes,
    Facts,
    Post,
    PostRefused,
)
from pbem.post.forum.pace import Pace
from pbem.post.forum.web import Web

_HIDDEN = re.compile(r"<input\b[^>]*>", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"""\b(name|value|type)\s*=\s*["']([^"']*)["']""", re.IGNORECASE)


class FormPage(msgspec.Struct, frozen=True):
    """A form: the page that it stands on, where it goes, and its fields; {…} is filled in."""

    page: str
    submit: str
    fields: Mapping[str, str]
    done: str
    """What the address holds to which a success leads."""


class Description(msgspec.Struct, frozen=True):
    """How a kind of board is worked by its forms."""

    facts: Facts
    login: FormPage
    logged_in: str
    """What only a page for members holds; {user} is our name."""
    new_topic: FormPage
    reply: FormPage
    edit: FormPage
    edit_first: FormPage
    """The same for the first post of a topic, which bears its title."""
    feed: str
    """RSS or Atom of everything that is posted, newest first."""
    raw: str
    """Where the text of a post is, as it was written; {post} is its id."""
    post_in: str
    """A pattern that finds the id of a post in an address."""
    topic_page: str
    """A topic with its posts; {topic}."""
    posts_in: str
    """A pattern that finds the ids of the posts on such a page."""
    post_page: str
    """A page that shows a post, on which its whole id stands; {post}."""


FOSSIL = Description(
    facts=Facts(
        kind="fossil",
        longest=60_000,
        private=False,
        uploads=False,
        tells_edits=True,
        calls_a_minute=240,
    ),
    login=FormPage("/login", "/login", {"u": "{user}", "p": "{password}", "in": "Login"}, ""),
    logged_in="/logout",
    new_topic=FormPage(
        "/forumnew",
        "/forume1",
        {"title": "{title}", "mimetype": "text/x-markdown", "content": "{text}", "submit": "Submit"},
        "/forumpost/",
    ),
    reply=FormPage(
        "",
        "/forume2",
        {
            "fpid": "{post}",
            "reply": "1",
            "mimetype": "text/x-markdown",
            "content": "{text}",
            "submit": "Submit",
        },
        "/forumpost/",
    ),
    edit=FormPage(
        "",
        "/forume2",
        {
            "fpid": "{post}",
            "edit": "1",
            "mimetype": "text/x-markdown",
            "content": "{text}",
            "submit": "Submit",
        },
        "/forumpost/",
    ),
    edit_first=FormPage(
        "",
        "/forume2",
        {
            "fpid": "{post}",
            "edit": "1",
            "title": "{title}",
            "mimetype": "text/x-markdown",
            "content": "{text}",
            "submit": "Submit",
        },
        "/forumpost/",
    ),
    feed="/timeline.rss?y=f&n=200",
    raw="/raw/{post}",
    post_in=r"/(?:forumpost|info|artifact)/([0-9a-f]{10,64})",
    topic_page="/forumthread/{topic}",
    posts_in=r'name="fpid" value="([0-9a-f]{40,64})"',
    post_page="/forumpost/{post}",
)

PHPBB = Description(
    facts=Facts(
        kind="phpbb",
        dialect=BBCODE,
        longest=55_000,
        longest_title=120,
        private=False,
        uploads=False,
        interval=16.0,
        calls_a_minute=30,
    ),
    login=FormPage(
        "/ucp.php?mode=login",
        "/ucp.php?mode=login",
        {"username": "{user}", "password": "{password}", "login": "Login", "redirect": "index.php"},
        "",
    ),
    logged_in="mode=logout",
    new_topic=FormPage(
        "/posting.php?mode=post&f={category}",
        "/posting.php?mode=post&f={category}",
        {"subject": "{title}", "message": "{text}", "post": "Submit"},
        "viewtopic.php",
    ),
    reply=FormPage(
        "/posting.php?mode=reply&t={topic}",
        "/posting.php?mode=reply&t={topic}",
        {"subject": "{title}", "message": "{text}", "post": "Submit"},
        "viewtopic.php",
    ),
    edit=FormPage(
        "/posting.php?mode=edit&p={post}",
        "/posting.php?mode=edit&p={post}",
        {"subject": "{title}", "message": "{text}", "post": "Submit"},
        "viewtopic.php",
    ),
    edit_first=FormPage(
        "/posting.php?mode=edit&p={post}",
        "/posting.php?mode=edit&p={post}",
        {"message": "{text}", "post": "Submit"},
        "viewtopic.php",
    ),
    feed="/app.php/feed",
    raw="/posting.php?mode=quote&p={post}",
    post_in=r"[?&#;]p=?(\d+)",
    topic_page="/viewtopic.php?t={topic}",
    posts_in=r'id="p(\d+)"',
    post_page="/viewtopic.php?p={post}",
)

DESCRIPTIONS = {"fossil": FOSSIL, "phpbb": PHPBB}


class Forms:
    """Our account on a board that is worked by its forms."""

    def __init__(
        self,
        name: str,
        url: str,
        username: str,
        password: str,
        description: Description = FOSSIL,
        category: str = "",
        *,
        pace: Pace | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self.name = name
        self.facts = description.facts
        self.pace = pace or Pace(self.facts.calls_a_minute, self.facts.interval)
        parts = urlsplit(url)
        origin = f"{parts.scheme}://{parts.netloc}"
        # Without these a board takes a submit for a preview, or for somebody else's page.
        headers = {"Referer": url.rstrip("/") + "/", "Origin": origin}
        self._web = Web(url, self.pace, headers=headers, transport=transport, redirects=False)
        self._how = description
        self._username, self._password, self._category = username, password, category
        self._us: Account | None = None
        self._newest: dict[str, str] = {}
        """The present form of a post, whose every edit is a post of its own, by its first."""
        self._known: dict[str, Artifact] = {}

    async def account(self) -> Account:
        """Who we are there; a name is an account on such a board."""
        if self._us is None:
            await self._submit(self._how.login, user=self._username, password=self._password)
            page = await self._web.get("/")
            while page.is_redirect:
                page = await self._web.get(page.headers["Location"])
            if self._how.logged_in not in page.text:
                raise BoardTrouble(
                    "the board does not let us in: check username and password", permanent=True
                )
            self._us = Account(self._username.lower(), self._username)
        return self._us

    async def find_account(self, name: str) -> Account | None:
        """Nobody can be looked up: whoever has posted lately is known."""
        await self.account()
        for artifact in await self._feed():
            if artifact.author.lower() == name.lower():
                return Account(artifact.author.lower(), artifact.author)
        return None

    async def changes(self, mark: str) -> Changes:
        """What the feed has that is newer than the mark: posts, replies and edits."""
        us = await self.account()
        seen = set(mark.split()) if mark else set()
        artifacts = await self._feed()
        fresh = [one for one in reversed(artifacts) if one.id not in seen] if mark else []
        posts = [self._post(one) for one in fresh if one.author.lower() != us.id]
        # As many names as the feed has entries: what was there the last time.
        return Changes(tuple(posts), " ".join(one.id for one in artifacts) or "-", self._web.skew)

    async def again(self, place: Place, posts: Sequence[str]) -> list[Post]:
        """These posts as they are now."""
        await self.account()
        found = []
        thread = {one.first: one for one in await self._thread(place)}
        for id in posts:
            one = thread.get(id)
            if one is None or not one.text:
                found.append(Post(id, place, "", "", datetime.fromtimestamp(0, UTC), gone=True))
            else:
                found.append(self._post(one))
        return found

    async def write(self, place: Place, text: str, key: str) -> str:
        """Reply to a topic."""
        await self.account()
        await self.pace.post()
        return await self._submit(
            self._how.reply, topic=place.id, post=place.id, text=text, title="", category=self._category
        )

    async def rewrite(self, place: Place, post: str, text: str) -> None:
        """Put another text into a post of ours."""
        await self.account()
        await self._thread(place)
        newest = self._newest.get(post, post)
        form, title = self._how.edit, ""
        if post == place.id:
            known = self._known.get(newest)
            form, title = self._how.edit_first, known.title if known else ""
        self._newest[post] = await self._submit(
            form, topic=place.id, post=newest, text=text, title=title, category=self._category
        )

    async def open(self, title: str, text: str, to: Sequence[Account], key: str) -> tuple[Place, str]:
        """A new topic."""
        if to:
            raise PostRefused("this board has no private topics: choose mail for what is private")
        await self.account()
        await self.pace.post()
        post = await self._submit(self._how.new_topic, title=title, text=text, category=self._category)
        return Place(post), post

    async def upload(self, place: Place | None, name: str, data: bytes) -> str:
        """Such a board takes no pictures from us."""
        return ""

    async def top(self, place: Place) -> str:
        """The last post of a topic."""
        await self.account()
        return (await self._thread(place))[-1].first

    async def find(self, place: Place, marker: str, floor: str) -> str:
        """Our post with that marker; a topic is one page here."""
        us = await self.account()
        for one in reversed(await self._thread(place)):
            if one.author.lower() == us.id and marker in one.text:
                return one.first
        return ""

    async def find_topic(self, title: str, private: bool) -> tuple[Place, str] | None:
        """A topic of ours with that title among the newest."""
        us = await self.account()
        for one in await self._feed():
            if one.title == title and one.author.lower() == us.id and one.topic == one.first and not private:
                return Place(one.topic), one.first
        return None

    def link(self, place: Place, post: str) -> str:
        """The address of a post for a browser."""
        return f"{self._web.url}/forumpost/{post}" if self.facts.kind == "fossil" else ""

    async def check(self) -> list[tuple[str, bool, str]]:
        """Login, the feed, the raw text."""
        us = await self.account()
        feed = await self._feed()
        raw = bool(feed) and bool(feed[0].text)
        untried = self.facts.kind != "fossil"
        return [
            ("login", True, f"as {us.name}"),
            ("feed", True, f"{len(feed)} posts"),
            (
                "raw text",
                raw or not feed,
                "the text of the newest post can be read" if raw else "nothing to read yet",
            ),
            ("private topics", False, "none: seats need a mail address for what is private"),
            (
                "tried",
                not untried,
                "this description has never met a real board" if untried else "in our tests",
            ),
        ]

    async def close(self) -> None:
        """Let go of connections."""
        await self._web.close()

    async def _submit(self, form: FormPage, **values: str) -> str:
        """Fill in a form and send it; the id of the post to which it leads."""
        hidden: dict[str, str] = {}
        if form.page:
            page = await self._web.get(form.page.format(**values))
            hidden = _hidden(page.text)
        fields = hidden | {name: value.format(**values) for name, value in form.fields.items()}
        answer = await self._web.post(form.submit.format(**values), data=fields)
        if not form.done:
            return ""
        where = answer.headers.get("Location", "")
        found = re.search(self._how.post_in, where)
        if not answer.is_redirect or form.done not in where or found is None:
            # A preview, a warning, a login page: whatever it is, nothing was posted.
            raise BoardTrouble(f"{form.submit}: {answer.status_code}, and no way to a post")
        return await self._whole(found[1])

    async def _whole(self, id: str) -> str:
        """The full id where an address has it short."""
        page = await self._web.get(self._how.post_page.format(post=id))
        found = [one for one in re.findall(self._how.posts_in, page.text) if one.startswith(id)]
        if not found:
            raise BoardTrouble(f"post {id} is not on its own page")
        return str(found[0])

    async def _feed(self) -> list[Artifact]:
        """What was posted lately, newest first."""
        page = await self._web.get(self._how.feed)
        tree = LexborHTMLParser(
            page.text.replace("<link>", "<span class=link>").replace("</link>", "</span>")
        )
        ids = []
        for item in tree.css("item, entry"):
            match = re.search(self._how.post_in, html.unescape(item.html or ""))
            if match is not None:
                ids.append(match[1])
        return [await self._artifact(id) for id in dict.fromkeys(ids)]

    async def _artifact(self, id: str) -> Artifact:
        if id not in self._known:
            page = await self._web.get(self._how.raw.format(post=id))
            artifact = parse_artifact(id, page.text)
            before = await self._artifact(artifact.replaces) if artifact.replaces else None
            if before is not None:
                artifact = msgspec.structs.replace(
                    artifact, first=before.first, topic=before.topic, posted=before.posted
                )
                self._newest[before.first] = artifact.id
            if len(self._known) > 5000:
                self._known.clear()
            self._known[id] = self._known[artifact.id] = artifact
        return self._known[id]

    async def _thread(self, place: Place) -> list[Artifact]:
        """The posts of a topic in their present form, in the order in which they were first posted."""
        page = await self._web.get(self._how.topic_page.format(topic=place.id), missing=True)
        newest: dict[str, Artifact] = {}
        for id in dict.fromkeys(re.findall(self._how.posts_in, page.text)):
            artifact = await self._artifact(id)
            newest[artifact.first] = artifact
            self._newest[artifact.first] = artifact.id
        return sorted(newest.values(), key=lambda one: (one.posted, one.first))

    def _post(self, one: Artifact) -> Post:
        return Post(
            id=one.first,
            place=Place(one.topic),
            author=one.author.lower(),
            name=one.author,
            at=one.posted,
            text=one.text,
            version=one.id,
            editor=one.author.lower() if one.replaces else "",
            gone=not one.text,
        )


class Artifact(msgspec.Struct, frozen=True):
    """A post of fossil, or an edit of one, as it is kept for ever."""

    id: str
    first: str
    """The post that it is a form of; itself, if it is no edit."""
    topic: str
    author: str
    at: datetime
    posted: datetime
    title: str
    text: str
    replaces: str = ""


def parse_artifact(id: str, raw: str) -> Artifact:
    """An artifact from its cards: D date, G thread, I reply, P predecessor, H title, U author, W text."""
    head, _, rest = raw.partition("\nW ")
    if raw.startswith("W "):
        head, rest = "", raw[2:]
    cards: dict[str, str] = {}
    for line in head.split("\n"):
        cards.setdefault(line[:1], line[2:])
    size, _, body = rest.partition("\n")
    text = body.encode()[: int(size)].decode("utf-8", "replace") if size.strip().isdigit() else ""
    at = datetime.fromisoformat(cards.get("D", "1970-01-01T00:00:00")).replace(tzinfo=UTC)
    return Artifact(
        id=id,
        first=id,
        topic=cards.get("G", "") or id,
        author=_unescaped(cards.get("U", "")),
        at=at,
        posted=at,
        title=_unescaped(cards.get("H", "")),
        text=text,
        replaces=cards.get("P", "").partition(" ")[0],
    )


def _unescaped(text: str) -> str:
    return text.replace("\\s", " ").replace("\\n", "\n").replace("\\\\", "\\")


def _hidden(page: str) -> dict[str, str]:
    """The hidden fields of a page's forms: what a board wants back to know that it was its own form."""
    found: dict[str, str] = {}
    for tag in _HIDDEN.findall(page):
        attributes = {name.lower(): html.unescape(value) for name, value in _ATTRIBUTE.findall(tag)}
        if attributes.get("type", "").lower() == "hidden" and attributes.get("name"):
            found[attributes["name"]] = attributes.get("value", "")
    return found
