"""`pbem init` and `pbem list` as a new host uses them."""

from __future__ import annotations

import json
import stat
import threading
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pbem import games
from pbem.cli import beginning
from pbem.cli.main import app
from pbem.post.embedded import EmbeddedPost
from pbem.server import config as configs
from pbem.server.first_config import (
    BadChoice,
    Choices,
    check_address,
    host_and_port,
    provider_of,
    providers,
    text_of,
)

MODERATOR = "moderator@pbem.example"
runner = CliRunner()


@pytest.fixture
def post() -> Iterator[EmbeddedPost]:
    """A mail server in a thread of its own, as the command has an event loop of its own."""
    import asyncio

    ready, running = threading.Event(), {}

    def serve() -> None:
        async def run() -> None:
            async with EmbeddedPost({MODERATOR: "tambour"}) as opened:
                ended = asyncio.Event()
                running.update(post=opened, loop=asyncio.get_running_loop(), ended=ended)
                ready.set()
                await ended.wait()

        asyncio.run(run())

    thread = threading.Thread(target=serve)
    thread.start()
    ready.wait()
    yield running["post"]  # type: ignore[misc]
    running["loop"].call_soon_threadsafe(running["ended"].set)  # type: ignore[attr-defined]
    thread.join()


def switches(post: EmbeddedPost, file: Path, secret: Path) -> list[str]:
    return [
        *("init", "-c", str(file), "--address", MODERATOR, "--dice", "chain"),
        *("--imap", f"127.0.0.1:{post.imap_port}", "--smtp", f"127.0.0.1:{post.smtp_port}"),
        *("--password-file", str(secret)),
    ]


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    file = tmp_path / "secret"
    file.write_text("tambour\n")
    file.chmod(0o600)
    return file


def test_from_switches_to_a_configuration_that_works(
    post: EmbeddedPost, tmp_path: Path, secret: Path
) -> None:
    file = tmp_path / "etc" / "pbem.toml"
    done = runner.invoke(app, switches(post, file, secret))
    assert done.exit_code == 0, done.output
    assert "BAD" not in done.output
    assert "ok   letters in" in done.output
    assert f"pbem serve -c {file}" in done.output
    assert f"pbem announce leipzig -c {file}" in done.output
    assert "--seat french=ADDRESS,NAME,LANG --seat allied=ADDRESS,NAME,LANG" in done.output
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    config = configs.load(file)
    assert config.imap is not None
    assert config.imap.password == "tambour"
    assert config.dice.mode == "chain"
    assert "tambour" not in file.read_text()
    assert not (tmp_path / "etc" / "var").exists(), "the database is made by whoever serves"


def test_what_does_not_work_is_said_and_the_command_fails(
    post: EmbeddedPost, tmp_path: Path, secret: Path
) -> None:
    secret.write_text("wrong")
    done = runner.invoke(app, switches(post, tmp_path / "pbem.toml", secret))
    assert done.exit_code == 1
    assert "BAD  letters in" in done.output
    assert "First mend what is BAD" in done.output


def test_a_configuration_is_never_written_over_unasked(tmp_path: Path) -> None:
    file = tmp_path / "pbem.toml"
    file.write_text("mine")
    done = runner.invoke(app, ["init", "-c", str(file), "--address", MODERATOR])
    assert done.exit_code == 1
    assert "--force" in done.output
    assert file.read_text() == "mine"


def test_it_asks_for_what_no_switch_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beginning, "_somebody_there", lambda: True)
    file = tmp_path / "pbem.toml"
    answers = ["me@yahoo.fr", "", "", "", "sesame", "", "fr", "", "host@example.org"]
    done = runner.invoke(app, ["init", "-c", str(file), "--no-check"], input="\n".join([*answers, ""]))
    assert done.exit_code == 0, done.output
    assert "application password" in done.output
    assert "sesame" not in done.output
    config = configs.load(file)
    assert config.imap is not None
    assert (config.imap.host, config.imap.username) == ("imap.mail.yahoo.com", "me@yahoo.fr")
    assert config.imap.password == "sesame"
    assert not config.moderator.plus_address
    assert (config.moderator.lang, config.moderator.keeper) == ("fr", "host@example.org")
    assert stat.S_IMODE((tmp_path / beginning.PASSWORD_FILE).stat().st_mode) == 0o600


def test_where_nobody_can_be_asked_what_is_missing_is_named(tmp_path: Path) -> None:
    done = runner.invoke(app, ["init", "-c", str(tmp_path / "pbem.toml")])
    assert done.exit_code == 1
    assert "--address is missing" in done.output
    done = runner.invoke(app, ["init", "-c", str(tmp_path / "pbem.toml"), "--address", MODERATOR])
    assert "--password-env or --password-file is missing" in done.output


@pytest.mark.parametrize("text", ["", "nobody", "@x.org", "a@", "a b@x.org", "a+b@x.org", "a@b@c"])
def test_what_is_no_address(text: str) -> None:
    with pytest.raises(BadChoice):
        check_address(text)


@pytest.mark.parametrize("text", ["", ":993", "host:", "host:x", "host:0", "host:70000", "host:٣"])
def test_what_is_no_server(text: str) -> None:
    with pytest.raises(BadChoice):
        host_and_port(text, 993)


@pytest.mark.parametrize(
    ("server", "host", "port", "security"),
    [
        ("mail.example.org", "mail.example.org", 993, "tls"),
        ("mail.example.org:143", "mail.example.org", 143, "starttls"),
        ("127.0.0.1:1143", "127.0.0.1", 1143, "plain"),
        ("mail.example.org:1143", "mail.example.org", 1143, "starttls"),
    ],
)
def test_how_a_server_is_reached(server: str, host: str, port: int, security: str, tmp_path: Path) -> None:
    text = text_of(Choices(MODERATOR, tmp_path, server, "mail.example.org", password_env="X"))
    section = tomllib.loads(text)["imap"]
    assert (section["host"], section["port"], section["security"]) == (host, port, security)


def test_odd_names_are_written_as_they_are(tmp_path: Path) -> None:
    name = 'a"b\\c\té\x7f'
    text = text_of(Choices(MODERATOR, tmp_path, "h", "h", username=name, password_env="X"))
    assert tomllib.loads(text)["imap"]["username"] == name


def test_the_samples_and_what_init_knows_are_the_same() -> None:
    folder = Path(__file__).parents[2] / "deploy" / "providers"
    for known in providers():
        sample = next(
            data
            for file in folder.glob("*.toml")
            if (data := tomllib.loads(file.read_text()))["moderator"]["address"].partition("@")[2]
            in known.domains
        )
        assert known.imap == f"{sample['imap']['host']}:{sample['imap']['port']}"
        assert known.smtp == f"{sample['smtp']['host']}:{sample['smtp']['port']}"
        assert known.plus_address == sample["moderator"]["plus_address"]
        assert known.authserv_id == sample.get("authentication", {}).get("authserv_id", "")
    assert provider_of("me@example.org").imap == "imap.example.org:993"


def test_the_list_names_every_game_scenario_and_option_in_a_line_each() -> None:
    done = runner.invoke(app, ["list"])
    assert done.exit_code == 0
    lines = done.output.splitlines()
    for name in games.names():
        rules = games.load(name)
        assert f"{name}: {rules.titles['en']}" in lines
        for scenario in rules.scenarios.values():
            assert any(f"--scenario {scenario.name} " in line and scenario.en in line for line in lines)
        for option in rules.options:
            assert any(f"--option {option.name}={option.values[0]}" in line for line in lines)


def test_the_list_of_one_game_for_scripts() -> None:
    data = json.loads(runner.invoke(app, ["list", "leipzig", "--json"]).output)
    assert data["game"] == "leipzig"
    assert data["scenarios"][0]["seats"] == ["french", "allied"]
    assert "no game" in runner.invoke(app, ["list", "chess"]).output
