"""The doctor: what is wrong with an installation, and what to do about it."""

from __future__ import annotations

import tempfile
from datetime import UTC, datetime
from pathlib import Path

import msgspec
from aiosmtplib.errors import SMTPException

from pbem import config as configs
from pbem import paths
from pbem.config import BadConfig, Config
from pbem.kernel.drawing import Drawing
from pbem.post.imap import ImapInbox
from pbem.post.inbox import InboxTrouble
from pbem.post.smtp import SmtpOutlet
from pbem.reports.map import png
from pbem.store.engine import StoreError
from pbem.store.store import Store

CLOCK_SECONDS = 120


class Finding(msgspec.Struct, frozen=True):
    """One thing that was looked at."""

    what: str
    ok: bool
    text: str
    remedy: str = ""


async def examine(file: Path | None) -> list[Finding]:
    """Look at everything that can be looked at; the first trouble hides none of the others."""
    findings = [_files(), _fonts(), _clock()]
    where = configs.find(file)
    try:
        config = configs.load(where)
    except BadConfig as error:
        remedy = "correct that key; deploy/pbem.toml shows all of them"
        return [*findings, Finding("configuration", False, str(error), remedy)]
    findings.append(Finding("configuration", True, str(where)))
    findings.append(_store(config))
    findings += await _mail(config)
    return findings


def _files() -> Finding:
    missing = [str(path) for path in (paths.templates(), paths.scenarios()) if not path.is_dir()]
    if missing:
        return Finding("installation", False, f"missing: {', '.join(missing)}", "install pbem again")
    return Finding("installation", True, "templates and scenarios are there")


def _fonts() -> Finding:
    try:
        size = len(png(Drawing(board="leipzig"), 300))
    except (ValueError, OSError) as error:
        return Finding("maps", False, str(error), "install pbem again: resvg or the font does not load")
    return Finding("maps", True, f"a map can be drawn ({size // 1024} kB at 300 px)")


def _clock() -> Finding:
    """The system's clock against the newest file time it gives: a clock that stands in the past is found."""
    now = datetime.now(UTC)
    with tempfile.NamedTemporaryFile() as file:
        written = datetime.fromtimestamp(Path(file.name).stat().st_mtime, UTC)
    if now.year < 2026 or abs((written - now).total_seconds()) > CLOCK_SECONDS:
        return Finding(
            "clock", False, f"it says {now:%Y-%m-%d %H:%M} UTC", "set the clock; use a time service"
        )
    return Finding("clock", True, f"{now:%Y-%m-%d %H:%M} UTC")


def _store(config: Config) -> Finding:
    try:
        store = Store.open(config.store.url)
        state = store.check()
        store.close()
    except StoreError as error:
        return Finding("database", False, str(error), "check [store] url, and that the database runs")
    if state == "current":
        return Finding("database", True, "it answers, and its tables are up to date")
    if state in ("newer", "foreign"):
        remedy = "use the version of pbem that made it, or another [store] url"
        return Finding("database", False, f"its tables are not ours to use: {state}", remedy)
    return Finding(
        "database", True, f"it answers; its tables are {state}: pbem serve will bring them up to date"
    )


async def _mail(config: Config) -> list[Finding]:
    findings = []
    if config.imap is not None:
        findings.append(await _imap(config))
    elif config.maildir is not None:
        folder = Path(config.maildir.path) / "new"
        if folder.is_dir():
            findings.append(Finding("letters in", True, f"Maildir {config.maildir.path}"))
        else:
            remedy = "make it a Maildir with the folders new, cur and tmp, or correct [maildir] path"
            findings.append(Finding("letters in", False, f"{folder} is not there", remedy))
    else:
        findings.append(Finding("letters in", False, "neither [imap] nor [maildir]", "add one of them"))
    findings.append(await _smtp(config))
    return findings


async def _imap(config: Config) -> Finding:
    assert config.imap is not None
    inbox = ImapInbox(config.imap)
    try:
        text = await inbox.check()
    except InboxTrouble as trouble:
        remedy = (
            "check user name and password (many providers want an application password)"
            if trouble.permanent
            else "check [imap] host, port and security, and the network"
        )
        return Finding("letters in", False, trouble.reason, remedy)
    finally:
        await inbox.close()
    return Finding("letters in", True, text)


async def _smtp(config: Config) -> Finding:
    if config.smtp is None:
        return Finding("letters out", False, "no [smtp]", "add it: letters could not be sent")
    outlet = SmtpOutlet(config.smtp)
    try:
        answer = await outlet.check()
    except (SMTPException, OSError) as error:
        remedy = "check [smtp] host, port, security, user name and password"
        return Finding("letters out", False, str(error) or type(error).__name__, remedy)
    finally:
        await outlet.close()
    return Finding("letters out", True, answer)
