"""Configurations: every key checked, secrets from elsewhere, mistakes named."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from pbem.server.config import BadConfig, Config, find, load, parse
from pbem.server.wiring import source

MAIL = {"host": "localhost", "security": "plain", "username": "m", "port": 1143}


def config(**sections: object) -> dict[str, object]:
    return {"moderator": {"address": "m@x.test"}, **sections}


def test_the_sample_is_a_good_configuration(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_MAIL_PASSWORD", "secret")
    loaded = load(Path(__file__).parents[2] / "deploy" / "pbem.toml")
    assert loaded.imap is not None
    assert loaded.imap.password == "secret"
    assert "secret" not in repr(loaded.imap)


@pytest.mark.parametrize(
    ("data", "named"),
    [
        ({}, "moderator"),
        (config(moderator={"address": "nobody"}), "address"),
        (config(stor={"url": "x"}), "stor"),
        (config(imap={**MAIL, "hots": "x"}), "hots"),
        (config(imap={**MAIL, "port": "many"}), "port"),
        (config(smtp={**MAIL, "host": "mail.example.org"}), "clear"),
        (config(smtp={**MAIL, "password_env": "PBEM_NO_SUCH_VARIABLE"}), "PBEM_NO_SUCH_VARIABLE"),
        (config(smtp={**MAIL, "password_file": "/no/such/file"}), "password_file"),
    ],
)
def test_what_is_wrong_is_named(data: dict[str, object], named: str) -> None:
    with pytest.raises(BadConfig, match=named):
        parse(data)


def test_a_password_file_that_others_can_read_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "password"
    file.write_text("secret\n")
    file.chmod(0o644)
    section = {**MAIL, "password_file": str(file)}
    with pytest.raises(BadConfig, match="chmod 600"):
        parse(config(smtp=section))
    file.chmod(0o600)
    loaded = parse(config(smtp=section))
    assert loaded.smtp is not None
    assert loaded.smtp.password == "secret"


def test_broken_files_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "pbem.toml"
    file.write_text("[moderator\n")
    with pytest.raises(BadConfig, match=r"pbem\.toml"):
        load(file)
    monkeypatch.setenv("PBEM_CONFIG", str(file))
    assert find(None) == file
    assert find(tmp_path / "other.toml").name == "other.toml"
    with pytest.raises(tomllib.TOMLDecodeError):
        tomllib.loads(file.read_text())


@pytest.mark.parametrize(
    "file",
    sorted((Path(__file__).parents[2] / "deploy" / "providers").glob("*.toml")),
    ids=lambda file: file.stem,
)
def test_the_samples_of_providers_are_good_configurations(
    file: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PBEM_MAIL_PASSWORD", "secret")
    token = tmp_path / "refresh-token"
    token.write_text("consent")
    token.chmod(0o600)
    text = file.read_text(encoding="utf-8").replace("/etc/pbem/refresh-token", str(token))
    loaded = parse(tomllib.loads(text), file.name)
    assert loaded.imap is not None
    assert loaded.smtp is not None
    if loaded.imap.oauth is not None:
        assert loaded.imap.oauth.refresh_token == "consent"
        assert loaded.imap.oauth.refresh_token_file == str(token)


def test_secrets_of_every_kind_come_from_the_environment_or_private_files(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    secret = tmp_path / "secret"
    secret.write_text("quiet\n")
    secret.chmod(0o600)
    monkeypatch.setenv("PBEM_URL", "postgresql://pbem:pw@localhost/pbem")
    oauth = {
        "token_url": "https://x.test/t",
        "client_id": "c",
        "client_secret_file": str(secret),
        "refresh_token": "r",
    }
    loaded = parse(config(store={"url_env": "PBEM_URL"}, imap={**MAIL, "oauth": oauth}))
    assert loaded.store.url.endswith("@localhost/pbem")
    assert loaded.imap is not None
    assert loaded.imap.oauth is not None
    assert loaded.imap.oauth.client_secret == "quiet"
    assert "quiet" not in repr(loaded.imap)
    secret.chmod(0o640)
    with pytest.raises(BadConfig, match="chmod 600"):
        parse(config(imap={**MAIL, "oauth": oauth}))


def test_a_file_with_a_password_in_it_must_be_private(tmp_path: Path) -> None:
    file = tmp_path / "pbem.toml"
    file.write_text(
        '[moderator]\naddress = "m@x.test"\n[smtp]\nhost = "localhost"\nsecurity = "plain"\npassword = "x"\n'
    )
    file.chmod(0o644)
    with pytest.raises(BadConfig, match="chmod 600"):
        load(file)
    file.chmod(0o600)
    assert load(file).smtp is not None


@pytest.mark.parametrize(("answers", "hangs"), [(True, True), (False, False)])
def test_dice_come_from_the_beacon_where_it_answers(answers: bool, hangs: bool) -> None:
    made = source(parse(config()), "", reach=lambda config: answers)
    assert (made is not None) is hangs


def test_a_host_may_insist() -> None:
    def nobody_asks(config: Config) -> bool:
        raise AssertionError

    assert source(parse(config()), "beacon", nobody_asks) is not None
    assert source(parse(config()), "chain", nobody_asks) is None
    with pytest.raises(BadConfig, match="not from 'tarot'"):
        source(parse(config()), "tarot", nobody_asks)
