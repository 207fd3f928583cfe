"""A peer that handles mail for a living, measured in the same run: Mailman 3, from a Python environment of its own.

    python3 -m venv /tmp/mailman && /tmp/mailman/bin/pip install mailman
    PBEM_BENCH_PEER=/tmp/mailman pbem bench mail

The same letters go in by LMTP, to a list with one member; each comes out once, to the same server as ours. Mailman
reads, decides, rewrites and passes on; it plays no game, and writes no report.
"""

from __future__ import annotations

import os
import re
import smtplib
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path

from pbem.post.settings import Security, SmtpSettings

PEER = "PBEM_BENCH_PEER"
LIST = "bench@pbem.example"
_CONNECTIONS = 4
_NEEDED = ("in", "pipeline", "out", "lmtp")
_RUNNERS = ("archive", "bounces", "command", "digest", "nntp", "rest", "retry", "shunt", "task", "virgin")
_SECURE = {Security.PLAIN: "smtp", Security.STARTTLS: "starttls", Security.TLS: "smtps"}
_PATIENCE = 60.0


class NoPeer(RuntimeError):
    """The peer is not there, or did not do its work; the text says why."""


def peer(folder: Path, smtp: SmtpSettings, raws: Sequence[bytes], member: str) -> float:
    """Letters a second, from the first handed in until the last is with the server. Raises NoPeer."""
    named = os.environ.get(PEER)
    if not named:
        raise NoPeer(f"not measured: ${PEER} does not name an environment with mailman")
    programs = Path(named) / "bin"
    if not (programs / "master").is_file():
        raise NoPeer(f"not measured: there is no mailman in {named}")
    letters = [_to_list(raw, member) for raw in raws]
    folder.mkdir()
    with _running(programs, folder, smtp, member) as port:
        started = time.perf_counter()
        with ThreadPoolExecutor(_CONNECTIONS) as pool:
            shares = [letters[n::_CONNECTIONS] for n in range(_CONNECTIONS)]
            list(pool.map(lambda share: _hand_in(port, share, member), shares))
        while _queued(folder):
            time.sleep(0.05)
        seconds = time.perf_counter() - started
    passed_on = (folder / "logs" / "smtp.log").read_text(errors="replace").count(f"post to {LIST} ")
    failed = sum(1 for queue in ("retry", "shunt", "bad") for _ in (folder / "queue" / queue).glob("*.*"))
    if failed or passed_on < len(letters):
        raise NoPeer(f"mailman passed on {passed_on} of {len(letters)} letters, and {failed} failed")
    return len(letters) / seconds


def _to_list(raw: bytes, member: str) -> bytes:
    head, _, body = raw.partition(b"\r\n\r\n")
    head = re.sub(rb"(?m)^From: .*$", f"From: {member}\r".encode(), head)
    head = re.sub(rb"(?m)^To: .*(?:\n[ \t].*)*$", f"To: {LIST}\r".encode(), head)
    return head + b"\r\n\r\n" + body


def _hand_in(port: int, letters: Sequence[bytes], member: str) -> None:
    with smtplib.LMTP("127.0.0.1", port, timeout=_PATIENCE) as client:
        for raw in letters:
            client.sendmail(member, [LIST], raw)


def _queued(folder: Path) -> bool:
    return any(next((folder / "queue" / queue).glob("*.*"), None) for queue in ("in", "pipeline", "out"))


@contextmanager
def _running(programs: Path, folder: Path, smtp: SmtpSettings, member: str) -> Iterator[int]:
    """Mailman at work, with one list and one member; the port where it takes letters."""
    port = _free_port()
    config = folder / "mailman.cfg"
    config.write_text(_config(folder, smtp, port))
    _tell(programs, config, "create", LIST)
    _tell(programs, config, "addmembers", "-", LIST, words=f"{member}\n")
    with (folder / "master.log").open("wb") as log:
        master = subprocess.Popen(
            [programs / "master", "-C", config], stdin=subprocess.DEVNULL, stdout=log, stderr=log
        )
    try:
        _until_listening(master, port, folder)
        yield port
    finally:
        master.terminate()
        with suppress(subprocess.TimeoutExpired):
            master.wait(30)


def _tell(programs: Path, config: Path, *words_of_command: str, words: str = "") -> None:
    root = ["--run-as-root"] if os.getuid() == 0 else []
    command = [str(programs / "mailman"), *root, "-C", str(config), *words_of_command]
    done = subprocess.run(command, input=words, text=True, capture_output=True, timeout=_PATIENCE)
    if done.returncode:
        raise NoPeer(f"mailman {words_of_command[0]} failed: {done.stderr.strip()[-200:]}")


def _config(folder: Path, smtp: SmtpSettings, port: int) -> str:
    lines = [
        *("[mailman]", "layout: here", "site_owner: owner@pbem.example"),
        *("[paths.here]", f"var_dir: {folder}"),
        *("[mta]", "incoming: mailman.mta.null.NullMTA", "outgoing: mailman.mta.deliver.deliver"),
        *("lmtp_host: 127.0.0.1", f"lmtp_port: {port}"),
        *(
            f"smtp_host: {smtp.host}",
            f"smtp_port: {smtp.port}",
            f"smtp_secure_mode: {_SECURE[smtp.security]}",
        ),
        *("smtp_verify_cert: no", "smtp_verify_hostname: no"),
        *(f"smtp_user: {smtp.username}", f"smtp_pass: {smtp.password}"),
    ]
    for name in _RUNNERS:
        lines += [f"[runner.{name}]", "start: no"]
    return "\n".join(lines) + "\n"


def _until_listening(master: subprocess.Popen[bytes], port: int, folder: Path) -> None:
    deadline = time.monotonic() + _PATIENCE
    while time.monotonic() < deadline and master.poll() is None:
        log = folder / "logs" / "mailman.log"
        begun = log.read_text(errors="replace").count("runner started") if log.exists() else 0
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            if begun >= len(_NEEDED):
                return
        time.sleep(0.1)
    raise NoPeer("mailman did not start: see its own messages by hand")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
