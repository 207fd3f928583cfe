"""A whole game by real letters through the embedded server, and the folder that it leaves."""

from __future__ import annotations

import asyncio
import io
import re
from html import unescape
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from PIL import Image
from rich.console import Console

from pbem import games
from pbem.campaign.archive import replay
from pbem.campaign.archive.audit import audit_log
from pbem.demo import output_folder
from pbem.demo import play as demo
from pbem.demo.mailbox import opened
from pbem.demo.players import members
from pbem.kernel.drawing import Drawing

SEATS = games.load("leipzig").scenarios["battle"].seats


def _png() -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (12, 8), "#f9f4e7").save(file, "PNG")
    return file.getvalue()


class Blank:
    """Paints nothing, fast: a picture in every letter without the cost of a map."""

    def __init__(self, workers: int = 1) -> None:
        self.picture = _png()

    async def png(self, drawing: Drawing, width: int = 1200) -> bytes:
        return self.picture

    async def crop(self, drawing: Drawing, areas: Any, width: int = 800) -> bytes:
        return self.picture

    def close(self) -> None:
        return None


class Played(NamedTuple):
    folder: Path
    text: str
    written: int
    received: int


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """One game of two robots, played to its end."""
    folder = tmp_path_factory.mktemp("demo")

    async def play() -> Played:
        cast = members(SEATS, play=False, seat="", lang="en")
        output_folder.prepare(folder)
        async with demo.staged("leipzig", folder, 1813, cast) as game:
            await game.perform(Blank(), stalled=60)
            text = output_folder.leave(game, folder, "en")
            chronicle = game.chronicle
            return Played(folder, text, len(chronicle.written), sum(chronicle.sent.values()))

    return asyncio.run(play())


def test_the_game_is_played_to_its_end_and_the_audit_finds_nothing_wrong(played: Played) -> None:
    letters = sorted(played.folder.glob("mail/*/*.eml"))
    audited = audit_log(played.folder / output_folder.LOG, letters)
    assert audited.ok
    assert audited.replay == "replayed"
    assert audited.heads >= played.received
    assert "won." in played.text
    assert "Everything checks" in (played.folder / output_folder.VERDICT).read_text("utf-8")


def test_every_letter_is_in_the_folder_as_page_and_as_it_was_sent(played: Played) -> None:
    letters = sorted(played.folder.glob("mail/*/*.eml"))
    assert len(letters) == played.written + played.received
    for letter in letters:
        shown = unescape(letter.with_suffix(".html").read_text("utf-8"))
        assert opened(letter.read_bytes()).subject in shown


def test_robots_write_in_both_languages_and_quote_what_they_answer(played: Played) -> None:
    openings = {"french": "a écrit :", "allied": "wrote:"}
    for seat, attribution in openings.items():
        written = [opened(file.read_bytes()) for file in played.folder.glob(f"mail/{seat}/*.eml")]
        mine = [letter for letter in written if letter.sender.endswith(f"<{seat}@demo.localhost>")]
        assert mine
        for letter in mine:
            assert attribution in letter.text
            assert re.search(r"^> ", letter.text, re.MULTILINE)
            assert letter.in_reply_to
            assert f".{seat}." in letter.recipient


def test_the_pages_need_nothing_from_outside(played: Played) -> None:
    for file in played.folder.rglob("*.html"):
        text = file.read_text("utf-8")
        assert "cid:" not in text
        inside = unescape(text)
        assert not re.search(r"""(?:src|href)=["']?(?:https?:|//)""", inside)
        for address in re.findall(r"""(?:src|href)="([^"]+)\"""", inside):
            place, _, part = address.partition("#")
            assert (file.parent / place).exists(), f"{file.name} points to {address}"
            if part and not place:
                assert f'id="{part}"' in inside, f"{file.name} points to {address}"


def test_the_game_file_can_be_played_again(played: Played) -> None:
    lines = list(replay.tell(played.folder / output_folder.GAME, None, None, "en", None))
    assert lines[-1].endswith("(over)")


def test_a_letter_of_a_robot_was_refused_and_one_was_a_trial(played: Played) -> None:
    texts = [opened(file.read_bytes()).text for file in played.folder.glob("mail/*/*.eml")]
    assert any(text.startswith(("CHECK\n", "VÉRIFIER\n")) for text in texts)
    assert any(re.search(r"^! ", text, re.MULTILINE) for text in texts)


def test_markup_in_letters_and_file_names_stays_text(tmp_path: Path) -> None:
    evil = (
        b"From: x <moderator@demo.localhost>\r\nSubject: <script>alert(1)</script>\r\nMIME-Version: 1.0\r\n"
        b"Message-ID: <e@x.y>\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n"
        b"--b\r\nContent-Type: text/plain\r\n\r\n</pre><script>alert(2)</script>\r\n"
        b'--b\r\nContent-Type: text/html\r\n\r\n"><script>alert(3)</script>\r\n'
        b'--b\r\nContent-Disposition: attachment; filename="../../<script>.html"\r\n\r\n<script>\r\n--b--\r\n'
    )

    async def leave() -> None:
        cast = members(SEATS, play=False, seat="", lang="en")
        async with demo.staged("leipzig", tmp_path, 1, cast) as game:
            await game.post.deliver(evil, "french@demo.localhost")
            output_folder.leave(game, tmp_path, "en")

    asyncio.run(leave())
    for file in tmp_path.rglob("*.html"):
        assert "<script>alert" not in file.read_text("utf-8")
    assert [file.name for file in tmp_path.glob("mail/french/*script*")] == ["001-script_.html.bin"]


class Ear(io.StringIO):
    """What is printed, and an event once a word is heard."""

    def __init__(self, word: str) -> None:
        super().__init__()
        self.word = word
        self.heard = asyncio.Event()

    def write(self, text: str) -> int:
        if self.word in text:
            self.heard.set()
        return super().write(text)


async def test_an_interrupted_game_leaves_its_folder_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(demo, "PoolRenderer", Blank)
    ear = Ear("Ctrl-C")
    console = Console(file=ear, soft_wrap=True)
    folder = tmp_path / "out"
    run = asyncio.create_task(
        demo.run("leipzig", folder, 1, play=True, seat="allied", lang="fr", console=console)
    )
    async with asyncio.timeout(30):
        await ear.heard.wait()
        run.cancel()
        with pytest.raises(asyncio.CancelledError):
            await run
    assert "http://127.0.0.1:" in ear.getvalue()
    assert "La partie n'a pas été jouée jusqu'à sa fin." in unescape(
        (folder / output_folder.INDEX).read_text("utf-8")
    )
    assert not (folder / output_folder.CERTIFICATE).exists()


def test_a_folder_with_other_things_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "novel.txt").write_text("once upon a time")
    with pytest.raises(ValueError, match=r"novel\.txt"):
        output_folder.prepare(tmp_path)
    assert (tmp_path / "novel.txt").exists()


def test_what_an_earlier_demo_left_is_cleared_away(tmp_path: Path) -> None:
    (tmp_path / "mail" / "french").mkdir(parents=True)
    (tmp_path / output_folder.INDEX).write_text("old")
    output_folder.prepare(tmp_path)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("play", "seat", "lang", "complaint"),
    [(True, "prussian", "en", "prussian"), (True, "french", "de", "'de'"), (False, "french", "en", "--play")],
)
def test_a_cast_that_cannot_be_is_refused(play: bool, seat: str, lang: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        members(SEATS, play=play, seat=seat, lang=lang)


def test_a_person_takes_a_seat_and_the_robot_writes_the_other_language() -> None:
    cast = members(SEATS, play=True, seat="allied", lang="en")
    assert [(m.seat, m.lang, m.human) for m in cast.values()] == [
        ("french", "fr", False),
        ("allied", "en", True),
    ]
