"""A Synapse of our own: a real Matrix homeserver on a free loopback port, on SQLite, with some members."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import shutil
import subprocess
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.servers import boards, local

PASSWORD = "Str0ng-passw0rd!"
PEOPLE = ("pbem", "alice", "bob", "carol", "dora")
_SECRET = "only-for-tests"
_CONFIG = """
server_name: pbem.test
pid_file: {folder}/pid
listeners:
  - port: {port}
    bind_addresses: ["127.0.0.1"]
    type: http
    x_forwarded: false
    resources: [{{names: [client], compress: false}}]
database: {{name: sqlite3, args: {{database: {folder}/db}}}}
log_config: {folder}/log.yaml
media_store_path: {folder}/media
signing_key_path: {folder}/key
registration_shared_secret: {secret}
macaroon_secret_key: {secret}
form_secret: {secret}
report_stats: false
trusted_key_servers: []
suppress_key_server_warning: true
enable_registration: false
bcrypt_rounds: 4
rc_message: {{per_second: 10000, burst_count: 10000}}
rc_joins: {{local: {{per_second: 10000, burst_count: 10000}}, remote: {{per_second: 10000, burst_count: 10000}}}}
rc_login:
  address: {{per_second: 10000, burst_count: 10000}}
  account: {{per_second: 10000, burst_count: 10000}}
  failed_attempts: {{per_second: 10000, burst_count: 10000}}
rc_invites:
  per_room: {{per_second: 10000, burst_count: 10000}}
  per_user: {{per_second: 10000, burst_count: 10000}}
  per_issuer: {{per_second: 10000, burst_count: 10000}}
rc_room_creation: {{per_second: 10000, burst_count: 10000}}
"""
_LOG = "version: 1\nroot: {level: ERROR}\ndisable_existing_loggers: true\n"


class Synapse:
    """A running homeserver; an access token for each member."""

    def __init__(self, url: str, tokens: dict[str, str]) -> None:
        self.url = url
        self.tokens = tokens


@contextmanager
def server() -> Iterator[Synapse]:
    """A homeserver with its members."""
    interpreter = boards.python("synapse")
    folder = Path(tempfile.mkdtemp(prefix="pbem-synapse-"))
    port = local.free_ports(1)[0]
    (folder / "homeserver.yaml").write_text(_CONFIG.format(folder=folder, port=port, secret=_SECRET))
    (folder / "log.yaml").write_text(_LOG)
    command = [interpreter, "-m", "synapse.app.homeserver", "-c", folder / "homeserver.yaml"]
    environment = {"PATH": os.environ.get("PATH", ""), "HOME": str(folder), "LC_ALL": "C.UTF-8"}
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL}
    try:
        subprocess.run([*command, "--generate-keys"], check=True, env=environment, cwd=folder, **quiet)  # type: ignore[call-overload]
        with (folder / "stderr").open("wb") as errors:
            process = subprocess.Popen(command, env=environment, cwd=folder, stderr=errors, **quiet)  # type: ignore[call-overload]
        try:
            local.until(lambda: local.listens(port) or process.poll() is not None, "Synapse starts", 90)
            if process.poll() is not None:
                raise RuntimeError(f"Synapse does not start: {(folder / 'stderr').read_text()[-2000:]}")
            url = f"http://127.0.0.1:{port}"
            yield Synapse(url, {name: _register(url, name) for name in PEOPLE})
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _register(url: str, name: str) -> str:
    nonce = _ask(f"{url}/_synapse/admin/v1/register")["nonce"]
    said = "\x00".join((nonce, name, PASSWORD, "notadmin")).encode()
    mac = hmac.new(_SECRET.encode(), said, hashlib.sha1).hexdigest()
    body = {"nonce": nonce, "username": name, "password": PASSWORD, "admin": False, "mac": mac}
    token: str = _ask(f"{url}/_synapse/admin/v1/register", body)["access_token"]
    return token


def _ask(url: str, body: dict[str, Any] | None = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)
