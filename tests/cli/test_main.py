"""The command line as a newcomer would use it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pbem.campaign.archive import game_file as playbacks
from pbem.campaign.deadlines.calendar import USUAL, read_calendar
from pbem.campaign.house_rules import Couriers, Customs
from pbem.campaign.table.tables import Affairs
from pbem.cli.main import app
from pbem.proving import fuzz
from pbem.store.store import Store

runner = CliRunner()


@pytest.fixture
def recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A whole random game as a game file."""
    kept: list[playbacks.Playback] = []
    original = fuzz._play

    def keeping(rules, game, seats, answers, *others):  # type: ignore[no-untyped-def]
        original(rules, game, seats, answers, *others)
        kept.append(playbacks.of(game, "battle", {}, answers))

    monkeypatch.setattr(fuzz, "_play", keeping)
    assert fuzz.play_one("leipzig", "battle", {}, 5).failure is None
    file = tmp_path / "game.json"
    playbacks.write(kept[0], file)
    return file


def run(*arguments: str, ok: bool = True, stdin: str = "") -> str:
    result = runner.invoke(app, list(arguments), input=stdin)
    assert (result.exit_code == 0) is ok, result.output
    assert "Traceback" not in result.output
    return result.output


@pytest.mark.parametrize(
    "tool",
    [
        "serve",
        "new",
        "log",
        "import",
        "check",
        "case",
        "fuzz",
        "replay",
        "audit",
        "map",
        "rules",
        "bench",
        "doctor",
        "demo",
    ],
)
def test_every_tool_has_help_that_teaches(tool: str) -> None:
    assert tool in run("--help")
    assert len(run(tool, "--help").splitlines()) > 5


LIGHT = [
    ["--help"],
    ["rules", "leipzig"],
    ["check", "leipzig", "-"],
    ["map", "leipzig", "--out", "map.png"],
    ["fuzz", "leipzig", "--games", "1"],
    ["case", "leipzig"],
    ["verifier", "--out", "verifier.pyz"],
    ["read", "-"],
    ["list"],
]


@pytest.mark.parametrize("words", LIGHT, ids=lambda words: words[0])
def test_a_tool_that_needs_no_store_imports_none(words: list[str], tmp_path: Path) -> None:
    script = (
        "import sys, typer.testing\n"
        "from pbem.cli.main import app\n"
        f"ended = typer.testing.CliRunner().invoke(app, {words!r}, input='')\n"
        "assert ended.exit_code in (0, 1), ended.output\n"
        "assert not isinstance(ended.exception, ImportError), ended.exception\n"
        "heavy = {'sqlalchemy', 'sqlmodel', 'alembic', 'pbem.store.store'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
        "assert sys.argv[1] != '--help' or 'asyncio' not in sys.modules\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", script, words[0]], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr


def test_unknown_games_and_files_get_a_kind_error(tmp_path: Path) -> None:
    assert "there is no game 'chess'" in run("fuzz", "chess", ok=False)
    assert "pbem:" in run("replay", str(tmp_path / "nothing.json"), ok=False)
    assert "pbem:" in run("check", "leipzig", str(tmp_path / "nothing.txt"), ok=False)
    assert "no scenario" in run("fuzz", "leipzig", "--scenario", "moon", ok=False)


def test_fuzz_ends_with_its_count_and_as_json() -> None:
    assert run("fuzz", "leipzig", "--games", "2").rstrip().endswith("2 passed, 0 failed")
    data = json.loads(run("fuzz", "leipzig", "--games", "1", "--json"))
    assert data["failures"] == 0
    assert data["decisions_per_second"] > 0


def test_replay_tells_a_game_whole_and_as_one_seat_saw_it(recorded: Path) -> None:
    whole = run("replay", str(recorded))
    assert "(over)" in whole
    allied = run("replay", str(recorded), "--seat", "allied", "--lang", "fr")
    assert "Vos premières cartes" in allied
    assert "Your missions" not in allied
    assert "Vos missions" not in allied
    assert run("replay", str(recorded), "--seat", "prussian", ok=False)


def test_a_broken_game_file_is_named(tmp_path: Path) -> None:
    file = tmp_path / "broken.json"
    file.write_text("{")
    assert "not a game" in run("replay", str(file), ok=False)
    file.write_text('{"game": "leipzig", "scenario": "battle", "format": "other/9"}')
    assert "format" in run("replay", str(file), ok=False)


def test_check_says_what_stands_and_what_does_not() -> None:
    assert "+ 1" in run("check", "leipzig", "-", stdin="1\n")
    assert "! dance" in run("check", "leipzig", "-", stdin="dance\n", ok=False)
    data = json.loads(run("check", "leipzig", "-", "--json", stdin="1\n"))
    assert data["good"] is True


def test_check_reads_units_as_each_side_calls_its_own() -> None:
    said = run(
        "check", "nce", "-", stdin="no card\nactivate Napoleon\nlead with the guard\nlosses reserve cavalry\n"
    )
    assert "→  lead with GARDE France" in said
    assert "→  losses RES CAV France" in said


def test_check_foresees_what_may_come_of_orders_that_stand() -> None:
    letter = "no card\nactivate Napoléon\ngo to Metz\n"
    assert "Napoléon marches by" in run("check", "nce", "-", stdin=letter)
    assert "Napoléon marches by" not in run("check", "nce", "-", stdin=f"dance\n{letter}", ok=False)


def test_cases_end_with_their_count(tmp_path: Path) -> None:
    cases = Path(__file__).parents[1] / "cases" / "leipzig" / "examples.toml"
    assert run("case", str(cases)).rstrip().endswith(" passed, 0 failed")
    bad = tmp_path / "bad.toml"
    bad.write_text(
        'game = "leipzig"\n[[case]]\nname = "wrong"\nrule = ["1.1"]\n[case.then]\nopen = ["dance"]\n'
    )
    assert "0 passed, 1 failed" in run("case", str(bad), ok=False)


def test_a_map_is_drawn_as_png_and_svg(tmp_path: Path, recorded: Path) -> None:
    png, svg = tmp_path / "a.png", tmp_path / "a.svg"
    run("map", "leipzig", "--out", str(png), "--position", str(recorded), "--width", "400")
    assert png.read_bytes().startswith(b"\x89PNG")
    run("map", "leipzig", "--out", str(svg), "--lang", "fr", "--seat", "french")
    assert svg.read_text().startswith("<svg")


def test_rules_are_printed_and_covered() -> None:
    assert "**3.2**" in run("rules", "leipzig")
    data = json.loads(run("rules", "leipzig", "--coverage", "--json"))
    assert data["missing"] == []
    assert len(data["rules"]) > 25


def test_audit_names_a_broken_log(tmp_path: Path) -> None:
    file = tmp_path / "log.jsonl"
    file.write_text("not a log\n")
    assert "1" in run("audit", str(file), ok=False)
    data = json.loads(run("audit", str(file), "--json", ok=False))
    assert data["ok"] is False


def deadlines(config: Path, folder: Path, seats: list[str]) -> None:
    """A host sets deadlines by flag, by file and in the configuration, and is told of a game without any."""
    deploy = Path(__file__).parents[2] / "deploy" / "calendar.toml"
    assert read_calendar(deploy.read_text()) == USUAL
    other = folder / "calendar.toml"
    other.write_text(config.read_text().replace("a.db", "c.db") + '[calendar]\nzone = "Europe/Paris"\n')
    config = other
    assert "48 hours for each decision (Europe/Paris)" in run(
        "announce", "leipzig", "--deadline", "2d", "-c", str(config)
    )
    said = run("announce", "leipzig", "--deadline", "none", "-c", str(config))
    assert "nothing is ever due; a player who vanishes stops this game" in said
    run("new", "leipzig", *seats, "--calendar", str(deploy), "--deadline", "1d", "-c", str(config))
    assert "written 48h or 3d" in run(
        "announce", "leipzig", "--deadline", "soon", "-c", str(config), ok=False
    )
    table = run("games", "-c", str(config))
    assert table.splitlines()[0].split() == [
        "game",
        "rules",
        "status",
        "now",
        "waits",
        "for",
        "since",
        "until",
    ]
    assert "2 more to join" in table
    assert "french (A)" in table
    rows = [json.loads(line) for line in run("games", "-c", str(config), "--json").splitlines()]
    assert [row["status"] for row in rows] == ["open", "open", "running"]
    assert rows[2]["waits"][0]["name"] == "A"
    other.write_text(other.read_text() + 'snapp = "20:00"\n')
    assert "the fields are zone, hours" in run("games", "-c", str(config), ok=False)


def test_new_serve_and_doctor_name_what_is_missing(tmp_path: Path) -> None:
    config = tmp_path / "pbem.toml"
    assert "no such file" in run("serve", "-c", str(config), ok=False)
    config.write_text(
        f'[moderator]\naddress = "m@x.test"\n[store]\nurl = "sqlite:///{tmp_path}/a.db"\n[dice]\nmode = "chain"\n'
    )
    assert "[smtp]" in run("doctor", "-c", str(config), ok=False)
    seats = ["--seat", "french=a@x.test,A", "--seat", "allied=b@x.test,B,fr"]
    made = json.loads(run("new", "leipzig", *seats, "-c", str(config), "--json"))
    assert Store.open(f"sqlite:///{tmp_path}/a.db").game("leipzig-1").read(Affairs).calendar == USUAL
    assert made == {"game": "leipzig-1"}
    assert "has the seats" in run("new", "leipzig", *seats[:2], "-c", str(config), ok=False)
    customs = ["--press", "anonymous", "--release", "results", "--press-limit", "3", "--couriers", "4,10"]
    customs += ["--objections", "24", "--votes", "majority"]
    run("new", "leipzig", *seats, *customs, "-c", str(config))
    run("announce", "leipzig", *customs, "-c", str(config))
    kept = Store.open(f"sqlite:///{tmp_path}/a.db")
    for name in ("leipzig-2", "leipzig-3"):
        wanted = Customs("anonymous", "results", 3, Couriers(4, 10), 24, "majority")
        assert kept.game(name).read(Affairs).customs == wanted
    kept.close()
    deadlines(config, tmp_path, seats)
    for bad in (["--press", "red"], ["--couriers", "soon"], ["--votes", "?"], ["--press-limit", "99"]):
        assert "pbem:" in run("new", "leipzig", *seats, *bad, "-c", str(config), ok=False)
    run("gm", "leipzig-2", "press", "none", "-c", str(config))
    assert "pbem" not in run("gm", "leipzig-2", "history", "-c", str(config))
    run("gm", "leipzig-2", "press", "loud", "-c", str(config), ok=False)
    log = tmp_path / "log.jsonl"
    run("log", "leipzig-1", "-c", str(config), "--out", str(log))
    assert "Everything checks" in run("audit", str(log))
    assert "no game" in run("log", "leipzig-9", "-c", str(config), ok=False)
    run("backup", str(tmp_path / "all.gz"), "-c", str(config))
    other = tmp_path / "other.toml"
    other.write_text(config.read_text().replace("a.db", "b.db"))
    assert "3 games" in run("restore", str(tmp_path / "all.gz"), "-c", str(other))
    assert "pbem:" in run("restore", str(log), "-c", str(other), ok=False)
    letter = tmp_path / "letter.eml"
    letter.write_text("From: eve@x.test\nTo: m@x.test\nMessage-ID: <1@x>\n\nhello\n")
    assert "unknown" in run("import", str(letter), "-c", str(config))
    assert "duplicate" in run("import", str(letter), "-c", str(config))
    config.write_text('[moderator]\naddress = "m@x.test"\ncolour = "blue"\n')
    assert "colour" in run("doctor", "-c", str(config), ok=False)


def test_the_module_is_the_command() -> None:
    command = [sys.executable, "-m", "pbem", "--version"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0
    assert done.stdout.startswith("pbem ")
