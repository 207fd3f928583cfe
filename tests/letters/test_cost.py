"""Every pattern that reads a letter, on hostile lines of growing length: none may grow faster than they do."""

from __future__ import annotations

import importlib
import pkgutil
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import pbem.campaign
import pbem.letters
import pbem.orders
from pbem.campaign.commands.registry import COMMANDS
from pbem.letters import automatic, heads, quoting
from pbem.letters.headers import split
from pbem.letters.html import to_text, too_complex
from pbem.letters.letter import Limits
from pbem.letters.reading import read
from pbem.orders.courtesy import courteous, letterhead, reached
from pbem.orders.words import fold

SIZES = (2_000, 8_000)
QUICK = 0.004
"""What takes less processor time than this at the greater length cannot be measured, and hurts nobody."""
PIECES = (
    *(" ", "a", "A", "1", "\t", "é", "-", "_", "=", ">", "|", "[", "(", "<", '"', "\\", ":", ";", ",", "."),
    *(
        "@",
        "a@",
        "<a@b>",
        "a ",
        " a",
        "1 ",
        "end ",
        "fin of ",
        "end-",
        "wrote ",
        "on 1 ",
        "a écrit ",
        "=?",
        "=?a?q?",
    ),
    *("?= ", "[a.", ".a", '\\"', "a: ", "1:1", "2025-", "x 1 ", "(x", "[1] ", "[[orders ", "; a=", "#", "//"),
    *(
        "<div ",
        "</",
        "mailto:",
        "--",
        "begin ",
        "\n",
        " \n",
        "a\n",
        "content-type:\n",
        "message-id:<",
        "5.1.",
        "&#",
    ),
)


def _modules() -> Iterator[Any]:
    for package in (pbem.letters, pbem.orders, pbem.campaign):
        for found in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
            yield importlib.import_module(found.name)


def _patterns(value: object) -> Iterator[re.Pattern[Any]]:
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, tuple | list):
        for one in value:
            yield from _patterns(one)
    elif isinstance(value, dict):
        for one in value.values():
            yield from _patterns(one)


def _used(module: Any, name: str) -> tuple[str, ...]:
    """How a module uses a pattern of its own: one that is only matched need not be quick to search with."""
    source = Path(str(module.__file__)).read_text(encoding="utf-8")
    used = set(re.findall(rf"\b{name}\.(match|fullmatch|search|findall|finditer|sub|subn|split)\(", source))
    return tuple(sorted(used)) or ("match", "fullmatch")


PATTERNS = {
    f"{module.__name__.removeprefix('pbem.')}.{name}.{n}": (pattern, _used(module, name))
    for module in _modules()
    for name, value in vars(module).items()
    if not name.startswith("__")
    for n, pattern in enumerate(_patterns(value))
}
PATTERNS |= {
    f"orders.commands.argument.{spec.name}": (re.compile(spec.argument), ("match",))
    for spec in COMMANDS.types
}


def cost(work: Callable[[Any], object], subject: Any) -> float:
    """The processor time of the quickest of two runs."""
    times = []
    for _ in range(2):
        began = time.process_time()
        work(subject)
        times.append(time.process_time() - began)
        if times[0] < QUICK:
            break
    return min(times)


def grows(work: Callable[[Any], object], make: Callable[[int], Any]) -> bool:
    """Whether four times the length costs clearly more than four times the time."""
    large = cost(work, make(SIZES[1]))
    if large < QUICK:
        return False
    small = max(cost(work, make(SIZES[0])), QUICK / 16)
    # Linear is 4, the square 16; measured again before it is believed.
    return large / small > 9 and cost(work, make(SIZES[1])) / max(cost(work, make(SIZES[0])), QUICK / 16) > 9


def hostile() -> Iterator[Callable[[int], str]]:
    for piece in PIECES:
        for begin, end in (("", ""), ("", "!"), ("a", "a\x00"), ("end", "!"), ("[1", "]x"), ("<", "@")):
            yield lambda size, p=piece, b=begin, e=end: b + p * (size // len(p)) + e


def test_there_are_patterns() -> None:
    assert len(PATTERNS) > 60


@pytest.mark.parametrize("name", sorted(PATTERNS))
def test_no_pattern_costs_more_than_its_line_is_long(name: str) -> None:
    pattern, uses = PATTERNS[name]
    of_bytes = isinstance(pattern.pattern, bytes)

    def everything(subject: Any) -> None:
        for use in uses:
            if use in ("sub", "subn"):
                pattern.sub(subject[:0], subject)
            else:
                found = getattr(pattern, use)(subject)
                if use == "finditer":
                    list(found)

    for make in hostile():
        made = (lambda size, m=make: m(size).encode()) if of_bytes else make
        assert not grows(everything, made), (name, made(40))


STEPS: dict[str, Callable[[str], object]] = {
    "quoting": quoting.clean,
    "attribution": heads.attribution,
    "footer": heads.footer,
    "command": lambda text: COMMANDS.split(text.split("\n")),
    "press": lambda text: COMMANDS.split(["PRESS TO all: x", *text.split("\n"), "PRESS TO all: y", text]),
    "history": lambda text: COMMANDS.split([f"HISTORY {text}", f"END {text}"]),
    "courtesy": courteous,
    "reached": reached,
    "letterhead": lambda text: letterhead(
        ["1", *text.split("\n")], lambda _: False, "1".__eq__, lambda _: True, ("a",)
    ),
    "automatic": lambda text: automatic.kind_of(split(b"", 10)[0], "a@b", text, "m@p"),
    "fold": fold,
    "html": lambda text: None if too_complex(text) else to_text(text),
}


@pytest.mark.parametrize("step", sorted(STEPS))
def test_no_step_of_reading_costs_more_than_its_text_is_long(step: str) -> None:
    for make in hostile():
        assert not grows(STEPS[step], make), (step, make(40))


WRAPPINGS: dict[str, Callable[[str], str]] = {
    "plain": lambda text: f"From: a@b.example\n\n{text}",
    "returns": lambda text: f"From: a@b.example\r\rx\r{text}".replace("\n", "\r"),
    "flowed": lambda text: f"From: a@b.example\nContent-Type: text/plain; format=flowed\n\n{text}",
    "html": lambda text: f"From: a@b.example\nContent-Type: text/html\n\n{text}",
    "subject": lambda text: f"Subject: {text}\nFrom: {text} <a@b.example>\n\nx",
    "parts": lambda text: (
        f"From: a@b.example\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\n{text}\n--b--\n"
    ),
    "report": lambda text: (
        "From: a@b.example\nContent-Type: multipart/report; report-type=delivery-status; boundary=b\n\n"
        f"--b\n\n{text}\n--b\nContent-Type: message/delivery-status\n\n{text}\n--b--\n"
    ),
}


@pytest.mark.parametrize("wrapping", sorted(WRAPPINGS))
def test_no_letter_costs_more_than_its_bytes(wrapping: str) -> None:
    wrap = WRAPPINGS[wrapping]
    for make in hostile():
        assert not grows(
            lambda raw: read(raw, own_address="m@p.example"), lambda size, m=make: wrap(m(size)).encode()
        ), (wrapping, make(40))


def test_bare_returns_do_not_hide_parts() -> None:
    nested = b""
    for n in range(300):
        nested += b"Content-Type: multipart/mixed; boundary=b%d\r\r--b%d\r" % (n, n)
    letter = read(b"From: a@b.example\r" + nested + b"\rRESIGN\r", own_address="m@p.example")
    assert [trouble.code for trouble in letter.troubles] == ["too-deep"]
    assert letter.lines == ()


def test_limits_come_before_patterns(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object) -> None:
        raise AssertionError("looked at")

    monkeypatch.setattr(quoting, "clean", never)
    long = b"From: a@b.example\n\n" + b"x" * (Limits().line_chars + 1)
    assert [trouble.code for trouble in read(long, own_address="m@p.example").troubles] == ["line-too-long"]
