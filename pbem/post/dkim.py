"""DKIM: signing our own letters, and verifying those of players where the mail server does not."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from pbem.letters.authentication import Verdict, aligned

_MOST_SIGNATURES = 5
_SIGNED = (
    b"from",
    b"to",
    b"reply-to",
    b"subject",
    b"date",
    b"message-id",
    b"in-reply-to",
    b"references",
    b"list-id",
    b"auto-submitted",
    b"mime-version",
    b"content-type",
)
# A signature over part of the body lets anyone append orders.
_PARTIAL = re.compile(rb"(?:^|;)\s*l\s*=", re.IGNORECASE)
_SIGNATURE = re.compile(rb"^dkim-signature:((?:[^\n]*\n)(?:[ \t][^\n]*\n)*)", re.IGNORECASE | re.MULTILINE)

TxtRecords = Callable[..., Any]
"""Looks up a TXT record: `dkim.get_txt`, or a table in a test."""


class DkimError(ValueError):
    """A key that cannot be used; the text says why."""


class DkimSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The key that our letters are signed with. Its public half stands in the DNS under selector._domainkey."""

    domain: str
    selector: str
    key_file: str


class Signer:
    """Signs letters of ours."""

    def __init__(self, settings: DkimSettings) -> None:
        self._settings = settings
        path = Path(settings.key_file)
        try:
            if path.stat().st_mode & 0o077:
                raise DkimError(f"{path} can be read by others; chmod 600 it")
            self._key = path.read_bytes()
        except OSError as error:
            raise DkimError(f"{path}: {error.strerror}") from error
        try:
            self.sign(b"From: x@" + settings.domain.encode() + b"\r\n\r\nx\r\n")
        except ModuleNotFoundError as error:
            raise DkimError("DKIM needs its library: install pbem[auth]") from error
        except Exception as error:
            raise DkimError(f"{path} is not a key that can sign: {error}") from error

    def sign(self, raw: bytes) -> bytes:
        """The letter with its signature."""
        import dkim

        present = {line.split(b":", 1)[0].lower() for line in raw.partition(b"\r\n\r\n")[0].split(b"\r\n")}
        signature: bytes = dkim.sign(
            raw,
            self._settings.selector.encode(),
            self._settings.domain.encode(),
            self._key,
            canonicalize=(b"relaxed", b"relaxed"),
            include_headers=[field for field in _SIGNED if field in present],
        )
        return signature + raw


class Verifier:
    """Says whether a letter bears a good signature of its sender's domain."""

    def __init__(self, records: TxtRecords | None = None, timeout: float = 5.0) -> None:
        import dkim

        self._records = records or dkim.get_txt
        self._timeout = timeout

    def judge(self, raw: bytes, sender: str) -> Verdict:
        """PASS for a good signature that speaks for the sender; FAIL where such a one is broken or has no key."""
        import dkim

        raw = raw.replace(b"\r\n", b"\n")
        head = raw.partition(b"\n\n")[0] + b"\n"
        signatures = _SIGNATURE.findall(head)[:_MOST_SIGNATURES]
        broken = False
        for n, signature in enumerate(signatures):
            domain = _tag(signature, b"d")
            if _PARTIAL.search(signature) or not aligned(domain, sender):
                continue
            try:
                message = dkim.DKIM(raw, logger=_quiet(), timeout=self._timeout)
                if message.verify(idx=n, dnsfunc=self._records):
                    return Verdict.PASS
            except (
                Exception
            ) as error:  # dkimpy raises whatever its parsers raise; the letter is to go on regardless
                _quiet().debug("%s", type(error).__name__)
            # A signature in the sender's name that cannot be checked is a doubt, not nothing.
            broken = True
        return Verdict.FAIL if broken else Verdict.NONE


def _quiet() -> logging.Logger:
    """dkimpy's reasons quote the letter's head."""
    logger = logging.getLogger("pbem.dkim.quiet")
    logger.propagate = False
    if not logger.handlers:
        logger.addHandler(logging.NullHandler())
    return logger


def _tag(signature: bytes, name: bytes) -> str:
    found = re.search(rb"(?:^|;)\s*" + name + rb"\s*=\s*([^;\s]+)", signature)
    return found[1].decode("ascii", "replace").lower() if found else ""
