"""The configuration: one TOML file, every key checked, secrets from the environment or from files.

[moderator]
address = "moderator@example.org"

[store]
url = "sqlite:///var/pbem.db"

[imap]                                   # or [maildir] path = "…"
host = "imap.example.org"
username = "moderator@example.org"
password_env = "PBEM_MAIL_PASSWORD"      # or password_file = "/etc/pbem/password"

[[boards]]                               # none, one or several forums
name = "consim"
kind = "misago"
url = "https://forum.example.org"
username = "pbem"
password_env = "PBEM_FORUM_PASSWORD"

[smtp]                                   # not needed where all games are on boards
host = "smtp.example.org"
username = "moderator@example.org"
password_env = "PBEM_MAIL_PASSWORD"
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

import msgspec

from pbem.campaign.deadlines.calendar import USUAL, BadCalendar, Calendar, with_known_fields
from pbem.campaign.intake.authenticity import AuthenticationSettings
from pbem.campaign.intake.moderator import Settings
from pbem.dice.beacon.client import MIRRORS
from pbem.letters.posted import usable
from pbem.post.dkim import DkimSettings
from pbem.post.forum.kinds import BOARD_KINDS
from pbem.post.settings import ImapSettings, SettingsError, SmtpSettings, is_loopback

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


class BoardConfig(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A forum on which we have an account."""

    name: str
    """Short, of small letters: it is part of addresses."""
    kind: str
    """misago, matrix, discourse, nodebb or forms."""
    url: str
    username: str = ""
    password: str = ""
    token: str = ""
    """Of boards that give one: an API key, an access token."""
    category: str = ""
    """Where threads of games are opened; the board's own default if empty."""
    description: str = ""
    """Of kind «forms»: which description of a board's forms is used: fossil, phpbb, or a file."""
    poll: float = 60.0
    """Seconds between two looks."""
    settle: float = 120.0
    """Seconds after which a post counts as finished."""
    calls_a_minute: float = 0.0
    """How often the board may be called; its kind's own figure if 0."""


class MapConfig(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Pictures: their width, where drawn boards are kept, how many processes draw."""

    width: int = 1200
    cache: str = ""
    processes: int = 1


class NetworkConfig(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A drand network besides quicknet that a game may be turned to: BLS12-381, signatures in G1, unchained."""

    chain: str
    key: str
    genesis: int
    period: int
    mirrors: tuple[str, ...] = MIRRORS


class DiceConfig(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where the dice of new games come from: `chain` needs no network, `beacon` the drand network; `auto` is the
    beacon where it answers when a game is made.
    """

    mode: Literal["auto", "chain", "beacon"] = "auto"
    delay: int = 600
    """Seconds from a close to its round: time for the mail that proves that the close came first."""
    mirrors: tuple[str, ...] = MIRRORS
    networks: tuple[NetworkConfig, ...] = ()


class Config(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that `pbem serve` needs to know."""

    moderator: Settings
    store: StoreConfig = StoreConfig()
    imap: ImapSettings | None = None
    smtp: SmtpSettings | None = None
    maildir: MaildirConfig | None = None
    maps: MapConfig = MapConfig()
    dice: DiceConfig = DiceConfig()
    calendar: Calendar = USUAL
    """The deadlines of new games, unless their host says otherwise."""
    authentication: AuthenticationSettings = AuthenticationSettings()
    dkim: DkimSettings | None = None
    boards: tuple[BoardConfig, ...] = ()


def find(given: Path | None) -> Path:
    """The configuration file: as given, as $PBEM_CONFIG says, or ./pbem.toml."""
    if given is not None:
        return given
    named = os.environ.get(ENVIRONMENT)
    return Path(named) if named else DEFAULT_FILE


def load(file: Path, *, without: Collection[str] = ()) -> Config:
    """Read and check a configuration. Raises BadConfig.

    The sections `without` are left out, and their passwords not looked for.
    """
    try:
        data = tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise BadConfig(f"{file}: there is no such file; «pbem init» writes one") from error
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadConfig(f"{file}: {error}") from error
    if _holds_secrets(data) and file.stat().st_mode & 0o077:
        raise BadConfig(
            f"{file}: it holds a password and can be read by others; chmod 600 it, or use password_env"
        )
    return parse({key: part for key, part in data.items() if key not in without}, str(file))


def parse(data: Mapping[str, Any], name: str = "configuration") -> Config:
    """A configuration from plain data. Raises BadConfig."""
    filled = {key: dict(value) if isinstance(value, Mapping) else value for key, value in data.items()}
    for section in MAIL:
        server = filled.get(section)
        if isinstance(server, dict):
            _fill(server, "password", f"{name}: [{section}]")
            if isinstance(server.get("oauth"), Mapping):
                server["oauth"] = dict(server["oauth"])
                for secret in ("client_secret", "refresh_token"):
                    _fill(
                        server["oauth"], secret, f"{name}: [{section}.oauth]", keep=secret == "refresh_token"
                    )
    if isinstance(filled.get("boards"), list | tuple):
        filled["boards"] = [
            dict(board) if isinstance(board, Mapping) else board for board in filled["boards"]
        ]
        for board in filled["boards"]:
            for secret in ("password", "token") if isinstance(board, dict) else ():
                _fill(board, secret, f"{name}: [[boards]]")
    if isinstance(filled.get("store"), dict):
        _fill(filled["store"], "url", f"{name}: [store]")
    try:
        config = msgspec.convert(filled, Config)
        config.calendar.check()
    except msgspec.ValidationError as error:
        text = str(error)
        raise BadConfig(f"{name}: {with_known_fields(text) if '$.calendar' in text else text}") from error
    except BadCalendar as error:
        raise BadConfig(f"{name}: [calendar] {error}") from error
    for server in (config.imap, config.smtp):
        if server is not None:
            try:
                server.check()
            except SettingsError as error:
                raise BadConfig(f"{name}: {error}") from error
    names = [board.name for board in config.boards]
    for board in config.boards:
        if not usable(board.name) or names.count(board.name) > 1:
            raise BadConfig(
                f"{name}: [[boards]] name: {board.name!r}: small letters and digits, each name once"
            )
        if board.kind not in BOARD_KINDS:
            raise BadConfig(f"{name}: [[boards]] kind: one of {', '.join(BOARD_KINDS)}, not {board.kind!r}")
        url = urlsplit(board.url)
        if url.scheme != "https" and not (url.scheme == "http" and is_loopback(url.hostname or "")):
            raise BadConfig(f"{name}: [[boards]] url: {board.url!r} does not begin with https://")
    if "@" not in config.moderator.address:
        raise BadConfig(f"{name}: [moderator] address: {config.moderator.address!r} is not an address")
    return config


MAIL = ("imap", "smtp")
POST = (*MAIL, "boards")
"""The sections of what brings letters and takes them: their passwords are needed by whoever serves."""
_SECRETS = ("password", "client_secret", "refresh_token", "token")


def _holds_secrets(data: Mapping[str, Any]) -> bool:
    """Whether a secret stands in the file itself."""
    return any(
        (key in _SECRETS and bool(value))
        or (isinstance(value, Mapping) and _holds_secrets(value))
        or (
            isinstance(value, list) and any(isinstance(one, Mapping) and _holds_secrets(one) for one in value)
        )
        for key, value in data.items()
    )


def _fill(section: dict[str, Any], key: str, where: str, *, keep: bool = False) -> None:
    """Put a secret in from the environment or a file; `keep` leaves the file's name, to write it anew."""
    variable, file = section.pop(f"{key}_env", None), section.get(f"{key}_file")
    if not keep:
        section.pop(f"{key}_file", None)
    if variable is not None:
        if variable not in os.environ:
            raise BadConfig(f"{where} {key}_env: the variable {variable} is not set")
        section[key] = os.environ[variable]
    elif file is not None:
        path = Path(file)
        try:
            if path.stat().st_mode & 0o077:
                raise BadConfig(f"{where} {key}_file: {path} can be read by others; chmod 600 it")
            section[key] = path.read_text(encoding="utf-8").strip()
        except OSError as error:
            raise BadConfig(f"{where} {key}_file: {error}") from error
