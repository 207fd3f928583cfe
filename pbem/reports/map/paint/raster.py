"""SVG to pixels. `pixels` is all that the rest knows of the engine, so that another can take its place.

The engine (resvg) wants its font database in the thread that made it, and panics on a broken document with
an exception that is no `Exception`; both stay in here.
"""

from __future__ import annotations

import io
import threading

from PIL import Image
from resvg import render, usvg

from pbem.reports.map.paint.ink import FONTS
from pbem.reports.map.paint.style import FAMILY

_IDENTITY = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0)
_of_thread = threading.local()


def _options() -> usvg.Options:
    options: usvg.Options | None = getattr(_of_thread, "options", None)
    if options is None:
        options = usvg.Options.default()
        options.font_family = FAMILY
        for font in sorted(FONTS.glob("*.ttf")):
            options.load_font_data(font.read_bytes())
        _of_thread.options = options
    return options


def warm() -> None:
    """Loads the fonts before the first picture wants them."""
    _options()


def pixels(svg: str) -> Image.Image:
    """A document at its own width and height, on nothing. Raises ValueError when it cannot be read."""
    try:
        raw = bytes(render(usvg.Tree.from_str(svg, _options()), _IDENTITY))
    except BaseException as error:
        if isinstance(error, Exception) or type(error).__name__ == "PanicException":
            raise ValueError(f"unreadable SVG: {str(error)[:120]}") from None
        raise
    return Image.open(io.BytesIO(raw)).convert("RGBA")
