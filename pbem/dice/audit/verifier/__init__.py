"""The verifier in a single file, and the page that does the same in a browser.

`pbem_verify.py` is put together from the chapters of this package that need the standard library alone, so
that the moderator and the stranger who checks it run the same lines; `verify.html` gets its sentences and
its constants from the same places. Neither is kept: both are put together when they are asked for, by
`pbem verifier FOLDER`, by a letter that carries them, and by a demo.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from pbem.dice.audit.verifier.assembling import program, web_page

PROGRAM, PAGE = "pbem_verify.py", "verify.html"
"""What the two files are called."""


@cache
def program_text() -> str:
    """The stand-alone verifier, as it is handed out."""
    return program()


@cache
def page_text() -> str:
    """The offline page, as it is handed out."""
    return web_page()


def write(folder: Path) -> list[Path]:
    """Write both files into a folder; their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, text in ((PROGRAM, program_text()), (PAGE, page_text())):
        target = folder / name
        target.write_text(text, encoding="utf-8", newline="\n")
        written.append(target)
    return written


__all__ = ["PAGE", "PROGRAM", "page_text", "program_text", "write"]
