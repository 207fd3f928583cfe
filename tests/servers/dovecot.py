"""A Dovecot of our own: IMAP with and without TLS, LMTP and SASL on free loopback ports, without privileges.

Accounts stand in a passwd-file, which Dovecot reads again when it changes. Whoever is not in it has no mailbox.
With an introspection URL access tokens are accepted as well (XOAUTH2 and OAUTHBEARER).
"""

from __future__ import annotations

import grp
import os
import signal
import smtplib
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from tests.servers import local

PROGRAMS = ("dovecot", "/usr/lib/dovecot/lmtp", "/usr/lib/dovecot/imap")


def missing() -> str:
    """What has to be installed; empty when all is there."""
    if all(local.program(name) for name in PROGRAMS):
        return ""
    return "Dovecot is not installed (Debian: apt-get install dovecot-imapd dovecot-lmtpd)"


class Dovecot:
    """A running Dovecot; its mail lies in Maildirs under `base`."""

    def __init__(self, base: Path, certificate: Path, key: Path, introspection: str = "") -> None:
        self.base = base
        self.user = local.unprivileged()
        self.imap, self.imaps, self.lmtp, self.sasl = local.free_ports(4)
        self._certificate, self._key, self._introspection = certificate, key, introspection
        self._process: subprocess.Popen[bytes] | None = None

    def accounts(self, accounts: Mapping[str, str]) -> None:
        """Who has a mailbox, with which password."""
        owner = f"{self.user.pw_uid}:{self.user.pw_gid}"
        lines = [
            f"{address}:{{PLAIN}}{password}:{owner}::{self.base}/mail/{address}::\n"
            for address, password in accounts.items()
        ]
        new = self.base / "users.new"
        new.write_text("".join(lines))
        local.give(new.parent, self.user)
        new.replace(self.base / "users")

    def start(self, accounts: Mapping[str, str]) -> None:
        """Write the configuration and run it."""
        for name in ("run", "mail", "state"):
            (self.base / name).mkdir(parents=True, exist_ok=True)
        self.accounts(accounts)
        config = self.base / "dovecot.conf"
        config.write_text(self._configuration())
        if self._introspection:
            (self.base / "oauth2.conf").write_text(
                f"introspection_mode = post\nintrospection_url = {self._introspection}\n"
                "username_attribute = username\nactive_attribute = active\nactive_value = true\n"
            )
        local.give(self.base, self.user)
        who = {"user": self.user.pw_uid, "group": self.user.pw_gid, "extra_groups": []}
        program = local.program("dovecot")
        assert program is not None
        self._process = subprocess.Popen(
            [program, "-F", "-c", str(config)],
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={"PATH": os.environ.get("PATH", "")},
            **(who if os.getuid() == 0 else {}),  # type: ignore[arg-type]
        )
        local.until(lambda: local.listens(self.imap) and local.listens(self.lmtp), "Dovecot does not start")

    def stop(self) -> None:
        """End it with all its processes."""
        if self._process is not None:
            self._process.send_signal(signal.SIGTERM)
            try:
                self._process.wait(10)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()

    def deliver(self, raw: bytes, recipient: str, sender: str = "") -> None:
        """Put a letter into a mailbox; when this returns, it lies there. Raises KeyError."""
        with smtplib.LMTP(local.HOST, self.lmtp) as lmtp:
            try:
                lmtp.sendmail(sender or "<>", [recipient], raw)
            except smtplib.SMTPRecipientsRefused as error:
                raise KeyError(recipient) from error

    def drop_connections(self) -> None:
        """End every IMAP session without a word, as when a server loses its power."""
        assert self._process is not None
        for pid in self._children("imap"):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        local.until(lambda: not self._children("imap"), "IMAP sessions do not end")

    def _children(self, name: str) -> list[int]:
        assert self._process is not None
        found = []
        for status in Path("/proc").glob("[0-9]*/status"):
            with suppress(OSError):
                fields = dict(
                    line.split(":\t", 1) for line in status.read_text().splitlines() if ":\t" in line
                )
                alive = not fields["State"].startswith("Z")
                if alive and (fields["Name"], fields["PPid"]) == (name, str(self._process.pid)):
                    found.append(int(status.parent.name))
        return found

    def messages(self, address: str) -> list[bytes]:
        """What lies in a mailbox, oldest first, folders included."""
        files = [
            path
            for folder in ("cur", "new")
            for path in (self.base / "mail" / address).glob(f"Maildir/**/{folder}/*")
        ]
        return [path.read_bytes() for path in sorted(files, key=lambda path: path.name)]

    def _configuration(self) -> str:
        base, user = self.base, self.user
        group = grp.getgrgid(user.pw_gid).gr_name
        mechanisms = "plain login xoauth2 oauthbearer" if self._introspection else "plain login"
        oauth = f"""
passdb {{
  driver = oauth2
  mechanisms = xoauth2 oauthbearer
  args = {base}/oauth2.conf
}}
"""
        return f"""
base_dir = {base}/run
state_dir = {base}/state
log_path = {base}/dovecot.log
instance_name = pbem-tests
default_internal_user = {user.pw_name}
default_internal_group = {group}
default_login_user = {user.pw_name}
protocols = imap lmtp
listen = {local.HOST}
ssl = yes
ssl_cert = <{self._certificate}
ssl_key = <{self._key}
disable_plaintext_auth = no
auth_mechanisms = {mechanisms}
auth_username_format = %Lu
auth_failure_delay = 0
auth_cache_size = 0
recipient_delimiter = +
mail_location = maildir:~/Maildir
mail_uid = {user.pw_uid}
mail_gid = {user.pw_gid}
first_valid_uid = {user.pw_uid}
first_valid_gid = {user.pw_gid}
mail_fsync = never
{oauth if self._introspection else ""}
passdb {{
  driver = passwd-file
  mechanisms = plain login
  args = scheme=PLAIN username_format=%u {base}/users
}}
userdb {{
  driver = passwd-file
  args = username_format=%u {base}/users
}}
namespace inbox {{
  inbox = yes
  separator = /
}}
service anvil {{
  chroot =
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
service stats {{
  chroot =
}}
service imap-login {{
  chroot =
  service_count = 0
  process_min_avail = 1
  inet_listener imap {{
    port = {self.imap}
  }}
  inet_listener imaps {{
    port = {self.imaps}
    ssl = yes
  }}
}}
service imap {{
  process_limit = 200
}}
service lmtp {{
  user = {user.pw_name}
  inet_listener lmtp {{
    address = {local.HOST}
    port = {self.lmtp}
  }}
}}
service auth {{
  inet_listener {{
    address = {local.HOST}
    port = {self.sasl}
  }}
}}
protocol lmtp {{
  postmaster_address = postmaster@pbem.example
}}
protocol imap {{
  mail_max_userip_connections = 100
}}
"""
