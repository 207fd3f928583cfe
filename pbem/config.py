"""The configuration: one TOML file, every key checked, secrets from the environment or from files.

[moderator]
address = "moderator@example.org"

[store]
url = "sqlite:///var/pbem.db"

[imap]                                   # or [maildir] path = "…"
host = "imap.example.org"
username = "moderator@example.org"
password_env = "PBEM_MAIL_PASSWORD"      # or password_file = "/etc/pbem/password"

[smtp]
host = "smtp.example.org"
username = "moderator@example.org"
password_env = "PBEM_MAIL_PASSWORD"
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from pbem.campaign.moderator import Settings
from pbem.post.settings import ImapSettings, SettingsError, SmtpSettings

DEFAULT_FILE = Path("pbem.toml")
ENVIRONMENT = "PBEM_CONFIG"


class BadConfig(ValueError):
    """A configuration that cannot be used; the text says which key and what to do."""


class StoreConfig(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where the games are kept."""

    url: str = "sqlite:///var/pbem.db"


class MaildirConfig(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Letters from a Maildir instead of IMAP."""

    path: str


class MapConfig(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Pictures: their width, where drawn boards are kept, how many processes draw."""

    width: int = 1200
    cache: str = ""
    processes: int = 1


class Config(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that `pbem serve` needs to know."""

    moderator: Settings
    store: StoreConfig = StoreConfig()
    imap: ImapSettings | None = None
    smtp: SmtpSettings | None = None
    maildir: MaildirConfig | None = None
    maps: MapConfig = MapConfig()


def find(given: Path | None) -> Path:
    """The configuration file: as given, as $PBEM_CONFIG says, or ./pbem.toml."""
    if given is not None:
        return given
    named = os.environ.get(ENVIRONMENT)
    return Path(named) if named else DEFAULT_FILE


def load(file: Path) -> Config:
    """Read and check a configuration. Raises BadConfig."""
    try:
        data = tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise BadConfig(
            f"{file}: there is no such file; copy deploy/pbem.toml and change its addresses"
        ) from error
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadConfig(f"{file}: {error}") from error
    return parse(data, str(file))


def parse(data: Mapping[str, Any], name: str = "configuration") -> Config:
    """A configuration from plain data. Raises BadConfig."""
    filled = {key: dict(value) if isinstance(value, Mapping) else value for key, value in data.items()}
    for section in ("imap", "smtp"):
        if isinstance(filled.get(section), dict):
            filled[section] = _with_password(filled[section], f"{name}: [{section}]")
    try:
        config = msgspec.convert(filled, Config)
    except msgspec.ValidationError as error:
        raise BadConfig(f"{name}: {error}") from error
    for server in (config.imap, config.smtp):
        if server is not None:
            try:
                server.check()
            except SettingsError as error:
                raise BadConfig(f"{name}: {error}") from error
    if "@" not in config.moderator.address:
        raise BadConfig(f"{name}: [moderator] address: {config.moderator.address!r} is not an address")
    return config


def _with_password(section: dict[str, Any], where: str) -> dict[str, Any]:
    variable, file = section.pop("password_env", None), section.pop("password_file", None)
    if variable is not None:
        if variable not in os.environ:
            raise BadConfig(f"{where} password_env: the variable {variable} is not set")
        section["password"] = os.environ[variable]
    elif file is not None:
        path = Path(file)
        try:
            if path.stat().st_mode & 0o077:
                raise BadConfig(f"{where} password_file: {path} can be read by others; chmod 600 it")
            section["password"] = path.read_text(encoding="utf-8").strip()
        except OSError as error:
            raise BadConfig(f"{where} password_file: {error}") from error
    return section
