"""The folder where painted bases are kept from one start to the next."""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from functools import cache
from pathlib import Path

from PIL import Image

from pbem.reports.map import phrases
from pbem.reports.map.hexes import sheet
from pbem.reports.map.paint.ink import FONTS


def default_cache() -> Path | None:
    """The folder for cached bases, by the custom of the platform; None where nobody is at home."""
    given = os.environ.get("XDG_CACHE_HOME")
    if given and Path(given).is_absolute():
        return Path(given) / "pbem"
    try:
        return Path.home() / ".cache" / "pbem"
    except RuntimeError:
        return None


@cache
def _fingerprint() -> bytes:
    """Changes whenever the code, the fonts or the words do."""
    digest = hashlib.sha256(phrases.raw() + sheet.raw())
    for file in sorted([*Path(__file__).parents[1].rglob("*.py"), *FONTS.glob("*.ttf")]):
        digest.update(file.read_bytes())
    return digest.digest()


def name(start: str, facts: str) -> str:
    """A file name that begins so and belongs to these facts and to this version of the program."""
    key = hashlib.sha256(_fingerprint() + facts.encode()).hexdigest()
    return f"{start}-{key[:20]}.png"


def read(file: Path, size: tuple[int, int], mode: str) -> Image.Image | None:
    """A picture as it was kept; None when there is none or it is damaged."""
    try:
        with Image.open(file) as picture:
            picture.load()
            found = picture.copy()
    except (OSError, ValueError, SyntaxError):
        return None
    return found if found.mode == mode and found.size == size else None


def write(file: Path, picture: Image.Image) -> None:
    """Whole or not at all; a folder that cannot be written to is no misfortune."""
    with contextlib.suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=file.parent, suffix=".part", delete=False) as part:
            try:
                picture.save(part, "PNG")
                part.close()
                os.replace(part.name, file)
            except OSError:
                Path(part.name).unlink(missing_ok=True)
