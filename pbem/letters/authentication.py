"""What a mail server that we trust says about a letter's origin (Authentication-Results, RFC 8601)."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

_DOUBTFUL = frozenset({"fail", "softfail", "policy", "permerror"})


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
    must remove forged ones (RFC 8601, 5).
    """
    for field in fields:
        results = _results(field, authserv_id)
        if results is not None:
            return _verdict(results, sender)
    return None


_Result = tuple[str, str, dict[tuple[str, str], str]]


def _results(field: str, authserv_id: str) -> list[_Result] | None:
    from authres import AuthenticationResultsHeader
    from authres.core import AuthResError

    if field.split(";", 1)[0].split("(", 1)[0].strip().split(" ")[0].lower() != authserv_id.lower():
        return None
    try:
        header = AuthenticationResultsHeader.parse(f"Authentication-Results: {field}")
    except (AuthResError, RecursionError, ValueError):
        return []
    return [
        (
            str(result.method).lower(),
            str(result.result).lower(),
            {(str(p.type), str(p.name)): str(p.value) for p in result.properties},
        )
        for result in header.results
    ]


def _verdict(results: list[_Result], sender: str) -> Verdict:
    doubtful = False
    for method, result, properties in results:
        if result == "pass" and _speaks_for(method, properties, sender):
            return Verdict.PASS
        doubtful = doubtful or (method in ("dmarc", "dkim", "spf") and result in _DOUBTFUL)
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
