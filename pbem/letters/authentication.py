"""What a mail server that we trust says about a letter's origin (Authentication-Results, RFC 8601)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import StrEnum

_DOUBTFUL = frozenset({"fail", "softfail", "policy", "permerror", "temperror", "hardfail", "reject"})


class Verdict(StrEnum):
    """Whether a letter comes from its sender's domain. NONE: nobody can say."""

    PASS = "pass"
    FAIL = "fail"
    NONE = "none"


def aligned(domain: str, sender: str) -> bool:
    """Whether a domain may speak for an address: it is the address's own, or one above it.

    A domain below the sender's may not: whoever has it need not have the one above.
    """
    host = sender.rpartition("@")[2].lower().rstrip(".")
    domain = domain.lower().strip(".")
    return "." in domain and (host == domain or host.endswith("." + domain))


def judge(fields: Iterable[str], authserv_id: str, sender: str) -> Verdict | None:
    """The verdict of the trusted server on a letter from `sender`; None where it says nothing at all.

    Only the topmost field in its name counts: it puts its own above whatever the letter brought along, and
    must remove forged ones (RFC 8601, 5). What cannot be read, or can be read in two ways, is FAIL: never nothing.
    """
    for field in fields:
        named = _named(field, authserv_id)
        if named is None:
            continue
        results = _results(field) if named else None
        return Verdict.FAIL if results is None else _verdict(results, sender)
    return None


_Result = tuple[str, str, dict[tuple[str, str], str]]
_OWN = re.compile(r"[A-Za-z0-9._-]{1,255}(?: {1,4}[0-9]{1,3})? {0,4}+(?:;|\Z)")
UNREADABLE = "\x00"
"""What stands in the place of fields that were too long, or too many, to be looked at."""


def _named(field: str, authserv_id: str) -> bool | None:
    """Whether a field is the trusted server's: False where it may be, written as that server never writes."""
    own = authserv_id.lower()
    start = field[:1000].lower()
    if _OWN.match(field) and not field.startswith("("):
        if start.partition(";")[0].split(" ")[0] != own:
            return None
        return field.isascii() and UNREADABLE not in field
    # Comments, tabs, quotes or a field without an end: a server's own filter may not have known it for its own.
    return False if own in start or UNREADABLE in field else None


def _results(field: str) -> list[_Result] | None:
    from authres import AuthenticationResultsHeader
    from authres.core import AuthResError

    try:
        header = AuthenticationResultsHeader.parse(f"Authentication-Results: {field}")
    except (AuthResError, RecursionError, ValueError, LookupError, TypeError, AttributeError):
        return None
    return [
        (
            str(result.method).lower(),
            str(result.result).lower(),
            {(str(p.type), str(p.name)): str(p.value) for p in result.properties},
        )
        for result in header.results
    ]


def _verdict(results: list[_Result], sender: str) -> Verdict:
    """DMARC has the last word where it has one; then a pass that speaks for the sender; a foreign pass is a doubt."""
    origin = [one for one in results if one[0] in ("dmarc", "dkim", "spf")]
    dmarc = {result for method, result, _ in origin if method == "dmarc"}
    if len(dmarc) > 1 or dmarc & _DOUBTFUL:
        return Verdict.FAIL
    doubtful = False
    for method, result, properties in origin:
        if result == "pass" and _speaks_for(method, properties, sender):
            return Verdict.PASS
        doubtful = (
            doubtful or result in _DOUBTFUL or result == "pass" or (method, result) == ("dkim", "neutral")
        )
    return Verdict.FAIL if doubtful else Verdict.NONE


def _speaks_for(method: str, properties: dict[tuple[str, str], str], sender: str) -> bool:
    if method == "dmarc":
        domain = properties.get(("header", "from"), "")
    elif method == "dkim":
        domain = properties.get(("header", "d")) or properties.get(("header", "i"), "")
    elif method == "spf":
        domain = properties.get(("smtp", "mailfrom"), "")
    else:
        return False
    return aligned(domain.rpartition("@")[2], sender)
