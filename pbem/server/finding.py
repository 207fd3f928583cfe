"""One thing that the doctor has looked at."""

from __future__ import annotations

import msgspec


class Finding(msgspec.Struct, frozen=True):
    """One thing that was looked at."""

    what: str
    ok: bool
    text: str
    remedy: str = ""
