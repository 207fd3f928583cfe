"""The verifier in a single file, and the page that does the same in a browser.

`pbem_verify.py` is put together from the chapters of this package that need the standard library alone, so
that the moderator and the stranger who checks it run the same lines; `verify.html` gets its sentences and
its constants from the same places. Both are kept beside this file, as a player would download them:
`python -m pbem.dice.verifier` writes them anew, and a test compares.
"""

from __future__ import annotations

from pathlib import Path

from pbem.dice.verifier.assembling import program, web_page

HERE = Path(__file__).parent
PROGRAM = HERE / "pbem_verify.py"
PAGE = HERE / "verify.html"


def program_text() -> str:
    """The stand-alone verifier, as it is handed out."""
    return PROGRAM.read_text(encoding="utf-8")


def page_text() -> str:
    """The offline page, as it is handed out."""
    return PAGE.read_text(encoding="utf-8")


def write(folder: Path) -> list[Path]:
    """Write both files into a folder; their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for source in (PROGRAM, PAGE):
        target = folder / source.name
        target.write_bytes(source.read_bytes())
        written.append(target)
    return written


__all__ = ["PAGE", "PROGRAM", "page_text", "program", "program_text", "web_page", "write"]
