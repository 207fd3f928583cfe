"""Addresses: which can be written to, and which are the same person's mailbox."""

from __future__ import annotations

import re

from pbem.letters.posted import SUFFIX, parse

_LOCAL = (
    r"[A-Za-z0-9!#$%&'*+/=?^_{|}~-](?:[A-Za-z0-9.!#$%&'*+/=?^_{|}~-]{0,62}[A-Za-z0-9!#$%&'*+/=?^_{|}~-])?"
)
_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_ADDRESS = re.compile(rf"{_LOCAL}@(?=.{{1,253}}\Z){_LABEL}(?:\.{_LABEL})*")
_DOTS_MEAN_NOTHING = ("gmail.com", "googlemail.com")


def can_be_written_to(address: str) -> bool:
    """Whether a letter of ours can be addressed so."""
    if address.endswith(SUFFIX):
        return len(address) <= 254 and parse(address) is not None
    return len(address) <= 254 and _ADDRESS.fullmatch(address) is not None


def mailbox(address: str) -> str:
    """The address without its extension, in lower case: `anne+games@` and `Anne@` are one mailbox."""
    local, _, host = address.strip().lower().rpartition("@")
    local = local.partition("+")[0] or local
    if host in _DOTS_MEAN_NOTHING:
        local, host = local.replace(".", "") or local, _DOTS_MEAN_NOTHING[0]
    return f"{local}@{host}" if host else local


def domain(address: str) -> str:
    """What stands behind the @, in lower case."""
    return address.strip().lower().rpartition("@")[2]
