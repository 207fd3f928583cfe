"""A map of countries as pixels: what lies under the realms and over them is kept, the realms come between."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from PIL import Image, ImageColor

from pbem.kernel.drawing import Lang, Wash
from pbem.reports.map.area.sheet import Layout, View, document, pixels_high
from pbem.reports.map.board import Board
from pbem.reports.map.countries import base, sheet
from pbem.reports.map.paint import base_cache
from pbem.reports.map.paint.raster import pixels


@lru_cache(4)
def _kept(
    board: Board, lang: Lang, place: Layout, view: View, width: int, folder: Path | None
) -> tuple[Image.Image, Image.Image]:
    """The layers under and over the realms."""
    size = (width, pixels_high(view, width))
    files: Sequence[Path | None] = (None, None)
    if folder is not None and view.margins:
        facts = f"{board.digest} {lang} {place.track} {place.rows} {width}"
        start = f"{board.slug}-{lang}-{width}"
        files = [folder / base_cache.name(f"{start}-{layer}", facts) for layer in ("under", "over")]
    found = []
    for file, mode in zip(files, ("RGB", "RGBA"), strict=True):
        picture = base_cache.read(file, size, mode) if file is not None else None
        if picture is None:
            layer = sheet.under(board, view) if mode == "RGB" else sheet.over(board, lang, place, view)
            picture = pixels(document(view, *layer, width)).convert(mode)
            if file is not None:
                base_cache.write(file, picture)
        found.append(picture)
    return found[0], found[1]


def paint(
    board: Board,
    lang: Lang,
    place: Layout,
    view: View,
    width: int,
    folder: Path | None,
    washes: tuple[Wash, ...],
) -> Image.Image:
    """The base with its realms as the washes say. Raises ValueError for an unknown area."""
    realms = pixels(document(view, *sheet.realms(board, view, washes), width))
    under, over = _kept(board, lang, place, view, width, folder)
    painted = under.copy()
    for layer in (realms, over):
        painted.paste(layer, (0, 0), layer)
    return painted


def colours() -> list[int]:
    """The colours of the print, as a flat palette."""
    return [part for dye in base.dyes() for part in ImageColor.getrgb(dye)[:3]]
