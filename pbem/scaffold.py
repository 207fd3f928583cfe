"""A new game to begin with: a small one that is whole, as a package of its own (templates/scaffold)."""

from __future__ import annotations

import keyword
import re
from pathlib import Path

from pbem import paths

_NAME = re.compile(r"[a-z][a-z0-9_]{1,30}\Z")


def scaffold(name: str, folder: Path, title: str = "") -> list[Path]:
    """Write the package of a new game into a folder; the files. Raises ValueError, FileExistsError, OSError.

    Nothing is written where the name is none, is taken, or where the folder holds anything.
    """
    if not _NAME.match(name) or keyword.iskeyword(name):
        raise ValueError(
            f"a game is named by small letters, figures and «_», and begins with a letter: {name!r}"
        )
    if name in paths.games():
        raise ValueError(f"there is a game {name!r} already")
    if folder.exists() and any(folder.iterdir()):
        raise FileExistsError(f"{folder} is not empty")
    title = title or name.replace("_", " ").title()
    if '"' in title or "\\" in title or not title.isprintable():
        raise ValueError(f"not a title: {title!r}")
    source = paths.templates() / "scaffold"
    written = []
    for file in sorted(
        path for path in source.rglob("*") if path.is_file() and "__pycache__" not in path.parts
    ):
        inside = [name if part == "package" else part for part in file.relative_to(source).parts]
        target = folder.joinpath(*inside)
        target.parent.mkdir(parents=True, exist_ok=True)
        text = file.read_text("utf-8")
        target.write_text(re.sub(r"\bNAME\b", name, text.replace("TITLE", title)), "utf-8")
        written.append(target)
    return written
