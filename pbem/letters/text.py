"""Bytes to characters to plain characters: charsets, format=flowed, one kind of dash, quote and space."""

from __future__ import annotations

import codecs
import re
import unicodedata

# Python calls these text encodings, but no mail program means them, and some take quadratic time.
_NOT_CHARSETS = frozenset({"idna", "punycode", "unicode_escape", "raw_unicode_escape", "undefined"})


def _table() -> dict[int, str | None]:
    table: dict[int, str | None] = dict.fromkeys((*range(32), *range(0x7F, 0xA0)))
    table[0x0A] = "\n"
    for code in (0x09, 0x0B, 0x0C, 0xA0, 0x1680, 0x202F, 0x205F, 0x3000, *range(0x2000, 0x200B)):
        table[code] = " "
    for code in (0x85, 0x2028, 0x2029):
        table[code] = "\n"
    for char in "‐‑‒–—―⁃−﹘﹣－⸺⸻":
        table[ord(char)] = "-"
    for char in "‘’‚‛′‵`´ʹʼˈ‹›＇":
        table[ord(char)] = "'"
    for char in "“”„‟″‶«»〝〞＂":
        table[ord(char)] = '"'
    invisible = (0xAD, 0x61C, 0xFEFF, *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070))
    for code in (*invisible, *range(0xFE00, 0xFE10)):
        table[code] = None
    for code in range(0xD800, 0xE000):
        table[code] = "\ufffd"
    return table


_PLAIN = _table()
_ODD = re.compile("[" + "".join(re.escape(chr(code)) for code in sorted(_PLAIN) if code != 0x0A) + "]")
_QUOTE = re.compile(r">+")
_LONG_WORD = re.compile(r"\S{100}")
_PIECES = re.compile(r"\S{1,100}|\s+")


_UNSAID = frozenset(
    (
        "",
        "us-ascii",
        "ascii",
        "utf-8",
        "utf8",
        "unknown-8bit",
        "x-unknown",
        "unknown",
        "default",
        "binary",
        "8bit",
        "7bit",
    )
)
_WESTERN = frozenset(
    (
        *(
            "iso-8859-1",
            "iso8859-1",
            "iso_8859-1",
            "latin1",
            "latin-1",
            "l1",
            "windows-1252",
            "cp1252",
            "cp-1252",
        ),
        *(
            "x-cp1252",
            "ansi_x3.110-1983",
            "x-ansi",
            "ansi",
            "x-user-defined",
            "iso-8859-1-windows-3.0-latin-1",
        ),
        *("iso-8859-1-windows-3.1-latin-1",),
    )
)
# What is written, and what is meant: the larger set where one holds the other.
_MEANT = {
    **dict.fromkeys(("iso-8859-15", "iso8859-15", "latin9", "latin-9", "latin-15"), "iso8859-15"),
    **dict.fromkeys(("gb2312", "x-gbk", "gbk", "gb_2312-80"), "gb18030"),
    **dict.fromkeys(("ks_c_5601-1987", "euc-kr", "ksc5601", "ks_c_5601"), "cp949"),
    **dict.fromkeys(("shift_jis", "shift-jis", "x-sjis", "windows-31j", "ms_kanji"), "cp932"),
    **dict.fromkeys(("x-mac-roman", "macintosh", "x-macroman", "mac"), "mac_roman"),
    **dict.fromkeys(("unicode-1-1-utf-7", "x-unicode-2-0-utf-7"), "utf-7"),
    **dict.fromkeys(("iso-8859-8-i", "iso-8859-8-e"), "iso8859-8"),
    **dict.fromkeys(("iso-8859-6-i", "iso-8859-6-e"), "iso8859-6"),
    **dict.fromkeys(("windows-874", "tis-620", "iso-8859-11"), "cp874"),
    **dict.fromkeys(("iso-8859-9",), "cp1254"),
    **dict.fromkeys(("big5", "x-big5"), "cp950"),
    **dict.fromkeys(("utf-8mb4", "utf8mb4", "unicode-2-0-utf-8", "x-utf-8", "utf_8"), "utf-8"),
    **dict.fromkeys(("cp-850", "ibm-850"), "cp850"),
}


def decode(data: bytes, declared: str) -> tuple[str, bool]:
    """Characters of some bytes, and whether the declared charset was right (or none was needed).

    The order is declared charset, UTF-8, cp1252: guessing on short text does more harm than good. What is declared
    as western and is UTF-8 nevertheless is read as UTF-8: no western text looks like that by chance.
    """
    name = "".join(declared.split()).strip("'\"").lower()
    if name in _UNSAID:
        try:
            return data.decode("utf-8-sig" if data[:3] == codecs.BOM_UTF8 else "utf-8"), True
        except UnicodeDecodeError:
            return _western(data), name not in ("utf-8", "utf8")
    if data.isascii() and not name.startswith(
        ("utf-7", "utf-16", "utf-32", "iso-2022", "hz", "unicode", "x-unicode")
    ):
        return data.decode("ascii"), True
    if name in _WESTERN:
        try:
            return data.decode("utf-8"), False
        except UnicodeDecodeError:
            return _western(data), True
    try:
        codec = codecs.lookup(_MEANT.get(name, name))
        if codec.name in _NOT_CHARSETS:
            raise LookupError(name)
        return data.decode(codec.name), True
    except (LookupError, ValueError):
        pass
    try:
        return data.decode("utf-8"), False
    except UnicodeDecodeError:
        return _western(data), False


def _western(data: bytes) -> str:
    try:
        return data.decode("cp1252")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def plain(text: str) -> str:
    """The same text with one kind of newline, dash, quote and space, NFKC, and nothing invisible."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    text = _unify(text)
    if text.isascii():
        return text
    if not _LONG_WORD.search(text):
        normal = unicodedata.normalize("NFKC", text)
    else:
        # Ordering a long run of combining marks takes quadratic time; no word is as long as that.
        normal = "".join(unicodedata.normalize("NFKC", piece) for piece in _PIECES.findall(text))
    return normal if normal == text else _unify(normal)


def _unify(text: str) -> str:
    return text.translate(_PLAIN) if _ODD.search(text) else text


def plain_line(text: str) -> str:
    """Plain text on a single line."""
    return " ".join(plain(text).split()) if text else ""


def unflow(text: str, delete_space: bool) -> str:
    """RFC 3676 paragraphs put together again, quote marks kept, space-stuffing undone."""
    paragraphs: list[str] = []
    open_depth = -1
    pieces: list[str] = []

    def close() -> None:
        nonlocal open_depth
        if open_depth >= 0:
            mark = ">" * open_depth + " " if open_depth else ""
            paragraphs.append(mark + "".join(pieces))
            pieces.clear()
        open_depth = -1

    for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        match = _QUOTE.match(line)
        depth = match.end() if match else 0
        content = line[depth:]
        if content.startswith(" "):
            content = content[1:]
        signature = content == "-- "
        if open_depth >= 0 and (depth != open_depth or signature):
            close()
        flowed = content.endswith(" ") and not signature
        pieces.append(content[:-1] if flowed and delete_space else content)
        open_depth = depth
        if not flowed:
            close()
    close()
    return "\n".join(paragraphs)
