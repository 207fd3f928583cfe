"""The web page of a person's mailbox in the demo: read a letter, answer it, on loopback only."""

from __future__ import annotations

import asyncio
import contextlib
import re
import secrets
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

import msgspec
import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Mount, Route

from pbem import paths
from pbem.demo.mailbox import Incoming, Reply, compose, opened
from pbem.demo.output_folder import sent_by
from pbem.demo.pages import fitting_script, framed, page, say
from pbem.demo.players import MODERATOR, Member
from pbem.post.outcome import Sent
from pbem.post.smtp import SmtpOutlet
from pbem.reports.catalogue import catalogue
from pbem.server.daemon import utc_now

if TYPE_CHECKING:
    from pbem.demo.play import Stage

LONGEST_LETTER = 100_000
_FORM = re.compile(r"^\[\[(?:orders|ordres) .*?^\[\[(?:end|fin)\]\]", re.MULTILINE | re.DOTALL)
_DIGEST = re.compile(r" #[0-9a-f]{8}(?=\]\])")
_LOOKED = 10.0
_POLICY = (
    "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; script-src 'self'; connect-src 'self'; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)


class Listed(msgspec.Struct, frozen=True):
    """A letter in the list."""

    n: int
    letter: Incoming
    seen: bool
    answered: bool
    asks: bool


class Mailbox:
    """One person's letters, and the routes that show them."""

    def __init__(self, stage: Stage, member: Member, folder: Path) -> None:
        self.stage = stage
        self.member = member
        self.folder = folder
        self._looked = asyncio.Event()
        self._opened: list[Incoming] = []
        self._seen: set[int] = set()
        self._outlet: SmtpOutlet | None = None
        self.base = f"/{secrets.token_urlsafe(18)}"
        """What every address of the page begins with: other programs and pages of this machine do not know it."""
        routes = [
            Route("/", self.index),
            Route("/count", self.count),
            Route("/mailbox.js", self.script),
            Route("/letter/{n:int}", self.letter),
            Route("/letter/{n:int}/raw", self.raw),
            Route("/letter/{n:int}/picture/{k:int}", self.picture),
            Route("/letter/{n:int}/attached/{k:int}", self.attached),
            Route("/letter/{n:int}/reply", self.reply, methods=["POST"]),
        ]
        self.app = Starlette(
            routes=[Mount(self.base, routes=routes)],
            # Another site's name that points to this machine must not open the mailbox.
            middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=["127.0.0.1", "localhost"])],
        )

    async def left(self) -> None:
        """Wait until nobody has the page open any more; an open page asks for news every other second."""
        while self._looked.is_set():
            self._looked.clear()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_LOOKED):
                    await self._looked.wait()

    async def close(self) -> None:
        """Let go of the outlet."""
        if self._outlet is not None:
            await self._outlet.close()

    def letters(self) -> list[Incoming]:
        """The person's letters, oldest first."""
        raws = self.stage.post.messages(self.member.address)
        self._opened += [opened(raw) for raw in raws[len(self._opened) :]]
        return self._opened

    async def index(self, request: Request) -> Response:
        """The list of letters, newest first."""
        letters = self.letters()
        answered = {letter.in_reply_to for letter in sent_by(self.stage, self.member)}
        listed = [
            Listed(n, letter, n in self._seen, letter.message_id in answered, bool(_FORM.search(letter.text)))
            for n, letter in enumerate(letters, 1)
        ]
        note = self._say("play", "sent") if "sent" in request.query_params else ""
        return self._page("play_list", letters=listed[::-1], note=note)

    async def count(self, request: Request) -> Response:
        """How many letters there are."""
        self._looked.set()
        return JSONResponse({"letters": len(self.letters()), "over": self.stage.chronicle.over.is_set()})

    async def script(self, request: Request) -> Response:
        """The page's script."""
        text = str(fitting_script()) + (paths.templates() / "demo" / "mailbox.js").read_text("utf-8")
        return Response(text, media_type="text/javascript")

    async def letter(self, request: Request) -> Response:
        """One letter, with a box for the reply."""
        n = int(request.path_params["n"])
        found = self._find(n)
        if found is None:
            return self._missing()
        return self._letter_page(n, found, draft(found.text))

    async def raw(self, request: Request) -> Response:
        """A letter as it was sent."""
        found = self._find(int(request.path_params["n"]))
        return (
            self._missing()
            if found is None
            else Response(found.raw, media_type="text/plain; charset=us-ascii")
        )

    async def picture(self, request: Request) -> Response:
        """A picture that a letter shows."""
        found, k = self._find(int(request.path_params["n"])), int(request.path_params["k"])
        if found is None or k >= len(found.pictures):
            return self._missing()
        return Response(found.pictures[k].data, media_type="image/png")

    async def attached(self, request: Request) -> Response:
        """A file that came with a letter."""
        found, k = self._find(int(request.path_params["n"])), int(request.path_params["k"])
        if found is None or k >= len(found.attached):
            return self._missing()
        item = found.attached[k]
        name = re.sub(r"[^A-Za-z0-9._-]+", "_", item.name)
        head = {"content-disposition": f'attachment; filename="{name}"'}
        return Response(item.data, media_type="application/octet-stream", headers=head)

    async def reply(self, request: Request) -> Response:
        """Send a reply."""
        n = int(request.path_params["n"])
        found = self._find(n)
        if found is None:
            return self._missing()
        if not _from_here(request):
            return Response("this form belongs to the page of the demo", 403, media_type="text/plain")
        body = b""
        async for chunk in request.stream():
            body += chunk
            if len(body) > 4 * LONGEST_LETTER:
                return self._letter_page(n, found, "", self._say("play", "too_long"), 413)
        text = parse_qs(body.decode("utf-8", "replace")).get("text", [""])[0].replace("\r\n", "\n")
        if not text.strip():
            return self._letter_page(n, found, draft(found.text), self._say("play", "empty"), 400)
        if len(text) > LONGEST_LETTER:
            return self._letter_page(n, found, text[:LONGEST_LETTER], self._say("play", "too_long"), 413)
        member = self.member
        letter = compose(Reply(member.name, member.address, member.lang, MODERATOR), found, text, utc_now())
        if self._outlet is None:
            self._outlet = SmtpOutlet(self.stage.post.smtp_settings(member.address))
        outcome = await self._outlet.send(letter, member.address, [found.reply_to])
        if not isinstance(outcome, Sent):
            note = self._say("play", "not_sent", reason=outcome.reason)
            return self._letter_page(n, found, text, note, 502)
        return RedirectResponse(f"{self.base}/?sent", status_code=303)

    def _find(self, n: int) -> Incoming | None:
        letters = self.letters()
        if not 1 <= n <= len(letters):
            return None
        self._seen.add(n)
        return letters[n - 1]

    def _letter_page(
        self, n: int, letter: Incoming, text: str, note: str = "", status: int = 200
    ) -> Response:
        pictures = {
            picture.cid: f"{self.base}/letter/{n}/picture/{k}" for k, picture in enumerate(letter.pictures)
        }
        html = framed(letter, pictures)
        return self._page("play_letter", status, n=n, letter=letter, html=html, draft=text, note=note)

    def _say(self, section: str, key: str, **context: object) -> str:
        return say(self.member.lang, section, key, **context)

    def _missing(self) -> Response:
        return Response(self._say("play", "gone"), 404, media_type="text/plain")

    def _page(self, template: str, status: int = 200, **context: Any) -> Response:
        self._looked.set()
        stage, lang = self.stage, self.member.lang
        text = page(
            lang,
            template,
            member=self.member,
            game=stage.game_id,
            title=stage.rules.titles[lang],
            seat=catalogue(lang, stage.rules).seat(self.member.seat),
            moment=stage.chronicle.now,
            over=stage.chronicle.over.is_set(),
            folder=str(self.folder),
            count=len(self.letters()),
            base=self.base,
            **context,
        )
        heads = {
            "content-security-policy": _POLICY,
            "cache-control": "no-store",
            "referrer-policy": "same-origin",
        }
        return Response(text, status, media_type="text/html", headers=heads)


def draft(text: str) -> str:
    """The forms of a letter, to be sent back edited; without their digests, for what is sent is meant."""
    return "\n\n".join(_DIGEST.sub("", form) for form in _FORM.findall(text))


def _from_here(request: Request) -> bool:
    """Whether a form was sent from this very page; programs that are no browser say nothing, but know its address."""
    origin = request.headers.get("origin", "")
    return not origin or urlsplit(origin).netloc == request.headers.get("host", "")


class _Server(uvicorn.Server):
    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """An interrupt ends the demo as a whole."""
        yield


@asynccontextmanager
async def served(stage: Stage, member: Member, folder: Path, lang: str) -> AsyncIterator[tuple[Mailbox, str]]:
    """The mailbox page while it is open, and what to tell the person."""
    mailbox = Mailbox(stage, member, folder)
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{door.getsockname()[1]}{mailbox.base}/"
        config = uvicorn.Config(mailbox.app, log_level="warning", lifespan="off", access_log=False)
        server = _Server(config)
        serving = asyncio.create_task(server.serve(sockets=[door]))
        try:
            yield mailbox, _welcome(stage, member, folder, lang, url)
        finally:
            server.should_exit = True
            await asyncio.gather(serving, return_exceptions=True)
            await mailbox.close()


def _welcome(stage: Stage, member: Member, folder: Path, lang: str, url: str) -> str:
    post = stage.post
    title = stage.rules.titles[lang]
    seat = catalogue(lang, stage.rules).seat(member.seat)
    return "\n".join(
        [
            say(lang, "console", "play", seat=seat, game=title),
            say(lang, "console", "play_page", url=url),
            say(lang, "console", "play_imap", host="127.0.0.1", imap=post.imap_port, smtp=post.smtp_port),
            say(
                lang,
                "console",
                "play_user",
                user=member.address,
                password=post.accounts[member.address],
                certificate=post.certificate,
            ),
            say(lang, "console", "play_end", folder=folder),
        ]
    )
