"""The chronicle of a finished game, and the host's command line."""

from __future__ import annotations

import io
import re
import subprocess
from pathlib import Path

import pytest
from PIL import Image
from typer.testing import CliRunner

from pbem.campaign.archive.chronicle import NotOver, write
from pbem.campaign.archive.print_edition import Tale, edition
from pbem.campaign.commands.game_master.by_host import by_host
from pbem.cli.main import app
from pbem.reports.catalogue import catalogue
from pbem.store.store import Store
from tests.campaign.commands.game_master.test_acts import Court, court, play_on
from tests.campaign.conftest import Desk
from tests.dice.audit.test_page import chromium

__all__ = ["chromium", "court"]


def test_a_game_that_is_not_over_has_no_chronicle(desk: Desk, tmp_path: Path) -> None:
    with pytest.raises(NotOver):
        write(desk.store, desk.game, tmp_path)


def test_the_chronicle_tells_all_but_addresses(court: Court, tmp_path: Path) -> None:
    court.send("french", "PRESS TO DIARY: I fear <b>the</b> worst")
    play_on(court, 14)
    court.send("french", f"resign {court.game}")
    files = write(court.store, court.game, tmp_path / "out", "fr", 300)
    assert [file.name for file in files] == [
        *("chronicle.html", "chronicle-print.html", "chronicle.png", "dice.html"),
    ]
    page = files[0].read_text(encoding="utf-8")
    assert "I fear &lt;b&gt;the&lt;/b&gt; worst" in page
    assert "<h2>t1</h2>" in page
    assert "<h2>t2</h2>" in page
    assert "Victoire" in page
    assert "piocher" in page
    assert "@pbem.test" not in page
    assert page.count("data:image/png;base64,") >= 2
    with Image.open(io.BytesIO(files[2].read_bytes())) as film:
        assert film.n_frames >= 2  # type: ignore[attr-defined]


@pytest.fixture
def printed(court: Court, tmp_path: Path) -> Path:
    """The print edition of a short game."""
    court.send("french", "PRESS TO DIARY: I fear <b>the</b> worst")
    play_on(court, 14)
    court.send("french", f"resign {court.game}")
    return write(court.store, court.game, tmp_path / "out", "en", 400)[1]


def test_the_print_edition_stands_by_itself(printed: Path) -> None:
    text = printed.read_text(encoding="utf-8")
    assert "@bottom-center { content: counter(page)" in text
    assert '<section id="c1"><h2>t1</h2>' in text
    assert '<a href="#c2">t2</a>' in text
    assert "I fear &lt;b&gt;the&lt;/b&gt; worst" in text
    assert text.count("data:image/png;base64,") >= 3
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")
    assert "@pbem.test" not in text


def test_a_title_cannot_leave_its_style_sheet() -> None:
    tale = Tale('a "b" </style><script>x', "s", [], [], [], [])
    text = edition(tale, catalogue("en"))
    assert text.count("</style>") == 1
    assert "<script>" not in text


def test_chromium_prints_it_on_numbered_pages(printed: Path, tmp_path: Path, chromium: str) -> None:
    pdf = tmp_path / "chronicle.pdf"
    subprocess.run(
        [
            *(chromium, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"),
            *("--no-first-run", f"--user-data-dir={tmp_path / 'profile'}", "--no-pdf-header-footer"),
            *(f"--print-to-pdf={pdf}", printed.as_uri()),
        ],
        capture_output=True,
        timeout=300,
        check=True,
    )
    data = pdf.read_bytes()
    assert data.startswith(b"%PDF-")
    pages = len(re.findall(rb"/Type\s*/Page\b(?!s)", data))
    chapters = printed.read_text(encoding="utf-8").count("<section ")
    assert pages >= chapters + 2, "a title page, the contents, and a page for each chapter at least"


@pytest.mark.parametrize(
    ("text", "good", "words"),
    [
        ("PAUSE a storm", True, "PAUSE: done"),
        ("EXTEND 24 a storm", True, "EXTEND: done"),
        ("EXTEND soon", False, "24 (hours)"),
        ("ROLLBACK 77 x", False, "answers have been given"),
        ("ANNOUNCE good evening", True, "ANNOUNCE: done"),
        ("ACT FOR french: 1", True, "ACT: done"),
        ("START", False, "has begun already"),
        ("dance", False, "Write a game master's command"),
        ("STATUS", False, "Write a game master's command"),
        ("HISTORY", True, "–"),
    ],
)
def test_the_host_acts_as_game_master(court: Court, text: str, good: bool, words: str) -> None:
    done = by_host(court.moderator.campaign, court.game, text)
    assert done.good is good
    assert words in " ".join(done.lines)


def test_what_the_host_did_is_in_the_history_and_mailed(court: Court) -> None:
    by_host(court.moderator.campaign, court.game, "PAUSE a storm")
    court.deliver()
    assert "Reason: a storm" in court.words("french")
    court.send("french", "history")
    assert "host: paused the game (a storm)" in court.words("french")
    assert (
        by_host(court.moderator.campaign, court.game, "HISTORY")
        .lines[0]
        .endswith("paused the game (a storm)")
    )


def test_from_the_command_line(tmp_path: Path) -> None:
    config = tmp_path / "pbem.toml"
    config.write_text(
        f'[moderator]\naddress = "m@pbem.test"\n[store]\nurl = "sqlite:///{tmp_path}/pbem.db"\n'
        '[dice]\nmode = "chain"\n',
        encoding="utf-8",
    )
    calendar = tmp_path / "calendar.toml"
    calendar.write_text(
        'zone = "Europe/Paris"\nhours = 48\nsnap = "20:00"\nbarred = ["sun"]\n', encoding="utf-8"
    )
    run = CliRunner()

    def pbem(*arguments: str) -> tuple[int, str]:
        result = run.invoke(app, [*arguments, "--config", str(config)])
        assert "Traceback" not in result.output
        return result.exit_code, result.output

    seats = ["--seat", "french=a@x.test", "--seat", "allied=b@x.test"]
    assert pbem("new", "leipzig", *seats, "--calendar", str(calendar), "--master", "g@x.test")[0] == 0
    assert pbem("announce", "leipzig", "--calendar", str(calendar))[1].startswith(
        "leipzig-2 looks for players: JOIN leipzig-2\n"
    )
    assert pbem("gm", "leipzig-1", "EXTEND", "24", "a", "storm")[0] == 0
    assert pbem("gm", "leipzig-2", "START")[0] == 1
    assert pbem("gm", "nowhere", "PAUSE")[0] == 1
    code, listed = pbem("games")
    assert code == 0
    assert "running" in listed
    assert "open" in listed
    assert pbem("chronicle", "leipzig-1")[0] == 1
    assert pbem("chronicle", "nowhere")[0] == 1
    dice = tmp_path / "dice.html"
    assert pbem("dice", "leipzig-1", "--out", str(dice), "--lang", "fr")[0] == 0
    assert "g1/districts" in dice.read_text(encoding="utf-8")
    assert pbem("dice", "nowhere")[0] == 1
    assert pbem("dice", "leipzig-1", "--out", str(tmp_path))[0] == 1
    calendar.write_text("hours = 0\n", encoding="utf-8")
    assert pbem("new", "leipzig", *seats, "--calendar", str(calendar))[0] == 1
    store = Store.open(f"sqlite:///{tmp_path}/pbem.db")
    assert store.next_game_at() is not None
    store.close()
