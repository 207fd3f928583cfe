"""A PNG that looks the same and is not: a chunk of chance, so that equal pictures have different bytes.

Boards that name files by their contents would otherwise tell whoever can draw the map himself that it is this one.
"""

from __future__ import annotations

import secrets
import struct
import zlib

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_HEADER_END = 8 + 25


def salted(png: bytes) -> bytes:
    """The same picture with a random text chunk behind its header; what is no PNG stays as it is."""
    if not png.startswith(_SIGNATURE) or len(png) < _HEADER_END:
        return png
    body = b"tEXt" + b"Comment\x00" + secrets.token_hex(16).encode()
    chunk = struct.pack(">I", len(body) - 4) + body + struct.pack(">I", zlib.crc32(body))
    return png[:_HEADER_END] + chunk + png[_HEADER_END:]
