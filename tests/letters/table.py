"""Whole letters made of the rows of table.toml, each with what must be read from it."""

from __future__ import annotations

import base64
import quopri
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

TABLE: dict[str, Any] = tomllib.loads((Path(__file__).parent / "table.toml").read_text(encoding="utf-8"))
OWN = "moderator@pbem.example"
OURS = "<leipzig-7.french.1.0123456789ab@pbem.example>"
SENDER, TOKEN = "anne@players.example", "leipzig-7.k3x9qa"
QUOTED = (
    "Dear Anne,\n\nwhich areas do you keep? For instance:\nkeep Taucha, Eutritzsch\n\nRESIGN leipzig-7\n"
    "VOTE DRAW\nPRESS TO allied: I give up\nABSENT 2026-03-01 to 2026-03-08\nNEWTOKEN\n\nsee you"
)


@dataclass(frozen=True)
class Made:
    """A letter and what must come of it; `lines` None where only the kind matters."""

    name: str
    raw: bytes
    lines: list[str] | None = None
    orders: list[str] = field(default_factory=list)
    kind: str | None = None
    bounce: tuple[str, str] | None = None
    troubles: list[str] = field(default_factory=list)


def head(name: str, more: str = "", kind: str = 'text/plain; charset="utf-8"', encoding: str = "8bit") -> str:
    """The head of a player's letter; fields in `more` take the place of the usual ones."""
    fields = {
        "Return-Path": f"<{SENDER}>",
        "From": f"Anne Moreau <{SENDER}>",
        "To": f"pbem <moderator+{TOKEN}@pbem.example>",
        "Subject": "Re: [leipzig-7] Your orders",
        "Date": "Mon, 3 Mar 2025 18:20:19 +0100",
        "Message-ID": f"<{name}@players.example>",
        "In-Reply-To": OURS,
        "MIME-Version": "1.0",
        "Content-Type": kind,
        "Content-Transfer-Encoding": encoding,
    }
    for line in filter(None, more.split("\n")):
        field_name, _, value = line.partition(": ")
        fields[field_name] = value
    return "".join(f"{field_name}: {value}\n" for field_name, value in fields.items()) + "\n"


def replies() -> Iterator[tuple[str, list[str], list[str]]]:
    """The replies of the table, round and round."""
    while True:
        yield from TABLE["replies"]


def _quotations() -> Iterator[Made]:
    reply = replies()
    for name, above in TABLE["heads"]:
        for marked in (True, False):
            text, lines, orders = next(reply)
            quoted = "\n".join(f"> {line}".rstrip() for line in QUOTED.split("\n")) if marked else QUOTED
            whole = f"{name}-{'marked' if marked else 'bare'}"
            if name == "orange" and not marked:
                continue
            yield Made(whole, (head(whole) + f"{text}\n\n{above}\n\n{quoted}\n").encode(), lines, orders)


def _footers() -> Iterator[Made]:
    reply = replies()
    for n, below in enumerate(TABLE["footers"]):
        text, lines, orders = next(reply)
        yield Made(f"footer-{n}", (head(f"footer-{n}") + f"{text}\n\n{below}\n").encode(), lines, orders)


def _signatures() -> Iterator[Made]:
    for n, below in enumerate(TABLE["signatures"]):
        gap = "\n\n" if n % 2 else "\n"
        lines = None if not below.startswith("--") else ["keep Mölkau, Eutritzsch"]
        raw = (head(f"signed-{n}") + f"keep Mölkau, Eutritzsch{gap}{below}\n").encode()
        yield Made(f"signed-{n}", raw, lines, ["keep Mölkau, Eutritzsch"])


def _encoded(data: bytes, encoding: str) -> bytes:
    if encoding == "base64":
        return base64.encodebytes(data)
    return quopri.encodestring(data) if encoding == "quoted-printable" else data


def _in_parts(name: str, kind: str, encoding: str, data: bytes) -> bytes:
    part = f"--b\nContent-Type: {kind}\nContent-Transfer-Encoding: {encoding}\n\n".encode() + data
    return head(name, kind="multipart/mixed; boundary=b").encode() + part + b"\n--b--\n"


def _charsets() -> Iterator[Made]:
    order = "keep Mölkau, Stötteritz"
    rows = [(declared, declared, words, how) for declared, words, how in TABLE["charsets"]]
    rows += [(declared, really, order, "8bit") for declared, really in TABLE["mislabelled"]]
    for n, (declared, really, words, how) in enumerate(rows):
        data = _encoded(words.encode(really), how)
        kind = f'text/plain; charset="{declared}"' if declared else "text/plain"
        wrong = declared != really and declared not in ("us-ascii", "", "x-unknown", "ansi_x3.110-1983")
        troubles = ["charset"] if wrong else []
        whole = head(f"charset-{n}", kind=kind, encoding=how).encode() + data
        parts = _in_parts(f"parts-{n}", kind, how, data)
        for name, raw in ((f"charset-{n}-{declared}", whole), (f"parts-{n}-{declared}", parts)):
            yield Made(name.replace("\0", "0"), raw, [order], [order], troubles=troubles)


def _machines() -> Iterator[Made]:
    body = "keep Mölkau, Stötteritz\nRESIGN leipzig-7\n"
    for n, subject in enumerate(TABLE["away"]):
        yield Made(f"away-{n}", (head(f"away-{n}", f"Subject: {subject}") + body).encode(), kind="vacation")
    for name, told, kind in TABLE["machines"]:
        text = f"--b\n\n{body}\n--b--\n" if "boundary=b" in told else body
        yield Made(f"machine-{name}", (head(f"machine-{name}", told) + text).encode(), kind=kind)
    for name, action, status, words in TABLE["bounces"]:
        told = "From: MAILER-DAEMON@mx.example\nReturn-Path: <>\nSubject: Delivery report"
        text = f"{words}From: moderator@pbem.example\nMessage-ID: {OURS}\nSubject: orders\n"
        raw = (head(f"bounce-{name}", told) + text).encode()
        yield Made(f"bounce-{name}", raw, kind="bounce", bounce=(action, status))


LETTERS = [*_quotations(), *_footers(), *_signatures(), *_charsets(), *_machines()]
