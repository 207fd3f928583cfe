"""A Postfix of our own: submission with STARTTLS or TLS and authentication by Dovecot, delivery by LMTP.

It needs root to start, by its own design; configuration, queue and data lie in a folder of its own, and nothing
leaves the machine: addresses outside the test domain are refused.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

from tests.servers import local
from tests.servers.dovecot import Dovecot


def missing() -> str:
    """What has to be installed; empty when all is there."""
    if local.program("postfix") is None:
        return "Postfix is not installed (Debian: apt-get install postfix)"
    if os.getuid() != 0:
        return "Postfix starts as root only"
    return ""


class Postfix:
    """A running Postfix in front of a Dovecot."""

    def __init__(self, base: Path, dovecot: Dovecot, certificate: Path, key: Path) -> None:
        self.base = base
        self.smtp, self.submission, self.submissions = local.free_ports(3)
        self._dovecot, self._certificate, self._key = dovecot, certificate, key

    def start(self, addresses: Iterable[str]) -> None:
        """Write the configuration and run it."""
        for name in ("conf", "queue", "data"):
            (self.base / name).mkdir(parents=True, exist_ok=True)
        shutil.chown(self.base / "data", "postfix", "postfix")
        conf = self.base / "conf"
        (conf / "mailboxes").write_text("".join(f"{address} x\n" for address in addresses))
        domains = " ".join(sorted({address.partition("@")[2] for address in addresses}))
        (conf / "main.cf").write_text(self._main(domains))
        (conf / "master.cf").write_text(self._master())
        self._command("start")
        local.until(
            lambda: local.listens(self.submission) and local.listens(self.smtp), "Postfix does not start"
        )

    def stop(self) -> None:
        """End it with all its processes."""
        self._command("stop")

    def restart(self) -> None:
        """As after a reboot: every connection is gone, what was queued goes on."""
        self._command("stop")
        self._command("start")
        local.until(lambda: local.listens(self.submission), "Postfix does not start again")

    def _command(self, verb: str) -> None:
        program = local.program("postfix")
        assert program is not None
        subprocess.run(
            [program, "-c", str(self.base / "conf"), verb],
            check=True,
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def _main(self, domains: str) -> str:
        base = self.base
        return f"""
compatibility_level = 3.6
queue_directory = {base}/queue
data_directory = {base}/data
command_directory = /usr/sbin
daemon_directory = /usr/lib/postfix/sbin
mail_owner = postfix
setgid_group = postdrop
maillog_file_prefixes = {base}
maillog_file = {base}/mail.log
myhostname = mail.pbem.example
mydestination =
inet_interfaces = {local.HOST}
inet_protocols = ipv4
mynetworks = 127.0.0.0/8
alias_maps =
alias_database =
local_recipient_maps =
virtual_mailbox_domains = {domains}
virtual_mailbox_maps = texthash:{base}/conf/mailboxes
virtual_alias_maps =
virtual_transport = lmtp:inet:{local.HOST}:{self._dovecot.lmtp}
recipient_delimiter = +
default_transport = error:5.1.2 nothing leaves this machine
relay_transport = error:5.1.2 nothing leaves this machine
smtpd_relay_restrictions = permit_sasl_authenticated, reject_unauth_destination
smtpd_recipient_restrictions = reject_unlisted_recipient, reject_unauth_destination
smtpd_sasl_type = dovecot
smtpd_sasl_path = inet:{local.HOST}:{self._dovecot.sasl}
smtpd_tls_cert_file = {self._certificate}
smtpd_tls_key_file = {self._key}
smtpd_tls_security_level = may
smtpd_peername_lookup = no
smtpd_client_connection_rate_limit = 0
smtpd_client_connection_count_limit = 0
smtp_host_lookup = native
smtp_dns_support_level = disabled
lmtp_destination_concurrency_limit = 20
lmtp_destination_recipient_limit = 1
message_size_limit = 33554432
smtputf8_enable = yes
"""

    def _master(self) -> str:
        authenticated = (
            "-o smtpd_sasl_auth_enable=yes -o smtpd_client_restrictions=permit_sasl_authenticated,reject"
        )
        return f"""
{local.HOST}:{self.smtp} inet n - n - - smtpd
{local.HOST}:{self.submission} inet n - n - - smtpd
  -o smtpd_tls_security_level=encrypt {authenticated}
{local.HOST}:{self.submissions} inet n - n - - smtpd
  -o smtpd_tls_wrappermode=yes {authenticated}
postlog unix-dgram n - n - 1 postlogd
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
proxymap unix - - n - - proxymap
lmtp unix - - n - - lmtp
error unix - - n - - error
retry unix - - n - - error
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
"""
