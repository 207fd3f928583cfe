"""The doctor: what is wrong with an installation, and what to do about it."""

from __future__ import annotations

import os
import pwd
import re
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from aiosmtplib.errors import SMTPException, SMTPSenderRefused
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from pbem import games, paths
from pbem.kernel.drawing import Drawing
from pbem.letters.authentication import Verdict
from pbem.post.dkim import Verifier
from pbem.post.imap import ImapInbox
from pbem.post.inbox import InboxTrouble
from pbem.post.settings import ImapSettings, Security, SmtpSettings
from pbem.post.smtp import SmtpOutlet
from pbem.reports.map import png
from pbem.server import config as configs
from pbem.server import forums
from pbem.server.config import BadConfig, Config
from pbem.server.finding import Finding
from pbem.store.engine import StoreError
from pbem.store.store import Store

CLOCK_SECONDS = 120


def told(finding: Finding) -> str:
    """A finding in words, with what to do below it."""
    line = f"{'ok  ' if finding.ok else 'BAD '} {finding.what}: {finding.text}"
    return f"{line}\n     → {finding.remedy}" if finding.remedy else line


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
    findings += _private(config)
    findings += await _mail(config)
    findings += _signing(config)
    findings.append(_origin(config))
    return findings


def _origin(config: Config) -> Finding:
    """What is asked of a letter besides its address and its token, and what is not."""
    asked = config.authentication
    checked = ["address and token"]
    unchecked: list[str] = []
    for wanted, what in (
        (bool(asked.authserv_id), f"the verdict of «{asked.authserv_id or 'your mail server'}»"),
        (asked.dkim, "signatures, where it gives none"),
        (asked.strict, "that somebody vouches for every letter"),
    ):
        (checked if wanted else unchecked).append(what)
    text = f"checked: {', '.join(checked)}" + (f"; not checked: {', '.join(unchecked)}" if unchecked else "")
    remedy = (
        ""
        if asked.authserv_id or asked.dkim
        else "set authserv_id or dkim in [authentication]; see providers.md"
    )
    return Finding("who wrote it", True, text, remedy)


def _files() -> Finding:
    missing = [str(path) for path in (paths.templates(), paths.scenarios()) if not path.is_dir()]
    if missing:
        return Finding("installation", False, f"missing: {', '.join(missing)}", "install pbem again")
    return Finding("installation", True, "templates and scenarios are there")


def _fonts() -> Finding:
    boards = [name for name in games.names() if (paths.game_data(name) / "shapes.json").is_file()]
    if not boards:
        return Finding("maps", True, "no game is installed whose board would be drawn")
    try:
        size = len(png(Drawing(board=boards[0]), 300))
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
    file = _database_file(config)
    if file is not None and not file.exists():
        return _no_database(file)
    try:
        store = Store.open(config.store.url)
        state = store.check()
        aside = store.aside() if state == "current" else []
        store.close()
    except StoreError as error:
        return Finding("database", False, str(error), "check [store] url, and that the database runs")
    if aside:
        numbers = ", ".join(map(str, reversed(aside)))
        remedy = "look at them in the folder for refused letters, and at the log of their time"
        return Finding("database", True, f"letters wait there for a person: {numbers}", remedy)
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
        findings += await _imap(config)
    elif config.maildir is not None:
        folder = Path(config.maildir.path) / "new"
        if folder.is_dir():
            findings.append(Finding("letters in", True, f"Maildir {config.maildir.path}"))
        else:
            remedy = "make it a Maildir with the folders new, cur and tmp, or correct [maildir] path"
            findings.append(Finding("letters in", False, f"{folder} is not there", remedy))
    else:
        said = "none: all games are on boards" if config.boards else "neither [imap] nor [maildir]"
        remedy = "" if config.boards else "add one of them, or a board"
        findings.append(Finding("letters in", bool(config.boards), said, remedy))
    findings.append(await _smtp(config))
    return findings + await forums.examine(config)


async def _imap(config: Config) -> list[Finding]:
    assert config.imap is not None
    inbox = ImapInbox(config.imap)
    try:
        text = await inbox.check()
        facts = await inbox.facts()
    except InboxTrouble as trouble:
        return [Finding("letters in", False, trouble.reason, remedy_for(config.imap, trouble.reason))]
    finally:
        await inbox.close()
    findings = [Finding("letters in", True, text)]
    if not facts.idle:
        pause = f"letters are looked for every {config.imap.poll_interval:.0f} s"
        findings.append(Finding("waiting", True, f"the server has no IDLE: {pause}"))
    if config.imap.processed_folder and not facts.move:
        remedy = "leave [imap] processed_folder empty: letters are then only marked as read"
        findings.append(Finding("folder", False, "the server can neither move nor expunge by UID", remedy))
    trusted = config.authentication.authserv_id
    if facts.vouches and not trusted:
        text = f"the newest letter has Authentication-Results of «{facts.vouches}»"
        remedy = "if that is your own server, name it in [authentication] authserv_id: forged letters are then held"
        findings.append(Finding("origin", True, text, remedy))
    elif trusted and facts.vouches and facts.vouches.split()[0].lower() != trusted.lower():
        remedy = f'is [authentication] authserv_id = "{facts.vouches.split()[0]}" what you mean?'
        text = f"the newest letter has Authentication-Results of «{facts.vouches}», not of «{trusted}»"
        findings.append(Finding("origin", False, text, remedy))
    return findings


_PORTS = {
    993: Security.TLS,
    465: Security.TLS,
    143: Security.STARTTLS,
    587: Security.STARTTLS,
    25: Security.STARTTLS,
}
_LOGIN = re.compile(r"(?i)login|authenticat|credential|password|\b53[45]\b")
_OWN_PASSWORDS = re.compile(r"(?i)gmail|google|yahoo|icloud|me\.com|aol|fastmail")
_ONLY_OAUTH = re.compile(r"(?i)outlook|office365|hotmail|live\.com")


def remedy_for(server: ImapSettings | SmtpSettings, reason: str) -> str:
    """What to do about a server that cannot be used: the usual mistakes first."""
    usual = _PORTS.get(server.port)
    if usual is not None and usual is not server.security and server.security is not Security.PLAIN:
        return f'port {server.port} is used with security = "{usual}", not with "{server.security}"'
    if "certificate" in reason.lower():
        return (
            "the server's certificate is not trusted or names another host: use the host name that it names, "
            "or give the authority's certificate as ca_file; if it was good yesterday, ask the server's owner first"
        )
    if "consent" in reason.lower() or "token" in reason.lower():
        return "see deploy/providers.md on how to get a refresh token"
    if _LOGIN.search(reason):
        if _ONLY_OAUTH.search(server.host):
            return (
                "this provider takes no passwords: use [imap.oauth] and [smtp.oauth], see deploy/providers.md"
            )
        if _OWN_PASSWORDS.search(server.host):
            return "this provider wants a password made for one program (application password), or OAuth2"
        return "check user name and password; the user name is often the whole address"
    return "check host, port and security, and the network"


async def _smtp(config: Config) -> Finding:
    if config.smtp is None and config.boards:
        return Finding("letters out", True, "none: all games are on boards")
    if config.smtp is None:
        return Finding("letters out", False, "no [smtp]", "add it: letters could not be sent")
    outlet = SmtpOutlet(config.smtp)
    sender = config.moderator.address
    try:
        answer = await outlet.check(sender)
    except SMTPSenderRefused as error:
        remedy = f"{config.smtp.username} may not send as {sender}: use its own address, or allow it there"
        return Finding("letters out", False, f"{error.code} {error.message}", remedy)
    except (SMTPException, OSError) as error:
        reason = str(error) or type(error).__name__
        return Finding("letters out", False, reason, remedy_for(config.smtp, reason))
    finally:
        await outlet.close()
    return Finding("letters out", True, answer)


def _signing(config: Config) -> list[Finding]:
    """The key that signs our letters, and its public half in the DNS."""
    from pbem.server.wiring import signer

    if config.dkim is None:
        return []
    name = f"{config.dkim.selector}._domainkey.{config.dkim.domain}"
    if not config.moderator.address.lower().endswith("@" + config.dkim.domain.lower()):
        remedy = f"sign with the domain of {config.moderator.address}"
        return [Finding("signature", False, f"[dkim] domain is {config.dkim.domain}", remedy)]
    try:
        made = signer(config)
        assert made is not None
        sample = f"From: {config.moderator.address}\r\nSubject: x\r\n\r\nx\r\n".encode()
        verdict = Verifier().judge(made.sign(sample), config.moderator.address)
    except BadConfig as error:
        return [Finding("signature", False, str(error), "correct [dkim], or leave it out")]
    if verdict is Verdict.PASS:
        return [Finding("signature", True, f"letters are signed, and {name} fits")]
    what = (
        "does not fit the key" if verdict is Verdict.FAIL else "is not in the DNS, or the DNS does not answer"
    )
    return [Finding("signature", False, f"{name} {what}", "publish the public half of the key there")]


def _private(config: Config) -> list[Finding]:
    """Whether others can read the seeds and sealed orders."""
    file = _database_file(config)
    if file is None or not file.exists():
        return []
    found = file.stat()
    if found.st_mode & 0o077:
        return [Finding("privacy", False, f"{file} can be read by others", f"chmod 600 {file}")]
    if found.st_uid != os.geteuid():
        remedy = "run «pbem serve» and the other commands as that user"
        return [Finding("privacy", True, f"only its owner, {_user(found.st_uid)}, can read {file}", remedy)]
    return [Finding("privacy", True, "only this user can read the database")]


def _database_file(config: Config) -> Path | None:
    """The file of a SQLite database; None for another database, or where the address is no good."""
    try:
        url = make_url(config.store.url)
    except (ArgumentError, ValueError):
        return None
    named = url.database if url.get_backend_name() == "sqlite" else ""
    return Path(named) if named and named != ":memory:" else None


def _no_database(file: Path) -> Finding:
    """There is none yet. It is not made here: whoever asks the doctor may not be the user who serves."""
    folder = next(path for path in (file.parent, *file.absolute().parents) if path.exists())
    if os.access(folder, os.W_OK | os.X_OK):
        return Finding(
            "database", True, f"{file} is not there yet: pbem serve, or the first game, will make it"
        )
    remedy = f"make {file.parent} with an owner who may write there, or correct [store] url"
    return Finding(
        "database", False, f"{file} is not there, and {_user(os.geteuid())} cannot make it", remedy
    )


def _user(number: int) -> str:
    """A user's name, or his number where he has none."""
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return f"user {number}"
