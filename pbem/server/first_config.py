"""A first configuration: from an address, its servers and a few choices to the text of a file that `config` reads.

What is known of the usual providers is in `providers.toml`; elsewhere the servers are guessed from the address.
"""

from __future__ import annotations

import json
import os
import tomllib
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import msgspec

from pbem.post.settings import Security, is_loopback

_USUAL = {
    993: Security.TLS,
    465: Security.TLS,
    143: Security.STARTTLS,
    587: Security.STARTTLS,
    25: Security.STARTTLS,
}


class BadChoice(ValueError):
    """Something that was chosen cannot be meant; the text says why."""


class Provider(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is known of a provider: its domains, its servers as HOST:PORT, and what it wants."""

    domains: tuple[str, ...]
    imap: str
    smtp: str
    plus_address: bool = True
    authserv_id: str = ""
    advice: str = ""
    """What has to be done there before a program may log in."""


class Choices(msgspec.Struct, frozen=True):
    """What a host has chosen."""

    address: str
    folder: Path
    """Where the configuration lies, and the database below it."""
    imap: str = ""
    """HOST:PORT, or nothing where letters come from a Maildir."""
    smtp: str = ""
    maildir: str = ""
    username: str = ""
    password_env: str = ""
    password_file: str = ""
    ca_file: str = ""
    plus_address: bool = True
    lang: str = "en"
    dice: str = "auto"
    keeper: str = ""
    database: str = ""
    authserv_id: str = ""


@cache
def providers() -> tuple[Provider, ...]:
    """The providers that are known."""
    text = (Path(__file__).parent / "providers.toml").read_text(encoding="utf-8")
    return tuple(msgspec.convert(tomllib.loads(text)["provider"], list[Provider]))


def provider_of(address: str) -> Provider:
    """The provider of an address; for an unknown domain the servers are guessed by their usual names."""
    domain = address.partition("@")[2].lower()
    known = next((one for one in providers() if domain in one.domains), None)
    return known or Provider((domain,), f"imap.{domain}:993", f"smtp.{domain}:465")


def host_and_port(text: str, usual: int) -> tuple[str, int]:
    """HOST or HOST:PORT, taken apart. Raises BadChoice."""
    host, colon, port = text.strip().rpartition(":")
    if not colon:
        host, port = port, str(usual)
    if not host or not port.isascii() or not port.isdigit() or not 0 < int(port) < 65536:
        raise BadChoice(f"a server is written HOST or HOST:PORT, not {text!r}")
    return host, int(port)


def check_address(address: str) -> str:
    """The same address. Raises BadChoice where it is none."""
    local, at, domain = address.strip().partition("@")
    if not local or not at or not domain or "@" in domain or any(map(str.isspace, address.strip())):
        raise BadChoice(f"{address!r} is not an address")
    if "+" in local:
        raise BadChoice(f"{address}: give it without «+»; what follows a plus is pbem's own")
    return address.strip()


def text_of(choices: Choices) -> str:
    """The configuration as a file. Raises BadChoice."""
    lines = [
        "# Written by «pbem init». Every key is explained in deploy/pbem.toml; «pbem doctor» tries them all.",
        "[moderator]",
        _entry("address", check_address(choices.address)),
        _entry("plus_address", choices.plus_address),
        _entry("lang", choices.lang),
    ]
    if choices.keeper:
        lines.append(_entry("keeper", check_address(choices.keeper)))
    url = choices.database or f"sqlite:///{choices.folder.absolute() / 'var' / 'pbem.db'}"
    lines += ["", "[store]", _entry("url", url)]
    if choices.maildir:
        lines += ["", "[maildir]", _entry("path", str(Path(choices.maildir).absolute()))]
    else:
        lines += _server("imap", choices.imap, 993, choices)
    lines += _server("smtp", choices.smtp, 465, choices)
    lines += ["", "[dice]", _entry("mode", choices.dice), "", "[authentication]"]
    if choices.authserv_id:
        lines.append(_entry("authserv_id", choices.authserv_id))
    able = find_spec("authres") is not None and find_spec("dkim") is not None
    lines += [_entry("dkim", able), ""]
    return "\n".join(lines)


def write(file: Path, text: str) -> None:
    """Write a file that only its owner can read. Raises OSError."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    beside = file.with_name(f"{file.name}.new")
    beside.unlink(missing_ok=True)
    with os.fdopen(
        os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8"
    ) as out:
        out.write(text)
    beside.replace(file)


def _server(name: str, text: str, usual: int, choices: Choices) -> list[str]:
    host, port = host_and_port(text, usual)
    # Where a port says nothing, a server on this machine is taken as plain: nothing of it is heard outside.
    other = Security.PLAIN if is_loopback(host) and not choices.ca_file else Security.STARTTLS
    lines = ["", f"[{name}]", _entry("host", host), _entry("port", port)]
    lines.append(_entry("security", str(_USUAL.get(port, other))))
    lines.append(_entry("username", choices.username or choices.address))
    if choices.password_env:
        lines.append(_entry("password_env", choices.password_env))
    elif choices.password_file:
        lines.append(_entry("password_file", str(Path(choices.password_file).absolute())))
    if choices.ca_file:
        lines.append(_entry("ca_file", str(Path(choices.ca_file).absolute())))
    return lines


def _entry(key: str, value: str | int) -> str:
    if isinstance(value, bool):
        return f"{key} = {'true' if value else 'false'}"
    # A JSON string is a TOML one, but for DEL, which JSON leaves as it is.
    return f"{key} = {json.dumps(value, ensure_ascii=False)}".replace("\x7f", "\\u007f")
