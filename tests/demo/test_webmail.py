"""The page of a person's mailbox: reading, answering, and what it refuses."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from html import unescape
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest

from pbem import games
from pbem.campaign.outgoing.rendering import Secretary
from pbem.demo import output_folder, webmail
from pbem.demo import play as demo
from pbem.demo.players import MODERATOR, members
from pbem.letters.message import Message
from pbem.server.daemon import utc_now
from tests.demo.test_play import Blank

SEATS = games.load("leipzig").scenarios["battle"].seats


class Room(NamedTuple):
    stage: demo.Stage
    browser: httpx.AsyncClient

    async def post_goes(self) -> None:
        """The moderator's letters that wait are delivered."""
        store, now = self.stage.moderator.store, utc_now()
        secretary = Secretary(self.stage.moderator.campaign, Blank())
        for row in store.outbox.claim(now, now + timedelta(minutes=5)):
            await self.stage.post.deliver(await secretary.write(row), row.address, MODERATOR)


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[Room]:
    """A game just opened, with a person on the French seat whose first letter has come."""
    cast = members(SEATS, play=True, seat="french", lang="en")
    output_folder.prepare(tmp_path)
    async with demo.staged("leipzig", tmp_path, 1, cast) as game:
        mailbox = webmail.Mailbox(game, cast["french"], tmp_path)
        transport = httpx.ASGITransport(app=mailbox.app)
        async with httpx.AsyncClient(
            transport=transport, base_url=f"http://127.0.0.1:8000{mailbox.base}"
        ) as browser:
            room = Room(game, browser)
            await room.post_goes()
            yield room
        await mailbox.close()


async def test_the_list_names_the_letter_and_that_it_asks(room: Room) -> None:
    page = unescape((await room.browser.get("/")).text)
    assert "[leipzig-1] t1: the game begins" in page
    assert "asks for orders" in page
    assert (await room.browser.get("/count")).json() == {"letters": 1, "over": False}


async def test_a_letter_is_shown_with_its_map_and_a_form_to_answer(room: Room) -> None:
    page = (await room.browser.get("/letter/1")).text
    assert 'sandbox="allow-same-origin"' in page
    assert f"{room.browser.base_url.path}letter/1/picture/0" in page
    assert "[[orders leipzig-1 g1/keep]]" in page
    picture = await room.browser.get("/letter/1/picture/0")
    assert picture.headers["content-type"] == "image/png"
    assert picture.content == Blank().picture
    raw = await room.browser.get("/letter/1/raw")
    assert raw.content == room.stage.post.messages("french@demo.localhost")[0]


async def test_the_form_sent_back_as_it_stands_is_an_order(room: Room) -> None:
    page = await room.browser.get("/letter/1")
    form = unescape(page.text).partition("<textarea")[2].partition(">")[2].partition("</textarea>")[0]
    answer = await room.browser.post("/letter/1/reply", data={"text": form})
    assert (answer.status_code, answer.headers["location"]) == (303, f"{room.browser.base_url.path}?sent")
    (letter,) = room.stage.post.messages(MODERATOR)
    handled = room.stage.moderator.handle(Message(letter))
    assert (handled.status, handled.seat) == ("done", "french")
    assert len(room.stage.moderator.store.answers("leipzig-1")) >= 1
    await room.post_goes()
    assert (await room.browser.get("/count")).json()["letters"] == 2
    assert "you have answered this letter" in (await room.browser.get("/")).text


async def test_markup_in_a_letter_stays_text(room: Room) -> None:
    evil = (
        b"From: x <x@demo.localhost>\r\nSubject: <script>alert(1)</script>\r\nMessage-ID: <e@x.y>\r\n\r\n"
        b"</pre><script>alert(2)</script>\r\n"
    )
    await room.stage.post.deliver(evil, "french@demo.localhost")
    for path in ("/", "/letter/2"):
        assert "<script>alert" not in (await room.browser.get(path)).text


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "0.0.0.0"])
async def test_only_this_machine_may_ask(room: Room, host: str) -> None:
    assert (await room.browser.get("/", headers={"host": host})).status_code == 400


@pytest.mark.parametrize("path", ["/", "/count", "/letter/1", "/mailbox.js", "/wrong/", "/letter/1/reply"])
async def test_whoever_does_not_know_the_address_gets_nothing(room: Room, path: str) -> None:
    """Any program of this machine can reach the port."""
    here = f"http://127.0.0.1:8000{path}"
    answer = await room.browser.post(here, data={"text": "RESIGN leipzig-1"})
    assert answer.status_code == 404
    assert (await room.browser.get(here)).status_code == 404
    assert not room.stage.post.messages(MODERATOR)


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "http://127.0.0.1:8001", "http://localhost", "null"]
)
async def test_a_form_of_another_page_is_refused(room: Room, origin: str) -> None:
    answer = await room.browser.post(
        "/letter/1/reply", data={"text": "RESIGN leipzig-1"}, headers={"origin": origin}
    )
    assert answer.status_code == 403
    assert not room.stage.post.messages(MODERATOR)


@pytest.mark.parametrize(
    ("text", "status", "said"),
    [
        ("  \n", 400, "There is nothing in your letter."),
        ("x" * (webmail.LONGEST_LETTER + 1), 413, "Your letter is too long."),
        ("x" * (5 * webmail.LONGEST_LETTER), 413, "Your letter is too long."),
    ],
)
async def test_letters_that_cannot_be_sent_come_back(room: Room, text: str, status: int, said: str) -> None:
    answer = await room.browser.post("/letter/1/reply", data={"text": text})
    assert answer.status_code == status
    assert said in answer.text
    assert not room.stage.post.messages(MODERATOR)


@pytest.mark.parametrize(
    "path", ["/letter/0", "/letter/99", "/letter/1/picture/7", "/letter/1/attached/9", "/letter/5/raw"]
)
async def test_what_does_not_exist_is_not_found(room: Room, path: str) -> None:
    assert (await room.browser.get(path)).status_code == 404


async def test_files_come_as_downloads(room: Room) -> None:
    answer = await room.browser.get("/letter/1/attached/0")
    assert answer.headers["content-disposition"].startswith("attachment;")


async def test_the_page_trusts_only_its_own_scripts(room: Room) -> None:
    policy = (await room.browser.get("/")).headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    script = (await room.browser.get("/mailbox.js")).text
    assert 'getElementById("news")' in script
