"""Whatever is handed in gets a clear verdict: from the package, from the file by itself, and from the page."""

from __future__ import annotations

import base64
import hashlib
import importlib.util
import io
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from pbem.dice.audit.audit import audit
from pbem.dice.audit.mailbox import read_letters
from pbem.dice.log import entries
from tests.dice.audit.forgeries import CHAIN, draw, honest, letter
from tests.dice.audit.test_page import SAY, chromium, dom, said
from tests.dice.audit.verifier_file import PROGRAM
from tests.dice.sample import SampleGame, export, nth, rehash, unhashed

__all__ = ["chromium"]

MEGABYTE = 1 << 20


def changed(roll: str, **facts: Any) -> bytes:
    parts = unhashed(honest(CHAIN))
    draw(parts, roll).update(facts)
    return export(rehash(parts))


def of_format(name: str) -> bytes:
    parts = unhashed(honest(CHAIN))
    nth(parts, "genesis")["format"] = name
    return export(rehash(parts))


def with_entry(kind: str) -> bytes:
    """The log and one more entry of that kind, hashed as it should be."""
    last = honest(CHAIN)[-1]
    bare = {"at": last.at, "body": {}, "kind": kind, "n": last.n + 1, "prev": last.hash}
    digest = hashlib.sha256(b"pbem-log/1|" + entries.canonical(bare)).hexdigest()
    return export(honest(CHAIN)) + entries.canonical(bare | {"hash": digest}) + b"\n"


GOOD = export(honest(CHAIN))
LINES = GOOD.splitlines(keepends=True)
DIE = "t1/land/lindenau/att"
BAD: dict[str, tuple[bytes, str]] = {
    "nothing": (b"", "empty"),
    "an empty line": (b"\n", "unreadable"),
    "prose": (b"Sir, I have the honour to report\n", "unreadable"),
    "a picture": (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "unreadable"),
    "two bytes a letter": (GOOD.decode().encode("utf-16"), "unreadable"),
    "a mark before the text": (b"\xef\xbb\xbf" + GOOD, "unreadable"),
    "lines of Windows": (GOOD.replace(b"\n", b"\r\n"), ""),
    "one list": (b"[" + GOOD.replace(b"}\n{", b"},{") + b"]\n", "unreadable"),
    "indented": (json.dumps(json.loads(LINES[0]), indent=1).encode() + b"\n", "unreadable"),
    "spaces": (json.dumps(json.loads(LINES[0])).encode() + b"\n", "canonical"),
    "a bracket too few": (LINES[0] + LINES[1].replace(b"}", b"", 1) + LINES[2], "unreadable"),
    "torn in a line": (GOOD[:-200], "truncated"),
    "torn between lines": (b"".join(LINES[:2]), "truncated"),
    "without its beginning": (b"".join(LINES[3:]), "number"),
    "older format": (of_format("pbem-dice/0"), "format"),
    "no format": (of_format(""), "format"),
    "unknown kind": (with_entry("dice"), "kind"),
    "label in Cyrillic": (changed(DIE, label="t1/land/lindenаu/att"), "label"),
    "label with an accent": (changed(DIE, label="t1/land/möckern"), "label"),
    "label in capitals": (changed(DIE, label="T1/LAND"), "label"),
    "label with a line end": (changed(DIE, label="t1/land\n"), "label"),
    "label of another script": (changed(DIE, label="١٨١٣"), "label"),
    "no label": (changed(DIE, label=""), "label"),
    "no text for a label": (changed(DIE, label=7), "label"),
    "endless label": (changed(DIE, label="a" * 2_000), "label"),
    "no sides": (changed(DIE, sides=0), "absurd"),
    "sides below nothing": (changed(DIE, sides=-6), "absurd"),
    "a million and one sides": (changed(DIE, sides=1_000_001), "absurd"),
    "sides beyond counting": (changed(DIE, sides=10**300), "absurd"),
    "sides that are no number": (changed(DIE, sides="6"), "fields"),
    "sides that are true": (changed(DIE, sides=True), "fields"),
    "ten thousand and one dice": (changed(DIE, values=[1] * 10_001), "absurd"),
    "too much in a line": (b'{"a":[' + b"[]," * 1_000_001 + b"[]]}\n", "limits"),
}


@pytest.fixture(scope="module")
def alone() -> ModuleType:
    """The verifier as a file of its own."""
    spec = importlib.util.spec_from_file_location("pbem_verify_bad_input", PROGRAM)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", BAD)
def test_package_and_file(name: str, alone: ModuleType) -> None:
    data, code = BAD[name]
    here, there = audit(io.BytesIO(data)), alone.audit(io.BytesIO(data))
    assert here.code == code, here.reason()
    assert there.data() == here.data()
    for lang in ("en", "fr"):
        assert there.report(lang) == here.report(lang)
        assert "\x00" not in here.report(lang)
        assert len(here.report(lang)) < 2_000


def test_the_page_says_the_same(chromium: str, tmp_path: Path) -> None:
    given = [base64.b64encode(data).decode() for data, _ in BAD.values()]
    script = f"""{SAY}
    tell({json.dumps(given)}.map((data) => {{
      const {{ code, entry }} = pbemVerify(bytes(data));
      return [code, entry];
    }}));"""
    verdicts = [audit(io.BytesIO(data)) for data, _ in BAD.values()]
    assert said(dom(chromium, tmp_path, script)) == [[each.code, each.entry] for each in verdicts]


def another_game() -> SampleGame:
    game = SampleGame()
    game.letter("french", "HOLD")
    game.play(lambda dice: dice.roll("t1/x", 2, 6, rule="1"))
    return game


def test_the_log_of_another_game(alone: ModuleType, chromium: str, tmp_path: Path) -> None:
    """By its name where the reader knows it; by the heads in his letters anyway."""
    assert audit(io.BytesIO(GOOD), game="sample-9").code == "game"
    assert alone.audit(io.BytesIO(GOOD), game="sample-9").code == "game"
    letters = letter(another_game().entries[-1].head, 0)
    path = tmp_path / "letters"
    path.write_bytes(letters)
    assert audit(io.BytesIO(GOOD), mailbox=read_letters([path])).code == "head"
    assert alone.audit(io.BytesIO(GOOD), mailbox=alone.read_letters([path])).code == "head"
    script = f"""{SAY}
    const found = pbemVerify(bytes("{base64.b64encode(GOOD).decode()}"), {json.dumps(letters.decode())});
    tell([found.code, found.game]);"""
    assert said(dom(chromium, tmp_path, script)) == ["head", "sample-1"]


def entries_of(size: int, count: int) -> Iterator[bytes]:
    """A good log with so many notes of that size."""
    last = SampleGame().entries[0]
    yield last.line() + b"\n"
    for n in range(count):
        last = entries.append(last, "act", last.at, entries.act("x", "note", text="x" * size, n=n))
        yield last.line() + b"\n"


def huge(name: str) -> Iterator[bytes]:
    if name == "good lines":
        yield from entries_of(MEGABYTE, 100)
    elif name == "one line":
        yield from (b"x" * MEGABYTE for _ in range(100))
    else:
        yield from (b"{" + b"[]," * (5 << 20) + b"}\n" for _ in range(7))


@pytest.mark.parametrize(("name", "code"), [("one line", 1), ("good lines", 0), ("empty lists", 1)])
def test_a_hundred_megabytes_in_bounded_memory(name: str, code: int, tmp_path: Path) -> None:
    """The file by itself, in a process that may not take more than a quarter of a gigabyte."""
    path = tmp_path / "huge.jsonl"
    with path.open("wb") as file:
        for piece in huge(name):
            file.write(piece)
    assert path.stat().st_size > 100 * 1_000_000
    limited = (
        "import resource, runpy, sys; resource.setrlimit(resource.RLIMIT_AS, (256 << 20, 256 << 20)); "
        "sys.argv = sys.argv[1:]; runpy.run_path(sys.argv[0], run_name='__main__')"
    )
    command = [sys.executable, "-I", "-S", "-c", limited, str(PROGRAM), str(path), "--lang", "en"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stderr) == (code, "")
    assert done.stdout.startswith(
        "GOOD" if code == 0 else "NOT GOOD\nEntry 1: this is larger than any honest log"
    )


def test_a_hundred_megabytes_on_the_page(chromium: str, tmp_path: Path) -> None:
    """Read piece by piece: what is kept of it never grows beyond a line."""
    script = f"""{SAY}
    const first = bytes("{base64.b64encode(LINES[0]).decode()}"), audit = new Audit();
    audit.feed(first);
    let kept = 0, fed = first.length;
    const piece = new Uint8Array(1 << 20).fill(120);
    for (let n = 0; n < 100; n++) {{
      audit.feed(piece);
      kept = Math.max(kept, audit.rest.length);
      fed += piece.length;
    }}
    const {{ code, entry }} = audit.finish();
    tell([code, entry, fed > 100e6, kept <= (17 << 20)]);"""
    assert said(dom(chromium, tmp_path, script)) == ["limits", 2, True, True]


def test_no_verdict_shows_a_traceback(tmp_path: Path) -> None:
    for n, (data, code) in enumerate(BAD.values()):
        if n % 4 == 0:
            path = tmp_path / f"{n}.jsonl"
            path.write_bytes(data)
            command = [sys.executable, "-I", "-S", str(PROGRAM), str(path), "--lang", "fr"]
            done = subprocess.run(command, capture_output=True, timeout=60)
            assert done.returncode == (1 if code else 0)
            assert not re.search(rb"Traceback|Error", done.stdout + done.stderr)
