"""Run the servers of the tests by hand, or a command against them.

python -m tests.servers                       both mail servers until Ctrl-C, their addresses printed
python -m tests.servers -- pbem bench mail    a command that finds them in $PBEM_BENCH_MAIL
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tomllib
from contextlib import ExitStack
from pathlib import Path

from pbem.post.settings import ImapSettings, SmtpSettings
from tests.servers import mail, postgres

ACCOUNTS = {
    f"{name}@pbem.example": "secret" for name in ("moderator", "alice", "bob", "french", "allied", "carol")
}


def settings_text(post: mail.RealPost, address: str) -> str:
    """The [imap] and [smtp] sections for an account."""
    lines = []
    sections: dict[str, ImapSettings | SmtpSettings] = {
        "imap": post.imap_settings(address),
        "smtp": post.smtp_settings(address),
    }
    for name, section in sections.items():
        lines += [f"[{name}]", f'host = "{section.host}"', f"port = {section.port}"]
        lines += [f'username = "{section.username}"', f'password = "{section.password}"']
        lines += [f'security = "{section.security}"', f'ca_file = "{section.ca_file}"', ""]
    text = "\n".join(lines)
    tomllib.loads(text)
    return text


def main(arguments: list[str]) -> int:
    """Start the servers and do what was asked."""
    if reason := mail.missing():
        print(reason, file=sys.stderr)
        return 1
    database = arguments[:1] == ["--postgresql"]
    command = [one for one in arguments[database:] if one != "--"]
    more: dict[str, str] = {}
    with ExitStack() as stack:
        if database:
            more["PBEM_BENCH_STORE"] = stack.enter_context(postgres.server()) + "postgres"
        post = stack.enter_context(mail.servers(ACCOUNTS))
        text = settings_text(post, "moderator@pbem.example")
        file = Path(post.folder) / "mail.toml"
        file.write_text(text)
        if command:
            more["PBEM_BENCH_MAIL"] = str(file)
            return subprocess.run(command, env={**os.environ, **more}).returncode
        print(text)
        print(f"# accounts, all with the password «secret»: {', '.join(ACCOUNTS)}")
        print(
            f"# logs: {post.dovecot.base}/dovecot.log, {post.postfix.base}/mail.log; Ctrl-C ends", flush=True
        )
        ends = {signal.SIGINT, signal.SIGTERM}
        signal.pthread_sigmask(signal.SIG_BLOCK, ends)
        signal.sigwait(ends)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
